#!/bin/sh
# estimate.sh TERN SOURCE WORK FAMILY SYNTH_TABLE SPOILT CORE : a small network through Yosys and the packer of nextpnr: logic
# cells as estimated within 15 %, block RAMs and multipliers as counted
# SPDX-License-Identifier: Apache-2.0
#
# SPOILT is SYNTH_TABLE with a wrong coefficient planted: with it the same comparison has to fail.
# If this fails behind a change of the Verilog, the table is to be fitted again: tests/bench/logic.sh
# (docs/35-targets.md).
export LC_ALL=C
set -u
tern=$1 source=$2 work=$3_$4_$7 table=$5 spoilt=$6 core=$7
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
ice40) target=hx8k ;;
ecp5) target=ecp5-85k ;;
*) exit 2 ;;
esac
for t in yosys nextpnr-"$4"; do
    command -v "$t" >/dev/null || command -v "yowasp-$t" >/dev/null || { echo "SKIP: needs $t"; exit 77; }
done
"$tern" synth "$source/models/tiny/tiny.lua" --target $target --core "$core" --lanes 1 --until packed --force \
    -o "$core" >out.txt 2>err.txt
[ -s "$core/report.json" ] || { cat err.txt; exit 1; } # status 1 where the design is too large, but packed
compare "$core/report.json" "$core"
exit $failed
