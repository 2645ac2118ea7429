#!/bin/sh
# Draws the picture of README.md: models/digits2 before and after 100 recordings. The panels are figures of `tern report`.
#     sh docs/figures/picture.sh TERN OUT.svg           writes OUT.svg
#     sh docs/figures/picture.sh TERN --check OLD.svg   draws it again and compares: the digests of both networks and of the
#                                                       recordings always, every byte if gnuplot has the same version
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -eu
[ $# -eq 2 ] || { [ $# -eq 3 ] && [ "$2" = --check ]; } || { echo "usage: picture.sh TERN [--check] OUT.svg" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
tern=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
net=$here/../../models/digits2/digits2.lua
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 143' TERM INT
out=$work/picture.svg
w3=http:/"/www.w3.org" # names of XML, not addresses

draw() { # one network before and after training, and a report on each
    cd "$work"
    "$tern" data digits train --classes 0,1 --count 50 --seed 1 >data.txt
    "$tern" compile "$net" -o net >compile.txt
    cp net/digits2.tern before.tern
    "$tern" train "$net" --data train --presentations 100 --seed 1 -o after.tern >train.txt
    for which in before after; do "$tern" report $which.tern --data train >$which.txt; done
}
# panel PAGE CAPTION N X Y WIDTH HEIGHT: the N-th figure whose caption begins so, as a drawing inside the picture
panel() {
    awk -v caption="alt=\"$2" -v n="$3" 'BEGIN { RS = "<figure" } index($0, caption) && ++seen == n {
        sub(/.*base64,/, ""); sub(/".*/, ""); print }' "$1" | base64 -d >figure.svg
    [ -s figure.svg ] || { echo "picture.sh: no figure '$2' in $1" >&2; exit 1; }
    printf '<svg x="%s" y="%s" width="%s" height="%s" viewBox="0 0 %s %s">\n' "$4" "$5" "$6" "$7" "$6" "$7"
    awk '/<svg/ { inside = 1 } inside && />/ { if (!body) { sub(/^[^>]*>/, ""); body = 1 } } body' figure.svg
}
text() { printf '<text x="%s" y="%s" text-anchor="middle">%s</text>\n' "$1" "$2" "$3"; }
digest() { sha256sum "$1" | cut -c 1-64; }

picture() {
    cat <<SVG
<?xml version="1.0" encoding="utf-8"?>
<svg width="840" height="510" viewBox="0 0 840 510" xmlns="$w3/2000/svg" xmlns:xlink="$w3/1999/xlink">
<title>Spikes in, spikes out, and weights before and after training</title>
<desc>GENERATED FILE - do not edit. Command: sh docs/figures/picture.sh build/tern docs/figures/digits2.svg
gnuplot: $(gnuplot --version)
recordings: $(sed -n 's/^sha256 //p' data.txt)
before: $(digest before.tern)
after: $(digest after.tern)
</desc>
<rect width="840" height="510" fill="#ffffff"/>
<g font-family="sans-serif" font-size="15" font-weight="bold" fill="#222222">
SVG
    text 210 20 'Spikes in: a recording of a moving 1'
    text 630 20 'Spikes out, after training'
    text 210 348 'Weights before training'
    text 630 348 'Weights after 100 recordings'
    echo '</g>'
    panel after.html 'Input spikes of pixels' 2 0 25 420 300
    panel after.html 'Spikes of out' 2 420 25 420 300
    panel before.html 'Weights from pixels to out 1,' 1 0 352 420 156
    panel after.html 'Weights from pixels to out 1,' 1 420 352 420 156
    echo '</svg>'
}
old=''
if [ "$2" = --check ]; then old=$(cd "$(dirname "$3")" && pwd)/$(basename "$3"); fi
result=$PWD/$2
case $2 in /*) result=$2 ;; esac
draw
picture >"$out"
if [ -z "$old" ]; then
    cp "$out" "$result.part" && mv "$result.part" "$result"
    exit 0
fi
facts() { sed -n "s/^$1: //p" "$2"; }
for fact in recordings before after; do
    [ "$(facts $fact "$out")" = "$(facts $fact "$old")" ] || {
        echo "picture.sh: $fact differ: $(facts $fact "$old") in the picture, $(facts $fact "$out") now" >&2
        exit 1
    }
done
[ "$(facts gnuplot "$out")" != "$(facts gnuplot "$old")" ] || cmp "$old" "$out" || {
    echo "picture.sh: draw it again: sh docs/figures/picture.sh build/tern docs/figures/digits2.svg" >&2
    exit 1
}
echo "the picture is up to date"
