#!/bin/sh
# netlist.sh TERN SOURCE WORK CORES CASE : the netlist that Yosys makes of a core, in lockstep with the golden model; and netlists with a planted mistake, which it must find
# SPDX-License-Identifier: Apache-2.0
#
# CORES is a cache that stays, of built cores and of netlists: what has not changed is not made again. CASE: DEVICE-NETWORK, mutants, ram or synthesis.
set -u
tern=$1 source=$2 work=$3 cores=$4 case=$5
for tool in yosys verilator make g++ sha256sum; do command -v $tool >/dev/null || { echo "FAILED: needs $tool"; exit 1; }; done
rm -rf "$work"
mkdir -p "$work/bin" "$cores/netlists" || exit 1
cd "$work" || exit 1
failed=0
fail() {
    echo "FAILED: $*"
    failed=1
}
REAL=$(command -v yosys) SAVED=$cores/netlists MUTATE=
export REAL SAVED MUTATE
# Yosys, but netlists are kept; MUTATE is run on the netlist before it is simulated
cat >bin/yosys <<'SH'
#!/bin/sh
for last; do :; done
[ "$last" = netlist.ys ] || exec "$REAL" "$@"
key=$( { "$REAL" -V; cat netlist.ys *.vh; sed -n 's/^read_verilog .* //p' netlist.ys | xargs cat; } | grep -v '^//' | sha256sum | cut -c 1-32)
if [ -s "$SAVED/$key.json" ]; then cp "$SAVED/$key.json" netlist.json
else
    "$REAL" "$@" || exit
    cp netlist.json "$SAVED/$key.$$" && mv "$SAVED/$key.$$" "$SAVED/$key.json" || exit
fi
[ -z "$MUTATE" ] || sh "$MUTATE"
SH
chmod +x bin/yosys
PATH=$work/bin:$PATH
export PATH
cosim() { # status text arguments
    wanted=$1 text=$2
    shift 2
    "$tern" cosim "$@" >out.txt 2>err.txt
    got=$?
    [ $got -eq "$wanted" ] || { fail "exit status $got, wanted $wanted: tern cosim $*"; cat out.txt err.txt; }
    grep -q -e "$text" out.txt err.txt || { fail "no '$text' in the output of: tern cosim $*"; cat out.txt err.txt; }
}
value() { sed -n "s/.*\"$1\":\"\{0,1\}\([^,\"}]*\).*/\1/p" out.txt; }
equal() { # least number of records, arguments
    least=$1
    shift
    cosim 0 '"differences":0' "$@" --json --cache "$cores"
    [ "$(value digest_c)" = "$(value digest_rtl)" ] || fail "digests differ"
    [ "$(value predicted)" = "$(value measured)" ] || fail "cycles differ"
    [ "$(value records)" -ge "$least" ] && [ "$(value memory_words)" -gt 1000 ] || fail "hardly anything was compared: $(cat out.txt)"
    [ "$(value netlist)" = "$device" ] || fail "not the netlist of $device"
    echo "$device: $(value network), $(value lanes) lanes, $(value steps) steps: $(value records) records, $(value memory_words) memory words equal (built in $(value build_seconds) s, run in $(value seconds) s)"
}
tiny=$source/models/tiny/tiny.lua small=$source/tests/netlist/small.lua digits=$source/models/digits2/digits2.lua
device=${case%-*}
case $case in
*-tiny | *-small)
    [ "$case" = "$device-tiny" ] && net=$tiny lanes=1 || net=$small lanes=2
    equal 500 "$net" --netlist $device --lanes $lanes --steps 20
    [ "$case" = "$device-small" ] || equal 40 "$net" --netlist $device --lanes $lanes --no-learn --steps 4 # samples that vote
    [ "$case" = "$device-tiny" ] || equal 40 "$net" --netlist $device --lanes $lanes --no-learn --steps 4 --samples 8 --batch 4
    ;;
*-digits2) equal 900 "$digits" --netlist $device --lanes 4 --steps 2 ;;
mutants | ram)
    device=up5k
    # one look-up table before the weight that is written: all 16 bits inverted
    cat >lut.sh <<'SH'
"$REAL" -q -p 'read_json netlist.json; select -write luts.txt tiny_top/o:ev_w_new_o %ci5 tiny_top/t:SB_LUT4 %i' || exit 1
NAME=$(sed -n '1s,^tiny_top/,,p' luts.txt)
export NAME
awk 'index($0, "\"" ENVIRON["NAME"] "\": {") { found = 1 }
     found && /"LUT_INIT"/ { split($0, p, /"/); t = p[4]; gsub(/0/, "o", t); gsub(/1/, "0", t); gsub(/o/, "1", t); sub(p[4], t); found = 0; ++changed }
     { print } END { exit changed != 1 }' netlist.json >changed.json && mv changed.json netlist.json
SH
    # one block RAM: two data lines exchanged
    cat >ram.sh <<'SH'
awk '!changed && /"WDATA": \[ *[0-9]+, [0-9]+, [0-9]+, [0-9]+, [0-9]+, [0-9]+, [0-9]+, [0-9]+, [0-9]+, [0-9]+, [0-9]+, [0-9]+, [0-9]+, [0-9]+, [0-9]+, [0-9]+ *\]/ {
         split($0, p, /[][, ]+/); for (i in p) if (p[i] ~ /WDATA/) first = i + 1
         a = p[first]; b = p[first + 1]
         if (a != b) { sub(a ", " b, b ", " a); ++changed } }
     { print } END { exit changed != 1 }' netlist.json >changed.json && mv changed.json netlist.json
SH
    # a cell that nobody knows
    cat >cell.sh <<'SH'
awk '/"type": "SB_CARRY"/ && !changed { sub(/SB_CARRY/, "SB_UNKNOWN"); ++changed } { print } END { exit !changed }' netlist.json >changed.json && mv changed.json netlist.json
SH
    echo 'exit 1' >nothing.sh
    MUTATE=$work/ram.sh
    [ "$case" = mutants ] || cosim 1 '^DIVERGE record=\(memory\|[A-Z]\) ' "$tiny" --netlist up5k --lanes 1 --steps 20 --cache ram
    [ "$case" = mutants ] || exit $failed
    MUTATE=$work/lut.sh
    cosim 1 '^DIVERGE record=[A-Z] step=' "$tiny" --netlist up5k --lanes 1 --steps 20 --cache lut # which one the look-up table spoils depends on the version of Yosys
    grep -q '^reproduce: tern cosim .* --netlist up5k' err.txt || fail "the reproduction is not of the netlist: $(cat err.txt)"
    MUTATE=$work/cell.sh
    cosim 1 "E0611.*Assertion failed: selection is not empty" "$tiny" --netlist up5k --lanes 1 --cache cell
    grep -q '^tiny_top/.*carry' cell/failed-*.log || fail "the cell is not named: $(cat cell/failed-*.log)"
    MUTATE=$work/nothing.sh
    cosim 1 'E0610' "$tiny" --netlist up5k --lanes 1 --cache nothing
    # wrong usage, and what can be missing
    cosim 2 'E0103.*--netlist' "$tiny" --netlist gw2a-18
    mkdir none
    for tool in verilator sh perl grep cat; do ln -s "$(command -v $tool)" none/; done
    all=$PATH
    PATH=$work/none
    cosim 1 'E0601.*yosys' "$tiny" --netlist up5k --cache nothing
    PATH=$all
    ;;
synthesis)
    # a mistake that only synthesis sees: the simulated Verilog is right
    device=up5k
    mkdir -p share/sim
    cp -r "$source/rtl" share/
    cp -r "$source/sim/netlist" "$source"/sim/tern_dut.* share/sim/
    sed -i '1i `ifdef SYNTHESIS\n`define TERN_TESTBUG_SIGNAL_GAMMA_FLOOR\n`endif' share/rtl/blocks/tern_signal.v
    TERN_SHARE=$work/share
    export TERN_SHARE
    cosim 0 'differences  0' "$tiny" --lanes 1 --steps 20 --cache "$cores"
    cosim 1 '^DIVERGE record=V step=' "$tiny" --lanes 1 --steps 20 --netlist up5k --cache "$cores"
    ;;
*) exit 2 ;;
esac
[ $failed -eq 0 ] && cd / && rm -rf "$work"
exit $failed
