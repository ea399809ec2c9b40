#!/bin/sh
# docs.sh - builds the documentation of the Swift module with the toolchain's own docc.
#
# usage: tools/docs.sh [OUTPUT]       default output: build/docs
#
# Leaves OUTPUT/GrammarMask.doccarchive, a folder that any web server serves. A link that leads
# nowhere ends the script with 1. SwiftPM builds in SWIFT_SCRATCH or a temporary folder, not in the
# package's own .build, so that other builds are left alone.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
output=${1:-$root/build/docs}
scratch=${SWIFT_SCRATCH:-$(mktemp -d "${TMPDIR:-/tmp}/gmask-docs.XXXXXX")}
[ -n "${SWIFT_SCRATCH:-}" ] || trap 'rm -rf "$scratch"' EXIT

mkdir -p "$scratch"
cd "$root"
env -u CC swift package --scratch-path "$scratch" dump-symbol-graph --minimum-access-level public > "$scratch/dump.log" 2>&1 || {
  cat "$scratch/dump.log" >&2
  exit 1
}
symbols=$(find "$scratch" -type d -name symbolgraph | head -n 1)
[ -n "$symbols" ] || { echo "docs.sh: no symbol graph under $scratch" >&2; exit 1; }

# The module alone, without the C module and the tests beside it.
mkdir -p "$scratch/graph" "$output"
rm -f "$scratch/graph"/*
find "$symbols" -name 'GrammarMask.symbols.json' -exec cp {} "$scratch/graph/" \;

rm -rf "$output/GrammarMask.doccarchive"
docc convert Sources/GrammarMask/GrammarMask.docc \
  --additional-symbol-graph-dir "$scratch/graph" \
  --fallback-display-name GrammarMask --fallback-bundle-identifier GrammarMask \
  --output-path "$output/GrammarMask.doccarchive" > "$scratch/docc.log" 2>&1 || { cat "$scratch/docc.log" >&2; exit 1; }

# A parameter is documented only where its name does not say it; everything else that docc warns of is a mistake.
if grep '^warning:' "$scratch/docc.log" | grep -qv 'is missing documentation'; then
  cat "$scratch/docc.log" >&2
  exit 1
fi
echo "docs.sh: $output/GrammarMask.doccarchive"
