#!/bin/sh
# go_on.sh TERN VERSIONS WORK : a training that an earlier writer of images began goes on to the bits of a new one
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -u
tern=$1 versions=$2 work=$3
fail() { echo "FAILED: $*"; exit 1; }
rm -rf "$work" && mkdir -p "$work" && cd "$work" || exit 1
"$tern" data digits data --classes 0,1 --count 2 --seed 1 --duration-ms 100 -q >data.txt || fail "data"
for n in 3 6; do
    "$tern" train "$versions/old2.lua" --data data --presentations $n -o $n.tern -q >train.txt || fail "train"
    "$tern" export $n.tern -o $n.npz -q >export.txt || fail "export"
done
cp "$versions/2.0.tern" old.tern
"$tern" export old.tern -o old.npz -q >export.txt || fail "export of the kept image"
cmp 3.npz old.npz || fail "the kept image has other weights or another state than this version makes"
"$tern" train "$versions/old2.lua" --data data --presentations 6 -o old.tern --resume -q >train.txt 2>err.txt ||
    fail "the kept image does not go on: $(cat err.txt)"
"$tern" export old.tern -o old.npz -q >export.txt || fail "export"
cmp 6.npz old.npz || fail "the kept image goes on to other bits"
"$tern" eval "$versions/2.0.tern" --data data -q >eval.txt || fail "eval"
"$tern" explain "$versions/1.0.tern" >explain.txt 2>err.txt && fail "an image of version 1.0 is read"
grep -q 'E0304.*1\.0' err.txt || fail "an image of version 1.0: $(cat err.txt)"
