#!/bin/sh
# headers.sh CC CXX INCLUDES HEADER... : every public header compiles alone, and all of them together in either order, as C and as C++
# INCLUDES: folders, joined by colons. Two headers that cannot be used together have a name in common: then the compiler tells which.
# $TERN_HEADERS_LEAST: so many are wanted at least (default 15).
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -eu
cc=$1 cxx=$2 CPATH=$3
export CPATH # compilers take it as folders of -I; a name may have blanks
shift 3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ $# -ge "${TERN_HEADERS_LEAST:-15}" ] || { echo "headers: only $# headers"; exit 1; }
failed=0
try() { # WHAT: compiles $work/try.c as either language
    "$cc" -std=c11 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -x c "$work/try.c" 2>"$work/err" || { echo "FAILED: $1 as C"; head -n 5 "$work/err"; failed=1; }
    "$cxx" -std=c++17 -Wall -Wextra -Wno-missing-field-initializers -Werror -fsyntax-only -x c++ "$work/try.c" 2>"$work/err" || { echo "FAILED: $1 as C++"; head -n 5 "$work/err"; failed=1; }
}
for header in "$@"; do
    printf '#include "%s"\n' "$header" >"$work/try.c"
    try "$header alone"
done
for header in "$@"; do printf '#include "%s"\n' "$header"; done >"$work/all"
cp "$work/all" "$work/try.c"
try "all headers"
sed -n '1!G;h;$p' "$work/all" >"$work/try.c"
try "all headers, last one first"
[ $failed -eq 0 ] && echo "$# headers: alone and together, as C and as C++"
exit $failed
