#!/bin/sh
# A build without MPI stops when it is one of several processes, by whichever launcher, and only then.
#     sh test_without.sh RANKS_WITHOUT
# SPDX-License-Identifier: Apache-2.0
export LC_ALL=C
set -u
failed=0
unset OMPI_COMM_WORLD_SIZE PMI_SIZE MV2_COMM_WORLD_SIZE SLURM_STEP_NUM_TASKS PMIX_RANK SLURM_NTASKS TERN_RANKS
# says TEXT NAME=VALUE...: what a process with this environment prints
says() {
    wanted=$1
    shift
    got=$(env "$@" "$program")
    case $got in *"$wanted"*) ;; *) echo "FAILED: $*: '$got', wanted '$wanted'"; failed=1 ;; esac
}
program=$1
refused='TERN-E0170: started as one of several processes (mpirun, srun), but this tern was built without MPI'
for several in OMPI_COMM_WORLD_SIZE=2 PMI_SIZE=3 MV2_COMM_WORLD_SIZE=2 SLURM_STEP_NUM_TASKS=4 PMIX_RANK=0; do
    says "$refused" $several
    says 'rank 0 of 1' $several TERN_RANKS=alone
done
says 'rank 0 of 1' A=1
says 'rank 0 of 1' OMPI_COMM_WORLD_SIZE=1 PMIX_RANK=0
says 'rank 0 of 1' SLURM_NTASKS=4 SLURM_PROCID=0
says 'TERN-E0177' TERN_RANKS=many
for seconds in 0 -1 1.5 ten 4294967296; do says 'TERN-E0177' TERN_RANKS_PATIENCE=$seconds; done
says 'rank 0 of 1' TERN_RANKS_PATIENCE=5
exit $failed
