/* tern_logic.c : see tern_logic.h
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_logic.h"
#include "tern_cores.h"
#include <string.h>

static const tern_logic_row *find(tern_family family, const tern_core_ops *ops)
{
    for (size_t i = 0; i < ops->n_logic; ++i)
        if (ops->logic[i].family == family) return &ops->logic[i];
    return NULL;
}

/* Partial products of the multipliers that are made of logic. Where blocks are short the lanes give theirs up
 * (sim/eda/tern_synth.c). */
static double partial_products(const tern_target *t, const tern_capacity *c)
{
    const uint32_t all = tern_core_multipliers(t->family, c),
                   soft = all > t->dsps ? (all - t->dsps + c->ways - 1u) / c->ways : 0,
                   lanes = (soft < c->lanes ? soft : c->lanes) * c->ways;
    return (double)lanes * c->weight_w * c->x_w + (t->dsps == 0 ? tern_core_of(c)->other_products(c) : 0.0);
}

void tern_logic_sizes(const tern_target *t, const tern_capacity *c, double out[TERN_LOGIC_PARTS])
{
    tern_memory list[TERN_CORE_MEMORIES];
    const size_t n = tern_core_memories(c, list);
    double registers = 0, small = 0;
    for (size_t i = 0; i < n; ++i) {
        tern_memory_use use;
        tern_memory_map(t->family, &list[i], &use);
        registers += (double)list[i].copies * (double)use.registers;
        small += (double)list[i].copies * use.lut_rams;
    }
    const double lanes = c->lanes, kernel = c->hist_w - 1.0;
    memset(out, 0, TERN_LOGIC_PARTS * sizeof *out);
    out[TERN_LOGIC_FIXED] = 1;
    out[TERN_LOGIC_KERNEL] = tern_core_of(c)->kernel_copies * (9.0 * c->taps_d + kernel * c->kernel_w);
    if (c->prep > 1) /* the chain of sums, what is held, products (rtl/core/tern_taps.v) */
        out[TERN_LOGIC_KERNEL] +=
            (c->lags_w < c->taps_d ? c->lags_w : c->taps_d) * (c->kernel_w + 21.0) + 40.0 * c->prep;
    out[TERN_LOGIC_LANE_SUM] = lanes * kernel * c->delta_w;
    out[TERN_LOGIC_LANE_TRACE] = lanes * c->ways * c->taps_d * c->x_w;
    out[TERN_LOGIC_LANE] = lanes * (c->delta_w + c->acc_w + c->hist_w + 2.0 * c->weight_w + 32.0 +
                                    (c->ways - 1.0) * (c->x_w + 17.0 + c->hist_w + 32.0));
    out[TERN_LOGIC_MULTIPLIERS] = partial_products(t, c);
    out[TERN_LOGIC_REGISTERS] = registers;
    out[TERN_LOGIC_SMALL_RAMS] = small;
    out[TERN_LOGIC_SIGNALS] = c->signals != 0;
    out[TERN_LOGIC_BASELINES] = c->baselines != 0;
    out[TERN_LOGIC_WTA] = c->wta != 0;
    out[TERN_LOGIC_CLASSES] = c->classes != 0;
}

uint64_t tern_logic_cells(const tern_target *t, const tern_capacity *c)
{
    double sizes[TERN_LOGIC_PARTS], sum = 0;
    const tern_logic_row *r = find(t->family, tern_core_of(c));
    if (r == NULL) return 0;
    tern_logic_sizes(t, c, sizes);
    for (unsigned k = 0; k < TERN_LOGIC_PARTS; ++k) sum += r->cells[k] * sizes[k];
    return (uint64_t)(sum + 0.5);
}

uint64_t tern_logic_small_rams(const tern_target *t, uint64_t n)
{
    const tern_logic_row *r = find(t->family, &tern_core_large_ops);
    return r != NULL ? (uint64_t)(r->cells[TERN_LOGIC_SMALL_RAMS] * (double)n + 0.5) : 0;
}

double tern_logic_error(tern_family family, const tern_capacity *core)
{
    const tern_logic_row *r = find(family, tern_core_of(core));
    return r != NULL ? r->error : 0;
}
