#!/bin/sh
# small_rtl.sh : a board with the small core as Verilator simulates it: training, saving, continuing and measuring come out as here
# SPDX-License-Identifier: Apache-2.0
#
#     small_rtl.sh TERN MAKE_CLI_DATA JSON_GET CHECK_EVAL ODD_BOARD SOURCE BOARDS [SHARE]
# SHARE: a tree with other Verilog, for planted mistakes.
# shellcheck disable=SC1091,SC2154
export LC_ALL=C
set -u
command -v verilator >/dev/null || { echo "SKIP: needs verilator"; exit 77; }
source=$6 cache=$7
TERN_SHARE=${8-$source}
export TERN_SHARE
. "${0%/*}/board_test.sh"
mkdir -p "$cache" || exit 1

echo "tern.formats{ lags = 6 }" >>net.lua # the small core holds 32 coefficients: samples times lags
board port net.lua --core small --lanes 2 --cache "$cache" || exit 1
run 0 link port --words 200 --json
is out wrong 0
"$get" out core | grep -q '"SMALL":3' || fail "the link does not tell that the core is small"
alike "net" net.lua --presentations 3
alike "net, histories that continue, another rate" net.lua --presentations 3 --set data.clear=false --set rule.schedule={divide=2,every=2}
# measured in two batches, the second smaller; of a few recordings, since the line is slow
mv data all && mkdir data && head -n 3 all/labels.csv >data/labels.csv && cp $(cut -d, -f1 data/labels.csv | sed 's,^,all/,') data/
alike_eval "net, measured" here.tern --samples 6
rm -r data && mv all data
# saved after two presentations, and on from there, with the histories
rm -f here.* there.*
on="net.lua --data data --set data.clear=false"
# shellcheck disable=SC2086
{
    run 0 train $on -o here.tern --log here.jsonl --presentations 4
    run 0 run $on -o there.tern --log there.jsonl --presentations 2 --device port --checkpoint 1
    run 0 run net.lua --data data -o other.tern --presentations 1 --device port --seed 5
    run 0 run $on -o there.tern --log there.jsonl --presentations 4 --device port --resume
}
same here.tern there.tern "resumed"
end
[ $ended -eq 0 ] || fail "tern board, interrupted: exit status $ended"
exit $failed
