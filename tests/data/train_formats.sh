#!/bin/sh
# train_formats.sh TERN ROOT : the same recordings in other formats train the same network, bit for bit
# SPDX-License-Identifier: Apache-2.0
set -eu
tern=$1
net=$2/models/digits2/digits2.lua
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"

fail() { echo "FAILED: $*"; cat log; exit 1; }
run() { "$tern" "$@" >log 2>&1 || fail "tern $*"; }
# The network that comes out of a data set.
train() { run train "$net" --set data.format=auto --data "$1" --seed 3 -o "$2"; }

run data digits d --classes 0,1 --count 3 --duration-ms 500
train d want.tern

run data convert d events.npz
train events.npz got.tern
cmp want.tern got.tern || fail "from events.npz"

run data convert d text --to csv
gzip text/r000002.csv
sed 's/r000002.csv/r000002.csv.gz/' text/labels.csv >labels && mv labels text/labels.csv
train text got.tern
cmp want.tern got.tern || fail "from CSV, one of them within gzip"

# frames of the network's own steps: every step is reached by the same pixels
run data convert d frames.npz --window-ms 25
train frames.npz got.tern
cmp want.tern got.tern || fail "from frames"

# a list of parts of one file
i=0
echo 'file,label' >parts.csv
while [ $i -lt 6 ]; do
    echo "events.npz#$i,$((i % 2))" >>parts.csv
    i=$((i + 1))
done
train parts.csv got.tern
cmp want.tern got.tern || fail "from a list of parts"

run data split d lists --train 100 --validation 0 --test 0
train lists/train.csv got.tern
cmp want.tern got.tern || fail "from the list of everything"

# evaluation reads them, too
"$tern" eval want.tern --data events.npz --samples 4 --json >a.json 2>log || fail "eval of events.npz"
"$tern" eval want.tern --data frames.npz --samples 4 --json >b.json 2>log || fail "eval of frames.npz"
sed -e 's/"data[^,]*,//' -e 's/events\.npz//g' a.json >a && sed -e 's/"data[^,]*,//' -e 's/frames\.npz//g' b.json >b
cmp a b || fail "eval differs"
echo "data.train_formats: done"
