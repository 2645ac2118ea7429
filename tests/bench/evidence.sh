#!/bin/sh
# evidence.sh TERN DATA OUT [NAME...] : all experiments behind the figures and tables of docs/evidence, in one command
# SPDX-License-Identifier: Apache-2.0
#
# DATA has the folders mnist (IDX files: train3750-images-idx3-ubyte.gz, train-labels-..., t10k-...), mnist-dvs
# (mnist_0_scale04_0001.aedat) and nmnist (nmnist_train1000_index.csv with its recordings). Each experiment has a folder
# OUT/NAME and goes on where it was stopped; its tables and figures are then copied to OUT/pages/NAME.md and
# NAME-FIGURE.svg. NAME...: these alone. JOBS=N: trainings at a time (default: processors). No result depends on it.
export LC_ALL=C
set -u
[ $# -ge 3 ] || { echo "usage: $0 TERN DATA OUT [NAME...]" >&2; exit 2; }
tern=$1 data=$2 out=$3
shift 3
[ $# -gt 0 ] || set -- memorise memorise500 spikes spikes-zero digits2 digits3 rules voting-mnist voting-generated voting-nmnist
here=$(cd "$(dirname "$0")" && pwd) || exit 1
mkdir -p "$out/pages" || exit 1

heart=$data/mnist-dvs/mnist_0_scale04_0001.aedat
mnist="--images $data/mnist/train3750-images-idx3-ubyte.gz --labels $data/mnist/train-labels-idx1-ubyte.gz
  --test-images $data/mnist/t10k-images-idx3-ubyte.gz"

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

# shellcheck disable=SC2086 # $mnist is a list of options
for name in "$@"; do
    case $name in
    memorise) one $name memorise --full --hidden 0,20 --data "$heart" ;;
    memorise500)
        one $name memorise --full --hidden 500 --samples 1,5,20 --set rule.eta=2e-5 --presentations 20,50,100,200 --seeds 3 \
            --data "$heart" ;;
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
    *) echo "evidence.sh: no experiment is called $name" >&2; exit 2 ;;
    esac
done
