/* ranks_stub.c : instead of a library that sends: it does not start, or says how many ranks there are
 * SPDX-License-Identifier: Apache-2.0
 *
 * $RANKS_STUB: "refuses", or the number of ranks. $RANKS_STUB_OTHERS: what the other ranks do; without it the same as
 * this one. "differ": they have other numbers; "lost": they do not answer; "fail": the same versions, then a failure.
 */
#include <stdlib.h>
#include <string.h>
#include "tern_ranks_internal.h"

const char *tern_wire_library(void) { return "stub"; }

bool tern_wire_begin(uint32_t *out_index, uint32_t *out_count)
{
    const char *word = getenv("RANKS_STUB");
    *out_index = 0;
    *out_count = 1;
    if (word == NULL || strcmp(word, "refuses") == 0) return false;
    *out_count = (uint32_t)strtoul(word, NULL, 10);
    return true;
}

bool tern_wire_exchange(uint32_t index, uint32_t count, uint8_t *all, const size_t *offset, double patience_s)
{
    static unsigned calls;
    const char *word = getenv("RANKS_STUB_OTHERS");
    const uint64_t failed = 1; /* what tern_ranks_agree() sends */
    (void)patience_s;
    ++calls;
    if (word == NULL) word = "same";
    if (strcmp(word, "lost") == 0) return false;
    for (uint32_t i = 0; i < count; ++i) {
        if (i == index) continue;
        memcpy(all + offset[i], all + offset[index], offset[i + 1] - offset[i]);
        if (strcmp(word, "differ") == 0 && calls == 1) all[offset[i]] ^= 1;
        if (strcmp(word, "fail") == 0 && calls == 2) memcpy(all + offset[i], &failed, sizeof failed);
    }
    return true;
}

bool tern_wire_from_first(uint32_t index, uint32_t count, void *bytes, size_t n, double patience_s)
{
    (void)index, (void)count, (void)bytes, (void)n, (void)patience_s;
    return true;
}

void tern_wire_send(uint32_t to, const void *bytes, size_t n) { (void)to, (void)bytes, (void)n; }

size_t tern_wire_take(uint32_t *out_from, void *bytes, size_t most)
{
    (void)out_from, (void)bytes, (void)most;
    return 0;
}

void tern_wire_end(int status, bool abort) { (void)status, (void)abort; }
