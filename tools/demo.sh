#!/bin/sh
# demo.sh - GrammarMask at work: random noise decoded through each schema of examples/schemas, with the
# vocabulary that the command ships with, and every document checked by a validator that is not ours.
#
#   tools/demo.sh [GMASK [DOCUMENTS [SEED]]]
#
# GMASK is the command (default build/bin/gmask), DOCUMENTS how many a schema (default 40). Exit status 1
# when a document did not end or was not valid.
set -u
cd "$(dirname "$0")/.." || exit 1
gmask=${1:-build/bin/gmask}
count=${2:-40}
seed=${3:-1}
shown=3
width=150

[ -x "$gmask" ] || { echo "demo: $gmask is not there: run make first" >&2; exit 1; }
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM

validator=
if python=$(tools/need_python.sh jsonschema); then validator=jsonschema; fi

# Prints how many documents of a file are valid, and why others are not.
validate() {
    "$python" - "$1" "$2" <<'PYTHON'
import json, sys
from jsonschema.validators import validator_for
schema = json.load(open(sys.argv[1], encoding="utf-8"))
kind = validator_for(schema)
validator = kind(schema, format_checker=kind.FORMAT_CHECKER)
good = bad = 0
for line in open(sys.argv[2], encoding="utf-8", newline="\n"):
    try:
        error = next(validator.iter_errors(json.loads(line)), None)
    except ValueError as problem:
        error = problem
    if error is None:
        good += 1
    else:
        bad += 1
        print("  NOT VALID: %s\n    %s" % (str(error).split("\n")[0], line.rstrip("\n")[:200]))
print("  valid by jsonschema: %d of %d" % (good, good + bad))
sys.exit(bad != 0)
PYTHON
}

failed=0
total=0
"$gmask" vocab | sed -n '2p;s/^built in/ready in/p'
for schema in examples/schemas/*.json; do
    name=$(basename "$schema" .json)
    echo
    echo "== $name: $(sed -n 's/^  "title": "\(.*\)",$/\1/p' "$schema")"
    if ! "$gmask" generate --schema "$schema" --whitespace=spaced --count "$count" --seed "$seed" \
        >"$folder/$name.jsonl" 2>"$folder/$name.times"; then
        failed=1
        sed 's/^/  FAILED: /' "$folder/$name.times"
    else
        head -n "$shown" "$folder/$name.jsonl" | cut -c "1-$width" | sed 's/^/  /'
        echo "  ..."
        sed 's/^/  /' "$folder/$name.times"
    fi
    total=$((total + $(wc -l <"$folder/$name.jsonl")))
    if [ -n "$validator" ]; then
        validate "$schema" "$folder/$name.jsonl" || failed=1
    fi
done

echo
if [ -z "$validator" ]; then
    echo "Not checked by a second opinion: python3 with the package jsonschema is not there."
fi
if [ "$failed" -eq 0 ]; then
    echo "$total documents, all ended${validator:+, all valid}."
else
    echo "$total documents; something failed, see above."
fi
exit "$failed"
