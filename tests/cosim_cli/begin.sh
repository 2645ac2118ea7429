#!/bin/sh
# begin.sh : what the tests of `tern cosim`, also those of netlists, share; to be sourced with TERN SOURCE WORK CORES as
# arguments, and the tools that are needed in $needs. Leaves the caller in WORK, which is empty. CORES is a cache that
# stays: cores of unchanged sources are not built again.
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC2034
export LC_ALL=C
set -u
tern=$1 source=$2 work=$3 cores=$4
for tool in $needs; do command -v "$tool" >/dev/null || { echo "SKIP: needs $tool"; exit 77; }; done
rm -rf "$work"
mkdir -p "$work" "$cores" || exit 1
cd "$work" || exit 1
failed=0
fail() {
    echo "FAILED: $*"
    failed=1
    # of a planted mistake, what comes behind the message that is wanted tells nothing more
    [ -z "${TERN_STOP_AT-}" ] || ! echo "FAILED: $*" | grep -q -e "$TERN_STOP_AT" || exit 1
}
