/* test_tern_voting_stats.c : gains, times and verdicts of `voting` on tables whose answers are known
 * SPDX-License-Identifier: Apache-2.0
 */
#include <math.h>
#include <string.h>
#include "tern_check.h"
#include "tern_exp_voting.h"

enum { SEEDS = 6, RECORDINGS = 40, CELL = SEEDS * RECORDINGS, LENGTHS = 3 };

typedef struct table {
    tern_exp e;
    tern_voting v;
    tern_voting_block blocks[LENGTHS];
    tern_voting_cell cells[LENGTHS][2];
    uint8_t right[LENGTHS][2][CELL];
} table;

/* Three lengths, one decision at the end of each, by 1 and by 20 samples; all wrong. */
static void begin(table *t)
{
    static const uint32_t length[LENGTHS] = { 80, 20, 5 };
    memset(t, 0, sizeof *t);
    tern_arena_init(&t->e.arena, tern_alloc_default(), 0);
    t->e.set.n_variants = 1;
    t->e.set.lengths = (tern_exp_list){ .n = 3, .v = { 80, 20, 5 } };
    t->e.set.inference = (tern_exp_list){ .n = 2, .v = { 1, 20 } };
    t->e.set.presentations = (tern_exp_list){ .n = 1, .v = { 100 } };
    t->e.set.target = 0.97;
    t->v = (tern_voting){
        .e = &t->e, .n_seeds = SEEDS, .n_recordings = RECORDINGS, .n_blocks = LENGTHS, .blocks = t->blocks
    };
    for (size_t i = 0; i < LENGTHS; ++i) {
        for (uint32_t k = 0; k < 2; ++k)
            t->cells[i][k] = (tern_voting_cell){ .steps = length[i], .inference = k ? 20 : 1, .right = t->right[i][k] };
        t->blocks[i] = (tern_voting_block){
            .length = length[i], .presentations = 100, .n_marks = 1, .n_samples = 2, .cells = t->cells[i]
        };
    }
}

/* Recordings first.. are right, for every seed. */
static void make_right(table *t, size_t length, size_t k, int first, int last)
{
    for (int s = 0; s < SEEDS; ++s)
        for (int r = first; r <= last; ++r) t->right[length][k][s * RECORDINGS + r] = 1;
}

static void gains_and_times(void)
{
    static table t;
    begin(&t);
    make_right(&t, 0, 0, 1, 39); /* 80 steps: both wrong in one recording of 40 */
    make_right(&t, 0, 1, 1, 39);
    make_right(&t, 1, 0, 0, 19); /* 20 steps: one sample is right in half of them, twenty always */
    make_right(&t, 1, 1, 0, 39);
    make_right(&t, 2, 0, 0, 29); /* 5 steps: twenty are wrong where one is right in four */
    make_right(&t, 2, 1, 0, 25);
    CHECK_EQ(tern_voting_work_out(&t.v), TERN_OK);
    const tern_voting_cell *c = t.cells[0];
    CHECK_NEAR(c[0].accuracy.mean, 0.975, 1e-15);
    CHECK(c[0].accuracy.lo < 0.96 && c[0].accuracy.hi == 1);
    CHECK(c[1].gain.mean == 0 && c[1].gain.lo == 0 && c[1].gain.hi == 0); /* paired: the same ones are wrong */
    CHECK(strcmp(tern_voting_verdict(&c[1].gain), "not shown") == 0);
    c = t.cells[1];
    CHECK_NEAR(c[1].gain.mean, 0.5, 1e-15);
    /* 40 recordings drawn again: 0.5 +- 1.96 sqrt(0.25 / 40), whatever seeds are drawn, as they are alike */
    CHECK(fabs(c[1].gain.lo - 0.345) < 0.03 && fabs(c[1].gain.hi - 0.655) < 0.03);
    CHECK(strcmp(tern_voting_verdict(&c[1].gain), "pays, by 5 points or more") == 0);
    c = t.cells[2];
    CHECK_NEAR(c[1].gain.mean, -0.1, 1e-15);
    CHECK(strcmp(tern_voting_verdict(&c[1].gain), "harms") == 0);
    /* 0.97 is reached by one sample after 80 steps and, when the wrong recording is drawn twice, never; by 20 after
     * 20 */
    CHECK_EQ(t.v.n_times, 2);
    CHECK(t.v.times[0].steps.mean == 80 && t.v.times[0].steps.lo == 80 && isinf(t.v.times[0].steps.hi));
    CHECK(t.v.times[1].steps.mean == 20 && t.v.times[1].steps.lo == 20 && t.v.times[1].steps.hi == 20);
    CHECK(t.v.times[0].ratio.mean == 1 && t.v.times[0].ratio.lo == 1 && t.v.times[0].ratio.hi == 1);
    CHECK(t.v.times[1].ratio.mean == 4 && t.v.times[1].ratio.lo == 4 && isinf(t.v.times[1].ratio.hi));
    /* against 80 steps of one sample: 20 of twenty are better, 20 of one and 5 of either are worse */
    CHECK_NEAR(t.cells[1][1].versus.mean, 0.025, 1e-15);
    CHECK(t.cells[1][1].versus.lo == 0 && t.cells[1][0].versus.hi < -0.2 && t.cells[2][1].versus.hi < -0.1);
    CHECK(t.cells[0][0].versus.lo == 0 && t.cells[0][0].versus.hi == 0);
    CHECK(t.v.times[0].equal == 80 && t.v.times[1].equal == 20);
    tern_arena_free(&t.e.arena);
}

/* One recording in 40 that only twenty samples get right is no proof: it need not be drawn. Two seeds in six,
 * neither. */
static void too_little(void)
{
    static table t;
    begin(&t);
    for (size_t i = 0; i < LENGTHS; ++i) make_right(&t, i, 0, 0, 29), make_right(&t, i, 1, 0, 29);
    make_right(&t, 0, 1, 30, 30);
    for (int r = 30; r < 40; ++r) t.right[1][1][r] = t.right[1][1][RECORDINGS + r] = 1; /* seeds 1 and 2 */
    make_right(&t, 2, 1, 30, 31);
    for (int s = 1; s < SEEDS; ++s) memset(t.right[2][1] + s * RECORDINGS + 32, 1, 8); /* all but one seed */
    t.e.set.target = 1.5;                                                              /* out of reach */
    CHECK_EQ(tern_voting_work_out(&t.v), TERN_OK);
    CHECK_NEAR(t.cells[0][1].gain.mean, 1.0 / 40, 1e-15);
    CHECK(t.cells[0][1].gain.lo == 0 && t.cells[0][1].gain.hi > 1.0 / 40);
    CHECK(strcmp(tern_voting_verdict(&t.cells[0][1].gain), "not shown") == 0);
    CHECK_NEAR(t.cells[1][1].gain.mean, 20.0 / CELL, 1e-15);
    CHECK(strcmp(tern_voting_verdict(&t.cells[1][1].gain), "not shown") == 0);
    CHECK(strcmp(tern_voting_verdict(&t.cells[2][1].gain), "pays, by 5 points or more") == 0);
    /* nobody is ever as good as wanted: no time, and nothing gained */
    CHECK(isinf(t.v.times[0].steps.mean) && isinf(t.v.times[1].steps.mean));
    CHECK(t.v.times[1].ratio.mean == 1 && t.v.times[1].ratio.lo == 1 && t.v.times[1].ratio.hi == 1);
    tern_arena_free(&t.e.arena);
}

/* Equal is what cannot be much worse, not what may be as good; and the standard is the fewest samples. */
static void not_equal(void)
{
    static table t;
    begin(&t);
    make_right(&t, 0, 0, 0, 29);
    make_right(&t, 0, 1, 0, 39);
    make_right(&t, 1, 0, 0, 19);
    make_right(&t, 1, 1, 0, 28); /* one recording in 40 fewer than one sample after 80 steps */
    CHECK_EQ(tern_voting_work_out(&t.v), TERN_OK);
    CHECK_NEAR(t.cells[0][1].versus.mean, 0.25, 1e-15);
    CHECK(t.cells[0][0].versus.mean == 0 && t.cells[0][0].versus.hi == 0);
    CHECK_NEAR(t.cells[1][1].versus.mean, -0.025, 1e-15);
    CHECK(t.cells[1][1].versus.lo < -0.05 && t.cells[1][1].versus.hi == 0);
    CHECK(t.v.times[0].equal == 80 && t.v.times[1].equal == 80);
    tern_arena_free(&t.e.arena);
}

static void verdicts(void)
{
    static const struct {
        double lo, hi;
        const char *text;
    } edges[] = {
        { 0.05, 0.2, "pays, by 5 points or more" },
        { 0.0499, 0.2, "pays" },
        { 1e-9, 0.2, "pays" },
        { 0, 0.2, "not shown" },
        { 0, 0, "not shown" },
        { -0.2, 0, "not shown" },
        { -0.2, -1e-9, "harms" },
        { (double)NAN, (double)NAN, "not measured" },
    };
    for (size_t i = 0; i < sizeof edges / sizeof edges[0]; ++i) {
        const tern_exp_mean m = { 2, 0.1, edges[i].lo, edges[i].hi };
        CHECK(strcmp(tern_voting_verdict(&m), edges[i].text) == 0);
    }
}

int main(void)
{
    gains_and_times();
    too_little();
    not_equal();
    verdicts();
    return tern_check_report("voting");
}
