#!/bin/sh
# ended.sh : a simulation counts as ended only with the right exit status and with its summary
#     sh ended.sh STATUS SUMMARY COMMAND...
# Runs COMMAND and prints what it prints. Its exit status has to be STATUS, and a line of its output has to match SUMMARY (grep -E): a simulator that
# ends by itself has no summary, whatever its status is. Exit status 0: so it is; 1: not, and the line "ENDED WRONG: ..." says why; 2: wrong usage.
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -u
[ $# -ge 3 ] || { echo "usage: ended.sh STATUS SUMMARY COMMAND..." >&2; exit 2; }
status=$1 summary=$2
shift 2
out=$(mktemp) || exit 1
trap 'rm -f "$out"' EXIT
"$@" >"$out" 2>&1
got=$?
cat "$out"
wrong=0
[ $got -eq "$status" ] || { echo "ENDED WRONG: exit status $got, wanted $status"; wrong=1; }
grep -qE -e "$summary" "$out" || { echo "ENDED WRONG: no line matches '$summary'"; wrong=1; }
exit $wrong
