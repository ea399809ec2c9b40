#!/usr/bin/env python3
"""Compares the format idn-hostname with the Python package `idna` on random names.

    Tests/formats/against_idna.py MATCH_FORMAT [NUMBER [SEED]]

MATCH_FORMAT is the program built from match_format.c. Nothing may be accepted that the package
rejects; how much is rejected that it accepts is printed. Skipped if the package is not installed.
"""
import json
import random
import re
import subprocess
import sys
import unicodedata
from collections import Counter

try:
    import idna
except ImportError:
    print("SKIP against_idna: the Python package idna is not installed")
    sys.exit(0)


def span(low, high):
    return [chr(point) for point in range(low, high) if unicodedata.category(chr(point)) != "Cn"]


# Scripts by themselves, and what their contextual rules speak of.
POOLS = [span(0x61, 0x7B) + list("-0123456789l"), span(0xDF, 0x180), span(0x370, 0x400), span(0x430, 0x460),
         span(0x591, 0x5F5), span(0x620, 0x700) + ["\u200c"], span(0x780, 0x7B2), span(0x7C0, 0x800),
         span(0x900, 0x980) + ["\u200c", "\u200d", "\u094d"], span(0x980, 0xA00) + ["\u200d"], span(0xB80, 0xC00),
         span(0xD00, 0xD80), span(0xE01, 0xE5C), span(0xF00, 0xFC0), span(0x1100, 0x1200),
         span(0x1820, 0x1880) + ["\u200c"], span(0x1E00, 0x1F00), span(0x3041, 0x3100), span(0x4E00, 0x4E40),
         span(0xAC00, 0xAC40), span(0x300, 0x370), span(0x10300, 0x10320), span(0x10A00, 0x10A50),
         span(0x1E900, 0x1E95A), span(0x20000, 0x20030), ["l", "\u00b7"], [".", "\u3002"], list("ABC")]
ENDS = ["a", "com", "\u05d0", "\u0645\u0635\u0631", "0a", "\u00f6"]


def random_name():
    pools = random.sample(POOLS, random.choice([1, 1, 1, 2, 2, 3]))
    name = "".join(random.choice(random.choice(pools)) for _ in range(random.choice([1, 2, 3, 4, 5, 6, 8, 10, 14])))
    return name + "." + random.choice(ENDS) if random.random() < 0.3 else name


def is_valid(name):
    try:
        idna.encode(name)
        if any(unicodedata.bidirectional(character) in ("R", "AL", "AN") for character in name):
            for label in re.split("[.\u3002\uff0e\uff61]", name):
                if label:
                    idna.check_bidi(label, True)
    except (idna.IDNAError, UnicodeError):
        return False
    return True


def main():
    number = int(sys.argv[2]) if len(sys.argv) > 2 else 20000
    random.seed(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    names = [random_name() for _ in range(number)]
    lines = "".join(f"idn-hostname\t{json.dumps(name)[1:-1]}\n" for name in names)
    answers = subprocess.run(sys.argv[1:2], input=lines, capture_output=True, text=True, check=True).stdout.split()
    counts = Counter()
    for name, answer in zip(names, answers, strict=True):
        pair = ("accepted" if answer == "1" else "rejected", "valid" if is_valid(name) else "invalid")
        counts[pair] += 1
        if pair == ("accepted", "invalid"):
            print(f"accepted, but invalid: {ascii(name)}")
    for pair, count in sorted(counts.items()):
        print(*pair, count)
    sys.exit(1 if counts["accepted", "invalid"] else 0)


if __name__ == "__main__":
    main()
