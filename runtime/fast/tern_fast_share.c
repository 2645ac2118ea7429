/* tern_fast_share.c : how the work of a pass is divided among threads and engines
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_fast_internal.h"

static double products_of(const tern_fast *f, uint32_t neuron)
{
    const tern_neuron *u = &f->net->neurons[neuron];
    double sum = 0;
    for (uint32_t r = u->row0; r < u->row0 + u->n_rows; ++r) {
        const double samples = tern_fast_pool_samples(f, f->net->rows[r].kind);
        sum += f->net->rows[r].count * samples * (f->net->lags_w + 1.0);
    }
    return sum + f->n_flat;
}

double tern_fast_products(const tern_fast *f, uint32_t first, uint32_t end)
{
    double sum = 0;
    for (uint32_t i = first; i < end; ++i) sum += products_of(f, i);
    return sum;
}

uint32_t tern_fast_share_end(const tern_fast *f, uint32_t first, uint32_t end, uint32_t left, double *products)
{
    const tern_net *n = f->net;
    const double wanted = *products / left;
    double sum = 0;
    uint32_t i = first;
    while (i < end && (left == 1 || sum + products_of(f, i) / 2 <= wanted || n->neurons[i].wta_index != 0))
        sum += products_of(f, i++);
    *products -= sum;
    return i;
}
