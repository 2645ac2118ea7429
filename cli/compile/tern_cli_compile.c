/* tern_cli_compile.c : tern compile, a script to a folder of files
 * SPDX-License-Identifier: Apache-2.0
 *
 * All files are made in a folder of their own and moved to their place when the last one is complete, so a failure or an interrupt leaves
 * DIR as it was.
 */
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "tern_leftover.h"
#include "tern_emit.h"
#include "tern_target.h"
#include "tern/file.h"
#include "tern/image.h"
#include "tern_cli.h"
#include "tern_verbs.h"

enum { PATH_BYTES = 1024, FILES_MAX = 256 };

typedef struct job {
    const char   *script, *dir;
    const char   *target; /* NULL: none given */
    const char   *core;
    uint64_t      lanes, ways, prep;
    tern_arg_list sets;
    bool          json;
    bool          dir_is_new;
    char          making[PATH_BYTES];  /* the folder in which the files are made */
    size_t        n_files;
    struct { char *name; long long bytes; } files[FILES_MAX];
} job;

static tern_status emit_image(const tern_model *model, const job *j, tern_diags *diags)
{
    char path[PATH_BYTES + 64];
    snprintf(path, sizeof path, "%s/%s.tern", j->making, model->name);
    return tern_image_save(model, path, tern_alloc_default(), diags);
}
static tern_status emit_map(const tern_model *model, const job *j, tern_diags *diags) { return tern_emit_map(model, j->making, diags); }
static tern_status emit_json(const tern_model *model, const job *j, tern_diags *diags) { return tern_emit_json(model, j->making, diags); }
static tern_status emit_c(const tern_model *model, const job *j, tern_diags *diags) { return tern_emit_c(model, j->making, diags); }
/* A baseline per synapse exists in the C engines only. Asked for a target, the planner says so as an error. */
static bool no_hardware(const tern_model *model, const job *j) { return model->net.baseline == TERN_BASELINE_SYNAPSE && j->target == NULL; }
/* The core holds exactly this network: its capacities are the plan's. A target that is too small is an error before any synthesis. A network that only the C engines run
 * gets no hardware, which is an error only if somebody asked for some. */
static tern_status emit_rtl(const tern_model *model, const job *j, tern_diags *diags)
{
    enum { WIDTHS = 6, N_SYNAPSE = 502 };
    if (no_hardware(model, j)) {
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_NOTE, N_SYNAPSE, NULL, 0, "rule.baseline", "the hardware files are left out: a baseline per synapse exists in the C engines only"),
                       "use baseline = \"neuron\" for hardware");
        return TERN_OK;
    }
    tern_arena arena;
    tern_plan made[WIDTHS];
    const tern_plan *plans[WIDTHS] = { NULL };
    uint32_t shift = 0;
    while (1u << shift < j->lanes) ++shift;
    tern_arena_init(&arena, tern_alloc_default(), 0);
    tern_status status = tern_plan_make(&model->net, (uint32_t)j->lanes, model->net.n_samples, &arena, &made[shift], diags);
    plans[shift] = &made[shift];
    if (status == TERN_OK) status = tern_plan_label_classes(&made[shift], model, TERN_DECODE_RATE, diags);
    const tern_target *target = j->target != NULL ? tern_target_find(j->target) : NULL;
    const tern_core_choice core = tern_core_choice_find(j->core);
    if (status == TERN_OK) status = tern_target_core(target, core, &made[shift], diags);
    if (status == TERN_OK) status = tern_target_ways(target, (uint32_t)j->ways, (uint32_t)j->prep, &made[shift], diags);
    if (status == TERN_OK && target != NULL) {
        tern_fit fit;
        for (uint32_t i = 0; i < WIDTHS; ++i) /* other numbers of lanes may be the cure */
            if (i != shift && tern_plan_make(&model->net, 1u << i, model->net.n_samples, &arena, &made[i], NULL) == TERN_OK &&
                tern_plan_label_classes(&made[i], model, TERN_DECODE_RATE, NULL) == TERN_OK && tern_target_core(target, core, &made[i], NULL) == TERN_OK &&
                tern_target_ways(target, (uint32_t)j->ways, (uint32_t)j->prep, &made[i], NULL) == TERN_OK)
                plans[i] = &made[i];
        tern_target_fit(target, plans, shift, &fit);
        status = tern_target_report(&fit, diags);
    }
    if (status == TERN_OK) status = tern_emit_rtl(model, &made[shift], j->target, j->making, &arena, diags);
    tern_arena_free(&arena);
    return status;
}

/* What is written, in this order. */
static tern_status (*const outputs[])(const tern_model *, const job *, tern_diags *) = { emit_image, emit_map, emit_json, emit_c, emit_rtl };

static tern_status folder_fault(tern_diags *diags, const char *path, const char *what, const char *hint)
{
    tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, 332, path, 0, NULL, "%s: %s", what, strerror(errno)), "%s", hint);
    return TERN_ERR_IO;
}

/* Makes the working folder: inside DIR if that exists (the same file system for sure), else beside it. */
static tern_status begin(job *j, tern_diags *diags)
{
    struct stat info;
    size_t n = strlen(j->dir);
    while (n > 1 && j->dir[n - 1] == '/') --n;
    const bool exists = stat(j->dir, &info) == 0;
    if (!exists && errno != ENOENT) return folder_fault(diags, j->dir, "cannot use the output folder", "check its name and rights");
    if (exists && !S_ISDIR(info.st_mode)) {
        errno = ENOTDIR;
        return folder_fault(diags, j->dir, "cannot use the output folder", "-o takes a folder; the files are named after the network");
    }
    j->dir_is_new = !exists;
    const int length = snprintf(j->making, sizeof j->making, exists ? "%.*s/.tmp-%ld" : "%.*s.tmp-%ld", (int)n, j->dir, (long)getpid());
    if (length < 0 || (size_t)length >= sizeof j->making - 1) {
        j->making[0] = 0;
        tern_diags_add(diags, TERN_SEV_ERROR, 331, j->dir, 0, NULL, "the folder's name is too long");
        return TERN_ERR_ARGUMENT;
    }
    if (mkdir(j->making, 0777) != 0) {
        const tern_status status = folder_fault(diags, j->dir, "cannot make the output folder", "check that the folder above it exists and may be written");
        j->making[0] = 0;
        return status;
    }
    return TERN_OK;
}

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

/* Lists the files that were made, by name. */
static tern_status list_files(job *j, tern_arena *arena, tern_diags *diags)
{
    char *names[FILES_MAX];
    DIR *d = opendir(j->making);
    if (d == NULL) return folder_fault(diags, j->making, "cannot read the folder", "");
    tern_status status = TERN_OK;
    for (struct dirent *e; status == TERN_OK && (e = readdir(d)) != NULL;) {
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0) continue;
        if (j->n_files == FILES_MAX) status = TERN_ERR_LIMIT;
        else if ((names[j->n_files] = tern_arena_strdup(arena, e->d_name)) == NULL) status = TERN_ERR_MEMORY;
        else ++j->n_files;
    }
    closedir(d);
    if (status != TERN_OK) return status;
    qsort(names, j->n_files, sizeof names[0], by_name);
    for (size_t i = 0; i < j->n_files; ++i) {
        char path[PATH_BYTES + 300];
        struct stat info;
        snprintf(path, sizeof path, "%s/%s", j->making, names[i]);
        j->files[i].name = names[i];
        j->files[i].bytes = stat(path, &info) == 0 ? (long long)info.st_size : 0;
    }
    return TERN_OK;
}

/* Hardware files of an earlier run would not belong to this network any more. */
static void remove_old_hardware(const job *j, const tern_model *model)
{
    static const char *const names[] = { ".vh", "_top.v", ".f", "_load.hex", "_stream.hex" };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        char path[PATH_BYTES + 300];
        struct stat info;
        snprintf(path, sizeof path, "%s/%s%s", j->dir, model->name, names[i]);
        if (lstat(path, &info) == 0 && S_ISREG(info.st_mode)) unlink(path);
    }
}

/* Puts everything in place. */
static tern_status finish(job *j, const tern_model *model, tern_diags *diags)
{
    if (j->dir_is_new) {
        if (rename(j->making, j->dir) != 0) return folder_fault(diags, j->dir, "cannot make the output folder", "");
        j->making[0] = 0;
        if (tern_file_sync_folder(j->dir)) return TERN_OK;
        return folder_fault(diags, j->dir, "the folder is complete, but its name cannot be brought to the disk",
                            "check the disk");
    }
    for (size_t i = 0; i < j->n_files; ++i) { /* all of them are looked at before the first is moved */
        char to[PATH_BYTES + 300];
        struct stat info;
        snprintf(to, sizeof to, "%s/%s", j->dir, j->files[i].name);
        if (lstat(to, &info) != 0 || S_ISREG(info.st_mode) || S_ISLNK(info.st_mode)) continue;
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, 332, to, 0, NULL, "cannot put the file in its place: there is %s of this name", S_ISDIR(info.st_mode) ? "a folder" : "a device or pipe"),
                       "remove it, or give another folder");
        return TERN_ERR_IO;
    }
    for (size_t i = 0; i < j->n_files; ++i) {
        char from[PATH_BYTES + 300], to[PATH_BYTES + 300];
        snprintf(from, sizeof from, "%s/%s", j->making, j->files[i].name);
        snprintf(to, sizeof to, "%s/%s", j->dir, j->files[i].name);
        if (rename(from, to) != 0)
            return folder_fault(
                diags, to, "cannot put the file in its place",
                "files before it in the alphabet are new, the others are not: mend the cause and compile again");
    }
    if (j->n_files != 0) {
        char one[PATH_BYTES + 300];
        snprintf(one, sizeof one, "%s/%s", j->dir, j->files[0].name);
        if (!tern_file_sync_folder(one))
            return folder_fault(diags, j->dir, "the folder cannot be brought to the disk", "check the disk");
    }
    if (no_hardware(model, j)) remove_old_hardware(j, model);
    return TERN_OK;
}

static void remove_folder(const char *folder)
{
    DIR *d = folder[0] != 0 ? opendir(folder) : NULL;
    if (d == NULL) return;
    for (struct dirent *e; (e = readdir(d)) != NULL;) {
        char path[PATH_BYTES + 300];
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0) unlink(path);
    }
    closedir(d);
    rmdir(folder);
}

static void remove_left(void *ud, const char *path, const char *rest)
{
    (void)ud, (void)rest;
    remove_folder(path);
}

/* Removes the working folder with what is left in it, and those of commands that were killed, beside DIR and in it. */
static void clean_up(const job *j)
{
    remove_folder(j->making);
    tern_left_folders(j->dir, remove_left, NULL);
    DIR *d = opendir(j->dir);
    if (d == NULL) return;
    for (struct dirent *e; (e = readdir(d)) != NULL;) {
        char *end, path[PATH_BYTES + 300];
        const long maker = strncmp(e->d_name, ".tmp-", 5) == 0 ? strtol(e->d_name + 5, &end, 10) : 0;
        if (maker <= 0 || *end != 0 || kill((pid_t)maker, 0) == 0 || errno != ESRCH) continue;
        snprintf(path, sizeof path, "%s/%s", j->dir, e->d_name);
        remove_folder(path);
    }
    closedir(d);
}

static tern_status write_all(job *j, const tern_model *model, tern_arena *arena, tern_diags *diags)
{
    tern_catch_interrupts();
    tern_status status = tern_cli_lock(j->dir, "-o", diags);
    if (status == TERN_OK) status = begin(j, diags);
    for (size_t i = 0; i < sizeof outputs / sizeof outputs[0] && status == TERN_OK; ++i) {
        status = outputs[i](model, j, diags);
        if (status == TERN_OK && tern_interrupted()) {
            tern_diags_add(diags, TERN_SEV_ERROR, 333, j->dir, 0, NULL, "interrupted, nothing was written");
            status = TERN_ERR_IO;
        }
    }
    if (status == TERN_OK) status = list_files(j, arena, diags);
    if (status == TERN_OK) status = finish(j, model, diags);
    clean_up(j);
    return status;
}

static int report(const job *j, const tern_model *m)
{
    const tern_net *n = &m->net;
    char hash[65];
    uint32_t synapses = 0, inputs = 0;
    tern_layout_hash(m, hash);
    for (uint32_t i = 0; i < n->n_weights; ++i) synapses += n->weights0[i] != TERN_WEIGHT_ABSENT;
    for (uint32_t i = 0; i < m->n_populations; ++i) inputs += m->populations[i].kind == TERN_POP_INPUT ? m->populations[i].size : 0;
    if (!j->json) {
        printf("%s: %u inputs, %u neurons (%u visible), %u synapses of %u bits in %u rows, D = %u, W = %u, K = %u\n", m->name, inputs, n->n_neurons,
               n->n_visible, synapses, n->weight_bits, n->n_rows, n->taps_d, n->lags_w, n->n_samples);
        printf("layout %s\n", hash);
        for (size_t i = 0; i < j->n_files; ++i) printf("%10lld bytes  %s/%s\n", j->files[i].bytes, j->dir, j->files[i].name);
        return TERN_EXIT_DONE;
    }
    json_t *files = tern_json_list();
    for (size_t i = 0; i < j->n_files; ++i)
        tern_json_add(files,
                      tern_json_pack("{s:s,s:I}", "name", j->files[i].name, "bytes", (json_int_t)j->files[i].bytes));
    json_t *root = tern_json_pack("{s:s,s:s,s:s,s:I,s:I,s:I,s:I,s:I,s:I,s:i,s:i,s:i,s:i,s:o}", "name", m->name, "dir",
                                  j->dir, "layout_hash", hash, "inputs", (json_int_t)inputs, "neurons",
                                  (json_int_t)n->n_neurons, "visible", (json_int_t)n->n_visible, "rows",
                                  (json_int_t)n->n_rows, "weight_words", (json_int_t)n->n_weights, "synapses",
                                  (json_int_t)synapses, "weight_bits", n->weight_bits, "taps_d", n->taps_d, "lags_w",
                                  n->lags_w, "samples", n->n_samples, "files", files);
    return tern_cli_print_json(root, stdout) ? TERN_EXIT_DONE : TERN_EXIT_FOUND;
}

int tern_verb_compile(int argc, char **argv)
{
    static job j = { .lanes = 4, .core = "auto" };
    static tern_model model;
    static tern_diags diags;
    const tern_arg list[] = {
        { .name = "NET.lua", .kind = TERN_ARG_STRING, .out = &j.script, .required = true, .help = "script of the network" },
        { .name = "--output", .letter = 'o', .kind = TERN_ARG_STRING, .value = "DIR", .out = &j.dir, .required = true,
          .help = "folder for the files; it is made if it is not there" },
        { .name = "--target", .kind = TERN_ARG_CHOICE, .value = "T", .choices = TERN_TARGET_CHOICES, .out = &j.target,
          .help = "device that the hardware must fit: " TERN_TARGET_CHOICES },
        { .name = "--lanes", .kind = TERN_ARG_UINT, .value = "P", .lo = 1, .hi = 32, .out = &j.lanes, .help = "weights per cycle of the hardware: 1, 2, 4, 8, 16 or 32; default 4" },
        TERN_CLI_WAYS_ARG(&j.ways),
        TERN_CLI_PREP_ARG(&j.prep),
        TERN_CLI_CORE_ARG(&j.core),
        { .name = "--set", .kind = TERN_ARG_LIST, .value = "KEY=VALUE", .out = &j.sets, .help = "override a setting of the script, e.g. rule.samples=1" },
        TERN_CLI_SCRIPT_ARGS,
        { .name = "--json", .kind = TERN_ARG_FLAG, .out = &j.json, .help = "print one JSON object" },
    };
    const tern_args args = { .verb = "compile", .purpose = "Compiles a script to NAME.tern (image), NAME.map, NAME.json, NAME.h, NAME.c and the hardware\n"
                                                              "(NAME.vh, NAME_top.v, NAME.f, NAME_load.hex, NAME_stream.hex) in a folder.",
                             .list = list, .n = sizeof list / sizeof *list };
    const int parsed = tern_args_parse(&args, argc, argv);
    if (parsed >= 0) return parsed;
    if ((j.lanes & (j.lanes - 1)) != 0)
        return tern_args_wrong(&args, 103, "--lanes %u: allowed are 1, 2, 4, 8, 16 and 32", (unsigned)j.lanes);
    tern_arena arena;
    tern_arena_init(&arena, tern_alloc_default(), 0);
    tern_diags_init(&diags);
    tern_status status = begin(&j, &diags); /* a folder that cannot be written is told before the work */
    clean_up(&j);
    const tern_compile_options options = tern_cli_compile_options(&j.sets);
    if (status == TERN_OK) status = tern_compile_file(j.script, &options, &arena, &model, &diags);
    if (status == TERN_OK) status = write_all(&j, &model, &arena, &diags);
    tern_cli_name_diags(&diags, j.script);
    int exit_status = TERN_EXIT_DONE;
    if (status != TERN_OK) exit_status = tern_cli_failed(status, &diags, j.script);
    else {
        tern_cli_print_diags(&diags); /* warnings */
        exit_status = report(&j, &model);
    }
    tern_arena_free(&arena);
    return exit_status;
}
