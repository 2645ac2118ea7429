/* test_tern_save.c : a state goes through a stream of bytes and on to the same bits; damaged streams are refused
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_check.h"
#include "tern_listener.h"
#include "tern_testnet.h"
#include "tern/save.h"
#include "tern/schedule.h"

typedef struct buffer {
    uint8_t *bytes;
    size_t n, room;
} buffer;

static tern_status collect(void *context, const uint8_t *bytes, size_t n)
{
    buffer *b = context;
    CHECK(n >= 1 && n <= 128);
    if (n > b->room - b->n) return TERN_ERR_MEMORY;
    memcpy(b->bytes + b->n, bytes, n);
    b->n += n;
    return TERN_OK;
}

/* Steps of an example; the flags go through learning, measuring and free running. */
static uint64_t go_on(tern_state *st, const tern_model *m, uint64_t seed, uint32_t from, uint32_t to, tern_arena *arena)
{
    tern_listener sink = TERN_LISTENER;
    uint32_t *in = tern_arena_get(arena, m->net.n_inputs_pos / 32u, 4),
             *target = tern_arena_get(arena, m->net.n_neurons_pos / 32u, 4);
    st->sink = &sink.base;
    for (uint32_t t = from; t < to; ++t) {
        tern_testnet_frame(seed, t, m, in, target);
        tern_step(st, in, target, t % 5 == 4 ? TERN_STEP_CLAMP : t % 7 == 6 ? 0 : TERN_STEP_LEARN | TERN_STEP_CLAMP);
        if (t % 6 == 5) tern_flush(st);
    }
    st->sink = NULL;
    return sink.digest;
}

static tern_state *make_state(const tern_model *m, uint32_t samples, uint64_t seed, tern_arena *arena)
{
    const size_t bytes = tern_state_bytes(&m->net, samples);
    tern_state *st = tern_arena_get(arena, 1, sizeof *st);
    void *mem = tern_arena_get(arena, bytes / 8u, 8);
    CHECK(tern_state_init(st, &m->net, mem, bytes, samples, seed) == TERN_OK);
    return st;
}

static buffer save(const tern_state *st, tern_save_kind kind, uint32_t presentations, tern_arena *arena)
{
    buffer b = { NULL, 0, tern_save_bytes(st, kind) };
    b.bytes = tern_arena_get(arena, b.room, 1);
    CHECK(tern_save(st, kind, presentations, collect, &b) == TERN_OK);
    CHECK_EQ(b.n, b.room);
    return b;
}

/* Both kinds, into a state that had another life before. */
static void round_trip(const tern_model *m, uint64_t seed, tern_arena *arena)
{
    const uint32_t K = m->net.n_samples;
    tern_save_info info;
    tern_state *st = make_state(m, K, seed, arena), *other = make_state(m, K, seed + 1, arena);
    go_on(st, m, seed, 0, 11, arena); /* an update is pending */
    CHECK(st->pending);
    go_on(other, m, seed + 7, 0, 5, arena);
    const buffer all = save(st, TERN_SAVE_EVERYTHING, 77, arena);
    CHECK_EQ(tern_restore(other, all.bytes, all.n, &info, NULL), TERN_OK);
    CHECK(info.kind == TERN_SAVE_EVERYTHING && info.n_samples == K && info.presentations == 77 &&
          info.step == st->step && info.seed == seed);
    CHECK(go_on(st, m, seed, 11, 24, arena) == go_on(other, m, seed, 11, 24, arena));
    CHECK(memcmp(&st->sat, &other->sat, sizeof st->sat) == 0 && memcmp(&st->comm, &other->comm, sizeof st->comm) == 0);

    tern_flush(st);
    const buffer learnt = save(st, TERN_SAVE_LEARNT, 5, arena);
    CHECK(learnt.n <= all.n);
    tern_state *third = make_state(m, K, seed + 2, arena);
    go_on(third, m, seed + 9, 0, 4, arena);
    CHECK_EQ(tern_restore(third, learnt.bytes, learnt.n, NULL, NULL), TERN_OK);
    tern_state_clear(st);
    CHECK(go_on(st, m, seed, 0, 12, arena) == go_on(third, m, seed, 0, 12, arena));
    /* what was learnt goes to another number of samples, everything does not */
    tern_state *wider = make_state(m, K == 1 ? 2 : K - 1, seed, arena);
    CHECK_EQ(tern_restore(wider, learnt.bytes, learnt.n, NULL, NULL), TERN_OK);
    CHECK(wider->step == st->step - 12);
    CHECK_EQ(tern_restore(wider, all.bytes, all.n, NULL, NULL), TERN_ERR_ARGUMENT);
}

/* Whatever byte is changed and wherever the stream ends: refused, and the state is as it was. */
static void damage(const tern_model *m, uint64_t seed, tern_arena *arena)
{
    const char *what = NULL;
    tern_state *st = make_state(m, m->net.n_samples, seed, arena),
               *other = make_state(m, m->net.n_samples, seed, arena);
    go_on(st, m, seed, 0, 9, arena);
    const buffer b = save(st, TERN_SAVE_EVERYTHING, 1, arena), before = save(other, TERN_SAVE_EVERYTHING, 0, arena);
    for (size_t i = 0; i<b.n; i += b.n> 2000 ? 7 : 1) {
        b.bytes[i] ^= (uint8_t)(1u << i % 8u);
        CHECK(tern_restore(other, b.bytes, b.n, NULL, &what) != TERN_OK);
        b.bytes[i] ^= (uint8_t)(1u << i % 8u);
    }
    for (size_t n = 0; n < b.n; n += 1 + n / 50) CHECK(tern_restore(other, b.bytes, n, NULL, &what) != TERN_OK);
    const buffer after = save(other, TERN_SAVE_EVERYTHING, 0, arena);
    CHECK(before.n == after.n && memcmp(before.bytes, after.bytes, after.n) == 0);
    CHECK_EQ(tern_restore(other, b.bytes, b.n, NULL, &what), TERN_OK);
}

/* A stream with a correct check sum but a number that no engine makes. */
static void impossible(const tern_model *m, tern_state *st, const char *wanted, tern_arena *arena)
{
    const char *what = "nothing";
    tern_state *other = make_state(m, m->net.n_samples, 1, arena);
    const buffer b = save(st, TERN_SAVE_EVERYTHING, 1, arena);
    CHECK_EQ(tern_restore(other, b.bytes, b.n, NULL, &what), TERN_ERR_FORMAT);
    CHECK_STR(what, wanted);
}

static void ranges(const tern_model *m, tern_arena *arena)
{
    const uint32_t K = m->net.n_samples;
    const unsigned history = (unsigned)m->net.taps_d + m->net.lags_w;
#define TRY(change, wanted) \
    do { \
        tern_state *st = make_state(m, K, 3, arena); \
        change; \
        impossible(m, st, wanted, arena); \
    } while (0)
    TRY(st->v_f12[K - 1] = 1, "a log-probability is at most 0");
    TRY(st->bias_f12[0] = INT16_MIN, "a bias, self-memory weight or error is within +-32767");
    TRY(st->errors_f15[0] = INT16_MIN, "a bias, self-memory weight or error is within +-32767");
    TRY(st->ek[0] = 32768u, "a learning coefficient is 0..32767");
    TRY(st->w_f12[0] = INT32_MIN, "a learning signal or baseline is above -2^31");
    TRY(st->lag_head = m->net.lags_w, "lag_head is below W");
    TRY(st->k0 = 2, "k0 is a multiple of 4, with k0 + n_samples <= 16384");
    if (history < 64) TRY(st->hist_neuron[m->net.neurons[0].pos] = UINT64_C(1) << history, "a history has D + W bits");
    if (m->net.weight_bits < 16)
        for (uint32_t i = 0; i < m->net.n_weights; ++i)
            if (m->net.weights0[i] != TERN_WEIGHT_ABSENT) {
                TRY(st->weights[i] = INT16_MAX, "a weight fits weight_bits, symmetric range");
                TRY(st->weights[i] = TERN_WEIGHT_ABSENT, "synapses exist exactly where the network has them");
                break;
            }
    if (m->net.rule == TERN_RULE_GEM) TRY(st->m_f14[0] = -1, "a modulator of rule GEM is a share of 1");
    uint32_t gap = 0;
    for (uint32_t i = 0; i < m->net.n_neurons; ++i)
        if (m->net.neurons[i].pos == gap) {
            ++gap;
            i = UINT32_MAX;
        }
    if (gap < m->net.n_neurons_pos) {
        TRY(st->hist_neuron[gap] = 1, "a position without a neuron has no history and no spike");
        TRY(st->spikes[gap >> 5] |= 1u << (gap & 31u), "a position without a neuron has no history and no spike");
    }
#undef TRY
}

static void schedules(const tern_model *m, tern_arena *arena)
{
    tern_state *st = make_state(m, 1, 1, arena);
    const uint8_t w = m->net.lags_w;
    uint16_t *ek = tern_arena_get(arena, 3u * (size_t)w, sizeof *ek);
    for (unsigned i = 0; i < 3u * w; ++i) ek[i] = (uint16_t)(i + 1u);
    tern_schedule s = { 10, 3, w, 0, ek };
    const uint32_t at[] = { 0, 9, 10, 29 };
    const unsigned row[] = { 0, 0, 1, 2 };
    for (unsigned i = 0; i < 4; ++i) {
        CHECK_EQ(tern_schedule_apply(st, &s, at[i]), TERN_OK);
        CHECK_EQ(st->ek[0], row[i] * w + 1u);
        CHECK_EQ(st->ek[w - 1u], row[i] * w + w);
    }
    CHECK_EQ(tern_schedule_apply(st, &s, 30), TERN_ERR_LIMIT);
    s.complete = 1;
    CHECK_EQ(tern_schedule_apply(st, &s, UINT32_MAX), TERN_OK);
    CHECK_EQ(st->ek[0], 2u * w + 1u);
    s.every = 0;
    CHECK_EQ(tern_schedule_apply(st, &s, UINT32_MAX), TERN_OK);
    CHECK_EQ(st->ek[0], 1);
    s.lags_w = (uint8_t)(w + 1u);
    CHECK_EQ(tern_schedule_apply(st, &s, 0), TERN_ERR_ARGUMENT);
}

int main(void)
{
    unsigned tried = 0;
    uint64_t last = 0;
    for (uint64_t seed = 1; seed <= 40; ++seed) {
        tern_arena arena;
        tern_model m;
        tern_arena_init(&arena, tern_alloc_default(), 0);
        if (tern_testnet_make(seed, &arena, &m) != TERN_OK || tern_net_check(&m.net, NULL) != TERN_OK) return 1;
        const uint64_t print = tern_net_fingerprint(&m.net);
        CHECK(print != last);
        last = print;
        round_trip(&m, seed, &arena);
        if (seed <= 12) damage(&m, seed, &arena);
        ranges(&m, &arena);
        schedules(&m, &arena);
        /* a network that differs in one synapse, format or filter is another network */
        tern_net changed = m.net;
        changed.gamma_f16 ^= 1u;
        CHECK(tern_net_fingerprint(&changed) != print);
        tern_arena_free(&arena);
        ++tried;
    }
    CHECK_EQ(tried, 40);
    printf("%u checks, %u failed\n", tern_check_done, tern_check_failed);
    return tern_check_failed != 0;
}
