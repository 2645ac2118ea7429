#!/bin/sh
# self_test.sh CC NM AR LIST INCLUDES LIBRARY... : layers.sh notices a planted call, the compiler a planted include
# INCLUDES: the include folders of the lowest layer, joined by colons.
# SPDX-License-Identifier: Apache-2.0
set -eu
cc=$1 nm=$2 ar=$3 list=$4 includes=$5
shift 5
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "FAILED: $*"; exit 1; }

# A call upward: the lowest layer asks for a state of the engine, by a declaration of its own.
printf 'int tern_step(void); int planted(void); int planted(void) { return tern_step(); }\n' >"$work/planted.c"
"$cc" -c "$work/planted.c" -o "$work/planted.o"
lowest=$1
shift
cp "$lowest" "$work/lowest.a"
"$ar" r "$work/lowest.a" "$work/planted.o" 2>/dev/null
status=0
sh "$here/layers.sh" "$nm" "$list" "$work/lowest.a" "$@" >"$work/out" || status=$?
[ "$status" -eq 1 ] || fail "a planted call upward: status $status"
grep -q 'base/planted.o uses tern_step of engine, which is not below it' "$work/out" || fail "a planted call upward: $(cat "$work/out")"

# An include upward does not compile; one of its own does.
for header in tern/model.h tern_plan.h tern_runner.h; do
    printf '#include "%s"\n' "$header" >"$work/include.c"
    if "$cc" $(printf %s "$includes" | sed 's/^/-I/; s/:/ -I/g') -c "$work/include.c" -o "$work/include.o" 2>"$work/err"; then
        fail "an include of $header by the lowest layer compiles"
    fi
    grep -q "$header: No such file" "$work/err" || fail "an include of $header: $(cat "$work/err")"
done
printf '#include "tern/arena.h"\n' >"$work/include.c"
"$cc" $(printf %s "$includes" | sed 's/^/-I/; s/:/ -I/g') -c "$work/include.c" -o "$work/include.o" || fail "an include of its own header does not compile"
echo "a planted call and 3 planted includes are noticed"
