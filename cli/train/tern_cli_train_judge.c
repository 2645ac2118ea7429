/* tern_cli_train_judge.c : what can be said at the end of a training: did it learn, was it stable, does its log-loss
 * mean anything SPDX-License-Identifier: Apache-2.0
 *
 * All of it comes from numbers that the training has: the log-loss of each presentation, the counters of limited
 * values, the weights. Only the decisions of a network that runs freely are measured, with an engine of their own, on
 * at most 20 recordings and a tenth of the presentations. The training and its state do not change.
 * docs/55-training.md, section 4, has the thresholds and why they are what they are.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include "tern_cli_train.h"
#include "tern_run_engine.h"

enum { W_FLATTERED = 163, W_DIVERGED = 167, W_SATURATED = 168, W_NOT_LEARNT = 169 };
enum { LEAST_PRESENTATIONS = 16, CHECK_MOST = 20, CHECK_SAMPLES = 4 };
static const double LIMITED_SHARE = 0.01, CERTAIN_SHARE = 0.25, SIGMA = 2.0, RISE = 1.2, LOST = 1.5;

void tern_judge_add(tern_judge *g, uint32_t done, uint32_t total, double value)
{
    const uint32_t first = total / 8 < 4 ? 4 : total / 8 > 10 ? 10 : total / 8;
    if (isnan(value)) return;
    if (done < first) tern_mean_add(&g->early, value);
    tern_mean_add(&g->part[(uint64_t)done * TERN_JUDGE_PARTS / total], value);
    tern_mean_add(&g->all, value);
    const double place = (double)done / total;
    g->at += place;
    g->at_at += place * place;
    g->at_value += place * value;
}

/* How surely the values fall from the first to the last: the slope of their regression line in units of its error;
 * negative: they fall. */
static double trend(const tern_judge *g)
{
    const double n = (double)g->all.n, places = g->at_at - g->at * g->at / n, both = g->at_value - g->at * g->all.mean,
                 values = g->all.m2;
    if (n < 3 || !(places > 0) || !(values > 0)) return 0;
    const double left = values - both * both / places; /* what the line does not explain */
    return left > 0 ? both / places / sqrt(left / (n - 2) / places) : both < 0 ? -INFINITY : INFINITY;
}

/* a - b in units of the error of their difference; 0 when there are too few values to tell. */
static double apart(const tern_mean *a, const tern_mean *b)
{
    if (a->n < 2 || b->n < 2) return 0;
    const double error = hypot(tern_mean_error(a), tern_mean_error(b)), d = a->mean - b->mean;
    return error > 0 ? d / error : d > 0 ? INFINITY : d < 0 ? -INFINITY : 0;
}

static tern_diag *warn(tern_diags *diags, int code, const char *key, const char *text, double a, double b)
{
    return tern_diags_add(diags, TERN_SEV_WARNING, code, NULL, 0, key, text, a, b);
}

/* Nats per step of a label population that knows the share of every class, and nothing else; 0: there is none. */
static double of_chance(const tern_model *model)
{
    if (model->data.label_population < 0) return 0;
    const tern_population *p = &model->populations[model->data.label_population];
    const double C = p->size;
    if (p->size < 2) return 0;
    return p->wta != 0 ? log(C) : C * (log(C) / C + (1 - 1 / C) * -log(1 - 1 / C));
}

/* The course of the log-loss (or the distance). */
static void judge_course(const tern_judge *g, const tern_judge_end *e, tern_diags *diags)
{
    const tern_mean *last = &g->part[TERN_JUDGE_PARTS - 1], *best = last;
    const char *what = e->distance ? "distance" : "log-loss per step";
    for (size_t i = 0; i < TERN_JUDGE_PARTS; ++i)
        if (g->part[i].n >= 2 && g->part[i].mean < best->mean) best = &g->part[i];
    if (last->n < 2) return;
    const double chance = e->distance ? 0 : of_chance(e->model);
    const bool worse = g->early.n >= 2 && apart(last, &g->early) > SIGMA,
               rose = last->mean > RISE * best->mean && apart(last, best) > SIGMA;
    if (worse || rose || (chance > 0 && last->mean > LOST * chance)) {
        char nothing[40] = "";
        if (chance > 0) snprintf(nothing, sizeof nothing, " (knowing nothing: %.3g)", chance);
        tern_diag *d = tern_diags_add(diags, TERN_SEV_WARNING, W_DIVERGED, NULL, 0, "rule.eta",
                                      "the training diverged: %s was %.4g %s and is %.4g in the last eighth%s", what,
                                      rose && !worse ? best->mean : g->early.mean,
                                      rose && !worse ? "at its best" : "at first", last->mean, nothing);
        tern_diag_hint(d, "a smaller rule.eta, or rule.schedule; `tern sweep --set rule.eta=LO:HI:log8` finds one");
    } else if (e->from_script && g->early.n >= 2 && apart(&g->early, last) <= SIGMA && trend(g) >= -SIGMA &&
               last->mean >= 0.5 * chance) {
        tern_diag *d = tern_diags_add(
            diags, TERN_SEV_WARNING, W_NOT_LEARNT, NULL, 0, "rule.eta",
            "nothing was learnt: %s was %.4g at first and is %.4g in the last eighth, no more than chance", what,
            g->early.mean, last->mean);
        tern_diag_hint(d,
                       "more presentations or a larger rule.eta; `tern data info` tells whether the crop holds events");
    }
}

static double share(uint64_t n, double of) { return of > 0 ? (double)n / of : 0; }

/* Values that reached the ends of their formats. */
static void judge_limits(const tern_judge_end *e, tern_diags *diags)
{
    const tern_net *net = &e->model->net;
    const double draws = (double)e->steps * e->run->n_samples * net->n_neurons;
    const double potentials = share(e->limited->potential, draws),
                 coefficients = share(e->limited->coefficient, draws * net->lags_w),
                 modulators = share(e->limited->modulator, draws);
    const int16_t most = (int16_t)((1 << (net->weight_bits - 1)) - 1);
    uint64_t n = 0;
    for (uint32_t i = 0; i < net->n_weights; ++i) n += e->run->st.weights[i] >= most || e->run->st.weights[i] <= -most;
    const double weights = share(n, net->n_weights);
    if (potentials > CERTAIN_SHARE)
        tern_diag_hint(warn(diags, W_SATURATED, "potential",
                            "%.3g %% of the potentials were limited: these neurons fire, or are silent, with certainty "
                            "(%g %% is usual at most)",
                            100 * potentials, 100 * CERTAIN_SHARE),
                       "a smaller rule.eta, smaller initial weights, or filters of a lower peak");
    if (coefficients > LIMITED_SHARE)
        tern_diag_hint(warn(diags, W_SATURATED, "formats.learn",
                            "%.3g %% of the learning coefficients were limited: they learn less than eta says (%g %% "
                            "is usual at most)",
                            100 * coefficients, 100 * LIMITED_SHARE),
                       "a smaller rule.eta, or more bits: formats.learn=16");
    if (modulators > LIMITED_SHARE)
        tern_diag_hint(warn(diags, W_SATURATED, "formats.signal",
                            "%.3g %% of the learning signals were limited: large ones teach less than they should (%g "
                            "%% is usual at most)",
                            100 * modulators, 100 * LIMITED_SHARE),
                       "fewer fraction bits of the signal (formats.signal)");
    if (weights > LIMITED_SHARE)
        tern_diag_hint(
            warn(diags, W_SATURATED, "formats.weight",
                 "%.3g %% of the weights are at the ends of their range: they cannot grow (%g %% is usual at most)",
                 100 * weights, 100 * LIMITED_SHARE),
            "fewer fraction bits (formats.weight), or a smaller rule.eta");
}

/* ---- running freely ---- */

static tern_status measure(const tern_judge_end *e, tern_checked *out, tern_diags *diags)
{
    tern_arena arena;
    tern_arena_init(&arena, tern_alloc_default(), 0);
    tern_measure *m = tern_arena_get(&arena, 1, sizeof *m);
    tern_mean loss = { 0 };
    if (m == NULL) return TERN_ERR_MEMORY;
    memset(m, 0, sizeof *m);
    const tern_measure_options o = { .engine = { .kind = tern_engine_default(), .threads = e->threads },
                                     .n_samples = CHECK_SAMPLES,
                                     .batch = TERN_MAX_SAMPLES,
                                     .seed = e->run->st.seed,
                                     .decode = TERN_DECODE_RATE };
    tern_status s = tern_measure_init(m, e->model, &o, &arena, diags);
    if (s == TERN_OK) tern_measure_load(m, e->run);
    for (uint32_t i = 0; s == TERN_OK && i < e->n_check && !tern_interrupted(); ++i) {
        tern_frames f;
        tern_measured r;
        s = tern_frames_store_get(e->frames, e->check[i], &f, diags);
        if (s != TERN_OK || f.label < 0) continue;
        tern_measure_recording(m, &f, &r);
        tern_mean_add(&loss, -r.ll / f.n_steps);
        out->right += r.decision == (uint32_t)f.label;
        ++out->recordings;
    }
    out->log_loss = loss.n == 0 ? NAN : loss.mean;
    tern_measure_close(m);
    tern_arena_free(&arena);
    return s;
}

/* `trained`: log-loss in the last eighth of the training, which learns while it is measured. */
static void judge_decisions(const tern_judge_end *e, double trained, const tern_checked *c, tern_diags *diags)
{
    const tern_population *p = &e->model->populations[e->model->data.label_population];
    const double loss = of_chance(e->model),
                 at_most = tern_wilson(c->right, c->recordings).hi; /* so many are right, with 95 % */
    const bool looks_good = c->log_loss < 0.5 * loss || trained < 0.5 * loss;
    if (c->recordings < 8 || p->size < 2 || !looks_good || at_most > 0.5 * (1 + 1.0 / p->size) + 0.1) return;
    tern_diag *d =
        tern_diags_add(diags, TERN_SEV_WARNING, W_FLATTERED, NULL, 0, p->name,
                       "log-loss flatters this network: %.4g per step while training and %.4g afterwards, with its "
                       "targets forced on it "
                       "(knowing nothing: %.3g); running freely it decides %" PRIu32 " of %" PRIu32 " recordings right",
                       trained, c->log_loss, loss, c->right, c->recordings);
    tern_diag_hint(
        d,
        "its own past is the answer while training: remove the memory of '%s' and its connections to itself; "
        "a large rule.eta also follows the targets within a recording",
        p->name);
}

tern_status tern_judge_training(const tern_judge *g, tern_judge_end *e, tern_checked *out, tern_diags *diags)
{
    *out = (tern_checked){ .log_loss = NAN };
    if (e->presentations < LEAST_PRESENTATIONS) return TERN_OK;
    judge_course(g, e, diags);
    if (e->run->ref == NULL) judge_limits(e, diags);
    if (e->model->data.label_population < 0 || e->distance || e->has_validation)
        return TERN_OK; /* a validation tells both */
    if (e->n_check > CHECK_MOST) e->n_check = CHECK_MOST;
    if (e->n_check > e->presentations / 10) e->n_check = e->presentations / 10;
    const tern_status s = measure(e, out, diags);
    if (s == TERN_OK && out->recordings != 0) judge_decisions(e, g->part[TERN_JUDGE_PARTS - 1].mean, out, diags);
    return s;
}

json_t *tern_judge_warnings_json(const tern_diags *diags, size_t first)
{
    json_t *list = tern_json_list();
    for (size_t i = first; i < diags->n; ++i)
        tern_json_add(list, tern_json_pack("{s:i, s:s, s:s}", "code", diags->list[i].code, "about", diags->list[i].key,
                                           "text", diags->list[i].message));
    return list;
}

json_t *tern_judge_checked_json(const tern_checked *c)
{
    if (c->recordings == 0) return json_null();
    return tern_json_pack("{s:I, s:o, s:I}", "recordings", (json_int_t)c->recordings, "log_loss",
                          tern_json_real(c->log_loss), "right", (json_int_t)c->right);
}

void tern_judge_print(const tern_checked *c)
{
    if (c->recordings == 0) return;
    printf("checked      %u of the recordings trained on: log-loss %.4f while targets are forced; running freely "
           "%u decisions are right\n",
           c->recordings, c->log_loss, c->right);
}
