#!/bin/sh
# public_refresh.sh [GCC [INCLUDE]] : writes cmake/libtern.map and cmake/libtern.abi again from the public headers
# (build/include) Before: read "Stability" in docs/47-library.md. After: look at the difference; lines that go or
# change break compiled programs.
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -eu
here=$(cd "$(dirname "$0")" && pwd)
gcc=${1:-gcc} include=${2:-$here/../build/include}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck disable=SC2046 # names of headers, without blanks
sh "$here/public_functions.sh" "$gcc" "$include" $(cd "$include" && ls tern/*.h) | sed 's/.*/    &;/' >"$work/names"
sh "$here/public_abi.sh" "$gcc" "$include" >"$work/abi"
[ "$(wc -l <"$work/names")" -ge 100 ] ||
    { echo "public_refresh: the headers in $include are not those of Tern" >&2; exit 1; }
{
    sed '/^global:/q' "$here/libtern.map"
    cat "$work/names"
    sed -n '/^local:/,$p' "$here/libtern.map"
} >"$work/map"
cat "$work/map" >"$here/libtern.map"
cat "$work/abi" >"$here/libtern.abi"
