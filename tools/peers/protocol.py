"""What the process of a peer needs: the vocabulary file, the loop over jobs, and the timed inner loop in C.

See README.md for the protocol. An engine that speaks it by itself needs none of this file.
"""
import ctypes as C
import json
import os
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))


# ---- vocabulary file ----

def write_vocabulary(path, tokens, special, stops):
    """tokens: list of bytes; special: {id: name}; stops: list of ids."""
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"vocab1 {len(tokens)} {','.join(map(str, stops))}\n")
        for i, token in enumerate(tokens):
            file.write(("!" + special[i] if i in special else token.hex()) + "\n")


def read_vocabulary(path):
    """Returns (list of bytes, set of special ids, list of ids that stop). A special token's bytes are its name."""
    with open(path, encoding="utf-8") as file:
        tag, count, stops = file.readline().split()
        if tag != "vocab1":
            raise SystemExit(f"not a vocab1 file: {path}")
        tokens, special = [], set()
        for line in file:
            text = line.rstrip("\n")
            if text.startswith("!"):
                special.add(len(tokens))
                tokens.append(text[1:].encode())
            else:
                tokens.append(bytes.fromhex(text))
    if len(tokens) != int(count):
        raise SystemExit(f"{path} does not have the {count} tokens it announces")
    return tokens, special, [int(i) for i in stops.split(",")]


# ---- the inner loop ----

# The three structures are those of drive.c.

class Result(C.Structure):
    _fields_ = [("accepted", C.c_int32), ("error", C.c_int32), ("masks", C.c_int32), ("commits", C.c_int32)]


class PlainEngine(C.Structure):
    _fields_ = [("handle", C.c_void_p), ("fill", C.c_void_p), ("commit", C.c_void_p), ("mask_bytes", C.c_size_t)]


class PackedEngine(C.Structure):
    _fields_ = [("call", C.c_void_p), ("fill", C.c_void_p), ("commit", C.c_void_p), ("self", C.c_void_p),
                ("self_type", C.c_int32), ("words", C.c_int64),
                ("own", C.c_byte * 128)]  # what drive.c keeps for itself, and room to spare


def load_drive():
    """drive.c as a library, built on first use into the folder PEERS_BUILD (run.py sets it)."""
    library = os.path.join(os.environ["PEERS_BUILD"], "drive.so")
    source = os.path.join(HERE, "drive.c")
    if not os.path.exists(library) or os.path.getmtime(library) < os.path.getmtime(source):
        subprocess.run([os.environ.get("CC", "cc"), "-O2", "-shared", "-fPIC", "-o", library, source], check=True)
    drive = C.CDLL(library)
    drive.plain_engine_size.restype = drive.packed_engine_size.restype = C.c_size_t
    drive.drive_clock_ns.restype = C.c_double
    if (drive.plain_engine_size() > C.sizeof(PlainEngine)) or (drive.packed_engine_size() > C.sizeof(PackedEngine)):
        raise SystemExit("protocol.py and drive.c differ about their structures")
    return drive


class Driver:
    """The functions of drive.c, with buffers that are kept between calls."""

    def __init__(self, token_count, stops):
        self.drive = load_drive()
        self.words = (token_count + 31) // 32
        self.mask = (C.c_uint32 * self.words)()
        self.stops = (C.c_uint32 * len(stops))(*stops)
        self.capacity = 0
        self._grow(4096)

    def _grow(self, tokens):
        if tokens + 1 > self.capacity:
            self.capacity = tokens + 1
            self.mask_ns = (C.c_uint64 * self.capacity)()
            self.commit_ns = (C.c_uint64 * self.capacity)()

    def _address(self, name):
        return C.cast(getattr(self.drive, name), C.c_void_p)

    def first(self, fill, engine):
        """The first mask after compiling. Returns (0 if there is one, microseconds)."""
        ns = C.c_uint64()
        failed = self.drive.drive_first(self._address(fill), C.byref(engine), self.mask, C.byref(ns))
        return failed, ns.value / 1000

    def walk(self, fill, commit, engine, tokens):
        """Walks one instance. Returns (Result, microseconds of each mask, of each commit)."""
        count = len(tokens)
        self._grow(count)
        result = Result()
        self.drive.drive_walk(self._address(fill), self._address(commit), C.byref(engine),
                              (C.c_uint32 * count)(*tokens), C.c_int32(count),
                              self.stops, C.c_int32(len(self.stops)), self.mask,
                              self.mask_ns, self.commit_ns, C.byref(result))
        return (result, [ns / 1000 for ns in self.mask_ns[:result.masks]],
                [ns / 1000 for ns in self.commit_ns[:result.commits]])


# ---- the loop over jobs ----

class CompileError(Exception):
    pass


def resident_kb():
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * (os.sysconf("SC_PAGE_SIZE") // 1024)


def verdict(tests, accepted):
    """The outcome of a schema, from what each test was and what became of it."""
    if any(test["valid"] and not was for test, was in zip(tests, accepted)):
        return "wrong_reject"
    if any(was and not test["valid"] for test, was in zip(tests, accepted)):
        return "invalid_accepted"
    return "pass"


def answer(engine, job):
    """One job done: the result without name and memory."""
    try:
        compile_us, first_us, grammar = engine.compile(json.dumps(job["schema"]))
    except CompileError as error:
        return {"outcome": "compile_error", "error": str(error)[:400]}
    all_mask_us, all_commit_us, tests = [], [], []
    for test in job["tests"]:
        accepted, error, mask_us, commit_us = engine.run(grammar, test["tokens"])
        all_mask_us += mask_us
        all_commit_us += commit_us
        tests.append({"accepted": accepted, "masks": len(mask_us), "commits": len(commit_us)})
        if error:
            tests[-1]["error"] = error[:300]
    engine.free(grammar)
    return {"outcome": verdict(job["tests"], [test["accepted"] for test in tests]),
            "compile_us": round(compile_us, 3), "first_mask_us": round(first_us, 3),
            "ttfm_us": round(compile_us + first_us, 3),
            "tbm_us": all_mask_us, "commit_us": all_commit_us, "tests": tests}


def serve(make_engine, about):
    """Speaks the protocol for an engine until the input ends. `make_engine()` returns an object with

    compile(schema text) -> (microseconds, microseconds of the first mask, grammar), or raises CompileError,
    run(grammar, token ids) -> (accepted, text of an error or "", microseconds of each mask, of each commit),
    free(grammar).
    """
    out = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)  # whatever a library prints must not come between the answers
    start = time.perf_counter()
    engine = make_engine()
    start_us = round((time.perf_counter() - start) * 1e6)
    out.write(json.dumps({**about, "ready": True, "init_us": start_us, "rss_kb": resident_kb()}) + "\n")
    for line in sys.stdin:
        job = json.loads(line)
        result = {"name": job["name"], **answer(engine, job), "rss_kb": resident_kb()}
        out.write(json.dumps(result) + "\n")
