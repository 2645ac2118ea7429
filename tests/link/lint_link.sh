#!/bin/sh
# The link's Verilog in three tools, for several parameters (illegal ones: tests/rtl/parameters.sh); its size on iCE40.
#     sh lint_link.sh verilator|iverilog|yosys|size ROOT TOOL
# Exit status 0: clean; 1: not, every place is listed; 2: wrong usage; 77: the tool is missing.
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -eu
[ $# -eq 3 ] || { echo "usage: lint_link.sh verilator|iverilog|yosys|size ROOT TOOL" >&2; exit 2; }
rule=$1 root=$2 tool=$3
cd "$root"
command -v "$tool" >/dev/null 2>&1 || { echo "SKIP: needs $tool"; exit 77; }
link=$(grep -v tern_board rtl/tern_link.f)
# the board has the files of both cores too, each once
board=$(cat rtl/tern_core.f rtl/tern_small.f rtl/tern_link.f | awk '!there[$0]++')
unset TMPDIR # may have blanks, which Yosys does not take
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# module and parameters that must be clean
sets() {
    cat <<'TXT'
tern_link
tern_link BAUD=3000000
tern_link BAUD=3000000 CLK_HZ=16000000 BUFFER_AW=12
tern_link CLK_HZ=100000000 BAUD=300
tern_board
tern_board BAUD=3000000 BUFFER_AW=10 LANES=8 SAMPLES=2 SIGNALS=1 BASELINES=20 WTA=10 CLASSES=10
tern_board LANES=2 SAMPLES=5 HIST_W=13 TAPS_D=9 LAGS_W=4 X_W=13 KERNEL_W=24 DELTA_W=30 DITHER_MAX=29 SMALL=2
TXT
}
prefixed() { # PREFIX NAME=VALUE...
    before=$1
    shift
    for p in "$@"; do printf '%s%s ' "$before" "$p"; done
}
run() { # MODULE NAME=VALUE...: 0 if accepted; what was said is in $work/log
    top=$1
    shift
    case $top in tern_board) files=$board ;; *) files=$link ;; esac
    case $rule in
    # shellcheck disable=SC2046,SC2086 # lists of words
    verilator) "$tool" --lint-only -Wall --top-module "$top" $(prefixed -G "$@") $files >"$work/all" 2>&1 && r=0 || r=1
        grep -v '^- V' "$work/all" >"$work/log" || true ;; # newer versions end with a report of their run time
    # shellcheck disable=SC2046,SC2086
    iverilog) "$tool" -g2005 -Wall -t null -s "$top" $(prefixed "-P$top." "$@") $files >"$work/log" 2>&1 && r=0 || r=1 ;;
    yosys)
        {
            printf 'read_verilog %s\n' "$(echo $files)"
            [ $# -eq 0 ] || { printf 'chparam'; for p in "$@"; do printf ' -set %s %s' "${p%%=*}" "${p#*=}"; done; printf ' %s\n' "$top"; }
            printf 'hierarchy -check -top %s\nproc\ncheck -assert\n' "$top"
        } >"$work/script"
        "$tool" -q -s "$work/script" >"$work/log" 2>&1 && r=0 || r=1 ;;
    esac
    return $r
}

found=$(
    case $rule in
    verilator|iverilog|yosys)
        # shellcheck disable=SC2086
        sets | while read -r set; do run $set && [ ! -s "$work/log" ] || { echo "$rule, $set:"; head -n 20 "$work/log"; }; done ;;
    size) # look-up tables and block RAMs of tern_link alone; and nothing but the two buffers is a memory
        for baud in 3000000 115200; do
            "$tool" -q -p "read_verilog $(echo $link); chparam -set BAUD $baud tern_link; synth_ice40 -top tern_link; tee -o $work/stat stat" >"$work/log" 2>&1 || { head -n 5 "$work/log"; continue; }
            luts=$(awk '$1 == "SB_LUT4" { n = $2 } END { print n + 0 }' "$work/stat")
            rams=$(awk '$1 ~ /^SB_RAM/ { n += $2 } END { print n + 0 }' "$work/stat")
            echo "tern_link, $baud bits per second: $luts LUT4, $rams block RAMs" >&2
            [ "$luts" -gt 0 ] && [ "$luts" -le 550 ] || echo "$luts LUT4 at $baud bits per second, at most 550 are planned for"
            [ "$rams" -eq 2 ] || echo "$rams block RAMs, 2 are planned for"
        done ;;
    *) echo "lint_link.sh: unknown rule '$rule'" ;;
    esac
)
if [ -n "$found" ]; then
    printf 'lint.link_%s:\n%s\n' "$rule" "$found"
    exit 1
fi
