/* string.c : see string.h; short rather than quick. A compiler must not turn these loops into calls of themselves.
 * SPDX-License-Identifier: Apache-2.0
 */
#include "string.h"

void *memcpy(void *restrict to, const void *restrict from, size_t n)
{
    unsigned char *t = to;
    const unsigned char *f = from;
    while (n-- > 0) *t++ = *f++;
    return to;
}

void *memset(void *to, int value, size_t n)
{
    unsigned char *t = to;
    while (n-- > 0) *t++ = (unsigned char)value;
    return to;
}
