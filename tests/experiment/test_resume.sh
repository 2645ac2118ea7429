#!/bin/sh
# test_resume.sh TERN MAKE_CLI_DATA JSON_GET CHECK_EVAL : stopped experiments continue and come to the same bytes
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -u
. "$(dirname "$0")/../cli/cli_test.sh"
. "$(dirname "$0")/experiment_test.sh"
long="--model net.lua --hidden 4 --data data --test data --train-recordings 4 --test-recordings 3 --samples 1,2 --presentations 0,40,1200 --seeds 2"

run 0 experiment digits3 -o whole $long
# stopped again and again, each time a little later, with another number of jobs; it must have been stopped at least once while it worked
stopped=0
for delay in 0.1 0.2 0.3 0.4 0.6 0.8 1.2 1.6 2.5 5 10 20 40; do
    "$tern" experiment digits3 -o parts $long --jobs $((stopped % 3 + 1)) >out 2>err </dev/null &
    pid=$!
    sleep $delay
    kill -TERM $pid 2>/dev/null
    wait $pid
    got=$?
    [ $got -eq 0 ] && break
    [ $got -eq 143 ] && continue # stopped before it had begun to listen
    [ $got -eq 1 ] || fail "stopped: exit status $got"
    grep -q 'interrupted: [0-9]* of 4 trainings are done; the same command continues' err && stopped=$((stopped + 1))
    [ -e parts/results.csv ] && fail "a stopped run writes no results"
done
[ $stopped -gt 0 ] || fail "never stopped"
run 0 experiment digits3 -o parts $long --jobs 2
for f in results.csv results.json; do same whole/$f parts/$f "stopped $stopped times"; done

# a training that is missing, and one that is half done, are made again
cp -r whole again
rm again/parts/gem-h4-k02-s1.json again/results.csv again/report.html
run 0 experiment digits3 -o again $long
for f in results.csv results.json report.html; do same whole/$f again/$f "made again"; done
# nothing to do: trainings are not run again (their files keep their time)
touch -d '2001-01-01' again/parts/*.json
run 0 experiment digits3 -o again $long
[ -z "$(find again/parts -newermt '2002-01-01' -name '*.json')" ] || fail "finished trainings were run again"
same whole/results.json again/results.json "nothing to do"

# one seed after the other, and one of two again
run 0 experiment digits3 -o seeds ${long%2}1
cp seeds/results.json one.json
touch -d '2001-01-01' seeds/parts/*.json
run 0 experiment digits3 -o seeds $long
for f in results.csv results.json experiment.json report.html; do same whole/$f seeds/$f "one seed, then two"; done
[ "$(find seeds/parts -newermt '2002-01-01' -name '*.json' | wc -l)" -eq 2 ] || fail "a second seed: not two trainings"
run 0 experiment digits3 -o seeds ${long%2}1
same one.json seeds/results.json "two seeds, then one"

# ended by every signal: the children save and end by themselves, none continues alone; what is left is gone on with
slow="--model net.lua --hidden 4 --data data --test data --train-recordings 4 --test-recordings 3 --samples 1,2 --presentations 0,1000000 --seeds 2"
left() { for p in /proc/[0-9]*; do tr '\0' ' ' <"$p/cmdline" 2>/dev/null | grep -q "train .*$1/parts" && echo "${p#/proc/}"; done; }
for signal in KILL HUP PIPE; do
    at=$signal-$$ # a name that no other process has in its command
    "$tern" experiment digits3 -o "$at" $slow --jobs 2 >out 2>err </dev/null &
    pid=$!
    for try in $(seq 6000); do [ "$(grep -c presentation "$at"/parts/*.jsonl 2>/dev/null | awk -F: '$2 > 4' | wc -l)" -eq 2 ] && break; sleep 0.1; done
    [ "$(left "$at" | wc -l)" -eq 2 ] || fail "$signal: no children to look for"
    kill -$signal $pid
    wait $pid 2>/dev/null
    got=$?
    [ $signal != HUP ] || [ $got -eq 1 ] || fail "HUP: status $got"
    for try in $(seq 6000); do [ -z "$(left "$at")" ] && break; sleep 0.1; done
    alone=$(left "$at")
    [ -z "$alone" ] || { fail "$signal left children behind: $alone"; kill -KILL $alone; }
    ls "$at"/parts/*.tern >/dev/null || fail "$signal: nothing was saved"
done
"$tern" experiment digits3 -o killed $long >out 2>err </dev/null &
pid=$!
sleep 0.5
kill -KILL $pid 2>/dev/null
wait $pid 2>/dev/null
run 0 experiment digits3 -o killed $long
for f in results.csv results.json; do same whole/$f killed/$f "killed"; done
exit $failed
