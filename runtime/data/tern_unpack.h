/* tern_unpack.h : one block of LZ4 or Zstandard frames, or of plain bytes, into memory (inside runtime/data only)
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TERN_UNPACK_H
#define TERN_UNPACK_H
#include "tern_formats.h"

typedef enum tern__packing { TERN__PACK_NONE, TERN__PACK_LZ4, TERN__PACK_ZSTD } tern__packing;

enum { TERN__UNPACK_MOST = 32 << 20 }; /* bytes of one block when unpacked */

typedef struct tern__unpacker {
    tern__packing packing;
    void *context; /* of the library */
    uint8_t *buf;
    size_t room, n; /* allocated; bytes of the last block */
    tern_alloc alloc;
} tern__unpacker;

/* The package that this build lacks for a packing; NULL: complete. */
const char *tern__unpack_missing(tern__packing packing);
/* `u` all zero. TERN_ERR_MEMORY. */
tern_status tern__unpack_open(tern__unpacker *u, tern__packing packing, tern_alloc alloc);
void tern__unpack_close(tern__unpacker *u);
/* Takes `size` bytes from the source and unpacks them to u->buf[0 .. u->n - 1]. TERN_ERR_TRUNCATED: the source ends
 * before (what is there was taken, u->n is 0); TERN_ERR_FORMAT: damaged; TERN_ERR_LIMIT: more than TERN__UNPACK_MOST;
 * TERN_ERR_MEMORY. */
tern_status tern__unpack_block(tern__unpacker *u, tern__source *src, uint64_t size);

#endif /* TERN_UNPACK_H */
