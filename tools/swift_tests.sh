#!/usr/bin/env bash
# swift_tests.sh SCRATCH LOG - swift test, quiet: what failed, and one line of totals. Everything else is in LOG.
#
# SCRATCH is a folder outside the package, where a build folder would confuse SwiftPM.
set -u
cd "$(dirname "$0")/.."
scratch=$1 log=$2
command -v swift >/dev/null 2>&1 || { echo "SKIP swift tests: no swift on this machine"; exit 0; }
mkdir -p "$(dirname "$log")"
env -u CC swift test --scratch-path "$scratch" -j "${JOBS:-2}" >"$log" 2>&1
status=$?
passed=$(grep -v 'Test run with' "$log" | grep -cE ' Test .* passed after [0-9.]+ seconds')
failed=$(grep -v 'Test run with' "$log" | grep -cE ' Test .* failed after [0-9.]+ seconds')
if [ "$status" != 0 ]; then
    grep -E 'recorded an issue|: error: |: warning: |[Ff]atal error|unexpected signal' "$log" | head -40
    [ "$failed" != 0 ] || { failed=1; tail -20 "$log"; }
fi
echo "swift test: $passed passed, $failed failed"
exit "$status"
