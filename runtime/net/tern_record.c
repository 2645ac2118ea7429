/* tern_record.c : digest over records
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern/record.h"

static uint64_t add(uint64_t digest, uint32_t value, unsigned n_bytes)
{
    for (unsigned i = 0; i < n_bytes; ++i) digest = (digest ^ (value >> (8u * i) & 0xffu)) * 0x100000001b3u;
    return digest;
}

uint64_t tern_digest_add(uint64_t digest, const tern_record *r)
{
    digest = add(digest, r->step, 4);
    digest = add(digest, r->kind, 1);
    digest = add(digest, r->flags, 1);
    digest = add(digest, r->sample, 2);
    digest = add(digest, r->index, 4);
    digest = add(digest, (uint32_t)r->a, 4);
    digest = add(digest, (uint32_t)r->b, 4);
    return add(digest, r->draw, 4);
}
