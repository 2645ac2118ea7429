#!/bin/sh
# tern experiment on several ranks: the results of one process; a rank that is killed, with a launcher that ends all and
# with one that does not.
#     sh test_experiment.sh TERN MAKE_CLI_DATA JSON_GET CHECK_EVAL CLI_TEST MPIRUN RANKS_OTHER
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -u
helper=$5 mpirun=$6
here=$(dirname "$0")
# shellcheck source=tests/cli/cli_test.sh
. "$helper"
# shellcheck source=tests/ranks/ranks_test.sh
. "$here/ranks_test.sh"

small="--model net.lua --hidden 4 --data data --test data --train-recordings 3 --test-recordings 1 --samples 1,2
    --presentations 0,3"
# shellcheck disable=SC2086 # several options in one variable
run 0 experiment digits3 -o alone $small --seeds 3
for r in 2 3; do
    # shellcheck disable=SC2086 # several options in one variable
    ranks $r 0 experiment digits3 -o ranks$r $small --seeds 3
    same alone/results.csv ranks$r/results.csv "$r ranks"
    [ "$(grep -c written: out)" -eq 1 ] || fail "$r ranks: not said once"
done

# every command ran: on more ranks than trainings, too
# shellcheck disable=SC2086 # several options in one variable
ranks 5 0 experiment digits3 -o ranks5 $small --seeds 1
[ -s ranks5/results.csv ] || fail "5 ranks: no results"

# a training that fails on another rank is reported as anywhere: the first goes to rank 0, the second to rank 1
rm ranks5/parts/*.json && mkdir ranks5/parts/gem-h4-k02-s1.tern
# shellcheck disable=SC2086 # several options in one variable
ranks 2 fails experiment digits3 -o ranks5 $small --seeds 1
says 'gem-h4-k02-s1.err: error TERN-E0752: .*TERN-E0302'

# a rank that is killed in a long training
long="--model net.lua --hidden 4 --data data --test data --train-recordings 3 --test-recordings 1 --samples 1
    --presentations 0,POINT --seeds 2"
recover=--enable-recovery # the launcher goes on without a rank that ended; that of MPICH kills all
"$mpirun" --version 2>&1 | grep -q HYDRA && recover=
points() { echo "$long" | sed "s/POINT/$1/"; }
# shellcheck disable=SC2046,SC2086 # several options in one variable
{
    TERN_RANKS_PATIENCE=4 timeout 600 "$mpirun" -n 2 $recover "$tern" experiment digits3 -o lost \
        $(points 30000) >out 2>err </dev/null &
    job=$!
    until_there lost/parts/gem-h4-k01-s2.jsonl 5
    kill -KILL "$(rank_pid 1 'experiment digits3 -o lost')"
    wait $job # its status is that of the launcher, which was to go on
    if [ -n "$recover" ]; then
        says 'TERN-E0176: rank 1 is lost, and with it this training since its last point'
        grep -q '"done": *true' lost/parts/gem-h4-k01-s1.json || fail "rank 0 did not finish its training"
    fi
    grep -q '"done": *true' lost/parts/gem-h4-k01-s2.json && fail "the lost training is finished"
    ranks 2 0 experiment digits3 -o lost $(points 30000)
    run 0 experiment digits3 -o whole $(points 30000)
    same whole/results.csv lost/results.csv 'a rank was killed, and the same command went on'
}
exit $failed
