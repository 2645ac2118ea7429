/* save.h : a state as a stream of bytes, for devices that keep what they learnt in flash
 * SPDX-License-Identifier: Apache-2.0
 *
 * Freestanding, integers only, no allocation. The stream is the same on every machine: little-endian, no padding,
 * versioned, with a check sum (docs/49-firmware.md, "The stream"). A stream belongs to a network: the fingerprint
 * covers sizes, formats, filters, structure and which synapses exist, not the values of weights and rates, so a state
 * goes from an untrained image to a trained one of the same script and back.
 *
 * Threads: a call uses only what it is given. Two threads may save or restore different states at the same time.
 */
#ifndef TERN_SAVE_H
#define TERN_SAVE_H
#include "tern/engine.h"
#ifdef __cplusplus
extern "C" {
#endif

#define TERN_SAVE_VERSION 1u
#define TERN_SAVE_HEAD_BYTES 120u

typedef enum tern_save_kind {
    TERN_SAVE_LEARNT = 0, /* weights, biases, self-memories, baselines, rates: what stays between examples */
    /* histories, errors, log-probabilities and spikes too: goes on in the middle of an example */
    TERN_SAVE_EVERYTHING = 1
} tern_save_kind;

/* Takes `n` bytes, 1 to 128 at a time, in order. Anything but TERN_OK ends tern_save() with this status. */
typedef tern_status (*tern_save_put)(void *context, const uint8_t *bytes, size_t n);

/* What the head of a stream says. */
typedef struct tern_save_info {
    tern_save_kind kind;
    uint32_t n_samples;     /* K, 1..32 */
    uint32_t presentations; /* as given to tern_save() */
    uint32_t step;          /* number of the next step */
    uint64_t seed;
} tern_save_info;

/* Bytes of a stream of this state; 0 if they would not fit 32 bits. */
size_t tern_save_bytes(const tern_state *st, tern_save_kind kind);

/* Writes the state. presentations: examples learnt so far, for a learning-rate schedule (tern/schedule.h); stored as it
 * is.
 * TERN_ERR_LIMIT: the stream would not fit 32 bits. */
tern_status tern_save(const tern_state *st, tern_save_kind kind, uint32_t presentations, tern_save_put put,
                      void *context);

/* Reads the head of a stream and checks its length and check sum. `what` (may be NULL) names the first fault.
 * TERN_ERR_FORMAT: not a stream; TERN_ERR_VERSION: of a version this runtime does not know; TERN_ERR_TRUNCATED: not as
 * long as its head says; TERN_ERR_CHECKSUM: damaged. */
tern_status tern_save_look(const uint8_t *bytes, size_t n, tern_save_info *out, const char **what);

/* Gives `st`, which tern_state_init() made for the same network, what the stream holds. A stream of kind EVERYTHING
 * needs the same number of samples. After one of kind LEARNT the state is as after tern_state_clear(). Everything is
 * checked before the first word of the state changes: after an error the state is as it was. out may be NULL.
 * Errors as tern_save_look(), TERN_ERR_FORMAT also for a number that no engine makes; TERN_ERR_ARGUMENT: of another
 * network, or of another number of samples. */
tern_status tern_restore(tern_state *st, const uint8_t *bytes, size_t n, tern_save_info *out, const char **what);

/* Tells networks apart, see above: FNV-1a, 64 bits. */
uint64_t tern_net_fingerprint(const tern_net *net);

#ifdef __cplusplus
}
#endif
#endif /* TERN_SAVE_H */
