/* tern_cycles.c : predicted cycles of a step: the control of the engines, without their data
 * SPDX-License-Identifier: Apache-2.0
 *
 * Each engine below is the state machine of its Verilog file, reduced to what decides when it moves on
 * (docs/31-blocks.md). No data enters, so a step of a network always takes the same time. The co-simulation compares
 * with the core's own cycle counter.
 */
#include "tern_plan.h"
#include <string.h>

enum learn_state {
    L_IDLE,
    L_START,
    L_SELF,
    L_BASE,
    L_COEF,
    L_KAP,
    L_COEF_WAIT,
    L_BIAS,
    L_LOCAL,
    L_START_ACC,
    L_ACC,
    L_ACC_WAIT
};
enum prepare_state { P_IDLE, P_ROW, P_TAPS, P_HAND, P_KERNELS, P_WAIT };
enum draw_state { D_IDLE, D_NEXT, D_DITHER, D_SPIKE, D_WRITE, D_NONE };
enum fire_state { F_WAIT, F_RUN, F_DRAIN, F_WTA };
enum { AHEAD = 4 /* neurons that tern_draw has begun at most */ };
enum {
    BLOCK_CYCLES = 21 /* tern_random: from start_i to done_o */,
    WTA_MEMBER_CYCLES = 4,
    WTA_SAMPLE_CYCLES = 25 /* tern_wta, from start_i to done_o */
};

typedef struct twin {
    const tern_plan *p;
    bool update, potential, clamp, silent; /* silent: all words that may be left out are */
    /* learn */
    enum learn_state learn;
    uint32_t left;           /* cycles left in a counted state */
    uint32_t neuron;         /* that it works on */
    uint32_t begun, dithers; /* neurons that tern_draw has begun, and this engine has not; dither words not used yet */
    bool self_valid;
    uint8_t self_filter;
    /* prepare */
    enum prepare_state state;
    uint32_t taps_left, fetch; /* cycles of the taps, this one included; until the row's word is decoded */
    bool loaded;               /* sums of the neuron's coefficients are in the registers */
    bool fresh;                /* the last tap was read in the cycle before */
    uint32_t row, learned;     /* neurons whose coefficients are there, this one included */
    uint32_t coming;           /* cycles until the buffer's row is valid, 0: it is, or there is none */
    bool valid;
    const tern_plan_row *buffer, *made; /* made: whose taps are being made */
    /* draw */
    enum draw_state draw;
    uint32_t draw_left, draw_k, draw_neuron;
    uint32_t open, unfired; /* neurons begun that tern_pass has not ended; that tern_fire has not finished */
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
    /* a kernel sum for each sample, in the cycles of the sums of the word before */
    if (t->p->need.kernels != 0) return t->potential ? (words + 1u) * groups : words * groups + 1u;
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

/* Does the row need a kernel for each sample? */
static bool needs_each(const twin *t, const tern_plan_row *row)
{
    return t->p->need.kernels != 0 && t->update && row->kind == TERN_PLAN_SAMPLE && !row->reuse;
}

/* Cycles in which tern_prepare reads taps and sums for a row; each: those of the kernels of all samples. */
static uint32_t taps_cycles(twin *t, bool kernel, bool each)
{
    const uint32_t d = t->p->net->taps_d, w = t->p->net->lags_w, prep = t->p->need.prep, k = t->p->n_samples;
    if (!kernel) return d;
    if (prep == 1) return d * w * (each ? k : 1u);
    if (each) {
        t->loaded = false; /* the registers have coefficients of a sample */
        return t->p->taps_come ? k * (w + d * ((w + prep - 1u) / prep) + w - 1u)
                               : d + k * (w * ((d + prep - 1u) / prep) + d - 1u);
    }
    /* several products: values for the registers are read first, the taps for each row, the sums once for a neuron.
     * What comes takes a cycle for each block of what is held, and the chain moves on behind the last one */
    const uint32_t load = !t->p->taps_come ? d : t->loaded ? 0 : w;
    t->loaded = true;
    return load + (t->p->taps_come ? d * ((w + prep - 1u) / prep) + w - 1u : w * ((d + prep - 1u) / prep) + d - 1u);
}

static bool has_baseline(const twin *t)
{
    return t->p->net->baseline == TERN_BASELINE_NEURON && t->neuron >= t->p->signal_first;
}

/* After the taps of the self-memory. */
static void begin_coefficients(twin *t)
{
    t->learn = !t->update ? L_BIAS : has_baseline(t) ? L_BASE : L_COEF;
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

/* One cycle of tern_learn. taps: tern_prepare reads the memory of taps. */
typedef struct learn_out {
    bool start, coefficients, local;
} learn_out;

static learn_out step_learn(twin *t, bool taps)
{
    const tern_net *n = t->p->net;
    const uint32_t k = t->p->n_samples;
    const bool counted_out = t->left == 0;
    learn_out out = { 0 };
    if (t->left > 0 && !(t->learn == L_SELF && taps)) --t->left;
    switch (t->learn) {
    case L_IDLE: break;
    case L_START:
        if (counted_out && t->begun > 0) {
            const uint8_t filter = n->neurons[t->neuron].self_filter;
            out.start = true;
            out.coefficients = !t->update;
            if (filter != TERN_NO_FILTER && !(t->self_valid && t->self_filter == filter)) {
                t->self_valid = true;
                t->self_filter = filter;
                t->learn = L_SELF;
                t->left = n->taps_d - 1u;
            } else begin_coefficients(t);
        }
        break;
    case L_SELF:
        if (counted_out && !taps) begin_coefficients(t);
        break;
    case L_BASE:
        t->left = k * n->lags_w;
        if (t->baseline_left == 0) t->learn = L_COEF;
        break;
    case L_COEF:
        if (counted_out) {
            t->learn = has_baseline(t) ? L_KAP : L_COEF_WAIT;
            t->left = has_baseline(t) ? k * n->lags_w - 1u : 5u;
        }
        break;
    case L_KAP:
        if (counted_out) {
            t->learn = L_COEF_WAIT;
            t->left = 5;
            t->baseline_left = baseline_cycles(t->p);
        }
        break;
    case L_COEF_WAIT:
        if (counted_out && t->dithers > 0) {
            out.coefficients = true;
            t->learn = L_BIAS;
        }
        break;
    case L_BIAS:
        t->learn = L_LOCAL;
        t->left = 2;
        break;
    case L_LOCAL:
        if (counted_out) t->learn = L_START_ACC;
        break;
    case L_START_ACC:
        t->learn = t->potential ? L_ACC : L_ACC_WAIT;
        t->left = t->potential ? k - 1u : 0;
        break;
    case L_ACC:
        if (counted_out) {
            t->learn = L_ACC_WAIT;
            t->left = 5;
        }
        break;
    case L_ACC_WAIT:
        if (counted_out) {
            out.local = t->potential;
            t->learn = t->neuron + 1u == n->n_neurons ? L_IDLE : L_START;
            ++t->neuron;
            t->left = 1;
        }
        break;
    }
    return out;
}

/* What tern_prepare has to make for a row. */
typedef enum row_need { NEED_NOTHING, NEED_TAPS, NEED_KERNEL, NEED_BOTH, NEED_EACH } row_need;

static row_need row_needs(const twin *t, const tern_plan_row *row)
{
    if (row->kind > TERN_PLAN_SAMPLE || row->reuse) return NEED_NOTHING;
    if (needs_each(t, row)) return NEED_EACH;
    const bool kernel = t->update && row->kind == TERN_PLAN_SHARED;
    return row->same ? (kernel ? NEED_KERNEL : NEED_NOTHING) : kernel ? NEED_BOTH : NEED_TAPS;
}

/* What tern_prepare sees in a cycle. take: tern_pass takes the row in the buffer; soon: it takes one within three
 * cycles; room: the buffer is free; known: the coefficients of the next row's neuron are there. */
typedef struct prepare_in {
    bool take, soon, room, known;
    bool held_sample; /* the buffer's row is a SAMPLE row */
    bool hand_each;   /* the row that is made has a kernel for each sample */
} prepare_in;

/* The buffer: emptied when its row is taken, valid when the last tap is stored. */
static void step_buffer(twin *t, bool take)
{
    if (take) t->valid = false;
    if (t->coming > 0 && --t->coming == 0) t->valid = true;
}

/* Taps that are being made, one cycle; when all are there the row is handed over if there is room. Returns the row, or
 * NULL. */
static const tern_plan_row *step_taps(twin *t, const prepare_in *in)
{
    if (t->state == P_KERNELS) {
        if (--t->taps_left == 0) t->state = P_WAIT;
        return NULL;
    }
    if (t->state == P_WAIT) { /* until the taps of the row before are copied, or soon are */
        if (in->room || in->soon) {
            t->state = P_TAPS;
            t->taps_left = t->p->net->taps_d;
        }
        return NULL;
    }
    const bool ends = t->state == P_TAPS && --t->taps_left == 0;
    if (!ends && t->state != P_HAND) return NULL;
    const uint32_t left = ends ? 2 : t->fresh ? 1 : 0; /* cycles until the last tap is stored */
    t->fresh = ends;
    t->state = P_HAND;
    if (!in->room || !in->known) return NULL;
    t->coming = left;
    t->valid = left == 0;
    t->state = P_ROW;
    return t->made;
}

/* May work on a row begin that needs this, while `hand` (or NULL) goes into the buffer? The registers of the taps are
 * free when the row before is taken, those of the kernel are earlier. */
static bool row_may_begin(const tern_plan_row *row, row_need need, const tern_plan_row *hand, const prepare_in *in)
{
    const bool free = in->room && hand == NULL;
    if (need == NEED_EACH) return in->known && (hand != NULL ? !in->hand_each : in->room || !in->held_sample);
    if (need == NEED_NOTHING) return free && (in->known || row->kind == TERN_PLAN_SHIFT);
    if (need != NEED_TAPS && !in->known) return false;
    return need == NEED_KERNEL || (in->soon && !in->take) || free;
}

/* The next row: handed over at once if nothing has to be made for it (then it is returned), else its taps are begun. */
static const tern_plan_row *begin_row(twin *t, const tern_plan_row *hand, const prepare_in *in)
{
    if (t->row == t->p->n_rows) return hand;
    const tern_plan_row *row = &t->p->rows[t->row];
    const row_need need = row_needs(t, row);
    if (!row_may_begin(row, need, hand, in)) return hand;
    ++t->row;
    t->fetch = 2;
    if (need == NEED_NOTHING) {
        t->valid = true;
        return row;
    }
    t->made = row;
    t->state = need == NEED_EACH ? P_KERNELS : P_TAPS;
    t->taps_left = taps_cycles(t, need >= NEED_KERNEL, need == NEED_EACH);
    return hand;
}

/* A row goes into the buffer; with the last one of a neuron its coefficients are used up. */
static void hand_over(twin *t, const tern_plan_row *hand)
{
    t->buffer = hand;
    if (!hand->last) return;
    --t->learned;
    t->loaded = false;
    if (t->row == t->p->n_rows) t->state = P_IDLE;
}

/* One cycle of tern_prepare. coefficients: those of one more neuron are there from the next cycle on. */
static void step_prepare(twin *t, bool take, bool soon, bool coefficients)
{
    const prepare_in in = { .take = take,
                            .soon = soon,
                            .room = (!t->valid && t->coming == 0) || take,
                            .known = t->learned > 0,
                            .held_sample = t->buffer != NULL && t->buffer->kind == TERN_PLAN_SAMPLE,
                            .hand_each = t->made != NULL && needs_each(t, t->made) };
    bool decide = t->state == P_ROW && t->fetch == 0;
    step_buffer(t, take);
    const tern_plan_row *hand = step_taps(t, &in);
    if (hand != NULL) decide = !hand->last && t->fetch == 0;
    if (t->fetch > 0) --t->fetch;
    if (decide) hand = begin_row(t, hand, &in);
    if (hand != NULL) hand_over(t, hand);
    t->learned += coefficients;
}

/* One cycle of tern_draw. */
typedef struct draw_out {
    bool begun, dither, done;
} draw_out;

static draw_out step_draw(twin *t)
{
    draw_out out = { 0 };
    const bool spikes = t->potential && !(t->clamp && t->draw_neuron < t->p->net->n_visible);
    bool ends = t->draw == D_NONE;
    switch (t->draw) {
    case D_IDLE:
    case D_NONE: break;
    case D_NEXT:
        if (t->open < AHEAD && t->unfired < AHEAD) {
            out.begun = true;
            t->draw_k = 0;
            t->draw_left = BLOCK_CYCLES + 1u;
            t->draw = t->update ? D_DITHER : spikes ? D_SPIKE : D_NONE;
        }
        break;
    case D_DITHER:
        if (--t->draw_left == 0) {
            out.dither = true;
            t->draw = spikes ? D_SPIKE : D_NONE;
            t->draw_left = BLOCK_CYCLES + 1u;
        }
        break;
    case D_SPIKE:
        if (--t->draw_left == 0) t->draw = D_WRITE;
        break;
    case D_WRITE:
        ends = t->draw_k + 1u == t->p->n_samples;
        if (!ends && (t->draw_k & 3u) == 3u) {
            t->draw = D_SPIKE;
            t->draw_left = BLOCK_CYCLES + 1u;
        }
        ++t->draw_k;
        break;
    }
    if (ends) t->draw = ++t->draw_neuron == t->p->net->n_neurons ? D_IDLE : D_NEXT;
    out.done = ends && t->potential;
    return out;
}

/* The row of tern_pass that another one may follow within three cycles, or none. */
static bool pass_soon(const twin *t)
{
    return t->act == NULL ||
           (t->act->kind == TERN_PLAN_SHARED && t->ops_left <= 4 && !(t->act->last && t->potential && t->pending));
}

/* One cycle of tern_pass. */
typedef struct pass_out {
    bool take, ended, sums_valid;
} pass_out;

static pass_out step_pass(twin *t, bool fire_done)
{
    const bool end = t->act != NULL && t->ops_left == 1;
    const bool closing = end && t->act->last && t->potential;
    const bool issue = t->act != NULL && !(closing && t->pending);
    const bool finish = issue && end;
    const bool was_shift = t->act != NULL && t->act->kind == TERN_PLAN_SHIFT;
    const bool take =
        t->valid && !t->take_before && (t->act == NULL || finish) && t->drain == 0 && !(finish && was_shift);
    const pass_out out = { take, finish && t->act->last, (t->close_pipe >> 10 & 1u) != 0 };
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
    if (take && !(t->buffer->kind == TERN_PLAN_SHIFT && !t->potential)) {
        t->act = t->buffer;
        t->ops_left = row_ops(t, t->act);
    }
    t->take_before = take;
    return out;
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

/* ---- the count --------------------------------------------------------------------------------------------------- */

/* In a long row most cycles only count: every engine waits, or counts down. Such cycles are taken in one stride. To
 * every engine all values from SHORT upwards are the same: it compares its counters with 0, 1 and 4 only. With
 * TERN_CYCLE_BY_CYCLE, which a test defines, there are no strides. */
enum { SHORT = 8, LONG = 2 * SHORT };

/* All that an engine counts down. */
#define COUNTERS(X) \
    X(left) \
    X(taps_left) X(fetch) X(coming) X(draw_left) X(ops_left) X(drain) X(fire_left) X(signal_left) X(baseline_left)

static bool counts_long(const twin *t)
{
#ifdef TERN_CYCLE_BY_CYCLE
    (void)t;
    return false;
#else
    return t->ops_left > LONG || t->taps_left > LONG || t->fire_left > LONG || t->signal_left > LONG ||
           t->baseline_left > LONG;
#endif
}

/* before: one cycle earlier than t. If only counters have changed, each by one, the next cycles do the same until one
 * of them is short: these are taken. signal_wait and fire_all of count() do not change meanwhile: they change only
 * together with fire_neuron. Returns the number of cycles, or 0. */
static uint64_t stride(const twin *before, twin *t)
{
    uint64_t least = UINT64_MAX;
    twin same;
    memcpy(&same, before, sizeof same); /* with its padding, for memcmp() */
#define LOOK(c) \
    if (same.c != t->c) { \
        if (same.c != t->c + 1u) return 0; \
        if (t->c < least) least = t->c; \
        same.c = t->c; \
    }
    COUNTERS(LOOK)
#undef LOOK
    if (least == UINT64_MAX || least <= SHORT || memcmp(&same, t, sizeof same) != 0) return 0;
    const uint64_t n = least - SHORT;
#define TAKE(c) \
    if (before->c != same.c) t->c = (__typeof__(t->c))(t->c - n);
    COUNTERS(TAKE)
#undef TAKE
    return n;
}

static uint64_t count(const tern_plan *plan, bool update, bool potential, bool learn, bool clamp, bool silent)
{
    const tern_net *n = plan->net;
    twin t;
    memset(&t, 0, sizeof t); /* its padding, too, for memcmp() */
    t.p = plan;
    t.update = update;
    t.potential = potential;
    t.clamp = clamp;
    t.silent = silent;
    bool signal_wait = potential, fire_all = false;
    uint64_t cycles = 1; /* the cycle of begin: the engines start with the next one */
    if (potential && n->n_visible == 0) {
        signal_wait = false;
        t.signal_left = signal_cycles(plan, learn);
    }
    t.draw = D_NEXT;
    t.learn = L_START;
    t.left = 1;
    t.state = P_ROW;
    t.fetch = 2;
    for (;; ++cycles) {
        const bool pass_idle = t.act == NULL && !t.take_before && t.drain == 0 && t.op_pipe == 0;
        const bool prepared = t.learn == L_IDLE && t.state == P_IDLE && !t.valid && t.coming == 0;
        if (prepared && pass_idle && t.draw == D_IDLE && t.signal_left == 0 && t.baseline_left == 0 && !signal_wait &&
            (!potential || fire_all))
            return cycles + 1u;
        const bool far = counts_long(&t);
        twin before;
        if (far) memcpy(&before, &t, sizeof before);
        /* outputs of this cycle come from the state before it */
        const bool fire_done = fire_finishes(&t), baseline_busy = t.baseline_left > 0, soon = pass_soon(&t);
        if (t.signal_left > 0) --t.signal_left;
        const learn_out learned = step_learn(&t, t.state == P_TAPS || t.state == P_KERNELS);
        const pass_out passed = step_pass(&t, fire_done);
        step_prepare(&t, passed.take, soon, learned.coefficients);
        const draw_out drawn = step_draw(&t);
        t.begun = t.begun + drawn.begun - learned.start;
        t.dithers = t.dithers + drawn.dither - (learned.coefficients && update);
        t.open = t.open + drawn.begun - passed.ended;
        t.unfired = t.unfired + (drawn.begun && potential) - fire_done;
        if (fire_done) {
            if (t.fire_neuron + 1u == n->n_neurons) fire_all = true;
            if (t.fire_neuron + 1u == n->n_visible) {
                signal_wait = false;
                t.signal_left = signal_cycles(plan, learn);
            }
        }
        if (baseline_busy) --t.baseline_left;
        step_fire(&t, learned.local, drawn.done, passed.sums_valid);
        if (far) cycles += stride(&before, &t);
    }
}

uint64_t tern_plan_cycles(const tern_plan *plan, bool update, bool potential, bool learn, bool clamp)
{
    return count(plan, update, potential, learn, clamp, false);
}

/* Rows that end sooner leave less time for what is prepared meanwhile, so a step may be longer or shorter than both
 * counts: by at most ROW_SLACK cycles for each row. */
enum { ROW_SLACK = 4 };

tern_cycle_range tern_plan_skip_range(const tern_plan *plan, bool update, bool potential, bool learn, bool clamp)
{
    const uint64_t all = count(plan, update, potential, learn, clamp, false);
    if (plan->need.skip == 0 || !potential) return (tern_cycle_range){ all, all };
    const uint64_t none = count(plan, update, potential, learn, clamp, true),
                   slack = (uint64_t)ROW_SLACK * plan->n_rows, least = none < all ? none : all;
    return (tern_cycle_range){ least > slack ? least - slack : 0, (none < all ? all : none) + slack };
}
