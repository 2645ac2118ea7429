/* fuzz_reader.c : any bytes as a recording of one format (FUZZ_FORMAT)
 * SPDX-License-Identifier: Apache-2.0
 *
 * The first byte says how it is opened, the rest is the file (docs/40-setup.md, "Fuzzing").
 */
#include <zlib.h>
#include "fuzz.h"
#include "tern/data.h"

enum { REPAIR = 1, AUTO = 2, SELECTION = 12, SENSOR = 16, SMALL_ROOM = 32, GZIP = 64, KEEP = 128 };
enum { ROOM = 4096, EVENTS_LIMIT = 40000000, GZIP_MAX = 1 << 16 };

static const char *const selections[] = { "x", "x#@3+20", "x#1000..2000us", "x#1" };
static tern_diags diags;
static tern_event events[ROOM];

static void read_all(tern_stream *s, unsigned room)
{
    const tern_stream_info *about = tern_stream_about(s);
    const tern_stream_counts *c = tern_stream_counted(s);
    uint64_t n = 0, n_on = 0;
    size_t got = 1;
    tern_status st = TERN_OK;
    FUZZ_CHECK(about->format != NULL);
    while (st == TERN_OK && got != 0) {
        st = tern_stream_read(s, events, room, &got, &diags);
        if (st != TERN_OK) break;
        FUZZ_CHECK(got <= room);
        for (size_t i = 0; i < got; ++i) {
            FUZZ_CHECK(events[i].on <= 1);
            FUZZ_CHECK(about->width == 0 || (events[i].x < about->width && events[i].y < about->height));
            n_on += events[i].on;
        }
        n += got;
        FUZZ_CHECK(n < EVENTS_LIMIT);
    }
    if (st != TERN_ERR_MEMORY) fuzz_told((int)st, &diags);
    if (st == TERN_OK) {
        FUZZ_CHECK(c->n_events == n && c->n_on == n_on);
        tern_stream_report(s, &diags);
        fuzz_told(0, &diags);
    } else { /* it stays so */
        FUZZ_CHECK(tern_stream_read(s, events, room, &got, &diags) == st);
    }
}

/* The content as a gzip file. */
static uint8_t *packed(const uint8_t *data, size_t size, size_t *out_n)
{
    static uint8_t out[GZIP_MAX + 1024];
    z_stream z = { 0 };
    /* little memory: quick */
    if (size > GZIP_MAX || deflateInit2(&z, 1, Z_DEFLATED, 9 + 16, 1, Z_DEFAULT_STRATEGY) != Z_OK) return NULL;
    z.next_in = (uint8_t *)(uintptr_t)data;
    z.avail_in = (unsigned)size;
    z.next_out = out;
    z.avail_out = sizeof out;
    const int end = deflate(&z, Z_FINISH);
    *out_n = z.total_out;
    (void)deflateEnd(&z);
    return end == Z_STREAM_END ? fuzz_exact(out, *out_n) : NULL;
}

#ifdef FUZZ_WRAP_SIMULATION
/* Simulating an image takes a thousand times as long as reading it, and is no reading: here each bright pixel is an
 * event. Linked instead of tern_sim_image(). */
#include "tern/simulate.h"
tern_status __wrap_tern_sim_image(const tern_sim_settings *set, const uint8_t *pixels, uint32_t rows, uint32_t columns,
                                  uint32_t sample, tern_arena *arena, tern_recording *out, tern_diags *d);
tern_status __wrap_tern_sim_image(const tern_sim_settings *set, const uint8_t *pixels, uint32_t rows, uint32_t columns,
                                  uint32_t sample, tern_arena *arena, tern_recording *out, tern_diags *d)
{
    (void)set;
    (void)sample;
    (void)d;
    *out = (tern_recording){ .width = columns, .height = rows, .label = -1 };
    out->events = tern_arena_get(arena, (size_t)rows * columns, sizeof *out->events);
    if (out->events == NULL) return TERN_ERR_MEMORY;
    for (uint32_t i = 0; i < rows * columns; ++i)
        if (pixels[i] > 127)
            out->events[out->n_events++] = (tern_event){ i, (uint16_t)(i % columns), (uint16_t)(i / columns), 1 };
    return TERN_OK;
}
#endif

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) return 0;
    const unsigned how = data[0];
    fuzz_heap heap = { .limit_bytes = (size_t)64 << 20 };
    const tern_alloc alloc = { fuzz_alloc, &heap };
    size_t n = size - 1;
    uint8_t *copy = (how & GZIP) != 0 ? packed(data + 1, n, &n) : NULL;
    if (copy == NULL) copy = fuzz_exact(data + 1, n);
    tern_stream_keep *keep = (how & KEEP) != 0 ? tern_stream_keep_make(alloc) : NULL;
    const tern_stream_options options = { .format = (how & AUTO) != 0 ? "auto" : FUZZ_FORMAT,
                                          .sensor_width = (how & SENSOR) != 0 ? 34 : 0,
                                          .sensor_height = (how & SENSOR) != 0 ? 34 : 0,
                                          .repair = (how & REPAIR) != 0,
                                          .keep = keep };
    for (int round = 0; round < (keep != NULL ? 2 : 1); ++round) {
        tern_stream *s;
        tern_diags_init(&diags);
        const tern_status st =
            tern_stream_open_bytes(copy, n, selections[(how & SELECTION) / 4], &options, alloc, &s, &diags);
        if (st != TERN_ERR_MEMORY) fuzz_told((int)st, &diags);
        FUZZ_CHECK((st == TERN_OK) == (s != NULL));
        if (s != NULL) read_all(s, (how & SMALL_ROOM) != 0 ? TERN_STREAM_LEAST : ROOM);
        tern_stream_close(s);
    }
    tern_stream_keep_free(keep);
    FUZZ_CHECK(heap.alive == 0);
    free(copy);
    return 0;
}
