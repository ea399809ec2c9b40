#!/bin/sh
# need_python.sh PACKAGE... - prints the path of a Python that has these packages, by their import names.
#
# That is python3 itself if it has them, else one in BUILD/python (default build/python), a virtual environment
# that is made, and filled from the package index, where possible. Exit status 1 when there is none.
set -u
cd "$(dirname "$0")/.." || exit 1
room=${BUILD:-build}/python
case $room in /*) ;; *) room=$PWD/$room ;; esac

has_all() { # python, packages
    python=$1
    shift
    for package in "$@"; do "$python" -c "import $package" >/dev/null 2>&1 || return 1; done
}

command -v python3 >/dev/null 2>&1 || exit 1
if has_all python3 "$@"; then
    command -v python3
    exit 0
fi
if [ ! -x "$room/bin/python3" ]; then
    mkdir -p "$(dirname "$room")"
    python3 -m venv "$room" >/dev/null 2>&1 || { rm -rf "$room"; exit 1; }
fi
has_all "$room/bin/python3" "$@" || "$room/bin/python3" -m pip install --quiet --disable-pip-version-check "$@" >&2 || exit 1
has_all "$room/bin/python3" "$@" || exit 1
echo "$room/bin/python3"
