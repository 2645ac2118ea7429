/* tern_bits.h : spikes as bytes, a unit each, and as the bits that engines read
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TERN_BITS_H
#define TERN_BITS_H
#include "tern/model.h"

/* One pool of units: populations, in order, that lie one behind the other in an array of bytes. */
typedef struct tern_bits_part {
    uint32_t first, size; /* unit, number of units */
    uint32_t word;        /* of its first unit: populations begin with a word */
} tern_bits_part;

typedef struct tern_bits {
    uint32_t n_units, n_words, n_parts;
    tern_bits_part part[TERN_MAX_POPULATIONS];
} tern_bits;

/* The input pool: its units are counted in the order of the populations. */
void tern_bits_inputs(tern_bits *b, const tern_model *model);
/* Neurons, by their numbers; `hidden`: all of them, else the visible ones. */
void tern_bits_neurons(tern_bits *b, const tern_model *model, bool hidden);
/* bytes [n_units] to words [n_words], of which those without a unit are left as they are; and back, to 0 and 1. */
void tern_bits_pack(const tern_bits *b, const uint8_t *bytes, uint32_t *words);
void tern_bits_unpack(const tern_bits *b, const uint32_t *words, uint8_t *bytes);

#endif /* TERN_BITS_H */
