#!/bin/sh
# api_self_test.sh SOURCE INCLUDE CC NM LIBTERN.SO CXX : what api.sh is there for, planted: each is noticed, by its
# own message
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -eu
source=$1 include=$2 cc=$3 nm=$4 library=$5 cxx=$6
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
n=0
planted() { # MESSAGE WHAT [LIBRARY [CXX]]
    n=$((n + 1))
    if sh "$here/api.sh" "$source" "$work/include" "$cc" "$work/map" ${3:+"$3" "$nm"} ${4:+"$4"} \
        >"$work/out" 2>&1; then echo "FAILED: not noticed: $2"; exit 1; fi
    grep -q "$1" "$work/out" || { echo "FAILED: noticed by chance only: $2"; cat "$work/out"; exit 1; }
}
fresh() {
    rm -rf "$work/include"
    cp -r "$include" "$work/include"
    cp "$source/cmake/libtern.map" "$work/map"
}
fresh
sh "$here/api.sh" "$source" "$work/include" "$cc" "$work/map" >"$work/out" || { cat "$work/out"; exit 1; }
sed -i '/^    tern_flush;$/d' "$work/map"
planted 'tern_flush is declared in a public header, but not listed' "a name missing in the list"
fresh
sed -i 's/^    tern_flush;$/&\n    tern_gone;/' "$work/map"
planted 'tern_gone is listed in cmake/libtern.map, but no public header' "a name that no header declares"
fresh
sed -i '/An empty list\./d' "$work/include/tern/diag.h"
planted 'tern/diag.h:[0-9]*: tern_diags_init has no comment' "a function without comment"
fresh
sed -i 's/Threads: //' "$work/include/tern/image.h"
planted 'tern/image.h: no line "Threads: ' "a header that is silent about threads"
fresh
for name in tern_step tern__secret; do echo "int $name(void); int $name(void) { return 0; }"; done >"$work/some.c"
"$cc" -shared -fPIC "$work/some.c" -o "$work/some.so"
planted 'tern_flush is declared in a public header, but libtern.so does not' "a function that is hidden" "$work/some.so"
planted 'tern__secret is exported by libtern.so, but no public header' \
    "a private function that is visible" "$work/some.so"
fresh
sed -i 's/extern "C" {/extern "C++" {/' "$work/include/tern/locale.h"
planted 'undefined.*tern_real_parse' "a header without extern \"C\"" "$library" "$cxx"
echo "$n planted faults are noticed"
