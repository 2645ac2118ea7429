#!/bin/sh
# fusesoc.sh : a target of rtl/tern.core, with FuseSoC, as a user would run it
#     sh fusesoc.sh lint|sim|sim_small|synth VENV WORK [--PARAMETER=VALUE...]
# The environment variable FUSESOC_RTL names another folder than rtl/, one with a planted mistake. Exit status as of python.sh.
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -u
[ $# -ge 3 ] || { echo "usage: fusesoc.sh lint|sim|sim_small|synth VENV WORK [PARAMETERS]" >&2; exit 2; }
target=$1 venv=$2 work=$3
shift 3
here=$(cd "$(dirname "$0")" && pwd)
sh "$here/python.sh" "$venv" there || exit $?
. "$here/links.sh"
enter_links "${FUSESOC_RTL:-$here/../../rtl}" "$venv" "$work"
XDG_CONFIG_HOME=$work XDG_DATA_HOME=$work XDG_CACHE_HOME=$work fusesoc --cores-root "$links/tree" run --target="$target" \
    --work-root="$links/work/build" tern "$@" >log.txt 2>&1
status=$?
# cells TYPE...: how many there are in the netlist, which also holds the device's library, without cells
cells() { for t; do cat build/*.json 2>/dev/null | grep -c "\"type\": \"$t"; done | tr '\n' ' '; }
case $target in
lint) said='Warning-|Error-|%Error'; ! grep -qE "$said" log.txt || status=1 ;;
sim|sim_small) grep -q '^tern_tb: passed' log.txt || status=1 ;;
synth) # of the smallest core: its memories, multipliers and registers are there, nothing is left that is no cell of the device
    set -- $(cells DP16KD MULT18X18D TRELLIS_FF tern_ '\$mem')
    echo "block RAMs, multipliers, registers: $1, $2, $3; not mapped: $4, $5" | tee -a log.txt
    [ "$1" -ge 3 ] && [ "$2" -eq 5 ] && [ "$3" -ge 2500 ] && [ "$4" -eq 0 ] && [ "$5" -eq 0 ] || status=1 ;;
esac
[ $status -eq 0 ] || { tail -n 30 log.txt; echo "FAILED: fusesoc run --target=$target"; exit 1; }
echo "fusesoc run --target=$target: done"
