#!/bin/sh
# coverage.sh : which lines of the readers the fuzz targets reach
# SPDX-License-Identifier: Apache-2.0
#
#     coverage.sh SOURCE WORK LEAST [CORPUS]
# Runs every target over seeds, kept inputs and CORPUS (as fuzz.sh leaves it), and damaged copies of them. Fails when
# fewer than LEAST per cent of the lines of the readers are reached. WORK/report.txt: by file; WORK/missed.txt: the
# lines that are not.
export LC_ALL=C
unset LOCPATH # what glibc makes of it counts as a leak
set -u
[ $# -ge 3 ] || { sed -n '5p' "$0"; exit 2; }
source=$(cd "$1" && pwd) work=$2 least=$3 corpus=${4:-}
[ -z "$corpus" ] || corpus=$(cd "$corpus" && pwd)
profdata=$(command -v llvm-profdata || ls /usr/lib/llvm-*/bin/llvm-profdata 2>/dev/null | tail -n 1)
cov=$(command -v llvm-cov || ls /usr/lib/llvm-*/bin/llvm-cov 2>/dev/null | tail -n 1)
for tool in clang "$profdata" "$cov"; do
    command -v "$tool" >/dev/null || {
        echo "FAILED: needs clang, llvm-profdata and llvm-cov: apt-get install clang llvm"
        exit 1
    }
done
mkdir -p "$work" || exit 1
work=$(cd "$work" && pwd)
{
    cmake -G Ninja -S "$source" -B "$work/build" -DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++ \
        -DCMAKE_BUILD_TYPE=RelWithDebInfo -DTERN_FUZZ=OFF -DTERN_BUILD_TESTS=ON -DTERN_TEST_COSIM=OFF \
        "-DCMAKE_C_FLAGS=-fprofile-instr-generate -fcoverage-mapping" &&
        cmake --build "$work/build" --target fuzz_all
} >"$work/build.log" 2>&1 || {
    tail -n 40 "$work/build.log"
    echo "FAILED: not built"
    exit 1
}
rm -rf "$work/seeds" "$work"/*.profraw
LLVM_PROFILE_FILE=$work/make.profraw "$work/build/fuzz/fuzz_seeds" "$work/seeds" || exit 1
rm -f "$work/make.profraw" # of the seeds: no target
failed=0
objects='' # the first is named by itself, as llvm-cov wants it
# shellcheck disable=SC2013 # one name a line
for target in $(cat "$work/build/fuzz/targets.txt"); do
    set -- "$work/seeds/$target"
    [ -d "$source/tests/fuzz/kept/$target" ] && set -- "$@" "$source/tests/fuzz/kept/$target"
    [ -n "$corpus" ] && [ -d "$corpus/$target" ] && set -- "$@" "$corpus/$target"
    LLVM_PROFILE_FILE="$work/$target.profraw" "$work/build/fuzz/fuzz_$target" -runs=2000 "$@" \
        >"$work/$target.log" 2>&1 || {
        echo "FAILED: $target: $(tail -n 3 "$work/$target.log")"
        failed=1
    }
    objects="$objects ${objects:+-object }build/fuzz/fuzz_$target"
done
"$profdata" merge -sparse -o "$work/all.profdata" "$work"/*.profraw || exit 1
cd "$work" || exit 1
readers=''
for name in source stream select recording aedat2 aedat3 aedat4 unpack nmnist prophesee es csv keep npy arrays hdf5 \
    hdf5_work idx frames dataset values store store_npz; do
    [ -f "$source/runtime/data/tern_$name.c" ] && readers="$readers|tern_$name\.c"
done
# shellcheck disable=SC2086 # a list of options
"$cov" report $objects -instr-profile=all.profdata >report.txt 2>report.err || { cat report.err; exit 1; }
# shellcheck disable=SC2086
"$cov" show $objects -instr-profile=all.profdata 2>/dev/null | grep -E '^ +[0-9]+\| +0\||^/' >missed.txt
awk -v least="$least" -v readers="runtime/data/(${readers#|})$" '
    $1 ~ readers { lines += $8; missed += $9; printf "%-32s %6d lines, %6.2f %%\n", $1, $8, 100 - 100 * $9 / $8 }
    END {
        if (lines == 0) { print "FAILED: no readers in the report"; exit 1 }
        printf "%-32s %6d lines, %6.2f %%\n", "all readers", lines, 100 - 100 * missed / lines
        if (100 - 100 * missed / lines < least) {
            print "FAILED: fewer than " least " % of their lines are reached"
            exit 1
        }
    }' report.txt || failed=1
exit $failed
