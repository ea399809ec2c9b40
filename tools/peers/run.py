"""Runs engines over a sample of MaskBench, one after another, and writes a file of results for each.

    run.py --data maskbench/data --vocab tokenizer.model --sample sample600.txt \\
           --engines llg,xgr,ours="build/bin/gmask bench serve" --out results/r1

See README.md for the protocol that an engine speaks, and table.py for tables of the results.
"""
import argparse
import json
import lzma
import os
import random
import re
import resource
import select
import shlex
import signal
import subprocess
import sys
import time

import llama3
import protocol

HERE = os.path.dirname(os.path.abspath(__file__))
BUILT_IN = {
    "llg": ["peer_llguidance.py"],
    "llg-noslice": ["peer_llguidance.py", "--slices", "none"],
    "llg-reuse": ["peer_llguidance.py", "--reuse"],
    "llg-py": ["peer_llguidance.py", "--api", "py"],
    "xgr": ["peer_xgrammar.py"],
    "xgr-js": ["peer_xgrammar.py", "--strict", "0"],
    "xgr-jit": ["peer_xgrammar.py", "--jit", "1"],
    "xgr-js-jit": ["peer_xgrammar.py", "--strict", "0", "--jit", "1"],
    "xgr-js-nocache": ["peer_xgrammar.py", "--strict", "0", "--cache", "0"],
}
START_SECONDS = 180  # for an engine to say that it is ready


# ---- data: schemas by the names of MaskBench's files, each {"schema", "tests": [{"data", "valid"}]} ----

class Folder:
    """The folder maskbench/data of a checkout."""

    def __init__(self, path):
        self.path = path

    def names(self):
        return sorted(name for name in os.listdir(self.path) if name.endswith(".json"))

    def load(self, name):
        """None where the name is not there."""
        try:
            with open(os.path.join(self.path, name), encoding="utf-8") as file:
                return json.load(file)
        except FileNotFoundError:
            return None


class CaseFile:
    """The same schemas as cases, one JSON line each, without the instances whose label is disputed."""

    def __init__(self, path):
        self.cases = {}
        with lzma.open(path, "rt", encoding="utf-8", newline="\n") as file:
            for line in file:
                case = json.loads(line)
                self.cases[case["id"].split("/", 1)[1].replace("/", "---") + ".json"] = case

    def names(self):
        return sorted(self.cases)

    def load(self, name):
        """None where the name is not there."""
        case = self.cases.get(name)
        if case is None:
            return None
        tests = [{"data": json.loads(instance["text"]), "valid": instance["valid"]}
                 for instance in case["instances"] if not instance.get("disputed")]
        return {"schema": json.loads(case["schema"]), "tests": tests}


# ---- samples ----

def family(name):
    """Github_easy---o1.json is of Github_easy, BFCL_simple_33.json of BFCL_simple."""
    return re.sub(r"_?\d+$", "", re.sub(r"\.json$", "", name).split("---")[0])


def make_sample(data, count, seed, floor):
    """Names of `count` schemas that have tests: families in proportion (largest remainder), each at least `floor`.

    Returns (names, {family: (schemas taken, schemas there are)}).
    """
    families = {}
    for name in data.names():
        if data.load(name)["tests"]:
            families.setdefault(family(name), []).append(name)
    total = sum(map(len, families.values()))
    share = {key: count * len(names) / total for key, names in families.items()}
    take = {key: min(len(families[key]), max(floor, int(share[key]))) for key in families}
    for key in sorted(families, key=lambda key: (int(share[key]) - share[key], key)):
        if sum(take.values()) < count and take[key] < len(families[key]) and share[key] > floor:
            take[key] += 1
    # What the floor took too much, or is still missing, is made up by the five largest in turn.
    largest = sorted(families, key=lambda key: -take[key])[:5]
    turn = 0
    while sum(take.values()) != count:
        take[largest[turn % len(largest)]] += 1 if sum(take.values()) < count else -1
        turn += 1
    rng = random.Random(seed)
    names = [name for key in sorted(families) for name in rng.sample(families[key], take[key])]
    rng.shuffle(names)  # every process of an engine, and every beginning of the sample, meets every family
    return names, {key: (take[key], len(families[key])) for key in sorted(families)}


def write_sample(options, data):
    names, taken = make_sample(data, options.make_sample, options.seed, options.floor)
    with open(options.sample, "w", encoding="utf-8") as file:
        file.write("\n".join(names) + "\n")
    for key, (take, there_are) in taken.items():
        print(f"{key:<24} {take:4} of {there_are}")


# ---- jobs ----

def instance_text(value):
    """As MaskBench writes instances: with ", " and ": "."""
    text = json.dumps(value, ensure_ascii=False)
    try:
        text.encode()
        return text
    except UnicodeEncodeError:  # a lone surrogate has no bytes to tokenize
        return json.dumps(value)


def make_jobs(options, data, encoding):
    """The lines that every engine gets, and how many tokens are in them."""
    with open(options.sample, encoding="utf-8") as file:
        names = [line.strip() for line in file if line.strip()][:options.first]
    jobs, missing, token_count = [], [], 0
    for name in names:
        case = data.load(name)
        if case is None:
            missing.append(name)
            continue
        tests = []
        for test in case["tests"]:
            tokens = encoding.encode_ordinary(instance_text(test["data"]))
            token_count += len(tokens)
            tests.append({"valid": bool(test["valid"]), "tokens": tokens})
        jobs.append(json.dumps({"name": name, "schema": case["schema"], "tests": tests}) + "\n")
    if missing:
        print(f"left out, as the data does not have them: {len(missing)} schemas, the first {missing[0]}")
    if not jobs:
        raise SystemExit(f"{options.data} has none of the schemas of {options.sample}")
    return jobs, token_count


# ---- engines ----

class Process:
    def __init__(self, command, options, log):
        def limit():
            if options.mem_gb:
                size = int(options.mem_gb * 2**30)
                resource.setrlimit(resource.RLIMIT_AS, (size, size))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            if options.cpu is not None:
                os.sched_setaffinity(0, {options.cpu})
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log,
                                        preexec_fn=limit, env=dict(os.environ, OMP_NUM_THREADS="1"), bufsize=0)
        self.received = b""
        self.started = time.time()
        self.schemas = 0

    def send(self, line):
        try:
            rest = memoryview(line)
            while rest:
                rest = rest[self.process.stdin.write(rest):]
        except BrokenPipeError:
            pass  # `receive` tells that it ended

    def receive(self, seconds):
        """One line; None when the time is over, "" when the process ended."""
        end = time.time() + seconds
        while b"\n" not in self.received:
            left = end - time.time()
            if left <= 0 or not select.select([self.process.stdout], [], [], left)[0]:
                return None
            piece = os.read(self.process.stdout.fileno(), 1 << 20)
            if not piece:
                return ""
            self.received += piece
        line, self.received = self.received.split(b"\n", 1)
        return line.decode()

    def _memory(self):
        try:
            with open(f"/proc/{self.process.pid}/status", encoding="ascii", errors="replace") as file:
                kb = dict(re.findall(r"(\w+):\s+(\d+) kB", file.read()))
            return {"rss_kb": int(kb["VmRSS"]), "peak_kb": int(kb["VmHWM"])}
        except (OSError, KeyError):  # it has ended
            return {}

    def stop(self, kill):
        """Ends the process. Returns what the results say of it."""
        memory = self._memory()
        if kill:
            self.process.kill()
        else:
            self.process.stdin.close()
        try:
            status = self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            status = self.process.wait()
        return {**memory, "schemas": self.schemas, "wall_s": round(time.time() - self.started, 2), "rc": status}

    def how_it_ended(self):
        status = self.process.wait()
        return signal.Signals(-status).name if status < 0 else f"exit {status}"


def run_engine(label, command, jobs, options):
    base = os.path.join(options.out, label)
    begun = time.time()
    with open(base + ".jsonl", "w", encoding="utf-8") as out, open(base + ".stderr", "wb") as log:
        def write(record):
            out.write(json.dumps(record) + "\n")

        process = None
        for i, job in enumerate(jobs, 1):
            if process is None:
                process = Process(command, options, log)
                ready = process.receive(START_SECONDS)
                if not ready:
                    process.stop(kill=True)
                    raise SystemExit(f"{label} did not start; see {base}.stderr")
                write({"_engine": json.loads(ready)})
            name = json.loads(job)["name"]
            sent = time.time()
            process.send(job.encode())
            line = process.receive(options.limit)
            process.schemas += 1
            if line is None:
                result = {"name": name, "outcome": "timeout"}
            elif line == "":
                result = {"name": name, "outcome": "crash", "error": process.how_it_ended()}
            else:
                result = json.loads(line)
            write({**result, "wall_s": round(time.time() - sent, 3)})
            if not line or process.schemas >= options.per_process or i == len(jobs):
                write({"_process": process.stop(kill=not line)})
                process = None
            if i % 50 == 0:
                print(f"{label} {i}/{len(jobs)} {time.time() - begun:.0f} s", file=sys.stderr, flush=True)
    print(f"{label}: {len(jobs)} schemas in {time.time() - begun:.1f} s", flush=True)


def run_engines(options, data):
    os.makedirs(options.out, exist_ok=True)
    os.environ["PEERS_BUILD"] = os.path.abspath(options.out)
    drive = protocol.load_drive()  # built before anything is timed
    with open(os.path.join(options.out, "clock.json"), "w", encoding="utf-8") as file:
        json.dump({"reading_us": drive.drive_clock_ns() / 1000}, file)
    tokens, special, stops, encoding = llama3.load(options.vocab)
    vocabulary = os.path.join(options.out, "vocab.txt")
    protocol.write_vocabulary(vocabulary, tokens, special, stops)
    jobs, token_count = make_jobs(options, data, encoding)
    print(f"{len(jobs)} schemas, {token_count} tokens, vocabulary of {len(tokens)}", flush=True)
    for engine in options.engines.split(","):
        label, is_command, text = engine.partition("=")
        if is_command:
            command = shlex.split(text)
        elif label in BUILT_IN:
            script, *arguments = BUILT_IN[label]
            command = [sys.executable, os.path.join(HERE, script), *arguments]
        else:
            raise SystemExit(f"no engine {label}; there are {', '.join(BUILT_IN)}, and label=command")
        run_engine(label, command + ["--vocab", vocabulary], jobs, options)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", required=True, help="MaskBench: a folder of its json files, or maskbench.jsonl.xz")
    parser.add_argument("--sample", required=True, help="file of names; written when --make-sample is given")
    parser.add_argument("--make-sample", type=int, metavar="N", help="write a sample of N schemas")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--floor", type=int, default=6, help="least schemas of a family in a new sample")
    parser.add_argument("--engines", default="", help="comma list; a built-in name or label=command")
    parser.add_argument("--vocab", help="Llama 3's rank file, tokenizer.model")
    parser.add_argument("--first", type=int, metavar="N", help="only the first N names of the sample")
    parser.add_argument("--out", default="results", help="folder of the results")
    parser.add_argument("--limit", type=float, default=30, help="seconds a schema may take")
    parser.add_argument("--per-process", type=int, default=100, metavar="N", help="schemas a process does at most")
    parser.add_argument("--mem-gb", type=float, default=14, help="limit of a process's address space; 0 for none")
    parser.add_argument("--cpu", type=int, help="pin engines to this CPU")
    options = parser.parse_args()
    if options.engines and not options.vocab:
        parser.error("--engines needs --vocab")
    data = (Folder if os.path.isdir(options.data) else CaseFile)(options.data)
    if options.make_sample:
        write_sample(options, data)
    if options.engines:
        run_engines(options, data)


if __name__ == "__main__":
    main()
