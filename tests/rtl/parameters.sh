#!/bin/sh
# Parameters: legal ones elaborate, each illegal one is refused by name, in three tools; and their list is complete.
#     sh parameters.sh verilator|iverilog|yosys ROOT TOOL [COUNT]      COUNT: only so many cases
#     sh parameters.sh list ROOT      each rule of rtl/ has a case that breaks it; the pages have every parameter
# ROOT/tests/rtl/parameters.txt has the cases. Icarus, the quickest, tries all; the others one of each rule, and all
# that are legal. Exit status 0: so it is; 1: not, every case is listed; 2: wrong usage; 77: the tool is missing.
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -eu
usage() { echo "usage: parameters.sh verilator|iverilog|yosys|list ROOT [TOOL [COUNT]]" >&2; exit 2; }
[ $# -ge 2 ] || usage
kind=$1 root=$2 tool=${3:-} count=${4:-999}
cd "$root"
case $kind in
list) ;;
verilator|iverilog|yosys)
    [ -n "$tool" ] || usage
    command -v "$tool" >/dev/null 2>&1 || { echo "SKIP: needs $tool"; exit 77; } ;;
*) usage ;;
esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cases() { grep -v '^#' tests/rtl/parameters.txt | head -n "$count"; }
all=$(cat rtl/tern_core.f rtl/tern_small.f rtl/tern_link.f rtl/tern_bridge.f | awk '!there[$0]++')

files_of() { # MODULE
    case $1 in
    tern_pll_*) echo "rtl/boards/$1.v" ;;
    tern_core|tern_small|tern_axis) cat "rtl/$(case $1 in tern_axis) echo tern_bridge ;; *) echo "$1" ;; esac).f" ;;
    *) echo "$all" ;;
    esac
}
prefixed() { # PREFIX NAME=VALUE...
    before=$1
    shift
    for p in "$@"; do printf '%s%s ' "$before" "$p"; done
}
rule_of() { # MODULE NAME of a case: the module that is missing
    case $2 in *:*) echo "${2%%:*}_error_${2#*:}" ;; *) echo "$1_error_$2" ;; esac
}
rules() { grep -rhoE 'tern_[a-z0-9_]+_error_[A-Za-z0-9_]+ u_error' rtl | sed 's/ u_error//' | sort -u; }
rules | sed 's/.*/module & (); endmodule/' >"$work/rules.v"
# of each module the parameters and ports alone
mkdir "$work/heads"
# shellcheck disable=SC2086 # a list of words
awk -v heads="$work/heads/" '
    FNR == 1 { head = heads FILENAME; sub(/rtl.*\//, "", head); at = 0 }
    /^module / { at = 1 }
    at { print >head }
    at && /^\);/ { print "endmodule" >head; close(head); at = 0 }' $all
if [ "$kind" = verilator ]; then
    # the program that the script of this name starts: the script takes as long as most of these cases
    program=$(command -v "$tool")_bin
    ! "$program" --lint-only "$work/rules.v" --top-module "$(rules | head -n 1)" >"$work/log" 2>&1 || tool=$program
fi
# elaborate MODULE NAME=VALUE...: 0 if accepted; what was said is in $work/log
elaborate() {
    module=$1
    shift
    # Only what holds the rule is elaborated, of all else the parameters and ports alone, and all of it where a set has
    # to be accepted: that takes a tenth of the time.
    whole='' heads=''
    for f in $(files_of "$module"); do
        base=${f##*/} base=${base%.v}
        case $name:$base in
        ok:*|*":$module"|*":${name%%:*}"|*:tern_uart_*) whole="$whole $f" ;;
        *) heads="$heads $work/heads/$base.v" ;;
        esac
    done
    case $kind in
    # shellcheck disable=SC2046,SC2086 # lists of words
    verilator) "$tool" --lint-only -Wno-fatal -Wno-lint --top-module "$module" $(prefixed -G "$@") \
        $whole $heads >"$work/log" 2>&1 ;;
    # shellcheck disable=SC2046,SC2086
    iverilog) "$tool" -g2005 -t null -s "$module" $(prefixed "-P$module." "$@") \
        $whole $heads >"$work/log" 2>&1 ;;
    yosys)
        {
            # nothing is elaborated with the default parameters
            printf 'read_verilog -defer%s\n' "$whole"
            [ -z "$heads" ] || printf 'read_verilog -lib%s\n' "$heads"
            # Yosys names the first module that is missing: of the rules, only this one is
            case $name in
            ok | refused) ;;
            *)
                grep -vx "module $(rule_of "$module" "$name") (); endmodule" "$work/rules.v" >"$work/others.v"
                printf 'read_verilog -lib %s\n' "$work/others.v"
                case $module in tern_pll_ice40) echo 'read_verilog -lib +/ice40/cells_sim.v' ;; esac
                case $module in tern_pll_ecp5) echo 'read_verilog -lib +/ecp5/cells_bb.v' ;; esac ;;
            esac
            printf chparam
            for p in "$@"; do printf ' -set %s %s' "${p%%=*}" "${p#*=}"; done
            printf ' %s\nhierarchy -check -top %s\n' "$module" "$module"
        } >"$work/script"
        "$tool" -q -s "$work/script" >"$work/log" 2>&1 ;;
    esac
}

found=$(
    if [ "$kind" = list ]; then
        cases | awk '$3 != "ok" && $3 != "refused" {
            if (split($3, part, ":") == 2) print part[1] "_error_" part[2]
            else print $1 "_error_" $3
        }' | sort -u >"$work/tested"
        rules >"$work/rules"
        [ "$(wc -l <"$work/rules")" -gt 60 ] || echo "fewer than 60 rules found in rtl/"
        comm -23 "$work/rules" "$work/tested" | sed 's/^/no case of tests\/rtl\/parameters.txt breaks /'
        comm -13 "$work/rules" "$work/tested" | sed 's/$/ of tests\/rtl\/parameters.txt is no rule of rtl\//'
        for module in tern_core:31-blocks tern_small:43-small-core tern_link:36-link tern_board:36-link \
            tern_pll_ice40:37-synthesis tern_pll_ecp5:37-synthesis tern_axis:42-bridges; do
            page=docs/${module#*:}.md module=${module%%:*}
            [ "$(cases | awk -v m="$module" '$1 == m && $3 == "ok" || m == "tern_board"' | wc -l)" -gt 0 ] ||
                echo "no legal case of $module"
            awk '/^#/ { at = 0 } /^#.* Legal parameters/ { at = 1 } at' "$page" >"$work/table"
            sed -n '/^module/,/^) (/p' "$(find rtl -name "$module.v")" |
                sed -nE 's/^ *parameter *(\[[^]]*\])? *([A-Z_0-9]+).*/\2/p' >"$work/parameters"
            [ -s "$work/parameters" ] || echo "$module: no parameters found"
            while read -r p; do
                grep -qE "^\|.*\`$p\`" "$work/table" || echo "$page, Legal parameters: no row for $p of $module"
            done <"$work/parameters"
        done
    else
        cases | awk -v all="$([ "$kind" = iverilog ] && echo 1)" 'all || $3 == "ok" || !there[$1 " " $3]++' |
        while read -r module parameters name; do
            # shellcheck disable=SC2046 # words
            elaborate "$module" $(printf '%s' "$parameters" | tr ',' ' ') && accepted=1 || accepted=0
            case $name in
            refused) [ "$accepted" -eq 0 ] || echo "$module with $parameters is accepted" ;;
            ok) [ "$accepted" -eq 1 ] || { echo "$module with $parameters is refused"; head -n 5 "$work/log"; } ;;
            *)
                rule=$(rule_of "$module" "$name")
                [ "$accepted" -eq 0 ] || echo "$module with $parameters is accepted"
                grep -q "$rule" "$work/log" ||
                    { echo "$module with $parameters: the message does not name $rule"; head -n 5 "$work/log"; } ;;
            esac
        done
    fi
)
if [ -n "$found" ]; then
    printf 'lint.parameters_%s:\n%s\n' "$kind" "$found"
    exit 1
fi
echo "$(cases | wc -l) cases"
