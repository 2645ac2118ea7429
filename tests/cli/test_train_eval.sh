#!/bin/sh
# test_train_eval.sh TERN MAKE_CLI_DATA JSON_GET : training and evaluation by the command, resuming above all
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -u
tern=$1 make=$2 get=$3 # absolute paths
[ -x "$tern" ] && [ -x "$make" ] && [ -x "$get" ] && [ "${tern#/}" != "$tern" ] || { echo "usage: $0 /.../tern /.../make_cli_data /.../json_get"; exit 2; }
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
failed=0
fail() { echo "FAILED: $*"; failed=1; }
# run STATUS words...: the command with its outputs in $dir/out and $dir/err
run() {
    status=$1
    shift
    "$tern" "$@" >"$dir/out" 2>"$dir/err" </dev/null
    got=$?
    [ "$got" -eq "$status" ] || { fail "tern $*: exit status $got, wanted $status"; cat "$dir/err"; }
}
says() { grep -q -e "$1" "$dir/err" || { fail "the message lacks '$1':"; cat "$dir/err"; }; }
same() { cmp "$1" "$2" || fail "$1 and $2 differ: $3"; }

"$make" "$dir" || { echo "FAILED: no test data"; exit 1; }
cd "$dir" || exit 1
mkdir data && mv ./*.aedat labels.csv data/

for engine in golden reference; do
    for net in tiny run_on; do
        train="train $net.tern --data data --engine $engine --seed 9"
        run 0 $train -o whole.tern --presentations 12 --log whole.jsonl --json
        "$get" out presentations | grep -qx 12 || fail "presentations in the summary"
        [ "$(grep -c '"presentation"' whole.jsonl)" -eq 12 ] && [ "$(wc -l <whole.jsonl)" -eq 13 ] || fail "lines of the log"
        "$get" whole.jsonl step | grep -qx 240 || fail "steps in the log"
        # again: the same bytes
        run 0 $train -o again.tern --presentations 12
        same whole.tern again.tern "$engine $net, the same command twice"
        # in two pieces, with K given and not given
        run 0 $train -o parts.tern --presentations 5 --log parts.jsonl
        run 0 $train -o parts.tern --presentations 12 --log parts.jsonl --resume
        same whole.tern parts.tern "$engine $net, resumed"
        same whole.jsonl parts.jsonl "$engine $net, log of a resumed training"
        # once more: nothing to do, nothing changed
        run 0 $train -o parts.tern --presentations 12 --resume
        same whole.tern parts.tern "$engine $net, nothing to do"
        # a crash after a checkpoint: the log has lines that the checkpoint does not know
        run 0 $train -o crash.tern --presentations 4 --log crash.jsonl
        head -7 whole.jsonl >crash.jsonl
        printf '{"presentation":8,"st' >>crash.jsonl
        run 0 $train -o crash.tern --presentations 12 --log crash.jsonl --resume
        same whole.tern crash.tern "$engine $net, after a crash"
        same whole.jsonl crash.jsonl "$engine $net, log after a crash"
        # interrupted somewhere: it says how to continue, and continuing gives the same bits
        rm -f stop.*
        "$tern" $train -o stop.tern --presentations 200000 --log stop.jsonl >out 2>err </dev/null &
        pid=$!
        tries=0
        while ! grep -q presentation stop.jsonl 2>/dev/null && [ "$tries" -lt 12000 ]; do sleep 0.05; tries=$((tries + 1)); done
        kill -INT "$pid"
        wait "$pid"
        got=$?
        [ "$got" -eq 1 ] || { fail "$engine $net, interrupted: exit status $got, wanted 1"; cat err; }
        says 'interrupted after presentation'
        says '--resume$'
        done_n=$(grep -c '"presentation"' stop.jsonl)
        more=$((done_n + 3))
        run 0 $train -o stop.tern --presentations "$more" --resume --log stop.jsonl
        run 0 $train -o straight.tern --presentations "$more" --log straight.jsonl
        same straight.tern stop.tern "$engine $net, interrupted after $done_n"
        same straight.jsonl stop.jsonl "$engine $net, log, interrupted after $done_n"
        # another seed, another K: other results
        run 0 train "$net.tern" --data data --engine $engine --seed 10 -o seed.tern --presentations 12
        cmp -s whole.tern seed.tern && fail "$engine $net: the seed changes nothing"
        run 0 $train --samples 7 -o k7.tern --presentations 3
        run 0 $train -o k7.tern --presentations 12 --resume --samples 7
        cmp -s whole.tern k7.tern && fail "$engine $net: the samples change nothing"
    done
done

# from a script: K and settings go through the compiler, resuming checks them and the script
cat >net.lua <<'LUA'
local f = tern.exponential{ tau = 2, duration = 6 }
local pixels = tern.input{ name = "pixels", size = 37 }
local hid = tern.hidden{ name = "hid", size = 4, memory = f }
local out = tern.visible{ name = "out", size = 3, memory = f }
tern.connect{ from = {pixels, out}, to = hid, filters = f }
tern.connect{ from = {pixels, hid}, to = out, filters = f }
tern.gem{ eta = 5e-3, schedule = { divide = 2, every = 4 }, gamma = 0.8, kappa = 0.5, samples = 5 }
tern.data{ format = "aedat2", crop = {0, 0, 37, 1}, window_ms = 1, steps = 20, input = pixels, label = out }
LUA
train='train net.lua --data data --seed 3 --samples 2 --set rule.kappa=0.25'
run 0 $train -o lua.tern --presentations 15 --log lua.jsonl
run 0 $train -o lua2.tern --presentations 6
run 0 $train -o lua2.tern --presentations 15 --resume
same lua.tern lua2.tern 'a script, resumed'
sed -n 10p lua.jsonl | grep -q '"presentation":9,.*"eta":0.00125,' || fail "the schedule in the log: $(sed -n 10p lua.jsonl)"
run 1 train net.lua --data data --seed 3 --samples 2 -o lua2.tern --presentations 20 --resume
says 'E0116.*other settings'
echo '-- changed' >>net.lua
run 1 $train -o lua2.tern --presentations 20 --resume
says 'E0116.*script'
run 1 train net.lua --data data -o lua3.tern --set rule.ete=3 --presentations 1
says 'rule.ete'
run 0 eval net.lua --data data --json --set rule.eta=1e-3
# continuing from the weights of an image, as a new training
run 0 train lua.tern --data data -o further.tern --presentations 5 --json
"$get" out steps | grep -qx 100 || fail "a new training counts from 0"

# what cannot be resumed
run 0 train tiny.tern --data data -o a.tern --presentations 2 --seed 9
run 1 train tiny.tern --data data -o none.tern --presentations 3 --resume
says 'E0115.*no checkpoint'
run 1 train tiny.tern --data data -o tiny.tern --presentations 3 --resume
says 'E0115.*no training state'
run 1 train other.tern --data data -o a.tern --presentations 3 --resume
says 'E0116'
run 1 train run_on.tern --data data -o a.tern --presentations 3 --resume
says 'E0116.*other settings'
run 1 train tiny.tern --data data -o a.tern --presentations 3 --resume --seed 10
says 'E0116.*another seed'
run 1 train tiny.tern --data data -o a.tern --presentations 3 --resume --samples 5
says 'E0116.*another number of samples'
run 0 train tiny.tern --data data -o r.tern --presentations 2 --engine reference
run 1 train tiny.tern --data data -o r.tern --presentations 3 --resume
says 'E0117.*reference'
cp r.tern.reference keep
run 0 train tiny.tern --data data -o r.tern --presentations 3 --engine reference
cp keep r.tern.reference
run 1 train tiny.tern --data data -o r.tern --presentations 4 --engine reference --resume
says 'E0117'
head -c 500 keep >r.tern.reference
run 1 train tiny.tern --data data -o r.tern --presentations 4 --engine reference --resume
says 'E0117'
run 1 eval r.tern --data data --engine reference
says 'E0117'
run 1 train tiny.tern --data data -o a.tern --set rule.eta=1
says 'E0108'
run 1 train tiny.tern --data data -o no/such/folder/a.tern --presentations 1
run 1 train tiny.tern --data data -o a.tern --presentations 1 --log no/such/folder/a.jsonl
says 'E0114'
run 1 train tiny.tern --data data/no-such-file.aedat -o a.tern
says 'no-such-file'
run 1 train tiny.tern --data data/r0.aedat -o a.tern # one file: no label
says 'E0112'
run 1 train tiny.tern --data data -o a.tern --presentations 4294967295
says 'E0118'

# eval: JSON, repeatable, K_I over several batches, better after training than before, reference close to golden
run 0 train tiny.tern --data data -o t.tern --presentations 30 --engine reference
run 0 eval tiny.tern --data data --samples 70 --json
cp out before
run 0 eval t.tern --data data --samples 70 --json
cp out after
run 0 eval t.tern --data data --samples 70 --json
same out after "eval twice"
run 0 eval t.tern --data data --samples 70 --json --engine reference
cp out ref
for key in log_loss log_loss_iw log_loss_error log_likelihood accuracy spikes_per_step.hidden_free spikes_per_step.visible_target; do
    "$get" after $key >/dev/null || fail "eval --json lacks $key"
done
awk -v b="$("$get" before log_loss)" -v a="$("$get" after log_loss)" -v r="$("$get" ref log_loss)" -v w="$("$get" after log_loss_iw)" \
    'BEGIN { exit !(a < b / 2 && w <= a && a - r < 0.02 * r && r - a < 0.02 * r) }' || fail "log-losses: before $("$get" before log_loss), after $("$get" after log_loss), reference $("$get" ref log_loss)"
"$get" after accuracy | grep -qx '1.0' || fail "accuracy after training: $("$get" after accuracy)"
"$get" after spikes_per_step.visible_target | grep -qx '1.0' || fail "one label spike per step"
run 0 eval t.tern --data data --samples 3
grep -q 'importance-weighted' out || fail "text of eval"
run 0 eval t.tern --data data/r1.aedat --json # no label: spikes only
"$get" out accuracy | grep -qx null || fail "accuracy without labels"
"$get" out log_loss | grep -qx null || fail "log-loss without targets"
head -c 1000 t.tern >cut.tern
run 1 eval cut.tern --data data
says 'cut.tern'
[ "$failed" -eq 0 ] && echo "train and eval: all as wanted"
exit "$failed"
