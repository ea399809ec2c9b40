#!/usr/bin/env bash
# sample.sh [BUILD] - every mask along the documents of the last `make bench-peers`, made three ways: see sample.c.
#
# Takes the jobs and the vocabulary that it left in BUILD/peers/run1; half an hour for 600 schemas. Needs BUILD/bin.
set -eu
cd "$(dirname "$0")/../.."
build=${1:-build}
room=$build/peers/run1
[ -e "$room/jobs.jsonl" ] || { echo "SKIP conformance sample: no $room/jobs.jsonl (make bench-peers leaves it)"; exit 0; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT INT TERM
${CC:-cc} ${CFLAGS:--O2 -g} -std=c11 -Wall -Wextra -Iinclude -Icsrc -D_GNU_SOURCE Tests/conformance/sample.c \
    csrc/cli/input.c csrc/cli/output.c "$build/lib/libgmask.a" $(pkg-config --libs json-c 2>/dev/null || echo -ljson-c) \
    -lpthread -lm -o "$folder/sample"
"$build/bin/gmask" vocab --save="$folder/tables" "$room/vocab.txt" >/dev/null
"$folder/sample" "$folder/tables" <"$room/jobs.jsonl" &
declared=$!
"$folder/sample" "$folder/tables" any <"$room/jobs.jsonl" || failed=1
wait "$declared" || failed=1
exit "${failed:-0}"
