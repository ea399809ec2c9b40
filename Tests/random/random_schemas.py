#!/usr/bin/env python3
"""Random schemas against an independent validator.

    random_schemas.py GMASK [--count N] [--seed S]
    random_schemas.py --print - [--count N] [--seed S] | walk_lines

For each random schema: documents that `gmask generate` decodes must be valid to the validator
(Python's jsonschema, made exact: numbers are decimals); and of many small documents, random ones and
mutations of the generated, `gmask check` must accept exactly the valid ones. A schema that gmask
refuses is counted by keyword. Disagreements are printed, smallest schema first; exit status 1.
"""
import argparse
import decimal
import json
import math
import os
import random
import re
import subprocess
import sys
import tempfile
from collections import Counter

try:
    import jsonschema
except ImportError:
    print("SKIP random schemas: no Python package jsonschema")
    sys.exit(0)

decimal.getcontext().prec = 200
Decimal = decimal.Decimal

NAMES = ["a", "b", "c", "ab", "aa", ""]
STRINGS = ["", "a", "b", "ab", "ba", "aab", "abab", "c", "é", "😀", "a1", "12", "x-y"]
PATTERNS = ["^a", "b$", "^[ab]*$", "ab", "^(a|bb)+$", "^.{2}$", "^[a-c]{1,3}$", "[0-9]", "^\\d+$", "^$", "a.b", "^[^a]*$",
            "^(ab|ba)*$", "x?", "^(?:a|b){2,}$", "é", "^\\w+$"]


# ---- schemas ----

class Schemas:
    def __init__(self, rng, keywords):
        self.rng = rng
        self.keywords = keywords
        self.defs = 0

    def chance(self, p):
        return self.rng.random() < p

    def number(self):
        r = self.rng
        if self.chance(.15):
            return r.choice([10 ** 17, -10 ** 17, 2 ** 53 + 1, 2 ** 64, 1e-3, 0.015, 19.99, 99.5, -0.0, 1e20, 33, 36, 1e-9])
        return r.choice([0, 1, 2, 3, -1, 5, 10, 12, 0.5, 1.5, -0.25, 2.0, 0.1, 7, 100, -3, 1e2, 0.01])

    def value(self, depth=2):
        r = self.rng
        kind = r.randrange(8 if depth > 0 else 6)
        if kind == 0:
            return None
        if kind == 1:
            return r.choice([True, False])
        if kind in (2, 3):
            return self.number()
        if kind in (4, 5):
            return r.choice(STRINGS)
        if kind == 6:
            return [self.value(depth - 1) for _ in range(r.randrange(3))]
        return {k: self.value(depth - 1) for k in r.sample(NAMES, r.randrange(3))}

    def numeric(self, s):
        r = self.rng
        if self.chance(.4):
            s[r.choice(["minimum", "exclusiveMinimum"])] = self.number()
        if self.chance(.4):
            s[r.choice(["maximum", "exclusiveMaximum"])] = self.number()
        if self.chance(.25):
            s["multipleOf"] = r.choice([1, 2, 3, 0.5, 0.1, 0.01, 2.5, 7])

    def textual(self, s):
        r = self.rng
        if self.chance(.3):
            s["minLength"] = r.randrange(4)
        if self.chance(.3):
            s["maxLength"] = r.randrange(5)
        if self.chance(.4):
            s["pattern"] = r.choice(PATTERNS)

    def arrays(self, s, depth):
        r = self.rng
        if self.chance(.35):
            s["prefixItems"] = [self.schema(depth - 1) for _ in range(r.randrange(1, 3))]
        if self.chance(.5):
            s["items"] = self.schema(depth - 1)
        if self.chance(.3):
            s["minItems"] = r.randrange(4)
        if self.chance(.4):
            s["maxItems"] = r.randrange(4)
        if "contains" in self.keywords and self.chance(.3):
            s["contains"] = self.schema(depth - 1)
            if self.chance(.4):
                s["minContains"] = r.randrange(3)
            if self.chance(.4):
                s["maxContains"] = r.randrange(3)
        if "uniqueItems" in self.keywords and self.chance(.2):
            s["uniqueItems"] = True
        if "unevaluated" in self.keywords and self.chance(.2):
            s["unevaluatedItems"] = self.schema(depth - 1) if self.chance(.3) else False

    def objects(self, s, depth):
        r = self.rng
        if self.chance(.7):
            s["properties"] = {k: self.schema(depth - 1) for k in r.sample(NAMES, r.randrange(1, 4))}
        if self.chance(.4):
            s["required"] = r.sample(NAMES, r.randrange(1, 3))
        if self.chance(.4):
            s["additionalProperties"] = self.schema(depth - 1) if self.chance(.5) else False
        if "patternProperties" in self.keywords and self.chance(.3):
            s["patternProperties"] = {p: self.schema(depth - 1) for p in r.sample(PATTERNS, r.randrange(1, 3))}
        if "propertyNames" in self.keywords and self.chance(.2):
            s["propertyNames"] = r.choice([{"maxLength": 1}, {"pattern": "^a"}, {"enum": ["a", "b", "zz"]}, {"minLength": 2}, False, {"not": {"const": "a"}}])
        if "minProperties" in self.keywords and self.chance(.2):
            s["minProperties"] = r.randrange(4)
        if "maxProperties" in self.keywords and self.chance(.2):
            s["maxProperties"] = r.randrange(4)
        if "dependentRequired" in self.keywords and self.chance(.2):
            s["dependentRequired"] = {r.choice(NAMES): r.sample(NAMES, r.randrange(1, 3))}
        if "dependentSchemas" in self.keywords and self.chance(.15):
            s["dependentSchemas"] = {r.choice(NAMES): self.schema(depth - 1)}
        if "unevaluated" in self.keywords and self.chance(.2):
            s["unevaluatedProperties"] = self.schema(depth - 1) if self.chance(.3) else False

    def schema(self, depth):
        r = self.rng
        roll = r.random()
        if roll < .08:
            return r.choice([True, True, False, {}])
        if depth <= 0 or roll < .2:
            return self.leaf()
        s = {}
        kinds = r.sample(["null", "boolean", "integer", "number", "string", "array", "object"], r.choice([1, 1, 1, 2, 3]))
        if self.chance(.8):
            s["type"] = kinds[0] if len(kinds) == 1 else kinds
        if "integer" in kinds or "number" in kinds:
            self.numeric(s)
        if "string" in kinds:
            self.textual(s)
        if "array" in kinds:
            self.arrays(s, depth)
        if "object" in kinds:
            self.objects(s, depth)
        for word in ("anyOf", "allOf", "oneOf"):
            if word in self.keywords and self.chance(.15):
                s[word] = [self.schema(depth - 1) for _ in range(r.randrange(1, 4))]
        if "not" in self.keywords and self.chance(.1):
            s["not"] = self.schema(depth - 1)
        if "if" in self.keywords and self.chance(.1):
            s["if"] = self.schema(depth - 1)
            if self.chance(.8):
                s["then"] = self.schema(depth - 1)
            if self.chance(.8):
                s["else"] = self.schema(depth - 1)
        if self.chance(.1):
            s["$ref"] = r.choice(["#/$defs/d0", "#/$defs/d1"])
            self.defs = 2
        if self.chance(.06):
            s["enum"] = [self.value() for _ in range(r.randrange(1, 5))]
        return s

    def leaf(self):
        r = self.rng
        kind = r.randrange(8)
        if kind == 0:
            return {"const": self.value()}
        if kind == 1:
            return {"enum": [self.value() for _ in range(r.randrange(1, 5))]}
        if kind == 2:
            s = {"type": "string"}
            self.textual(s)
            return s
        if kind == 3:
            s = {"type": r.choice(["integer", "number"])}
            self.numeric(s)
            return s
        if kind == 4:
            self.defs = 2
            return {"$ref": r.choice(["#/$defs/d0", "#/$defs/d1", "#"])} if self.chance(.5) else {"$ref": "#/$defs/d0"}
        return {"type": r.choice(["null", "boolean", "integer", "string", "object", "array", "number"])}

    def root(self):
        s = self.schema(self.rng.choice([1, 2, 2, 3]))
        if not isinstance(s, dict):
            s = {"allOf": [s]}
        if self.defs:
            s["$defs"] = {"d0": self.schema(1), "d1": self.schema(2)}
        return s


# ---- the validator ----

def is_number(_, value):
    return isinstance(value, (int, Decimal)) and not isinstance(value, bool)


def is_integer(checker, value):
    return is_number(checker, value) and value == int(value)


def ecma(pattern):
    return re.compile(re.sub(r"\$$", r"\\Z", pattern), re.ASCII)


def check_pattern(validator, pattern, instance, schema):
    if validator.is_type(instance, "string") and not ecma(pattern).search(instance):
        yield jsonschema.ValidationError("pattern")


def check_multiple(validator, divisor, instance, schema):
    if validator.is_type(instance, "number") and Decimal(instance) % Decimal(divisor) != 0:
        yield jsonschema.ValidationError("multipleOf")


def check_names_by_pattern(validator, patterns, instance, schema):
    if validator.is_type(instance, "object"):
        for pattern, sub in patterns.items():
            for name, value in instance.items():
                if ecma(pattern).search(name):
                    yield from validator.descend(value, sub)


def check_additional(validator, sub, instance, schema):
    if validator.is_type(instance, "object"):
        for name, value in instance.items():
            if name not in schema.get("properties", {}) and not any(ecma(p).search(name) for p in schema.get("patternProperties", {})):
                yield from validator.descend(value, sub)


Validator = jsonschema.validators.extend(
    jsonschema.Draft202012Validator,
    {"pattern": check_pattern, "multipleOf": check_multiple, "patternProperties": check_names_by_pattern,
     "additionalProperties": check_additional},
    type_checker=jsonschema.Draft202012Validator.TYPE_CHECKER.redefine_many({"number": is_number, "integer": is_integer}))


def exact(text):
    return json.loads(text, parse_float=Decimal)


def is_valid(schema, text):
    """True, False, or None when the validator cannot tell (endless references)."""
    try:
        return Validator(schema).is_valid(exact(text))
    except (RecursionError, decimal.DecimalException):
        return None
    except BaseException as error:
        if type(error).__name__ == "PanicException":  # recursion without end, met inside a compiled part of the validator
            return None
        raise


# ---- documents ----

def mutate(rng, schemas, value, depth=0):
    if isinstance(value, list) and value and rng.random() < .7:
        value = list(value)
        what = rng.randrange(4)
        at = rng.randrange(len(value))
        if what == 0:
            del value[at]
        elif what == 1:
            value.insert(at, rng.choice(value) if rng.random() < .5 else schemas.value(1))
        else:
            value[at] = mutate(rng, schemas, value[at], depth + 1)
        return value
    if isinstance(value, dict) and rng.random() < .8:
        value = dict(value)
        what = rng.randrange(4)
        if what == 0 and value:
            del value[rng.choice(list(value))]
        elif what == 1 or not value:
            value[rng.choice(NAMES + ["zz", "c1"])] = schemas.value(1)
        else:
            name = rng.choice(list(value))
            value[name] = mutate(rng, schemas, value[name], depth + 1)
        if rng.random() < .3:
            items = list(value.items())
            rng.shuffle(items)
            value = dict(items)
        return value
    if isinstance(value, (int, Decimal)) and not isinstance(value, bool):
        return value + rng.choice([1, -1, Decimal("0.5"), Decimal("0.01"), Decimal("0.1")])
    if isinstance(value, str) and rng.random() < .7:
        at = rng.randrange(len(value) + 1)
        return value[:at] + rng.choice(["a", "b", "é", "1"]) + value[at:] if rng.random() < .5 else value[:at] + value[at + 1:]
    return schemas.value(1)


def spell(value):
    if isinstance(value, Decimal):
        return format(value, "f")
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, list):
        return "[" + ",".join(map(spell, value)) + "]"
    if isinstance(value, dict):
        return "{" + ",".join(json.dumps(k) + ":" + spell(v) for k, v in value.items()) + "}"
    return json.dumps(value, ensure_ascii=False)


def split_documents(text):
    """The documents of an output; what follows one that never ended is left out."""
    documents, at, decoder = [], 0, json.JSONDecoder(parse_float=str, parse_int=str)
    while at < len(text):
        try:
            _, end = decoder.raw_decode(text, at)
        except ValueError:
            return documents + ([text[at:]] if "\n" not in text[at:-1] else [])
        documents.append(text[at:end])
        at = end + 1
    return documents


def respell(rng, text):
    """The same value in another spelling: escapes, white space, exponents."""
    out, at = [], 0
    gap = lambda: rng.choice(["", "", "", " ", "\n", "\t\r "])
    for match in re.finditer(r'"(?:[^"\\]|\\.)*"|-?[0-9][-+.eE0-9]*|.', text, re.DOTALL):
        piece = match.group()
        if piece[0] == '"':
            value = json.loads(piece)
            chars = []
            for c in value:
                units = c.encode("utf-16-be").hex()
                escaped = "".join("\\u" + (units[i:i + 4] if rng.random() < .5 else units[i:i + 4].upper()) for i in range(0, len(units), 4))
                chars.append(escaped if rng.random() < .3 else json.dumps(c, ensure_ascii=False)[1:-1])
            piece = '"' + "".join(chars) + '"'
        elif piece[0] in "-0123456789" and rng.random() < .6 and "e" not in piece and "E" not in piece:
            value = Decimal(piece)
            shift = rng.choice([0, 1, -1, 2, -3, 5])
            if piece.startswith("-") and value == 0:
                shift = 0
            moved = format(value.scaleb(-shift), "f")
            if "." in moved and rng.random() < .3:
                moved += "0"
            piece = moved + rng.choice(["e", "E"]) + (rng.choice(["", "+"]) if shift >= 0 else "-") + rng.choice(["", "0"]) + str(abs(shift))
        out.append(piece)
        if piece in "{}[],:":
            out.append(gap())
    spelled = "".join(out)
    # no white space before a separator came out above: put some there as well; none around the root
    return spelled.strip()


def generated(gmask, schema_text, options, count, folder):
    path = os.path.join(folder, "schema.json")
    with open(path, "w", encoding="utf-8") as out:
        out.write(schema_text)
    try:
        done = subprocess.run([gmask, "generate", "--schema", path, "-n", str(count), "-q", *options], capture_output=True, timeout=60)
    except subprocess.TimeoutExpired:
        return [], 99, "more than a minute"
    return split_documents(done.stdout.decode("utf-8", "surrogateescape")), done.returncode, done.stderr.decode("utf-8", "replace")


def has_unpaired(text):
    return any(0xD800 <= ord(c) <= 0xDFFF for c in text) or re.search(r"\\u[dD][89a-fA-F]", text)


OPTIONS = [[], ["--property-order=any", "--numbers=json", "--integers=json"], ["--whitespace=compact", "--escapes=minimal"],
           ["--whitespace=indented", "--indent=1", "--property-order=any"]]


class Run:
    def __init__(self, gmask, seed, keywords):
        self.gmask = gmask
        self.rng = random.Random(seed)
        self.keywords = keywords
        self.refused = Counter()
        self.tally = Counter()
        self.findings = []

    def find(self, schema_text, what):
        self.findings.append((len(schema_text), schema_text, what))
        print(f"DISAGREE {what}\n  schema {schema_text}", flush=True)

    def one_batch(self, count, folder):
        cases = []
        for number in range(count):
            schemas = Schemas(self.rng, self.keywords)
            schema = schemas.root()
            schema_text = json.dumps(schema, ensure_ascii=False)
            exact_schema = exact(schema_text)
            options = self.rng.choice(OPTIONS)
            documents, code, message = generated(self.gmask, schema_text, options + ["--max-tokens=600"], 6, folder)
            self.tally["documents generated"] += len(documents)
            refused = code != 0 and message != ""
            if code < 0 or code == 99 or (documents and message):
                self.find(schema_text, f"generate {' '.join(options)}: exit {code} {message.strip()[:300]}")
            if code != 0 and not message:
                self.tally["schemas with documents cut at the token limit"] += 1
                documents = []  # a cut number looks like a whole one
            for text in documents:
                try:
                    valid = is_valid(exact_schema, text)
                except ValueError:
                    valid = "no JSON"
                if valid not in (True, None):
                    self.find(schema_text, f"generated with {options}, {valid}: {text[:400]}")
            candidates = [t for t in documents if len(t) < 2000]
            pool = [exact(t) for t in candidates if not has_unpaired(t)]
            for _ in range(30):
                if pool and self.rng.random() < .7:
                    value = mutate(self.rng, schemas, self.rng.choice(pool))
                else:
                    value = schemas.value(2)
                if len(pool) < 60:
                    pool.append(value)
                text = spell(value)
                if "\\n" not in text and len(text) < 3000:
                    candidates.append(text)
                    if self.rng.random() < .4:
                        candidates.append(respell(self.rng, text))
            cases.append((schema_text, exact_schema, candidates, refused, message))
        self.check(cases)

    def answers(self, lines, option):
        done = subprocess.run([self.gmask, "check", option], input="\n".join(lines).encode(), capture_output=True)
        if done.returncode < 0:
            self.find("?", f"check {option}: exit {done.returncode}")
        return {a["id"]: a for a in map(json.loads, done.stdout.decode().splitlines())}

    def compare_narrowed(self, case, answer, what):
        """Accepts nothing that is invalid ("wider" with the opposite: rejects nothing that is valid)."""
        schema_text, schema, candidates = case[:3]
        if answer is None or answer["status"] != "ok":
            return
        self.tally[f"compiled with {what}"] += 1
        wrong = what == "unsupported=ignore"
        for text, result in zip(candidates, answer["results"]):
            if result is not wrong and is_valid(schema, text) is wrong and not has_unpaired(text):
                self.find(schema_text, f"{what}: {result}, the validator {wrong}: {text[:300]}")
                return

    def check(self, cases):
        lines = [json.dumps({"id": str(i), "schema": c[0], "instances": [{"text": t} for t in c[2]]}) for i, c in enumerate(cases)]
        done = subprocess.run([self.gmask, "check"], input="\n".join(lines).encode(), capture_output=True)
        answers = {a["id"]: a for a in map(json.loads, done.stdout.decode().splitlines())}
        in_order, strict, narrowing, ignoring = (self.answers(lines, option) for option in
                                            ("--property-order=declared", "--strict", "--unsupported=narrow", "--unsupported=ignore"))
        if len(answers) != len(cases):
            self.find(cases[len(answers)][0], f"check: exit {done.returncode}, no answer: {done.stderr[-300:]}")
        for i, (schema_text, schema, candidates, refused, message) in enumerate(cases):
            answer = answers.get(str(i))
            if answer is None:
                continue
            self.tally["schemas"] += 1
            self.compare_narrowed(cases[i], strict.get(str(i)), "strict")
            if answer["status"] != "ok":
                self.compare_narrowed(cases[i], narrowing.get(str(i)), "unsupported=narrow")
                self.compare_narrowed(cases[i], ignoring.get(str(i)), "unsupported=ignore")
                self.refused[(answer.get("code"), answer.get("keyword"), answer.get("message", "")[:60])] += 1
                continue
            self.tally["schemas compiled"] += 1
            if refused:
                self.tally["unsatisfiable or refused by generate"] += 1
            narrowed = in_order.get(str(i), {"status": "none"})
            if narrowed["status"] != "ok":
                self.find(schema_text, f"compiles for any order, but for declared order it is {narrowed}")
            else:
                for text, result, narrow in zip(candidates, answer["results"], narrowed["results"]):
                    if narrow and not result:
                        self.find(schema_text, f"accepted in declared order, not in any order: {text[:300]}")
                if any(answer["results"]) and message.find("GM_UNSATISFIABLE") >= 0:
                    self.find(schema_text, f"generate finds it unsatisfiable: {message[:200]}")
            told = set()
            for text, result in zip(candidates, answer["results"]):
                valid = is_valid(schema, text)
                if valid is None or (has_unpaired(text) and not valid):
                    continue
                self.tally["instances valid" if valid else "instances invalid"] += 1
                if result is not valid and valid not in told:
                    told.add(valid)
                    self.find(schema_text, f"check says {result}, the validator {valid}: {text[:300]}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("gmask")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keywords", default="anyOf,allOf,oneOf,not,if,patternProperties,propertyNames,minProperties,"
                        "maxProperties,dependentRequired,dependentSchemas,contains,uniqueItems,unevaluated", help="applicators to use besides the plain ones")
    parser.add_argument("--print", action="store_true", help="only print the schemas, one a line (for walk_lines)")
    args = parser.parse_args()
    if args.print:
        rng = random.Random(args.seed)
        for _ in range(args.count):
            print(json.dumps(Schemas(rng, set(args.keywords.split(","))).root(), ensure_ascii=False))
        return 0
    run = Run(args.gmask, args.seed, set(args.keywords.split(",")))
    with tempfile.TemporaryDirectory() as folder:
        left = args.count
        while left > 0:
            run.one_batch(min(left, 50), folder)
            left -= 50
    print("refused:")
    for (code, keyword, message), count in run.refused.most_common(12):
        print(f"  {count:5} {code} {keyword}: {message}")
    print(", ".join(f"{v} {k}" for k, v in run.tally.items()))
    for _, schema_text, what in sorted(run.findings)[:5]:
        print(f"SMALLEST {what}\n  schema {schema_text}")
    print(f"random schemas: {len(run.findings)} disagreements")
    return 1 if run.findings else 0


if __name__ == "__main__":
    sys.exit(main())
