/* tern_source.h : bytes of a file or of memory, plain or inflated, through one window (inside runtime/data only)
 * SPDX-License-Identifier: Apache-2.0
 *
 * A base is a whole file or a block of memory; a source reads a slice of it from front to back, inflating it if asked.
 * Any number of sources may read one base. Memory of a source: its window; of compressed content 64 KiB and zlib's 48
 * KiB, too. A source keeps its first error and gives no more bytes after it.
 */
#ifndef TERN_SOURCE_H
#define TERN_SOURCE_H
#include <stdbool.h>
#include <stdint.h>
#include "tern/arena.h"
#include "tern/diag.h"

typedef struct tern__base {
    int fd; /* -1: memory */
    const uint8_t *mem;
    uint64_t size;
} tern__base;

typedef enum tern__codec { TERN__PLAIN, TERN__GZIP, TERN__DEFLATE } tern__codec;

/* window; compressed bytes fetched at a time; first fetch */
enum { TERN__SOURCE_ROOM = 256 << 10, TERN__SOURCE_RAW = 64 << 10, TERN__SOURCE_FIRST = 16 << 10 };

typedef struct tern__source {
    const tern__base *base;
    tern_alloc alloc;
    uint64_t raw_begin, raw_end, raw_pos; /* the slice; next byte to fetch */
    tern__codec codec;
    const uint8_t *data; /* window; of plain memory: the slice itself */
    size_t at, have;     /* within the window: next byte, bytes there */
    size_t fetch;        /* bytes of the next fetch: small at first, for who only looks at a beginning */
    uint64_t before;     /* content bytes before the window */
    uint8_t *buf, *raw;  /* owned; NULL for plain memory */
    struct z_stream_s *z;
    bool checked;       /* the content has a check sum */
    uint32_t crc, want; /* of the first `summed` bytes of the content; of all of it */
    uint64_t summed;
    bool changed;       /* it was read to its end, and the check sum is another one; status is TERN_ERR_FORMAT */
    bool padded;        /* gzip: zeros follow the last part */
    bool ended;         /* nothing can be fetched any more */
    tern_status status; /* TERN_OK, or why it ended early */
} tern__source;

/* Opens a regular file. TERN_ERR_IO with a diagnostic (401, 402). */
tern_status tern__base_open(tern__base *b, const char *path, tern_diags *diags);
void tern__base_close(tern__base *b);
/* Reads at a position; false: fewer bytes are there, or an error. */
bool tern__base_get(const tern__base *b, uint64_t pos, uint8_t *to, size_t n);

/* `s` must be all zero or closed. The slice must lie within the base. */
tern_status tern__source_open(tern__source *s, const tern__base *base, uint64_t begin, uint64_t size, tern__codec codec,
                              tern_alloc alloc);
void tern__source_close(tern__source *s);
/* The CRC-32 of the whole content, right after opening: compared as soon as every byte was fetched once, in order. Who
 * jumps over bytes of plain content reads without the comparison. */
void tern__source_expect(tern__source *s, uint32_t crc);
/* Bytes that follow, in one piece: at least `want` (<= TERN__SOURCE_ROOM) unless the content ends before; more if they
 * are there anyway. */
size_t tern__source_peek(tern__source *s, size_t want, const uint8_t **out);
static inline void tern__source_take(tern__source *s, size_t n) { s->at += n; }
static inline uint64_t tern__source_pos(const tern__source *s) { return s->before + s->at; }
/* To a position in the content; backwards in compressed content means starting again. Beyond the end: at the end. */
void tern__source_seek(tern__source *s, uint64_t pos);
/* Reads n bytes; false: they are not there. */
bool tern__source_get(tern__source *s, void *to, size_t n);
/* Bytes of the content that were not taken; reads compressed content to its end to count them. */
uint64_t tern__source_rest(tern__source *s);

static inline uint16_t tern__le16(const uint8_t *p) { return (uint16_t)(p[0] | p[1] << 8); }
static inline uint32_t tern__le32(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}
static inline uint64_t tern__le64(const uint8_t *p) { return tern__le32(p) | (uint64_t)tern__le32(p + 4) << 32; }
static inline uint32_t tern__be32(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

#endif /* TERN_SOURCE_H */
