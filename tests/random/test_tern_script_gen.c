/* test_tern_script_gen.c : the generator of scripts: same seed, same text; the compiler takes nearly all; every class
 * is met SPDX-License-Identifier: Apache-2.0
 *
 *     test_tern_script_gen [SEED]     prints the script of a seed
 */
#include <stdlib.h>
#include <string.h>
#include "tern_check.h"
#include "tern_script_build.h"

static char text[2][TERN_SCRIPT_TEXT];

static void check_limits(const tern_script_limits *lim, const tern_model *m)
{
    const tern_net *n = &m->net;
    CHECK((lim->rules >> n->rule & 1u) != 0);
    CHECK(n->n_samples <= lim->samples && n->taps_d <= lim->taps && n->lags_w <= lim->lags &&
          (uint32_t)n->taps_d + n->lags_w <= lim->history);
    CHECK((uint32_t)n->n_samples * n->lags_w <= lim->sample_lags && n->n_neurons <= lim->neurons &&
          n->n_neurons * n->n_samples <= lim->pairs);
    CHECK(n->n_filters <= lim->filters && n->weight_bits <= lim->weight_bits);
}

/* Texts repeat, runs come back from the text, few are refused, nothing that is allowed is missing. */
static void series(const char *name, const tern_script_limits *lim, unsigned count)
{
    tern_script_coverage sum = { 0, { 0 } };
    static tern_script s, again;
    static tern_model m;
    tern_diags diags;
    tern_arena arena;
    unsigned refused = 0;
    tern_arena_init(&arena, tern_alloc_default(), 0);
    for (uint64_t seed = 1; seed <= count; ++seed) {
        unsigned attempt = 0;
        tern_script_run back;
        CHECK_EQ(tern_script_build(&s, seed, lim, 14, &arena, &m, &diags, &attempt), TERN_OK);
        refused += attempt - 1;
        tern_script_make(&again, seed + ((uint64_t)(attempt - 1) << 40), lim, 14);
        CHECK(tern_script_text(&s, text[0], sizeof text[0]) > 0 &&
              tern_script_text(&again, text[1], sizeof text[1]) > 0);
        CHECK(strcmp(text[0], text[1]) == 0);
        CHECK(tern_script_read_run(text[0], &back));
        CHECK(memcmp(&back, &s.run, sizeof back) == 0);
        check_limits(lim, &m);
        tern_script_cover(&sum, &s, &m, lim);
    }
    printf("%s: %u scripts, %u more refused by the compiler; ", name, count, refused);
    CHECK(tern_script_print_coverage(&sum, lim, stdout));
    CHECK(refused * 4 < count);
    tern_arena_free(&arena);
}

int main(int argc, char **argv)
{
    static tern_script s;
    if (argc == 2) {
        tern_script_make(&s, strtoull(argv[1], NULL, 10), &tern_script_any, 14);
        if (tern_script_text(&s, text[0], sizeof text[0]) == 0) return 1;
        fputs(text[0], stdout);
        return 0;
    }
    series("any", &tern_script_any, 600);
    series("large core", &tern_script_large, 600);
    series("small core", &tern_script_small, 600);
    return tern_check_report("script_gen");
}
