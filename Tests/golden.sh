#!/usr/bin/env bash
# golden.sh [GMASK] [--update] - counted work of a fixed sample against Tests/golden/counts.txt: what got slower shows
# on any machine, whatever its clock says.
#
# The sample: each schema of examples/schemas and Tests/golden, over documents decoded under it from a fixed seed, with the
# vocabulary that ships. A count may be up to 2 % above what is written there. Lower ones are fine;
# `Tests/golden.sh build/bin/gmask --update` writes the new ones down.
set -u
cd "$(dirname "$0")/.."
gmask=${1:-build/bin/gmask}
golden=Tests/golden/counts.txt
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT INT TERM
for schema in examples/schemas/*.json Tests/golden/*.json; do
    name=$(basename "$schema" .json)
    "$gmask" generate --schema="$schema" --whitespace=spaced --seed=1 -n 20 --quiet >"$room/documents.jsonl" || exit 1
    "$gmask" bench --schema="$schema" --whitespace=spaced "$room/documents.jsonl" |
        sed -n "s/^\(compile work\|formulas\|threads\|places\|frames\|transitions\|masks built\|masks found\|trie nodes\|mask bytes\|grammar\)  *\([0-9]*\).*/$name \1: \2/p"
done >"$room/counts.txt"
if [ "${2:-}" = --update ]; then
    cp "$room/counts.txt" "$golden"
    exit 0
fi
awk -F': ' 'NR == FNR { golden[$1] = $2; next }
    { seen++; if (!($1 in golden)) { print "golden.sh: not written down: " $1; bad++ }
      else if ($1 ~ /masks found/ ? $2 < golden[$1] * 0.98 : $2 > golden[$1] * 1.02) { print "golden.sh: not so: " $1 " " $2 ", was " golden[$1]; bad++ } }
    END { for (k in golden) total++; if (seen < total) bad += total - seen
          printf "golden.sh: %d passed, %d failed\n", total - bad, bad; exit bad != 0 }' "$golden" "$room/counts.txt"
