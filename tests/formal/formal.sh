#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Proofs about single modules: yosys makes a formula of a harness; yosys-smtbmc and a solver, or those that come with yosys, decide it.
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
#     //! solver bits            abc and, for inductions over several cycles, the solver inside yosys, which see bits only:
#                            faster where rules tie registers to others; each cover is then shown for itself
#     //! solver bits [dc2] [glucose]   dc2: abc first makes the formula smaller: for sums of many bits;
#                            glucose: another solver of abc, faster where abc needs seconds for the rules
#     //! reach N                cycles within which the covers are reached
#     //! connect NAME=PATH...   wires of the harness that are signals inside: PATH below the top (names behind flatten)
#     //! script COMMANDS        yosys commands behind flatten and before connect
#     //! cut MODULE...          modules whose outputs are free
#     //! set NAME=VALUE...      parameters of the harness, bound=N, induct=K; one proof for each such line. Covers and mutants take the first one
#     //! mutant NAME RULE DEFINE [BOUND [SETTING...]]   planted bug TERN_TESTBUG_DEFINE breaks RULE within BOUND cycles (default: of the proof), with these settings
export LC_ALL=C
set -eu
usage() { echo "usage: formal.sh HARNESS.v prove|cover|mutant YOSYS SMTBMC SOLVER [MUTANT]" >&2; exit 2; }
[ $# -ge 5 ] || usage
harness=$1 task=$2 yosys=$3 smtbmc=$4 solver=$5 mutant=${6:-}
for t in "$yosys" "$smtbmc" "$solver"; do command -v "$t" >/dev/null 2>&1 || { echo "FORMAL needs $t, which is missing"; exit 1; }; done
[ -f "$harness" ] || { echo "formal.sh: no such harness: $harness" >&2; exit 2; }
here=$(cd "$(dirname "$harness")" && pwd)
rtl=$(cd "${FORMAL_RTL:-$here/../../rtl}" && pwd) # another folder: one with a mistake
name=$(basename "$harness" .v)
harness=$here/$name.v
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Yosys gets relative names without blanks, wherever the folders lie; its abc takes none in TMPDIR either.
unset TMPDIR
whole() { case $1 in /*) echo "$1" ;; */*) echo "$PWD/$1" ;; *) echo "$1" ;; esac; }
yosys=$(whole "$yosys") smtbmc=$(whole "$smtbmc") solver=$(whole "$solver")
cd "$work"
ln -s "$here" harness
ln -s "$rtl" rtl

told() { sed -n "s|^//! $1 *||p" "$harness"; }
one() { v=$(told "$1" | head -n 1); echo "${v:-$2}"; }
# shellcheck disable=SC2046 # words are wanted
set -- $(one bound 10)
bound=$1 step=${2:-1}
induct=$(one induct 0) reach=$(one reach 0) words=$(one solver smt)
engine=smt small='' glucose='' # commands of abc
for word in $words; do
    case $word in
    smt | bits) engine=$word ;;
    dc2) small='dc2;' ;;
    glucose) glucose=-g ;;
    *) echo "formal.sh: unknown solver '$word'" >&2; exit 2 ;;
    esac
done
[ "$engine" = bits ] || [ -z "$small$glucose" ] || { echo "formal.sh: dc2 and glucose need bits" >&2; exit 2; }
define='' rule='' mutant_sets='' source=harness/$name.v
if [ "$task" = mutant ]; then
    line=$(told mutant | awk -v m="$mutant" '$1 == m')
    [ -n "$line" ] || { echo "formal.sh: $name has no mutant '$mutant'" >&2; exit 2; }
    # shellcheck disable=SC2086
    set -- $line
    rule=$2 define="-DTERN_TESTBUG_$3 " mutant_bound=${4:-$bound}
    [ $# -le 4 ] || { shift 4; mutant_sets=$*; }
fi

# model PARAMETERS: makes model.smt2
model() {
    {
        # a module is elaborated with the parameters that it is used with, not also with its defaults
        printf 'read_verilog -defer -formal -DFORMAL %s%s\n' "$define" "$source"
        for f in $(told files); do
            case $f in */*) f=rtl/$f.v ;; *) f=harness/$f.v ;; esac
            printf 'read_verilog -defer -formal -DFORMAL %s%s\n' "$define" "$f"
        done
        printf 'hierarchy -check -top %s' "$name"
        for p in $1; do case $p in bound=*|induct=*) continue ;; esac; printf ' -chparam %s %s' "${p%%=*}" "${p#*=}"; done
        echo
        for m in $(told cut); do printf 'cutpoint */t:*%s*\n' "$m"; done
        printf 'hierarchy -top %s\nproc\nflatten\n' "$name"
        told script
        # rules are cells $assert, or, in newer versions of yosys, $check of that flavour
        [ -z "$rule" ] || printf 'select -set others %s/t:$check %s/r:FLAVOR=assert %%i %s/t:$assert %%u %s/%s %%d\ndelete @others\n' "$name" "$name" "$name" "$name" "$rule"
        for c in $(told connect); do printf 'connect -nounset -set %s \\%s\n' "${c%%=*}" "${c#*=}"; done
        # behind connect nobody needs names or places: without them large modules take two thirds of the time
        [ "$engine" != bits ] || printf 'setattr -unset src */*\nopt_clean -purge\n'
        printf 'opt -full\nasync2sync\ndffunmap\nopt_clean\n'
        if [ "$engine" = bits ]; then printf 'chformal -cover -remove\nopt_clean\nwrite_rtlil model.il\n'; else printf 'write_smt2 -wires model.smt2\n'; fi
    } >script
    "$yosys" -q -s script >log 2>&1 || { echo "yosys:"; head -n 20 log; exit 1; }
}
# smtbmc takes a solver by name only
case $solver in */*) PATH=$(dirname "$solver"):$PATH; export PATH ;; esac
run() { "$smtbmc" -s "$(basename "$solver")" "$@" model.smt2 >out 2>&1; }
ended() { # a solver that dies is not a failed rule
    grep -q 'Status: FAILED' out || { tail -n 12 out; echo "FORMAL the solver did not answer"; exit 1; }
}

# Bits: yosys makes gates of model.il, and abc, which comes with it, looks for a rule that fails.
gates() { # makes gates.il and model.aig
    lower='' # what newer versions of yosys make of rules
    ! grep -q 'cell [$]check ' model.il || lower='chformal -lower'
    printf 'read_rtlil model.il\n%s\nopt_expr -fine\nalumacc\npmuxtree\nsimplemap\ntechmap\n' "$lower" >bits
    printf 'setundef -undriven -anyseq\nabc -g AND -fast\nopt_clean\n' >>bits
    printf 'write_rtlil gates.il\nwrite_aiger -zinit -B model.aig\n' >>bits
    "$yosys" -q -s bits >out 2>&1 || { tail -n 3 out; echo "FORMAL there is no formula"; exit 1; }
}
# seek FILE CYCLES [-a]: a rule that fails within so many cycles; -a: each rule that does
seek() {
    "$yosys-abc" -c "read_aiger $1; fold; $small bmc3 ${3-$glucose} -F $2" >out 2>&1 || true
    grep -qE "asserted in frame|No output asserted in $2 frames" out ||
        { tail -n 12 out; echo "FORMAL the solver did not answer"; exit 1; }
}
fails() { grep -q 'was asserted in frame' out; }
# holds CYCLES: from power-up
holds() {
    gates
    seek model.aig "$1"
    ! fails
}
# happens CYCLES NUMBER: the rules of so many covers all fail, each for itself
happens() {
    gates
    seek model.aig "$1" -a
    [ "$(grep -c '^Output *[0-9]* was asserted in frame' out)" -eq "$2" ]
}
# inductive CYCLES: if all rules hold in so many cycles, they hold in the next one, from any state
inductive() {
    if [ "$1" -gt 1 ]; then # the solver inside yosys also uses that no state comes twice
        printf 'read_rtlil model.il\n%s\nsat -prove-asserts -set-assumes -tempinduct -tempinduct-inductonly' "$lower" >bits
        printf ' -maxsteps %s %s\n' "$1" "$name" >>bits
        "$yosys" -s bits >out 2>&1 || true
        grep -q 'Induction step proven: SUCCESS!' out && return 0
        grep -q 'Reached maximum number of time steps -> proof failed' out ||
            { tail -n 12 out; echo "FORMAL the solver did not answer"; exit 1; }
        return 1
    fi
    # Two cycles from any state: each rule is assumed of the first one, and checked in the second one.
    ! grep -q 'cell [$]initstate ' gates.il || { echo "FORMAL an induction does not begin at power-up"; exit 1; }
    awk '
        /^  cell [$]assert / { copy = $0 "_before"; sub(/[$]assert /, "$assume ", copy) }
        copy != "" && !/^  cell / { copy = copy "\n" $0 }
        { print }
        copy != "" && /^  end/ { print copy; copy = "" }' gates.il >step.il
    printf 'read_rtlil step.il\nsetattr -unset init w:*\nchformal -assert -skip 1\n' >bits
    printf 'chformal -assume -delay 1 c:*_before\nsimplemap\nwrite_aiger -zinit -B step.aig\n' >>bits
    "$yosys" -q -s bits >out 2>&1 || { tail -n 3 out; echo "FORMAL there is no formula"; exit 1; }
    seek step.aig 2
    ! fails
}

sets=${mutant_sets:-$(told set)}
if [ "$engine" = bits ]; then
    command -v "$yosys-abc" >/dev/null 2>&1 || { echo "FORMAL needs $yosys-abc, which is missing"; exit 1; }
    first=$(printf '%s\n' "$sets" | head -n 1)
    case $task in
    prove)
        printf '%s\n' "${sets:- }" >sets
        while IFS= read -r parameters; do
            model "$parameters"
            rules=$(grep -cE '^ *cell .(assert|check) ' model.il || true)
            [ "$rules" -gt 0 ] || { echo "FORMAL $name has no rule"; exit 1; }
            holds "$bound" || { echo "FORMAL rule fails within $bound cycles $parameters"; exit 1; }
            [ "$induct" -eq 0 ] || inductive "$induct" || { echo "FORMAL induction over $induct cycles does not close $parameters"; exit 1; }
            echo "$name: $rules rules proved: $bound cycles$([ "$induct" -eq 0 ] || echo ", induction over $induct") $parameters"
        done <sets ;;
    cover) # each as a rule that it never happens
        source=$name.v
        sed 's/ \(c_[a-z_0-9]*\): cover (\(.*\));/ \1: assert (!(\2));/' "$here/$name.v" >"$source"
        ! grep -w cover "$source" | grep -vq '^ *//' || { echo "FORMAL a cover without a name, or over more than one line"; exit 1; }
        all=$(sed -n 's/^.* \(c_[a-z_0-9]*\): cover (.*/\1/p' "$here/$name.v")
        [ -n "$all" ] || { echo "FORMAL $name has no cover"; exit 1; }
        rule='c_*' # all in one model, but each is an output of its own
        model "$first"
        if ! happens "$reach" "$(printf '%s\n' "$all" | wc -l)"; then # which?
            for rule in $all; do
                model "$first"
                if holds "$reach"; then echo "FORMAL not reached within $reach cycles: $rule"; exit 1; fi
            done
            echo "FORMAL each cover is reached, but not all of them together"
            exit 1
        fi
        echo "$name: $(printf '%s\n' "$all" | wc -l) covers reached" ;;
    mutant)
        model "$first"
        grep -qE '^ *cell .(assert|check) ' model.il || { echo "FORMAL there is no rule $rule"; exit 1; }
        if holds "$mutant_bound"; then echo "FORMAL no rule fails with $mutant"; exit 1; fi
        echo "$name: $mutant breaks $rule" ;;
    *) usage ;;
    esac
    exit 0
fi
case $task in
prove)
    printf '%s\n' "${sets:- }" >sets
    while IFS= read -r parameters; do
        model "$parameters"
        b=$bound i=$induct
        for p in $parameters; do case $p in bound=*) b=${p#*=} ;; induct=*) i=${p#*=} ;; esac; done
        grep -q '^; yosys-smt2-assert' model.smt2 || { echo "FORMAL $name has no rule"; exit 1; }
        run -t "0:$step:$b" || { ended; echo "FORMAL rule fails within $b cycles $parameters"; grep 'Assert failed' out; exit 1; }
        if [ "$i" -gt 0 ]; then
            run -i -t "$i" || { ended; echo "FORMAL induction over $i cycles does not close $parameters"; grep 'Assert failed' out; exit 1; }
        fi
        echo "$name: $(grep -c '^; yosys-smt2-assert' model.smt2) rules proved: $b cycles$([ "$i" -eq 0 ] || echo ", induction over $i") $parameters"
    done <sets ;;
cover)
    model "$(printf '%s\n' "$sets" | head -n 1)"
    all=$(grep -c '^; yosys-smt2-cover' model.smt2 || true)
    [ "$all" -gt 0 ] || { echo "FORMAL $name has no cover"; exit 1; }
    run -c -t "$reach" || { ended; echo "FORMAL not reached within $reach cycles:"; grep -i 'unreached' out; exit 1; }
    [ "$(grep -c 'Reached cover' out)" -eq "$all" ] || { tail -n 12 out; exit 1; }
    echo "$name: $all covers reached" ;;
mutant)
    model "$(printf '%s\n' "$sets" | head -n 1)"
    if run -t "0:$mutant_bound:$mutant_bound"; then echo "FORMAL no rule fails with $mutant"; exit 1; fi
    ended
    grep 'Assert failed' out | grep -qw -e "$rule" || { echo "FORMAL $mutant breaks, but not $rule:"; grep 'Assert failed' out; exit 1; }
    echo "$name: $mutant breaks $rule" ;;
*) usage ;;
esac
