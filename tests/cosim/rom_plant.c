/* rom_plant.c : which mistake of rules_plants.txt the program of the small core makes
 * SPDX-License-Identifier: Apache-2.0
 *
 * Called by the planted program (plant_rules.sh) when a design starts. 0, none, unless the variable TERN_ROM_PLANT says
 * otherwise.
 */
#include <stdlib.h>

int tern_rom_plant(void);
int tern_rom_plant(void)
{
    const char *which = getenv("TERN_ROM_PLANT");
    return which != NULL ? atoi(which) : 0;
}
