#!/bin/sh
# Verilates one design and joins what comes out into a single C++ file, which compiles several times faster than its parts.
# What runs once for each model (*__Slow.cpp) comes last and is not optimised.
#     sh verilate.sh VERILATOR NAME WRAPPER.cpp TOP VERILATOR-ARGUMENTS...
# Makes NAME/ and NAME.cpp in the current folder. Exit status: Verilator's.
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -eu
[ $# -ge 5 ] || { echo "usage: verilate.sh VERILATOR NAME WRAPPER.cpp TOP ARGUMENTS..." >&2; exit 2; }
verilator=$1 name=$2 wrapper=$3 top=$4
shift 4
rm -rf "$name"
"$verilator" --cc --prefix "V$name" --top-module "$top" --Mdir "$name" "$@"
{
    printf '#define TERN_DUT_CLASS V%s\n#define TERN_DUT_HEADER "%s/V%s.h"\n#define TERN_DUT_SYMBOL tern_dut_%s\n' "$name" "$name" "$name" "$name"
    for f in "$name"/*.cpp; do
        case $f in *__Slow.cpp) ;; *) printf '#include "%s"\n' "$f" ;; esac
    done
    printf '#include "%s"\n' "$wrapper"
    printf '#ifdef __clang__\n#pragma clang optimize off\n#else\n#pragma GCC optimize("O0")\n#endif\n'
    for f in "$name"/*__Slow.cpp; do printf '#include "%s"\n' "$f"; done
} >"$name.cpp.part"
mv "$name.cpp.part" "$name.cpp"
