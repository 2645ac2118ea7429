#!/bin/sh
# test_braille.sh TERN MODELS [real] : models/braille learns letters from readings, generated or of a fingertip
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -eu
. "$(dirname "$0")/models_test.sh"
net=$models/braille/braille.lua
code="--code even --population 32 --lo 48 --hi 255"

if [ "$kind" = real ]; then
    readings=$real/braille-taxels
    # shellcheck disable=SC2086
    run data encode "$readings/braille_taxels_u8.bin.gz" letters.npz --columns 12 --index "$readings/index.csv" $code
    classes=0,4,8,14,21,19 # A, E, I, O, U and the space
else
    run compile "$net" -o compiled
    for f in tern vh; do [ -s compiled/braille.$f ] || fail "compile gave no braille.$f"; done
    run data taxels readings.npz --letters AEIOU_ --count 30
    # shellcheck disable=SC2086
    run data encode readings.npz letters.npz $code
    classes=0,4,8,14,21,19
fi
run data split letters.npz lists --classes $classes --train 70 --validation 0 --test 30
holds "$(accuracy "$net" lists/test.csv)" '<' 0.4 "an untrained network guesses"
run train "$net" --data lists/train.csv --presentations 1500 -o net.tern
got=$(accuracy net.tern lists/test.csv)
echo "accuracy $got of six letters after 1500 presentations"
holds "$got" '>=' 0.75 "accuracy after 1500 presentations"
# with labels that say nothing there is nothing to learn: what was learnt above was not in the method
if [ "$kind" != real ]; then
    awk -F, 'NR == 1 { print "file,label"; next } { l[NR] = $2; f[NR] = $1; n = NR } END { split("0 4 8 14 21 19", c, " "); for (i = 2; i <= n; ++i) print f[i] "," c[(i * 5 + int(i / 6)) % 6 + 1] }' \
        lists/train.csv >lists/wrong.csv
    run train "$net" --data lists/wrong.csv --presentations 1500 -o wrong.tern
    holds "$(accuracy wrong.tern lists/test.csv)" '<' 0.5 "labels by chance"
fi
