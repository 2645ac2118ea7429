#!/bin/sh
# fuzz.sh : builds the fuzz targets with clang, libFuzzer and sanitizers, and runs each of them
# SPDX-License-Identifier: Apache-2.0
#
#     fuzz.sh SOURCE WORK (--seconds S | --runs N) [TARGET...]
# --seconds: S seconds for all targets together; --runs: N inputs each, ten times as many for images. Without names:
# all targets. WORK keeps the build and, in WORK/corpus, what was found worth keeping: later runs continue from there.
# Seeds are made again. An input that breaks something is left in WORK/found/TARGET-*; it belongs into
# tests/fuzz/kept/TARGET when it is mended. $TERN_FUZZ_JOBS: processes that compile (default: all processors).
# TERN_FUZZ_BLIND=1: libFuzzer does not see what values are compared with, only which lines are reached: two to seven
# times as many inputs a second, for a corpus that no longer grows. This has a build of its own, WORK/blind.
export LC_ALL=C
unset LOCPATH # what glibc makes of it counts as a leak
set -u
[ $# -ge 4 ] || { sed -n '5,11p' "$0"; exit 2; }
source=$(cd "$1" && pwd) work=$2 kind=$3 amount=$4
shift 4
command -v clang >/dev/null || { echo "FAILED: needs clang: apt-get install clang libclang-rt-dev"; exit 1; }
mkdir -p "$work/corpus" "$work/found" || exit 1
work=$(cd "$work" && pwd)
build=$work/build unseen=
[ "${TERN_FUZZ_BLIND:-0}" = 0 ] || build=$work/blind unseen=-fno-sanitize-coverage=trace-cmp
clang=$(command -v clang)
# with another compiler than last time CMake starts from scratch, without the other options
grep -sq "^CMAKE_C_COMPILER:[A-Z]*=$clang\$" "$build/CMakeCache.txt" || rm -rf "$build"
# fifty programs are linked: with a quick linker, if there is one
linker=
command -v ld.lld >/dev/null && linker=-fuse-ld=lld
# A minute of fuzzing takes less time than its build, so the build is made cheap.
level='-O2 -g'
if [ "$kind" = --seconds ] && [ "$amount" -le 600 ]; then level='-O1 -gline-tables-only'; fi
build() {
    cmake -G Ninja -S "$source" -B "$build" "-DCMAKE_C_COMPILER=$clang" -DCMAKE_CXX_COMPILER=clang++ \
        "-DCMAKE_EXE_LINKER_FLAGS=${LDFLAGS-} $linker" \
        ${unseen:+"-DCMAKE_C_FLAGS=${CFLAGS-} $unseen"} -DCMAKE_BUILD_TYPE=RelWithDebInfo -DTERN_FUZZ=ON -DTERN_BUILD_TESTS=OFF \
        "-DCMAKE_C_FLAGS_RELWITHDEBINFO=$level -DNDEBUG" \
        "-DTERN_SANITIZE=address,undefined,float-cast-overflow" &&
        cmake --build "$build" ${TERN_FUZZ_JOBS:+-j "$TERN_FUZZ_JOBS"} --target fuzz_all
}
build >"$work/build.log" 2>&1 || {
    tail -n 40 "$work/build.log"
    echo "FAILED: the fuzz targets were not built"
    exit 1
}
rm -rf "$work/seeds"
"$build/fuzz/fuzz_seeds" "$work/seeds" || { echo "FAILED: no seeds"; exit 1; }
# shellcheck disable=SC2046 # one name a line
[ $# -gt 0 ] || set -- $(cat "$build/fuzz/targets.txt")
n=$#
# allocations with short call stacks and a small quarantine: twice as quick
ASAN_OPTIONS=malloc_context_size=4:quarantine_size_mb=4:max_malloc_fill_size=0
export ASAN_OPTIONS
failed=0 i=0
for target in "$@"; do
    i=$((i + 1))
    case $kind in
    --seconds) # whole seconds, shared so that the sum is right; libFuzzer ends when one more than its limit has passed
        seconds=$((amount * i / n - amount * (i - 1) / n))
        limit=-max_total_time=$((seconds > 2 ? seconds - 1 : 1)) ;;
    --runs) case $target in image) limit=-runs=${amount}0 ;; *) limit=-runs=$amount ;; esac ;;
    *) echo "fuzz.sh: --seconds or --runs"; exit 2 ;;
    esac
    longest=1024
    case $target in image | weights) longest=9000 ;; esac
    mkdir -p "$work/corpus/$target"
    dict=$source/tests/fuzz/dict/$target.dict kept=$source/tests/fuzz/kept/$target
    set_args() {
        [ -f "$dict" ] && printf '%s\n' "-dict=$dict"
        printf '%s\n' "$work/corpus/$target" "$work/seeds/$target"
        [ -d "$kept" ] && printf '%s\n' "$kept"
        :
    }
    set_args >"$work/args.txt"
    tr '\n' '\0' <"$work/args.txt" | xargs -0 "$build/fuzz/fuzz_$target" "$limit" -max_len=$longest -timeout=60 \
        -rss_limit_mb=4096 -print_final_stats=1 -artifact_prefix="$work/found/$target-" >"$work/$target.log" 2>&1
    status=$?
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$work/$target.log")
    cover=$(sed -n 's/.* cov: \([0-9]*\) .*/\1/p' "$work/$target.log" | tail -n 1)
    if [ $status -ne 0 ] || [ -z "$runs" ]; then
        failed=1
        echo "FAILED: $target: $(grep -E 'FAILED|SUMMARY|ERROR|runtime error' "$work/$target.log" | head -n 3)"
        ls "$work/found/$target"-* 2>/dev/null
    else
        echo "$target: $runs inputs, $cover edges, nothing found"
    fi
done
exit $failed
