#!/bin/sh
# fast.sh : golden model and engine `fast` with every instruction set of this processor, in one run; prints a table
# SPDX-License-Identifier: Apache-2.0
#
#     tests/bench/fast.sh TERN FAST_BENCH WORKDIR >tests/bench/fast.md
#     sh cmake/bench_table.sh docs/24-fast-engine.md tests/bench/fast.md
# One recording that Tern generates. Ratios hold for one machine and one run: engines take turns, the best round counts.
export LC_ALL=C
set -eu
tern=$1 bench=$2 work=$3
here=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$work"
[ -d "$work/data" ] || "$tern" data digits "$work/data" --classes 0,1,2 --count 2 --seed 1 >"$work/data.out"

# row NAME MODEL COMPILE-OPTIONS -- BENCH-OPTIONS
row() {
    name=$1 model=$2
    shift 2
    set_=''
    while [ "$1" != -- ]; do set_="$set_ $1"; shift; done
    shift
    # shellcheck disable=SC2086 # several options in one variable
    "$tern" compile "$here/$model.lua" $set_ -o "$work/net" >"$work/compile.out" 2>&1
    "$bench" "$work/net/$(basename "$model").tern" "$work/data" --rounds "${ROUNDS:-3}" "$@" | sed "s/^/| $name | /; s/$/ |/"
}

printf 'Limits of this machine, one core:\n\n'
"$bench" --limits | sed 's/^/- /'
printf '\n| network | engine | threads | steps/s | against golden | million products a step | million made | of the limit '
printf '| of the bandwidth | bytes per synapse |\n'
printf '|---|---|---|---|---|---|---|---|---|---|\n'
row 'digits3, K = 10, learning' models/digits3/digits3 --
row 'digits3, K = 1, learning' models/digits3/digits3 --set rule.samples=1 --
row 'memorise, K = 5, learning' models/memorise/memorise --
row 'memorise, K = 5, after 100 presentations' models/memorise/memorise -- --after 100
row 'digits2, K = 5, learning' models/digits2/digits2 --
row 'memorise, 500 hidden, K = 20, learning' models/memorise/memorise --set hid.size=500 --set rule.samples=20 -- --rounds 3
row 'the same after 20 presentations' models/memorise/memorise --set hid.size=500 --set rule.samples=20 -- --rounds 3 --after 20
row 'digits3, 20 samples, evaluation' models/digits3/digits3 -- --eval --samples 20
row '16.4 million synapses, K = 1, learning' tests/bench/synapses -- --rounds 2 --again 1
