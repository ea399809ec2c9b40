#!/usr/bin/env bash
# bench.sh - times and counted work: each schema of examples/schemas over documents generated under it, with the
# vocabulary that ships (VOCAB=FILE, SPECIAL=FILE for another), and applying masks to logits per kernel.
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
