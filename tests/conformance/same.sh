#!/bin/sh
# The vectors of the tree are those that conformance_make makes.
#     sh same.sh CONFORMANCE_MAKE SOURCE-FOLDER WORK-FOLDER
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -eu
[ $# -eq 3 ] || { echo "usage: same.sh CONFORMANCE_MAKE SOURCE-FOLDER WORK-FOLDER" >&2; exit 2; }
rm -rf "$3"
mkdir -p "$3"
"$1" "$3" "$2"/n*.lua
diff -r "$2/vectors" "$3" || {
    echo "make them again with: conformance_make tests/conformance/vectors tests/conformance/n*.lua" >&2
    exit 1
}
# all text of the vectors together: no more than fits a look
bytes=$(cat "$3"/*.txt "$3"/*.trace | wc -c)
[ "$bytes" -le 400000 ] || { echo "the vectors have $bytes bytes of text, at most 400000" >&2; exit 1; }
