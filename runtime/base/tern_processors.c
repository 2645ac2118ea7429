/* tern_processors.c : see tern_processors.h
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE
#include "tern_processors.h"
#include <sched.h>
#include <unistd.h>

uint32_t tern_processors(void)
{
#ifdef CPU_COUNT
    cpu_set_t set; /* refused on machines with more processors than it holds */
    const int n = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 0;
    if (n > 0) return (uint32_t)n;
#endif
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online < 1 ? 1u : (uint32_t)online;
}
