#!/bin/sh
# estimate.sh TERN SOURCE WORK FAMILY : a small network through Yosys and the packer of nextpnr: logic cells as estimated within 15 %, block RAMs and multipliers as counted
# SPDX-License-Identifier: Apache-2.0
#
# If this fails behind a change of the Verilog, the table is to be fitted again: tests/bench/logic.sh (docs/35-targets.md).
set -u
tern=$1 source=$2 work=$3_$4
case $4 in
ice40) target=hx8k pnr=nextpnr-ice40 ;;
ecp5) target=ecp5-25k pnr=nextpnr-ecp5 ;;
*) exit 2 ;;
esac
for t in yosys $pnr; do command -v $t >/dev/null || command -v yowasp-$t >/dev/null || { echo "SKIP: needs $t"; exit 77; }; done
rm -rf "$work"
mkdir -p "$work" || exit 1
cd "$work" || exit 1
"$tern" synth "$source/models/tiny/tiny.lua" --target $target --lanes 1 --until packed --force --json -o design >report.json 2>err.txt
[ -s report.json ] || { cat err.txt; exit 1; }
member() { sed -n "s/.*\"$1\":{[^}]*\"$2\":\([0-9]*\)[,}].*/\1/p" report.json; }
failed=0
used=$(member used cells) estimate=$(member estimate cells)
[ -n "$used" ] && [ -n "$estimate" ] || { echo "FAILED: the report has no cells"; exit 1; }
echo "$target: $used logic cells, estimate $estimate"
awk -v u="$used" -v e="$estimate" 'BEGIN { exit !(u > 2000 && e <= 1.15 * u && e >= u / 1.15) }' || { echo "FAILED: the estimate is off by more than 15 %"; failed=1; }
[ "$(member used block_rams)" = "$(member estimate block_rams)" ] || { echo "FAILED: block RAMs: $(member used block_rams), counted $(member estimate block_rams)"; failed=1; }
if [ $4 = ecp5 ]; then
    [ "$(member used multipliers)" = "$(member estimate multipliers)" ] || { echo "FAILED: multipliers: $(member used multipliers), counted $(member estimate multipliers)"; failed=1; }
fi
exit $failed
