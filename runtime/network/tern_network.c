/* tern_network.c : see tern/network.h
 * SPDX-License-Identifier: Apache-2.0
 */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>
#include "tern/image.h"
#include "tern_errors.h"
#include "tern/locale.h"
#include "tern_engines.h"
#include "tern_network_internal.h"
#include "tern_present.h"

uint32_t tern_network_inputs(const tern_model *model)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < model->n_populations; ++i)
        if (model->populations[i].kind == TERN_POP_INPUT) n += model->populations[i].size;
    return n;
}

/* ---- opening --------------------------------------------------------------------------------- */

/* What the options and the saved state say together. */
typedef struct plan {
    const tern_engine *kind;
    uint32_t threads, samples;
    uint64_t seed;
    const tern_state *saved; /* gone on with; NULL: a new training */
} plan;

static tern_status check_saved(const tern_model *model, const tern_network_options *o, const plan *p, tern_diags *diags)
{
    static const char hint[] =
        "omit it to continue the saved training, or set `fresh` to start a new one with its weights";
    if (p->saved == NULL) return TERN_OK;
    if (p->samples != p->saved->n_samples)
        return tern_network_refuse(diags, TERN_E_STATE, model->name, "samples", hint,
                                   "the saved state has %" PRIu32 " samples, asked for are %" PRIu32,
                                   p->saved->n_samples, p->samples);
    if (o->has_seed && o->seed != p->saved->seed)
        return tern_network_refuse(diags, TERN_E_STATE, model->name, "seed", hint,
                                   "the saved state has the seed %" PRIu64 ", asked for is %" PRIu64, p->saved->seed,
                                   o->seed);
    return TERN_OK;
}

static tern_status make_plan(const tern_model *model, const tern_network_options *o, plan *p, tern_diags *diags)
{
    const bool golden = o->engine != NULL && strcmp(o->engine, "golden") == 0;
    if (o->engine != NULL && !golden && strcmp(o->engine, "fast") != 0)
        return tern_network_refuse(diags, TERN_E_CALL, model->name, "engine",
                                   "fast and golden make the same bits; fast is the default",
                                   "there is no engine '%.40s', allowed are fast and golden", o->engine);
    if (o->threads > TERN_FAST_MAX_THREADS || (golden && o->threads > 1))
        return tern_network_refuse(diags, TERN_E_CALL, model->name, "threads", "0: as many as pay",
                                   "%" PRIu32 " threads, allowed are 0..%u, golden has one", o->threads,
                                   TERN_FAST_MAX_THREADS);
    if (o->samples > TERN_MAX_SAMPLES)
        return tern_network_refuse(diags, TERN_E_CALL, model->name, "samples", "0: those of the network",
                                   "%" PRIu32 " samples, allowed are 0..%u", o->samples, TERN_MAX_SAMPLES);
    const tern_state *saved = o->fresh ? NULL : model->state;
    *p = (plan){ .kind = golden ? &tern_engine_golden : &tern_engine_fast,
                 .threads = o->threads,
                 .samples = o->samples != 0 ? o->samples
                            : saved != NULL ? saved->n_samples
                                            : model->net.n_samples,
                 .seed = o->has_seed     ? o->seed
                         : saved != NULL ? saved->seed
                                         : model->seed,
                 .saved = saved };
    return check_saved(model, o, p, diags);
}

static tern_status fill(tern_network *net, const plan *p, tern_diags *diags)
{
    tern_arena *a = &net->arena;
    const tern_model *model = &net->model;
    net->engine = (tern_runner_engine){ .kind = p->kind, .threads = p->threads };
    net->epoch = UINT32_MAX;
    net->has_distance = tern_has_distance(model);
    net->presentations = p->saved != NULL ? model->presentations_done : 0;
    tern_bits_inputs(&net->in, model);
    tern_bits_neurons(&net->visible, model, false);
    tern_bits_neurons(&net->neurons, model, true);
    net->inputs = tern_arena_get(a, TERN_NETWORK_CHUNK, sizeof *net->inputs * net->in.n_words);
    net->targets = tern_arena_get(a, TERN_NETWORK_CHUNK, sizeof *net->targets * net->neurons.n_words);
    if (net->inputs == NULL || net->targets == NULL) return TERN_ERR_MEMORY;
    tern_status s = tern_runner_init(&net->run, model, net->engine, p->samples, p->seed, a, diags);
    if (s == TERN_OK && net->has_distance) s = tern_distance_init(&net->distance, model, p->samples, a);
    if (s == TERN_OK && p->saved != NULL) tern_runner_restore(&net->run, p->saved);
    return s;
}

tern_status tern_network_open(const tern_model *model, const tern_network_options *options, tern_network **out,
                              tern_diags *diags)
{
    static const tern_network_options usual;
    const tern_alloc alloc = tern_alloc_default();
    plan p = { 0 };
    *out = NULL;
    tern_status s = make_plan(model, options != NULL ? options : &usual, &p, diags);
    if (s != TERN_OK) return s;
    tern_network *net = alloc.fn(alloc.ud, NULL, sizeof *net);
    if (net == NULL) return TERN_ERR_MEMORY;
    memset(net, 0, sizeof *net);
    tern_arena_init(&net->arena, alloc, 0);
    tern_arena_init(&net->order_arena, alloc, 0);
    net->model = *model;
    s = fill(net, &p, diags);
    net->model.state = NULL; /* from now on the runner's, when an image is made */
    if (s == TERN_OK) *out = net;
    else tern_network_close(net);
    return s;
}

void tern_network_close(tern_network *net)
{
    if (net == NULL) return;
    const tern_alloc alloc = tern_alloc_default();
    tern_runner_close(&net->run);
    tern_arena_free(&net->order_arena);
    tern_arena_free(&net->arena);
    alloc.fn(alloc.ud, net, 0);
}

/* ---- what it is ------------------------------------------------------------------------------ */

const tern_state *tern_network_state(const tern_network *net) { return &net->run.st; }
uint32_t tern_network_presentations(const tern_network *net) { return net->presentations; }
void tern_network_set_presentations(tern_network *net, uint32_t presentations) { net->presentations = presentations; }

tern_status tern_network_set_eta(tern_network *net, double eta, tern_diags *diags)
{
    if (!(eta > 0 && eta <= DBL_MAX)) /* NAN too */
        return tern_network_refuse(diags, TERN_E_CALL, net->model.name, "eta", "see rule.eta in the script",
                                   "a learning rate is a number above 0, not %g", eta);
    return tern_runner_set_eta(&net->run, eta, diags);
}

static tern_status check_local(const tern_network *net, const char *key, const int16_t *values, bool self,
                               tern_diags *diags)
{
    const tern_net *n = &net->model.net;
    for (uint32_t i = 0; values != NULL && i < n->n_neurons; ++i) {
        if (values[i] == INT16_MIN)
            return tern_network_refuse(diags, TERN_E_ARRAYS, net->model.name, key,
                                       "numbers are symmetric: -32767..32767",
                                       "neuron %" PRIu32 ": -32768 is not allowed", i);
        if (self && n->neurons[i].self_filter == TERN_NO_FILTER && values[i] != 0)
            return tern_network_refuse(diags, TERN_E_ARRAYS, net->model.name, key, "0 where there is none",
                                       "neuron %" PRIu32 " has no self-memory, but the weight %d", i, values[i]);
    }
    return TERN_OK;
}

static tern_status check_weights(const tern_network *net, const int16_t *weights, tern_diags *diags)
{
    const tern_net *n = &net->model.net;
    const int top = (1 << (n->weight_bits - 1)) - 1;
    for (uint32_t i = 0; weights != NULL && i < n->n_weights; ++i) {
        const bool absent = weights[i] == TERN_WEIGHT_ABSENT;
        if (absent != (n->weights0[i] == TERN_WEIGHT_ABSENT))
            return tern_network_refuse(diags, TERN_E_ARRAYS, net->model.name, "weights",
                                       "change a copy of the network's own weights", "weight %" PRIu32 ": %s", i,
                                       absent ? "there is a synapse, -32768 means none"
                                              : "there is no synapse, -32768 must stay");
        if (!absent && (weights[i] > top || weights[i] < -top))
            return tern_network_refuse(diags, TERN_E_ARRAYS, net->model.name, "weights",
                                       "limit them, or use a wider format",
                                       "weight %" PRIu32 ": %d, allowed are %d..%d", i, weights[i], -top, top);
    }
    return TERN_OK;
}

tern_status tern_network_set_weights(tern_network *net, const int16_t *weights, const int16_t *bias_f12,
                                     const int16_t *self_f12, tern_diags *diags)
{
    const tern_net *n = &net->model.net;
    tern_status s = check_weights(net, weights, diags);
    if (s == TERN_OK) s = check_local(net, "bias", bias_f12, false, diags);
    if (s == TERN_OK) s = check_local(net, "self", self_f12, true, diags);
    if (s != TERN_OK) return s;
    tern_state *st = &net->run.st;
    if (weights != NULL) memcpy(st->weights, weights, n->n_weights * sizeof *weights);
    if (bias_f12 != NULL) memcpy(st->bias_f12, bias_f12, n->n_neurons * sizeof *bias_f12);
    if (self_f12 != NULL) memcpy(st->self_f12, self_f12, n->n_neurons * sizeof *self_f12);
    if (net->run.engine->changed != NULL) net->run.engine->changed(&net->run);
    return TERN_OK;
}

/* ---- steps ----------------------------------------------------------------------------------- */

static tern_status check_steps(const tern_network *net, uint64_t more, tern_diags *diags)
{
    if (more <= UINT32_MAX - net->run.st.step) return TERN_OK;
    (void)tern_network_refuse(
        diags, TERN_ERROR_STEPS, net->model.name, "steps", "start a new training with the weights (`fresh`)",
        "%" PRIu64 " steps after the %" PRIu32 " made so far, allowed are 4294967295 in all", more, net->run.st.step);
    return TERN_ERR_LIMIT;
}

static tern_status check_run(const tern_network *net, const tern_network_steps *s, tern_diags *diags)
{
    const char *name = net->model.name;
    if ((s->flags & ~(unsigned)(TERN_STEP_LEARN | TERN_STEP_CLAMP)) != 0)
        return tern_network_refuse(diags, TERN_E_CALL, name, "flags", "TERN_STEP_LEARN, TERN_STEP_CLAMP, both or none",
                                   "unknown flags 0x%x", s->flags);
    if ((s->flags & TERN_STEP_CLAMP) != 0 && s->targets == NULL && s->n_steps != 0)
        return tern_network_refuse(diags, TERN_E_CALL, name, "targets", "give them, or let the visible neurons draw",
                                   "visible neurons are clamped to targets, but there are none");
    if (s->flags == TERN_STEP_LEARN && net->model.net.rule != TERN_RULE_REWARD)
        return tern_network_refuse(diags, TERN_E_CALL, name, "flags", "give targets",
                                   "learning without clamped visible neurons is for rule reward only");
    return check_steps(net, s->n_steps, diags);
}

/* Some of the steps that are being made. */
typedef struct chunk {
    tern_network *net;
    uint8_t *spikes;
    double *log_loss;
} chunk;

static void chunk_step(void *ud, uint32_t t)
{
    const chunk *c = ud;
    const tern_runner *r = &c->net->run;
    const tern_bits *b = &c->net->neurons;
    const uint32_t K = r->n_samples, *words = tern_runner_spike_words(r);
    for (uint32_t k = 0; k < K && c->spikes != NULL; ++k)
        tern_bits_unpack(b, words + (size_t)k * b->n_words, c->spikes + ((size_t)t * K + k) * b->n_units);
    for (uint32_t k = 0; k < K && c->log_loss != NULL; ++k) c->log_loss[(size_t)t * K + k] = tern_runner_loss(r, k);
}

static void run_chunk(tern_network *net, const tern_network_steps *s, uint32_t first, uint32_t n)
{
    const size_t K = net->run.n_samples;
    const tern_frames f = { .n_steps = n,
                            .words_in = net->in.n_words,
                            .words_neuron = net->neurons.n_words,
                            .inputs = net->inputs,
                            .targets = net->targets,
                            .label = -1 };
    for (size_t t = 0; t < n; ++t) {
        if (s->inputs != NULL)
            tern_bits_pack(&net->in, s->inputs + (first + t) * net->in.n_units, f.inputs + t * f.words_in);
        if (s->targets != NULL)
            tern_bits_pack(&net->visible, s->targets + (first + t) * net->visible.n_units,
                           f.targets + t * f.words_neuron);
    }
    chunk c = { net, s->spikes == NULL ? NULL : s->spikes + first * K * net->neurons.n_units,
                s->log_loss == NULL ? NULL : s->log_loss + first * K };
    tern_runner_run(&net->run, &f, s->flags, chunk_step, &c);
}

tern_status tern_network_run(tern_network *net, const tern_network_steps *steps, tern_diags *diags)
{
    const tern_status s = check_run(net, steps, diags);
    if (s != TERN_OK) return s;
    if (steps->inputs == NULL) memset(net->inputs, 0, TERN_NETWORK_CHUNK * sizeof *net->inputs * net->in.n_words);
    if (steps->targets == NULL)
        memset(net->targets, 0, TERN_NETWORK_CHUNK * sizeof *net->targets * net->neurons.n_words);
    for (uint32_t t = 0; t < steps->n_steps; t += TERN_NETWORK_CHUNK) {
        const uint32_t left = steps->n_steps - t;
        run_chunk(net, steps, t, left < TERN_NETWORK_CHUNK ? left : TERN_NETWORK_CHUNK);
    }
    return TERN_OK;
}

tern_status tern_network_reward(tern_network *net, const double *reward, tern_diags *diags)
{
    const char *name = net->model.name;
    if (net->model.net.rule != TERN_RULE_REWARD)
        return tern_network_refuse(diags, TERN_E_CALL, name, "reward", "tern.reward{ ... } in the script",
                                   "the network's rule takes no learning signal from outside");
    for (uint32_t k = 0; k < net->run.n_samples; ++k)
        if (!(fabs(reward[k]) <= DBL_MAX))
            return tern_network_refuse(diags, TERN_E_CALL, name, "reward", "finite numbers, limited to +-524287",
                                       "sample %" PRIu32 ": the signal is %g", k, reward[k]);
    tern_runner_reward(&net->run, reward);
    return TERN_OK;
}

void tern_network_end(tern_network *net, bool clear) { tern_runner_end(&net->run, clear); }

/* ---- training -------------------------------------------------------------------------------- */

tern_status tern_network_fits(const tern_model *model, const tern_examples *ex, tern_diags *diags)
{
    const tern_net *a = &model->net, *b = &ex->model->net;
    if (tern_network_inputs(model) == tern_network_inputs(ex->model) && a->n_visible == b->n_visible &&
        a->n_inputs_pos == b->n_inputs_pos && a->n_neurons_pos == b->n_neurons_pos &&
        model->data.label_population == ex->model->data.label_population)
        return TERN_OK;
    return tern_network_refuse(diags, TERN_E_ARRAYS, model->name, "examples", "make them from the network's own model",
                               "the examples were made for a network of other sizes");
}

static tern_status check_training(const tern_network *net, const tern_examples *ex, tern_diags *diags)
{
    const tern_status s = tern_network_fits(&net->model, ex, diags);
    if (s != TERN_OK) return s;
    if (net->model.net.rule == TERN_RULE_REWARD && !net->has_distance)
        return tern_network_refuse(
            diags, TERN_ERROR_NO_LEARNING_SIGNAL, net->model.name, "rule.tau",
            "set rule.tau to learn by the distance of spikes, or make steps and give their reward",
            "rule reward with tau = 0: the learning signal comes from the caller, and a training has none");
    if (!ex->on_disk && !ex->has_targets && ex->labels == NULL)
        return tern_network_refuse(diags, TERN_E_ARRAYS, net->model.name, "targets", "give either",
                                   "the examples have neither targets nor labels: there is nothing to learn");
    if (!ex->on_disk && net->model.data.shift != 0)
        return tern_network_refuse(diags, TERN_E_ARRAYS, net->model.name, "data.shift",
                                   "leave `shift` out of the script, or open the recordings",
                                   "training moves recordings by up to %u pixels, and examples from arrays have none",
                                   net->model.data.shift);
    return TERN_OK;
}

/* Makes the order of the epochs again if the number of examples is another one. */
static tern_status make_order(tern_network *net, uint32_t n)
{
    if (net->n_order == n) return TERN_OK;
    tern_arena_free(&net->order_arena);
    net->n_order = 0;
    net->order = tern_arena_get(&net->order_arena, n, sizeof *net->order);
    if (net->order == NULL) return TERN_ERR_MEMORY;
    net->n_order = n;
    net->epoch = UINT32_MAX;
    return TERN_OK;
}

static tern_status present(tern_network *net, tern_examples *ex, tern_presented *out, tern_diags *diags)
{
    tern_frames f;
    const uint32_t i = tern_present_next(net->run.st.seed, net->presentations, ex->n, net->order, &net->epoch);
    *out = (tern_presented){ .presentation = net->presentations + 1,
                             .recording = i,
                             .eta = tern_rule_eta_at(&net->model.rule, net->presentations) };
    tern_status s = tern_examples_present(ex, i, net->run.st.seed, net->presentations, &f, diags);
    if (s != TERN_OK) return s;
    if (net->model.data.label_population >= 0 && f.label < 0 && !ex->has_targets) {
        (void)tern_network_refuse(diags, TERN_ERROR_NO_LABEL, ex->on_disk ? ex->store.set.paths[i] : net->model.name,
                                  "", "give every example a label, or targets",
                                  "example %" PRIu32 " has no label, and the network learns labels", i);
        return TERN_ERR_DATA;
    }
    s = check_steps(net, f.n_steps, diags);
    if (s == TERN_OK) s = tern_present(&net->run, net->has_distance ? &net->distance : NULL, &f, out, diags);
    if (s == TERN_OK) ++net->presentations;
    return s;
}

tern_status tern_network_train(tern_network *net, tern_examples *ex, uint32_t n, tern_presented *out, tern_diags *diags)
{
    tern_presented unheard;
    tern_status s = check_training(net, ex, diags);
    if (s == TERN_OK && n > UINT32_MAX - net->presentations) s = check_steps(net, UINT64_MAX, diags);
    if (s == TERN_OK) s = make_order(net, ex->n);
    for (uint32_t i = 0; s == TERN_OK && i < n; ++i) s = present(net, ex, out != NULL ? &out[i] : &unheard, diags);
    return s;
}

/* ---- images ---------------------------------------------------------------------------------- */

/* The model with the state as it is; only for the length of a call. */
static const tern_model *model_now(tern_network *net)
{
    net->model.state = &net->run.st;
    net->model.presentations_done = net->presentations;
    return &net->model;
}

tern_status tern_network_encode(tern_network *net, tern_arena *arena, const uint8_t **out_bytes, size_t *out_size,
                                tern_diags *diags)
{
    const tern_status s = tern_image_encode(model_now(net), arena, out_bytes, out_size);
    net->model.state = NULL;
    if (s != TERN_OK && s != TERN_ERR_MEMORY)
        tern_diags_add(diags, TERN_SEV_ERROR, TERN_ERROR_IMAGE_ENCODE, net->model.name, 0, NULL,
                       "the network cannot be written as an image");
    return s;
}

tern_status tern_network_save(tern_network *net, const char *path, tern_diags *diags)
{
    tern_status s = tern_image_replaceable(path, diags);
    if (s == TERN_OK) s = tern_image_save(model_now(net), path, tern_alloc_default(), diags);
    net->model.state = NULL;
    return s;
}

/* ---- weights of a projection ----------------------------------------------------------------- */

/* Words of a row that come from the population: its units u0.., from word w0 of the row on. */
static void copy_row(const tern_row *row, const tern_population *from, const int16_t *weights, int16_t *out)
{
    const uint64_t lo = row->first > from->pos ? row->first : from->pos;
    const uint64_t end = (uint64_t)row->first + row->count, pop_end = (uint64_t)from->pos + from->size;
    const uint64_t hi = end < pop_end ? end : pop_end;
    if (lo < hi)
        memcpy(out + (lo - from->pos), weights + row->weight + (lo - row->first), (size_t)(hi - lo) * sizeof *out);
}

tern_status tern_network_matrix(const tern_model *model, const int16_t *weights, uint32_t source, uint32_t target,
                                uint32_t filter, int16_t *out, tern_diags *diags)
{
    const tern_net *n = &model->net;
    if (source >= model->n_populations || target >= model->n_populations || filter >= n->n_filters)
        return tern_network_refuse(diags, TERN_E_CALL, model->name, "matrix", "populations and filters count from 0",
                                   "from population %" PRIu32 " to %" PRIu32 " by filter %" PRIu32
                                   ", but there are %" PRIu32 " and %u",
                                   source, target, filter, model->n_populations, n->n_filters);
    const tern_population *from = &model->populations[source], *to = &model->populations[target];
    if (to->kind == TERN_POP_INPUT)
        return tern_network_refuse(diags, TERN_E_CALL, model->name, to->name, "name a hidden or visible population",
                                   "nothing leads to an input population");
    const uint8_t kind = from->kind == TERN_POP_INPUT ? TERN_ROW_SHARED : TERN_ROW_SAMPLE;
    for (uint32_t u = 0; u < to->size; ++u) {
        const tern_neuron *x = &n->neurons[to->neuron0 + u];
        int16_t *line = out + (size_t)u * from->size;
        for (uint32_t i = 0; i < from->size; ++i) line[i] = TERN_WEIGHT_ABSENT;
        for (uint32_t r = x->row0; r < x->row0 + x->n_rows; ++r)
            if (n->rows[r].kind == kind && n->rows[r].filter == filter) copy_row(&n->rows[r], from, weights, line);
    }
    return TERN_OK;
}
