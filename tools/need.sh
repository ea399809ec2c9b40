#!/bin/sh
# need.sh - sees to it that libraries are there, by their pkg-config names.
#
#   tools/need.sh json-c libpcre2-8
#
# On Debian and Ubuntu, as root or with passwordless sudo, missing ones are installed; elsewhere the
# command that installs them is printed and the exit status is 1.
set -u
apt= brew=
for name in "$@"; do
    case $name in
    json-c) header=json-c/json.h debian=libjson-c-dev formula=json-c ;;
    libpcre2-8) header=pcre2.h debian=libpcre2-dev formula=pcre2 ;;
    *) echo "need: unknown library $name" >&2; exit 2 ;;
    esac
    if command -v pkg-config >/dev/null 2>&1 && pkg-config --exists "$name"; then continue; fi
    if printf '#define PCRE2_CODE_UNIT_WIDTH 8\n#include <%s>\n' "$header" | ${CC:-cc} -E - >/dev/null 2>&1; then continue; fi
    apt="$apt $debian" brew="$brew $formula"
done
[ -z "$apt" ] && exit 0
run=
[ "$(id -u)" = 0 ] || run="sudo -n"
if command -v apt-get >/dev/null 2>&1 && $run true 2>/dev/null; then
    echo "need: installing$apt"
    $run apt-get update -qq && $run env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq pkg-config $apt >/dev/null && exit 0
fi
echo "need: these libraries are missing. Install them with" >&2
echo "    apt-get install pkg-config$apt      (Debian, Ubuntu)" >&2
echo "    brew install pkg-config$brew        (macOS)" >&2
exit 1
