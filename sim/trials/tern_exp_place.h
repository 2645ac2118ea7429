/* tern_exp_place.h : where a command of an experiment runs: beside this process, or beside another rank
 * (docs/25-mpi.md)
 * SPDX-License-Identifier: Apache-2.0
 *
 * Rank 0 gives commands out as ranks become free and reads what they leave in the experiment's folder, which all ranks
 * share. The others start what it asks for and report how it ended. Both sides send a sign of life each second.
 */
#ifndef TERN_EXP_PLACE_H
#define TERN_EXP_PLACE_H
#include <stdint.h>
#include "tern_exp_child.h"
#ifdef __cplusplus
extern "C" {
#endif

typedef struct tern_exp_place {
    uint32_t rank, slot; /* slot: the n-th place of all */
    bool busy;           /* a command runs here */
    bool lost;           /* its rank has not been heard of; nothing is started here any more */
    pid_t pid;           /* of rank 0's own */
    bool ended;          /* of others: the report has come */
    int status;
} tern_exp_place;

/* n places on each rank. */
void tern_exp_places_init(tern_exp_place *places, uint32_t n);
tern_status tern_exp_place_start(tern_exp_place *p, const tern_exp_command *c, const char *out_path,
                                 const char *err_path, tern_diags *diags);
tern_exp_end tern_exp_place_poll(tern_exp_place *p, int *out_status);
void tern_exp_place_ask(tern_exp_place *p);
/* Takes reports and signs of life, and sends some. A rank that was asked to stop asks all. */
void tern_exp_places_tend(tern_exp_place *places, uint32_t n);
/* Rank 0, when all is done: the others leave. */
void tern_exp_places_dismiss(void);
/* Any other rank: does what rank 0 says until it is dismissed; false: rank 0 is gone. */
bool tern_exp_places_serve(void);

#ifdef __cplusplus
}
#endif
#endif /* TERN_EXP_PLACE_H */
