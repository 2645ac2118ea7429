/* tern_sweep_axis.c : the values of a key
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_sweep.h"
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tern/locale.h"
#include "tern_script.h"

static char wrong[300];

/* ---- keys that are whole numbers ---- */

typedef struct question {
    const char *key;
    bool whole;
} question;

static void look(void *ud, const tern_language_key *k)
{
    question *q = ud;
    const char *dot = strrchr(q->key, '.');
    const size_t section = dot == NULL ? 0 : (size_t)(dot - q->key);
    static const char *const fixed[] = { "rule", "formats", "data" };
    bool population = true;
    for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; ++i)
        population = population && !(strlen(fixed[i]) == section && strncmp(q->key, fixed[i], section) == 0);
    const bool of_section = population ? strcmp(k->section, "hidden") == 0
                                       : strlen(k->section) == section && strncmp(q->key, k->section, section) == 0;
    if (dot != NULL && of_section && strcmp(k->key, dot + 1) == 0) q->whole = strcmp(k->type, "whole number") == 0;
}

static bool whole_key(const char *key)
{
    question q = { key, false };
    tern_language_keys(look, &q);
    return q.whole;
}

/* ---- values ---- */

static bool number(const char *text, double *out)
{
    char *end;
    const double x = tern_real_parse(text, &end);
    if (end == text || *end != 0 || !isfinite(x)) return false;
    *out = x;
    return true;
}

static const char *add(tern_sweep_axis *a, const char *text, size_t n)
{
    while (n != 0 && text[0] == ' ') ++text, --n;
    while (n != 0 && text[n - 1] == ' ') --n;
    if (n == 0) return "a value is empty";
    if (n >= sizeof a->text[0]) return "a value has more than 79 characters";
    if (a->n == TERN_SWEEP_VALUES) return "more than 64 values";
    char *to = a->text[a->n];
    memcpy(to, text, n);
    to[n] = 0;
    for (size_t i = 0; i < a->n; ++i)
        if (strcmp(a->text[i], to) == 0) {
            snprintf(wrong, sizeof wrong, "the value %s is given twice", to);
            return wrong;
        }
    a->numeric = a->numeric && number(to, &a->x[a->n]);
    ++a->n;
    return NULL;
}

/* "LO:HI:logN"; NULL and *out_range false: it is none. */
static const char *range(tern_sweep_axis *a, const char *values, bool *out_range)
{
    char lo_text[80], hi_text[80];
    int at = 0;
    double lo, hi;
    *out_range = false;
    if (sscanf(values, "%79[^:]:%79[^:]:%n", lo_text, hi_text, &at) != 2 || at == 0) return NULL;
    if (!number(lo_text, &lo) || !number(hi_text, &hi)) return NULL;
    *out_range = true;
    const char *how = values + at;
    char *end;
    const bool log_scale = strncmp(how, "log", 3) == 0;
    const bool known = log_scale || strncmp(how, "lin", 3) == 0;
    const unsigned long n =
        known && isdigit((unsigned char)how[3]) ? strtoul(how + 3, &end, 10) : (end = (char *)(size_t)how, 0ul);
    if (!known || *end != 0 || end == how) return "after LO:HI: comes logN or linN, as in 1e-5:1e-2:log8";
    if (n < 2 || n > TERN_SWEEP_VALUES) return "the number of values is 2..64";
    if (!(lo < hi)) return "LO must be less than HI";
    if (log_scale && lo <= 0) return "with logN both ends must be more than 0";
    const bool whole = whole_key(a->key);
    a->log = log_scale;
    for (unsigned long i = 0; i < n; ++i) {
        const double f = (double)i / (double)(n - 1);
        const double x = i == 0       ? lo
                         : i == n - 1 ? hi
                         : log_scale  ? exp(log(lo) + f * (log(hi) - log(lo)))
                                      : lo + f * (hi - lo);
        char text[40];
        snprintf(text, sizeof text, whole ? "%.0f" : i == 0 || i == n - 1 ? "%.12g" : "%.4g", x);
        const char *w = add(a, text, strlen(text));
        if (w != NULL) return whole ? "there are not so many whole numbers in this range" : w;
    }
    return NULL;
}

const char *tern_sweep_axis_parse(tern_sweep_axis *a, const char *key, const char *values)
{
    bool is_range;
    *a = (tern_sweep_axis){ .numeric = true };
    if (key[0] == 0 || strlen(key) >= sizeof a->key) return "KEY is empty, or has more than 63 characters";
    snprintf(a->key, sizeof a->key, "%s", key);
    const char *w = range(a, values, &is_range);
    if (w != NULL || is_range) return w;
    int depth = 0;
    char quote = 0;
    const char *start = values, *p = values;
    for (;; ++p) {
        if (quote != 0 && *p != 0) {
            if (*p == quote) quote = 0;
            continue;
        }
        if (*p == '"' || *p == '\'') quote = *p;
        if (*p == '{') ++depth;
        if (*p == '}') --depth;
        if (*p != 0 && (*p != ',' || depth > 0)) continue;
        w = add(a, start, (size_t)(p - start));
        if (w != NULL || *p == 0) break;
        start = p + 1;
    }
    if (w != NULL) return w;
    double least = INFINITY, most = 0;
    for (size_t i = 0; i < a->n && a->numeric; ++i) {
        least = fmin(least, a->x[i]);
        most = fmax(most, a->x[i]);
    }
    a->log = a->numeric && least > 0 && most / least >= 30; /* 1e-4,1e-3,1e-2 are meant as steps of a factor */
    return NULL;
}
