#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Proofs about single modules: yosys makes a formula of a harness, yosys-smtbmc and a solver decide it.
#     sh formal.sh HARNESS.v prove|cover|mutant YOSYS SMTBMC SOLVER [MUTANT]
# prove: every rule (assert) holds for `bound` cycles from power-up, then by induction over `induct` cycles (0: bounded only).
# cover: everything that should happen (cover) does within `reach` cycles. mutant: with the planted bug a rule fails, and it is the one that is named.
# Rules are named a_..., those that only make the induction close i_...; for a mutant all but the named one are left out.
# Exit status 0: as told; 1: not, or a tool is missing; 2: wrong usage.
#
# A harness says what it needs in lines of its own:
#     //! files F...             Verilog beside the harness: rtl/F.v, or F.v of this folder if F has no /
#     //! bound N [STEP]         cycles of the bounded proof; STEP: of so many cycles at once
#     //! induct K               cycles of the induction
#     //! reach N                cycles within which the covers are reached
#     //! connect NAME=PATH...   wires of the harness that are signals inside: PATH below the top (names behind flatten)
#     //! script COMMANDS        yosys commands behind flatten and before connect
#     //! cut MODULE...          modules whose outputs are free
#     //! set NAME=VALUE...      parameters of the harness, bound=N, induct=K; one proof for each such line. Covers and mutants take the first one
#     //! engine sat             decided by yosys' own solver (command sat) instead: far faster for buses, slower for arithmetic. bound: most cycles of the induction; reach as above; no sets.
#                                Rules and covers stand on one line each
#     //! mutant NAME RULE DEFINE [BOUND]   planted bug TERN_TESTBUG_DEFINE breaks RULE within BOUND cycles (default: of the proof)
set -eu
usage() { echo "usage: formal.sh HARNESS.v prove|cover|mutant YOSYS SMTBMC SOLVER [MUTANT]" >&2; exit 2; }
[ $# -ge 5 ] || usage
harness=$1 task=$2 yosys=$3 smtbmc=$4 solver=$5 mutant=${6:-}
for t in "$yosys" "$smtbmc" "$solver"; do command -v "$t" >/dev/null 2>&1 || { echo "FORMAL needs $t, which is missing"; exit 1; }; done
[ -f "$harness" ] || { echo "formal.sh: no such harness: $harness" >&2; exit 2; }
here=$(cd "$(dirname "$harness")" && pwd)
rtl=$here/../../rtl
name=$(basename "$harness" .v)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

told() { sed -n "s|^//! $1 *||p" "$harness"; }
one() { v=$(told "$1" | head -n 1); echo "${v:-$2}"; }
# shellcheck disable=SC2046 # words are wanted
set -- $(one bound 10)
bound=$1 step=${2:-1}
induct=$(one induct 0) reach=$(one reach 0)
define=''
if [ "$task" = mutant ]; then
    line=$(told mutant | awk -v m="$mutant" '$1 == m')
    [ -n "$line" ] || { echo "formal.sh: $name has no mutant '$mutant'" >&2; exit 2; }
    # shellcheck disable=SC2086
    set -- $line
    rule=$2 define="-DTERN_TESTBUG_$3 " mutant_bound=${4:-$bound}
fi

# read_all FILE: the commands that read the harness FILE and its modules
read_all() {
    printf 'read_verilog -formal -DFORMAL %s%s\n' "$define" "$1"
    for f in $(told files); do
        case $f in */*) f=$rtl/$f.v ;; *) f=$here/$f.v ;; esac
        printf 'read_verilog -formal -DFORMAL %s%s\n' "$define" "$f"
    done
}
# only RULE: commands that leave out all rules but this. Rules are cells $assert, or, in newer versions of yosys, $check of that flavour
only() { printf 'select -set others %s/t:$check %s/r:FLAVOR=assert %%i %s/t:$assert %%u %s/%s %%d\ndelete @others\n' "$name" "$name" "$name" "$name" "$1"; }

# ---- yosys' own solver: sat FILE RULE OPTIONS, exit status as of the command sat (-verify: 0 if proved, -falsify: 0 if a counterexample is found) ------------------------------
sat() {
    {
        read_all "$1"
        printf 'hierarchy -check -top %s\n' "$name"
        for m in $(told cut); do printf 'cutpoint */t:*%s*\n' "$m"; done
        printf 'hierarchy -top %s\nproc\nflatten\n' "$name"
        told script
        [ -z "$2" ] || only "$2"
        for c in $(told connect); do printf 'connect -nounset -set %s \\%s\n' "${c%%=*}" "${c#*=}"; done
        printf 'chformal -cover -remove\nopt -full\nasync2sync\ndffunmap\n'
        if "$yosys" -q -p 'help chformal' | grep -q -e -lower; then printf 'chformal -lower\n'; fi
        printf 'opt_clean\nsat %s -prove-asserts -set-assumes %s\n' "$3" "$name"
    } >"$work/script"
    "$yosys" -s "$work/script" >"$work/out" 2>&1
}
decided() { grep -q "$1" "$work/out" || { tail -n 12 "$work/out"; echo "FORMAL the solver did not answer"; exit 1; }; } # an error of the script is no answer
if [ "$(one engine smt)" = sat ]; then
    rules=$(sed 's|//.*||' "$harness" | grep -oE '\b[a-z]_[a-z0-9_]+: assert' | sed 's/:.*//')
    [ -n "$rules" ] || { echo "FORMAL $name has no rule"; exit 1; }
    case $task in
    prove)
        if ! sat "$harness" '' "-tempinduct -verify -maxsteps $bound"; then
            decided 'proof did fail'
            echo "FORMAL not proved with at most $bound cycles:"
            for r in $rules; do sat "$harness" "$r" "-tempinduct-baseonly -falsify -maxsteps $bound" && echo "rule $r fails"; done
            exit 1
        fi
        decided 'Induction step proven: SUCCESS'
        echo "$name: $(echo "$rules" | wc -l) rules proved, induction over $(sed -n 's/^\[induction step \([0-9]*\)\].*/\1/p' "$work/out" | tail -n 1)" ;;
    cover) # a cover is reached if the rule that it never is fails
        covers=$(sed 's|//.*||' "$harness" | grep -oE '\bc_[a-z0-9_]+: cover' | sed 's/:.*//')
        [ -n "$covers" ] || { echo "FORMAL $name has no cover"; exit 1; }
        sed -E 's/\b[a-z]_[a-z0-9_]+: assert \(.*\);/;/; s/(c_[a-z0-9_]+): cover \((.*)\);/\1: assert (!(\2));/' "$harness" >"$work/$name.v"
        for c in $covers; do
            sat "$work/$name.v" "$c" "-tempinduct-baseonly -falsify -maxsteps $reach" || { decided 'proof did succeed'; echo "FORMAL not reached within $reach cycles: $c"; exit 1; }
            decided 'model found for base case: FAIL'
        done
        echo "$name: $(echo "$covers" | wc -l) covers reached" ;;
    mutant)
        sat "$harness" "$rule" "-tempinduct-baseonly -falsify -maxsteps $mutant_bound" || { decided 'proof did succeed'; echo "FORMAL $rule does not fail with $mutant"; exit 1; }
        decided 'model found for base case: FAIL'
        echo "$name: $mutant breaks $rule" ;;
    *) usage ;;
    esac
    exit 0
fi

# model PARAMETERS: makes $work/model.smt2
model() {
    {
        read_all "$here/$name.v"
        for p in $1; do case $p in bound=*|induct=*) continue ;; esac; printf 'chparam -set %s %s %s\n' "${p%%=*}" "${p#*=}" "$name"; done
        printf 'hierarchy -check -top %s\n' "$name"
        for m in $(told cut); do printf 'cutpoint */t:*%s*\n' "$m"; done
        printf 'hierarchy -top %s\nproc\nflatten\n' "$name"
        told script
        [ -z "$define" ] || only "$rule"
        for c in $(told connect); do printf 'connect -nounset -set %s \\%s\n' "${c%%=*}" "${c#*=}"; done
        printf 'opt -full\nasync2sync\ndffunmap\nopt_clean\nwrite_smt2 -wires %s/model.smt2\n' "$work"
    } >"$work/script"
    "$yosys" -q -s "$work/script" >"$work/log" 2>&1 || { echo "yosys:"; head -n 20 "$work/log"; exit 1; }
}
# smtbmc takes a solver by name only
case $solver in */*) PATH=$(dirname "$solver"):$PATH; export PATH ;; esac
run() { "$smtbmc" -s "$(basename "$solver")" "$@" "$work/model.smt2" >"$work/out" 2>&1; }
ended() { # a solver that dies is not a failed rule
    grep -q 'Status: FAILED' "$work/out" || { tail -n 12 "$work/out"; echo "FORMAL the solver did not answer"; exit 1; }
}

sets=$(told set)
case $task in
prove)
    printf '%s\n' "${sets:- }" >"$work/sets"
    while IFS= read -r parameters; do
        model "$parameters"
        b=$bound i=$induct
        for p in $parameters; do case $p in bound=*) b=${p#*=} ;; induct=*) i=${p#*=} ;; esac; done
        grep -q '^; yosys-smt2-assert' "$work/model.smt2" || { echo "FORMAL $name has no rule"; exit 1; }
        run -t "0:$step:$b" || { ended; echo "FORMAL rule fails within $b cycles $parameters"; grep 'Assert failed' "$work/out"; exit 1; }
        if [ "$i" -gt 0 ]; then
            run -i -t "$i" || { ended; echo "FORMAL induction over $i cycles does not close $parameters"; grep 'Assert failed' "$work/out"; exit 1; }
        fi
        echo "$name: $(grep -c '^; yosys-smt2-assert' "$work/model.smt2") rules proved: $b cycles$([ "$i" -eq 0 ] || echo ", induction over $i") $parameters"
    done <"$work/sets" ;;
cover)
    model "$(printf '%s\n' "$sets" | head -n 1)"
    all=$(grep -c '^; yosys-smt2-cover' "$work/model.smt2" || true)
    [ "$all" -gt 0 ] || { echo "FORMAL $name has no cover"; exit 1; }
    run -c -t "$reach" || { ended; echo "FORMAL not reached within $reach cycles:"; grep -i 'unreached' "$work/out"; exit 1; }
    [ "$(grep -c 'Reached cover' "$work/out")" -eq "$all" ] || { tail -n 12 "$work/out"; exit 1; }
    echo "$name: $all covers reached" ;;
mutant)
    model "$(printf '%s\n' "$sets" | head -n 1)"
    if run -t "0:$mutant_bound:$mutant_bound"; then echo "FORMAL no rule fails with $mutant"; exit 1; fi
    ended
    grep 'Assert failed' "$work/out" | grep -qw -e "$rule" || { echo "FORMAL $mutant breaks, but not $rule:"; grep 'Assert failed' "$work/out"; exit 1; }
    echo "$name: $mutant breaks $rule" ;;
*) usage ;;
esac
