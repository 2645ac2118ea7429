#!/bin/sh
# quick_tools.sh FOLDER : the tools that tests find first are the scripts of FOLDER, and jemalloc is in what they start
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -eu
folder=$1
[ -x "$folder/yosys" ] && [ -x "$folder/verilator_bin" ] || { echo "FAILED: no scripts in $folder"; exit 1; }
failed=0
for script in "$folder"/*; do
    tool=${script##*/}
    [ "$tool" != path.cmake ] || continue
    [ "$(command -v "$tool")" = "$script" ] || { echo "FAILED: $tool is $(command -v "$tool")"; failed=1; }
    case $tool in
    yosys-abc) set -- -c quit ;;
    *) set -- --version ;;
    esac
    # at its end jemalloc tells what it did
    MALLOC_CONF=stats_print:true "$tool" "$@" >told 2>&1 || { echo "FAILED: $tool $*"; failed=1; }
    grep -q 'Begin jemalloc statistics' told || { echo "FAILED: $tool runs without jemalloc"; head -n 5 told; failed=1; }
done
rm -f told
exit $failed
