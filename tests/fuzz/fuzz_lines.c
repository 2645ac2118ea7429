/* fuzz_lines.c : any bytes as the log of a training or as the lines of an evaluation, read for `tern report`
 * SPDX-License-Identifier: Apache-2.0
 *
 * First byte: 0 log, 1 evaluation. The rest is the file.
 */
#include "fuzz.h"
#include "tern_cli_report.h"
#include "tern_compiler.h"

static const char script[] = "local f = tern.taps{1}\nlocal x = tern.input{name='x', shape={2, 2}}\n"
                             "local o = tern.visible{name='o', size=3}\ntern.connect{from=x, to=o, filters=f}\n"
                             "tern.gem{eta=0.01, samples=4}\n"
                             "tern.data{sensor={2, 2}, window_ms=1, steps=20, input=x, label=o}\n";
static tern_arena fixed;
static tern_model model;
static tern_diags diags;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    tern_arena_init(&fixed, tern_alloc_default(), 0);
    tern_diags_init(&diags);
    FUZZ_CHECK(tern_compile_string(script, sizeof script - 1, "net.lua", NULL, &fixed, &model, &diags) == TERN_OK);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) return 0;
    fuzz_heap heap = { .limit_bytes = (size_t)64 << 20 };
    tern_arena arena;
    tern_report_log log;
    tern_report_eval eval;
    tern_arena_init(&arena, (tern_alloc){ fuzz_alloc, &heap }, 0);
    tern_diags_init(&diags);
    fuzz_enter();
    fuzz_put("lines", data + 1, size - 1);
    tern_status s = (data[0] & 1) == 0 ? tern_report_read_log("lines", &model, &arena, &log, &diags)
                                       : tern_report_read_eval("lines", &model, &arena, &eval, &diags);
    if (s != TERN_ERR_MEMORY) fuzz_told((int)s, &diags);
    if (s == TERN_OK && (data[0] & 1) == 0) {
        bool fits;
        tern_diags_init(&diags);
        s = tern_report_check_log("lines", &model, &log, (data[0] & 2) != 0, &fits, &diags);
        if (s != TERN_ERR_MEMORY) fuzz_told((int)s, &diags);
    }
    fuzz_leave();
    tern_arena_free(&arena);
    FUZZ_CHECK(heap.alive == 0);
    return 0;
}
