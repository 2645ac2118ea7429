#!/bin/sh
# clang.sh KEPT COMPILER WORDS... : compiles with clang++ what COMPILER, which is g++, would compile
# SPDX-License-Identifier: Apache-2.0
#
# For simulated cores: at -O0 clang++ takes a third of the time of g++, and its code is a quarter faster at -O1. Half of
# that time goes into Verilator's main header, which is therefore compiled once for each set of options and stays in the
# folder KEPT; what it is made from and with is in its name. Without clang++, or where it fails, COMPILER compiles; so it
# does with precompiled headers of Verilator's makefile, which only the compiler that made them can read.
export LC_ALL=C
set -u
kept=$1 compiler=$2
shift 2
case "${compiler##*/} $*" in
*__pch.h* | *c++-header*) exec "$compiler" "$@" ;;
'g++ '* | 'c++ '*) command -v clang++ >/dev/null || exec "$compiler" "$@" ;;
*) exec "$compiler" "$@" ;;
esac
unique='' flags=-Wno-unknown-warning-option folder='' source=
for word; do # clang makes no unique symbols, and does not know the option
    shift
    case $word in
    -fno-gnu-unique)
        unique=$word
        continue
        ;;
    -I*) [ ! -f "${word#-I}/verilated.h" ] || folder=${word#-I} ;;
    -[DOfgmsW]*) flags="$flags $word" ;;
    /*) [ ! -f "$word/verilated.h" ] || folder=$word ;; # behind -isystem
    esac
    set -- "$@" "$word"
    source=$word # the last one
done
header=
case ${source##*/} in
verilated*.cpp) ;;
*)
    if [ -n "$folder" ] && mkdir -p "$kept"; then
        header=$kept/$({ clang++ --version; echo "$flags"; cat "$folder"/verilated*.h; } | sha256sum | cut -c 1-32).pch
        # whole or not at all, also when two are made at the same time
        # shellcheck disable=SC2086 # words, none of which has blanks
        [ -s "$header" ] || ! clang++ $flags -x c++-header "$folder/verilated.h" -o "$header.$$" ||
            mv "$header.$$" "$header"
        [ -s "$header" ] || header=
    fi
    ;;
esac
clang++ -Wno-unknown-warning-option ${header:+-include-pch "$header"} "$@"
status=$?
[ $status -eq 1 ] || exit $status # done, or interrupted
echo "clang.sh: clang++ does not compile this: once more with $compiler" >&2
exec "$compiler" "$@" $unique
