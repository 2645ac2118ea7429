/* tern_bits.c : see tern_bits.h
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_bits.h"
#include <string.h>

static void add_part(tern_bits *b, uint32_t first, const tern_population *p)
{
    b->part[b->n_parts++] = (tern_bits_part){ first, p->size, p->pos / 32 };
    b->n_units += p->size;
}

void tern_bits_inputs(tern_bits *b, const tern_model *model)
{
    *b = (tern_bits){ .n_words = model->net.n_inputs_pos / 32 };
    for (uint32_t i = 0; i < model->n_populations; ++i)
        if (model->populations[i].kind == TERN_POP_INPUT) add_part(b, b->n_units, &model->populations[i]);
}

void tern_bits_neurons(tern_bits *b, const tern_model *model, bool hidden)
{
    *b = (tern_bits){ .n_words = model->net.n_neurons_pos / 32 };
    for (uint32_t i = 0; i < model->n_populations; ++i) {
        const tern_population *p = &model->populations[i];
        if (p->kind == TERN_POP_VISIBLE || (hidden && p->kind == TERN_POP_HIDDEN)) add_part(b, p->neuron0, p);
    }
}

/* Eight bytes, the first one lowest. */
static inline uint64_t load(const uint8_t *p)
{
    uint64_t x = 0;
    for (unsigned i = 0; i < 8; ++i) x |= (uint64_t)p[i] << 8 * i;
    return x;
}

/* Bit i of the result: byte i of x is not 0. */
static inline uint32_t squeeze(uint64_t x)
{
    const uint64_t low = 0x7f7f7f7f7f7f7f7fu;
    const uint64_t set = ((((x & low) + low) | x) & ~low) >> 7; /* 1 in each byte that is not 0 */
    return (uint32_t)((set * 0x0102040810204080u) >> 56);
}

static void pack_part(const uint8_t *bytes, uint32_t n, uint32_t *words)
{
    for (; n >= 32; n -= 32, bytes += 32)
        *words++ = squeeze(load(bytes)) | squeeze(load(bytes + 8)) << 8 | squeeze(load(bytes + 16)) << 16 |
                   squeeze(load(bytes + 24)) << 24;
    if (n == 0) return;
    uint32_t word = 0;
    for (uint32_t i = 0; i < n; ++i) word |= (uint32_t)(bytes[i] != 0) << i;
    *words = word;
}

void tern_bits_pack(const tern_bits *b, const uint8_t *bytes, uint32_t *words)
{
    for (uint32_t i = 0; i < b->n_parts; ++i)
        pack_part(bytes + b->part[i].first, b->part[i].size, words + b->part[i].word);
}

void tern_bits_unpack(const tern_bits *b, const uint32_t *words, uint8_t *bytes)
{
    for (uint32_t i = 0; i < b->n_parts; ++i) {
        const tern_bits_part *p = &b->part[i];
        for (uint32_t u = 0; u < p->size; ++u) bytes[p->first + u] = (uint8_t)(words[p->word + u / 32] >> u % 32 & 1u);
    }
}
