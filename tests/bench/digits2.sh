#!/bin/sh
# digits2.sh : accuracy and log-likelihood of models/digits2 over seeds, three kinds of arithmetic side by side
# SPDX-License-Identifier: Apache-2.0
#
#     tests/bench/digits2.sh TERN WORKDIR FIRST_SEED LAST_SEED
# 100 generated training examples (digits 0 and 1), 200 test examples, K_I = 20. Each seed changes initial weights, order and draws.
# Prints, per arithmetic, mean and standard error of the accuracy and of the log-likelihood per example (80 steps).
export LC_ALL=C
set -eu
tern=$1 work=$2 first=$3 last=$4
here=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$work"
[ -d "$work/train" ] || "$tern" data digits "$work/train" --classes 0,1 --count 50 --seed 1 >"$work/data.out"
[ -d "$work/test" ] || "$tern" data digits "$work/test" --classes 0,1 --count 100 --seed 2 >>"$work/data.out"
one() { # name seed train-options
    name=$1 seed=$2
    shift 2
    [ -s "$work/$name.$seed.json" ] && return
    "$tern" train "$here/models/digits2/digits2.lua" --data "$work/train" --presentations 100 --seed "$seed" --set "seed=$seed" "$@" \
        -o "$work/$name.$seed.tern" >"$work/$name.$seed.out" 2>&1
    "$tern" eval "$work/$name.$seed.tern" --data "$work/test" --samples 20 --json >"$work/$name.$seed.json.part" 2>>"$work/$name.$seed.out"
    mv "$work/$name.$seed.json.part" "$work/$name.$seed.json"
}
seed=$first
while [ "$seed" -le "$last" ]; do
    one reference "$seed" --engine reference
    one bits16 "$seed"
    one bits8 "$seed" --set 'formats.weight={8,7}'
    seed=$((seed + 1))
done
for name in reference bits16 bits8; do
    for f in "$work/$name".*.json; do
        sed -n 's/.*"accuracy": *\([0-9.eE+-]*\).*/A \1/p' "$f"
        sed -n 's/.*"log_loss": *\([0-9.eE+-]*\).*/L \1/p' "$f"
    done | awk -v name="$name" '
        $1 == "A" { a += $2; aa += $2 * $2; n++ }
        $1 == "L" { v = -80 * $2; l += v; ll += v * v; m++ }
        END {
            if (n == 0 || m == 0) { print name ": no results"; exit 1 }
            sa = n > 1 ? sqrt((aa / n - (a / n) ^ 2) / (n - 1)) : 0
            sl = m > 1 ? sqrt((ll / m - (l / m) ^ 2) / (m - 1)) : 0
            printf "%-10s %3d seeds  accuracy %.4f +- %.4f  log-likelihood %.2f +- %.2f\n", name, n, a / n, sa, l / m, sl
        }'
done
