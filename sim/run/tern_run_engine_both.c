/* tern_run_engine_both.c : the engine `both`: golden and fast side by side, stopped at the first difference
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <string.h>
#include "tern_run_engine.h"

enum { E_DIFFER = 143 };

typedef struct tern_both {
    tern_state golden; /* fast has the runner's st */
    const char *what;  /* array or number that differs; NULL: none so far */
    size_t index;
    uint32_t step;    /* number of the step behind which it was found */
    bool flush;       /* found behind a flush */
    int64_t value[2]; /* golden, fast */
} tern_both;

/* Integer at place i of an array of `size` bytes each. */
static int64_t value_at(const void *array, size_t i, size_t size, bool is_signed)
{
    uint64_t x = 0;
    uint8_t b[8];
    memcpy(b, (const uint8_t *)array + i * size, size);
    const uint16_t order = 1;
    const bool little = *(const uint8_t *)&order == 1;
    for (size_t j = 0; j < size; ++j) x |= (uint64_t)b[little ? j : size - 1u - j] << 8 * j;
    if (is_signed && size < 8 && (x >> (8 * size - 1) & 1u) != 0) x |= ~(uint64_t)0 << 8 * size;
    return (int64_t)x;
}

static bool same(tern_both *b, const char *what, const void *golden, const void *fast, size_t count, size_t size,
                 bool is_signed)
{
    if (count == 0 || memcmp(golden, fast, count * size) == 0) return true;
    for (b->index = 0; value_at(golden, b->index, size, false) == value_at(fast, b->index, size, false);) ++b->index;
    b->what = what;
    b->value[0] = value_at(golden, b->index, size, is_signed);
    b->value[1] = value_at(fast, b->index, size, is_signed);
    return false;
}

#define SAME(member, count) \
    same(b, #member, g->member, f->member, (count), sizeof *g->member, \
         (_Generic(*g->member, int16_t \
                   : true, int32_t \
                   : true, default \
                   : false)))
#define SAME_ONE(member) same(b, #member, &g->member, &f->member, 1, sizeof g->member, false)

/* Compares everything that a step or flush changes. */
static bool compare(tern_runner *r, uint32_t step, bool flush)
{
    tern_both *b = r->both;
    const tern_net *n = r->st.net;
    const tern_state *g = &b->golden, *f = &r->st;
    const size_t K = g->n_samples;
    b->step = step;
    b->flush = flush;
    return SAME(base_f12, tern_net_baselines(n)) && SAME(base_weight, tern_net_baselines(n)) &&
           SAME(bias_f12, n->n_neurons) && SAME(self_f12, n->n_neurons) && SAME(weights, n->n_weights) &&
           SAME(spikes, K * (n->n_neurons_pos / 32)) && SAME(errors_f15, n->n_neurons * K * n->lags_w) &&
           SAME(loss_f12, K) && SAME(v_f12, K) && SAME(m_f14, K) && SAME(w_f12, K) && SAME(hist_in, n->n_inputs_pos) &&
           SAME(hist_neuron, K * n->n_neurons_pos) && SAME(spikes_in, n->n_inputs_pos / 32) && SAME_ONE(sat.weight) &&
           SAME_ONE(sat.local) && SAME_ONE(sat.potential) && SAME_ONE(sat.coefficient) && SAME_ONE(sat.logprob) &&
           SAME_ONE(sat.modulator) && SAME_ONE(comm.unicast) && SAME_ONE(comm.broadcast) && SAME_ONE(step) &&
           SAME_ONE(lag_head) && SAME_ONE(pending);
}

static tern_status both_open(tern_runner *r, const tern_runner_engine *o, tern_arena *arena, tern_diags *diags)
{
    const size_t bytes = tern_state_bytes(r->st.net, r->n_samples);
    tern_both *b = tern_arena_get(arena, 1, sizeof *b);
    void *mem = tern_arena_get(arena, bytes, 1);
    if (b == NULL || mem == NULL) return TERN_ERR_MEMORY;
    tern_status s = tern_state_init(&b->golden, r->st.net, mem, bytes, r->n_samples, r->st.seed);
    if (s != TERN_OK) return s;
    tern_state_copy(&b->golden, &r->st);
    r->both = b;
    return tern_fast_open(&r->st, &(tern_fast_options){ .threads = o->threads }, arena, &r->fast, diags);
}

static void both_run(tern_runner *r, const tern_frames *f, unsigned flags, void (*seen)(void *ud, uint32_t t), void *ud)
{
    for (uint32_t t = 0; t < f->n_steps && r->both->what == NULL; ++t) {
        const uint32_t *inputs = f->inputs + (size_t)t * f->words_in,
                       *targets = f->targets + (size_t)t * f->words_neuron, step = r->st.step;
        tern_step(&r->both->golden, inputs, targets, flags);
        tern_fast_step(r->fast, inputs, targets, flags);
        if (compare(r, step, false)) seen(ud, t);
    }
}

static void both_end(tern_runner *r, bool clear)
{
    if (r->both->what != NULL) return;
    tern_flush(&r->both->golden);
    tern_fast_flush(r->fast);
    if (!compare(r, r->st.step, true) || !clear) return;
    tern_state_clear(&r->both->golden);
    tern_state_clear(&r->st);
}

static void both_reward(tern_runner *r, const double *reward)
{
    int32_t reward_f12[TERN_MAX_SAMPLES];
    tern_engine_reward_f12(r, reward, reward_f12);
    tern_reward(&r->both->golden, reward_f12);
    tern_reward(&r->st, reward_f12);
}

static tern_status both_set_eta(tern_runner *r, double eta)
{
    const tern_status s = tern_engine_set_ek(r, eta);
    if (s == TERN_OK) memcpy(r->both->golden.ek, r->st.ek, r->st.net->lags_w * sizeof *r->st.ek);
    return s;
}

static tern_status both_check(const tern_runner *r, tern_diags *diags)
{
    const tern_both *b = r->both;
    tern_fast_info info;
    if (b == NULL || b->what == NULL) return TERN_OK;
    tern_fast_describe(r->fast, &info);
    tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, E_DIFFER, r->model->name, 0, "--engine both",
                                  "%s step %" PRIu32 " %s[%zu] is %" PRId64 " in the golden model and %" PRId64
                                  " in fast (%s, %u thread%s)",
                                  b->flush ? "after the flush before" : "after", b->step, b->what, b->index,
                                  b->value[0], b->value[1], info.isa, info.threads, info.threads == 1 ? "" : "s"),
                   "--engine golden is right; TERN_ISA=plain --threads 1 narrows it down; please report it");
    return TERN_ERR_DIFFERS;
}

static void both_placed(tern_runner *r)
{
    r->both->golden.k0 = r->st.k0;
    r->both->golden.step = r->st.step;
}

static void both_changed(tern_runner *r)
{
    tern_state_copy(&r->both->golden, &r->st);
    tern_fast_changed(r->fast);
}

static void both_weights(tern_runner *to, const tern_runner *from)
{
    tern_state_copy_weights(&to->both->golden, &from->st);
}

const tern_engine tern_engine_both = { .name = "both",
                                       .arithmetic = "golden",
                                       .open = both_open,
                                       .run = both_run,
                                       .end = both_end,
                                       .reward = both_reward,
                                       .set_eta = both_set_eta,
                                       .check = both_check,
                                       .placed = both_placed,
                                       .changed = both_changed,
                                       .weights = both_weights };
