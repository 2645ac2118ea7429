/* tern_write.c : see tern_write.h
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_write.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

/* ---- .npz: a zip file of .npy files, not compressed ---- */

enum { LOCAL_BYTES = 30, EXTRA_BYTES = 20 };

static void le(uint8_t **p, uint64_t v, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; ++i) *(*p)++ = (uint8_t)(v >> (8 * i));
}

static void put(tern__npz *z, const void *p, size_t n)
{
    if (!z->failed && fwrite(p, 1, n, z->w->f) != n) z->failed = true;
    z->pos += n;
}

void tern__npz_begin_many(tern__npz *z, tern_file_writer *w, tern__npz_entry *entries)
{
    *z = (tern__npz){ .w = w, .entry = entries };
}

void tern__npz_begin(tern__npz *z, tern_file_writer *w) { tern__npz_begin_many(z, w, z->few); }

/* Local header of an entry: sizes in the extra field, whatever they are. Returns its length. */
static size_t local_header(const tern__npz_entry *e, uint8_t b[256])
{
    uint8_t *p = b;
    const size_t n = strlen(e->name);
    le(&p, 0x04034b50, 4);
    le(&p, 45, 2); /* version with 64-bit sizes */
    le(&p, 0, 2);
    le(&p, 0, 2);    /* stored */
    le(&p, 0, 2);    /* no time: the same arrays give the same bytes */
    le(&p, 0x21, 2); /* 1 January 1980 */
    le(&p, e->crc, 4);
    le(&p, UINT32_MAX, 4);
    le(&p, UINT32_MAX, 4);
    le(&p, n, 2);
    le(&p, EXTRA_BYTES, 2);
    memcpy(p, e->name, n);
    p += n;
    le(&p, 1, 2);
    le(&p, 16, 2);
    le(&p, e->size, 8);
    le(&p, e->size, 8);
    return (size_t)(p - b);
}

void tern__npz_array(tern__npz *z, const char *name)
{
    uint8_t b[256];
    static const uint8_t empty[TERN__NPZ_HEADER];
    tern__npz_entry *e = &z->entry[z->n];
    *e = (tern__npz_entry){ .at = z->pos };
    snprintf(e->name, sizeof e->name, "%s.npy", name);
    const size_t local = local_header(e, b);
    put(z, b, local);
    put(z, empty, sizeof empty);
    z->bytes = 0;
    z->crc = (uint32_t)crc32(0, NULL, 0);
}

void tern__npz_items(tern__npz *z, const void *bytes, size_t n)
{
    z->crc = (uint32_t)crc32_z(z->crc, bytes, n);
    z->bytes += n;
    put(z, bytes, n);
}

void tern__npz_shape(tern__npz *z, const char *descr, uint32_t n_dims, const uint64_t *dims)
{
    uint8_t b[256], head[TERN__NPZ_HEADER];
    char shape[128] = "";
    size_t n = 0;
    for (uint32_t i = 0; i < n_dims; ++i)
        n += (size_t)snprintf(shape + n, sizeof shape - n, "%" PRIu64 "%s", dims[i],
                              n_dims == 1      ? ","
                              : i + 1 < n_dims ? ", "
                                               : "");
    memset(head, ' ', sizeof head);
    memcpy(head, "\x93NUMPY\x01\x00", 8);
    head[8] = (uint8_t)(TERN__NPZ_HEADER - 10);
    head[9] = 0;
    n = (size_t)snprintf((char *)head + 10, sizeof head - 10, "{'descr': %s, 'fortran_order': False, 'shape': (%s), }",
                         descr, shape);
    head[10 + n] = ' ';
    head[sizeof head - 1] = '\n';
    tern__npz_entry *e = &z->entry[z->n];
    const uint32_t head_crc = (uint32_t)crc32_z(crc32(0, NULL, 0), head, sizeof head);
    e->size = z->bytes + sizeof head;
    e->crc = (uint32_t)crc32_combine(head_crc, z->crc, (z_off_t)z->bytes);
    const size_t local = local_header(e, b);
    if (!z->failed) {
        z->failed = fseeko(z->w->f, (off_t)e->at, SEEK_SET) != 0 || fwrite(b, 1, local, z->w->f) != local ||
                    fwrite(head, 1, sizeof head, z->w->f) != sizeof head ||
                    fseeko(z->w->f, (off_t)z->pos, SEEK_SET) != 0;
    }
    ++z->n;
}

bool tern__npz_end(tern__npz *z)
{
    uint8_t b[320], *p;
    const uint64_t directory = z->pos;
    for (uint32_t i = 0; i < z->n; ++i) {
        const tern__npz_entry *e = &z->entry[i];
        const size_t n = strlen(e->name);
        p = b;
        le(&p, 0x02014b50, 4);
        le(&p, 45, 2);
        le(&p, 45, 2);
        le(&p, 0, 2);
        le(&p, 0, 2);
        le(&p, 0, 2);
        le(&p, 0x21, 2);
        le(&p, e->crc, 4);
        le(&p, UINT32_MAX, 4);
        le(&p, UINT32_MAX, 4);
        le(&p, n, 2);
        le(&p, 28, 2); /* extra field */
        le(&p, 0, 2);  /* comment */
        le(&p, 0, 2);
        le(&p, 0, 2);
        le(&p, 0, 4);
        le(&p, UINT32_MAX, 4);
        memcpy(p, e->name, n);
        p += n;
        le(&p, 1, 2);
        le(&p, 24, 2);
        le(&p, e->size, 8);
        le(&p, e->size, 8);
        le(&p, e->at, 8);
        put(z, b, (size_t)(p - b));
    }
    const uint64_t size = z->pos - directory, end64 = z->pos;
    p = b;
    le(&p, 0x06064b50, 4); /* 64-bit end, always: one way of writing */
    le(&p, 44, 8);
    le(&p, 45, 2);
    le(&p, 45, 2);
    le(&p, 0, 8);
    le(&p, z->n, 8);
    le(&p, z->n, 8);
    le(&p, size, 8);
    le(&p, directory, 8);
    le(&p, 0x07064b50, 4); /* where it is */
    le(&p, 0, 4);
    le(&p, end64, 8);
    le(&p, 1, 4);
    le(&p, 0x06054b50, 4);
    le(&p, 0, 4);
    le(&p, 0xffff, 2);
    le(&p, 0xffff, 2);
    le(&p, UINT32_MAX, 4);
    le(&p, UINT32_MAX, 4);
    le(&p, 0, 2);
    put(z, b, (size_t)(p - b));
    return !z->failed;
}

/* ---- events ---- */

void tern__events_head(FILE *f, const tern__event_out *o)
{
    if (o->form == TERN__FORM_AEDAT2)
        fputs("#!AER-DAT2.0\r\n# This is a raw AE data file - do not edit\r\n"
              "# Data format is int32 address, int32 timestamp (8 bytes total), repeated for each event\r\n"
              "# Timestamps tick is 1 us\r\n# AEChip: ch.unizh.ini.jaer.chip.retina.DVS128\r\n# Written by Tern\r\n",
              f);
    if (o->form != TERN__FORM_CSV) return;
    if (o->width != 0) fprintf(f, "# sensor %" PRIu32 " x %" PRIu32 "\n", o->width, o->height);
    fputs(o->units ? "t_us,unit\n" : "t_us,x,y,p\n", f);
}

static uint8_t *decimal(uint8_t *p, uint64_t v)
{
    uint8_t text[20];
    size_t n = sizeof text;
    do text[--n] = (uint8_t)('0' + v % 10), v /= 10;
    while (v != 0);
    memcpy(p, text + n, sizeof text - n);
    return p + sizeof text - n;
}

/* "t,x,y,p" or "t,unit" */
static uint8_t *csv_line(uint8_t *p, const tern__event_out *o, const tern_event *e)
{
    const uint64_t t = e->t_us + o->zero_us;
    if (t >> 63 != 0) *p++ = '-';
    p = decimal(p, t >> 63 != 0 ? 0 - t : t);
    *p++ = ',';
    p = decimal(p, e->x);
    if (!o->units) {
        *p++ = ',';
        p = decimal(p, e->y);
        *p++ = ',';
        *p++ = (uint8_t)('0' + (e->on != 0));
    }
    *p++ = '\n';
    return p;
}

tern_status tern__events_bytes(const tern__event_out *o, const tern_event *e, size_t n, const char *file, uint8_t *to,
                               size_t *out_size, tern_diags *d)
{
    uint8_t *p = to;
    for (size_t i = 0; i < n; ++i) {
        if (o->form == TERN__FORM_CSV) {
            p = csv_line(p, o, &e[i]);
        } else if (o->form == TERN__FORM_NPZ) {
            le(&p, e[i].t_us + o->zero_us, 8);
            le(&p, e[i].x, 2);
            le(&p, e[i].y, 2);
            *p++ = e[i].on != 0;
        } else {
            /* clocks of days or years count from the first event */
            const uint64_t t = e[i].t_us + (o->zero_us < (uint64_t)1 << 31 ? o->zero_us : 0);
            if (e[i].x >= 128 || e[i].y >= 128 || t > UINT32_MAX) {
                tern_diag_hint(
                    tern_diags_add(
                        d, TERN_SEV_ERROR, TERN_SIM_RANGE, file, 0, NULL,
                        "an event at x %u, y %u, %lld us does not fit AEDAT 2.0: x and y below 128, time below 2^32 us",
                        e[i].x, e[i].y, (long long)e[i].t_us),
                    "--crop and --scale make it fit; --repair repairs times; csv and npz hold it as it is");
                return TERN_ERR_LIMIT;
            }
            const uint32_t a = (uint32_t)e[i].y << 8 | (uint32_t)e[i].x << 1 | (e[i].on != 0 ? 0u : 1u);
            const uint32_t w[2] = { a, (uint32_t)t };
            for (int k = 0; k < 2; ++k)
                for (int b = 24; b >= 0; b -= 8) *p++ = (uint8_t)(w[k] >> b);
        }
    }
    *out_size = (size_t)(p - to);
    return TERN_OK;
}
