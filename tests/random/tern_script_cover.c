/* tern_script_cover.c : which kinds of networks a series has met
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>
#include "tern_script_gen.h"

/* Bits of the units of all populations of one pool. */
static void mark_units(const tern_model *m, bool inputs, uint32_t *bits)
{
    memset(bits, 0, (inputs ? m->net.n_inputs_pos : m->net.n_neurons_pos) / 8u);
    for (uint32_t i = 0; i < m->n_populations; ++i) {
        const tern_population *p = &m->populations[i];
        for (uint32_t u = p->pos; (p->kind == TERN_POP_INPUT) == inputs && u < p->pos + p->size; ++u)
            bits[u / 32] |= 1u << (u % 32);
    }
}

static const char *const names[TERN_SCRIPT_CLASSES] = { "gaps",
                                                        "gap-words",
                                                        "neuron-gaps",
                                                        "circuits",
                                                        "votes",
                                                        "self-memories",
                                                        "empty-neurons",
                                                        "single-synapses",
                                                        "cycles",
                                                        "windows",
                                                        "lists",
                                                        "random",
                                                        "absent",
                                                        "K=1",
                                                        "K=2..4",
                                                        "K=5..8",
                                                        "K=9..16",
                                                        "K=17..31",
                                                        "K=32",
                                                        "D=1",
                                                        "D-most",
                                                        "W=1",
                                                        "W-most",
                                                        "4-bit",
                                                        "16-bit",
                                                        "fine",
                                                        "limit-weights",
                                                        "no-inputs",
                                                        "baselines",
                                                        "synapse-baselines",
                                                        "wild-states",
                                                        "reloads",
                                                        "clears",
                                                        "flushes",
                                                        "rates",
                                                        "gem",
                                                        "mb",
                                                        "iw",
                                                        "reward" };

static bool bit(const uint32_t *bits, uint32_t pos) { return (bits[pos / 32] >> pos % 32 & 1u) != 0; }

/* What a row shows: a gap, a single synapse, absent ones. */
static void cover_row(const tern_net *n, const tern_row *row, const uint32_t *units, bool *has)
{
    uint32_t present = 0, gap = 0;
    for (uint32_t i = 0; i < row->count; ++i) {
        const uint32_t pos = row->first + i;
        const bool absent = n->weights0[row->weight + i] == TERN_WEIGHT_ABSENT;
        present += !absent;
        if (absent) has[TERN_SCRIPT_HAS_ABSENT] = true;
        gap = bit(units, pos) ? 0 : gap + 1u;
        if (gap != 0) has[TERN_SCRIPT_HAS_GAP] = true;
        if (gap >= 4 && pos % 4u == 3) has[TERN_SCRIPT_HAS_GAP_GROUP] = true;
        if (gap >= 4 && pos % 4u == 3 && row->kind == TERN_ROW_SAMPLE) has[TERN_SCRIPT_HAS_NEURON_GAP] = true;
    }
    if (present == 1) has[TERN_SCRIPT_HAS_SINGLE] = true;
}

static void cover_net(const tern_model *m, bool *has)
{
    static uint32_t units[2][TERN_MAX_POSITIONS / 32u];
    const tern_net *n = &m->net;
    const int16_t top = (int16_t)((1 << (n->weight_bits - 1)) - 1);
    mark_units(m, true, units[TERN_ROW_SHARED]);
    mark_units(m, false, units[TERN_ROW_SAMPLE]);
    for (uint32_t r = 0; r < n->n_rows; ++r) {
        cover_row(n, &n->rows[r], units[n->rows[r].kind], has);
        if (n->rows[r].kind == TERN_ROW_SAMPLE) has[TERN_SCRIPT_HAS_CYCLE] = true;
    }
    for (uint32_t i = 0; i < n->n_neurons; ++i) {
        if (n->neurons[i].wta_size != 0) has[TERN_SCRIPT_HAS_CIRCUIT] = true;
        if (n->neurons[i].self_filter != TERN_NO_FILTER) has[TERN_SCRIPT_HAS_SELF] = true;
        if (n->neurons[i].n_rows == 0) has[TERN_SCRIPT_HAS_EMPTY_NEURON] = true;
    }
    for (uint32_t i = 0; i < n->n_weights; ++i)
        if (n->weights0[i] == top || n->weights0[i] == -top) has[TERN_SCRIPT_HAS_LIMIT_WEIGHT] = true;
}

void tern_script_cover(tern_script_coverage *sum, const tern_script *s, const tern_model *m,
                       const tern_script_limits *lim)
{
    static const uint8_t samples[] = { 1, 2, 5, 9, 17, 32 };
    bool has[TERN_SCRIPT_CLASSES] = { false };
    const tern_net *n = &m->net;
    cover_net(m, has);
    for (unsigned c = 0; c < 6; ++c)
        if (n->n_samples >= samples[c] && (c == 5 || n->n_samples < samples[c + 1])) has[TERN_SCRIPT_HAS_K1 + c] = true;
    has[TERN_SCRIPT_HAS_D1] = n->taps_d == 1;
    has[TERN_SCRIPT_HAS_D32] = n->taps_d == lim->taps;
    has[TERN_SCRIPT_HAS_W1] = n->lags_w == 1;
    has[TERN_SCRIPT_HAS_W_MOST] = n->lags_w == lim->lags || (uint32_t)n->taps_d + n->lags_w == lim->history;
    has[TERN_SCRIPT_HAS_BITS4] = n->weight_bits == 4;
    has[TERN_SCRIPT_HAS_BITS16] = n->weight_bits == 16;
    has[TERN_SCRIPT_HAS_FINE] = n->weight_frac > n->weight_bits;
    has[TERN_SCRIPT_HAS_NO_INPUT] = n->n_inputs_pos == 0;
    has[TERN_SCRIPT_HAS_BASELINE] = n->baseline == TERN_BASELINE_NEURON;
    has[TERN_SCRIPT_HAS_SYNAPSE_BASELINE] = n->baseline == TERN_BASELINE_SYNAPSE;
    has[TERN_SCRIPT_HAS_VOTE] = s->label >= 0;
    has[TERN_SCRIPT_HAS_WILD] = s->run.wild;
    has[TERN_SCRIPT_HAS_GEM + n->rule] = true;
    for (uint32_t i = 0; i < s->n_connects; ++i)
        if (s->connects[i].pattern != TERN_SCRIPT_ALL_PATTERN)
            has[s->connects[i].pattern == TERN_SCRIPT_WINDOW_PATTERN ? TERN_SCRIPT_HAS_WINDOW
                : s->connects[i].pattern == TERN_SCRIPT_LIST_PATTERN ? TERN_SCRIPT_HAS_LIST
                                                                     : TERN_SCRIPT_HAS_RANDOM] = true;
    for (uint32_t i = 0; i < s->run.n_ops; ++i) {
        static const uint8_t of[TERN_SCRIPT_OPS_KINDS] = { [TERN_SCRIPT_RELOAD] = TERN_SCRIPT_HAS_RELOAD,
                                                           [TERN_SCRIPT_CLEAR] = TERN_SCRIPT_HAS_CLEAR,
                                                           [TERN_SCRIPT_FLUSH] = TERN_SCRIPT_HAS_FLUSH,
                                                           [TERN_SCRIPT_RATE] = TERN_SCRIPT_HAS_RATE };
        if (of[s->run.ops[i].kind] != 0) has[of[s->run.ops[i].kind]] = true;
    }
    ++sum->networks;
    for (unsigned c = 0; c < TERN_SCRIPT_CLASSES; ++c) sum->counts[c] += has[c];
}

bool tern_script_reaches(unsigned c, const tern_script_limits *lim)
{
    static const uint8_t samples[] = { 1, 2, 5, 9, 17, 32 };
    const bool signals = (lim->rules & ~1u) != 0;
    if (c >= TERN_SCRIPT_HAS_GEM) return (lim->rules >> (c - TERN_SCRIPT_HAS_GEM) & 1u) != 0;
    if (c >= TERN_SCRIPT_HAS_K1 && c <= TERN_SCRIPT_HAS_K32) return lim->samples >= samples[c - TERN_SCRIPT_HAS_K1];
    switch (c) {
    case TERN_SCRIPT_HAS_NEURON_GAP: return lim->neurons >= 17; /* 16 neurons and one behind the gap */
    case TERN_SCRIPT_HAS_CIRCUIT: return lim->wta >= 2;
    case TERN_SCRIPT_HAS_VOTE: return lim->classes > 0;
    case TERN_SCRIPT_HAS_BITS16: return lim->weight_bits == 16;
    case TERN_SCRIPT_HAS_FINE: return lim->fine;
    case TERN_SCRIPT_HAS_BASELINE: return signals;
    case TERN_SCRIPT_HAS_SYNAPSE_BASELINE: return signals && lim->synapse_baselines;
    case TERN_SCRIPT_HAS_WILD:
    case TERN_SCRIPT_HAS_RELOAD: return !lim->no_states;
    default: return true;
    }
}

bool tern_script_print_coverage(const tern_script_coverage *sum, const tern_script_limits *lim, FILE *out)
{
    bool full = true;
    fprintf(out, "coverage:");
    for (unsigned c = 0; c < TERN_SCRIPT_CLASSES; ++c)
        if (tern_script_reaches(c, lim)) fprintf(out, " %s %llu", names[c], (unsigned long long)sum->counts[c]);
    fputc('\n', out);
    for (unsigned c = 0; c < TERN_SCRIPT_CLASSES; ++c)
        if (tern_script_reaches(c, lim) && sum->counts[c] == 0) {
            fprintf(out, "coverage: no network of the class '%s'\n", names[c]);
            full = false;
        }
    return full;
}
