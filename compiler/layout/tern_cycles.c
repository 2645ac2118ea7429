/* tern_cycles.c : predicted cycles of a step: the control of the engines, without their data
 * SPDX-License-Identifier: Apache-2.0
 *
 * Each engine below is the state machine of its Verilog file, reduced to what decides when it moves on
 * (docs/31-blocks.md). No data enters, so a step of a network always takes the same time. The co-simulation compares
 * with the core's own cycle counter.
 */
#include "tern_plan.h"

enum prepare_state {
    P_IDLE,
    P_FETCH,
    P_PROLOGUE,
    P_START,
    P_SELF,
    P_BASE,
    P_COEF,
    P_KAP,
    P_COEF_WAIT,
    P_ROW,
    P_TAPS,
    P_TAPS_WAIT,
    P_PUBLISH,
    P_BIAS,
    P_LOCAL,
    P_START_ACC,
    P_ACC,
    P_ACC_WAIT
};
enum draw_state { D_IDLE, D_DITHER, D_SPIKE, D_WRITE };
enum fire_state { F_WAIT, F_RUN, F_DRAIN, F_WTA };
enum {
    BLOCK_CYCLES = 21 /* tern_random: from start_i to done_o */,
    WTA_MEMBER_CYCLES = 28,
    WTA_SAMPLE_CYCLES = 36 /* tern_wta, from start_i to done_o */
};

typedef struct twin {
    const tern_plan *p;
    bool update, potential, silent; /* silent: all words that may be left out are */
    /* prepare */
    enum prepare_state state;
    uint32_t left; /* cycles left in a counted state */
    bool prologue, first, last_first, valid, self_valid;
    uint8_t valid_kind, self_filter;
    uint32_t row, neuron, fired;
    const tern_plan_row *buffer;
    /* draw */
    enum draw_state draw;
    bool ready;
    uint32_t draw_left, draw_k;
    /* pass */
    const tern_plan_row *act;
    uint64_t ops_left; /* operations of the current row, this one included */
    bool take_before, pending;
    uint32_t drain;
    uint32_t op_pipe, close_pipe; /* one bit per stage, bit 0 = stage 1 */
    /* fire */
    enum fire_state fire;
    uint32_t locals, draws, fire_neuron;
    uint64_t fire_left;
    bool sums;
    /* signal, baseline */
    uint64_t signal_left, baseline_left;
} twin;

/* Cycles that a word of a sample row occupies tern_pass with one sample per cycle: its lags and two empty cycles, then
 * the new weight with the first sum, other sums. With several, a word's lags stand before the new weight of the word
 * before, so that three cycles or more lie between a weight and its last lag. */
static uint64_t sample_ops(const twin *t, uint64_t words)
{
    const uint64_t groups = tern_plan_slots(t->p), lags = t->update ? groups * t->p->net->lags_w : 0,
                   sums = t->potential ? groups : 1u;
    if (!t->update) return words * sums;
    if (t->p->need.ways == 1) return words * (lags + 2u + sums);
    if (words == 1) return lags + 3u + sums;
    const uint64_t pad = lags < 3 ? 3u - lags : 0, between = pad + sums;
    return words * (lags + sums) + (words - 1u) * pad + (between < 3 ? 3u - between : 0);
}

/* Words of a row from inputs that tern_silent reads if all are silent: those before the first mask is there, then a
 * cycle for each eight words of histories that the rest lies in, the last of which ends the row. */
static uint64_t silent_ops(const twin *t, const tern_plan_row *row)
{
    enum { LEAD = 4, LEAD_LATE = 6 };
    const uint64_t lead = row > t->p->rows && row[-1].shift ? LEAD_LATE : LEAD;
    if (row->shift || row->words <= lead) return row->words;
    const uint64_t eights = (row->hist + row->words - 1u) / 8u - (row->hist + lead) / 8u + 1u;
    return lead - 1u + eights;
}

/* Cycles that a row occupies tern_pass: its operations and empty cycles. */
static uint64_t row_ops(const twin *t, const tern_plan_row *row)
{
    if (t->silent && row->kind == TERN_PLAN_SHARED) return silent_ops(t, row);
    if (row->kind == TERN_PLAN_NONE) return 1;
    return row->kind == TERN_PLAN_SAMPLE ? sample_ops(t, row->words) : row->words;
}

static uint32_t taps_cycles(const twin *t, const tern_plan_row *row)
{
    const uint32_t d = t->p->net->taps_d, w = t->p->net->lags_w, prep = t->p->need.prep;
    if (!t->update || row->kind != TERN_PLAN_SHARED) return d;
    if (prep == 1) return d * w;
    /* several products: what comes takes a cycle for each block of what is held, and the chain moves on behind the last
     * one; taps that are held are loaded before */
    return t->p->taps_come ? d * ((w + prep - 1u) / prep) + w - 1u : d + w * ((d + prep - 1u) / prep) + d - 1u;
}

static bool has_baseline(const twin *t)
{
    return t->p->net->baseline == TERN_BASELINE_NEURON && t->neuron >= t->p->signal_first;
}

/* After the taps of the self-memory. */
static void begin_coefficients(twin *t)
{
    t->state = !t->update ? P_ROW : has_baseline(t) ? P_BASE : P_COEF;
    t->left = t->p->n_samples * t->p->net->lags_w; /* modulators are read one cycle ahead */
}

/* tern_baseline: from the last averaged error until it is idle again. */
static uint64_t baseline_cycles(const tern_plan *p)
{
    return 44u + 33u * (p->net->rule == TERN_RULE_IW ? 1u : (uint64_t)p->n_samples);
}

/* tern_signal: busy for so long. */
static uint64_t signal_cycles(const tern_plan *p, bool learn)
{
    const uint64_t k = p->n_samples, v = 20u * k;
    if (!learn || p->net->rule == TERN_RULE_REWARD) return v;
    return p->net->rule == TERN_RULE_MB ? v + 20u * k : p->net->rule == TERN_RULE_IW ? v + 27u * k + 25u : v + 27u * k;
}

static void next_neuron(twin *t)
{
    t->state = t->neuron + 1u == t->p->net->n_neurons ? P_IDLE : P_START;
    ++t->neuron;
    t->left = 1;
}

/* One cycle of tern_prepare. Returns whether it starts the draws of its neuron, and reports local_done. */
static bool step_prepare(twin *t, const tern_plan_row *active, bool sample_busy, bool draw_idle, bool ready,
                         bool *local_done)
{
    const tern_net *n = t->p->net;
    const uint32_t k = t->p->n_samples;
    const tern_plan_row *row = t->row < t->p->n_rows ? &t->p->rows[t->row] : NULL;
    const bool counted_out = t->left == 0;
    if (t->left > 0) --t->left;
    *local_done = false;
    switch (t->state) {
    case P_IDLE: break;
    case P_FETCH: t->state = t->prologue ? P_PROLOGUE : P_ROW; break;
    case P_PROLOGUE:
        if (row->kind != TERN_PLAN_SHIFT) {
            t->prologue = false;
            t->state = P_START;
        } else if (!t->valid) {
            t->valid = true;
            t->buffer = row;
            ++t->row;
            t->state = P_FETCH;
        }
        break;
    case P_START:
        if (counted_out && draw_idle && (!t->potential || t->neuron <= t->fired + 1u) &&
            (t->p->need.ways > 1 || (!sample_busy && !(t->valid && t->buffer->kind == TERN_PLAN_SAMPLE))) &&
            !(active != NULL && active->kind != TERN_PLAN_SHIFT && (active->neuron & 1u) == (t->neuron & 1u))) {
            const uint8_t filter = n->neurons[t->neuron].self_filter;
            t->first = true;
            if (filter != TERN_NO_FILTER && !(t->self_valid && t->self_filter == filter)) {
                t->self_valid = true;
                t->self_filter = filter;
                t->state = P_SELF;
                t->left = n->taps_d - 1u;
            } else begin_coefficients(t);
            return true;
        }
        break;
    case P_SELF:
        if (counted_out) begin_coefficients(t);
        break;
    case P_BASE:
        t->left = k * n->lags_w;
        if (t->baseline_left == 0) t->state = P_COEF;
        break;
    case P_COEF:
        if (counted_out) {
            t->state = has_baseline(t) ? P_KAP : P_COEF_WAIT;
            t->left = has_baseline(t) ? k * n->lags_w - 1u : 6u;
        }
        break;
    case P_KAP:
        if (counted_out) {
            t->state = P_COEF_WAIT;
            t->left = 6;
            t->baseline_left = baseline_cycles(t->p);
        }
        break;
    case P_COEF_WAIT:
        if (counted_out) t->state = P_ROW;
        break;
    case P_ROW:
        if (!t->valid) {
            t->state = row->reuse || row->kind == TERN_PLAN_NONE ? P_PUBLISH : P_TAPS;
            t->left = taps_cycles(t, row) - 1u;
        }
        break;
    case P_TAPS:
        if (counted_out) t->state = t->p->need.prep > 1 ? P_PUBLISH : P_TAPS_WAIT;
        break;
    case P_TAPS_WAIT: t->state = P_PUBLISH; break;
    case P_PUBLISH:
        if (!t->update || ready) {
            t->valid = true;
            t->buffer = row;
            ++t->row;
            if (t->first) {
                t->last_first = row->last;
                t->state = P_BIAS;
            } else if (!row->last) t->state = P_FETCH;
            else next_neuron(t);
            t->first = false;
        }
        break;
    case P_BIAS:
        t->state = P_LOCAL;
        t->left = 2;
        break;
    case P_LOCAL:
        if (counted_out) t->state = P_START_ACC;
        break;
    case P_START_ACC:
        t->state = t->potential ? P_ACC : P_ACC_WAIT;
        t->left = t->potential ? k - 1u : 0;
        break;
    case P_ACC:
        if (counted_out) {
            t->state = P_ACC_WAIT;
            t->left = 5;
        }
        break;
    case P_ACC_WAIT:
        if (counted_out) {
            *local_done = t->potential;
            if (!t->last_first) t->state = P_ROW;
            else next_neuron(t);
        }
        break;
    }
    return false;
}

/* One cycle of tern_draw; true: draws_done. */
static bool step_draw(twin *t, bool start)
{
    bool done = false;
    if (t->draw == D_IDLE) {
        if (start) {
            t->ready = false;
            t->draw_k = 0;
            t->draw_left = BLOCK_CYCLES + 1u;
            t->draw = t->update ? D_DITHER : t->potential ? D_SPIKE : D_IDLE;
        }
    } else if (t->draw == D_WRITE) {
        if (t->draw_k + 1u == t->p->n_samples) {
            t->draw = D_IDLE;
            done = true;
        } else if ((t->draw_k & 3u) == 3u) {
            t->draw = D_SPIKE;
            t->draw_left = BLOCK_CYCLES + 1u;
        }
        ++t->draw_k;
    } else if (--t->draw_left == 0) {
        if (t->draw == D_DITHER) {
            t->ready = true;
            t->draw = t->potential ? D_SPIKE : D_IDLE;
            t->draw_left = BLOCK_CYCLES + 1u;
        } else t->draw = D_WRITE;
    }
    return done;
}

/* One cycle of tern_pass; true: sums_valid. */
static bool step_pass(twin *t, bool fire_done)
{
    const bool valid = t->valid;
    const bool end = t->act != NULL && t->ops_left == 1;
    const bool closing = end && t->act->last && t->potential;
    const bool issue = t->act != NULL && !(closing && t->pending);
    const bool finish = issue && end;
    const bool was_shift = t->act != NULL && t->act->kind == TERN_PLAN_SHIFT;
    const bool take = valid && !t->take_before && (t->act == NULL || finish) && t->drain == 0 && !(finish && was_shift);
    const bool sums_valid = (t->close_pipe >> 10 & 1u) != 0;
    const bool op = issue && t->act->kind != TERN_PLAN_NONE;

    t->op_pipe = (t->op_pipe << 1 | op) & 0x3ffu;
    t->close_pipe = (t->close_pipe << 1 | (issue && closing)) & 0x7ffu;
    if (t->drain > 0) --t->drain;
    if (issue && !end) --t->ops_left;
    if (finish) {
        if (was_shift) t->drain = 3;
        t->act = NULL;
    }
    if (issue && closing) t->pending = true;
    else if (fire_done) t->pending = false;
    if (take) {
        t->valid = false;
        if (!(t->buffer->kind == TERN_PLAN_SHIFT && !t->potential)) {
            t->act = t->buffer;
            t->ops_left = row_ops(t, t->act);
        }
    }
    t->take_before = take;
    return sums_valid;
}

/* Is this the last member of a circuit, behind which tern_wta decides? */
static bool decides(const tern_neuron *u) { return u->wta_size > 0 && u->wta_index + 1u == u->wta_size; }

static bool fire_finishes(const twin *t)
{
    return t->fire_left == 0 &&
           (t->fire == F_WTA || (t->fire == F_DRAIN && !decides(&t->p->net->neurons[t->fire_neuron])));
}

static void step_fire(twin *t, bool local_done, bool draws_done, bool sums_valid)
{
    const bool start = t->fire == F_WAIT && t->locals > 0 && t->draws > 0 && t->sums;
    t->locals = t->locals + local_done - start;
    t->draws = t->draws + draws_done - start;
    if (sums_valid) t->sums = true;
    else if (start) t->sums = false;
    const uint64_t left = t->fire_left;
    /* beyond the last one nothing starts */
    const tern_neuron *u = t->fire_neuron < t->p->net->n_neurons ? &t->p->net->neurons[t->fire_neuron] : NULL;
    if (t->fire_left > 0) --t->fire_left;
    if (start) {
        t->fire = F_RUN;
        t->fire_left = t->p->n_samples - 1u;
    } else if (t->fire == F_RUN && left == 0) {
        t->fire = F_DRAIN;
        t->fire_left = u->wta_size > 0 ? 2 : 6;
    } else if (t->fire == F_DRAIN && left == 0 && decides(u)) {
        t->fire = F_WTA;
        t->fire_left = (uint64_t)t->p->n_samples * ((uint64_t)WTA_MEMBER_CYCLES * u->wta_size + WTA_SAMPLE_CYCLES) - 1u;
    } else if (t->fire != F_RUN && t->fire != F_WAIT && left == 0) {
        t->fire = F_WAIT;
        ++t->fire_neuron;
    }
}

static uint64_t count(const tern_plan *plan, bool update, bool potential, bool learn, bool silent)
{
    const tern_net *n = plan->net;
    twin t = { .p = plan, .update = update, .potential = potential, .silent = silent };
    bool signal_wait = potential, fire_all = false;
    uint64_t cycles = 1; /* the cycle of begin: the engines start with the next one */
    if (potential && n->n_visible == 0) {
        signal_wait = false;
        t.signal_left = signal_cycles(plan, learn);
    }
    t.state = P_FETCH;
    t.prologue = true;
    for (;; ++cycles) {
        const bool pass_idle = t.act == NULL && !t.take_before && t.drain == 0 && t.op_pipe == 0;
        if (t.state == P_IDLE && !t.valid && pass_idle && t.draw == D_IDLE && t.signal_left == 0 &&
            t.baseline_left == 0 && !signal_wait && (!potential || fire_all))
            return cycles + 1u;
        /* outputs of this cycle come from the state before it */
        const bool sample_busy = t.act != NULL && t.act->kind == TERN_PLAN_SAMPLE, draw_idle = t.draw == D_IDLE,
                   ready = t.ready, fire_done = fire_finishes(&t);
        const bool valid_before = t.valid;
        const tern_plan_row *const buffer_before = t.buffer;
        bool local_done;
        if (t.signal_left > 0) --t.signal_left;
        const bool baseline_busy = t.baseline_left > 0;
        const bool draw_start = step_prepare(&t, t.act, sample_busy, draw_idle, ready, &local_done);
        /* tern_pass sees the buffer as it was */
        const bool valid_after = t.valid;
        const tern_plan_row *buffer_after = t.buffer;
        t.valid = valid_before;
        t.buffer = buffer_before;
        const bool sums_valid = step_pass(&t, fire_done);
        const bool taken = valid_before && !t.valid;
        t.valid = valid_before ? !taken : valid_after;
        t.buffer = buffer_after;
        const bool draws_done = step_draw(&t, draw_start);
        if (fire_done) {
            ++t.fired;
            if (t.fire_neuron + 1u == n->n_neurons) fire_all = true;
            if (t.fire_neuron + 1u == n->n_visible) {
                signal_wait = false;
                t.signal_left = signal_cycles(plan, learn);
            }
        }
        if (baseline_busy) --t.baseline_left;
        step_fire(&t, local_done, draws_done, sums_valid);
    }
}

uint64_t tern_plan_cycles(const tern_plan *plan, bool update, bool potential, bool learn)
{
    return count(plan, update, potential, learn, false);
}

uint64_t tern_plan_least_cycles(const tern_plan *plan, bool update, bool potential, bool learn)
{
    return count(plan, update, potential, learn, plan->need.skip != 0 && potential);
}
