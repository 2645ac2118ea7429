/* tern_encode.c : see tern/encode.h
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern/encode.h"
#include <string.h>
#include "tern_formats.h"
#include "tern_random.h"

enum { PURPOSE = 13, MAX_STEPS = 1000000, MAX_POPULATION = 64 };

void tern_encode_defaults(tern_encode_spec *spec)
{
    *spec = (tern_encode_spec){ .code = TERN_CODE_RATE,
                                .population = 1,
                                .lo = 0.0,
                                .hi = 1.0,
                                .steps = 1,
                                .rate = 1.0,
                                .threshold = 0.1,
                                .width = 1.5,
                                .seed = 1 };
}

static bool in_range(tern_diags *d, const char *name, double v, double lo, double hi)
{
    if (v >= lo && v <= hi) return true; /* false for NaN */
    tern_diags_add(d, TERN_SEV_ERROR, TERN_OUT_SETTING, NULL, 0, name, "%.9g is out of range; allowed: %.9g to %.9g", v,
                   lo, hi);
    return false;
}

tern_status tern_encode_check(const tern_encode_spec *s, tern_diags *diags)
{
    bool ok = in_range(diags, "code", s->code, 0, TERN_CODE_CHANGE);
    ok = in_range(diags, "population", s->population, 1, MAX_POPULATION) && ok;
    ok = in_range(diags, "steps", s->steps, 1, MAX_STEPS) && ok;
    ok = in_range(diags, "rate", s->rate, 0.0, 1.0) && ok;
    ok = in_range(diags, "threshold", s->threshold, s->code == TERN_CODE_CHANGE ? 0.001 : 0.0, 1.0) && ok;
    ok = in_range(diags, "width", s->width, 0.5, 4.0) && ok;
    ok = in_range(diags, "lo", s->lo, -1e300, 1e300) && ok;
    ok = in_range(diags, "hi", s->hi, -1e300, 1e300) && ok;
    if (ok && !(s->lo < s->hi)) {
        tern_diags_add(diags, TERN_SEV_ERROR, TERN_OUT_SETTING, NULL, 0, "hi", "%.9g is not above lo, %.9g", s->hi,
                       s->lo);
        ok = false;
    }
    return ok ? TERN_OK : TERN_ERR_ARGUMENT;
}

uint32_t tern_encode_units(const tern_encode_spec *spec, uint32_t n)
{
    const uint64_t units = (uint64_t)n * spec->population * (spec->code == TERN_CODE_CHANGE ? 2 : 1);
    return units > TERN_ENCODE_MAX_UNITS ? 0 : (uint32_t)units;
}

/* A value as 0..1. */
static double scaled(const tern_encode_spec *s, double v, tern_encode_counts *c)
{
    if (v != v) {
        ++c->n_wrong;
        return 0.0;
    }
    if (v < s->lo || v > s->hi) {
        ++c->n_clamped;
        return v < s->lo ? 0.0 : 1.0;
    }
    return (v - s->lo) / (s->hi - s->lo);
}

/* How much unit j of the population answers to v: (1 - (d / width)^2)^2 at a distance of d neighbours from its own
 * value. */
static double bell(const tern_encode_spec *s, double v, uint32_t j)
{
    if (s->population == 1) return v;
    const double d = v * (s->population - 1) - j, q = d / s->width, left = 1.0 - q * q;
    return left <= 0.0 ? 0.0 : left * left;
}

/* ---- codes of one row: out[t][u], t = 0 .. steps - 1 ---- */

typedef struct row {
    const tern_encode_spec *s;
    uint8_t *out;
    uint32_t units, first_step, key[2];
    tern_encode_counts *c;
} row;

static void spike(const row *r, uint32_t t, uint32_t unit)
{
    r->out[(size_t)t * r->units + unit] = 1;
    ++r->c->n_spikes;
}

static void by_rate(const row *r, uint32_t unit, double v)
{
    const double p = v * r->s->rate * 4294967296.0;
    if (p <= 0.0) return;
    for (uint32_t t = 0; t < r->s->steps; ++t) {
        const uint32_t counter[2] = { r->first_step + t, (uint32_t)PURPOSE << 28 | unit };
        uint32_t words[2];
        tern_threefry2x32(r->key, counter, words);
        if ((double)words[0] < p) spike(r, t, unit);
    }
}

/* Spikes where the sum of v over the row's steps passes a whole number and a half. */
static void evenly(const row *r, uint32_t unit, double v)
{
    const double p = v * r->s->rate;
    double sum = 0.5;
    for (uint32_t t = 0; t < r->s->steps; ++t) {
        sum += p;
        if (sum >= 1.0) {
            sum -= 1.0;
            spike(r, t, unit);
        }
    }
}

static void by_time(const row *r, uint32_t unit, double v)
{
    if (v <= 0.0 || v < r->s->threshold) return;
    spike(r, (uint32_t)((1.0 - v) * (r->s->steps - 1) + 0.5), unit);
}

/* `reference` is the value at the last spike. */
static void by_change(const row *r, uint32_t unit, double v, double *reference)
{
    const double up = v - *reference, size = up < 0.0 ? -up : up, threshold = r->s->threshold;
    const uint32_t k = (uint32_t)(size / threshold + 1e-9), shown = k < r->s->steps ? k : r->s->steps;
    *reference += up < 0.0 ? -(k * threshold) : k * threshold;
    r->c->n_lost += k - shown;
    for (uint32_t t = 0; t < shown; ++t) spike(r, t, unit + (up < 0.0 ? 0 : r->units / 2));
}

static void encode_row(const row *r, const double *values, uint32_t n, bool first, double *references)
{
    const tern_encode_spec *s = r->s;
    for (uint32_t i = 0; i < n; ++i) {
        const double v = scaled(s, values[i], r->c);
        for (uint32_t j = 0; j < s->population; ++j) {
            const uint32_t unit = i * s->population + j;
            const double a = bell(s, v, j);
            if (s->code == TERN_CODE_CHANGE && first) references[unit] = a;
            switch (s->code) {
            case TERN_CODE_RATE: by_rate(r, unit, a); break;
            case TERN_CODE_EVEN: evenly(r, unit, a); break;
            case TERN_CODE_TIME: by_time(r, unit, a); break;
            default: by_change(r, unit, a, &references[unit]); break;
            }
        }
    }
}

/* Units of n values; 0 with a diagnostic: they or the steps are too many. */
static uint32_t units_for(const tern_encode_spec *spec, uint32_t n, uint32_t rows, tern_diags *diags)
{
    const uint32_t units = tern_encode_units(spec, n);
    if (units != 0 && (uint64_t)rows * spec->steps <= UINT32_MAX) return units;
    tern_diags_add(diags, TERN_SEV_ERROR, TERN_OUT_SETTING, NULL, 0, "units",
                   "%u values of %u units and %u rows of %u steps; allowed: 1 to %u units, below 2^32 steps", n,
                   spec->population, rows, spec->steps, TERN_ENCODE_MAX_UNITS);
    return 0;
}

tern_status tern_encode(const tern_encode_spec *spec, const double *values, uint32_t rows, uint32_t n, uint32_t sample,
                        uint8_t *out, tern_encode_counts *counts, tern_diags *diags)
{
    const tern_status st = tern_encode_check(spec, diags);
    if (st != TERN_OK) return st;
    row r = { .s = spec, .units = units_for(spec, n, rows, diags), .c = counts };
    if (r.units == 0) return TERN_ERR_LIMIT;
    if (sample >= (uint32_t)1 << 28) {
        tern_diags_add(diags, TERN_SEV_ERROR, TERN_OUT_SETTING, NULL, 0, "sample",
                       "%u is out of range; allowed: below 2^28", sample);
        return TERN_ERR_LIMIT;
    }
    double small[256], *references = small;
    const bool large = spec->code == TERN_CODE_CHANGE && r.units / 2 > 256;
    const tern_alloc alloc = tern_alloc_default();
    if (large && (references = alloc.fn(alloc.ud, NULL, r.units / 2 * sizeof *references)) == NULL)
        return TERN_ERR_MEMORY;
    /* a key for the sample: its draws are (step, 13 << 28 | unit) */
    const uint32_t seed[2] = { (uint32_t)spec->seed, (uint32_t)(spec->seed >> 32) },
                   counter[2] = { sample, (uint32_t)PURPOSE << 28 };
    tern_threefry2x32(seed, counter, r.key);
    memset(out, 0, (size_t)rows * spec->steps * r.units);
    for (uint32_t k = 0; k < rows; ++k) {
        r.first_step = k * spec->steps;
        r.out = out + (size_t)r.first_step * r.units;
        encode_row(&r, values + (size_t)k * n, n, k == 0, references);
    }
    if (large) alloc.fn(alloc.ud, references, 0);
    return TERN_OK;
}

/* ---- back to values ---- */

/* Answer of one unit in a row of steps, 0 .. 1; `before`: its answer in the row before (CHANGE). */
static double answer(const tern_encode_spec *s, const uint8_t *spikes, uint32_t units, uint32_t unit, double before)
{
    const uint8_t *rising = spikes + (s->code == TERN_CODE_CHANGE ? units / 2 : 0);
    uint32_t n = 0, n_rising = 0, first = s->steps;
    for (uint32_t t = s->steps; t-- > 0;) {
        const size_t at = (size_t)t * units + unit;
        n_rising += rising[at] != 0;
        if (spikes[at] != 0) ++n, first = t;
    }
    double v;
    switch (s->code) {
    case TERN_CODE_TIME:
        v = first == s->steps ? 0.0 : s->steps == 1 ? 1.0 : 1.0 - (double)first / (s->steps - 1);
        break;
    case TERN_CODE_CHANGE: v = before + ((double)n_rising - n) * s->threshold; break;
    default: v = n / (s->rate * s->steps); break;
    }
    return v < 0.0 ? 0.0 : v > 1.0 ? 1.0 : v; /* NaN (rate 0, no spikes) stays */
}

/* Centre of mass of a population's answers, 0 .. 1; NaN if it is silent. */
static double centre(const double *a, uint32_t m)
{
    double sum = 0.0, moment = 0.0;
    for (uint32_t j = 0; j < m; ++j) {
        sum += a[j];
        moment += a[j] * j;
    }
    return moment / (sum * (m - 1));
}

tern_status tern_decode(const tern_encode_spec *spec, const uint8_t *spikes, uint32_t rows, uint32_t n, double *values,
                        tern_diags *diags)
{
    const tern_status st = tern_encode_check(spec, diags);
    if (st != TERN_OK) return st;
    const uint32_t units = units_for(spec, n, rows, diags), m = spec->population;
    if (units == 0) return TERN_ERR_LIMIT;
    const bool change = spec->code == TERN_CODE_CHANGE;
    for (uint32_t i = 0; i < n && rows != 0; ++i) {
        double a[MAX_POPULATION] = { 0.0 };
        tern_encode_counts ignored = { 0 };
        for (uint32_t j = 0; change && j < m; ++j) a[j] = bell(spec, scaled(spec, values[i], &ignored), j);
        for (uint32_t k = change ? 1 : 0; k < rows; ++k) {
            for (uint32_t j = 0; j < m; ++j)
                a[j] = answer(spec, spikes + (size_t)k * spec->steps * units, units, i * m + j, a[j]);
            values[(size_t)k * n + i] = spec->lo + (m == 1 ? a[0] : centre(a, m)) * (spec->hi - spec->lo);
        }
    }
    return TERN_OK;
}

uint32_t tern_decode_class(const uint32_t *counts, uint32_t n_classes, uint32_t per_class)
{
    uint32_t best = 0;
    uint64_t most = 0;
    for (uint32_t c = 0; c < n_classes; ++c) {
        uint64_t sum = 0;
        for (uint32_t i = 0; i < per_class; ++i) sum += counts[(size_t)c * per_class + i];
        if (sum > most) most = sum, best = c;
    }
    return best;
}
