#!/usr/bin/env python3
"""Scores format terms against labelled strings.

    Tests/formats/score.py MATCH_FORMAT CASES... [--list]

MATCH_FORMAT is the program built from match_format.c. CASES are case files as `gmask check` reads
them (plain or .xz) whose schemas are {"format": NAME}; strings are put to the program, other
instances hold by themselves. Prints one line for each format; --list names what is wrong. The exit
status is 1 if anything invalid was accepted.
"""
import json
import lzma
import subprocess
import sys
from collections import Counter


def read_cases(path):
    opener = lzma.open if path.endswith(".xz") else open
    with opener(path, "rt", encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)


def questions(paths):
    for path in paths:
        for case in read_cases(path):
            schema = json.loads(case["schema"])
            if not isinstance(schema, dict) or not set(schema) <= {"format", "$schema"}:
                continue
            for instance in case["instances"]:
                if not instance.get("disputed"):
                    yield case, schema["format"], json.loads(instance["text"]), instance


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--list"]
    asked = list(questions(arguments[1:]))
    strings = [question for question in asked if isinstance(question[2], str)]
    lines = "".join(f"{name}\t{json.dumps(value)[1:-1]}\n" for _, name, value, _ in strings)
    answers = subprocess.run(arguments[:1], input=lines, capture_output=True, text=True, check=True).stdout.split()
    counts, wrong = {}, []
    for _, name, value, _ in asked:
        if not isinstance(value, str):
            counts.setdefault(name, Counter())["right"] += 1
    for (case, name, value, instance), answer in zip(strings, answers, strict=True):
        accepted = answer != "0"
        kind = "right" if accepted == instance["valid"] else "wrong accept" if accepted else "wrong reject"
        counts.setdefault(name, Counter())[kind] += 1
        if kind != "right":
            wrong.append(f"{kind}: {case['id']}: {json.dumps(value)} ({instance.get('name', '')})")
    if "--list" in sys.argv:
        print("\n".join(wrong))
    columns = ("right", "wrong accept", "wrong reject")
    print(f"{'format':24}" + "".join(f"{column:>14}" for column in columns))
    counts["all"] = sum(counts.values(), Counter())
    for name, count in counts.items():
        print(f"{name:24}" + "".join(f"{count[column]:14}" for column in columns))
    share = counts["all"]["right"] / max(1, len(asked))
    print(f"{share:.2%} right of {len(asked)}")
    sys.exit(1 if counts["all"]["wrong accept"] else 0)


if __name__ == "__main__":
    main()
