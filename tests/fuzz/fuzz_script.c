/* fuzz_script.c : any text as a network script, with limits; what compiles can be written as an image and planned
 * SPDX-License-Identifier: Apache-2.0
 *
 * Lines at the beginning that start with "--set " are settings of the command line, as with `tern compile --set`.
 */
#include "fuzz.h"
#include "tern_plan.h"
#include "tern/image.h"
#include "tern_compiler.h"

enum { SETS_MAX = 8, SET_BYTES = 200 };
static tern_diags diags;
static tern_model model, back;

static void written(const tern_model *m, tern_arena *arena)
{
    const uint8_t *image;
    size_t n;
    tern_plan plan;
    tern_status s = tern_image_encode(m, arena, &image, &n);
    FUZZ_CHECK(s == TERN_OK || s == TERN_ERR_MEMORY);
    if (s == TERN_ERR_MEMORY) return;
    s = tern_image_decode(image, n, "y.tern", arena, &back, &diags);
    FUZZ_CHECK(s == TERN_OK || s == TERN_ERR_MEMORY);
    tern_diags_init(&diags);
    s = tern_plan_make(&m->net, 4, m->net.n_samples, arena, &plan, &diags);
    if (s != TERN_ERR_MEMORY) fuzz_told((int)s, &diags);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char text[SETS_MAX][SET_BYTES];
    const char *sets[SETS_MAX];
    size_t n_sets = 0;
    while (n_sets < SETS_MAX && size > 6 && memcmp(data, "--set ", 6) == 0) {
        const uint8_t *end = memchr(data, '\n', size);
        const size_t n = end == NULL ? size : (size_t)(end - data);
        if (n - 6 >= SET_BYTES) break;
        memcpy(text[n_sets], data + 6, n - 6);
        text[n_sets][n - 6] = 0;
        sets[n_sets] = text[n_sets];
        ++n_sets;
        data += end == NULL ? n : n + 1;
        size -= end == NULL ? n : n + 1;
    }
    fuzz_heap heap = { .limit_bytes = (size_t)32 << 20 };
    tern_arena arena;
    char *copy = (char *)fuzz_exact(data, size);
    const tern_compile_options options = {
        .n_sets = n_sets, .sets = sets, .script_memory_bytes = 4u << 20, .script_seconds = 0.01
    };
    tern_arena_init(&arena, (tern_alloc){ fuzz_alloc, &heap }, 0);
    tern_diags_init(&diags);
    const tern_status s = tern_compile_string(copy, size, "net.lua", &options, &arena, &model, &diags);
    fuzz_told((int)s, &diags); /* of memory, too */
    if (s == TERN_OK) written(&model, &arena);
    tern_arena_free(&arena);
    FUZZ_CHECK(heap.alive == 0);
    free(copy);
    return 0;
}
