#!/usr/bin/env bash
# check.sh - everything of the C side that is too slow for `make test`.
#
#   sanitizers  the C tests and the fuzz corpora under AddressSanitizer and UndefinedBehaviorSanitizer, clang and gcc
#   threads     the tests that have threads in their name, under ThreadSanitizer
#   analyzer    clang's static analyzer over csrc/
#   fuzz        every fuzz target, FUZZ_SECONDS (default 60) in all
#   processors  kernels of other processors under emulation
#   consumers   packages that depend on this one through CMake, pkg-config and SwiftPM
#
# PARTS chooses some of them; COMPILERS (default "clang gcc") those of the sanitizers. The last line is
# "N passed, N failed".
set -u
cd "$(dirname "$0")/.."
build=${BUILD:-build}/check
make="${MAKE:-make} --no-print-directory -s"
parts=${PARTS:-sanitizers threads analyzer fuzz processors consumers}
export JOBS=${JOBS:-2} CLANG=${CLANG:-clang}
export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_stack_use_after_return=1}
export UBSAN_OPTIONS=${UBSAN_OPTIONS:-print_stacktrace=1}
mkdir -p "$build"

commands=()
add() { commands+=("$1"); }
skip() { add "echo 'SKIP check $1'"; }
have() { command -v "$1" >/dev/null 2>&1; }
wants() { case " $parts " in *" $1 "*) return 0 ;; esac; return 1; }

if wants sanitizers; then
    flags="-O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=undefined"
    for compiler in ${COMPILERS:-$CLANG gcc}; do
        have "$compiler" || { skip "sanitizers: no $compiler"; continue; }
        name=$(basename "$compiler")
        linker=
        [[ $compiler == *clang* ]] && have ld.lld && linker=" -fuse-ld=lld -Wno-unused-command-line-argument" # gold warns of nothing
        for part in c-tests file-tests fuzz-replay; do
            add "echo '== $part under asan and ubsan, $name'; $make $part BUILD=$build/$name CC=$compiler DEBUG='$flags$linker'"
        done
    done
fi

if wants threads; then
    tests=$(cd Tests/c && ls | sed -n "s|^\(test_.*thread.*\)\.c\$|$build/tsan/tests/\1|p" | paste -sd' ' -)
    if [ -z "$tests" ]; then skip "threads: no test has threads in its name"
    elif ! have gcc; then skip "threads: no gcc"
    else # gcc: the runtime of other compilers may ask for libraries of its own
        add "echo '== threads under tsan'; $make -j$JOBS $tests BUILD=$build/tsan CC=gcc DEBUG='-O1 -g -fsanitize=thread' &&
             tools/run.sh $tests"
    fi
fi

if wants analyzer; then
    if have "$CLANG"; then add "echo '== static analysis'; tools/analyze.sh"; else skip "analyzer: no $CLANG"; fi
fi

if wants fuzz; then
    targets=$(for source in fuzz/*/fuzz.c; do basename "$(dirname "$source")"; done)
    seconds=$((${FUZZ_SECONDS:-60} / $(wc -w <<<"$targets") + 1))
    for target in $targets; do add "echo '== fuzz $target'; BUILD=$build tools/fuzz_for.sh $target $seconds"; done
fi

if wants processors; then
    add "echo '== AVX-512'; Tests/avx512.sh"
    add "echo '== NEON'; Tests/neon.sh"
fi
if wants consumers; then
    add "echo '== a consumer through CMake'; Tests/consumer_cmake.sh"
    add "echo '== a consumer through SwiftPM'; Tests/consumer_swift.sh"
fi
exec tools/tally.sh "$build/check.log" "${commands[@]}"
