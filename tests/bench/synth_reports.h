/* synth_reports.h : what the programs of this folder read from reports of `tern synth`
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef SYNTH_REPORTS_H
#define SYNTH_REPORTS_H
#include <jansson.h>
#include <string.h>
#include "tern_logic.h"

static bool field(const json_t *c, const char *name, uint32_t *out)
{
    const json_t *v = json_object_get(c, name);
    *out = (uint32_t)json_integer_value(v);
    return json_is_integer(v);
}

/* The member "capacity" of a report. False: there is none, or a number is missing. */
static bool read_capacity(const json_t *root, tern_capacity *c)
{
    const json_t *list = json_object_get(root, "capacity");
    bool good = true;
    memset(c, 0, sizeof *c);
    const struct {
        const char *name;
        uint32_t *value;
    } fields[] = { { "lanes", &c->lanes },
                   { "weight_w", &c->weight_w },
                   { "samples", &c->samples },
                   { "neurons", &c->neurons },
                   { "pairs", &c->pairs },
                   { "errors", &c->errors },
                   { "taps_d", &c->taps_d },
                   { "lags_w", &c->lags_w },
                   { "hist_w", &c->hist_w },
                   { "filters", &c->filters },
                   { "rows", &c->rows },
                   { "words", &c->words },
                   { "hist_words", &c->hist_words },
                   { "targets", &c->targets },
                   { "x_w", &c->x_w },
                   { "kernel_w", &c->kernel_w },
                   { "delta_w", &c->delta_w },
                   { "acc_w", &c->acc_w },
                   { "dither_min", &c->dither_min },
                   { "dither_max", &c->dither_max },
                   { "index_w", &c->index_w },
                   { "signals", &c->signals },
                   { "baselines", &c->baselines },
                   { "wta", &c->wta },
                   { "classes", &c->classes } };
    for (size_t i = 0; good && i < sizeof fields / sizeof fields[0]; ++i)
        good = field(list, fields[i].name, fields[i].value);
    (void)field(list, "small", &c->small); /* earlier reports have none */
    if (!field(list, "ways", &c->ways) || !field(list, "way_words", &c->way_words)) c->ways = c->way_words = 1;
    (void)field(list, "kernels", &c->kernels);
    if (!field(list, "prep", &c->prep)) c->prep = 1;
    return good;
}

#endif /* SYNTH_REPORTS_H */
