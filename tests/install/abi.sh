#!/bin/sh
# abi.sh SOURCE INCLUDE GCC LIST : what compiled programs know of libtern.so is what LIST (cmake/libtern.abi) says
# Exit status 0: it is; 1: it is not, every line that differs is shown: "<" the list, ">" the headers.
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -eu
source=$1 include=$2 gcc=$3 list=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sh "$source/cmake/public_abi.sh" "$gcc" "$include" >"$work/now"
for kind in 'struct tern_state:' 'enum TERN_' '('; do
    grep -qF "$kind" "$work/now" || { echo "abi: no line with '$kind': is there debugging information?"; exit 1; }
done
if ! diff "$list" "$work/now" >"$work/diff"; then
    grep '^[<>]' "$work/diff"
    echo "abi: the interface differs from the list. Lines that are new only: refresh the list. Anything else"
    echo "     breaks programs that are compiled already: see \"Stability\" in docs/47-library.md first. Refresh:"
    echo "     sh cmake/public_refresh.sh"
    exit 1
fi
echo "$(wc -l <"$work/now") promises to compiled programs, all kept"
