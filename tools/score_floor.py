#!/usr/bin/env python3
"""Whether the scores of a set reach what is promised of it.

    score_floor.py SCORES.json SET

Reads what `score_cases.py --json` wrote. Prints each figure that is short of its floor; exit status 1
if there is one. Figures are shares in percent: of instances judged rightly, of cases (those that have
instances) with every instance judged rightly, and of cases refused.
"""
import json
import sys

FLOORS = {  # set: (instances right, cases wholly right, cases refused at most)
    "suite-main": (98.5, 0, 100),
    "suite-optional": (95, 0, 100),
    "suite-format": (97, 0, 100),
    "maskbench": (0, 99.5, .3),
    "maskbench-ci": (0, 99.3, .5),  # 300 of them: one is a third of a percent
    "reports": (100, 100, 0),
}
NAMES = {"suite-main": "main", "suite-optional": "optional", "suite-format": "format", "maskbench-ci": "maskbench"}


def main():
    rows = json.load(open(sys.argv[1], encoding="utf-8"))["rows"]
    name = sys.argv[2]
    row = rows[NAMES.get(name, name) + " all"]
    right, whole, refused = FLOORS.get(name, (0, 0, 100))
    instances = row["instances"] - row.get("skipped", 0)
    figures = [("instances judged rightly", 100 * row.get("correct", 0) / instances, right, 1),
               ("cases wholly right", 100 * row.get("cases whole", 0) / row["cases"], whole, 1),
               ("cases refused", 100 * row.get("cases refused", 0) / row["cases"], refused, -1),
               ("time-outs and errors", row.get("timeout", 0) + row.get("error", 0) + row.get("missing", 0), 0, -1)]
    short = [f"{name}: {what} {is_now:.2f}, not {floor}" for what, is_now, floor, sign in figures if sign * (is_now - floor) < 0]
    print("\n".join(short), end="\n" if short else "")
    return 1 if short else 0


if __name__ == "__main__":
    sys.exit(main())
