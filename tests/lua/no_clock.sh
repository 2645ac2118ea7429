#!/bin/sh
# The compiler asks for no time: limits of scripts are counted (docs/10-language.md, section 9).
#     no_clock.sh libtern_compiler.a
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -eu
nm -u "$1" | grep -q 'U lua_newstate' || { echo "FAILED: $1 does not seem to be the compiler"; exit 1; }
if nm -u "$1" | grep -E 'U (clock|clock_gettime|gettimeofday|time|times|getrusage|alarm|setitimer|timer_create)(@|$)'; then
    echo "FAILED: the compiler reads a clock"
    exit 1
fi
