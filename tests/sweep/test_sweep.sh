#!/bin/sh
# test_sweep.sh TERN MAKE_CLI_DATA JSON_GET CHECK_EVAL : tern sweep: tables, the best setting, stopping and going on
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -u
. "$(dirname "$0")/../cli/cli_test.sh"
command -v gnuplot >/dev/null || { echo "FAILED: gnuplot is not there to draw the figure"; exit 1; }
small="net.lua --data data --set rule.eta=1e-3:1e-1:log3 --samples 1,4 --seeds 2 --presentations 0,8,24 --inference 4"

# ---- what it makes ----
run 0 sweep $small -o a
tells '^best: --set rule.eta='
for f in results.csv results.json figure.svg report.html sweep.json; do [ -s a/$f ] || fail "a/$f is missing"; done
[ "$(wc -l <a/results.csv)" -eq 37 ] || fail "$(wc -l <a/results.csv) lines instead of 1 + 6 settings x 2 seeds x 3 points"
head -1 a/results.csv | grep -q '^setting,rule.eta,rule.samples,seed,presentations,inference,log_loss,' || fail "head of results.csv"
grep -q '<path' a/figure.svg || fail "figure.svg shows nothing"
[ -z "$(find a/parts -name '*.tern' -o -name '*.out')" ] || fail "parts keeps more than JSON"

# every number can be had by hand: setting 5 (eta 0.1, K 1), seed 2, by train and eval
run 0 train net.lua --data a/data/lists/train.csv --set rule.eta=0.1 --set rule.samples=1 --set seed=2 --seed 2 --presentations 24 -o hand.tern
run 0 eval hand.tern --data a/data/lists/test.csv --samples 4 --json
mv out hand.json
wanted=$(awk -F, '$1 == 5 && $4 == 2 && $5 == 24 { printf "%.9g", $7 }' a/results.csv)
got=$("$get" hand.json log_loss | awk '{ printf "%.9g", $1 }')
[ -n "$wanted" ] && [ "$wanted" = "$got" ] || fail "setting 5, seed 2: '$wanted' by the sweep, '$got' by hand"

# the best is the one with the best mean: worked out again from the CSV
run 0 sweep $small -o a --metric log-loss --json
mv out a.json
best=$(awk -F, 'NR > 1 && $5 == 24 { s[$1] += $7 } END { for (k in s) if (b == "" || s[k] < s[b]) b = k; print b }' a/results.csv)
is a.json best.setting "$best"
is a.json metric '"log-loss"'
is a.json trainings 12
run 0 sweep $small -o a --metric ece
tells '^ece '

# ---- stopped and gone on with: the same bytes ----
long="net.lua --data data --set rule.eta=1e-3,1e-2 --samples 1,4 --seeds 2 --presentations 40,600 --inference 4"
run 0 sweep $long -o whole
stopped=0
for delay in 0.1 0.2 0.3 0.5 0.8 1.5 3 6 12; do
    "$tern" sweep $long -o parts --jobs $((stopped % 3 + 1)) >out 2>err </dev/null &
    pid=$!
    sleep $delay
    [ $((stopped % 2)) -eq 0 ] && signal=TERM || signal=KILL
    kill -$signal $pid 2>/dev/null
    wait $pid
    got=$?
    [ $got -eq 0 ] && break
    # a kill may come after the results were written, before the report was: then they are all there
    [ ! -e parts/results.csv ] || same whole/results.csv parts/results.csv "stopped after $delay s"
    stopped=$((stopped + 1))
done
[ $stopped -gt 1 ] || fail "never stopped"
run 0 sweep $long -o parts
for f in results.csv results.json figure.svg report.html; do same whole/$f parts/$f "stopped $stopped times"; done
# nothing to do
touch -d '2001-01-01' parts/parts/*.json
run 0 sweep $long -o parts
[ -z "$(find parts/parts -newermt '2002-01-01' -name '*.json')" ] || fail "finished trainings were run again"

# ---- other settings in the same folder, two at a time, a damaged file ----
run 1 sweep net.lua --data data --set rule.eta=1e-3,2e-2 --samples 1,4 --seeds 2 --presentations 40,600 --inference 4 -o parts
says 'E0751.*a sweep with other settings: set is'
"$tern" sweep net.lua --data data --set rule.eta=1e-3,1e-2 --seeds 2 --presentations 2000000 -o busy >/dev/null 2>&1 </dev/null &
pid=$!
for try in $(seq 600); do [ -e busy/sweep.json ] && break; sleep 0.1; done
run 1 sweep net.lua --data data --set rule.eta=1e-3,1e-2 --seeds 2 --presentations 2000000 -o busy
says 'E0755.*another sweep is running in this folder'
kill -TERM $pid
wait $pid
echo '{"training": "setting1-seed1", "set": "--set rule.eta=7", "points": []}' >parts/parts/setting1-seed1.json
run 1 sweep $long -o parts
says 'E0754'
echo '{' >parts/parts/setting1-seed1.json
run 1 sweep $long -o parts
says 'E0754'
rm parts/parts/setting1-seed1.json
run 0 sweep $long -o parts
same whole/results.json parts/results.json "made again"
mkdir foreign && touch foreign/mine
run 1 sweep $long -o foreign
says 'E0750.*not empty and holds no sweep'
exit $failed
