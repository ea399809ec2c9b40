#!/bin/sh
# Walks random documents on the vocabularies of real models: see walks.c.
#
#   Tests/conformance/run.sh [BUILD]
#   WALKS="- NAME" Tests/conformance/run.sh [BUILD] <SCHEMAS
#
# Takes the packed files from $GM_SHARED/tokenizers (default ../shared) and unpacks them into a
# folder of its own, which it removes. Needs `make lib files BUILD=…` done before.
set -eu
cd "$(dirname "$0")/../.."
build=${1:-build}
tokenizers=${GM_SHARED:-../shared}/tokenizers
if [ ! -d "$tokenizers" ]; then
    echo "SKIP conformance walks: no folder $tokenizers (set GM_SHARED)"
    exit 0
fi
if ! command -v xz >/dev/null 2>&1; then
    echo "SKIP conformance walks: no xz"
    exit 0
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT INT TERM
for name in llama3.tiktoken mistral_v3.spm.model gemma3.gguf cohere.tokenizer.json mon.tokenizer.json; do
    xz -dc "$tokenizers/$name.xz" >"$folder/$name"
done
${CC:-cc} ${CFLAGS:--O2 -g} -std=c11 -Wall -Wextra -Iinclude -Iinclude-files -Icsrc -ITests/c -D_GNU_SOURCE \
    Tests/conformance/walks.c "$build/lib/libgmask_files.a" "$build/lib/libgmask.a" \
    $(pkg-config --libs json-c 2>/dev/null || echo -ljson-c) -lpthread -lm -o "$folder/walks"
"$folder/walks" "$folder" ${WALKS:-}
