#!/bin/sh
# test_nmnist.sh TERN MODELS [real] : models/nmnist learns ten digits, generated or of N-MNIST
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -eu
. "$(dirname "$0")/models_test.sh"
net=$models/nmnist/nmnist.lua

if [ "$kind" = real ]; then
    train=$real/nmnist/nmnist_train1000_index.csv test=$real/nmnist/nmnist_test100_index.csv presentations=1000 least=0.55
    # 0 and 1 alone, with the network of digits2
    run data split "$train" two --classes 0,1 --train 100 --validation 0 --test 0
    [ "$(grep -c '[01]$' two/train.csv)" -eq 213 ] || fail "the recordings of 0 and 1"
    run data split "$test" two.test --classes 0,1 --train 0 --validation 0 --test 100
    set -- --set data.format=nmnist --set 'data.sensor={34,34}' --set 'data.crop={4,4,26,26}' --set data.window_ms=4
    run train "$models/digits2/digits2.lua" "$@" --data two/train.csv --presentations 60 -o two.tern
    holds "$(accuracy two.tern two.test/test.csv)" '>=' 0.85 "0 and 1 of N-MNIST after 60 presentations"
else
    run compile "$net" -o compiled
    for f in tern vh; do [ -s compiled/nmnist.$f ] || fail "compile gave no nmnist.$f"; done
    run data digits train --to nmnist --count 20
    run data digits test --to nmnist --first 20 --count 8
    train=train test=test presentations=1200 least=0.6
fi
holds "$(accuracy "$net" "$test")" '<' 0.3 "an untrained network guesses"
run train "$net" --set rule.eta=2e-3 --data "$train" --presentations "$presentations" -o net.tern
got=$(accuracy net.tern "$test")
echo "accuracy $got after $presentations presentations"
holds "$got" '>=' "$least" "accuracy after $presentations presentations"
# with labels that say nothing there is nothing to learn: what was learnt above was not in the method
if [ "$kind" != real ]; then
    awk -F, 'NR == 1 { print; next } { print $1 "," (NR * 7 + int(NR / 10)) % 10 }' train/labels.csv >train/wrong.csv
    run train "$net" --set rule.eta=2e-3 --data train/wrong.csv --presentations "$presentations" -o wrong.tern
    holds "$(accuracy wrong.tern test)" '<' 0.35 "labels by chance"
fi

# saccades.lua: three movements side by side, digits moved by a pixel
net=$models/nmnist/saccades.lua
if [ "$kind" = real ]; then presentations=3000 least=0.6; else presentations=2000 least=0.6; fi
run train "$net" --data "$train" --presentations "$presentations" -o whole.tern --log whole.jsonl
got=$(accuracy whole.tern "$test")
echo "accuracy $got of saccades.lua after $presentations presentations"
holds "$got" '>=' "$least" "accuracy of saccades.lua after $presentations presentations"
if [ "$kind" != real ]; then
    # where a presentation is moved depends on its number alone: a training that was stopped goes on to the same bits
    run train "$net" --data train --presentations 77 -o parts.tern
    run train "$net" --data train --presentations "$presentations" --resume -o parts.tern
    cmp whole.tern parts.tern || fail "the rest of a training moved recordings in another way"
    run train "$net" --data train --presentations 150 --engine both -o both.tern
    run train "$net" --data train --presentations 150 -o first.tern
    cmp both.tern first.tern || fail "the golden model saw other recordings"
    # moved and still presentations differ, so the training does; measuring moves nothing
    run train "$net" --data train --presentations 150 --set data.shift=0 -o still.tern --log still.jsonl
    cmp -s first.tern still.tern && fail "nothing was moved"
    ! timeout 600 "$tern" train "$net" --data train --presentations 200 --set data.shift=0 --resume -o first.tern >out 2>err ||
        fail "a training goes on with another shift"
    grep -q E0116 err || fail "a training with another shift has another message"
    # what cannot be moved is refused, and says so
    printf 't_us,unit\n0,0\n90000,1\n' >units.csv
    cat >units.lua <<'END'
local a = tern.input{ name = "a", shape = {1, 2} }
local b = tern.visible{ name = "b", size = 2 }
tern.connect{ from = a, to = b, filters = tern.taps{1} }
tern.gem{ eta = 1e-3 }
tern.data{ sensor = {2, 1}, window_ms = 10, steps = 10, input = a, label = b, shift = 1 }
END
    echo 'units.csv,1' >units.txt
    ! timeout 600 "$tern" train units.lua --data units.txt -o units.tern >out 2>err || fail "numbered units were moved"
    grep -q E0434 err || fail "numbered units were refused with another message"
    [ ! -e units.tern ] || fail "a refused training left an image"
    run train units.lua --data units.txt --set data.shift=0 -o units.tern
fi
