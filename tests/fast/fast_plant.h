/* fast_plant.h : --plant BUG of the test programs that are built from sources with planted bugs (tern_plant.h)
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef FAST_PLANT_H
#define FAST_PLANT_H
#include <stdbool.h>
#include <string.h>
#ifdef TERN_PLANTED
#include "tern_plant.h"
int tern_plant_now;

/* Plants a bug; false: there is none of this name. */
static inline bool fast_plant(const char *name)
{
    static const char *const plants[] = { "NONE",
#define NAME(bug) #bug,
                                          TERN_PLANTS(NAME)
#undef NAME
    };
    for (unsigned i = 0; i < sizeof plants / sizeof plants[0]; ++i)
        if (strcmp(plants[i], name) == 0) tern_plant_now = (int)i;
    return tern_plant_now != 0;
}
#else
static inline bool fast_plant(const char *name)
{
    (void)name;
    return false;
}
#endif
#endif /* FAST_PLANT_H */
