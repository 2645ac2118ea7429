/* tern_image_check.c : relations between the fields of an image, and the layout digest
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_image_layout.h"
#include <inttypes.h>
#include <nettle/sha2.h>
#include <stdio.h>
#include <string.h>
#include "tern/locale.h"

#define REFUSE(section, ...) \
    do { \
        *out_section = section; \
        tern_format(message, bytes, __VA_ARGS__); \
        return false; \
    } while (0)

static bool check_populations(const tern_model *m, char *message, size_t bytes, const char **out_section)
{
    const tern_net *n = &m->net;
    uint64_t neurons = 0;
    if (m->n_populations < 1 || m->n_populations > TERN_MAX_POPULATIONS)
        REFUSE("POPS", "%u populations, 1 to %u are allowed", m->n_populations, TERN_MAX_POPULATIONS);
    for (uint32_t i = 0; i < m->n_populations; ++i) {
        const tern_population *p = &m->populations[i];
        uint64_t product = 1;
        for (unsigned d = 0; d < p->n_dims; ++d) product *= p->dims[d]; /* at most 2^48 */
        if (product != p->size)
            REFUSE("POPS", "population %u '%s': size %u, its dims give %" PRIu64, i, p->name, p->size, product);
        for (uint32_t j = 0; j < i; ++j)
            if (strcmp(p->name, m->populations[j].name) == 0)
                REFUSE("POPS", "populations %u and %u are both named '%s'", j, i, p->name);
        const uint32_t pool = p->kind == TERN_POP_INPUT ? n->n_inputs_pos : n->n_neurons_pos;
        if (p->pos % TERN_POS_ALIGN != 0 || (uint64_t)p->pos + p->size > pool)
            REFUSE("POPS",
                   "population %u '%s': positions %u to %" PRIu64
                   ", allowed are multiples of 32 as begin and at most %u as end",
                   i, p->name, p->pos, (uint64_t)p->pos + p->size, pool);
        if (p->kind == TERN_POP_INPUT) {
            if (p->neuron0 != 0)
                REFUSE("POPS", "population %u '%s': neuron0 %u of an input population, allowed 0", i, p->name,
                       p->neuron0);
            if (p->wta != 0)
                REFUSE("POPS", "population %u '%s': wta %u of an input population, allowed 0", i, p->name, p->wta);
            continue;
        }
        if (p->wta == 1 || (p->wta != 0 && p->dims[p->n_dims - 1] % p->wta != 0))
            REFUSE("POPS", "population %u '%s': wta %u, allowed are 0 and 2 to %u that divide the last dim, %u", i,
                   p->name, p->wta, TERN_MAX_WTA, p->dims[p->n_dims - 1]);
        neurons += p->size;
        if ((uint64_t)p->neuron0 + p->size > n->n_neurons)
            REFUSE("POPS", "population %u '%s': neurons %u to %" PRIu64 ", allowed below %u", i, p->name, p->neuron0,
                   (uint64_t)p->neuron0 + p->size, n->n_neurons);
        if (p->kind == TERN_POP_VISIBLE ? p->neuron0 + p->size > n->n_visible : p->neuron0 < n->n_visible)
            REFUSE("POPS", "population %u '%s' is %s, but its neurons begin at %u and the visible ones end at %u", i,
                   p->name, p->kind == TERN_POP_VISIBLE ? "visible" : "hidden", p->neuron0, n->n_visible);
        for (uint32_t u = 0; u < p->size; ++u) {
            const tern_neuron *x = &n->neurons[p->neuron0 + u];
            const uint32_t index = p->wta == 0 ? 0 : u % p->wta;
            if (x->pos != p->pos + u)
                REFUSE("POPS", "population %u '%s': unit %u is neuron %u at position %u, allowed %u", i, p->name, u,
                       p->neuron0 + u, x->pos, p->pos + u);
            if (x->wta_size != p->wta || x->wta_index != index)
                REFUSE("POPS",
                       "population %u '%s': unit %u is member %u of a circuit of %u, allowed is member %u of %u", i,
                       p->name, u, x->wta_index, x->wta_size, index, p->wta);
        }
    }
    if (neurons != n->n_neurons)
        REFUSE("POPS", "hidden and visible populations have %" PRIu64 " units, the network %u neurons", neurons,
               n->n_neurons);
    return true;
}

/* What NET and LEARN repeat of the rule's settings, as engines need it. */
static bool check_rule(const tern_model *m, char *message, size_t bytes, const char **out_section)
{
    const tern_net *n = &m->net;
    const tern_rule *r = &m->rule;
    if (r->kind != n->rule) REFUSE("RULE", "kind %u, NET has the rule %u", r->kind, n->rule);
    if (r->baseline != n->baseline) REFUSE("RULE", "baseline %u, NET has %u", r->baseline, n->baseline);
    if (r->memory != 1u << n->baseline_shift)
        REFUSE("RULE", "memory %u, LEARN says %u", r->memory, 1u << n->baseline_shift);
    if (r->kind != TERN_RULE_REWARD && r->tau != 0)
        REFUSE("RULE", "tau %g of a rule without reward, allowed 0", r->tau);
    return true;
}

static bool check_data(const tern_model *m, char *message, size_t bytes, const char **out_section)
{
    const tern_data_spec *d = &m->data;
    if (!d->present) return true;
    if (d->n_parts > TERN_MAX_PARTS) REFUSE("PARTS", "%u parts, at most %u are allowed", d->n_parts, TERN_MAX_PARTS);
    if (d->window_us == 0 || d->steps == 0)
        REFUSE("DATA", "window_us %u, steps %u, at least 1 each is allowed", d->window_us, d->steps);
    if ((d->phases == 0) != (d->phase_steps == 0) || d->phase_steps > d->steps)
        REFUSE("DATA", "%u phases of %u steps in %u steps, allowed are none, or phases that fit", d->phases,
               d->phase_steps, d->steps);
    if ((d->crop_width == 0) != (d->crop_height == 0))
        REFUSE("DATA", "crop %u x %u, allowed are both 0 or both not", d->crop_width, d->crop_height);
    if (d->label_population >= 0 && ((uint32_t)d->label_population >= m->n_populations ||
                                     m->populations[d->label_population].kind != TERN_POP_VISIBLE))
        REFUSE("DATA", "label_population %d is not a visible population", d->label_population);
    for (uint32_t i = 0; i < d->n_parts; ++i) {
        const tern_part *p = &d->parts[i];
        if (p->population >= m->n_populations)
            REFUSE("PARTS", "part %u: population %u, allowed below %u", i, p->population, m->n_populations);
        const tern_population *q = &m->populations[p->population];
        if (q->kind == TERN_POP_HIDDEN)
            REFUSE("PARTS", "part %u: '%s' is hidden, allowed are input and visible populations", i, q->name);
        const uint64_t units = (uint64_t)p->width * p->height * tern_data_planes(d);
        if (units != q->size)
            REFUSE("PARTS", "part %u: %u x %u pixels give %" PRIu64 " units, '%s' has %u", i, p->width, p->height,
                   units, q->name, q->size);
        const uint32_t scale = d->scale == 0 ? 1 : d->scale,
                       w = (d->crop_width != 0 ? d->crop_width : d->sensor_width) / scale,
                       h = (d->crop_height != 0 ? d->crop_height : d->sensor_height) / scale;
        if ((w != 0 && (uint64_t)p->x + p->width > w) || (h != 0 && (uint64_t)p->y + p->height > h))
            REFUSE("PARTS", "part %u: %u x %u at (%u, %u) leaves the window of %u x %u", i, p->width, p->height, p->x,
                   p->y, w, h);
    }
    return true;
}

/* Initial or trained weights: within the weight format, the same synapses absent; no self-memory weight where there is
 * no self-memory. */
static bool check_weights(const tern_net *n, const int16_t *weights, const int16_t *self_f12, const char *w_section,
                          const char *s_section, char *message, size_t bytes, const char **out_section)
{
    const int top = (1 << (n->weight_bits - 1)) - 1;
    for (uint32_t i = 0; i < n->n_weights; ++i) {
        const int w = weights[i];
        if ((w == TERN_WEIGHT_ABSENT) != (n->weights0[i] == TERN_WEIGHT_ABSENT))
            REFUSE(w_section, "weight %u is %s, in WEIGHTS it is %s", i, w == TERN_WEIGHT_ABSENT ? "absent" : "present",
                   w == TERN_WEIGHT_ABSENT ? "present" : "absent");
        if (w != TERN_WEIGHT_ABSENT && (w > top || w < -top))
            REFUSE(w_section, "weight %u is %d, allowed %d to %d (%u bits)", i, w, -top, top, n->weight_bits);
    }
    for (uint32_t i = 0; i < n->n_neurons; ++i)
        if (n->neurons[i].self_filter == TERN_NO_FILTER && self_f12[i] != 0)
            REFUSE(s_section, "neuron %u has no self-memory but the weight %d, allowed 0", i, self_f12[i]);
    return true;
}

/* A row may reach across positions between populations, but no synapse reads one of them (tern_net_check() sees to the
 * neurons' pool; only populations tell where inputs are). */
static bool check_sources(const tern_model *m, char *message, size_t bytes, const char **out_section)
{
    const tern_net *n = &m->net;
    uint32_t units[TERN_MAX_POSITIONS / 32u] = { 0 }; /* 8 KiB of stack */
    for (uint32_t i = 0; i < m->n_populations; ++i) {
        const tern_population *p = &m->populations[i];
        if (p->kind != TERN_POP_INPUT) continue;
        for (uint32_t u = p->pos; u < p->pos + p->size; ++u) units[u >> 5] |= 1u << (u & 31u);
    }
    for (uint32_t r = 0; r < n->n_rows; ++r) {
        const tern_row *row = &n->rows[r];
        for (uint32_t i = 0; row->kind == TERN_ROW_SHARED && i < row->count; ++i) {
            const uint32_t pos = row->first + i;
            if (n->weights0[row->weight + i] != TERN_WEIGHT_ABSENT && (units[pos >> 5] >> (pos & 31u) & 1u) == 0)
                REFUSE("WEIGHTS",
                       "weight %u reads input position %u, which no population has; allowed is an absent one",
                       row->weight + i, pos);
        }
    }
    return true;
}

/* Positions without a neuron have no history and no spike (N-29). */
static bool check_positions(const tern_net *n, const tern_state *st, char *message, size_t bytes,
                            const char **out_section)
{
    uint32_t taken[TERN_MAX_POSITIONS / 32u] = { 0 }; /* 8 KiB of stack */
    for (uint32_t i = 0; i < n->n_neurons; ++i) taken[n->neurons[i].pos >> 5] |= 1u << (n->neurons[i].pos & 31u);
    for (uint32_t k = 0; k < st->n_samples; ++k)
        for (uint32_t pos = 0; pos < n->n_neurons_pos; ++pos) {
            if ((taken[pos >> 5] >> (pos & 31u) & 1u) != 0) continue;
            if (st->hist_neuron[(size_t)k * n->n_neurons_pos + pos] != 0)
                REFUSE("S_HISTN", "sample %u has a history at position %u, where no neuron is; allowed is 0", k, pos);
            if ((st->spikes[(size_t)k * (n->n_neurons_pos / 32u) + (pos >> 5)] >> (pos & 31u) & 1u) != 0)
                REFUSE("S_SPIKE", "sample %u has a spike at position %u, where no neuron is; allowed is 0", k, pos);
        }
    return true;
}

bool tern__model_check(const tern_model *m, char *message, size_t bytes, const char **out_section)
{
    const tern_net *n = &m->net;
    if (m->n_filters != n->n_filters) REFUSE("FILTERS", "%u filters, NET has %u", m->n_filters, n->n_filters);
    for (uint32_t i = 0; i < m->n_filters; ++i)
        if (m->filters[i].n_taps > n->taps_d)
            REFUSE("FILTERS", "filter %u: %u taps, allowed 1 to %u", i, m->filters[i].n_taps, n->taps_d);
    return check_weights(n, n->weights0, n->self0_f12, "WEIGHTS", "SELF", message, bytes, out_section) &&
           check_populations(m, message, bytes, out_section) && check_sources(m, message, bytes, out_section) &&
           check_rule(m, message, bytes, out_section) && check_data(m, message, bytes, out_section);
}

bool tern__state_check(const tern_model *m, const tern_state *st, char *message, size_t bytes, const char **out_section)
{
    const tern_net *n = &m->net;
    if (st->k0 % 4 != 0 || st->k0 + st->n_samples > 16384)
        REFUSE("STATE", "k0 %u with %u samples, allowed are multiples of 4 with k0 + n_samples <= 16384", st->k0,
               st->n_samples);
    /* the widths of a core are proved for an eta that a schedule has at most doubled */
    for (uint32_t d = 0; d < n->lags_w; ++d)
        if (st->ek[d] > 2u * n->ek0[d] + 1u)
            REFUSE("S_EK", "ek[%u] is %u, allowed at most %u (twice that of EK0, and its rounding)", d, st->ek[d],
                   2u * n->ek0[d] + 1u);
    if (st->lag_head >= n->lags_w) REFUSE("STATE", "lag_head %u, allowed below %u", st->lag_head, n->lags_w);
    int32_t sum = 0;
    /* N-10: shares of 1. The widths of a core are proved for them */
    for (uint32_t k = 0; k < st->n_samples && n->rule == TERN_RULE_GEM; ++k) {
        if (st->m_f14[k] < 0 || st->m_f14[k] > 1 << TERN_M_FRAC)
            REFUSE("S_M", "m_f14[%u] is %d, allowed are 0 to %d under rule GEM", k, st->m_f14[k], 1 << TERN_M_FRAC);
        sum += st->m_f14[k];
    }
    if (sum > (1 << TERN_M_FRAC) + (int32_t)(st->n_samples / 2u))
        REFUSE("S_M", "the samples' m_f14 are %d together, allowed are %d (1, and half a unit each) under rule GEM",
               (int)sum, (1 << TERN_M_FRAC) + (int)(st->n_samples / 2u));
    return check_positions(n, st, message, bytes, out_section) &&
           check_weights(n, st->weights, st->self_f12, "S_WEIGHT", "S_SELF", message, bytes, out_section);
}

/* ---- layout digest ----------------------------------------------------------------------------------------------- */
tern_status tern__layout_digest(const tern_model *m, uint8_t out[32])
{
    static const tern__section_id parts[] = { TERN__SEC_NET,     TERN__SEC_TAPS, TERN__SEC_SIG,
                                              TERN__SEC_SP,      TERN__SEC_EXP,  TERN__SEC_LOG,
                                              TERN__SEC_NEURONS, TERN__SEC_ROWS, TERN__SEC_POPS };
    tern__binding bound[TERN__N_SECTIONS];
    struct sha256_ctx sha;
    uint8_t record[TERN_IMAGE_MAX_RECORD], head[16];
    sha256_init(&sha);
    tern__image_bind(m, bound);
    for (size_t k = 0; k < sizeof parts / sizeof parts[0]; ++k) {
        const tern__section *s = &tern__sections[parts[k]];
        const tern__binding *b = &bound[parts[k]];
        memset(head, 0, sizeof head);
        memcpy(head, s->name, strlen(s->name));
        tern__put_le(head + 8, (uint64_t)b->count * s->record_bytes, 8);
        sha256_update(&sha, sizeof head, head);
        for (size_t i = 0; i < b->count; ++i) {
            if (!tern__record_put(s, (const uint8_t *)b->at + i * s->struct_bytes, record, NULL))
                return TERN_ERR_ARGUMENT;
            if (parts[k] == TERN__SEC_POPS) memset(record + 76, 0, 4); /* the line in the script is not layout */
            sha256_update(&sha, s->record_bytes, record);
        }
    }
    /* which synapses exist: one bit per weight word */
    const uint64_t mask_bytes = ((uint64_t)m->net.n_weights + 7) / 8;
    memset(head, 0, sizeof head);
    memcpy(head, "MASK", 4);
    tern__put_le(head + 8, mask_bytes, 8);
    sha256_update(&sha, sizeof head, head);
    for (uint64_t i = 0; i < mask_bytes; ++i) {
        uint8_t byte = 0;
        for (uint64_t j = 8 * i; j < 8 * i + 8 && j < m->net.n_weights; ++j)
            byte = (uint8_t)(byte | (m->net.weights0[j] != TERN_WEIGHT_ABSENT) << (j % 8));
        sha256_update(&sha, 1, &byte);
    }
    sha256_digest(&sha, 32, out);
    return TERN_OK;
}

tern_status tern_layout_hash(const tern_model *model, char out_hex[65])
{
    static const char digits[] = "0123456789abcdef";
    uint8_t digest[32] = { 0 };
    const tern_status status = tern__layout_digest(model, digest);
    for (unsigned i = 0; i < 32; ++i) {
        out_hex[2 * i] = digits[digest[i] >> 4];
        out_hex[2 * i + 1] = digits[digest[i] & 15];
    }
    out_hex[64] = 0;
    return status;
}
