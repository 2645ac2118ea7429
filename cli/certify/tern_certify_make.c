/* tern_certify_make.c : runs the steps of a certificate and writes its folder
 * SPDX-License-Identifier: Apache-2.0
 *
 * Each step is a verb of this very executable, run in the folder on the copy of the network that lies there: what is
 * certified is what was used, and the command repeats it. The folder is made as DIR.tmp-PID.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "tern_certify.h"
#include "tern/file.h"
#include "tern_compiler.h"
#include "tern_device.h"
#include "tern_exp_child.h"
#include "tern_interrupt.h"
#include "tern_leftover.h"
#include "tern_tool.h"
#include "tern_trust.h"

enum { NETWORK_MAX = 1 << 30, WORK = TERN_CERTIFY_PATH };

typedef struct maker {
    const tern_certify_request *q;
    tern_arena *arena;
    tern_diags *diags;
    char work[WORK], executable[64], source[300], lanes[16], core[16], data[PATH_MAX], build[PATH_MAX];
    const char *target;
    json_t *head, *steps;
    tern_exp_command run, shown;
} maker;

static tern_status fault(maker *m, int code, const char *file, const char *hint, const char *what)
{
    return tern_certify_fault(m->diags, code, file, TERN_ERR_IO, hint, "%s", what);
}

/* ---- a step
 * --------------------------------------------------------------------------------------------------------- */

static void begin(maker *m)
{
    tern_exp_command_begin(&m->run, m->executable);
    tern_exp_command_begin(&m->shown, m->executable);
}

static void both(maker *m, const char *word)
{
    tern_exp_command_add(&m->run, word);
    tern_exp_command_add(&m->shown, word);
}

static void option(maker *m, const char *name, const char *value)
{
    if (value == NULL) return;
    both(m, name);
    both(m, value);
}

static void number(maker *m, const char *name, uint64_t value)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, value);
    both(m, name);
    both(m, tern_arena_strdup(m->arena, text));
}

/* A path that is only here: the command that is shown has a word for it. */
static void elsewhere(maker *m, const char *path, const char *shown)
{
    tern_exp_command_add(&m->run, path);
    tern_exp_command_add(&m->shown, shown);
}

static void settings(maker *m)
{
    for (size_t i = 0; i < m->q->n_sets; ++i) option(m, "--set", m->q->sets[i]);
}

/* The last line of a file that is not empty. */
static void last_line(const char *path, char *out, size_t bytes)
{
    FILE *f = fopen(path, "r");
    char line[400];
    out[0] = 0;
    while (f != NULL && fgets(line, sizeof line, f) != NULL) {
        line[strcspn(line, "\n")] = 0;
        if (line[0] != 0 && strstr(line, "rror") != NULL) snprintf(out, bytes, "%s", line);
        else if (line[0] != 0 && out[0] == 0) snprintf(out, bytes, "%s", line);
    }
    if (f != NULL) fclose(f);
}

static tern_status step_failed(maker *m, tern_tool_end end, const char *log, const char *command)
{
    char line[400], kept[WORK + 16];
    if (end == TERN_TOOL_INTERRUPTED)
        return tern_certify_fault(m->diags, TERN_CERTIFY_E_STEP, NULL, TERN_ERR_TOOL, "nothing was written",
                                  "interrupted");
    if (end == TERN_TOOL_MISSING)
        return tern_certify_fault(m->diags, TERN_CERTIFY_E_STEP, NULL, TERN_ERR_TOOL,
                                  "install it; `tern doctor` lists all tools",
                                  "cannot be started, it is not on the PATH: %.200s", command);
    last_line(log, line, sizeof line);
    snprintf(kept, sizeof kept, "%s.failed.log", m->q->dir);
    if (rename(log, kept) != 0) snprintf(kept, sizeof kept, "no log");
    return tern_certify_fault(m->diags, TERN_CERTIFY_E_STEP, kept, TERN_ERR_TOOL,
                              "see the log; the command works alone, too", "failed: %.200s: %.300s", command, line);
}

/* Runs what was collected; its answer is `answers/NAME.json`, unless another file of the folder is it. */
static tern_status run(maker *m, const char *name, const char *answer)
{
    char out[WORK + 100], log[WORK + 100], text[100];
    const char *argv[TERN_EXP_WORDS_MAX + 1];
    const char *command = tern_exp_command_text(&m->shown, m->arena);
    if (command == NULL || m->run.too_long)
        return fault(m, TERN_CERTIFY_E_STEP, NULL, "fewer --set", "the command is too long");
    if (m->q->say != NULL) m->q->say(command);
    snprintf(out, sizeof out, "%s/answers/%s.json", m->work, name);
    snprintf(log, sizeof log, "%s/answers/%s.log", m->work, name);
    memcpy(argv, m->run.words, (m->run.n + 1) * sizeof argv[0]);
    const tern_tool_files to = { "/dev/null", out, log };
    const tern_tool_end end = tern_tool_run_files(argv, m->work, &to, NULL, NULL);
    if (end != TERN_TOOL_DONE) return step_failed(m, end, log, command);
    snprintf(text, sizeof text, "answers/%s.json", name);
    tern_json_add(m->steps, tern_json_pack("{s:s, s:s, s:s}", "step", name, "command", command, "answer",
                                           answer != NULL ? answer : text));
    return TERN_OK;
}

/* ---- the steps
 * ------------------------------------------------------------------------------------------------------ */

static tern_status make_image(maker *m)
{
    if (!tern_is_script(m->source)) return TERN_OK; /* it is one */
    begin(m);
    both(m, "compile");
    both(m, m->source);
    option(m, "-o", "network");
    settings(m);
    both(m, "--json");
    return run(m, "image", NULL);
}

static tern_status make_bitstream(maker *m)
{
    begin(m);
    both(m, "synth");
    both(m, m->source);
    option(m, "--board", m->q->board);
    option(m, "--lanes", m->q->lanes);
    option(m, "--core", m->q->core);
    number(m, "--seeds", m->q->seeds);
    if (m->q->mhz > 0) {
        char text[32];
        snprintf(text, sizeof text, "%.9g", m->q->mhz);
        option(m, "--freq", tern_arena_strdup(m->arena, text));
    }
    option(m, "--until", m->q->until);
    option(m, "-o", "synth");
    settings(m);
    both(m, "--json");
    tern_status s = run(m, "synthesis", "synth/report.json");
    if (s != TERN_OK) return s;
    char path[WORK + 100];
    json_error_t error;
    snprintf(path, sizeof path, "%s/synth/report.json", m->work);
    json_t *report = tern_json_load_file(path, 0, &error);
    const json_t *lanes = json_object_get(report, "lanes"),
                 *small = json_object_get(json_object_get(report, "capacity"), "small");
    if (!json_is_integer(lanes) || !json_is_integer(small))
        s = fault(m, TERN_CERTIFY_E_ANSWER, "synth/report.json", "was the executable replaced while it ran?",
                  "the report has no lanes, or no capacity `small`");
    else {
        snprintf(m->lanes, sizeof m->lanes, "%" PRIu64, (uint64_t)json_integer_value(lanes));
        snprintf(m->core, sizeof m->core, "%s", json_integer_value(small) != 0 ? "small" : "large");
    }
    json_decref(report);
    return s;
}

static tern_status lockstep(maker *m, const char *name, const char *netlist, uint64_t steps)
{
    if (steps == 0) return TERN_OK;
    begin(m);
    both(m, "cosim");
    both(m, m->source);
    option(m, "--netlist", netlist);
    option(m, "--lanes", m->lanes);
    option(m, "--core", m->core);
    number(m, "--steps", steps);
    if (m->q->data != NULL) both(m, "--data"), elsewhere(m, m->data, "DATA");
    settings(m);
    both(m, "--json");
    return run(m, name, NULL);
}

static tern_status accuracy(maker *m, const char *name, const char *engine)
{
    if (m->q->data == NULL) return TERN_OK;
    begin(m);
    both(m, "eval");
    both(m, m->source);
    both(m, "--data");
    elsewhere(m, m->data, "DATA");
    number(m, "--samples", m->q->samples);
    option(m, "--engine", engine);
    settings(m);
    both(m, "--json");
    return run(m, name, NULL);
}

/* Copies a file, in the folder under another name. */
static tern_status copy(maker *m, const char *from, const char *to)
{
    char path[WORK + 400];
    uint8_t *bytes = NULL;
    size_t size = 0;
    const tern_alloc alloc = tern_alloc_default();
    snprintf(path, sizeof path, "%s/%s", m->work, to);
    tern_status s = tern_file_read(from, NETWORK_MAX, alloc, &bytes, &size, m->diags);
    if (s == TERN_OK) s = tern_file_write_part(path, bytes, size, m->diags);
    alloc.fn(alloc.ud, bytes, 0);
    return s;
}

/* The harness of each proof that ctest lists, from the tree that the build belongs to. */
static tern_status copy_harnesses(maker *m, const char *log)
{
    static const char home[] = "CMAKE_HOME_DIRECTORY:INTERNAL=";
    char path[2 * PATH_MAX], line[PATH_MAX], tree[PATH_MAX] = "", to[160];
    snprintf(path, sizeof path, "%s/CMakeCache.txt", m->build);
    FILE *f = fopen(path, "r");
    while (f != NULL && fgets(line, sizeof line, f) != NULL)
        if (strncmp(line, home, sizeof home - 1) == 0)
            line[strcspn(line, "\n")] = 0, snprintf(tree, sizeof tree, "%s", line + sizeof home - 1);
    if (f != NULL) fclose(f);
    if (tree[0] == 0)
        return fault(m, TERN_CERTIFY_E_STEP, m->build, "--proofs BUILD: a folder that cmake configured",
                     "not a build of Tern");
    f = fopen(log, "r");
    tern_status s = f == NULL
                        ? fault(m, TERN_CERTIFY_E_ANSWER, log, "is ctest there?", "ctest left no list of its tests")
                        : TERN_OK;
    while (s == TERN_OK && fgets(line, sizeof line, f) != NULL) {
        char *unit = strstr(line, ": formal."), *stop = unit == NULL ? NULL : strstr(unit, ".prove ");
        if (stop == NULL || strstr(line, " sec") == NULL) continue;
        *stop = 0;
        unit += 9;
        if (strlen(unit) > 60 || strchr(unit, '/') != NULL) continue;
        snprintf(path, sizeof path, "%s/tests/formal/formal_%s.v", tree, unit);
        snprintf(to, sizeof to, "proofs/formal_%s.v", unit);
        s = copy(m, path, to);
    }
    if (f != NULL) fclose(f);
    return s;
}

/* ctest ends with a status of its own if a test fails: which ones is in its list, which is kept for the user. */
static tern_status proofs_failed(maker *m, const char *log, const char *command)
{
    char line[400], first[64] = "", kept[WORK + 16];
    size_t n = 0, bad = 0;
    FILE *f = fopen(log, "r");
    while (f != NULL && fgets(line, sizeof line, f) != NULL) {
        const char *unit = strstr(line, ": formal."), *stop = unit == NULL ? NULL : strstr(unit, ".prove ");
        if (stop == NULL || strstr(line, " sec") == NULL) continue;
        ++n;
        if (strstr(line, " Passed ") != NULL) continue;
        if (bad++ == 0) snprintf(first, sizeof first, "%.*s", (int)(stop - unit) - 9, unit + 9);
    }
    if (f != NULL) fclose(f);
    if (bad == 0) return step_failed(m, TERN_TOOL_FAILED, log, command);
    snprintf(kept, sizeof kept, "%s.failed.log", m->q->dir);
    if (rename(log, kept) != 0) snprintf(kept, sizeof kept, "no log");
    return tern_certify_fault(m->diags, TERN_CERTIFY_E_RESULT, kept, TERN_ERR_FORMAT,
                              "see the log; `ctest -R formal --output-on-failure` in that build",
                              "%zu of %zu proofs failed, the first is %s", bad, n, first);
}

static tern_status prove(maker *m)
{
    char log[WORK + 100], err[WORK + 100];
    static const char command[] = "ctest --test-dir BUILD -R '^formal\\..*\\.prove$'";
    if (m->q->proofs == NULL) return TERN_OK;
    if (m->q->say != NULL) m->q->say(command);
    snprintf(log, sizeof log, "%s/proofs", m->work);
    if (mkdir(log, 0777) != 0) return fault(m, TERN_CERTIFY_E_DIR, log, "its rights?", strerror(errno));
    snprintf(log, sizeof log, "%s/proofs/ctest.log", m->work);
    snprintf(err, sizeof err, "%s/proofs/ctest.err", m->work);
    const char *argv[] = { "ctest", "--test-dir", m->build, "-R", "^formal\\..*\\.prove$", NULL };
    const tern_tool_files to = { "/dev/null", log, err };
    const tern_tool_end end = tern_tool_run_files(argv, m->work, &to, NULL, NULL);
    if (end == TERN_TOOL_FAILED) return proofs_failed(m, log, command);
    if (end != TERN_TOOL_DONE) return step_failed(m, end, log, command);
    tern_json_add(m->steps, tern_json_pack("{s:s, s:s, s:s}", "step", "proofs", "command", command, "answer",
                                           "proofs/ctest.log"));
    return copy_harnesses(m, log);
}

/* ---- the folder
 * ----------------------------------------------------------------------------------------------------- */

tern_status tern_certify_check_dir(const char *dir, tern_diags *diags)
{
    char path[TERN_CERTIFY_PATH + 64];
    struct stat info;
    const char *wrong = NULL;
    if (strlen(dir) > TERN_CERTIFY_PATH - 300 || strlen(dir) == 0 || dir[strlen(dir) - 1] == '/')
        wrong = "its name is too long, or ends with '/'";
    else if (lstat(dir, &info) == 0) {
        snprintf(path, sizeof path, "%s/%s", dir, TERN_CERTIFY_MANIFEST);
        if (!S_ISDIR(info.st_mode)) wrong = "there is a file or a link of this name";
        else if (rmdir(dir) == 0) (void)mkdir(dir, 0777); /* it was empty */
        else if (access(path, F_OK) != 0) wrong = "it holds other files, which would be lost";
    }
    if (wrong == NULL) return TERN_OK;
    return tern_certify_fault(diags, TERN_CERTIFY_E_DIR, dir, TERN_ERR_IO, "give another one with -o DIR",
                              "the output folder cannot be used: %s", wrong);
}

static tern_status make_folders(maker *m)
{
    static const char *const below[] = { "", "/source", "/answers" };
    tern_folder_tidy(m->q->dir);
    if (snprintf(m->work, sizeof m->work, "%s.tmp-%ld", m->q->dir, (long)getpid()) >= (int)sizeof m->work)
        return TERN_ERR_ARGUMENT;
    tern_remove_tree(m->work); /* of a dead program with the same number */
    for (size_t i = 0; i < sizeof below / sizeof below[0]; ++i) {
        char path[WORK + 16];
        snprintf(path, sizeof path, "%s%s", m->work, below[i]);
        if (mkdir(path, i == 0 ? 0700 : 0777) != 0) {
            const char *cure = errno == ENOENT   ? "make the folder above it first"
                               : errno == ENOSPC ? "free some space"
                                                 : "check the rights of the folder above it";
            const tern_status s = tern_certify_fault(m->diags, TERN_CERTIFY_E_DIR, path, TERN_ERR_IO, cure,
                                                     "cannot make a folder to work in: %s", strerror(errno));
            m->work[0] = i == 0 ? 0 : m->work[0];
            return s;
        }
    }
    return tern_trust_check(m->work, "the folder to work in", m->diags);
}

/* The network, and an image's numbers of the reference. */
static tern_status copy_source(maker *m)
{
    const char *slash = strrchr(m->q->network, '/'), *name = slash != NULL ? slash + 1 : m->q->network;
    char beside[PATH_MAX + 16], to[400];
    if (strlen(name) > 200 || name[0] == '-' || name[0] == 0)
        return fault(m, TERN_CERTIFY_E_DIR, m->q->network, "rename the file", "not a name for a file of a certificate");
    snprintf(m->source, sizeof m->source, "source/%s", name);
    tern_status s = copy(m, m->q->network, m->source);
    snprintf(beside, sizeof beside, "%.*s.reference", PATH_MAX, m->q->network);
    snprintf(to, sizeof to, "%s.reference", m->source);
    if (s == TERN_OK && !tern_is_script(m->source) && tern_file_exists(beside)) s = copy(m, beside, to);
    return s;
}

/* Digests of everything below `dir`. */
static tern_status digest_all(const char *dir, tern_certify_list *list, tern_diags *diags)
{
    struct stat info;
    const bool folder = stat(dir, &info) == 0 && S_ISDIR(info.st_mode);
    tern_status s = tern_certify_walk(dir, list, diags);
    for (size_t i = 0; s == TERN_OK && i < list->n; ++i) {
        char path[PATH_MAX + TERN_CERTIFY_PATH];
        tern_certify_file *f = &list->files[i];
        snprintf(path, sizeof path, folder ? "%s/%s" : "%s", dir, f->path);
        if (f->folder) continue;
        if (f->strange || !tern_certify_digest(path, f->bytes, f->sha256))
            s = tern_certify_fault(diags, TERN_CERTIFY_E_EXTRA, path, TERN_ERR_IO, "files only, no links",
                                   "cannot be read as a file%s%s", f->strange ? "" : ": ",
                                   f->strange ? "" : strerror(errno));
    }
    return s;
}

/* The recordings are not in the folder; their digest is. */
static json_t *data_of(maker *m)
{
    tern_certify_list list = { .n = 0 };
    char sha256[65] = "";
    uint64_t bytes = 0;
    if (m->q->data == NULL) return json_null();
    const tern_status s = digest_all(m->data, &list, m->diags);
    for (size_t i = 0; i < list.n; ++i) bytes += list.files[i].bytes;
    if (s == TERN_OK) tern_certify_digest_list(&list, NULL, sha256);
    const char *slash = strrchr(m->data, '/');
    json_t *o = s != TERN_OK
                    ? NULL
                    : tern_json_pack("{s:s, s:I, s:I, s:s}", "name", slash != NULL ? slash + 1 : m->data, "files",
                                     (json_int_t)list.n, "bytes", (json_int_t)bytes, "sha256", sha256);
    tern_certify_list_free(&list);
    return o;
}

static tern_status write_part(maker *m, const char *name, const char *bytes, size_t n)
{
    char path[WORK + 64];
    snprintf(path, sizeof path, "%s/%s", m->work, name);
    return tern_file_write_part(path, bytes, n, m->diags);
}

/* Manifest and page of what lies in the folder. */
static tern_status write_manifest(maker *m, tern_certify_report *out)
{
    tern_certify_list list = { .n = 0 };
    const char *page = NULL;
    size_t n = 0;
    tern_status s = digest_all(m->work, &list, m->diags);
    size_t kept = 0;
    for (size_t i = 0; i < list.n; ++i) /* a certificate has no empty folders */
        if (list.files[i].folder) free(list.files[i].path);
        else list.files[kept++] = list.files[i];
    list.n = kept;
    json_t *manifest = s == TERN_OK ? tern_certify_manifest(m->work, &list, m->head, m->diags) : NULL;
    char *text = manifest == NULL ? NULL : tern_certify_manifest_text(manifest);
    if (s == TERN_OK && text == NULL) s = manifest == NULL ? TERN_ERR_FORMAT : TERN_ERR_MEMORY;
    if (s == TERN_OK) s = tern_certify_judge(manifest, m->diags);
    if (s == TERN_OK) s = write_part(m, TERN_CERTIFY_MANIFEST, text, strlen(text));
    if (s == TERN_OK) tern_certify_digest_text(text, strlen(text), out->manifest_sha256);
    if (s == TERN_OK) { /* the page is one of the text: its order, its digits */
        json_error_t error;
        json_decref(manifest);
        manifest = tern_json_load(text, strlen(text), 0, &error);
        if (manifest == NULL) s = TERN_ERR_MEMORY;
    }
    if (s == TERN_OK) s = tern_certify_page(manifest, out->manifest_sha256, m->arena, &page, &n, m->diags);
    if (s == TERN_OK) s = write_part(m, TERN_CERTIFY_PAGE, page, n);
    free(text);
    json_decref(manifest);
    tern_certify_list_free(&list);
    return s;
}

static tern_status all_steps(maker *m)
{
    tern_status s = make_image(m);
    if (s == TERN_OK) s = make_bitstream(m);
    if (s == TERN_OK) s = lockstep(m, "rtl", NULL, m->q->steps);
    if (s == TERN_OK) s = lockstep(m, "netlist", m->target, m->q->netlist_steps);
    if (s == TERN_OK) s = accuracy(m, "integers", "fast");
    if (s == TERN_OK) s = accuracy(m, "reference", "reference");
    return s == TERN_OK ? prove(m) : s;
}

static tern_status place(maker *m)
{
    const tern_folder_end end = tern_folder_finish(m->work, m->q->dir);
    if (end == TERN_FOLDER_DONE || end == TERN_FOLDER_NAME_NOT_SYNCED) m->work[0] = 0;
    if (end == TERN_FOLDER_DONE) return TERN_OK;
    return tern_certify_fault(m->diags, TERN_CERTIFY_E_DIR, m->q->dir, TERN_ERR_IO, "space left, rights?",
                              "the folder cannot be put in its place: %s", strerror(errno));
}

static tern_status make(maker *m, tern_certify_report *out)
{
    tern_status s = tern_exp_executable(m->executable, sizeof m->executable, m->diags);
    if (s == TERN_OK) s = make_folders(m);
    if (s == TERN_OK && m->q->data != NULL && realpath(m->q->data, m->data) == NULL)
        s = tern_certify_fault(m->diags, TERN_CERTIFY_E_DIR, m->q->data, TERN_ERR_IO, "--data PATH", "%s",
                               strerror(errno));
    if (s == TERN_OK && m->q->proofs != NULL && realpath(m->q->proofs, m->build) == NULL)
        s = tern_certify_fault(m->diags, TERN_CERTIFY_E_DIR, m->q->proofs, TERN_ERR_IO, "--proofs BUILD", "%s",
                               strerror(errno));
    if (s == TERN_OK) s = copy_source(m);
    json_t *data = s == TERN_OK ? data_of(m) : json_null();
    if (s == TERN_OK && data == NULL) s = TERN_ERR_IO;
    if (s == TERN_OK) s = all_steps(m);
    m->head = tern_json_pack("{s:s, s:i, s:s, s:s, s:s, s:s}", "certificate", "tern certify", "version", 1, "tern",
                             m->q->version, "source", m->source, "board", m->q->board, "until", m->q->until);
    tern_json_put(m->head, "data", data != NULL ? data : json_null());
    tern_json_put(m->head, "steps", json_incref(m->steps));
    if (s == TERN_OK) s = write_manifest(m, out);
    if (s == TERN_OK && m->q->key != NULL) s = tern_certify_sign(m->work, m->q->key, m->diags);
    if (s == TERN_OK)
        s = tern_certify_check(m->work, NULL, m->arena, out, m->diags); /* what is given away has been checked */
    return s == TERN_OK ? place(m) : s;
}

tern_status tern_certify_make(const tern_certify_request *request, tern_arena *arena, tern_certify_report *out,
                              tern_diags *diags)
{
    maker *m = tern_arena_get(arena, 1, sizeof *m);
    if (m == NULL) return TERN_ERR_MEMORY;
    *m = (maker){ .q = request,
                  .arena = arena,
                  .diags = diags,
                  .target = tern_board_find(request->board)->device,
                  .steps = tern_json_list() };
    const tern_status s = make(m, out);
    if (m->work[0] != 0) tern_remove_tree(m->work);
    json_decref(m->steps);
    json_decref(m->head);
    return s;
}
