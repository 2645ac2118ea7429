#!/bin/sh
# Rules about the Verilog; lint_rtl_self_test.sh shows that each of them can fail.
#     sh lint_rtl.sh RULE ROOT [TOOL [COUNT]]      COUNT: only so many sets of parameters
# RULE: verilator, iverilog, yosys (TOOL: the program), pairs, memories, files. Illegal parameters: parameters.sh.
# Exit status 0: the rule holds; 1: it does not, every place is listed; 2: wrong usage; 77: the tool is missing.
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -eu
[ $# -ge 2 ] || { echo "usage: lint_rtl.sh RULE ROOT [TOOL [COUNT]]" >&2; exit 2; }
rule=$1 root=$2 tool=${3:-} count=${4:-99}
cd "$root"
case $rule in
verilator|iverilog|yosys)
    [ -n "$tool" ] || { echo "lint_rtl.sh: rule $rule needs the tool" >&2; exit 2; }
    command -v "$tool" >/dev/null 2>&1 || { echo "SKIP: needs $tool"; exit 77; } ;;
esac
files=$(cat rtl/tern_core.f rtl/tern_small.f | awk '!there[$0]++')
bridge_files=$(cat rtl/tern_bridge.f)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if [ "$rule" = verilator ]; then # the program that the script of this name starts
    program=$(command -v "$tool")_bin
    printf 'module t; endmodule\n' >"$work/t.v"
    ! "$program" --lint-only "$work/t.v" >"$work/log" 2>&1 || tool=$program
fi

# Sets of parameters of tern_core, tern_small that must be clean, one a line. The first is the defaults.
sets() {
    if [ "$1" = tern_small ]; then
        head -n "$count" <<'TXT'

LANES=1 SMALL=1
LANES=4 WEIGHT_W=8 SMALL=2
LANES=8 WEIGHT_W=4 SAMPLES=32 LAGS_W=1 PAIRS=192 HIST_W=11 ACC_W=48
LANES=1 SAMPLES=1 NEURONS=2 PAIRS=2 ERRORS=2 TAPS_D=1 LAGS_W=1 HIST_W=2 FILTERS=1 ROWS=2 WORDS=1 HIST_WORDS=1 SMALL=1
LANES=2 SAMPLES=8 LAGS_W=8 HIST_W=32 TAPS_D=24 FILTERS=2 KERNEL_W=30 DELTA_W=31 ACC_W=56 DITHER_MIN=1 DITHER_MAX=30 WORDS=32768
TXT
        return
    fi
    head -n "$count" <<'TXT'

LANES=1 SAMPLES=1 WEIGHT_W=4 DITHER_MIN=9 DITHER_MAX=9
LANES=2 WEIGHT_W=11
LANES=8 WEIGHT_W=16 SAMPLES=32 PAIRS=2048 TAPS_D=32 LAGS_W=63 HIST_W=64 KERNEL_W=34 DELTA_W=44 ACC_W=56
LANES=32 WEIGHT_W=8 SAMPLES=4
LANES=16 WEIGHT_W=8 WORDS=22736 ERRORS=6090
LANES=16 WEIGHT_W=4 SAMPLES=1 NEURONS=2 PAIRS=2 ERRORS=2 TAPS_D=1 LAGS_W=1 HIST_W=2 FILTERS=1 ROWS=2 WORDS=1 HIST_WORDS=1 TARGETS=1
LANES=4 NEURONS=65535 PAIRS=1048576 ERRORS=16777216 ROWS=1048576 WORDS=4194304 HIST_WORDS=65535 TARGETS=16384 INDEX_W=30
WTA=10 CLASSES=10
LANES=8 SAMPLES=32 WTA=64 CLASSES=1024 PAIRS=2048
LANES=1 SAMPLES=1 NEURONS=2 WTA=2 CLASSES=1
WAYS=3 WAY_WORDS=40 WTA=10 PREP=3 SKIP=1
LANES=1 SAMPLES=32 WAYS=16 WAY_WORDS=512 PAIRS=2048
TAPS_D=3 LAGS_W=8 HIST_W=11 PREP=2
KERNELS=1
KERNELS=1 TAPS_D=3 LAGS_W=8 HIST_W=11 PREP=2 SKIP=1
KERNELS=1 LANES=1 SAMPLES=1 NEURONS=2 PAIRS=2 ERRORS=2 TAPS_D=1 LAGS_W=1 HIST_W=2
KERNELS=1 LANES=8 SAMPLES=32 PAIRS=2048 TAPS_D=32 LAGS_W=32 HIST_W=64 PREP=32 KERNEL_W=34 DELTA_W=44 ACC_W=56
TAPS_D=32 LAGS_W=32 HIST_W=64 PREP=32 SKIP=1 KERNEL_W=34 DELTA_W=44 ACC_W=56
SIGNALS=1
SIGNALS=1 BASELINES=1 LANES=1 SAMPLES=1 LAGS_W=1
SIGNALS=1 BASELINES=60 WTA=10 CLASSES=10
LANES=8 SAMPLES=32 PAIRS=2048 TAPS_D=32 LAGS_W=63 HIST_W=64 KERNEL_W=36 DELTA_W=46 ACC_W=56 SIGNALS=1 BASELINES=65535
TXT
}

# The bridges and sets of their parameters, one a line.
bridges() {
    head -n "$count" <<'TXT'
tern_axi4lite
tern_wishbone
tern_axis
tern_axis LANES=1 GROUPS=1 FRAME_WORDS=1
tern_axis LANES=32 GROUPS=65536 FRAME_WORDS=65536
tern_axis LANES=2 GROUPS=3 FRAME_WORDS=2
TXT
}

prefixed() { # PREFIX NAME=VALUE...
    before=$1
    shift
    for p in "$@"; do printf '%s%s ' "$before" "$p"; done
}

yosys_script() { # MODULE NAME=VALUE...
    top=$1
    shift
    if [ $# -eq 0 ]; then
        printf 'read_verilog %s\n' "$(echo $files)"
    else # nothing with the default parameters; all in one command: each command elaborates the module again
        printf 'read_verilog -defer %s\nchparam' "$(echo $files)"
        for p in "$@"; do printf ' -set %s %s' "${p%%=*}" "${p#*=}"; done
        printf ' %s\n' "$top"
    fi
    printf 'hierarchy -check -top %s\nproc -noopt\ncheck -assert\n' "$top"
}

# together CORE: 0 if Yosys has nothing to say about CORE with all of its sets in one design, where a module that
# several of them have with the same parameters is elaborated and checked once. Otherwise each set is looked at alone.
together() {
    sets "$1" | awk -v core="$1" '
        BEGIN { print "module all;" }
        {
            printf "  %s ", core
            for (i = 1; i <= NF; ++i) {
                split($i, part, "=")
                printf "%s.%s(%s)", i == 1 ? "#(" : ", ", part[1], part[2]
            }
            print (NF ? ") " : "") "u_" NR " ();"
        }
        END { print "endmodule" }' >"$work/all.v"
    {
        printf 'read_verilog %s %s\n' "$(echo $files)" "$work/all.v" # with the default parameters, too
        printf 'hierarchy -check -top all\nproc -noopt\ncheck -assert\n'
    } >"$work/script"
    "$tool" -q -s "$work/script" >"$work/together" 2>&1 && [ ! -s "$work/together" ]
}

# The rule $rule with the parameters $set of $core.
check_set() {
    case $rule in
    verilator)
        for defines in '' '+define+TERN_COSIM +define+TERN_CHECK_RAM'; do
            # shellcheck disable=SC2046,SC2086 # lists of words
            "$tool" --lint-only -Wall --top-module $core $defines $(prefixed -G $set) $files >"$work/all" 2>&1 && accepted=1 || accepted=0
            grep -v '^- V' "$work/all" >"$work/log" || true # newer versions end with a report of their run time
            [ "$accepted" -eq 1 ] && [ ! -s "$work/log" ] || { echo "verilator -Wall, $core, parameters: $set $defines"; head -n 20 "$work/log"; }
        done ;;
    iverilog)
        for defines in '' '-DTERN_COSIM -DTERN_CHECK_RAM'; do
            # shellcheck disable=SC2046,SC2086
            "$tool" -g2005 -Wall -t null -s $core $defines $(prefixed -P$core. $set) $files >"$work/log" 2>&1 && [ ! -s "$work/log" ] ||
                { echo "iverilog -g2005 -Wall, $core, parameters: $set $defines"; head -n 20 "$work/log"; }
        done ;;
    yosys)
        # shellcheck disable=SC2086
        yosys_script $core $set >"$work/script"
        # -q leaves warnings and errors only
        "$tool" -q -s "$work/script" >"$work/log" 2>&1 && [ ! -s "$work/log" ] || { echo "yosys, $core, parameters: $set"; head -n 20 "$work/log"; } ;;
    esac
}

found=$(
    case $rule in
    verilator|iverilog|yosys)
        for core in tern_core tern_small; do
            files=$(cat "rtl/$core.f")
            if [ "$rule" = yosys ]; then
                if together "$core"; then continue; fi
                sets $core | while IFS= read -r set; do check_set; done >"$work/alone"
                [ -s "$work/alone" ] || { echo "yosys, $core, all parameters together"; head -n 20 "$work/together"; }
                cat "$work/alone"
                continue
            fi
            sets $core | while IFS= read -r set; do check_set; done
        done
        files=$bridge_files
        bridges | while read -r core set; do check_set; done ;;
    pairs) # the same blocks in C and in Verilog; kernel is C's name for the learning coefficient, the others are parts
        c_side() { for f in runtime/blocks/tern_*.h runtime/blocks/include/tern/*.h; do f=${f##*/}; echo "${f%.h}"; done | sed 's/^tern_//; s/^/tern_/'; }
        v_side() { for f in rtl/blocks/tern_*.v; do f=${f##*/}; echo "${f%.v}"; done; }
        c_side | grep -vx tern_kernel | sort >"$work/c"
        v_side | grep -vxE 'tern_tapsum|tern_dither|tern_coefficient|tern_modulator' | sort >"$work/v"
        [ -s "$work/c" ] || echo "no blocks found"
        diff "$work/c" "$work/v" | sed -n 's/^</only in runtime\/blocks:/p; s/^>/only in rtl\/blocks:/p'
        [ -f rtl/blocks/tern_coefficient.v ] && [ -f runtime/blocks/tern_kernel.h ] || echo "tern_kernel.h and rtl/blocks/tern_coefficient.v belong together"
        # the header of a block names its C function, which exists; parts of others may have none
        for f in rtl/blocks/tern_*.v; do
            sed -n '1,12s/^\/\/ C model *//p' "$f" >"$work/model"
            [ -s "$work/model" ] || [ "$f" = rtl/blocks/tern_tapsum.v ] || echo "$f: no line '// C model'"
            for word in $(tr -d ',' <"$work/model"); do
                case $word in
                runtime/*) model=$word; [ -f "$model" ] || echo "$f: no such file: $model" ;;
                *'()') grep -qE "[ *]${word%??}\(" "$model" 2>/dev/null || echo "$f: no such function: $word in $model" ;;
                esac
            done
        done
        # the page about blocks names every one, and every module
        for b in $(cat "$work/c"); do
            grep -q "^| ${b#tern_} | \`*$b\.[ch]\`* | \`*$b\.v" docs/31-blocks.md || echo "docs/31-blocks.md: the table has no row for ${b#tern_} with its C and Verilog file"
        done
        for f in rtl/*/*.v; do
            m=${f##*/} m=${m%.v}
            case $f in rtl/link/*) page=docs/36-link.md ;; rtl/boards/*) page=docs/37-synthesis.md ;; rtl/bridge/*) page=docs/42-bridges.md ;; rtl/small/*|rtl/mem/tern_data.v|rtl/mem/tern_spram.v|rtl/mem/tern_block.v) page=docs/43-small-core.md ;; *) page=docs/31-blocks.md ;; esac
            grep -qw "$m" "$page" || echo "$page: does not name $m"
        done ;;
    memories) # arrays of registers only in rtl/mem, and the small core's programs
        grep -nE '^[^/]*\breg\b[^;(]*\[[^]]*\][[:space:]]*[a-z_0-9]+[[:space:]]*\[[^]]*:[^]]*\]|^[^/]*\breg[[:space:]]+[a-z_0-9]+[[:space:]]*\[[^]]*:[^]]*\][[:space:]]*;' rtl/*/*.v |
            grep -vE '^rtl/(mem/|small/tern_micro_(rom|rules)\.v:)' || true ;;
    files) # one module a file, of the file's name; no initial but for memories and values after configuration; default_nettype first and last; the list is complete
        awk '
            function ended() {
                if (file == "") return
                if (modules != 1 || !named) print file ": not exactly one module of the name " m
                if (directive != "`default_nettype none") print file ": the first directive is not `default_nettype none"
                if (last != "`default_nettype wire") print file ": the last line is not `default_nettype wire"
                if (index(first, "// " m ".v : ") != 1) print file ": the first line does not say what it is"
                list = "rtl/tern_core.f"
                if (file ~ /^rtl\/(small\/|mem\/tern_(data|spram|block)\.v$)/) list = "rtl/tern_small.f"
                if (file ~ /^rtl\/link\//) list = "rtl/tern_link.f"
                if (file ~ /^rtl\/boards\//) list = "rtl/tern_boards.f"
                if (file ~ /^rtl\/bridge\//) list = "rtl/tern_bridge.f"
                if (!((list, file) in listed)) print file " is not in " list
            }
            FILENAME ~ /[.]f$/ { listed[FILENAME, $0]; next }
            FNR == 1 {
                ended()
                file = FILENAME; first = $0; directive = ""; modules = named = 0
                m = file; sub(/.*\//, "", m); sub(/[.]v$/, "", m)
            }
            /^ *`/ && directive == "" { directive = $0 }
            /^ *module / { ++modules; if ($0 ~ "^module " m "([^A-Za-z0-9_]|$)") named = 1 }
            { last = $0 }
            END { ended() }' rtl/*.f rtl/*/*.v
        # contents, values after configuration
        contents='rtl/(mem/tern_data|small/tern_micro_rom|small/tern_micro_rules)[.]v'
        powered='rtl/(link/tern_board|small/tern_small|small/tern_micro)[.]v'
        grep -nE '^[^/]*\b(initial|casex|defparam)\b|^ *`define|(^|[^a-z_])#[0-9]' rtl/*/*.v >"$work/words" || true
        grep -vE "^$contents:|^$powered:[0-9]+: *initial [a-z0-9_]+_q = [^;]*;" "$work/words" || true
        grep -E "^$contents:" "$work/words" |
            grep -E '^[^:]*:[0-9]+:([^/]*\b(casex|defparam)\b| *`define|(.*[^a-z_])?#[0-9])' || true
        grep -nE '`(ifdef|ifndef|elsif)' rtl/*/*.v |
            grep -vE '`(ifdef|elsif) +(TERN_COSIM|TERN_CHECK_RAM|TERN_TESTBUG_[A-Z0-9_]+|FORMAL)$' || true
        for list in rtl/tern_core.f rtl/tern_small.f rtl/tern_link.f rtl/tern_boards.f rtl/tern_bridge.f; do
            while IFS= read -r f; do [ -f "$f" ] || echo "$list: no such file: $f"; done <"$list"
        done ;;
    *) echo "lint_rtl.sh: unknown rule '$rule'" ;;
    esac
)
if [ -n "$found" ]; then
    printf 'lint.%s:\n%s\n' "$rule" "$found"
    exit 1
fi
