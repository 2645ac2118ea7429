/* tern_cli_train_validate.c : recordings that are held out, and what a training is stopped by
 * SPDX-License-Identifier: Apache-2.0
 */
#include <math.h>
#include "tern_run_engine.h"
#include "tern_errors.h"
#include "tern_cli_train.h"
#include "tern_ranks.h"

const char *tern_validation_metric_name(tern_validation_metric m)
{
    return m == TERN_METRIC_ACCURACY ? "accuracy" : m == TERN_METRIC_DISTANCE ? "distance" : "log-loss";
}

tern_status tern_validation_split(tern_validation *v, uint32_t n, uint64_t seed, tern_arena *arena, tern_diags *diags)
{
    v->n_held = v->on ? (uint32_t)floor(v->share * n + 0.5) : 0;
    v->n_train = n - v->n_held;
    if (v->on && (v->n_held == 0 || v->n_train == 0)) {
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, TERN_ERROR_VALIDATION_SHARE, NULL, 0, "--validation",
                                      "a share of %g of %u recordings is %u to validate with and %u to train on; at "
                                      "least one of each is needed",
                                      v->share, n, v->n_held, v->n_train),
                       n == 1 ? "give more recordings, or omit --validation" : "another share, or more recordings");
        return TERN_ERR_DATA;
    }
    uint32_t *scratch = tern_arena_get(arena, n, sizeof *scratch);
    v->train = tern_arena_get(arena, v->n_train, sizeof *v->train);
    v->held = tern_arena_get(arena, v->n_held, sizeof *v->held);
    if (scratch == NULL || v->train == NULL || v->held == NULL) return TERN_ERR_MEMORY;
    if (v->on) tern_order_split(seed, n, v->n_held, v->train, v->held, scratch);
    else
        for (uint32_t i = 0; i < n; ++i) v->train[i] = i;
    return TERN_OK;
}

tern_status tern_validation_init(tern_validation *v, const tern_model *model, const tern_runner_engine *engine,
                                 uint32_t n_samples, uint64_t seed, tern_arena *arena, tern_diags *diags)
{
    if (!v->on) return TERN_OK;
    const bool no_label = v->metric == TERN_METRIC_ACCURACY && model->data.label_population < 0,
               no_distance = v->metric == TERN_METRIC_DISTANCE && !tern_has_distance(model);
    if (no_label || no_distance) {
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, TERN_ERROR_METRIC, model->name, 0,
                                      no_label ? "data.label" : "rule.tau", "--validation-metric %s: %s",
                                      tern_validation_metric_name(v->metric),
                                      no_label ? "the network has no label population, so nothing is decided"
                                               : "the network has no distance: its rule is not reward, or tau is 0"),
                       "--validation-metric log-loss");
        return TERN_ERR_ARGUMENT;
    }
    const tern_runner_engine own = { .kind = engine->device != NULL ? tern_engine_default() : engine->kind,
                                     .threads = engine->threads,
                                     .peers = engine->peers };
    const tern_measure_options o = {
        .engine = own, .n_samples = n_samples, .batch = TERN_MAX_SAMPLES, .seed = seed, .decode = TERN_DECODE_RATE
    };
    return tern_measure_init(&v->m, model, &o, arena, diags);
}

tern_status tern_validation_measure(tern_validation *v, tern_frames_store *frames, tern_runner *run,
                                    uint32_t presentations, tern_validated *out, bool *out_done, tern_diags *diags)
{
    tern_mean loss = { 0 }, loss_iw = { 0 }, right = { 0 }, distance = { 0 };
    *out_done = false;
    const tern_status pulled = tern_runner_pull(run, diags);
    if (pulled != TERN_OK) return pulled;
    tern_measure_load(&v->m, run);
    v->m.step = 0; /* the draws of every validation are the same, so that their differences come from the weights */
    for (uint32_t i = 0; i < v->n_held; ++i) {
        tern_frames f;
        tern_measured r;
        bool stop = tern_interrupted();
        tern_status s = tern_frames_store_get(frames, v->held[i], &f, diags);
        s = tern_ranks_agree(s, &stop, diags);
        if (s != TERN_OK || stop) return s;
        tern_measure_recording(&v->m, &f, &r);
        const tern_status went = tern_measure_check(&v->m, diags);
        if (went != TERN_OK) return went;
        tern_mean_add(&loss, -r.ll / f.n_steps);
        tern_mean_add(&loss_iw, -r.ll_iw / f.n_steps);
        if (v->m.n_classes != 0) tern_mean_add(&right, r.decision == (uint32_t)f.label);
        if (v->m.has_distance) tern_mean_add(&distance, r.distance);
    }
    *out = (tern_validated){ .presentations = presentations,
                             .log_loss = loss.mean,
                             .log_loss_iw = loss_iw.mean,
                             .accuracy = right.n == 0 ? NAN : right.mean,
                             .distance = distance.n == 0 ? NAN : distance.mean };
    const double value = v->metric == TERN_METRIC_ACCURACY   ? out->accuracy
                         : v->metric == TERN_METRIC_DISTANCE ? out->distance
                                                             : out->log_loss;
    out->improved = v->best_at == 0 || (v->metric == TERN_METRIC_ACCURACY ? value > v->best : value < v->best);
    if (out->improved) {
        v->best = value;
        v->best_at = presentations;
    }
    v->last = presentations;
    *out_done = true;
    return TERN_OK;
}

json_t *tern_validation_json(const tern_validation *v, bool more)
{
    if (!v->on) return json_null();
    return tern_json_pack("{s:I, s:I, s:I, s:s, s:I, s:o, s:I, s:b}", "recordings", (json_int_t)v->n_held, "trained_on",
                          (json_int_t)v->n_train, "every", (json_int_t)v->every, "metric",
                          tern_validation_metric_name(v->metric), "validations", (json_int_t)(v->last / v->every),
                          "best", v->best_at == 0 ? json_null() : tern_json_real(v->best), "best_at",
                          (json_int_t)v->best_at, "stopped_early", (int)(tern_validation_over(v) && more));
}

void tern_validation_print(const tern_validation *v, uint32_t done, uint32_t total)
{
    printf("validation   %u recordings, %u trained on; ", v->n_held, v->n_train);
    if (v->best_at == 0) printf("none made yet\n");
    else
        printf("best %s %.4f after presentation %u, %u validations\n", tern_validation_metric_name(v->metric), v->best,
               v->best_at, v->last / v->every);
    if (tern_validation_over(v) && done < total)
        printf("stopped      after presentation %u of %u: no improvement in %u validations\n", done, total,
               v->patience);
}
