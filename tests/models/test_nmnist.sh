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
