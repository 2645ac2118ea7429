#!/bin/sh
# The tests of the command notice bugs in the engine, each by the comparison that it spoils.
#     sh command_mutants.sh TERN_PLANTED MAKE_CLI_DATA JSON_GET CHECK_EVAL CLI_TEST TEST [word of the test...]
# Lines of TEST_NAME.mutants beside TEST: BUG message that the test has to print
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -u
tern=$1 make=$2 get=$3 check=$4 helper=$5 test=$6
shift 6
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0 n=0
list=${test%.sh}.mutants
if ! sh "$test" "$tern" "$make" "$get" "$check" "$helper" "$@" >"$work/out" 2>&1; then
    echo "without a bug it fails, too:"
    cat "$work/out"
    exit 1
fi
while read -r bug message; do
    case $bug in ''|'#'*) continue ;; esac
    n=$((n + 1)) stop=''
    [ "$(grep -c "^$bug " "$list")" -gt 1 ] || stop=$message # nothing else is wanted
    if [ ! -e "$work/$bug" ] && # one run for all messages of a bug
        TERN_STOP_AT=$stop TERN_PLANT=$bug sh "$test" "$tern" "$make" "$get" "$check" "$helper" "$@" >"$work/$bug" 2>&1 </dev/null; then
        echo "$bug: not found"
        bad=1
    elif ! grep -q "$message" "$work/$bug"; then
        echo "$bug: found by something else, wanted '$message':"
        head -20 "$work/$bug"
        bad=1
    fi
done <"$list"
[ "$n" -gt 0 ] || { echo "$list is empty"; bad=1; }
[ "$bad" -eq 0 ] && echo "$n planted bugs found"
exit "$bad"
