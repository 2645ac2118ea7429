/* tern_resident.h : the resident core of a board: capacities for any network that fits (docs/44-resident.md)
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TERN_RESIDENT_H
#define TERN_RESIDENT_H
#include "tern_device.h"
#include "tern_plan.h"
#ifdef __cplusplus
extern "C" {
#endif

typedef struct tern_resident {
    double clock_mhz; /* of the core */
    uint32_t baud;    /* bits per second of the link */
    tern_capacity capacity;
} tern_resident;

/* Reads rtl/boards/BOARD/resident.json of the share folder (tern_share.h). Codes 524, 540 (also: of more than 65536
 * bytes), 541; TERN_ERR_IO, TERN_ERR_ARGUMENT or TERN_ERR_MEMORY. */
tern_status tern_resident_open(const tern_board *board, tern_resident *out, tern_diags *diags);
/* The same from one file. */
tern_status tern_resident_read(const char *path, tern_resident *out, tern_diags *diags);

/* Can there be such a core? Each number that is out of range is a diagnostic (541) that names `file`. */
tern_status tern_resident_check(const tern_capacity *core, const char *file, tern_diags *diags);
/* The same for a core that is made for one network: what rtl/core/tern_core.v and rtl/small/tern_small.v accept. It may
 * have more of a capacity than its others can use (41 bits of history for 17 taps and lags). */
tern_status tern_core_check(const tern_capacity *core, const char *file, tern_diags *diags);

/* The parameter that "NAME=VALUE" names, as in NAME.vh (WORDS=20000), and the value; code 812 and NULL: there is none,
 * or no number from 0 to 2^24. */
uint32_t *tern_resident_parameter(tern_capacity *core, const char *item, uint32_t *out_value, tern_diags *diags);
/* Does no item before the i-th name the same parameter? Code 812 and TERN_ERR_ARGUMENT: one does. */
tern_status tern_resident_once(const char *const *items, size_t i, tern_diags *diags);
/* Sets it; TERN_ERR_ARGUMENT as above. */
tern_status tern_resident_set(tern_capacity *core, const char *item, tern_diags *diags);
/* "'ITEM': WHAT" with code 812; TERN_ERR_ARGUMENT. */
tern_status tern_resident_wrong(const char *item, const char *what, tern_diags *diags);

#ifdef __cplusplus
}
#endif
#endif /* TERN_RESIDENT_H */
