#!/bin/sh
# ranks_test.sh : what the tests of several ranks share; to be sourced behind cli_test.sh, with MPIRUN in $mpirun
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
export LC_ALL=C
# More ranks than processors; a test system runs as root. One machine: no network is asked for.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_mpi_yield_when_idle=1 PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe TMPDIR="$dir"
[ -n "$mpirun" ] && command -v "$mpirun" >/dev/null || {
    echo "FAILED: no mpirun ('$mpirun'): install openmpi-bin"
    exit 1
}

# ranks N STATUS words...: the command on N ranks, outputs in out and err; STATUS fails: any but 0
ranks() {
    n=$1 status=$2
    shift 2
    timeout 600 "$mpirun" -n "$n" "$tern" "$@" >"$dir/out" 2>"$dir/err" </dev/null
    got=$?
    if [ "$status" = fails ]; then
        [ "$got" -ne 0 ] || fail "mpirun -n $n tern $*: exit status 0"
    elif [ "$got" -ne "$status" ]; then
        fail "mpirun -n $n tern $*: exit status $got, wanted $status"
        cat "$dir/err"
    fi
}

# rank_pid N WORD: process of rank N among those whose command line has WORD; waits for it
rank_pid() {
    for _ in $(seq 600); do
        for p in /proc/[0-9]*; do
            cat "$p/cmdline" 2>/dev/null | tr '\0' ' ' | grep -q "^$tern .*$2" || continue
            cat "$p/environ" 2>/dev/null | tr '\0' '\n' |
                grep -qx -e "OMPI_COMM_WORLD_RANK=$1" -e "PMI_RANK=$1" || continue
            echo "${p#/proc/}"
            return
        done
        sleep 0.1
    done
}

# until_there FILE LINES: waits until a file has so many lines
until_there() {
    for _ in $(seq 3000); do
        [ -e "$1" ] && [ "$(wc -l <"$1")" -ge "$2" ] && return
        sleep 0.1
    done
    fail "$1 did not grow to $2 lines"
}
