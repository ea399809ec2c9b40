#!/usr/bin/env bash
# neon.sh - the NEON kernels: on 64-bit ARM as they are, elsewhere cross-compiled and run under qemu.
# Missing packages are installed when that is possible without asking; otherwise the test is skipped.
set -eu
cd "$(dirname "$0")/.."
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
flags="-std=c11 -O2 -g -DGM_DEBUG -Wall -Wextra -Werror -Iinclude -Icsrc -ITests/c"
kernels=$(echo csrc/mask/kernels*.c)

have() { command -v "$1" >/dev/null 2>&1; }

if [ "$(uname -m)" = aarch64 ] || [ "$(uname -m)" = arm64 ]; then
    compile="${CC:-cc}" run=
else
    if ! have aarch64-linux-gnu-gcc || ! have qemu-aarch64; then
        if have apt-get && [ "$(id -u)" = 0 ]; then
            { apt-get update && apt-get install -y gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user; } \
                >"$room/install.log" 2>&1 || true
        fi
    fi
    have aarch64-linux-gnu-gcc || { echo "SKIP neon: no aarch64-linux-gnu-gcc"; exit 0; }
    have qemu-aarch64 || { echo "SKIP neon: no qemu-aarch64"; exit 0; }
    compile="aarch64-linux-gnu-gcc -static" run=qemu-aarch64
fi

for test in test_kernels test_logits; do
    extra=
    [ $test = test_logits ] && extra=csrc/api/api_logits.c
    $compile $flags Tests/c/$test.c $kernels $extra -lm -o "$room/$test"
    $run "$room/$test"
    GM_CPU=scalar $run "$room/$test"
done
