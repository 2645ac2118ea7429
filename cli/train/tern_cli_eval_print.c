/* tern_cli_eval_print.c : what eval tells: a summary to read, JSON, and a line per recording
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "tern_cli_eval.h"

/* Adds a member; false stays false, so that a list of them is checked once. */
static bool put(json_t *o, const char *name, json_t *value) { return tern_json_put(o, name, value); }

static json_t *interval_json(tern_interval i)
{
    return tern_json_pack("[o,o]", tern_json_real(i.lo), tern_json_real(i.hi));
}

static json_t *mean_json(const tern_mean *m) { return m->n == 0 ? json_null() : tern_json_real(m->mean); }

/* What values can be: an interval of their mean does not leave it. */
typedef enum range { SHARE /* 0..1 */, POSITIVE /* 0.. */, NEGATIVE /* ..0 */ } range;
static tern_interval interval_of(const tern_mean *m, range r)
{
    return tern_mean_interval_within(m, r == NEGATIVE ? (double)-INFINITY : 0.0,
                                     r == SHARE      ? 1.0
                                     : r == NEGATIVE ? 0.0
                                                     : (double)INFINITY);
}

/* NAME, NAME_error, NAME_interval */
static bool put_mean(json_t *o, const char *name, const tern_mean *m, range r)
{
    char text[64];
    bool ok = put(o, name, mean_json(m));
    snprintf(text, sizeof text, "%s_error", name);
    ok = put(o, text, tern_json_real(tern_mean_error(m))) && ok;
    snprintf(text, sizeof text, "%s_interval", name);
    return put(o, text, interval_json(interval_of(m, r))) && ok;
}

static uint32_t trained_with(const tern_eval *j)
{
    return j->model.state != NULL ? j->model.state->n_samples : j->model.net.n_samples;
}

static uint64_t samples_asked(const tern_eval *j) { return (uint64_t)j->m.o.n_samples * j->frames.set.n; }

static uint32_t n_hidden(const tern_eval *j) { return j->model.net.n_neurons - j->model.net.n_visible; }

static uint64_t steps_clamped(const tern_eval *j) { return j->n_steps * j->m.o.n_samples; } /* summed over samples */

/* ---- one recording ----------------------------------------------------------- */

static json_t *numbers(const uint32_t *x, uint32_t n)
{
    json_t *list = tern_json_list();
    for (uint32_t i = 0; i < n && list != NULL; ++i) tern_json_add(list, json_integer(x[i]));
    return list;
}

tern_status tern_eval_write_line(tern_eval *j, const tern_measure *m, uint32_t recording, const tern_frames *f,
                                 const tern_measured *r)
{
    const tern_vote *v = &m->vote;
    const uint32_t n = m->n_classes;
    json_t *o = tern_json_object();
    bool ok = put(o, "recording", json_integer(recording)) &&
              put(o, "file", tern_json_text(j->frames.set.paths[recording])) &&
              put(o, "label", json_integer(f->label)) && put(o, "samples", json_integer(r->samples));
    if (n != 0) {
        json_t *spikes = numbers(v->spikes, n);
        ok = ok && put(o, "decision", json_integer(r->decision)) &&
             put(o, "right", f->label < 0 ? json_null() : json_boolean(r->decision == (uint32_t)f->label)) &&
             put(o, "votes", numbers(v->votes, n)) && put(o, "decisions", numbers(r->decisions, r->samples)) &&
             put(o, "class_spikes", spikes) && put(o, "entropy", tern_json_real(tern_vote_entropy(v->votes, n))) &&
             put(o, "confidence", tern_json_real(tern_vote_softmax(v->votes, n, r->decision))) &&
             put(o, "confidence_votes", tern_json_real(tern_vote_fraction(v->votes, n, r->decision)));
    }
    if (j->m.has_distance) ok = ok && put(o, "distance", r->scored ? tern_json_real(r->distance) : json_null());
    ok = ok && put(o, "log_loss", r->scored ? tern_json_real(-r->ll / f->n_steps) : json_null()) &&
         put(o, "log_loss_iw", r->scored ? tern_json_real(-r->ll_iw / f->n_steps) : json_null()) &&
         put(o, "spikes",
             tern_json_pack("{s:I, s:I, s:I}", "hidden", (json_int_t)r->hidden_free, "visible",
                            (json_int_t)r->visible_free, "target", (json_int_t)r->visible_target));
    if (!ok) json_decref(o), o = NULL;
    return tern_cli_print_json(o, j->lines) && fflush(j->lines) == 0
               ? TERN_OK
               : tern_cli_log_fault(j->o.per_recording, "--per-recording", &j->diags);
}

/* ---- JSON ----------------------------------------------------------------------- */

static json_t *table_json(const tern_calibration *c)
{
    json_t *list = tern_json_list();
    for (uint32_t m = 0; m < c->n_bins && list != NULL; ++m) {
        const tern_bin *b = &c->bins[m];
        const double n = (double)b->n, M = (double)c->n_bins;
        tern_json_add(list, tern_json_pack("{s:o, s:o, s:I, s:o, s:o}", "above", tern_json_real(m / M), "up_to",
                                           tern_json_real((m + 1) / M), "decisions", (json_int_t)b->n, "confidence",
                                           tern_json_real(b->confidence / n), "share_right",
                                           tern_json_real((double)b->right / n))); /* of an empty bin: null */
    }
    return list;
}

/* Calibration beside the error of the bins: NAME_debiased, NAME_adaptive, NAME_squared with its interval, which is of
 * recordings drawn again RESAMPLES times; the draws do not depend on the evaluation's seed, so that two are paired. */
enum { RESAMPLES = 500, RESAMPLE_SEED = 1 };

static bool put_calibration(json_t *o, const char *name, const tern_eval *j, const tern_calibration *c, size_t by)
{
    const size_t n = j->n_labelled;
    const uint32_t n_bins = (uint32_t)j->o.bins;
    double *scratch = malloc(RESAMPLES * sizeof *scratch);
    uint32_t *counts = malloc((n + 1) * sizeof *counts);
    char text[64];
    bool ok = scratch != NULL && counts != NULL;
    if (ok) {
        const tern_interval i =
            tern_calibration_interval(j->decided[by], n, n_bins, RESAMPLE_SEED, RESAMPLES, counts, scratch);
        ok = put(o, name, n == 0 ? json_null() : tern_json_real(tern_calibration_error(c)));
        snprintf(text, sizeof text, "%s_debiased", name);
        ok = put(o, text, tern_json_real(tern_calibration_debiased(c))) && ok;
        snprintf(text, sizeof text, "%s_squared", name);
        ok = put(o, text, tern_json_real(tern_calibration_squared(c))) && ok;
        snprintf(text, sizeof text, "%s_squared_interval", name);
        ok = put(o, text, interval_json(i)) && ok;
        snprintf(text, sizeof text, "%s_adaptive", name);
        ok = put(o, text, tern_json_real(tern_calibration_adaptive(j->decided[by], n, n_bins))) && ok;
    }
    free(scratch);
    free(counts);
    return ok;
}

static json_t *decisions_json(const tern_eval *j)
{
    if (j->m.n_classes == 0) return json_null();
    json_t *o = tern_json_object();
    bool ok =
        put(o, "classes", json_integer(j->m.n_classes)) && put(o, "decode", tern_json_text(j->o.decode)) &&
        put_mean(o, "entropy_right", &j->entropy_right, POSITIVE) &&
        put_mean(o, "entropy_wrong", &j->entropy_wrong, POSITIVE) && put_mean(o, "confidence", &j->softmax, SHARE) &&
        put_mean(o, "confidence_votes", &j->share, SHARE) && put(o, "bins", json_integer((json_int_t)j->o.bins)) &&
        put_calibration(o, "ece", j, &j->by_softmax, 0) && put_calibration(o, "ece_votes", j, &j->by_votes, 1) &&
        put(o, "reliability", table_json(&j->by_softmax)) && put(o, "reliability_votes", table_json(&j->by_votes));
    if (j->o.curve.n_steps != 0) ok = ok && put(o, "curve", tern_eval_curve_json(j));
    if (ok) return o;
    json_decref(o);
    return NULL;
}

static json_t *spikes_json(const tern_eval *j)
{
    return tern_json_pack("{s:o, s:o, s:o, s:o}", "hidden_clamped",
                          tern_json_real((double)j->hidden_clamped / (double)steps_clamped(j)), "hidden_free",
                          tern_json_real((double)j->hidden_free / (double)j->steps_free), "visible_free",
                          tern_json_real((double)j->visible_free / (double)j->steps_free), "visible_target",
                          tern_json_real((double)j->visible_target / (double)j->n_steps));
}

bool tern_eval_print_json(const tern_eval *j)
{
    json_t *o = tern_json_object();
    const bool some = j->n_labelled != 0;
    bool ok = put(o, "network", tern_json_text(j->model.name)) && put(o, "image", tern_json_text(j->o.image)) &&
              put(o, "engine", tern_json_text(j->o.engine)) && put(o, "samples", json_integer(j->m.o.n_samples)) &&
              put(o, "samples_training", json_integer(trained_with(j))) &&
              put(o, "batch", json_integer(j->m.o.batch)) && put(o, "early_stop", json_boolean(j->o.early_stop)) &&
              put(o, "seed", json_integer((json_int_t)j->m.o.seed)) &&
              put(o, "recordings", json_integer((json_int_t)j->frames.set.n)) &&
              put(o, "steps", json_integer((json_int_t)j->n_steps)) &&
              put(o, "samples_made", json_integer((json_int_t)j->samples_made)) &&
              put(o, "samples_saved", json_integer((json_int_t)(samples_asked(j) - j->samples_made))) &&
              put(o, "spikes_per_step", spikes_json(j));
    ok = ok &&
         put(o, "hidden_rate",
             n_hidden(j) == 0 ? json_null()
                              : tern_json_real(tern_spike_rate(j->hidden_free, n_hidden(j), j->steps_free))) &&
         put(o, "hidden_rate_clamped",
             n_hidden(j) == 0 ? json_null()
                              : tern_json_real(tern_spike_rate(j->hidden_clamped, n_hidden(j), steps_clamped(j)))) &&
         put(o, "scored", json_integer((json_int_t)j->ll.n)) && put_mean(o, "log_loss", &j->loss, POSITIVE) &&
         put_mean(o, "log_loss_iw", &j->loss_iw, POSITIVE) && put_mean(o, "log_likelihood", &j->ll, NEGATIVE) &&
         put_mean(o, "log_likelihood_iw", &j->ll_iw, NEGATIVE);
    if (j->m.has_distance) ok = ok && put_mean(o, "distance", &j->distance, POSITIVE);
    ok = ok && put(o, "labelled", json_integer(j->n_labelled)) && put(o, "right", json_integer(j->n_right)) &&
         put(o, "accuracy", some ? tern_json_real((double)j->n_right / j->n_labelled) : json_null()) &&
         put(o, "accuracy_interval", interval_json(tern_wilson(j->n_right, j->n_labelled))) &&
         put(o, "decisions", decisions_json(j));
    if (!ok) json_decref(o), o = NULL;
    return tern_cli_print_json(o, stdout);
}

/* ---- text ------------------------------------------------------------------------ */

static void print_mean(const char *name, const tern_mean *m, range r, const char *unit)
{
    const tern_interval i = interval_of(m, r);
    printf("  %-24s %10.4f", name, m->mean);
    if (m->n > 1) printf("  [%.4f, %.4f]", i.lo, i.hi);
    printf("  %s\n", unit);
}

static void print_table(const tern_calibration *c)
{
    puts("    confidence          decisions  mean confidence  share right");
    for (uint32_t m = 0; m < c->n_bins; ++m) {
        const tern_bin *b = &c->bins[m];
        if (b->n != 0)
            printf("    %.4f .. %.4f %12" PRIu64 " %16.4f %12.4f\n", (double)m / c->n_bins, (double)(m + 1) / c->n_bins,
                   b->n, b->confidence / (double)b->n, (double)b->right / (double)b->n);
    }
}

static void print_decisions(const tern_eval *j)
{
    if (j->m.n_classes == 0) {
        puts("  decisions                none: the network has no label population (tern.data{ label = ... })");
        return;
    }
    if (j->o.early_stop)
        printf("  %-24s %10.1f  of %u per recording, %.1f %% saved; every vote is settled: the decisions are those of "
               "all %u\n",
               "samples made", (double)j->samples_made / (double)j->frames.set.n, j->m.o.n_samples,
               100 - 100 * (double)j->samples_made / (double)samples_asked(j), j->m.o.n_samples);
    if (j->n_labelled == 0) {
        puts("  accuracy                 none: no recording has a label");
        return;
    }
    const tern_interval w = tern_wilson(j->n_right, j->n_labelled);
    printf("  %-24s %10.4f  [%.4f, %.4f]  %u of %u right, decided by %s\n", "accuracy",
           (double)j->n_right / j->n_labelled, w.lo, w.hi, j->n_right, j->n_labelled,
           strcmp(j->o.decode, "first") == 0 ? "first spike" : "rate");
    if (j->entropy_right.n != 0)
        print_mean("entropy, right", &j->entropy_right, POSITIVE, "bits, of the votes of right decisions");
    if (j->entropy_wrong.n != 0) print_mean("entropy, wrong", &j->entropy_wrong, POSITIVE, "bits, of wrong ones");
    print_mean("confidence", &j->softmax, SHARE, "softmax of the votes");
    print_mean("confidence, votes", &j->share, SHARE, "share of the votes");
    printf("  %-24s %10.4f  of the softmax, %" PRIu64 " bins; less what chance adds %.4f\n", "calibration error",
           tern_calibration_error(&j->by_softmax), j->o.bins, tern_calibration_debiased(&j->by_softmax));
    print_table(&j->by_softmax);
    printf("  %-24s %10.4f  of the share of the votes; less what chance adds %.4f\n", "calibration error",
           tern_calibration_error(&j->by_votes), tern_calibration_debiased(&j->by_votes));
    print_table(&j->by_votes);
    tern_eval_curve_print(j);
}

void tern_eval_print_text(const tern_eval *j)
{
    printf("network      %s (%s), %s engine, %u sample%s (trained with %u), seed %" PRIu64
           "\nrecordings   %zu, %" PRIu64 " steps; [ ]: 95 %% intervals\n",
           j->model.name, j->o.image, j->o.engine, j->m.o.n_samples, j->m.o.n_samples == 1 ? "" : "s", trained_with(j),
           j->m.o.seed, j->frames.set.n, j->n_steps);
    if (j->ll.n != 0) {
        puts("visible neurons clamped:");
        print_mean("log-loss", &j->loss, POSITIVE, "per step, mean over samples");
        print_mean("log-loss", &j->loss_iw, POSITIVE, "per step, importance-weighted estimate");
        print_mean("log-likelihood", &j->ll, NEGATIVE, "per recording, mean over samples");
        print_mean("log-likelihood", &j->ll_iw, NEGATIVE, "per recording, importance-weighted estimate");
    }
    puts("visible neurons free:");
    print_decisions(j);
    if (j->distance.n != 0)
        print_mean("distance", &j->distance, POSITIVE, "squared van Rossum distance per recording, mean over samples");
    printf("  %-24s %10.4f  per step (targets: %.4f)\n", "visible spikes",
           (double)j->visible_free / (double)j->steps_free, (double)j->visible_target / (double)j->n_steps);
    printf("  %-24s %10.4f  per step (clamped: %.4f)\n", "hidden spikes",
           (double)j->hidden_free / (double)j->steps_free, (double)j->hidden_clamped / (double)steps_clamped(j));
    if (n_hidden(j) != 0)
        printf("  %-24s %10.4f  per neuron and step (clamped: %.4f)\n", "hidden rate",
               tern_spike_rate(j->hidden_free, n_hidden(j), j->steps_free),
               tern_spike_rate(j->hidden_clamped, n_hidden(j), steps_clamped(j)));
}
