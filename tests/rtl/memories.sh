#!/bin/sh
# Every memory of the core becomes block RAM, none becomes flip-flops.
#     sh memories.sh YOSYS ROOT TARGET [NAME=VALUE...]      TARGET: ice40 or ecp5; parameters of tern_core
# Takes the shapes from the core itself: it is elaborated, all modules but tern_ram are dropped, and Yosys' own memory mapping of the target runs on what
# is left (the steps of synth_ice40, synth_ecp5). Memories of a few words may go elsewhere: up to 256 bits into flip-flops on the iCE40, which has nothing
# else, and up to 2048 bits into distributed RAM on the ECP5.
# Exit status 0: so it is; 1: not; 2: wrong usage or Yosys failed; 77: no Yosys.
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -eu
[ $# -ge 3 ] || { echo "usage: memories.sh YOSYS ROOT TARGET [NAME=VALUE...]" >&2; exit 2; }
yosys=$1 root=$2 target=$3
shift 3
command -v "$yosys" >/dev/null 2>&1 || { echo "SKIP: needs $yosys"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Yosys gets relative names without blanks, wherever the folders lie
rtl=$(cd "$root/rtl" && pwd)
cd "$work"
ln -s "$rtl" rtl
case $target in
ice40) libs='-lib +/ice40/brams.txt -lib +/ice40/spram.txt -no-auto-huge' maps='-map +/ice40/brams_map.v -map +/ice40/spram_map.v' block=SB_RAM40_4K small=256 ;;
ecp5) libs='-lib +/ecp5/lutrams.txt -lib +/ecp5/brams.txt' maps='-map +/ecp5/lutrams_map.v -map +/ecp5/brams_map.v' block='DP16KD|PDPW16KD' small=2048 ;;
*) echo "memories.sh: unknown target $target" >&2; exit 2 ;;
esac
{
    echo "read_verilog $(tr '\n' ' ' <rtl/tern_core.f)"
    if [ $# -gt 0 ]; then
        printf 'chparam'
        for p in "$@"; do printf ' -set %s %s' "${p%%=*}" "${p#*=}"; done
        echo ' tern_core'
    fi
    echo "hierarchy -check -top tern_core
delete *tern_ram* %n
proc
tee -o before stat
opt_expr
opt_clean
opt
memory_dff
memory -nomap
opt_clean
memory_libmap $libs
techmap $maps
tee -o after stat"
} >script
"$yosys" -q -s script -l log || exit 2

# per module: bits before; cells after
awk '
    /^===/ { module = $2; modules[module] }
    FILENAME ~ /before$/ && /memory bits/ { for (i = 1; i <= NF; ++i) if ($i ~ /^[0-9]+$/) bits[module] = $i }
    FILENAME ~ /after$/ { for (i = 1; i <= NF; ++i) if ($i ~ ("^(" block ")$")) blocks[module] += ($1 ~ /^[0-9]+$/ ? $1 : $NF); else if ($i ~ /^\$mem/) left[module] = 1; else if ($i ~ /^TRELLIS_DPR16X4$/) spread[module] = 1 }
    END {
        for (m in modules) {
            if (bits[m] == 0) { print "no memory found in " m; bad = 1; continue }
            ++n
            total += blocks[m]
            how = blocks[m] > 0 ? "block RAM" : spread[m] ? "distributed RAM" : "flip-flops"
            if (blocks[m] > 0 && left[m]) how = "partly flip-flops"
            ++count[how]
            if (how == "block RAM" || (bits[m] <= small && (how == "distributed RAM" || target == "ice40"))) continue
            print "a memory of " bits[m] " bits becomes " how ": " m
            bad = 1
        }
        printf "%s: %d shapes of tern_ram", target, n
        for (how in count) printf ", %d in %s", count[how], how
        printf "; %d block RAMs\n", total
        exit bad || n < 15 || total < 15
    }' block="$block" small="$small" target="$target" "$work/before" "$work/after"
