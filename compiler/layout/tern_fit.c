/* tern_fit.c : does a core for this network fit a device, and which changes would make it fit
 * SPDX-License-Identifier: Apache-2.0
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "tern_cores.h"
#include "tern_costs.h"
#include "tern_logic.h"

enum { E_RAMS = 510, E_CELLS = 511, W_DSP = 512, E_ESTIMATE = 513, E_SPRAMS = 515, E_WAYS = 505, E_PREP = 506 };

typedef struct needs {
    uint64_t rams, sprams, lut_rams, registers, estimate;
    uint64_t small_memories; /* as in tern_fit */
    bool small_buffers;
} needs;

/* One memory, or the link's buffers: blocks of RAM that it needs, and RAMs of 16 x 4 bits that would do as well. */
typedef struct candidate {
    uint64_t rams, small;
    uint64_t bit; /* of small_memories; 0: the buffers */
} candidate;

/* What a block may cost: one of the link's buffers takes this many, with their multiplexers about 500 logic cells. */
enum { SMALL_RAMS_A_BLOCK = 64, SMALL_RAM_WORDS = 16, SMALL_RAM_BITS = 4 };

static uint64_t small_rams(const tern_memory *m)
{
    return (uint64_t)((m->depth + SMALL_RAM_WORDS - 1u) / SMALL_RAM_WORDS) *
           ((m->width + SMALL_RAM_BITS - 1u) / SMALL_RAM_BITS);
}

/* Where block RAMs are short on an ECP5: the memories for which a block is cheapest in small RAMs, one after the other,
 * until the rest fits; none of them if that is not enough. Of those, the ones that need not be are left out again. */
static void make_small(const tern_target *t, const candidate *list, size_t n, needs *out)
{
    bool taken[TERN_CORE_MEMORIES + 1u] = { false };
    uint64_t rams = out->rams, small = 0;
    while (rams > t->rams) {
        size_t best = n;
        for (size_t i = 0; i < n; ++i)
            if (!taken[i] && list[i].rams != 0 && list[i].small <= SMALL_RAMS_A_BLOCK * list[i].rams &&
                (best == n || list[i].small * list[best].rams < list[best].small * list[i].rams))
                best = i;
        if (best == n) return;
        taken[best] = true;
        rams -= list[best].rams;
    }
    for (size_t i = 0; i < n; ++i) {
        if (!taken[i]) continue;
        if (rams + list[i].rams <= t->rams) {
            rams += list[i].rams;
            continue;
        }
        small += list[i].small;
        out->small_memories |= list[i].bit;
        if (list[i].bit == 0) out->small_buffers = true;
    }
    out->rams = rams;
    out->lut_rams += small;
    out->estimate += tern_logic_small_rams(t, small);
}

static needs count(const tern_target *t, const tern_capacity *c)
{
    _Static_assert(TERN_CORE_MEMORIES <= 64, "a bit for each memory");
    tern_memory list[TERN_CORE_MEMORIES];
    candidate candidates[TERN_CORE_MEMORIES + 1u];
    const size_t n = tern_core_memories(c, list);
    needs out = { .estimate = tern_logic_cells(t, c) };
    for (size_t i = 0; i < n; ++i) {
        tern_memory_use use;
        tern_memory_map(t->family, &list[i], &use);
        out.rams += (uint64_t)list[i].copies * use.rams;
        out.sprams += use.sprams;
        out.lut_rams += (uint64_t)list[i].copies * use.lut_rams;
        out.registers += list[i].copies * use.registers;
        candidates[i] = (candidate){ .rams = list[i].registers == 0 ? (uint64_t)list[i].copies * use.rams : 0,
                                     .small = list[i].copies * small_rams(&list[i]),
                                     .bit = (uint64_t)1 << i };
    }
    const tern_memory buffer = { "link", "", 8, 512, 0, false, "", 1 };
    tern_memory_use link; /* of each of its two buffers, in and out */
    tern_memory_map(t->family, &buffer, &link);
    out.rams += 2u * link.rams;
    out.lut_rams += 2u * link.lut_rams;
    out.registers += tern_core_of(c)->registers(c);
    candidates[n] = (candidate){ .rams = 2u * link.rams, .small = 2u * small_rams(&buffer) };
    if (t->family == TERN_FAMILY_ECP5) make_small(t, candidates, n + 1u, &out);
    return out;
}

/* Cells that are certain; a small RAM takes two. */
static uint64_t cells(const needs *n) { return n->registers + 2u * n->lut_rams; }

static bool enough(const tern_target *t, const needs *n)
{
    return t->family == TERN_FAMILY_SIM ||
           (n->rams <= t->rams && n->sprams <= t->sprams && cells(n) <= t->cells && n->estimate <= t->cells);
}

static bool fits(const tern_target *t, tern_capacity c)
{
    const needs n = count(t, &c);
    return enough(t, &n);
}

/* ---- ways ---------------------------------------------------------------------------------- */

static const double ROOM = 5.0 / 6.0; /* of the logic: what is fuller is hard to route */

/* Traces of all lanes and ways that are chosen without being asked for. Each has wires from the taps, the histories and
 * the weights: 16 lanes with 5 ways were not routed on the largest ECP5, with a half of its logic free
 * (docs/37-synthesis.md). */
enum { TRACES_CHOSEN = 32 };

static bool has_room(const tern_target *t, const tern_capacity *c)
{
    const needs n = count(t, c);
    return enough(t, &n) && (double)n.estimate <= ROOM * t->cells && tern_core_multipliers(t->family, c) <= t->dsps;
}

/* Values that wait in registers where several products are made per cycle: the fewer of taps and lags. */
static uint32_t held_values(const tern_plan *p)
{
    return p->net->lags_w < p->net->taps_d ? p->net->lags_w : p->net->taps_d;
}

static uint64_t learning_cycles(const tern_plan *p) { return tern_costs_step(p, true); }
static uint64_t inference_cycles(const tern_plan *p) { return tern_costs_step(p, false); }

/* More products, as long as they pay. Returns the cycles. */
static uint64_t choose_prep(const tern_target *t, tern_plan *plan)
{
    uint64_t least = learning_cycles(plan);
    uint32_t prep = plan->need.prep;
    const uint32_t held = held_values(plan);
    for (uint32_t p = 2; p <= held; ++p) {
        if ((held + p - 1u) / p == (held + p - 2u) / (p - 1u)) continue; /* no block less */
        tern_plan_use_prep(plan, p);
        if (!has_room(t, &plan->need)) continue;
        const uint64_t cycles = learning_cycles(plan);
        if (20u * cycles > 19u * least) continue;
        least = cycles;
        prep = p;
    }
    tern_plan_use_prep(plan, prep);
    return least;
}

/* More ways, as long as they pay. */
static void choose_ways(const tern_target *t, tern_plan *plan)
{
    uint64_t least = learning_cycles(plan);
    uint32_t ways = plan->need.ways, slots = tern_plan_slots(plan);
    for (uint32_t w = 2; w <= plan->n_samples && w <= TERN_WAYS_MOST; ++w) {
        if (w * plan->need.lanes > TRACES_CHOSEN) break;
        tern_plan_use_ways(plan, w);
        if (tern_plan_slots(plan) == slots || !has_room(t, &plan->need)) continue; /* no group of samples less */
        slots = tern_plan_slots(plan);
        const uint64_t cycles = learning_cycles(plan);
        if (20u * cycles > 19u * least) continue;
        least = cycles;
        ways = w;
    }
    tern_plan_use_ways(plan, ways);
}

/* Traces with more ways and products; or, with one way, a kernel for each sample and more products: if that pays, and
 * inference, which gains by ways alone, does not lose more than learning gains. */
static void choose(const tern_target *t, const tern_parallel *wanted, tern_plan *plan)
{
    uint64_t least = UINT64_MAX, inference = 0;
    uint32_t ways = 1, prep = plan->need.prep;
    if (wanted->form != TERN_FORM_KERNEL) {
        if (wanted->ways == 0 && plan->reads_neurons) choose_ways(t, plan);
        least = wanted->prep == 0 ? choose_prep(t, plan) : learning_cycles(plan);
        if (wanted->form == TERN_FORM_TRACE || wanted->ways > 1 || !plan->reads_neurons) return;
        inference = inference_cycles(plan);
        ways = plan->need.ways;
        prep = plan->need.prep;
    }
    tern_plan_use_ways(plan, 1);
    tern_plan_use_kernels(plan, true);
    tern_plan_use_prep(plan, wanted->prep != 0 ? wanted->prep : 1u);
    const uint64_t cycles = wanted->prep == 0 ? choose_prep(t, plan) : learning_cycles(plan);
    if (wanted->form == TERN_FORM_KERNEL) return;
    if (cycles <= least - least / 20u && has_room(t, &plan->need) &&
        inference_cycles(plan) < inference + (least - cycles))
        return;
    tern_plan_use_kernels(plan, false);
    tern_plan_use_ways(plan, ways);
    tern_plan_use_prep(plan, prep);
}

tern_form tern_form_find(const char *name)
{
    return name == NULL || strcmp(name, "auto") == 0 ? TERN_FORM_AUTO
           : strcmp(name, "trace") == 0              ? TERN_FORM_TRACE
                                                     : TERN_FORM_KERNEL;
}

/* The small core has none of this. */
static tern_status refuse_small(const tern_parallel *wanted, tern_diags *diags)
{
    if (diags == NULL || (wanted->ways <= 1 && wanted->prep <= 1 && wanted->form != TERN_FORM_KERNEL))
        return TERN_OK; /* NULL: one of many devices */
    tern_diag *d =
        wanted->form == TERN_FORM_KERNEL
            ? tern_diags_add(diags, TERN_SEV_ERROR, E_WAYS, NULL, 0, "--form",
                             "a kernel for each sample is asked for; the small core has none, so this has no effect")
            : tern_diags_add(diags, TERN_SEV_ERROR, wanted->ways > 1 ? E_WAYS : E_PREP, NULL, 0,
                             wanted->ways > 1 ? "--ways" : "--prep",
                             "%u %s per cycle are asked for; the small core makes one, so this has no effect",
                             wanted->ways > 1 ? wanted->ways : wanted->prep, wanted->ways > 1 ? "samples" : "products");
    tern_diag_hint(d, "omit it, or choose --core large");
    return TERN_ERR_ARGUMENT;
}

tern_status tern_target_ways(const tern_target *t, const tern_parallel *wanted, tern_plan *plan, tern_diags *diags)
{
    const uint32_t ways = wanted->ways, prep = wanted->prep;
    if (!tern_core_of(&plan->need)->parallel) return refuse_small(wanted, diags);
    if (ways > plan->n_samples || ways > TERN_WAYS_MOST) {
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, E_WAYS, NULL, 0, "--ways",
                                      "%u samples per cycle are asked for, the network has %u", ways, plan->n_samples),
                       "1 to the number of samples, at most %u; 0: what suits the device", TERN_WAYS_MOST);
        return TERN_ERR_ARGUMENT;
    }
    if (wanted->form == TERN_FORM_KERNEL && !plan->reads_neurons) {
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, E_WAYS, NULL, 0, "--form",
                                      "a kernel for each sample is asked for; no row of the network reads neurons, so "
                                      "this has no effect"),
                       "omit it");
        return TERN_ERR_ARGUMENT;
    }
    if (ways > 1 && wanted->form == TERN_FORM_KERNEL) {
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, E_WAYS, NULL, 0, "--form",
                                      "a kernel for each sample takes one sample per cycle, %u are asked for", ways),
                       "omit --ways, or use --form trace");
        return TERN_ERR_ARGUMENT;
    }
    if (prep > held_values(plan)) {
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, E_PREP, NULL, 0, "--prep",
                                      "%u products per cycle are asked for, the network has %u taps and %u lags", prep,
                                      plan->net->taps_d, plan->net->lags_w),
                       "1 to the smaller of the two; 0: what suits the device");
        return TERN_ERR_ARGUMENT;
    }
    tern_plan_use_ways(plan, ways != 0 ? ways : 1u);
    tern_plan_use_prep(plan, prep != 0 ? prep : 1u);
    tern_plan_use_kernels(plan, wanted->form == TERN_FORM_KERNEL);
    if (t != NULL && t->family != TERN_FAMILY_SIM) choose(t, wanted, plan);
    return TERN_OK;
}

/* ---- changes: what a capacity becomes (proved widths are kept: they only get smaller) ------ */

static tern_capacity with_samples(const tern_plan *p, tern_capacity c, uint32_t samples)
{
    c.samples = samples;
    c.pairs = p->net->n_neurons * samples;
    c.errors = c.pairs * c.lags_w;
    const uint32_t ways = c.ways < samples ? c.ways : samples;
    c.ways = ways;
    c.hist_words = p->input_groups + p->neuron_groups * ((samples + ways - 1u) / ways);
    c.way_words = ways > 1 ? p->neuron_groups * ((samples + ways - 1u) / ways) : 1u;
    return c;
}

static tern_capacity with_lags(tern_capacity c, uint32_t lags)
{
    if (c.prep > lags) c.prep = lags;
    c.lags_w = lags;
    c.hist_w = c.taps_d + lags;
    c.errors = c.pairs * lags;
    return c;
}

/* Filters that rows use, ascending; filters of self-memories alone are not among them. */
static uint32_t row_filters(const tern_plan *p, uint8_t out[TERN_MAX_FILTERS])
{
    bool used[256] = { false };
    uint32_t n = 0;
    for (uint32_t r = 0; r < p->n_rows; ++r)
        if (p->rows[r].row != UINT32_MAX) used[p->rows[r].filter] = true;
    for (unsigned f = 0; f < TERN_MAX_FILTERS; ++f)
        if (used[f]) out[n++] = (uint8_t)f;
    return n;
}

/* Without the rows of filters above `last`; the filters themselves stay, self-memories may use them. */
static tern_capacity with_filters(const tern_plan *p, tern_capacity c, uint32_t last)
{
    uint32_t words = 0, rows = 0;
    for (uint32_t r = 0; r < p->n_rows; ++r) {
        const tern_plan_row *row = &p->rows[r];
        if (row->row != UINT32_MAX && row->filter > last) continue;
        ++rows;
        if (row->row != UINT32_MAX) words += row->words;
    }
    c.words = words > 0 ? words : 1;
    c.rows = rows > 0 ? rows : 1;
    return c;
}

static void add_cure(tern_fit *f, const char *fmt, ...) TERN_PRINTF(2, 3);
static void add_cure(tern_fit *f, const char *fmt, ...)
{
    if (f->n_cures == TERN_FIT_CURES) return;
    va_list args;
    va_start(args, fmt);
    vsnprintf(f->cures[f->n_cures++], sizeof f->cures[0], fmt, args);
    va_end(args);
}

static void single_cures(const tern_target *t, const tern_plan *const plans[6], uint32_t lane_shift, tern_fit *f)
{
    const tern_plan *p = plans[lane_shift];
    const tern_capacity *c = &p->need;
    /* The planner's own choice has room. So if there is none, these were asked for. */
    const bool asked = c->ways > 1 || c->prep > 1 || c->kernels != 0;
    const char *const plainly = asked ? " without --ways, --prep and --form" : ""; /* the small core refuses them */
    for (uint32_t away = 1; away < 6; ++away) { /* the nearest number of lanes, fewer first */
        const uint32_t near[2] = { lane_shift - away, lane_shift + away };
        const size_t before = f->n_cures;
        for (unsigned i = 0; i < 2 && f->n_cures == before; ++i)
            if (near[i] < 6 && plans[near[i]] != NULL && fits(t, plans[near[i]]->need))
                add_cure(f, "--lanes %u%s", 1u << near[i],
                         tern_core_of(&plans[near[i]]->need)->parallel ? "" : plainly);
        if (f->n_cures != before) break;
    }
    if (asked) {
        tern_plan plain = *p;
        tern_plan_use_kernels(&plain, false);
        tern_plan_use_ways(&plain, 1);
        tern_plan_use_prep(&plain, 1);
        if (fits(t, plain.need)) add_cure(f, "--ways 1 --prep 1 --form trace");
    }
    for (uint32_t bits = c->weight_w - 1u; bits >= 4; --bits) {
        tern_capacity less = *c;
        less.weight_w = bits;
        if (!fits(t, less)) continue;
        add_cure(f, "weights of %u bits instead of %u (formats.weight)", bits, c->weight_w);
        break;
    }
    uint8_t used[TERN_MAX_FILTERS];
    const uint32_t filters = row_filters(p, used);
    for (uint32_t n = filters; n-- > 1;)
        if (fits(t, with_filters(p, *c, used[n - 1]))) {
            add_cure(f, "%u instead of %u filters in the projections", n, filters);
            break;
        }
    /* not fewer samples than --ways asks for, not fewer lags than --prep */
    for (uint32_t k = c->samples - 1u; k >= 1 && k >= c->ways; --k)
        if (fits(t, with_samples(p, *c, k))) {
            add_cure(f, "%u sample%s instead of %u (rule.samples)", k, k > 1 ? "s" : "", c->samples);
            break;
        }
    for (uint32_t w = c->lags_w - 1u; w >= 1 && w >= c->prep; --w)
        if (fits(t, with_lags(*c, w))) {
            add_cure(f, "a learning window of %u lag%s instead of %u (formats.lags)", w, w > 1 ? "s" : "", c->lags_w);
            break;
        }
    if (c->small == TERN_CORE_KIND_LARGE) /* the small core, with the most lanes */
        for (uint32_t i = 6; i-- > 0;) {
            /* with automatic choice that is the cure above */
            if (plans[i] == NULL || plans[i]->need.small != TERN_CORE_KIND_LARGE) continue;
            tern_plan small = *plans[i];
            if (tern_target_core(t, TERN_CORE_SMALL, &small, NULL) != TERN_OK || !fits(t, small.need)) continue;
            add_cure(f, "--core small --lanes %u%s", 1u << i, plainly);
            break;
        }
    tern_capacity less = *c;
    less.words = 1;
    if (fits(t, less)) {
        uint32_t good = 1, bad = c->words;
        while (bad - good > 1) {
            less.words = good + (bad - good) / 2;
            if (fits(t, less)) good = less.words;
            else bad = less.words;
        }
        add_cure(f, "at most %llu weights, gaps included, instead of %llu (tern.window, tern.random)",
                 (unsigned long long)good * c->lanes, (unsigned long long)c->words * c->lanes);
    }
}

/* Several changes at once: as many weight bits as possible, then samples, then lags. */
static void combined_cure(const tern_target *t, const tern_plan *const plans[6], uint32_t lane_shift, tern_fit *f)
{
    const tern_capacity *from = &plans[lane_shift]->need;
    for (uint32_t bits = from->weight_w; bits >= 4; --bits)
        for (uint32_t k = from->samples; k >= 1; k = k > 1 ? (k + 1) / 2 : 0)
            for (uint32_t w = from->lags_w; w >= 1; w = w > 1 ? (w + 1) / 2 : 0)
                for (uint32_t i = 0; i < 6; ++i) {
                    if (plans[i] == NULL) continue;
                    tern_capacity c = with_lags(with_samples(plans[i], plans[i]->need, k), w);
                    c.weight_w = bits;
                    if (!fits(t, c)) continue;
                    add_cure(f, "all of --lanes %u, weights of %u bits, %u samples, %u lags", 1u << i, bits, k, w);
                    return;
                }
}

static void compare(const tern_target *target, const tern_capacity *c, tern_fit *out)
{
    const needs n = count(target, c);
    memset(out, 0, sizeof *out);
    out->target = target;
    out->core = tern_core_of(c);
    out->error = tern_logic_error(target->family, c);
    out->rams = n.rams;
    out->sprams = n.sprams;
    out->lut_rams = n.lut_rams;
    out->small_memories = n.small_memories;
    out->small_buffers = n.small_buffers;
    out->registers_least = n.registers;
    out->multipliers = tern_core_multipliers(target->family, c);
    out->cells = n.estimate;
    out->fits = enough(target, &n);
    if (out->fits) return;
    out->rams_short = n.rams > target->rams;
    out->sprams_short = n.sprams > target->sprams;
    out->registers_short = cells(&n) > target->cells;
    out->cells_short = !out->registers_short && n.estimate > target->cells;
}

void tern_target_fit_core(const tern_target *target, const tern_capacity *core, tern_fit *out)
{
    compare(target, core, out);
    out->resident = true;
}

void tern_target_fit(const tern_target *target, const tern_plan *const plans[6], uint32_t lane_shift, tern_fit *out)
{
    const tern_capacity *c = &plans[lane_shift]->need;
    compare(target, c, out);
    if (out->fits) return;
    single_cures(target, plans, lane_shift, out);
    if (out->n_cures == 0) combined_cure(target, plans, lane_shift, out);
    for (size_t i = 0; i + 1 < TERN_TARGETS; ++i)
        if (fits(&tern_targets[i], *c)) {
            add_cure(out, "the device %s", tern_targets[i].name);
            break;
        }
}

static void hint_cures(tern_diag *g, const tern_fit *f)
{
    char text[TERN_FIT_CURES * 126] = "";
    for (size_t i = 0; i < f->n_cures; ++i)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", i > 0 ? "; or " : "", f->cures[i]);
    if (f->resident) tern_diag_hint(g, "use smaller capacities");
    else if (f->n_cures != 0) tern_diag_hint(g, "it fits with %s", text);
    else
        tern_diag_hint(
            g,
            "no change of lanes, weight bits, samples or lags makes it fit; use a smaller network or another device");
}

tern_status tern_target_report(const tern_fit *f, tern_diags *diags)
{
    const tern_target *t = f->target;
    const char *what = f->resident ? "the core needs" : "the network needs";
    if (f->rams_short)
        hint_cures(
            tern_diags_add(
                diags, TERN_SEV_ERROR, E_RAMS, NULL, 0, t->name, "%s %llu block RAMs of %u bits, %s has %u%s", what,
                (unsigned long long)f->rams, t->ram_bits, t->text, t->rams,
                t->sprams != 0 && !f->core->single_port ? " (only the small core uses its single-port RAM)" : ""),
            f);
    if (f->sprams_short)
        hint_cures(tern_diags_add(diags, TERN_SEV_ERROR, E_SPRAMS, NULL, 0, t->name,
                                  "%s %llu single-port RAMs of 16384 words of 16 bits for weights, %s has %u", what,
                                  (unsigned long long)f->sprams, t->text, t->sprams),
                   f);
    if (f->registers_short)
        hint_cures(
            tern_diags_add(diags, TERN_SEV_ERROR, E_CELLS, NULL, 0, t->name,
                           "%s at least %llu logic cells for what is kept in registers and small RAMs, %s has %u", what,
                           (unsigned long long)(f->registers_least + 2u * f->lut_rams), t->text, t->cells),
            f);
    if (f->cells_short)
        hint_cures(tern_diags_add(diags, TERN_SEV_ERROR, E_ESTIMATE, NULL, 0, t->name,
                                  "%s about %llu logic cells (estimated, +-%.0f %%), %s has %u", what,
                                  (unsigned long long)f->cells, ceil(100.0 * f->error), t->text, t->cells),
                   f);
    if (f->fits && t->family != TERN_FAMILY_SIM && f->multipliers > t->dsps)
        tern_diag_hint(
            tern_diags_add(diags, TERN_SEV_WARNING, W_DSP, NULL, 0, t->name,
                           "the core has %u multipliers, %s has %u multiplier blocks; the others take logic cells",
                           f->multipliers, t->text, t->dsps),
            "use fewer lanes");
    return f->fits ? TERN_OK : TERN_ERR_FIT;
}
