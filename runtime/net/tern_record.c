/* tern_record.c : digest over records
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern/record.h"

/* The prime of FNV-1a, and its second and fourth power: bytes of 0 only multiply, and most records have many. */
#define PRIME 0x100000001b3u
#define PRIME_2 0x366000002e329u
#define PRIME_4 0x9ffaac085635bc91u

static uint64_t add_byte(uint64_t digest, uint32_t byte) { return (digest ^ byte) * PRIME; }

/* Four bytes, the lowest first. */
static uint64_t add(uint64_t digest, uint32_t value)
{
    if (value == 0) return digest * PRIME_4;
    digest = add_byte(add_byte(digest, value & 0xffu), value >> 8 & 0xffu);
    if (value >> 16 == 0) return digest * PRIME_2;
    return add_byte(add_byte(digest, value >> 16 & 0xffu), value >> 24);
}

uint64_t tern_digest_add(uint64_t digest, const tern_record *r)
{
    digest = add(digest, r->step);
    digest = add(digest, (uint32_t)r->kind | (uint32_t)r->flags << 8 | (uint32_t)r->sample << 16);
    digest = add(digest, r->index);
    digest = add(digest, (uint32_t)r->a);
    digest = add(digest, (uint32_t)r->b);
    return add(digest, r->draw);
}
