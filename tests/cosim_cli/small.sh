#!/bin/sh
# small.sh : `tern cosim --core small`: digits2 (also on recordings) and tiny in lockstep with the golden model; what the small core refuses
# SPDX-License-Identifier: Apache-2.0
#
#     small.sh TERN SOURCE WORK CORES
export LC_ALL=C
needs="verilator"
. "$(dirname "$0")/begin.sh"
TERN_SHARE=$source
export TERN_SHARE
equal() { # STEPS ABOVE words...: that many steps, nothing differs, the estimate of cycles is at most 15 % too low and ABOVE too high
    steps=$1 above=$2
    shift 2
    "$tern" cosim "$@" --core small --cache "$cores" --json >out.txt 2>err.txt || { fail "cosim $*"; cat err.txt; return; }
    for text in '"core":"small"' "\"steps\":$steps," '"differences":0' '"exact":false'; do grep -q -e "$text" out.txt || { fail "$*: not $text"; cat out.txt; }; done
    [ "$(sed 's/.*"digest_c":"\([0-9a-f]*\)".*/\1/' out.txt)" = "$(sed 's/.*"digest_rtl":"\([0-9a-f]*\)".*/\1/' out.txt)" ] || fail "$*: digests"
    sed 's/.*"predicted":\([0-9]*\),"measured":\([0-9]*\).*/\1 \2/' out.txt | awk -v above="$above" '{ d = $1 / $2 - 1; if ($2 < 1000 || d > above || d < -0.15) { print "estimate " $1 ", measured " $2; exit 1 } }' || fail "$*: the estimate of cycles"
}
refused() { # STATUS TEXT words...
    want=$1 text=$2
    shift 2
    "$tern" "$@" >out.txt 2>err.txt
    got=$?
    [ $got -eq "$want" ] && grep -q -e "$text" err.txt || { fail "$*: status $got, not $want with $text"; cat err.txt; }
}
digits2=$source/models/digits2/digits2.lua tiny=$source/models/tiny/tiny.lua
equal 24 0.15 "$digits2" --lanes 2 --steps 24
equal 24 0.15 "$digits2" --lanes 2 --steps 24 --seed 3 --no-learn
equal 60 0.15 "$tiny" --lanes 1 --steps 60
# steps beyond every weight: each one ends at the limit of its own sign; a core that takes the sign from a bit within is found
far=$source/tests/cosim_cli/far.lua
equal 300 0.15 "$far" --lanes 4 --steps 300
mkdir share && cp -r "$source/rtl" "$source/sim" share/ || exit 1
sed -i 's/{step\[DELTA_W\], wide\[WEIGHT_W:0\]}/wide[WEIGHT_W+1:0]/' share/rtl/small/tern_small_lane.v
cmp -s share/rtl/small/tern_small_lane.v "$source/rtl/small/tern_small_lane.v" && fail "no mistake was planted"
TERN_SHARE=$work/share "$tern" cosim "$far" --core small --lanes 4 --steps 300 --cache "$cores" >out.txt 2>err.txt && fail "a wrong sign is not seen"
grep -q "same value before and same dither" out.txt err.txt || { fail "a wrong sign: another message"; cat out.txt err.txt; }
# recordings, whose inputs are silent most of the time: their words are left out, within receptive fields too; a core that continues beyond a field's end is found
"$tern" data digits recordings --classes 0,1 --count 2 >out.txt 2>err.txt || { fail "data digits"; cat err.txt; }
window=$source/tests/cosim_cli/window.lua
equal 40 0.5 "$window" --lanes 2 --steps 40 --data recordings
"$tern" cosim "$digits2" --core small --lanes 2 --no-learn --steps 80 --data recordings --cache "$cores" --json >out.txt 2>err.txt || { fail "digits2 on recordings"; cat err.txt; }
sed 's/.*"predicted":\([0-9]*\),"measured":\([0-9]*\).*/\1 \2/' out.txt | awk '{ if ($2 > 0.9 * $1) { print "estimate with all words " $1 ", measured " $2; exit 1 } }' || fail "silent words are read"
rm -rf share && mkdir share && cp -r "$source/rtl" "$source/sim" share/ || exit 1
sed -i 's/if (many) in_row = 1/in_row = 1/' share/rtl/small/tern_stream.v
cmp -s share/rtl/small/tern_stream.v "$source/rtl/small/tern_stream.v" && fail "no mistake was planted in the pass"
TERN_SHARE=$work/share "$tern" cosim "$window" --core small --lanes 2 --steps 40 --data recordings --cache "$cores" >out.txt 2>err.txt && fail "a row that does not end is not seen"
grep -q "the core is still busy" out.txt err.txt || { fail "a row that does not end: another message"; cat out.txt err.txt; }
rm -rf share && mkdir share && cp -r "$source/rtl" "$source/sim" share/ || exit 1
sed -i 's/known\[32\*1 +: 32\] = 3/known[32*1 +: 32] = 2/' share/rtl/small/tern_small.v
TERN_SHARE=$work/share "$tern" cosim "$tiny" --core small --lanes 1 --steps 2 --cache "$cores" >out.txt 2>err.txt && fail "another version of the host port is not seen"
grep -q "TERN-E0612.*version 2, this program works with 3" err.txt || { fail "another version: another message"; cat err.txt; }
refused 1 "TERN-E0504.*bits of a weight word" cosim "$digits2" --core small --lanes 4 --cache "$cores"
refused 1 "TERN-E0504.*samples of rule MB or REWARD with baselines.*needs 17, the small core has at most 16" cosim "$tiny" --core small --lanes 1 \
    --set rule.kind=mb --set rule.samples=17 --set formats.lags=1 --cache "$cores"
# every rule: the estimate of cycles is near, too
for rule in mb iw reward; do
    equal 30 0.15 "$tiny" --lanes 1 --steps 30 --set rule.kind=$rule --set rule.baseline=neuron
done
refused 1 "the small core counts no votes" cosim "$digits2" --core small --lanes 2 --no-learn --first-spike --cache "$cores"
refused 2 "TERN-E0103" cosim "$digits2" --core tiny
cd / && [ $failed -eq 0 ] && rm -rf "$work"
exit $failed
