#!/bin/sh
# A launcher that is not that of the MPI library (171); a library that does not start, or too many ranks (178).
#     sh test_launcher.sh RANKS_STUB [TERN]    TERN: the command, if it has MPI
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -u
failed=0
unset OMPI_COMM_WORLD_SIZE PMI_SIZE MV2_COMM_WORLD_SIZE SLURM_STEP_NUM_TASKS PMIX_RANK SLURM_NTASKS TERN_RANKS
# says STATUS TEXT program NAME=VALUE...: what a process with this environment prints
says() {
    status=$1 wanted=$2 program=$3
    shift 3
    got=$(env "$@" "$program" 2>&1)
    ended=$?
    [ $ended -eq "$status" ] || { echo "FAILED: $*: exit status $ended, wanted $status"; failed=1; }
    case $got in *"$wanted"*) ;; *) echo "FAILED: $*: '$got', wanted '$wanted'"; failed=1 ;; esac
}
apart='TERN-E0171: the launcher has started several processes, but for MPI each is alone'
refused='TERN-E0178: MPI does not start, or there are more than 4096 ranks'
says 0 'rank 0 of 1' "$1" RANKS_STUB=refuses
says 1 "$refused" "$1" RANKS_STUB=refuses PMI_SIZE=2
says 1 "$apart" "$1" RANKS_STUB=1 PMI_SIZE=2
says 0 'rank 0 of 2' "$1" RANKS_STUB=2 PMI_SIZE=2
says 0 'rank 0 of 4096' "$1" RANKS_STUB=4096 PMI_SIZE=4096
says 1 "$refused" "$1" RANKS_STUB=4097 PMI_SIZE=4097

# the command itself, started by something that only sets the environment of another launcher: it writes nothing
if [ $# -gt 1 ]; then
    dir=$(mktemp -d)
    trap 'rm -rf "$dir"' EXIT
    out=$(cd "$dir" && OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 MV2_COMM_WORLD_SIZE=2 \
        "$2" train net.lua --data data -o no.tern 2>&1)
    ended=$?
    [ $ended -ne 0 ] || { echo "FAILED: tern train: exit status 0"; failed=1; }
    case $out in *TERN-E0171*) ;; *) echo "FAILED: tern train: '$out'"; failed=1 ;; esac
    [ -z "$(ls -A "$dir")" ] || { echo "FAILED: written: $(ls -A "$dir")"; failed=1; }
fi
exit $failed
