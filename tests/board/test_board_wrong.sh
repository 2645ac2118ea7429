#!/bin/sh
# test_board_wrong.sh TERN MAKE_CLI_DATA JSON_GET CHECK_EVAL ODD_BOARD : wrong ports, wrong boards, wrong options
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC1091,SC2154
export LC_ALL=C
set -u
. "${0%/*}/board_test.sh"
run 0 compile net.lua -o .
device="--data data --device"

# usage
run 2 run
run 2 run net.tern --data data
says "TERN-E0110.*--device PORT is missing"
run 2 run net.tern $device none --engine golden
says "TERN-E0110.*--engine"
run 2 train net.lua --data data -o out.tern --engine device
says "TERN-E0110.*--device PORT is missing"
run 2 eval net.lua $device none
says "TERN-E0110.*--device has no effect"
run 2 eval net.lua --data data --baud 115200
says "TERN-E0110.*--baud"
run 2 run net.tern $device none --baud 5
says "TERN-E0103"
run 2 run net.tern $device none --samples 999
run 2 board
run 2 board net.lua --lanes 3
run 2 board net.lua --engine fpga
run 2 board net.lua --netlist gw2a-18
says "TERN-E0103.*--netlist"
run 2 board net.lua --engine golden --netlist up5k
says "TERN-E0110.*--netlist has no effect"
run 2 link a b

# ports
for verb in "run net.tern $device" "run net.lua -o out.tern $device" link; do
    # shellcheck disable=SC2086
    {
        run 1 $verb none
        says "TERN-E0801.*there is no such port"
        run 1 $verb ./net.lua
        says "TERN-E0801.*a file, no port"
        run 1 $verb data
        says "TERN-E0801.*a folder, no port"
        run 1 $verb /dev/null
        says "TERN-E0801"
    }
done
[ -e out.tern ] && fail "an image without a board"

# what answers, or does not
odd_board silent odd
run 1 link odd
says "TERN-E0802.*does not answer"
end KILL
odd_board loop odd
run 1 link odd
says "TERN-E0803.*rx and tx are joined"
end KILL
odd_board foreign odd
run 1 link odd
says "TERN-E0804.*not a Tern core"
run 1 run net.tern $device odd
says "found: ID 0x00000000"
end KILL
odd_board version odd
run 1 run net.tern $device odd
says "TERN-E0804.*another version of the protocol"
end KILL

# a board that is too small: every number, and nothing is written
board port net.lua --engine golden
sed 's/size = 4/size = 9/; s/samples = 5/samples = 6/; s/duration = 6/duration = 9/' net.lua >large.lua
run 1 run large.lua $device port -o out.tern
says "TERN-E0501.*samples: the network needs 6, the core has 5"
says "TERN-E0501.*neurons: the network needs 12, the core has 7"
says "TERN-E0501.*filter taps D: the network needs 9, the core has 6"
says "TERN-E0805.*does not fit the core of this board (4 lanes, 7 neurons, 5 samples, 77 weight words)"
[ -e out.tern ] && fail "an image of a network that does not fit"
run 1 run net.lua $device port -o out.tern --set rule.kind=iw
says "TERN-E0501.*rules other than GEM"
run 1 run net.lua $device port -o out.tern --set rule.kind=mb --set rule.baseline=synapse
says "TERN-E0502"
# the C model runs one network, and says so
run 1 run net.lua $device port -o out.tern --set rule.gamma=0.5
wait_for port.err "TERN-E0813" && wait $board
grep -q "TERN-E0813.*another network than 'net'" port.err || { fail "another network"; cat port.err; }

# usage errors name the verb that was typed
run 2 run net.lua $device port --bogus
says "^tern run: error TERN-E0101"
run 2 run net.lua $device port -o out.tern --bogus
says "^tern run: error TERN-E0101"

# boards that cannot be
for c in KERNELS=2 PREP=40 WAYS=17 HIST_W=65; do # all others: synth.core_check
    run 1 board net.lua --engine golden --capacity $c
    says "TERN-E0541.*allowed are"
done
run 1 board none.lua --engine golden
run 1 board net.lua --engine golden --capacity SAMPLES
says "TERN-E0812.*no '='"
run 1 board net.lua --engine golden --capacity SAMPLES=x
says "TERN-E0812.*not a decimal number"
run 1 board net.lua --engine golden --capacity SAMPLES=99999999999999999999999
says "TERN-E0812"
run 1 board net.lua --engine golden --capacity NEURONS=0x10
says "TERN-E0812.*not a decimal number"
run 1 board net.lua --engine golden --capacity NEURONS=9 --capacity PAIRS=60 --capacity NEURONS=10
says "TERN-E0812.*NEURONS=10.*given twice"
run 1 board net.lua --engine golden --capacity SAMPLE=8
says "TERN-E0812.*no such parameter"
run 1 board net.lua --engine golden --capacity SAMPLES=4
says "TERN-E0812.*needs at least 5"
run 1 board net.lua --engine golden --capacity LANES=8
says "TERN-E0812.*--lanes"
run 2 board net.lua --engine golden --link net.lua
says "TERN-E0110.*--link would overwrite the network"
echo kept >kept
run 1 board net.lua --engine golden --link kept
says "TERN-E0811.*cannot be created"
[ "$(cat kept)" = kept ] || fail "--link has replaced a file"
[ -s net.lua ] || fail "--link has replaced a file"
run 1 board net.lua --engine golden --link none/port
says "TERN-E0811"
exit $failed
