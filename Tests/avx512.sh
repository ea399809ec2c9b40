#!/usr/bin/env bash
# avx512.sh - the AVX-512 kernels with their instructions emulated in C, for machines without them.
# They are also compiled for real, so that the compiler sees each instruction.
set -eu
cd "$(dirname "$0")/.."
[ "$(uname -m)" = x86_64 ] || { echo "SKIP avx512: not an x86-64 machine"; exit 0; }
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
flags="-std=c11 -O1 -g -DGM_DEBUG -Wall -Wextra -Werror -Iinclude -Icsrc -ITests/c -pthread"
kernels="csrc/mask/kernels_portable.c csrc/mask/kernels_avx512.c Tests/avx512/kernels.c"

${CC:-cc} $flags -O2 -c csrc/mask/kernels_avx512.c -o "$room/real.o"
for test in test_kernels test_logits; do
    extra=
    [ $test = test_logits ] && extra=csrc/api/api_logits.c
    ${CC:-cc} -ITests/avx512 $flags -DGM_TARGET= Tests/c/$test.c $kernels $extra -o "$room/$test"
    env -u GM_CPU "$room/$test"
done
