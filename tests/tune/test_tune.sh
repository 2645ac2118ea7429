#!/bin/sh
# test_tune.sh TERN MAKE_CLI_DATA JSON_GET CHECK_EVAL : tern tune: which formats it takes, stopping and going on, jobs,
# bad input
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -u
. "$(dirname "$0")/../cli/cli_test.sh"
command -v gnuplot >/dev/null || { echo "FAILED: gnuplot is not there to draw the figure"; exit 1; }
small="net.lua --data data --seeds 3 --presentations 24 --inference 4 --within 4"

# ---- what it takes: worked out again from the CSV, with Student's t of three seeds ----
run 0 tune $small -o a --jobs 2
tells '^best: --set '
for f in tune.json tuning.json results.csv table.md figure.svg; do [ -s a/$f ] || fail "a/$f is missing"; done
grep -q '<path' a/figure.svg || fail "figure.svg shows nothing"
[ -z "$(find a/parts -not -name '*.json' -type f)" ] || fail "parts keeps more than JSON"
[ "$(find a/parts -name '*.json' | wc -l)" -eq "$(($(wc -l <a/results.csv) - 1))" ] || fail "one file per training"
# setting memory cells mean(log-loss) mean(behind) end-of-interval, of settings that fit
awk -F, 'NR > 1 && $1 == 0 { ref[$8] = $12; sum += $12 }
    NR > 1 && $1 > 0 && $11 == 1 { d = 100 * ($12 - ref[$8]) / (sum / 3); n[$1]++; s[$1] += d; q[$1] += d * d
        memory[$1] = $9; cells[$1] = $10; loss[$1] += $12 / 3 }
    END { for (k in n) { m = s[k] / 3; v = (q[k] - 3 * m * m) / 2; if (v < 0) v = 0
        printf "%d %d %d %.9f %.6f %.6f\n", k, memory[k], cells[k], loss[k], m, m + 4.302653 * sqrt(v / 3) } }' a/results.csv >by_hand
wanted=$(awk '$6 <= 4' by_hand | sort -k2,2n -k3,3n -k4,4n | head -1 | cut -d' ' -f2)
flattered=$(awk '$5 <= 4' by_hand | sort -k2,2n -k3,3n -k4,4n | head -1 | cut -d' ' -f2)
[ -n "$wanted" ] && [ "$wanted" != "$flattered" ] || fail "this test cannot tell the interval's end from the mean: '$wanted'"
best=$(sed -n 's/^best: //p' out)
run 0 tune $small -o a --json # nothing to do
mv out a.json
is a.json best.memory_bits "$wanted"
is a.json best.set "\"$best\""
grep -q '\*\*taken\*\*' a/table.md || fail "table.md has no line that is taken"
grep -q 'potential [0-9]* ([a-z]* [0-9]*' a/table.md || fail "table.md does not say where values were limited"
grep -qF -e "$best" a/table.md || fail "table.md lacks the words to use"

# one number by hand
run 0 train net.lua --data a/data/lists/train.csv --set seed=2 --set 'formats.weight={6,5}' --seed 2 --presentations 24 -o hand.tern --json
for kind in weight local potential coefficient logprob modulator; do
    grep -q "\"$kind\": $("$get" out saturations.$kind)[,]*\$" a/parts/weight6-5-seed2.json || fail "saturations.$kind differs by hand"
done
# the places of each kind add up to its number, here and in the search's own sums
cp out hand.json
run 0 train net.lua --data data --set 'formats.weight={4,2}' --set rule.eta=0.2 --presentations 24 -o wild.tern --json
python3 - hand.json out a/parts/weight6-5-seed2.json a/tune.json <<'EOF' || fail "places differ"
import json, sys
hand, wild, part, tune = (json.load(open(f)) for f in sys.argv[1:])
def adds_up(o, what):
    for kind, count in o["saturations"].items():
        placed = sum(p["count"] for p in o["places"] if p["kind"] == kind)
        if kind != "logprob" and placed != count: sys.exit(f"{what}: {kind} {count}, places {placed}")
adds_up(hand, "by hand")
adds_up(wild, "eta 0.2")
if len({p["kind"] for p in wild["places"]}) < 2 or len({p["place"] for p in wild["places"]}) < 3:
    sys.exit(f"this test sees too little: {wild['places']}")
if hand["places"] != part["points"][0]["places"]: sys.exit("by hand and in the part")
for s in tune["tried"]: adds_up(s, s["set"])
if not any(s["places"] for s in tune["tried"]): sys.exit("nothing was limited: this test sees nothing")
if tune["reference"]["places"] != []: sys.exit("the reference limits nothing")
names = {p["place"] for s in tune["tried"] + [wild] for p in s["places"]}
known = {"hid", "out", "pixels -> hid", "out -> hid", "pixels -> out", "hid -> out"}
if not names <= known: sys.exit(f"names: {names}")
EOF
run 0 eval hand.tern --data a/data/lists/test.csv --samples 4 --json
mv out hand.json
wanted=$(awk -F, '$2 == 6 && $3 == 5 && $4 == "" && $8 == 2 { printf "%.9g", $12; exit }' a/results.csv)
got=$("$get" hand.json log_loss | awk '{ printf "%.9g", $1 }')
[ -n "$wanted" ] && [ "$wanted" = "$got" ] || fail "weight {6,5}, seed 2: '$wanted' by the search, '$got' by hand"
# and one of the reference
run 0 train net.lua --data a/data/lists/train.csv --set seed=3 --seed 3 --presentations 24 --engine reference -o ref.tern
run 0 eval ref.tern --data a/data/lists/test.csv --samples 4 --engine reference --json
mv out ref.json
wanted=$(awk -F, '$1 == 0 && $8 == 3 { printf "%.9g", $12 }' a/results.csv)
got=$("$get" ref.json log_loss | awk '{ printf "%.9g", $1 }')
[ -n "$wanted" ] && [ "$wanted" = "$got" ] || fail "reference, seed 3: '$wanted' by the search, '$got' by hand"

# ---- stopped and gone on with, with other jobs: the same bytes ----
stopped=0
for delay in 0.1 0.3 0.4 0.6; do
    "$tern" tune $small -o parts --jobs $((stopped % 3 + 1)) >out 2>err </dev/null &
    pid=$!
    sleep $delay
    [ $((stopped % 2)) -eq 0 ] && signal=TERM || signal=KILL
    kill -$signal $pid 2>/dev/null
    wait $pid && break
    [ -e parts/results.csv ] && fail "a stopped search writes no results"
    stopped=$((stopped + 1))
done
[ $stopped -gt 1 ] || fail "never stopped"
run 0 tune $small -o parts --jobs 1
for f in tune.json results.csv table.md figure.svg; do same a/$f parts/$f "stopped $stopped times, other jobs"; done
for f in a/parts/*.json; do same "$f" "parts/parts/${f##*/}" "stopped $stopped times, other jobs"; done

for f in tune.json tuning.json results.csv table.md figure.svg; do cp a/$f a/$f.kept; done
# ---- another distance and target in the same folder; no answer; other settings ----
touch -d '2001-01-01' a/parts/weight*-seed1.json
run 1 tune net.lua --data data --seeds 3 --presentations 24 --inference 4 --within 0 --target up5k --lanes 1 -o a
says 'W0651.*up5k is within 0 %'
tells '^best: none'
[ -z "$(find a/parts -newermt '2002-01-01' -name 'weight?-?-seed1.json')" ] || fail "finished trainings were run again"
run 1 tune net.lua --data data --seeds 3 --presentations 24 --inference 5 -o a
says 'E0751.*a search with other settings: inference is'

# ---- fewer seeds, then more: as in a folder of their own ----
few="net.lua --data data --seeds 2 --presentations 24 --inference 4 --within 4"
[ "$("$tern" tune $few -o few --jobs 2 >out 2>err; echo $?)" -lt 2 ] || fail "two seeds: $(cat err)"
"$tern" tune $few -o parts >out 2>err
for f in tune.json tuning.json results.csv table.md; do same few/$f parts/$f "two seeds of three"; done
"$tern" tune $small -o few >out 2>err
for f in tune.json tuning.json results.csv table.md figure.svg; do same a/$f.kept few/$f "a third seed"; done
echo '{' >parts/parts/reference-seed1.json
run 1 tune $small -o parts
says 'E0754'

# ---- a window of two lags has one quarter below it, not three: no setting twice ----
sed '/tern.formats/d; s/tern.gem{.*/tern.gem{ eta = 5e-3, gamma = 0.8, kappa = 0.05, samples = 5 }\ntern.formats{ lags = 2 }/' net.lua >two.lua
run 0 tune two.lua --data data --seeds 2 --presentations 2 --inference 1 --within 1000 -o two
[ "$(tail -n +3 two/results.csv | cut -d, -f2-8 | sort | uniq -d | wc -l)" -eq 0 ] || fail "a setting is there twice"
cut -d, -f7 two/results.csv | grep -q '^1$' || fail "two lags: one was not tried"

# ---- some bits only, a setting of the script for all: its trainings are those of the changed script ----
some="net.lua --data data --seeds 2 --presentations 6 --inference 2 --within 1000 --set hid.size=2 --bits 7,5"
run 0 tune $some -o some
[ "$(tail -n +2 some/results.csv | cut -d, -f2 | sort -u | xargs)" = "5 7" ] || fail "--bits 7,5: other bits"
like="--data some/data/lists/train.csv --set hid.size=2 --set seed=1 --seed 1 --presentations 6"
run 0 train net.lua $like --set 'formats.weight={7,6}' -o two.tern
run 0 eval two.tern --data some/data/lists/test.csv --samples 2 --json
wanted=$(awk -F, '$2 == 7 && $3 == 6 && $4 == "" && $8 == 1 { printf "%.9g", $12; exit }' some/results.csv)
got=$("$get" out log_loss | awk '{ printf "%.9g", $1 }')
[ -n "$wanted" ] && [ "$wanted" = "$got" ] || fail "hid.size=2: '$wanted' by the search, '$got' by hand"
run 0 train net.lua $like --engine reference -o ref2.tern
run 0 eval ref2.tern --data some/data/lists/test.csv --samples 2 --engine reference --json
wanted=$(awk -F, '$1 == 0 && $8 == 1 { printf "%.9g", $12 }' some/results.csv)
got=$("$get" out log_loss | awk '{ printf "%.9g", $1 }')
[ -n "$wanted" ] && [ "$wanted" = "$got" ] || fail "hid.size=2, reference: '$wanted' by the search, '$got' by hand"
run 1 tune net.lua --data data --seeds 2 --presentations 6 --inference 2 --bits 7,5 -o some
says 'E0751.*set is'

# ---- wrong usage and bad values: nothing is made ----
bad() { # STATUS TEXT WORDS...
    status=$1 text=$2
    shift 2
    run "$status" tune "$@" -o bad
    says "$text"
    [ ! -e bad ] || { fail "tern tune $*: left a folder"; rm -rf bad; }
}
bad 2 'E01[0-9][0-9]' net.lua --data data --seeds 1
bad 2 'E01[0-9][0-9]' net.lua --data data --within -1
bad 2 'E01[0-9][0-9]' net.lua --data data --target sim
bad 2 'E0110.*--lanes wants' net.lua --data data --lanes 3
bad 2 'E0110.*wants a script' net.tern --data data
bad 2 'E0110.*the search varies it' net.lua --data data --set 'formats.weight={8,7}'
bad 2 'E0110.*the search varies it' net.lua --data data --set formats.lags=2
bad 2 'E0110.*--seeds does it' net.lua --data data --set seed=2
bad 2 'E01[0-9][0-9].*--bits' net.lua --data data --bits 3,4
bad 2 'E01[0-9][0-9].*--bits' net.lua --data data --bits 17
bad 2 'E01[0-9][0-9].*--bits' net.lua --data data --bits 8,8
bad 2 'E01[0-9][0-9].*--bits' net.lua --data data --bits ''
bad 1 'error TERN-E0' net.lua --data data --set hid.sizes=2
bad 2 'E01[0-9][0-9]' net.lua
sed '/tern.data/d' net.lua >nodata.lua
bad 1 'E0119' nodata.lua --data data
mkdir foreign && touch foreign/mine
run 1 tune $small -o foreign
says 'E0750.*not empty and holds no search'
exit $failed
