#!/bin/sh
# tern train on several ranks that differ, or that are too many; verbs that are not divided. Nothing is written.
#     sh test_refused.sh TERN MAKE_CLI_DATA JSON_GET CHECK_EVAL CLI_TEST MPIRUN RANKS_OTHER
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -u
helper=$5 mpirun=$6 other=$7
here=$(dirname "$0")
# shellcheck source=tests/cli/cli_test.sh
. "$helper"
# shellcheck source=tests/ranks/ranks_test.sh
. "$here/ranks_test.sh"

sed 's/"hid", size = 4/"hid", size = 4, wta = 2/; s/"out", size = 3/"out", size = 3, wta = 3/' net.lua >wta.lua
run 0 train net.lua --data data --presentations 1 -o one.tern

# ---- what is refused; nothing is written ----
nothing() { [ ! -e no.tern ] || { fail "an image was written: $*"; rm -f no.tern*; }; }
ranks 8 fails train net.lua --data data -o no.tern
says 'TERN-E0173: 8 ranks, but the network can be divided among 7 at most'
[ "$(grep -c E0173 "$dir/err")" -eq 1 ] || fail "it is said more than once"
ranks 4 fails train wta.lua --data data -o no.tern
says 'TERN-E0173: 4 ranks, but the network can be divided among 3 at most'
ranks 2 fails train net.lua --data data -o no.tern --engine golden
says 'TERN-E0110: --engine golden is not divided among ranks: only fast is'
ranks 2 fails train net.lua --data nowhere -o no.tern
[ "$(grep -c 'error TERN-E' "$dir/err")" -eq 1 ] || fail "a missing recording is not said once"
ranks 2 fails train net.lua --data data -o no.tern --presentations no
says 'TERN-E0103: --presentations'
ranks 2 fails eval one.tern --data data
says 'TERN-E0172: started as one of several processes'
nothing refused

# ranks that differ: MPMD, each with its own words
differ() { # CODE-AND-TEXT words of rank 1...
    wanted=$1
    shift
    timeout 600 "$mpirun" -n 1 "$tern" train net.lua --data data --seed 5 -o no.tern : -n 1 "$@" \
        >out 2>err </dev/null && fail "$wanted: exit status 0"
    says "$wanted"
    nothing "$wanted"
}
mkdir fewer && cp data/* fewer/ && rm "$(find fewer -name '*.aedat' | sort | tail -1)"
sed -i "\|$(cd fewer && ls ../data | grep aedat | sort | tail -1)|d" fewer/labels.csv
sed 's/size = 4/size = 5/' net.lua >larger.lua
differ 'TERN-E0174: ranks have different recordings: rank 1 differs from rank 0' "$tern" train net.lua --data fewer --seed 5 -o no.tern
differ 'TERN-E0174: ranks have different networks' "$tern" train larger.lua --data data --seed 5 -o no.tern
differ 'TERN-E0174: ranks have different settings' "$tern" train net.lua --data data --seed 6 -o no.tern
# what decides who waits for whom; the patience is for a tern that does not compare it
export TERN_RANKS_PATIENCE=20
differ 'TERN-E0174: ranks have different options: rank 1 differs' "$tern" train net.lua --data data --seed 5 -o no.tern --resume
differ 'TERN-E0174: ranks have different options: rank 1 differs' "$tern" train --help
differ 'TERN-E0174: ranks have different verbs: rank 1 differs' "$tern" experiment digits2 -o no
unset TERN_RANKS_PATIENCE
differ 'TERN-E0174: ranks have different versions' "$other" version
differ '\[rank 1\].*error TERN-E' "$tern" train net.lua --data nowhere --seed 5 -o no.tern
says 'TERN-E0179: rank 1 of 2 has failed'
differ '\[rank 1\].*error TERN-E0103' "$tern" train net.lua --data data --seed x -o no.tern
TERN_RANKS=both ranks 2 fails train net.lua --data data -o no.tern
says "TERN-E0177: TERN_RANKS: 'both' is not known"
TERN_RANKS=alone ranks 2 0 data info data
[ "$(grep -c recordings out)" -ge 2 ] || fail "TERN_RANKS=alone: not two programs"
exit $failed
