#!/bin/sh
# quick_object.sh KEPT LEVEL COMPILER WORDS... : compiles one file of a core that `tern cosim` or `tern board` builds
# SPDX-License-Identifier: Apache-2.0
#
# Verilator's makefile puts $OBJCACHE before the compiler; a test sets it to `sh quick_object.sh KEPT LEVEL`. Most tests
# simulate a core for less time than it takes to compile: LEVEL (-O0) replaces the level of optimisation. Verilator's
# run-time code is the same in every core: its objects stay in the folder KEPT. What the words are compiled from and
# with is part of their names. tests/clang.sh compiles.
export LC_ALL=C
set -u
kept=$1 level=$2 compiler=$3
shift 3
for word; do
    shift
    case $word in -O[0-3s]) word=$level ;; esac
    set -- "$@" "$word"
    source=$word # the last one
done
compile() { sh "${0%/*}/clang.sh" "$kept" "$compiler" "$@"; }
case ${source##*/} in
verilated*.cpp) ;;
*)
    compile "$@"
    exit
    ;;
esac
object=$(basename "$source" .cpp).o
key=$({ compile --version; printf '%s\n' "$@"; cat "${source%/*}"/verilated*; } | sha256sum | cut -c 1-32)
mkdir -p "$kept" || exit
if [ ! -s "$kept/$key.o" ]; then
    compile "$@" || exit
    # whole or not at all, also when two tests make it at the same time
    cp "$object" "$kept/$key.$$" && mv "$kept/$key.$$" "$kept/$key.o" || exit
fi
cp "$kept/$key.o" "$object"
