/* mutant_which.c : what the copies of the Verilog with mistakes in them (mutate.py) ask when a design is made
 * SPDX-License-Identifier: Apache-2.0
 *
 * From the environment, so that any program which is linked to such copies makes a mistake without knowing of it:
 * TERN_MUTANT is the mistake's number, 0 or absent for none; TERN_MUTANT_CHECKS=0 turns off the checks for memories
 * that are read and written at one address.
 */
#include <stdlib.h>

int tern_mutant_which(void);
int tern_mutant_checks(void);

static int number(const char *name, int otherwise)
{
    const char *text = getenv(name);
    return text == NULL ? otherwise : (int)strtol(text, NULL, 10);
}

int tern_mutant_which(void) { return number("TERN_MUTANT", 0); }
int tern_mutant_checks(void) { return number("TERN_MUTANT_CHECKS", 1); }
