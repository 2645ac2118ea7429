/* tern_select.c : names of recordings with a selection behind '#', and small pieces of text that several readers take
 * apart
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_formats.h"
#include <string.h>
#include <sys/stat.h>

bool tern__digits(const uint8_t *p, size_t n, uint64_t *out, size_t *used)
{
    uint64_t v = 0;
    size_t i = 0;
    for (; i < n && p[i] >= '0' && p[i] <= '9'; ++i) {
        if (v > ((uint64_t)1 << 63) / 10) return false;
        v = v * 10 + (uint64_t)(p[i] - '0');
    }
    *out = v;
    *used = i;
    return i != 0 && v <= (uint64_t)1 << 63;
}

/* Number at *p; moves *p behind it. */
static bool number(const char **p, uint64_t *out)
{
    size_t used;
    if (!tern__digits((const uint8_t *)*p, strlen(*p), out, &used)) return false;
    *p += used;
    return true;
}

/* Likewise with a sign. */
static bool signed_number(const char **p, int64_t *out)
{
    uint64_t v;
    const bool negative = **p == '-';
    *p += negative;
    if (!number(p, &v) || v > INT64_MAX) return false;
    *out = negative ? -(int64_t)v : (int64_t)v;
    return true;
}

bool tern__selection_parse(const char *text, tern__selection *out)
{
    *out = (tern__selection){ .kind = TERN__ALL };
    const char *p = text;
    if (*p == '@') {
        ++p;
        out->kind = TERN__RECORDS;
        if (!number(&p, &out->first) || *p++ != '+' || !number(&p, &out->count)) return false;
        return *p == 0 && out->count != 0 && out->first <= UINT64_MAX / 64 && out->count <= UINT64_MAX / 64;
    }
    if ((*p >= '0' && *p <= '9') || *p == '-') {
        int64_t v;
        if (!signed_number(&p, &v)) return false;
        if (*p == 0) {
            out->kind = TERN__SAMPLE;
            out->sample = (uint64_t)v;
            return text[0] != '-';
        }
        out->kind = TERN__TIMES;
        out->begin_us = v;
        if (strncmp(p, "..", 2) != 0) return false;
        p += 2;
        return signed_number(&p, &out->end_us) && strcmp(p, "us") == 0 && out->begin_us < out->end_us;
    }
    size_t n = 0;
    for (; (p[n] >= 'a' && p[n] <= 'z') || (p[n] >= 'A' && p[n] <= 'Z') || (p[n] >= '0' && p[n] <= '9') || p[n] == '_';
         ++n)
        if (n + 1 >= sizeof out->group) return false;
    if (n == 0) return false;
    memcpy(out->group, p, n);
    p += n;
    out->kind = TERN__GROUP;
    if (*p == 0) return true;
    out->kind = TERN__SAMPLE;
    return *p++ == '/' && number(&p, &out->sample) && *p == 0;
}

tern_status tern__selection_split(const char *path, bool on_disk, size_t *out_len, tern__selection *out,
                                  tern_diags *diags)
{
    *out = (tern__selection){ .kind = TERN__ALL };
    *out_len = strlen(path);
    struct stat st;
    const char *hash = strrchr(path, '#');
    if (hash == NULL || hash == path || (on_disk && stat(path, &st) == 0)) return TERN_OK;
    const bool good = tern__selection_parse(hash + 1, out);
    if (good) {
        *out_len = (size_t)(hash - path);
        return TERN_OK;
    }
    *out = (tern__selection){ .kind = TERN__ALL };
    char file[1024];
    const size_t n = (size_t)(hash - path);
    if (!on_disk || n >= sizeof file) return TERN_OK;
    memcpy(file, path, n);
    file[n] = 0;
    if (stat(file, &st) != 0) return TERN_OK; /* the whole name is what is missing */
    tern_diag_hint(
        tern_diags_add(diags, TERN_SEV_ERROR, TERN_DATA_SELECTION, file, 0, NULL, "'%.60s' selects nothing", hash),
        "#12 or #test/12: a sample; #test: a group; #@1000+250: records; #5000..9000us: times");
    return TERN_ERR_ARGUMENT;
}

void tern__copy_text(char *to, size_t room, const uint8_t *from, size_t n)
{
    size_t k = 0;
    for (; k < n && k + 1 < room && from[k] != '\r' && from[k] != '\n'; ++k)
        to[k] = (char)(from[k] >= 0x20 && from[k] < 0x7f ? from[k] : '?');
    to[k] = 0;
}

const uint8_t *tern__find(const uint8_t *p, size_t n, const char *what)
{
    const size_t m = strlen(what);
    for (size_t i = 0; i + m <= n; ++i)
        if (memcmp(p + i, what, m) == 0) return p + i;
    return NULL;
}

enum { MAX_LINE = 4096 };

tern_status tern__header_line(tern_stream *s, int number_, const uint8_t **out, size_t *n, tern_diags *d)
{
    const uint8_t *p;
    const size_t have = tern__source_peek(&s->src, MAX_LINE + 1, &p), look = have < MAX_LINE + 1 ? have : MAX_LINE + 1;
    const uint8_t *end = memchr(p, '\n', look);
    if (end == NULL) {
        const tern_status why = tern__source_problem(s, &s->src, d);
        if (why != TERN_OK) return why;
        tern_diag_hint(tern_diags_add(d, TERN_SEV_ERROR, TERN_DATA_HEADER, s->path, number_, NULL,
                                      look <= MAX_LINE ? "the file ends within the header"
                                                       : "a header line of more than 4096 bytes"),
                       "the file may have been cut off; copy it again");
        return look <= MAX_LINE ? TERN_ERR_TRUNCATED : TERN_ERR_FORMAT;
    }
    size_t len = (size_t)(end - p);
    const size_t all = len + 1;
    if (len != 0 && p[len - 1] == '\r') --len;
    for (size_t i = 0; i < len; ++i)
        if (p[i] < 0x20 && p[i] != '\t') {
            tern_diag_hint(tern_diags_add(d, TERN_SEV_ERROR, TERN_DATA_HEADER, s->path, number_, NULL,
                                          "control character 0x%02x in a header line", p[i]),
                           "the file is damaged, or was changed by a text editor; copy it again");
            return TERN_ERR_FORMAT;
        }
    *out = p;
    *n = len;
    tern__source_take(&s->src, all);
    return TERN_OK;
}

tern_status tern__fixed_records(tern_stream *s, uint64_t data_begin, unsigned record_bytes, uint64_t *out_n,
                                bool *selected, tern_diags *d)
{
    *out_n = UINT64_MAX;
    if (s->sel.kind != TERN__RECORDS) {
        tern__source_seek(&s->src, data_begin);
        return TERN_OK;
    }
    *selected = true;
    *out_n = s->sel.count;
    const bool plain = s->src.codec == TERN__PLAIN;
    const uint64_t there =
        plain ? (s->base.size - (data_begin < s->base.size ? data_begin : s->base.size)) / record_bytes : UINT64_MAX;
    if (s->sel.first + s->sel.count > there) {
        tern__stream_error(s, d, TERN_DATA_SELECTION, "records %llu to %llu are requested; the file has %llu",
                           (unsigned long long)s->sel.first, (unsigned long long)(s->sel.first + s->sel.count - 1),
                           (unsigned long long)there);
        return TERN_ERR_ARGUMENT;
    }
    tern__source_seek(&s->src, data_begin + s->sel.first * record_bytes);
    return TERN_OK;
}
