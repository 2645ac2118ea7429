#!/bin/sh
# limits.sh : files that may not grow (ulimit -f), and an answer that nobody can take: an error with words, and then
# the same bits
#     sh limits.sh TERN SOURCE WORK [CASE]      one case alone; `signal`: the signal alone
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -u
[ $# -ge 3 ] || { echo "usage: limits.sh TERN SOURCE WORK [CASE]" >&2; exit 2; }
tern=$1 source=$2 work=$3 only=${4:-}
. "$source/tests/faults/cases.sh"
make_inputs

limited() { # CASE BLOCKS OF 512 BYTES
    begin_run
    what="$1 with files of at most $2 blocks"
    { # a pipe is not limited
        # shellcheck disable=SC2086 # arguments in one variable
        (ulimit -f "$2" && exec "$tern" $words) 2>&1
        echo $? >../status
    } | tee ../both >../out
    got=$(cat ../status)
    case $got in
    0) same_outputs "$what, status 0" ;; # what the limit does not meet
    1) grep -q 'error TERN-E' ../both || fail "$what: status 1 without an error: $(cat ../both)" ;;
    *) fail "$what: status $got" ;;
    esac
    goes_on "$what"
}
for name in train_fast train_reference eval compile convert digits report experiment; do
    [ "${only:-$name}" = $name ] || continue
    take_case $name
    undisturbed
    for blocks in 0 1 2 4 8; do limited $name $blocks; done
done

# SIGXFSZ is no end without a word
take_case train_fast
begin_run
# shellcheck disable=SC2086
(ulimit -f 2 && exec "$tern" $words) >../out 2>../err
got=$?
[ $got -eq 1 ] || fail "a training with files of at most 1024 bytes: status $got, wanted 1"
grep -q 'File too large' ../err || fail "a training with files of at most 1024 bytes: $(cat ../err)"

# an answer that cannot be written
if [ -w /dev/full ]; then
    for name in train_fast eval compile convert convert_npz split digits taxels encode view info explain keys report \
        experiment; do
        [ "${only:-$name}" = $name ] || continue
        take_case $name
        begin_run
        # shellcheck disable=SC2086
        "$tern" $words >/dev/full 2>../err
        got=$?
        [ $got -eq 1 ] || fail "$name >/dev/full: status $got, wanted 1"
        grep -q 'E0109' ../err || fail "$name >/dev/full: no E0109: $(cat ../err)"
    done
    "$tern" --version >/dev/full 2>../err && fail "--version >/dev/full: status 0"
fi
[ $failed -eq 0 ] && echo "limits: all as wanted"
exit $failed
