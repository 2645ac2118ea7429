/* test_tern_trials.c : a table of trainings whose names are not all different is refused before anything is started;
 * the trainings of the first seed come first
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include "tern_check.h"
#include "tern_trials.h"

static unsigned begun;
static size_t first_begun;

static const char *name(void *ud, size_t i)
{
    static char text[20]; /* as the callers have it: valid until the next call */
    snprintf(text, sizeof text, "t%u", ((const unsigned *)ud)[i]);
    return text;
}

/* Told that a training has no file yet, the table would start its commands. */
static json_t *begin(void *ud, size_t i)
{
    (void)ud;
    if (begun++ == 0) first_begun = i;
    return NULL;
}

static bool fits(void *ud, size_t i, const json_t *part)
{
    (void)ud, (void)i, (void)part;
    return true;
}

/* Which of n trainings is begun first if those of `done` (numbers, -1: the end) are finished? n: none is. */
static size_t next_of(const int *finished, size_t n, size_t n_seeds, tern_status *out)
{
    static tern_diags diags;
    unsigned numbers[6] = { 0, 1, 2, 3, 4, 5 };
    char dir[] = "/tmp/tern_trials_XXXXXX", path[80];
    bool done[6] = { false };
    tern_arena arena;
    CHECK(mkdtemp(dir) != NULL);
    snprintf(path, sizeof path, "%s/parts", dir);
    CHECK_EQ(mkdir(path, 0700), 0);
    for (size_t i = 0; finished[i] >= 0; ++i) {
        snprintf(path, sizeof path, "%s/parts/t%d.json", dir, finished[i]);
        FILE *f = fopen(path, "w");
        CHECK(f != NULL && fprintf(f, "{\"training\":\"t%d\",\"points\":[{}],\"done\":true}\n", finished[i]) > 0);
        if (f != NULL) fclose(f);
    }
    tern_arena_init(&arena, tern_alloc_default(), 0);
    tern_diags_init(&diags);
    tern_trials t = { .dir = dir,
                      .label = "test",
                      .arena = &arena,
                      .n = n,
                      .n_points = 1,
                      .n_seeds = n_seeds,
                      .done = done,
                      .ud = numbers,
                      .name = name,
                      .begin = begin,
                      .fits = fits };
    begun = 0;
    *out = tern_trials_run(&t, 1, &diags);
    for (size_t i = 0; finished[i] >= 0; ++i) {
        snprintf(path, sizeof path, "%s/parts/t%d.json", dir, finished[i]);
        unlink(path);
    }
    snprintf(path, sizeof path, "%s/parts", dir);
    rmdir(path);
    rmdir(dir);
    tern_arena_free(&arena);
    return begun == 0 ? n : first_begun;
}

/* Two settings of three seeds: 0 3, 1 4, 2 5. */
static void seeds_first(void)
{
    static const int order[] = { 0, 3, 1, 4, 2, 5 };
    tern_status s;
    int finished[7] = { -1 };
    for (size_t i = 0; i <= 6; ++i) {
        CHECK_EQ(next_of(finished, 6, 3, &s), i < 6 ? order[i] : 6);
        CHECK_EQ(s, i < 6 ? TERN_ERR_MEMORY : TERN_OK);
        if (i < 6) finished[i] = order[i], finished[i + 1] = -1;
    }
    CHECK_EQ(next_of((const int[]){ 0, -1 }, 6, 1, &s), 1); /* as they are */
    CHECK_EQ(next_of((const int[]){ 0, -1 }, 6, 0, &s), 1);
    CHECK_EQ(next_of((const int[]){ 0, -1 }, 6, 6, &s), 1); /* one setting */
    CHECK_EQ(next_of((const int[]){ -1 }, 6, 4, &s), 6);
    CHECK_EQ(s, TERN_ERR_ARGUMENT);
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
    seeds_first();
    CHECK(tern_trials_jobs() >= 1 && tern_trials_jobs() <= 64);
    printf("%u checks, %u failed\n", tern_check_done, tern_check_failed);
    return tern_check_failed != 0;
}
