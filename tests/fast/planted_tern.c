/* planted_tern.c : the command with an engine `fast` that has a bug: $TERN_PLANT names it (tern_plant.h)
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdio.h>
#include <stdlib.h>
#include "fast_plant.h"

__attribute__((constructor)) static void plant(void)
{
    const char *name = getenv("TERN_PLANT");
    if (name == NULL || name[0] == 0 || fast_plant(name)) return;
    fprintf(stderr, "no planted bug is called %s\n", name);
    exit(99);
}
