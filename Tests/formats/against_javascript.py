#!/usr/bin/env python3
"""Compares the format regex with a JavaScript engine on patterns that were changed at random.

    Tests/formats/against_javascript.py MATCH_FORMAT [NUMBER [SEED]]

MATCH_FORMAT is the program built from match_format.c; the engine is `node`. Nothing may be accepted
that is a syntax error in Unicode mode; how much is rejected that is none is printed. Skipped where
there is no node.
"""
import json
import random
import shutil
import subprocess
import sys
from collections import Counter

SEEDS = [r"^(a|b)*[^a-z0-9-]{2,13}?$", r"(?<year>\d{4})-(?:0[1-9]|1[0-2])", r"(?=a)\bb\p{Lu}\u{1F600}",
         r"[\w.-]+@[\w-]+\.\w+", r"^https?:\/\/[^\s]+$", r"(?<!a)(?<=b+)x{3,}", r"[\-\b\]]\P{N}\cA\x41",
         r"(a(?:b(c)?)+|[^])*?", r"\p{Lm}[A-Za-z]{0,9}|\u0041.\r"]
LETTERS = r"()[]{}|?*+\^$-,019abz:=<!pPux.MLk "
SCRIPT = """
const patterns = JSON.parse(require('fs').readFileSync(0, 'utf8'));
const valid = (text) => { try { new RegExp(text, 'u'); return true; } catch (error) { return false; } };
console.log(JSON.stringify(patterns.map(valid)));
"""


def changed(pattern):
    for _ in range(random.choice([0, 1, 1, 2, 3])):
        at = random.randint(0, len(pattern))
        pattern = random.choice([pattern[:at] + random.choice(LETTERS) + pattern[at:], pattern[:at] + pattern[at + 1:]])
    return pattern


def main():
    if shutil.which("node") is None:
        print("SKIP against_javascript: there is no node")
        return
    number = int(sys.argv[2]) if len(sys.argv) > 2 else 20000
    random.seed(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    patterns = [changed(random.choice(SEEDS)) for _ in range(number)]
    lines = "".join(f"regex\t{json.dumps(pattern)[1:-1]}\n" for pattern in patterns)
    answers = subprocess.run(sys.argv[1:2], input=lines, capture_output=True, text=True, check=True).stdout.split()
    labels = json.loads(subprocess.run(["node", "-e", SCRIPT], input=json.dumps(patterns), capture_output=True,
                                       text=True, check=True).stdout)
    counts = Counter()
    for pattern, answer, valid in zip(patterns, answers, labels, strict=True):
        pair = ("accepted" if answer == "1" else "rejected", "valid" if valid else "invalid")
        counts[pair] += 1
        if pair == ("accepted", "invalid"):
            print(f"accepted, but invalid: {pattern!r}")
    for pair, count in sorted(counts.items()):
        print(*pair, count)
    sys.exit(1 if counts["accepted", "invalid"] else 0)


if __name__ == "__main__":
    main()
