/* tern_sim_settings.c : settings of the simulated camera
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern/simulate.h"
#include "tern/file.h"
#include "tern_idx.h"
#include <dirent.h>
#include <errno.h>
#include <nettle/sha2.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

void tern_sim_defaults(tern_sim_settings *set)
{
    *set = (tern_sim_settings){ .duration_us = 2200000,
                                .refractory_us = 1000,
                                .period_us = 1200000,
                                .path_px = 1.0,
                                .contrast = 1.6,
                                .threshold = 0.25,
                                .mismatch = 0.05,
                                .noise_hz = 0.02,
                                .motion = TERN_SIM_TRIANGLE,
                                .size_px = 24.0 };
}

static bool in_range(tern_diags *diags, const char *name, double v, double lo, double hi, const char *unit)
{
    if (v >= lo && v <= hi) return true; /* false for NaN */
    tern_diags_add(diags, TERN_SEV_ERROR, TERN_SIM_SETTING, NULL, 0, name,
                   "%.9g %s is out of range; allowed: %.9g to %.9g", v, unit, lo, hi);
    return false;
}

tern_status tern_sim_check(const tern_sim_settings *set, tern_diags *diags)
{
    bool ok = in_range(diags, "duration", set->duration_us, 50e3, 60e6, "us");
    ok = in_range(diags, "refractory", set->refractory_us, 0, 1e6, "us") && ok;
    ok = in_range(diags, "period", set->period_us, 100e3, 60e6, "us") && ok;
    ok = in_range(diags, "path", set->path_px, 0.0, 2.0, "") && ok;
    ok = in_range(diags, "contrast", set->contrast, 0.2, 5.0, "") && ok;
    ok = in_range(diags, "threshold", set->threshold, 0.05, 2.0, "") && ok;
    ok = in_range(diags, "mismatch", set->mismatch, 0.0, 0.25, "") && ok;
    ok = in_range(diags, "noise", set->noise_hz, 0.0, 20.0, "Hz") && ok;
    ok = in_range(diags, "loss", set->loss_percent, 0, 99, "%") && ok;
    ok = in_range(diags, "jitter", set->jitter_ms, 0, 1000, "ms") && ok;
    ok = in_range(diags, "motion", set->motion, 0, TERN_SIM_LINE, "") && ok;
    ok = in_range(diags, "size", set->size_px, 4.0, 32.0, "") && ok;
    return ok ? TERN_OK : TERN_ERR_ARGUMENT;
}
