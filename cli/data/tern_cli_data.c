/* tern_cli_data.c : `tern data`: inspect, convert and generate recordings
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_cli_data.h"
#include "tern_errors.h"
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "tern_cli_files.h"
#include "tern_verbs.h"

bool tern_cli_data_progress(void *ud, uint64_t done, uint64_t total)
{
    tern_progress *bar = ud;
    bar->total = total;
    tern_progress_update(bar, done, NULL);
    return !tern_interrupted();
}

bool tern_cli_data_stopped(void)
{
    if (!tern_interrupted()) return false;
    fputs("interrupted: no result\n", stderr);
    return true;
}

/* The file of a recording's name, without a selection. */
static const char *file_of(const char *name, char *buf, size_t room)
{
    const char *hash = strrchr(name, '#');
    struct stat st;
    if (hash == NULL || (size_t)(hash - name) >= room || stat(name, &st) == 0) return name;
    memcpy(buf, name, (size_t)(hash - name));
    buf[hash - name] = 0;
    return buf;
}

/* The file itself, or the folder that it lies in. */
static bool takes(const char *out, const char *name)
{
    char file[4096], folder[4096];
    const char *path = file_of(name, file, sizeof file), *slash = strrchr(path, '/');
    if (tern_cli_same_file(out, path)) return true;
    if (slash == NULL) return tern_cli_same_file(out, ".");
    snprintf(folder, sizeof folder, "%.*s", slash == path ? 1 : (int)(slash - path), path);
    return tern_cli_same_file(out, folder);
}

bool tern_cli_data_overwrites(const tern_args *args, const char *out, const char *const *read, size_t n, int *status)
{
    for (size_t i = 0; i < n; ++i)
        if (read[i] != NULL && takes(out, read[i])) {
            *status = tern_args_wrong(args, TERN_ERROR_USAGE, "%.200s would overwrite %.200s; give another name", out,
                                      read[i]);
            return true;
        }
    return false;
}

tern_status tern_cli_data_spare(const char *out, const tern_dataset *set, tern_diags *diags)
{
    struct stat st;
    char last[4096] = "";
    if (stat(out, &st) != 0) return TERN_OK; /* nothing there that could be lost */
    for (size_t i = 0; i < set->n; ++i) {
        char file[4096];
        const char *path = file_of(set->paths[i], file, sizeof file);
        if (strcmp(path, last) == 0) continue; /* samples of one file */
        snprintf(last, sizeof last, "%.4095s", path);
        if (takes(out, path)) {
            tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, TERN_ERROR_USAGE, out, 0, "OUT",
                                          "would overwrite one of the recordings, %.200s", path),
                           "give another name");
            return TERN_ERR_ARGUMENT;
        }
    }
    return TERN_OK;
}

bool tern_cli_data_npz(const tern_args *args, const char *out, int *status)
{
    const size_t n = strlen(out);
    if (n > 4 && strcmp(out + n - 4, ".npz") == 0) return true;
    *status = tern_args_wrong(args, TERN_ERROR_USAGE, "'%.60s' does not end in .npz, which is what is written", out);
    return false;
}

bool tern_cli_data_numbers(const char *text, unsigned n, uint32_t *out)
{
    for (unsigned i = 0; i < n; ++i) {
        char *end;
        if (*text < '0' || *text > '9') return false;
        const unsigned long v = strtoul(text, &end, 10);
        if (v > 65535 || *end != (i + 1 < n ? ',' : 0)) return false;
        out[i] = (uint32_t)v;
        text = end + 1;
    }
    return out[n - 1] != 0 && out[n - 2] != 0;
}

bool tern_cli_data_meaning(const tern_args *args, const tern_meaning *m, int *status)
{
    const char *wrong = tern_meaning_wrong(m);
    if (wrong != NULL) *status = tern_args_wrong(args, TERN_ERROR_USAGE, "%s", wrong);
    return wrong == NULL;
}

tern_status tern_cli_data_open(const char *path, const char *format, const tern_meaning *meaning, tern_arena *arena,
                               tern_dataset *out, tern_diags *diags)
{
    struct stat st;
    if (strcmp(format, "auto") == 0 || (stat(path, &st) == 0 && S_ISDIR(st.st_mode)))
        return tern_dataset_open_as(path, meaning, arena, out, diags);
    const char **paths = tern_arena_get(arena, 1, sizeof *paths); /* its content need not be recognised */
    int32_t *labels = tern_arena_get(arena, 1, sizeof *labels);
    if (paths == NULL || labels == NULL) return TERN_ERR_MEMORY;
    paths[0] = path;
    labels[0] = -1;
    *out = (tern_dataset){ 1, paths, labels };
    return TERN_OK;
}

static const struct {
    const char *word;
    int (*run)(int argc, char **argv);
    const char *help;
} parts[] = {
    { "info", tern_cli_data_info, "info PATH             show what recordings hold, and what is unusual about them" },
    { "view", tern_cli_data_view, "view FILE             show a recording in the terminal, or as a picture (SVG)" },
    { "convert", tern_cli_data_convert,
      "convert IN OUT        any format to AEDAT 2.0, CSV or NumPy, as events or frames" },
    { "encode", tern_cli_data_encode, "encode VALUES OUT     images or sensor readings to spikes, by a code" },
    { "split", tern_cli_data_split, "split DATA OUT_DIR    lists for training, validation and test" },
    { "simulate", tern_cli_data_simulate, "simulate IMAGES DIR   images moved in front of a simulated event camera" },
    { "digits", tern_cli_data_digits, "digits OUT_DIR        generate labelled recordings of moving digits" },
    { "taxels", tern_cli_data_taxels,
      "taxels OUT.npz        generate readings of a fingertip that slides over Braille letters" },
};

static void usage(FILE *to)
{
    fputs("usage: tern data WHAT ...\n\nLooks at recordings, converts them and makes some.\n\n", to);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i) fprintf(to, "  %s\n", parts[i].help);
    fputs("\n  tern data WHAT --help  explains the options\n", to);
}

/* For the manual: the page of the verb itself, and that of every word. */
static int show(void)
{
    const tern_args self = { .verb = "data", .purpose = "Looks at recordings, converts them and makes some." };
    tern_args_show(&self);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i) {
        char word[16], *argv[] = { word, NULL };
        snprintf(word, sizeof word, "%s", parts[i].word);
        parts[i].run(1, argv);
    }
    return TERN_EXIT_DONE;
}

static int unknown(const char *word)
{
    enum { PARTS = sizeof parts / sizeof *parts };
    const tern_args self = { .verb = "data", .purpose = "" };
    const char *names[PARTS];
    for (size_t i = 0; i < PARTS; ++i) names[i] = parts[i].word;
    const char *near = tern_nearest(word, names, PARTS);
    return tern_args_wrong(&self, TERN_ERROR_VERB, "unknown word '%.60s'%s%s%s", word,
                           near ? "\n  hint: did you mean '" : "", near ? near : "", near ? "'?" : "");
}

int tern_verb_data(int argc, char **argv)
{
    if (tern_args_reading()) return show();
    for (size_t i = 0; argc >= 2 && i < sizeof parts / sizeof *parts; ++i)
        if (strcmp(argv[1], parts[i].word) == 0) return parts[i].run(argc - 1, argv + 1);
    if (argc >= 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)) {
        usage(stdout);
        return TERN_EXIT_DONE;
    }
    if (argc >= 2) return unknown(argv[1]);
    usage(stderr);
    return TERN_EXIT_USAGE;
}
