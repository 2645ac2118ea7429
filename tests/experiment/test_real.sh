#!/bin/sh
# test_real.sh TERN MAKE_CLI_DATA JSON_GET CHECK_EVAL : a recording of MNIST-DVS, learnt by heart and in that data set's folders
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -u
real=${TERN_TEST_DATA:-}/mnist-dvs/mnist_0_scale04_0001.aedat
[ -r "$real" ] || { echo "skipped: set TERN_TEST_DATA to the folder that holds mnist-dvs/"; exit 77; }
. "$(dirname "$0")/../cli/cli_test.sh"
. "$(dirname "$0")/experiment_test.sh"

run 0 experiment memorise -o heart --data "$real" --hidden 2 --samples 2 --presentations 0,2 --inference 2 --seeds 1
awk -F, -v c="$(column heart log_loss)" 'NR == 2 { start = $c } NR == 3 && $c < 0.9 * start { good = 1 } END { exit !(good && NR == 3) }' heart/results.csv || fail "not learnt: $(cat heart/results.csv)"

# the folders of MNIST-DVS, files 1 to 3 to train on, 4 and 5 to test on (docs/50-experiments.md); the other digit is the same recording seen in a mirror
for digit in 0 1; do
    mkdir -p mnist-dvs/grabbed_data$digit/scale04
    for i in 1 2 3 4 5; do
        at=mnist-dvs/grabbed_data$digit/scale04/$(printf 'mnist_%d_scale04_%04d.aedat' $digit $i)
        if [ $digit -eq 0 ]; then cp "$real" "$at"; else run 0 data convert "$real" "$at" --mirror-x; fi
    done
done
lists() { # lists FROM TO: the recipe
    for digit in 0 1; do
        for i in $(seq "$1" "$2"); do printf 'mnist-dvs/grabbed_data%d/scale04/mnist_%d_scale04_%04d.aedat,%d\n' $digit $digit "$i" $digit; done
    done
}
lists 1 3 >train.csv
lists 4 5 >test.csv
run 0 experiment digits2 -o dvs --data train.csv --test test.csv --train-recordings 3 --test-recordings 2 --presentations 0,6,40 --inference 1,5 --seeds 1 --set data.mirror=x
[ "$(cut -d, -f2 dvs/data/train.csv | tr '\n' ' ')" = '0 1 0 1 0 1 ' ] || fail "classes take turns: $(cat dvs/data/train.csv)"
awk -F, -v c="$(column dvs accuracy)" '$6 == 40 && $8 == 5 && $c == 1 { good = 1 } END { exit !good }' dvs/results.csv || fail "two recordings are not told apart: $(cat dvs/results.csv)"
grep -q 'set data.mirror=x' dvs/report.html || fail "the report does not tell the setting"
exit $failed
