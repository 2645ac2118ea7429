#!/bin/sh
# logic.sh TERN LOGIC_FIT OUT [REPORT...] : fits the estimate of logic cells (compiler/plan/tern_logic_table.inc) to syntheses
# SPDX-License-Identifier: Apache-2.0
#
# Without REPORTs the models of this tree are synthesised first, one after the other, into folders below OUT (an hour or two; those that are there already are kept, so it can be
# interrupted). Then the table is written into the source tree: build again, and look at the differences that are printed. To be run after every change that alters the size of the Verilog, with
# an empty OUT.
set -eu
[ $# -ge 3 ] || { echo "usage: logic.sh TERN LOGIC_FIT OUT [REPORT...]" >&2; exit 2; }
tern=$1 fit=$2 out=$3
shift 3
here=$(cd "$(dirname "$0")" && pwd)
if [ $# -eq 0 ]; then
    mkdir -p "$out"
    while read -r target model lanes options; do
        dir=$out/$target-$model-$lanes$(echo "$options" | tr -d ' -' | tr '=.' '__')
        [ -f "$dir/report.json" ] ||
            nice -n 5 "$tern" synth "$here/../../models/$model/$model.lua" --target "$target" --lanes "$lanes" $options --until packed --force -o "$dir" >/dev/null </dev/null ||
            { echo "$target $model $lanes: failed" >&2; exit 1; }
    done <<'LIST'
hx8k tiny 1
hx8k tiny 1 --set formats.lags=2
hx8k tiny 4
hx8k digits2 2
hx8k digits2 8
hx8k reward 2
hx8k wta 2
up5k tiny 1
ecp5-25k tiny 1
ecp5-25k tiny 1 --set formats.lags=2
ecp5-25k tiny 16
ecp5-25k digits2 1
ecp5-25k digits2 4
ecp5-25k reward 2
ecp5-25k reward 8
ecp5-25k wta 2
ecp5-25k wta 8
ecp5-85k memorise 1
LIST
    set -- "$out"/*/report.json
fi
"$fit" "$here/../../compiler/plan/tern_logic_table.inc" "$@"
