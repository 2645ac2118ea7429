#!/bin/sh
# cocotb.sh : makes the files of models/tiny, what the golden model does with it, and runs test_bridges.py
#     sh cocotb.sh axi_tiny|wishbone_tiny TERN GOLDEN VENV WORK [BUG TEST]
# TERN, GOLDEN: the programs tern and cocotb_golden. BUG: a planted bug TERN_TESTBUG_BUG, with which the test TEST of test_bridges.py has to fail at a comparison.
# Exit status as of python.sh.
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -u
[ $# -eq 5 ] || [ $# -eq 7 ] || { echo "usage: cocotb.sh TOP TERN GOLDEN VENV WORK [BUG TEST]" >&2; exit 2; }
top=$1 tern=$2 golden=$3 venv=$4 work=$5 bug=${6:-} test=${7:-}
here=$(cd "$(dirname "$0")" && pwd)
for tool in iverilog vvp make; do command -v $tool >/dev/null || { echo "FAILED: needs $tool"; exit 1; }; done
sh "$here/python.sh" "$venv" there || exit $?
. "$here/links.sh"
enter_links "$here/../.." "$venv" "$work"
case $top in axi_tiny) lanes=1 ;; *) lanes=4 ;; esac # one lane: a frame of several words
"$tern" compile "$here/../../models/tiny/tiny.lua" -o files --lanes $lanes >compile.txt || exit 1
"$golden" files/tiny.tern $lanes 2 5 >files/golden.json || exit 1
PYTHONWARNINGS=ignore make -f "$links/tree/tests/cocotb/Makefile" TOP="$top" SIM=icarus TERN_COCOTB_FILES="$links/work/files" \
    TERN_COCOTB_DEFINES="${bug:+TERN_TESTBUG_$bug}" ${test:+TESTCASE="$test"} >log.txt 2>&1
status=$?
# cocotb 2 writes all of it into one line
ran=$(grep -o '<testcase' results.xml 2>/dev/null | wc -l)
failed=$(grep -oE '<(failure|error)[ />]' results.xml 2>/dev/null | wc -l)
if [ -n "$bug" ]; then
    [ "$ran" -eq 1 ] && [ "$failed" -eq 1 ] && grep -q AssertionError log.txt || { tail -n 30 log.txt; echo "FAILED: $test does not see $bug"; exit 1; }
    echo "$test sees $bug"
    exit 0
fi
[ $status -eq 0 ] && [ "${ran:-0}" -gt 0 ] && [ "$failed" -eq 0 ] || { tail -n 60 log.txt; echo "FAILED: ${failed:-all} of ${ran:-0} tests"; exit 1; }
echo "$top: $ran tests passed"
