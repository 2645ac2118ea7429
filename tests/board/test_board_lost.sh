#!/bin/sh
# test_board_lost.sh TERN MAKE_CLI_DATA JSON_GET CHECK_EVAL ODD_BOARD : boards that are unplugged, interrupted, taken or reset while they learn; a training continues to the same bits
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC1091,SC2154
export LC_ALL=C
set -u
. "${0%/*}/board_test.sh"

for clear in true false; do
    net="net.lua --data data --seed 9 --set data.clear=$clear"
    # unplugged in the middle: what was saved is reported, and continued on another board
    board port net.lua --engine golden
    rm -f out.tern out.jsonl
    # shellcheck disable=SC2086
    "$tern" run $net --device port -o out.tern --log out.jsonl --presentations 200000 --checkpoint 5 >out 2>err </dev/null &
    pid=$!
    wait_for out.jsonl '"presentation":17,'
    end KILL
    wait $pid
    got=$?
    [ $got -eq 1 ] || { fail "the board is gone: exit status $got"; cat err; }
    says "TERN-E0806"
    says "the line is gone"
    saved=$(sed -n 's/.*holds the training up to presentation \([0-9]*\)\..*/\1/p' err)
    [ "${saved:-0}" -ge 15 ] && [ $((saved % 5)) -eq 0 ] || fail "saved up to '$saved'"
    says "tern'* train .*--device.* --resume"
    total=$((${saved:-15} + 8))
    board port net.lua --engine golden
    # shellcheck disable=SC2086
    run 0 run $net --device port -o out.tern --log out.jsonl --presentations $total --resume
    # shellcheck disable=SC2086
    run 0 train $net -o whole.tern --log whole.jsonl --presentations $total
    same out.tern whole.tern "resumed on another board, clear=$clear"
    same out.jsonl whole.jsonl "log, resumed on another board, clear=$clear"

    # interrupted: saved, gone on with here and then on the board again
    rm -f out.tern out.jsonl
    # shellcheck disable=SC2086
    "$tern" run $net --device port -o out.tern --log out.jsonl --presentations 200000 >out 2>err </dev/null &
    pid=$!
    wait_for out.jsonl '"presentation":3,'
    kill -INT $pid
    wait $pid
    got=$?
    [ $got -eq 1 ] || { fail "interrupted: exit status $got"; cat err; }
    says "interrupted after presentation"
    done=$(sed -n 's/.*interrupted after presentation \([0-9]*\) of.*/\1/p' err)
    # shellcheck disable=SC2086
    run 0 train $net -o out.tern --log out.jsonl --presentations $((done + 4)) --resume
    # shellcheck disable=SC2086
    run 0 run $net --device port -o out.tern --log out.jsonl --presentations $((done + 9)) --resume
    # shellcheck disable=SC2086
    run 0 train $net -o whole.tern --log whole.jsonl --presentations $((done + 9))
    same out.tern whole.tern "board, here, board, clear=$clear"
    same out.jsonl whole.jsonl "log: board, here, board, clear=$clear"
    end
done

# unplugged before anything was saved
board port net.lua --engine golden
rm -f out.jsonl
"$tern" run net.lua --data data --device port -o none.tern --log out.jsonl --presentations 200000 >out 2>err </dev/null &
pid=$!
wait_for out.jsonl '"presentation":2,'
end KILL
wait $pid
says "nothing was saved; --checkpoint N"
[ -e none.tern ] && fail "an image of a board that was lost"

# measuring: no result
board port net.lua --engine golden
rm -f lines
"$tern" run whole.tern --data data --device port --samples 256 --per-recording /dev/fd/3 --json \
    3>lines >out 2>err </dev/null &
pid=$!
wait_for lines '"recording":1,'
end KILL
wait $pid
got=$?
[ $got -eq 1 ] || fail "measuring, the board is gone: exit status $got"
says "TERN-E0806"
[ -s out ] && fail "a result of a board that was lost: $(cat out)"

# another host opens a session: the first one learns it, and has no image
odd_board taken odd
run 1 run net.lua --data data --device odd -o none.tern
says "odd: error TERN-E0815.*another host has opened a session"
says "nothing was saved"
[ -e none.tern ] && fail "an image of a board that was taken"
end KILL

# a second program at the same port is refused, and the first does not notice
board port net.lua --engine golden
rm -f out.tern out.jsonl
"$tern" run net.lua --data data --device port -o out.tern --log out.jsonl --presentations 200 --seed 9 >out.1 2>err.1 </dev/null &
pid=$!
wait_for out.jsonl '"presentation":3,'
for verb in "link" "run whole.tern --data data --device" "run net.lua --data data -o none.tern --device"; do
    # shellcheck disable=SC2086
    run 1 $verb port
    says "port: error TERN-E0801.*another program uses"
    says "wait until it ends"
    kill -0 $pid 2>/dev/null || fail "too late: the first program has ended"
done
wait $pid || { fail "the first program"; cat err.1; }
run 0 train net.lua --data data -o whole.tern --log whole.jsonl --presentations 200 --seed 9
same out.tern whole.tern "while another program wanted the port"
end

# a core that was reset behind the link's back
odd_board reset odd
run 1 run net.lua --data data --device odd -o none.tern
says "TERN-E0807.*the core is at step"
end KILL
exit $failed
