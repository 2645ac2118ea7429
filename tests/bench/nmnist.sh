#!/bin/sh
# nmnist.sh TERN DATA OUT [choose|final]... : the figures of models/nmnist/saccades.lua, from the recordings
# SPDX-License-Identifier: Apache-2.0
#
# DATA has nmnist_train1000_index.csv and nmnist_test100_index.csv with their recordings (.bin).
#     choose  accuracy of several settings in five-fold cross-validation over the training recordings; the test
#             recordings are not opened
#     final   the script as it is, trained with all training recordings and seeds 1 to SEEDS (12), measured with the test
#             recordings; beside it softmax regression on the same recordings (nmnist_linear.py, if python3 has numpy)
# Without either: both. Trainings that OUT has are not made again. PYTHON: the interpreter (python3).
export LC_ALL=C
set -eu
[ $# -ge 3 ] || { echo "usage: $0 TERN DATA OUT [choose|final]..." >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
tern=$1 data=$(cd "$2" && pwd) out=$3
shift 3
[ $# -gt 0 ] || set -- choose final
models=$here/../../models/nmnist
train=$data/nmnist_train1000_index.csv test=$data/nmnist_test100_index.csv
presentations=60000
mkdir -p "$out"

# Lists of five folds: fold k measures every fifth recording.
folds() {
    awk -F, -v recording="$data/nmnist_train1000.bin" -v out="$out" '
        { sub(/\r$/, "") }
        NR == 1 {
            for (i = 1; i <= NF; ++i) column[$i] = i
            for (k = 0; k < 5; ++k)
                for (w = 0; w < 2; ++w) print "file,label,first_event,n_events" >(out "/" (w ? "held" : "train") k ".csv")
            next
        }
        {
            line = recording "," $(column["label"]) "," $(column["first_event"]) "," $(column["n_events"])
            for (k = 0; k < 5; ++k) print line >(out "/" (k == (NR - 2) % 5 ? "held" : "train") k ".csv")
        }' "$train"
}

# once NAME TRAIN SEED PRESENTATIONS SCRIPT [--set ...] : an image, made if it is not there. One that was interrupted has
# another name.
once() {
    image=$1 list=$2 of=$3 shown=$4 script=$5
    shift 5
    [ ! -f "$out/$image.tern" ] || return 0
    "$tern" train "$script" --data "$list" --seed "$of" --presentations "$shown" -q "$@" -o "$out/$image.part.tern" \
        >"$out/$image.log" 2>&1 || { cat "$out/$image.log"; exit 1; }
    mv "$out/$image.part.tern" "$out/$image.tern"
}

# right NAME LIST SEED : decisions of 20 samples that are right
right() {
    "$tern" eval "$out/$1.tern" --data "$2" --seed "$3" --samples 20 --json 2>"$out/$1.eval.log" |
        sed 's/.*"right":\([0-9]*\),.*/\1/' | grep -x '[0-9]*' || { cat "$out/$1.eval.log" >&2; exit 1; }
}

# row NAME PRESENTATIONS SCRIPT TEXT [--set ...] : a line of the table of choices
row() {
    name=$1 times=$2 net=$3 text=$4 sum=0
    shift 4
    for k in 0 1 2 3 4; do
        once "$name-$k" "$out/train$k.csv" 1 "$times" "$net" "$@"
        sum=$((sum + $(right "$name-$k" "$out/held$k.csv" 1)))
    done
    echo "| $text | $times | 0.$(printf '%03d' $sum) |"
}

choose() {
    folds
    new=$models/saccades.lua
    echo "| setting | presentations | accuracy, five folds |"
    echo "|---|---|---|"
    row old 25000 "$models/nmnist.lua" "nmnist.lua"
    row chosen $presentations "$new" "**saccades.lua**"
    row still $presentations "$new" "shift 0" --set data.shift=0
    row far $presentations "$new" "shift 2" --set data.shift=2
    row quick $presentations "$new" "eta 4e-3" --set rule.eta=4e-3
    row few 25000 "$new" "eta halves every 6,000" --set 'rule.schedule={divide=2, every=6000}'
    row circuit $presentations "$new" "one circuit, eta 5e-4" --set out.wta=10 --set rule.eta=5e-4
    coarse="squares of 2 x 2 pixels, eta 4e-3"
    set -- --set 'pixels.shape={6,16,16}' --set 'data.crop={1,1,32,32}' --set data.scale=2
    row coarse $presentations "$new" "$coarse" "$@" --set rule.eta=4e-3
    row many 120000 "$new" "$coarse halved every 30,000" "$@" --set rule.eta=4e-3 \
        --set 'rule.schedule={divide=2, every=30000}'
}

final() {
    echo "| seed | accuracy, 100 test recordings |"
    echo "|---|---|"
    seed=1 sum=0 squares=0 n=${SEEDS:-12}
    while [ $seed -le "$n" ]; do
        once "final-$seed" "$train" $seed $presentations "$models/saccades.lua"
        got=$(right "final-$seed" "$test" $seed)
        echo "| $seed | 0.$(printf '%02d' "$got") |"
        sum=$((sum + got)) squares=$((squares + got * got)) seed=$((seed + 1))
    done
    awk -v s=$sum -v q=$squares -v n="$n" 'BEGIN {
        m = s / n; d = n > 1 ? sqrt((q - n * m * m) / (n - 1)) : 0
        printf "| mean | %.3f, standard deviation over seeds %.3f |\n\n", m / 100, d / 100 }'
    if "${PYTHON:-python3}" -c 'import numpy' 2>/dev/null; then
        "${PYTHON:-python3}" "$here/nmnist_linear.py" "$train" "$test"
    else echo "(no softmax regression: ${PYTHON:-python3} has no numpy)"; fi
}

for part in "$@"; do
    case $part in
    choose | final) $part ;;
    *) echo "$0: $part: choose or final" >&2; exit 2 ;;
    esac
done
