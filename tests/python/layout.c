/* layout.c : sizes and offsets of the structures that Python mirrors, as the C compiler has them
 * SPDX-License-Identifier: Apache-2.0
 *
 * A line each: STRUCTURE FIELD OFFSET SIZE, and STRUCTURE - 0 SIZE for the whole. The fields are those of
 * runtime/python/tern/_c.py, which tests/python/fields.py writes into layout_fields.inc.
 */
#include <stddef.h>
#include <stdio.h>
#include "tern/compile.h"
#include "tern/encode.h"
#include "tern/image.h"
#include "tern/network.h"
#include "tern/simulate.h"

#define FIELD(type, field) printf(#type " " #field " %zu %zu\n", offsetof(type, field), sizeof(((type *)0)->field));
#define WHOLE(type) printf(#type " - 0 %zu\n", sizeof(type));

int main(void)
{
#include "layout_fields.inc"
    return 0;
}
