#!/usr/bin/env bash
# check.sh - everything of the C side that is too slow for `make test`; a quarter of an hour on two cores.
#
#   the C tests and the fuzz corpora under AddressSanitizer and UndefinedBehaviorSanitizer, by clang and by gcc;
#   the tests of threads under ThreadSanitizer; clang's static analyzer; fuzzing for FUZZ_SECONDS (default 60) in
#   all; kernels of other processors under emulation; packages that depend on this one through CMake and SwiftPM.
#
# PARTS chooses some of them (default: "sanitizers threads analyzer fuzz processors consumers").
# The last line is "N passed, N failed".
set -u
cd "$(dirname "$0")/.."
build=${BUILD:-build}/check
jobs=${JOBS:-2}
make="${MAKE:-make} --no-print-directory -s JOBS=$jobs"
parts=${PARTS:-sanitizers threads analyzer fuzz processors consumers}
clang=${CLANG:-clang}
gcc=${GCC:-gcc}
undefined="-O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=undefined"
export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_stack_use_after_return=1}
export UBSAN_OPTIONS=${UBSAN_OPTIONS:-print_stacktrace=1}
export CLANG=$clang
mkdir -p "$build"

have() { command -v "$1" >/dev/null 2>&1; }
wants() { case " $parts " in *" $1 "*) return 0 ;; esac; return 1; }

commands=()
skips=()

if wants sanitizers; then
    for cc in "$clang" "$gcc"; do
        if ! have "$cc"; then skips+=("SKIP check sanitizers $cc: not on this machine"); continue; fi
        name=$(basename "$cc")
        for part in c-tests file-tests fuzz-replay; do
            commands+=("tools/quiet.sh $part,$name,asan+ubsan $make $part BUILD=$build/$name CC=$cc DEBUG=$(tr ' ' '~' <<<"$undefined")")
        done
    done
fi

if wants threads; then
    threaded=$(cd Tests/c && ls | sed -n 's/^\(test_.*thread.*\)\.c$/\1/p')
    if [ -z "$threaded" ]; then skips+=("SKIP check threads: no test has threads in its name")
    elif ! have "$clang"; then skips+=("SKIP check threads: no $clang")
    else
        tests=
        for test in $threaded; do tests="$tests $build/tsan/tests/$test"; done
        commands+=("$make$tests BUILD=$build/tsan CC=$clang DEBUG=-O1~-g~-fsanitize=thread" "tools/run.sh$tests")
    fi
fi

if wants analyzer; then
    if have "$clang"; then commands+=("tools/analyze.sh $clang"); else skips+=("SKIP check analyzer: no $clang"); fi
fi

if wants fuzz; then
    targets=$(ls -d fuzz/*/)
    seconds=$((${FUZZ_SECONDS:-60} / $(wc -w <<<"$targets") + 1))
    for target in $targets; do commands+=("env BUILD=$build fuzz/run.sh $(basename "$target") $seconds"); done
fi

if wants processors; then commands+=(Tests/avx512.sh Tests/neon.sh); fi
if wants consumers; then commands+=(Tests/consumer_cmake.sh Tests/consumer_swift.sh); fi

for skip in ${skips[@]+"${skips[@]}"}; do echo "$skip"; done
exec tools/tally.sh "$build/check.log" "${commands[@]}"
