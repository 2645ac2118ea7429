#!/bin/sh
# micro_rom.sh TERN_MICRO_ROM ROOT : rtl/small/tern_micro_rom.v and tern_micro_rules.v are what compiler/micro makes of the programs
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -u
tool=$1 root=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for name in rom rules; do
    "$tool" $name >"$work/rom.v" 2>"$work/said" || { echo "FAILED: the program has a mistake"; cat "$work/said"; exit 1; }
    made=rtl/small/tern_micro_$name.v
    cmp "$work/rom.v" "$root/$made" || { echo "FAILED: $made is of another program: build the target micro_rom"; exit 1; }
    # an instruction that differs would be seen
    sed '0,/mem\[7\] = 20.h/s//mem[7] = 20'"'"'h1/' "$work/rom.v" | cmp -s - "$work/rom.v" && { echo "FAILED: the comparison sees nothing"; exit 1; }
    cat "$work/said"
done
