#!/usr/bin/env bash
# consumer_cmake.sh - installs the library, static and shared, and builds a program against it as users do:
# through find_package and through pkg-config. The program makes a vocabulary and prints the version.
set -eu
cd "$(dirname "$0")/.."
source=$PWD
command -v cmake >/dev/null || { echo "SKIP consumer_cmake: no cmake"; exit 0; }
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
passed=0

quietly() { # runs a command; its output is shown only when it fails
    "$@" >"$room/log" 2>&1 || { cat "$room/log" >&2; echo "consumer_cmake.sh: failed: $*" >&2; exit 1; }
}

mkdir "$room/user"
cat >"$room/user/main.c" <<'TEXT'
#include <gmask/gmask.h>
#include <stdio.h>

int main(void)
{
    const uint8_t *const texts[] = {(const uint8_t *)"{", (const uint8_t *)"}"};
    const size_t lengths[] = {1, 1};
    gm_vocab_desc desc = {.struct_size = sizeof desc, .token_count = 2, .texts = texts, .lengths = lengths};
    gm_vocab *vocab = NULL;
    gm_error error;
    if (gm_vocab_create(&desc, &vocab, &error) != GM_OK || gm_vocab_mask_words(vocab) != 1)
        return 1;
    gm_vocab_release(vocab);
    puts(gm_version());
    return 0;
}
TEXT
cat >"$room/user/files.c" <<'TEXT'
#include <gmask/files.h>

int main(void)
{
    gm_vocab *vocab = NULL;
    return gm_vocab_open("no such file", NULL, &vocab, NULL) != GM_IO;
}
TEXT
cat >"$room/user/CMakeLists.txt" <<'TEXT'
cmake_minimum_required(VERSION 3.16)
project(user C)
find_package(gmask 0.1 REQUIRED)
add_executable(user main.c)
target_link_libraries(user PRIVATE gmask::gmask)
if(gmask_files_FOUND)
  add_executable(files files.c)
  target_link_libraries(files PRIVATE gmask::files)
endif()
TEXT

says_version() { # program; the version must be the header's
    local version
    version=$("$1")
    [ "$version" = "$(sed -n 's/^#define GM_VERSION_[MP][A-Z]* \([0-9]*\)$/\1/p' "$source/include/gmask/gmask.h" | paste -sd. -)" ] ||
        { echo "consumer_cmake.sh: $1 says $version" >&2; exit 1; }
    passed=$((passed + 1))
}

for shared in OFF ON; do
    prefix=$room/prefix-$shared
    quietly cmake -S "$source" -B "$room/build-$shared" -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=$shared \
        -DCMAKE_INSTALL_PREFIX="$prefix" -DCMAKE_INSTALL_LIBDIR=lib ${GMASK_CMAKE_OPTIONS:-}
    quietly cmake --build "$room/build-$shared" -j2
    quietly cmake --install "$room/build-$shared"

    quietly cmake -S "$room/user" -B "$room/user-$shared" -DCMAKE_PREFIX_PATH="$prefix"
    quietly cmake --build "$room/user-$shared"
    says_version "$room/user-$shared/user"
    if [ -e "$room/user-$shared/files" ]; then
        quietly "$room/user-$shared/files"
        passed=$((passed + 1))
    else
        echo "SKIP consumer_cmake files: built without json-c"
    fi
    if [ -e "$prefix/bin/gmask" ]; then
        quietly "$prefix/bin/gmask" --help
        passed=$((passed + 1))
    fi

    if command -v pkg-config >/dev/null; then
        export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
        static=--static
        [ $shared = ON ] && static=
        quietly ${CC:-cc} "$room/user/main.c" $(pkg-config $static --cflags --libs gmask) -Wl,-rpath,"$prefix/lib" \
            -o "$room/pkg-$shared"
        says_version "$room/pkg-$shared"
    else
        echo "SKIP consumer_cmake pkg-config: no pkg-config"
    fi

    if [ $shared = ON ] && command -v readelf >/dev/null; then
        readelf -d "$prefix/lib/libgmask.so" | grep -qE 'SONAME.*libgmask\.so\.(0\.[0-9]+|[1-9][0-9]*)\]' ||
            { echo "consumer_cmake.sh: the soname does not name the ABI" >&2; exit 1; }
        passed=$((passed + 1))
    fi
done

if command -v c++ >/dev/null; then
    printf '#include <gmask/gmask.h>\nint main() { return gm_version() == nullptr; }\n' >"$room/user/main.cc"
    quietly c++ -std=c++11 -Wall -Wextra -Werror -I"$prefix/include" "$room/user/main.cc" -L"$prefix/lib" -lgmask \
        -Wl,-rpath,"$prefix/lib" -o "$room/cplusplus"
    quietly "$room/cplusplus"
    passed=$((passed + 1))
fi
echo "consumer_cmake.sh: $passed passed, 0 failed"
