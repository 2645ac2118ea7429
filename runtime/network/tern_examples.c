/* tern_examples.c : presentations from arrays, or from recordings on the disk
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <string.h>
#include "tern_network_internal.h"

static tern_examples *make(const tern_model *model)
{
    const tern_alloc alloc = tern_alloc_default();
    tern_examples *ex = alloc.fn(alloc.ud, NULL, sizeof *ex);
    if (ex == NULL) return NULL;
    memset(ex, 0, sizeof *ex);
    ex->model = model;
    tern_arena_init(&ex->arena, alloc, 0);
    tern_bits_inputs(&ex->in, model);
    tern_bits_neurons(&ex->visible, model, false);
    return ex;
}

void tern_examples_close(tern_examples *ex)
{
    if (ex == NULL) return;
    if (ex->on_disk) tern_frames_store_close(&ex->store);
    tern_arena_free(&ex->arena);
    const tern_alloc alloc = tern_alloc_default();
    alloc.fn(alloc.ud, ex, 0);
}

/* ---- arrays ---------------------------------------------------------------------------------- */

static tern_status check_labels(const tern_model *model, const tern_examples_spec *spec, tern_diags *diags)
{
    if (spec->labels == NULL) return TERN_OK;
    const int32_t population = model->data.label_population;
    const uint32_t units = population < 0 ? 0 : model->populations[population].size;
    for (uint32_t i = 0; i < spec->n; ++i) {
        const int32_t label = spec->labels[i];
        if (label == -1 || (label >= 0 && (uint32_t)label < units)) continue;
        if (units == 0)
            return tern_network_refuse(
                diags, TERN_E_ARRAYS, model->name, "labels", "name it with data.label in the script, or give targets",
                "example %" PRIu32 " has the label %" PRId32 ", but the network has no label population", i, label);
        return tern_network_refuse(diags, TERN_E_ARRAYS, model->name, "labels", "labels count from 0",
                                   "example %" PRIu32 " has the label %" PRId32 ", allowed are 0..%" PRIu32
                                   ", and -1 for none",
                                   i, label, units - 1);
    }
    return TERN_OK;
}

static tern_status check_spec(const tern_model *model, const tern_examples_spec *spec, tern_diags *diags)
{
    if (spec->n < 1 || spec->n >= (uint32_t)1 << 28)
        return tern_network_refuse(diags, TERN_E_CALL, model->name, "n", "give some examples",
                                   "%" PRIu32 " examples, allowed are 1..%u", spec->n, (1u << 28) - 1);
    if (spec->steps < 1 || spec->steps > TERN_NETWORK_MAX_STEPS)
        return tern_network_refuse(diags, TERN_E_CALL, model->name, "steps", "cut longer examples into several",
                                   "%" PRIu32 " steps, allowed are 1..%u", spec->steps, TERN_NETWORK_MAX_STEPS);
    return check_labels(model, spec, diags);
}

/* The label's unit, in every step (docs/30-data.md, section 2). */
static void place_label(const tern_examples *ex, uint32_t i, uint32_t *targets)
{
    if (ex->labels == NULL || ex->labels[i] < 0) return;
    const uint32_t pos = ex->model->populations[ex->model->data.label_population].pos + (uint32_t)ex->labels[i];
    for (uint32_t t = 0; t < ex->steps; ++t)
        targets[(size_t)t * ex->visible.n_words + pos / 32] |= (uint32_t)1 << pos % 32;
}

static void pack(tern_examples *ex, const tern_examples_spec *spec)
{
    const size_t steps = ex->steps;
    for (size_t i = 0; i < spec->n; ++i) {
        uint32_t *in = ex->inputs + i * steps * ex->in.n_words, *target = ex->targets + i * steps * ex->visible.n_words;
        for (size_t t = 0; t < steps; ++t) {
            if (spec->inputs != NULL)
                tern_bits_pack(&ex->in, spec->inputs + (i * steps + t) * ex->in.n_units, in + t * ex->in.n_words);
            if (spec->targets != NULL)
                tern_bits_pack(&ex->visible, spec->targets + (i * steps + t) * ex->visible.n_units,
                               target + t * ex->visible.n_words);
        }
        place_label(ex, (uint32_t)i, target);
    }
}

tern_status tern_examples_pack(const tern_model *model, const tern_examples_spec *spec, tern_examples **out,
                               tern_diags *diags)
{
    *out = NULL;
    const tern_status s = check_spec(model, spec, diags);
    if (s != TERN_OK) return s;
    tern_examples *ex = make(model);
    if (ex == NULL) return TERN_ERR_MEMORY;
    ex->n = spec->n;
    ex->steps = spec->steps;
    ex->has_targets = spec->targets != NULL;
    const uint64_t total = (uint64_t)spec->n * spec->steps; /* below 2^48 */
    ex->inputs = tern_arena_get(&ex->arena, (size_t)total, sizeof *ex->inputs * ex->in.n_words);
    ex->targets = tern_arena_get(&ex->arena, (size_t)total, sizeof *ex->targets * ex->visible.n_words);
    if (spec->labels != NULL) ex->labels = tern_arena_get(&ex->arena, spec->n, sizeof *ex->labels);
    if (ex->inputs == NULL || ex->targets == NULL || (spec->labels != NULL && ex->labels == NULL)) {
        tern_examples_close(ex);
        return TERN_ERR_MEMORY;
    }
    if (spec->labels != NULL) memcpy(ex->labels, spec->labels, spec->n * sizeof *ex->labels);
    pack(ex, spec);
    *out = ex;
    return TERN_OK;
}

/* ---- recordings ------------------------------------------------------------------------------ */

tern_status tern_examples_open(const tern_model *model, const char *path, tern_examples **out, tern_diags *diags)
{
    *out = NULL;
    tern_examples *ex = make(model);
    if (ex == NULL) return TERN_ERR_MEMORY;
    ex->on_disk = true;
    const tern_status s = tern_frames_store_open(&ex->store, model, path, false, diags);
    if (s != TERN_OK) {
        tern_examples_close(ex);
        return s;
    }
    ex->n = (uint32_t)ex->store.set.n;
    *out = ex;
    return TERN_OK;
}

/* ---- either ---------------------------------------------------------------------------------- */

uint32_t tern_examples_count(const tern_examples *ex) { return ex->n; }

/* Frames of a recording; its warnings go to diags, too. */
static tern_status from_disk(tern_examples *ex, uint32_t i, const uint64_t *seed, uint32_t presentation,
                             tern_frames *out, tern_diags *diags)
{
    tern_diags unheard;
    tern_diags_init(&unheard);
    tern_diags *d = diags != NULL ? diags : &unheard;
    ex->store.warnings = diags;
    const tern_status s = seed == NULL ? tern_frames_store_get(&ex->store, i, out, d)
                                       : tern_frames_store_present(&ex->store, i, *seed, presentation, out, d);
    ex->store.warnings = NULL;
    return s;
}

tern_status tern_examples_present(tern_examples *ex, uint32_t i, uint64_t seed, uint32_t presentation, tern_frames *out,
                                  tern_diags *diags)
{
    if (!ex->on_disk || i >= ex->n) return tern_examples_get(ex, i, out, diags);
    return from_disk(ex, i, &seed, presentation, out, diags);
}

tern_status tern_examples_get(tern_examples *ex, uint32_t i, tern_frames *out, tern_diags *diags)
{
    *out = (tern_frames){ .label = -1 };
    if (i >= ex->n)
        return tern_network_refuse(diags, TERN_E_CALL, ex->model->name, "example", "they count from 0",
                                   "there is no example %" PRIu32 ", but 0..%" PRIu32, i, ex->n - 1);
    if (ex->on_disk) return from_disk(ex, i, NULL, 0, out, diags);
    *out = (tern_frames){ .n_steps = ex->steps,
                          .words_in = ex->in.n_words,
                          .words_neuron = ex->visible.n_words,
                          .inputs = ex->inputs + (size_t)i * ex->steps * ex->in.n_words,
                          .targets = ex->targets + (size_t)i * ex->steps * ex->visible.n_words,
                          .label = ex->labels == NULL ? -1 : ex->labels[i] };
    return TERN_OK;
}

tern_status tern_examples_unpack(tern_examples *ex, uint32_t i, uint8_t *inputs, uint8_t *targets, int32_t *label,
                                 tern_diags *diags)
{
    tern_frames f;
    const tern_status s = tern_examples_get(ex, i, &f, diags);
    if (s != TERN_OK) return s;
    for (size_t t = 0; t < f.n_steps; ++t) {
        if (inputs != NULL) tern_bits_unpack(&ex->in, f.inputs + t * f.words_in, inputs + t * ex->in.n_units);
        if (targets != NULL)
            tern_bits_unpack(&ex->visible, f.targets + t * f.words_neuron, targets + t * ex->visible.n_units);
    }
    if (label != NULL) *label = f.label;
    return TERN_OK;
}
