#!/bin/sh
# ecp5.sh TERN SOURCE WORK CORE : a small network all the way to a bitstream for the ULX3S, with the real tools where they
# are installed; logic cells of the large core are near the estimate
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -u
tern=$1 source=$2 work=$3 core=$4
for tool in yosys nextpnr-ecp5 ecppack; do
    command -v $tool >/dev/null || command -v yowasp-$tool >/dev/null || { echo "SKIP: needs $tool or yowasp-$tool"; exit 77; }
done
rm -rf "$work"
mkdir -p "$work" || exit 1
cd "$work" || exit 1
failed=0
fail() {
    echo "FAILED: $*"
    failed=1
}
"$tern" synth "$source/models/tiny/tiny.lua" --board ulx3s-85f --core $core --lanes 1 --freq 16 -o ulx3s >out.txt 2>err.txt || { cat out.txt err.txt; exit 1; }
cat out.txt
grep -q W0531 err.txt && fail "the planner counts other block RAMs: $(cat err.txt)"
grep -q '"latches": 0' ulx3s/report.json || fail "latches"
# a bitstream begins with a comment and the preamble ff ff bd b3; the routed design knows the pins
[ "$(wc -c <ulx3s/tiny.bit)" -gt 100000 ] || fail "the bitstream is short"
od -An -tx1 -N 4096 ulx3s/tiny.bit | tr -d ' \n' | grep -q ffffbdb3 || fail "no preamble of a bitstream"
[ "$core" = small ] || {
    estimate=$(sed -n '/"estimate"/,/}/s/.*"cells": \([0-9]*\).*/\1/p' ulx3s/report.json)
    cells=$(sed -n '/"used"/,/}/s/.*"cells": \([0-9]*\).*/\1/p' ulx3s/report.json)
    [ $((100 * estimate)) -ge $((85 * cells)) ] && [ $((100 * estimate)) -le $((115 * cells)) ] ||
        fail "estimated $estimate logic cells, made $cells: fit again, tests/bench/logic.sh"
}
exit $failed
