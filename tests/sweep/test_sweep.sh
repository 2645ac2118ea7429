#!/bin/sh
# test_sweep.sh TERN MAKE_CLI_DATA JSON_GET CHECK_EVAL : tern sweep: tables, the best setting, stopping and going on, bad input
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
    [ -e parts/results.csv ] && fail "a stopped sweep writes no results"
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

# ---- wrong usage and bad values: nothing is made ----
bad() { # STATUS TEXT WORDS...
    status=$1 text=$2
    shift 2
    run "$status" sweep "$@" -o bad
    says "$text"
    [ ! -e bad ] || { fail "tern sweep $*: left a folder"; rm -rf bad; }
}
bad 2 'E0164.*2\.\.64' net.lua --data data --set rule.eta=1e-5:1e-2:log0
bad 2 'E0164.*LO must be less' net.lua --data data --set rule.eta=1e-2:1e-5:log3
bad 2 'E0164.*more than 0' net.lua --data data --set rule.eta=0:1:log3
bad 2 'E0164.*logN or linN' net.lua --data data --set rule.eta=1:2:3
bad 2 'E0164.*KEY=VALUES' net.lua --data data --set rule.eta
bad 2 'E0164.*twice' net.lua --data data --set rule.eta=1,1
bad 2 'E0164.*more than 6 keys' net.lua --data data --set a.b=1 --set a.c=1 --set a.d=1 --set a.e=1 --set a.f=1 --set a.g=1 --set a.h=1
bad 2 'E0110.*given already' net.lua --data data --set rule.samples=1,2 --samples 1,4
bad 2 'E0110.*--seeds does it' net.lua --data data --set seed=1,2
bad 2 'E0106.*nothing to sweep' net.lua --data data
bad 2 'E0110.*ascending' net.lua --data data --samples 1,2 --presentations 8,4
bad 2 'E0110.*wants a script' net.tern --data data --samples 1,2
bad 1 'E0224' net.lua --data data --set rule.etta=1e-3,1e-2
bad 1 'E0213' net.lua --data data --set rule.eta=1e-3,1e9
says 'with --set rule.eta=1e9'
bad 1 'E0213' net.lua --data data --samples 1,33
bad 1 'E0165.*12288 trainings\|E0165.*allowed are 10000' net.lua --data data --set rule.eta=1e-5:1e-2:log64 --set rule.kappa=0.1:0.9:lin64 --seeds 3
bad 1 'E0165' net.lua --data data --set rule.eta=1e-5:1e-2:log64 --set rule.kappa=0.1:0.9:lin64 --set rule.gamma=0.1:0.9:lin64 --set hid.size=1:64:lin64 --seeds 1000
run 1 sweep net.lua --data none --samples 1,2 -o nodata
says 'E04[0-9][0-9]'
# one recording: what is measured was learnt, which is reported
mkdir one && cp "$(find data -name '*.aedat' | sort | head -1)" one/
printf 'file,label\n%s,0\n' "$(ls one)" >one/labels.csv
run 0 sweep net.lua --data one --samples 1,2 --seeds 1 --presentations 4 -o o1
says 'W0166'
exit $failed
