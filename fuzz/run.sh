#!/usr/bin/env bash
# run.sh TARGET SECONDS - searches with one target, from its corpus; finds are kept under build/fuzz/TARGET.
# Needs a clang that has libFuzzer; CLANG names it, else the one in the PATH.
set -eu
cd "$(dirname "$0")/.."
[ $# = 2 ] && [ -f "fuzz/$1/fuzz.c" ] || { echo "usage: fuzz/run.sh TARGET SECONDS; targets:" fuzz/*/ >&2; exit 2; }
target=$1 seconds=$2
clang=${CLANG:-clang}
build=${BUILD:-build}/fuzz
room=$build/$target
mkdir -p "$room/found"
flags="-g -O1 -DGM_DEBUG -std=c11 -Iinclude -Icsrc -Ifuzz"

echo 'int LLVMFuzzerTestOneInput(const char *d, unsigned long s); int LLVMFuzzerTestOneInput(const char *d, unsigned long s) { return d == 0 && s; }' |
    "$clang" -fsanitize=fuzzer,address,undefined -x c - -o "$room/probe" 2>/dev/null ||
    { echo "SKIP fuzz $target: no clang with libFuzzer"; exit 0; }

${MAKE:-make} --no-print-directory -s "$build/tests/libdebug.a" BUILD="$build" CC="$clang" \
    DEBUG="-O1 -g -fsanitize=fuzzer-no-link,address,undefined"
"$clang" $flags -fsanitize=fuzzer,address,undefined "fuzz/$target/fuzz.c" "$build/tests/libdebug.a" -lpthread -lm \
    -o "$room/fuzz" 2>"$room/link.log" || { cat "$room/link.log" >&2; exit 1; }
UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 "$room/fuzz" -max_total_time="$seconds" -max_len=4096 -timeout=20 \
    -print_final_stats=1 -verbosity=0 -artifact_prefix="$room/" "$room/found" "fuzz/$target/corpus"
