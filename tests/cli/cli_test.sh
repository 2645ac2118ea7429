#!/bin/sh
# cli_test.sh : what the tests of the command share; to be sourced with TERN MAKE_CLI_DATA JSON_GET CHECK_EVAL as arguments. Leaves the caller in a folder of its own.
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC2034
export LC_ALL=C
tern=$1 make=$2 get=$3 check=$4 # absolute paths
[ -x "$tern" ] && [ -x "$make" ] && [ -x "$get" ] && [ -x "$check" ] && [ "${tern#/}" != "$tern" ] || { echo "usage: $0 /.../tern /.../make_cli_data /.../json_get /.../check_eval"; exit 2; }
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
failed=0
# of a planted mistake (tests label `mutant`) what comes behind the message that is wanted tells nothing more
stop_at=${TERN_STOP_AT:-}
fail() {
    echo "FAILED: $*"
    failed=1
    [ -z "$stop_at" ] || ! echo "FAILED: $*" | grep -qE -e "$stop_at" || exit 1
}
# run STATUS words...: the command with its outputs in out and err
run() {
    status=$1
    shift
    timeout 600 "$tern" "$@" >"$dir/out" 2>"$dir/err" </dev/null
    got=$?
    [ "$got" -eq "$status" ] || { fail "tern $*: exit status $got, wanted $status"; cat "$dir/err"; }
}
says() { grep -q -e "$1" "$dir/err" || { fail "the message lacks '$1':"; cat "$dir/err"; }; }
tells() { grep -q -e "$1" "$dir/out" || { fail "the answer lacks '$1':"; cat "$dir/out"; }; }
same() { cmp "$1" "$2" || fail "$1 and $2 differ: $3"; }
# is FILE KEY WANTED: a member of the last line of FILE
is() { value=$("$get" "$1" "$2"); [ "$value" = "$3" ] || fail "$2 in $1 is '$value', wanted $3"; }
# holds A OP B WHAT: a comparison of two numbers or sums
holds() { awk "BEGIN { exit !(($1) $2 ($3)) }" || fail "$1 $2 $3 does not hold: ${4-}"; }
cd "$dir" || exit 1
"$make" "$dir" 24 || { echo "FAILED: no test data"; exit 1; }
mkdir data && mv ./*.aedat labels.csv data/
# three classes, four hidden neurons; the rule is put in by --set
cat >net.lua <<'LUA'
local f = tern.exponential{ tau = 2, duration = 6 }
local pixels = tern.input{ name = "pixels", size = 37 }
local hid = tern.hidden{ name = "hid", size = 4, memory = f }
local out = tern.visible{ name = "out", size = 3, memory = f }
tern.connect{ from = {pixels, out}, to = hid, filters = f }
tern.connect{ from = {pixels, hid}, to = out, filters = f }
tern.gem{ eta = 5e-3, gamma = 0.8, kappa = 0.5, samples = 5 }
tern.data{ format = "aedat2", crop = {0, 0, 37, 1}, window_ms = 1, steps = 20, input = pixels, label = out }
LUA
