/* fast_peak.h : what the machine can do at most: multiply-adds of 16-bit numbers, bytes read from cache and memory
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef FAST_PEAK_H
#define FAST_PEAK_H
#include <stddef.h>
#include <stdint.h>

/* Makes n times 16 independent multiply-add instructions of an instruction set; multiply-adds in each of them, or 0 if
 * the limit of this set is not measured. */
unsigned fast_peak_products(const char *isa, uint64_t n);
/* Reads `bytes` bytes; the result keeps the compiler from leaving it out. */
uint64_t fast_peak_read(const uint64_t *from, size_t bytes);

#endif /* FAST_PEAK_H */
