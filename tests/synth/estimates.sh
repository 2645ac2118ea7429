#!/bin/sh
# estimates.sh SYNTH_TABLE LOGIC_FIT SOURCE WORK [MESSAGE] : the planner against the syntheses on record (tests/bench/logic): logic cells within 15 %, block RAMs and multipliers exact; and its
# table is the one that they make
# SPDX-License-Identifier: Apache-2.0
#
# With MESSAGE SYNTH_TABLE has a mistake planted in the planner: it must fail and say MESSAGE.
export LC_ALL=C
set -u
table=$1 fit=$2 source=$3 work=$4
mkdir -p "$work" || exit 1
status=0
"$table" --estimate "$source"/tests/bench/logic/large/*.json >"$work/estimates.txt" 2>&1 || status=$?
if [ $# -gt 4 ]; then
    [ $status -eq 1 ] && grep -q "$5" "$work/estimates.txt" || { echo "FAILED: the planted mistake is not seen"; cat "$work/estimates.txt"; exit 1; }
    echo "seen: $(grep -c "$5" "$work/estimates.txt") rows"
    exit 0
fi
cat "$work/estimates.txt"
[ $status -eq 0 ] || { echo "FAILED: the planner's numbers are not those of the syntheses"; exit 1; }
"$fit" "$work/table.inc" "$source"/tests/bench/logic/large/*.json >"$work/fit.txt" || exit 1
cmp "$work/table.inc" "$source/compiler/layout/tern_logic_table.inc" || { echo "FAILED: compiler/layout/tern_logic_table.inc is not what these reports make: tests/bench/logic.sh"; exit 1; }
