/* tern_cli_compile.c : tern compile, a script or an image to a folder of files
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "tern_emit.h"
#include "tern_errors.h"
#include "tern_target.h"
#include "tern/file.h"
#include "tern/image.h"
#include "tern_cli.h"
#include "tern_cli_examples.h"
#include "tern_out_folder.h"
#include "tern_share.h"
#include "tern_verbs.h"

typedef struct job {
    const char *network, *dir;
    const char *target; /* NULL: none given */
    const char *core;
    uint64_t lanes, ways, prep;
    const char *form;
    tern_arg_list sets;
    const char *examples; /* recordings that become C, NULL: none */
    uint64_t n_examples;
    bool given_count;
    bool json, skip;
    tern_out_folder out;
} job;

static tern_status emit_image(const tern_model *model, const job *j, tern_diags *diags)
{
    char path[TERN_OUT_PATH + 64];
    snprintf(path, sizeof path, "%s/%s.tern", j->out.making, model->name);
    return tern_image_save(model, path, tern_alloc_default(), diags);
}
static tern_status emit_map(const tern_model *model, const job *j, tern_diags *diags)
{
    return tern_emit_map(model, j->out.making, diags);
}
static tern_status emit_json(const tern_model *model, const job *j, tern_diags *diags)
{
    return tern_emit_json(model, j->out.making, diags);
}
static tern_status emit_c(const tern_model *model, const job *j, tern_diags *diags)
{
    return tern_emit_c(model, j->out.making, diags);
}
/* A baseline per synapse exists in the C engines only. Asked for a target, the planner says so as an error. */
static bool no_hardware(const tern_model *model, const job *j)
{
    return model->net.baseline == TERN_BASELINE_SYNAPSE && j->target == NULL;
}
/* Where the Verilog is copied from. */
static tern_emit_share share_folder(void)
{
    tern_emit_share share;
    share.folder = tern_share_folder(&share.named);
    return share;
}

/* The core holds exactly this network: its capacities are the plan's. A target that is too small is an error before any
 * synthesis. A network that only the C engines run gets no hardware, which is an error only if somebody asked for
 * some. */
static tern_status emit_rtl(const tern_model *model, const job *j, tern_diags *diags)
{
    enum { WIDTHS = 6 };
    if (no_hardware(model, j)) {
        tern_diag_hint(
            tern_diags_add(diags, TERN_SEV_NOTE, TERN_ERROR_NO_HARDWARE, NULL, 0, "rule.baseline",
                           "the hardware files are omitted: a baseline per synapse exists in the C engines only"),
            "use baseline = \"neuron\" for hardware");
        return TERN_OK;
    }
    tern_arena arena;
    tern_plan made[WIDTHS];
    const tern_plan *plans[WIDTHS] = { NULL };
    uint32_t shift = 0;
    while (1u << shift < j->lanes) ++shift;
    tern_arena_init(&arena, tern_alloc_default(), 0);
    tern_status status =
        tern_plan_make(&model->net, (uint32_t)j->lanes, model->net.n_samples, &arena, &made[shift], diags);
    plans[shift] = &made[shift];
    if (status == TERN_OK) status = tern_plan_label_classes(&made[shift], model, TERN_DECODE_RATE, diags);
    const tern_target *target = j->target != NULL ? tern_target_find(j->target) : NULL;
    const tern_core_choice core = tern_core_choice_find(j->core, tern_form_find(j->form));
    const tern_parallel parallel = { (uint32_t)j->ways, (uint32_t)j->prep, tern_form_find(j->form) };
    if (status == TERN_OK) status = tern_target_core(target, core, &made[shift], diags);
    if (status == TERN_OK) tern_plan_use_skip(&made[shift], j->skip);
    if (status == TERN_OK) status = tern_target_ways(target, &parallel, &made[shift], diags);
    if (status == TERN_OK && target != NULL) {
        tern_fit fit;
        for (uint32_t i = 0; i < WIDTHS; ++i) /* other numbers of lanes may be the cure */
            if (i != shift &&
                tern_plan_make(&model->net, 1u << i, model->net.n_samples, &arena, &made[i], NULL) == TERN_OK &&
                tern_plan_label_classes(&made[i], model, TERN_DECODE_RATE, NULL) == TERN_OK &&
                tern_target_core(target, core, &made[i], NULL) == TERN_OK &&
                (tern_plan_use_skip(&made[i], j->skip), true) &&
                tern_target_ways(target, &parallel, &made[i], NULL) == TERN_OK)
                plans[i] = &made[i];
        tern_target_fit(target, plans, shift, &fit);
        status = tern_target_report(&fit, diags);
    }
    if (status == TERN_OK) status = tern_emit_rtl(model, &made[shift], j->target, j->out.making, &arena, diags);
    const tern_emit_share share = share_folder();
    if (status == TERN_OK) status = tern_emit_sources(model, &made[shift], &share, j->out.making, diags);
    if (status == TERN_OK) status = tern_emit_host(model, &made[shift], j->out.making, diags);
    tern_arena_free(&arena);
    return status;
}

static tern_status emit_examples(const tern_model *model, const job *j, tern_diags *diags)
{
    return j->examples == NULL
               ? TERN_OK
               : tern_cli_emit_examples(model, j->examples, (uint32_t)j->n_examples, j->out.making, diags);
}

/* What is written, in this order. */
static tern_status (*const outputs[])(const tern_model *, const job *, tern_diags *) = { emit_image,    emit_map,
                                                                                         emit_json,     emit_c,
                                                                                         emit_examples, emit_rtl };

/* Hardware files of an earlier run would not belong to this network any more. Copies of Tern's own Verilog may be of
 * use to others in the folder, and stay. */
static void remove_old_hardware(const job *j, const tern_model *model)
{
    static const char *const names[] = { ".vh",   "_top.v",  ".f",   "_load.hex", "_stream.hex",
                                         ".core", "_host.h", ".rdl", "_litex.py" };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        char path[TERN_OUT_PATH + 300];
        struct stat info;
        snprintf(path, sizeof path, "%s/%s%s", j->dir, model->name, names[i]);
        if (lstat(path, &info) == 0 && S_ISREG(info.st_mode)) unlink(path);
    }
}

static tern_status write_all(job *j, const tern_model *model, tern_arena *arena, tern_diags *diags)
{
    tern_catch_interrupts();
    tern_status status = tern_cli_lock(j->dir, "-o", diags);
    if (status == TERN_OK) status = tern_out_begin(&j->out, j->dir, diags);
    for (size_t i = 0; i < sizeof outputs / sizeof outputs[0] && status == TERN_OK; ++i) {
        status = outputs[i](model, j, diags);
        if (status == TERN_OK && tern_interrupted()) {
            tern_diags_add(diags, TERN_SEV_ERROR, TERN_ERROR_FOLDER_INTERRUPTED, j->dir, 0, NULL,
                           "interrupted, nothing was written");
            status = TERN_ERR_IO;
        }
    }
    if (status == TERN_OK) status = tern_out_finish(&j->out, arena, diags);
    if (status == TERN_OK && !j->out.is_new && no_hardware(model, j)) remove_old_hardware(j, model);
    tern_out_clean(&j->out);
    return status;
}

/* One line a file; of folders below, how much they hold. */
static void print_files(const tern_out_folder *f, const char *dir)
{
    long long bytes = 0;
    size_t n = 0;
    for (size_t i = 0; i < f->n_files; ++i) {
        if (strchr(f->files[i].name, '/') == NULL)
            printf("%10lld bytes  %s/%s\n", f->files[i].bytes, dir, f->files[i].name);
        else bytes += f->files[i].bytes, ++n;
    }
    if (n != 0) printf("%10lld bytes  %s/rtl: %zu files of Verilog\n", bytes, dir, n);
}

static int report(const job *j, const tern_model *m)
{
    const tern_net *n = &m->net;
    char hash[65];
    uint32_t synapses = 0, inputs = 0;
    tern_layout_hash(m, hash);
    for (uint32_t i = 0; i < n->n_weights; ++i) synapses += n->weights0[i] != TERN_WEIGHT_ABSENT;
    for (uint32_t i = 0; i < m->n_populations; ++i)
        inputs += m->populations[i].kind == TERN_POP_INPUT ? m->populations[i].size : 0;
    if (!j->json) {
        printf("%s: %u inputs, %u neurons (%u visible), %u synapses of %u bits in %u rows, D = %u, W = %u, K = %u\n",
               m->name, inputs, n->n_neurons, n->n_visible, synapses, n->weight_bits, n->n_rows, n->taps_d, n->lags_w,
               n->n_samples);
        printf("layout %s\n", hash);
        print_files(&j->out, j->dir);
        return TERN_EXIT_DONE;
    }
    json_t *files = tern_json_list();
    for (size_t i = 0; i < j->out.n_files; ++i)
        tern_json_add(files, tern_json_pack("{s:s,s:I}", "name", j->out.files[i].name, "bytes",
                                            (json_int_t)j->out.files[i].bytes));
    json_t *root =
        tern_json_pack("{s:s,s:s,s:s,s:I,s:I,s:I,s:I,s:I,s:I,s:i,s:i,s:i,s:i,s:o}", "name", m->name, "dir", j->dir,
                       "layout_hash", hash, "inputs", (json_int_t)inputs, "neurons", (json_int_t)n->n_neurons,
                       "visible", (json_int_t)n->n_visible, "rows", (json_int_t)n->n_rows, "weight_words",
                       (json_int_t)n->n_weights, "synapses", (json_int_t)synapses, "weight_bits", n->weight_bits,
                       "taps_d", n->taps_d, "lags_w", n->lags_w, "samples", n->n_samples, "files", files);
    return tern_cli_print_json(root, stdout) ? TERN_EXIT_DONE : TERN_EXIT_FOUND;
}

int tern_verb_compile(int argc, char **argv)
{
    static job j = { .lanes = 4, .core = "auto", .n_examples = 5 };
    static tern_model model;
    static tern_diags diags;
    /* clang-format off */
    const tern_arg list[] = {
        { .name = "NET.lua|IMAGE", .kind = TERN_ARG_STRING, .what = TERN_WHAT_FILE, .ext = "lua|tern",
          .dash = TERN_DASH_IN, .out = &j.network, .required = true,
          .help = "script of the network, or an image: its trained weights are used" },
        { .name = "--output", .letter = 'o', .kind = TERN_ARG_STRING, .value = "DIR", .what = TERN_WHAT_FOLDER,
          .out = &j.dir, .required = true,
          .help = "folder for the files, created if missing" },
        { .name = "--target", .kind = TERN_ARG_CHOICE, .value = "T", .choices = TERN_TARGET_CHOICES, .out = &j.target,
          .help = "device that the hardware must fit: " TERN_TARGET_CHOICES },
        { .name = "--lanes", .kind = TERN_ARG_UINT, .value = "P", .lo = 1, .hi = 32, .out = &j.lanes,
          .help = "weights per cycle of the hardware: 1, 2, 4, 8, 16 or 32; default 4" },
        TERN_CLI_WAYS_ARG(&j.ways),
        TERN_CLI_PREP_ARG(&j.prep),
        TERN_CLI_FORM_ARG(&j.form),
        TERN_CLI_SKIP_ARG(&j.skip),
        TERN_CLI_CORE_ARG(&j.core),
        { .name = "--examples", .kind = TERN_ARG_STRING, .value = "PATH", .what = TERN_WHAT_DATA, .out = &j.examples,
          .help = "recordings for NAME_examples.c: frames for firmware,\n"
                  "the first ones that `tern train` learns from" },
        { .name = "--example-count", .kind = TERN_ARG_UINT, .value = "N", .lo = 1, .hi = 10000, .out = &j.n_examples,
          .out_given = &j.given_count, .help = "examples to write; default 5" },
        { .name = "--set", .kind = TERN_ARG_LIST, .value = "KEY=VALUE", .what = TERN_WHAT_SETTING, .out = &j.sets,
          .help = "override a setting of the script, e.g. rule.samples=1" },
        TERN_CLI_SCRIPT_ARGS,
        TERN_CLI_JSON_ARG(&j.json),
    };
    /* clang-format on */
    static const char purpose[] =
        "Compiles a script, or a trained image, to NAME.tern (image), NAME.map, NAME.json, NAME.h, NAME.c and\n"
        "the hardware (NAME.vh, NAME_top.v, NAME.f, NAME.core, NAME_load.hex, NAME_stream.hex, rtl/)\n"
        "with files for drivers and SoCs (NAME_host.h, NAME.rdl, NAME_litex.py) in a folder that needs\n"
        "nothing besides.";
    const tern_args args = { .verb = "compile", .purpose = purpose, .list = list, .n = sizeof list / sizeof *list };
    const int parsed = tern_args_parse(&args, argc, argv);
    if (parsed >= 0) return parsed;
    if ((j.lanes & (j.lanes - 1)) != 0)
        return tern_args_wrong(&args, TERN_ERROR_VALUE, "--lanes %u: allowed are 1, 2, 4, 8, 16 and 32",
                               (unsigned)j.lanes);
    if (j.given_count && j.examples == NULL)
        return tern_args_wrong(&args, TERN_ERROR_USAGE, "--example-count says nothing without --examples PATH");
    tern_arena arena;
    tern_arena_init(&arena, tern_alloc_default(), 0);
    tern_diags_init(&diags);
    /* a folder that cannot be written is reported before the work */
    tern_status status = tern_out_begin(&j.out, j.dir, &diags);
    tern_out_clean(&j.out);
    if (status == TERN_OK) status = tern_cli_open_model(j.network, &j.sets, &arena, &model, &diags);
    if (status == TERN_OK) status = write_all(&j, &model, &arena, &diags);
    tern_cli_name_diags(&diags, j.network);
    int exit_status = TERN_EXIT_DONE;
    if (status != TERN_OK) exit_status = tern_cli_failed(status, &diags, j.network);
    else {
        tern_cli_print_diags(&diags); /* warnings */
        exit_status = report(&j, &model);
    }
    tern_arena_free(&arena);
    return exit_status;
}
