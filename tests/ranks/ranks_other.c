/* ranks_other.c : a rank of another version, and as ranks_without one of a build without MPI; prints its first message
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdio.h>
#include "tern_ranks.h"

int main(void)
{
    tern_diags diags;
    tern_diags_init(&diags);
    const tern_status s = tern_ranks_begin("another version", &diags);
    if (diags.n != 0) printf("TERN-E%04d: %s\n", diags.list[0].code, diags.list[0].message);
    else printf("rank %u of %u\n", tern_ranks_index(), tern_ranks_count());
    tern_ranks_end(1);
    return s == TERN_OK ? 0 : 1;
}
