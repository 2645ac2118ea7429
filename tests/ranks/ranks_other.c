/* ranks_other.c : a rank of another version, for test_train.sh
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdio.h>
#include "tern/ranks.h"

int main(void)
{
    tern_diags diags;
    tern_diags_init(&diags);
    const tern_status s = tern_ranks_begin("another version", &diags);
    tern_ranks_end(1);
    return s == TERN_OK ? 0 : 1;
}
