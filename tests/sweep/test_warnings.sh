#!/bin/sh
# test_warnings.sh TERN MAKE_CLI_DATA JSON_GET CHECK_EVAL : what tern train tells at its end, and that it changes nothing
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -u
. "$(dirname "$0")/../cli/cli_test.sh"
# only CODES...: exactly these warnings of 163, 167, 168, 169 stand in err
only() {
    got=$(sed -n 's/^warning TERN-W0\(16[3789]\).*/\1/p' err | sort -u | tr '\n' ' ')
    [ "$got" = "$*${*:+ }" ] || { fail "warnings '$got', wanted '$*' ($what)"; cat err; }
}
train() { what="$*"; run 0 train "$@"; }

# ---- a good training has none, and tells both ----
train net.lua --data data -o good.tern --presentations 200
only
tells '^checked      20 of the recordings trained on: log-loss 0\.[0-9]* while targets are forced; running freely 20 decisions are right'
run 0 train net.lua --data data -o json.tern --presentations 200 --json
tells '"warnings":\[\]'
is out check.recordings 20
is out check.right 20
same good.tern json.tern "the same training"
# few presentations say nothing
train net.lua --data data -o short.tern --presentations 15 --set rule.eta=1e-7
only
! grep -q '^checked' out || fail "checked after 15 presentations"

# ---- nothing was learnt ----
train net.lua --data data -o x.tern --presentations 100 --set rule.eta=1e-7
only 169
says 'nothing was learnt: log-loss per step was 2\.[0-9]* at first and is 2\.'
run 0 train net.lua --data data -o x.tern --presentations 100 --set rule.eta=1e-7 --json
tells '"warnings":\[{"code":169,"about":"rule.eta","text":"nothing was learnt'

# ---- labels that have nothing to do with the recordings: the memory of the clamped past alone lowers the log-loss ----
awk -F, 'NR == 1 { print; next } { print $1 "," (NR * 7 + int(NR / 3)) % 3 }' data/labels.csv >data/wrong.csv
train net.lua --data data/wrong.csv -o x.tern --presentations 200 --set rule.eta=2e-2
only 163
says 'log-loss flatters this network: 0\.[0-9]* per step while training and 0\.[0-9]* afterwards.*running freely it decides [0-9] of 20'
says "remove the memory of 'out'"
# without the memory log-loss does not flatter
sed 's/name = "out", size = 3, memory = f/name = "out", size = 3/; s/from = {pixels, out}, to = hid/from = pixels, to = hid/' net.lua >plain.lua
train plain.lua --data data -o x.tern --presentations 200
only
train plain.lua --data data/wrong.csv -o x.tern --presentations 400 --set rule.eta=1
only 167 168
says 'the training diverged: log-loss per step was [0-9.]* at first and is [0-9.]* in the last eighth (knowing nothing: 1\.91)'
says 'potential: [0-9.]* % of the potentials were limited'
says 'formats.weight: [0-9.]* % of the weights are at the ends'

# ---- learning signals that their format cannot hold ----
train net.lua --data data -o x.tern --presentations 100 --set rule.kind=iw --set rule.eta=3 --set formats.signal=12
says 'W0168: formats.signal: [0-9.]* % of the learning signals were limited'

# ---- nothing depends on it: interrupted trainings, other engines, validation ----
run 0 train net.lua --data data -o a.tern --presentations 60
run 0 train net.lua --data data -o b.tern --presentations 30
run 0 train net.lua --data data -o b.tern --presentations 60 --resume
same a.tern b.tern "gone on with"
for engine in golden both; do
    run 0 train net.lua --data data -o c.tern --presentations 60 --engine $engine --json
    is out check.recordings 6
    same a.tern c.tern "engine $engine"
done
train net.lua --data data -o r.tern --presentations 100 --engine reference --set rule.eta=1e-7
only 169
train net.lua --data data -o v.tern --presentations 60 --validation 0.25
only
! grep -q '^checked' out || fail "checked beside a validation"
run 0 train -q net.lua --data data -o x.tern --presentations 100 --set rule.eta=1e-7
says 'W0169'
exit $failed
