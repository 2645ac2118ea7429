#!/bin/sh
# alloc_faults.sh : every N-th allocation of a command fails once: the same answer or an error with words, never a crash
#     sh alloc_faults.sh TERN SOURCE WORK SHIM EVERY CASE...      every EVERY-th allocation
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -u
[ $# -ge 6 ] || { echo "usage: alloc_faults.sh TERN SOURCE WORK SHIM EVERY CASE..." >&2; exit 2; }
tern=$1 source=$2 work=$3 shim=$4 every=$5
shift 5
. "$source/tests/faults/cases.sh"
[ -r "$shim" ] || { echo "FAILED: no shim at '$shim'"; exit 1; }
make_inputs
cp "$shim" shim.so # LD_PRELOAD takes no blanks
shim=../in/shim.so

disturb() { # CASE N
    begin_run
    # shellcheck disable=SC2086 # arguments in one variable
    timeout 600 env TERN_FAIL_AT="$2" LD_PRELOAD=$shim "$tern" $words >../out 2>../err
    got=$?
    what="$1: allocation $2"
    case $got in
    0) same_outputs "$what, status 0"; n_same=$((n_same + 1)) ;;
    1 | 2) grep -q . ../err || fail "$what: status $got without a word" ;;
    127) grep -q . ../err || fail "$what: the loader ended without a word" ;;
    *) fail "$what: status $got: $(tail -n 1 ../err)" ;;
    esac
    [ $got -ne 0 ] || tidy "$what"
    [ $got -eq 0 ] || [ -z "$(untidy)" ] || goes_on "$what" # files that are settled by the next call
}

# count WORDS...: allocations that a command makes
count() {
    rm -f "$work/count"
    TERN_FAIL_COUNT=$work/count LD_PRELOAD=$shim "$tern" "$@" >../out 2>../err
    cat "$work/count" 2>/dev/null || echo 0
}
total=0
begin_run
before=$(count --version) # made by libraries before the command begins: every one of them would take long
for name; do
    take_case "$name"
    undisturbed
    begin_run
    # shellcheck disable=SC2086
    made=$(count $words)
    [ "$made" -gt "$before" ] || fail "$name: only $made allocations were counted"
    n=$((every * 25)) n_same=0 n_points=0
    [ $n -lt "$before" ] || n=$((before + every / 2))
    while [ $n -le "$made" ]; do
        disturb "$name" $n
        n_points=$((n_points + 1))
        if [ $n -ge "$before" ]; then n=$((n + every))
        elif [ $((n + every * 50)) -lt "$before" ]; then n=$((n + every * 50))
        else n=$((before + every / 2)); fi
    done
    [ $n_same -lt $n_points ] || [ $((made - before)) -lt $((5 * every)) ] ||
        fail "$name: no allocation was missed: is the shim at work?"
    echo "$name: $((made - before)) allocations, $n_points points, $n_same with the same answer"
    total=$((total + n_points))
done
echo "$total points, $n_faults faults"
exit $failed
