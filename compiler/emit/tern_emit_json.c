/* tern_emit_json.c : NAME.json, the lowered network for other programs
 * SPDX-License-Identifier: Apache-2.0
 *
 * Long arrays are written element by element, so a network of millions of synapses needs no tree in memory; everything
 * else goes through jansson. Keys keep their order, so the bytes depend on the model only. The fields are those of
 * tern/model.h and tern/net.h, with the same names.
 */
#include "tern_emit.h"
#include "tern_errors.h"
#include "tern_emit_common.h"
#include "tern_json.h"
#include <stdio.h>
#include "tern/image.h"

typedef struct writer {
    FILE *f;
    tern_status status;
    bool first; /* no key written yet */
} writer;

static void key(writer *w, const char *name)
{
    fprintf(w->f, "%s\n\"%s\": ", w->first ? "" : ",", name);
    w->first = false;
}

/* Writes and releases `value`; NULL (no memory) is remembered. */
static void put(writer *w, json_t *value)
{
    const bool done = value != NULL && tern_json_write(value, w->f, JSON_COMPACT | JSON_ENCODE_ANY);
    if (!done && !ferror(w->f)) w->status = TERN_ERR_MEMORY; /* a failed write stays in ferror() */
    json_decref(value);
}

/* Appends and takes `value`; either may be NULL (no memory). */
static void append(writer *w, json_t *list, json_t *value)
{
    if (!tern_json_add(list, value)) w->status = TERN_ERR_MEMORY;
}

static void u16_array(writer *w, const char *name, const uint16_t *v, size_t n)
{
    key(w, name);
    for (size_t i = 0; i < n; ++i) fprintf(w->f, "%s%u", i == 0 ? "[" : ",", v[i]);
    fputs(n == 0 ? "[]" : "]", w->f);
}

/* absent: this value is written as null */
static void s16_array(writer *w, const char *name, const int16_t *v, size_t n, int absent)
{
    key(w, name);
    for (size_t i = 0; i < n; ++i) {
        fputs(i == 0 ? "[" : ",", w->f);
        if (v[i] == absent) fputs("null", w->f);
        else fprintf(w->f, "%d", v[i]);
    }
    fputs(n == 0 ? "[]" : "]", w->f);
}

static json_t *learn_object(const tern_learn *a)
{
    return tern_json_pack("{s:i,s:i,s:i,s:i}", "dither_bits", a->dither_bits, "local_bits", a->local_bits, "c_shift",
                          a->c_shift, "c_frac", a->c_frac);
}

static json_t *net_object(const tern_net *n)
{
    return tern_json_pack("{s:I,s:I,s:I,s:I,s:I,s:I,s:i,s:i,s:i,s:i,s:i,s:i,s:s,s:s,s:i,s:i,s:[o,o],s:i,s:I}",
                          "n_inputs_pos", (json_int_t)n->n_inputs_pos, "n_neurons_pos", (json_int_t)n->n_neurons_pos,
                          "n_neurons", (json_int_t)n->n_neurons, "n_visible", (json_int_t)n->n_visible, "n_rows",
                          (json_int_t)n->n_rows, "n_weights", (json_int_t)n->n_weights, "n_filters", n->n_filters,
                          "taps_d", n->taps_d, "lags_w", n->lags_w, "trace_frac", n->trace_frac, "weight_bits",
                          n->weight_bits, "weight_frac", n->weight_frac, "rule", tern__emit_rule_kinds[n->rule],
                          "baseline", tern__emit_baselines[n->baseline], "baseline_shift", n->baseline_shift, "m_shift",
                          n->m_shift, "learn", learn_object(&n->learn[0]), learn_object(&n->learn[1]), "n_samples",
                          n->n_samples, "gamma_f16", (json_int_t)n->gamma_f16);
}

static json_t *populations(writer *w, const tern_model *m)
{
    json_t *list = tern_json_list();
    for (uint32_t i = 0; i < m->n_populations && list != NULL; ++i) {
        const tern_population *p = &m->populations[i];
        json_t *dims = tern_json_list();
        for (unsigned d = 0; d < p->n_dims; ++d) append(w, dims, json_integer(p->dims[d]));
        append(w, list,
               tern_json_pack("{s:s,s:s,s:o,s:I,s:I,s:o,s:I,s:I}", "name", p->name, "kind",
                              tern__emit_pop_kinds[p->kind], "dims", dims, "size", (json_int_t)p->size, "pos",
                              (json_int_t)p->pos, "neuron0",
                              p->kind == TERN_POP_INPUT ? json_null() : json_integer(p->neuron0), "line",
                              (json_int_t)p->line, "wta", (json_int_t)p->wta));
    }
    return list;
}

static json_t *filters(writer *w, const tern_model *m)
{
    json_t *list = tern_json_list();
    for (uint32_t i = 0; i < m->n_filters && list != NULL; ++i) {
        json_t *taps = tern_json_list();
        for (unsigned t = 0; t < m->filters[i].n_taps; ++t) append(w, taps, json_real(m->filters[i].taps[t]));
        append(w, list,
               tern_json_pack("{s:s,s:o,s:f}", "kind", tern__emit_filter_kinds[m->filters[i].kind], "taps", taps,
                              "cut_mass", m->filters[i].cut_mass));
    }
    return list;
}

static json_t *data(writer *w, const tern_model *m)
{
    const tern_data_spec *d = &m->data;
    if (!d->present) return json_null();
    json_t *parts = tern_json_list();
    for (uint32_t i = 0; i < d->n_parts; ++i)
        append(w, parts,
               tern_json_pack("{s:s,s:I,s:I,s:I,s:I}", "population", m->populations[d->parts[i].population].name, "x",
                              (json_int_t)d->parts[i].x, "y", (json_int_t)d->parts[i].y, "width",
                              (json_int_t)d->parts[i].width, "height", (json_int_t)d->parts[i].height));
    return tern_json_pack(
        "{s:s,s:b,s:b,s:[I,I],s:[I,I,I,I],s:I,s:I,s:I,s:s,s:[I,I],s:I,s:o,s:o,s:b}", "format", d->format, "mirror_x",
        d->mirror_x, "mirror_y", d->mirror_y, "sensor", (json_int_t)d->sensor_width, (json_int_t)d->sensor_height,
        "crop", (json_int_t)d->crop_x, (json_int_t)d->crop_y, (json_int_t)d->crop_width, (json_int_t)d->crop_height,
        "scale", (json_int_t)(d->scale == 0 ? 1 : d->scale), "window_us", (json_int_t)d->window_us, "steps",
        (json_int_t)d->steps, "polarity", tern__emit_polarities[d->polarity], "phases", (json_int_t)d->phases,
        (json_int_t)d->phase_steps, "shift", (json_int_t)d->shift, "parts", parts, "label_population",
        d->label_population < 0 ? json_null() : tern_json_text(m->populations[d->label_population].name), "clear",
        d->clear);
}

static void structure(writer *w, const tern_net *n)
{
    key(w, "neurons");
    for (uint32_t i = 0; i < n->n_neurons; ++i) {
        const tern_neuron *u = &n->neurons[i];
        fprintf(w->f, "%s\n{\"pos\":%u,\"row0\":%u,\"n_rows\":%u,\"wta_size\":%u,\"wta_index\":%u,\"self_filter\":",
                i == 0 ? "[" : ",", u->pos, u->row0, u->n_rows, u->wta_size, u->wta_index);
        if (u->self_filter == TERN_NO_FILTER) fputs("null}", w->f);
        else fprintf(w->f, "%u}", u->self_filter);
    }
    fputs("]", w->f);
    key(w, "rows");
    fputs("[", w->f);
    for (uint32_t r = 0; r < n->n_rows; ++r) {
        const tern_row *row = &n->rows[r];
        fprintf(w->f, "%s\n{\"weight\":%u,\"first\":%u,\"count\":%u,\"dither\":%u,\"filter\":%u,\"source\":\"%s\"}",
                r == 0 ? "" : ",", row->weight, row->first, row->count, row->dither, row->filter,
                row->kind == TERN_ROW_SHARED ? "inputs" : "neurons");
    }
    fputs("]", w->f);
}

tern_status tern_emit_json(const tern_model *model, const char *dir, tern_diags *diags)
{
    const tern_net n = tern__emit_net(model);
    char hash[65], seed[24];
    tern_file_writer file;
    tern_status status = tern_layout_hash(model, hash);
    if (status == TERN_OK) status = tern__emit_begin(&file, model, dir, ".json", diags);
    if (status != TERN_OK) return status;
    const unsigned long before = tern_json_faults();
    writer w = { file.f, TERN_OK, true };
    fputs("{", w.f);
    key(&w, "generated");
    put(&w, tern_json_text("GENERATED FILE - do not edit. Written by tern compile."));
    key(&w, "format");
    put(&w, tern_json_text("tern-network-2"));
    key(&w, "name");
    put(&w, tern_json_text(model->name));
    key(&w, "source_sha256");
    put(&w, tern_json_text(model->source_sha256));
    key(&w, "layout_hash");
    put(&w, tern_json_text(hash));
    /* 64 bits do not fit the numbers of most readers */
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)model->seed);
    key(&w, "seed");
    put(&w, tern_json_text(seed));
    key(&w, "presentations_done");
    put(&w, json_integer(model->presentations_done));
    key(&w, "trained");
    put(&w, json_boolean(model->state != NULL));
    key(&w, "net");
    put(&w, net_object(&n));
    key(&w, "rule");
    put(&w, tern_json_pack("{s:s,s:f,s:f,s:I,s:f,s:f,s:I,s:s,s:I,s:f}", "kind", tern__emit_rule_kinds[model->rule.kind],
                           "eta", model->rule.eta, "eta_divide", model->rule.eta_divide, "eta_every",
                           (json_int_t)model->rule.eta_every, "gamma", model->rule.gamma, "kappa", model->rule.kappa,
                           "samples", (json_int_t)model->rule.samples, "baseline",
                           tern__emit_baselines[model->rule.baseline], "memory", (json_int_t)model->rule.memory, "tau",
                           model->rule.tau));
    key(&w, "populations");
    put(&w, populations(&w, model));
    key(&w, "filters");
    put(&w, filters(&w, model));
    key(&w, "data");
    put(&w, data(&w, model));
    u16_array(&w, "filter_taps", n.filter_taps, (size_t)n.n_filters * n.taps_d);
    u16_array(&w, "sig_f16", n.sig_f16, TERN_SIG_ENTRIES);
    u16_array(&w, "softplus_f12", n.softplus_f12, TERN_SIG_ENTRIES);
    u16_array(&w, "exp_f16", n.exp_f16, TERN_EXP_ENTRIES);
    u16_array(&w, "log_f12", n.log_f12, TERN_LOG_ENTRIES);
    u16_array(&w, "ek", n.ek0, n.lags_w);
    u16_array(&w, "kap_f15", n.kap_f15, n.lags_w);
    structure(&w, &n);
    s16_array(&w, "weights", n.weights0, n.n_weights, TERN_WEIGHT_ABSENT);
    s16_array(&w, "bias_f12", n.bias0_f12, n.n_neurons, INT32_MIN);
    s16_array(&w, "self_f12", n.self0_f12, n.n_neurons, INT32_MIN);
    fputs("\n}\n", w.f);
    if (w.status == TERN_ERR_MEMORY || tern_json_faults() != before) {
        tern_diags_add(diags, TERN_SEV_ERROR, TERN_ERROR_MEMORY, file.path, 0, NULL,
                       "not enough memory to write the file");
        tern_file_abort(&file);
        return TERN_ERR_MEMORY;
    }
    return tern_file_commit(&file, diags);
}
