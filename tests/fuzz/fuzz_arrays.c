/* fuzz_arrays.c : NumPy arrays in a zip file with right checksums, so that fuzzing reaches behind them
 * SPDX-License-Identifier: Apache-2.0
 *
 * First byte: as in fuzz_reader.c (repair, selection, sensor, room, keep); 64: the arrays are deflated. Then of
 * every array one byte for its name, two
 * for its length, lowest first, and its bytes.
 */
#include "fuzz.h"
#include "../data/data_samples.h"

enum { REPAIR = 1, SELECTION = 12, SENSOR = 16, DEFLATED = 64, KEEP = 128, ARRAYS_MAX = 8, ROOM = 512 };
static const char *const names[16] = { "t.npy",      "x.npy",      "y.npy",      "p.npy",
                                       "events.npy", "labels.npy", "frames.npy", "first.npy",
                                       "data.npy",   "unit.npy",   "dt.npy",     "window_us.npy",
                                       "sensor.npy", "spikes.npy", "arr_0.npy",  "other.bin" };
static const char *const selections[] = { "x", "x#@1+2", "x#1..3us", "x#1" };
static tern_diags diags;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_bytes in = { data, size };
    const unsigned how = fuzz_u8(&in);
    zip z = { 0 };
    for (unsigned i = 0; i < ARRAYS_MAX && in.n > 3; ++i) {
        const unsigned name = fuzz_u8(&in) % 16u;
        size_t n = fuzz_u8(&in);
        n |= (size_t)fuzz_u8(&in) << 8;
        if (n > in.n) n = in.n;
        bytes content = { fuzz_exact(in.p, n), n, n };
        zip_add(&z, names[name], &content, (how & DEFLATED) != 0);
        free(content.p);
        in.p += n;
        in.n -= n;
    }
    zip_end(&z);
    fuzz_heap heap = { .limit_bytes = (size_t)64 << 20 };
    const tern_alloc alloc = { fuzz_alloc, &heap };
    uint8_t *file = fuzz_exact(z.b.p, z.b.n);
    tern_stream_keep *keep = (how & KEEP) != 0 ? tern_stream_keep_make(alloc) : NULL;
    const tern_stream_options options = { .format = "npz",
                                          .repair = (how & REPAIR) != 0,
                                          .keep = keep,
                                          .sensor_width = (how & SENSOR) != 0 ? 4 : 0,
                                          .sensor_height = (how & SENSOR) != 0 ? 4 : 0 };
    for (int round = 0; round < (keep != NULL ? 2 : 1); ++round) {
        tern_stream *s;
        tern_event events[ROOM];
        size_t got = 1;
        tern_diags_init(&diags);
        tern_status st =
            tern_stream_open_bytes(file, z.b.n, selections[(how & SELECTION) / 4], &options, alloc, &s, &diags);
        while (st == TERN_OK && got != 0) st = tern_stream_read(s, events, ROOM, &got, &diags);
        if (st != TERN_ERR_MEMORY) fuzz_told((int)st, &diags);
        if (st == TERN_OK) tern_stream_report(s, &diags);
        tern_stream_close(s);
    }
    tern_stream_keep_free(keep);
    FUZZ_CHECK(heap.alive == 0);
    free(file);
    free(z.b.p);
    return 0;
}
