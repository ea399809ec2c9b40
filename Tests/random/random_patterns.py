#!/usr/bin/env python3
"""Random regular expressions against an ECMAScript engine.

    random_patterns.py GMASK [--count N] [--seed S]

Node decides what a pattern means: with the flag u, or without it where that is a syntax error, and
what is an error both ways. `gmask check` must agree on every string, and refuse exactly the errors as
invalid; what it cannot enforce is counted. Exit status 1 on a disagreement. Left out: characters
beyond U+FFFF without the flag u, where ECMAScript sees halves of pairs and JSON Schema asks for code
points, and beside \\B, which V8 also matches between the halves of a pair.
"""
import argparse
import json
import random
import shutil
import subprocess
import sys
from collections import Counter

ORACLE = r"""
const lines = require('fs').readFileSync(0, 'utf8').split('\n').filter(x => x);
for (const line of lines) {
  const c = JSON.parse(line);
  let re = null, mode = 'u';
  try { re = new RegExp(c.pattern, 'u'); } catch (e) {
    try { re = new RegExp(c.pattern); mode = 'b'; } catch (e2) { mode = 'x'; }
  }
  console.log(JSON.stringify({mode, results: re ? c.strings.map(s => re.test(s)) : []}));
}
"""

ALPHABET = ["a", "b", "A", "1", "_", "-", " ", "\n", "\r", "é", "É", "😀", "😁", "\u2028", "K", "ſ", "{", "}", "]", "^", "\\", "0", "\t", "\u00a0", "٣"]
ATOMS = ["a", "b", "1", "é", "😀", ".", "\\d", "\\D", "\\w", "\\W", "\\s", "\\S", "-", "_", " ", "\\u0061", "\\x61", "\\n", "\\t", "\\.", "\\/", "\\-",
         "\\u{1F600}", "\\ud83d\\ude00", "\\cJ", "\\0", "\\p{L}", "\\P{L}", "\\p{Lu}", "\\p{Script=Greek}", "\\p{Nd}", "\\\\"]
ODD = ["]", "{", "}", "\\_", "\\e", "\\8", "\\1", "\\k", "\\k<x>", "\\c", "\\x6", "\\u00", "{1", "{,2}", "\\c1", "\\p", "\\ud83d", "\\a"]
CLASS_PARTS = ["a", "b", "a-c", "0-9", "\\d", "\\D", "\\w", "\\s", "\\S", "-", "é", "😀", "😀-😄", "\\b", "\\n", "^", "\\]", ".", "\\u0061-\\u0063", "\\p{Lu}", "\\-", "_", "\\W", "$"]
ODD_PARTS = ["\\w-a", "a-\\d", "z-a", "\\_", "\\c1", "\\B", "\\-a", "\\cA", "\\x", "\\1"]


class Patterns:
    def __init__(self, rng):
        self.rng = rng

    def chance(self, p):
        return self.rng.random() < p

    def atom(self, depth):
        r = self.rng
        roll = r.random()
        if roll < .03:
            return r.choice(ODD)
        if depth > 0 and roll < .30:
            opening = r.choice(["(", "(", "(?:", "(?:", "(?=", "(?!", "(?<=", "(?<!", "(?<x>"] if self.chance(.4) else ["(", "(?:"])
            return opening + self.alternatives(depth - 1) + ")"
        if roll < .45:
            parts = "".join(r.choice(ODD_PARTS if self.chance(.03) else CLASS_PARTS) for _ in range(r.randrange(0, 4)))
            return "[" + r.choice(["", "", "^"]) + parts + "]"
        if roll < .55:
            return r.choice(["^", "$", "\\b", "\\B"])
        return r.choice(ATOMS)

    def term(self, depth):
        r = self.rng
        atom = self.atom(depth)
        if self.chance(.3):
            atom += r.choice(["*", "+", "?", "{2}", "{1,3}", "{0,2}", "{2,}", "*?", "+?", "??", "{0}", "{1,2}?"])
        return atom

    def alternatives(self, depth):
        r = self.rng
        return "|".join("".join(self.term(depth) for _ in range(r.randrange(0, 4))) for _ in range(r.choice([1, 1, 2, 3])))

    def pattern(self):
        text = self.alternatives(self.rng.choice([0, 1, 1, 2]))
        if self.chance(.4):
            text = "^" + text
        if self.chance(.4):
            text += "$"
        return text

    def strings(self, pattern):
        r = self.rng
        letters = [c for c in pattern if c not in "()[]*+?|"] + ALPHABET
        made = {"", "a", "b", "ab", "aa", "1"}
        for _ in range(30):
            made.add("".join(r.choice(letters if self.chance(.5) else ["a", "b", "1"]) for _ in range(r.randrange(1, 6))))
        return sorted(s for s in made if not any(0xD800 <= ord(c) <= 0xDFFF for c in s))


def is_astral(text):
    return any(ord(c) > 0xFFFF for c in text)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("gmask")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    if shutil.which("node") is None:
        print("SKIP random patterns: no node")
        return 0
    maker = Patterns(random.Random(args.seed))
    cases = []
    for _ in range(args.count):
        pattern = maker.pattern()
        cases.append((pattern, maker.strings(pattern)))
    oracle = subprocess.run(["node", "-e", ORACLE], input="\n".join(json.dumps({"pattern": p, "strings": s}) for p, s in cases).encode(),
                            capture_output=True, check=True)
    truths = [json.loads(line) for line in oracle.stdout.decode().splitlines()]
    lines = [json.dumps({"id": str(i), "schema": json.dumps({"type": "string", "pattern": p}),
                         "instances": [{"text": json.dumps(t, ensure_ascii=False)} for t in s]}) for i, (p, s) in enumerate(cases)]
    done = subprocess.run([args.gmask, "check"], input="\n".join(lines).encode(), capture_output=True)
    answers = {a["id"]: a for a in map(json.loads, done.stdout.decode().splitlines())}
    tally, findings = Counter(), []
    for i, ((pattern, strings), truth) in enumerate(zip(cases, truths)):
        answer = answers.get(str(i))
        if pattern.count("(?<x>") > 1:
            continue  # legal in different alternatives since 2025, which Node may not know
        if truth["mode"] != "u" and (is_astral(pattern) or "\\ud83d" in pattern):
            continue
        if answer is None:
            findings.append((len(pattern), pattern, f"no answer, exit {done.returncode}"))
            break
        if answer["status"] != "ok":
            tally[f"refused: {answer['code']} {answer['message'].split('pattern: ')[-1].split(' (at')[0]}"] += 1
            if (answer["code"] == "invalid-schema") != (truth["mode"] == "x"):
                findings.append((len(pattern), pattern, f"node: {truth['mode']}, gmask: {answer['code']} {answer['message']}"))
            continue
        if truth["mode"] == "x":
            findings.append((len(pattern), pattern, "node: a syntax error, gmask compiles it"))
            continue
        tally["patterns"] += 1
        tally["without the flag u"] += truth["mode"] == "b"
        for string, result, right in zip(strings, answer["results"], truth["results"]):
            if is_astral(string) and (truth["mode"] != "u" or "\\B" in pattern):
                continue
            tally["strings matched" if right else "strings not matched"] += 1
            if result is not right:
                findings.append((len(pattern), pattern, f"mode {truth['mode']}: {json.dumps(string)}: node {right}, gmask {result}"))
                break
    for name, count in tally.most_common():
        print(f"{count:7} {name}")
    for _, pattern, what in sorted(findings)[:25]:
        print(f"DISAGREE /{pattern}/ {json.dumps(pattern)}: {what}")
    print(f"random patterns: {len(findings)} disagreements")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
