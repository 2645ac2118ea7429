/* tern_lockstep_report.h : the first difference between golden model and core, as data and as text
 * SPDX-License-Identifier: Apache-2.0
 *
 * The lockstep fills a report and prints nothing. A report has no pointers into the lockstep: it is valid after
 * tern_lockstep_close(). tern_lockstep_report_print() makes the text.
 */
#ifndef TERN_LOCKSTEP_REPORT_H
#define TERN_LOCKSTEP_REPORT_H
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include "tern/record.h"
#ifdef __cplusplus
extern "C" {
#endif

typedef enum tern_difference_kind {
    TERN_DIFFERENCE_NONE,
    TERN_DIFFERENCE_RECORD,   /* a record, or one that only one side has */
    TERN_DIFFERENCE_CYCLES,   /* a step took other cycles than were predicted */
    TERN_DIFFERENCE_RANGE,    /* a step took less or more cycles than are possible */
    TERN_DIFFERENCE_BUSY,     /* the core does not become idle */
    TERN_DIFFERENCE_WORD,     /* a word of the host port, by its address */
    TERN_DIFFERENCE_MEMORY,   /* a word of a memory, by its number */
    TERN_DIFFERENCE_LOSS,     /* the loss of a sample */
    TERN_DIFFERENCE_REGISTER, /* a register */
} tern_difference_kind;

enum { TERN_DIFFERENCE_BEFORE = 6 };

/* One difference. What is of no meaning for its kind is 0 or NULL. */
typedef struct tern_difference {
    tern_difference_kind kind;
    uint32_t step;
    /* RECORD: its number, both sides' (has_*: there is one), what it shows, and the equal ones before it, oldest first.
     * neuron: that a weight belongs to, UINT32_MAX: no weight, or one that the network does not have */
    uint64_t number;
    bool has_golden, has_rtl;
    tern_record golden, rtl, before[TERN_DIFFERENCE_BEFORE];
    unsigned n_before;
    const char *verdict;
    uint32_t neuron;
    unsigned weight_bits, weight_frac; /* of the network's weights */
    /* CYCLES, RANGE, BUSY */
    uint64_t measured, predicted, least, most;
    /* WORD, MEMORY, LOSS, REGISTER: name of the memory or register; address, or number of the word or sample; both
     * values */
    const char *name;
    uint32_t at;
    uint64_t expected, found;
} tern_difference;

typedef struct tern_lockstep_report {
    tern_difference first; /* later ones are counted only */
    /* a check inside the core failed, in this step, and the core stands still; reported in addition */
    bool ended;
    uint32_t ended_step;
} tern_lockstep_report;

/* Lines for people, the first word of each difference is DIVERGE; nothing if there is no difference. */
void tern_lockstep_report_print(const tern_lockstep_report *report, FILE *to);

#ifdef __cplusplus
}
#endif
#endif /* TERN_LOCKSTEP_REPORT_H */
