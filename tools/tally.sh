#!/usr/bin/env bash
# tally.sh LOG COMMAND... - runs the parts of a test run, all of them even if some fail, and adds up.
#
# What counts are lines "name: N passed, N failed". A part that fails without such a line, because it does not
# build or dies, counts as one failure. Skipped parts say "SKIP name: reason" and are listed at the end. The last
# line is "N passed, N failed".
set -u
log=$1
shift
mkdir -p "$(dirname "$log")"
: >"$log"

count() { # log; prints "passed failed"
    awk 'match($0, /: [0-9]+ passed, [0-9]+ failed/) {
            split(substr($0, RSTART + 2, RLENGTH - 2), part, " ")
            passed += part[1]; failed += part[3]
        }
        END { print passed + 0, failed + 0 }' "$1"
}

part=$(mktemp)
trap 'rm -f "$part"' EXIT
passed=0 failed=0
for command in "$@"; do
    bash -c "$command" 2>&1 | tee "$part"
    status=${PIPESTATUS[0]}
    cat "$part" >>"$log"
    read -r good bad <<<"$(count "$part")"
    if [ "$status" != 0 ] && [ "$bad" = 0 ]; then
        bad=1
        echo "failed with exit status $status: $command" | tee -a "$log"
    fi
    passed=$((passed + good)) failed=$((failed + bad))
done
grep '^SKIP ' "$log" | sort -u
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
