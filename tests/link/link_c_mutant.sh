#!/bin/sh
# A copy of a source file with one thing changed: the planted bugs of the link's C. A missing text cannot be changed, and is reported.
#     sh link_c_mutant.sh FILE.c SED-EXPRESSION OUT.c
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -eu
[ $# -eq 3 ] || { echo "usage: link_c_mutant.sh FILE.c SED-EXPRESSION OUT.c" >&2; exit 2; }
sed -e "$2" "$1" >"$3.new"
if cmp -s "$1" "$3.new"; then
    rm -f "$3.new"
    echo "link_c_mutant.sh: $1 has nothing for $2: mend the expression in tests/link/CMakeLists.txt" >&2
    exit 1
fi
mv "$3.new" "$3"
