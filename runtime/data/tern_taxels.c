/* tern_taxels.c : see tern/taxels.h; formulas in docs/39-encoding.md
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern/taxels.h"
#include <string.h>
#include "tern_sim.h"
#include "tern_write.h"

enum {
    TAXEL_DRAWS = 14,  /* instead of the digit in the counters of draws: docs/21-numerics.md, section 7 */
    LETTER_SHIFT = 19, /* of the label in the counter's sample, below which the sample's number lies */
    ALONG = 4,
    ACROSS = 3 /* taxels in the direction of the motion and across it */
};

/* Dots 1..6 (bit 0..5): 1, 2, 3 down the left column, 4, 5, 6 down the right one. By label. */
static const uint8_t dots[TERN_TAXEL_LETTERS] = {
    001, 003, 011, 031, 021, 013, 033, 023, 012, 032, /* A .. J */
    005, 007, 015, 035, 025, 017, 037, 027, 016,      /* K .. S */
    000,                                              /* Space  */
    036, 045, 047, 072, 055, 075, 065                 /* T .. Z */
};

void tern_taxels_defaults(tern_taxel_settings *set)
{
    *set = (tern_taxel_settings){ .seed = 1, .noise = 2.0, .spread = 1.0 };
}

static bool in_range(tern_diags *d, const char *name, double v, double lo, double hi)
{
    if (v >= lo && v <= hi) return true; /* false for NaN */
    tern_diags_add(d, TERN_SEV_ERROR, TERN_OUT_SETTING, NULL, 0, name, "%.9g is out of range; allowed: %.9g to %.9g", v,
                   lo, hi);
    return false;
}

tern_status tern_taxels_check(const tern_taxel_settings *set, tern_diags *diags)
{
    const bool noise = in_range(diags, "noise", set->noise, 0.0, 50.0),
               spread = in_range(diags, "spread", set->spread, 0.0, 3.0);
    return noise && spread ? TERN_OK : TERN_ERR_ARGUMENT;
}

int tern_taxels_letter(char c)
{
    if (c == '_') return 19;
    if (c < 'A' || c > 'Z') return -1;
    return c <= 'S' ? c - 'A' : c - 'A' + 1;
}

/* (1 - d^2 / 2.2^2)^2 within 2.2 mm: how much of a dot a taxel feels. */
static double feel(double dx, double dy)
{
    const double left = 1.0 - (dx * dx + dy * dy) / (2.2 * 2.2);
    return left <= 0.0 ? 0.0 : left * left;
}

static uint8_t reading(double v) { return v <= 0.0 ? 0 : v >= 255.0 ? 255 : (uint8_t)(v + 0.5); }

tern_status tern_taxels_sample(const tern_taxel_settings *set, unsigned label, uint32_t sample,
                               uint8_t out[TERN_TAXEL_FRAMES][TERN_TAXELS], tern_diags *diags)
{
    const tern_status st = tern_taxels_check(set, diags);
    if (st != TERN_OK) return st;
    if (label >= TERN_TAXEL_LETTERS || sample >= TERN_TAXEL_MAX_SAMPLES) return TERN_ERR_ARGUMENT;
    const uint32_t which = (uint32_t)label << LETTER_SHIFT | sample;
    tern__draws d;
    double rest[TERN_TAXELS], gain[TERN_TAXELS];
    /* the same fingertip in every sample of a seed */
    tern__draws_init(&d, set->seed, TERN__DRAW_CAMERA, TAXEL_DRAWS, 0);
    for (int i = 0; i < TERN_TAXELS; ++i) {
        rest[i] = tern__draw_range(&d, 220.0, 245.0);
        gain[i] = tern__draw_range(&d, 60.0, 100.0);
    }
    tern__draws_init(&d, set->seed, TERN__DRAW_SHAPE, TAXEL_DRAWS, which);
    const double s = set->spread;
    /* mm */
    const double start = -7.0 + s * tern__draw_range(&d, -0.4, 0.4), side = s * tern__draw_range(&d, -0.3, 0.3);
    /* mm a reading */
    const double step = 0.21 * (1.0 + s * tern__draw_range(&d, -0.05, 0.05)),
                 pressure = 1.0 + s * tern__draw_range(&d, -0.15, 0.15);
    tern__draws_init(&d, set->seed, TERN__DRAW_NOISE, TAXEL_DRAWS, which);
    for (int t = 0; t < TERN_TAXEL_FRAMES; ++t)
        for (int i = 0; i < TERN_TAXELS; ++i) {
            const double x = start + step * t + 2.0 * (i % ALONG - 0.5 * (ALONG - 1)),
                         y = side + 2.0 * (i / ALONG - 0.5 * (ACROSS - 1));
            double felt = 0.0;
            for (int k = 0; k < 6; ++k)
                if ((dots[label] >> k & 1) != 0) felt += feel(x - 2.5 * (k / 3), y - 2.5 * (k % 3 - 1));
            out[t][i] = reading(rest[i] - pressure * gain[i] * felt + set->noise * tern__draw_normal(&d));
        }
    return TERN_OK;
}

static tern_status check_set(const tern_taxel_set *what, tern_diags *diags)
{
    bool ok = what->n_letters >= 1 && what->n_letters <= TERN_TAXEL_LETTERS;
    uint32_t seen = 0;
    for (uint32_t i = 0; ok && i < what->n_letters; ++i) {
        ok = what->letters[i] < TERN_TAXEL_LETTERS && (seen >> what->letters[i] & 1u) == 0;
        if (ok) seen |= 1u << what->letters[i];
    }
    if (!ok)
        tern_diags_add(diags, TERN_SEV_ERROR, TERN_OUT_SETTING, NULL, 0, "letters",
                       "needs 1 to 27 different labels 0..26");
    if (what->count < 1 || what->count > TERN_TAXEL_MAX_SAMPLES || what->first > TERN_TAXEL_MAX_SAMPLES - what->count) {
        tern_diags_add(diags, TERN_SEV_ERROR, TERN_OUT_SETTING, NULL, 0, "count",
                       "%u samples from %u on; allowed: at least one, numbers 0 to %u", (unsigned)what->count,
                       (unsigned)what->first, TERN_TAXEL_MAX_SAMPLES - 1);
        ok = false;
    }
    return ok ? TERN_OK : TERN_ERR_ARGUMENT;
}

static tern_status write_all(const tern_taxel_settings *set, const tern_taxel_set *what, const char *path,
                             tern_file_writer *w, tern_taxel_progress progress, void *ud, tern_taxel_totals *out,
                             tern_diags *diags)
{
    tern__npz z;
    uint8_t one[TERN_TAXEL_FRAMES][TERN_TAXELS];
    const uint64_t total = (uint64_t)what->count * what->n_letters;
    tern__npz_begin(&z, w);
    tern__npz_array(&z, "values");
    for (uint64_t i = 0; i < total; ++i) {
        const tern_status st = tern_taxels_sample(set, what->letters[i % what->n_letters],
                                                  what->first + (uint32_t)(i / what->n_letters), one, diags);
        if (st != TERN_OK) return st;
        tern__npz_items(&z, one, sizeof one);
        if (progress != NULL && !progress(ud, i + 1, total)) {
            tern_diags_add(diags, TERN_SEV_ERROR, TERN_SIM_WRITE, path, 0, NULL,
                           "stopped after %llu of %llu samples; nothing was written", (unsigned long long)i + 1,
                           (unsigned long long)total);
            return TERN_ERR_IO;
        }
    }
    tern__npz_shape(&z, "'|u1'", 3, (const uint64_t[]){ total, TERN_TAXEL_FRAMES, TERN_TAXELS });
    tern__npz_array(&z, "labels");
    for (uint64_t i = 0; i < total; ++i) {
        const uint8_t le[4] = { what->letters[i % what->n_letters], 0, 0, 0 };
        tern__npz_items(&z, le, sizeof le);
    }
    tern__npz_shape(&z, "'<i4'", 1, &total);
    (void)tern__npz_end(&z);
    *out = (tern_taxel_totals){ total, z.pos };
    return TERN_OK;
}

tern_status tern_taxels_write(const tern_taxel_settings *set, const tern_taxel_set *what, const char *path,
                              tern_taxel_progress progress, void *ud, tern_taxel_totals *out, tern_diags *diags)
{
    tern_file_writer w;
    *out = (tern_taxel_totals){ 0 };
    const tern_status bad_set = tern_taxels_check(set, diags), bad_what = check_set(what, diags);
    if (bad_set != TERN_OK || bad_what != TERN_OK) return TERN_ERR_ARGUMENT;
    tern_file_sweep(path); /* of commands that were killed */
    tern_status st = tern_file_begin(&w, path, diags);
    if (st != TERN_OK) return st;
    st = write_all(set, what, path, &w, progress, ud, out, diags);
    if (st == TERN_OK) return tern_file_commit(&w, diags);
    tern_file_abort(&w);
    return st;
}
