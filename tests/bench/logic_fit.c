/* logic_fit.c : makes compiler/layout/tern_logic_table.inc or tern_logic_small.inc from reports of `tern synth`
 * SPDX-License-Identifier: Apache-2.0
 *
 *     logic_fit [--small] TABLE REPORT...      writes the table to TABLE, and to stdout how well it fits,
 *                                              one line for each report
 *
 * Reports of the large core make tern_logic_table.inc, those of the small core (--small) tern_logic_small.inc; the
 * others are left out.
 *
 * For each family the coefficients c minimise  sum over reports ((c . sizes - cells) / cells)^2 + PULL sum over parts
 * ((c - guess) / guess)^2,  none of them negative: the guesses (one cell for each bit that is added or held, 2.4 for a
 * bit of a partial product and its adder) decide what the reports do not tell. PULL is where reports that are left out
 * are met best. The error written is the largest one that a report shows when the table is fitted without it.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "synth_reports.h"

enum { REPORTS_MAX = 512, N = TERN_LOGIC_PARTS };
static const double PULL = 3e-3;

typedef struct report {
    char name[96];
    tern_family family;
    double cells, sizes[N];
} report;

#define XX(name, help) #name,
static const char *const part_names[N] = { TERN_LOGIC_MAP(XX) };
#undef XX
static bool small;
static double guess[N] = { [TERN_LOGIC_FIXED] = 6000,     [TERN_LOGIC_KERNEL] = 1.5,   [TERN_LOGIC_LANE_SUM] = 1,
                           [TERN_LOGIC_LANE_TRACE] = 1,   [TERN_LOGIC_LANE] = 2,       [TERN_LOGIC_MULTIPLIERS] = 2.4,
                           [TERN_LOGIC_REGISTERS] = 1.5,  [TERN_LOGIC_SMALL_RAMS] = 4, [TERN_LOGIC_SIGNALS] = 500,
                           [TERN_LOGIC_BASELINES] = 2000, [TERN_LOGIC_WTA] = 2000,     [TERN_LOGIC_CLASSES] = 1500 };

static const double small_guess[N] = {
    [TERN_LOGIC_FIXED] = 3600,     [TERN_LOGIC_KERNEL] = 1.3,   [TERN_LOGIC_LANE_SUM] = 1,
    [TERN_LOGIC_LANE_TRACE] = 1.5, [TERN_LOGIC_LANE] = 2,       [TERN_LOGIC_MULTIPLIERS] = 2.4,
    [TERN_LOGIC_REGISTERS] = 1.5,  [TERN_LOGIC_SMALL_RAMS] = 4, [TERN_LOGIC_SIGNALS] = 1,
    [TERN_LOGIC_BASELINES] = 1,    [TERN_LOGIC_WTA] = 1,        [TERN_LOGIC_CLASSES] = 1
};

static bool read_report(const char *path, report *r)
{
    json_error_t error;
    tern_capacity c;
    json_t *root = json_load_file(path, 0, &error);
    const json_t *used = json_object_get(root, "used");
    const char *target = json_string_value(json_object_get(json_object_get(root, "target"), "name")),
               *network = json_string_value(json_object_get(root, "network"));
    if (json_is_true(json_object_get(root, "resident"))) network = "resident";
    const tern_target *t = target != NULL ? tern_target_find(target) : NULL;
    bool good = network != NULL && json_is_true(json_object_get(used, "packed")) && t != NULL;
    good = good && read_capacity(root, &c) && (c.small != TERN_CORE_KIND_LARGE) == small;
    if (good) {
        r->family = t->family;
        r->cells = (double)json_integer_value(json_object_get(used, "cells"));
        snprintf(r->name, sizeof r->name, "%-8s %-10.40s %2u lanes, K = %u, D = %u, W = %u", t->name, network, c.lanes,
                 c.samples, c.taps_d, c.lags_w);
        tern_logic_sizes(t, &c, r->sizes);
        good = r->cells > 0;
    }
    json_decref(root);
    return good;
}

/* Solves the normal equations by elimination with pivots; they are positive definite, since every guess pulls. */
static void solve(double a[N][N + 1], double out[N])
{
    for (int k = 0; k < N; ++k) {
        int p = k;
        for (int i = k + 1; i < N; ++i)
            if (fabs(a[i][k]) > fabs(a[p][k])) p = i;
        for (int c = 0; c <= N; ++c) {
            const double x = a[k][c];
            a[k][c] = a[p][c];
            a[p][c] = x;
        }
        for (int i = k + 1; i < N; ++i) {
            const double f = a[i][k] / a[k][k];
            for (int c = k; c <= N; ++c) a[i][c] -= f * a[k][c];
        }
    }
    for (int k = N; k-- > 0;) {
        double x = a[k][N];
        for (int c = k + 1; c < N; ++c) x -= a[k][c] * out[c];
        out[k] = x / a[k][k];
    }
}

/* In units of the guess. Parts that would be negative are fixed at 0, and the others fitted again. */
static void fit(const report *list, size_t n, tern_family family, size_t without, double out[N])
{
    bool off[N] = { false };
    for (bool again = true; again;) {
        double a[N][N + 1] = { { 0 } };
        again = false;
        for (size_t i = 0; i < n; ++i) {
            if (list[i].family != family || i == without) continue;
            for (int p = 0; p < N; ++p) {
                const double x = off[p] ? 0 : list[i].sizes[p] * guess[p] / list[i].cells;
                for (int q = 0; q < N; ++q) a[p][q] += x * (off[q] ? 0 : list[i].sizes[q] * guess[q] / list[i].cells);
                a[p][N] += x;
            }
        }
        for (int p = 0; p < N; ++p) {
            a[p][p] += off[p] ? 1 : PULL;
            a[p][N] += off[p] ? 0 : PULL;
        }
        solve(a, out);
        for (int p = 0; p < N; ++p)
            if (out[p] < 0 && !off[p]) again = off[p] = true;
    }
    for (int p = 0; p < N; ++p) out[p] = off[p] ? 0 : out[p] * guess[p];
}

static double difference(const report *r, const double c[N])
{
    double sum = 0;
    for (int p = 0; p < N; ++p) sum += c[p] * r->sizes[p];
    return (sum - r->cells) / r->cells;
}

static void family_row(FILE *f, const report *list, size_t n, tern_family family, const char *name)
{
    double c[N], without[N], largest = 0;
    size_t used = 0;
    fit(list, n, family, SIZE_MAX, c);
    for (size_t i = 0; i < n; ++i) {
        if (list[i].family != family) continue;
        fit(list, n, family, i, without);
        const double e = difference(&list[i], without);
        printf("%s: %6.0f cells, estimate %+5.1f %%, estimate without this report %+5.1f %%\n", list[i].name,
               list[i].cells, 100 * difference(&list[i], c), 100 * e);
        if (fabs(e) > largest) largest = fabs(e);
        ++used;
    }
    fprintf(f, "/* %s: %zu reports */\n{ TERN_FAMILY_%s, %.3f, {", name, used, name, used > 1 ? largest : 0.3);
    for (int p = 0; p < N; ++p) fprintf(f, "%s %.4g", p > 0 ? "," : "", c[p]);
    fprintf(f, " } },\n");
}

int main(int argc, char **argv)
{
    static report list[REPORTS_MAX];
    size_t n = 0;
    small = argc > 1 && strcmp(argv[1], "--small") == 0;
    if (small) memcpy(guess, small_guess, sizeof guess);
    argc -= small;
    argv += small;
    if (argc < 3) {
        fputs("usage: logic_fit [--small] TABLE REPORT...\n", stderr);
        return 2;
    }
    for (int i = 2; i < argc && n < REPORTS_MAX; ++i) {
        if (read_report(argv[i], &list[n])) ++n;
        else fprintf(stderr, "%s: no report of a packed design, left out\n", argv[i]);
    }
    if (n == 0) {
        fputs("no report can be used\n", stderr);
        return 1;
    }
    FILE *f = fopen(argv[1], "w");
    if (f == NULL) {
        perror(argv[1]);
        return 1;
    }
    fprintf(f, "/* tern_logic_%s.inc : logic cells for each unit of a part%s\n", small ? "small" : "table",
            small ? " of the small core" : "");
    fputs(" * SPDX-License-Identifier: Apache-2.0\n"
          " * GENERATED FILE - do not edit. Generator: tests/bench/logic.sh (fits reports of `tern synth`). One row "
          "for a family;\n"
          " * after the family the largest difference of a report that was left out, then one column for each part of\n"
          " * TERN_LOGIC_MAP:\n *",
          f);
    for (int p = 0; p < N; ++p) fprintf(f, " %s%s", part_names[p], p + 1 < N ? "," : "\n */\n");
    family_row(f, list, n, TERN_FAMILY_ICE40, "ICE40");
    family_row(f, list, n, TERN_FAMILY_ECP5, "ECP5");
    return fclose(f) == 0 ? 0 : 1;
}
