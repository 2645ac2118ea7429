/* test_network_refuse.c : what tern/network.h refuses, each time with its code and with nothing changed
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern/image.h"
#include "tern/network.h"
#include "tern_check.h"
#include "tern_testnet.h"

static tern_arena arena;
static tern_model m;      /* with a label population */
static tern_model reward; /* rule REWARD */
static tern_diags diags;

/* The call failed with this code, and a text and a hint say why. */
static void refused(int line, tern_status s, int code)
{
    if (s == TERN_OK || diags.n != 1 || diags.list[0].code != code || diags.list[0].message[0] == 0 ||
        diags.list[0].hint[0] == 0)
        printf("line %d: status %d, %zu messages, code %d: %s\n", line, s, diags.n,
               diags.n == 0 ? 0 : diags.list[0].code, diags.n == 0 ? "" : diags.list[0].message);
    CHECK(s != TERN_OK);
    CHECK_EQ(diags.n == 0 ? 0 : diags.list[0].code, code);
    tern_diags_init(&diags);
}
#define REFUSED(call, code) refused(__LINE__, call, code)

static void find_models(void)
{
    for (uint64_t seed = 1;; ++seed) {
        CHECK_EQ(tern_testnet_make_as(seed, TERN_RULE_GEM, &arena, &m), TERN_OK);
        if (m.data.label_population >= 0 && m.net.n_weights != 0) break;
    }
    for (uint64_t seed = 1;; ++seed) {
        CHECK_EQ(tern_testnet_make_as(seed, TERN_RULE_REWARD, &arena, &reward), TERN_OK);
        if (reward.net.n_visible != 0 && tern_network_inputs(&reward) != tern_network_inputs(&m)) break;
    }
    reward.rule.tau = 0; /* the signal is the caller's */
}

static void options(void)
{
    tern_network *net;
    REFUSED(tern_network_open(&m, &(tern_network_options){ .engine = "quick" }, &net, &diags), 180);
    CHECK(net == NULL);
    REFUSED(tern_network_open(&m, &(tern_network_options){ .samples = 33 }, &net, &diags), 180);
    REFUSED(tern_network_open(&m, &(tern_network_options){ .threads = 257 }, &net, &diags), 180);
    REFUSED(tern_network_open(&m, &(tern_network_options){ .engine = "golden", .threads = 2 }, &net, &diags), 180);
    CHECK_EQ(tern_network_open(&m, &(tern_network_options){ .samples = 33 }, &net, NULL), TERN_ERR_ARGUMENT);
}

static tern_examples *some(tern_model *model)
{
    const uint32_t n_in = tern_network_inputs(model);
    tern_examples *ex;
    const tern_examples_spec spec = { .n = 2,
                                      .steps = 3,
                                      .inputs = tern_arena_get(&arena, 6, n_in),
                                      .targets = tern_arena_get(&arena, 6, model->net.n_visible) };
    CHECK_EQ(tern_examples_pack(model, &spec, &ex, &diags), TERN_OK);
    return ex;
}

static void examples(void)
{
    tern_examples *ex;
    tern_frames f;
    const int32_t high[1] = { (int32_t)m.populations[m.data.label_population].size }, low[1] = { -2 }, none[1] = { -1 },
                  zero[1] = { 0 };
    REFUSED(tern_examples_pack(&m, &(tern_examples_spec){ .n = 0, .steps = 1 }, &ex, &diags), 180);
    REFUSED(tern_examples_pack(&m, &(tern_examples_spec){ .n = 1u << 28, .steps = 1 }, &ex, &diags), 180);
    REFUSED(tern_examples_pack(&m, &(tern_examples_spec){ .n = 1, .steps = 0 }, &ex, &diags), 180);
    REFUSED(tern_examples_pack(&m, &(tern_examples_spec){ .n = 1, .steps = 1000001 }, &ex, &diags), 180);
    REFUSED(tern_examples_pack(&m, &(tern_examples_spec){ .n = 1, .steps = 1, .labels = high }, &ex, &diags), 181);
    REFUSED(tern_examples_pack(&m, &(tern_examples_spec){ .n = 1, .steps = 1, .labels = low }, &ex, &diags), 181);
    tern_model no_label = m;
    no_label.data.label_population = -1;
    REFUSED(tern_examples_pack(&no_label, &(tern_examples_spec){ .n = 1, .steps = 1, .labels = zero }, &ex, &diags),
            181);
    CHECK(ex == NULL);
    CHECK_EQ(tern_examples_pack(&m, &(tern_examples_spec){ .n = 1, .steps = 1, .labels = none }, &ex, &diags), TERN_OK);
    REFUSED(tern_examples_get(ex, 1, &f, &diags), 180);
    tern_examples_close(ex);
    CHECK(tern_examples_open(&m, "no such folder", &ex, &diags) != TERN_OK && ex == NULL && diags.n_errors == 1);
    tern_diags_init(&diags);
}

static void training(void)
{
    tern_network *net, *other;
    tern_examples *ex = some(&m), *empty, *unlabelled, *foreign = some(&reward);
    const int32_t none[1] = { -1 };
    CHECK_EQ(tern_network_open(&m, NULL, &net, &diags), TERN_OK);
    CHECK_EQ(tern_network_open(&reward, NULL, &other, &diags), TERN_OK);
    CHECK_EQ(tern_examples_pack(&m, &(tern_examples_spec){ .n = 1, .steps = 1 }, &empty, &diags), TERN_OK);
    CHECK_EQ(tern_examples_pack(&m, &(tern_examples_spec){ .n = 1, .steps = 1, .labels = none }, &unlabelled, &diags),
             TERN_OK);
    REFUSED(tern_network_train(net, empty, 1, NULL, &diags), 181);
    REFUSED(tern_network_train(net, unlabelled, 1, NULL, &diags), 112);
    REFUSED(tern_network_train(net, foreign, 1, NULL, &diags), 181);
    REFUSED(tern_network_train(other, foreign, 1, NULL, &diags), 126);
    tern_model moved = m; /* arrays are no pictures that could be moved */
    tern_network *mover;
    moved.data.shift = 1;
    CHECK_EQ(tern_network_open(&moved, NULL, &mover, &diags), TERN_OK);
    REFUSED(tern_network_train(mover, ex, 1, NULL, &diags), 181);
    tern_network_close(mover);
    tern_network_set_presentations(net, UINT32_MAX - 1);
    REFUSED(tern_network_train(net, ex, 2, NULL, &diags), 118);
    CHECK_EQ(tern_network_presentations(net), UINT32_MAX - 1);
    tern_network_close(net);
    tern_network_close(other);
    tern_examples_close(ex);
    tern_examples_close(empty);
    tern_examples_close(unlabelled);
    tern_examples_close(foreign);
}

static void running(void)
{
    tern_network *net, *other;
    double signal[TERN_MAX_SAMPLES] = { 0 };
    CHECK_EQ(tern_network_open(&m, NULL, &net, &diags), TERN_OK);
    CHECK_EQ(tern_network_open(&reward, NULL, &other, &diags), TERN_OK);
    REFUSED(tern_network_run(net, &(tern_network_steps){ .n_steps = 1, .flags = 4 }, &diags), 180);
    REFUSED(tern_network_run(net, &(tern_network_steps){ .n_steps = 1, .flags = TERN_STEP_CLAMP }, &diags), 180);
    REFUSED(tern_network_run(net, &(tern_network_steps){ .n_steps = 1, .flags = TERN_STEP_LEARN }, &diags), 180);
    CHECK_EQ(tern_network_run(net, &(tern_network_steps){ .n_steps = 0 }, &diags), TERN_OK);
    CHECK_EQ(tern_network_run(other, &(tern_network_steps){ .n_steps = 2, .flags = TERN_STEP_LEARN }, &diags), TERN_OK);
    REFUSED(tern_network_reward(net, signal, &diags), 180);
    CHECK_EQ(tern_network_reward(other, signal, &diags), TERN_OK);
    signal[0] = NAN;
    REFUSED(tern_network_reward(other, signal, &diags), 180);
    signal[0] = INFINITY;
    REFUSED(tern_network_reward(other, signal, &diags), 180);
    REFUSED(tern_network_set_eta(net, NAN, &diags), 180);
    REFUSED(tern_network_set_eta(net, 0, &diags), 180);
    CHECK_EQ(tern_network_set_eta(net, 1e30, &diags), TERN_ERR_ARGUMENT);
    CHECK_EQ(diags.list[0].code, 113);
    tern_diags_init(&diags);
    tern_network_close(net);
    tern_network_close(other);
}

static void weights(void)
{
    tern_network *net;
    const tern_net *n = &m.net;
    int16_t *w = tern_arena_get(&arena, n->n_weights, sizeof *w),
            *local = tern_arena_get(&arena, n->n_neurons, sizeof *local);
    uint32_t there = 0, absent = 0;
    CHECK_EQ(tern_network_open(&m, NULL, &net, &diags), TERN_OK);
    const tern_state *st = tern_network_state(net);
    memcpy(w, st->weights, n->n_weights * sizeof *w);
    while (w[there] == TERN_WEIGHT_ABSENT) ++there;
    while (absent + 1 < n->n_weights && w[absent] != TERN_WEIGHT_ABSENT) ++absent;
    const int16_t was = w[there], top = (int16_t)((1 << (n->weight_bits - 1)) - 1);
    w[there] = TERN_WEIGHT_ABSENT;
    REFUSED(tern_network_set_weights(net, w, NULL, NULL, &diags), 181);
    if (top < INT16_MAX) {
        w[there] = (int16_t)(top + 1);
        REFUSED(tern_network_set_weights(net, w, NULL, NULL, &diags), 181);
    }
    w[there] = was;
    if (w[absent] == TERN_WEIGHT_ABSENT) {
        w[absent] = 0;
        REFUSED(tern_network_set_weights(net, w, NULL, NULL, &diags), 181);
        w[absent] = TERN_WEIGHT_ABSENT;
    }
    local[0] = INT16_MIN;
    REFUSED(tern_network_set_weights(net, NULL, local, NULL, &diags), 181);
    for (uint32_t i = 0; i < n->n_neurons; ++i) {
        if (n->neurons[i].self_filter != TERN_NO_FILTER) continue;
        memset(local, 0, n->n_neurons * sizeof *local);
        local[i] = 1;
        REFUSED(tern_network_set_weights(net, NULL, NULL, local, &diags), 181);
        break;
    }
    CHECK(memcmp(st->weights, n->weights0, n->n_weights * sizeof *w) == 0);
    w[there] = top;
    CHECK_EQ(tern_network_set_weights(net, w, NULL, NULL, &diags), TERN_OK);
    CHECK(memcmp(st->weights, w, n->n_weights * sizeof *w) == 0);
    int16_t out[1];
    REFUSED(tern_network_matrix(&m, w, m.n_populations, 0, 0, out, &diags), 180);
    REFUSED(tern_network_matrix(&m, w, 0, m.n_populations, 0, out, &diags), 180);
    REFUSED(tern_network_matrix(&m, w, 0, (uint32_t)m.data.label_population, n->n_filters, out, &diags), 180);
    for (uint32_t i = 0; i < m.n_populations; ++i)
        if (m.populations[i].kind == TERN_POP_INPUT) REFUSED(tern_network_matrix(&m, w, 0, i, 0, out, &diags), 180);
    tern_network_close(net);
}

static void saved(void)
{
    tern_network *net;
    const uint8_t *bytes;
    size_t size;
    tern_model trained;
    CHECK_EQ(tern_network_open(&m, &(tern_network_options){ .samples = 2, .has_seed = true, .seed = 5 }, &net, &diags),
             TERN_OK);
    CHECK_EQ(tern_network_encode(net, &arena, &bytes, &size, &diags), TERN_OK);
    tern_network_close(net);
    CHECK_EQ(tern_image_decode(bytes, size, "saved", &arena, &trained, &diags), TERN_OK);
    REFUSED(tern_network_open(&trained, &(tern_network_options){ .samples = 3 }, &net, &diags), 182);
    REFUSED(tern_network_open(&trained, &(tern_network_options){ .has_seed = true, .seed = 6 }, &net, &diags), 182);
    CHECK_EQ(
        tern_network_open(&trained, &(tern_network_options){ .samples = 2, .has_seed = true, .seed = 5 }, &net, &diags),
        TERN_OK);
    tern_network_close(net);
    CHECK_EQ(tern_network_open(&trained, &(tern_network_options){ .samples = 3, .fresh = true }, &net, &diags),
             TERN_OK);
    CHECK(tern_network_save(net, "/no such folder/x.tern", &diags) != TERN_OK && diags.n_errors == 1);
    tern_diags_init(&diags);
    tern_network_close(net);
}

static void measuring(void)
{
    tern_network *net;
    tern_evaluation *e;
    tern_evaluated out;
    tern_examples *foreign = some(&reward);
    CHECK_EQ(tern_network_open(&m, NULL, &net, &diags), TERN_OK);
    REFUSED(tern_evaluation_open(net, &(tern_evaluate_options){ .samples = 257 }, &e, &diags), 180);
    REFUSED(tern_evaluation_open(net, &(tern_evaluate_options){ .batch = 6 }, &e, &diags), 180);
    REFUSED(tern_evaluation_open(net, &(tern_evaluate_options){ .batch = 36 }, &e, &diags), 180);
    CHECK_EQ(tern_evaluation_open(net, NULL, &e, &diags), TERN_OK);
    REFUSED(tern_evaluation_measure(e, foreign, 0, &out, NULL, &diags), 181);
    tern_evaluation_close(e);
    tern_network_close(net);
    tern_examples_close(foreign);
}

int main(void)
{
    tern_arena_init(&arena, tern_alloc_default(), 0);
    tern_diags_init(&diags);
    find_models();
    options();
    examples();
    training();
    running();
    weights();
    saved();
    measuring();
    tern_network_close(NULL);
    tern_examples_close(NULL);
    tern_evaluation_close(NULL);
    tern_arena_free(&arena);
    return tern_check_report("network refuse");
}
