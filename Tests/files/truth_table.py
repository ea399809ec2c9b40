#!/usr/bin/env python3
"""Opens real tokenizer files and compares every id with the ground truth beside them.

    python3 Tests/files/truth_table.py DUMP_VOCABULARY [NAME ...]

DUMP_VOCABULARY is the program made from dump_vocabulary.c. The files (NAME.xz) and their truths
(NAME.truth.jsonl.xz) are in $GM_SHARED/tokenizers, by default ../shared/tokenizers beside the
repository; without them the test is skipped by name. Prints one line a file and a table of what
differs; exit 1 when anything does.

Compared: bytes and flags of each id, both digests, names of special tokens, kind, prefix space,
logit width, and that what the file declares as stop ids is among the known ones.
"""
import hashlib
import json
import lzma
import os
import struct
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SHARED = os.path.join(os.environ.get("GM_SHARED", os.path.join(os.path.dirname(ROOT), "shared")), "tokenizers")


def read_truth(name):
    """Header and table; the table is None when the truth has only a header."""
    with lzma.open(os.path.join(SHARED, name + ".truth.jsonl.xz"), "rt", encoding="utf-8") as lines:
        header = json.loads(next(lines))
        if header.get("body_omitted"):
            return header, None
        base = header.get("body_base")
        table = read_truth(base)[1][:header["vocab_size"]] if base else []
        table += [None] * (header["vocab_size"] - len(table))
        for line in lines:
            token, text, flags = json.loads(line)
            table[token] = (text, flags)
    return header, table


def unpack(name, folder):
    path = os.path.join(folder, name)
    with lzma.open(os.path.join(SHARED, name + ".xz")) as packed, open(path, "wb") as plain:
        plain.write(packed.read())
    return path


def dump(program, path, header, folder):
    """Runs the program; returns its facts and the seconds it took."""
    specials = "-"
    if header["format"] == "tiktoken":
        specials = os.path.join(folder, "specials.json")
        with open(specials, "w", encoding="utf-8") as file:
            json.dump(header["special_text"], file)
    began = time.monotonic()
    run = subprocess.run([program, path, specials, str(header["logit_width"])], capture_output=True, text=True)
    seconds = time.monotonic() - began
    if run.returncode != 0:
        raise RuntimeError(run.stderr.strip() or "exit %d" % run.returncode)
    facts = {"declared": [], "special": {}, "table": []}
    for line in run.stdout.splitlines():
        word, *rest = line.split(" ")
        if word == "token":
            token, text, flags = rest
            assert int(token) == len(facts["table"])
            facts["table"].append((None if text == "-" else text, int(flags)))
        elif word == "special":
            facts["special"][rest[0]] = bytes.fromhex(rest[1]).decode()
        elif word == "declared":
            facts["declared"].append(int(rest[0]))
        else:
            facts[word] = rest[0]
    return facts, seconds


def sha256(table):
    digest = hashlib.sha256()
    for token, (text, flags) in enumerate(table):
        plain = b"" if text is None else bytes.fromhex(text)
        digest.update(struct.pack("<II", token, 0xFFFFFFFF if text is None else len(plain)) + plain + struct.pack("<I", flags))
    return digest.hexdigest()


def differences(header, table, facts):
    found = []
    if table is not None and facts["table"] != table:
        at = [i for i, (a, b) in enumerate(zip(facts["table"], table)) if a != b]
        found.append("%d ids differ, first %s; %d ids, should be %d" % (
            len(at), [(i, facts["table"][i], table[i]) for i in at[:3]], len(facts["table"]), len(table)))
    for what, ours, theirs in [
            ("ids", len(facts["table"]), header["vocab_size"]),
            ("digest", facts["digest"], header["digest"]["fnv1a64"]),
            ("sha256", sha256(facts["table"]), header["digest"]["sha256"]),
            ("kind", facts["kind"], header["format"]),
            ("prefix space", facts["prefix"] == "1", header["prefix_space"]),
            ("logit width", int(facts["width"]), header["logit_width"])]:
        if ours != theirs:
            found.append("%s is %s, should be %s" % (what, ours, theirs))
    # The truth names unused pieces of some formats too.
    known = {i: t for i, t in header["special_text"].items() if int(i) in set(header["special_ids"])}
    if facts["special"] != known:
        found.append("names differ: %s" % sorted(set(facts["special"].items()) ^ set(known.items()))[:4])
    if not set(facts["declared"]) <= set(header["stop_ids"]):
        found.append("declared stop ids %s, known %s" % (facts["declared"], header["stop_ids"]))
    return found


def main(program, *names):
    if not os.path.isdir(SHARED):
        print("SKIP truth_table: no tokenizer files in", SHARED)
        return 0
    names = names or sorted(f[:-len(".truth.jsonl.xz")] for f in os.listdir(SHARED) if f.endswith(".truth.jsonl.xz"))
    bad = 0
    print("%-28s %-17s %7s  %-16s %-8s %6s" % ("file", "kind", "ids", "digest", "equal", "s"))
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            header, table = read_truth(name)
            if not os.path.exists(os.path.join(SHARED, name + ".xz")):
                print("SKIP %s: the file is not there" % name)
                continue
            path = unpack(name, folder)
            try:
                facts, seconds = dump(program, path, header, folder)
                found = differences(header, table, facts)
                line = (facts["kind"], len(facts["table"]), facts["digest"])
            except RuntimeError as error:
                found, line, seconds = [str(error)], ("-", 0, "-"), 0
            os.remove(path)
            equal = "no" if found else "yes" if table is not None else "digest"
            print("%-28s %-17s %7d  %-16s %-8s %6.2f" % (name, *line, equal, seconds), flush=True)
            for difference in found:
                print("    ", difference)
            bad += bool(found)
    print("truth_table: %d of %d files equal" % (len(names) - bad, len(names)))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
