#!/bin/sh
# Puts a file between two marks of a page, or (--check) tells whether it is there.
#     sh cmake/bench_table.sh [--check] PAGE TABLE
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -eu
check=''
[ "$1" = --check ] && { check=1; shift; }
page=$1 table=$2
new=$(mktemp)
trap 'rm -f "$new"' EXIT
awk -v table="$table" '
    /^<!-- bench: begin/ { print; while ((getline line < table) > 0) print line; inside = 1; n++ }
    /^<!-- bench: end/ { inside = 0; m++ }
    !inside { print }
    inside && /^<!-- bench: begin/ { next }
    END { exit !(n == 1 && m == 1) }' "$page" >"$new" || { echo "$page has no place for the table" >&2; exit 1; }
if [ -n "$check" ]; then
    cmp "$new" "$page" || { echo "make it again: sh cmake/bench_table.sh $page $table" >&2; exit 1; }
else
    cat "$new" >"$page"
fi
