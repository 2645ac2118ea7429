/* tern_tune_search.c : which values of which key are tried, and which of them is taken
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_interrupt.h"
#include "tern_tune.h"
#include <limits.h>

enum { WEIGHT_BITS_MOST = 16, WEIGHT_BITS_LEAST = 4, WEIGHT_FRACTION_MOST = 12 };

bool tern_tune_within(const tern_exp_mean *behind, double percent) { return behind->hi <= percent; } /* NAN: no */

/* Less memory, or as much and less logic. */
static bool smaller(const tern_tune_setting *a, const tern_tune_setting *b)
{
    return a->memory != b->memory ? a->memory < b->memory : a->cells < b->cells;
}

static tern_status skip(tern_tune *t, const tern_tune_setting *x, const char *why)
{
    tern_exp_command c;
    tern_exp_command_begin(&c, "");
    tern_tune_add_sets(t, x, &c);
    const char *text = c.too_long ? NULL : tern_exp_command_text(&c, &t->base.arena);
    if (text == NULL) return TERN_ERR_MEMORY;
    while (*text != 0 && *text != '-') ++text;
    t->skipped[t->n_skipped] = tern_exp_text(&t->base.arena, "%s: %.300s", text, why);
    return t->skipped[t->n_skipped++] == NULL ? TERN_ERR_MEMORY : TERN_OK;
}

/* Adds a setting to the next table if it compiles and, where there is one to start from, is smaller than that
 * and fits. (Of weights all are tried: the table shows where learning ends.) */
static tern_status propose(tern_tune *t, tern_tune_setting x)
{
    const char *why;
    const tern_status s = tern_tune_hardware(t, &x, &why);
    if (s != TERN_OK) return s;
    if (why != NULL) return skip(t, &x, why);
    if (t->best != 0 && !smaller(&x, &t->settings[t->best])) return skip(t, &x, "saves neither memory nor logic");
    if (t->best != 0 && !x.fits) return skip(t, &x, "does not fit the target");
    t->settings[t->n++] = x;
    return TERN_OK;
}

/* At 16 bits 12 fraction bits; else from three bits before the binary point, the sign included, to the range of -1/8 to
 * 1/8 (more fraction bits than bits), at most 12 fraction bits. */
static tern_status propose_weights(tern_tune *t)
{
    tern_status s = TERN_OK;
    for (int bits = WEIGHT_BITS_MOST; bits >= WEIGHT_BITS_LEAST; --bits) {
        int last = -1;
        if (t->set.bits != 0 && (t->set.bits >> bits & 1u) == 0) continue;
        for (int whole = 3; whole >= -2 && s == TERN_OK; --whole) {
            const int fraction = bits - whole > WEIGHT_FRACTION_MOST ? WEIGHT_FRACTION_MOST : bits - whole;
            if (fraction == last) continue;
            last = fraction;
            tern_tune_setting x = { .fraction = fraction };
            x.given[TERN_TUNE_WEIGHT] = true;
            x.value[TERN_TUNE_WEIGHT] = bits;
            s = propose(t, x);
        }
    }
    return s;
}

static tern_status propose_values(tern_tune *t, tern_tune_key key)
{
    static const struct {
        int from, to;
    } range[TERN_TUNE_KEYS] = { { 0, 0 }, { 8, 4 }, { 16, 8 }, { 12, -12 }, { 3, 1 } };
    const tern_tune_setting start = t->settings[t->best];
    int last = INT_MAX; /* a short window has fewer quarters */
    tern_status s = TERN_OK;
    if (key == TERN_TUNE_SIGNAL && !t->signal) return TERN_OK;
    for (int v = range[key].from; v >= range[key].to && s == TERN_OK; --v) {
        tern_tune_setting x = { .fraction = start.fraction };
        for (size_t k = 0; k < TERN_TUNE_KEYS; ++k) {
            x.given[k] = start.given[k] || k == key;
            x.value[k] = start.value[k];
        }
        x.value[key] = key == TERN_TUNE_LAGS ? (int)t->lags * v / 4 : v; /* lags: 3/4, 1/2, 1/4 of the script's W */
        if (x.value[key] == last || (key == TERN_TUNE_LAGS && x.value[key] == 0)) continue; /* 0 lags: from kappa */
        last = x.value[key];
        s = propose(t, x);
    }
    return s;
}

/* The smallest setting within the distance that fits; of equal ones that with the least log-loss. */
static void choose(tern_tune *t)
{
    for (size_t k = t->first; k < t->n; ++k) {
        const tern_tune_setting *x = &t->settings[k];
        if (x->reference || !x->fits || !tern_tune_within(&x->behind, t->set.within)) continue;
        const tern_tune_setting *b = &t->settings[t->best];
        if (t->best == 0 || smaller(x, b) || (!smaller(b, x) && x->loss_mean.mean < b->loss_mean.mean)) t->best = k;
    }
}

tern_status tern_tune_run(tern_tune *t, uint32_t jobs, tern_diags *diags)
{
    tern_status s = TERN_OK;
    for (int key = TERN_TUNE_WEIGHT; key < TERN_TUNE_KEYS && s == TERN_OK; ++key) {
        t->first = key == TERN_TUNE_WEIGHT ? 0 : t->n; /* the reference is trained with the first table */
        s = key == TERN_TUNE_WEIGHT ? propose_weights(t) : propose_values(t, (tern_tune_key)key);
        if (s != TERN_OK || t->first == t->n) continue;
        s = tern_tune_table(t, jobs, diags);
        if (s != TERN_OK || tern_interrupted()) return s;
        choose(t);
        if (t->best == 0) break;
    }
    return s;
}
