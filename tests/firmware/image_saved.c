/* image_saved.c : what learn.c would have kept, from an image that `tern train` wrote
 * SPDX-License-Identifier: Apache-2.0
 *
 *     image_saved IMAGE.tern      prints length and digest of the stream, as learn.c does
 */
#include <inttypes.h>
#include <stdio.h>
#include "tern/image.h"
#include "tern/save.h"

typedef struct sum {
    size_t n;
    uint64_t digest;
} sum;

static tern_status add(void *context, const uint8_t *bytes, size_t n)
{
    sum *s = context;
    for (size_t i = 0; i < n; ++i) s->digest = (s->digest ^ bytes[i]) * UINT64_C(0x100000001b3);
    s->n += n;
    return TERN_OK;
}

int main(int argc, char **argv)
{
    static tern_model m;
    static tern_diags diags;
    tern_arena arena;
    sum s = { 0, TERN_DIGEST_INIT };
    tern_arena_init(&arena, tern_alloc_default(), 0);
    tern_diags_init(&diags);
    if (argc != 2 || tern_image_load(argv[1], &arena, &m, &diags) != TERN_OK || m.state == NULL) return 1;
    if (tern_save(m.state, TERN_SAVE_LEARNT, m.presentations_done, add, &s) != TERN_OK) return 1;
    printf("saved %zu bytes, digest %016" PRIx64 "\n", s.n, s.digest);
    tern_arena_free(&arena);
    return 0;
}
