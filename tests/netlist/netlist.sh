#!/bin/sh
# netlist.sh TERN SOURCE WORK CORES CASE : the netlist that Yosys makes of a core, in lockstep with the golden model; and netlists with a planted mistake, which it must find
# SPDX-License-Identifier: Apache-2.0
#
# CORES is a cache that stays, of built cores and of netlists: what has not changed is not made again. CASE: DEVICE-WHAT, mutants, ram, chip or synthesis.
export LC_ALL=C
needs="yosys verilator make g++ sha256sum"
. "$(dirname "$0")/../cosim_cli/begin.sh"
case=$5
mkdir -p bin "$cores/netlists" || exit 1
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
    [ "$(value exact)" = false ] || [ "$(value predicted)" = "$(value measured)" ] || fail "cycles differ"
    [ "$(value records)" -ge "$least" ] && [ "$(value memory_words)" -gt 1000 ] || fail "almost nothing was compared: $(cat out.txt)"
    [ "$(value netlist)" = "$device" ] || fail "not the netlist of $device"
    echo "$device: $(value network), $(value core) core, $(value lanes) lanes, $(value steps) steps: $(value records) records, $(value memory_words) memory words equal (built in $(value build_seconds) s, run in $(value seconds) s)"
}
tiny=$source/models/tiny/tiny.lua part=$source/tests/netlist/part.lua digits=$source/models/digits2/digits2.lua
# The look-up table that drives one bit, through a register or not: all 16 values inverted. TERN_BIT dither: the highest bit of the random word that rounds a weight's change; datain: the sign of a weight on its way into
# the single-port RAM, also from the host.
cat >lut.sh <<'SH'
awk -v what="$TERN_BIT" '
    function bit(line, n,    list, count) { sub(/.*\[ */, "", line); sub(/ *\].*/, "", line); count = split(line, list, / *, */); return n < count ? list[n + 1] : "" }
    { line[NR] = $0 }
    /"type": "/ { split($0, part, /"/); type = part[4]; input = "" }
    /"LUT_INIT": "/ { init = NR }
    /"O": \[/ && type == "SB_LUT4" { lut[bit($0, 0)] = init }
    /"D": \[/ && type ~ /^SB_DFF/ { input = bit($0, 0) }
    /"Q": \[/ && type ~ /^SB_DFF/ { before[bit($0, 0)] = input }
    /"DATAIN": \[/ && type == "SB_SPRAM256KA" && what == "datain" && wanted == "" { wanted = bit($0, 15) }
    /"ev_w_draw_o": \{/ && what == "dither" { port = NR }
    port && NR <= port + 4 && /"bits": \[/ && wanted == "" { for (i = 31; i >= 0 && wanted !~ /^[0-9]+$/; --i) wanted = bit($0, i) }
    END {
        for (i = 0; i < 9 && !(wanted in lut) && wanted in before; ++i) wanted = before[wanted]
        if (!(wanted in lut)) exit 1
        at = lut[wanted]
        split(line[at], part, /"/)
        value = part[4]
        gsub(/0/, "o", value); gsub(/1/, "0", value); gsub(/o/, "1", value)
        sub(part[4], value, line[at])
        for (i = 1; i <= NR; ++i) print line[i]
    }' netlist.json >changed.json && mv changed.json netlist.json
SH
device=${case%%-*} what=${case#*-}
case $case in ecp5-25k-*) device=ecp5-25k what=${case#ecp5-25k-} ;; esac
core() { [ "$(value core)" = "$1" ] || fail "not the $1 core, but the $(value core) one"; }
case $what in
tiny) # the core of `tern synth`: the small one for iCE40
    equal 500 "$tiny" --netlist $device --lanes 1 --steps 20
    case $device in ecp5*) core large ;; *) core small ;; esac
    equal 40 "$tiny" --netlist $device --lanes 1 --no-learn --steps 4
    ;;
digits2)
    case $device in ecp5*) lanes=4 core=large ;; *) lanes=2 core=small ;; esac
    equal 900 "$digits" --netlist $device --lanes $lanes --steps 2
    core $core
    ;;
large) # the large core where it fits no device of the family
    equal 500 "$tiny" --core large --netlist $device --lanes 1 --steps 20
    core large
    equal 40 "$tiny" --core large --netlist $device --lanes 1 --no-learn --steps 4 --samples 8 --batch 4
    equal 900 "$digits" --core large --netlist $device --lanes 4 --steps 2
    ;;
part) # every part of the large core: rewards, a winner-take-all circuit, samples that vote; rows of either form
    equal 500 "$part" --netlist $device --lanes 2 --steps 20
    core large
    equal 40 "$part" --netlist $device --lanes 2 --no-learn --steps 4
    # rows of the other form, alone: with all of the above beside them this netlist takes half as long again
    equal 500 "$source/tests/netlist/kernels.lua" --netlist $device --lanes 2 --form kernel --steps 20
    core large
    ;;
mutants | ram)
    device=up5k
    # the block RAM of the histories: two data lines exchanged
    cat >ram.sh <<'SH'
awk '/": \{/ { split($0, p, /"/); name = p[2] }
     !changed && name != "" && /"type": "SB_RAM40_4K"/ { histories = index(cell, "u_hist") > 0 }
     /": \{/ && name !~ /^(parameters|attributes|port_directions|connections)$/ { cell = name }
     !changed && histories && /"WDATA": \[ *[0-9]+, [0-9]+,/ {
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
    # Cores with a planted mistake stay, too, beside the others: what plants it is not among the sources that they
    # are kept for, so that it is in the name of their folder.
    planted=$cores/planted-$(sha256sum <"$0" | cut -c 1-16)
    mkdir -p "$planted" || exit 1
    differs() { # record verdict arguments
        record=$1 verdict=$2
        shift 2
        cosim 1 "^DIVERGE record=$record step=" "$@"
        grep -q "^  verdict: $verdict" err.txt || fail "the verdict is not '$verdict': $(cat err.txt)"
        grep -q '^reproduce: .*tern cosim .* --netlist up5k.* --core small' err.txt || fail "the reproduction is not of this netlist: $(cat err.txt)"
    }
    if [ "$case" = ram ]; then
        MUTATE=$work/ram.sh
        differs N 'the membrane potential differs' "$tiny" --netlist up5k --lanes 1 --steps 20 --cache "$planted/ram"
        exit $failed
    fi
    MUTATE=$work/lut.sh
    TERN_BIT=dither
    export TERN_BIT
    differs W 'the dither differs' "$tiny" --netlist up5k --lanes 1 --steps 20 --cache "$planted/dither"
    TERN_BIT=datain
    differs N 'the membrane potential differs' "$tiny" --netlist up5k --lanes 1 --steps 20 --cache "$planted/datain"
    MUTATE=
    # the model of the single-port RAM spoilt: half of the words lie on the others
    mkdir -p share/sim/drive
    cp -r "$source/rtl" share/
    cp -r "$source/sim/netlist" share/sim/ && cp "$source"/sim/drive/tern_dut* share/sim/drive/
    sed -i 's/memory\[ADDRESS\]/memory[ADDRESS \& 14'"'"'h37ff]/' share/sim/netlist/ice40_cells.v
    cmp -s share/sim/netlist/ice40_cells.v "$source/sim/netlist/ice40_cells.v" && fail "nothing is spoilt"
    (
        TERN_SHARE=$work/share
        export TERN_SHARE
        differs N 'the membrane potential differs' "$digits" --netlist up5k --lanes 2 --steps 2 --cache "$planted/spram"
        exit $failed
    ) || failed=1
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
chip)
    # the whole chip as `tern synth` makes it, between its pins rx and tx: what tern run does with it comes out as here
    device=up5k
    mkdir data
    printf 't_us,x,y,p\n100,0,0,1\n700,1,1,1\n1200,0,1,1\n1300,1,0,1\n1900,1,1,0\n' >data/r.csv
    printf 'r.csv,0\n' >data/labels.csv
    board=
    trap '[ -z "$board" ] || kill -INT $board 2>/dev/null' EXIT
    trap 'exit 1' HUP INT TERM
    chip() { # cache: a chip on the terminal `port`
        rm -f port board.txt
        "$tern" board "$tiny" --lanes 1 --netlist $device --link port --cache "$1" --json >board.txt 2>err.txt </dev/null &
        board=$!
        while [ ! -s board.txt ] && kill -0 $board 2>/dev/null; do sleep 0.2; done
        [ -s board.txt ] || { fail "no board"; cat err.txt; exit 1; }
        grep -q '"netlist":"up5k".*"SMALL":3' board.txt || fail "not the chip that is meant: $(cat board.txt)"
        # hello; what it holds; words there and back
        "$tern" link port --words 40 --json >out.txt 2>err.txt || { fail "tern link"; cat out.txt err.txt; }
        [ "$(value wrong)" = 0 ] && [ "$(value words)" = 40 ] || fail "words on the line: $(cat out.txt)"
    }
    train() { # engine: loading, two steps that learn, a flush, reading everything back
        rm -f "$1.tern" "$1.jsonl"
        [ "$1" = golden ] || set -- "$1" --device port
        engine=$1
        shift
        "$tern" train "$tiny" --engine $engine "$@" --data data --presentations 1 --set data.steps=2 -o $engine.tern --log $engine.jsonl --json >$engine.txt 2>err.txt || { fail "tern train with $engine"; cat err.txt; exit 1; }
        grep -q "\"engine\":\"$engine\".*\"steps\":2," $engine.txt || fail "not two steps with $engine: $(cat $engine.txt)"
    }
    train golden
    chip "$cores"
    train device
    cmp golden.tern device.tern || fail "the chip learnt something else"
    cmp golden.jsonl device.jsonl || fail "the chip tells something else: $(cat golden.jsonl device.jsonl)"
    kill -INT $board
    wait $board || fail "tern board, interrupted: exit status $?"
    # with the sign of some weights spoilt the link still works, and the difference is seen
    MUTATE=$work/lut.sh TERN_BIT=datain
    export TERN_BIT
    chip spoilt
    train device
    cmp -s golden.jsonl device.jsonl && fail "a spoilt look-up table before the weights is not seen in the log"
    kill -INT $board
    wait $board || fail "tern board, interrupted: exit status $?"
    board=
    echo "$device: chip with its link: as the golden model, a spoilt look-up table is found"
    ;;
synthesis)
    # a mistake that only synthesis sees: the simulated Verilog is right
    device=up5k
    mkdir -p share/sim/drive
    cp -r "$source/rtl" share/
    cp -r "$source/sim/netlist" share/sim/ && cp "$source"/sim/drive/tern_dut* share/sim/drive/
    sed -i '1i `ifdef SYNTHESIS\n`define TERN_TESTBUG_SIGNAL_GAMMA_FLOOR\n`endif' share/rtl/blocks/tern_signal.v
    TERN_SHARE=$work/share
    export TERN_SHARE
    cosim 0 'differences  0' "$tiny" --core large --lanes 1 --steps 20 --cache "$cores"
    cosim 1 '^DIVERGE record=V step=' "$tiny" --core large --lanes 1 --steps 20 --netlist up5k --cache "$cores"
    ;;
*) exit 2 ;;
esac
[ $failed -eq 0 ] && cd / && rm -rf "$work"
exit $failed
