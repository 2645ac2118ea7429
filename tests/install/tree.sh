#!/bin/sh
# tree.sh SOURCE BUILD CMAKE : an installed tree works wherever it is put, also through a link, and never looks at
# the source tree. Compiles, runs an experiment, co-simulates, looks for a board's files; all paths have blanks. The
# core's C++ is compiled as in other tests (OBJCACHE). Exit status 0: all is well.
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -eu
source=$1 build=$2 cmake=$3
work=$(mktemp -d "${TMPDIR:-/tmp}/tern tree.XXXXXX")
trap 'rm -rf "$work"' EXIT
fail() { echo "FAILED: $*"; exit 1; }
unset TERN_SHARE DESTDIR || true
cd "$work"

"$cmake" --install "$build" --prefix "$work/first place" --component command >log 2>&1 ||
    { cat log; fail "cmake --install"; }
[ ! -e "first place/include" ] || fail "--component command installs headers"
mv "first place" "moved tree"
mkdir bin alone
ln -s "$work/moved tree/bin/tern" bin/tern
share="$work/moved tree/share/tern"
[ "$(cd "$share/rtl" && find . -type f | sort | tr '\n' ' ')" = "$(cd "$source/rtl" && find . -type f | sort | tr '\n' ' ')" ] || fail "another set of Verilog files"

# expect STATUS PATTERN COMMAND... : its exit status, and a line of what it prints
expect() {
    want=$1 pattern=$2 status=0
    shift 2
    "$@" >out.txt 2>&1 || status=$?
    [ "$status" -eq "$want" ] && grep -q -e "$pattern" out.txt ||
        { cat out.txt; fail "exit status $status, wanted $want and '$pattern': $*"; }
}
expect 0 . bin/tern compile "$share/models/tiny/tiny.lua" -o tiny
expect 0 "report.html" bin/tern experiment digits2 -o experiment --classes 0,1 --train-recordings 1 --test-recordings 1 --seeds 1 \
    --samples 1 --inference 1 --presentations 0,2 --hidden 2
[ -s experiment/report.html ] || fail "no report"
# a board's files are found; what is missing is the tool only
expect 1 "E0521" env PATH="$work/bin" bin/tern synth --resident --board icebreaker -o chip
expect 0 "^differences  *0$" "moved tree/bin/tern" cosim tiny/tiny.tern --steps 20 --cache cores

# The program alone: it says where it looked, which is not the source tree, although that is there.
cp "moved tree/bin/tern" alone
expect 1 "E0605" alone/tern cosim tiny/tiny.tern --steps 20 --cache cores
if grep -qF "$source/rtl" out.txt; then cat out.txt; fail "a program that has left the build folder looks at the source tree"; fi
expect 1 "E0524" alone/tern synth --resident --board icebreaker -o chip
# A file is missing: the one of this tree is named.
rm "$share/rtl/core/tern_fire.v"
expect 1 "moved tree/share/tern/rtl/core/tern_fire.v: error TERN-E0605" bin/tern cosim tiny/tiny.tern --steps 20 --cache cores
expect 0 "^differences  *0$" env TERN_SHARE="$source" bin/tern cosim tiny/tiny.tern --steps 20 --cache cores
echo "an installed tree works where it was moved to"
