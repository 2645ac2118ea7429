/* tern_cli_eval_curve.c : tern eval --curve: how good decisions are after fewer steps, and with fewer samples
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <string.h>
#include "tern_cli_eval.h"
#include "tern_errors.h"

/* One pair of steps and samples. */
struct tern_eval_cell {
    tern_mean entropy_right, entropy_wrong;
    tern_calibration by_softmax, by_votes;
    uint32_t n_right;
    char *right; /* a character a labelled recording: '1' right, '0' wrong */
};

/* K_I if nothing is asked for: these below it, and itself. */
static const uint32_t usual[] = { 1, 2, 5, 10, 20, 50, 100, 200 };

int tern_eval_curve_usage(const tern_args *args, tern_eval_options *o)
{
    tern_curve *c = &o->curve;
    if (o->curve_steps == NULL && o->curve_samples != NULL)
        return tern_args_wrong(args, TERN_ERROR_USAGE, "--curve-samples needs --curve");
    if (o->curve_steps == NULL) return -1;
    if (o->early_stop)
        return tern_args_wrong(args, TERN_ERROR_USAGE,
                               "--curve and --early-stop exclude each other: a curve "
                               "needs the samples that an early stop leaves out");
    if (!tern_cli_numbers(args, "--curve", o->curve_steps, 1, 65535, true, TERN_CURVE_MARKS, c->steps, &c->n_steps))
        return TERN_EXIT_USAGE;
    if (o->curve_samples == NULL)
        for (size_t i = 0; i < sizeof usual / sizeof usual[0] && usual[i] < o->samples; ++i)
            c->samples[c->n_samples++] = usual[i];
    else if (!tern_cli_numbers(args, "--curve-samples", o->curve_samples, 1, (uint32_t)o->samples, true,
                               TERN_CURVE_MARKS - 1, c->samples, &c->n_samples))
        return TERN_EXIT_USAGE;
    if (c->n_samples == 0 || c->samples[c->n_samples - 1] != o->samples)
        c->samples[c->n_samples++] = (uint32_t)o->samples;
    return -1;
}

tern_status tern_eval_curve_begin(tern_eval *j)
{
    const tern_curve *c = &j->o.curve;
    if (c->n_steps == 0) return TERN_OK;
    if (j->model.data.label_population < 0) {
        tern_diag_hint(tern_diags_add(&j->diags, TERN_SEV_ERROR, TERN_ERROR_NO_VOTE, j->model.name, 0, "data.label",
                                      "the network has no label population: there are no decisions to follow"),
                       "name one with tern.data{ label = ... }, or leave out --curve");
        return TERN_ERR_LIMIT;
    }
    if (c->steps[c->n_steps - 1] > j->model.data.steps) {
        tern_diag_hint(tern_diags_add(&j->diags, TERN_SEV_ERROR, TERN_ERROR_CURVE_STEPS, j->o.image, 0, "--curve",
                                      "step %" PRIu32 " is after the end of a presentation, which has %" PRIu32,
                                      c->steps[c->n_steps - 1], j->model.data.steps),
                       "steps from 1 to %" PRIu32 "; a script takes longer presentations with --set data.steps=N",
                       j->model.data.steps);
        return TERN_ERR_ARGUMENT;
    }
    const size_t n = c->n_steps * c->n_samples;
    j->cells = tern_arena_get(&j->arena, n, sizeof *j->cells);
    if (j->cells == NULL) return TERN_ERR_MEMORY;
    for (size_t i = 0; i < n; ++i) {
        struct tern_eval_cell *cell = &j->cells[i];
        const tern_status s = tern_calibration_init(&cell->by_softmax, (uint32_t)j->o.bins);
        cell->by_votes = cell->by_softmax;
        cell->right = tern_arena_get(&j->arena, j->frames.set.n + 1, 1);
        if (s != TERN_OK || cell->right == NULL) return s != TERN_OK ? s : TERN_ERR_MEMORY;
    }
    for (uint32_t i = 0; i < j->n_threads; ++i) {
        tern_measure *m = tern_eval_share_measure(j, i);
        tern_curve *own = tern_arena_get(&j->arena, 1, sizeof *own);
        const tern_status s = own == NULL ? TERN_ERR_MEMORY : tern_curve_init(own, c, m->n_classes, &j->arena);
        if (s != TERN_OK) return s;
        tern_measure_watch(m, own);
    }
    return TERN_OK;
}

void tern_eval_curve_add(tern_eval *j, const tern_measure *m, int32_t label)
{
    tern_curve *c = m->curve;
    for (size_t i = 0; c != NULL && i < c->n_steps; ++i)
        for (size_t k = 0; k < c->n_samples; ++k) {
            struct tern_eval_cell *cell = &j->cells[i * c->n_samples + k];
            const uint32_t winner = tern_curve_winner(c, i, k), *votes = c->votes;
            const bool right = winner == (uint32_t)label;
            cell->right[j->n_labelled] = right ? '1' : '0';
            cell->n_right += right;
            tern_mean_add(right ? &cell->entropy_right : &cell->entropy_wrong, tern_vote_entropy(votes, c->n_classes));
            tern_calibration_add(&cell->by_softmax, tern_vote_softmax(votes, c->n_classes, winner), right);
            tern_calibration_add(&cell->by_votes, tern_vote_fraction(votes, c->n_classes, winner), right);
        }
}

static json_t *mean_json(const tern_mean *m) { return m->n == 0 ? json_null() : tern_json_real(m->mean); }

json_t *tern_eval_curve_json(const tern_eval *j)
{
    const tern_curve *c = &j->o.curve;
    json_t *list = tern_json_list();
    for (size_t i = 0; i < c->n_steps * c->n_samples; ++i) {
        const struct tern_eval_cell *x = &j->cells[i];
        const uint32_t n = j->n_labelled;
        json_t *o = tern_json_pack("{s:I, s:I, s:o}", "steps", (json_int_t)c->steps[i / c->n_samples], "samples",
                                   (json_int_t)c->samples[i % c->n_samples], "accuracy",
                                   n == 0 ? json_null() : tern_json_real((double)x->n_right / n));
        tern_json_put(o, "entropy_right", mean_json(&x->entropy_right));
        tern_json_put(o, "entropy_wrong", mean_json(&x->entropy_wrong));
        tern_json_put(o, "ece", tern_json_real(tern_calibration_error(&x->by_softmax)));
        tern_json_put(o, "ece_debiased", tern_json_real(tern_calibration_debiased(&x->by_softmax)));
        tern_json_put(o, "ece_votes", tern_json_real(tern_calibration_error(&x->by_votes)));
        tern_json_put(o, "ece_votes_debiased", tern_json_real(tern_calibration_debiased(&x->by_votes)));
        tern_json_put(o, "right", tern_json_text(x->right));
        tern_json_add(list, o);
    }
    return list;
}

void tern_eval_curve_print(const tern_eval *j)
{
    const tern_curve *c = &j->o.curve;
    if (c->n_steps == 0 || j->n_labelled == 0) return;
    printf("  accuracy after fewer steps (rows), with fewer samples (columns):\n    %8s", "steps");
    for (size_t k = 0; k < c->n_samples; ++k) printf(" %8" PRIu32, c->samples[k]);
    putchar('\n');
    for (size_t i = 0; i < c->n_steps; ++i) {
        printf("    %8" PRIu32, c->steps[i]);
        for (size_t k = 0; k < c->n_samples; ++k)
            printf(" %8.4f", (double)j->cells[i * c->n_samples + k].n_right / j->n_labelled);
        putchar('\n');
    }
}
