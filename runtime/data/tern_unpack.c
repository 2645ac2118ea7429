/* tern_unpack.c : see tern_unpack.h
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_unpack.h"
#include <string.h>
#if TERN_HAVE_LZ4
#include <lz4frame.h>
#endif
#if TERN_HAVE_ZSTD
#include <zstd.h>
#endif

enum { WINDOW_LOG_MOST = 24 }; /* of Zstandard: 16 MiB; its own default would take 128 MiB on a damaged header's word */

const char *tern__unpack_missing(tern__packing packing)
{
    (void)packing;
#if !TERN_HAVE_LZ4
    if (packing == TERN__PACK_LZ4) return "liblz4-dev";
#endif
#if !TERN_HAVE_ZSTD
    if (packing == TERN__PACK_ZSTD) return "libzstd-dev";
#endif
    return NULL;
}

tern_status tern__unpack_open(tern__unpacker *u, tern__packing packing, tern_alloc alloc)
{
    *u = (tern__unpacker){ .packing = packing, .alloc = alloc };
#if TERN_HAVE_LZ4
    if (packing == TERN__PACK_LZ4) {
        LZ4F_dctx *c = NULL;
        if (LZ4F_isError(LZ4F_createDecompressionContext(&c, LZ4F_VERSION))) return TERN_ERR_MEMORY;
        u->context = c;
    }
#endif
#if TERN_HAVE_ZSTD
    if (packing == TERN__PACK_ZSTD) {
        ZSTD_DCtx *c = ZSTD_createDCtx();
        if (c == NULL) return TERN_ERR_MEMORY;
        u->context = c;
        (void)ZSTD_DCtx_setParameter(c, ZSTD_d_windowLogMax, WINDOW_LOG_MOST);
    }
#endif
    return TERN_OK;
}

void tern__unpack_close(tern__unpacker *u)
{
#if TERN_HAVE_LZ4
    if (u->packing == TERN__PACK_LZ4 && u->context != NULL) LZ4F_freeDecompressionContext(u->context);
#endif
#if TERN_HAVE_ZSTD
    if (u->packing == TERN__PACK_ZSTD && u->context != NULL) ZSTD_freeDCtx(u->context);
#endif
    if (u->buf != NULL) u->alloc.fn(u->alloc.ud, u->buf, 0);
    *u = (tern__unpacker){ 0 };
}

/* Room for more bytes in the buffer, at least doubling. */
static tern_status grow(tern__unpacker *u, size_t want)
{
    if (want > TERN__UNPACK_MOST) return TERN_ERR_LIMIT;
    if (want <= u->room) return TERN_OK;
    size_t room = u->room * 2 < TERN__SOURCE_RAW ? TERN__SOURCE_RAW : u->room * 2;
    if (room < want) room = want;
    if (room > TERN__UNPACK_MOST) room = TERN__UNPACK_MOST;
    uint8_t *p = u->alloc.fn(u->alloc.ud, u->buf, room);
    if (p == NULL) return TERN_ERR_MEMORY;
    u->buf = p;
    u->room = room;
    return TERN_OK;
}

/* Unpacks from p[0..n-1] into the buffer's free room. *used bytes were read; *done: the frame is complete. */
static tern_status step(tern__unpacker *u, const uint8_t *p, size_t n, size_t *used, bool *done)
{
    *used = n;
    *done = false;
    switch (u->packing) {
#if TERN_HAVE_LZ4
    case TERN__PACK_LZ4: {
        size_t out = u->room - u->n, in = n;
        const size_t r = LZ4F_decompress(u->context, u->buf + u->n, &out, p, &in, NULL);
        if (LZ4F_isError(r)) {
            LZ4F_resetDecompressionContext(u->context);
            return TERN_ERR_FORMAT;
        }
        u->n += out;
        *used = in;
        *done = r == 0;
        return TERN_OK;
    }
#endif
#if TERN_HAVE_ZSTD
    case TERN__PACK_ZSTD: {
        ZSTD_inBuffer in = { p, n, 0 };
        ZSTD_outBuffer out = { u->buf, u->room, u->n };
        const size_t r = ZSTD_decompressStream(u->context, &out, &in);
        if (ZSTD_isError(r)) return TERN_ERR_FORMAT;
        u->n = out.pos;
        *used = in.pos;
        *done = r == 0;
        return TERN_OK;
    }
#endif
    default: /* plain */
        if (n > u->room - u->n) n = u->room - u->n;
        memcpy(u->buf + u->n, p, n);
        u->n += n;
        *used = n;
        return TERN_OK;
    }
}

static void reset(tern__unpacker *u)
{
    u->n = 0;
#if TERN_HAVE_LZ4
    if (u->packing == TERN__PACK_LZ4) LZ4F_resetDecompressionContext(u->context);
#endif
#if TERN_HAVE_ZSTD
    if (u->packing == TERN__PACK_ZSTD) (void)ZSTD_DCtx_reset(u->context, ZSTD_reset_session_only);
#endif
}

tern_status tern__unpack_block(tern__unpacker *u, tern__source *src, uint64_t size)
{
    reset(u);
    bool done = u->packing == TERN__PACK_NONE;
    if (u->packing == TERN__PACK_NONE && size > TERN__UNPACK_MOST) return TERN_ERR_LIMIT;
    for (uint64_t left = size; left != 0;) {
        const uint8_t *p;
        size_t have = tern__source_peek(src, 1, &p), used;
        if (have == 0) {
            u->n = 0;
            return TERN_ERR_TRUNCATED;
        }
        if (have > left) have = (size_t)left;
        const size_t before = u->n;
        tern_status st = u->n == u->room ? grow(u, u->n + 1) : TERN_OK;
        if (st == TERN_OK) st = step(u, p, have, &used, &done);
        if (st != TERN_OK) return st;
        if (used == 0 && u->n == before && u->n < u->room) return TERN_ERR_FORMAT; /* the library makes no progress */
        tern__source_take(src, used);
        left -= used;
        if (u->packing == TERN__PACK_NONE) done = true;
        else if (done && left != 0) return TERN_ERR_FORMAT; /* one frame a block */
    }
    /* what the library still holds back for lack of room */
    while (!done) {
        size_t used;
        const size_t before = u->n;
        if (u->n < u->room) return TERN_ERR_FORMAT; /* the frame is not complete */
        tern_status st = grow(u, u->n + 1);
        if (st == TERN_OK) st = step(u, (const uint8_t *)"", 0, &used, &done);
        if (st != TERN_OK) return st;
        if (u->n == before && !done) return TERN_ERR_FORMAT;
    }
    return TERN_OK;
}
