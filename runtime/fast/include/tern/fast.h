/* fast.h : the engine `fast`: the same bits as the golden model, many times faster
 * SPDX-License-Identifier: Apache-2.0
 *
 * Works on a tern_state (tern/engine.h) and leaves in it, after every call, exactly what tern_step() and tern_flush()
 * would: all arrays, counts and records.
 * How it does so is docs/24-fast-engine.md. Use:
 *     tern_state_init(&st, &net, ...);
 *     tern_fast_open(&st, &(tern_fast_options){ 0 }, &arena, &fast, diags);
 *     tern_fast_step(fast, inputs, targets, flags); ... tern_fast_flush(fast); tern_state_clear(&st);
 *     tern_fast_close(fast);
 *
 * Threads: an engine and its state are used by one thread at a time; different ones by different threads at once.
 * An engine has its own threads, which touch nothing between two calls. tern_fast_isa() reads the
 * environment.
 */
#ifndef TERN_FAST_H
#define TERN_FAST_H
#include "tern/arena.h"
#include "tern/diag.h"
#include "tern/engine.h"
#ifdef __cplusplus
extern "C" {
#endif

#define TERN_FAST_MAX_THREADS 256u

typedef struct tern_fast tern_fast;

/* Engines that share a network (docs/25-mpi.md): each makes the passes of a range of neurons, and tells the others
 * after each step what came out. All of them make the same calls with the same arguments. */
typedef struct tern_fast_peers {
    uint32_t index, count; /* this engine is index of count; no more than tern_fast_most_peers() */
    void *ud;
    /* Bytes offset[index]..offset[index + 1]-1 of `all` go to the others, theirs come in. offset: [count + 1]. False:
     * one of them is lost, and so is the state. */
    bool (*exchange)(void *ud, uint8_t *all, const size_t *offset);
} tern_fast_peers;

/* What engines that share a network have sent, all of them together, each receiver counted, up to the last flush. */
typedef struct tern_fast_sent {
    uint64_t losses; /* numbers of 32 bits: K from each engine with visible neurons, in a step */
    uint64_t spikes; /* words of 32 bits: K for each word of positions that an engine has neurons in, in a step */
    uint64_t counts; /* numbers of 64 bits: saturations and the like, in a flush */
    uint64_t state;  /* bytes of tern_fast_share() */
} tern_fast_sent;

typedef struct tern_fast_options {
    const char *
        /* instruction set: a name of tern_fast_isas(); NULL: $TERN_ISA, or without it the quickest that this
         * processor has */
        isa;
    uint32_t threads; /* 1..TERN_FAST_MAX_THREADS; 0: as many as pay, at most tern_threads_online() */
} tern_fast_options;

/* What the engine does with a network. */
typedef struct tern_fast_info {
    const char *isa;
    uint32_t threads;
    uint64_t quick, split, wide; /* synapses (absent ones included) of each path, docs/24-fast-engine.md section 4 */
    size_t bytes;                /* of memory, without the tern_state */
    double products;             /* multiply-adds in a pass that learns and computes potentials */
} tern_fast_info;

/* The instruction set that `name`, or without it $TERN_ISA, requests; without both, the fastest of this processor.
 * Codes 140: an unknown one; 141: one that this processor lacks. */
tern_status tern_fast_isa(const char *name, const char **out, tern_diags *diags);
/* Names of all instruction sets of this program, ended by NULL; does the processor have it? */
const char *const *tern_fast_isas(void);
bool tern_fast_has(const char *isa);

/* Makes an engine for a state; both must stay where they are. Memory comes from the arena. Codes 140, 141, 142:
 * threads cannot be started. TERN_ERR_MEMORY. */
tern_status tern_fast_open(tern_state *st, const tern_fast_options *o, tern_arena *arena, tern_fast **out,
                           tern_diags *diags);
/* The same with engines that share the network; peers are copied. Without threads in the options it has one. */
tern_status tern_fast_open_with(tern_state *st, const tern_fast_options *o, const tern_fast_peers *peers,
                                tern_arena *arena, tern_fast **out, tern_diags *diags);
/* As tern_step(), tern_flush(). */
void tern_fast_step(tern_fast *f, const uint32_t *inputs, const uint32_t *targets, unsigned flags);
void tern_fast_flush(tern_fast *f);
/* To be called after histories, errors, lag_head or spikes in the state were changed by anything other than the calls
 * above, tern_state_clear(), tern_state_copy_weights() and tern_reward(). */
void tern_fast_changed(tern_fast *f);
/* With peers: parameters, errors and baselines in the state are those of this engine's neurons only, until this call
 * fetches the others'; counts of saturations and numbers sent are complete after a flush. A pass that the golden model
 * has to make fetches them, too. */
void tern_fast_share(tern_fast *f);
/* Is a peer lost? Then nothing in the state holds any more. */
bool tern_fast_lost(const tern_fast *f);
/* Engines that can share a network: neurons by themselves, and circuits, which are not divided. */
uint32_t tern_fast_most_peers(const tern_net *net);
typedef struct tern_fast_divided {
    uint32_t first, end; /* neurons first..end-1 are those of this engine */
    tern_fast_sent sent;
} tern_fast_divided;
void tern_fast_divided_of(const tern_fast *f, tern_fast_divided *out);
void tern_fast_describe(const tern_fast *f, tern_fast_info *out);
/* Ends threads. NULL: no effect. */
void tern_fast_close(tern_fast *f);

#ifdef __cplusplus
}
#endif
#endif /* TERN_FAST_H */
