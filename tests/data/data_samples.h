/* data_samples.h : the same small recording in every format, made by encoders of the tests' own
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DATA_SAMPLES_H
#define DATA_SAMPLES_H
#include <zlib.h>
#include "data_fixture.h"
#if TERN_HAVE_LZ4
#include <lz4frame.h>
#endif
#if TERN_HAVE_ZSTD
#include <zstd.h>
#endif
#if TERN_HAVE_HDF5
#include <hdf5.h>
#endif

enum { SAMPLE_EVENTS = 300, SAMPLE_SIZE = 34, SAMPLE_FIRST_US = 654 };

/* ---- growing bytes ---- */

typedef struct bytes {
    uint8_t *p;
    size_t n, room;
} bytes;

static inline void put(bytes *b, const void *p, size_t n)
{
    if (b->n + n > b->room) {
        b->room = (b->n + n) * 2;
        b->p = realloc(b->p, b->room);
        if (b->p == NULL) exit(1);
    }
    if (n != 0) memcpy(b->p + b->n, p, n);
    b->n += n;
}

static inline void put_le(bytes *b, uint64_t v, unsigned n)
{
    for (unsigned i = 0; i < n; ++i) put(b, &(uint8_t){ (uint8_t)(i < 8 ? v >> (8 * i) : 0) }, 1);
}

static inline void put_be(bytes *b, uint64_t v, unsigned n)
{
    for (unsigned i = n; i-- > 0;) put(b, &(uint8_t){ (uint8_t)(v >> (8 * i)) }, 1);
}

static inline void put_text(bytes *b, const char *s) { put(b, s, strlen(s)); }

static inline void set_le(bytes *b, size_t at, uint64_t v, unsigned n)
{
    for (unsigned i = 0; i < n; ++i) b->p[at + i] = (uint8_t)(v >> (8 * i));
}

/* ---- the recording ---- */

static inline uint32_t sample_random(uint32_t *s) { return (*s = *s * 1664525u + 1013904223u) >> 8; }

/* 300 events on 34 x 34 pixels, in order of time, with times of the file. */
static inline const tern_event *sample_events(void)
{
    static tern_event e[SAMPLE_EVENTS];
    uint32_t seed = 7;
    uint64_t t = SAMPLE_FIRST_US;
    if (e[0].t_us != 0) return e;
    for (int i = 0; i < SAMPLE_EVENTS; ++i) {
        e[i] = (tern_event){ t, (uint16_t)(sample_random(&seed) % SAMPLE_SIZE),
                             (uint16_t)(sample_random(&seed) % SAMPLE_SIZE), (uint8_t)(sample_random(&seed) & 1) };
        /* neighbours at one time: EVT 3 vectors */
        if (i % 5 == 4)
            e[i].x = (uint16_t)(e[i - 1].x + 1 < SAMPLE_SIZE ? e[i - 1].x + 1 : 0), e[i].y = e[i - 1].y,
            e[i].on = e[i - 1].on;
        t += i % 5 == 3 ? 0 : sample_random(&seed) % 900;
    }
    return e;
}

/* ---- encoders ---- */

static inline void make_aedat2(bytes *b)
{
    const tern_event *e = sample_events();
    put_text(b, "#!AER-DAT2.0\r\n# a comment\r\n");
    for (int i = 0; i < SAMPLE_EVENTS; ++i) {
        put_be(b, (uint32_t)e[i].y << 8 | (uint32_t)e[i].x << 1 | (uint32_t)!e[i].on, 4);
        put_be(b, e[i].t_us, 4);
    }
}

/* A packet of AEDAT 3.1 with n events of `size` bytes, whose bytes follow. */
static inline void put_packet3(bytes *b, unsigned type, unsigned source, uint32_t size, uint32_t ts_at,
                               uint32_t overflow, uint32_t n)
{
    put_le(b, type, 2);
    put_le(b, source, 2);
    put_le(b, size, 4);
    put_le(b, ts_at, 4);
    put_le(b, overflow, 4);
    put_le(b, n, 4);
    put_le(b, n, 4);
    put_le(b, n, 4);
}

static inline void make_aedat3(bytes *b)
{
    const tern_event *e = sample_events();
    put_text(b, "#!AER-DAT3.1\r\n#Format: RAW\r\n#Source 1: DVS128\r\n#Start-Time: 2017-01-01 12:00:00 "
                "(TZ+0100)\r\n#!END-HEADER\r\n");
    for (int i = 0; i < SAMPLE_EVENTS; i += 60) {
        put_packet3(b, 1, 1, 8, 4, 0, 60);
        for (int k = i; k < i + 60; ++k) {
            put_le(b, (uint32_t)e[k].x << 17 | (uint32_t)e[k].y << 2 | (uint32_t)e[k].on << 1 | 1u, 4);
            put_le(b, e[k].t_us, 4);
        }
        put_packet3(b, 0, 1, 8, 4, 0, 1); /* a special event between */
        put_le(b, 1, 8);
    }
}

/* A FlatBuffer with one table of fields, each up to 8 bytes, with the length before it. Vector or string as field
 * `vector`. */
static inline void put_flat_events(bytes *out, const tern_event *e, size_t n)
{
    bytes b = { 0 };
    put_le(&b, 16, 4); /* root */
    put(&b, "EVTS", 4);
    put_le(&b, 0, 2); /* padding */
    put_le(&b, 6, 2); /* vtable at 10: its size, the table's, field 0 */
    put_le(&b, 8, 2);
    put_le(&b, 4, 2);
    put_le(&b, 6, 4); /* table at 16: back to the vtable */
    put_le(&b, 8, 4); /* to the vector at 28 */
    put_le(&b, 0, 4);
    put_le(&b, n, 4);
    for (size_t i = 0; i < n; ++i) {
        put_le(&b, e[i].t_us, 8);
        put_le(&b, e[i].x, 2);
        put_le(&b, e[i].y, 2);
        put_le(&b, e[i].on, 4);
    }
    put_le(out, b.n, 4);
    put(out, b.p, b.n);
    free(b.p);
}

/* kind: 0 none, 1 LZ4, 3 Zstandard; false: not in this build. */
static inline bool put_compressed(bytes *b, const bytes *plain, unsigned kind)
{
    if (kind == 0) {
        put(b, plain->p, plain->n);
        return true;
    }
#if TERN_HAVE_LZ4
    if (kind == 1) {
        const size_t room = LZ4F_compressFrameBound(plain->n, NULL);
        uint8_t *p = malloc(room);
        if (p == NULL) exit(1);
        put(b, p, LZ4F_compressFrame(p, room, plain->p, plain->n, NULL));
        free(p);
        return true;
    }
#endif
#if TERN_HAVE_ZSTD
    if (kind == 3) {
        const size_t room = ZSTD_compressBound(plain->n);
        uint8_t *p = malloc(room);
        if (p == NULL) exit(1);
        put(b, p, ZSTD_compress(p, room, plain->p, plain->n, 3));
        free(p);
        return true;
    }
#endif
    return false;
}

static inline bool make_aedat4(bytes *b, unsigned kind)
{
    static const char xml[] =
        "<dv version=\"2.0\"><node name=\"outInfo\" path=\"/outInfo/\">"
        "<node name=\"0\" path=\"/outInfo/0/\"><attr key=\"typeIdentifier\" type=\"string\">IMUS</attr></node>"
        "<node name=\"2\" path=\"/outInfo/2/\"><attr key=\"compression\" type=\"string\">NONE</attr><attr "
        "key=\"typeIdentifier\" type=\"string\">EVTS</attr>"
        "<node name=\"info\" path=\"/outInfo/2/info/\"><attr key=\"sizeX\" type=\"int\">34</attr><attr key=\"sizeY\" "
        "type=\"int\">34</attr></node></node></node></dv>";
    bytes h = { 0 };
    put_text(b, "#!AER-DAT4.0\r\n");
    put_le(&h, 20, 4); /* root */
    put(&h, "IOHE", 4);
    put_le(&h, 0, 2);
    put_le(&h, 10, 2); /* vtable at 10 with three fields */
    put_le(&h, 20, 2);
    put_le(&h, 4, 2);  /* compression */
    put_le(&h, 8, 2);  /* table position */
    put_le(&h, 16, 2); /* text */
    put_le(&h, 10, 4); /* table at 20: the vtable lies 10 bytes before */
    put_le(&h, kind, 4);
    put_le(&h, (uint64_t)-1, 8);
    put_le(&h, 4, 4); /* to the text, at 40 */
    put_le(&h, sizeof xml - 1, 4);
    put(&h, xml, sizeof xml);
    put_le(b, h.n, 4);
    put(b, h.p, h.n);
    free(h.p);
    bool ok = true;
    for (int i = 0; i < SAMPLE_EVENTS && ok; i += 60) {
        bytes plain = { 0 }, packed = { 0 };
        put_flat_events(&plain, sample_events() + i, 60);
        ok = put_compressed(&packed, &plain, kind);
        put_le(b, 0, 4); /* a packet of the other stream */
        put_le(b, 5, 4);
        put(b, "hello", 5);
        put_le(b, 2, 4);
        put_le(b, packed.n, 4);
        put(b, packed.p, packed.n);
        free(plain.p);
        free(packed.p);
    }
    return ok;
}

static inline void make_nmnist(bytes *b)
{
    const tern_event *e = sample_events();
    for (int i = 0; i < SAMPLE_EVENTS; ++i) {
        put_be(b, e[i].x, 1);
        put_be(b, e[i].y, 1);
        put_be(b, (uint64_t)e[i].on << 23 | e[i].t_us, 3);
    }
}

static inline void make_dat(bytes *b)
{
    const tern_event *e = sample_events();
    put_text(b, "% Data file containing CD events\n% Version 2\n% Width 34\n% Height 34\n");
    put(b, "\x0c\x08", 2);
    for (int i = 0; i < SAMPLE_EVENTS; ++i) {
        put_le(b, e[i].t_us, 4);
        put_le(b, (uint32_t)e[i].on << 28 | (uint32_t)e[i].y << 14 | e[i].x, 4);
    }
}

static inline void make_evt2(bytes *b)
{
    const tern_event *e = sample_events();
    uint64_t high = UINT64_MAX;
    put_text(b, "% evt 2.0\n% geometry 34x34\n% end\n");
    for (int i = 0; i < SAMPLE_EVENTS; ++i) {
        if (e[i].t_us >> 6 != high) {
            high = e[i].t_us >> 6;
            put_le(b, 8u << 28 | high, 4);
            put_le(b, 0xe0000123u, 4); /* of the camera's other parts */
        }
        put_le(b, (uint32_t)e[i].on << 28 | (uint32_t)(e[i].t_us & 63) << 22 | (uint32_t)e[i].x << 11 | e[i].y, 4);
    }
}

static inline void make_evt3(bytes *b)
{
    const tern_event *e = sample_events();
    put_text(b, "% format EVT3;height=34;width=34\n% end\n");
    for (int i = 0; i < SAMPLE_EVENTS; ++i) {
        const bool pair = i + 1 < SAMPLE_EVENTS && e[i + 1].t_us == e[i].t_us && e[i + 1].y == e[i].y &&
                          e[i + 1].x == e[i].x + 1 && e[i + 1].on == e[i].on;
        put_le(b, 0x8000u | (e[i].t_us >> 12 & 0xfff), 2);
        put_le(b, 0x6000u | (e[i].t_us & 0xfff), 2);
        put_le(b, 0x0000u | e[i].y, 2);
        if (pair) { /* both in one vector, of 12 or of 8 */
            put_le(b, 0x3000u | (uint32_t)e[i].on << 11 | e[i].x, 2);
            put_le(b, (i & 1) != 0 ? 0x4003u : 0x5003u, 2);
            ++i;
        } else {
            put_le(b, 0x2000u | (uint32_t)e[i].on << 11 | e[i].x, 2);
        }
        put_le(b, 0xe123u, 2);
    }
}

static inline void make_es(bytes *b, bool atis)
{
    const tern_event *e = sample_events();
    uint64_t t = 0;
    const unsigned most = atis ? 63 : 127;
    put(b, "Event Stream\2\0\0", 15);
    put_le(b, atis ? 2 : 1, 1);
    put_le(b, SAMPLE_SIZE, 2);
    put_le(b, SAMPLE_SIZE, 2);
    for (int i = 0; i < SAMPLE_EVENTS; ++i) {
        uint64_t d = e[i].t_us - t;
        t = e[i].t_us;
        /* a code for no time at all, and an exposure event, which takes a microsecond if there is one */
        if (atis && i % 7 == 0) {
            const unsigned one = d != 0;
            put_le(b, 0xfc, 1);
            put_le(b, one << 2 | 1u, 1);
            put_le(b, 0x00020001, 4);
            d -= one;
        }
        for (; d >= most; d -= most) put_le(b, atis ? 0xfd : 0xff, 1);
        put_le(b, atis ? d << 2 | (uint64_t)e[i].on << 1 : d << 1 | e[i].on, 1);
        put_le(b, e[i].x, 2);
        put_le(b, e[i].y, 2);
    }
}

static inline void make_csv(bytes *b)
{
    const tern_event *e = sample_events();
    put_text(b, "# sensor 34 x 34\nt,x,y,p\n");
    for (int i = 0; i < SAMPLE_EVENTS; ++i) {
        char line[64];
        snprintf(line, sizeof line, "%llu,%u,%u,%u\n", (unsigned long long)e[i].t_us, e[i].x, e[i].y, e[i].on);
        put_text(b, line);
    }
}

/* ---- NumPy ---- */

static inline void put_npy_header(bytes *b, const char *descr, const char *shape)
{
    char text[256];
    const int n = snprintf(text, sizeof text, "{'descr': %s, 'fortran_order': False, 'shape': (%s), }", descr, shape);
    const size_t pad = 63 - (10 + (size_t)n) % 64;
    put(b, "\x93NUMPY\x01\x00", 8);
    put_le(b, (size_t)n + pad + 1, 2);
    put(b, text, (size_t)n);
    for (size_t i = 0; i < pad; ++i) put(b, " ", 1);
    put(b, "\n", 1);
}

static inline void make_npy(bytes *b) /* records; x and y big-endian */
{
    const tern_event *e = sample_events();
    put_npy_header(b, "[('x', '>i2'), ('y', '>i2'), ('', '|V3'), ('p', '|b1'), ('t', '<i8')]", "300,");
    for (int i = 0; i < SAMPLE_EVENTS; ++i) {
        put_be(b, e[i].x, 2);
        put_be(b, e[i].y, 2);
        put_le(b, 0, 3);
        put_le(b, e[i].on, 1);
        put_le(b, e[i].t_us, 8);
    }
}

static inline void make_npy_table(bytes *b) /* columns t, x, y, p; OFF as -1 */
{
    const tern_event *e = sample_events();
    put_npy_header(b, "'<i4'", "300, 4");
    for (int i = 0; i < SAMPLE_EVENTS; ++i) {
        put_le(b, e[i].t_us, 4);
        put_le(b, e[i].x, 4);
        put_le(b, e[i].y, 4);
        put_le(b, e[i].on ? 1 : (uint64_t)-1, 4);
    }
}

/* A zip file being written; classic 32-bit form. */
typedef struct zip {
    bytes b, directory;
    unsigned n;
} zip;

static inline void zip_add(zip *z, const char *name, const bytes *content, bool deflated)
{
    bytes packed = { 0 };
    const size_t at = z->b.n;
    const uint32_t crc = (uint32_t)crc32_z(0, content->p, content->n);
    if (deflated) {
        z_stream s = { 0 };
        const size_t room = content->n + content->n / 100 + 100;
        uint8_t *p = malloc(room);
        if (p == NULL || deflateInit2(&s, 6, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY) != Z_OK) exit(1);
        s.next_in = content->p;
        s.avail_in = (unsigned)content->n;
        s.next_out = p;
        s.avail_out = (unsigned)room;
        if (deflate(&s, Z_FINISH) != Z_STREAM_END) exit(1);
        put(&packed, p, s.total_out);
        deflateEnd(&s);
        free(p);
    } else {
        put(&packed, content->p, content->n);
    }
    for (int central = 0; central < 2; ++central) {
        bytes *o = central ? &z->directory : &z->b;
        put_le(o, central ? 0x02014b50 : 0x04034b50, 4);
        if (central) put_le(o, 20, 2);
        put_le(o, 20, 2);
        put_le(o, 0, 2);
        put_le(o, deflated ? 8 : 0, 2);
        put_le(o, 0, 4);
        put_le(o, crc, 4);
        put_le(o, packed.n, 4);
        put_le(o, content->n, 4);
        put_le(o, strlen(name), 2);
        put_le(o, 0, 2);
        if (central) put_le(o, 0, 10);
        if (central) put_le(o, at, 4);
        put_text(o, name);
    }
    put(&z->b, packed.p, packed.n);
    free(packed.p);
    ++z->n;
}

static inline void zip_end(zip *z)
{
    const size_t at = z->b.n;
    put(&z->b, z->directory.p, z->directory.n);
    put_le(&z->b, 0x06054b50, 4);
    put_le(&z->b, 0, 4);
    put_le(&z->b, z->n, 2);
    put_le(&z->b, z->n, 2);
    put_le(&z->b, z->directory.n, 4);
    put_le(&z->b, at, 4);
    put_le(&z->b, 0, 2);
    free(z->directory.p);
    z->directory = (bytes){ 0 };
}

/* One array of integers. */
static inline void zip_numbers(zip *z, const char *name, const char *descr, unsigned item, const char *shape,
                               const int64_t *v, size_t n, bool deflated)
{
    bytes b = { 0 };
    put_npy_header(&b, descr, shape);
    for (size_t i = 0; i < n; ++i) put_le(&b, (uint64_t)v[i], item);
    zip_add(z, name, &b, deflated);
    free(b.p);
}

static inline void make_npz(bytes *b, bool deflated) /* an array per field */
{
    const tern_event *e = sample_events();
    int64_t v[4][SAMPLE_EVENTS];
    zip z = { 0 };
    for (int i = 0; i < SAMPLE_EVENTS; ++i)
        v[0][i] = (int64_t)e[i].t_us, v[1][i] = e[i].x, v[2][i] = e[i].y, v[3][i] = e[i].on;
    zip_numbers(&z, "t.npy", "'<i8'", 8, "300,", v[0], SAMPLE_EVENTS, deflated);
    zip_numbers(&z, "x.npy", "'<u2'", 2, "300,", v[1], SAMPLE_EVENTS, deflated);
    zip_numbers(&z, "y.npy", "'|u1'", 1, "300,", v[2], SAMPLE_EVENTS, deflated);
    zip_numbers(&z, "p.npy", "'|b1'", 1, "300,", v[3], SAMPLE_EVENTS, deflated);
    zip_end(&z);
    put(b, z.b.p, z.b.n);
    free(z.b.p);
}

static inline void make_gzip(bytes *b, const bytes *content)
{
    z_stream s = { 0 };
    const size_t room = content->n + content->n / 100 + 100;
    uint8_t *p = malloc(room);
    if (p == NULL || deflateInit2(&s, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) exit(1);
    s.next_in = content->p;
    s.avail_in = (unsigned)content->n;
    s.next_out = p;
    s.avail_out = (unsigned)room;
    if (deflate(&s, Z_FINISH) != Z_STREAM_END) exit(1);
    put(b, p, s.total_out);
    deflateEnd(&s);
    free(p);
}

/* ---- images ---- */

static inline void make_idx(bytes *b, uint32_t n) /* 9 x 7 pixels: a bright block that moves from image to image */
{
    put_be(b, 0x00000803, 4);
    put_be(b, n, 4);
    put_be(b, 9, 4);
    put_be(b, 7, 4);
    for (uint32_t k = 0; k < n; ++k)
        for (uint32_t i = 0; i < 63; ++i)
            put_le(b, i / 7 >= 2 && i / 7 <= 5 && i % 7 >= 1 + k % 3 && i % 7 <= 3 + k % 3 ? 250 : 0, 1);
}

static inline void make_idx_labels(bytes *b, uint32_t n)
{
    put_be(b, 0x00000801, 4);
    put_be(b, n, 4);
    for (uint32_t k = 0; k < n; ++k) put_le(b, (k * 3 + 1) % 10, 1);
}

/* ---- HDF5 ---- */

#if TERN_HAVE_HDF5
static inline void h5_write(hid_t where, const char *name, hid_t file_type, hid_t memory_type, int n_dims,
                            const hsize_t *dims, bool packed, const void *data)
{
    const hid_t space = H5Screate_simple(n_dims, dims, NULL), how = H5Pcreate(H5P_DATASET_CREATE);
    const hsize_t chunk[2] = { 64, n_dims == 2 ? dims[1] : 1 };
    if (packed && (H5Pset_chunk(how, n_dims, chunk) < 0 || H5Pset_shuffle(how) < 0 || H5Pset_deflate(how, 6) < 0))
        exit(1);
    const hid_t set = H5Dcreate2(where, name, file_type, space, H5P_DEFAULT, how, H5P_DEFAULT);
    if (set < 0 || H5Dwrite(set, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0) exit(1);
    H5Dclose(set);
    H5Pclose(how);
    H5Sclose(space);
}

/* Groups train and test: three samples of 100 events (train), one of 300 (test). Label of a sample: 5 + its number. */
static inline void make_hdf5_groups(const char *path)
{
    const tern_event *e = sample_events();
    static int64_t t[SAMPLE_EVENTS], d[SAMPLE_EVENTS][3];
    const hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    if (file < 0) exit(1);
    for (int i = 0; i < SAMPLE_EVENTS; ++i) {
        t[i] = (int64_t)e[i].t_us + 1000 * (i / 100); /* a gap between samples */
        d[i][0] = e[i].x, d[i][1] = e[i].y, d[i][2] = e[i].on ? 1 : -1;
    }
    for (int g = 0; g < 2; ++g) {
        const hid_t group = H5Gcreate2(file, g == 0 ? "train" : "test", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        const hsize_t n = SAMPLE_EVENTS, data[2] = { SAMPLE_EVENTS, 3 }, m = g == 0 ? 3 : 1, labels[2] = { m, 3 };
        int64_t l[3][3];
        for (hsize_t k = 0; k < m; ++k) {
            const hsize_t first = k * (SAMPLE_EVENTS / m), last = first + SAMPLE_EVENTS / m - 1;
            l[k][0] = 5 + (int64_t)k, l[k][1] = t[first], l[k][2] = t[last];
        }
        h5_write(group, "time", H5T_STD_I64LE, H5T_NATIVE_INT64, 1, &n, true, t);
        h5_write(group, "data", H5T_STD_I64LE, H5T_NATIVE_INT64, 2, data, g == 0, d);
        h5_write(group, "labels", H5T_STD_I32BE, H5T_NATIVE_INT64, 2, labels, false, l);
        H5Gclose(group);
    }
    H5Fclose(file);
}

/* spikes/times, spikes/units, labels: three samples of 100 spikes; the unit is x. */
static inline void make_hdf5_spikes(const char *path, bool labelled)
{
    const tern_event *e = sample_events();
    static double t[SAMPLE_EVENTS];
    static int64_t u[SAMPLE_EVENTS];
    const hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const hid_t group = H5Gcreate2(file, "spikes", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    const hsize_t n = 3;
    hvl_t times[3], units[3];
    const int64_t labels[3] = { 19, 0, 4 };
    if (group < 0) exit(1);
    for (int i = 0; i < SAMPLE_EVENTS; ++i) t[i] = (double)e[i].t_us * 1e-6, u[i] = e[i].x;
    for (int k = 0; k < 3; ++k) times[k] = (hvl_t){ 100, t + 100 * k }, units[k] = (hvl_t){ 100, u + 100 * k };
    const hid_t ft = H5Tvlen_create(H5T_IEEE_F32LE), mt = H5Tvlen_create(H5T_NATIVE_DOUBLE),
                fu = H5Tvlen_create(H5T_STD_U16LE), mu = H5Tvlen_create(H5T_NATIVE_INT64);
    h5_write(group, "times", ft, mt, 1, &n, false, times);
    h5_write(group, "units", fu, mu, 1, &n, false, units);
    if (labelled) h5_write(file, "labels", H5T_STD_U8LE, H5T_NATIVE_INT64, 1, &n, false, labels);
    H5Tclose(ft);
    H5Tclose(mt);
    H5Tclose(fu);
    H5Tclose(mu);
    H5Gclose(group);
    H5Fclose(file);
}
#endif

/* ---- all of them ---- */

/* sensor: the file says 34 x 34 (AEDAT 2 and 3: 128 x 128) */
typedef struct sample {
    const char *name, *format;
    bool sensor;
} sample;

enum { N_SAMPLES = 16 };
static const sample sample_list[N_SAMPLES] = {
    { "aedat2", "aedat2", true },
    { "aedat3", "aedat3", true },
    { "aedat4", "aedat4", true },
    { "aedat4-lz4", "aedat4", true },
    { "aedat4-zstd", "aedat4", true },
    { "nmnist", "nmnist", true },
    { "dat", "dat", true },
    { "evt2", "evt2", true },
    { "evt3", "evt3", true },
    { "es", "es", true },
    { "es-atis", "es", true },
    { "csv", "csv", true },
    { "npy", "npy", false },
    { "npy-table", "npy", false },
    { "npz", "npz", false },
    { "npz-deflate", "npz", false },
};

/* Bytes of sample k; free(b.p) afterwards. n 0: this build lacks the library. */
static inline bytes sample_make(int k)
{
    bytes b = { 0 };
    bool there = true;
    switch (k) {
    case 0: make_aedat2(&b); break;
    case 1: make_aedat3(&b); break;
    case 2: there = make_aedat4(&b, 0); break;
    case 3: there = make_aedat4(&b, 1); break;
    case 4: there = make_aedat4(&b, 3); break;
    case 5: make_nmnist(&b); break;
    case 6: make_dat(&b); break;
    case 7: make_evt2(&b); break;
    case 8: make_evt3(&b); break;
    case 9: make_es(&b, false); break;
    case 10: make_es(&b, true); break;
    case 11: make_csv(&b); break;
    case 12: make_npy(&b); break;
    case 13: make_npy_table(&b); break;
    case 14: make_npz(&b, false); break;
    default: make_npz(&b, true); break;
    }
    if (!there) b.n = 0;
    return b;
}
#endif /* DATA_SAMPLES_H */
