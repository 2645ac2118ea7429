#!/bin/sh
# logic.sh [--small] TERN LOGIC_FIT OUT [REPORT...] : fits the estimate of logic cells (compiler/layout/tern_logic_table.inc) to syntheses
# SPDX-License-Identifier: Apache-2.0
#
# Without REPORTs models of this tree and resident cores are synthesised first, one after the other, into folders below OUT (an hour or two; those that are there already are kept, so it can be
# interrupted). Their reports replace those in tests/bench/logic/large, and the table is written into the source tree: build again, and compare with
#     build/tests/synth_table --estimate tests/bench/logic/large/*.json
# To be run after every change that alters the size of the Verilog, with an empty OUT. --small: the same of the small core (compiler/layout/tern_logic_small.inc, tests/bench/logic/small;
# half an hour). With REPORTs only the table is made of them.
export LC_ALL=C
set -eu
core=large table=tern_logic_table.inc
if [ "${1-}" = --small ]; then
    core=small table=tern_logic_small.inc
    shift
fi
[ $# -ge 3 ] || { echo "usage: logic.sh [--small] TERN LOGIC_FIT OUT [REPORT...]" >&2; exit 2; }
tern=$1 fit=$2 out=$3
shift 3
here=$(cd "$(dirname "$0")" && pwd)
if [ $# -eq 0 ]; then
    mkdir -p "$out"
    while read -r which target model lanes options; do
        [ "$which" = "$core" ] || continue
        dir=$out/$target-$model-$lanes$(echo "$options" | tr -d ' -' | tr '=.' '__')
        case $model in
        resident) set -- --resident --board "$target" ;;
        *) set -- "$here/../../models/$model/$model.lua" --target "$target" --core "$core" --lanes "$lanes" $options ;;
        esac
        [ -f "$dir/report.json" ] ||
            nice -n 5 "$tern" synth "$@" --until packed --force -o "$dir" >/dev/null </dev/null || # also 1 where a design is too large, and packed
            [ -f "$dir/report.json" ] || { echo "$target $model $lanes: failed" >&2; exit 1; }
    done <<'LIST'
large ecp5-25k tiny 1
large hx8k tiny 1
large ecp5-25k digits2 4
large hx8k digits2 2
large ecp5-25k wta 8
large ecp5-25k reward 2
large up5k tiny 1
large hx8k wta 2
large hx8k tiny 1 --set formats.lags=2
large ecp5-25k tiny 16
large hx8k reward 2
large ecp5-25k tiny 1 --set formats.lags=2
large ecp5-85k memorise 1
large hx8k digits2 8
large ecp5-25k reward 8
large hx8k tiny 4
large ecp5-25k wta 2
large ecp5-25k digits2 1
large ecp5-25k rules 4
large ecp5-25k nmnist 4
large up5k digits2 4
large colorlight-i5 resident 4
large ecp5-25k braille 4
large ecp5-25k tiny 32
large ecp5-85k digits3 4
large ecp5-45k digits2 8
small up5k digits2 2
small up5k tiny 1
small hx8k tiny 2
small up5k digits2 1
small up5k tiny 2 --set formats.lags=2
small up5k digits2 4 --set formats.weight={8,7}
small hx8k tiny 1
LIST
    kept=$here/logic/$core
    mkdir -p "$kept"
    rm -f "$kept"/*.json
    for report in "$out"/*/report.json; do
        name=${report%/report.json}
        cp "$report" "$kept/${name##*/}.json"
    done
    set -- "$kept"/*.json
fi
option=
[ $core = large ] || option=--small
"$fit" $option "$here/../../compiler/layout/$table" "$@"
