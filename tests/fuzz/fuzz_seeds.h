/* fuzz_seeds.h : between the files that make seeds
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef FUZZ_SEEDS_H
#define FUZZ_SEEDS_H
#include <stddef.h>
/* DIR/target/name */
void seed_write(const char *target, const char *name, const void *p, size_t n);
void seed_others(void); /* fuzz_seeds_text.c */
#endif                  /* FUZZ_SEEDS_H */
