#!/bin/sh
# test_board_small.sh TERN MAKE_CLI_DATA JSON_GET CHECK_EVAL ODD_BOARD TWO_RUNNERS : a board with a small core: the host counts votes, everything comes out as here
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC1091,SC2154
export LC_ALL=C
set -u
. "${0%/*}/board_test.sh"

echo "tern.formats{ lags = 6 }" >>net.lua # the small core holds 32 coefficients: samples times lags
board port net.lua --engine golden --core small --lanes 2 || exit 1
run 0 link port --words 300 --json
is out wrong 0
"$get" out core | grep -q '"SMALL":3' || fail "the link does not tell that the core is small"
"$get" out core | grep -q '"CLASSES":0' || fail "a small core has no classes"
run 0 link port --words 300
tells "small, 2 lanes"
alike "net" net.lua --presentations 12 --seed 5
alike "net, a schedule" net.lua --presentations 9 --set rule.schedule={divide=2,every=4}
alike "net, histories that continue" net.lua --presentations 5 --set data.clear=false
for options in "" "--samples 12" "--samples 9 --decode first"; do
    # shellcheck disable=SC2086
    alike_eval "eval $options" here.tern $options
done
# what a small core cannot do is reported before anything is loaded
run 1 run net.lua --set rule.kind=mb --data data -o refused.tern --device port --presentations 2
says "TERN-E0501.*rules other than GEM"
says "TERN-E0805"
end
run 1 board net.lua --engine golden --core small --lanes 16
says "TERN-E0504.*bits of a weight word"
run 1 board net.lua --engine golden --core small --lanes 2 --capacity SMALL=1
says "TERN-E0812.*--core"
run 1 board net.lua --engine golden --core small --lanes 2 --capacity SAMPLES=64
says "TERN-E0541.*samples: found 64, allowed are 1 to 32"
run 2 board net.lua --engine golden --core golden
exit $failed
