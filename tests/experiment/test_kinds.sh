#!/bin/sh
# test_kinds.sh TERN MAKE_CLI_DATA JSON_GET CHECK_EVAL : every experiment with Tern's own scripts, as small as they go: what is trained, what is sent, what the page shows
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -u
. "$(dirname "$0")/../cli/cli_test.sh"
. "$(dirname "$0")/experiment_test.sh"

page() { for text in "$@"; do grep -q "$text" page/report.html || fail "the report lacks '$text'"; done; }

# memorise: with and without hidden neurons; K |X| and K (|X| + |H|) with |X| = 338
run 0 experiment memorise -o page --hidden 0,2 --samples 1,2 --presentations 0,1 --inference 2 --seeds 1 --json
is out trainings 4
awk -F, -v b="$(column page broadcast)" -v h="$(column page hidden_spikes)" 'NR > 1 && ($b != $4 * (338 + $3) || ($3 == 0) != ($h == 0)) { exit 1 }' page/results.csv || fail "memorise: $(cat page/results.csv)"
awk -F, -v c="$(column page log_loss)" 'NR > 1 { if ($6 == 0) start[$3 $4] = $c; else if ($c >= start[$3 $4]) exit 1 }' page/results.csv || fail "memorise learns nothing: $(cat page/results.csv)"
awk -F, -v c="$(column page accuracy)" 'NR > 1 && $c != "" { exit 1 }' page/results.csv || fail "memorise has no decisions"
[ "$("$get" out claims | grep -o '"measured":"numbers sent[^}]*}[^}]*"reached"' | wc -l)" -eq 4 ] || fail "memorise: broadcast load: $("$get" out claims)"
page 'Log-loss of the recording against processed' 'after the last presentation against K' 'central processor to the neurons' 'during training, all samples'
rm -rf page

# digits2: the paper's two numbers are looked for after 100 examples
run 0 experiment digits2 -o page --presentations 100 --inference 1,20 --seeds 2 --train-recordings 10 --test-recordings 5 --json
awk -F, -v c="$(column page accuracy)" 'NR > 1 && $8 == 20 && $c < 0.7 { exit 1 }' page/results.csv || fail "digits2 learns nothing: $(cat page/results.csv)"
for inference in 1 20; do
    mean=$(awk -F, -v k=$inference -v c="$(column page accuracy)" '$8 == k { s += $c; ++n } END { print s / n }' page/results.csv)
    "$get" out claims | sed 's/{"paper"/\n&/g' | grep "with K_I = $inference after 100" >claim
    paper=$(sed 's/.*"number":"\([^"]*\)".*/\1/' claim)
    [ "$paper" = "$([ $inference -eq 1 ] && echo 0.909 || echo 0.972)" ] || fail "the paper's number is $paper"
    if awk "BEGIN { exit !($mean >= $paper) }"; then grep -q '"verdict":"reached"' claim; else grep -q -e '"within interval"' -e '"not reached"' claim; fi || fail "verdict of $mean: $(cat claim)"
done
page 'votes of wrong decisions' 'votes of right decisions' 'Accuracy on the test set against' 'tern data digits'
rm -rf page

# one sample in inference cannot tell how sure it is: entropy 0, and nothing to compare
run 0 experiment digits2 -o page --presentations 2 --inference 1 --seeds 1 --train-recordings 1 --test-recordings 5 --json
"$get" out claims | sed 's/{"paper"/\n&/g' >claim
grep 'less sure than right' claim | grep -q '"verdict":"not measured"' || fail "K_I = 1: $(cat claim)"
grep 'entropy 0' claim | grep -q '"verdict":"reached"\|"not measured"' || fail "K_I = 1: $(cat claim)"
rm -rf page

# rules: three loads; measured with as many samples as trained
run 0 experiment rules -o page --hidden 3 --samples 1,2 --presentations 2 --seeds 1 --train-recordings 1 --test-recordings 1 --json
awk -F, -v b="$(column page broadcast)" 'NR > 1 && ($8 != $4 || $b != ($2 == "gem" ? $4 * 6 : $2 == "mb" ? $4 * 3 : $4 * 3 + 3)) { exit 1 }' page/results.csv || fail "rules: $(cat page/results.csv)"
[ "$("$get" out claims | grep -o '"measured":"numbers sent[^}]*}[^}]*"reached"' | wc -l)" -eq 6 ] || fail "rules: broadcast load: $("$get" out claims)"
[ "$(awk -F, -v c="$(column page log_loss)" 'NR > 1 && $4 == 2 { print $c }' page/results.csv | sort -u | wc -l)" -eq 3 ] || fail "the rules do not differ"
page 'GEM' 'MB' 'IW' 'The rules are slightly offset from each other' 'Log-loss of the test recordings against K' 'central processor to the neurons'
rm -rf page

# images, moved before the camera: 8 of 4 x 4 pixels, class 0 bright above, class 1 bright below
{ printf '\000\000\010\003\000\000\000\010\000\000\000\004\000\000\000\004'
  for i in 1 2 3 4; do printf '\377\377\377\377\377\377\377\377\000\000\000\000\000\000\000\000'; printf '\000\000\000\000\000\000\000\000\377\377\377\377\377\377\377\377'; done; } >my-images-idx3-ubyte
{ printf '\000\000\010\001\000\000\000\010'; printf '\000\001\000\001\000\001\000\001'; } >my-labels-idx1-ubyte
images="--presentations 4 --inference 1 --seeds 1 --train-recordings 2 --test-recordings 1"
run 0 experiment digits2 -o page --images my-images-idx3-ubyte $images
[ "$(cut -d, -f2 page/data/train/labels.csv | tr '\n' ' ')" = 'label 0 1 0 1 ' ] || fail "labels: $(cat page/data/train/labels.csv)"
# training images 0 to 3, the next ones to test; the recordings are those of tern data simulate
grep -q '#3,1$' page/data/train-images.csv && grep -q '#5,1$' page/data/test-images.csv || fail "images: $(cat page/data/*.csv)"
run 0 data simulate my-images-idx3-ubyte simulated --first 4 --count 1
run 0 data convert simulated/i000004.aedat a.csv
run 0 data convert page/data/test/r000000.aedat b.csv
same a.csv b.csv "an image moves as tern data simulate moves it"
mv my-labels-idx1-ubyte labels
run 1 experiment digits2 -o lost --images my-images-idx3-ubyte $images
says 'TERN-E0756.*no labels'
run 0 experiment digits2 -o found --images my-images-idx3-ubyte --labels labels $images
same page/results.csv found/results.csv "labels beside the images, and given"
exit $failed
