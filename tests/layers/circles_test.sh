#!/bin/sh
# circles_test.sh CC NM AR KNOWN LIBRARY... : circles.sh notices a planted circle of three files, and a line of its list
# that no longer holds. Circles are within a library: the lowest one
# and a large one are enough.
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -eu
cc=$1 nm=$2 ar=$3 known=$4
shift 4
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "FAILED: $*"; exit 1; }
lowest=$1
cp "$lowest" "$work/libtern_base.a"
large=''
for library; do case $library in */libtern_data.a) large=$library ;; esac; done
[ -n "$large" ] || fail "no library of the layer data"
grep -e '^#' -e '^base ' -e '^data ' "$known" >"$work/short"
plant() { # NAME NEEDED: a file that calls a function of another one
    printf 'int planted_%s(void);\nint planted_%s(void);\nint planted_%s(void) { return planted_%s(); }\n' \
        "$1" "$2" "$1" "$2" >"$work/planted_$1.c"
    "$cc" -c "$work/planted_$1.c" -o "$work/planted_$1.c.o"
    "$ar" r "$work/libtern_base.a" "$work/planted_$1.c.o" 2>/dev/null
}
circles() { # STATUS TEXT KNOWN
    status=0
    wanted=$1 text=$2 list=$3
    sh "$here/circles.sh" "$nm" "$list" "$work/libtern_base.a" "$large" >"$work/out" || status=$?
    [ "$status" -eq "$wanted" ] && grep -q "$text" "$work/out" || fail "status $status, wanted $wanted: $(cat "$work/out")"
}
plant one two
plant two three
plant three four # a way, no circle
circles 0 'uses between files of a layer' "$work/short"
plant three one
circles 1 'base/planted_two uses planted_three of base/planted_three' "$work/short"
{ cat "$work/short"; echo 'base planted_one planted_two planted_three'; } >"$work/known"
circles 0 'uses between files of a layer' "$work/known"
plant three four
circles 1 'base/planted_two is in no circle any more' "$work/known"
echo "a planted circle is noticed, and a line of the list that no longer holds"
