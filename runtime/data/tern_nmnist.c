/* tern_nmnist.c : N-MNIST's 5-byte records (docs/38-formats.md)
 * SPDX-License-Identifier: Apache-2.0
 *
 *     x, 8 bits | y, 8 bits | polarity, 1 bit, 1 = ON | time in microseconds, 23 bits, big-endian
 * A record with y = 240 is not an event: the time of all that follow is 8192 microseconds later. There is no header and
 * nothing that says where a file of several samples
 * is to be parted; an index does (docs/30-data.md, section 3).
 */
#include "tern/simulate.h"
#include "tern_formats.h"

enum { RECORD_BYTES = 5, SIZE = 34, LATER_Y = 240, LATER_US = 8192, LEAST = 4 };

typedef struct reader {
    uint64_t left, later_us;
} reader;

static uint32_t time_of(const uint8_t *p) { return (uint32_t)(p[2] & 127u) << 16 | (uint32_t)p[3] << 8 | p[4]; }

/* No signature: records that all lie on the sensor, in order of time, and not all at one time. */
static bool detect(const uint8_t *b, size_t n, uint64_t size)
{
    uint32_t last = 0, first = 0, changes = 0;
    const size_t records = n / RECORD_BYTES;
    if (records < LEAST || (size != UINT64_MAX && size < LEAST * RECORD_BYTES)) return false;
    for (size_t i = 0; i < records; ++i) {
        const uint8_t *p = b + i * RECORD_BYTES;
        if (p[1] == LATER_Y) continue;
        const uint32_t t = time_of(p);
        if (p[0] >= SIZE || p[1] >= SIZE || t < last) return false;
        if (i == 0) first = t;
        changes += i != 0 && (p[0] != b[0] || p[1] != b[1]);
        last = t;
    }
    return last > first && changes != 0;
}

static tern_status open_file(tern_stream *s, bool *selected, tern_diags *d)
{
    reader *r = s->state;
    s->info.width = s->info.height = SIZE;
    return tern__fixed_records(s, 0, RECORD_BYTES, &r->left, selected, d);
}

static tern_status read_events(tern_stream *s, tern_event *out, size_t room, size_t *out_n, tern_diags *d)
{
    reader *r = s->state;
    size_t k = 0;
    while (k == 0 && r->left != 0) {
        const uint8_t *p;
        const size_t have = tern__source_peek(&s->src, RECORD_BYTES, &p);
        size_t n = have / RECORD_BYTES;
        if (n == 0) {
            s->counts.n_left_over += have;
            tern__source_take(&s->src, have);
            return tern__source_problem(s, &s->src, d);
        }
        if (n > room) n = room;
        if (n > r->left) n = (size_t)r->left;
        uint64_t later = r->later_us;
        for (size_t i = 0; i < n; ++i, p += RECORD_BYTES) {
            if (p[1] == LATER_Y) {
                later += LATER_US;
                continue;
            }
            out[k++] = (tern_event){ .t_us = later + time_of(p), .x = p[0], .y = p[1], .on = p[2] >> 7 };
        }
        r->later_us = later;
        tern__source_take(&s->src, n * RECORD_BYTES);
        r->left -= n;
    }
    *out_n = k;
    return TERN_OK;
}

tern_status tern_nmnist_encode(const tern_recording *rec, tern_arena *arena, const uint8_t **out_bytes,
                               size_t *out_size, tern_diags *diags)
{
    uint8_t *b = tern_arena_get(arena, rec->n_events, RECORD_BYTES), *p = b;
    if (b == NULL) return TERN_ERR_MEMORY;
    for (size_t i = 0; i < rec->n_events; ++i, p += RECORD_BYTES) {
        const tern_event *e = &rec->events[i];
        if (e->x >= SIZE || e->y >= SIZE || e->t_us >= 1u << 23) {
            tern_diags_add(diags, TERN_SEV_ERROR, TERN_SIM_RANGE, rec->file, 0, NULL,
                           "event %zu (x %u, y %u, %llu us) does not fit N-MNIST: x and y below %d, time below 2^23 us",
                           i, e->x, e->y, (unsigned long long)e->t_us, SIZE);
            return TERN_ERR_LIMIT;
        }
        const uint32_t t = (uint32_t)e->t_us;
        p[0] = (uint8_t)e->x, p[1] = (uint8_t)e->y;
        p[2] = (uint8_t)((e->on ? 128u : 0u) | t >> 16), p[3] = (uint8_t)(t >> 8), p[4] = (uint8_t)t;
    }
    *out_bytes = b;
    *out_size = rec->n_events * RECORD_BYTES;
    return TERN_OK;
}

const tern__format tern__format_nmnist = { .name = "nmnist",
                                           .suffixes = { ".bin" },
                                           .state_bytes = sizeof(reader),
                                           .detect = detect,
                                           .open = open_file,
                                           .read = read_events };
