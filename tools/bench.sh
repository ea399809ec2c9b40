#!/usr/bin/env bash
# bench.sh - times and counted work: each schema of examples/schemas over documents generated under it, with the
# vocabulary that ships (VOCAB=FILE, SPECIAL=FILE for another); applying masks to logits per kernel; two threads beside
# one; and what Swift adds.
set -eu
cd "$(dirname "$0")/.."
build=${BUILD:-build}
gmask=$build/bin/gmask
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
vocabulary=()
[ -z "${VOCAB:-}" ] || vocabulary+=("--vocab=$VOCAB")
[ -z "${SPECIAL:-}" ] || vocabulary+=("--special=$SPECIAL")

"$gmask" vocab ${VOCAB:+"$VOCAB"} ${SPECIAL:+--special="$SPECIAL"}
for schema in examples/schemas/*.json; do
    echo
    echo "== $(basename "$schema" .json)"
    "$gmask" generate --schema="$schema" --whitespace=spaced --count=200 --quiet >"$room/documents.jsonl"
    "$gmask" bench --schema="$schema" ${vocabulary[@]+"${vocabulary[@]}"} "$room/documents.jsonl"
done

echo
echo "== applying masks to logits"
mkdir -p "$build/bench"
${CC:-cc} -std=c11 -O2 -Iinclude -Icsrc Tests/bench_logits.c csrc/mask/kernels*.c -o "$build/bench/bench_logits"
"$build/bench/bench_logits"

echo
echo "== two threads beside one"
${CC:-cc} -std=c11 -O2 -Iinclude Tests/bench_threads.c "$build/lib/libgmask.a" -lpthread -o "$build/bench/bench_threads"
"$build/bench/bench_threads"

echo
echo "== what Swift adds"
if command -v swift >/dev/null 2>&1; then
    env -u CC swift run -c release --scratch-path "${SWIFT_SCRATCH:-${TMPDIR:-/tmp}/gmask-swift-bench-$(id -u)}" SwiftCost 2>/dev/null
else
    echo "SKIP Swift: no swift on this machine"
fi
