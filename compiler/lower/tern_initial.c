/* tern_initial.c : initial weights, biases and self-memory weights in real numbers
 * SPDX-License-Identifier: Apache-2.0
 *
 * Draws are named by what they are for (tern_draws.h), so no order of evaluation changes them. Parameters from an image
 * are taken over when the image has the same neurons and rows; its number formats may differ.
 */
#include "tern_network.h"
#include "tern_draws.h"
#include "tern/image.h"
#include <math.h>
#include <string.h>

static const tern_model *image_of(const tern__expander *x, const char *path)
{
    for (uint32_t i = 0; i < x->n_images; ++i)
        if (strcmp(x->images[i].path, path) == 0) return x->images[i].model;
    return NULL;
}

static tern_status need_image(tern__expander *x, const tern_init *init, uint32_t line)
{
    if (init->kind != TERN_INIT_IMAGE || image_of(x, init->path) != NULL) return TERN_OK;
    if (x->n_images == TERN__MAX_IMAGES) {
        tern_diags_add(x->diags, TERN_SEV_ERROR, TERN__E_IMAGE, x->desc->file, (int)line, "",
                       "initial values from more than %u images", TERN__MAX_IMAGES);
        return TERN_ERR_NETWORK;
    }
    tern_model *m = tern_arena_get(x->arena, 1, sizeof *m);
    if (m == NULL) return TERN_ERR_MEMORY;
    const tern_status s = tern_image_load(init->path, x->arena, m, x->diags);
    if (s == TERN_ERR_MEMORY) return s;
    if (s != TERN_OK) {
        tern_diags_add(x->diags, TERN_SEV_ERROR, TERN__E_IMAGE, x->desc->file, (int)line, "",
                       "initial values: the image '%s' cannot be used: %s", init->path, tern_status_text(s));
        return TERN_ERR_NETWORK;
    }
    x->images[x->n_images].path = init->path;
    x->images[x->n_images++].model = m;
    return TERN_OK;
}

tern_status tern__initial_prepare(tern__expander *x)
{
    const tern_desc *d = x->desc;
    tern_status s = TERN_OK;
    x->keys = tern_arena_get(x->arena, d->n_projections, sizeof *x->keys);
    if (x->keys == NULL) return TERN_ERR_MEMORY;
    for (size_t i = 0; i < d->n_projections && s == TERN_OK; ++i) {
        uint32_t w[2];
        tern__draw(d->seed, (uint32_t)i, TERN__DRAW_PROJECTION, 0, w);
        x->keys[i] = (uint64_t)w[1] << 32 | w[0];
        s = need_image(x, &d->projections[i].init, d->projections[i].line);
    }
    for (uint32_t i = 0; i < d->n_populations && s == TERN_OK; ++i) {
        s = need_image(x, &d->populations[i].bias_init, d->populations[i].pop.line);
        if (s == TERN_OK) s = need_image(x, &d->populations[i].self_init, d->populations[i].pop.line);
    }
    if (s == TERN_OK) s = tern__given_prepare(x);
    return s;
}

tern_status tern__initial_check_images(tern__expander *x)
{
    const tern_net *n = &x->model->net;
    for (uint32_t k = 0; k < x->n_images; ++k) {
        const tern_net *o = &x->images[k].model->net;
        const char *what = NULL;
        if (o->n_neurons != n->n_neurons || o->n_visible != n->n_visible) what = "neurons";
        else if (o->n_rows != n->n_rows || o->n_weights != n->n_weights || o->n_filters != n->n_filters)
            what = "connections";
        for (uint32_t i = 0; what == NULL && i < n->n_neurons; ++i)
            if (o->neurons[i].pos != n->neurons[i].pos || o->neurons[i].n_rows != n->neurons[i].n_rows ||
                o->neurons[i].self_filter != n->neurons[i].self_filter)
                what = "neurons";
        for (uint32_t r = 0; what == NULL && r < n->n_rows; ++r)
            if (o->rows[r].first != n->rows[r].first || o->rows[r].count != n->rows[r].count ||
                o->rows[r].filter != n->rows[r].filter || o->rows[r].kind != n->rows[r].kind)
                what = "connections";
        if (what == NULL) continue;
        tern_diag *g = tern_diags_add(
            x->diags, TERN_SEV_ERROR, TERN__E_IMAGE, x->desc->file, 0, "",
            "initial values: the image '%s' has other %s: %u neurons, %u rows, %u weights; the script has %u, %u, %u",
            x->images[k].path, what, o->n_neurons, o->n_rows, o->n_weights, n->n_neurons, n->n_rows, n->n_weights);
        tern_diag_hint(g, "populations and connections must be the same as in the script the image was made from");
        return TERN_ERR_NETWORK;
    }
    return TERN_OK;
}

static double from_init(const tern_init *init, const uint32_t w[2])
{
    if (init->kind == TERN_INIT_UNIFORM) {
        const double v = init->lo + (init->hi - init->lo) * tern__unit(w);
        return v < init->hi || init->lo == init->hi ? v : init->lo; /* a rounding could reach the open end */
    }
    return init->kind == TERN_INIT_CONSTANT ? init->lo : 0.0;
}

double tern__initial_weight(const tern__expander *x, uint32_t projection, unsigned filter, uint32_t from, uint32_t to,
                            size_t at)
{
    const tern_projection *q = &x->desc->projections[projection];
    uint32_t w[2] = { 0, 0 };
    if (q->init.kind == TERN_INIT_IMAGE) {
        const tern_model *m = image_of(x, q->init.path);
        const int16_t code = m->state != NULL ? m->state->weights[at] : m->net.weights0[at];
        return code == TERN_WEIGHT_ABSENT ? 0.0 : ldexp((double)code, -(int)m->net.weight_frac);
    }
    unsigned place = 0;
    while (place + 1u < q->n_filters && q->filters[place] != filter) ++place;
    if (q->init.kind == TERN_INIT_ARRAY) return tern__given_weight(x, projection, place, from, to);
    if (q->init.kind == TERN_INIT_UNIFORM)
        tern__draw(x->keys[projection], from, TERN__DRAW_WEIGHT, (uint32_t)place << 16 | to, w);
    return from_init(&q->init, w);
}

static double local_value(const tern__expander *x, const tern_init *init, uint32_t purpose, uint32_t population,
                          uint32_t unit, uint32_t neuron)
{
    uint32_t w[2] = { 0, 0 };
    if (init->kind == TERN_INIT_IMAGE) {
        const tern_model *m = image_of(x, init->path);
        const bool bias = purpose == TERN__DRAW_BIAS;
        const int16_t code = m->state != NULL ? (bias ? m->state->bias_f12 : m->state->self_f12)[neuron]
                                              : (bias ? m->net.bias0_f12 : m->net.self0_f12)[neuron];
        return ldexp((double)code, -(int)TERN_BIAS_FRAC);
    }
    if (init->kind == TERN_INIT_ARRAY)
        return tern__given_local(x, (purpose == TERN__DRAW_BIAS ? x->given_bias : x->given_self)[population], unit);
    if (init->kind == TERN_INIT_UNIFORM) tern__draw(x->desc->seed, unit, purpose, population, w);
    return from_init(init, w);
}

void tern__initial_locals(const tern__expander *x, double *bias, double *self)
{
    for (uint32_t p = 0; p < x->desc->n_populations; ++p) {
        const tern_pop_desc *d = &x->desc->populations[p];
        const tern_population *pop = &x->model->populations[p];
        if (pop->kind == TERN_POP_INPUT) continue;
        for (uint32_t u = 0; u < pop->size; ++u) {
            const uint32_t i = pop->neuron0 + u;
            bias[i] = local_value(x, &d->bias_init, TERN__DRAW_BIAS, p, u, i);
            self[i] = d->self_filter < 0 ? 0.0 : local_value(x, &d->self_init, TERN__DRAW_MEMORY, p, u, i);
        }
    }
}
