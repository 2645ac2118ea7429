#!/bin/sh
# estimate.sh TERN SOURCE WORK FAMILY SYNTH_TABLE SPOILT : a small network through Yosys and the packer of nextpnr: logic
# cells as estimated within 15 %, block RAMs and multipliers as counted
# SPDX-License-Identifier: Apache-2.0
#
# SPOILT is SYNTH_TABLE with a wrong coefficient planted: with it the same comparison has to fail.
# If this fails behind a change of the Verilog, the table is to be fitted again: tests/bench/logic.sh
# (docs/35-targets.md). Of ECP5 the report is that of synth.ecp5, which runs before: the same network, to its bitstream.
export LC_ALL=C
set -u
tern=$1 source=$2 work=$3_$4 table=$5 spoilt=$6
failed=0
compare() { # REPORT CORE
    "$table" --estimate "$1" || { echo "FAILED: $2 core: the planner is wrong: fit it again, tests/bench/logic.sh"; failed=1; }
    "$spoilt" --estimate "$1" >spoilt.txt 2>&1 &&
        { echo "FAILED: $2 core: a wrong coefficient is not seen"; cat spoilt.txt; failed=1; }
    grep -q 'too far' spoilt.txt || { echo "FAILED: $2 core: not for its logic cells"; cat spoilt.txt; failed=1; }
}
rm -rf "$work"
mkdir -p "$work" || exit 1
cd "$work" || exit 1
case $4 in
ice40)
    for t in yosys nextpnr-ice40; do
        command -v $t >/dev/null || command -v yowasp-$t >/dev/null || { echo "SKIP: needs $t"; exit 77; }
    done
    for core in large small; do
        "$tern" synth "$source/models/tiny/tiny.lua" --target hx8k --core $core --lanes 1 --until packed --force \
            -o $core >out.txt 2>err.txt
        [ -s $core/report.json ] || { cat err.txt; exit 1; } # status 1 where the design is too large, but packed
        compare $core/report.json $core
    done
    ;;
ecp5)
    report=../ecp5/ulx3s/report.json
    [ -s $report ] || { echo "FAILED: synth.ecp5 has left no report"; exit 1; }
    compare $report large
    ;;
*) exit 2 ;;
esac
exit $failed
