/* tern_source.c : see tern_source.h
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_source.h"
#include "tern_formats.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

tern_status tern__base_open(tern__base *b, const char *path, tern_diags *diags)
{
    *b = (tern__base){ .fd = -1 };
    struct stat st;
    if (stat(path, &st) != 0) {
        tern_diags_add(diags, TERN_SEV_ERROR, TERN_DATA_IO, path, 0, NULL, "cannot be read: %s", strerror(errno));
        return TERN_ERR_IO;
    }
    if (!S_ISREG(st.st_mode)) { /* a pipe or device has no size and could continue for ever */
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, TERN_DATA_NOT_A_FILE, path, 0, NULL,
                                      "is %s, not a regular file",
                                      S_ISDIR(st.st_mode) ? "a folder" : "a pipe or device"),
                       "give the name of a file");
        return TERN_ERR_IO;
    }
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        const int why = errno;
        tern_diags_add(diags, TERN_SEV_ERROR, TERN_DATA_IO, path, 0, NULL, "cannot be opened: %s", strerror(why));
        return why == ENOMEM ? TERN_ERR_MEMORY : TERN_ERR_IO;
    }
    b->fd = fd;
    b->size = st.st_size > 0 ? (uint64_t)st.st_size : 0;
    return TERN_OK;
}

void tern__base_close(tern__base *b)
{
    if (b->fd >= 0) close(b->fd);
    *b = (tern__base){ .fd = -1 };
}

/* Bytes read, fewer than n only at the end; -1: an error. */
static ssize_t base_read(const tern__base *b, uint64_t pos, uint8_t *to, size_t n)
{
    if (pos >= b->size) return 0;
    if (n > b->size - pos) n = (size_t)(b->size - pos);
    if (b->fd < 0) {
        memcpy(to, b->mem + pos, n);
        return (ssize_t)n;
    }
    size_t done = 0;
    while (done < n) {
        const ssize_t k = pread(b->fd, to + done, n - done, (off_t)(pos + done));
        if (k < 0 && errno == EINTR) continue;
        if (k < 0) return -1;
        if (k == 0) break; /* the file was cut after it was opened */
        done += (size_t)k;
    }
    return (ssize_t)done;
}

bool tern__base_get(const tern__base *b, uint64_t pos, uint8_t *to, size_t n)
{
    return base_read(b, pos, to, n) == (ssize_t)n;
}

/* zlib's memory from an allocator. */
static void *z_alloc(void *ud, unsigned items, unsigned size)
{
    const tern_alloc *a = ud;
    return items != 0 && size > SIZE_MAX / items ? NULL : a->fn(a->ud, NULL, (size_t)items * size);
}

static void z_free(void *ud, void *p)
{
    const tern_alloc *a = ud;
    a->fn(a->ud, p, 0);
}

static tern_status z_start(tern__source *s)
{
    s->z->zalloc = z_alloc;
    s->z->zfree = z_free;
    s->z->opaque = &s->alloc;
    return inflateInit2(s->z, s->codec == TERN__GZIP ? 15 + 16 : -15) == Z_OK ? TERN_OK : TERN_ERR_MEMORY;
}

tern_status tern__source_open(tern__source *s, const tern__base *base, uint64_t begin, uint64_t size, tern__codec codec,
                              tern_alloc alloc)
{
    *s = (tern__source){ .base = base,
                         .alloc = alloc,
                         .raw_begin = begin,
                         .raw_end = begin + size,
                         .raw_pos = begin,
                         .codec = codec,
                         .fetch = TERN__SOURCE_FIRST };
    if (codec == TERN__PLAIN && base->fd < 0) {
        s->data = base->mem == NULL ? (const uint8_t *)"" : base->mem + begin;
        s->have = (size_t)size;
        s->ended = true;
        return TERN_OK;
    }
    s->buf = alloc.fn(alloc.ud, NULL, TERN__SOURCE_ROOM);
    if (codec != TERN__PLAIN && s->buf != NULL) {
        s->raw = alloc.fn(alloc.ud, NULL, TERN__SOURCE_RAW);
        s->z = s->raw == NULL ? NULL : alloc.fn(alloc.ud, NULL, sizeof *s->z);
        if (s->z != NULL) {
            memset(s->z, 0, sizeof *s->z);
            if (z_start(s) != TERN_OK) {
                alloc.fn(alloc.ud, s->z, 0);
                s->z = NULL;
            }
        }
    }
    if (s->buf == NULL || (codec != TERN__PLAIN && s->z == NULL)) {
        tern__source_close(s);
        return TERN_ERR_MEMORY;
    }
    s->data = s->buf;
    return TERN_OK;
}

void tern__source_close(tern__source *s)
{
    if (s->z != NULL) {
        inflateEnd(s->z);
        s->alloc.fn(s->alloc.ud, s->z, 0);
    }
    if (s->raw != NULL) s->alloc.fn(s->alloc.ud, s->raw, 0);
    if (s->buf != NULL) s->alloc.fn(s->alloc.ud, s->buf, 0);
    memset(s, 0, sizeof *s);
}

static void give_up(tern__source *s, tern_status why)
{
    s->ended = true;
    s->status = why;
}

/* n more bytes of the content, from `pos` on, lie at p. */
static void sum(tern__source *s, uint64_t pos, const uint8_t *p, size_t n)
{
    if (!s->checked || pos > s->summed || n == 0 || pos + n <= s->summed) return;
    const size_t old = (size_t)(s->summed - pos);
    s->crc = (uint32_t)crc32_z(s->crc, p + old, n - old);
    s->summed = pos + n;
}

/* The content ended after `size` bytes. */
static void compare(tern__source *s, uint64_t size)
{
    if (!s->checked || !s->ended || s->status != TERN_OK || s->summed != size || s->crc == s->want) return;
#ifndef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
    s->changed = true;
    give_up(s, TERN_ERR_FORMAT);
#endif
}

void tern__source_expect(tern__source *s, uint32_t crc)
{
    s->checked = true;
    s->want = crc;
    s->crc = (uint32_t)crc32(0, NULL, 0);
    if (s->buf != NULL) return;
    sum(s, 0, s->data, s->have); /* plain memory */
    compare(s, s->have);
}

/* What follows a stream that is complete: gzip files may have several parts, and zeros after the last one (tapes). */
static void after_stream(tern__source *s);

/* Fetches compressed bytes when zlib has none; false: the slice is used up or cannot be read. */
static bool fill_raw(tern__source *s)
{
    if (s->z->avail_in != 0) return true;
    const uint64_t left = s->raw_end - s->raw_pos;
    const ssize_t n = base_read(s->base, s->raw_pos, s->raw, left < TERN__SOURCE_RAW ? (size_t)left : TERN__SOURCE_RAW);
    if (n < 0) give_up(s, TERN_ERR_IO);
    if (n <= 0) return false;
    s->raw_pos += (uint64_t)n;
    s->z->next_in = s->raw;
    s->z->avail_in = (unsigned)n;
    return true;
}

static void after_stream(tern__source *s)
{
    while (!s->ended && fill_raw(s)) {
        if (s->codec == TERN__GZIP && !s->padded && s->z->next_in[0] == 0x1f) {
            if (inflateReset(s->z) != Z_OK) give_up(s, TERN_ERR_FORMAT);
            return;
        }
        s->padded = s->codec == TERN__GZIP;
        while (s->padded && s->z->avail_in != 0 && s->z->next_in[0] == 0) ++s->z->next_in, --s->z->avail_in;
        if (s->z->avail_in != 0) give_up(s, TERN_ERR_FORMAT); /* something else: no part of what was written */
    }
    s->ended = true;
}

/* Inflates to the window's end or the content's. */
static void inflate_more(tern__source *s)
{
    s->z->next_out = s->buf + s->have;
    s->z->avail_out = (unsigned)(TERN__SOURCE_ROOM - s->have);
    while (s->z->avail_out != 0 && !s->ended) {
        if (!fill_raw(s)) {
            if (!s->ended) give_up(s, TERN_ERR_TRUNCATED);
            break;
        }
        const int r = inflate(s->z, Z_NO_FLUSH);
        if (r == Z_STREAM_END) {
            after_stream(s);
        } else if (r == Z_MEM_ERROR) {
            give_up(s, TERN_ERR_MEMORY);
        } else if (r != Z_OK && r != Z_BUF_ERROR) {
            give_up(s, TERN_ERR_FORMAT);
        }
    }
    const size_t had = s->have;
    s->have = (size_t)(s->z->next_out - s->buf);
    sum(s, s->before + had, s->buf + had, s->have - had);
    compare(s, s->before + s->have);
}

/* More bytes into the window, so that it has at least `want` if the content has. */
static void fetch(tern__source *s, size_t want)
{
    memmove(s->buf, s->buf + s->at, s->have - s->at);
    s->before += s->at;
    s->have -= s->at;
    s->at = 0;
    if (s->codec != TERN__PLAIN) {
        inflate_more(s);
        return;
    }
    const uint64_t left = s->raw_end - s->raw_pos;
    size_t room = TERN__SOURCE_ROOM - s->have;
    if (room > s->fetch && s->have + s->fetch >= want) room = s->fetch;
    if (s->fetch < TERN__SOURCE_ROOM) s->fetch *= 4;
    const size_t n = left < room ? (size_t)left : room;
    const ssize_t k = base_read(s->base, s->raw_pos, s->buf + s->have, n);
    if (k < 0) {
        give_up(s, TERN_ERR_IO);
        return;
    }
    sum(s, s->before + s->have, s->buf + s->have, (size_t)k);
    s->raw_pos += (uint64_t)k;
    s->have += (size_t)k;
    if ((size_t)k < n || s->raw_pos == s->raw_end) s->ended = true;
    if (s->raw_pos == s->raw_end) compare(s, s->raw_end - s->raw_begin);
}

size_t tern__source_peek(tern__source *s, size_t want, const uint8_t **out)
{
    if (s->have - s->at < want && !s->ended) fetch(s, want);
    *out = s->data + s->at;
    return s->have - s->at;
}

void tern__source_seek(tern__source *s, uint64_t pos)
{
    if (s->buf == NULL) { /* plain memory: the window is everything */
        s->at = pos < s->have ? (size_t)pos : s->have;
        return;
    }
    if (pos >= s->before && pos - s->before <= s->have) {
        s->at = (size_t)(pos - s->before);
        return;
    }
    if (s->status != TERN_OK) return;
    if (s->codec == TERN__PLAIN) {
        const uint64_t size = s->raw_end - s->raw_begin;
        if (pos > size) pos = size;
        s->raw_pos = s->raw_begin + pos;
        s->before = pos;
        s->at = s->have = 0;
        s->fetch = TERN__SOURCE_FIRST;
        s->ended = false;
        return;
    }
    if (pos < s->before) {
        s->before = 0;
        s->at = s->have = 0;
        s->raw_pos = s->raw_begin;
        s->z->avail_in = 0;
        s->padded = false;
        s->ended = false;
        if (inflateReset(s->z) != Z_OK) give_up(s, TERN_ERR_FORMAT);
    }
    while (tern__source_pos(s) < pos) {
        const uint8_t *p;
        const size_t n = tern__source_peek(s, 1, &p);
        if (n == 0) return;
        const uint64_t left = pos - tern__source_pos(s);
        tern__source_take(s, left < n ? (size_t)left : n);
    }
}

bool tern__source_get(tern__source *s, void *to, size_t n)
{
    uint8_t *p = to;
    while (n != 0) {
        const uint8_t *from;
        size_t k = tern__source_peek(s, 1, &from);
        if (k == 0) return false;
        if (k > n) k = n;
        memcpy(p, from, k);
        tern__source_take(s, k);
        p += k;
        n -= k;
    }
    return true;
}

uint64_t tern__source_rest(tern__source *s)
{
    if (s->buf == NULL) return s->have - s->at;
    if (s->codec == TERN__PLAIN) return s->raw_end - s->raw_begin - tern__source_pos(s);
    uint64_t n = 0;
    const uint8_t *p;
    for (size_t k; (k = tern__source_peek(s, 1, &p)) != 0; n += k) tern__source_take(s, k);
    return n;
}
