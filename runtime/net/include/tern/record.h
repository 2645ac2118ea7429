/* record.h : what an engine reports, in one order for every engine (docs/32-records.md)
 * SPDX-License-Identifier: Apache-2.0
 *
 * Threads: every function may be called by any thread at any time. A sink is called by the thread that makes the step.
 */
#ifndef TERN_RECORD_H
#define TERN_RECORD_H
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

typedef enum tern_record_kind {
    TERN_REC_W = 0, /* weight change, index = weight index (in tern_net.weights0)                                  */
    TERN_REC_B = 1, /* bias change, index = neuron                                                                  */
    TERN_REC_S = 2, /* self-memory weight change, index = neuron                                                    */
    TERN_REC_N = 3, /* neuron: a = u_f8, b = p_f16, draw, flags bit 0 saturated, bit 1 spike, bit 2 clamped         */
    TERN_REC_V = 4, /* log-probability: a = v_f12 before, b = after                                                 */
    TERN_REC_M = 5, /* modulator: a = w_f12 (0 for GEM), b = m_f14                                                  */
    TERN_REC_A = 6  /* baseline: a = b_f12 before, b = after, draw = D after, index = neuron                        */
} tern_record_kind;

/* W, B, S: a = before, b = after, draw = r of N-14 (the dither value added), flags bit 0 saturated. sample is 0 where
 * it has no meaning. */
typedef struct tern_record {
    uint32_t step; /* number of the pass or step                    */
    uint8_t kind;
    uint8_t flags;
    uint16_t sample;
    uint32_t index;
    int32_t a, b;
    uint32_t draw;
} tern_record;

/* Receives the records in order. */
typedef struct tern_record_sink {
    void (*put)(struct tern_record_sink *self, const tern_record *r);
} tern_record_sink;

/* Rolling digest over records: FNV-1a, 64 bit, over the little-endian bytes of step, kind, flags, sample, index, a, b,
 * draw (24 bytes). */
#define TERN_DIGEST_INIT 0xcbf29ce484222325u
/* Digest after one more record; the first one's `digest` is TERN_DIGEST_INIT. */
uint64_t tern_digest_add(uint64_t digest, const tern_record *r);

#ifdef __cplusplus
}
#endif
#endif /* TERN_RECORD_H */
