/* tern_lockstep.c : see tern_lockstep.h
 * SPDX-License-Identifier: Apache-2.0
 *
 * Both sides report the same records (docs/32-records.md). The core's engines run side by side, so its events arrive as
 * streams per kind, each in order; they are merged into the order of the specification, neuron by neuron, before they
 * are compared and added to the digest.
 */
#include "tern_lockstep.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "tern_link.h"

enum { E_VERSION = 612, E_ENDED = 616 };

typedef struct stream {
    tern_record *list;
    size_t n, room;
    bool failed;
} stream;

/* Cycles of a step or flush: as predicted, and the range that is possible. */
typedef struct prediction {
    uint64_t cycles;
    tern_cycle_range range;
} prediction;

struct tern_lockstep {
    const tern_plan *plan;
    tern_plan own_plan; /* with the cycles of the core that is there */
    tern_state *st;
    const tern_dut *dut;
    void *core;
    tern_lockstep_report report;
    tern_capacity have;
    const tern_core_ops *ops;                     /* of the core that is there */
    tern_record_sink sink;                        /* golden records of the step */
    stream golden, rtl;                           /* in order of the specification */
    stream local, weight, neuron, last, baseline; /* the core's streams: B and S, W, N, V and M, A */
    tern_vote *vote;                              /* golden class counters, or NULL */
    uint32_t *word_row;                           /* [plan.n_words] row of the plan */
    tern_lockstep_counts counts;
    prediction predictions[2][2][2][2]; /* pending, potential, learn, clamp; 0: not counted yet */
    uint64_t busy_cycles;               /* of the last step or flush */
};

static void push(stream *s, const tern_record *r)
{
    if (s->n == s->room) {
        const size_t room = s->room == 0 ? 1024 : s->room * 2;
        tern_record *list = realloc(s->list, room * sizeof *list);
        if (list == NULL) {
            s->failed = true;
            return;
        }
        s->list = list;
        s->room = room;
    }
    s->list[s->n++] = *r;
}

static void put_golden(tern_record_sink *self, const tern_record *r)
{
    tern_lockstep *ls = (tern_lockstep *)((char *)self - offsetof(tern_lockstep, sink));
    push(&ls->golden, r);
}

/* ---- the core's events ---------------------------------------------------------- */

static void on_event(void *ud, const tern_dut_event *e)
{
    tern_lockstep *ls = ud;
    const tern_net *n = ls->plan->net;
    tern_record r = { .step = ls->st->step, .flags = e->flags, .a = e->a, .b = e->b, .draw = e->draw };
    switch (e->kind) {
    case TERN_DUT_WEIGHT: {
        r.kind = TERN_REC_W;
        r.index = UINT32_MAX; /* a word or lane that holds no synapse */
        if (e->index < ls->plan->n_words) {
            const tern_plan_row *row = &ls->plan->rows[ls->word_row[e->index]];
            const tern_row *nr = &n->rows[row->row];
            const uint32_t pos =
                (nr->first & ~(ls->plan->lanes - 1u)) + ((e->index - row->word) << ls->plan->lane_shift) + e->sub;
            if (pos >= nr->first && pos < nr->first + nr->count) r.index = nr->weight + pos - nr->first;
        }
        push(&ls->weight, &r);
        break;
    }
    case TERN_DUT_BIAS:
    case TERN_DUT_SELF:
        r.kind = e->kind == TERN_DUT_BIAS ? TERN_REC_B : TERN_REC_S;
        r.index = e->index;
        push(&ls->local, &r);
        break;
    case TERN_DUT_NEURON:
        r.kind = TERN_REC_N;
        r.index = e->index;
        r.sample = e->sub;
        push(&ls->neuron, &r);
        break;
    case TERN_DUT_BASELINE:
        r.kind = TERN_REC_A;
        r.index = e->index;
        push(&ls->baseline, &r);
        break;
    default:
        r.kind = e->kind == TERN_DUT_LOGPROB ? TERN_REC_V : TERN_REC_M;
        r.sample = e->sub;
        push(&ls->last, &r);
        break;
    }
}

/* Neuron of a weight index: rows of the network in order, weights in order of rows. */
static uint32_t neuron_of_weight(const tern_net *n, uint32_t index)
{
    uint32_t lo = 0, hi = n->n_neurons;
    while (hi - lo > 1) {
        const uint32_t mid = (lo + hi) / 2, row = n->neurons[mid].row0;
        if (row < n->n_rows && n->rows[row].weight <= index) lo = mid;
        else hi = mid;
    }
    return lo;
}

static int by_index(const void *a, const void *b)
{
    const uint32_t x = ((const tern_record *)a)->index, y = ((const tern_record *)b)->index;
    return (x > y) - (x < y);
}

enum { RUNS_MAX = 32 };

/* The weights of a neuron, which the core changes row by row, in an order that the planner has chosen
 * (compiler/layout/tern_plan.c): each row is in order, so rows are taken by their first weight. Whatever does not come
 * in such rows is sorted weight by weight. */
static void push_weights(stream *to, tern_record *list, size_t n)
{
    struct run {
        const tern_record *first, *last;
    } runs[RUNS_MAX];
    size_t n_runs = 0;
    bool apart = true;
    for (size_t i = 0; i < n && apart; ++i) {
        if (i > 0 && list[i - 1].index <= list[i].index) runs[n_runs - 1].last = list + i;
        else if (n_runs == RUNS_MAX) apart = false;
        else runs[n_runs++] = (struct run){ list + i, list + i };
    }
    for (size_t i = 1; i < n_runs; ++i)
        for (size_t at = i; at > 0 && runs[at - 1].first->index > runs[at].first->index; --at) {
            const struct run other = runs[at];
            runs[at] = runs[at - 1];
            runs[at - 1] = other;
        }
    for (size_t i = 1; i < n_runs; ++i) apart = apart && runs[i - 1].last->index < runs[i].first->index;
    if (!apart) {
        qsort(list, n, sizeof *list, by_index);
        for (size_t i = 0; i < n; ++i) push(to, list + i);
        return;
    }
    for (size_t i = 0; i < n_runs; ++i)
        for (const tern_record *r = runs[i].first; r <= runs[i].last; ++r) push(to, r);
}

static void merge(tern_lockstep *ls)
{
    const tern_net *n = ls->plan->net;
    size_t l = 0, w = 0, f = 0, a = 0;
    ls->rtl.n = 0;
    for (uint32_t i = 0; i < n->n_neurons; ++i) {
        while (a < ls->baseline.n && ls->baseline.list[a].index == i) push(&ls->rtl, &ls->baseline.list[a++]);
        while (l < ls->local.n && ls->local.list[l].index == i) push(&ls->rtl, &ls->local.list[l++]);
        const size_t w0 = w;
        while (w < ls->weight.n && ls->weight.list[w].index != UINT32_MAX &&
               neuron_of_weight(n, ls->weight.list[w].index) == i)
            ++w;
        push_weights(&ls->rtl, ls->weight.list + w0, w - w0);
        const tern_neuron *u = &n->neurons[i];
        if (u->wta_index + 1u < u->wta_size) continue; /* members of a circuit report with its last one */
        const uint32_t first = i - u->wta_index;
        while (f < ls->neuron.n && ls->neuron.list[f].index >= first && ls->neuron.list[f].index <= i)
            push(&ls->rtl, &ls->neuron.list[f++]);
    }
    /* whatever is out of order comes last, so that it shows */
    while (a < ls->baseline.n) push(&ls->rtl, &ls->baseline.list[a++]);
    while (l < ls->local.n) push(&ls->rtl, &ls->local.list[l++]);
    while (w < ls->weight.n) push(&ls->rtl, &ls->weight.list[w++]);
    while (f < ls->neuron.n) push(&ls->rtl, &ls->neuron.list[f++]);
    for (size_t i = 0; i < ls->last.n; ++i) push(&ls->rtl, &ls->last.list[i]);
    ls->local.n = ls->weight.n = ls->neuron.n = ls->last.n = ls->baseline.n = 0;
}

/* ---- comparing -------------------------------------------------------------------- */

static bool same(const tern_record *a, const tern_record *b)
{
    return a->step == b->step && a->kind == b->kind && a->flags == b->flags && a->sample == b->sample &&
           a->index == b->index && a->a == b->a && a->b == b->b && a->draw == b->draw;
}

static const char *verdict(const tern_record *c, const tern_record *rtl)
{
    if (c == NULL || rtl == NULL) return "one side has a record that the other does not have";
    if (c->kind != rtl->kind || c->index != rtl->index || c->sample != rtl->sample)
        return "the order of records differs: one side skipped or added one";
    if (c->kind == TERN_REC_N)
        return c->a != rtl->a         ? "the membrane potential differs (inputs or weights, upstream)"
               : c->draw != rtl->draw ? "the draw differs"
                                      : "same potential and draw: arithmetic differs";
    if (c->kind == TERN_REC_M)
        return c->b != rtl->b ? "the modulator differs (softmax over the log-probabilities, or 1/K)"
                              : "the learning signal differs";
    if (c->a != rtl->a) return "the value before differs (upstream)";
    if (c->kind == TERN_REC_A)
        return c->draw != rtl->draw ? "the weight of the average differs: averaged errors"
                                    : "same weight: learning signal or division differs";
    if (c->kind == TERN_REC_V) return "same value before: the step's loss or the discounting differs";
    if (c->draw != rtl->draw) return "the dither differs";
    return "same value before and same dither: the change (dw) or its arithmetic differs";
}

/* Where to put a difference that was found; NULL: it is not the first one, and only counted. */
static tern_difference *differ(tern_lockstep *ls, tern_difference_kind kind)
{
    if (ls->counts.differences++ != 0) return NULL;
    tern_difference *d = &ls->report.first;
    *d = (tern_difference){ .kind = kind, .step = ls->st->step };
    return d;
}

static void differ_record(tern_lockstep *ls, size_t at)
{
    tern_difference *d = differ(ls, TERN_DIFFERENCE_RECORD);
    if (d == NULL) return;
    const tern_net *n = ls->plan->net;
    const tern_record *c = at < ls->golden.n ? &ls->golden.list[at] : NULL,
                      *rtl = at < ls->rtl.n ? &ls->rtl.list[at] : NULL, *any = c != NULL ? c : rtl;
    d->step = any->step;
    d->number = ls->counts.records + at;
    d->has_golden = c != NULL;
    d->has_rtl = rtl != NULL;
    if (c != NULL) d->golden = *c;
    if (rtl != NULL) d->rtl = *rtl;
    d->verdict = verdict(c, rtl);
    d->neuron = any->kind == TERN_REC_W && any->index != UINT32_MAX ? neuron_of_weight(n, any->index) : UINT32_MAX;
    d->weight_bits = n->weight_bits;
    d->weight_frac = n->weight_frac;
    for (size_t i = at > TERN_DIFFERENCE_BEFORE ? at - TERN_DIFFERENCE_BEFORE : 0; i < at; ++i)
        d->before[d->n_before++] = ls->golden.list[i];
}

static void differ_value(tern_lockstep *ls, tern_difference_kind kind, const char *name, uint32_t at, uint64_t expected,
                         uint64_t found)
{
    tern_difference *d = differ(ls, kind);
    if (d == NULL) return;
    d->name = name;
    d->at = at;
    d->expected = expected;
    d->found = found;
}

static tern_status compare_records(tern_lockstep *ls)
{
    merge(ls);
    const size_t most = ls->golden.n > ls->rtl.n ? ls->golden.n : ls->rtl.n;
    for (size_t i = 0; i < most; ++i) {
        const bool equal = i < ls->golden.n && i < ls->rtl.n && same(&ls->golden.list[i], &ls->rtl.list[i]);
        const bool once = equal && ls->counts.digest_c == ls->counts.digest_rtl; /* both get the same value */
        if (i < ls->golden.n) ls->counts.digest_c = tern_digest_add(ls->counts.digest_c, &ls->golden.list[i]);
        if (once) ls->counts.digest_rtl = ls->counts.digest_c;
        else if (i < ls->rtl.n) ls->counts.digest_rtl = tern_digest_add(ls->counts.digest_rtl, &ls->rtl.list[i]);
        if (!equal) differ_record(ls, i);
    }
    ls->counts.records += most;
    ls->golden.n = 0;
    if (ls->golden.failed || ls->rtl.failed || ls->weight.failed || ls->local.failed || ls->neuron.failed ||
        ls->last.failed || ls->baseline.failed)
        return TERN_ERR_MEMORY;
    return ls->counts.differences == 0 ? TERN_OK : TERN_ERR_DIFFERS;
}

/* ---- the core ----------------------------------------------------------------------- */

typedef struct core_writer {
    tern_host_writer base;
    tern_lockstep *ls;
} core_writer;

static void core_write(tern_host_writer *self, uint32_t address, uint32_t data)
{
    tern_lockstep *ls = ((core_writer *)self)->ls;
    ls->dut->write(ls->core, address, data);
}

static uint32_t core_reg(tern_lockstep *ls, unsigned reg)
{
    return ls->dut->read(ls->core, tern_host_address(TERN_RG_REG, reg, 32, 0));
}

static tern_status read_capacities(tern_lockstep *ls, tern_diags *diags)
{
    uint32_t registers[32];
    for (unsigned i = 0; i < 32; ++i) registers[i] = core_reg(ls, i);
    if (ls->dut->ended(ls->core) != 0) { /* then registers say nothing */
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, E_ENDED, NULL, 0, NULL,
                                      "a check inside the simulated core failed before the first step"),
                       "its output is above; is TERN_SHARE a copy of the Verilog with a mistake?");
        return TERN_ERR_TOOL;
    }
    tern_plan_capacity(registers, &ls->have);
    ls->ops = tern_core_of(&ls->have);
    const uint32_t found = registers[TERN_LINK_REG_VERSION], wanted = ls->ops->port_version;
    if (found == wanted) return TERN_OK;
    tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, E_VERSION, NULL, 0, "VERSION",
                                  "the core's host port has version %" PRIu32 ", this program works with %" PRIu32,
                                  found, wanted),
                   "TERN_SHARE and the program have to be of one version of Tern");
    return TERN_ERR_FIT;
}

/* Exact for the large core, an estimate for the small one; what the step may take. Counted once for each kind of step:
 * nothing else of the state enters. */
static prediction predict(tern_lockstep *ls, bool potential, bool learn, bool clamp)
{
    const bool pending = ls->st->pending != 0;
    prediction *p = &ls->predictions[pending ? 1 : 0][potential ? 1 : 0][learn ? 1 : 0][clamp ? 1 : 0];
    if (p->cycles != 0) return *p;
    p->cycles = ls->ops->cycles(ls->plan, pending, potential, learn, clamp);
    p->range = (tern_cycle_range){ p->cycles, p->cycles };
    if (!ls->ops->exact || ls->have.skip != 0)
        p->range = ls->ops->range(ls->plan, &ls->have, pending, potential, learn, clamp);
    return *p;
}

/* A check inside the core has failed: that counts as a difference and is reported even if others were before it. The
 * core stands still from then on. */
static bool ended(tern_lockstep *ls)
{
    if (ls->dut->ended(ls->core) == 0) return false;
    if (ls->report.ended) return true;
    ls->report.ended = true;
    ls->report.ended_step = ls->st->step;
    ++ls->counts.differences;
    return true;
}

static tern_status is_busy(tern_lockstep *ls, uint64_t cycles, uint64_t predicted)
{
    tern_difference *d = ended(ls) ? NULL : differ(ls, TERN_DIFFERENCE_BUSY);
    if (d != NULL) {
        d->measured = cycles;
        d->predicted = predicted;
    }
    return TERN_ERR_DIFFERS;
}

/* Clear, example and vote: at most a few cycles for each word of the memories. */
static tern_status command(tern_lockstep *ls, uint32_t control)
{
    const tern_capacity *h = &ls->have;
    const uint64_t most = 100000u + 8u * ((uint64_t)h->errors + h->hist_words + h->pairs + h->neurons + h->baselines +
                                          (uint64_t)h->classes * h->samples);
    ls->dut->write(ls->core, tern_host_address(TERN_RG_REG, TERN_REG_CONTROL, 32, 0), control);
    if (ls->dut->run(ls->core, most, on_event, ls) == 0) return is_busy(ls, most, most);
    return ended(ls) ? TERN_ERR_DIFFERS : TERN_OK;
}

tern_status tern_lockstep_open(const tern_plan *plan, tern_state *state, const tern_dut *dut, tern_arena *arena,
                               tern_lockstep **out_ls, tern_diags *diags)
{
    *out_ls = NULL;
    tern_lockstep *ls = tern_arena_get(arena, 1, sizeof *ls);
    uint32_t *word_row = tern_arena_get(arena, plan->n_words, sizeof *word_row);
    if (ls == NULL || word_row == NULL) return TERN_ERR_MEMORY;
    *ls = (tern_lockstep){ .plan = plan,
                           .st = state,
                           .dut = dut,
                           .word_row = word_row,
                           .sink = { put_golden },
                           .counts = { .digest_c = TERN_DIGEST_INIT, .digest_rtl = TERN_DIGEST_INIT } };
    for (uint32_t r = 0; r < plan->n_rows; ++r)
        if (plan->rows[r].row != UINT32_MAX)
            for (uint32_t w = 0; w < plan->rows[r].words; ++w) word_row[plan->rows[r].word + w] = r;
    if (plan->n_classes > 0) {
        const size_t bytes = tern_vote_bytes(plan->n_classes, plan->n_samples);
        void *mem = tern_arena_get(arena, bytes, 1);
        ls->vote = tern_arena_get(arena, 1, sizeof *ls->vote);
        if (mem == NULL || ls->vote == NULL ||
            tern_vote_init(ls->vote, plan->n_classes, plan->n_samples, (tern_vote_decode)plan->decode, mem, bytes) !=
                TERN_OK)
            return TERN_ERR_MEMORY;
    }
    ls->core = dut->create(state->seed);
    if (ls->core == NULL) return TERN_ERR_MEMORY;
    tern_status s = read_capacities(ls, diags);
    ls->own_plan = *plan;
    tern_plan_use_core(&ls->own_plan, &ls->have); /* cycles */
    ls->plan = &ls->own_plan;
    if (s == TERN_OK) s = tern_plan_fits(plan, &ls->have, diags);
    if (s != TERN_OK) {
        dut->destroy(ls->core);
        return s;
    }
    core_writer w = { { core_write }, ls };
    tern_plan_write_network(plan, &ls->have, &w.base);
    tern_plan_write_state(plan, &ls->have, state, &w.base);
    memset(&state->sat, 0, sizeof state->sat);
    *out_ls = ls;
    return tern_lockstep_example(ls);
}

void tern_lockstep_digest(tern_lockstep *ls, uint64_t digest) { ls->counts.digest_c = ls->counts.digest_rtl = digest; }

static tern_status run_core(tern_lockstep *ls, uint32_t control, uint64_t predicted)
{
    ls->dut->write(ls->core, tern_host_address(TERN_RG_REG, TERN_REG_CONTROL, 32, 0), control);
    ls->busy_cycles = ls->dut->run(ls->core, 4 * predicted + 100000, on_event, ls);
    if (ls->busy_cycles == 0) return is_busy(ls, 4 * predicted + 100000, predicted);
    return ended(ls) ? TERN_ERR_DIFFERS : TERN_OK;
}

static tern_status check_cycles(tern_lockstep *ls, prediction expected)
{
    const uint64_t predicted = expected.cycles;
    const tern_cycle_range range = expected.range;
    const uint64_t measured = ls->ops->counts_cycles ? core_reg(ls, TERN_REG_CYCLES) : ls->busy_cycles;
    ls->counts.last_cycles = measured;
    ls->counts.last_predicted = predicted;
    ls->counts.last_range = range;
    ls->counts.outside += measured < range.least || measured > range.most;
    if (!ls->ops->exact || (measured >= range.least && measured <= range.most)) return TERN_OK;
    tern_difference *d = differ(ls, ls->have.skip != 0 ? TERN_DIFFERENCE_RANGE : TERN_DIFFERENCE_CYCLES);
    if (d != NULL) {
        d->measured = measured;
        d->predicted = predicted;
        d->least = range.least;
        d->most = range.most;
    }
    return TERN_ERR_DIFFERS;
}

tern_status tern_lockstep_step(tern_lockstep *ls, const uint32_t *inputs, const uint32_t *targets, unsigned flags)
{
    const bool learn = (flags & TERN_STEP_LEARN) != 0;
    const prediction expected = predict(ls, true, learn, (flags & TERN_STEP_CLAMP) != 0);
    core_writer w = { { core_write }, ls };
    tern_plan_write_frames(ls->plan, inputs, targets, &w.base);
    tern_status s =
        run_core(ls, TERN_CTL_START | (learn ? TERN_CTL_LEARN : 0) | (flags & TERN_STEP_CLAMP ? TERN_CTL_CLAMP : 0),
                 expected.cycles);
    ls->st->sink = &ls->sink;
    tern_step(ls->st, inputs, targets, flags);
    ls->st->sink = NULL;
    if (ls->vote != NULL)
        tern_vote_step(ls->vote, ls->st->spikes, ls->plan->net->n_neurons_pos / 32u,
                       ls->plan->net->neurons[ls->plan->class_first].pos);
    if (s != TERN_OK) return s;
    s = compare_records(ls);
    ++ls->counts.steps;
    const tern_status c = check_cycles(ls, expected);
    ls->counts.cycles += ls->counts.last_cycles;
    return s != TERN_OK ? s : c;
}

void tern_lockstep_reward(tern_lockstep *ls, const int32_t *reward_f12)
{
    if (ls->plan->net->rule != TERN_RULE_REWARD) return;
    tern_reward(ls->st, reward_f12);
    for (uint32_t k = 0; k < ls->plan->n_samples; ++k)
        ls->dut->write(ls->core, tern_host_address(TERN_RG_SIGNAL, k, 32, 0), (uint32_t)ls->st->w_f12[k]);
}

tern_status tern_lockstep_flush(tern_lockstep *ls)
{
    const prediction expected = predict(ls, false, false, false);
    tern_status s = run_core(ls, TERN_CTL_START | TERN_CTL_FLUSH, expected.cycles);
    ls->st->sink = &ls->sink;
    tern_flush(ls->st);
    ls->st->sink = NULL;
    if (s != TERN_OK) return s;
    s = compare_records(ls);
    ++ls->counts.flushes;
    const tern_status c = check_cycles(ls, expected);
    return s != TERN_OK ? s : c;
}

tern_status tern_lockstep_clear(tern_lockstep *ls)
{
    tern_state_clear(ls->st);
    return command(ls, TERN_CTL_CLEAR);
}

tern_status tern_lockstep_batch(tern_lockstep *ls, uint32_t step, uint32_t k0)
{
    const tern_status s = tern_lockstep_clear(ls);
    ls->st->step = step;
    ls->st->k0 = k0;
    ls->dut->write(ls->core, tern_host_address(TERN_RG_REG, TERN_REG_STEP, 32, 0), step);
    ls->dut->write(ls->core, tern_host_address(TERN_RG_REG, TERN_REG_GROUP0, 32, 0), k0 / 4u);
    return s;
}

/* ---- memories ------------------------------------------------------------------------- */

/* Which bits are part of the state. The core keeps more history bits than a network with shorter filters uses, and
 * words with positions without a unit where a row reads across them (N-29): those are undefined. */
static uint32_t used_bits(const tern_lockstep *ls, unsigned region, uint32_t address)
{
    const uint32_t offset = address & 0xffffffu;
    if (region == TERN_RG_FRAME_LAST) return tern_plan_unit_lanes(ls->plan, &ls->have, offset);
    if (region != TERN_RG_HIST && region != TERN_RG_SELF) return UINT32_MAX;
    const unsigned hist_w = ls->have.hist_w, used = (unsigned)ls->plan->net->taps_d + ls->plan->net->lags_w;
    const unsigned word_bits = region == TERN_RG_HIST ? hist_w * ls->plan->lanes : hist_w;
    unsigned slice_bits = 0;
    while ((32u << slice_bits) < word_bits) ++slice_bits;
    const uint32_t lanes =
        region == TERN_RG_HIST ? tern_plan_unit_lanes(ls->plan, &ls->have, offset >> slice_bits) : UINT32_MAX;
    const unsigned first = 32u * (offset & ((1u << slice_bits) - 1u));
    uint32_t mask = 0;
    for (unsigned b = 0; b < 32 && first + b < word_bits; ++b)
        if ((first + b) % hist_w < used && (lanes >> (first + b) / hist_w & 1u) != 0) mask |= 1u << b;
    return mask;
}

static void compare_word(tern_host_writer *self, uint32_t address, uint32_t expected)
{
    static const char *const name[] = { "register",
                                        "weight",
                                        "history",
                                        "frame",
                                        "last frame",
                                        "target",
                                        "row",
                                        "neuron",
                                        "place",
                                        "taps",
                                        "bias/self-memory",
                                        "error",
                                        "own history",
                                        "last spike",
                                        "ek",
                                        "table",
                                        "exp",
                                        "log-probability",
                                        "modulator",
                                        "loss",
                                        "learning signal",
                                        "baseline",
                                        "kap",
                                        "log",
                                        "class counter",
                                        "vote",
                                        "decision" };
    tern_lockstep *ls = ((core_writer *)self)->ls;
    const unsigned region = address >> 24;
    /* checked below; modulators only matter for a pending update */
    if (region == TERN_RG_REG || (region == TERN_RG_M && !ls->st->pending)) return;
    const bool table = region == TERN_RG_EXP || region == TERN_RG_LOG;
    const uint32_t mask = table ? 0xffffu : used_bits(ls, region, address), word = ls->dut->read(ls->core, address);
    const bool upper = table && ls->ops->paired_tables && (address & 1u) != 0;
    const uint32_t found = upper ? word >> 16 : word;
    ++ls->counts.memory_words;
    if (((found ^ expected) & mask) == 0) return;
    differ_value(ls, TERN_DIFFERENCE_WORD, name[region], address & 0xffffffu, expected & mask, found & mask);
}

static void compare_reg(tern_lockstep *ls, unsigned reg, const char *name, uint64_t expected)
{
    const uint32_t found = core_reg(ls, reg);
    ++ls->counts.memory_words;
    if (found == (uint32_t)expected) return;
    differ_value(ls, TERN_DIFFERENCE_REGISTER, name, reg, expected, found);
}

static void compare_mem(tern_lockstep *ls, unsigned region, uint32_t word, const char *name, uint32_t expected)
{
    const uint32_t found = ls->dut->read(ls->core, tern_host_address(region, word, 32, 0));
    ++ls->counts.memory_words;
    if (found == expected) return;
    differ_value(ls, TERN_DIFFERENCE_MEMORY, name, word, expected, found);
}

/* Class counters of the batch so far, votes, and after a vote the decisions. */
static void compare_votes(tern_lockstep *ls)
{
    const tern_vote *v = ls->vote;
    if (v == NULL) return;
    for (uint32_t k = 0; k < v->n_samples; ++k) {
        for (uint32_t c = 0; c < v->n_classes; ++c) {
            const size_t at = (size_t)k * v->n_classes + c;
            compare_mem(ls, TERN_RG_COUNT, k * ls->have.classes + c, "class counter",
                        (uint32_t)v->first[at] << 16 | v->count[at]);
        }
        if (v->decided > 0) compare_mem(ls, TERN_RG_DECISION, k, "decision", v->decision[k]);
    }
    for (uint32_t c = 0; c < v->n_classes; ++c) {
        compare_mem(ls, TERN_RG_VOTES, 2u * c, "votes", v->votes[c]);
        compare_mem(ls, TERN_RG_VOTES, 2u * c + 1u, "class spikes", v->spikes[c]);
    }
    if (v->decided > 0) compare_reg(ls, TERN_REG_WINNER, "winner", v->winner);
}

tern_status tern_lockstep_example(tern_lockstep *ls)
{
    if (ls->vote == NULL) return TERN_OK;
    tern_vote_begin(ls->vote);
    return command(ls, TERN_CTL_EXAMPLE);
}

tern_status tern_lockstep_vote(tern_lockstep *ls)
{
    if (ls->vote == NULL) return TERN_OK;
    tern_vote_close(ls->vote);
    const tern_status s = command(ls, TERN_CTL_VOTE);
    if (s != TERN_OK) return s;
    compare_votes(ls);
    return ls->counts.differences == 0 ? TERN_OK : TERN_ERR_DIFFERS;
}

const tern_vote *tern_lockstep_votes(const tern_lockstep *ls) { return ls->vote; }

tern_status tern_lockstep_memories(tern_lockstep *ls)
{
    core_writer w = { { compare_word }, ls };
    tern_plan_write_state(ls->plan, &ls->have, ls->st, &w.base);
    tern_plan_write_network(ls->plan, &ls->have, &w.base);
    compare_reg(ls, TERN_REG_STEP, "step", ls->st->step);
    compare_reg(ls, TERN_REG_LAG_HEAD, "lag head", ls->st->lag_head);
    compare_reg(ls, TERN_REG_PENDING, "pending", ls->st->pending);
    compare_reg(ls, TERN_REG_SAT_WEIGHT, "weight saturations", ls->st->sat.weight);
    compare_reg(ls, TERN_REG_SAT_LOCAL, "bias and self-memory saturations", ls->st->sat.local);
    compare_reg(ls, TERN_REG_SAT_POTENTIAL, "potential saturations", ls->st->sat.potential);
    compare_reg(ls, TERN_REG_SAT_COEFFICIENT, "coefficient saturations", ls->st->sat.coefficient);
    compare_reg(ls, TERN_REG_SAT_LOGPROB, "log-probability saturations", ls->st->sat.logprob);
    if (ls->have.signals != 0) compare_reg(ls, TERN_REG_SAT_MODULATOR, "modulator saturations", ls->st->sat.modulator);
    compare_votes(ls);
    for (uint32_t k = 0; k < ls->st->n_samples && ls->counts.steps > 0; ++k) {
        const uint32_t found = ls->dut->read(ls->core, tern_host_address(TERN_RG_LOSS, k, 32, 0));
        ++ls->counts.memory_words;
        if (ls->st->loss_f12[k] != 0 && found != ls->st->loss_f12[k])
            differ_value(ls, TERN_DIFFERENCE_LOSS, "loss", k, ls->st->loss_f12[k], found);
    }
    (void)ended(ls); /* also while the words were read */
    return ls->counts.differences == 0 ? TERN_OK : TERN_ERR_DIFFERS;
}

const tern_lockstep_report *tern_lockstep_report_get(const tern_lockstep *ls) { return &ls->report; }
const tern_lockstep_counts *tern_lockstep_get(const tern_lockstep *ls) { return &ls->counts; }
void *tern_lockstep_core(tern_lockstep *ls) { return ls->core; }

void tern_lockstep_close(tern_lockstep *ls)
{
    if (ls == NULL) return;
    ls->dut->destroy(ls->core);
    stream *const all[] = { &ls->golden, &ls->rtl, &ls->local, &ls->weight, &ls->neuron, &ls->last, &ls->baseline };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; ++i) free(all[i]->list);
}
