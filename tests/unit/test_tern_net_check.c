/* test_tern_net_check.c : every rule of tern_net_check broken once, and the arguments of tern_state_init
 * SPDX-License-Identifier: Apache-2.0
 *
 * lint.net_rules checks that the text of every rule of runtime/net/tern_net.c stands in this file.
 */
#include <stdlib.h>
#include "tern/engine.h"
#include "tern_check.h"
#include "tern_testnet.h"

/* 3 neurons (2 visible) at positions 0, 1, 32; 40 inputs in a pool of 64; 2 filters of 3 taps; rows: neuron 0: sample
 * f0, shared f0 (twice), shared f1; neuron 1: none; neuron 2: shared f1. */
enum { N_ROWS = 5, N_WEIGHTS = 3 + 10 + 20 + 40 + 40 };
typedef struct small_net {
    tern_net n;
    tern_neuron neurons[3];
    tern_row rows[N_ROWS];
    uint16_t taps[6], ek[4], kap[4], sig[TERN_SIG_ENTRIES], softplus[TERN_SIG_ENTRIES], exp[TERN_EXP_ENTRIES],
        log[TERN_LOG_ENTRIES];
    int16_t weights[N_WEIGHTS], bias[3], self[3];
} small_net;

static small_net good;

static void point(small_net *s)
{
    s->n.filter_taps = s->taps;
    s->n.sig_f16 = s->sig;
    s->n.softplus_f12 = s->softplus;
    s->n.exp_f16 = s->exp;
    s->n.log_f12 = s->log;
    s->n.neurons = s->neurons;
    s->n.rows = s->rows;
    s->n.ek0 = s->ek;
    s->n.kap_f15 = s->kap;
    s->n.weights0 = s->weights;
    s->n.bias0_f12 = s->bias;
    s->n.self0_f12 = s->self;
}

static int make_good(void)
{
    tern_arena arena;
    tern_net tables = { 0 };
    tern_arena_init(&arena, tern_alloc_default(), 0);
    if (tern_testnet_tables(&arena, &tables) != TERN_OK) return 1;
    memcpy(good.sig, tables.sig_f16, sizeof good.sig);
    memcpy(good.softplus, tables.softplus_f12, sizeof good.softplus);
    memcpy(good.exp, tables.exp_f16, sizeof good.exp);
    memcpy(good.log, tables.log_f12, sizeof good.log);
    tern_arena_free(&arena);
    good.n = (tern_net){ .n_inputs_pos = 64,
                         .n_neurons_pos = 64,
                         .n_neurons = 3,
                         .n_visible = 2,
                         .n_rows = N_ROWS,
                         .n_weights = N_WEIGHTS,
                         .n_filters = 2,
                         .taps_d = 3,
                         .lags_w = 4,
                         .trace_frac = 8,
                         .weight_bits = 8,
                         .weight_frac = 6,
                         .rule = TERN_RULE_MB,
                         .baseline = TERN_BASELINE_NEURON,
                         .baseline_shift = 5,
                         .m_shift = 6,
                         .learn = { { .c_shift = 18, .c_frac = 16, .dither_bits = 18, .local_bits = 12 },
                                    { .c_shift = 16, .c_frac = 12, .dither_bits = 14, .local_bits = 8 } },
                         .n_samples = 4,
                         .gamma_f16 = 60000 };
    good.neurons[0] = (tern_neuron){ 0, 0, 4, 1, 0, 0 };
    good.neurons[1] = (tern_neuron){ 1, 4, 0, TERN_NO_FILTER, 0, 0 };
    good.neurons[2] = (tern_neuron){ 32, 4, 1, 0, 0, 0 };
    good.rows[0] = (tern_row){ 0, 0, 3, 32, 0, TERN_ROW_SAMPLE };
    good.rows[1] = (tern_row){ 3, 0, 10, 64, 0, TERN_ROW_SHARED };
    good.rows[2] = (tern_row){ 13, 20, 20, 96, 0, TERN_ROW_SHARED }; /* positions 20..39: 64 dither indices */
    good.rows[3] = (tern_row){ 33, 0, 40, 160, 1, TERN_ROW_SHARED };
    good.rows[4] = (tern_row){ 73, 0, 40, 32, 1, TERN_ROW_SHARED };
    for (unsigned i = 0; i < 6; ++i) good.taps[i] = (uint16_t)(511 - 80 * i);
    for (unsigned i = 0; i < 4; ++i) good.ek[i] = good.kap[i] = 32767;
    for (unsigned i = 0; i < N_WEIGHTS; ++i)
        good.weights[i] = (int16_t)(i % 4 == 3 ? TERN_WEIGHT_ABSENT : (int)(i % 2) * 254 - 127);
    good.weights[2] = TERN_WEIGHT_ABSENT; /* of position 2, which has no neuron */
    good.weights[2] = TERN_WEIGHT_ABSENT; /* of position 2, which has no neuron */
    for (unsigned i = 0; i < 3; ++i) good.bias[i] = good.self[i] = (int16_t)(i == 1 ? 0 : 32767 - 65534 * (int)(i / 2));
    return 0;
}

/* One change of the good network must give exactly this answer. */
#define BROKEN(status, text, change) \
    do { \
        small_net s = good; \
        const char *what = "nothing"; \
        tern_net *n = &s.n; \
        point(&s); \
        { \
            change; \
        } \
        (void)n; \
        CHECK_EQ(tern_net_check(&s.n, &what), status); \
        CHECK_STR(what, text); \
        CHECK_EQ(tern_net_check(&s.n, NULL), status); \
    } while (0)

static void sizes(void)
{
    BROKEN(TERN_OK, "nothing", );
    BROKEN(TERN_ERR_LIMIT, "n_neurons is 1..65535", n->n_neurons = 0);
    BROKEN(TERN_ERR_LIMIT, "n_neurons is 1..65535", n->n_neurons = 65536);
    BROKEN(TERN_ERR_FORMAT, "n_visible <= n_neurons", n->n_visible = 4);
    BROKEN(TERN_OK, "nothing", n->n_visible = 3);
    BROKEN(TERN_ERR_FORMAT, "pools are multiples of 32 positions", n->n_inputs_pos = 48);
    BROKEN(TERN_ERR_FORMAT, "pools are multiples of 32 positions", n->n_neurons_pos = 65);
    BROKEN(TERN_ERR_LIMIT, "pools have at most 65536 positions", n->n_inputs_pos = 65568);
    BROKEN(TERN_ERR_LIMIT, "pools have at most 65536 positions", n->n_neurons_pos = 65568);
    BROKEN(TERN_ERR_FORMAT, "every neuron has a position", n->n_neurons_pos = 0);
    BROKEN(TERN_ERR_LIMIT, "at most 16777216 weight words", n->n_weights = 16777217);
    BROKEN(TERN_ERR_FORMAT, "a row has at least one weight", n->n_rows = N_WEIGHTS + 1);
    BROKEN(TERN_ERR_LIMIT, "at most 16 filters", n->n_filters = 17);
    BROKEN(TERN_ERR_FORMAT, "taps_d is 1..32", n->taps_d = 0);
    BROKEN(TERN_ERR_FORMAT, "taps_d is 1..32", n->taps_d = 33);
    BROKEN(TERN_ERR_FORMAT, "lags_w is 1..64-taps_d", n->lags_w = 0);
    BROKEN(TERN_ERR_FORMAT, "lags_w is 1..64-taps_d", n->lags_w = 62);
    BROKEN(TERN_ERR_FORMAT, "trace_frac is 4..8", n->trace_frac = 3);
    BROKEN(TERN_ERR_FORMAT, "trace_frac is 4..8", n->trace_frac = 9);
    BROKEN(TERN_ERR_FORMAT, "weight_bits is 4..16", n->weight_bits = 3);
    BROKEN(TERN_ERR_FORMAT, "weight_bits is 4..16", n->weight_bits = 17);
    BROKEN(TERN_ERR_FORMAT, "weight_frac is 0..12", n->weight_bits = 16; n->weight_frac = 13);
    BROKEN(TERN_ERR_FORMAT, "dither_bits is 1..31", n->learn[0].dither_bits = 0);
    BROKEN(TERN_ERR_FORMAT, "dither_bits is 1..31", n->learn[0].dither_bits = 32);
    BROKEN(TERN_ERR_FORMAT, "local_bits is 1..31", n->learn[0].local_bits = 0);
    BROKEN(TERN_ERR_FORMAT, "local_bits is 1..31", n->learn[0].local_bits = 32);
    BROKEN(TERN_ERR_FORMAT, "dither_bits + weight_frac = local_bits + 12", n->learn[0].local_bits = 13);
    BROKEN(TERN_ERR_FORMAT, "dither_bits + weight_frac = c_frac + trace_frac", n->learn[0].c_frac = 17);
    BROKEN(TERN_ERR_FORMAT, "c_shift is 15..30", n->learn[0].c_shift = 14);
    BROKEN(TERN_ERR_FORMAT, "c_shift is 15..30", n->learn[0].c_shift = 31);
    BROKEN(TERN_ERR_FORMAT, "dither_bits is 1..31", n->learn[1].dither_bits = 0);
    BROKEN(TERN_ERR_FORMAT, "local_bits is 1..31", n->learn[1].local_bits = 32);
    BROKEN(TERN_ERR_FORMAT, "dither_bits + weight_frac = local_bits + 12", n->learn[1].dither_bits = 15);
    BROKEN(TERN_ERR_FORMAT, "dither_bits + weight_frac = c_frac + trace_frac", n->learn[1].c_frac = 13);
    BROKEN(TERN_ERR_FORMAT, "c_shift is 15..30", n->learn[1].c_shift = 14);
    BROKEN(TERN_ERR_FORMAT, "rule is 0..3", n->rule = 4);
    BROKEN(TERN_ERR_FORMAT, "baseline is 0..2, and 0 with GEM", n->baseline = 3);
    BROKEN(TERN_ERR_FORMAT, "baseline is 0..2, and 0 with GEM", n->rule = TERN_RULE_GEM);
    BROKEN(TERN_ERR_FORMAT, "baseline is 0..2, and 0 with GEM", n->rule = TERN_RULE_GEM;
           n->baseline = TERN_BASELINE_SYNAPSE);
    BROKEN(TERN_OK, "nothing", n->rule = TERN_RULE_GEM; n->baseline = TERN_BASELINE_NONE);
    BROKEN(TERN_OK, "nothing", n->rule = TERN_RULE_REWARD; n->baseline = TERN_BASELINE_SYNAPSE);
    BROKEN(TERN_ERR_FORMAT, "baseline_shift is 3..7", n->baseline_shift = 2);
    BROKEN(TERN_ERR_FORMAT, "baseline_shift is 3..7", n->baseline_shift = 8);
    BROKEN(TERN_ERR_FORMAT, "m_shift is 0..24", n->m_shift = 25);
    BROKEN(TERN_ERR_FORMAT, "n_samples is 1..32", n->n_samples = 0);
    BROKEN(TERN_ERR_FORMAT, "n_samples is 1..32", n->n_samples = 33);
    BROKEN(TERN_ERR_FORMAT, "gamma_f16 is 0..65536", n->gamma_f16 = 65537);
}

static void tables(void)
{
    BROKEN(TERN_ERR_FORMAT, "a filter tap is below 2", s.taps[5] = 512);
    BROKEN(TERN_ERR_FORMAT, "a sigmoid entry is 2..32768", s.sig[511] = 1);
    BROKEN(TERN_ERR_FORMAT, "a sigmoid entry is 2..32768", s.sig[0] = 32769);
    BROKEN(TERN_ERR_FORMAT, "a softplus entry is 0..4096", s.softplus[0] = 4097);
    BROKEN(TERN_ERR_FORMAT, "the first exponential entry is above 32768", s.exp[0] = 32768);
    BROKEN(TERN_ERR_FORMAT, "a logarithm entry is 0..4095", s.log[255] = 4096);
    BROKEN(TERN_ERR_FORMAT, "a learning coefficient is 0..32767", s.ek[3] = 32768);
    BROKEN(TERN_ERR_FORMAT, "a learning coefficient is 0..32767", s.kap[3] = 32768);
    BROKEN(TERN_ERR_FORMAT, "a weight fits weight_bits, symmetric range", s.weights[N_WEIGHTS - 1] = 128);
    BROKEN(TERN_ERR_FORMAT, "a weight fits weight_bits, symmetric range", s.weights[0] = -128);
    BROKEN(TERN_ERR_FORMAT, "bias and self-memory are within +-32767", s.bias[2] = INT16_MIN);
    BROKEN(TERN_ERR_FORMAT, "bias and self-memory are within +-32767", s.self[0] = INT16_MIN);
}

static void structure(void)
{
    BROKEN(TERN_ERR_FORMAT, "a row's kind is 0 or 1", s.rows[0].kind = 2);
    BROKEN(TERN_ERR_FORMAT, "a row's filter exists", s.rows[4].filter = 2);
    BROKEN(TERN_ERR_FORMAT, "a row lies inside its pool", s.rows[4].count = 0);
    BROKEN(TERN_ERR_FORMAT, "a row lies inside its pool", s.rows[4].first = 25);
    BROKEN(TERN_ERR_FORMAT, "a row lies inside its pool", s.rows[4].first = UINT32_MAX - 10);
    BROKEN(TERN_ERR_FORMAT, "a row lies inside its pool", s.rows[4].count = UINT32_MAX);
    BROKEN(TERN_ERR_FORMAT, "rows use weights[] in order, without gap or overlap", s.rows[1].weight = 4);
    BROKEN(TERN_ERR_FORMAT, "rows use weights[] in order, without gap or overlap", s.rows[4].count = 41);
    BROKEN(TERN_ERR_FORMAT, "a row's dither index is a multiple of 32, at least 32", s.rows[4].dither = 0);
    BROKEN(TERN_ERR_FORMAT, "a row's dither index is a multiple of 32, at least 32", s.rows[4].dither = 33);
    BROKEN(TERN_ERR_FORMAT, "a row's dither index is a multiple of 32, at least 32", s.rows[4].dither = 1u << 30);
    BROKEN(TERN_ERR_FORMAT, "a neuron's position lies inside the pool", s.neurons[2].pos = 64);
    BROKEN(TERN_ERR_FORMAT, "every neuron has a position of its own", s.neurons[2].pos = 1);
    BROKEN(TERN_ERR_FORMAT, "neurons of 32 positions follow each other, ascending", s.neurons[0].pos = 1;
           s.neurons[1].pos = 0);
    BROKEN(TERN_ERR_FORMAT, "neurons of 32 positions follow each other, ascending", s.neurons[1].pos = 32;
           s.neurons[2].pos = 1);
    BROKEN(TERN_OK, "nothing", s.neurons[1].pos = 31; s.weights[1] = TERN_WEIGHT_ABSENT);
    BROKEN(TERN_ERR_FORMAT, "a synapse from a neuron reads a position that has one", s.neurons[1].pos = 31);
    BROKEN(TERN_ERR_FORMAT, "a synapse from a neuron reads a position that has one", s.weights[2] = 1);
    BROKEN(TERN_ERR_FORMAT, "a neuron's self-memory filter exists", s.neurons[2].self_filter = 2);
    BROKEN(TERN_ERR_FORMAT, "rows of neurons follow each other", s.neurons[1].row0 = 3);
    BROKEN(TERN_ERR_FORMAT, "rows of neurons follow each other", s.neurons[2].n_rows = 2);
    BROKEN(TERN_ERR_FORMAT, "rows of neurons follow each other", s.neurons[2].n_rows = UINT32_MAX);
    BROKEN(TERN_ERR_FORMAT, "rows of a neuron are ordered and do not overlap", s.rows[2].first = 9);
    BROKEN(TERN_ERR_FORMAT, "rows of a neuron are ordered and do not overlap", s.rows[3].filter = 0);
    BROKEN(TERN_ERR_FORMAT, "rows of a neuron are ordered and do not overlap", s.rows[1].filter = 1);
    BROKEN(TERN_ERR_FORMAT, "rows of a neuron are ordered and do not overlap", s.rows[0].kind = TERN_ROW_SHARED;
           s.rows[1].kind = TERN_ROW_SAMPLE);
    BROKEN(TERN_ERR_FORMAT, "dither indices of a neuron's rows do not overlap", s.rows[1].dither = 32);
    /* row 2 ends at 159 */
    BROKEN(TERN_ERR_FORMAT, "dither indices of a neuron's rows do not overlap", s.rows[3].dither = 128);
    BROKEN(TERN_OK, "nothing", s.rows[3].dither = 1024);
    BROKEN(TERN_ERR_FORMAT, "every row and weight belongs to a neuron", s.neurons[2].n_rows = 0);
    BROKEN(TERN_ERR_FORMAT, "every row and weight belongs to a neuron", s.rows[4].count = 39);
}

/* `n` neurons from `first` on become members 0.. of a circuit of `size`. */
static void circuit(small_net *s, unsigned first, unsigned n, unsigned size)
{
    for (unsigned i = 0; i < n; ++i) {
        s->neurons[first + i].wta_size = (uint8_t)size;
        s->neurons[first + i].wta_index = (uint8_t)i;
    }
}

static void circuits(void)
{
    static const char apart[] = "the members of a WTA circuit are neighbours, all visible or all hidden";
    BROKEN(TERN_OK, "nothing", circuit(&s, 0, 2, 2)); /* the two visible neurons */
    BROKEN(TERN_OK, "nothing", n->n_visible = 3; circuit(&s, 0, 2, 2));
    /* a circuit may cross a word of 32 positions */
    BROKEN(TERN_OK, "nothing", n->n_visible = 0; s.neurons[1].pos = 31; s.weights[1] = TERN_WEIGHT_ABSENT;
           circuit(&s, 1, 2, 2));
    BROKEN(TERN_ERR_FORMAT, "a WTA circuit has 2..64 members", s.neurons[0].wta_index = 1);
    BROKEN(TERN_ERR_FORMAT, "a WTA circuit has 2..64 members", s.neurons[0].wta_size = 1);
    BROKEN(TERN_ERR_FORMAT, "a WTA circuit has 2..64 members", s.neurons[0].wta_size = 65);
    BROKEN(TERN_ERR_FORMAT, "a WTA circuit has 2..64 members", circuit(&s, 0, 2, 2); s.neurons[1].wta_index = 2);
    /* its other member is an ordinary neuron */
    BROKEN(TERN_ERR_FORMAT, apart, circuit(&s, 0, 1, 2));
    BROKEN(TERN_ERR_FORMAT, apart, circuit(&s, 0, 2, 2); s.neurons[1].pos = 2); /* a gap */
    /* visible and hidden */
    BROKEN(TERN_ERR_FORMAT, apart, s.neurons[1].pos = 31; circuit(&s, 1, 2, 2));
    /* members of two sizes */
    BROKEN(TERN_ERR_FORMAT, apart, circuit(&s, 0, 2, 3); s.neurons[1].wta_size = 2);
    /* member 1 is missing */
    BROKEN(TERN_ERR_FORMAT, apart, circuit(&s, 0, 2, 3); s.neurons[1].wta_index = 2);
    BROKEN(TERN_ERR_FORMAT, "a WTA circuit begins with member 0", s.neurons[1].wta_size = 2;
           s.neurons[1].wta_index = 1);
    BROKEN(TERN_ERR_FORMAT, "a WTA circuit is complete", circuit(&s, 2, 1, 2));
}

/* Who learns from w, and how many baselines a state holds. */
static void helpers(void)
{
    small_net s = good;
    static const uint32_t first[] = { 3, 2, 2, 0 };
    for (uint8_t rule = 0; rule < 4; ++rule) {
        s.n.rule = rule;
        CHECK_EQ(tern_net_signal_first(&s.n), first[rule]);
        for (uint32_t i = 0; i < 3; ++i) CHECK(tern_net_learn(&s.n, i) == &s.n.learn[i >= first[rule]]);
    }
    s.n.baseline = TERN_BASELINE_NONE;
    CHECK_EQ(tern_net_baselines(&s.n), 0);
    s.n.baseline = TERN_BASELINE_NEURON;
    CHECK_EQ(tern_net_baselines(&s.n), 3);
    s.n.baseline = TERN_BASELINE_SYNAPSE;
    CHECK_EQ(tern_net_baselines(&s.n), N_WEIGHTS + 6);
}

static void state_arguments(void)
{
    small_net s = good;
    tern_state st;
    point(&s);
    s.bias[2] = 0; /* a hidden neuron that can err */
    CHECK_EQ(tern_state_bytes(&s.n, 0), 0);
    CHECK_EQ(tern_state_bytes(&s.n, 33), 0);
    const size_t bytes = tern_state_bytes(&s.n, 5);
    CHECK(bytes > 0 && bytes % 8 == 0);
    unsigned char *mem = malloc(bytes + 16);
    if (mem == NULL) {
        CHECK(false /* memory */);
        return;
    }
    memset(mem, 0xa5, bytes + 16);
    CHECK_EQ(tern_state_init(&st, &s.n, mem, bytes, 0, 1), TERN_ERR_ARGUMENT);
    CHECK_EQ(tern_state_init(&st, &s.n, mem, bytes, 33, 1), TERN_ERR_ARGUMENT);
    CHECK_EQ(tern_state_init(&st, &s.n, NULL, bytes, 5, 1), TERN_ERR_ARGUMENT);
    CHECK_EQ(tern_state_init(&st, &s.n, mem, bytes - 1, 5, 1), TERN_ERR_ARGUMENT);
    CHECK_EQ(tern_state_init(&st, &s.n, mem + 4, bytes, 5, 1), TERN_ERR_ARGUMENT);
    CHECK_EQ(mem[0], 0xa5); /* refused before anything is written */
    CHECK_EQ(tern_state_init(&st, &s.n, mem, bytes, 5, 0x123456789abcdefu), TERN_OK);
    CHECK_EQ(st.n_samples, 5);
    CHECK(st.seed == 0x123456789abcdefu && st.net == &s.n && !st.pending && st.step == 0 && st.sink == NULL);
    CHECK(memcmp(st.weights, s.weights, sizeof s.weights) == 0 && memcmp(st.bias_f12, s.bias, sizeof s.bias) == 0);
    CHECK(memcmp(st.self_f12, s.self, sizeof s.self) == 0 && memcmp(st.ek, s.ek, sizeof s.ek) == 0);

    /* steps stay inside the memory that was asked for, and a cleared state holds nothing of the example */
    const uint32_t in[2] = { 0x5555aaaau, 0x3f }, target[2] = { 1, 0 };
    for (unsigned t = 0; t < 12; ++t) tern_step(&st, in, target, TERN_STEP_LEARN | TERN_STEP_CLAMP);
    for (unsigned i = 0; i < 16; ++i) CHECK_EQ(mem[bytes + i], 0xa5);
    CHECK(st.pending && st.step == 12);
    tern_flush(&st);
    CHECK(!st.pending && st.step == 12);
    tern_step(&st, in, NULL, 0); /* free: no targets are needed */
    const int32_t base = st.base_f12[2];
    const uint32_t base_weight = st.base_weight[2];
    CHECK(st.base_weight[0] == 0 && base_weight != 0); /* MB: only the hidden neuron has one */
    tern_state_clear(&st);
    CHECK(st.base_f12[2] == base && st.base_weight[2] == base_weight); /* not of an example */
    CHECK(st.step == 13 && !st.pending && st.lag_head == 0);
    for (unsigned p = 0; p < 64; ++p) CHECK(st.hist_in[p] == 0 && st.hist_neuron[p] == 0);
    for (unsigned k = 0; k < 5; ++k)
        CHECK(st.v_f12[k] == 0 && st.m_f14[k] == 0 && st.w_f12[k] == 0 && st.loss_f12[k] == 0 && st.spikes[2 * k] == 0);
    for (unsigned e = 0; e < 3 * 5 * 4; ++e) CHECK_EQ(st.errors_f15[e], 0);
    free(mem);
}

int main(void)
{
    if (make_good() != 0) return 1;
    sizes();
    tables();
    structure();
    circuits();
    helpers();
    state_arguments();
    return tern_check_report("net check");
}
