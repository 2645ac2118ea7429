#!/bin/sh
# test_board_same.sh TERN MAKE_CLI_DATA JSON_GET CHECK_EVAL ODD_BOARD TWO_RUNNERS : on a board (the C model behind the link) everything comes out as here
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC1091,SC2154
export LC_ALL=C
set -u
two=${6-}
. "${0%/*}/board_test.sh"

# every rule, with and without a baseline, and histories that continue from one presentation to the next
for rule in gem "mb --set rule.baseline=neuron" iw "iw --set rule.baseline=neuron" "reward --set rule.tau=3 --set rule.baseline=neuron"; do
    # shellcheck disable=SC2086
    set -- net.lua --set rule.kind=$rule
    board port "$@" --engine golden || exit 1
    alike "rule $rule" "$@" --presentations 30 --seed 5
    alike "rule $rule, histories that continue" "$@" --set data.clear=false --presentations 7
    end
done
[ -e port ] && fail "the link of a board that has ended is still there"
[ $ended -eq 0 ] || fail "tern board, interrupted: exit status $ended"

# circuits; inputs that no row reads, whose histories the core does not keep; targets and inputs from parts of a recording
cat >parts.lua <<'LUA'
local f = tern.exponential{ tau = 2, duration = 6 }
local pixels = tern.input{ name = "pixels", size = 20 }
local unread = tern.input{ name = "unread", size = 17 }
local hid = tern.hidden{ name = "hid", size = 4, memory = f, wta = 2 }
local out = tern.visible{ name = "out", size = 3, memory = f, wta = 3 }
tern.connect{ from = {pixels, out}, to = hid, filters = f }
tern.connect{ from = {pixels, hid}, to = out, filters = f }
tern.gem{ eta = 5e-3, gamma = 0.8, kappa = 0.5, samples = 5 }
tern.data{ format = "aedat2", crop = {0, 0, 37, 1}, window_ms = 1, steps = 20, clear = false, label = out,
           parts = { { population = pixels, columns = {0, 19} }, { population = unread, columns = {20, 36} } } }
LUA
board port parts.lua --engine golden
alike "circuits, unread inputs" parts.lua --presentations 9
end

# every number of lanes; a core that is larger than needed; one sample
for lanes in 1 2 8 16 32; do
    board port net.lua --engine golden --lanes $lanes --capacity SAMPLES=7 --capacity PAIRS=99 --capacity WORDS=9999 --capacity ERRORS=9999 --capacity HIST_W=40 --capacity HIST_WORDS=999 --capacity CLASSES=5
    alike "$lanes lanes" net.lua --presentations 6
    end
done
board port net.lua --engine golden --samples 1
alike "one sample" net.lua --samples 1 --presentations 6
end

# validation; a step rate that changes; saturations are counted
set -- net.lua --set formats.weight={4,3} --set rule.eta=1 --set rule.schedule={divide=2,every=4}
board port "$@" --engine golden
alike "validation" "$@" --validation 0.25 --validate-every 5 --presentations 30
alike "a schedule, weights that saturate" "$@" --presentations 12
"$get" out saturations >sat && grep -q '"weight":[1-9]' sat || fail "no saturation: the test says nothing about them"

# measuring: batches that the core can make, the last one smaller; decisions, spikes, probabilities
for options in "" "--samples 3" "--samples 5" "--samples 8" "--samples 14" "--samples 20 --early-stop" "--samples 9 --decode first" "--samples 12 --batch 4 --seed 3"; do
    # shellcheck disable=SC2086
    alike_eval "eval $options" here.tern $options
done
run 0 run here.tern --data data --samples 12 --batch 8 --device port
says "TERN-W0808.*at most 4 samples of this network at once: batches of 4 instead of 8"
end
board port "$@" --engine golden --samples 3
run 0 run here.tern --data data --samples 3 --device port
run 1 run here.tern --data data --samples 4 --device port
says "TERN-E0808.*3 samples of this network at once"
end

# one board, several runners in turn
board port net.lua --engine golden
"$two" port net.lua >out 2>&1 || { fail "runners in turn"; cat out; }
end

# the line
board port net.lua --engine golden
run 0 link port --words 3000 --json
is out words 3000
is out wrong 0
is out protocol 1
"$get" out core | grep -q '"SAMPLES":5' || fail "the core's sizes"
run 0 link port
tells "5 samples, 77 weight words"
tells "20000 words there and back, 0 wrong"
run 0 board net.lua --help
run 0 run --help
tells "usage: tern run"
end TERM
[ $ended -eq 0 ] || fail "tern board, terminated: exit status $ended"
exit $failed
