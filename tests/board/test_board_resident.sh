#!/bin/sh
# test_board_resident.sh TERN MAKE_CLI_DATA JSON_GET CHECK_EVAL ODD_BOARD TWO_RUNNERS SOURCE : resident cores: descriptions of all boards, networks that fit and that do not, what makes them fit
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC1091,SC2154
export LC_ALL=C
set -u
source=$7
TERN_SHARE=$source
export TERN_SHARE
. "${0%/*}/board_test.sh"

# usage
run 2 board
says "TERN-E0106.*--resident BOARD"
run 2 board --resident icebraker
says "icebreaker"
run 2 board --resident icebreaker --lanes 2
says "TERN-E0110.*--capacity"
run 2 board --resident icebreaker --core large
run 2 board --resident icebreaker --samples 2
run 1 board --resident icebreaker --netlist ecp5-25k
says "TERN-E0525: --netlist: .*iCEBreaker.* has a up5k, not a ecp5-25k"
run 1 board net.lua --resident ulx3s-85f --netlist ecp5-25k
says "hint: --netlist ecp5-85k"
run 2 board --resident icebreaker --engine golden
says "TERN-E0110.*one network only"
run 2 synth --resident
says "TERN-E0110.*--board"
run 2 synth --resident --target up5k
run 2 synth net.lua --resident --board icebreaker
says "TERN-E0110.*any network"
run 2 synth --resident --board icebreaker --lanes 2
run 2 synth --resident --board icebreaker --set rule.samples=2
run 2 synth net.lua --board icebreaker --capacity WORDS=5
run 2 synth --board icebreaker
says "TERN-E0106"
run 2 synth net.lua --target up5k --baud 115200
run 1 synth --resident --board icebreaker --baud 3000000 --freq 12 --capacity LANES=3
says "TERN-E0541.*lanes: found 3"
run 1 synth net.lua --board ulx3s-85f --freq 10 --baud 3000000
says "TERN-E0528.*a quarter of the clock"

# every board has a description that is read; boards of one device have the same core (synth.resident.* asks the planner whether it fits)
for b in icebreaker upduino3 hx8k-evn ulx3s-85f colorlight-i5 orangecrab; do
    "$tern" board net.lua --resident $b --engine golden --capacity WORDS=0 >out 2>err </dev/null
    says "TERN-E0541.*words: found 0"
    sed -n '/"capacity"/,$p' "$source/rtl/boards/$b/resident.json" >$b.capacity
done
same icebreaker.capacity upduino3.capacity "the same device"
same colorlight-i5.capacity orangecrab.capacity "the same device"

# what they say they hold
holds_model() { # BOARD MODEL
    rm -f m.out
    "$tern" board "$source/models/$2/$2.lua" --resident "$1" --engine golden >m.out 2>m.err </dev/null &
    board=$!
    boards="$boards $board"
    tries=0
    while [ ! -s m.out ] && kill -0 $board 2>/dev/null && [ $tries -lt 12000 ]; do sleep 0.05; tries=$((tries + 1)); done
    [ -s m.out ] || { fail "$1 does not hold $2"; cat m.err; }
    end
}
for m in tiny digits2; do holds_model icebreaker $m; done
holds_model hx8k-evn tiny
for m in tiny digits2 reward rules wta braille nmnist; do
    holds_model colorlight-i5 $m
    holds_model ulx3s-85f $m
done
run 1 board "$source/models/digits2/digits2.lua" --resident hx8k-evn --engine golden
run 1 board "$source/models/digits3/digits3.lua" --resident ulx3s-85f --engine golden
says "TERN-E0501.*samples: \|TERN-E0501.*weight words"

# descriptions that are wrong
mkdir -p share/rtl/boards/icebreaker
good=$source/rtl/boards/icebreaker/resident.json bad=share/rtl/boards/icebreaker/resident.json
wrong() { # EDIT CODE TEXT
    sed "$1" "$good" >$bad
    cmp -s "$good" $bad && fail "no change: $1"
    TERN_SHARE=$dir/share run 1 synth --resident --board icebreaker -o none
    says "resident.json.*error TERN-E$2: $3"
}
TERN_SHARE=$dir/share run 1 synth --resident --board icebreaker -o none
says "TERN-E0524.*cannot be read"
says "set TERN_SHARE"
cp "$good" $bad && truncate -s 70000 $bad
TERN_SHARE=$dir/share run 1 synth --resident --board icebreaker -o none
says "resident.json.*error TERN-E0540: more than 65536 bytes"
grep -q TERN_SHARE err && fail "a hint that is of no use for a file that is there"
wrong 's/"neurons": [0-9]*/"neurons": 0/' 0541 'neurons: found 0, allowed are 2 to 65535'
wrong 's/"neurons": [0-9]*/"neurons": 5.5/' 0540 'neurons: not a whole number'
wrong 's/"neurons": [0-9]*/"neurons": -5/' 0540 'neurons: not a whole number'
wrong 's/"neurons"/"neurones"/' 0540 'neurones: there is no such member'
says "did you mean 'neurons'"
wrong '/"rows"/d' 0540 'rows: this capacity is missing'
wrong 's/"pairs": [0-9]*/"pairs": 9999/' 0541 'pairs: found 9999'
wrong 's/"errors": [0-9]*/"errors": 999999/' 0541 'errors: found 999999'
wrong 's/"hist_w": [0-9]*/"hist_w": 10/' 0541 'hist_w: found 10'
wrong 's/"lanes": 1/"lanes": 3/' 0541 'lanes'
wrong 's/"signals": 0/"signals": 2/' 0541 'signals: found 2, allowed are 0 to 1'
wrong 's/"small": 2/"small": 4/' 0541 'small'
wrong 's/"rows": [0-9]*/"rows": 9000/' 0541 'words of the data memory'
wrong 's/"wta": 0/"wta": 1/' 0541 'wta'
wrong 's/"clock_mhz": [0-9]*/"clock_mhz": "fast"/' 0540 'clock_mhz'
wrong 's/"baud": [0-9]*/"baud": 9600/' 0540 'baud: 9600 is not a rate at which .tern run. looks'
wrong 's/"baud": [0-9]*/"baud": 1000001/' 0540 'baud: 1000001 is not a rate'
says "hint: one of 3000000, .*1000000, .*115200\$"
wrong 's/"baud": [0-9]*/"baud": -115200/' 0540 'baud: not a whole number'
wrong 's/"baud": [0-9]*/"baud": "fast"/' 0540 'baud: not a whole number'
wrong 's/"clock_mhz": [0-9]*/"clock_mhz": 3/; s/"baud": [0-9]*/"baud": 1000000/' 0540 'baud: more than a quarter'
wrong '/"about"/d' 0540 'about'
wrong 's/"capacity": {/"capacity": 5, "x": {/' 0540 ''
wrong '4s/,//' 0540 ''
says "resident.json:[45]: "
wrong 's/"lanes": 1,/"lanes": 1, "lanes": 2,/' 0540 '.*uplicate'
# there can be such a core, but the device is too small
sed 's/"words": [0-9]*/"words": 1048576/; s/"index_w": [0-9]*/"index_w": 20/' "$good" >$bad
TERN_SHARE=$dir/share run 1 synth --resident --board icebreaker -o none
says "TERN-E0515.*the core needs 64 single-port RAMs"
says "smaller capacities"
[ -e none ] && fail "a folder of a core that cannot be"
run 1 synth --resident --board hx8k-evn --capacity SMALL=2 -o none
says "TERN-E0541.*no single-port RAM"
run 1 synth --resident --board icebreaker --capacity ROWS=26 --capacity ROWS=26 -o none
says "TERN-E0812.*ROWS=26.*given twice"
run 1 synth --resident --board icebreaker --capacity ROWS=0x1a -o none
says "TERN-E0812.*not a decimal number"
run 1 synth --resident --board icebreaker --capacity NEURON=2 -o none
says "TERN-E0812.*no such parameter"

# what does not fit is reported with what makes it fit; that is true
run 1 board net.lua --resident icebreaker --engine golden
says "TERN-E0504.*samples times lags: the network needs 35, the small core has at most 32"
says "TERN-E0805.*'net' does not fit the resident core of icebreaker"
says "hint: it fits with --samples 1; or --set formats.lags=2\$"
board port net.lua --resident icebreaker --engine golden --set formats.lags=1 || exit 1
"$get" port.out core >/dev/null 2>&1
run 0 link port --words 100 --json
"$get" out core | grep -q '"LANES":1,.*"SMALL":2' || fail "not the resident core"
run 1 run net.lua --data data --device port -o refused.tern
says "TERN-E0504.*samples times lags"
says "TERN-E0501.*error words: the network needs 245, the core has 96"
says "TERN-E0805.*does not fit the core of this board (1 lanes, 8 neurons, 6 samples, 32768 weight words)"
says "hint: it fits with --samples 1; or --set formats.lags=2\$"
[ -e refused.tern ] && fail "an image of a network that does not fit"
run 1 run net.lua --data data --device port -o refused.tern --set rule.kind=iw --set formats.lags=2
says "TERN-E0501.*rules other than GEM"
says "hint: it fits with --set rule.kind=gem\$"
run 1 run net.lua --data data --device port -o refused.tern --set rule.kind=iw
says "hint: it fits with --set rule.kind=gem --set formats.lags=2\$"
sed 's/size = 4/size = 40/' net.lua >large.lua
run 1 run large.lua --data data --device port -o refused.tern
says "TERN-E0501.*neurons: the network needs 43, the core has 8"
says "hint: no setting was found with which it fits"
# an image: of its settings only the samples are the command's
run 0 compile net.lua -o .
run 1 run net.tern --data data --device port -o refused.tern
says "hint: it fits with --samples 1\$"
end
board port net.lua --resident icebreaker --engine golden --set formats.lags=2 || exit 1
alike "what was advised" net.lua --set formats.lags=2 --presentations 6
# an image that was trained here, on no number of lanes in particular, is measured there; as many samples at once as its network has room for
for options in "--samples 3" "--samples 13" "--samples 8 --early-stop"; do
    # shellcheck disable=SC2086
    alike_eval "an image, $options" here.tern $options
done
end
board port net.lua --resident icebreaker --engine golden --set formats.lags=2 --capacity PAIRS=39 --capacity ERRORS=78 || exit 1
alike_eval "batches of 4, for want of pairs" here.tern --samples 10
end

# widths of weights
board port net.lua --resident icebreaker --engine golden --set formats.lags=2 --set 'formats.weight={8,7}' --capacity WEIGHT_W=8 || exit 1
run 1 run net.lua --data data --device port -o refused.tern --set formats.lags=2
says "TERN-E0501.*weight bits: the network needs 16, the core has 8"
says "hint: it fits with --set 'formats.weight={8,[0-9]*}'\$" # once
width=$(sed -n "s/.*it fits with --set '\(formats.weight={8,[0-9]*}\)'.*/\1/p" err)
[ -n "$width" ] || { fail "no advice"; cat err; }
alike "weights of 8 bits" net.lua --set formats.lags=2 --set 'formats.weight={8,7}' --presentations 6
end
board port net.lua --resident icebreaker --engine golden --set formats.lags=2 --set "${width:-formats.weight={8,7\}}" --capacity WEIGHT_W=8 || exit 1
alike "weights as advised" net.lua --set formats.lags=2 --set "${width:-formats.weight={8,7\}}" --presentations 6
end
# the advice, what it is worth, and how often each thing is said
advised() { # BOARD-OPTIONS NETWORK-OPTIONS FORMAT [OTHER-CHANGES]
    # shellcheck disable=SC2086
    run 1 board net.lua --resident icebreaker --engine golden $1 $2
    says "hint: it fits with --set '$3'${4:+ $4}\$"
    grep -q -e '--lanes\|--core' err && { fail "advice that is of no use on a board:"; cat err; }
    sed -n 's/^error [^:]*: \([^:]*\):.*/\1/p' err | sort | uniq -d | grep . && { fail "said twice:"; cat err; }
    # shellcheck disable=SC2086
    board port net.lua --resident icebreaker --engine golden $1 $2 --set "$3" ${4-} || exit 1
    end
}
advised "--capacity WEIGHT_W=8" "--set formats.lags=2 --set formats.weight={16,2}" "formats.weight={8,0}" # the range cannot stay
advised "--capacity WEIGHT_W=8 --capacity SMALL=3" "--set formats.lags=2" "formats.weight={8,4}"
advised "--capacity WEIGHT_W=16 --capacity SMALL=3" "--set formats.lags=2 --set formats.weight={8,7}" "formats.weight={16,12}" # as many fraction bits as there may be
says "TERN-E0501.*weights of 8 bits, this core has exactly 16"
says "formats.weight with 16 bits"
advised "--capacity DITHER_MIN=18" "--set formats.lags=2" "formats.weight={16,8}" # R grows with each fraction bit less
advised "--capacity DITHER_MAX=18" "--set formats.lags=2 --set formats.weight={16,6}" "formats.weight={16,8}"
advised "--capacity ACC_W=33" "--set formats.lags=2 --set formats.weight={16,0}" "formats.weight={16,10}" # a sum's bits are those of the range
advised "--capacity DITHER_MIN=18 --capacity WEIGHT_W=8" "" "formats.weight={8,4}" "--set formats.lags=2"
# a limit of the small core is reported once, in the core's numbers, with what a network can do about it
for options in "--set rule.kind=iw" "--capacity LANES=2 --set formats.weight={16,12}" "--set formats.lags=30" "--set formats.lags=9 --set formats.learn=16"; do
    # shellcheck disable=SC2086
    run 1 board net.lua --resident icebreaker --engine golden --capacity FILTERS=1 $options
    says "TERN-E0805"
    grep -q -e '--lanes\|--core' err && { fail "advice that is of no use on a board, $options:"; cat err; }
    sed -n 's/^error [^:]*: \([^:]*\):.*/\1/p' err | sort | uniq -d | grep . && { fail "said twice, $options:"; cat err; }
done

# the large core: every rule, circuits, votes
board port net.lua --resident colorlight-i5 --engine golden --set rule.kind=reward --set rule.tau=3 --set rule.baseline=neuron || exit 1
alike "reward" net.lua --set rule.kind=reward --set rule.tau=3 --set rule.baseline=neuron --presentations 6
end
exit $failed
