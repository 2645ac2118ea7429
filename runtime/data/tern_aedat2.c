/* tern_aedat2.c : AEDAT 2.0 with DVS128 addresses, reading and writing
 * SPDX-License-Identifier: Apache-2.0
 *
 * Header: lines beginning with '#' and ending in LF, usually CR LF; the first is "#!AER-DAT2.0". Then records of 8 bytes, big-endian:
 *     address, 32 bits:  31..15 must be 0 in a pixel event | 14..8 y | 7..1 x | 0 polarity, 0 = ON
 *     time,    32 bits:  microseconds
 * Polarity is as in jAER, which made the format (bit 0 set: darker). In the MNIST-DVS recordings a bright digit moves, and the events
 * with bit 0 clear lie on its leading edge, which agrees.
 */
#include "tern_formats.h"
#include "tern/simulate.h"
#include <stdio.h>
#include <string.h>

enum { RECORD_BYTES = 8, DVS128_SIZE = 128 };
static const char magic[] = "#!AER-DAT"; /* followed by the version */

static uint32_t be32(const uint8_t *p) { return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3]; }

static void put_be32(uint8_t *p, uint32_t v)
{
    p[0] = (uint8_t)(v >> 24);
    p[1] = (uint8_t)(v >> 16);
    p[2] = (uint8_t)(v >> 8);
    p[3] = (uint8_t)v;
}

int tern__aedat2_detect(const uint8_t *bytes, size_t size)
{
    return size >= sizeof magic - 1 && memcmp(bytes, magic, sizeof magic - 1) == 0; /* any version: the decoder tells which it reads */
}

/* Copies printable text up to the end of the line, for messages. */
static void copy_text(char *to, size_t bytes, const uint8_t *from, size_t n)
{
    size_t k = 0;
    while (k < n && k + 1 < bytes && from[k] >= 0x20 && from[k] < 0x7f) {
        to[k] = (char)from[k];
        ++k;
    }
    to[k] = 0;
}

static const uint8_t *find_text(const uint8_t *line, size_t n, const char *what)
{
    const size_t m = strlen(what);
    for (size_t i = 0; i + m <= n; ++i)
        if (memcmp(line + i, what, m) == 0) return line + i;
    return NULL;
}

/* Checks one header line (without its LF). */
static tern_status check_line(const uint8_t *line, size_t n, int number, const char *file, tern_diags *diags)
{
    char text[64];
    if (number == 1) {
        const size_t m = sizeof magic - 1;
        if (n < m || memcmp(line, magic, m) != 0) {
            tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, TERN_DATA_HEADER, file, 1, NULL, "the first line does not name the version"),
                           "an AEDAT 2.0 file begins with the line #!AER-DAT2.0");
            return TERN_ERR_FORMAT;
        }
        copy_text(text, sizeof text, line + m, n - m);
        if (strcmp(text, "2.0") != 0) {
            tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, TERN_DATA_VERSION, file, 1, NULL, "AEDAT version '%s' is not read, only 2.0", text),
                           "convert the recording to AEDAT 2.0 (the version stands in the header, not in the file name)");
            return TERN_ERR_VERSION;
        }
        return TERN_OK;
    }
    const uint8_t *chip = find_text(line, n, "AEChip:");
    /* other cameras pack x and y into other bits: reading them as DVS128 would give wrong pixels without a word */
    if (chip != NULL && find_text(chip, n - (size_t)(chip - line), "DVS128") == NULL && find_text(chip, n - (size_t)(chip - line), "Tmpdiff128") == NULL) {
        copy_text(text, sizeof text, chip + 7, n - (size_t)(chip - line) - 7);
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, TERN_DATA_CAMERA, file, number, NULL, "is of camera '%s', whose address layout is not known here",
                                      text[0] == ' ' ? text + 1 : text), "only DVS128 addresses are read");
        return TERN_ERR_FORMAT;
    }
    return TERN_OK;
}

/* Finds where the records begin. */
static tern_status skip_header(const uint8_t *bytes, size_t size, const char *file, size_t *out_data, tern_diags *diags)
{
    size_t p = 0;
    int number = 0;
    if (size == 0 || bytes[0] != '#') return check_line(bytes, 0, 1, file, diags); /* no header at all */
    while (p < size && bytes[p] == '#') {
        size_t end = p;
        if (number < 1000000000) ++number;
        while (end < size && bytes[end] != '\n' && (bytes[end] >= 0x20 || bytes[end] == '\t' || bytes[end] == '\r')) ++end;
        if (end == size) {
            tern_diags_add(diags, TERN_SEV_ERROR, TERN_DATA_HEADER, file, number, NULL,
                           "this header line, at byte %zu, has no end: the file stops inside it", p);
            return TERN_ERR_TRUNCATED;
        }
        if (bytes[end] != '\n') {
            tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, TERN_DATA_HEADER, file, number, NULL,
                                          "byte 0x%02x at %zu inside a header line; header lines are text and end in CR LF", bytes[end], end),
                           "the header is damaged, or the first record begins with 0x23 ('#')");
            return TERN_ERR_FORMAT;
        }
        const tern_status s = check_line(bytes + p, end - p - (end > p && bytes[end - 1] == '\r'), number, file, diags);
        if (s != TERN_OK) return s;
        p = end + 1;
    }
    *out_data = p;
    return TERN_OK;
}

tern_status tern__aedat2_decode(const uint8_t *bytes, size_t size, const char *file, tern_arena *arena, tern_recording *out, tern_diags *diags)
{
    size_t p = 0;
    const tern_status s = skip_header(bytes, size, file, &p, diags);
    if (s != TERN_OK) return s;
    const size_t n = (size - p) / RECORD_BYTES;
    out->width = out->height = DVS128_SIZE;
    out->n_left_over = (size - p) % RECORD_BYTES;
    out->events = tern_arena_get(arena, n, sizeof *out->events);
    if (out->events == NULL) return TERN_ERR_MEMORY;
    uint32_t first = 0, last = 0;
    for (size_t i = 0; i < n; ++i) {
        const uint32_t address = be32(bytes + p + i * RECORD_BYTES), t = be32(bytes + p + i * RECORD_BYTES + 4);
        if (address >> 15 != 0) { /* synchronisation inputs and the like */
            ++out->n_other;
            continue;
        }
        if (out->n_events == 0) out->t_first_us = first = t;
        else if (t < last) ++out->n_backwards;
        last = t;
        out->events[out->n_events++] = (tern_event){
            .t_us = (uint32_t)(t - first), /* modulo 2^32: goes on over a wrap; an event earlier than the first lands far behind all windows */
            .x = (uint16_t)((address >> 1) & 127u), .y = (uint16_t)((address >> 8) & 127u), .on = (address & 1u) == 0,
        };
    }
    return TERN_OK;
}

tern_status tern_aedat2_encode(const tern_recording *rec, const char *comment, tern_arena *arena, const uint8_t **out_bytes, size_t *out_size,
                               tern_diags *diags)
{
    static const char head[] = "#!AER-DAT2.0\r\n# This is a raw AE data file - do not edit\r\n"
                               "# Data format is int32 address, int32 timestamp (8 bytes total), repeated for each event\r\n"
                               "# Timestamps tick is 1 us\r\n# AEChip: ch.unizh.ini.jaer.chip.retina.DVS128\r\n";
    const size_t nh = sizeof head - 1, nc = comment == NULL ? 0 : strlen(comment);
    for (size_t i = 0; i < nc; ++i) /* a line end would make a header line without '#' */
        if ((unsigned char)comment[i] < 0x20) return TERN_ERR_ARGUMENT;
    if (nc > 1000 || rec->n_events > TERN_RECORDING_MAX_BYTES / RECORD_BYTES - 1000) return TERN_ERR_LIMIT;
    const size_t total = nh + (nc != 0 ? nc + 4 : 0) + rec->n_events * RECORD_BYTES;
    uint8_t *b = tern_arena_get(arena, total, 1), *p = b;
    if (b == NULL) return TERN_ERR_MEMORY;
    memcpy(p, head, nh);
    p += nh;
    if (nc != 0) {
        memcpy(p, "# ", 2);
        memcpy(p + 2, comment, nc);
        memcpy(p + 2 + nc, "\r\n", 2);
        p += nc + 4;
    }
    for (size_t i = 0; i < rec->n_events; ++i) {
        const tern_event *e = &rec->events[i];
        if (e->x >= DVS128_SIZE || e->y >= DVS128_SIZE || e->t_us > UINT32_MAX) {
            tern_diags_add(diags, TERN_SEV_ERROR, TERN_SIM_RANGE, rec->file, 0, NULL, "event %zu (x %u, y %u, %llu us) does not fit AEDAT 2.0: "
                           "x and y below 128, time below 2^32 us", i, e->x, e->y, (unsigned long long)e->t_us);
            return TERN_ERR_LIMIT;
        }
        put_be32(p, (uint32_t)e->y << 8 | (uint32_t)e->x << 1 | (e->on ? 0u : 1u));
        put_be32(p + 4, (uint32_t)e->t_us);
        p += RECORD_BYTES;
    }
    *out_bytes = b;
    *out_size = total;
    return TERN_OK;
}
