/* tern_net.c : is a network safe to run? Checked once, relied on by every engine.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern/net.h"

#define RULE(cond, status, text) \
    do { \
        if (!(cond)) { \
            if (out_what != NULL) *out_what = (text); \
            return (status); \
        } \
    } while (0)

static tern_status check_sizes(const tern_net *n, const char **out_what)
{
    RULE(n->n_neurons >= 1 && n->n_neurons <= TERN_MAX_NEURONS, TERN_ERR_LIMIT, "n_neurons is 1..65535");
    RULE(n->n_visible <= n->n_neurons, TERN_ERR_FORMAT, "n_visible <= n_neurons");
    RULE(n->n_inputs_pos % TERN_POS_ALIGN == 0 && n->n_neurons_pos % TERN_POS_ALIGN == 0, TERN_ERR_FORMAT,
         "pools are multiples of 32 positions");
    RULE(n->n_inputs_pos <= TERN_MAX_POSITIONS && n->n_neurons_pos <= TERN_MAX_POSITIONS, TERN_ERR_LIMIT,
         "pools have at most 65536 positions");
    RULE(n->n_neurons_pos >= n->n_neurons, TERN_ERR_FORMAT, "every neuron has a position");
    RULE(n->n_weights <= TERN_MAX_SYNAPSES, TERN_ERR_LIMIT, "at most 16777216 weight words");
    RULE(n->n_rows <= n->n_weights, TERN_ERR_FORMAT, "a row has at least one weight");
    RULE(n->n_filters <= TERN_MAX_FILTERS, TERN_ERR_LIMIT, "at most 16 filters");
    RULE(n->taps_d >= 1 && n->taps_d <= TERN_MAX_TAPS, TERN_ERR_FORMAT, "taps_d is 1..32");
    RULE(n->lags_w >= 1 && n->taps_d + n->lags_w <= (int)TERN_MAX_HISTORY, TERN_ERR_FORMAT, "lags_w is 1..64-taps_d");
    RULE(n->trace_frac >= 4 && n->trace_frac <= 8, TERN_ERR_FORMAT, "trace_frac is 4..8");
    RULE(n->weight_bits >= 4 && n->weight_bits <= 16, TERN_ERR_FORMAT, "weight_bits is 4..16");
    RULE(n->weight_frac <= 12, TERN_ERR_FORMAT, "weight_frac is 0..12");
    for (unsigned set = 0; set < 2; ++set) {
        const tern_learn *l = &n->learn[set];
        RULE(l->dither_bits >= 1 && l->dither_bits <= 31, TERN_ERR_FORMAT, "dither_bits is 1..31");
        RULE(l->local_bits >= 1 && l->local_bits <= 31, TERN_ERR_FORMAT, "local_bits is 1..31");
        RULE(l->dither_bits + n->weight_frac == l->local_bits + (int)TERN_BIAS_FRAC, TERN_ERR_FORMAT,
             "dither_bits + weight_frac = local_bits + 12");
        RULE(l->dither_bits + n->weight_frac == l->c_frac + n->trace_frac, TERN_ERR_FORMAT,
             "dither_bits + weight_frac = c_frac + trace_frac");
        RULE(l->c_shift >= 15 && l->c_shift <= 30, TERN_ERR_FORMAT, "c_shift is 15..30");
    }
    RULE(n->rule <= TERN_RULE_REWARD, TERN_ERR_FORMAT, "rule is 0..3");
    RULE(n->baseline <= TERN_BASELINE_SYNAPSE && (n->rule != TERN_RULE_GEM || n->baseline == TERN_BASELINE_NONE),
         TERN_ERR_FORMAT, "baseline is 0..2, and 0 with GEM");
    RULE(n->baseline_shift >= 3 && n->baseline_shift <= 7, TERN_ERR_FORMAT, "baseline_shift is 3..7");
    RULE(n->m_shift <= 24, TERN_ERR_FORMAT, "m_shift is 0..24");
    RULE(n->n_samples >= 1 && n->n_samples <= TERN_MAX_SAMPLES, TERN_ERR_FORMAT, "n_samples is 1..32");
    RULE(n->gamma_f16 <= 65536u, TERN_ERR_FORMAT, "gamma_f16 is 0..65536");
    return TERN_OK;
}

static tern_status check_tables(const tern_net *n, const char **out_what)
{
    for (uint32_t i = 0; i < (uint32_t)n->n_filters * n->taps_d; ++i)
        RULE(n->filter_taps[i] < UINT32_C(2) << n->trace_frac, TERN_ERR_FORMAT, "a filter tap is below 2");
    for (uint32_t i = 0; i < TERN_SIG_ENTRIES; ++i) {
        RULE(n->sig_f16[i] >= 2 && n->sig_f16[i] <= 32768u, TERN_ERR_FORMAT, "a sigmoid entry is 2..32768");
        RULE(n->softplus_f12[i] <= 4096u, TERN_ERR_FORMAT, "a softplus entry is 0..4096");
    }
    /* N-9; the small core divides by what is at least that */
    RULE(n->exp_f16[0] > 32768u, TERN_ERR_FORMAT, "the first exponential entry is above 32768");
    for (uint32_t j = 0; j < TERN_LOG_ENTRIES; ++j)
        RULE(n->log_f12[j] <= 4095u, TERN_ERR_FORMAT, "a logarithm entry is 0..4095");
    for (uint32_t d = 0; d < n->lags_w; ++d)
        RULE(n->ek0[d] <= 32767u && n->kap_f15[d] <= 32767u, TERN_ERR_FORMAT, "a learning coefficient is 0..32767");
    const int16_t top = (int16_t)(((int32_t)1 << (n->weight_bits - 1)) - 1);
    for (uint32_t i = 0; i < n->n_weights; ++i)
        RULE(n->weights0[i] == TERN_WEIGHT_ABSENT || (n->weights0[i] <= top && n->weights0[i] >= -top), TERN_ERR_FORMAT,
             "a weight fits weight_bits, symmetric range");
    for (uint32_t i = 0; i < n->n_neurons; ++i)
        RULE(n->bias0_f12[i] != INT16_MIN && n->self0_f12[i] != INT16_MIN, TERN_ERR_FORMAT,
             "bias and self-memory are within +-32767");
    return TERN_OK;
}

/* Order of two rows of one neuron: kind (sample first), filter, first. */
static int row_before(const tern_row *a, const tern_row *b)
{
    if (a->kind != b->kind) return a->kind == TERN_ROW_SAMPLE;
    if (a->filter != b->filter) return a->filter < b->filter;
    return a->first + a->count <= b->first;
}

static tern_status check_row(const tern_net *n, const tern_row *r, uint32_t next_weight, const char **out_what)
{
    RULE(r->kind == TERN_ROW_SHARED || r->kind == TERN_ROW_SAMPLE, TERN_ERR_FORMAT, "a row's kind is 0 or 1");
    RULE(r->filter < n->n_filters, TERN_ERR_FORMAT, "a row's filter exists");
    const uint32_t pool = r->kind == TERN_ROW_SHARED ? n->n_inputs_pos : n->n_neurons_pos;
    RULE(r->count >= 1 && r->count <= pool && r->first <= pool - r->count, TERN_ERR_FORMAT,
         "a row lies inside its pool");
    RULE(r->weight == next_weight && r->count <= n->n_weights - r->weight, TERN_ERR_FORMAT,
         "rows use weights[] in order, without gap or overlap");
    RULE(r->dither >= TERN_POS_ALIGN && r->dither % TERN_POS_ALIGN == 0 && r->dither < UINT32_C(1) << 30,
         TERN_ERR_FORMAT, "a row's dither index is a multiple of 32, at least 32");
    return TERN_OK;
}

/* A row may reach across positions without a unit, but no synapse reads one: their histories mean nothing (N-29). */
static tern_status check_sources(const tern_net *n, const uint32_t *taken, const char **out_what)
{
    for (uint32_t r = 0; r < n->n_rows; ++r) {
        const tern_row *row = &n->rows[r];
        for (uint32_t i = 0; row->kind == TERN_ROW_SAMPLE && i < row->count; ++i) {
            const uint32_t pos = row->first + i;
            const int absent = n->weights0[row->weight + i] == TERN_WEIGHT_ABSENT;
            RULE(absent || (taken[pos >> 5] >> (pos & 31u) & 1u) != 0, TERN_ERR_FORMAT,
                 "a synapse from a neuron reads a position that has one");
        }
    }
    return TERN_OK;
}

static tern_status check_structure(const tern_net *n, const char **out_what)
{
    uint32_t next_row = 0, next_weight = 0;
    uint32_t taken[TERN_MAX_POSITIONS / 32u] = { 0 }; /* 8 KiB of stack */
    for (uint32_t i = 0; i < n->n_neurons; ++i) {
        const tern_neuron *u = &n->neurons[i];
        RULE(u->pos < n->n_neurons_pos, TERN_ERR_FORMAT, "a neuron's position lies inside the pool");
        RULE((taken[u->pos >> 5] >> (u->pos & 31u) & 1u) == 0, TERN_ERR_FORMAT,
             "every neuron has a position of its own");
        /* the core collects the spikes of neighbouring positions, so the neurons of 32 positions follow each other */
        RULE(taken[u->pos >> 5] == 0 || (u[-1].pos >> 5 == u->pos >> 5 && u[-1].pos < u->pos), TERN_ERR_FORMAT,
             "neurons of 32 positions follow each other, ascending");
        taken[u->pos >> 5] |= UINT32_C(1) << (u->pos & 31u);
        RULE(u->wta_size == 0 ? u->wta_index == 0
                              : u->wta_size >= 2 && u->wta_size <= TERN_MAX_WTA && u->wta_index < u->wta_size,
             TERN_ERR_FORMAT, "a WTA circuit has 2..64 members");
        RULE(i == 0 || u[-1].wta_index + 1 >= u[-1].wta_size ||
                 (u->wta_size == u[-1].wta_size && u->wta_index == u[-1].wta_index + 1 && u->pos == u[-1].pos + 1 &&
                  i != n->n_visible),
             TERN_ERR_FORMAT, "the members of a WTA circuit are neighbours, all visible or all hidden");
        RULE(u->wta_index == 0 || (i > 0 && u[-1].wta_size == u->wta_size && u[-1].wta_index + 1 == u->wta_index),
             TERN_ERR_FORMAT, "a WTA circuit begins with member 0");
        RULE(i + 1u < n->n_neurons || u->wta_index + 1 >= u->wta_size, TERN_ERR_FORMAT, "a WTA circuit is complete");
        RULE(u->self_filter == TERN_NO_FILTER || u->self_filter < n->n_filters, TERN_ERR_FORMAT,
             "a neuron's self-memory filter exists");
        RULE(u->row0 == next_row && u->n_rows <= n->n_rows - next_row, TERN_ERR_FORMAT,
             "rows of neurons follow each other");
        uint32_t next_dither = TERN_POS_ALIGN;
        for (uint32_t r = next_row; r < next_row + u->n_rows; ++r) {
            const tern_row *row = &n->rows[r];
            const tern_status s = check_row(n, row, next_weight, out_what);
            if (s != TERN_OK) return s;
            RULE(r == next_row || row_before(row - 1, row), TERN_ERR_FORMAT,
                 "rows of a neuron are ordered and do not overlap");
            RULE(row->dither >= next_dither, TERN_ERR_FORMAT, "dither indices of a neuron's rows do not overlap");
            next_dither = row->dither + (((row->first & (TERN_POS_ALIGN - 1u)) + row->count + TERN_POS_ALIGN - 1u) &
                                         ~(TERN_POS_ALIGN - 1u));
            next_weight += row->count;
        }
        next_row += u->n_rows;
    }
    RULE(next_row == n->n_rows && next_weight == n->n_weights, TERN_ERR_FORMAT,
         "every row and weight belongs to a neuron");
    return check_sources(n, taken, out_what);
}

tern_status tern_net_check(const tern_net *net, const char **out_what)
{
    tern_status s = check_sizes(net, out_what);
    if (s == TERN_OK) s = check_tables(net, out_what);
    if (s == TERN_OK) s = check_structure(net, out_what);
    return s;
}
