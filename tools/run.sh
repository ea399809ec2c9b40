#!/usr/bin/env bash
# run.sh COMMAND... - runs test programs one after another, all of them even if some fail. A program says
# "name: N passed, N failed" itself; one that dies before it could is said here. Exit status 1 if any failed.
set -u
bad=0
for program in "$@"; do
    output=$(mktemp)
    bash -c "$program" 2>&1 | tee "$output"
    status=${PIPESTATUS[0]}
    if [ "$status" != 0 ]; then
        bad=1
        grep -qE ' [1-9][0-9]* failed$' "$output" || echo "$(basename "${program%% *}"): 0 passed, 1 failed (exit status $status)"
    fi
    rm -f "$output"
done
exit $bad
