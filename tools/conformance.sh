#!/usr/bin/env bash
# conformance.sh short|full - the command against labelled cases, real tokenizers and brute force.
#
#   cases       `gmask check` over each set; no wrong accept and no wrong reject in any case that compiles, but for
#               valid texts outside a documented subset of a format; and each set's floors (score_floor.py)
#   random      schemas over all keywords against an independent validator and brute force (Tests/random/run.sh)
#   loaders     every id of real tokenizer files against the truth beside them
#   walks       masks on real vocabularies against every single token (Tests/conformance/run.sh; full only)
#
# Data is found in GM_SHARED (default ../shared beside the repository); what is not there is skipped by name.
# Answers are left in BUILD/conformance. Needs build/bin/gmask and build/tests/dump_vocabulary (`make conformance`).
set -u
cd "$(dirname "$0")/.."
what=${1:-full}
build=${BUILD:-build}
shared=${GM_SHARED:-../shared}
cases=$shared/cases
room=$build/conformance
mkdir -p "$room"
passed=0 failed=0
claim() { # name, command...; one claim
    local name=$1
    shift
    if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "conformance: not so: $name" >&2; fi
}

# Answers one set, in key order `any` or `declared`, and scores the answers.
check_set() { # set, order
    local file=$cases/$1.jsonl
    [ -e "$file" ] || file=$file.xz
    echo "== $1, property order $2"
    case $file in *.xz) xz -dc "$file" ;; *) cat "$file" ;; esac |
        "$build/bin/gmask" check --documents="$cases/documents/documents.jsonl" --property-order="$2" \
            >"$room/$1.$2.answers" || return 1
    local score=(python3 "$cases/score_cases.py" -c "$file" -a "$room/$1.$2.answers" --order "$2") wrong subset
    "${score[@]}" --json "$room/$1.$2.json" || return 1
    python3 -c 'import json, sys
for line in open(sys.argv[1]):
    a = json.loads(line)
    if a["status"] == "refused":
        print("refused", a["id"], a["code"], a["keyword"] or "-", a["pointer"] or "/", a["message"], sep="\t")
' "$room/$1.$2.answers"
    [ "$2" = declared ] || python3 tools/score_floor.py "$room/$1.$2.json" "$1" || return 1
    wrong=$("${score[@]}" --list wrong) || return 1
    # Formats that are enforced as a subset (docs/formats.md) reject some valid texts, and say so at compile.
    subset=$(grep -E $'/format/(hostname|idn-hostname|ecmascript-regex|relative-json-pointer)/[0-9]+#[0-9]+\treject\t' <<<"$wrong")
    [ -z "$subset" ] || echo "$(wc -l <<<"$subset") valid texts are outside the subset of a format that is enforced as one"
    wrong=$(grep -vxF -f <(printf '%s\n' "$subset") <<<"$wrong" | grep .)
    [ -z "$wrong" ] || { head -40 <<<"$wrong"; return 1; }
}

case $what in
short) sets="suite-main maskbench-ci reports" declared=maskbench-ci
    tokenizers="llama3.tiktoken llama3.tokenizer.json mistral_v3.spm.model made_small.tekken.json made_tricky.tokenizer.json phi3.gguf" ;;
full) sets="suite-main suite-optional suite-format maskbench-ci reports maskbench" declared=maskbench tokenizers= ;;
*) echo "usage: tools/conformance.sh short|full" >&2; exit 2 ;;
esac

if [ ! -d "$cases" ]; then
    echo "SKIP conformance cases: no $cases (GM_SHARED names the folder that has cases/)"
elif ! command -v python3 >/dev/null 2>&1 || ! command -v xz >/dev/null 2>&1; then
    echo "SKIP conformance cases: python3 or xz is not there"
else
    for set in $sets; do claim "no wrong answer in $set" check_set "$set" any; done
    for set in $declared; do claim "no wrong answer in $set, keys in declared order" check_set "$set" declared; done
fi

if [ ! -d "$shared/tokenizers" ]; then
    echo "SKIP conformance loaders: no $shared/tokenizers"
elif ! command -v python3 >/dev/null 2>&1; then
    echo "SKIP conformance loaders: no python3"
else
    echo "== tokenizer files"
    claim "tokenizer files have their true ids" \
        env GM_SHARED="$shared" python3 Tests/files/truth_table.py "$build/tests/dump_vocabulary" $tokenizers
fi

echo "== random schemas"
claim "random schemas are enforced as a validator reads them" \
    env BUILD="$build" Tests/random/run.sh "$build" "$([ "$what" = full ] && echo 100000 || echo 1000)"

if [ "$what" = full ]; then
    if [ -x Tests/conformance/run.sh ]; then
        echo "== walks on real vocabularies"
        claim "masks are what every single token says" env GM_SHARED="$shared" BUILD="$build" Tests/conformance/run.sh "$build"
    else
        echo "SKIP conformance walks: no Tests/conformance/run.sh"
    fi
fi
echo "conformance.sh: $passed passed, $failed failed"
[ "$failed" = 0 ]
