#!/usr/bin/env bash
# fuzz_for.sh TARGET SECONDS - fuzz/run.sh, quiet: one line when nothing was found, everything else when something was.
set -u
cd "$(dirname "$0")/.."
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if fuzz/run.sh "$1" "$2" >"$log" 2>&1; then
    grep '^SKIP ' "$log" && exit 0
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    echo "fuzz $1, ${runs:-?} runs in $2 s: 1 passed, 0 failed"
else
    tail -60 "$log"
    echo "fuzz $1: 0 passed, 1 failed"
    exit 1
fi
