#!/bin/sh
# Core and engine `fast` for another processor, built by Debian's cross compiler and run under qemu-user: the lockstep, and the
# digest of the golden model's records against that of this machine.
#     sh lockstep.sh CMAKE ROOT NAME NETWORKS ENGINE_DIGEST BUILD_FOLDER          NAME: of cmake/toolchain-NAME.cmake
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -eu
cmake=$1 root=$2 name=$3 networks=$4 digest=$5 build=$6
toolchain=$root/cmake/toolchain-$name.cmake
emulator=$(sed -n 's/^set(CMAKE_CROSSCOMPILING_EMULATOR \(.*\))$/\1/p' "$toolchain")
compiler=$(sed -n 's/^set(CMAKE_C_COMPILER \(.*\))$/\1/p' "$toolchain")
for tool in "$compiler" "${emulator%% *}"; do
    command -v "$tool" >/dev/null && continue
    echo "$tool is not here: apt install gcc-${compiler%-gcc} qemu-user, and the C library for that processor" >&2
    exit 1
done
"$cmake" -G Ninja -B "$build" -S "$root/tests/targets/lockstep" -DCMAKE_TOOLCHAIN_FILE="$toolchain"
"$cmake" --build "$build"
# shellcheck disable=SC2086 # the emulator and its option
run() { $emulator "$build/$@"; }
here=$("$digest")
there=$(run engine_digest)
printf 'here   %s\n%-6s %s\n' "$here" "$name" "$there"
[ -n "$here" ] && [ "$here" = "$there" ]
run test_fast_limits
run test_fast_random --count "$networks"
run test_fast_random --count "$networks" --peers 0

# and it would have been noticed, on this processor too
wrong=$(run engine_digest_wrong)
[ -n "$wrong" ] && [ "$wrong" != "$here" ] || { echo "a golden model with a fault has the same digest" >&2; exit 1; }
for bug in ERROR SPLIT WIDE DRAW; do
    # shellcheck disable=SC2046 # three words: the bug, the array that shows it, the network
    set -- $(sed -n "s/^found \($bug [a-z0-9_]* [0-9]*\)\$/\1/p" "$root/tests/fast/mutants.list")
    [ $# -eq 3 ] || { echo "$bug is not in tests/fast/mutants.list" >&2; exit 1; }
    if found=$(run test_fast_planted --plant "$1" --first "$3" --count 1); then
        echo "$1 is not found" >&2
        exit 1
    fi
    case $found in *"DIFFERS array=$2 "*) ;; *) printf '%s is found by something else:\n%s\n' "$1" "$found" >&2; exit 1 ;; esac
done
echo "planted faults found"
