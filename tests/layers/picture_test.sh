#!/bin/sh
# layers.sh notices a layer that uses one more, and one that is new.
#     sh picture_test.sh ROOT LAYERS.TXT
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -eu
root=$1 list=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
draw() { sh "$root/docs/figures/layers.sh" "$work/list" "$@"; }
cp "$list" "$work/list"
draw "$work/layers.svg"
draw --check "$work/layers.svg"
sed 's/^report .*/& net/' "$list" >"$work/list"
if draw --check "$work/layers.svg" >/dev/null 2>&1; then echo "one use more is not noticed" >&2; exit 1; fi
{ cat "$list"; echo "new runtime/new base"; } >"$work/list"
if draw --check "$work/layers.svg" >/dev/null 2>&1; then echo "a new layer is not noticed" >&2; exit 1; fi
draw "$work/layers.svg"
grep -q '>runtime/new<' "$work/layers.svg" || { echo "the new layer is not drawn" >&2; exit 1; }
