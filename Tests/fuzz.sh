#!/usr/bin/env bash
# fuzz.sh - replays the corpus of every fuzz target with a plain main, and checks that fuzz/README.md names every
# public function. The folder of make is the argument, or BUILD, or build; CC and DEBUG are as for make.
set -u
cd "$(dirname "$0")/.."
BUILD=${1:-${BUILD:-build}}
DEBUG=${DEBUG:--O1 -g}
failed=0
passed=0

missing=$(sed -n '/GM_API/,/;/p' include/gmask/gmask.h | grep -v '^#' | tr '\n' ' ' | tr ';' '\n' |
    sed -n 's/.*GM_API[^(]*[ *]\(gm_[a-z0-9_]*\)(.*/\1/p' | sort -u | while read -r name; do
        grep -q "\`$name\`" fuzz/README.md || echo "$name"
    done)
if [ -z "$missing" ]; then passed=$((passed + 1)); else
    failed=$((failed + 1)); printf 'not in the table of fuzz/README.md:\n%s\n' "$missing" >&2; fi

${MAKE:-make} --no-print-directory -s "$BUILD/tests/libdebug.a" BUILD="$BUILD" DEBUG="$DEBUG" || exit 1
for source in fuzz/*/fuzz.c; do
    target=$(basename "$(dirname "$source")")
    mkdir -p "$BUILD/replay"
    if ${CC:-cc} $DEBUG -DGM_DEBUG -DGM_FUZZ_REPLAY -std=c11 -Wall -Wextra -Werror -Iinclude -Icsrc -Ifuzz "$source" \
        "$BUILD/tests/libdebug.a" -lpthread -lm -o "$BUILD/replay/$target" &&
        "$BUILD/replay/$target" fuzz/"$target"/corpus/* >"$BUILD/replay/$target.log" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "fuzz target $target:" >&2
        tail -20 "$BUILD/replay/$target.log" >&2
    fi
done
echo "fuzz.sh: $passed passed, $failed failed"
[ $failed = 0 ]
