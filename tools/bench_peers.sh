#!/usr/bin/env bash
# bench_peers.sh [N] - this engine and two others on the first N (default 60, at most 600) schemas of a fixed sample of
# MaskBench, with the vocabulary of Llama 3: engines one after another, and tables of what they took.
#
#   DATA       a MaskBench checkout's folder maskbench/data, or maskbench.jsonl.xz (default that of GM_SHARED)
#   TOKENIZER  Llama 3's rank file tokenizer.model (default that of GM_SHARED)
#   LIST       names of the sample's schemas (default tools/peers/sample600.txt; sample600b.txt there is a second one)
#   RUNS       runs (default 1); of several, each measurement counts with its least time, which takes the noise of other
#              work on the machine out of the tail
#   ENGINES    the others (default llg,xgr; tools/peers/README.md has more, and how to add one)
#   OPTIONS    further options of `gmask bench serve`
#   WRITE      files that get the comparison with the better peer as markdown, or get it between two marks if they have
#              them (default: none)
#
# Paths are from the root of the repository. GM_SHARED (default ../shared) is the folder of the data that tests use. The
# other engines come from the package index into a virtual environment under BUILD; results stay in BUILD/peers.
set -eu
cd "$(dirname "$0")/.."
count=${1:-60}
build=${BUILD:-build}
shared=${GM_SHARED:-../shared}
data=${DATA:-$shared/cases/maskbench.jsonl.xz}
ranks=${TOKENIZER:-$shared/tokenizers/llama3.tiktoken.xz}
list=${LIST:-tools/peers/sample600.txt}
runs=${RUNS:-1}
others=${ENGINES:-llg,xgr}
room=$build/peers
for needed in "$data" "$ranks" "$list"; do
    [ -e "$needed" ] || { echo "SKIP bench-peers: no $needed"; exit 0; }
done
write=()
for file in ${WRITE:-}; do
    [ -d "$(dirname "$file")" ] || { echo "bench-peers: no folder for $file" >&2; exit 1; }
    write+=(--write "$file")
done
mkdir -p "$room"

python=$room/python/bin/python3
if ! "$python" -c 'import llguidance, numpy, tiktoken, tvm_ffi' >/dev/null 2>&1 ||
    ! "$python" -m pip show -q xgrammar >/dev/null 2>&1; then
    python3 -m venv "$room/python"
    "$python" -m pip install --quiet --disable-pip-version-check llguidance==1.9.1 numpy tiktoken apache-tvm-ffi
    "$python" -m pip install --quiet --disable-pip-version-check --no-deps xgrammar==0.2.9
fi
export PYTHONDONTWRITEBYTECODE=1 # the sources' folder stays as it is

if [ "${ranks%.xz}" != "$ranks" ]; then
    xz -dc "$ranks" >"$room/tokenizer.model"
    ranks=$room/tokenizer.model
fi
gmask=$(cd "$build/bin" && pwd)/gmask
folders=()
for run in $(seq "$runs"); do
    "$python" tools/peers/run.py --data "$data" --vocab "$ranks" --sample "$list" --first "$count" \
        --engines "$others,ours=$gmask bench serve ${OPTIONS:-}" --out "$room/run$run"
    folders+=("$room/run$run")
done

command="make bench-peers SAMPLE=$count RUNS=$runs LIST=${list#"$PWD"/} OPTIONS=\"${OPTIONS:-}\""
[ "$others" = llg,xgr ] || command="$command ENGINES=\"$others\""
labels=$(sed 's/=[^,]*//g' <<<"$others,ours")
"$python" tools/peers/table.py "${folders[@]}" --engines "$labels" --beside ours \
    ${write[@]+"${write[@]}"} --command "$command"
