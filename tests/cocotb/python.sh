#!/bin/sh
# python.sh : the Python packages of requirements.txt in an environment of their own, made once
#     sh python.sh VENV [there]     there: makes nothing, only tells
# Exit status 0: they are there; 1: with CI=true they cannot be had; 77: the same without CI=true: what needs them is skipped, and told.
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -u
[ $# -eq 1 ] || [ "$*" = "$1 there" ] || { echo "usage: python.sh VENV [there]" >&2; exit 2; }
venv=$1
wanted=$(cd "$(dirname "$0")" && pwd)/requirements.txt
cmp -s "$wanted" "$venv/done.txt" && exit 0
missing() {
    if [ "${CI:-}" = true ]; then
        echo "FAILED: $1"
        exit 1
    fi
    echo "SKIP: $1"
    exit 77
}
[ $# -eq 1 ] || missing "needs cocotb and FuseSoC, which the test cocotb.python could not install"
[ ! -L "$venv" ] || rm -rf "$(dirname "$(readlink "$venv")")"
rm -rf "$venv"
case $venv in # cocotb's make takes no blanks: then it lies elsewhere, and here is a link to it
*[[:space:]]*)
    mkdir -p "$(dirname "$venv")" && real=$(mktemp -d /tmp/tern-venv.XXXXXX) && mkdir "$real/venv" &&
        ln -s "$real/venv" "$venv" || exit 1 ;;
esac
python3 -m venv "$venv" >"$venv.log" 2>&1 || { tail -n 3 "$venv.log"; missing "needs Python's venv (Debian: python3-venv)"; }
"$venv/bin/python" -m pip install --disable-pip-version-check --no-input --retries 1 -r "$wanted" >>"$venv.log" 2>&1 ||
    { grep -E 'ERROR|rror:' "$venv.log" | tail -n 3; rm -rf "$venv"; missing "needs cocotb and FuseSoC, which pip could not install (no network?); log: $venv.log"; }
cp "$wanted" "$venv/done.txt"
