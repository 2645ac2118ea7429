#!/bin/sh
# test_errors.sh TERN MAKE_CLI_DATA JSON_GET CHECK_EVAL : wrong usage, folders that cannot be used, other settings, damaged files, children that fail
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -u
. "$(dirname "$0")/../cli/cli_test.sh"
. "$(dirname "$0")/experiment_test.sh"

# wrong usage: status 2, nothing is made
bad() {
    run 2 experiment "$@"
    says 'TERN-E01'
    [ ! -e none ] || { fail "wrong usage made a folder: $*"; rm -rf none; }
}
bad
bad digits2
bad digits4 -o none
says 'digits4'
bad digits2 -o none --quick --full
for list in 1,,2 1, ,1 0 33 1,1 x 1x -1 99999999999999999999; do bad digits2 -o none --samples=$list; done
says 'from 1 to 32'
bad digits2 -o none --presentations 5,3
bad digits2 -o none --inference 257
bad digits2 -o none --rules gem,gem
bad digits2 -o none --rules GEM
bad digits2 -o none --classes 0
bad digits2 -o none --hidden 0
bad memorise -o none --hidden 0 --model net.lua
bad memorise -o none --classes 0,1
bad memorise -o none --data data --test data
bad memorise -o none --train-recordings 2
bad digits2 -o none --samples 1,2
bad voting -o none --samples 1,2
bad memorise -o none --inference 1,2
bad rules -o none --hidden 3,4
bad memorise -o none --rules gem,mb
says 'memorise does not vary it'
bad digits2 -o none --data data
says 'needs --test'
bad digits2 -o none --test data
bad digits2 -o none --labels x
bad digits2 -o none --images x --test-labels x
bad digits2 -o none --images x --data data --test data
bad digits2 -o none --model image.tern
for key in seed=3 rule.samples=4 rule.kind=mb hid.size=3; do bad digits2 -o none --set $key; done
says 'the experiment sets this itself'

# mistakes in scripts and settings are reported before anything is made
run 1 experiment digits3 -o none $small --set rule.eta=-1
says 'rule.eta'
[ ! -e none ] || fail "a wrong setting made a folder"
run 1 experiment digits3 -o none --model absent.lua --data data --test data
[ ! -e none ] || fail "a missing script made a folder"

# folders
mkdir full && echo mine >full/notes.txt
run 1 experiment digits3 -o full $small
says 'TERN-E0750'
[ "$(ls full)" = notes.txt ] || fail "a foreign folder was touched: $(ls full)"
run 1 experiment digits3 -o full/notes.txt $small
says 'TERN-E0750'
run 1 experiment digits3 -o absent/folder $small
says 'TERN-E0750'
mkdir empty
run 0 experiment digits3 -o empty $small
says 'TERN-W0759.*9 of 9 test recordings'
grep -q '9 of the test recordings are also trained on' empty/report.html || fail "the report does not tell that test recordings are trained on"
ln -s full linked
run 1 experiment digits3 -o linked $small
says 'TERN-E0750'
# other settings, other data: refused, and nothing is lost
cp -r empty before
run 1 experiment digits3 -o empty $small --set rule.eta=1e-3
says 'TERN-E0751.*set is \["rule.eta=1e-3"\], there it is \[\]'
run 1 experiment digits2 -o empty $(echo "$small" | sed 's,--samples 1.2,--samples 1,')
says 'experiment is "digits2", there it is "digits3"'
mkdir other && sed 's/eta = 5e-3/eta = 4e-3/' net.lua >other/net.lua
run 1 experiment digits3 -o empty $(echo "$small" | sed 's,net.lua,other/net.lua,')
says 'script_sha256'
cp -r data moved
head -c 1000 moved/r0.aedat >short && mv short moved/r0.aedat
run 1 experiment digits3 -o empty $(echo "$small" | sed 's/--data data/--data moved/')
says 'train_data'
diff -r before/parts empty/parts && same before/results.json empty/results.json "after refusals" || fail "refused settings changed something"
run 0 experiment digits3 -o empty $small

# too few recordings of a class; none
run 1 experiment digits3 -o few $(echo "$small" | sed 's/--train-recordings 4/--train-recordings 9/')
says 'TERN-E0756.*8 recordings of class 0, wanted are 9'
run 1 experiment digits3 -o nine $small --classes 0,1,9
says 'TERN-E0756.*0 recordings of class 9'

# one at a time
if command -v flock >/dev/null; then
    flock empty/lock "$tern" experiment digits3 -o empty $small >out 2>err </dev/null
    [ $? -eq 1 ] || fail "a folder in use: status"
    says 'TERN-E0755'
fi
# held by a process that continues: named, and what to do
if command -v flock >/dev/null; then
    flock empty/lock sleep 3000 &
    holder=$!
    while flock -n empty/lock true; do sleep 0.05; done # until it holds the lock
    run 1 experiment digits3 -o empty $small
    says "TERN-E0755.*held by process.*$holder"
    says "stop it with 'kill .*$holder"
    kill $(sed -n "s/.*stop it with 'kill \([0-9 ]*\)'.*/\1/p" err) # as the hint says
    wait $holder 2>/dev/null
fi

# damaged files: named, and mended by removing them
for text in '{"training":' '{"training":"gem-h4-k01-s2"}' '[]' '{"training":"gem-h4-k01-s1","points":[],"done":true}' \
    '{"training":"gem-h4-k01-s2","points":[{"presentations":-1e300,"evaluations":[{"inference":1e300}]}]}' '{"training":"gem-h4-k01-s2","points":[{"presentations":0,"evaluations":[]}]}'; do
    echo "$text" >empty/parts/gem-h4-k01-s2.json
    run 1 experiment digits3 -o empty $small
    says 'gem-h4-k01-s2.json.*TERN-E0754'
    says 'remove this file; what it held is made again'
done
rm empty/parts/gem-h4-k01-s2.json
run 0 experiment digits3 -o empty $small
same before/results.json empty/results.json "mended"
echo nonsense >empty/experiment.json
run 1 experiment digits3 -o empty $small
says 'experiment.json.*TERN-E0754'
says 'remove the folder empty, or give another one'
rm -r empty # as the hint says
run 0 experiment digits3 -o empty $small
same before/results.json empty/results.json "made again in a new folder"
# a recording that the experiment made, damaged: what the hint says helps
made="--hidden 2 --samples 1 --presentations 1 --seeds 1 --train-recordings 1 --test-recordings 1"
run 0 experiment digits3 -o made $made
cp made/results.json made.json
head -c 3000 made/data/test/d0_000001.aedat >cut && mv cut made/data/test/d0_000001.aedat
run 1 experiment digits3 -o made $made
says 'TERN-E0751.*test_data'
says 'remove that folder, they are made again'
rm -r made/data
run 0 experiment digits3 -o made $made
same made.json made/results.json "after the recordings were made again"

# a child that fails: its own words, its command, status 1; what is finished stays, and mending the cause is enough
cp -r data broken
cp broken/r1.aedat kept
head -c "$(wc -c <kept)" /dev/zero >broken/r1.aedat
sick=$(echo "$small" | sed 's/--test data/--test broken/')
run 1 experiment digits3 -o child $sick --jobs 2
says 'TERN-E0752'
says 'TERN-E04'
says 'the command was: tern eval'
[ ! -e child/results.csv ] || fail "a failed experiment has results"
cp kept broken/r1.aedat
run 0 experiment digits3 -o child $sick --jobs 2
same before/results.csv child/results.csv "after a child failed"

# the report cannot be drawn: tables are there, the message names gnuplot
mkdir bin
run 0 experiment digits3 -o plain $small
rm plain/results.csv plain/report.html
PATH=$dir/bin "$tern" experiment digits3 -o plain $small >out 2>err </dev/null
[ $? -eq 1 ] || fail "without gnuplot: status"
says 'gnuplot'
[ -s plain/results.csv ] && [ ! -e plain/report.html ] || fail "without gnuplot: tables, and no page"
exit $failed
