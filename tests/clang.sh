#!/bin/sh
# clang.sh COMPILER WORDS... : compiles with clang++ what COMPILER, which is g++, would compile
# SPDX-License-Identifier: Apache-2.0
#
# For simulated cores: at -O0 clang++ takes a third of the time of g++, and its code is a quarter faster at -O1. Without
# clang++, or where it fails, COMPILER compiles; so it does with precompiled headers, which only the compiler that made
# them can read.
export LC_ALL=C
set -u
compiler=$1
shift
case "${compiler##*/} $*" in
*__pch.h* | *c++-header*) exec "$compiler" "$@" ;;
'g++ '* | 'c++ '*) command -v clang++ >/dev/null || exec "$compiler" "$@" ;;
*) exec "$compiler" "$@" ;;
esac
unique=
for word; do # clang makes no unique symbols, and does not know the option
    shift
    if [ "$word" = -fno-gnu-unique ]; then unique=$word; else set -- "$@" "$word"; fi
done
clang++ -Wno-unknown-warning-option "$@"
status=$?
[ $status -eq 1 ] || exit $status # done, or interrupted
echo "clang.sh: clang++ does not compile this: once more with $compiler" >&2
exec "$compiler" "$@" $unique
