#!/usr/bin/env bash
# analyze.sh - clang's static analyzer over every source of the engine; a finding is a failure.
set -u
cd "$(dirname "$0")/.."
clang=${CLANG:-clang}
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
export clang room
analyze() {
    local assume="-include tools/analyze.h"
    case $1 in csrc/base/base.c | csrc/files/* | csrc/cli/*) assume= ;; esac # base.c defines them; the others use their own
    "$clang" --analyze --analyzer-output text -Xclang -analyzer-werror -std=c11 -D_GNU_SOURCE -DGM_DEBUG -Iinclude \
        -Iinclude-files -Icsrc $assume "$1" -o "$room/$(tr / _ <<<"$1").plist" >"$room/$(tr / _ <<<"$1").log" 2>&1 ||
        { cat "$room/$(tr / _ <<<"$1").log" >&2; echo bad >>"$room/bad"; }
}
export -f analyze
sources=$(find csrc -name '*.c' ! -name 'unicode_tables.c' ! -name 'shipped_vocabulary.c' | sort)
printf '%s\n' $sources | xargs -P "${JOBS:-2}" -I{} bash -c 'analyze {}'
total=$(wc -w <<<"$sources")
bad=$(cat "$room/bad" 2>/dev/null | wc -l)
echo "analyze.sh: $((total - bad)) passed, $bad failed"
[ "$bad" = 0 ]
