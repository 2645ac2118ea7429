/* vote.h : class counters, decisions and votes at inference, golden model of rtl/blocks/tern_vote.v
 * SPDX-License-Identifier: Apache-2.0
 *
 * Freestanding. One example: tern_vote_begin(), then for each batch of samples tern_vote_step() after every step and
 * tern_vote_close() at the end.
 *
 * Threads: a vote is used by one thread at a time; different votes by different threads at once.
 */
#ifndef TERN_VOTE_H
#define TERN_VOTE_H
#include <stdbool.h>
#include <stdint.h>
#include "tern/net.h"
#ifdef __cplusplus
extern "C" {
#endif

#define TERN_VOTE_CLASSES 1024u /* classes at most */
#define TERN_VOTE_NEVER 65535u

typedef enum tern_vote_decode { TERN_DECODE_RATE = 0, TERN_DECODE_FIRST = 1 } tern_vote_decode;

typedef struct tern_vote {
    uint32_t n_classes, n_samples; /* of a batch */
    uint8_t decode;                /* tern_vote_decode */
    uint32_t step;                 /* steps of this batch so far */
    uint16_t *count;               /* [n_samples][n_classes] spikes, N-27 */
    uint16_t *first;               /* [n_samples][n_classes] step of the first spike */
    uint32_t *votes;               /* [n_classes] */
    uint32_t *spikes;              /* [n_classes] of all samples */
    uint32_t *decision;            /* [n_samples] of the last batch */
    uint32_t winner;               /* N-28 */
    uint32_t decided;              /* samples decided so far */
} tern_vote;

/* Bytes of memory for tern_vote_init, 0 if a number is out of range (1..1024 classes, 1..32 samples) or size_t cannot
 * hold the sum. */
size_t tern_vote_bytes(uint32_t n_classes, uint32_t n_samples);
/* `mem`: aligned to 8, given by the caller. */
tern_status tern_vote_init(tern_vote *v, uint32_t n_classes, uint32_t n_samples, tern_vote_decode decode, void *mem,
                           size_t bytes);
/* A new example: everything 0. */
void tern_vote_begin(tern_vote *v);
/* Spikes of one step: class c is the neuron at position pos0 + c. spikes: [n_samples][words], as tern_state.spikes. */
void tern_vote_step(tern_vote *v, const uint32_t *spikes, uint32_t words, uint32_t pos0);
/* What sample k < n_samples of this batch would decide for if the example ended here (N-27). */
uint32_t tern_vote_so_far(const tern_vote *v, uint32_t k);
/* Decides for the samples of the batch (N-27), adds to the votes, decides (N-28), clears the batch's counters. */
void tern_vote_close(tern_vote *v);
/* Could `more` further samples still change the winner? With an equal number of votes they could (N-28 looks at spikes
 * then). */
bool tern_vote_settled(const tern_vote *v, uint32_t more);

#ifdef __cplusplus
}
#endif
#endif /* TERN_VOTE_H */
