#!/bin/sh
# models_test.sh : what the tests of models share; to be sourced with TERN MODELS [real] as arguments. Leaves the caller in a folder of its own.
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC2034
export LC_ALL=C
tern=$1 models=$2 kind=${3-}
if [ ! -x "$tern" ] || [ ! -d "$models" ]; then
    echo "usage: $0 /.../tern /.../models [real]"
    exit 2
fi
real=
if [ "$kind" = real ]; then
    real=${TERN_TEST_DATA-}
    if [ -z "$real" ]; then
        if [ -n "${CI-}" ]; then
            echo "FAILED: needs real recordings: TERN_TEST_DATA"
            exit 1
        fi
        echo "SKIP: needs real recordings: TERN_TEST_DATA"
        exit 77
    fi
fi
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1

fail() { echo "FAILED: $*"; exit 1; }
# run WORDS...: the command, its outputs in out and err
run() { timeout 600 "$tern" "$@" >out 2>err </dev/null || { cat err; fail "tern $*"; }; }
# member KEY: of the JSON in out
member() { sed -n "s/.*\"$1\":\([^],}]*\).*/\1/p" out; }
# holds A OP B WHAT: a comparison of two numbers
holds() { awk "BEGIN { exit !(($1) $2 ($3)) }" || fail "$4: $1 $2 $3 does not hold"; }
# accuracy IMAGE DATA: prints the share of right decisions
accuracy() {
    run eval "$1" --data "$2" --samples 20 --json
    member accuracy
}
