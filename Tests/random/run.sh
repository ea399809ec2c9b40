#!/usr/bin/env bash
# Random schemas over all keywords, in as many processes as there are processors.
#
#   Tests/random/run.sh BUILD COUNT
#
# Three quarters of the schemas go to an independent validator (random_schemas.py): what is decoded under
# masks is valid, and mutated documents are accepted or rejected as the validator says. The rest is
# walked (walk_lines.c): masks against every single token, and a completion from everywhere. Needs
# BUILD/lib and BUILD/bin (`make bin`), and Python's jsonschema, which it fetches where it may.
set -u
cd "$(dirname "$0")/../.."
build=$1 count=$2
jobs=${JOBS:-$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)}
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT INT TERM
python=$(BUILD=$build tools/need_python.sh jsonschema) || { echo "SKIP random schemas: no Python with jsonschema"; exit 0; }
${CC:-cc} ${CFLAGS:--O2 -g} -std=c11 -Iinclude -Icsrc -ITests/c -D_GNU_SOURCE Tests/random/walk_lines.c \
    csrc/cli/shipped_vocabulary.c "$build/lib/libgmask.a" -lpthread -lm -o "$room/walk_lines" || exit 1
share=$(((count + jobs - 1) / jobs))
one_share() { # number
    "$python" Tests/random/random_schemas.py "$build/bin/gmask" --count $((share * 3 / 4)) --seed $((1000 + $1)) &&
        "$python" Tests/random/random_schemas.py --print - --count $((share / 4)) --seed $((2000 + $1)) | "$room/walk_lines"
}
children=()
for ((job = 0; job < jobs; job++)); do
    one_share "$job" >"$room/$job.log" 2>&1 &
    children+=($!)
done
failed=0
for ((job = 0; job < jobs; job++)); do
    wait "${children[$job]}" || failed=1
    cat "$room/$job.log"
done
exit $failed
