/* test_network_run.c : steps, training and measuring from arrays against the golden model stepped by hand
 * SPDX-License-Identifier: Apache-2.0
 *
 * Random networks of all rules. Arrays of bytes are made here, and bits out of them by the definition of positions, not
 * by the code under test.
 */
#include <stdlib.h>
#include "tern/image.h"
#include "tern/metrics.h"
#include "tern/network.h"
#include "tern/reward.h"
#include "tern_check.h"
#include "tern_measure.h"
#include "tern_testnet.h"

enum { EXAMPLES = 5, STEPS = 9, LONG_STEPS = 150 };

typedef struct world {
    tern_arena arena;
    tern_model m;
    tern_diags diags;
    uint32_t n_in, n_visible, n_neurons;
    uint8_t *inputs, *targets; /* [EXAMPLES][STEPS][units], or [LONG_STEPS][units] */
    int32_t labels[EXAMPLES];
    uint32_t words_in, words_neuron;
    uint32_t *in, *target; /* the same as bits */
} world;

/* Position of an input unit, of all populations in order. */
static uint32_t input_pos(const tern_model *m, uint32_t unit)
{
    for (uint32_t i = 0; i < m->n_populations; ++i) {
        const tern_population *p = &m->populations[i];
        if (p->kind != TERN_POP_INPUT) continue;
        if (unit < p->size) return p->pos + unit;
        unit -= p->size;
    }
    return 0;
}

static void fill(world *w, uint32_t steps)
{
    tern_testrand r = { w->m.seed + steps };
    for (uint32_t t = 0; t < steps; ++t) {
        for (uint32_t u = 0; u < w->n_in; ++u) {
            if (!tern_testrand_one_in(&r, 3)) continue;
            const uint32_t pos = input_pos(&w->m, u);
            w->inputs[t * w->n_in + u] = (uint8_t)tern_testrand_in(&r, 1, 255); /* anything but 0 is a spike */
            w->in[t * w->words_in + pos / 32] |= (uint32_t)1 << pos % 32;
        }
        for (uint32_t i = 0; i < w->n_visible; ++i) {
            if (!tern_testrand_one_in(&r, 3)) continue;
            const uint32_t pos = w->m.net.neurons[i].pos;
            w->targets[t * w->n_visible + i] = (uint8_t)(tern_testrand_one_in(&r, 2) ? 128 : 1);
            w->target[t * w->words_neuron + pos / 32] |= (uint32_t)1 << pos % 32;
        }
    }
}

static void make(world *w, uint64_t seed, tern_rule_kind rule)
{
    memset(w, 0, sizeof *w);
    tern_diags_init(&w->diags);
    tern_arena_init(&w->arena, tern_alloc_default(), 0);
    CHECK_EQ(tern_testnet_make_as(seed, rule, &w->arena, &w->m), TERN_OK);
    w->n_in = tern_network_inputs(&w->m);
    w->n_visible = w->m.net.n_visible;
    w->n_neurons = w->m.net.n_neurons;
    w->words_in = w->m.net.n_inputs_pos / 32;
    w->words_neuron = w->m.net.n_neurons_pos / 32;
    w->inputs = tern_arena_get(&w->arena, LONG_STEPS, w->n_in);
    w->targets = tern_arena_get(&w->arena, LONG_STEPS, w->n_visible);
    w->in = tern_arena_get(&w->arena, LONG_STEPS, 4 * w->words_in);
    w->target = tern_arena_get(&w->arena, LONG_STEPS, 4 * w->words_neuron);
    for (int i = 0; i < EXAMPLES; ++i) w->labels[i] = -1;
}

static void end(world *w)
{
    for (size_t i = 0; i < w->diags.n; ++i) printf("  %s: %s\n", w->diags.list[i].key, w->diags.list[i].message);
    tern_arena_free(&w->arena);
}

static void golden_init(const world *w, tern_state *st, uint32_t samples, uint64_t seed, tern_arena *arena)
{
    const size_t bytes = tern_state_bytes(&w->m.net, samples);
    CHECK_EQ(tern_state_init(st, &w->m.net, tern_arena_get(arena, bytes, 1), bytes, samples, seed), TERN_OK);
}

static void same_state(const tern_state *a, const tern_state *b)
{
    const tern_net *n = a->net;
    CHECK_EQ(a->step, b->step);
    CHECK(memcmp(a->weights, b->weights, n->n_weights * sizeof *a->weights) == 0);
    CHECK(memcmp(a->bias_f12, b->bias_f12, n->n_neurons * sizeof *a->bias_f12) == 0);
    CHECK(memcmp(a->self_f12, b->self_f12, n->n_neurons * sizeof *a->self_f12) == 0);
    CHECK(memcmp(a->hist_in, b->hist_in, n->n_inputs_pos * sizeof *a->hist_in) == 0);
    CHECK(memcmp(a->v_f12, b->v_f12, a->n_samples * sizeof *a->v_f12) == 0);
    CHECK_EQ(a->sat.weight, b->sat.weight);
    CHECK_EQ(a->comm.unicast, b->comm.unicast);
}

/* ---- steps ----------------------------------------------------------------------------------- */

static void step_both(world *w, const char *engine, unsigned flags)
{
    tern_network *net;
    tern_state st;
    const tern_network_options o = { .engine = engine, .threads = 1, .samples = 3, .has_seed = true, .seed = 99 };
    CHECK_EQ(tern_network_open(&w->m, &o, &net, &w->diags), TERN_OK);
    golden_init(w, &st, 3, 99, &w->arena);
    uint8_t *spikes = tern_arena_get(&w->arena, LONG_STEPS, 3u * w->n_neurons);
    double *loss = tern_arena_get(&w->arena, LONG_STEPS, 3 * sizeof *loss);
    memset(spikes, 7, LONG_STEPS * 3u * w->n_neurons);
    for (uint32_t t = 0, n = 1; t < LONG_STEPS; t += n, n = LONG_STEPS - t) { /* one step, then all others */
        const tern_network_steps s = { .n_steps = n,
                                       .flags = flags,
                                       .inputs = w->inputs + t * w->n_in,
                                       .targets = w->targets + t * w->n_visible,
                                       .spikes = spikes + (size_t)t * 3 * w->n_neurons,
                                       .log_loss = loss + t * 3 };
        CHECK_EQ(tern_network_run(net, &s, &w->diags), TERN_OK);
    }
    unsigned wrong = 0;
    for (uint32_t t = 0; t < LONG_STEPS; ++t) {
        tern_step(&st, w->in + t * w->words_in, w->target + t * w->words_neuron, flags);
        for (uint32_t k = 0; k < 3; ++k) {
            wrong += loss[t * 3 + k] != st.loss_f12[k] / 4096.0;
            for (uint32_t i = 0; i < w->n_neurons; ++i) {
                const uint32_t pos = w->m.net.neurons[i].pos, word = st.spikes[k * w->words_neuron + pos / 32];
                wrong += spikes[(t * 3 + k) * w->n_neurons + i] != (word >> pos % 32 & 1u);
            }
        }
    }
    CHECK_EQ(wrong, 0);
    same_state(tern_network_state(net), &st);
    tern_network_end(net, true);
    tern_flush(&st);
    tern_state_clear(&st);
    same_state(tern_network_state(net), &st);
    CHECK(st.spikes[0] == 0 && tern_network_state(net)->spikes[0] == 0);
    tern_network_close(net);
}

static void steps(uint64_t seed, tern_rule_kind rule)
{
    world w;
    make(&w, seed, rule);
    fill(&w, LONG_STEPS);
    step_both(&w, NULL, TERN_STEP_LEARN | TERN_STEP_CLAMP);
    step_both(&w, "golden", TERN_STEP_CLAMP);
    step_both(&w, "fast", 0);
    end(&w);
}

/* ---- training -------------------------------------------------------------------------------- */

static tern_examples *pack(world *w)
{
    tern_examples *ex = NULL;
    const tern_examples_spec spec = { .n = EXAMPLES, .steps = STEPS, .inputs = w->inputs, .targets = w->targets };
    CHECK_EQ(tern_examples_pack(&w->m, &spec, &ex, &w->diags), TERN_OK);
    CHECK_EQ(tern_examples_count(ex), EXAMPLES);
    for (uint32_t i = 0; i < EXAMPLES; ++i) {
        tern_frames f;
        uint8_t *in = tern_arena_get(&w->arena, STEPS, w->n_in), *out = tern_arena_get(&w->arena, STEPS, w->n_visible);
        CHECK_EQ(tern_examples_get(ex, i, &f, &w->diags), TERN_OK);
        CHECK(memcmp(f.inputs, w->in + i * STEPS * w->words_in, STEPS * 4u * w->words_in) == 0);
        CHECK(memcmp(f.targets, w->target + i * STEPS * w->words_neuron, STEPS * 4u * w->words_neuron) == 0);
        CHECK_EQ(tern_examples_unpack(ex, i, in, out, NULL, &w->diags), TERN_OK);
        for (uint32_t b = 0; b < STEPS * w->n_in; ++b) CHECK_EQ(in[b], w->inputs[i * STEPS * w->n_in + b] != 0);
        for (uint32_t b = 0; b < STEPS * w->n_visible; ++b)
            CHECK_EQ(out[b], w->targets[i * STEPS * w->n_visible + b] != 0);
    }
    return ex;
}

/* False: the schedule's rate does not fit the formats of this network. */
static bool train_by_hand(const world *w, tern_state *st, uint32_t first, uint32_t n, tern_van_rossum *d)
{
    uint32_t order[EXAMPLES];
    for (uint32_t p = first; p < first + n; ++p) {
        tern_order_epoch(st->seed, p / EXAMPLES, EXAMPLES, order);
        if (tern_ek_from_eta(st->net, tern_rule_eta_at(&w->m.rule, p), w->m.rule.kappa, st->ek) != TERN_OK)
            return false;
        const size_t at = (size_t)order[p % EXAMPLES] * STEPS;
        if (d != NULL) tern_van_rossum_begin(d);
        for (size_t t = at; t < at + STEPS; ++t) {
            const uint32_t *target = w->target + t * w->words_neuron;
            tern_step(st, w->in + t * w->words_in, target,
                      d != NULL ? TERN_STEP_LEARN : TERN_STEP_LEARN | TERN_STEP_CLAMP);
            if (d == NULL) continue;
            int32_t reward[TERN_MAX_SAMPLES];
            tern_van_rossum_step(d, st->spikes, w->words_neuron, target);
            for (uint32_t k = 0; k < st->n_samples; ++k) reward[k] = tern_reward_f12(d->reward[k]);
            tern_reward(st, reward);
        }
        tern_flush(st);
        if (w->m.data.clear) tern_state_clear(st);
    }
    return true;
}

static void same_image(world *w, tern_network *net, const tern_state *st, uint32_t presentations)
{
    const uint8_t *bytes[2];
    size_t size[2];
    tern_model m = w->m;
    m.state = st;
    m.presentations_done = presentations;
    CHECK_EQ(tern_image_encode(&m, &w->arena, &bytes[0], &size[0]), TERN_OK);
    CHECK_EQ(tern_network_encode(net, &w->arena, &bytes[1], &size[1], &w->diags), TERN_OK);
    CHECK(size[0] == size[1] && memcmp(bytes[0], bytes[1], size[0]) == 0);
}

/* An image saved after some presentations is gone on with: the bits of a training that was never parted. */
static void go_on(world *w, tern_examples *ex, tern_network *net, const tern_state *st)
{
    const uint8_t *bytes;
    size_t size;
    tern_model saved;
    tern_network *again;
    const tern_network_options fresh = { .fresh = true };
    CHECK_EQ(tern_network_encode(net, &w->arena, &bytes, &size, &w->diags), TERN_OK);
    CHECK_EQ(tern_image_decode(bytes, size, "saved", &w->arena, &saved, &w->diags), TERN_OK);
    CHECK_EQ(tern_network_open(&saved, NULL, &again, &w->diags), TERN_OK);
    CHECK_EQ(tern_network_presentations(again), 7);
    CHECK_EQ(tern_network_train(again, ex, 5, NULL, &w->diags), TERN_OK);
    same_image(w, again, st, 12);
    tern_network_close(again);
    CHECK_EQ(tern_network_open(&saved, &fresh, &again, &w->diags), TERN_OK); /* the weights alone */
    CHECK_EQ(tern_network_presentations(again), 0);
    CHECK_EQ(tern_network_state(again)->step, 0);
    CHECK(memcmp(tern_network_state(again)->weights, tern_network_state(net)->weights,
                 w->m.net.n_weights * sizeof(int16_t)) == 0);
    tern_network_close(again);
}

static void train(uint64_t seed, tern_rule_kind rule, unsigned *trained)
{
    world w;
    tern_network *net;
    tern_state st;
    tern_van_rossum distance, *d = NULL;
    tern_presented lines[7];
    make(&w, seed, rule);
    fill(&w, EXAMPLES * STEPS);
    tern_examples *ex = pack(&w);
    golden_init(&w, &st, w.m.net.n_samples, w.m.seed, &w.arena);
    if (tern_has_distance(&w.m) && tern_distance_init(d = &distance, &w.m, st.n_samples, &w.arena) != TERN_OK) CHECK(0);
    CHECK_EQ(tern_network_open(&w.m, NULL, &net, &w.diags), TERN_OK);
    const bool possible = w.n_visible != 0 && train_by_hand(&w, &st, 0, 7, d);
    if (possible) {
        CHECK_EQ(tern_network_train(net, ex, 3, lines, &w.diags), TERN_OK);
        CHECK_EQ(tern_network_train(net, ex, 4, lines + 3, &w.diags), TERN_OK);
        same_image(&w, net, &st, 7);
        for (uint32_t i = 0; i < 7; ++i) CHECK_EQ(lines[i].presentation, i + 1);
        CHECK_EQ(lines[6].step, 7 * STEPS);
        CHECK(isnan(lines[6].log_loss) == (d != NULL));
        CHECK(train_by_hand(&w, &st, 7, 5, d));
        go_on(&w, ex, net, &st);
        ++*trained;
    }
    tern_network_close(net);
    tern_examples_close(ex);
    end(&w);
}

/* ---- measuring, weights ---------------------------------------------------------------------- */

static void measure(uint64_t seed, tern_rule_kind rule, unsigned *decided)
{
    world w;
    tern_network *net;
    tern_evaluation *e;
    tern_measure m;
    tern_evaluated list[EXAMPLES];
    tern_evaluated_sum sum;
    uint32_t votes[TERN_VOTE_CLASSES];
    make(&w, seed, rule);
    fill(&w, EXAMPLES * STEPS);
    const int32_t population = w.m.data.label_population;
    const uint32_t units = population < 0 ? 0 : w.m.populations[population].size;
    tern_examples_spec spec = { .n = EXAMPLES, .steps = STEPS, .inputs = w.inputs, .labels = w.labels };
    for (uint32_t i = 0; i < EXAMPLES && units != 0; ++i) w.labels[i] = (int32_t)(i % units);
    tern_examples *ex;
    CHECK_EQ(tern_examples_pack(&w.m, &spec, &ex, &w.diags), TERN_OK);
    CHECK_EQ(tern_network_open(&w.m, NULL, &net, &w.diags), TERN_OK);
    const tern_evaluate_options o = { .samples = 6, .batch = 4, .has_seed = true, .seed = 3 };
    CHECK_EQ(tern_evaluation_open(net, &o, &e, &w.diags), TERN_OK);
    const tern_measure_options mo = { .n_samples = 6, .batch = 4, .seed = 3 };
    CHECK_EQ(tern_measure_init(&m, &w.m, &mo, &w.arena, &w.diags), TERN_OK);
    for (uint32_t i = 0; i < EXAMPLES; ++i) {
        tern_frames f;
        tern_measured r;
        CHECK_EQ(tern_evaluation_measure(e, ex, i, &list[i], votes, &w.diags), TERN_OK);
        CHECK_EQ(tern_examples_get(ex, i, &f, &w.diags), TERN_OK);
        for (uint32_t t = 0; t < STEPS && units != 0; ++t) { /* the label's unit, in every step */
            const uint32_t pos = w.m.populations[population].pos + (uint32_t)w.labels[i];
            CHECK(f.targets[t * f.words_neuron + pos / 32] >> pos % 32 & 1u);
        }
        tern_measure_recording(&m, &f, &r);
        CHECK_EQ(list[i].decision, units != 0 ? (int32_t)r.decision : -1);
        CHECK(list[i].log_loss == -r.ll / STEPS);
        CHECK_EQ(list[i].hidden_free, r.hidden_free);
        if (units != 0) CHECK(memcmp(votes, m.vote.votes, units * sizeof *votes) == 0);
    }
    tern_evaluated_add_up(list, EXAMPLES, &sum);
    CHECK_EQ(sum.labelled, units != 0 ? EXAMPLES : 0);
    CHECK_EQ(sum.scored, EXAMPLES);
    CHECK(units != 0 ? sum.accuracy * EXAMPLES == sum.right : isnan(sum.accuracy));
    *decided += units != 0;
    tern_measure_close(&m);
    tern_evaluation_close(e);
    tern_network_close(net);
    tern_examples_close(ex);
    end(&w);
}

/* Every weight is in one matrix, at the place that its row names. */
static void matrices(uint64_t seed)
{
    world w;
    make(&w, seed, TERN_RULE_GEM);
    const tern_net *n = &w.m.net;
    size_t found = 0, wanted = 0;
    for (uint32_t i = 0; i < n->n_weights; ++i) wanted += n->weights0[i] != TERN_WEIGHT_ABSENT;
    for (uint32_t a = 0; a < w.m.n_populations; ++a)
        for (uint32_t b = 0; b < w.m.n_populations; ++b)
            for (uint32_t f = 0; f < n->n_filters; ++f) {
                const tern_population *from = &w.m.populations[a], *to = &w.m.populations[b];
                if (to->kind == TERN_POP_INPUT) continue;
                int16_t *out = malloc(sizeof *out * from->size * to->size);
                CHECK_EQ(tern_network_matrix(&w.m, n->weights0, a, b, f, out, &w.diags), TERN_OK);
                for (uint32_t i = 0; i < from->size * to->size; ++i) found += out[i] != TERN_WEIGHT_ABSENT;
                for (uint32_t u = 0; u < to->size; ++u)
                    for (uint32_t r = 0; r < n->neurons[to->neuron0 + u].n_rows; ++r) {
                        const tern_row *row = &n->rows[n->neurons[to->neuron0 + u].row0 + r];
                        if (row->filter != f || (row->kind == TERN_ROW_SHARED) != (from->kind == TERN_POP_INPUT))
                            continue;
                        for (uint32_t i = 0; i < row->count; ++i)
                            if (row->first + i >= from->pos && row->first + i < from->pos + from->size)
                                CHECK_EQ(out[u * from->size + row->first + i - from->pos],
                                         n->weights0[row->weight + i]);
                    }
                free(out);
            }
    CHECK_EQ(found, wanted);
    end(&w);
}

/* Networks, 16 without an argument. */
int main(int argc, char **argv)
{
    unsigned trained = 0, decided = 0;
    const uint64_t networks = argc > 1 ? strtoull(argv[1], NULL, 10) : 16;
    for (uint64_t seed = 1; seed <= networks; ++seed) {
        steps(seed, (tern_rule_kind)(seed % 4));
        train(seed, (tern_rule_kind)(seed % 4), &trained);
        measure(seed, (tern_rule_kind)(seed % 4), &decided);
        matrices(seed);
    }
    CHECK(trained >= networks / 2 && decided >= networks / 4);
    return tern_check_report("network run");
}
