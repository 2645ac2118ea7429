#!/bin/sh
# train_formats.sh TERN ROOT : the same recordings in other formats train the same network, bit for bit
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
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

# Cutting in the network's data section is cutting while converting: the same training, presentation by presentation. What a row says: how the network cuts / what convert
# does instead / what the network says about the grid that comes out.
log_of() { # data.npz-or-folder log settings...
    data=$1 log=$2
    shift 2
    run train "$net" --set data.format=auto --data "$data" --seed 3 -o cut.tern --log "$log" "$@"
    grep '"presentation"' "$log" >"$log.p"
    [ "$(wc -l <"$log.p")" = 6 ] || fail "$log has no six presentations"
}
same() { # name, network's settings, options of convert, settings for the grid
    # shellcheck disable=SC2086
    { log_of d "$1.net" $2; run data convert d "$1.npz" --window-ms 25 $3; log_of "$1.npz" "$1.grid" $4; }
    cmp "$1.net.p" "$1.grid.p" || fail "$1: the network cuts otherwise than convert"
    cmp -s want.net.p "$1.net.p" && fail "$1 makes no difference"
    echo "$1: the same"
}
log_of d want.net
grid='--set data.sensor={26,26} --set data.crop={0,0,26,26}'
crop='--set data.crop={40,38,26,26}'
same crop "$crop" '--crop 40,38,26,26' "$grid"
same mirror '--set data.mirror=xy' '--mirror-x --mirror-y --crop 48,48,26,26' "$grid"
same scale '--set data.crop={36,34,52,52} --set data.scale=2' '--crop 36,34,52,52 --scale 2' "$grid"
same on '--set data.polarity=on' '--crop 48,48,26,26 --polarity on' "$grid"
same off '--set data.polarity=off' '--crop 48,48,26,26 --polarity off' "$grid"
same separate '--set data.polarity=separate --set pixels.shape={2,26,26}' '--crop 48,48,26,26 --polarity separate' "$grid --set data.polarity=separate --set pixels.shape={2,26,26}"
same all '--set data.mirror=x --set data.crop={36,34,52,52} --set data.scale=2 --set data.polarity=separate --set pixels.shape={2,26,26}' \
    '--mirror-x --crop 36,34,52,52 --scale 2 --polarity separate' "$grid --set data.polarity=separate --set pixels.shape={2,26,26}"
cmp on.net.p off.net.p >cmp.out && fail "ON and OFF are the same"
# windows: twice as long steps are other frames, the same ones from a grid of half of them
log_of d long.net --set data.window_ms=50 --set data.steps=10
log_of frames.npz long.grid --set data.window_ms=50 --set data.steps=10
cmp long.net.p long.grid.p || fail "windows of 50 ms from frames of 25 ms"
cmp -s want.net.p long.net.p && fail "the window makes no difference"

# evaluation reads them, too
"$tern" eval want.tern --data events.npz --samples 4 --json >a.json 2>log || fail "eval of events.npz"
"$tern" eval want.tern --data frames.npz --samples 4 --json >b.json 2>log || fail "eval of frames.npz"
sed -e 's/"data[^,]*,//' -e 's/events\.npz//g' a.json >a && sed -e 's/"data[^,]*,//' -e 's/frames\.npz//g' b.json >b
cmp a b || fail "eval differs"
echo "data.train_formats: done"
