#!/bin/sh
# test_voting.sh TERN MAKE_CLI_DATA JSON_GET CHECK_EVAL : `tern experiment voting`: what it runs, what it makes of the answers, its files
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -u
. "$(dirname "$0")/../cli/cli_test.sh"
. "$(dirname "$0")/experiment_test.sh"

# digits that are generated, two cameras, two lengths; networks of a few presentations
voting="experiment voting -o page --seeds 2 --train-recordings 3 --test-recordings 4 --presentations 6 --lengths 12,4 --decide 2,4,8
    --inference 1,5"
set -- --target 0.5 --variant plain --variant 'noisy noise=5 hid.bias=-1'
run 0 $voting "$@" --json
cp out first
is first trainings 8
# every training: two lengths of two variants, decided after those of 2, 4, 8 that it has, and at its end: 4 + 2 rows of 2
[ "$(wc -l <page/results.csv)" -eq 25 ] || fail "rows: $(cat page/results.csv)"
awk -F, 'NR > 1 { ++n[$2 " " $4] } END { for (k in n) ++kinds
    exit !(kinds == 6 && n["12 2"] == 4 && n["12 4"] == 4 && n["12 8"] == 4 && n["12 12"] == 4 && n["4 2"] == 4 && n["4 4"] == 4) }' page/results.csv ||
    fail "steps of decisions: $(cat page/results.csv)"

# one training by hand gives the curve that its file holds; the learning rate goes with the length
grep -o 'tern train [^<]*' page/report.html | head -1 | sed 's/&#39;//g' >command
grep -q 'data.steps=12' command && grep -q 'rule.eta=0.0006667' command || fail "the command: $(cat command)"
script=$(sed 's/^tern train \([^ ]*\) .*/\1/' command)
for length in 12 4; do
    [ $length -eq 12 ] && eta=0.0006667 marks=2,4,8,12 || { eta=0.002 marks=2,4; }
    run 0 train "$TERN_SOURCE/$script" --data page/data/noisy-train --samples 5 --seed 2 --set seed=2 --set rule.kind=gem --set hid.size=4 --set data.steps=$length \
        --set rule.eta=$eta --set hid.bias=-1 --presentations 6 -o hand.tern
    run 0 eval hand.tern --data page/data/noisy-test --samples 5 --curve $marks --curve-samples 1,5 --json
    grep -o '"right":"[01]*"' out >a
    tr -d ' \n' <page/parts/noisy-t$length-gem-h4-k05-s2.json | grep -o '"right":"[01]*"' >b
    same a b "curve of $length steps, by hand and in the experiment"
    [ "$(head -1 a | tr -cd 01 | wc -c)" -eq 8 ] || fail "recordings: $(cat a)"
    # the table's accuracy is the mean over both seeds
    for seed in 1 2; do tr -d ' \n' <page/parts/noisy-t$length-gem-h4-k05-s$seed.json | grep -o '"right":"[01]*"' | tail -1; done | tr -cd 1 | wc -c >c
    mean=$(awk -F, -v t=$length '$1 == "noisy" && $2 == t && $4 == t && $5 == 5 { print $9 }' page/results.csv)
    holds "$mean" '==' "$(cat c) / 16" "accuracy of $length steps"
done
# the other camera: the same digits, more events
run 0 data digits wanted --classes 0,1 --first 3 --count 4 --seed 1 --noise 5
same wanted/d0_000003.aedat page/data/noisy-test/d0_000003.aedat "a recording of the variant"
cmp -s page/data/noisy-test/d0_000003.aedat page/data/test/d0_000003.aedat && fail "the variant changes no recording"

# the files for pages: no folder, nothing of this machine; the same once more
for f in map steps cost early; do grep -q '<svg' page/$f.svg || fail "no figure $f"; done
grep -q '^| variant | steps | K_I = 1 | K_I = 5 | gain of 5 over 1 | voting |$' page/tables.md || fail "tables: $(cat page/tables.md)"
grep -q -F "$dir" page/tables.md page/*.svg page/results.json && fail "a file tells where it was made"
cp -r page before
run 0 $voting "$@" --json
same out first "the answer, once more"
for f in results.csv results.json report.html tables.md map.svg; do same before/$f page/$f "once more"; done
"$get" first claims | grep -q 'an eighth of the longest' || fail "claims: $(cat first)"

# other settings, damaged files
run 1 $voting --target 0.5 --variant plain --variant 'noisy noise=4 hid.bias=-1'
says 'E0751.*variants'
run 1 $voting --target 0.6 --variant plain --variant 'noisy noise=5 hid.bias=-1'
says 'E0751.*target'
sed -i 's/"right": "[01]/"right": "2/' page/parts/plain-t4-gem-h4-k05-s1.json
run 1 $voting "$@"
says 'E0754.*curve'

# images: those chosen are moved again before the variant's camera
{ printf '\000\000\010\003\000\000\000\010\000\000\000\004\000\000\000\004'
  for i in 1 2 3 4; do printf '\377\377\377\377\377\377\377\377\000\000\000\000\000\000\000\000'; printf '\000\000\000\000\000\000\000\000\377\377\377\377\377\377\377\377'; done; } >my-images-idx3-ubyte
{ printf '\000\000\010\001\000\000\000\010'; printf '\000\001\000\001\000\001\000\001'; } >my-labels-idx1-ubyte
run 0 experiment voting -o moved --images my-images-idx3-ubyte --presentations 2 --inference 1,2 --seeds 1 --train-recordings 2 --test-recordings 1 --lengths 4 --decide 2 \
    --variant plain --variant 'dim contrast=0.8'
run 0 data simulate my-images-idx3-ubyte simulated --first 4 --count 2
tail -c +17 my-images-idx3-ubyte | tail -c +65 | head -c 32 >a
tail -c +17 moved/data/test-images-idx3-ubyte >b
same a b "images that were chosen to test on"
[ "$(tail -c 2 moved/data/test-labels-idx1-ubyte | od -An -tu1 | tr -d ' ')" = 01 ] || fail "their labels"
[ "$(wc -c <moved/data/dim-test/i000000.aedat)" -lt "$(wc -c <moved/data/test/r000000.aedat)" ] || fail "less contrast, fewer events"

# wrong usage
bad() { run 2 experiment "$@"; says 'TERN-E01'; [ ! -e none ] || { fail "wrong usage made a folder: $*"; rm -rf none; }; }
bad digits2 -o none --variant plain
says 'belong to voting'
bad digits2 -o none --lengths 5
bad voting -o none --variant 'Big noise=1'
bad voting -o none --variant 'a noise'
says 'wants a KEY=VALUE'
bad voting -o none --variant 'a eta-factor=0'
bad voting -o none --variant 'a eta=1e-4'
bad voting -o none --variant 'a data.steps=3'
says 'makes itself'
bad voting -o none --variant a --variant 'a noise=1'
says 'two are called a'
bad voting -o none --data data --test data --variant 'a noise=1'
says 'not made again'
bad voting -o none --presentations 0,3
bad voting -o none --inference 5,1
bad voting -o none --set data.steps=4
says '\-\-lengths does it'
bad voting -o none --set rule.eta=1
bad voting -o none --hidden 0
run 1 experiment voting -o none --variant 'a no.such=1'
says 'no.such'
[ ! -e none ] || fail "a wrong setting made a folder"
[ "$failed" -eq 0 ] && echo "voting: all as wanted"
exit "$failed"
