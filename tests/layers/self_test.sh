#!/bin/sh
# self_test.sh CC CXX NM AR LIST INCLUDES PUBLIC LIBRARY... : layers.sh notices a planted call, the compiler a planted include, headers.sh a
# name that two headers share. PUBLIC: the folder of all public headers.
# INCLUDES: the include folders of the lowest layer, joined by colons.
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -eu
cc=$1 cxx=$2 nm=$3 ar=$4 list=$5 includes=$6 public=$7
shift 7
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
    if CPATH=$includes "$cc" -c "$work/include.c" -o "$work/include.o" 2>"$work/err"; then
        fail "an include of $header by the lowest layer compiles"
    fi
    grep -q "$header: No such file" "$work/err" || fail "an include of $header: $(cat "$work/err")"
done
printf '#include "tern/arena.h"\n' >"$work/include.c"
CPATH=$includes "$cc" -c "$work/include.c" -o "$work/include.o" || fail "an include of its own header does not compile"

# Two headers with a name in common: each compiles alone, both together do not.
mkdir "$work/tern"
printf 'typedef struct tern_encode_spec { int planted; } tern_encode_spec;\n' >"$work/tern/planted.h"
# It is enough that its partner is among the headers: lint.headers compiles them all.
headers='tern/arena.h tern/diag.h tern/encode.h tern/status.h'
# shellcheck disable=SC2086
if TERN_HEADERS_LEAST=5 sh "$here/headers.sh" "$cc" "$cxx" "$public:$work" $headers tern/planted.h >"$work/out"; then fail "a planted name in two headers"; fi
grep -q 'FAILED: all headers as C$' "$work/out" && grep -q 'tern_encode_spec' "$work/out" || fail "a planted name in two headers: $(cat "$work/out")"
if grep -q alone "$work/out"; then fail "$(cat "$work/out")"; fi
echo "a planted call, 3 planted includes and a planted name are noticed"
