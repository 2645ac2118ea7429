#!/bin/sh
# test_results.sh TERN MAKE_CLI_DATA JSON_GET CHECK_EVAL : the numbers of an experiment are those of the commands typed by hand; jobs cannot be seen in them; schema of CSV and JSON
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -u
. "$(dirname "$0")/../cli/cli_test.sh"
. "$(dirname "$0")/experiment_test.sh"

run 0 experiment digits3 -o one $small --jobs 1 --json
cp out answer
run 0 experiment digits3 -o two $small --jobs 2
for f in results.csv results.json experiment.json; do same one/$f two/$f "jobs 1 and 2"; done
sed 's/"folder":"one"/"folder":"two"/' answer >wanted
run 0 experiment digits3 -o two $small --jobs 2 --json
same wanted out "a second call answers the same"

# CSV: heading, 2 K x 3 seeds x 3 points rows of as many fields
[ "$(head -1 one/results.csv)" = experiment,rule,hidden,samples,seed,presentations,steps,inference,log_loss,log_loss_iw,log_likelihood,accuracy,ece,ece_debiased,ece_adaptive,ece_votes,ece_votes_debiased,ece_squared,ece_votes_squared,entropy_right,entropy_wrong,hidden_rate,hidden_spikes,unicast,broadcast ] || fail "heading"
awk -F, 'NF != 25 { bad = 1 } END { exit bad || NR != 19 }' one/results.csv || fail "rows: $(cat one/results.csv)"
[ "$(awk -F, 'NR > 1 { print $4, $5, $6, $7 }' one/results.csv | sort -u | wc -l)" -eq 18 ] || fail "rows are not all different"
awk -F, 'NR > 1 && $7 != 20 * $6 { exit 1 }' one/results.csv || fail "steps"
# JSON: members
one_line one >json
for key in settings.experiment settings.network settings.script_sha256 settings.rules settings.hidden settings.samples settings.presentations settings.inference settings.seeds settings.set \
    settings.classes settings.train_recordings settings.test_recordings settings.data settings.train_data settings.test_data settings.steps settings.visible claims means rows; do
    "$get" json $key >value || fail "results.json has no $key"
done
is json settings.experiment '"digits3"'
is json settings.samples '[1,2]'
is json settings.steps 20
is answer trainings 6
[ "$("$get" json rows | grep -o '"seed"' | wc -l)" -eq 18 ] && [ "$("$get" json means | grep -o '"rule"' | wc -l)" -eq 6 ] || fail "rows and means of results.json"
for name in log_loss log_loss_iw log_likelihood accuracy ece ece_debiased ece_adaptive ece_votes ece_votes_debiased ece_squared \
    ece_votes_squared entropy_right entropy_wrong hidden_rate hidden_spikes unicast broadcast; do
    [ "$("$get" json rows | grep -o "\"$name\":" | wc -l)" -eq 18 ] && [ "$("$get" json means | grep -o "\"$name\":{\"n\":" | wc -l)" -eq 6 ] || fail "$name in results.json"
done

# by hand: one training, its two places
run 0 train net.lua --data one/data/train.csv --samples 2 --seed 3 --set seed=3 --set rule.kind=gem --set hid.size=4 --presentations 3 -o hand.tern --log hand.jsonl
run 0 eval hand.tern --data one/data/test.csv --samples 2 --json
cp out at3
run 0 train net.lua --data one/data/train.csv --samples 2 --seed 3 --set seed=3 --set rule.kind=gem --set hid.size=4 --presentations 6 -o hand.tern --log hand.jsonl --resume
run 0 eval hand.tern --data one/data/test.csv --samples 2 --json
cp out at6
run 0 eval net.lua --data one/data/test.csv --samples 2 --set seed=3 --set hid.size=4 --set rule.samples=2 --json
cp out at0
for p in 0 3 6; do
    for name in log_loss log_loss_iw log_likelihood accuracy decisions.ece decisions.ece_debiased decisions.ece_adaptive decisions.ece_votes \
        decisions.ece_votes_debiased decisions.ece_squared decisions.ece_votes_squared decisions.entropy_right decisions.entropy_wrong; do
        value=$(awk -F, -v p=$p -v c="$(column one "${name#decisions.}")" '$4 == 2 && $5 == 3 && $6 == p { print $c == "" ? "null" : $c }' one/results.csv)
        wanted=$("$get" at$p $name)
        [ "$wanted" = null ] && { [ "$value" = null ] || fail "$name after $p: $value"; continue; }
        holds "($value) - ($wanted)" "<" 1e-9 "$name after $p" && holds "($wanted) - ($value)" "<" 1e-9 "$name after $p"
    done
done
# hidden spikes of all samples, numbers sent: means over the log
wanted=$(sed -n 's/.*"hidden_rate":\([0-9.e-]*\).*/\1/p' hand.jsonl | awk '{ s += $1 } END { printf "%.9g", 4 * 2 * s / NR }')
value=$(awk -F, -v c="$(column one hidden_spikes)" '$4 == 2 && $5 == 3 && $6 == 6 { print $c }' one/results.csv)
holds "($value) - ($wanted)" "<" 1e-6 "hidden spikes" && holds "($wanted) - ($value)" "<" 1e-6 "hidden spikes"
awk -F, -v u="$(column one unicast)" -v b="$(column one broadcast)" 'NR > 1 && ($u != 3 * $4 || $b != 7 * $4) { exit 1 }' one/results.csv || fail "numbers sent: K |X| and K (|X| + |H|) are 3 K and 7 K"

# means and intervals of three seeds, worked out here: t(0.975, 2) = 4.302652730
awk -F, -v c="$(column one log_loss)" '$4 == 2 && $6 == 6 { x[n++] = $c; s += $c }
    END { m = s / n; for (i in x) v += (x[i] - m) ^ 2; e = 4.302652730 * sqrt(v / (n - 1) / n); printf "%d %.9f %.9f %.9f\n", n, m, m - e, m + e }' one/results.csv >wanted
"$get" json means | tr '{' '\n' | grep -A1 '"samples":2,"presentations":6' | sed -n 's/"n":\([0-9]*\),"mean":\([^,]*\),"lo":\([^,]*\),"hi":\([^}]*\)}.*/\1 \2 \3 \4/p' >value
paste -d' ' wanted value | awk 'function near(a, b) { return (a - b) ^ 2 < 1e-14 } END { exit !($1 == 3 && $5 == 3 && near($2, $6) && near($3, $7) && near($4, $8)) }' || fail "mean and interval: $(cat wanted value)"
# a claim: log-likelihood with K = 2 less that with K = 1, seed by seed, and its verdict
awk -F, -v c="$(column one log_likelihood)" '$6 == 6 { d[$5] += $4 == 2 ? $c : -$c }
    END { for (i in d) { s += d[i]; ++n } m = s / n; for (i in d) v += (d[i] - m) ^ 2; e = 4.302652730 * sqrt(v / (n - 1) / n)
          verdict = m - e > 0 ? "reached" : m + e >= 0 ? "within interval" : "not reached"
          printf "%.9f %.9f %.9f %s\n", m, m - e, m + e, verdict }' one/results.csv >wanted
"$get" answer claims | sed 's/{"paper"/\n&/g' | sed -n 's/.*log-likelihood with K = 2 less that with 1, 6 examples","value":{"n":3,"mean":\([^,]*\),"lo":\([^,]*\),"hi":\([^}]*\)},"verdict":"\([^"]*\)".*/\1 \2 \3 \4/p' >value
awk 'function near(a, b) { return (a - b) ^ 2 < 1e-12 } NR == 1 { for (i = 1; i <= 3; ++i) w[i] = $i; t = $4 $5 } NR == 2 { for (i = 1; i <= 3; ++i) bad += !near(w[i], $i); bad += t != $4 $5 } END { exit bad || NR != 2 }' wanted value || fail "claim: $(cat wanted value)"

# the page: everything inside, the commands as they were run
grep -q 'tern train net.lua --data \$DIR/data/train.csv --samples 1 --seed 1 --set seed=1 --set rule.kind=gem --set hid.size=4 --presentations 3 -o gem-h4-k01-s1.tern' one/report.html || fail "the report lacks the command"
grep -qi -e '<script' -e 'src="http' -e 'href="http' one/report.html && fail "the report needs something else"
grep -q -e '(null)' -e '>nan' -e '>-nan' one/report.html && fail "the report prints what is not there"
for text in 'The paper and this run' 'Log-likelihood of the test recordings against processed' 'Expected calibration error' '95 %' 'verdict'; do grep -q "$text" one/report.html || fail "the report lacks '$text'"; done
grep -q '<th[^>]*>the paper</th><th[^>]*>verdict</th>' one/report.html || fail "the verdict is not the second column"
# results do not tell where folders lie
ifs=$IFS IFS='
' # "$dir" may have blanks
set -- $(echo "$small" | tr ' ' '\n' | sed "s,^net.lua$,$dir/net.lua,; s,^data$,$dir/data,")
IFS=$ifs
run 0 experiment digits3 -o "$dir/three" "$@"
for f in results.csv results.json report.html; do same one/$f three/$f "absolute paths"; done
grep -q "$dir" three/report.html && fail "the report tells where the folder lies"
# what is left over in the folder: files of trainings only
[ "$(ls one/parts | wc -l)" -eq 6 ] || fail "left over: $(ls one/parts)"
exit $failed
