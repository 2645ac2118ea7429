#!/bin/sh
# test_inference.sh TERN MAKE_CLI_DATA JSON_GET CHECK_EVAL : decisions, votes, confidence, early stop of `tern eval`
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -u
. "$(dirname "$0")/cli_test.sh"

# trained a little: decisions of many kinds
run 0 train net.lua --data data --seed 2 --presentations 2 -o t.tern
run 0 train net.lua --data data --seed 2 --presentations 2 -o r.tern --engine reference
sed 's/,[0-9]*$/,-1/; s/^/data\//' data/labels.csv >unlabelled.csv
sed -n 'p; 5q' unlabelled.csv >mixed.csv && sed -n '6,24p' data/labels.csv | sed 's/^/data\//' >>mixed.csv

# the summary is that of the lines, worked out another way; nothing depends on the batch
for engine in golden reference; do
    image=t.tern
    [ "$engine" = reference ] && image=r.tern
    for decode in rate first; do
        eval="eval $image --data mixed.csv --engine $engine --decode $decode --seed 7 --bins 7"
        for batch in 32 4 12; do
            run 0 $eval --samples 22 --batch "$batch" --json --per-recording "lines.$batch"
            sed "s/\"batch\":$batch,/\"batch\":0,/" out >"sum.$batch"
        done
        "$check" sum.32 lines.32 || fail "$engine $decode: the summary"
        is sum.32 labelled 19
        for batch in 4 12; do
            same sum.32 "sum.$batch" "$engine $decode, batches of $batch"
            same lines.32 "lines.$batch" "$engine $decode, batches of $batch"
        done
        cp sum.32 "full.$engine.$decode" && cp lines.32 "full.$engine.$decode.jsonl"
        # the first samples decide the same when more are made
        run 0 $eval --samples 60 --json --per-recording more.jsonl
        for n in 1 7 24; do
            few=$(sed -n "${n}p" lines.32 | sed 's/.*"decisions":\[\([^]]*\)\].*/\1/')
            many=$(sed -n "${n}p" more.jsonl | sed 's/.*"decisions":\[\([^]]*\)\].*/\1/')
            case $many in "$few",*) ;; *) fail "$engine $decode: samples of recording $n change with their number" ;; esac
        done
        # early stop: fewer samples, the same decisions
        for batch in '' '--batch 8' '--batch 12'; do
            run 0 $eval --samples 22 $batch --early-stop --json --per-recording early.jsonl
            "$check" out early.jsonl || fail "$engine $decode: the summary of an early stop"
            sed 's/.*"recording":\([0-9]*\).*"decision":\([0-9]*\).*/\1 \2/' early.jsonl >a
            sed 's/.*"recording":\([0-9]*\).*"decision":\([0-9]*\).*/\1 \2/' lines.32 >b
            same a b "$engine $decode $batch, decisions of an early stop"
            [ -n "$batch" ] || holds "$("$get" out samples_saved)" '>' 0 "samples saved" # large batches may save none
            is out accuracy "$("$get" sum.32 accuracy)"
            is out log_loss "$("$get" sum.32 log_loss)"
        done
        # nobody stops before the vote is settled: the winner is ahead by more than the samples left (22 in all)
        sed 's/.*"samples":\([0-9]*\).*"votes":\[\([0-9]*\),\([0-9]*\),\([0-9]*\)\].*/\1 \2 \3 \4/' early.jsonl |
            awk '{ top = 0; second = 0
                   for (i = 2; i <= 4; ++i) if ($i > top) { second = top; top = $i } else if ($i > second) second = $i
                   if ($1 < 22 && top - second <= 22 - $1) bad = 1 } END { exit bad }' || fail "$engine $decode: stopped too early"
    done
done
cmp -s full.golden.rate.jsonl full.golden.first.jsonl && fail "--decode changes nothing"
is full.golden.rate samples_training 5
is full.golden.rate samples 22
is full.golden.rate decisions.classes 3
holds "$("$get" full.golden.rate decisions.entropy_right)" '>' 0 'entropy of uncertain decisions'
holds "$("$get" full.golden.first right)" '<' 19 'some decisions are wrong'
awk -v h="$("$get" full.golden.rate spikes_per_step.hidden_free)" -v r="$("$get" full.golden.rate hidden_rate)" 'BEGIN { exit !(r > 0 && 4 * r / h > 0.999999 && 4 * r / h < 1.000001) }' ||
    fail 'spikes per hidden neuron'

# many samples; one sample: no uncertainty
run 0 eval t.tern --data data --samples 256 --json --per-recording l.jsonl
"$check" out l.jsonl || fail "256 samples"
is out samples_made 6144
run 0 eval t.tern --data data --json --per-recording l.jsonl
"$check" out l.jsonl || fail "one sample"
is out decisions.confidence_votes 1.0
if [ "$("$get" out right)" -gt 0 ]; then is out decisions.entropy_right 0.0; fi
run 0 eval t.tern --data data --samples 22
tells '22 samples (trained with 5)'
tells 'calibration error .* 15 bins'
tells 'entropy, right'
tells 'accuracy .*\[0\.[0-9]*, [01]\.[0-9]*\] .* of 24 right, decided by rate'
run 0 eval t.tern --data data --samples 22 --early-stop --decode first
tells 'samples made .* saved; every vote is settled: the decisions are those of all 22'
tells 'decided by first spike'
# recordings without label: decisions, but nothing to compare them with
run 0 eval t.tern --data unlabelled.csv --samples 5 --json --per-recording l.jsonl
"$check" out l.jsonl || fail "no labels"
is out accuracy null
run 0 eval t.tern --data unlabelled.csv --samples 5
tells 'accuracy  *none: no recording has a label'

# WTA circuit as label population: at most one class spikes in a step
sed 's/name = "out", size = 3,/name = "out", size = 3, wta = 3,/' net.lua >wta.lua
run 0 train wta.lua --data data --presentations 20 -o w.tern
run 0 eval w.tern --data data --samples 22 --json --per-recording l.jsonl
"$check" out l.jsonl || fail "WTA"
holds "$("$get" out spikes_per_step.visible_free)" '<=' 1 'spikes of a circuit'

# no label population: told, and an early stop is refused
sed 's/label = out/parts = { { population = pixels, rows = {0, 0} } }/; s/input = pixels, //' net.lua >nolabel.lua
run 0 eval nolabel.lua --data data --samples 4 --json
is out decisions null
run 0 eval nolabel.lua --data data --samples 4 --per-recording l.jsonl
tells 'decisions  *none: the network has no label population'
is l.jsonl samples 4
run 1 eval nolabel.lua --data data --samples 4 --early-stop
says 'E0122.*no label population'
says 'hint: '
sed 's/name = "out", size = 3,/name = "out", size = 1025,/' net.lua >many.lua
run 1 eval many.lua --data data
says 'E0122.*1025 units, at most 1024'

# wrong usage
run 2 eval t.tern --data data --batch 6
says 'E0110.*multiple of 4'
run 2 eval t.tern --data data --batch 36
says 'in 4..32'
run 2 eval t.tern --data data --bins 0
says 'in 1..100'
run 2 eval t.tern --data data --decode last
says 'rate|first'
# the lines are an output as the log of train is
cp t.tern t.keep && cp data/labels.csv labels.keep
run 2 eval t.tern --data data --per-recording ./t.tern
says 'E0110.*overwrite the network'
run 2 eval t.tern --data data/labels.csv --per-recording data/../data/labels.csv
says 'E0110.*overwrite --data'
run 1 eval t.tern --data data --per-recording net.lua
says 'E0114.*not a log of this kind'
run 0 train t.tern --data data --presentations 1 -o x.tern --log x.jsonl
run 1 eval t.tern --data data --per-recording x.jsonl
says 'E0114.*not a log of this kind'
run 1 eval t.tern --data data --per-recording no/such/folder/l.jsonl
says 'E0302.*No such file'
if [ -w /dev/full ]; then
    run 1 eval t.tern --data data --per-recording /dev/full
    says 'E0114.*No space'
fi
run 0 eval t.tern --data data --per-recording l.jsonl # an older one of its kind is replaced
[ "$(wc -l <l.jsonl)" -eq 24 ] || fail "lines per recording"
same t.tern t.keep "the image"
same data/labels.csv labels.keep "the list"
[ "$failed" -eq 0 ] && echo "inference: all as wanted"
# decisions on the way: the last step and all samples are the evaluation itself, fewer samples one of fewer
rights() { sed -n 's/.*"right":true.*/1/p; s/.*"right":false.*/0/p' "$1" | tr -d '\n'; }
# curve FILE STEPS SAMPLES MEMBER: of the answer's curve
curve() { tr '{' '\n' <"$1" | sed -n "s/^\"steps\":$2,\"samples\":$3,.*\"$4\":\"\{0,1\}\([^,\"}]*\).*/\1/p"; }
eval="eval t.tern --data mixed.csv --seed 7 --bins 7 --decode rate"
run 0 $eval --samples 22 --json --curve 2,9,20 --curve-samples 1,7 --per-recording curve.jsonl
cp out with
[ "$(grep -o '"steps":[0-9]*,"samples":[0-9]*,"accuracy"' with | wc -l)" -eq 9 ] || fail "curve: $(cat with)"
for n in 1 7 22; do
    run 0 $eval --samples $n --json --per-recording few.jsonl
    wanted=$(rights few.jsonl)
    [ ${#wanted} -eq 19 ] && [ "$(curve with 20 $n right)" = "$wanted" ] || fail "curve: $n samples are '$(curve with 20 $n right)', wanted '$wanted'"
    [ "$(curve with 20 $n accuracy)" = "$("$get" out accuracy)" ] || fail "curve: accuracy of $n samples"
    for member in ece ece_debiased ece_votes ece_votes_debiased entropy_right entropy_wrong; do
        [ "$(curve with 20 $n $member)" = "$("$get" out decisions.$member)" ] || fail "curve: $member of $n samples is $(curve with 20 $n $member), wanted $("$get" out decisions.$member)"
    done
    case $(curve with 2 $n right) in *[!01]* | '' | "$wanted") fail "curve: $n samples after two steps: $(curve with 2 $n right)" ;; esac
done
run 0 $eval --samples 22 --json --per-recording plain.jsonl
sed 's/,"curve":\[[^]]*\]//' with >without
same out without "an answer with a curve and one without"
same curve.jsonl plain.jsonl "lines with a curve and without"
for more in '--batch 4' '--threads 3' '--engine golden'; do
    run 0 $eval --samples 22 --json --curve 2,9,20 --curve-samples 1,7,22 $more
    [ "$(grep -o '"curve":.*' out)" = "$(grep -o '"curve":.*' with)" ] || fail "curve with $more"
done
run 0 $eval --samples 22 --curve 2,9,20
tells '^ *9 *0[.]'
run 1 $eval --samples 4 --curve 2,21
says E0185
says 'has 20'
run 2 $eval --samples 4 --curve 3,2
says 'ascending numbers from 1 to 65535'
run 2 $eval --samples 4 --curve 2 --curve-samples 5
says 'from 1 to 4'
run 2 $eval --samples 4 --curve 2 --early-stop
says 'exclude each other'
run 2 $eval --samples 4 --curve-samples 2
says 'needs --curve'
# calibration beside the error of the bins
for by in ece ece_votes; do
    holds "$("$get" full.golden.rate decisions.${by}_debiased)" '<=' "$("$get" full.golden.rate decisions.$by)" "what chance adds to $by"
    holds "$("$get" full.golden.rate decisions.${by}_adaptive)" '>' 0 "adaptive $by"
    low=$("$get" full.golden.rate decisions.${by}_squared_interval | tr -d '[' | cut -d, -f1)
    holds "$low" '<' "$("$get" full.golden.rate decisions.${by}_squared)" "interval of ${by}_squared"
done
[ "$failed" -eq 0 ] && echo "inference: all as wanted"
exit "$failed"
