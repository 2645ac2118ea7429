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
