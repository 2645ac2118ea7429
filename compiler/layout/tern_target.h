/* tern_target.h : the memories of a core, the devices that are known, and whether a network fits one of them
 * SPDX-License-Identifier: Apache-2.0
 *
 * Memories are counted exactly: every slice of 32 bits of rtl/mem/tern_ram.v is a memory of its own, and it is put into
 * block RAM, small RAM of logic cells or registers by the same cost that the synthesis (yosys memory_libmap) compares.
 * Weights of a small core may lie in single-port RAM (rtl/mem/tern_spram.v). Logic cells are estimated (tern_logic.h).
 * docs/35-targets.md
 */
#ifndef TERN_TARGET_H
#define TERN_TARGET_H
#include "tern_plan.h"
#ifdef __cplusplus
extern "C" {
#endif

/* ---- memories ------------------------------------------------------------------ */
/* at most; a core without circuits, classes, other rules or baselines has fewer, and so has a small core */
#define TERN_CORE_MEMORIES 47u
#define TERN_MEMORY_SINGLE UINT32_MAX

typedef struct tern_memory {
    const char *name; /* "weight", "pass.sums"                                    */
    const char *use;
    uint32_t width; /* bits of a word                                           */
    uint32_t depth; /* words                                                    */
    /* 0: tern_ram, read one cycle later; TERN_MEMORY_SINGLE: tern_spram; else tern_regfile with this many read ports,
     * read at once */
    uint32_t registers;
    /* of a tern_regfile: what is read goes to a register at once, which the synthesis may make that of a block RAM */
    bool latched;
    const char *path; /* instance in the core: "u_weight", "u_pass.u_draw"; the first of several copies */
    uint32_t copies;  /* as many of them; their instances are counted on from the path's number in brackets */
} tern_memory;

/* Every memory of a core with these capacities, in the order of tern_core.v or tern_small.v; returns how many. */
size_t tern_core_memories(const tern_capacity *core, tern_memory out[TERN_CORE_MEMORIES]);
static inline uint64_t tern_memory_bits(const tern_memory *m) { return (uint64_t)m->width * m->depth * m->copies; }

/* ---- devices ------------------------------------------------------------------- */
typedef enum tern_family { TERN_FAMILY_SIM, TERN_FAMILY_ICE40, TERN_FAMILY_ECP5 } tern_family;

typedef struct tern_target {
    const char *name, *text;
    tern_family family;
    uint32_t cells;    /* logic cells: a LUT of 4 inputs and a flip-flop */
    uint32_t rams;     /* block RAMs                                     */
    uint32_t ram_bits; /* of one block RAM                               */
    uint32_t dsps;     /* multiplier blocks                              */
    uint32_t sprams;   /* single-port RAMs of 16,384 words of 16 bits: weights of a small core */
} tern_target;

#define TERN_TARGETS 6u
extern const tern_target tern_targets[TERN_TARGETS]; /* smallest device first, "sim" last */
#define TERN_TARGET_CHOICES "up5k|hx8k|ecp5-25k|ecp5-45k|ecp5-85k|sim"
const tern_target *tern_target_find(const char *name); /* NULL: unknown */

/* Which core a network gets. Automatic: the small one on iCE40 devices if it can run the plan, else the large one. */
typedef enum tern_core_choice { TERN_CORE_AUTO, TERN_CORE_LARGE, TERN_CORE_SMALL } tern_core_choice;
#define TERN_CORE_CHOICES "auto|large|small"

/* How rows from neurons make weight changes: the planner's choice; a trace for each lag; a kernel for each sample. In
 * this order in TERN_FORM_CHOICES. */
typedef enum tern_form { TERN_FORM_AUTO, TERN_FORM_TRACE, TERN_FORM_KERNEL } tern_form;
#define TERN_FORM_CHOICES "auto|trace|kernel"
tern_form tern_form_find(const char *name); /* one of the choices, or NULL: auto */
/* One of the choices. Automatic is the large core if a form is asked for that only this one has. */
tern_core_choice tern_core_choice_find(const char *name, tern_form form);
/* Makes the plan that of a small core (tern_plan_use_small(): single-port RAM where the device has some, or where no
 * device is named), or leaves it that of a large one.
 * target may be NULL. TERN_ERR_FIT with a diagnostic (TERN-E0504): the small core is wanted and cannot run it. */
tern_status tern_target_core(const tern_target *target, tern_core_choice choice, tern_plan *plan, tern_diags *diags);

/* What is asked for; 0: the planner's choice. */
typedef struct tern_parallel {
    uint32_t ways, prep;
    tern_form form;
} tern_parallel;

/* Lets a large core take several samples per cycle in rows from neurons (tern_plan_use_ways()), or have a kernel for
 * each sample there (tern_plan_use_kernels()), and make several products of a kernel per cycle
 * (tern_plan_use_prep()). The planner's choice for the device is one of each and traces where none is named; else
 * more where a step that learns gets shorter by a twentieth, the device has the multipliers, a sixth of its logic
 * stays free, and lanes times ways are at most 32. A small core has one of each, whatever is asked for.
 * TERN_ERR_ARGUMENT with a diagnostic: more ways than samples, more products than taps or lags, kernels with several
 * ways. */
tern_status tern_target_ways(const tern_target *target, const tern_parallel *wanted, tern_plan *plan,
                             tern_diags *diags);
#define TERN_WAYS_MOST 16u

/* What one memory becomes. */
typedef struct tern_memory_use {
    uint32_t rams;      /* block RAMs                                       */
    uint32_t lut_rams;  /* 16 x 4 bit RAMs, of two logic cells each (ECP5)  */
    uint32_t sprams;    /* single-port RAMs (iCE40 UltraPlus)               */
    uint64_t registers; /* bits in flip-flops                               */
} tern_memory_use;
void tern_memory_map(tern_family family, const tern_memory *memory, tern_memory_use *out);

/* ---- fit ----------------------------------------------------------------------- */
#define TERN_FIT_CURES 6u

typedef struct tern_fit {
    const tern_target *target;
    bool fits;                        /* memories fit, and so do the logic cells as estimated                      */
    const struct tern_core_ops *core; /* whose needs they are: tern_cores.h */
    double error;                     /* of the estimate of cells, tern_logic_error() */
    bool resident;                    /* of a core for any network: it has capacities, and no changes are looked for */
    uint64_t rams, lut_rams;          /* of the core and the two buffers of the link                                */
    /* made of RAMs of 16 x 4 bits: ECP5, where block RAMs are short; bit i: memory i of tern_core_memories() */
    uint64_t small_memories;
    bool small_buffers;       /* the link's two buffers as well */
    uint64_t sprams;          /* single-port RAMs                                                          */
    uint64_t cells;           /* logic cells, estimated (tern_logic.h), link included                      */
    uint64_t registers_least; /* flip-flops that are certain: memories in registers, taps and kernels      */
    uint32_t multipliers;     /* multiplier blocks that would be used if there are enough                  */
    /* cells_short: the estimate, where what is certain fits */
    bool rams_short, sprams_short, registers_short, cells_short;
    size_t n_cures; /* single changes that make it fit; if there is none, combined ones          */
    char cures[TERN_FIT_CURES][120];
} tern_fit;

uint32_t tern_core_multipliers(tern_family family, const tern_capacity *core);
/* Number of lanes i is 1 << i. plans[i] may be NULL (then a change to these lanes is not looked for); plans[lane_shift]
 * is the plan asked about. */
void tern_target_fit(const tern_target *target, const tern_plan *const plans[6], uint32_t lane_shift, tern_fit *out);
/* The same for a core of these capacities. */
void tern_target_fit_core(const tern_target *target, const tern_capacity *core, tern_fit *out);
/* One diagnostic for each thing that is short (TERN-E0510, E0511, E0513, E0515), a warning for multipliers
 * (TERN-W0512); TERN_ERR_FIT if it does not fit. */
tern_status tern_target_report(const tern_fit *fit, tern_diags *diags);

#ifdef __cplusplus
}
#endif
#endif /* TERN_TARGET_H */
