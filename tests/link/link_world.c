/* link_world.c : a host, a faulty line and a board in simulated time
 * SPDX-License-Identifier: Apache-2.0
 */
#include "link_world.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { US_PER_3_TICKS = 10 }; /* 3,000,000 bits per second, 10 bits a byte */

uint32_t link_random(uint32_t *state, uint32_t n)
{
    *state = *state * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)(*state >> 4) * n >> 28);
}

/* ---- core -------------------------------------------------------------------------------------------------------- */

bool link_memory_write(link_memory *m, link_write w)
{
    if (w.address >> 24 == 1 && (w.address & 0xffffffu) < LINK_WORDS) m->words[w.address & 0xffffffu] = w.word;
    if (w.address == TERN_LINK_REG_LAYOUT) m->layout = w.word;
    if (w.address != 2 || !(w.word & 1)) return false;
    ++m->steps;
    m->words[m->steps * 37u % LINK_WORDS] += m->steps; /* a step that is done twice, or not, is seen */
    return true;
}

bool link_core_busy(const link_core *c) { return c->now < c->busy_until; }

void link_core_write(link_core *c, uint32_t address, uint32_t word)
{
    const link_write w = { address, word };
    if (c->n_log == LINK_LOG) c->overflow = true;
    else c->log[c->n_log++] = w;
    if (link_memory_write(&c->m, w)) {
        const uint32_t kind = link_random(&c->random, 50);
        c->busy_until = c->now + (kind == 0   ? 3000 + link_random(&c->random, 9000)
                                  : kind < 10 ? 100 + link_random(&c->random, 400)
                                              : link_random(&c->random, 40));
    }
}

uint32_t link_core_read(link_core *c, uint32_t address)
{
    if (address >> 24 == 1) return (address & 0xffffffu) < LINK_WORDS ? c->m.words[address & 0xffffffu] : c->m.words[0];
    switch (address) {
    case 0: return 0x5445524e;
    case 1: return 1;
    case 3: return link_core_busy(c);
    case 4: return link_core_busy(c) ? 0xbadbad : c->m.steps * 3 + 1; /* CYCLES: valid when idle */
    case 19: return 128;                                              /* NEURONS */
    case TERN_LINK_REG_LAYOUT: return c->m.layout;
    default: return 0;
    }
}

/* ---- line -------------------------------------------------------------------------------------------------------- */

static const link_faults *faults(const link_world *w, const link_way *y)
{
    return y == &w->to_board ? &w->faults : &w->faults_to_host;
}

static bool happens(link_world *w, uint32_t p)
{
    if (p == 0 || link_random(&w->random, 100000) >= p) return false;
    ++w->n_faults;
    return true;
}

static void put(link_world *w, link_way *y, unsigned byte)
{
    if (y->n == LINK_LINE) return;
    uint64_t due = w->now + 1 + (w->latency != 0 ? link_random(&w->random, w->latency) : 0);
    if (due < y->last_due) due = y->last_due; /* no overtaking */
    y->last_due = due;
    y->bytes[(y->at + y->n) % LINK_LINE] = (uint16_t)byte;
    y->due[(y->at + y->n++) % LINK_LINE] = due;
}

static void put_byte(link_world *w, link_way *y, uint8_t byte)
{
    const link_faults *f = faults(w, y);
    if (happens(w, f->lose)) return;
    if (happens(w, f->extra)) put(w, y, link_random(&w->random, 512));
    if (y->held_in > 0 && --y->held_in == 0) put(w, y, y->held);
    if (happens(w, f->flip)) byte = (uint8_t)(byte ^ 1u << link_random(&w->random, 8));
    if (y->held_in == 0 && happens(w, f->hold)) {
        y->held = byte;
        y->held_in = 2 + link_random(&w->random, 300);
        return;
    }
    put(w, y, byte);
    if (happens(w, f->twice)) put(w, y, byte);
    if (y->n > 1 && happens(w, f->swap)) {
        uint16_t *a = &y->bytes[(y->at + y->n - 1) % LINK_LINE], *b = &y->bytes[(y->at + y->n - 2) % LINK_LINE];
        const uint16_t t = *a;
        *a = *b;
        *b = t;
    }
}

static void put_frame(link_world *w, link_way *y, const uint8_t *bytes, uint32_t n)
{
    for (uint32_t i = 0; i < n; ++i) put_byte(w, y, bytes[i]);
}

/* A byte that a sender gives to the line. Frames are collected, so that whole ones can be lost, doubled or late. */
static void give(link_world *w, link_way *y, uint8_t byte)
{
    if (y->n_frame < sizeof y->frame) y->frame[y->n_frame++] = byte;
    if (byte != TERN_LINK_FLAG || y->n_frame < 2) return; /* continues */
    if (y->late_in > 0 && --y->late_in == 0) put_frame(w, y, y->late, y->n_late);
    if (y->late_in == 0 && happens(w, faults(w, y)->frame_late)) {
        memcpy(y->late, y->frame, y->n_frame);
        y->n_late = y->n_frame;
        y->late_in = 1 + link_random(&w->random, 20);
        if (link_random(&w->random, 2) == 0) put_frame(w, y, y->frame, y->n_frame); /* late and doubled */
    } else if (!happens(w, faults(w, y)->frame_lose)) {
        put_frame(w, y, y->frame, y->n_frame);
        if (happens(w, faults(w, y)->frame_twice)) put_frame(w, y, y->frame, y->n_frame);
    }
    y->n_frame = 0;
}

static int arrived(link_world *w, link_way *y)
{
    if (y->n == 0 || y->due[y->at] > w->now) return -1;
    const int byte = y->bytes[y->at];
    y->at = (y->at + 1) % LINK_LINE;
    --y->n;
    return byte;
}

static bool unplugged(const link_world *w) { return w->now < w->plugged_at; }

void link_world_tick(link_world *w)
{
    ++w->now;
    w->core.now = w->now;
    if (w->limit != 0 && w->now > w->limit) w->dead = true;
    if (w->n_out > 0) {
        const uint8_t byte = w->out[w->out_at];
        w->out_at = (w->out_at + 1) % sizeof w->out;
        --w->n_out;
        if (!unplugged(w)) give(w, &w->to_board, byte);
    }
    const int byte = arrived(w, &w->to_board);
    w->target.tick(w->target.ud, byte);
    const int reply = w->target.take(w->target.ud);
    if (reply >= 0 && !unplugged(w)) give(w, &w->to_host, (uint8_t)reply);
}

static void cut(link_world *w, link_way *y)
{
    y->n = y->n_frame = y->late_in = y->held_in = 0;
    /* contacts bounce */
    for (uint32_t i = link_random(&w->random, 6); i > 0; --i) put(w, y, link_random(&w->random, 512));
}

void link_world_unplug(link_world *w, uint32_t ticks, bool adapter)
{
    ++w->n_unplugs;
    w->plugged_at = w->now + ticks;
    w->adapter_gone = adapter;
    if (adapter) w->n_out = 0;
    cut(w, &w->to_board);
    cut(w, &w->to_host);
}

void link_world_replug(link_world *w)
{
    while (unplugged(w)) link_world_tick(w);
    cut(w, &w->to_board);
    cut(w, &w->to_host);
    w->adapter_gone = false;
}

void link_world_power(link_world *w)
{
    ++w->n_powers;
    memset(&w->core.m, 0, sizeof w->core.m);
    for (uint32_t i = 0; i < LINK_WORDS; ++i) w->core.m.words[i] = link_random(&w->random, 1u << 28);
    w->core.busy_until = 0;
    w->core.n_log = 0;
    w->target.power(w->target.ud, link_random(&w->random, 1u << 28));
}

static int io_read(void *ud, uint8_t *bytes, int max)
{
    link_world *w = ud;
    int n = 0;
    if (w->adapter_gone) return -1;
    /* an adapter passes broken bytes on */
    for (int byte; n < max && (byte = arrived(w, &w->to_host)) >= 0;) bytes[n++] = (uint8_t)byte;
    return n;
}

static int io_write(void *ud, const uint8_t *bytes, int n)
{
    link_world *w = ud;
    int done = 0;
    if (w->adapter_gone) return -1;
    for (; done < n && w->n_out < sizeof w->out; ++done) w->out[(w->out_at + w->n_out++) % sizeof w->out] = bytes[done];
    return done;
}

static uint32_t io_clock_us(void *ud)
{
    const link_world *w = ud;
    return (uint32_t)(w->now * US_PER_3_TICKS / 3) + 0xfff00000u; /* wraps early in every run */
}

static void io_wait(void *ud, uint32_t us)
{
    link_world *w = ud;
    const uint64_t end = w->now + (uint64_t)us * 3 / US_PER_3_TICKS + 1;
    do link_world_tick(w);
    while (w->now < end && !(w->to_host.n > 0 && w->to_host.due[w->to_host.at] <= w->now));
    if (w->dead) w->adapter_gone = true; /* ends every call */
}

tern_link_io link_world_io(link_world *w) { return (tern_link_io){ w, io_read, io_write, io_clock_us, io_wait, NULL }; }

void link_world_init(link_world *w, uint32_t seed, const link_faults *both, uint32_t latency, link_write *log)
{
    memset(w, 0, sizeof *w);
    w->random = seed * 2654435761u + 1;
    w->core.random = w->random ^ 0x55;
    w->faults = w->faults_to_host = *both;
    w->latency = latency;
    w->stall_us = 20000000;
    w->core.log = log;
}

/* ---- the C model as a target ------------------------------------------------------------------------------------- */

static bool model_busy(void *ud) { return link_core_busy(&((link_model *)ud)->world->core); }
static void model_write(void *ud, uint32_t address, uint32_t word)
{
    link_core_write(&((link_model *)ud)->world->core, address, word);
}
static uint32_t model_read(void *ud, uint32_t address)
{
    return link_core_read(&((link_model *)ud)->world->core, address);
}
static void model_reset(void *ud) { ((link_model *)ud)->world->core.busy_until = 0; }
static void model_send(void *ud, const uint8_t *bytes, size_t n)
{
    link_model *m = ud;
    for (size_t i = 0; i < n && m->n < sizeof m->out; ++i) m->out[(m->at + m->n++) % sizeof m->out] = bytes[i];
}

static void model_tick(void *ud, int byte)
{
    link_model *m = ud;
    if (byte >= 0) tern_link_device_receive(&m->device, (uint8_t)byte, byte >= 256);
    if (m->n > 300) return; /* a reply is being sent */
    if (!tern_link_device_run(&m->device)) {
        m->stalled = 0;
    } else if (++m->stalled == 205) { /* 2,047 bits */
        m->stalled = 0;
        tern_link_device_tick(&m->device);
    }
}

static int model_take(void *ud)
{
    link_model *m = ud;
    if (m->n == 0) return -1;
    const int byte = m->out[m->at];
    m->at = (m->at + 1) % sizeof m->out;
    --m->n;
    return byte;
}

static void model_power(void *ud, uint32_t random)
{
    link_model *m = ud;
    const tern_link_board board = m->device.board;
    tern_link_device_init(&m->device, &board, m->device.buffer_log, (uint8_t)random);
    m->n = m->stalled = 0;
}

void link_model_init(link_model *m, link_world *w, unsigned buffer_log)
{
    const tern_link_board board = { m, model_busy, model_write, model_read, model_reset, model_send };
    memset(m, 0, sizeof *m);
    m->world = w;
    tern_link_device_init(&m->device, &board, buffer_log, (uint8_t)w->random);
    w->target = (link_target){ m, model_tick, model_take, model_power };
}

/* ---- a run ------------------------------------------------------------------------------------------------------- */

typedef struct run {
    link_world *w;
    tern_link *l;
    tern_link_config config;
    link_memory ref, before; /* as it is to be now; at the last check */
    link_write *asked;       /* writes since then */
    size_t n_asked;
    uint32_t random;
    uint32_t out[8192], wanted[8192];
    uint32_t n_out;
    bool reloaded, failed, powered;
    uint64_t frames, repeats;
    tern_link_stats *total;
} run;

static void fail(run *r, const char *what, uint64_t a, uint64_t b, uint64_t c)
{
    if (!r->failed)
        printf("LINK %s: %" PRIu64 " 0x%" PRIx64 " 0x%" PRIx64 " (tick %" PRIu64 ")\n", what, a, b, c, r->w->now);
    r->failed = true;
}

static void add_stats(run *r)
{
    const uint64_t *from = (const uint64_t *)&r->l->stats;
    uint64_t *to = (uint64_t *)r->total;
    r->frames += r->l->stats.frames;
    for (size_t i = 0; i < offsetof(tern_link_stats, longest_us) / sizeof *to; ++i) to[i] += from[i];
    memset(&r->l->stats, 0, sizeof r->l->stats);
}

/* The writes that the board has done are the first ones that were asked for: all of them, unless some may be
 * missing. */
static void compare_log(run *r, bool all)
{
    const link_core *c = &r->w->core;
    for (size_t i = 0; i < c->n_log && i < r->n_asked; ++i)
        if (c->log[i].address != r->asked[i].address || c->log[i].word != r->asked[i].word) {
            if (i > 0 && c->log[i].address == r->asked[i - 1].address && c->log[i].word == r->asked[i - 1].word)
                fail(r, "write was done twice: number, address, word", i, c->log[i].address, c->log[i].word);
            else fail(r, "write differs: number, address, word", i, c->log[i].address, c->log[i].word);
            return;
        }
    if (c->n_log > r->n_asked)
        fail(r, "write was not asked for: number, address, word", r->n_asked, c->log[r->n_asked].address,
             c->log[r->n_asked].word);
    if (all && c->n_log < r->n_asked)
        fail(r, "write was lost: number, address, word", c->n_log, r->asked[c->n_log].address, r->asked[c->n_log].word);
    if (c->overflow) fail(r, "log of the test is full", 0, 0, 0);
}

static void checked(run *r)
{
    r->before = r->ref;
    r->n_asked = r->w->core.n_log = 0;
    r->n_out = 0;
}

static bool lost(tern_link_result got) { return got == TERN_LINK_R_LOST || got == TERN_LINK_R_TAKEN; }

static bool opened(run *r)
{
    for (int i = 0; i < 40 && !r->failed; ++i) {
        const tern_link_result got = tern_link_open(r->l);
        if (got == TERN_LINK_R_OK) return true;
        if (r->w->dead) break;
        if (got == TERN_LINK_R_GONE) {
            link_world_replug(r->w);
            tern_link_resume(r->l);
        } else if (got != TERN_LINK_R_SILENT && !lost(got)) {
            fail(r, tern_link_result_text(got), 0, 0, 0);
        }
    }
    fail(r, "does not open", r->w->dead, 0, 0);
    return false;
}

static bool recover(run *r, tern_link_result got);

/* The board was off: everything is loaded again. */
static bool reload(run *r)
{
    if (!r->powered) fail(r, "session was lost", 0, 0, 0);
    if (r->w->core.n_log != 0)
        fail(r, "write without a session: address, word", 0, r->w->core.log[0].address, r->w->core.log[0].word);
    r->reloaded = true;
    for (tern_link_result got = TERN_LINK_R_LOST; lost(got) && !r->failed;) {
        size_t done = 0;
        if (!opened(r)) return false;
        do {
            if (done < LINK_WORDS) {
                got = tern_link_write(r->l, 0x01000000u + (uint32_t)done, r->ref.words + done, LINK_WORDS - done);
                done += r->l->taken;
            } else {
                got = tern_link_sync(r->l);
            }
            if (got != TERN_LINK_R_OK && !lost(got) && !recover(r, got)) return false;
        } while (!lost(got) && !(got == TERN_LINK_R_OK && done == LINK_WORDS && r->l->base == r->l->next));
    }
    r->ref.steps = r->w->core.m.steps; /* registers are new, memory is the old one */
    r->ref.layout = r->w->core.m.layout;
    r->powered = false;
    checked(r);
    return !r->failed;
}

/* What to do after a result; false: the run is over. With r->reloaded the operation is not to be repeated. */
static bool recover(run *r, tern_link_result got)
{
    if (r->w->dead) {
        fail(r, "is dead", (uint64_t)got, r->l->base, r->l->next);
        return false;
    }
    switch (got) {
    case TERN_LINK_R_SILENT: return true;
    case TERN_LINK_R_GONE:
        link_world_replug(r->w);
        tern_link_resume(r->l);
        return true;
    case TERN_LINK_R_LOST:
    case TERN_LINK_R_TAKEN: return reload(r);
    default: fail(r, tern_link_result_text(got), 0, 0, 0); return false;
    }
}

static void ask_writes(run *r, uint32_t address, const uint32_t *words, uint32_t n)
{
    for (uint32_t i = 0; i < n; ++i) {
        r->asked[r->n_asked++] = (link_write){ address + i, words[i] };
        (void)link_memory_write(&r->ref, r->asked[r->n_asked - 1]);
    }
    size_t done = 0;
    r->reloaded = false;
    for (;;) {
        const tern_link_result got = tern_link_write(r->l, address + (uint32_t)done, words + done, n - done);
        done += r->l->taken;
        if (got == TERN_LINK_R_OK || !recover(r, got) || r->reloaded) return;
    }
}

/* kind 0: memory, 1: CYCLES, 2: echo, 3: STATUS */
static void ask_words(run *r, uint32_t address, uint32_t n, unsigned kind)
{
    const uint32_t at = r->n_out;
    uint32_t echo[256];
    for (uint32_t i = 0; i < n; ++i) {
        echo[i] = link_random(&r->random, 1u << 28) * 16u + i;
        r->wanted[at + i] = kind == 0   ? r->ref.words[(address & 0xffffffu) + i]
                            : kind == 1 ? r->ref.steps * 3 + 1
                            : kind == 2 ? echo[i]
                                        : 0;
        r->out[at + i] = 0xbbbbbbbbu;
    }
    r->n_out += n;
    size_t done = 0;
    r->reloaded = false;
    for (;;) {
        const tern_link_result got = kind == 2
                                         ? tern_link_echo(r->l, echo + done, r->out + at + done, n - done)
                                         : tern_link_read(r->l, address + (uint32_t)done, r->out + at + done, n - done);
        done += r->l->taken;
        if (got == TERN_LINK_R_OK || !recover(r, got) || r->reloaded) return;
    }
}

static void ask_wait(run *r)
{
    r->reloaded = false;
    for (;;) {
        const tern_link_result got = tern_link_wait_idle(r->l);
        if (got == TERN_LINK_R_OK || !recover(r, got) || r->reloaded) return;
    }
}

static void sync(run *r)
{
    r->reloaded = false;
    for (;;) {
        const tern_link_result got = tern_link_sync(r->l);
        if (got == TERN_LINK_R_OK) break;
        if (!recover(r, got) || r->reloaded) return;
    }
    compare_log(r, true);
    for (uint32_t i = 0; i < r->n_out && !r->failed; ++i)
        if (r->out[i] != r->wanted[i]) fail(r, "word read differs: number, found, wanted", i, r->out[i], r->wanted[i]);
    checked(r);
}

/* The host's program ends, and another one starts. */
static void restart(run *r)
{
    ++r->w->n_restarts;
    add_stats(r);
    const tern_link_io io = link_world_io(r->w);
    r->config.nonce = (uint8_t)link_random(&r->random, 256);
    if (r->w->adapter_gone) link_world_replug(r->w);
    r->w->n_out = 0;
    (void)tern_link_init(r->l, &io, &r->config);
    if (r->powered) {
        (void)reload(r);
        return;
    }
    if (!opened(r)) return;
    compare_log(r, false);
    r->ref = r->before; /* what the old session had not brought over is not there */
    for (size_t i = 0; i < r->w->core.n_log; ++i) (void)link_memory_write(&r->ref, r->w->core.log[i]);
    if (memcmp(&r->ref, &r->w->core.m, sizeof r->ref) != 0) fail(r, "memory differs after a restart", 0, 0, 0);
    checked(r);
}

int link_run(link_world *w, uint32_t seed, uint64_t frames, const link_events *events, tern_link_stats *total)
{
    static tern_link link;
    static run state;
    run *r = &state;
    const tern_link_io io = link_world_io(w);
    memset(r, 0, sizeof *r);
    memset(total, 0, sizeof *total);
    r->w = w;
    r->l = &link;
    r->random = seed * 40503u + 7;
    r->total = total;
    tern_link_config_default(&r->config, 3000000);
    r->config.timeout_us = 6000 + 4 * w->latency * 10 / 3;
    r->config.give_up_us = 400000;
    r->config.stall_us = w->stall_us;
    r->asked = malloc(LINK_LOG * sizeof *r->asked);
    if (r->asked == NULL) return 1;
    w->limit = w->now + w->stall_us;
    (void)tern_link_init(&link, &io, &r->config);
    if (opened(r)) {
        r->before = r->ref = w->core.m;
        w->core.n_log = 0;
    }
    while (!r->failed && r->frames + link.stats.frames < frames) {
        uint32_t words[256];
        const uint32_t n = 1 + link_random(&r->random, link_random(&r->random, 4) == 0 ? 200 : 12);
        const uint32_t at = link_random(&r->random, LINK_WORDS - n);
        w->limit = w->now + w->stall_us; /* 3.3 times as long an operation may take */
        for (uint32_t i = 0; i < n; ++i)
            words[i] = link_random(&r->random, 8) == 0 ? 0x7e7d7e7du : link_random(&r->random, 1u << 28) * 16u + i;
        switch (link_random(&r->random, 12)) {
        case 0:
        case 1:
        case 2: ask_writes(r, 0x01000000u + at, words, n); break;
        case 3: /* scattered */
            for (uint32_t i = 0; i < 6 && !r->failed; ++i)
                ask_writes(r, 0x01000000u + (at + 7 * i) % LINK_WORDS, words + i, 1);
            break;
        case 4:
        case 5: ask_words(r, 0x01000000u + at, n, 0); break;
        case 6: ask_words(r, 0, n < 62 ? n : 62, 2); break;
        case 7:
        case 8:
        case 9: /* a step: input, CONTROL, wait, what came out */
            ask_writes(r, 0x01000000u + at, words, n < 20 ? n : 20);
            words[0] = 1;
            if (!r->reloaded) ask_writes(r, 2, words, 1);
            if (!r->reloaded) ask_wait(r);
            if (!r->reloaded) ask_words(r, 4, 1, 1);
            if (!r->reloaded) ask_words(r, 3, 1, 3);
            if (!r->reloaded) ask_words(r, 0x01000000u + at, n < 8 ? n : 8, 0);
            break;
        case 10: (void)tern_link_poll(&link); break;
        default: sync(r);
        }
        if (r->n_out > 7000 || r->n_asked > LINK_LOG / 2) sync(r);
        const uint32_t chance = link_random(&r->random, 1000);
        if (r->failed) break;
        if (chance < events->unplug) {
            link_world_unplug(w, link_random(&r->random, 30000), false);
        } else if (chance < events->unplug + events->adapter) {
            link_world_unplug(w, link_random(&r->random, 30000), true);
        } else if (chance < events->unplug + events->adapter + events->power) {
            link_world_power(w);
            r->powered = true;
            r->n_asked = 0; /* the board has nothing of it any more */
            sync(r);
        } else if (chance < events->unplug + events->adapter + events->power + events->restart) {
            restart(r);
        }
    }
    if (!r->failed) sync(r);
    if (!r->failed && memcmp(&r->ref, &w->core.m, sizeof r->ref) != 0) fail(r, "memory differs at the end", 0, 0, 0);
    add_stats(r);
    free(r->asked);
    return r->failed;
}
