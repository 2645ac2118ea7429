#!/bin/sh
# abi_self_test.sh SOURCE INCLUDE GCC : changes that break compiled programs, planted: abi.sh names each
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -eu
source=$1 include=$2 gcc=$3
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
n=0
planted() { # HEADER SED-COMMAND MESSAGE
    n=$((n + 1))
    rm -rf "$work/include"
    cp -r "$include" "$work/include"
    sed -i "$2" "$work/include/tern/$1"
    cmp -s "$work/include/tern/$1" "$include/tern/$1" && { echo "FAILED: $1 cannot be changed: $2"; exit 1; }
    if sh "$here/abi.sh" "$source" "$work/include" "$gcc" "$source/cmake/libtern.abi" \
        >"$work/out" 2>&1; then echo "FAILED: not noticed: $1: $2"; exit 1; fi
    grep -qF -- "$3" "$work/out" || { echo "FAILED: noticed by chance only: $1: $2"; cat "$work/out"; exit 1; }
}
planted engine.h 's/uint32_t step;/uint64_t step;/' 'uint64_t step;'
planted engine.h 's/bool pending;/uint8_t pending;/' 'uint8_t pending;'
planted diag.h 's/file\[160\]/file[161]/' '< struct tern_diags: '
planted status.h 's/ERR_DIFFERS,   40/ERR_DIFFERS,   42/' '> enum TERN_ERR_DIFFERS = 42'
planted engine.h 's/uint64_t seed);/uint32_t seed);/' \
    '> tern_status tern_state_init('
echo "$n planted changes are noticed"
