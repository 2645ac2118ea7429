#!/bin/sh
# evidence.sh TERN DATA OUT [NAME...] : all experiments behind the figures and tables of docs/evidence, in one command
# SPDX-License-Identifier: Apache-2.0
#
# DATA has the folders mnist (IDX files: train3750-images-idx3-ubyte.gz, train-labels-..., t10k-...), mnist-dvs
# (mnist_0_scale04_0001.aedat) and nmnist (nmnist_train1000_index.csv with its recordings). Each experiment has a folder
# OUT/NAME and goes on where it was stopped; its tables and figures are then copied to OUT/pages/NAME.md and
# NAME-FIGURE.svg. NAME...: these alone. JOBS=N: trainings at a time (default: processors). No result depends on it.
# SEEDS=N: seeds of those that take longest (*-full, memorise500; default 5). They run seed by seed, and more can be
# added later. `tune`: the formats of four networks, and one table of all of them (needs python3).
#
# *-full: the paper's numbers of recordings, 900 of a digit to train on and 100 to measure. MNIST's training images are
# not all there, so its two sets change places: the 10,000 test images are trained on, and the first 100 of a digit of
# the training images are measured. No setting was chosen with either.
export LC_ALL=C
set -u
[ $# -ge 3 ] || { echo "usage: $0 TERN DATA OUT [NAME...]" >&2; exit 2; }
tern=$1 data=$2 out=$3
shift 3
[ $# -gt 0 ] || set -- memorise memorise500 spikes spikes-zero digits2 digits3 rules digits2-full digits3-full \
    rules-full voting-mnist voting-generated voting-nmnist tune
here=$(cd "$(dirname "$0")" && pwd) || exit 1
mkdir -p "$out/pages" || exit 1

heart=$data/mnist-dvs/mnist_0_scale04_0001.aedat
mnist="--images $data/mnist/train3750-images-idx3-ubyte.gz --labels $data/mnist/train-labels-idx1-ubyte.gz
  --test-images $data/mnist/t10k-images-idx3-ubyte.gz"
swapped="--images $data/mnist/t10k-images-idx3-ubyte.gz --labels $data/mnist/t10k-labels-idx1-ubyte.gz
  --test-images $data/mnist/train3750-images-idx3-ubyte.gz --test-labels $data/mnist/train-labels-idx1-ubyte.gz"
seeds=${SEEDS:-5}

# one NAME EXPERIMENT OPTIONS... : runs it, copies what pages are made of
one() {
    name=$1 kind=$2
    shift 2
    echo "$name"
    "$tern" experiment "$kind" -o "$out/$name" ${JOBS:+--jobs "$JOBS"} "$@" >"$out/$name.log" 2>&1 || {
        cat "$out/$name.log"
        echo "evidence.sh: $name failed; the same command goes on" >&2
        exit 1
    }
    cp "$out/$name/tables.md" "$out/pages/$name.md" || exit 1
    for figure in "$out/$name"/*.svg; do cp "$figure" "$out/pages/$name-$(basename "$figure")" || exit 1; done
}

# tuned MODEL OPTIONS... : searches its formats, copies the table and the figure. Status 1 of tern tune: none is good
tuned() {
    model=$1
    shift
    echo "tune-$model"
    "$tern" tune "$here/../../models/$model/$model.lua" -o "$out/tune-$model" ${JOBS:+--jobs "$JOBS"} \
        --bits 4,5,6,7,8,9,10,11,12,14,16 --inference 10 "$@" \
        >"$out/tune-$model.log" 2>&1 || grep -q '^written' "$out/tune-$model.log" || {
        cat "$out/tune-$model.log"
        exit 1
    }
    cp "$out/tune-$model/table.md" "$out/pages/tune-$model.md" || exit 1
    cp "$out/tune-$model/figure.svg" "$out/pages/tune-$model.svg" || exit 1
}

# shellcheck disable=SC2086 # $mnist is a list of options
for name in "$@"; do
    case $name in
    memorise) one $name memorise --full --hidden 0,20 --data "$heart" ;;
    memorise500)
        one $name memorise --full --hidden 500 --set rule.eta=2e-5 --presentations 20,50,100,200 \
            --seeds "$seeds" --data "$heart" ;;
    spikes)
        one $name memorise --hidden 20 --samples 1,2,5,10,20 --presentations 0,1,2,5,10,20,50 --seeds 5 --data "$heart" ;;
    spikes-zero)
        one $name memorise --model "$here/memorise_zero.lua" --hidden 20 --samples 1,5,20 --presentations 0,1,2,5,10,20 \
            --seeds 5 --data "$heart" ;;
    digits2)
        one $name digits2 $mnist --train-recordings 360 --test-recordings 100 --presentations 0,10,20,50,100,200,400,720 \
            --seeds 10 ;;
    digits3)
        one $name digits3 --full $mnist --samples 1,10 --train-recordings 360 --test-recordings 50 \
            --presentations 60,300,1080 --seeds 10 --inference 2,20 ;;
    rules)
        one $name rules --full $mnist --train-recordings 360 --test-recordings 60 --presentations 300,1080 --seeds 5 ;;
    digits2-full) one $name digits2 --full $swapped --seeds 10 ;;
    digits3-full)
        one $name digits3 --full $swapped --presentations 300,1080,2700 --inference 2,20 --seeds "$seeds" ;;
    rules-full) one $name rules --full $swapped --presentations 300,1080,2700 --seeds "$seeds" ;;
    voting-mnist) one $name voting --full $mnist --presentations 20,100 ;;
    voting-generated) one $name voting --full ;;
    voting-nmnist) # the test recordings of the data set stay unseen: 260 of the training recordings take their place
        [ -f "$out/nmnist-lists/test.csv" ] ||
            "$tern" data split "$data/nmnist/nmnist_train1000_index.csv" "$out/nmnist-lists" --train 70 --validation 0 --test 30 \
            --seed 1 >/dev/null || exit 1
        one $name voting --model "$here/../../models/nmnist/nmnist.lua" --hidden 0 --samples 1 --classes 0,1,2,3,4,5,6,7,8,9 \
            --data "$out/nmnist-lists/train.csv" --test "$out/nmnist-lists/test.csv" --train-recordings 61 \
            --test-recordings 26 --lengths 15,8,5,3 --decide 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15 --inference 1,2,5,10,20 \
            --presentations 1500,15000 --seeds 10 --target 0.7 ;;
    tune)
        mkdir -p "$out/tune-data" || exit 1
        for kind in 2 3; do
            [ "$kind" = 2 ] && classes=0,1 count=60 test=60 || classes=0,1,2 count=50 test=40
            train=$out/tune-data/train$kind later=$out/tune-data/test$kind
            [ -f "$train/labels.csv" ] ||
                "$tern" data digits "$train" --classes $classes --count $count >/dev/null || exit 1
            [ -f "$later/labels.csv" ] ||
                "$tern" data digits "$later" --classes $classes --first 100 --count $test >/dev/null || exit 1
        done
        tuned digits2 --data "$out/tune-data/train2" --test "$out/tune-data/test2" --target up5k --lanes 2 \
            --seeds 4 --presentations 100
        tuned digits3 --data "$out/tune-data/train3" --test "$out/tune-data/test3" --target ecp5-45k --lanes 4 \
            --seeds 3 --presentations 150 --set hid.size=40 --set rule.eta=1e-4
        tuned memorise --data "$heart" --target ecp5-85k --lanes 4 --seeds 3 --presentations 50
        tuned nmnist --data "$data/nmnist/nmnist_train1000_index.csv" --target ecp5-25k --lanes 4 --seeds 4 \
            --presentations 4000
        python3 "$here/tune_table.py" "$out/tune-digits2" "$out/tune-digits3" "$out/tune-memorise" \
            "$out/tune-nmnist" >"$out/pages/tune.md" || exit 1 ;;
    *) echo "evidence.sh: no experiment is called $name" >&2; exit 2 ;;
    esac
done
