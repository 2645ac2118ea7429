#!/bin/sh
# A launcher that is not that of the MPI library (171); a library that does not start, or too many ranks (178); other
# ranks that have another version (174), do not answer (175) or fail (179); a verb that is not divided (172).
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
differ='TERN-E0174: ranks have different versions of tern (or orders of bytes): '
says 1 "${differ}rank 1 differs from rank 0" "$1" RANKS_STUB=2 RANKS_STUB_OTHERS=differ PMI_SIZE=2
says 1 "${differ}ranks 1, 2 differ from rank 0" "$1" RANKS_STUB=3 RANKS_STUB_OTHERS=differ PMI_SIZE=3
says 1 "${differ}ranks 1, 2, 3, 4, 5, 6, 7, 8, ... differ" "$1" RANKS_STUB=10 RANKS_STUB_OTHERS=differ PMI_SIZE=10
says 1 'TERN-E0175: a rank is lost' "$1" RANKS_STUB=2 RANKS_STUB_OTHERS=lost PMI_SIZE=2
says 1 'TERN-E0179: rank 1 of 3 has failed, so all stop' "$1" RANKS_STUB=3 RANKS_STUB_OTHERS=fail PMI_SIZE=3

# the command itself, started by something that only sets the environment of another launcher: it writes nothing
if [ $# -gt 1 ]; then
    dir=$(mktemp -d)
    trap 'rm -rf "$dir"' EXIT
    out=$(cd "$dir" && OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 MV2_COMM_WORLD_SIZE=2 \
        "$2" train net.lua --data data -o no.tern 2>&1)
    ended=$?
    [ $ended -ne 0 ] || { echo "FAILED: tern train: exit status 0"; failed=1; }
    case $out in *TERN-E0171*) ;; *) echo "FAILED: tern train: '$out'"; failed=1 ;; esac
    out=$(cd "$dir" && PMI_SIZE=2 PMI_RANK=0 "$2" eval net.tern --data data 2>&1)
    [ $? -ne 0 ] || { echo "FAILED: tern eval: exit status 0"; failed=1; }
    case $out in
    *'TERN-E0172: started as one of several processes'*) ;;
    *) echo "FAILED: tern eval: '$out', wanted TERN-E0172"; failed=1 ;;
    esac
    [ -z "$(ls -A "$dir")" ] || { echo "FAILED: written: $(ls -A "$dir")"; failed=1; }
fi
exit $failed
