#!/bin/sh
# links.sh : the project that other processors get, for this one: it lists its sources itself, and one may be missing
#     sh links.sh CMAKE ROOT BUILD_FOLDER
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -eu
cmake=$1 root=$2 build=$3
# Quick: else the compilation of the engine's loops takes nearly all of the time
"$cmake" -G Ninja -B "$build" -S "$root/tests/targets/lockstep" -DCMAKE_BUILD_TYPE=Quick >"$build.log" 2>&1 &&
    "$cmake" --build "$build" --target test_fast_random engine_digest >>"$build.log" 2>&1 || {
    tail -n 20 "$build.log"
    exit 1
}
"$build/test_fast_random" --isa plain --count 2
