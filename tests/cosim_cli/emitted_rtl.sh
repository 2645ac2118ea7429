#!/bin/sh
# emitted_rtl.sh : the hardware files of `tern compile`: three tools take them without a warning, and NAME_load.hex loads the network
# SPDX-License-Identifier: Apache-2.0
#
#     emitted_rtl.sh TERN SOURCE WORK CORES
export LC_ALL=C
needs="verilator iverilog yosys"
. "$(dirname "$0")/begin.sh"
quiet() { # a command that must succeed without a word; newer Verilators end with a report of their run time
    "$@" >all.txt 2>&1 || fail "status $?: $*"
    grep -v '^- V' all.txt >said.txt || true
    [ -s said.txt ] && { fail "warnings of: $*"; cat said.txt; }
}
unset TERN_SHARE # the folders hold all that they need

# one network of every kind of row, one without inputs, one visible neuron alone: the smallest capacities
cat >plain.lua <<'LUA'
local taps = tern.exponential{ tau = 2 }
local v = tern.visible{ name = "v", size = 1 }
tern.connect{ from = v, to = v, filters = taps, self = true }
tern.gem{ eta = 1e-3, gamma = 0.5, samples = 1 }
LUA
cat >mixed.lua <<'LUA'
local taps = tern.raised_cosine{ count = 3, duration = 9 }
local a = tern.input{ name = "a", shape = {6, 7} }
local h = tern.hidden{ name = "h", size = 5, memory = taps[2] }
local v = tern.visible{ name = "v", size = 3, memory = taps[1] }
tern.connect{ from = {a, v, h}, to = h, filters = taps, pattern = tern.random{ density = 0.5, seed = 1 } }
tern.connect{ from = {a, h}, to = v, filters = taps }
tern.gem{ eta = 1e-3, kappa = 0.4, gamma = 0.9, samples = 6 }
tern.formats{ weight = {9, 8} }
LUA
check() { # name script lanes [small]
    core=${4:-large} list=core
    [ "$core" = large ] || list=small
    "$tern" compile "$2" -o "$1" --lanes "$3" --core "$core" >said.txt 2>&1 || { fail "compile $2"; cat said.txt; return; }
    cd "$1" || return
    for define in TERN_NOTHING TERN_COSIM; do
        quiet verilator --lint-only -Wall -f "$1.f" +define+$define --top-module "$1_top"
        quiet iverilog -g2005 -Wall -D$define -c "$1.f" -s "$1_top" -o design.vvp
    done
    quiet yosys -q -p "read_verilog -defer $(grep '[.]v$' "$1.f" | tr '\n' ' '); hierarchy -check -top $1_top"
    [ "$(grep '^rtl/' "$1.f")" = "$(cat "$source/rtl/tern_$list.f")" ] ||
        fail "$1.f does not list the files of tern_$list.f"
    grep -q "^  tern_$list #(" "$1_top.v" || fail "$1_top.v does not hold tern_$list"
    hash=$(sed -n "s/.*256'h\([0-9a-f]*\).*/\1/p" "$1.vh")
    grep -q "$hash" "$1.map" || fail "$1.vh has another layout hash than $1.map"
    writes=$(sed -n "s/.*LOAD_WRITES = 32'd\([0-9]*\);/\1/p" "$1.vh")
    [ "$(grep -c -v '^//' "$1_load.hex")" -eq "$writes" ] || fail "$1_load.hex has not $writes lines"
    grep -q "^00000032_$(printf %.8s "$hash")$" "$1_load.hex" || fail "$1_load.hex does not write the layout"
    cd ..
}
for lanes in 1 4 32; do
    check tiny "$source/models/tiny/tiny.lua" $lanes
    check plain plain.lua $lanes
    check mixed mixed.lua $lanes
done
check tiny "$source/models/tiny/tiny.lua" 2 small
check plain plain.lua 1 small
mkdir few
sed "s/samples = 6/samples = 5/" mixed.lua >few/mixed.lua # 32 coefficients at most
check mixed few/mixed.lua 2 small
grep -q "^localparam SMALL *= *3;" mixed/mixed.vh || fail "SMALL is not in mixed.vh"
"$tern" compile "$source/models/tiny/tiny.lua" -o refused --target nothing >said.txt 2>&1
[ $? -eq 2 ] || fail "an unknown target is accepted"
"$tern" compile "$source/models/tiny/tiny.lua" -o device --target ecp5-25k >said.txt 2>&1 || { fail "tiny does not fit"; cat said.txt; }
grep -q "Target: ecp5-25k" device/tiny.vh || fail "the target is not in tiny.vh"
"$tern" compile "$source/models/memorise/memorise.lua" -o refused --target up5k >said.txt 2>&1
[ $? -eq 1 ] && grep -q "TERN-E0510" said.txt || { fail "a network that is too large"; cat said.txt; }
[ ! -e refused ] || fail "a refused compile left files"

# another simulator loads the file, reads everything back and makes the first step in the predicted number of cycles
"$tern" compile "$source/models/tiny/tiny.lua" -o tiny >said.txt || fail "compile tiny"
"$tern" cosim "$source/models/tiny/tiny.lua" --steps 1 --json --cache "$cores" >cosim.txt 2>said.txt || { fail "cosim tiny"; cat said.txt; }
cycles=$(sed -n 's/.*"predicted":\([0-9]*\).*/\1/p' cosim.txt)
cp "$source/tests/cosim_cli/load_tb.v" tiny/
cd tiny || exit 1
writes=$(sed -n "s/.*LOAD_WRITES = 32'd\([0-9]*\);/\1/p" tiny.vh)
quiet iverilog -g2005 -Wall -DTOP=tiny_top "-DFILE=\"tiny_load.hex\"" -DWRITES="$writes" -o load.vvp -s load_tb -c tiny.f load_tb.v
vvp load.vvp >said.txt 2>&1 || fail "status $? of the test bench that loads tiny"
grep -q "^loaded $writes, 0 differ, cycles $cycles\$" said.txt || { fail "wanted 'loaded $writes, 0 differ, cycles $cycles'"; cat said.txt; }

cd / && [ $failed -eq 0 ] && rm -rf "$work"
exit $failed
