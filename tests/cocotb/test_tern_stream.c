/* test_tern_stream.c : the map of a stream sends every unit to the bit of the frame that tern_plan_write_frames() gives
 * it
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>
#include "tern_plan.h"
#include "tern_check.h"
#include "tern_testnet.h"

enum { GROUPS_MAX = 4096 };

typedef struct seen {
    tern_host_writer base;
    uint32_t map[GROUPS_MAX], n_map, words, neurons, samples, control; /* of a stream */
    uint32_t frame[GROUPS_MAX], n_frame;                               /* of a frame */
} seen;

static void put(tern_host_writer *self, uint32_t address, uint32_t data)
{
    seen *s = (seen *)self;
    const uint32_t region = address >> 24, word = address & 0xffffffu;
    CHECK(word < GROUPS_MAX);
    if (region == TERN_RG_STREAM_MAP) {
        CHECK(word == s->n_map);
        s->map[s->n_map++] = data;
    } else if (region == TERN_RG_FRAME) {
        s->frame[word] = data;
        ++s->n_frame;
    } else if (region == TERN_RG_STREAM) {
        if (word == TERN_STREAM_WORDS) s->words = data;
        if (word == TERN_STREAM_NEURONS) s->neurons = data;
        if (word == TERN_STREAM_SAMPLES) s->samples = data;
        if (word == TERN_STREAM_CONTROL) s->control = data;
    } else CHECK(region == TERN_RG_TARGET);
}

int main(void)
{
    static seen s;
    uint64_t units = 0, mapped = 0, apart = 0; /* apart: the word is not the group's own number */
    for (uint64_t seed = 1; seed <= 24; ++seed)
        for (uint32_t lanes = 1; lanes <= 32; lanes *= 2) {
            static tern_model m;
            static tern_diags diags;
            tern_arena arena;
            tern_plan plan;
            tern_arena_init(&arena, tern_alloc_default(), 0);
            tern_diags_init(&diags);
            CHECK(tern_testnet_make_as(seed, (tern_rule_kind)(seed % 4), &arena, &m) == TERN_OK);
            CHECK(tern_plan_make(&m.net, lanes, m.net.n_samples, &arena, &plan, &diags) == TERN_OK);
            s = (seen){ .base = { put }, .control = 1 };
            tern_plan_write_stream(&plan, &s.base);
            CHECK(s.n_map == tern_plan_stream_groups(&plan) && s.words == plan.input_groups &&
                  s.words <= tern_plan_stream_words(&plan) && s.samples == m.net.n_samples && s.control == 0);
            CHECK(s.neurons == (m.net.n_visible != 0 ? m.net.n_visible : m.net.n_neurons));
            uint32_t *in = tern_arena_get(&arena, m.net.n_inputs_pos / 32u + 1u, 4);
            CHECK(in != NULL);
            for (uint32_t pos = 0; pos < m.net.n_inputs_pos; ++pos) {
                memset(in, 0, m.net.n_inputs_pos / 8u);
                in[pos >> 5] = 1u << (pos & 31u);
                s.n_frame = 0;
                tern_plan_write_frames(&plan, in, NULL, &s.base);
                CHECK(s.n_frame == s.words);
                const uint32_t entry = s.map[pos / lanes], word = entry & 0xffffu;
                const bool known = (entry & TERN_STREAM_MAPPED) != 0;
                CHECK(!known || word < s.words);
                for (uint32_t w = 0; w < s.words; ++w)
                    CHECK(s.frame[w] == (known && w == word ? 1u << (pos % lanes) : 0u));
                ++units;
                mapped += known;
                apart += known && word != pos / lanes;
            }
            tern_arena_free(&arena);
        }
    CHECK(units != 0 && mapped != 0 && mapped != units && apart != 0);
    return tern_check_report("test_tern_stream");
}
