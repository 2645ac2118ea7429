/* tern_exp_means.c : means and differences over the seeds of an experiment
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "tern/file.h"
#include "tern_exp_internal.h"

static bool fits(uint32_t wanted, uint32_t x) { return wanted == TERN_EXP_ANY || wanted == x; }

bool tern_exp_row_fits(const tern_exp_row *r, tern_exp_filter f)
{
    return fits(f.rule, r->rule) && fits(f.hidden, r->hidden) && fits(f.samples, r->samples) && fits(f.seed, r->seed) &&
           fits(f.presentations, r->presentations) && fits(f.inference, r->inference);
}

double tern_exp_value(const tern_exp *e, tern_exp_filter f, tern_exp_metric m)
{
    for (size_t i = 0; i < e->n_rows; ++i)
        if (tern_exp_row_fits(&e->rows[i], f)) return e->rows[i].m[m];
    return (double)NAN;
}

static tern_exp_mean over_seeds(const tern_exp *e, tern_exp_filter a, const tern_exp_filter *b, tern_exp_metric m)
{
    tern_mean sum = { 0 };
    for (uint32_t seed = 1; seed <= e->set.seeds; ++seed) {
        tern_exp_filter other = b == NULL ? a : *b;
        a.seed = other.seed = seed;
        const double x = tern_exp_value(e, a, m) - (b == NULL ? 0 : tern_exp_value(e, other, m));
        if (!isnan(x)) tern_mean_add(&sum, x);
    }
    const bool share = m == TERN_EXP_ACCURACY || m == TERN_EXP_ECE || m == TERN_EXP_ECE_ADAPTIVE ||
                       m == TERN_EXP_ECE_VOTES || m == TERN_EXP_HIDDEN_RATE;
    const bool positive = share || m == TERN_EXP_ENTROPY_RIGHT || m == TERN_EXP_ENTROPY_WRONG ||
                          m == TERN_EXP_HIDDEN_SPIKES || m == TERN_EXP_LOG_LOSS;
    if (b != NULL) return tern_exp_mean_summary(&sum, share ? -1.0 : (double)-INFINITY, share ? 1.0 : (double)INFINITY);
    return tern_exp_mean_summary(&sum, positive ? 0.0 : (double)-INFINITY, share ? 1.0 : (double)INFINITY);
}

tern_exp_mean tern_exp_mean_rows(const tern_exp *e, tern_exp_filter f, tern_exp_metric m)
{
    return over_seeds(e, f, NULL, m);
}

tern_exp_mean tern_exp_mean_difference(const tern_exp *e, tern_exp_filter a, tern_exp_filter b, tern_exp_metric m)
{
    return over_seeds(e, a, &b, m);
}

json_t *tern_exp_mean_json(const tern_exp_mean *m)
{
    return tern_json_pack("{s:I, s:o, s:o, s:o}", "n", (json_int_t)m->n, "mean", tern_json_real(m->mean), "lo",
                          tern_json_real(m->lo), "hi", tern_json_real(m->hi));
}

json_t *tern_exp_claims_json(const tern_exp_claim *claims, size_t n)
{
    json_t *list = tern_json_list();
    for (size_t i = 0; i < n; ++i)
        tern_json_add(list, tern_json_pack("{s:s, s:o, s:s, s:o, s:s}", "paper", claims[i].paper, "number",
                                           claims[i].number[0] == 0 ? json_null() : tern_json_text(claims[i].number),
                                           "measured", claims[i].measured, "value", tern_exp_mean_json(&claims[i].mean),
                                           "verdict", tern_exp_verdict_text(claims[i].verdict)));
    return list;
}

uint32_t tern_exp_least(const tern_exp_list *l)
{
    uint32_t x = l->v[0];
    for (size_t i = 1; i < l->n; ++i) x = l->v[i] < x ? l->v[i] : x;
    return x;
}

uint32_t tern_exp_most(const tern_exp_list *l)
{
    uint32_t x = l->v[0];
    for (size_t i = 1; i < l->n; ++i) x = l->v[i] > x ? l->v[i] : x;
    return x;
}
