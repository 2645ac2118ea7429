#!/bin/sh
# test_cli_compile.sh : the command `tern compile`: files, exit status, messages, nothing half-written
# SPDX-License-Identifier: Apache-2.0
#
#     test_cli_compile.sh TERN CC INCLUDE WORK
export LC_ALL=C
set -u
tern=$1 cc=$2 include=$3 work=$4
rm -rf "$work"
mkdir -p "$work" || exit 1
cd "$work" || exit 1
failed=0
fail() {
    echo "FAILED: $*"
    failed=1
}
expect() { # status text command...
    wanted=$1 text=$2
    shift 2
    "$@" >out.txt 2>err.txt
    got=$?
    [ $got -eq "$wanted" ] || fail "exit status $got, wanted $wanted: $*"
    [ -z "$text" ] || grep -q -e "$text" out.txt err.txt || { fail "no '$text' in the output of: $*"; cat out.txt err.txt; }
}

cat >net.lua <<'LUA'
local taps = tern.raised_cosine{ count = 2, duration = 8 }
local a = tern.input  { name = "a", shape = {5, 5} }
local h = tern.hidden { name = "h", size = 7, memory = taps[1] }
local v = tern.visible{ name = "v", size = 3 }
tern.connect{ from = {a, v}, to = h, filters = taps }
tern.connect{ from = {a, h}, to = v, filters = taps }
tern.gem{ eta = 1e-3, kappa = 0.2, gamma = 0.9, samples = 3 }
LUA
cat >bad.lua <<'LUA'
tern.input{ name = "a", sizes = 5 }
LUA

files="net.c net.core net.f net.h net.json net.map net.rdl net.tern net.vh net_host.h net_litex.py net_load.hex"
files="$files net_stream.hex net_top.v rtl tern-host.h"

expect 0 "usage" "$tern" compile --help
expect 2 "" "$tern" compile
expect 2 "" "$tern" compile net.lua
expect 2 "--lanes" "$tern" compile net.lua -o d --lanes 3
expect 2 "" "$tern" compile net.lua -o d --lanes 64
expect 2 "--outputt" "$tern" compile net.lua --outputt d
expect 1 "none.lua" "$tern" compile none.lua -o d
expect 1 "bad.lua:1" "$tern" compile bad.lua -o d
[ ! -e d ] || fail "a failed compile left its folder"
expect 0 "net.tern" "$tern" compile net.lua -o d
[ "$(ls -A d | tr '\n' ' ')" = "$files " ] || fail "files are: $(ls -A d)"

# the same bytes again, in another folder, over old files, with a slash, and found from elsewhere
cp -r d first
expect 0 "" "$tern" compile net.lua -o d/
mkdir -p e/f
echo mine >e/f/other
expect 0 "" "$tern" compile ./net.lua -o "$work/e/f"
for f in $files; do
    diff -r "first/$f" "d/$f" || fail "$f differs"
    diff -r "first/$f" "e/f/$f" || fail "$f differs in another folder"
done
[ "$(cat e/f/other)" = mine ] || fail "another file in the folder was touched"
[ "$(ls -A e/f | wc -l)" -eq 17 ] || fail "temporary files are left: $(ls -A e/f)"
expect 0 "" "$tern" compile net.lua -o d --set rule.samples=2
cmp -s first/net.tern d/net.tern && fail "--set changed nothing"

# JSON
expect 0 "" "$tern" compile net.lua -o d --json
grep -q '"layout_hash":"[0-9a-f]\{64\}"' out.txt || fail "no layout hash in --json"
hash=$(sed 's/.*"layout_hash":"\([0-9a-f]*\)".*/\1/' out.txt)
for f in net.map net.json net.h; do grep -q "$hash" "d/$f" || fail "$f has another layout hash"; done
[ "$(wc -l <out.txt)" -eq 1 ] || fail "--json is not one line"
[ -s err.txt ] && fail "--json wrote messages"

# the C compiles
"$cc" -ffreestanding -std=c11 -Wall -Wextra -Wconversion -Werror -I"$include" -c d/net.c -o net.o || fail "net.c does not compile"

# the other rules, circuits; the core's parameters say so
cat >wta.lua <<'LUA'
local taps = tern.raised_cosine{ duration = 8 }
local a = tern.input  { name = "a", shape = {5, 5} }
local h = tern.hidden { name = "h", size = 8, wta = 4, memory = taps }
local v = tern.visible{ name = "v", size = 3, wta = 3 }
tern.connect{ from = {a, v}, to = h, filters = taps }
tern.connect{ from = {a, h}, to = v, filters = taps }
tern.mb{ eta = 1e-3, samples = 3 }
tern.data{ sensor = {5, 5}, window_ms = 5, steps = 40, input = a, label = v }
LUA
parameter() { # file name value
    got=$(sed -n "s/^localparam $2 *= *\([0-9]*\);.*/\1/p" "$1")
    [ "$got" = "$3" ] || fail "$1: $2 is '$got', wanted $3"
    grep -q "\.$2($2)" "${1%.vh}_top.v" || fail "$1: the top does not set $2"
}
expect 0 "" "$tern" compile wta.lua -o w
parameter w/wta.vh SIGNALS 1
parameter w/wta.vh BASELINES 8
parameter w/wta.vh WTA 4
parameter w/wta.vh CLASSES 3
expect 0 "" "$tern" compile wta.lua -o w --set rule.kind=gem
parameter w/wta.vh SIGNALS 0
parameter w/wta.vh BASELINES 0
expect 0 "" "$tern" compile wta.lua -o w --set rule.kind=reward --set rule.baseline=none
parameter w/wta.vh SIGNALS 1
parameter w/wta.vh BASELINES 0
parameter d/net.vh WTA 0
parameter d/net.vh CLASSES 0
grep -q 'wta_reward(const int32_t reward_f12\[3\]);' w/wta.h || fail "no function for rewards"
"$cc" -ffreestanding -std=c11 -Wall -Wextra -Wconversion -Werror -I"$include" -c w/wta.c -o wta.o || fail "wta.c does not compile"
# a baseline per synapse: no hardware files, which is reported; an error only if hardware is requested
expect 0 "N0502: rule.baseline: the hardware files are omitted" "$tern" compile wta.lua -o s --set rule.baseline=synapse
[ "$(ls -A s | tr '\n' ' ')" = "wta.c wta.h wta.json wta.map wta.tern " ] || fail "files of a baseline per synapse are: $(ls -A s)"
expect 1 "E0502: rule.baseline: a baseline per synapse" "$tern" compile wta.lua -o s2 --set rule.baseline=synapse --target sim
grep -q 'hint: use baseline = "neuron"' err.txt || fail "no cure for a baseline per synapse"
# ... nor do those of an earlier network stay, and what a killed command left is swept
sh -c 'echo $$' >dead.txt # a process that has ended
mkdir "w/.tmp-$(cat dead.txt)" "w/.tmp-keep"
echo x >"w/.tmp-$(cat dead.txt)/net.c"
expect 0 "N0502" "$tern" compile wta.lua -o w --set rule.baseline=synapse
[ "$(ls -A w | tr '\n' ' ')" = ".tmp-keep rtl tern-host.h wta.c wta.h wta.json wta.map wta.tern " ] ||
    fail "files of a baseline per synapse, made where hardware was, are: $(ls -A w)"
[ ! -e s2 ] || fail "a refused target left a folder"

# wrong folders
echo x >plain
expect 1 "E0332" "$tern" compile net.lua -o plain
expect 1 "E0332" "$tern" compile net.lua -o none/deeper
expect 1 "E0332" "$tern" compile net.lua -o plain/below
[ "$(cat plain)" = x ] || fail "a file in the way was overwritten"
mkdir -p block/net.c
expect 1 "E0332" "$tern" compile net.lua -o block
[ -z "$(find block -name '.tmp*')" ] || fail "a working folder is left"
[ -z "$(find . -maxdepth 1 -name '*.tmp-*')" ] || fail "a working folder is left beside"
mkdir way
echo x >way/rtl
expect 1 "E0332.*cannot put the folder in its place: there is a file" "$tern" compile net.lua -o way
[ "$(ls -A way)" = rtl ] || fail "files beside a file in the way: $(ls -A way)"
mkdir -p share/rtl
expect 1 "E0524.*a file of the hardware cannot be read" env TERN_SHARE="$work/share" "$tern" compile net.lua -o unshared
grep -q "hint: set TERN_SHARE" err.txt || fail "no cure for a share folder without Verilog"
[ ! -e unshared ] || fail "a folder without its Verilog is there"
long=$(awk 'BEGIN { for (i = 0; i < 1100; ++i) printf "x" }')
expect 1 "" "$tern" compile net.lua -o "$long"

cd / && [ $failed -eq 0 ] && rm -rf "$work"
exit $failed
