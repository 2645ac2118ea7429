/* tern_fast_internal.h : parts of the engine `fast`
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TERN_FAST_INTERNAL_H
#define TERN_FAST_INTERNAL_H
#include "tern/fast.h"
#include "tern/threads.h"
#include "tern_fast_places.h"
#include "tern_lanes.h"
#include "tern_plant.h"

enum {
    TERN_FAST_GROUP = 128,
    TERN_FAST_COEF_BYTES = 256 * 1024,
    TERN_FAST_CACHE = 32 * 1024,
    TERN_FAST_SPIKES = 32,
    TERN_FAST_LINE = 64,   /* bytes of a cache line, or of several: threads write no two things within it */
    TERN_FAST_PAIRS = 1024 /* of the delayed traces of a neuron as source: at most 32 samples of 63 lags */
};                         /* kernel form is for inputs with fewer spikes than this in a window, on average */

/* How the rows of one learning set, kind and filter learn: coefficients of 16 bits; of two parts; in 64 bits
 * (docs/24-fast-engine.md, section 4). */
typedef enum tern_fast_path { TERN_FAST_QUICK, TERN_FAST_SPLIT, TERN_FAST_WIDE } tern_fast_path;

/* Widths that were proved for the network. */
typedef struct tern_fast_widths {
    uint8_t path[2][2][TERN_MAX_FILTERS];  /* [learning set][tern_row_kind][filter]: tern_fast_path */
    bool self_narrow[2][TERN_MAX_FILTERS]; /* a sum over a self-memory stays below 2^31 */
    uint32_t sum_blocks
        [TERN_MAX_FILTERS]; /* N-2: blocks that a sum of 32 bits holds; 0: not one, so rows go the wide path */
    uint16_t ek_most[TERN_MAX_HISTORY]; /* coefficients that the proofs took for ek */
} tern_fast_widths;

/* Neurons that follow each other and have rows of the same shapes. */
typedef struct tern_fast_group {
    uint32_t first, n;
} tern_fast_group;

/* What a thread has of all units that are sources: every thread makes it for itself, since it is quickly made from
 * spikes and slowly fetched from another processor (docs/24-fast-engine.md, section 6). */
typedef struct tern_fast_sources {
    uint64_t *history[2];               /* [tern_row_kind]; of the first thread: those of the state */
    uint8_t *active[2];                 /* [kind][block] somebody in it has a history */
    int16_t *ring[2][TERN_MAX_FILTERS]; /* [kind][filter], NULL: no row has it */
    int16_t *x[2][TERN_MAX_FILTERS];    /* [kind][filter] traces of this step, [samples of the pool][positions] */
    uint8_t *spike_q;                   /* spikes of inputs as lists, see tern_lanes_spikes */
    uint32_t *spike_start;
    tern_lanes_spikes spikes;
    bool by_spikes;       /* rows of inputs may learn in kernel form in this pass: */
    uint32_t spike_pairs; /* those of neurons with at least so many pairs of coefficients that are not 0 */
} tern_fast_sources;

/* What holds for all neurons in a pass; made by every thread for itself, too. */
typedef struct tern_fast_signals {
    int16_t *ek;                                  /* [coef_stride] ek in the order of the slots */
    int16_t *m[2];                                /* [learning set][coef_stride] modulators without baseline */
    uint8_t live[2][TERN_MAX_SAMPLES], n_live[2]; /* samples for which they are not 0 */
    uint8_t slot[TERN_MAX_HISTORY];               /* of a lag */
    uint64_t modulators_limited;                  /* of set 1 without baseline, per neuron */
    uint16_t ek_seen[TERN_MAX_HISTORY];
    bool ek_proved; /* ek stays below what the proofs took */
} tern_fast_signals;

/* What a thread hands to the others behind a pass; the caller's thread only reads it. */
typedef struct tern_fast_result {
    tern_sat_counts sat;
    tern_comm_counts comm;
    uint32_t loss[TERN_MAX_SAMPLES];
    uint32_t *spikes; /* [K][words] of the neurons whose pass it made */
} tern_fast_result;

/* What one thread needs. */
typedef struct tern_fast_worker {
    /* Groups that nobody has begun in this pass: the pass's number in 16 bits, the first one and the one behind the
     * last in 24 each. The thread itself takes the first one, others take the last one. */
    _Alignas(TERN_FAST_LINE) uint64_t claims;
    _Alignas(TERN_FAST_LINE) struct tern_fast *f; /* this line and the next are never written in a pass */
    uint32_t first_group, n_groups;
    _Alignas(TERN_FAST_LINE) tern_fast_result out;
    _Alignas(TERN_FAST_LINE) uint64_t saturated; /* by the vector loops, of the current kind */
    tern_fast_sources src;
    tern_fast_signals now;
    /* of a group, [n] of neurons */
    int16_t *coef;             /* [n][coef_stride]    c, delayed traces of a pool of neurons  */
    int16_t *low, *high;       /* [n][shared_stride]  sums of c over samples: whole or low part, high part */
    int32_t *sum_c;            /* [n][shared_stride]  */
    int16_t *m;                /* [coef_stride] modulators of a neuron with a baseline */
    int64_t *sum_neurons;      /* [n][K] row sums, N-2 */
    int64_t *sum_inputs;       /* [n] */
    int64_t *acc_f20;          /* [n][K] */
    uint32_t *s_word, *unused; /* [n] rounded up to blocks */
    uint32_t *s_high;          /* [n] upper dither_bits of s_word */
    uint64_t *nonzero[2];      /* [kind][n][mask_words] pairs of coefficients that are not 0 */
    /* how rows of a kind are updated: see tern_lanes_rows */
    tern_lanes_item *items[2];
    uint16_t *lists[2]; /* [n][pairs] */
    uint32_t n_items[2], n_tiled;
    uint8_t *tiled;          /* [n] */
    double work[2];          /* products of the items for one position */
    uint16_t *blocks;        /* of a row, in which some unit has a history */
    uint32_t *reversed;      /* [blocks of a row] */
    uint32_t *draws;         /* [8][2][n] */
    uint8_t *spike, *target; /* [n][K], [n] */
    int16_t **weights;       /* [n] of a row */
    int32_t *u_wta;          /* [K][TERN_MAX_WTA] */
    bool *limited_wta;
    double products, spikes; /* multiply-adds of 16 bits and additions of the kernel form since the engine was opened */
    /* wide path */
    int32_t *coef32;   /* [coef_stride] */
    int16_t *coef_kap; /* [n][coef_stride] baselines per synapse: coefficients of the averages */
} tern_fast_worker;

/* What a pass counts. */
typedef struct tern_fast_counts {
    tern_sat_counts sat;
    tern_comm_counts comm;
    tern_fast_sent sent;
} tern_fast_counts;

/* The neurons of one of the engines that share a network. */
typedef struct tern_fast_part {
    uint32_t first, end;
    bool visible;
    uint32_t n_words;
    struct {
        uint32_t at, mask; /* word of positions, bits of this part in it */
    } * words;
} tern_fast_part;

struct tern_fast {
    /* The current pass; the caller's thread writes it before the others begin, so it is all they have to fetch. */
    _Alignas(TERN_FAST_LINE) bool update;
    bool potential, listened;
    bool cleared;   /* histories in the state became 0 since the last pass */
    bool remembers; /* the traces of the last step belong into slot remember_slot of the rings */
    uint32_t remember_slot;
    uint32_t number; /* of the pass */
    const uint32_t *targets;
    unsigned flags;
    _Alignas(TERN_FAST_LINE) tern_state *st;
    const tern_net *net;
    const tern_lanes *lanes;
    tern_fast_widths widths;
    tern_fast_info info;
    uint32_t n_flat;   /* K W: delayed traces of a neuron as source */
    uint32_t pairs[2]; /* [tern_row_kind] pairs of a ring */
    uint32_t coef_stride, shared_stride, group_max;
    uint32_t mask_words[2]; /* [kind] words of a bit for each pair */
    uint32_t blocks[2];     /* [kind] of the pools */
    uint16_t *table;        /* [filter][byte][256] sums of taps */
    uint32_t n_bytes;
    int16_t *self_ring;        /* [n_neurons][K][W] delayed traces through the self-memory's filter */
    int16_t *self_x;           /* [n_neurons][K] of this step */
    uint32_t *dither_lanes[2]; /* [learning set] */
    uint8_t forced;            /* by a test: tern_fast_force() */
    uint64_t *dense; /* bit per row: no synapse of it is absent; of a group's first neuron: of the whole group */
    uint8_t all_live[TERN_MAX_SAMPLES]; /* 0, 1, .. */
    tern_fast_group *groups;
    tern_fast_worker *workers;                          /* [info.threads] */
    struct tern_threads *pool;                          /* NULL: one thread */
    tern_fast_peers peers;                              /* count 1: none */
    tern_fast_part *parts;                              /* [peers.count] */
    tern_fast_places places;                            /* all NULL: not counted */
    _Alignas(TERN_FAST_LINE) tern_fast_divided divided; /* from here on: what is written between two passes */
    size_t *offset;                                     /* [peers.count + 1] in the current message */
    uint8_t *message;                                   /* of all parts, for a step or the counts */
    uint8_t *state_message;                             /* the same for a whole state */
    tern_fast_counts own;                               /* since the last flush, not yet sent to the peers */
    bool lost;
};

/* ---- parts ---- */
void tern_fast_prove(const tern_net *n, uint32_t n_samples, uint32_t products, tern_fast_widths *out);
/* Is anything in `ek` larger than the proofs took? */
bool tern_fast_ek_proved(const tern_fast_widths *w, const uint16_t *ek, uint32_t lags_w);

/* All that a pass does with a group of neurons. */
void tern_fast_group_pass(tern_fast_worker *w, tern_fast_group g);
/* For tests: a form is taken wherever it can be and not where it pays, since small networks would almost never have it.
 * KERNEL: inputs with fewer spikes than TERN_FAST_SPIKES; BUNDLES: neurons together; ALONE: one by one. OWN: threads
 * take no groups of each other, so that it is certain which one makes the pass of a neuron. */
enum { TERN_FAST_FORCE_KERNEL = 1, TERN_FAST_FORCE_BUNDLES = 2, TERN_FAST_FORCE_ALONE = 4, TERN_FAST_FORCE_OWN = 8 };
void tern_fast_force(tern_fast *f, unsigned forms);
/* For measurements: multiply-adds, and additions in kernel form, that were made since the engine was opened. */
void tern_fast_made(const tern_fast *f, double *out_products, double *out_additions);
/* Memory aligned to a cache line; *bytes grows by it. */
void *tern_fast_aligned(tern_arena *arena, size_t count, size_t size, size_t *bytes);

/* Memory for what a thread has of sources. tern_fast_changed() (tern/fast.h) fills it. */
bool tern_fast_sources_get(tern_fast *f, tern_fast_worker *w, tern_arena *arena);
/* Has tern_state_clear() been called since the last step? */
bool tern_fast_was_cleared(const tern_fast *f);
/* Thread i takes in the spikes of the last step; traces of this step. */
void tern_fast_sources_begin(tern_fast_worker *w);
/* Before a flush: traces of the last step go to the rings of all threads, if it learned. */
void tern_fast_remember_now(tern_fast *f);
/* Spikes of inputs as lists, or not. */
void tern_fast_list_spikes(tern_fast_worker *w);
/* Does work(f, i) for every worker, side by side or, where records have an order, one after the other. */
void tern_fast_each(tern_fast *f, void (*work)(void *ud, uint32_t i));
/* The trace of the last step through a neuron's self-memory goes to its ring. */
void tern_fast_remember_self(tern_fast *f, uint32_t neuron);
/* How the rows of a group of n neurons are updated, from the pairs of coefficients that are not 0. */
void tern_fast_plan(tern_fast_worker *w, uint32_t n);
/* One row of neuron `at` of the group that begins with neuron `first`, in 64 bits, with records and baselines per
 * synapse. */
void tern_fast_wide_row(tern_fast_worker *w, uint32_t neuron, uint32_t at, const tern_row *row);
/* Coefficients of a neuron with baselines per synapse; its bias and self-memory, N-21. */
void tern_fast_synapse_coefficients(tern_fast_worker *w, uint32_t neuron, uint32_t at);
int64_t tern_fast_synapse_bias(tern_fast_worker *w, uint32_t neuron, uint32_t at);
int64_t tern_fast_synapse_self(tern_fast_worker *w, uint32_t neuron, uint32_t at);
/* Neurons first..out-1 are the share of one of `left` engines or threads: about 1/left of the work *products that is
 * left, whole circuits. */
uint32_t tern_fast_share_end(const tern_fast *f, uint32_t first, uint32_t end, uint32_t left, double *products);
double tern_fast_products(const tern_fast *f, uint32_t first, uint32_t end);

/* Engines that share the network: memory; after a step; after a flush. */
tern_status tern_fast_peers_open(tern_fast *f, const tern_fast_peers *peers, tern_arena *arena);
void tern_fast_peers_step(tern_fast *f);
void tern_fast_peers_flush(tern_fast *f);

/* Spikes, errors and losses of a group behind its potentials. */
void tern_fast_fire(tern_fast_worker *w, tern_fast_group g);

/* ---- small helpers ---- */
/* A record for the state's sink, if it has one. */
static inline void tern_fast_put(tern_fast *f, unsigned kind, unsigned flags, uint32_t sample, uint32_t index,
                                 int32_t a, int32_t b, uint32_t draw)
{
    tern_record_sink *sink = f->st->sink;
    if (sink == NULL) return;
    const tern_record r = { .step = f->st->step,
                            .kind = (uint8_t)kind,
                            .flags = (uint8_t)flags,
                            .sample = (uint16_t)sample,
                            .index = index,
                            .a = a,
                            .b = b,
                            .draw = draw };
    sink->put(sink, &r);
}

static inline uint32_t tern_fast_pool_samples(const tern_fast *f, unsigned kind)
{
    return kind == TERN_ROW_SHARED ? 1u : f->st->n_samples;
}

/* Delayed trace n of position pos in a ring. */
static inline int16_t tern_fast_ring_at(const tern_fast *f, unsigned kind, const int16_t *ring, uint32_t pos,
                                        uint32_t n)
{
    const uint32_t lane = f->lanes->unit[(pos & 31u) >> 2] * 4u + (pos & 3u);
    return ring[((size_t)(pos >> 5) * f->pairs[kind] + (n >> 1)) * TERN_RING_PAIR + 2u * lane + (n & 1u)];
}
static inline unsigned tern_fast_set(const tern_fast *f, uint32_t neuron)
{
    return neuron >= tern_net_signal_first(f->net);
}
static inline bool tern_fast_by_synapse(const tern_fast *f, uint32_t neuron)
{
    return f->net->baseline == TERN_BASELINE_SYNAPSE && tern_fast_set(f, neuron) != 0;
}

#endif /* TERN_FAST_INTERNAL_H */
