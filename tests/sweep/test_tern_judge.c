/* test_tern_judge.c : the thresholds of the warnings at the end of a training, with numbers made up
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdio.h>
#include <string.h>
#include "tern_cli_train.h"
#include "tern_check.h"

enum { NEURONS = 5, K = 4, W = 3, STEPS = 1000, WEIGHTS = 200, DRAWS = STEPS * K * NEURONS };

static tern_model model;
static tern_runner run;
static int16_t weights[WEIGHTS];

/* Warnings of a training with these counts; text: the messages, one after the other. */
static size_t judged(const tern_judge *g, const tern_sat_counts *limited, size_t at_limit, uint32_t presentations,
                     bool from_script, char *text, size_t bytes)
{
    static const uint32_t none[1];
    tern_diags diags;
    tern_checked checked;
    tern_diags_init(&diags);
    model.net.n_neurons = NEURONS;
    model.net.lags_w = W;
    model.net.weight_bits = 8;
    model.net.n_weights = WEIGHTS;
    model.data.label_population = -1;
    run.n_samples = K;
    run.st.weights = weights;
    for (size_t i = 0; i < WEIGHTS; ++i) weights[i] = (int16_t)(i >= at_limit ? 126 : i % 2 ? 127 : -127);
    tern_judge_end e = { .model = &model,
                         .run = &run,
                         .check = none,
                         .presentations = presentations,
                         .steps = STEPS,
                         .limited = limited,
                         .from_script = from_script };
    CHECK(tern_judge_training(g, &e, &checked, &diags) == TERN_OK);
    CHECK(checked.recordings == 0);
    text[0] = 0;
    for (size_t i = 0; i < diags.n; ++i) {
        CHECK(diags.list[i].severity == TERN_SEV_WARNING && diags.list[i].hint[0] != 0);
        snprintf(text + strlen(text), bytes - strlen(text), "%d %s|", diags.list[i].code, diags.list[i].message);
    }
    return diags.n;
}

/* A course: `early` in the first presentations, then from `middle` to `last`, a little up and down. */
static tern_judge course(double early, double middle, double last)
{
    tern_judge g;
    memset(&g, 0, sizeof g);
    for (uint32_t i = 0; i < 80; ++i) {
        const double noise = (i % 2 ? 0.01 : -0.01);
        tern_judge_add(&g, i, 80, (i < 10 ? early : i < 70 ? middle : last) + noise);
    }
    return g;
}

int main(void)
{
    char text[4000];
    const tern_judge good = course(2, 1, 0.5);
    const tern_sat_counts none = { 0 };
    CHECK(judged(&good, &none, 0, 80, true, text, sizeof text) == 0);

    /* shares: exactly the threshold is well, one more is not */
    const struct {
        tern_sat_counts at, over;
        const char *what;
    } limits[] = {
        { { .potential = DRAWS / 4 }, { .potential = DRAWS / 4 + 1 }, "of the potentials" },
        { { .coefficient = DRAWS * W / 100 }, { .coefficient = DRAWS * W / 100 + 1 }, "of the learning coefficients" },
        { { .modulator = DRAWS / 100 }, { .modulator = DRAWS / 100 + 1 }, "of the learning signals" },
    };
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; ++i) {
        CHECK(judged(&good, &limits[i].at, 0, 80, true, text, sizeof text) == 0);
        CHECK(judged(&good, &limits[i].over, 0, 80, true, text, sizeof text) == 1);
        CHECK(strncmp(text, "168 ", 4) == 0 && strstr(text, limits[i].what) != NULL);
    }
    CHECK(judged(&good, &none, WEIGHTS / 100, 80, true, text, sizeof text) == 0);
    CHECK(judged(&good, &none, WEIGHTS / 100 + 1, 80, true, text, sizeof text) == 1);
    CHECK(strstr(text, "1.5 % of the weights") != NULL);

    /* the course */
    const tern_judge flat = course(2, 2, 2), worse = course(2, 1, 2.5), rose = course(2, 0.5, 1),
                     shallow = course(2, 1, 1.1);
    CHECK(judged(&flat, &none, 0, 80, true, text, sizeof text) == 1);
    CHECK(strstr(text, "169 nothing was learnt: log-loss per step was 2 at first and is 2 in the last eighth") != NULL);
    CHECK(judged(&flat, &none, 0, 80, false, text, sizeof text) ==
          0); /* an image may know already what there is to learn */
    CHECK(judged(&flat, &none, 0, 15, true, text, sizeof text) == 0); /* too few to tell */
    CHECK(judged(&worse, &none, 0, 80, true, text, sizeof text) == 1);
    CHECK(strstr(text, "167 the training diverged: log-loss per step was 2 at first and is 2.5") != NULL);
    CHECK(judged(&rose, &none, 0, 80, true, text, sizeof text) == 1);
    CHECK(strstr(text, "167 the training diverged: log-loss per step was 0.5 at its best and is 1") != NULL);
    CHECK(judged(&shallow, &none, 0, 80, true, text, sizeof text) == 0);

    /* a slow fall in much noise: the first presentations alone do not tell, the trend does */
    tern_judge slow;
    memset(&slow, 0, sizeof slow);
    for (uint32_t i = 0; i < 80; ++i) tern_judge_add(&slow, i, 80, 2 - 0.018 * i + (i % 2 ? 1.5 : -1.5));
    CHECK(judged(&slow, &none, 0, 80, true, text, sizeof text) == 0);
    memset(&slow, 0, sizeof slow);
    for (uint32_t i = 0; i < 80; ++i) tern_judge_add(&slow, i, 80, 2 - 0.001 * i + (i % 2 ? 1.5 : -1.5));
    CHECK(judged(&slow, &none, 0, 80, true, text, sizeof text) == 1 && strncmp(text, "169 ", 4) == 0);
    return tern_check_report("judge");
}
