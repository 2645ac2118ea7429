/* string.h : all that Tern's freestanding core takes from a C library, for compilers that come without one
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TERN_FIRMWARE_STRING_H
#define TERN_FIRMWARE_STRING_H
#include <stddef.h>

void *memcpy(void *restrict to, const void *restrict from, size_t n);
void *memset(void *to, int value, size_t n);

#endif /* TERN_FIRMWARE_STRING_H */
