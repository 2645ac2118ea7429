#!/bin/sh
# board_test.sh : what the tests of boards share, on top of those of the command; to be sourced with TERN MAKE_CLI_DATA JSON_GET CHECK_EVAL ODD_BOARD as arguments.
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC2034,SC1091
export LC_ALL=C
odd=$5
. "${0%/*}/../cli/cli_test.sh"
boards=
trap 'exit 1' HUP INT TERM
trap 'for b in $boards; do kill "$b" 2>/dev/null; done; rm -rf "$dir"' EXIT
# wait_for FILE TEXT: until it says so, at most ten minutes
wait_for() {
    tries=0
    while ! grep -q -e "$2" "$1" 2>/dev/null; do
        [ $tries -lt 12000 ] || { fail "no '$2' in $1: $(cat "$1" 2>/dev/null)"; return 1; }
        sleep 0.05
        tries=$((tries + 1))
    done
}
# board LINK words...: `tern board words` in the background; $board is its process
board() {
    link=$1
    shift
    rm -f "$link.out"
    "$tern" board "$@" --link "$link" >"$link.out" 2>"$link.err" </dev/null &
    board=$!
    boards="$boards $board"
    tries=0
    while [ ! -s "$link.out" ] && kill -0 $board 2>/dev/null && [ $tries -lt 12000 ]; do sleep 0.05; tries=$((tries + 1)); done
    [ -s "$link.out" ] || { fail "no board: tern board $*"; cat "$link.err"; return 1; }
}
# odd MODE LINK
odd_board() {
    "$odd" "$1" "$2" </dev/null &
    board=$!
    boards="$boards $board"
    tries=0
    while [ ! -e "$2" ] && [ $tries -lt 12000 ]; do sleep 0.05; tries=$((tries + 1)); done
}
# end [SIGNAL]: the last board
end() {
    kill -"${1-INT}" $board # a shell starts these with SIGINT ignored; `tern board` takes it all the same
    wait $board 2>/dev/null
    ended=$?
}
# alike WHAT words...: training with these options gives the same image, log and summary on port `port` as here
alike() {
    what=$1
    shift
    rm -f here.* there.*
    run 0 train "$@" --data data -o here.tern --log here.jsonl --json
    "$get" out seconds >/dev/null || fail "$what: no summary"
    sed 's/"seconds".*//; s/"image":"[^"]*"//; s/"engine":"[^"]*"//' out >here.sum
    run 0 run "$@" --data data -o there.tern --log there.jsonl --json --device port
    is out engine '"device"'
    sed 's/"seconds".*//; s/"image":"[^"]*"//; s/"engine":"[^"]*"//' out >there.sum
    for f in tern jsonl sum; do same here.$f there.$f "$what"; done
}
# alike_eval WHAT words...: likewise measuring here.tern
alike_eval() {
    what=$1
    shift
    rm -f here.lines there.lines
    run 0 eval "$@" --data data --per-recording here.lines --json
    sed 's/"engine":"[^"]*"//; s/"batch":[0-9]*//' out >here.sum
    run 0 run "$@" --data data --per-recording there.lines --json --device port
    is out engine '"device"'
    sed 's/"engine":"[^"]*"//; s/"batch":[0-9]*//' out >there.sum
    for f in lines sum; do same here.$f there.$f "$what"; done
}
