#!/bin/sh
# test_validation.sh TERN MAKE_CLI_DATA JSON_GET CHECK_EVAL : recordings that are held out, the best image, patience, resuming all of it
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -u
. "$(dirname "$0")/cli_test.sh"

# member KEY: of every line of stdin
member() { sed -n "s/.*\"$1\":\([^],}]*\).*/\1/p"; }
listed() { sed -n '1s/.*"held_out":\[\([^]]*\)\].*/\1/p' "$1" | tr ',' '\n'; }

for engine in golden reference; do
    train="train net.lua --data data --engine $engine --seed 9 --validation 0.25 --validate-every 6"
    run 0 $train -o whole.tern --presentations 60 --log whole.jsonl --json
    cp out summary
    is summary validation.recordings 6
    is summary validation.trained_on 18
    is summary validation.validations 10
    is summary validation.metric '"log-loss"'
    is summary validation.stopped_early false
    # held out is held out: 6 recordings, never presented; the others all are, equally often over whole epochs
    listed whole.jsonl >held
    [ "$(sort -nu held | wc -l)" -eq 6 ] || fail "$engine: $(cat held) is not a list of 6 recordings"
    grep '"presentation"' whole.jsonl | head -54 | member recording | sort -n | uniq -c >shown
    [ "$(wc -l <shown)" -eq 18 ] && ! grep -qv '^ *3 ' shown || fail "$engine: $(cat shown)"
    while read -r i; do grep -q " $i\$" shown && fail "$engine: recording $i is held out and trained on"; done <held
    # another seed holds out others
    run 0 train net.lua --data data --engine $engine --seed 10 --validation 0.25 --validate-every 6 -o other.tern --presentations 6 --log other.jsonl
    [ "$(listed other.jsonl)" != "$(listed whole.jsonl)" ] || fail "$engine: the seed does not choose"

    # validation changes no draw: the same training on a list of the other recordings, without validation
    awk 'NR == FNR { held[$1] = 1; next } !((FNR - 1) in held) { print "data/" $0 }' held data/labels.csv >rest.csv
    awk 'NR == FNR { held[$1] = 1; next } (FNR - 1) in held { print "data/" $0 }' held data/labels.csv >held.csv
    best_at=$("$get" summary validation.best_at)
    run 0 train net.lua --data rest.csv --engine $engine --seed 9 -o plain.tern --presentations 60 --log plain.jsonl
    for f in plain whole; do grep '"presentation"' $f.jsonl | sed 's/"recording":[0-9]*,//' >$f.lines; done
    same whole.lines plain.lines "$engine, with and without validation"
    # OUT.tern is the image of the best validation, to the bit
    run 0 train net.lua --data rest.csv --engine $engine --seed 9 -o best.tern --presentations "$best_at"
    same whole.tern best.tern "$engine, the best image"
    [ $engine = golden ] || same whole.tern.reference best.tern.reference "the best image's own numbers"
    # which is what eval finds
    run 0 eval whole.tern --data held.csv --engine $engine --samples 5 --seed 9 --json
    is out log_loss "$("$get" summary validation.best)"
    is out log_loss "$(grep "\"validation\":$best_at," whole.jsonl | member log_loss)"
    is out accuracy "$(grep "\"validation\":$best_at," whole.jsonl | member accuracy)"
    grep '"validation"' whole.jsonl | member log_loss | awk -v b="$("$get" summary validation.best)" '$1 < b { bad = 1 } END { exit bad || NR != 10 }' || fail "$engine: the best is not the least"

    # in pieces; again with nothing to do; after a crash behind a checkpoint
    run 0 $train -o parts.tern --presentations 23 --log parts.jsonl
    run 0 $train -o parts.tern --presentations 24 --log parts.jsonl --resume
    run 0 $train -o parts.tern --presentations 60 --log parts.jsonl --resume
    for again in 0 1; do
        for f in tern tern.checkpoint jsonl; do same whole.$f parts.$f "$engine, in pieces $again"; done
        [ $engine = golden ] || same whole.tern.reference parts.tern.reference "in pieces"
        [ $again -eq 1 ] || run 0 $train -o parts.tern --presentations 60 --log parts.jsonl --resume
    done
    tells 'nothing to do'
    run 0 $train -o crash.tern --presentations 30 --log crash.jsonl
    head -40 whole.jsonl >crash.jsonl
    printf '{"validation":36,"log' >>crash.jsonl
    : >crash.tern.tmp-1-0 # of a writer that was killed
    : >crash.jsonl.tmp-99999-3
    : >crash.tern.checkpoint.tmp-7-0
    run 0 $train -o crash.tern --presentations 60 --log crash.jsonl --resume
    for f in tern tern.checkpoint jsonl; do same whole.$f crash.$f "$engine, after a crash"; done
    [ -z "$(find . -name '*.tmp-*')" ] || fail "left of killed writers: $(find . -name '*.tmp-*')"
    # interrupted again and again, and killed
    rounds=0
    resume=''
    rm -f stop.*
    while :; do
        rounds=$((rounds + 1))
        "$tern" $train -o stop.tern --presentations 60 --log stop.jsonl --checkpoint 7 $resume >out 2>err </dev/null &
        pid=$!
        sleep "0.0$((rounds % 7 + 1))"
        if [ $((rounds % 3)) -eq 0 ]; then kill -KILL "$pid" 2>/dev/null; else kill -INT "$pid" 2>/dev/null; fi
        wait "$pid" 2>/dev/null
        got=$?
        [ ! -e stop.tern.checkpoint ] || resume=--resume
        [ "$got" -ne 0 ] && [ "$rounds" -lt 200 ] || break
    done
    [ "$got" -eq 0 ] || { fail "$engine, interrupted: exit status $got"; cat err; }
    for f in tern tern.checkpoint jsonl; do same whole.$f stop.$f "$engine, interrupted $rounds times"; done
    rm -f stop.*
    "$tern" $train -o stop.tern --presentations 2000000 --log stop.jsonl >out 2>err </dev/null &
    pid=$!
    tries=0
    while ! grep -q presentation stop.jsonl 2>/dev/null && [ "$tries" -lt 12000 ]; do sleep 0.05; tries=$((tries + 1)); done
    kill -INT "$pid"
    wait "$pid"
    [ $? -eq 1 ] || fail "$engine: the status of an interrupted training"
    says 'saved in stop.tern.checkpoint'

    # patience: at the end as many validations without improvement as asked for, and no more
    run 0 $train -o short.tern --presentations 600 --patience 2 --set rule.eta=0.3 --log short.jsonl --json
    is out validation.stopped_early true
    is out interrupted false
    made=$("$get" out presentations) top=$("$get" out validation.best_at)
    [ $((made - top)) -eq 12 ] && [ "$made" -lt 600 ] || fail "$engine: stopped after $made, best at $top"
    grep '"validation"' short.jsonl | tail -3 | member improved | tr '\n' ' ' | grep -qx 'true false false ' || fail "$engine: the last validations"
    run 0 $train -o short.tern --presentations 600 --patience 2 --set rule.eta=0.3 --resume
    tells 'no improvement in 2 validations'
    run 0 $train -o short2.tern --presentations 13 --patience 2 --set rule.eta=0.3 --log short2.jsonl
    run 0 $train -o short2.tern --presentations 600 --patience 2 --set rule.eta=0.3 --log short2.jsonl --resume
    for f in tern tern.checkpoint jsonl; do same short.$f short2.$f "$engine, patience, resumed"; done
done

# accuracy as the metric: the first of equal ones stays
run 0 train net.lua --data data --seed 4 --validation 0.25 --validate-every 6 --validation-metric accuracy --presentations 60 -o acc.tern --log acc.jsonl --json
top=$("$get" out validation.best_at)
grep '"validation"' acc.jsonl | sed 's/.*"validation":\([0-9]*\),.*"accuracy":\([0-9.]*\),.*/\1 \2/' | awk -v t="$top" '$2 > best { best = $2; at = $1 } END { exit at != t }' || fail "best accuracy"
# by default every epoch
run 0 train net.lua --data data --validation 0.5 --presentations 24 -o e.tern --json
is out validation.every 12
run 0 train net.lua --data data --validation 0.5 --presentations 24 -o e.tern
tells 'validation   12 recordings, 12 trained on; best log-loss'
tells 'the best image'

# what does not go together
run 2 train net.lua --data data -o x.tern --patience 3
says 'E0110.*--patience has no effect without --validation'
run 2 train net.lua --data data -o x.tern --validate-every 3
says 'E0110.*--validate-every'
run 2 train net.lua --data data -o x.tern --validation-metric accuracy
says 'E0110.*--validation-metric'
for share in 0 1; do
    run 2 train net.lua --data data -o x.tern --validation $share
    says 'E0103.*more than 0 and less than 1'
done
run 2 train net.lua --data data -o x.tern --log x.tern.checkpoint
says 'E0110.*same file'
run 1 train net.lua --data data -o x.tern --validation 0.01
says 'E0123.*of 24 recordings is 0'
run 1 train net.lua --data data -o x.tern --validation 0.999
says 'E0123'
run 1 train net.lua --data data -o x.tern --validation 0.25 --presentations 5
says 'E0127.*every 18 presentations, but there are only 5'
run 1 train net.lua --data data -o x.tern --validation 0.25 --validation-metric distance
says 'E0124.*no distance'
sed 's/label = out/parts = { { population = pixels, rows = {0, 0} } }/; s/input = pixels, //' net.lua >nolabel.lua
run 1 train nolabel.lua --data data -o x.tern --validation 0.25 --validation-metric accuracy
says 'E0124.*no label population'
[ ! -e x.tern ] || fail "something was written"

# what cannot be resumed
run 0 train net.lua --data data --validation 0.25 --validate-every 6 --presentations 12 -o v.tern --log v.jsonl
run 1 train net.lua --data data --presentations 20 -o v.tern --resume
says 'E0116.*was trained with --validation'
run 1 train net.lua --data data --validation 0.5 --validate-every 6 --presentations 20 -o v.tern --resume
says 'E0116.*--validation:.*another value'
run 1 train net.lua --data data --validation 0.25 --validate-every 5 --presentations 20 -o v.tern --resume
says 'E0116.*--validate-every:.*another value'
run 1 train net.lua --data data --validation 0.25 --validation-metric accuracy --presentations 20 -o v.tern --resume
says 'E0116.*--validation-metric:.*another value'
run 1 train net.lua --data data --validation 0.25 --presentations 20 -o v.tern --resume --engine reference
says 'E0117'
sed '$d' data/labels.csv | sed 's/^/data\//' >fewer.csv
run 1 train net.lua --data fewer.csv --validation 0.25 --presentations 20 -o v.tern --resume
says 'E0116.*other recordings'
cp v.tern.checkpoint keep
size=$(wc -c <keep)
for cut in 0 50 $((size / 2)) $((size - 1)); do
    head -c "$cut" keep >v.tern.checkpoint
    run 1 train net.lua --data data --validation 0.25 --presentations 20 -o v.tern --resume
    says 'E0125'
done
{ head -c 200 keep; printf 'x'; tail -c +202 keep; } >v.tern.checkpoint
run 1 train net.lua --data data --validation 0.25 --presentations 20 -o v.tern --resume
says 'E0125.*checksum'
rm v.tern.checkpoint
run 1 train net.lua --data data --validation 0.25 --presentations 20 -o v.tern --resume
says 'E0115'
# a new training under the name leaves no checkpoint of the old one behind
cp keep v.tern.checkpoint
run 0 train net.lua --data data --presentations 3 -o v.tern
[ ! -e v.tern.checkpoint ] || fail "the checkpoint of an earlier training stays"

# without validation the log tells other recordings apart: names, sizes, labels; not where they are
run 0 train net.lua --data data --presentations 5 -o p.tern --log p.jsonl
cp p.tern p.keep && cp p.jsonl p.jsonl.keep
run 1 train net.lua --data fewer.csv --presentations 9 -o p.tern --log p.jsonl --resume
says 'E0116.*24 with digest .* these are 23'
same p.jsonl p.jsonl.keep "the log of a refused resume"
sed '1s/,.*/,2/; s/^/data\//' data/labels.csv >swapped.csv
run 1 train net.lua --data swapped.csv --presentations 9 -o p.tern --log p.jsonl --resume
says 'E0116.*other recordings'
# the log of another training: of another seed, with other samples, of the reference, of a network that learns faster
for other in '--seed 9' '--samples 3' '--engine reference' '--set rule.eta=0.02'; do
    rm -f other.*
    run 0 train net.lua --data data --presentations 5 $other -o other.tern --log p.jsonl
    cp p.jsonl other.keep
    run 1 train net.lua --data data --presentations 9 -o p.tern --log p.jsonl --resume
    says 'E0116.*the log is of another training'
    same p.jsonl other.keep "the log of another training ($other)"
    same p.tern p.keep "the image, with the log of another training ($other)"
done
# ... and of one with validation, or with another
run 0 train net.lua --data data --presentations 9 --validation 0.25 --validate-every 4 -o w.tern --log w.jsonl
cp w.jsonl w.keep
run 1 train net.lua --data data --presentations 12 -o p.tern --log w.jsonl --resume
says 'E0116.*the log is of another training: its list of recordings held out'
same w.jsonl w.keep "the log of a training with validation"
cp p.jsonl.keep p.jsonl
run 1 train net.lua --data data --presentations 12 --validation 0.25 --validate-every 4 -o w.tern --log p.jsonl --resume
says 'E0116.*the log is of another training: its list of recordings held out is none'
same p.jsonl p.jsonl.keep "the log of a training without validation"
# what is no log is not cut back to one, least of all what this command reads
cp data/labels.csv labels.keep
for file in data/labels.csv data/p.tern headless.jsonl; do
    case $file in
    headless.jsonl) sed 1d p.jsonl >$file ;;
    data/p.tern) cp p.tern $file ;;
    esac
    cp $file other.keep
    run 1 train net.lua --data data --presentations 9 -o p.tern --log $file --resume
    says 'E0114.*not a log'
    same $file other.keep "$file given as a log"
    same p.tern p.keep "the image, with $file given as a log"
done
rm data/p.tern
# a head that was cut off, by a disk that was full, is written again
head -c 30 p.jsonl.keep >p.jsonl
run 0 train net.lua --data data --presentations 9 -o p.tern --log p.jsonl --resume
[ "$(head -n 1 p.jsonl)" = "$(head -n 1 p.jsonl.keep)" ] || fail "a log with a head that was cut off"
cp p.keep p.tern
cp p.jsonl.keep p.jsonl
# what the shell has opened cannot be cut back, and is not emptied
"$tern" train net.lua --data data --presentations 9 -o p.tern --log /dev/fd/3 --resume 3>>p.jsonl >out 2>err || fail "a log of the shell"
[ "$(head -n 6 p.jsonl)" = "$(cat p.jsonl.keep)" ] && [ "$(wc -l <p.jsonl)" -eq 10 ] || fail "a log of the shell was cut"
cp p.keep p.tern
cp p.jsonl.keep p.jsonl
# a log that begins late has a head, and what is missing is reported
rm p.jsonl
run 0 train net.lua --data data --presentations 9 -o p.tern --log p.jsonl --resume
says 'W0130.*the log begins now: presentations 1 to 5 are missing'
[ "$(head -n 1 p.jsonl)" = "$(head -n 1 p.jsonl.keep)" ] && [ "$(wc -l <p.jsonl)" -eq 5 ] || fail "a log that begins late"
cp p.keep p.tern
cp p.jsonl.keep p.jsonl
cp -r data moved
run 0 train net.lua --data moved --presentations 9 -o p.tern --log p.jsonl --resume
run 0 train net.lua --data data --presentations 9 -o q.tern --log q.jsonl
same p.jsonl q.jsonl "recordings that were moved"
[ "$failed" -eq 0 ] && echo "validation: all as wanted"
exit "$failed"
