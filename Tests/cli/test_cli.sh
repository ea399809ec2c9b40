#!/bin/sh
# test_cli.sh - the command gmask: usage, exit statuses, answers of check, documents of generate, the
# protocol of bench serve.
#
#   Tests/cli/test_cli.sh [GMASK]      (default build/bin/gmask)
#
# A claim is a sentence and a command that must succeed. With GM_SHARED, the folder of shared cases and
# tokenizers, the cases of reports are answered too.
set -u
cd "$(dirname "$0")/../.." || exit 1
case ${1:-build/bin/gmask} in
    /*) gmask=$1 ;;
    *) gmask=$PWD/${1:-build/bin/gmask} ;;
esac
examples=$PWD/examples/schemas
shared=$(cd "${GM_SHARED:-../shared}" 2>/dev/null && pwd)
[ -x "$gmask" ] || { echo "test_cli.sh: no command at $gmask" >&2; exit 1; }
room=$(mktemp -d) || exit 1
trap 'rm -rf "$room"' EXIT
cd "$room" || exit 1

passed=0
failed=0
claim() { # sentence, command...
    sentence=$1
    shift
    if "$@" >claim.out 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "not true: $sentence" >&2
        sed 's/^/    /' claim.out | head -n 12 >&2
    fi
}
has_status() { # status, command...
    wanted=$1
    shift
    "$@"
    got=$?
    [ "$got" -eq "$wanted" ] || { echo "exit status $got, not $wanted: $*"; return 1; }
}
says() { # text, command...: on standard error
    text=$1
    shift
    "$@" 2>said >/dev/null
    cat said
    grep -qF -- "$text" said
}
prints() { # text, command...: on standard output
    text=$1
    shift
    "$@" >printed 2>/dev/null
    cat printed
    grep -qF -- "$text" printed
}
is_empty() { [ ! -s "$1" ] || { cat "$1"; return 1; }; }

# ---- usage ----

claim "help of the program ends well" has_status 0 "$gmask" --help
claim "version ends well" prints "gmask " "$gmask" --version
for command in generate check check-schema vocab explain bench "bench serve"; do
    # shellcheck disable=SC2086 # two words for one command
    claim "help of $command ends well" has_status 0 "$gmask" $command --help
    # shellcheck disable=SC2086
    claim "help of $command says how to use it" prints "Usage: gmask $command" "$gmask" $command --help
    # shellcheck disable=SC2086
    claim "$command refuses an option it does not know" has_status 2 "$gmask" $command --no-such-option
done
claim "no command is a usage error" has_status 2 "$gmask"
claim "an unknown command is a usage error" has_status 2 "$gmask" frobnicate
claim "an unknown command is named" says "'frobnicate'" "$gmask" frobnicate
claim "a missing schema is a usage error" has_status 2 "$gmask" generate
claim "a missing file is a usage error" has_status 2 "$gmask" check-schema
claim "too many files are a usage error" has_status 2 "$gmask" check-schema one two
claim "a wrong word is a usage error" has_status 2 "$gmask" check --property-order=sideways
claim "a wrong word is told the right ones" says "declared or any" "$gmask" check --property-order=sideways
claim "a wrong number is a usage error" has_status 2 "$gmask" generate --schema x --count=many
claim "a negative number is a usage error" has_status 2 "$gmask" generate --schema x -n -1
claim "a file that is not there is a failed job" has_status 1 "$gmask" check-schema absent.json
claim "a file that is not there is named" says "gmask: absent.json: " "$gmask" check-schema absent.json
printf '{"type": ' >broken.json
claim "a broken schema is a failed job" has_status 1 "$gmask" generate --schema broken.json
claim "a broken schema is named" says "gmask: broken.json: " "$gmask" generate --schema broken.json

# ---- check ----

cat >cases.jsonl <<'CASES'
{"id":"types","draft":"draft7","schema":"{\"type\":[\"integer\",\"null\"]}","instances":[{"text":"1"},{"text":"1.0"},{"text":"1e1"},{"text":"1.5"},{"text":"null"},{"text":"\"1\""},{"text":""},{"text":"1 1"}]}
{"id":"order","schema":"{\"properties\":{\"a\":{\"type\":\"integer\"},\"b\":true},\"required\":[\"b\"]}","instances":[{"text":"{\"a\":1,\"b\":2}"},{"text":"{\"b\":2,\"a\":1}"},{"text":"{\"a\":1}"},{"text":"{ \"b\" :\n\t\n 2}"},{"text":"{\"a\":\"x\",\"b\":2}"},{"text":"{\"b\":2"}]}

{"id":"format \u00e9\"","schema":"{\"format\":\"ipv4\"}","instances":[{"text":"\"1.2.3.4\""},{"text":"\"one\""}]}
{"id":"asserted","schema":"{\"format\":\"ipv4\"}","options":{"formats":"assert","whitespace":"none","property_order":"any"},"instances":[{"text":"\"1.2.3.4\""},{"text":"\"one\""}]}
{"id":"nothing","schema":"false","instances":[{"text":"1"},{"text":"{}"}]}
{"id":"refer","schema":"{\"$ref\":\"http://example.com/a\"}","documents":["http://example.com/a"],"instances":[{"text":"1"},{"text":"\"a\""}]}
{"id":"unlisted","schema":"{\"$ref\":\"http://example.com/a\"}","instances":[{"text":"1"}]}
{"id":"broken","schema":"{\"type\":","instances":[{"text":"1"}]}
{"id":"content","schema":"true","options":{"content":"assert"},"instances":[{"text":"1"}]}
CASES
cat >documents.jsonl <<'DOCUMENTS'
{"uri":"http://example.com/a#","text":"{\"type\":\"integer\"}"}
{"uri":"http://example.com/b","text":"true"}
DOCUMENTS
claim "check answers good cases with exit status 0" \
    has_status 0 sh -c "'$gmask' check --documents documents.jsonl cases.jsonl >answers.jsonl"
answer() { # id, text
    grep -F "{\"id\":\"$1\"," answers.jsonl >line
    cat line
    grep -qF -- "$2" line
}
claim "every case has its answer line" [ "$(wc -l <answers.jsonl)" -eq 9 ]
claim "integers have every spelling, and a text is read to its end" \
    answer types '"status":"ok"'
claim "results are in the order of instances" answer types '"results":[true,true,true,false,true,false,false,false]'
claim "keys come in any order, white space is free" answer order '"results":[true,true,false,true,false,false]'
claim "formats are annotations, ids are written as JSON" answer 'format é\"' '"results":[true,true]'
claim "a case can have its formats asserted, or is refused" sh -c "
    grep -F '\"asserted\"' answers.jsonl | grep -qE '\"results\":\[true,false\]|\"status\":\"refused\".*\"keyword\":\"format\"'"
claim "no document is valid under false" answer nothing '"status":"ok"'
claim "no document is valid under false: results" answer nothing '"results":[false,false]'
claim "a case refers to the documents it lists" answer refer '"results":[true,false]'
claim "a case sees no document it does not list" answer unlisted '"status":"refused"'
claim "a schema that is no JSON is refused by a word" answer broken '"code":"invalid-schema"'
claim "an option that cannot be kept is refused" answer content '"code":"unsupported"'
claim "compile time is given" answer types '"compile_us":'

line='{"id":"o","schema":"{\"properties\":{\"a\":true,\"b\":true}}","instances":[{"text":"{\"b\":1,\"a\":1}"}]}'
printf '%s\n' "$line" >order.jsonl
claim "declared order can be asked for" prints '"results":[false]' "$gmask" check --property-order=declared order.jsonl
claim "check reads standard input" sh -c "'$gmask' check <order.jsonl | grep -qF '\"results\":[true]'"
line='{"id":"o","schema":"{\"properties\":{\"a\":true,\"b\":true}}","options":{"property_order":"any"},"instances":[{"text":"{\"b\":1,\"a\":1}"}]}'
printf '%s\n' "$line" >order.jsonl
claim "a case goes before the command line" prints '"results":[true]' "$gmask" check --property-order=declared order.jsonl
printf 'no JSON\n{"id":"x","schema":"true","instances":[{"text":"1"}]}\n{"id":"y"}\n' >bad.jsonl
claim "a line that is no case is a failed job" has_status 1 "$gmask" check bad.jsonl
claim "a line that is no case is named" says "gmask: bad.jsonl: line 3: " "$gmask" check bad.jsonl
claim "cases after a bad line are answered" prints '"id":"x"' "$gmask" check bad.jsonl
"$gmask" check cases.jsonl --documents documents.jsonl 2>/dev/null | sed 's/"compile_us":[0-9]*//' >again.jsonl
sed 's/"compile_us":[0-9]*//' answers.jsonl >before.jsonl
claim "answers are the same twice" cmp before.jsonl again.jsonl

# ---- generate ----

for schema in "$examples"/*.json; do
    name=$(basename "$schema" .json)
    claim "documents of $name end" has_status 0 \
        sh -c "'$gmask' generate --schema '$schema' -n 4 --seed 5 --whitespace=compact >$name.jsonl"
    claim "there are as many documents of $name as asked for" [ "$(wc -l <"$name.jsonl")" -eq 4 ]
    if command -v jq >/dev/null 2>&1; then
        jq -cn --rawfile schema "$schema" --rawfile documents "$name.jsonl" \
            '{id: "g", schema: $schema, options: {formats: "assert", property_order: "declared", whitespace: "none"},
              instances: [$documents | rtrimstr("\n") | split("\n")[] | {text: .}]}' >"$name.case"
        claim "check accepts what generate writes for $name" prints '"results":[true,true,true,true]' \
            "$gmask" check "$name.case"
    fi
done
if command -v python3 >/dev/null 2>&1; then
    claim "documents are JSON" python3 -c '
import json, sys
for path in sys.argv[1:]:
    for line in open(path, encoding="utf-8", newline="\n"):
        json.loads(line)' answer.jsonl person.jsonl reading.jsonl route.jsonl tool-call.jsonl tree.jsonl
else
    echo "SKIP documents are JSON: no python3"
fi
command -v jq >/dev/null 2>&1 || echo "SKIP check accepts what generate writes: no jq"
"$gmask" generate --schema "$examples/person.json" -n 3 --seed 7 -q >seven.out 2>seven.err
"$gmask" generate --schema "$examples/person.json" -n 3 --seed 7 -q >again.out 2>/dev/null
"$gmask" generate --schema "$examples/person.json" -n 3 --seed 8 -q >eight.out 2>/dev/null
claim "the same seed gives the same documents" cmp seven.out again.out
claim "another seed gives others" has_status 1 cmp -s seven.out eight.out
claim "quiet is quiet" is_empty seven.err
claim "a summary goes to standard error" says "documents" "$gmask" generate --schema "$examples/person.json" -n 2
claim "a document that does not end is a failed job" has_status 1 \
    "$gmask" generate --schema "$examples/person.json" --max-tokens 3
claim "a schema is read from standard input" has_status 0 \
    sh -c "echo '{\"const\":[true,null]}' | '$gmask' generate --schema - --whitespace compact | grep -qxF '[true,null]'"
printf 'false' >false.json
claim "a schema without documents is a failed job" has_status 1 "$gmask" generate --schema false.json
printf '{"items":{"$dynamicRef":7}}' >wrong.json
claim "a schema that is none is a failed job" has_status 1 "$gmask" generate --schema wrong.json

# ---- vocab ----

claim "the shipped vocabulary has no missing byte" prints "missing bytes 0" "$gmask" vocab
claim "saved tables are the same vocabulary" sh -c "
    '$gmask' vocab --save tables.gm --json | sed 's/.*\"digest\"//' >one && '$gmask' vocab tables.gm --json | sed 's/.*\"digest\"//' >two && cmp one two"
claim "saved tables serve a generation" sh -c "
    '$gmask' generate --vocab tables.gm --schema '$examples/person.json' -n 3 --seed 7 -q | cmp - seven.out"
head -c 4000 tables.gm >cut.gm
claim "cut tables are refused" has_status 1 "$gmask" vocab cut.gm
claim "cut tables are named" says "gmask: cut.gm: " "$gmask" vocab cut.gm
claim "any other file is refused" has_status 1 "$gmask" vocab cases.jsonl

# vocab1: id 0 to 255 are the bytes, then "true", "[tru" and the stop token 258
{
    echo 'vocab1 259 258'
    awk 'BEGIN { for (i = 0; i < 256; i++) printf "%02x\n", i; print "74727565"; print "5B747275"; print "!end" }'
} >bytes.vocab1
claim "vocab1 is read" prints "stop tokens   258" "$gmask" vocab bytes.vocab1
claim "vocab1 has its kind" prints '"kind":"vocab1","token_count":259' "$gmask" vocab --json bytes.vocab1
claim "stop tokens are given by id" prints "stop tokens   10" "$gmask" vocab bytes.vocab1 --stop 10
claim "stop tokens are given by text" prints "stop tokens   256" "$gmask" vocab bytes.vocab1 --stop true
claim "a stop token must be there" has_status 1 "$gmask" vocab bytes.vocab1 --stop 259
for wrong in 'vocab1 2 0\n61\n6\n' 'vocab1 2 0\n61\n' 'vocab1 2 0\n61\n62\n63\n' 'vocab1 2 2\n61\n62\n' \
    'vocab1 2\n61\n62\n' 'vocab1 2 0\n61\nzz\n' 'vocab1 99999999999999999999 0\n' 'vocab1 0 0\n' 'vocab1 2 0,\n61\n62\n'; do
    # shellcheck disable=SC2059 # the lines are escaped in it
    printf "$wrong" >wrong.vocab1
    claim "vocab1 is refused: $wrong" has_status 1 "$gmask" vocab wrong.vocab1
    claim "vocab1 is refused by its line: $wrong" says "gmask: wrong.vocab1: line " "$gmask" vocab wrong.vocab1
done

# ---- explain, check-schema, bench ----

claim "explain prints something" sh -c "[ \$('$gmask' explain --schema '$examples/person.json' | wc -c) -gt 10 ]"
claim "explain draws a graph" prints "digraph" "$gmask" explain --dot --schema "$examples/person.json"
claim "check-schema tells what is enforced" prints "enforced" "$gmask" check-schema "$examples/person.json"
claim "check-schema ends well for a good schema" has_status 0 "$gmask" check-schema "$examples/person.json"
claim "check-schema fails for a schema that is none" has_status 1 "$gmask" check-schema broken.json
if command -v jq >/dev/null 2>&1; then
    claim "a report is JSON" sh -c "'$gmask' check-schema --json '$examples/person.json' | jq -e . >/dev/null"
    claim "facts of a vocabulary are JSON" sh -c "'$gmask' vocab --json | jq -e .token_count >/dev/null"
    claim "answers are JSON" sh -c "jq -es 'length == 9' answers.jsonl"
else
    echo "SKIP output is JSON: no jq"
fi
claim "bench accepts what was generated" prints "4, 4 accepted" \
    "$gmask" bench --schema "$examples/person.json" --instances person.jsonl
claim "bench names a document that is not valid" says "not valid at token" \
    "$gmask" bench --schema "$examples/person.json" "$examples/person.json"

# ---- bench serve ----

# true; tru; [true]; an id that is none; "true" from two tokens, and one token past its end
cat >jobs.jsonl <<'JOBS'
{"name":"j \"1\"","schema":{"type":"boolean","$comment":"}\\\" ]"},"tests":[{"valid":true,"tokens":[256]},{"valid":false,"tokens":[116,114,117]},{"valid":false,"tokens":[257,101,93]},{"valid":false,"tokens":[9999999999]},{"valid":true,"tokens":[116,114,117,101]},{"valid":false,"tokens":[256,101]}]}
{"tests":[{"valid":true,"tokens":[256]},{"valid":false,"tokens":[257,101,93]}],"schema":{"type":"array"},"name":"wrong"}
{"name":"none","schema":{"type":7},"tests":[{"valid":true,"tokens":[256]}]}
JOBS
claim "bench serve answers" has_status 0 \
    sh -c "'$gmask' bench serve --vocab bytes.vocab1 <jobs.jsonl >results.jsonl"
claim "bench serve says when it is ready" sh -c "head -n 1 results.jsonl | grep -q '^{\"ready\":true,\"engine\":\"gmask\"'"
claim "every job has a result" [ "$(wc -l <results.jsonl)" -eq 4 ]
if command -v jq >/dev/null 2>&1; then
    claim "a job is judged" sh -c "jq -es '.[1].outcome == \"pass\"' results.jsonl"
    claim "names come back" sh -c "jq -es '.[1].name == \"j \\\"1\\\"\"' results.jsonl"
    claim "tests are accepted or not" \
        sh -c "jq -es '[.[1].tests[].accepted] == [true, false, false, false, true, false]' results.jsonl"
    claim "masks are counted" sh -c "jq -es '[.[1].tests[].masks] == [2, 4, 1, 1, 5, 2]' results.jsonl"
    claim "commits are counted" sh -c "jq -es '[.[1].tests[].commits] == [1, 3, 0, 0, 4, 1]' results.jsonl"
    claim "every mask has a time" sh -c "jq -es '.[1] | (.tbm_us | length) == 15 and (.commit_us | length) == 9' results.jsonl"
    claim "the time to the first mask is compiling and masking" \
        sh -c "jq -es '.[1] | (.compile_us + .first_mask_us - .ttfm_us | fabs) < 0.01' results.jsonl"
    claim "a wrong judgement is told" sh -c "jq -es '.[2].outcome == \"wrong_reject\"' results.jsonl"
    claim "a schema that is none is a compile error" \
        sh -c "jq -es '.[3].outcome == \"compile_error\" and (.[3].error | length) > 0' results.jsonl"
else
    echo "SKIP results of bench serve: no jq"
fi

# ---- shared cases ----

if [ -n "$shared" ] && [ -r "$shared/cases/reports.jsonl" ] && command -v python3 >/dev/null 2>&1; then
    claim "shared cases are answered" sh -c "'$gmask' check '$shared/cases/reports.jsonl' >reports.answers"
    claim "no shared report is answered wrongly" python3 "$shared/cases/score_cases.py" -c "$shared/cases/reports.jsonl" \
        -a reports.answers --max-wrong 0
else
    echo "SKIP shared cases: GM_SHARED has no cases/reports.jsonl, or no python3"
fi

echo "test_cli.sh: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
