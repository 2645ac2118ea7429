#!/bin/sh
# What is advised has to help: it is applied, and the network then compiles. Error 504: numbers of the learning rule
# that are too wide for the small core. Errors 510 to 513: a network too large for a device, because of --ways, --prep
# or --form.
#     sh advice.sh TERN NET.lua WORK
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -u
tern=$1 net=$2 work=$3 failed=0 advised=0
rm -rf "$work" && mkdir -p "$work" && cd "$work" || exit 1
# compiled SET...: for the small core, with these settings
compiled() {
    options=''
    for s; do options="$options --set $s"; done
    # shellcheck disable=SC2086 # words
    "$tern" compile "$net" --target up5k --core small --lanes 2 $options -o out >log 2>&1
}
# refused SET...: and each way that the hint names helps
refused() {
    compiled "$@" && { echo "FAILED: $* fits: it is no case"; failed=1; return; }
    hint=$(grep -A1 'E0504: \(weight change\|kernel\) bits\|E0504: sum of a neuron' log |
        sed -n 's/.*hint: it fits with //p' | head -n 1)
    [ -n "$hint" ] || { echo "FAILED: $*: no advice that was tried"; cat log; failed=1; return; }
    printf '%s\n' "$hint" | sed 's/, or with /\n/g' >ways
    while IFS= read -r way; do
        sets=$(printf '%s' "$way" | sed 's/ = /=/g; s/ and / /g')
        advised=$((advised + 1))
        # shellcheck disable=SC2086
        compiled "$@" $sets || { echo "FAILED: $*: '$way' is advised and does not help"; cat log; failed=1; }
    done <ways
}
refused rule.eta=1e-8
refused rule.eta=3e-9
refused rule.eta=1e-9
refused rule.eta=2e-9 formats.learn=16
refused formats.learn=16
# too_large DEVICE LANES OPTIONS: does not fit; each way that leaves the device and the settings does without OPTIONS
too_large() {
    device=$1 lanes=$2 options=$3
    # shellcheck disable=SC2086 # words
    "$tern" compile "$net" --target "$device" --lanes "$lanes" $options -o out >log 2>&1 &&
        { echo "FAILED: $* fits: it is no case"; failed=1; return; }
    sed -n 's/.*hint: it fits with //p' log | sed 's/; or /\n/g' |
        sed 's/^\([0-9]*\) samples* instead.*/--set rule.samples=\1/' |
        sed 's/^a learning window of \([0-9]*\) .*/--set formats.lags=\1/' |
        grep -e '--' | sort -u >ways
    [ -s ways ] || { echo "FAILED: $*: no advice that was tried"; cat log; failed=1; return; }
    while IFS= read -r way; do
        advised=$((advised + 1))
        case $way in *--lanes*) with='' ;; *) with="--lanes $lanes" ;; esac
        case $way in
            *' without '*) with="$with ${way%% without *}" ;;
            --ways*) with="$with $way" ;;
            *) with="$with $way $options" ;;
        esac
        # shellcheck disable=SC2086
        "$tern" compile "$net" --target "$device" $with -o out >log 2>&1 ||
            { echo "FAILED: $*: '$way' is advised and does not help"; cat log; failed=1; }
    done <ways
}
too_large up5k 4 '--form kernel'
too_large ecp5-25k 8 '--ways 5 --prep 3'
too_large ecp5-25k 16 '--ways 3 --prep 2'
[ "$advised" -ge 10 ] || { echo "FAILED: only $advised ways were advised"; failed=1; }
[ $failed -eq 0 ] && echo "advice: $advised ways, all help"
exit $failed
