#!/bin/sh
# board_rtl.sh : networks on the whole board as Verilator simulates it, pins and all: the same images and decisions as here
# SPDX-License-Identifier: Apache-2.0
#
#     board_rtl.sh TERN MAKE_CLI_DATA JSON_GET CHECK_EVAL ODD_BOARD SOURCE BOARDS
# BOARDS is a cache that stays: boards of unchanged sources are not built again.
# shellcheck disable=SC1091,SC2154
export LC_ALL=C
set -u
command -v verilator >/dev/null || { echo "SKIP: needs verilator"; exit 77; }
source=$6 cache=$7
. "${0%/*}/board_test.sh"
mkdir -p "$cache" || exit 1

# one core for all of it: digits2, and what the two others need more
core="$source/models/digits2/digits2.lua --capacity NEURONS=7 --capacity PAIRS=35 --capacity ERRORS=245 --capacity LAGS_W=7 --capacity HIST_W=17 --capacity DITHER_MIN=13 --cache $cache"
# shellcheck disable=SC2086
board port $core || exit 1
run 0 link port --words 200 --json
is out wrong 0
"$get" out core | grep -q '"DITHER_MIN":13' || fail "the core's sizes"

# tiny learns four recordings; trained, it measures the same
mv data other
run 0 data digits data --classes 0 --count 4
tiny="$source/models/tiny/tiny.lua --set data.sensor={128,128} --set data.crop={60,60,2,2}"
# shellcheck disable=SC2086
alike "tiny" $tiny --presentations 4
alike_eval "tiny" here.tern --samples 6
# a network with a label population, histories that continue; other lanes and samples than tiny
rm -rf data && mv other data
alike "net" net.lua --presentations 3 --set data.clear=false
alike_eval "net" here.tern --samples 1

# a board does nothing while nobody asks: no processor time for a second
ticks() { awk '{ print $14 + $15 }' /proc/$board/stat; }
if [ -r /proc/$board/stat ]; then
    sleep 1
    for try in $(seq 60); do # on a busy machine it may not be done with the last answer yet
        before=$(ticks)
        sleep 1
        used=$(($(ticks) - before))
        [ "$used" -gt 5 ] || break
    done
    [ "$used" -le 5 ] || fail "an idle board takes $used ticks of a second, for $try seconds"
fi

# digits2, five recordings of 20 steps; power fails after the second, and another board continues from what was saved
rm -rf data
run 0 data digits data --classes 0,1 --count 3 --seed 1
digits="$source/models/digits2/digits2.lua --set data.steps=20 --data data --presentations 5"
rm -f out.tern out.jsonl
# shellcheck disable=SC2086
"$tern" run $digits --device port -o out.tern --log out.jsonl --checkpoint 1 >out 2>err </dev/null &
pid=$!
wait_for out.jsonl '"presentation":2,'
end KILL
wait $pid
got=$?
[ $got -eq 1 ] || { fail "digits2, the board is gone: exit status $got"; cat err; }
says "TERN-E0806"
says "up to presentation [1-4]"
# shellcheck disable=SC2086
board port $core || exit 1
# shellcheck disable=SC2086
"$tern" run $digits --device port -o out.tern --log out.jsonl --resume >out 2>err </dev/null || { fail "digits2, resumed"; cat err; }
end
# shellcheck disable=SC2086
run 0 train $digits -o whole.tern --log whole.jsonl
same out.tern whole.tern "digits2"
same out.jsonl whole.jsonl "log of digits2"
exit $failed
