#!/usr/bin/env python3
"""Trains the small vocabulary that the command carries with it.

    python3 tools/train_vocabulary.py

writes data/vocabulary.txt (vocab1 text) and csrc/cli/shipped_vocabulary.c, the same tokens as C. Needs
the standard library alone and gives the same files on every machine.

The tokens, 4,096 of them:

    0 to 255        the single bytes
    then            pieces that JSON is made of, runs of white space, the numbers 10 to 999
    then            byte-level BPE, most frequent pair first, over text that this script makes up
    the last six    special tokens: <|begin|>, <|end|> (stop), <|user|>, <|assistant|>, <|tool|>, <|pad|>

The text is made from the word lists below: JSON documents in three layouts, JSON Schemas, sentences, code,
and sentences in other scripts, so that there are tokens of every kind that matters to a mask: tokens that
close a string and go on, that hold escapes, that end in the middle of a letter, long runs of spaces.
"""
import heapq
import json
import random
import unicodedata
from collections import Counter, defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SPECIAL = ["<|begin|>", "<|end|>", "<|user|>", "<|assistant|>", "<|tool|>", "<|pad|>"]
STOP = "<|end|>"
SIZE = 4096

# ---- words ----

ENGLISH = """
the of and to in a is that for it as was with be by on not he she they we you at from or an this which have are
has had were their its one all but more when there been if no out so what up into than them can only other new
some could time these two may then do first any my now such like our over man me even most made after also did
many before must through back years where much your way well down should because each just those people how too
little state good very make world still own see men work long get here between both life being under never day
same another know while last might us great old year off come since against go came right used take three
account action active address advance after again agent agree air alert allow almost alone along alpha already
always amount animal answer appear apple apply area argue around arrive article artist aside asset assign attach
author autumn avenue average avoid award balance band bank base basic basket battery beach bear beauty become
begin behind believe below bench beside best beta better beyond bicycle bill bird block blood blue board boat body
book border bottle bottom bound branch bread break bridge bright bring broad brother brown budget build burn
business button cable call camera camp capital captain car carbon card care carry case cash castle cat catch cause
center central century certain chain chair chance change channel chapter charge check cheese chicken child choice
choose circle city claim class clean clear client climb clock close cloth cloud coast code coffee cold collect
college color column combine comfort command comment common company compare complete compute concern condition
connect consider contain content context continue control cook copper copy corner correct cost cotton count
country couple course court cover create credit cross crowd culture current customer cycle daily damage dance
danger dark data date daughter dead deal debate decide deep default define degree delay deliver demand depend
describe desert design desk detail develop device diamond differ dinner direct discover discuss disk distance
divide doctor document dog dollar domain door double doubt dozen draft draw dream dress drink drive drop dry due
duty eager early earth east easy edge edit effect effort eight either elect element eleven else empty enable end
enemy energy engine enjoy enough enter entire entry equal error escape estate even evening event every exact
example except exchange exercise exist expect expense explain express extend extra face fact factor fail fair fall
family famous farm fast father favor fear feature feed feel female fence field fifteen fifth fight figure file
fill film final find fine finger finish fire firm fish five fix flag flat flight floor flow flower fly follow food
foot force foreign forest forget form format fortune forward found four fourth frame free fresh friend front fruit
full function fund future game garden gas gate gather general gentle gift girl give glass global goal gold grade
grain grand grant graph grass gray green ground group grow guard guess guest guide habit half hall hand handle
happen happy harbor hard harvest head health hear heart heat heavy height hello help hidden high hill history hold
hole holiday home honest hope horse hospital hotel hour house huge human hundred hunt hurry husband ice idea image
impact import improve inch include income increase index indicate industry inform inner input inside instance
instead insure intend interest invest invite iron island issue item job join journey judge jump junior jury keep
kernel key kind king kitchen knee label labor lack lady lake land language large late laugh launch law layer lead
leaf learn least leave left legal lemon length less lesson letter level library license lift light limit line link
lion list listen live local lock logic lonely look lose loss lost loud love lower luck lunch machine main major
manage manner map march mark market marry master match material matter maybe meal mean measure meat media meet
member memory mention merge message metal meter method middle mile milk million mind mine minor minute mirror miss
mode model modern modify moment money month moon morning mother motion motor mountain mouse mouth move movie
multiple music name narrow nation nature near nearly neck need network news next nice night nine node noise none
noon north note nothing notice novel number nurse object observe obtain ocean offer office officer often oil
okay once onion open operate opinion option orange order organ origin output outside oven owner package page
paint pair paper parent park parse part partner party pass past path patient pattern pause pay peace pencil people
pepper per perfect perhaps period permit person phone phrase piano pick picture piece pilot pink pipe place plain
plan plane planet plant plate play please plenty pocket poem point police policy poor popular port position
possible post potato pound power practice prepare present press pretty prevent price print private prize problem
process produce product profile profit program project promise proof proper protect proud prove provide public
pull pulse purple purpose push put quality quantity quarter queen query question queue quick quiet quite race
radio rail rain raise random range rapid rate rather raw reach read ready real reason receive recent recipe record
red reduce refer reflect region regular relate release remain remember remote remove rent repair repeat replace
reply report request require rescue reserve resource respond rest result retry return reveal review reward rice
rich ride ring rise river road rock role roll roof room root rose rough round route row royal rule run safe sail
salad salary sale salt sample sand save scale scan scene schedule school science score screen script sea search
season seat second secret section secure seek seem segment select self sell send senior sense series serious serve
server service session set settle seven several shade shake shape share sharp sheet shelf shell shift shine ship
shirt shoe shop short shout show side sign signal silent silver similar simple sing single sister site six size
skill skin sky sleep slice slow small smart smile smoke smooth snow social soft soil solar soldier solid solve song
soon sort sound soup source south space speak special speed spell spend spirit split sport spot spread spring
square stack staff stage stamp stand standard star start station status stay steam steel step stick stock stone
stop store storm story straight strange stream street strength string strong student study style subject submit
succeed sudden sugar suggest summer sun supply support sure surface surprise survey sweet swim switch symbol
system table tail talk tall target task taste tax teach team tell temple ten term test text thank theme theory
thick thin thing think third thirty thousand thread throw ticket tie tiger timer tiny title today together token
tomorrow tone tool top topic total touch tour toward tower town track trade traffic train transfer travel tree
trial trick trip trouble truck true trust truth try tube turn twelve twenty twice type uncle unique unit until
update upper urban urgent user usual valid valley value vary vector vehicle version video view village visit voice
volume vote wait walk wall want war warm warn wash watch water wave weak wealth wear weather web week weight
welcome west wheel white whole wide wife wild win wind window wine winner winter wire wise wish without woman wonder
wood word worker worry worth write wrong yard yellow yesterday yet young zero zone
""".split()

KEYS = """
id name title type value key data items item list user users email phone address street city country state zip
code status message error errors result results count total page limit offset next previous created updated
createdAt updatedAt created_at updated_at first_name last_name firstName lastName username password token url
href link links image images description text content body tags tag category categories price amount currency
quantity product products order orders order_id user_id userId orderId date time timestamp start end duration
latitude longitude location width height size color weight length enabled active visible required optional
version author license dependencies scripts config settings options params arguments args function parameters
method headers query path file files metadata attributes labels role roles permissions score rating comment
comments parent children index level language locale currency_code is_active has_more account balance
""".split()

SCHEMA_WORDS = """
$schema $id $ref $defs $anchor $comment $vocabulary $dynamicRef $dynamicAnchor definitions type properties
patternProperties additionalProperties unevaluatedProperties propertyNames required minProperties maxProperties
dependentRequired dependentSchemas items prefixItems additionalItems unevaluatedItems contains minContains
maxContains minItems maxItems uniqueItems minLength maxLength pattern format minimum maximum exclusiveMinimum
exclusiveMaximum multipleOf enum const allOf anyOf oneOf not if then else title description default deprecated
readOnly writeOnly examples contentEncoding contentMediaType nullable
""".split()
TYPES = ["string", "number", "integer", "boolean", "object", "array", "null"]
FORMATS = ["date-time", "date", "time", "duration", "email", "hostname", "ipv4", "ipv6", "uri", "uri-reference", "uuid",
           "regex", "json-pointer"]
PATTERNS = ["^[a-z]+$", "^[A-Z]{2,3}$", "^[0-9]+$", "^\\d{4}-\\d{2}-\\d{2}$", "^[a-zA-Z0-9_-]*$", "^\\S+@\\S+$", "^(a|b)?.*$"]

OTHER_SCRIPTS = """
für über schön größe straße fähig können müssen natürlich französisch
être déjà où très après élève garçon français naïve cœur
año niño mañana corazón también está información español más qué
não você coração informação português então até é
łódź żółty święto człowiek źródło książka příliš žluťoučký kůň
привет мир слово дело время человек город страна работа большой новый первый хорошо спасибо
γεια κόσμος λόγος χρόνος άνθρωπος πόλη ημέρα καλημέρα
שלום עולם ספר זמן مرحبا عالم كتاب وقت مدينة
नमस्ते दुनिया समय पुस्तक สวัสดี โลก เวลา
你好 世界 时间 中文 数据 名称 地址 城市 用户 信息 系统 我们 可以 不是 什么 今天
こんにちは 世界 ありがとう データ ユーザー テスト 日本語 名前 です ます
안녕하세요 세계 시간 이름 사용자 데이터 한국어 감사합니다
""".split()
EMOJI = "😀 😂 😍 🤔 👍 👋 🎉 🔥 🚀 ✨ ❤️ ✅ ❌ ⚠️ 🌍 🐍 👩‍💻 🇪🇺 👍🏽".split()
SYMBOLS = "– — … “ ” ‘ ’ € £ ° × → ← ≤ ≥ ≠ ± µ § © ™ • · « » α β π Σ ∞ √".split()

CODE = """
def {a}({b}, {c}=None):\n    \"\"\"{A} the {b}.\"\"\"\n    if not {b}:\n        return None\n    for {c} in {b}:\n        {a}.append({c})\n    return {a}\n
class {A}({B}):\n    def __init__(self, {b}):\n        self.{b} = {b}\n        self._{c} = []\n
import {a}\nfrom {b} import {c}\n\nassert {a} == {b}, f"{{{c}}} is wrong"\n
static int {a}_{b}(const char *{c}, size_t length)\n{{\n    for (size_t i = 0; i < length; i++)\n        if ({c}[i] == '\\0')\n            return -1;\n    return 0;\n}}\n
#include <{a}.h>\n\ntypedef struct {b} {{\n    uint32_t {c};\n    struct {b} *next;\n}} {b};\n
const {a} = async ({b}) => {{\n  const response = await fetch(`/api/${{{b}}}`);\n  return response.json();\n}};\n
function {a}{B}({c}) {{\n  if ({c} === undefined) throw new Error("missing {c}");\n  return {c}.map((x) => x.{b});\n}}\n
public func {a}(_ {b}: String) throws -> Int {{\n  guard let {c} = {b}.first else {{ return 0 }}\n  return {c}.count\n}}\n
SELECT {a}, {b} FROM {c} WHERE {a}_id = 1 AND {b} IS NOT NULL ORDER BY {a} DESC LIMIT 10;\n
<div class="{a}-{b}"><a href="https://example.com/{c}">{A}</a></div>\n
fn {a}({b}: &str) -> Result<u32, Error> {{\n    let mut {c} = Vec::new();\n    match {b} {{ _ => Ok(0) }}\n}}\n
""".strip("\n").split("\n")

# ---- tokens that must exist ----

JSON_PIECES = """
{" "} {} {{ }} [" "] [] [[ ]] [{ }] [{" "}] {"} "" ": ":" ":{ ":{" ":[ ":[" ":[{" ":- ":true ":false ":null ":"",
", "," ,{ ,{" ,[ ,[" ," "}, "}," "}} "}}, "]} "], "]," "},{" },{ },{" }, }," }} }}, }]} }], ], ]," ]} ]}, ]} ]]
\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u \\u00 \\u000 \\ud83d \\ude00 \\n\\n true false null true, false, null, true} false} null}
-1 0. .5 1e 1e- 0.0 .0 e+ e- E+ "\\ \\"," \\": '" "' "- "$ "# "/ "@ "_ ") "; "> "( (" =" =\\" "+ "= "? "! ". "s
""".split() + ['": "', '", "', '": ', '": {', '": {"', '": [', '": ["', '": [{"', '": -', '": true', '": false', '": null', '": 0',
               '": 1', ', "', '}, {"', '}, "', '], "', '": "",', '": [],', '": {},', ' "', ' ["', ' {"', ' {', ' [', ' }', ' ]',
               ': ', ', ', ' true', ' false', ' null', ' "",', '":', ' :', ' ,', '": ""', ' = "', '": \'', '".', '", ', '" ']
BREAKS = ["{\n", "[\n", ",\n", "\",\n", "\"\n", "}\n", "},\n", "]\n", "],\n", "{\r\n", ",\r\n", "\",\r\n", ": {\n", "\": {\n",
          "\": [\n", "true,\n", "false,\n", "null,\n"]


def white_space():
    for n in list(range(2, 33)) + [40, 48, 64, 96, 128]:
        yield " " * n
    for n in range(2, 9):
        yield "\t" * n
        yield "\n" * n if n < 5 else "\r\n" * (n - 4)
    for n in range(1, 17):
        yield "\n" + " " * n
    for n in range(1, 5):
        yield "\n" + "\t" * n
        yield "\r\n" + " " * (2 * n)


def fixed_tokens():
    yield from (bytes([b]) for b in range(256))
    for text in JSON_PIECES + BREAKS + list(white_space()) + [str(n) for n in range(10, 1000)]:
        yield text.encode()


# ---- the text ----

class Writer:
    """Makes text up; every choice comes from one seeded generator."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def pick(self, words):
        return words[int(self.random.random() * len(words))]

    def often(self, words):
        """Early words more often than late ones."""
        return words[int(self.random.random() ** 2 * len(words))]

    def chance(self, share):
        return self.random.random() < share

    def count(self, most):
        return int(self.random.random() * (most + 1))

    def sentence(self):
        words = [self.often(ENGLISH) if self.chance(0.5) else self.pick(ENGLISH) for _ in range(3 + self.count(9))]
        words = [w + self.pick(["s", "ed", "ing", "er", "ly", "'s"]) if self.chance(0.12) else w for w in words]
        if self.chance(0.15):
            words.insert(self.count(len(words)), str(self.count(2100)))
        if self.chance(0.1):
            words.append(self.pick(SYMBOLS + EMOJI))
        return " ".join(words).capitalize() + self.pick([".", ".", ".", "!", "?", ":", ", ", ""])

    def foreign(self):
        return self.pick(["", " "]).join(self.pick(OTHER_SCRIPTS) for _ in range(1 + self.count(6))) + self.pick(
            ["", ".", "。", "！", " " + self.pick(EMOJI)])

    def string(self):
        kind = self.count(11)
        if kind < 4:
            return self.pick(ENGLISH)
        if kind < 6:
            return self.sentence()
        if kind == 6:
            return self.foreign()
        if kind == 7:
            return "20%02d-%02d-%02dT%02d:%02d:%02dZ" % (self.count(30), 1 + self.count(11), 1 + self.count(27),
                                                        self.count(23), self.count(59), self.count(59))
        if kind == 8:
            return "https://%s.example.%s/%s/%d" % (self.pick(ENGLISH), self.pick(["com", "org", "net", "io"]),
                                                    self.pick(KEYS), self.count(9999))
        if kind == 9:
            return "%s.%s@example.%s" % (self.pick(ENGLISH), self.pick(ENGLISH), self.pick(["com", "org"]))
        if kind == 10:
            return "".join(self.pick("0123456789abcdef") for _ in range(8)) + "-" + "".join(
                self.pick("0123456789abcdef") for _ in range(4))
        return self.pick(["line\nnext", "tab\tstop", "say \"hi\"", "C:\\dir\\file", "", "a/b", "N/A"])

    def key(self):
        kind = self.count(9)
        if kind < 7:
            return self.pick(KEYS)
        first, second = self.pick(ENGLISH), self.pick(ENGLISH)
        return first + "_" + second if kind == 7 else first + second.capitalize() if kind == 8 else first

    def value(self, depth):
        kind = self.count(11 if depth > 0 else 8)
        if kind < 5:
            return self.string()
        if kind == 5:
            return self.count(10 ** (1 + self.count(6)))
        if kind == 6:
            return round(self.random.random() * 1000 - 200, self.count(4))
        if kind < 9:
            return self.pick([True, False, None])
        if kind == 9:
            return [self.value(depth - 1) for _ in range(self.count(4))]
        return {self.key(): self.value(depth - 1) for _ in range(1 + self.count(5))}

    def layout(self, value):
        kind, ascii_only = self.count(3), self.chance(0.15)
        if kind == 0:
            return json.dumps(value, separators=(",", ":"), ensure_ascii=ascii_only)
        if kind == 1:
            return json.dumps(value, ensure_ascii=ascii_only)
        return json.dumps(value, indent=self.pick([2, 2, 4, "\t"]), ensure_ascii=ascii_only)

    def document(self):
        return self.layout({self.key(): self.value(3) for _ in range(1 + self.count(6))}) + "\n"

    def schema(self, depth=2):
        kind = self.pick(TYPES)
        schema = {"type": kind if self.chance(0.9) else [kind, "null"]}
        if self.chance(0.3):
            schema[self.pick(["title", "description", "$comment"])] = self.sentence()
        if kind == "string":
            schema[self.pick(["minLength", "maxLength"])] = self.count(100)
            schema.update(self.pick([{"format": self.pick(FORMATS)}, {"pattern": self.pick(PATTERNS)},
                                     {"enum": [self.pick(ENGLISH) for _ in range(3)]}]))
        elif kind in ("number", "integer"):
            schema[self.pick(["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"])] = self.count(99)
        elif kind == "array":
            schema["items"] = self.schema(depth - 1) if depth > 0 else {"$ref": "#/$defs/" + self.pick(KEYS)}
            schema[self.pick(["minItems", "maxItems", "uniqueItems"])] = self.pick([1, 10, True])
        elif kind == "object":
            keys = [self.key() for _ in range(1 + self.count(3))]
            schema["properties"] = {k: self.schema(depth - 1) if depth > 0 else True for k in keys}
            schema["required"] = keys[:1]
            schema["additionalProperties"] = False
        if self.chance(0.25):
            schema[self.pick(SCHEMA_WORDS)] = self.pick([True, [], {}, "#/definitions/" + self.pick(KEYS)])
        return schema

    def code(self):
        names = [self.pick(ENGLISH) for _ in range(3)]
        text = self.pick(CODE).replace("\\n", "\n").replace("\\\"", "\"").replace("\\'", "'")
        return text.format(a=names[0], b=names[1], c=names[2], A=names[0].capitalize(), B=names[1].capitalize())

    def passage(self):
        kind = self.count(19)
        if kind < 7:
            return self.document()
        if kind < 10:
            return self.layout(self.schema()) + "\n"
        if kind < 14:
            return " ".join(self.sentence() for _ in range(1 + self.count(5))) + "\n"
        return self.foreign() + "\n" if kind < 16 else self.code()


# ---- byte-level BPE ----

def kind_of(letter):
    category = unicodedata.category(letter)[0]
    return "letter" if category in "LM" else "digit" if letter in "0123456789" else "space" if letter.isspace() else "mark"


def pieces(text):
    """Cuts a text where no token shall reach across: words with one mark or space before them, up to three
    digits, marks with a space before and line ends after them, white space."""
    kinds = [kind_of(c) for c in text] + ["end"]
    at = 0
    while at < len(text):
        start = at
        lead = kinds[at] in ("space", "mark") and text[at] not in "\r\n" and kinds[at + 1] == "letter"
        if kinds[at] == "letter" or lead:
            at += 1
            while kinds[at] == "letter":
                at += 1
        elif kinds[at] == "digit":
            while kinds[at] == "digit" and at < start + 3:
                at += 1
        elif kinds[at] == "mark" or (text[at] == " " and kinds[at + 1] == "mark"):
            at += 1
            while kinds[at] == "mark":
                at += 1
            while at < len(text) and text[at] in "\r\n":
                at += 1
        else:
            while kinds[at] == "space":
                at += 1
            if at - start > 1 and kinds[at] in ("letter", "mark") and text[at - 1] == " ":
                at -= 1
        yield text[start:at]


class Trainer:
    """Words as lists of tokens, and for each pair of neighbours how often it occurs and in which words."""

    def __init__(self, counts):
        self.words = [[bytes([b]) for b in word.encode()] for word in counts]
        self.counts = list(counts.values())
        self.pairs = Counter()
        self.where = defaultdict(set)
        self.changed = set()
        self.heap = []  # (-count, pair); an entry whose count has changed since is passed over
        for index, word in enumerate(self.words):
            self.note(index, word, 1)

    def note(self, index, word, sign):
        for pair in zip(word, word[1:]):
            self.pairs[pair] += sign * self.counts[index]
            self.changed.add(pair)
            if sign > 0:
                self.where[pair].add(index)

    def most_frequent(self):
        """The pair; the lesser bytes where several are as frequent."""
        for pair in self.changed:
            heapq.heappush(self.heap, (-self.pairs[pair], pair))
        self.changed.clear()
        while True:
            count, pair = heapq.heappop(self.heap)
            if -count == self.pairs[pair]:
                return pair

    def merge(self):
        """Merges the most frequent pair; returns the new token."""
        pair = self.most_frequent()
        for index in self.where.pop(pair):
            word = self.words[index]
            self.note(index, word, -1)
            merged = []
            for token in word:
                if merged and (merged[-1], token) == pair:
                    merged[-1] += token
                else:
                    merged.append(token)
            self.words[index] = merged
            self.note(index, merged, 1)
        return pair[0] + pair[1]


def train():
    writer = Writer(seed=20)
    counts = Counter()
    for _ in range(6000):
        counts.update(pieces(writer.passage()))
    tokens = list(dict.fromkeys(fixed_tokens()))
    known = set(tokens)
    trainer = Trainer(counts)
    while len(tokens) < SIZE - len(SPECIAL):
        token = trainer.merge()
        if token not in known:
            known.add(token)
            tokens.append(token)
    return tokens


# ---- output ----

HEADER = """/*
 * cli/shipped_vocabulary.c - the tokens of data/vocabulary.txt.
 *
 * Written by tools/train_vocabulary.py; change that, not this. A row is the texts of %d tokens one after another, and
 * their lengths. The special tokens follow the last row and have no text.
 */
#include "cli/shipped_vocabulary.h"

enum { ROW = %d, TEXTS = %d, TOKENS = %d, STOP = %d };

static const struct {
    const char *text;
    uint8_t lengths[ROW];
} rows[] = {
"""
FOOTER = """};

gm_status gm_shipped_vocabulary(const gm_allocator *allocator, gm_vocab **vocab, gm_error *error)
{
    const uint8_t *texts[TOKENS];
    size_t lengths[TOKENS];
    uint8_t flags[TOKENS];
    const uint8_t *at = NULL;
    for (uint32_t id = 0; id < TOKENS; id++) {
        const bool special = id >= TEXTS;
        if (!special && id % ROW == 0)
            at = (const uint8_t *)rows[id / ROW].text;
        lengths[id] = special ? 0 : rows[id / ROW].lengths[id % ROW];
        texts[id] = special ? NULL : at;
        flags[id] = special ? GM_TOKEN_CONTROL : 0;
        if (!special)
            at += lengths[id];
    }
    const uint32_t stop = STOP;
    const gm_vocab_desc desc = {
        .struct_size = sizeof desc,
        .token_count = TOKENS,
        .texts = texts,
        .lengths = lengths,
        .flags = flags,
        .stop = &stop,
        .stop_count = 1,
        .allocator = allocator,
    };
    return gm_vocab_create(&desc, vocab, error);
}
"""
ROW = 12


def c_literal(data):
    """A C string: octal escapes are three digits, so what follows cannot join them."""
    plain = {0x22: '\\"', 0x5C: "\\\\", 0x3F: "\\?", 0x0A: "\\n", 0x09: "\\t", 0x0D: "\\r"}
    return '"' + "".join(plain.get(b, chr(b) if 0x20 <= b < 0x7F else "\\%03o" % b) for b in data) + '"'


def write_c(path, tokens):
    stop = len(tokens) + SPECIAL.index(STOP)
    with open(path, "w", encoding="ascii", newline="\n") as out:
        out.write(HEADER % (ROW, ROW, len(tokens), len(tokens) + len(SPECIAL), stop))
        for at in range(0, len(tokens), ROW):
            row = tokens[at:at + ROW]
            out.write("    {%s,\n     {%s}},\n" % (c_literal(b"".join(row)), ", ".join(str(len(t)) for t in row)))
        out.write(FOOTER)


def write_text(path, tokens):
    with open(path, "w", encoding="ascii", newline="\n") as out:
        out.write("vocab1 %d %d\n" % (len(tokens) + len(SPECIAL), len(tokens) + SPECIAL.index(STOP)))
        out.writelines(t.hex() + "\n" for t in tokens)
        out.writelines("!" + name + "\n" for name in SPECIAL)


def main():
    tokens = train()
    (ROOT / "data").mkdir(exist_ok=True)
    write_text(ROOT / "data" / "vocabulary.txt", tokens)
    write_c(ROOT / "csrc" / "cli" / "shipped_vocabulary.c", tokens)
    print("%d tokens, the longest of %d bytes" % (len(tokens) + len(SPECIAL), max(map(len, tokens))))


if __name__ == "__main__":
    main()
