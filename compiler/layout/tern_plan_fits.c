/* tern_plan_fits.c : does a plan fit a core
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_cores.h"
#include "tern_layout_internal.h"

enum { E_FIT = 501 };

/* Can there be a core of the capacities that it reports? */
static bool possible(const tern_capacity *core, tern_diags *diags)
{
    tern_core_limit limits[TERN_CORE_LIMITS];
    const size_t n = tern_core_of(core)->limits(core, limits);
    bool good = true;
    for (size_t i = 0; i < n; ++i)
        if (limits[i].need > limits[i].most) {
            tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, E_FIT, NULL, 0, limits[i].capacity,
                                          "the core reports %.0f, a %s has at most %.0f", limits[i].need,
                                          tern_core_of(core)->noun, limits[i].most),
                           "configure the board with a core of this version");
            good = false;
        }
    return good;
}

tern_status tern_plan_fits(const tern_plan *plan, const tern_capacity *core, tern_diags *diags)
{
    const tern_capacity *n = &plan->need;
    const tern_core_ops *ops = tern_core_of(core);
    const uint32_t extra = ops->extra_rows(plan), counted = tern_core_of(n)->extra_rows(plan);
    char learn[160] = "";
    if (n->kernel_w > core->kernel_w || n->delta_w > core->delta_w)
        tern__learn_cure(plan, core->kernel_w, core->delta_w, ops->coefficients_most,
                         "this needs a core with wider sums", learn, sizeof learn);
    const struct {
        const char *name, *cure;
        uint32_t need, have;
    } rows[] = {
        { "weight bits", "use formats.weight with fewer bits", n->weight_w, core->weight_w },
        { "samples", "use fewer samples", n->samples, core->samples },
        { "neurons", "use fewer neurons", n->neurons, core->neurons },
        { "neuron-sample pairs", "use fewer neurons or samples", n->pairs, core->pairs },
        { "error words", "use fewer neurons, samples or lags", n->errors, core->errors },
        { "filter taps D", "use shorter filters", n->taps_d, core->taps_d },
        { "learning lags W", "use a smaller kappa or formats.lags", n->lags_w, core->lags_w },
        { "history bits D + W", "use shorter filters or formats.lags", n->hist_w, core->hist_w },
        { "filters", "use fewer filters", n->filters, core->filters },
        { "row descriptors", "use fewer filters or denser projections",
          n->rows + (extra > counted ? extra - counted : 0), core->rows },
        { "weight words", "use fewer synapses", n->words, core->words },
        { "history words", "use fewer inputs, neurons or samples", n->hist_words, core->hist_words },
        { "target words", "use fewer visible neurons", n->targets, core->targets },
        { "trace bits", "use filters with smaller taps", n->x_w, core->x_w },
        { "kernel bits", learn, n->kernel_w, core->kernel_w },
        { "weight change bits", learn, n->delta_w, core->delta_w },
        { "sum bits", "use fewer synapses per neuron, or formats.weight with fewer integer bits", n->acc_w,
          core->acc_w },
        { "dither bits", "use weights with more fraction bits", n->dither_max, core->dither_max },
        { "dither index bits", "use fewer synapses per neuron", n->index_w, core->index_w },
        { "rules other than GEM", "use tern.gem, or a core with SIGNALS = 1", n->signals, core->signals },
        { "neurons with a baseline", "use baseline = \"none\", or fewer hidden neurons", n->baselines,
          core->baselines },
        { "members of a WTA circuit", "use smaller circuits, or neurons without", n->wta, core->wta },
        { "history words of a way", "use fewer neurons or samples", n->way_words, core->way_words },
        { "classes", "use fewer classes", ops->counts_votes ? n->classes : 0,
          core->classes }, /* else the host counts */
    };
    /* its other limits are those of its capacities, below */
    bool fits = ops->network_limits(plan, diags);
    if (!possible(core, diags)) fits = false;
    if (plan->lanes != core->lanes) {
        tern_diags_add(diags, TERN_SEV_ERROR, E_FIT, NULL, 0, "lanes", "the plan is for %u lanes, the core has %u",
                       plan->lanes, core->lanes);
        fits = false;
    }
    if (n->ways != core->ways) {
        tern_diags_add(diags, TERN_SEV_ERROR, E_FIT, NULL, 0, "ways",
                       "the plan is for %u samples per cycle, the core has %u", n->ways, core->ways);
        fits = false;
    }
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) /* that core has a line of its own for weights */
        if (rows[i].need > rows[i].have && !(i == 0 && ops->exact_weights)) {
            tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, E_FIT, NULL, 0, rows[i].name,
                                          "the network needs %u, the core has %u", rows[i].need, rows[i].have),
                           "%s", rows[i].cure);
            fits = false;
        }
    if (ops->exact_weights && n->weight_w != core->weight_w) {
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, E_FIT, NULL, 0, "weight bits",
                                      "the network has weights of %u bits, this core has exactly %u", n->weight_w,
                                      core->weight_w),
                       "use formats.weight with %u bits", core->weight_w);
        fits = false;
    }
    if (n->dither_min < core->dither_min) {
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, E_FIT, NULL, 0, "dither bits",
                                      "the network uses %u, the core's least is %u", n->dither_min, core->dither_min),
                       "use weights with fewer fraction bits, or a smaller eta");
        fits = false;
    }
    return fits ? TERN_OK : TERN_ERR_FIT;
}
