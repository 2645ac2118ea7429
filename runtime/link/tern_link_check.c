/* tern_link_check.c : is it the right core, at which rate, and how good is the line?
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_link.h"

/* ---- registers --------------------------------------------------------------------------------------------------- */

const char *tern_link_register_name(unsigned word)
{
    static const struct {
        uint8_t word;
        char name[11];
    } names[] = {
        { 0, "ID" },      { 1, "VERSION" },  { 7, "SKIP" },        { 8, "WAYS" },     { 9, "WAY_WORDS" },
        { 10, "PREP" },   { 11, "SIGNALS" }, { 12, "BASELINES" },  { 13, "WTA" },     { 14, "CLASSES" },
        { 15, "SMALL" },  { 16, "LANES" },   { 17, "WEIGHT_W" },   { 18, "SAMPLES" }, { 19, "NEURONS" },
        { 20, "PAIRS" },  { 21, "ERRORS" },  { 22, "TAPS_D" },     { 23, "LAGS_W" },  { 24, "FILTERS" },
        { 25, "ROWS" },   { 26, "WORDS" },   { 27, "HIST_WORDS" }, { 28, "TARGETS" }, { 31, "HIST_W" },
        { 50, "LAYOUT" },
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i)
        if (names[i].word == word) return names[i].name;
    return "register";
}

typedef struct text {
    char *to;
    size_t n, at;
} text;

static void say(text *t, const char *s)
{
    for (; *s != 0; ++s)
        if (t->at + 1 < t->n) t->to[t->at++] = *s;
    if (t->n > 0) t->to[t->at] = 0;
}

static void say_number(text *t, uint32_t v)
{
    char digits[11];
    unsigned i = sizeof digits - 1;
    digits[i] = 0;
    do {
        digits[--i] = (char)('0' + v % 10);
        v /= 10;
    } while (v != 0);
    say(t, digits + i);
}

tern_link_result tern_link_check(const tern_link *l, const tern_link_need *needs, size_t n_needs, char *out, size_t n)
{
    text t = { out, out != NULL ? n : 0, 0 };
    say(&t, "");
    if (!l->open) return TERN_LINK_R_CLOSED;
    for (size_t i = 0; i < n_needs; ++i) {
        const tern_link_need *need = &needs[i];
        if (need->word >= TERN_LINK_REGISTERS) return TERN_LINK_R_ARGUMENT;
        const uint32_t found = l->registers[need->word];
        if (need->exact ? found == need->value : found >= need->value) continue;
        say(&t, tern_link_register_name(need->word));
        say(&t, " (register ");
        say_number(&t, need->word);
        say(&t, ") of the core is ");
        say_number(&t, found);
        say(&t, need->exact ? "; needed is exactly " : "; needed is at least ");
        say_number(&t, need->value);
        return TERN_LINK_R_UNFIT;
    }
    return TERN_LINK_R_OK;
}

/* ---- finding the rate -------------------------------------------------------------------------------------------- */

const uint32_t tern_link_bauds[] = { 3000000, 2000000, 1500000, 1000000, 921600, 460800, 230400, 115200, 0 };

tern_link_result tern_link_scan(tern_link *l, const uint32_t *bauds, uint32_t *out_baud)
{
    const uint32_t timeout_us = l->config.timeout_us;
    tern_link_result last = TERN_LINK_R_SILENT;
    if (l->io.set_baud == NULL) return TERN_LINK_R_ARGUMENT;
    for (const uint32_t *baud = bauds != NULL ? bauds : tern_link_bauds; *baud != 0; ++baud) {
        if (l->io.set_baud(l->io.ud, *baud) != 0) continue;
        /* the first INFO may follow garbage of another rate: its flag ends that, so one more is enough */
        l->config.timeout_us = tern_link_timeout_us(*baud, 64);
        tern_link_result r = TERN_LINK_R_SILENT;
        for (int i = 0; i < 2 && r != TERN_LINK_R_OK; ++i) r = tern_link_probe(l);
        if (r == TERN_LINK_R_OK) {
            l->config.timeout_us = tern_link_timeout_us(*baud, l->buffer_bytes);
            *out_baud = *baud;
            return r;
        }
        l->config.timeout_us = timeout_us;
        if (r == TERN_LINK_R_GONE || r == TERN_LINK_R_VERSION) return r;
        if (r == TERN_LINK_R_LOOPED) last = r;
    }
    return last;
}

/* ---- quality of the line ----------------------------------------------------------------------------------------- */

static uint32_t pattern(uint32_t i, uint32_t seed)
{
    static const uint32_t fixed[8] = { 0,           0xffffffffu, 0x55555555u, 0xaaaaaaaau,
                                       0x7e7e7e7eu, 0x7d7d7d7du, 0x7d5e7d5du, 0x7e7d7e7du };
    if (i % 64 < 8) return fixed[i % 8];
    if (i % 64 < 40) return 1u << (i % 32);
    uint32_t x = (i + seed * 0x9e3779b9u) * 0x85ebca6bu; /* scrambled, so that neighbours have nothing in common */
    x ^= x >> 13;
    x *= 0xc2b2ae35u;
    return x ^ x >> 16;
}

tern_link_result tern_link_self_test(tern_link *l, uint32_t words, uint32_t seed, tern_link_test *out)
{
    enum { BLOCK = 56 }; /* one frame */
    uint32_t sent[BLOCK], back[4][BLOCK];
    uint32_t done = 0, begin, checked = 0;
    tern_link_result r = TERN_LINK_R_OK;
    const tern_link_stats before = l->stats;
    *out = (tern_link_test){ 0 };
    if (words < 1 || words > 1000000) return TERN_LINK_R_ARGUMENT;

    for (int i = 0; i < 8 && r == TERN_LINK_R_OK; ++i) {
        begin = l->io.clock_us(l->io.ud);
        sent[0] = pattern((uint32_t)i, seed);
        r = tern_link_echo(l, sent, back[0], 1);
        if (r == TERN_LINK_R_OK) r = tern_link_sync(l);
        const uint32_t us = l->io.clock_us(l->io.ud) - begin;
        if (i == 0 || us < out->round_us) out->round_us = us;
        if (r == TERN_LINK_R_OK && back[0][0] != sent[0]) ++out->wrong;
    }
    begin = l->io.clock_us(l->io.ud);
    while (r == TERN_LINK_R_OK && checked < words) { /* four blocks at a time */
        uint32_t n[4] = { 0 };
        for (unsigned b = 0; b < 4 && r == TERN_LINK_R_OK && done < words; ++b) {
            n[b] = words - done < BLOCK ? words - done : BLOCK;
            for (uint32_t i = 0; i < n[b]; ++i) sent[i] = pattern(done + i, seed);
            r = tern_link_echo(l, sent, back[b], n[b]);
            done += n[b];
        }
        if (r == TERN_LINK_R_OK) r = tern_link_sync(l);
        for (unsigned b = 0; b < 4 && r == TERN_LINK_R_OK; ++b)
            for (uint32_t i = 0; i < n[b]; ++i, ++checked)
                if (back[b][i] != pattern(checked, seed)) ++out->wrong;
    }
    out->us = l->io.clock_us(l->io.ud) - begin;
    out->words = checked;
    out->repeats = (uint32_t)(l->stats.repeats - before.repeats);
    out->bad_requests = (uint32_t)(l->stats.bad_requests - before.bad_requests);
    out->bad_replies = (uint32_t)(l->stats.bad_replies - before.bad_replies);
    out->timeouts = (uint32_t)(l->stats.timeouts - before.timeouts);
    if (out->us > 0) out->bytes_per_s = (uint32_t)((uint64_t)checked * 4 * 1000000 / out->us);
    return r != TERN_LINK_R_OK ? r : out->wrong != 0 ? TERN_LINK_R_DAMAGED : r;
}
