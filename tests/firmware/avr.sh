#!/bin/sh
# avr.sh : the freestanding core where int has 16 bits: an AVR in simavr makes the records of the host
# SPDX-License-Identifier: Apache-2.0
#
#     avr.sh TERN CC SOURCE_DIR WORK [plant]
# plant: ln 2 is a number of 16 bits, as it would be without UINT32_C; the test has to notice.
export LC_ALL=C
set -u
tern=$1 cc=$2 source=$3 work=$4 plant=${5:-}
fail() {
    echo "FAILED: $*"
    exit 1
}
for tool in avr-gcc simavr; do command -v $tool >/dev/null || fail "needs $tool (packages gcc-avr, avr-libc, simavr)"; done
rm -rf "$work" && mkdir -p "$work" || exit 1
cp -r "$source/runtime/base/include" "$source/runtime/net" "$source/runtime/blocks" "$source/runtime/engine" "$work" || exit 1
if [ -n "$plant" ]; then sed -i 's/UINT32_C(45426)/45426u/' "$work/blocks/tern_signal.h"; fi
includes="-I$work/include -I$work/net/include -I$work/engine/include -I$work/blocks/include -I$work/blocks"
for rule in gem mb iw reward; do
    baseline=neuron rewarded=
    [ $rule = gem ] && baseline=none
    [ $rule = reward ] && rewarded=-DREWARDED
    "$tern" compile "$source/models/tiny/tiny.lua" --set rule.kind=$rule --set rule.baseline=$baseline -o "$work/$rule" >/dev/null ||
        fail "tern compile"
    files="$source/tests/firmware/tiny_main.c $work/$rule/tiny.c $work/net/*.c $work/blocks/*.c $work/engine/*.c"
    # shellcheck disable=SC2086 # lists of words
    "$cc" -std=c11 -O1 $rewarded $includes "-I$work/$rule" $files -o "$work/$rule/host" || fail "$rule: host"
    # shellcheck disable=SC2086
    avr-gcc -mmcu=atmega1284p -Os -std=c11 -w $rewarded $includes "-I$work/$rule" $files -o "$work/$rule/avr" || fail "$rule: avr-gcc"
    "$work/$rule/host" >"$work/$rule.host" || fail "$rule: host: status $?"
    timeout -k 5 600 simavr -m atmega1284p -f 16000000 "$work/$rule/avr" >"$work/$rule.log" 2>&1 </dev/null
    # lines of the simulator are coloured and end with a dot
    sed -n 's/\x1b\[[0-9;]*m//g; s/^\([a-z]* [0-9a-f]\{16\}\)\.$/\1/p' "$work/$rule.log" >"$work/$rule.avr"
    grep -q '^done' "$work/$rule.host" || fail "$rule: the host's run is not complete"
    diff "$work/$rule.host" "$work/$rule.avr" || fail "differs: rule $rule on the AVR"
    echo "$rule: $(head -1 "$work/$rule.avr")"
done
