#!/usr/bin/env bash
# layers.sh - the include graph of csrc/ against the order of its folders, so that the drawing cannot rot.
#
# A folder includes its own headers, the public headers of the folders named beside it below, and the system's.
# Besides: instructions of one processor stand in mask/kernels_* alone, json-c in files/ and cli/ alone, macros of headers
# begin with GM_, and every header compiles alone.
set -u
cd "$(dirname "$0")/.."
failed=0
passed=0
claim() { # name, complaints
    if [ -z "$2" ]; then passed=$((passed + 1)); else failed=$((failed + 1)); printf '%s:\n%s\n' "$1" "$2" >&2; fi
}

includes=$(grep -rnE '^[[:space:]]*#[[:space:]]*include' csrc --include='*.c' --include='*.h')

claim "includes against the order of folders" "$(printf '%s\n' "$includes" | awk '
    BEGIN {
        may["base"] = "gmask"
        may["json"] = "base"
        may["lex"] = "base"
        may["schema"] = "base json lex"
        may["form"] = "base json lex schema"
        may["machine"] = "base json lex form"
        may["vocab"] = "base"
        may["mask"] = "base vocab machine"
        may["match"] = "base lex machine vocab mask"
        may["api"] = "base json lex schema form machine vocab mask match"
        may["files"] = "gmask"
        may["cli"] = "gmask"
        public = " json/json.h lex/number.h lex/text.h lex/format.h schema/schema.h form/form.h form/alphabet.h machine/machine.h" \
                 " machine/spelling.h vocab/vocab.h mask/compute.h mask/kernels.h match/matcher.h match/explore.h "
    }
    {
        split($0, at, ":")
        split(at[1], path, "/")
        from = path[2]
        if (!match($0, /"[^"]*"/))
            next
        header = substr($0, RSTART + 1, RLENGTH - 2)
        slash = index(header, "/")
        to = slash ? substr(header, 1, slash - 1) : from
        if (to == from)
            next
        if (!(from in may) || index(" " may[from] " ", " " to " ") == 0)
            print at[1] ":" at[2] ": " from " must not include " header
        else if (to != "base" && to != "gmask" && index(public, " " header " ") == 0)
            print at[1] ":" at[2] ": " header " is private to " to
    }')"

claim "intrinsics outside mask/kernels_*" "$(printf '%s\n' "$includes" |
    grep -E '<([a-z0-9]*mmintrin|immintrin|x86intrin|x86gprintrin|arm_[a-z0-9]*|cpuid)\.h>' |
    grep -vE '^csrc/mask/kernels(_[a-z0-9]+)?\.[ch]:')"

claim "json-c outside files/ and cli/" "$(printf '%s\n' "$includes" | grep '<json-c/' | grep -vE '^csrc/(files|cli)/')"

claim "macros of headers that do not begin with GM_" "$(grep -nE '^[[:space:]]*#[[:space:]]*define[[:space:]]+' \
    $(find csrc include include-files -name '*.h' 2>/dev/null) | grep -vE 'define[[:space:]]+(GM_|GMASK_)' |
    grep -vE 'define[[:space:]]+WIN32_LEAN_AND_MEAN')"

alone=
for header in $(find csrc include include-files -name '*.h' ! -name '*_template.h' 2>/dev/null); do
    ${CC:-cc} -std=c11 -fsyntax-only -Wall -Wextra -Iinclude -Iinclude-files -Icsrc -x c - <<TEXT 2>/dev/null || alone="$alone$header
"
#include "$PWD/$header"
TEXT
done
claim "headers that do not compile alone" "$alone"

echo "layers.sh: $passed passed, $failed failed"
[ $failed = 0 ]
