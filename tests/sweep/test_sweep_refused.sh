#!/bin/sh
# test_sweep_refused.sh TERN MAKE_CLI_DATA JSON_GET CHECK_EVAL : tern sweep with bad input
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -u
. "$(dirname "$0")/../cli/cli_test.sh"

# ---- wrong usage and bad values: nothing is made ----
bad() { # STATUS TEXT WORDS...
    status=$1 text=$2
    shift 2
    run "$status" sweep "$@" -o bad
    says "$text"
    [ ! -e bad ] || { fail "tern sweep $*: left a folder"; rm -rf bad; }
}
bad 2 'E0164.*2\.\.64' net.lua --data data --set rule.eta=1e-5:1e-2:log0
bad 2 'E0164.*LO must be less' net.lua --data data --set rule.eta=1e-2:1e-5:log3
bad 2 'E0164.*more than 0' net.lua --data data --set rule.eta=0:1:log3
bad 2 'E0164.*logN or linN' net.lua --data data --set rule.eta=1:2:3
bad 2 'E0164.*KEY=VALUES' net.lua --data data --set rule.eta
bad 2 'E0164.*twice' net.lua --data data --set rule.eta=1,1
bad 2 'E0164.*more than 6 keys' net.lua --data data --set a.b=1 --set a.c=1 --set a.d=1 --set a.e=1 \
    --set a.f=1 --set a.g=1 --set a.h=1
bad 2 'E0110.*given already' net.lua --data data --set rule.samples=1,2 --samples 1,4
bad 2 'E0110.*--seeds does it' net.lua --data data --set seed=1,2
bad 2 'E0106.*nothing to sweep' net.lua --data data
bad 2 'E0110.*ascending' net.lua --data data --samples 1,2 --presentations 8,4
bad 2 'E0110.*wants a script' net.tern --data data --samples 1,2
bad 1 'E0224' net.lua --data data --set rule.etta=1e-3,1e-2
bad 1 'E0213' net.lua --data data --set rule.eta=1e-3,1e9
says 'with --set rule.eta=1e9'
bad 1 'E0213' net.lua --data data --samples 1,33
bad 1 'E0165.*12288 trainings\|E0165.*allowed are 10000' net.lua --data data \
    --set rule.eta=1e-5:1e-2:log64 --set rule.kappa=0.1:0.9:lin64 --seeds 3
bad 1 'E0165' net.lua --data data --set rule.eta=1e-5:1e-2:log64 --set rule.kappa=0.1:0.9:lin64 \
    --set rule.gamma=0.1:0.9:lin64 --set hid.size=1:64:lin64 --seeds 1000
run 1 sweep net.lua --data none --samples 1,2 -o nodata
says 'E04[0-9][0-9]'
# one recording: what is measured was learnt, which is reported
mkdir one && cp "$(find data -name '*.aedat' | sort | head -1)" one/
printf 'file,label\n%s,0\n' "$(ls one)" >one/labels.csv
run 0 sweep net.lua --data one --samples 1,2 --seeds 1 --presentations 4 -o o1
says 'W0166'
exit $failed
