/* tern_cli_network.c : which network is it? The same one in two images, and its digest in logs
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>
#include "tern/image.h"
#include "tern_cli.h"

/* The image without state: all that makes a network what it is. The bytes lie in `scratch`. */
static tern_status encode_network(const tern_model *model, tern_arena *scratch, const uint8_t **bytes, size_t *size)
{
    tern_model *m = tern_arena_get(scratch, 1, sizeof *m);
    if (m == NULL) return TERN_ERR_MEMORY;
    *m = *model;
    m->state = NULL;
    m->presentations_done = 0;
    if (m->data.scale == 0) m->data.scale = 1; /* the same; images of earlier writers have 0 */
    return tern_image_encode(m, scratch, bytes, size);
}

tern_status tern_same_network(const tern_model *a, const tern_model *b, bool *out_same)
{
    const uint8_t *bytes[2];
    size_t size[2];
    tern_arena scratch;
    tern_arena_init(&scratch, tern_alloc_default(), 0);
    tern_status s = encode_network(a, &scratch, &bytes[0], &size[0]);
    if (s == TERN_OK) s = encode_network(b, &scratch, &bytes[1], &size[1]);
    *out_same = s == TERN_OK && size[0] == size[1] && memcmp(bytes[0], bytes[1], size[0]) == 0;
    tern_arena_free(&scratch);
    return s;
}

tern_status tern_network_digest(const tern_model *model, uint64_t *out)
{
    const uint8_t *bytes = NULL;
    size_t size = 0;
    tern_arena scratch;
    tern_arena_init(&scratch, tern_alloc_default(), 0);
    const tern_status s = encode_network(model, &scratch, &bytes, &size);
    *out = s == TERN_OK ? tern_cli_hash(TERN_DIGEST_INIT, bytes, size) : 0;
    tern_arena_free(&scratch);
    return s;
}
