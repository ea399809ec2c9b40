#!/usr/bin/env bash
# examples.sh [BUILD [SWIFT_SCRATCH]] - the samples of the README are the files of examples/, compile without a
# warning and print a document that is valid under their schema.
set -u
cd "$(dirname "$0")/.."
build=${1:-build}
scratch=${2:-}
failed=0
passed=0
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
claim() { # name, command...
    local name=$1
    shift
    if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "examples.sh: not so: $name" >&2; fi
}

# The code block of the README that follows the line <!-- FILE -->.
block() {
    awk -v mark="<!-- $1 -->" '
        $0 == mark { wanted = 1; next }
        wanted && /^```/ { if (inside) exit; inside = 1; next }
        inside { print }' README.md
}
is_in_readme() { [ "$(block "$1")" = "$(cat "$1")" ]; }
prints_a_document() { "$1" | grep -qE '^\{"city": "(Oslo|Rome)", "days": ([1-9]|1[0-4])\}$'; }

claim "examples/first_mask.c is in the README" is_in_readme examples/first_mask.c
claim "examples/swift/main.swift is in the README" is_in_readme examples/swift/main.swift

claim "the C sample compiles" ${CC:-cc} -std=c11 -Wall -Wextra -Wpedantic -Wshadow -Werror -Iinclude examples/first_mask.c \
    "$build/lib/libgmask.a" -lpthread -lm -o "$room/first_mask"
claim "the C sample prints a valid document" prints_a_document "$room/first_mask"

if ! command -v swift >/dev/null 2>&1; then
    echo "SKIP Swift sample: no swift on this machine"
else
    [ -n "$scratch" ] || scratch=$room/scratch
    compile() {
        env -u CC swift build --scratch-path "$scratch" --product FirstMask >"$room/log" 2>&1 || { tail -20 "$room/log" >&2; return 1; }
    }
    claim "the Swift sample compiles" compile
    claim "the Swift sample prints a valid document" prints_a_document "$scratch/debug/FirstMask"
fi
echo "examples.sh: $passed passed, $failed failed"
[ "$failed" = 0 ]
