/* tern_cores.h : the kinds of core, and what is different between them: one table of facts and operations for each
 * SPDX-License-Identifier: Apache-2.0
 *
 * Code that needs to know what a core does or how its memories are laid out takes it from tern_core_of(); it does not
 * ask which core it is. tern_core_large.c and tern_core_small.c fill the tables.
 */
#ifndef TERN_CORES_H
#define TERN_CORES_H
#include "tern_logic.h"
#include "tern_target.h"
#ifdef __cplusplus
extern "C" {
#endif

/* The Verilog of a core. */
typedef enum tern_core_design { TERN_DESIGN_LARGE, TERN_DESIGN_SMALL, TERN_DESIGNS } tern_core_design;

/* Coefficients of the estimate of logic cells (tern_logic.h). */
typedef struct tern_logic_row {
    tern_family family;
    double error, cells[TERN_LOGIC_PARTS];
} tern_logic_row;

/* A limit that is no capacity, or that a core of any size has: the network or the core needs `need`, at most `most`
 * exists. name: for people with a network; capacity: in terms of the core's parameters; cure: what a network may
 * change. */
enum { TERN_CORE_LIMITS = 9 };
typedef struct tern_core_limit {
    const char *name, *capacity, *cure;
    double need, most;
} tern_core_limit;

typedef struct tern_core_ops {
    /* ---- names ---- */
    tern_core_design design;
    const char *name;         /* "large", "small": what --core takes and JSON has */
    const char *module;       /* top module of the Verilog */
    const char *list;         /* its files: rtl/tern_core.f */
    const char *folder;       /* where its blocks are: rtl/core */
    const char *noun;         /* "core", "small core" */
    const char *prefix;       /* of a list of sizes: "", "small core, " */
    const char *suffix;       /* of a device that it fits: "", " (small core)" */
    const char *short_prefix; /* the same: "", "small, " */
    /* ---- facts ---- */
    uint32_t port_version; /* register VERSION of the host port */
    bool exact;            /* cycles are predicted exactly; else estimated */
    bool counts_cycles;    /* has the register CYCLES */
    bool counts_votes;     /* has class counters; else the host counts */
    bool parallel;         /* has the parameters WAYS, PREP and SKIP; else one sample, one product, always skips */
    bool single_port;      /* may keep weights in single-port RAM */
    bool banked;           /* keeps weights in two single-port memories */
    bool exact_weights;    /* stores weights of exactly WEIGHT_W bits */
    bool signed_halves;    /* 16-bit words of the host port have their sign extended to 32 bits */
    bool paired_tables;    /* tables of 16 bits lie two in a word */
    /* ---- the plan ---- */
    /* Brings the rows of a plan into the order that such a core is fastest with. */
    void (*order)(tern_plan *plan);
    /* Rows that it has in addition to those of tern_plan_make(). */
    uint32_t (*extra_rows)(const tern_plan *plan);
    /* Largest sum of a neuron's coefficients. */
    double coefficients_most;
    /* Limits of such a core of these capacities; returns how many, at most TERN_CORE_LIMITS. */
    size_t (*limits)(const tern_capacity *core, tern_core_limit out[TERN_CORE_LIMITS]);
    /* Limits of the network that no capacity shows. False, with diagnostics (TERN-E0504): one is broken. */
    bool (*network_limits)(const tern_plan *plan, tern_diags *diags);
    /* ---- cycles ---- */
    /* Of a step or flush (tern_plan_cycles()); of a core that leaves silent words out: as if there were none. */
    uint64_t (*cycles)(const tern_plan *plan, bool update, bool potential, bool learn, bool clamp);
    tern_cycle_range (*range)(const tern_plan *plan, const tern_capacity *core, bool update, bool potential, bool learn,
                              bool clamp);
    /* ---- host port: what writes and reads do not have in common ---- */
    /* Gives the words of all row descriptors to `put`, row by row. */
    void (*rows)(const tern_plan *plan, void (*put)(void *ud, uint32_t row, const uint32_t word[4]), void *ud);
    /* Words of the regions NEURON and PLACE. filter: TERN_NO_FILTER or that of the self-memory; lane, group: where the
     * neuron is. */
    uint32_t (*neuron)(const tern_capacity *core, uint8_t filter);
    uint32_t (*place)(const tern_neuron *neuron, uint32_t group, uint32_t lane);
    /* Word of the region ERROR. */
    uint32_t (*error)(const tern_net *net, uint32_t n_samples, uint32_t neuron, uint32_t column, uint32_t sample);
    /* ---- size ---- */
    size_t (*memories)(const tern_capacity *core, tern_memory out[TERN_CORE_MEMORIES]); /* tern_core_memories() */
    uint32_t (*multipliers)(tern_family family, const tern_capacity *core);             /* tern_core_multipliers() */
    /* Bits in registers that are certain, beside those of memories. */
    uint64_t (*registers)(const tern_capacity *core);
    /* Partial products of the multipliers that are not in the lanes. */
    double (*other_products)(const tern_capacity *core);
    double kernel_copies; /* of taps and learning kernel */
    const tern_logic_row *logic;
    size_t n_logic;
} tern_core_ops;

/* The table for a core of these capacities, by its `small`, a tern_core_kind. Never NULL; a number that is no kind,
 * which only a damaged report of a board has, is taken for TERN_CORE_KIND_SMALL_BANKS. */
const tern_core_ops *tern_core_of(const tern_capacity *core);

extern const tern_core_ops tern_core_large_ops, tern_core_small_ram_ops, tern_core_small_banks_ops,
    tern_core_small_exact_ops;

#ifdef __cplusplus
}
#endif
#endif /* TERN_CORES_H */
