#!/bin/sh
# tern train on several ranks: image, log, checkpoint and answer are those of one process; ranks that are killed or
# stopped.
#     sh test_train.sh TERN MAKE_CLI_DATA JSON_GET CHECK_EVAL CLI_TEST MPIRUN RANKS_OTHER
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -u
helper=$5 mpirun=$6
here=$(dirname "$0")
# shellcheck source=tests/cli/cli_test.sh
. "$helper"
# shellcheck source=tests/ranks/ranks_test.sh
. "$here/ranks_test.sh"

short='--data data --presentations 6 --seed 5'
one_and_many() { # RANKS NAME words...: a training alone, then on each number of ranks
    list=$1 name=$2
    shift 2
    # shellcheck disable=SC2086 # several options in one variable
    run 0 train "$@" -o one.tern --log one.jsonl
    for r in $list; do
        ranks "$r" 0 train "$@" -o many.tern --log many.jsonl
        same one.tern many.tern "$name, $r ranks"
        same one.jsonl many.jsonl "$name, $r ranks: log"
        [ ! -e one.tern.checkpoint ] || same one.tern.checkpoint many.tern.checkpoint "$name, $r ranks: checkpoint"
    done
}

# every rule and kind of baseline; circuits
# shellcheck disable=SC2086 # several options in one variable
{
    one_and_many '1 2 3 5' gem net.lua $short
    one_and_many '3' mb net.lua $short --set rule.kind=mb
    one_and_many '5' iw net.lua $short --set rule.kind=iw --set rule.baseline=synapse
    sed 's/^tern.gem{.*/tern.reward{ eta = 5e-3, gamma = 0.8, kappa = 0.5, samples = 5, tau = 3 }/' net.lua >reward.lua
    one_and_many '2 3' reward reward.lua $short
    sed 's/"hid", size = 4/"hid", size = 4, wta = 2/; s/"out", size = 3/"out", size = 3, wta = 3/' net.lua >wta.lua
    one_and_many '3' circuits wta.lua $short
}
rm -f one.tern* many.tern*
one_and_many '2 3' validation net.lua --data data --presentations 12 --seed 5 --validation 0.25 --validate-every 4

# a training goes on with another number of ranks
run 0 train net.lua --data data --seed 5 --presentations 12 -o whole.tern --log whole.jsonl
ranks 2 0 train net.lua --data data --seed 5 --presentations 4 -o mixed.tern --log mixed.jsonl
ranks 3 0 train net.lua --data data --seed 5 --presentations 8 -o mixed.tern --log mixed.jsonl --resume
run 0 train net.lua --data data --seed 5 --presentations 12 -o mixed.tern --log mixed.jsonl --resume
same whole.tern mixed.tern 'resumed on other ranks'
same whole.jsonl mixed.jsonl 'resumed on other ranks: log'
run 0 train net.lua --data data --seed 5 --validation 0.25 --validate-every 4 --presentations 8 -o v.tern
ranks 3 0 train net.lua --data data --seed 5 --validation 0.25 --validate-every 4 --presentations 12 -o v.tern --resume
same one.tern v.tern 'validation, resumed on ranks'

# what is sent: rank 0 has the 3 visible neurons, K = 5; 7 neurons in two words of positions, each rank has one of each
# or one alone. Losses: K from each rank with visible neurons to each other one; words: K for each word of each rank.
ranks 2 0 train net.lua --data data --presentations 2 --seed 5 -o s.tern --json
is out ranks.ranks 2
holds "$("$get" out ranks.losses)" == 5
holds "$("$get" out ranks.spike_words)" == 10
is out ranks.paper_unicast 15.0
is out ranks.paper_broadcast 35.0
holds "$("$get" out ranks.bytes)" '>' 60
ranks 3 0 train net.lua --data data --presentations 2 --seed 5 -o s.tern --json
holds "$("$get" out ranks.losses)" == 20 # two ranks with visible neurons, two receivers
run 0 train net.lua --data data --presentations 2 --seed 5 -o s.tern --json
grep -q '"ranks": *null' out || fail "one process names ranks"

# ---- a rank that is killed, and one that stops ----
long='train net.lua --data data --seed 5 --presentations 4000000 --checkpoint 50 -o long.tern --log long.jsonl'
lose() { # SIGNAL: rank 1 gets it in a long training
    rm -f long.*
    # shellcheck disable=SC2086 # several words in one variable
    timeout 600 "$mpirun" -n 3 "$tern" $long >out 2>err </dev/null &
    job=$!
    until_there long.jsonl 200
    pid=$(rank_pid 1 long.tern)
    kill "-$1" "$pid"
    wait $job && fail "SIG$1: exit status 0"
    [ "$1" = KILL ] || kill -KILL "$pid" 2>/dev/null
    if [ "$1" = KILL ] && "$mpirun" --version 2>&1 | grep -q HYDRA; then
        # MPICH's launcher kills the others before they can report anything: what is on the disk has to do
        grep -q 'Killed (signal 9)' out || fail "SIG$1: the launcher does not report it"
        run 0 train net.lua --data data --seed 5 --presentations 1 -o long.tern --log long.jsonl --resume
        saved=$(sed -n 's/^long.tern: \([0-9]*\) presentations are done already.*/\1/p' out)
    else
        says 'TERN-E0175: a rank is lost'
        says 'long.tern holds the training up to presentation'
        [ -z "$(find . -name 'long.*tmp*')" ] || fail "SIG$1: $(find . -name 'long.*tmp*') is left"
        saved=$(sed -n 's/.*holds the training up to presentation \([0-9]*\) .*/\1/p' err)
    fi
    [ "${saved:-0}" -ge 50 ] || fail "SIG$1: '$saved' presentations are saved, wanted 50 or more"
    saved=$((saved + 10))
    run 0 train net.lua --data data --seed 5 --presentations $saved -o long.tern --log long.jsonl --resume
    run 0 train net.lua --data data --seed 5 --presentations $saved -o again.tern --log again.jsonl
    same again.tern long.tern "SIG$1: resumed"
    same again.jsonl long.jsonl "SIG$1: resumed, log"
    [ -z "$(find . -name 'long.*tmp*')" ] || fail "SIG$1: $(find . -name 'long.*tmp*') is left after all"
}
lose KILL
TERN_RANKS_PATIENCE=2 && export TERN_RANKS_PATIENCE
lose STOP
unset TERN_RANKS_PATIENCE

# an interruption of one rank ends all behind the presentation, saved
rm -f long.*
# shellcheck disable=SC2086 # several words in one variable
timeout 600 "$mpirun" -n 2 "$tern" $long >out 2>err </dev/null &
job=$!
until_there long.jsonl 100
kill -TERM "$(rank_pid 1 long.tern)"
wait $job && fail "interrupted: exit status 0"
says 'interrupted after presentation'
saved=$(sed -n 's/^interrupted after presentation \([0-9]*\) .*/\1/p' err)
run 0 train net.lua --data data --seed 5 --presentations "$saved" -o again.tern --log again.jsonl
same again.tern long.tern 'interrupted'
same again.jsonl long.jsonl 'interrupted: log'
exit $failed
