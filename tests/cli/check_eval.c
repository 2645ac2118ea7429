/* check_eval.c : for shell tests: the summary of `tern eval --json` worked out again from the lines of --per-recording
 * SPDX-License-Identifier: Apache-2.0
 *
 *     check_eval SUMMARY.json LINES.jsonl      exit status 1: they do not agree
 *
 * Votes from the decisions of the samples (N-28), probabilities and entropies from the votes, bins found in whole
 * numbers or by search, the Wilson interval by bisection of its definition. Nothing of runtime/metrics is used.
 */
#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include "tern_check.h"

enum { CLASSES_MAX = 64, BINS_MAX = 100 };

typedef struct table {
    double n[BINS_MAX], right[BINS_MAX], confidence[BINS_MAX];
} table;

typedef struct sums {
    unsigned bins, lines, labelled, right, n_entropy[2];
    double samples, entropy[2], softmax, share, loss;
    table by_softmax, by_share;
} sums;

static double number(const json_t *o, const char *key) { return json_number_value(json_object_get(o, key)); }

static void add(table *t, unsigned bin, double confidence, bool right)
{
    t->n[bin] += 1;
    t->right[bin] += right;
    t->confidence[bin] += confidence;
}

static void read_line(sums *s, const json_t *o)
{
    const json_t *decisions = json_object_get(o, "decisions"), *votes = json_object_get(o, "votes"),
                 *spikes = json_object_get(o, "class_spikes");
    const size_t n = json_array_size(votes), made = json_array_size(decisions);
    unsigned count[CLASSES_MAX] = { 0 }, best = 0;
    const int label = (int)number(o, "label");
    CHECK(n >= 1 && n <= CLASSES_MAX && made >= 1);
    if (n < 1 || n > CLASSES_MAX) return;
    CHECK_EQ(made, number(o, "samples"));
    for (size_t k = 0; k < made; ++k) ++count[(size_t)json_integer_value(json_array_get(decisions, k)) % n];
    for (unsigned c = 0; c < n; ++c) {
        CHECK_EQ(json_integer_value(json_array_get(votes, c)), count[c]);
        const json_int_t more =
            json_integer_value(json_array_get(spikes, c)) - json_integer_value(json_array_get(spikes, best));
        if (count[c] > count[best] || (count[c] == count[best] && more > 0)) best = c;
    }
    CHECK_EQ(number(o, "decision"), best);
    double entropy = log2((double)made), weights = 0; /* log2 K - (1/K) sum z log2 z */
    for (unsigned c = 0; c < n; ++c) {
        if (count[c] != 0) entropy -= count[c] * log2(count[c]) / (double)made;
        weights += exp((double)count[c] - count[best]);
    }
    CHECK_NEAR(number(o, "entropy"), entropy, 1e-11);
    CHECK_NEAR(number(o, "confidence"), 1 / weights, 1e-11);
    CHECK_NEAR(number(o, "confidence_votes"), (double)count[best] / (double)made, 1e-11);
    s->samples += (double)made;
    ++s->lines;
    if (label < 0) {
        CHECK(json_is_null(json_object_get(o, "right")) && json_is_null(json_object_get(o, "log_loss")));
        return;
    }
    const bool right = best == (unsigned)label;
    CHECK_EQ(json_is_true(json_object_get(o, "right")), right);
    s->loss += number(o, "log_loss");
    ++s->labelled;
    s->right += right;
    ++s->n_entropy[right];
    s->entropy[right] += entropy;
    s->softmax += 1 / weights;
    s->share += (double)count[best] / (double)made;
    unsigned bin = 0;
    while (bin + 1 < s->bins && 1 / weights > (bin + 1.0) / s->bins) ++bin;
    add(&s->by_softmax, bin, 1 / weights, right);
    add(&s->by_share, (count[best] * s->bins + (unsigned)made - 1) / (unsigned)made - 1,
        (double)count[best] / (double)made, right);
}

static void compare_table(const json_t *list, const table *t, const sums *s, double told)
{
    double error = 0;
    CHECK_EQ(json_array_size(list), s->bins);
    for (unsigned m = 0; m < s->bins; ++m) {
        const json_t *o = json_array_get(list, m);
        CHECK_NEAR(number(o, "above"), (double)m / s->bins, 1e-11);
        CHECK_NEAR(number(o, "up_to"), (m + 1.0) / s->bins, 1e-11);
        CHECK_EQ(number(o, "decisions"), t->n[m]);
        if (t->n[m] == 0) {
            CHECK(json_is_null(json_object_get(o, "confidence")) && json_is_null(json_object_get(o, "share_right")));
            continue;
        }
        CHECK_NEAR(number(o, "confidence"), t->confidence[m] / t->n[m], 1e-11);
        CHECK_NEAR(number(o, "share_right"), t->right[m] / t->n[m], 1e-11);
        error += t->n[m] / s->labelled * fabs(t->right[m] / t->n[m] - t->confidence[m] / t->n[m]);
    }
    CHECK_NEAR(told, error, 1e-10);
}

/* Ends p of Wilson's interval: |share - p| = 1.96 sqrt(p (1 - p) / n). */
static double wilson_end(double share, double n, double far)
{
    double in = share, out = far;
    for (int i = 0; i < 200; ++i) {
        const double p = (in + out) / 2;
        *(fabs(share - p) < 1.959963984540054 * sqrt(p * (1 - p) / n) ? &in : &out) = p;
    }
    return in;
}

static void compare(const json_t *o, const sums *s)
{
    const json_t *d = json_object_get(o, "decisions"), *interval = json_object_get(o, "accuracy_interval");
    CHECK_EQ(number(o, "recordings"), s->lines);
    CHECK_EQ(number(o, "samples_made"), s->samples);
    CHECK_EQ(number(o, "samples_saved"), number(o, "samples") * s->lines - s->samples);
    CHECK_EQ(number(o, "labelled"), s->labelled);
    CHECK_EQ(number(o, "right"), s->right);
    if (s->labelled == 0) {
        CHECK(json_is_null(json_object_get(o, "accuracy")) && json_is_null(json_object_get(d, "ece")) &&
              json_is_null(json_object_get(d, "ece_votes")));
        return;
    }
    const double n = s->labelled, share = s->right / n;
    CHECK_NEAR(number(o, "log_loss"), s->loss / n, 1e-10);
    CHECK_NEAR(number(o, "accuracy"), share, 1e-11);
    CHECK_NEAR(json_number_value(json_array_get(interval, 0)), wilson_end(share, n, 0), 1e-9);
    CHECK_NEAR(json_number_value(json_array_get(interval, 1)), wilson_end(share, n, 1), 1e-9);
    for (int right = 0; right < 2; ++right) {
        const char *key = right ? "entropy_right" : "entropy_wrong";
        if (s->n_entropy[right] == 0) CHECK(json_is_null(json_object_get(d, key)));
        else CHECK_NEAR(number(d, key), s->entropy[right] / s->n_entropy[right], 1e-10);
    }
    CHECK_NEAR(number(d, "confidence"), s->softmax / n, 1e-10);
    CHECK_NEAR(number(d, "confidence_votes"), s->share / n, 1e-10);
    compare_table(json_object_get(d, "reliability"), &s->by_softmax, s, number(d, "ece"));
    compare_table(json_object_get(d, "reliability_votes"), &s->by_share, s, number(d, "ece_votes"));
}

int main(int argc, char **argv)
{
    if (argc != 3) return 2;
    static char line[1 << 16];
    json_t *o = json_load_file(argv[1], 0, NULL);
    FILE *f = fopen(argv[2], "rb");
    sums s = { .bins = (unsigned)number(json_object_get(o, "decisions"), "bins") };
    CHECK(o != NULL && f != NULL && s.bins >= 1 && s.bins <= BINS_MAX);
    if (tern_check_failed != 0) return tern_check_report("check_eval");
    while (fgets(line, sizeof line, f) != NULL) {
        json_t *l = json_loads(line, 0, NULL);
        CHECK(json_is_object(l));
        CHECK_EQ(number(l, "recording"), s.lines);
        read_line(&s, l);
        json_decref(l);
    }
    fclose(f);
    compare(o, &s);
    json_decref(o);
    return tern_check_report("check_eval");
}
