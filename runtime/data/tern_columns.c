/* tern_columns.c : see tern_columns.h
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_columns.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "tern/locale.h"

void tern__look_row(tern__look *l, const double *v, const bool *real, unsigned n)
{
    for (unsigned i = 0; i < n; ++i) {
        tern__column *c = &l->c[i];
        const double x = v[i];
        const bool whole = x == floor(x) && fabs(x) < 9e18;
        c->n_whole += whole;
        c->n_place += whole && x >= 0 && x <= 65535;
        c->n_polarity += x == 0 || x == 1 || x == -1;
        c->n_back += l->n != 0 && x < c->last;
        if (l->n == 0 || x < c->lo) c->lo = x;
        if (l->n == 0 || x > c->hi) c->hi = x;
        c->last = x;
        c->real = c->real || real[i];
    }
    ++l->n;
}

enum { ENOUGH = 16 }; /* rows to judge by */

/* ---- order of columns ---- */

/* Strictly: every row fits, and times rise, but for one in ten. Else more than half of the rows fit, and times may be
 * anything. */
static bool fits(const tern__look *l, const char *order, bool strictly)
{
    const uint32_t least = strictly ? l->n : l->n / 2 + 1;
    for (int i = 0; i < TERN__LOOK_COLUMNS; ++i) {
        const tern__column *c = &l->c[i];
        if (order[i] == 't' && strictly && (c->n_back > l->n / 10 || (l->n > 1 && c->lo == c->hi))) return false;
        if ((order[i] == 'x' || order[i] == 'y') && c->n_place < least) return false;
        if (order[i] == 'p' && c->n_polarity < least) return false;
    }
    return true;
}

static void describe(const tern__look *l, char why[300])
{
    size_t at = 0;
    for (int i = 0; i < TERN__LOOK_COLUMNS && at < 260; ++i) {
        const tern__column *c = &l->c[i];
        at += (size_t)tern_format(why + at, 300 - at, "%s%.9g to %.9g%s%s", i == 0 ? "" : "; ", c->lo, c->hi,
                                  c->n_whole == l->n ? "" : " (not whole)",
                                  l->n > 1 && c->n_back == 0 && c->lo != c->hi ? " rising" : "");
        if (at >= 300) at = 299;
    }
}

const char *tern__columns_order(const tern__look *l, char why[300])
{
    /* in the order of how usual they are; x comes before y in all of them */
    static const char *const usual[] = { "txyp", "xypt", "xytp", "tpxy", "ptxy" };
    static const char *const rare[] = { "txpy", "xtyp", "xpyt", "xtpy", "xpty", "pxyt", "pxty" };
    const char *found = NULL;
    unsigned n = 0;
    if (l->n == 0 || fits(l, usual[0], true)) return usual[0];
    if (l->n < ENOUGH && fits(l, usual[0], false)) return usual[0]; /* a few rows rise by chance */
    for (size_t i = 1; i < sizeof usual / sizeof *usual; ++i)
        if (fits(l, usual[i], true)) found = usual[i], ++n;
    for (size_t i = 0; n == 0 && i < sizeof rare / sizeof *rare; ++i)
        if (fits(l, rare[i], true)) found = rare[i], ++n;
    if (n == 1) return found;
    if (fits(l, usual[0], false)) return usual[0];
    describe(l, why);
    return NULL;
}

bool tern__columns_parse(const char *text, int at[TERN__COLS], int *n_columns)
{
    static const char *const names[TERN__COLS] = { "t", "x", "y", "p", "unit" };
    for (int c = 0; c < TERN__COLS; ++c) at[c] = -1;
    for (*n_columns = 0; *n_columns < 64; ++*n_columns) {
        const size_t n = strcspn(text, ",");
        int c = 0;
        while (c < TERN__COLS && (strlen(names[c]) != n || strncmp(names[c], text, n) != 0)) ++c;
        if (c < TERN__COLS ? at[c] >= 0 : n != 1 || *text != '-') return false;
        if (c < TERN__COLS) at[c] = *n_columns;
        text += n;
        if (*text == 0) {
            ++*n_columns;
            return at[TERN__COL_T] >= 0 && (at[TERN__COL_X] >= 0 && at[TERN__COL_Y] >= 0) != (at[TERN__COL_UNIT] >= 0);
        }
        ++text;
    }
    return false;
}

/* ---- units of time ---- */

bool tern__unit_parse(const char *text, size_t n, int *power)
{
    static const struct {
        const char *word;
        int power;
    } units[] = {
        { "s", 6 },
        { "sec", 6 },
        { "secs", 6 },
        { "second", 6 },
        { "seconds", 6 },
        { "ms", 3 },
        { "msec", 3 },
        { "millisecond", 3 },
        { "milliseconds", 3 },
        { "us", 0 },
        { "usec", 0 },
        { "microsecond", 0 },
        { "microseconds", 0 },
        { "\xc2\xb5s", 0 },
        { "\xce\xbcs", 0 }, /* micro sign, Greek mu */
        { "ns", -3 },
        { "nsec", -3 },
        { "nanosecond", -3 },
        { "nanoseconds", -3 },
    };
    for (size_t i = 0; i < sizeof units / sizeof *units; ++i)
        if (strlen(units[i].word) == n && strncmp(units[i].word, text, n) == 0) {
            *power = units[i].power;
            return true;
        }
    return false;
}

const char *tern__unit_name(int power)
{
    return power == 6 ? "seconds" : power == 3 ? "milliseconds" : power == 0 ? "microseconds" : "nanoseconds";
}

enum { SLOW_S = 10 /* seconds from one event to the next, which no recording has on average */ };

int tern__time_unit(const tern__column *t, uint32_t n, bool *odd)
{
    *odd = false;
    if (!t->real) return 0;
    *odd = n >= ENOUGH && t->n_whole == n && t->hi - t->lo > (double)SLOW_S * n;
    return *odd ? 0 : 6;
}

void tern__assume(tern_stream *s, const char *what)
{
    char *said = s->info.assumed;
    const size_t n = strlen(said);
    snprintf(said + n, sizeof s->info.assumed - n, "%s%s", n != 0 ? "; " : "", what);
}

void tern__unit_warning(tern_stream *s, const tern__column *t, uint32_t n, tern_diags *d)
{
    for (size_t i = 0; d != NULL && i < d->n; ++i)
        if (d->list[i].code == TERN_DATA_TIME) return; /* of many recordings the first one tells */
    tern_diag_hint(tern_diags_add(d, TERN_SEV_WARNING, TERN_DATA_TIME, s->path, 0, NULL,
                                  "times are real numbers, but whole ones: read as microseconds; as seconds the first "
                                  "%u events would take %.4g hours",
                                  n, (t->hi - t->lo) / 3600),
                   "--time-unit of `tern data` says what they are");
}
