#!/bin/sh
# resident_rtl.sh : resident cores as Verilator simulates them: several networks, one after another, loaded into the same running board come out as here; what does not fit is refused
# SPDX-License-Identifier: Apache-2.0
#
#     resident_rtl.sh TERN MAKE_CLI_DATA JSON_GET CHECK_EVAL ODD_BOARD SOURCE BOARDS small|large [SHARE]
# SHARE: a tree with other Verilog, for planted mistakes.
# shellcheck disable=SC1091,SC2154
export LC_ALL=C
set -u
command -v verilator >/dev/null || { echo "SKIP: needs verilator"; exit 77; }
source=$6 cache=$7 core=$8
TERN_SHARE=${9-$source}
export TERN_SHARE
. "${0%/*}/board_test.sh"
mkdir -p "$cache" || exit 1
# 2 x 2 pixels of a digit, for tiny; small digits of their own
run 0 data digits pixels --classes 0 --count 3
run 0 data digits digits --classes 0,1 --count 1 --seed 1
mv data all && mkdir data && head -n 3 all/labels.csv >data/labels.csv && cp $(cut -d, -f1 data/labels.csv | sed 's,^,all/,') data/
on() { rm -rf data.here && mv data data.here && mv "$1" data; } # recordings of the next network
off() { mv data "$1" && mv data.here data; }
tiny="$source/models/tiny/tiny.lua --set data.sensor={128,128} --set data.crop={60,60,2,2}"
digits2=$source/models/digits2/digits2.lua

if [ "$core" = small ]; then
    board port --resident icebreaker --cache "$cache" || exit 1
    run 0 link port --words 100 --json
    is out wrong 0
    "$get" out core | grep -q '"LANES":1,.*"SMALL":2' || fail "not the resident core of the board"
    # another number of lags, of taps, of samples each, weights of other widths; the same board all along
    on pixels
    # shellcheck disable=SC2086
    alike "tiny" $tiny --presentations 3
    alike_eval "tiny, measured" here.tern --samples 6
    off pixels
    alike "8-bit weights" net.lua --set formats.lags=2 --set 'formats.weight={8,7}' --set rule.eta=0.2 --presentations 3
    alike_eval "8-bit weights, measured" here.tern --samples 5
    if [ $failed -eq 0 ]; then
        on digits
        alike "digits2" "$digits2" --set data.steps=12 --presentations 2
        off digits
        alike "after digits2" net.lua --set formats.lags=1 --samples 6 --presentations 2
        on pixels
        # shellcheck disable=SC2086
        alike "tiny again" $tiny --presentations 2 --seed 7
        off pixels
    fi
    # an image of a network that does not fit, a script, another rule: refused, and the core continues as before
    run 1 run net.lua --data data --device port -o refused.tern
    says "TERN-E0504.*samples times lags: the network needs 35"
    says "hint: it fits with --samples 1; or --set formats.lags=2\$"
    run 1 run net.lua --data data --device port -o refused.tern --set formats.lags=2 --set rule.kind=mb
    says "TERN-E0501.*rules other than GEM"
    run 0 train net.lua --data data -o wide.tern --presentations 1
    run 1 run wide.tern --data data --device port --samples 9
    says "TERN-E0808.*1 sample of this network at once"
    [ -e refused.tern ] && fail "an image of a network that was refused"
    [ $failed -eq 0 ] && alike "after refusals" net.lua --set formats.lags=2 --presentations 1
else
    board port --resident colorlight-i5 --cache "$cache" || exit 1
    run 0 link port --words 100 --json
    "$get" out core | grep -q '"LANES":4,.*"SIGNALS":1,.*"SMALL":0' || fail "not the resident core of the board"
    cat >circuits.lua <<'LUA'
local f = tern.exponential{ tau = 2, duration = 6 }
local pixels = tern.input{ name = "pixels", size = 37 }
local hid = tern.hidden{ name = "hid", size = 4, memory = f, wta = 2 }
local out = tern.visible{ name = "out", size = 3, memory = f, wta = 3 }
tern.connect{ from = {pixels, out}, to = hid, filters = f }
tern.connect{ from = {pixels, hid}, to = out, filters = f }
tern.gem{ eta = 5e-3, gamma = 0.8, kappa = 0.5, samples = 5 }
tern.data{ format = "aedat2", crop = {0, 0, 37, 1}, window_ms = 1, steps = 20, input = pixels, label = out }
LUA
    alike "a reward, baselines" net.lua --set rule.kind=reward --set rule.tau=3 --set rule.baseline=neuron --presentations 3
    alike "circuits" circuits.lua --presentations 3
    alike_eval "circuits" here.tern --samples 6
    on pixels
    # shellcheck disable=SC2086
    alike "tiny" $tiny --presentations 2
    off pixels
    alike "importance weights" net.lua --set rule.kind=iw --presentations 2
    on digits
    alike "digits2" "$digits2" --set data.steps=12 --presentations 2
    alike_eval "digits2" here.tern --samples 5
    off digits
    alike "8-bit weights, a reward" net.lua --set rule.kind=reward --set rule.tau=3 --set 'formats.weight={8,7}' --presentations 2
    sed 's/size = 4/size = 400/' net.lua >large.lua
    run 1 run large.lua --data data --device port -o refused.tern
    says "TERN-E0501.*neurons: the network needs 403, the core has 64"
fi
end
[ $ended -eq 0 ] || fail "tern board, interrupted: exit status $ended"
exit $failed
