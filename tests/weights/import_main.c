/* import_main.c : `tern import NET.lua W -o OUT.tern`, and no more: tests of planted mistakes link it with a changed
 * file
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdio.h>
#include <string.h>
#include "tern/compile.h"
#include "tern/image.h"
#include "tern_weights.h"

int main(int argc, char **argv)
{
    static tern_model model;
    static tern_diags diags;
    tern_arena arena;
    char text[TERN_DIAG_BYTES];
    if (argc != 6 || strcmp(argv[1], "import") != 0 || strcmp(argv[4], "-o") != 0) return 2;
    tern_arena_init(&arena, tern_alloc_default(), 0);
    tern_diags_init(&diags);
    tern_status s = tern_open_model(argv[2], NULL, &arena, &model, &diags);
    if (s == TERN_OK) s = tern_weights_import(&model, argv[3], false, &arena, &diags);
    if (s == TERN_OK) s = tern_image_save(&model, argv[5], tern_alloc_default(), &diags);
    for (size_t i = 0; i < diags.n; ++i) {
        tern_diag_format(&diags.list[i], text, sizeof text);
        fprintf(stderr, "%s\n", text);
    }
    tern_arena_free(&arena);
    return s == TERN_OK ? 0 : 1;
}
