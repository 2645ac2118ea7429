/* tern_stream.c : the host writes that fit tern_axis (docs/42-bridges.md) to a network
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_plan.h"

uint32_t tern_plan_stream_groups(const tern_plan *p)
{
    return p->net->n_inputs_pos >> p->lane_shift != 0 ? p->net->n_inputs_pos >> p->lane_shift : 1u;
}
uint32_t tern_plan_stream_words(const tern_plan *p) { return p->input_groups != 0 ? p->input_groups : 1u; }

static void put(tern_host_writer *out, unsigned region, uint32_t word, uint32_t data)
{
    out->write(out, tern_host_address(region, word, 32, 0), data);
}

void tern_plan_write_stream(const tern_plan *p, tern_host_writer *out)
{
    put(out, TERN_RG_STREAM, TERN_STREAM_CONTROL, 0);
    put(out, TERN_RG_STREAM, TERN_STREAM_WORDS, p->input_groups);
    put(out, TERN_RG_STREAM, TERN_STREAM_NEURONS, p->net->n_visible != 0 ? p->net->n_visible : p->net->n_neurons);
    put(out, TERN_RG_STREAM, TERN_STREAM_SAMPLES, p->n_samples);
    put(out, TERN_RG_STREAM, TERN_STREAM_END, 0);
    put(out, TERN_RG_STREAM, TERN_STREAM_IGNORED, 0);
    for (uint32_t g = 0; g < tern_plan_stream_groups(p); ++g) {
        const uint32_t word = g < p->net->n_inputs_pos >> p->lane_shift ? p->input_group[g] : UINT32_MAX;
        put(out, TERN_RG_STREAM_MAP, g, word == UINT32_MAX ? 0u : TERN_STREAM_MAPPED | word);
    }
}
