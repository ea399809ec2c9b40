#!/usr/bin/env bash
# symbols.sh - what the library shows to a linker, and what it asks of one.
#
# Reads the objects of `make lib` (in the folder given, or BUILD, or build). Every symbol that leaves an object begins with gm_; the shared
# library exports exactly what the public header declares with GM_API; libc, libm and libpthread are all it needs,
# the compiler's own helpers included; and the choice of kernels is the only thing in it that changes.
set -u
cd "$(dirname "$0")/.."
[ "$(uname -s)" = Linux ] || { echo "SKIP symbols: reads ELF files"; exit 0; }
BUILD=${1:-${BUILD:-build}}
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
failed=0
passed=0
claim() { # name, complaints
    if [ -z "$2" ]; then passed=$((passed + 1)); else failed=$((failed + 1)); printf '%s:\n%s\n' "$1" "$2" >&2; fi
}

${MAKE:-make} --no-print-directory -s lib BUILD="$BUILD" || { echo "symbols.sh: the library does not build"; exit 1; }
library=$BUILD/lib/libgmask.a

nm -g --defined-only "$library" | awk 'NF == 3 { print $3 }' | sort -u >"$room/defined"
claim "symbols that do not begin with gm_" "$(grep -v '^gm_' "$room/defined")"

sed -n '/GM_API/,/;/p' include/gmask/gmask.h | grep -v '^#' | tr '\n' ' ' | tr ';' '\n' |
    sed -n 's/.*GM_API[^(]*[ *]\(gm_[a-z0-9_]*\)(.*/\1/p' | sort -u >"$room/declared"
claim "no declarations found" "$([ -s "$room/declared" ] || echo include/gmask/gmask.h)"
claim "declared in the header and defined nowhere" "$(comm -23 "$room/declared" "$room/defined")"

if ${CC:-cc} -shared -nostdlib -o "$room/libgmask.so" -Wl,--whole-archive "$library" -Wl,--no-whole-archive \
    -Wl,-z,defs -lc -lm -lpthread 2>"$room/link"; then
    claim "needs more than libc, libm and libpthread" ""
    nm -D --defined-only "$room/libgmask.so" | awk 'NF == 3 { print $3 }' | sort -u >"$room/exported"
    claim "exported without GM_API" "$(comm -23 "$room/exported" "$room/declared")"
    claim "declared with GM_API and not exported" "$(comm -12 "$room/declared" "$room/defined" | comm -23 - "$room/exported")"
else
    claim "needs more than libc, libm and libpthread" "$(cat "$room/link")"
fi

claim "data that changes" "$(objdump -h "$library" | awk '
    /file format/ { object = $1; sub(/:$/, "", object) }
    $2 ~ /^\.(data|bss|tdata|tbss)(\.rel|\.rel\.local)?$/ && $3 !~ /^0+$/ && object != "kernels.o" { print object, $2, $3 }')"

echo "symbols.sh: $passed passed, $failed failed"
[ $failed = 0 ]
