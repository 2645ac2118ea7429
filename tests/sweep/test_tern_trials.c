/* test_tern_trials.c : a table of trainings whose names are not all different is refused before anything is started
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdlib.h>
#include "tern_check.h"
#include "tern_trials.h"

static unsigned begun;

static const char *name(void *ud, size_t i)
{
    static char text[20]; /* as the callers have it: valid until the next call */
    snprintf(text, sizeof text, "t%u", ((const unsigned *)ud)[i]);
    return text;
}

/* Told that a training has no file yet, the table would start its commands. */
static json_t *begin(void *ud, size_t i)
{
    (void)ud, (void)i;
    ++begun;
    return NULL;
}

static tern_status run(unsigned *numbers, size_t n)
{
    static tern_diags diags;
    bool done[4] = { false };
    tern_arena arena;
    tern_arena_init(&arena, tern_alloc_default(), 0);
    tern_diags_init(&diags);
    tern_trials t = { .dir = "/nowhere",
                      .label = "test",
                      .arena = &arena,
                      .n = n,
                      .n_points = 1,
                      .done = done,
                      .ud = numbers,
                      .name = name,
                      .begin = begin };
    begun = 0;
    const tern_status s = tern_trials_run(&t, 1, &diags);
    tern_arena_free(&arena);
    return s;
}

int main(void)
{
    unsigned twice[] = { 3, 1, 2, 1 }, neighbours[] = { 7, 7 }, different[] = { 3, 1, 2, 4 };
    CHECK_EQ(run(twice, 4), TERN_ERR_ARGUMENT);
    CHECK_EQ(begun, 0);
    CHECK_EQ(run(neighbours, 2), TERN_ERR_ARGUMENT);
    CHECK_EQ(begun, 0);
    CHECK(run(different, 4) != TERN_ERR_ARGUMENT); /* goes on, and finds no memory in begin() */
    CHECK(begun > 0);
    CHECK(tern_trials_jobs() >= 1 && tern_trials_jobs() <= 64);
    printf("%u checks, %u failed\n", tern_check_done, tern_check_failed);
    return tern_check_failed != 0;
}
