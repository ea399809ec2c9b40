#!/usr/bin/env bash
# words.sh - the tree speaks of itself alone: no registry host, no path of somebody's machine, nothing left to do.
# The words looked for are written here in two halves, so that this file passes too.
set -u
cd "$(dirname "$0")/.."
failed=0
passed=0
look() { # what it is, pattern, then further arguments of git grep
    local name=$1 pattern=$2
    shift 2
    local hits
    hits=$(git grep -nIE --untracked "$@" -e "$pattern" -- . 2>/dev/null | cut -c1-200 | head -20)
    if [ -z "$hits" ]; then passed=$((passed + 1)); else failed=$((failed + 1)); printf '%s:\n%s\n' "$name" "$hits" >&2; fi
}
git rev-parse --show-toplevel >/dev/null 2>&1 || { echo "SKIP words: not a git work tree"; exit 0; }

look "hosts of registries" \
    'py''pi\.org|python''hosted|deb\.deb''ian\.org|registry\.np''mjs|crates''\.io|proxy\.go''lang|repo1?\.mav''en'
look "paths of a machine" '(^|[^A-Za-z0-9_.$}])/(wo''rk|fa''rm|ho''me|ro''ot|Us''ers|t''mp)/'
look "who wrote it" 'cla''ude([^0-9]|$)|anthro''pic|sub''agent|language model assis''tant' -i
look "left to do" '\b(TO''DO|FIX''ME|XX''X)\b'
look "blanks at the end of a line" '[[:blank:]]+$'

echo "words.sh: $passed passed, $failed failed"
[ $failed = 0 ]
