#!/bin/sh
# abidiff.sh : a second opinion on lint.abi: what abidiff (Debian: abigail-tools) sees in the compiled library, and what
# the list of promises says, is the same verdict for changes that break programs and for one that does not
# SPDX-License-Identifier: Apache-2.0
#
#     abidiff.sh SOURCE WORK
export LC_ALL=C
set -eu
source=$1 work=$2
fail() { echo "FAILED: $*"; exit 1; }
command -v abidiff >/dev/null || fail "abidiff is missing: apt-get install abigail-tools"
rm -rf "$work"
mkdir -p "$work"
# The library with debugging information; what a file needs is compiled again only where a header has changed.
build() {
    cmake --build "$work/b" --target tern_shared -j2 >"$work/log" 2>&1 || { tail "$work/log"; fail "$1 does not build"; }
    cp -L "$work/b/libtern.so" "$work/$1.so"
    rm -rf "$work/$1"
    mkdir -p "$work/$1"
    cp -rL "$work/b/include/." "$work/$1/"
    sh "$work/tree/cmake/public_abi.sh" gcc "$work/$1" | sort >"$work/$1.list"
}
# Verdict of both: same, added or broken. abidiff: bit 4 of the status is a change, bit 8 one that breaks programs.
verdict() {
    status=0
    abidiff --headers-dir1 "$work/is" --headers-dir2 "$work/$1" "$work/is.so" "$work/$1.so" >"$work/$1.diff" 2>&1 ||
        status=$?
    [ $((status & 3)) -eq 0 ] || { tail "$work/$1.diff"; fail "abidiff cannot compare $1"; }
    diff=same
    [ $((status & 4)) -eq 0 ] || diff=broken
    [ $((status & 4)) -eq 0 ] || ! grep -q '^Functions changes summary: 0 Removed, 0 Changed' "$work/$1.diff" || diff=added
    list=same
    cmp -s "$work/is.list" "$work/$1.list" || list=added
    comm -23 "$work/is.list" "$work/$1.list" | grep -q . && list=broken
    [ "$diff" = "$2" ] || { cat "$work/$1.diff"; fail "$1: abidiff says $diff, wanted is $2"; }
    [ "$list" = "$2" ] || fail "$1: the list of promises says $list, wanted is $2"
    echo "$1: $2 ($3)"
}
# plant NAME [FILE SED]...: changes of files, for one build
plant() {
    name=$1
    shift
    rm -rf "$work/kept"
    mkdir "$work/kept"
    (cd "$work/tree" && for word in "$@"; do [ ! -f "$word" ] || cp --parents "$word" "$work/kept"; done)
    while [ $# -gt 0 ]; do
        sed -i "$2" "$work/tree/$1"
        cmp -s "$work/kept/$1" "$work/tree/$1" && fail "'$2' changes nothing in $1"
        shift 2
    done
    build "$name"
    cp -r "$work/kept/." "$work/tree"
}

mkdir "$work/tree"
git -C "$source" ls-files -z --cached --others --exclude-standard | (cd "$source" && xargs -0 cp --parents -t "$work/tree")
cmake -S "$work/tree" -B "$work/b" -DCMAKE_BUILD_TYPE=None "-DCMAKE_C_FLAGS=-g -O0" -DTERN_BUILD_TESTS=OFF \
    -DTERN_WITH_MPI=OFF >"$work/log" 2>&1 || { tail "$work/log"; fail "not configured"; }
build is
build again
verdict again same "nothing is changed"
metrics=runtime/metrics/include/tern/metrics.h
plant field $metrics 's/^typedef struct tern_calibration {/&\n    double planted;/'
verdict field broken "a structure has another first member"
plant size runtime/base/include/tern/lock.h 's/path\[1100\]/path[1200]/'
verdict size broken "a structure is larger"
plant value runtime/blocks/include/tern/vote.h 's/TERN_DECODE_FIRST = 1/TERN_DECODE_FIRST = 2/'
verdict value broken "a value of an enumeration is another"
plant type $metrics 's/^    double confidence;$/    float confidence;/'
verdict type broken "a member has another type"
plant function $metrics 's/^#ifdef __cplusplus$/int tern_planted(void);\n&/;' \
    runtime/metrics/tern_metrics.c '$a int tern_planted(void) { return 1; }' \
    cmake/libtern.map 's/^ *global:/&\n    tern_planted;/'
verdict function added "there is one function more"
echo "abidiff and the list of promises agree"
