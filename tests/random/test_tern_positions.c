/* test_tern_positions.c : positions without a unit are no part of a state (docs/21-numerics.md, N-29)
 * SPDX-License-Identifier: Apache-2.0
 *
 * Two hidden populations of 16 neurons that one row reads leave 16 positions between them, and so do two input
 * populations. Whatever a core has there is read back as 0; an image that holds something there is refused, and so is a
 * synapse that reads it.
 */
#include <string.h>
#include "tern/image.h"
#include "tern_check.h"
#include "tern_compiler.h"
#include "tern_plan.h"

static const char script[] = "local f = tern.taps{1}\n"
                             "local p, q = tern.input{name='p', size=16}, tern.input{name='q', size=16}\n"
                             "local a, b = tern.hidden{name='a', size=16}, tern.hidden{name='b', size=16}\n"
                             "local out = tern.visible{name='out', size=1}\n"
                             "tern.connect{from={p, q}, to={a, b}, filters=f}\n"
                             "tern.connect{from={a, b}, to=out, filters=f}\n"
                             "tern.gem{eta=1e-3, kappa=0, samples=2}\n";
enum { LANES = 4, K = 2 };

static tern_model model, loaded;
static tern_state st;
static tern_arena arena;
static tern_diags diags;

/* A core whose every memory is full of ones, but for what a state may not hold. */
static uint32_t ones(tern_host_reader *self, uint32_t address)
{
    (void)self;
    const unsigned region = address >> 24;
    return region == TERN_RG_FRAME_LAST || region == TERN_RG_HIST || region == TERN_RG_SELF ? UINT32_MAX : 0;
}

static bool neuron_at(uint32_t pos)
{
    for (uint32_t i = 0; i < model.net.n_neurons; ++i)
        if (model.net.neurons[i].pos == pos) return true;
    return false;
}

static void read_back(void)
{
    tern_plan plan;
    tern_host_reader reader = { ones };
    CHECK_EQ(tern_plan_make(&model.net, LANES, K, &arena, &plan, &diags), TERN_OK);
    const tern_capacity core = plan.need;
    tern_plan_read_state(&plan, &core, false, &reader, &st);
    unsigned spikes = 0;
    for (uint32_t k = 0; k < K; ++k)
        for (uint32_t pos = 0; pos < model.net.n_neurons_pos; ++pos) {
            const bool spike = (st.spikes[k * (model.net.n_neurons_pos / 32) + pos / 32] >> pos % 32 & 1) != 0;
            CHECK_EQ(spike, neuron_at(pos));
            CHECK_EQ(st.hist_neuron[k * model.net.n_neurons_pos + pos] != 0, neuron_at(pos));
            spikes += spike;
        }
    CHECK_EQ(spikes, 33 * K);
    bool bridged = false;
    for (uint32_t g = 0; g < plan.neuron_groups; ++g) bridged = bridged || plan.neuron_lanes[g] == 0;
    CHECK(bridged); /* else nothing was tested */
}

/* Encodes the model with the state and decodes it. */
static tern_status round_trip(void)
{
    const uint8_t *bytes;
    size_t size;
    model.state = &st;
    tern_diags_init(&diags);
    const tern_status s = tern_image_encode(&model, &arena, &bytes, &size);
    return s != TERN_OK ? s : tern_image_decode(bytes, size, "test", &arena, &loaded, &diags);
}

static void refused(const char *word)
{
    CHECK(round_trip() != TERN_OK);
    CHECK(diags.n == 0 || strstr(diags.list[0].message, word) != NULL); /* an encoder that refuses has no words */
    if (diags.n > 0 && strstr(diags.list[0].message, word) == NULL) printf("  %s\n", diags.list[0].message);
}

/* Row that reaches across a gap, and the first weight in it. */
static uint32_t gap_weight(unsigned kind)
{
    for (uint32_t r = 0; r < model.net.n_rows; ++r)
        if (model.net.rows[r].kind == kind && model.net.rows[r].count == 48) return model.net.rows[r].weight + 16;
    CHECK(false);
    return 0;
}

int main(void)
{
    const tern_compile_options options = { 0 };
    const char *what = NULL;
    tern_arena_init(&arena, tern_alloc_default(), 0);
    tern_diags_init(&diags);
    CHECK_EQ(tern_compile_string(script, sizeof script - 1, "gap.lua", &options, &arena, &model, &diags), TERN_OK);
    const size_t bytes = tern_state_bytes(&model.net, K);
    CHECK_EQ(tern_state_init(&st, &model.net, tern_arena_get(&arena, bytes, 1), bytes, K, 1), TERN_OK);
    read_back();
    memcpy(st.weights, model.net.weights0, model.net.n_weights * sizeof *st.weights);
    CHECK_EQ(round_trip(), TERN_OK);
    const uint32_t gap = model.populations[2].pos + 20;
    CHECK(!neuron_at(gap));
    st.hist_neuron[model.net.n_neurons_pos + gap] = 1;
    refused("where no neuron is");
    st.hist_neuron[model.net.n_neurons_pos + gap] = 0;
    st.spikes[gap / 32] |= 1u << gap % 32;
    refused("where no neuron is");
    st.spikes[gap / 32] &= ~(1u << gap % 32);
    CHECK_EQ(round_trip(), TERN_OK);
    for (unsigned kind = 0; kind < 2; ++kind) {
        int16_t *const weights = (int16_t *)model.net.weights0; /* the arena's */
        const uint32_t at = gap_weight(kind == 0 ? TERN_ROW_SHARED : TERN_ROW_SAMPLE);
        CHECK_EQ(weights[at], TERN_WEIGHT_ABSENT);
        weights[at] = st.weights[at] = 1;
        CHECK_EQ(tern_net_check(&model.net, &what) == TERN_OK,
                 kind == 0); /* which positions have inputs only the image knows */
        refused(kind == 0 ? "which no population has" : "reads a position that has one");
        weights[at] = st.weights[at] = TERN_WEIGHT_ABSENT;
    }
    CHECK_EQ(round_trip(), TERN_OK);
    tern_arena_free(&arena);
    return tern_check_report("positions");
}
