#!/usr/bin/env bash
# format.sh - lays sources out: Swift with the toolchain's own formatter; C with clang-format where it is installed.
set -eu
cd "$(dirname "$0")/.."
if command -v swift >/dev/null 2>&1; then
    swift format --in-place --parallel --recursive Package.swift Sources Tests examples
else
    echo "SKIP format Swift: no swift"
fi
if command -v clang-format >/dev/null 2>&1 && [ -e .clang-format ]; then
    find csrc include include-files Tests fuzz examples -name '*.[ch]' ! -name 'unicode_tables.*' \
        ! -name 'shipped_vocabulary.c' -print0 | xargs -0 clang-format -i
else
    echo "SKIP format C: no clang-format, or no .clang-format"
fi
# Blanks at the end of lines, whoever wrote them.
git ls-files -z '*.c' '*.h' '*.swift' '*.sh' '*.md' '*.py' Makefile 2>/dev/null | xargs -0 sed -i.bak 's/[[:blank:]]*$//'
find . -name '*.bak' -not -path './build/*' -not -path './.git/*' -delete
