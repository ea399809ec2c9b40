#!/usr/bin/env bash
# bench_peers.sh [N] - this engine and two others on the first N (default 60, at most 600) schemas of a fixed sample of
# MaskBench, with the vocabulary of Llama 3: one run, engines one after another, and the table.
#
# Data and the driver come from GM_SHARED (default ../shared), the other engines from the package index into a virtual
# environment under BUILD. RUNS (default 1) runs; with more, each measurement counts with its least time, which takes
# the noise of other work on the machine out of the tail. ENGINES (default llg,xgr) chooses the others; OPTIONS are
# further options of `gmask bench serve`. Results stay in BUILD/peers.
set -eu
cd "$(dirname "$0")/.."
count=${1:-60}
build=${BUILD:-build}
shared=${GM_SHARED:-../shared}
runs=${RUNS:-1}
others=${ENGINES:-llg,xgr}
room=$build/peers
tools=$shared/tools/peers
for needed in "$tools/run.py" "$shared/cases/maskbench.jsonl.xz" "$shared/tokenizers/llama3.tiktoken.xz"; do
    [ -e "$needed" ] || { echo "SKIP bench-peers: no $needed"; exit 0; }
done
mkdir -p "$room"

python=$room/python/bin/python3
if ! "$python" -c 'import llguidance, numpy, tiktoken, tvm_ffi' >/dev/null 2>&1 ||
    ! "$python" -m pip show -q xgrammar >/dev/null 2>&1; then
    python3 -m venv "$room/python"
    "$python" -m pip install --quiet --disable-pip-version-check llguidance==1.9.1 numpy tiktoken apache-tvm-ffi
    "$python" -m pip install --quiet --disable-pip-version-check --no-deps xgrammar==0.2.9
fi

[ -e "$room/tokenizer.model" ] || xz -dc "$shared/tokenizers/llama3.tiktoken.xz" >"$room/tokenizer.model"
gmask=$(cd "$build/bin" && pwd)/gmask
labels=$others,ours
folders=()
for run in $(seq "$runs"); do
    "$python" "$tools/run.py" --data "$shared/cases/maskbench.jsonl.xz" --vocab "$room/tokenizer.model" \
        --sample "$tools/sample600.txt" --first "$count" --engines "$others,ours=$gmask bench serve ${OPTIONS:-}" \
        --out "$room/run$run"
    folders+=("$room/run$run")
done
if [ "$runs" -gt 1 ]; then
    "$python" "$tools/table.py" --min "${folders[@]}" --engines "$labels"
else
    "$python" "$tools/table.py" $(for label in ${labels//,/ }; do echo "$room/run1/$label.jsonl"; done)
fi
