#!/bin/sh
# cli_weights.sh : tern export and import: every model goes out and in to the same bytes; nothing half-written
# SPDX-License-Identifier: Apache-2.0
#
#     cli_weights.sh TERN MODELS WORK HDF5
export LC_ALL=C
set -u
tern=$1 models=$2 work=$3 hdf5=$4
rm -rf "$work"
mkdir -p "$work" || exit 1
cd "$work" || exit 1
failed=0
fail() {
    echo "FAILED: $*"
    failed=1
}
expect() { # status text command...
    wanted=$1 text=$2
    shift 2
    "$@" >out.txt 2>err.txt
    got=$?
    [ $got -eq "$wanted" ] || { fail "exit status $got, wanted $wanted: $*"; cat err.txt; }
    [ -z "$text" ] || grep -q -e "$text" out.txt err.txt && return
    fail "no '$text' in the output of: $*"
    cat out.txt err.txt
}
forms=npz
[ "$hdf5" = 1 ] && forms="npz h5"

# every model, as its script gives it
for script in "$models"/*/*.lua; do
    name=$(basename "$script" .lua)
    expect 0 "" "$tern" compile "$script" -o c
    for form in $forms; do
        expect 0 "initial weights" "$tern" export "c/$name.tern" -o "w.$form"
        cp "w.$form" first
        expect 0 "" "$tern" export "$script" -o "w.$form"
        cmp first "w.$form" || fail "$name: the script's .$form is another"
        expect 0 "initial weights" "$tern" import "$script" "w.$form" -o back.tern
        cmp "c/$name.tern" back.tern || fail "$name: .$form does not give the image back"
    done
    # as a device saves it: the state that a training begins with
    expect 0 "initial weights" "$tern" export "$script" -o w.save
    expect 0 "state included" "$tern" import "$script" w.save -o back.tern
    expect 0 "" "$tern" export back.tern -o again.save
    cmp w.save again.save || fail "$name: .save is another after a round"
    expect 0 "as initial weights" "$tern" import "$script" w.save -o back.tern --weights-only
    cmp "c/$name.tern" back.tern || fail "$name: .save does not give the image back"
    [ "$hdf5" = 1 ] || continue
    # as a graph, unless it has circuits
    if grep -q 'wta *=' "$script"; then
        expect 1 "E0159.*no winner-take-all circuits" "$tern" export "$script" -o w.nir
        continue
    fi
    expect 0 "N0158.*no random neurons" "$tern" export "$script" -o w.nir
    expect 0 "initial weights" "$tern" import "$script" w.nir -o back.tern
    cmp "c/$name.tern" back.tern || fail "$name: the graph does not give the image back"
done
# ... and trained, with another rule and K, from script and from image, in both kinds of numbers
expect 0 "" "$tern" data digits data --classes 0,1 --count 2 --seed 1 --duration-ms 300
net=$models/digits2/digits2.lua
for rule in gem mb iw; do
    expect 0 "" "$tern" train "$net" --data data -o t.tern --set rule.kind=$rule --samples 3 --seed 7
    for form in $forms; do
        expect 0 "trained weights.*with the state" "$tern" export t.tern -o "t.$form"
        expect 0 "state included" "$tern" import t.tern "t.$form" -o back.tern
        cmp t.tern back.tern || fail "$rule: .$form does not give the trained image back"
        rm back.tern
        expect 0 '"state":true' "$tern" import "$net" "t.$form" -o back.tern --set rule.kind=$rule \
            --set rule.samples=3 --json
        cmp t.tern back.tern || fail "$rule: .$form and the script do not give the trained image back"
        expect 0 '"integers":true' "$tern" export t.tern -o "i.$form" --integers --json
        expect 0 "" "$tern" import t.tern "i.$form" -o back.tern
        cmp t.tern back.tern || fail "$rule: integers as .$form do not give the trained image back"
    done
done
# one changed bit of the file is seen, wherever it lies in the arrays
expect 0 "" "$tern" export "$net" -o good.npz
size=$(wc -c <good.npz)
for at in 300 $((size / 2)) $((size * 3 / 4)); do
    cp good.npz bad.npz
    byte=$(od -An -tu1 -j "$at" -N 1 good.npz)
    printf "\\$(printf %03o $((byte ^ 1)))" | dd of=bad.npz bs=1 seek="$at" conv=notrunc 2>dd.txt || cat dd.txt
    cmp -s good.npz bad.npz && fail "byte $at was not changed"
    rm -f none.tern
    expect 1 "E0150.*\(check sum\|header\|bytes\|name\)" "$tern" import "$net" bad.npz -o none.tern
    [ ! -e none.tern ] || fail "an image of changed bytes"
done
# a device's stream: everything, from script and image; what was learnt goes on to the same bits; from standard input
expect 0 "" "$tern" train "$net" --data data -o s.tern --presentations 3 --seed 7
expect 0 "" "$tern" train "$net" --data data -o six.tern --presentations 6 --seed 7
expect 0 "trained weights.*with the state" "$tern" export s.tern -o t.save
for from in "$net" s.tern; do
    expect 0 "state included" "$tern" import "$from" t.save -o back.tern
    cmp s.tern back.tern || fail ".save and $from do not give the trained image back"
done
"$tern" import "$net" - -o back.tern <t.save >/dev/null || fail "a stream from standard input"
cmp s.tern back.tern || fail "a stream from standard input is another"
expect 0 "what was learnt" "$tern" export s.tern -o l.save --learnt
[ "$(wc -c <l.save)" -lt "$(wc -c <t.save)" ] || fail "--learnt is not shorter"
expect 0 "state included" "$tern" import "$net" l.save -o back.tern
expect 0 "" "$tern" train "$net" --data data -o back.tern --presentations 6 --seed 7 --resume
cmp six.tern back.tern || fail "a training that goes on from a stream comes to other bits"
expect 1 "E0153.*the saved state is refused: of another network" "$tern" import "$models/tiny/tiny.lua" t.save -o no.tern
head -c 1000 t.save >cut.save
expect 1 "E0150.*not as long as its head says" "$tern" import "$net" cut.save -o no.tern
expect 2 "integers does not go with .save" "$tern" export s.tern -o t.save --integers
expect 2 "learnt is for .save" "$tern" export t.tern -o t.npz --learnt
# weights alone: by name, into other formats; not trained
expect 0 "as initial weights" "$tern" import "$net" t.npz -o only.tern --weights-only --set formats.weight='{14, 11}'
expect 1 "E0153.*tern/layout: the file is of a network with the layout" \
    "$tern" import "$net" t.npz -o no.tern --set formats.weight='{14, 11}'
grep -q "hint:.*--weights-only" err.txt || fail "no cure for another layout"
expect 1 "E0153.*weights/pixels/hid/1: the network 'tiny' has nothing of this name" \
    "$tern" import "$models/tiny/tiny.lua" t.npz -o no.tern --weights-only
expect 1 "E0150.*neither a NumPy archive.*an image" "$tern" import "$models/tiny/tiny.lua" t.tern -o no.tern
: >empty.npz
expect 1 "E0150.*it is empty" "$tern" import "$models/tiny/tiny.lua" empty.npz -o no.tern
expect 1 "E0401" "$tern" import "$models/tiny/tiny.lua" none.npz -o no.tern
[ ! -e no.tern ] || fail "an import that failed left an image"
echo old >keep.npz
expect 1 "" "$tern" export none.tern -o keep.npz
[ "$(cat keep.npz)" = old ] || fail "an export that failed touched the older file"
for form in $forms; do # a file of weights given as an image: the message points to import
    expect 1 "E0303.*not a Tern image" "$tern" explain "t.$form"
    grep -q 'hint: .*tern import NET.lua FILE' err.txt || fail ".$form as an image: no word about import"
done
echo text >plain
expect 1 "E0302.*not a Tern image" "$tern" import t.tern t.npz -o plain
expect 2 "has to end in .npz, .h5, .hdf5, .nir or .save" "$tern" export t.tern -o t.txt
expect 2 "" "$tern" export t.tern
expect 2 "give another name" "$tern" import t.tern t.npz -o t.npz
expect 2 "would overwrite the network" "$tern" import t.tern t.npz -o t.tern
expect 0 "" "$tern" import t.tern t.npz -o again.tern && mv again.tern t.tern
[ -z "$(find . -name '*.tmp-*' -o -name '*.lock')" ] || fail "temporary files are left"

cd / && [ $failed -eq 0 ] && rm -rf "$work"
exit $failed
