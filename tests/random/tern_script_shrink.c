/* tern_script_shrink.c : see tern_script_shrink.h
 * SPDX-License-Identifier: Apache-2.0
 *
 * Every kind of change is a function that makes change number i of its kind in a copy of the script, or says that there
 * is none. Changes are tried in turn, the large ones first, until none of them keeps the failure.
 */
#include "tern_script_shrink.h"
#include <string.h>

typedef enum outcome { NONE_LEFT, NO_CHANGE, CHANGED } outcome; /* NO_CHANGE: nothing to take away at this number */
typedef outcome change(tern_script *s, unsigned i);

static outcome changed(bool yes) { return yes ? CHANGED : NO_CHANGE; }

/* Takes `count` entries of a list away from `at` on. */
static void cut(void *list, uint32_t *n, size_t size, uint32_t at, uint32_t count)
{
    unsigned char *base = list;
    memmove(base + at * size, base + (at + count) * size, (*n - at - count) * size);
    *n -= count;
}

/* ---- the run ---- */

/* Halves, quarters, .. of the operations, then single ones; the last part first. */
static outcome drop_ops(tern_script *s, unsigned i)
{
    tern_script_run *run = &s->run;
    for (uint32_t part = (run->n_ops + 1u) / 2u; part > 0; part = part == 1 ? 0 : (part + 1u) / 2u) {
        const uint32_t parts = (run->n_ops + part - 1u) / part;
        if (i >= parts) {
            i -= parts;
            continue;
        }
        const uint32_t at = (parts - 1u - i) * part, n = at + part > run->n_ops ? run->n_ops - at : part;
        if (n == run->n_ops) return NO_CHANGE;
        cut(run->ops, &run->n_ops, sizeof *run->ops, at, n);
        return CHANGED;
    }
    return NONE_LEFT;
}

static outcome plain_run(tern_script *s, unsigned i)
{
    tern_script_run *run = &s->run;
    const tern_script_run old = *run;
    switch (i) {
    case 0: run->wild = false; break;
    case 1: run->k0 = 0; break;
    case 2: run->step = 0; break;
    case 3: run->seed = 1; break;
    case 4:
        for (uint32_t o = 0; o < run->n_ops; ++o) run->ops[o].frame = TERN_SCRIPT_SILENT;
        break;
    case 5:
        for (uint32_t o = 0; o < run->n_ops; ++o) run->ops[o].arg = 0;
        break;
    default: {
        if (i - 6u >= run->n_ops) return NONE_LEFT;
        tern_script_op *o = &run->ops[i - 6u];
        if (o->kind == TERN_SCRIPT_STEP) o->flags = o->frame = 0;
    }
    }
    return changed(memcmp(&old, run, sizeof old) != 0);
}

/* ---- declarations ---- */

static outcome drop_connect(tern_script *s, unsigned i)
{
    if (i >= s->n_connects) return NONE_LEFT;
    if (s->n_connects == 1) return NO_CHANGE;
    cut(s->connects, &s->n_connects, sizeof *s->connects, s->n_connects - 1u - i, 1);
    return CHANGED;
}

/* Takes population p out of a list; those behind it move down. */
static void forget(uint8_t *list, uint32_t *n, uint32_t p)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < *n; ++i)
        if (list[i] != p) list[kept++] = (uint8_t)(list[i] > p ? list[i] - 1u : list[i]);
    *n = kept;
}

static outcome drop_population(tern_script *s, unsigned i)
{
    if (i >= s->n_populations) return NONE_LEFT;
    const uint32_t p = s->n_populations - 1u - i;
    cut(s->populations, &s->n_populations, sizeof *s->populations, p, 1);
    if (s->label == (int32_t)p) s->label = -1;
    if (s->label > (int32_t)p) --s->label;
    for (uint32_t c = s->n_connects; c-- > 0;) {
        forget(s->connects[c].from, &s->connects[c].n_from, p);
        forget(s->connects[c].to, &s->connects[c].n_to, p);
        if (s->connects[c].n_from == 0 || s->connects[c].n_to == 0)
            cut(s->connects, &s->n_connects, sizeof *s->connects, c, 1);
    }
    return changed(s->n_connects > 0 && s->n_populations > 0);
}

/* The filters that a connection or a self-memory names. */
static outcome drop_filter(tern_script *s, unsigned i)
{
    if (i >= s->n_filters) return NONE_LEFT;
    const uint32_t f = s->n_filters - 1u - i;
    for (uint32_t p = 0; p < s->n_populations; ++p) {
        if (s->populations[p].memory == (int32_t)f) s->populations[p].memory = -1;
        if (s->populations[p].memory > (int32_t)f) --s->populations[p].memory;
    }
    for (uint32_t c = s->n_connects; c-- > 0;) {
        forget(s->connects[c].filters, &s->connects[c].n_filters, f);
        if (s->connects[c].n_filters == 0) cut(s->connects, &s->n_connects, sizeof *s->connects, c, 1);
    }
    cut(s->filters, &s->n_filters, sizeof *s->filters, f, 1);
    return changed(s->n_connects > 0 && s->n_filters > 0);
}

/* One name of the lists of a connection. */
static outcome drop_name(tern_script *s, unsigned i)
{
    for (uint32_t c = 0; c < s->n_connects; ++c) {
        tern_script_connect *x = &s->connects[c];
        uint8_t *const lists[] = { x->from, x->to, x->filters };
        uint32_t *const n[] = { &x->n_from, &x->n_to, &x->n_filters };
        for (unsigned k = 0; k < 3; ++k) {
            if (i >= *n[k]) {
                i -= *n[k];
                continue;
            }
            if (*n[k] == 1) return NO_CHANGE;
            cut(lists[k], n[k], 1, i, 1);
            return CHANGED;
        }
    }
    return NONE_LEFT;
}

static bool lower(uint32_t *value, unsigned how)
{
    const uint32_t old = *value, to[] = { 1, (old + 1u) / 2u, old - 1u };
    if (old <= 1) return false;
    *value = to[how];
    return *value != old;
}

static outcome plain_population(tern_script *s, unsigned i)
{
    enum { WAYS = 16 };
    if (i / WAYS >= s->n_populations) return NONE_LEFT;
    tern_script_population *p = &s->populations[i / WAYS];
    const tern_script_population old = *p;
    switch (i % WAYS) {
    case 0: p->wta = 0; break;
    case 1: p->memory = -1; break;
    case 2:
        for (unsigned d = 1; d < p->n_dims; ++d) p->dims[0] *= p->dims[d];
        p->n_dims = 0;
        break;
    case 3: p->bias.kind = TERN_SCRIPT_INIT_NONE; break;
    case 4: p->memory_init.kind = TERN_SCRIPT_INIT_NONE; break;
    case 5: p->wta = p->wta != 0 ? 2 : 0; break;
    case 6: p->kind = TERN_POP_VISIBLE; break;
    default: (void)lower(&p->dims[(i % WAYS - 7u) / 3u], (i % WAYS - 7u) % 3u);
    }
    return changed(memcmp(&old, p, sizeof old) != 0);
}

static outcome plain_connect(tern_script *s, unsigned i)
{
    enum { WAYS = 8 + TERN_SCRIPT_PAIRS };
    if (i / WAYS >= s->n_connects) return NONE_LEFT;
    tern_script_connect *c = &s->connects[i / WAYS];
    const tern_script_connect old = *c;
    switch (i % WAYS) {
    case 0: c->pattern = TERN_SCRIPT_ALL_PATTERN; break;
    case 1: c->self = false; break;
    case 2: c->init.kind = TERN_SCRIPT_INIT_NONE; break;
    case 3: c->own_seed = false; break;
    case 4: c->size[0] = c->size[1] = 1; break;
    case 5: c->stride[0] = c->stride[1] = 1; break;
    case 6: c->offset[0] = c->offset[1] = 0; break;
    case 7:
        for (uint32_t k = 0; k < c->n_pairs; ++k) c->pairs[k].weighted = false;
        break;
    default:
        if (i % WAYS - 8u < c->n_pairs && c->n_pairs > 1)
            cut(c->pairs, &c->n_pairs, sizeof *c->pairs, i % WAYS - 8u, 1);
    }
    return changed(memcmp(&old, c, sizeof old) != 0);
}

static outcome plain_filter(tern_script *s, unsigned i)
{
    enum { WAYS = 6 };
    if (i / WAYS >= s->n_filters) return NONE_LEFT;
    tern_script_filter *f = &s->filters[i / WAYS];
    const tern_script_filter old = *f;
    switch (i % WAYS) {
    case 0:
        f->kind = TERN_FILTER_USER;
        f->count = 1;
        for (uint32_t t = 0; t < f->duration; ++t) f->taps[t] = 1 - (i / WAYS) / 8.0;
        break;
    case 1: f->count = 1; break;
    case 2: f->peak = 1; break;
    default:
        (void)lower(&f->duration, i % WAYS - 3u);
        if (f->count > f->duration) f->count = f->duration;
    }
    return changed(memcmp(&old, f, sizeof old) != 0);
}

/* ---- rule, formats, data ---- */

static outcome plain_settings(tern_script *s, unsigned i)
{
    const tern_script old = *s;
    switch (i) {
    case 0:
        s->data = false;
        s->label = -1;
        break;
    case 1:
        s->rule = TERN_RULE_GEM;
        s->baseline = TERN_BASELINE_NONE;
        break;
    case 2: s->baseline = TERN_BASELINE_NONE; break;
    case 3: s->gamma_given = false; break;
    case 4:
        s->kappa_given = true;
        s->kappa = 0;
        s->lags = 0;
        break;
    case 5: s->every = 0; break;
    case 6: s->formats = false; break;
    case 7: s->signal_given = false; break;
    case 8: s->trace_frac = 8; break;
    case 9: s->learn_bits = 12; break;
    case 10:
        s->weight_bits = 16;
        s->weight_frac = 12;
        break;
    case 11: s->eta = 0.001; break;
    case 12: s->seed_given = false; break;
    case 13:
    case 14:
    case 15: (void)lower(&s->samples, i - 13u); break;
    case 16:
    case 17:
    case 18: (void)lower(&s->lags, i - 16u); break;
    case 19: s->label = -1; break;
    default: return NONE_LEFT;
    }
    return changed(memcmp(&old, s, sizeof old) != 0);
}

unsigned tern_script_shrink(tern_script *s, tern_script_fails *fails, void *ud, unsigned budget)
{
    static change *const changes[] = { drop_ops,       drop_connect,     drop_population, drop_filter,  drop_name,
                                       plain_settings, plain_population, plain_connect,   plain_filter, plain_run };
    static tern_script trial;
    unsigned taken = 0, before;
    do {
        before = taken;
        for (size_t c = 0; c < sizeof changes / sizeof changes[0]; ++c)
            for (unsigned i = 0; budget > 0;) {
                trial = *s;
                const outcome o = changes[c](&trial, i);
                if (o == NONE_LEFT) break;
                if (o == CHANGED && (--budget, fails(ud, &trial))) {
                    *s = trial; /* what is number i now has not been tried */
                    ++taken;
                } else ++i;
            }
    } while (taken != before && budget > 0);
    return taken;
}
