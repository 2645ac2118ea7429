#!/bin/sh
# experiment_test.sh : what the tests of `tern experiment` share; to be sourced after cli_test.sh.
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
export LC_ALL=C
command -v gnuplot >/dev/null || { echo "skipped: gnuplot is not there to draw the report"; exit 77; }
# The smallest experiment that has everything: three classes, eight recordings each, 20 steps.
small="--model net.lua --hidden 4 --data data --test data --train-recordings 4 --test-recordings 3 --samples 1,2 --presentations 0,3,6 --seeds 3"
# column NAME: of results.csv, number of the column
column() { head -1 "$1/results.csv" | tr ',' '\n' | grep -nx "$2" | cut -d: -f1; }
# one_line FOLDER: results.json as one line, for json_get
one_line() { tr -d '\n' <"$1/results.json"; echo; }
