#!/bin/sh
# The end of the demo that README.md shows is what the demo printed.
#     ./demo | tee demo.log; sh tests/setup/readme_output.sh README.md demo.log
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -eu
readme=$1 output=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
awk '/^Done\. /{ on = 1 } /^```/{ on = 0 } on' "$readme" >"$work/shown"
awk '/^Done\. /{ on = 1 } on' "$output" | head -n "$(wc -l <"$work/shown")" >"$work/printed"
[ -s "$work/shown" ] || { echo "README.md shows no output of the demo" >&2; exit 1; }
cmp -s "$work/shown" "$work/printed" || {
    echo "README.md does not show what the demo prints (< README, > demo):" >&2
    diff "$work/shown" "$work/printed" >&2 || true
    exit 1
}
