#!/bin/sh
# The picture of README.md is what the tree draws; a picture of another network is noticed.
#     sh picture_test.sh TERN ROOT
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -eu
tern=$1 root=$2 old=$2/docs/figures/digits2.svg
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 143' TERM INT
sh "$root/docs/figures/picture.sh" "$tern" --check "$old"
sed '/^after: /s/[0-9a-f]\{64\}/0000/' "$old" >"$work/other.svg"
if sh "$root/docs/figures/picture.sh" "$tern" --check "$work/other.svg" 2>"$work/said"; then
    echo "a picture of another network was accepted" >&2
    exit 1
fi
grep -q 'after differ: 0000 in the picture' "$work/said" || { echo "not named:" >&2; cat "$work/said" >&2; exit 1; }
