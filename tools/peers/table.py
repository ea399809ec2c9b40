"""Tables from the results of run.py.

    table.py results/r1 --engines llg,xgr,ours                        one run
    table.py results/r1 results/r2 --engines llg,xgr,ours             the least of several runs, mask by mask
    table.py results/r1 --engines llg,xgr,ours --beside ours          also ours beside the better of the others

Of several runs each mask, commit and compile counts with its least time, which takes preemption by other work on the
machine out of the tail. With --write FILE, what --beside prints is also written to FILE, below a line that says what
made it (--command); where FILE has the lines of MARKS, between them.
"""
import argparse
import bisect
import json
import math
import os

MARKS = ("<!-- bench-peers -->", "<!-- end of bench-peers -->")
NOTHING = float("nan")  # what there is no figure for
OUTCOMES = ("pass", "compile_error", "wrong_reject", "invalid_accepted", "timeout", "crash")
PERCENTILES = {"TBM": (25, 50, 75, 90, 95, 99, 99.9), "commit": (50, 99), "mask+commit": (50, 99),
               "TTFM": (50, 90, 99)}

# What is set beside the better peer: the row's name, and the name of its figure.
BESIDE_COUNTS = [("schemas judged rightly", "pass"),
                 ("schemas that do not compile", "compile_error"),
                 ("schemas with a valid instance rejected", "wrong_reject"),
                 ("schemas with an invalid instance accepted", "invalid_accepted"),
                 ("schemas given up after the time limit", "timeout"),
                 ("schemas that ended the process", "crash")]
LESS_CLOCK = ("accept, mean, less the clock", "commit avg")  # so short a time that reading the clock is a part of it
BESIDE_RARE = ("timeout", "crash")  # left out where no engine has them
BESIDE_TIMES = [("mask, mean, µs", "TBM avg"), ("mask, median", "TBM p50"), ("mask, p90", "TBM p90"),
                ("mask, p99", "TBM p99"), ("mask, p99.9", "TBM p99.9"), ("mask, greatest", "TBM max"),
                ("accept, mean, µs", "commit avg"), ("accept, median", "commit p50"), ("accept, p99", "commit p99"),
                ("time to the first mask, median, µs", "TTFM p50"), ("time to the first mask, p99", "TTFM p99"),
                ("time to the first mask, greatest", "TTFM max"),
                ("memory of a process, peak, MiB", "peak RSS per process, MiB (max)")]


# ---- results ----

class Results:
    """What one engine did in one run; `merge` takes in another run of it."""

    def __init__(self, path):
        self.jobs, self.processes, self.about, self.differ = {}, [], {}, 0
        with open(path, encoding="utf-8") as file:
            for line in file:
                record = json.loads(line)
                if "_process" in record:
                    self.processes.append(record["_process"])
                elif "_engine" in record:
                    self.about = self.about or record["_engine"]
                else:
                    self.jobs[record["name"]] = record

    def merge(self, other):
        """The least of each time. Where outcomes differ, the first run's result stands."""
        for name, job in self.jobs.items():
            again = other.jobs.get(name)
            if again is None:
                continue
            if again["outcome"] != job["outcome"]:
                self.differ += 1
                continue
            for key in ("tbm_us", "commit_us"):
                if job.get(key) and len(job[key]) == len(again.get(key, [])):
                    job[key] = list(map(min, job[key], again[key]))
            for key in ("ttfm_us", "compile_us", "first_mask_us"):
                if job.get(key) is not None and again.get(key) is not None:
                    job[key] = min(job[key], again[key])


def load(folders, engine):
    first, *others = [Results(os.path.join(folder, engine + ".jsonl")) for folder in folders]
    for other in others:
        first.merge(other)
    return first


def load_clock(folders):
    """What a reading of the clock takes, in microseconds: the least of the runs; None if no run says."""
    told = []
    for folder in folders:
        path = os.path.join(folder, "clock.json")
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                told.append(json.load(file)["reading_us"])
    return min(told, default=None)


# ---- figures: {name: value} of one engine ----

def percentile(values, percent):
    """By nearest rank, of a sorted list."""
    if not values:
        return NOTHING
    return values[min(len(values) - 1, max(0, math.ceil(percent / 100 * len(values)) - 1))]


def outcomes(results, names):
    jobs = [results.jobs[name] for name in names]
    peaks = sorted(process["peak_kb"] / 1024 for process in results.processes if "peak_kb" in process)
    return {"schemas": len(names),
            **{outcome: sum(job["outcome"] == outcome for job in jobs) for outcome in OUTCOMES},
            "errors while masking": sum(bool(test.get("error")) for job in jobs for test in job.get("tests", [])),
            "outcomes that differ between runs": results.differ,
            "peak RSS per process, MiB (median)": percentile(peaks, 50),
            "peak RSS per process, MiB (max)": max(peaks, default=NOTHING),
            "start RSS, MiB": results.about.get("rss_kb", 0) / 1024,
            "start, ms": results.about.get("init_us", 0) / 1000,
            "wall, s": sum(process.get("wall_s", 0) for process in results.processes)}


def mask_and_commit(job):
    """Times of the masks of a job, each with that of the commit after it."""
    both, mask, commit = [], 0, 0
    for test in job.get("tests", []):
        masks, commits = test["masks"], test["commits"]
        both += [a + b for a, b in zip(job["tbm_us"][mask:mask + masks], job["commit_us"][commit:commit + commits])]
        mask, commit = mask + masks, commit + commits
    return both


def times(results, names, limit_us):
    """In microseconds. A schema that is given up counts for `limit_us` in the time to the first mask (TTFM)."""
    values = {kind: [] for kind in PERCENTILES}
    for name in names:
        job = results.jobs[name]
        values["TBM"] += job.get("tbm_us", [])
        values["commit"] += job.get("commit_us", [])
        values["mask+commit"] += mask_and_commit(job)
        if job["outcome"] == "timeout":
            values["TTFM"].append(limit_us)
        elif job.get("ttfm_us") is not None:
            values["TTFM"].append(job["ttfm_us"])
    figures = {}
    for kind, percents in PERCENTILES.items():
        kept = sorted(values[kind])
        figures[f"{kind} avg"] = sum(kept) / len(kept) if kept else NOTHING
        for percent in percents:
            figures[f"{kind} p{percent:g}"] = percentile(kept, percent)
        figures[f"{kind} max"] = percentile(kept, 100)
    masks = sorted(values["TBM"])
    figures["masks"] = len(masks)
    for us in (30, 100, 1000, 10000):
        figures[f"masks over {us} us"] = len(masks) - bisect.bisect_right(masks, us)
    return figures


def ratios(figures, base):
    return {name: value / base[name] if base[name] else NOTHING
            for name, value in figures.items() if not name.startswith("masks")}


# ---- tables ----

def written(value):
    if isinstance(value, str):
        return value
    if isinstance(value, int):
        return f"{value:,}"
    if math.isnan(value):
        return "-"
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def table(columns, rows):
    """Markdown; rows are (name, values)."""
    lines = ["| | " + " | ".join(columns) + " |", "|:--|" + "--:|" * len(columns)]
    lines += [f"| {name} | " + " | ".join(map(written, values)) + " |" for name, values in rows]
    return "\n".join(lines)


def show(title, engines, figures):
    """Figures of every engine, one column each."""
    print(f"\n### {title}\n")
    print(table(engines, [(name, [of_one[name] for of_one in figures]) for name in figures[0]]))


def two_digits(value):
    """Two significant digits, without an exponent."""
    if math.isnan(value):
        return "-"
    rounded = float(f"{value:.1e}")
    places = 1 - math.floor(math.log10(rounded)) if rounded > 0 else 0
    return f"{rounded:,.{max(0, places)}f}"


def beside(ours, engines, titles, figures, clock_us):
    """Two tables, of counts and of times, the latter with one engine beside the better of the others in each row."""
    counts = [(name, [figures[engine][key] for engine in engines]) for name, key in BESIDE_COUNTS
              if key not in BESIDE_RARE or any(figures[engine][key] for engine in engines)]
    rows = []

    def add(name, key, less=0):
        values = [figures[engine][key] - less for engine in engines]
        own = figures[ours][key] - less
        better = min((figures[engine][key] - less for engine in engines if engine != ours), default=NOTHING)
        rows.append((name, [*values, two_digits(better / own if own else NOTHING)]))

    for name, key in BESIDE_TIMES:
        add(name, key)
        if key == LESS_CLOCK[1] and clock_us is not None:
            add(*LESS_CLOCK, clock_us)
    return table(titles, counts), table([*titles, "to the better one"], rows)


def show_slowest(engine, results, count):
    """The slowest masks, one a schema, and the slowest first masks."""
    masks = []
    for name, job in results.jobs.items():
        places = [(test, token) for test, done in enumerate(job.get("tests", [])) for token in range(done["masks"])]
        if places:
            masks.append(max((us, name, *place) for us, place in zip(job["tbm_us"], places)))
    firsts = [(job["ttfm_us"], name) for name, job in results.jobs.items() if job.get("ttfm_us")]
    print(f"\n{engine}, slowest masks (one a schema): us, schema, test, token")
    for us, name, test, token in sorted(masks, reverse=True)[:count]:
        print(f"  {us:10.1f}  {name}  {test}  {token}")
    print(f"{engine}, slowest first masks: us, schema")
    for us, name in sorted(firsts, reverse=True)[:count]:
        print(f"  {us:12.1f}  {name}")


def write(path, text):
    """Makes the file, or, where it has MARKS, what is between them."""
    before, after = "", ""
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            old = file.read()
        if all(mark in old for mark in MARKS):
            before = old[:old.index(MARKS[0])] + MARKS[0] + "\n\n"
            after = "\n" + old[old.index(MARKS[1]):]
    with open(path, "w", encoding="utf-8") as file:
        file.write(before + text + after)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folders", nargs="+", help="folders of results, one a run")
    parser.add_argument("--engines", required=True, help="comma list of labels")
    parser.add_argument("--beside", metavar="LABEL", help="set this engine beside the better of the others")
    parser.add_argument("--write", metavar="FILE", action="append", default=[], help="write that to FILE too")
    parser.add_argument("--command", default="", help="the command that FILE says made it")
    parser.add_argument("--limit", type=float, default=30, help="seconds a timeout counts for in TTFM")
    parser.add_argument("--slowest", type=int, default=0, metavar="N", help="also the N slowest masks of each engine")
    options = parser.parse_args()
    engines = options.engines.split(",")
    if options.beside and options.beside not in engines:
        parser.error("--beside names none of --engines")
    if options.write and not options.beside:
        parser.error("--write needs --beside")
    results = [load(options.folders, engine) for engine in engines]
    limit_us = options.limit * 1e6
    for engine, one in zip(engines, results):
        about = one.about
        print(f"{engine}: {about.get('engine')} {about.get('version')} {json.dumps(about.get('settings'))}")

    names = [name for name in results[0].jobs if all(name in one.jobs for one in results)]
    passed = [name for name in names if all(one.jobs[name]["outcome"] == "pass" for one in results)]
    counted = [outcomes(one, names) for one in results]
    on_passed = [times(one, passed, limit_us) for one in results]
    show(f"Outcomes (of {len(names)} schemas)", engines, counted)
    show("Times in microseconds, all schemas the engine compiled", engines,
         [times(one, names, limit_us) for one in results])
    show(f"Times in microseconds, the {len(passed)} schemas all engines pass", engines, on_passed)
    if len(engines) > 1:
        show(f"Ratio to {engines[0]} on those schemas", engines, [ratios(one, on_passed[0]) for one in on_passed])
    if options.slowest:
        for engine, one in zip(engines, results):
            show_slowest(engine, one, options.slowest)

    if options.beside:
        titles = [f"{one.about.get('engine')} {one.about.get('version')} ({engine})"
                  for engine, one in zip(engines, results)]
        figures = {engine: {**of_all, **of_passed} for engine, of_all, of_passed in zip(engines, counted, on_passed)}
        clock_us = load_clock(options.folders)
        counts, rows = beside(options.beside, engines, titles, figures, clock_us)
        runs = len(options.folders)
        least = f", each time the least of {runs} runs" if runs > 1 else ""
        clock = f"; a reading of the clock, which each holds, takes {clock_us:.3f} µs" if clock_us is not None else ""
        text = (f"{counts}\n\nOn the {len(passed)} schemas that every engine judges rightly{least}{clock}:\n\n"
                f"{rows}\n")
        print(f"\n### Beside the better peer (of {len(names)} schemas)\n\n{text}", end="")
        for path in options.write:
            write(path, f"Made by `{options.command}`, of {len(names)} schemas.\n\n{text}")


if __name__ == "__main__":
    main()
