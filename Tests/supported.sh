#!/usr/bin/env bash
# supported.sh [GMASK] - the table of keywords in docs/supported.md against what the command says of each sample, and
# the README's list of refused keywords against that table.
set -u
cd "$(dirname "$0")/.."
gmask=${1:-build/bin/gmask}
passed=0
failed=0
claim() { # name, command...
    local name=$1
    shift
    if "$@" >/dev/null; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "supported.sh: not so: $name" >&2; fi
}

says() { # keyword, answer, sample
    local kinds
    # Entries are objects without nesting. What is refused is not listed as met too.
    kinds=$("$gmask" check-schema --json - <<<"$3" 2>/dev/null | grep -o '{"kind":[^{}]*}' |
        grep -F "\"keyword\":\"$1\"" | sed 's/^{"kind":"\([a-z]*\)".*/\1/')
    if grep -qx refused <<<"$kinds"; then [ "$2 $kinds" = "refused refused" ]; else grep -qx "$2" <<<"$kinds"; fi
}

rows=$(sed -n 's/^| `\([^`]*\)` | \(enforced\|annotation\|refused\) | `\([^`]*\)` |.*/\1\t\2\t\3/p' docs/supported.md)
claim "docs/supported.md has a table of keywords" test "$(wc -l <<<"$rows")" -gt 40
while IFS=$'\t' read -r keyword answer sample; do
    claim "$keyword: $answer" says "$keyword" "$answer" "$sample"
done <<<"$rows"

# Refused whatever they hold.
refused=$(awk -F'\t' '{ met[$1] = met[$1] " " $2 } END { for (k in met) if (met[k] == " refused") print k }' <<<"$rows" | sort)
told=$(awk '/^\*\*Refused for now\*\*/ { inside = 1 } /^$/ { inside = 0 } inside' README.md | tr '\n' ' ' | sed 's/;.*//' |
    grep -o '`[A-Za-z]*`' | tr -d '`' | sort)
claim "the README lists the refused keywords" test "$refused" = "$told"
echo "supported.sh: $passed passed, $failed failed"
[ "$failed" = 0 ]
