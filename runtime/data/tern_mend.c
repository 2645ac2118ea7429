/* tern_mend.c : what --repair does to times, and what is implausible about them (docs/30-data.md, section 1)
 * SPDX-License-Identifier: Apache-2.0
 *
 * An event is held back until the next one is known: a single time that is far off is distinguished from a clock that
 * was
 * started again by what comes after it.
 */
#include <string.h>
#include "tern_formats.h"

enum {
    JITTER_US = 10000
};                    /* a step back of up to this much is an event out of place, not a clock that was started again */
enum { ENOUGH = 16 }; /* events to judge by */
#define GAP_LEAST_US INT64_C(1000000)
#define LAST_LEAST_US INT64_C(60000000)
#define SLOW_SPAN_US UINT64_C(600000000)
#define SLOW_US UINT64_C(10000000) /* from one event to the next, on average */

static int64_t step(uint64_t from, uint64_t to) { return (int64_t)(to - from); }

/* The event that is held back lies far from those before and after it, which lie together. Without one before: far
 * behind the one after it. */
static bool is_wild(const tern_stream *s, uint64_t next)
{
    const int64_t back = step(s->held.t_us, next);
    if (!s->any) return back < -JITTER_US;
    const int64_t there = step(s->raw_us, s->held.t_us), on = step(s->raw_us, next);
    return on >= -JITTER_US && ((there > JITTER_US && back < -JITTER_US) || (there < -JITTER_US && back > JITTER_US));
}

/* Time of an event after repair: never smaller than that of the one before. */
static uint64_t mend_time(tern_stream *s, uint64_t t)
{
    const uint64_t moved = t + s->shift_us;
    if (s->any && step(s->last_us, moved) < 0) {
        ++s->counts.n_backwards;
        ++s->counts.n_moved;
        if (s->last_us - moved > JITTER_US) s->shift_us = s->last_us - t;
        return s->last_us;
    }
    s->counts.n_moved += s->shift_us != 0;
    return moved;
}

/* The event that was held back, mended. */
static tern_event let_go(tern_stream *s)
{
    tern_event e = s->held;
    s->raw_us = e.t_us;
    s->last_us = e.t_us = mend_time(s, e.t_us);
    if (!s->any) s->first_us = e.t_us;
    s->any = true;
    ++s->n_let_go;
    return e;
}

size_t tern__mend(tern_stream *s, tern_event *e, size_t n)
{
    size_t k = 0;
    for (size_t i = 0; i < n; ++i) {
        const tern_event next = e[i];
        if (s->holds && is_wild(s, next.t_us)) ++s->counts.n_wild;
        else if (s->holds) e[k++] = let_go(s);
        s->held = next;
        s->holds = true;
    }
    return k;
}

size_t tern__mend_end(tern_stream *s, tern_event *e)
{
    if (!s->holds) return 0;
    s->holds = false;
    const int64_t jump = step(s->raw_us, s->held.t_us);
    if (s->n_let_go >= ENOUGH && jump > LAST_LEAST_US && jump / 10 > step(s->first_us, s->last_us)) {
        ++s->counts.n_wild;
        return 0;
    }
    *e = let_go(s);
    return 1;
}

void tern__judge(tern_stream *s)
{
    tern_stream_counts *c = &s->counts;
    const uint64_t all = c->span_us + s->before_us;
    if (c->n_events < ENOUGH) return;
    c->n_gaps = c->gap_us >= (uint64_t)GAP_LEAST_US && c->gap_us > all - all / 10;
    c->n_slow = all >= SLOW_SPAN_US && all / c->n_events > SLOW_US;
}
