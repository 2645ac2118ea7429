#!/bin/sh
# test_rules.sh TERN MAKE_CLI_DATA JSON_GET CHECK_EVAL : every rule through train and eval: communication, schedules, resuming, rewards
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -u
. "$(dirname "$0")/cli_test.sh"

# Numbers per step as in the paper's table, K = 5, |X| = 3, |H| = 4; a reward is not made from cross-entropies, so nothing goes up.
for row in 'gem 15 35' 'mb 15 20' 'iw 15 19' 'reward 0 35'; do
    set -- $row
    run 0 train net.lua --data data --set "rule.kind=$1" --presentations 4 -o c.tern --log c.jsonl --json
    is c.jsonl communication.unicast "$2.0"
    is c.jsonl communication.broadcast "$3.0"
    is out communication.unicast "$2.0"
    is out communication.broadcast "$3.0"
    [ "$(grep -c "\"communication\":{\"unicast\":$2.0,\"broadcast\":$3.0}" c.jsonl)" -eq 4 ] || fail "$1: every presentation sends the same"
    "$get" c.jsonl saturations.modulator >/dev/null || fail "$1: saturated modulators"
    run 0 train net.lua --data data --set "rule.kind=$1" --presentations 4 -o c.tern
    tells "sent  *$2 numbers per step to the central processor (unicast), $3 back"
    run 0 train net.lua --data data --set "rule.kind=$1" --samples 1 --presentations 2 -o c.tern --log c.jsonl
    [ "$1" = reward ] || is c.jsonl communication.unicast 3.0
done
run 0 train net.lua --data data --set rule.kind=iw --engine reference --presentations 2 -o c.tern --log c.jsonl --json
is c.jsonl communication.unicast null # the reference sends nothing
is out communication null

# modulators that do not fit are counted
run 0 train net.lua --data data --set rule.kind=iw --set rule.baseline=none --set formats.signal=12 --presentations 24 -o s.tern --json
holds "$("$get" out saturations.modulator)" '>' 0 'modulators of 12 fraction bits are limited at 2'

# a schedule reaches the learning coefficients of both sets: once eta is nothing, no weight moves
for rule in gem mb iw reward; do
    for engine in golden reference; do
        train="train net.lua --data data --engine $engine --set rule.kind=$rule --set rule.schedule={divide=1000,every=2}"
        run 0 $train --presentations 6 -o early.tern
        run 0 $train --presentations 12 -o late.tern --log late.jsonl
        holds "$("$get" late.jsonl eta)" '<' 1e-15 "$rule: eta"
        run 0 eval early.tern --data data --engine golden --json && a=$("$get" out log_loss)
        run 0 eval late.tern --data data --engine golden --json && b=$("$get" out log_loss)
        run 0 train net.lua --data data --engine $engine --set "rule.kind=$rule" --presentations 12 -o moved.tern
        run 0 eval moved.tern --data data --engine golden --json && c=$("$get" out log_loss)
        [ "$a" = "$b" ] || fail "$rule $engine: weights move after the schedule has stopped them ($a, $b)"
        [ "$a" != "$c" ] || fail "$rule $engine: weights do not move without a schedule"
    done
done

# resuming continues to the same bits, learning signals and baselines included; in one epoch, histories kept or not
sed 's/label = out }/label = out, clear = false }/' net.lua >keep.lua
for net in net keep; do
    for rule in mb iw reward; do
        for baseline in neuron synapse; do
            for engine in golden reference; do
                train="train $net.lua --data data --engine $engine --set rule.kind=$rule --set rule.baseline=$baseline --set rule.gamma=0.7"
                run 0 $train --presentations 14 -o whole.tern --log whole.jsonl
                run 0 $train --presentations 5 -o parts.tern --log parts.jsonl
                run 0 $train --presentations 14 -o parts.tern --log parts.jsonl --resume
                same whole.tern parts.tern "$net $rule $baseline $engine"
                same whole.jsonl parts.jsonl "$net $rule $baseline $engine, log"
            done
        done
    done
done

# reward: visible neurons run free and learn by the distance of their spikes to the wanted ones
reward='--set rule.kind=reward --set rule.tau=2 --set rule.eta=0.02'
for engine in golden reference; do
    run 0 eval net.lua --data data $reward --samples 20 --json --engine $engine
    before=$("$get" out distance)
    run 0 train net.lua --data data $reward --engine $engine --seed 3 --presentations 480 -o w.tern --log w.jsonl --json
    is out log_loss null
    is w.jsonl log_loss null
    is w.jsonl label "$("$get" w.jsonl label)"
    sed -n '2,49p' w.jsonl | sed 's/.*"distance":\([0-9.]*\).*/\1/' | awk '{ s += $1 } END { print s / NR }' >first
    tail -48 w.jsonl | sed 's/.*"distance":\([0-9.]*\).*/\1/' | awk '{ s += $1 } END { print s / NR }' >last
    holds "$(cat last)" '<' "0.8 * $(cat first)" "$engine: distances of training fall"
    run 0 eval w.tern --data data --samples 20 --engine $engine --json --per-recording l.jsonl
    holds "$("$get" out distance)" '<' "0.8 * $before" "$engine: the distance falls"
    sed 's/.*"distance":\([0-9.]*\).*/\1/' l.jsonl | awk -v told="$("$get" out distance)" '{ s += $1 } END { d = s / NR - told; exit !(NR == 24 && d < 1e-9 && d > -1e-9) }' ||
        fail "$engine: the distance is the mean of its recordings"
    cp out "d.$engine"
done
run 0 eval w.tern --data data --samples 22 --batch 4 --json && a=$("$get" out distance)
run 0 eval w.tern --data data --samples 22 --batch 20 --json && b=$("$get" out distance)
[ "$a" = "$b" ] || fail "the distance depends on the batch: $a, $b"
run 0 eval w.tern --data data --samples 4
tells 'distance .* squared van Rossum distance'
run 0 train net.lua --data data $reward --presentations 5 -o w.tern
tells 'distance  .* in the first presentation'
# validation by the distance unless another metric is named
run 0 train net.lua --data data $reward --presentations 48 --validation 0.25 --validate-every 12 -o v.tern --log v.jsonl --json
is out validation.metric '"distance"'
sed -n '1s/.*"held_out":\[\([^]]*\)\].*/\1/p' v.jsonl | tr ',' '\n' >held
awk 'NR == FNR { held[$1] = 1; next } (FNR - 1) in held { print "data/" $0 }' held data/labels.csv >held.csv
best=$("$get" out validation.best)
run 0 eval v.tern --data held.csv --samples 5 --json
is out distance "$best"
# without tau the signal is somebody else's
run 1 train net.lua --data data --set rule.kind=reward --set rule.tau=0 -o no.tern
says 'E0126.*tau = 0'
says 'hint: .*tern_reward'
[ ! -e no.tern ] || fail "something was written"
run 0 eval net.lua --data data --set rule.kind=reward --set rule.tau=0 --json
"$get" out distance >/dev/null 2>&1 && fail "a distance without tau"
[ "$failed" -eq 0 ] && echo "rules: all as wanted"
exit "$failed"
