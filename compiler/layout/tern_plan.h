/* tern_plan.h : where a network lies in the hardware, and how many cycles a step takes
 * SPDX-License-Identifier: Apache-2.0
 *
 * The core (rtl/core/tern_core.v) is programmable: its parameters are capacities, a network is memory contents. A plan
 * groups positions into words of `lanes`, gives rows and weights their addresses, and proves the widths that the sums
 * need. Everything that is loaded into the hardware is a host write (docs/33-host-port.md): the tern_plan_write_
 * functions make them, in order.
 */
#ifndef TERN_PLAN_H
#define TERN_PLAN_H
#include "tern/model.h"
#include "tern/vote.h"
#include "tern_hostport.h"
#ifdef __cplusplus
extern "C" {
#endif

/* The kinds of core, as register CAP_SMALL and the parameter SMALL count them. What is different between them:
 * tern_cores.h. */
typedef enum tern_core_kind {
    TERN_CORE_KIND_LARGE,       /* tern_core */
    TERN_CORE_KIND_SMALL_RAM,   /* tern_small, weights in block RAM */
    TERN_CORE_KIND_SMALL_BANKS, /* weights in two single-port banks */
    TERN_CORE_KIND_SMALL_EXACT, /* so, and of exactly WEIGHT_W bits */
    TERN_CORE_KINDS
} tern_core_kind;

/* The parameters of tern_core and tern_small, same names in lower case. */
typedef struct tern_capacity {
    uint32_t lanes, weight_w, samples, neurons, pairs, errors, taps_d, lags_w, hist_w, filters, rows, words, hist_words,
        targets;
    uint32_t x_w, kernel_w, delta_w, acc_w, dither_min, dither_max, index_w;
    /* rules other than GEM (0, 1), neurons with a baseline, largest WTA circuit, classes that vote */
    uint32_t signals, baselines, wta, classes;
    uint32_t prep;    /* products of a learning kernel per cycle, at least 1 */
    uint32_t kernels; /* 1: rows from neurons have a kernel for each sample */
    /* samples per cycle in rows from neurons, at least 1; history words of each way but the first */
    uint32_t ways, way_words;
    uint32_t skip;  /* 1: tern_core leaves silent words of inputs out, and its cycles depend on the data */
    uint32_t small; /* tern_core_kind */
} tern_capacity;

typedef enum tern_plan_kind {
    TERN_PLAN_SHARED = 0,
    TERN_PLAN_SAMPLE = 1,
    TERN_PLAN_SHIFT = 2,
    TERN_PLAN_NONE = 3
} tern_plan_kind;

typedef struct tern_plan_row {
    uint8_t kind; /* tern_plan_kind */
    bool shift;   /* shared row that also takes the new spikes into its histories */
    bool last;    /* last row of its neuron */
    bool reuse;   /* same taps and kernel as the row before */
    bool same;    /* same taps as the row before, whose kind is another one */
    uint8_t filter;
    uint32_t words; /* >= 1 */
    uint32_t hist;  /* first history word */
    uint32_t word;  /* first weight word */
    uint32_t index; /* dither index of the first word, in units of lanes */
    uint32_t neuron;
    uint32_t row; /* row of the network, UINT32_MAX for SHIFT and NONE */
} tern_plan_row;

typedef struct tern_plan {
    const tern_net *net;
    uint32_t lanes, lane_shift; /* lanes = 1 << lane_shift */
    uint32_t n_samples;
    uint32_t input_groups;  /* words of LANES input positions that a row reads */
    uint32_t neuron_groups; /* words of LANES neuron positions that hold a neuron, or that a row reads across */
    bool reads_neurons;     /* some row reads neurons; otherwise the core keeps no histories for that */
    uint32_t *input_group;  /* [n_inputs_pos / lanes]  word, or UINT32_MAX */
    uint32_t *neuron_group; /* [n_neurons_pos / lanes] word, or UINT32_MAX */
    uint32_t *neuron_lanes; /* [neuron_groups] bit per lane: there is a neuron. Other bits of frames and histories
                                     are no part of the state (docs/21-numerics.md, N-29) */
    uint32_t n_rows;
    tern_plan_row *rows;
    uint32_t *row_word;              /* [net.n_rows] first weight word */
    uint32_t *order;                 /* [net.n_rows] room for tern_plan_use_large() */
    uint32_t n_words;                /* weight words */
    uint32_t signal_first;           /* first neuron that learns from w; n_neurons: none */
    uint32_t class_first, n_classes; /* neurons that stand for classes, 0: nobody votes; tern_plan_classes() */
    uint8_t decode;                  /* tern_vote_decode */
    /* the core's LAGS_W is at most its TAPS_D: with several products per cycle taps come one by one
     * (rtl/core/tern_taps.v), else sums */
    bool taps_come;
    tern_capacity need; /* smallest core that holds this network; its ways are those that the plan is for */
} tern_plan;

/* Makes a plan. lanes: 1, 2, 4, 8, 16 or 32; n_samples: 1..32. TERN_ERR_LIMIT with a diagnostic if a hardware limit is
 * exceeded. */
tern_status tern_plan_make(const tern_net *net, uint32_t lanes, uint32_t n_samples, tern_arena *arena, tern_plan *out,
                           tern_diags *diags);

/* Makes it the plan of a large core with WAYS = ways, 1..16 (tern_plan_make() leaves 1): sample k lies in way k mod
 * ways. More ways than samples are allowed: those of a core that is there. */
void tern_plan_use_ways(tern_plan *plan, uint32_t ways);
/* Makes it the plan of a large core: the rows of a neuron filter by filter, sample rows before shared ones of the same
 * filter, whose kernel is made meanwhile. tern_plan_make() leaves the order of the network, which both cores can run.
 * Before tern_plan_use_ways(). */
void tern_plan_use_large(tern_plan *plan);
/* Brings the rows into the order that is best for the kind of this core: tern_plan_use_large(), or as they are. */
void tern_plan_use_order(tern_plan *plan, const tern_capacity *core);
/* Lets a large core make the weight changes of rows from neurons from a kernel for each sample, one sample per cycle,
 * instead of a trace for each lag (docs/31-blocks.md): nothing but cycles depends on it. Only with one way. */
void tern_plan_use_kernels(tern_plan *plan, bool kernels);
/* Lets a large core make `prep` products of a learning kernel per cycle, 1 to the least of taps and lags. Nothing but
 * cycles depends on it. */
void tern_plan_use_prep(tern_plan *plan, uint32_t prep);
/* Lets a large core leave silent words of inputs out (docs/31-blocks.md, Silent words): nothing but cycles depends on
 * it. tern_plan_cycles() are then those of a step without silent words, the most. A small core always does: nothing
 * changes. */
void tern_plan_use_skip(tern_plan *plan, bool skip);
/* The cycles of the plan are those of a core with these capacities, which it fits. */
void tern_plan_use_core(tern_plan *plan, const tern_capacity *core);
/* Groups of samples that are in a cycle together: ceil(K / ways). */
uint32_t tern_plan_slots(const tern_plan *plan);
/* Word of the regions HIST and FRAME in which a core of these capacities keeps the first group of neurons in this
 * sample; the other groups lie behind it. */
uint32_t tern_plan_sample_word(const tern_plan *plan, const tern_capacity *core, uint32_t sample);
/* The lanes of a word of these regions that hold a unit (N-29); of inputs all count, since the host has written them.
 * */
uint32_t tern_plan_unit_lanes(const tern_plan *plan, const tern_capacity *core, uint32_t word);

/* Lets `n_classes` visible neurons from `first` on vote (docs/21-numerics.md, section 9); 0: no votes. TERN_ERR_LIMIT
 * with a diagnostic: more than 1024, or not visible. */
tern_status tern_plan_classes(tern_plan *plan, uint32_t first, uint32_t n_classes, tern_vote_decode decode,
                              tern_diags *diags);

/* The same for the units of the model's label population; without one nobody votes. */
tern_status tern_plan_label_classes(tern_plan *plan, const tern_model *model, tern_vote_decode decode,
                                    tern_diags *diags);

/* Does the plan fit a core with these capacities? Each shortage is a diagnostic (TERN-E0501) with both numbers; returns
 * TERN_ERR_FIT then. A small core also has limits of what is no capacity (TERN-E0504), and no classes: the host counts
 * the votes. */
tern_status tern_plan_fits(const tern_plan *plan, const tern_capacity *core, tern_diags *diags);

/* Can the small core (rtl/small, docs/43-small-core.md) run this plan? Each limit that it breaks is a diagnostic
 * (TERN-E0504); TERN_ERR_FIT then. */
tern_status tern_plan_small(const tern_plan *plan, tern_diags *diags);
/* Makes it the plan of a small core: need.small, the widths that tern_small needs at least, nobody votes. banked:
 * weights in two single-port memories. */
void tern_plan_use_small(tern_plan *plan, bool banked);
/* Rows that a small core has beside the plan's: one shifts the histories of the inputs if a row of weights does that in
 * the large core. 0 or 1. */
uint32_t tern_small_extra_rows(const tern_plan *plan);
/* Words of 32 bits of a small core's data memory (rtl/small/tern_small.v, DATA). */
uint64_t tern_small_data_words(const tern_capacity *core);

/* Host address of 32-bit slice `slice` of word `word` of a memory whose words have `word_bits` bits. */
uint32_t tern_host_address(unsigned region, uint32_t word, unsigned word_bits, unsigned slice);

/* Receives host writes in order. */
typedef struct tern_host_writer {
    void (*write)(struct tern_host_writer *self, uint32_t address, uint32_t data);
} tern_host_writer;

/* All writes that load the network and its constant tables into a core: registers, descriptors, tables. `core`: its
 * capacities. */
void tern_plan_write_network(const tern_plan *plan, const tern_capacity *core, tern_host_writer *out);
/* All writes that load a state: weights, bias, self-memory, ek, seed, step and every dynamic memory. */
void tern_plan_write_state(const tern_plan *plan, const tern_capacity *core, const tern_state *state,
                           tern_host_writer *out);
/* Frames of a step, written before it starts. targets may be NULL. */
void tern_plan_write_frames(const tern_plan *plan, const uint32_t *inputs, const uint32_t *targets,
                            tern_host_writer *out);

/* The parameters GROUPS and FRAME_WORDS of a tern_axis that holds this network and no more, at least 1. */
uint32_t tern_plan_stream_groups(const tern_plan *plan);
uint32_t tern_plan_stream_words(const tern_plan *plan);
/* All writes that fit a tern_axis to the network: which word of the frame each group of input positions has, spikes of
 * all samples of the visible neurons (without any: of all neurons), nothing at the end of an example. The stream is off
 * after them. */
void tern_plan_write_stream(const tern_plan *plan, tern_host_writer *out);

/* The capacities that a core tells: its registers 0..31 (11..31 count). */
void tern_plan_capacity(const uint32_t registers[32], tern_capacity *out);

/* Gives the words of a core, asked for in a fixed order. */
typedef struct tern_host_reader {
    uint32_t (*read)(struct tern_host_reader *self, uint32_t address);
} tern_host_reader;

/* Reads the memories that tern_plan_write_state() writes back into `state`; NULL: asks for the same addresses in the
 * same order, and forgets the words. pending: an update waits, so modulators and learning signals are read too. What
 * the core does not hold stays as it is: registers, losses, inputs that no row reads. */
void tern_plan_read_state(const tern_plan *plan, const tern_capacity *core, bool pending, tern_host_reader *in,
                          tern_state *state);

/* Predicted cycles of a step (potential) or flush (!potential) in the large core, from the start command to idle;
 * update: an update is pending; learn: the step learns; clamp: visible neurons take their targets. Exact: the
 * co-simulation checks it. For a core that leaves silent words out (need.skip) it is what the step takes if no word is
 * silent. */
uint64_t tern_plan_cycles(const tern_plan *plan, bool update, bool potential, bool learn, bool clamp);
/* The same for the small core: an estimate, as if no input were silent. */
uint64_t tern_plan_small_cycles(const tern_plan *plan, bool update, bool potential, bool learn);
/* What a step on a small core of these capacities takes at least and at most, cycles: the co-simulation checks it. The
 * least is that of inputs that are all silent. */
typedef struct tern_cycle_range {
    uint64_t least, most;
} tern_cycle_range;
tern_cycle_range tern_plan_small_range(const tern_plan *plan, const tern_capacity *core, bool update, bool potential,
                                       bool learn);
/* What a step on a large core that leaves silent words out takes at least and at most: the co-simulation checks it.
 * Both are tern_plan_cycles() if need.skip is 0, and in a flush. */
tern_cycle_range tern_plan_skip_range(const tern_plan *plan, bool update, bool potential, bool learn, bool clamp);
/* Bits in which a small core of these capacities keeps how far the next word is that is not silent, 0..3
 * (rtl/small/tern_small.v, GAP_W). */
uint32_t tern_small_gap_bits(const tern_capacity *core);

#ifdef __cplusplus
}
#endif
#endif /* TERN_PLAN_H */
