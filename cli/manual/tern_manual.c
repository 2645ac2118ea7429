/* tern_manual.c : see tern_manual.h
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_manual.h"
#include "tern_errors.h"
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include "tern/file.h"
#include "tern_cli.h"
#include "tern_manual_internal.h"
#include "tern_script.h"

const char *tern_manual_value(const tern_arg *a)
{
    return a->value != NULL             ? a->value
           : a->kind == TERN_ARG_CHOICE ? "WORD"
           : a->kind == TERN_ARG_UINT   ? "N"
           : a->kind == TERN_ARG_REAL   ? "X"
                                        : "VALUE";
}

void tern_manual_words(const tern_manual_page *p, char out_verb[32], char out_word[32])
{
    const char *blank = strchr(p->verb, ' ');
    snprintf(out_verb, 32, "%.*s", blank == NULL ? 31 : (int)(blank - p->verb), p->verb);
    snprintf(out_word, 32, "%s", blank == NULL ? "" : blank + 1);
}

static const char *keep(tern_manual_book *b, const char *text)
{
    if (text == NULL) return NULL;
    const char *copy = tern_arena_strdup(&b->arena, text);
    b->no_memory = b->no_memory || copy == NULL;
    return copy == NULL ? "" : copy;
}

static void add_row(tern_manual_book *b, tern_manual_page *p, const tern_arg *a)
{
    if (p->n == TERN_MANUAL_ROWS) {
        b->full = true;
        return;
    }
    tern_arg *row = &p->list[p->n++];
    *row = *a;
    row->name = keep(b, a->name);
    row->value = keep(b, a->value);
    row->choices = keep(b, a->choices);
    row->help = keep(b, a->help);
    row->ext = keep(b, a->ext);
    row->out = NULL;
}

static void read_page(void *ud, const tern_args *args)
{
    tern_manual_book *b = ud;
    static const tern_arg help = { .name = "--help", .letter = 'h', .kind = TERN_ARG_FLAG, .help = "print a summary" };
    size_t n_common;
    if (b->n == TERN_MANUAL_PAGES) {
        b->full = true;
        return;
    }
    tern_manual_page *p = &b->pages[b->n++];
    *p = (tern_manual_page){ .verb = keep(b, args->verb),
                             .about = keep(b, strchr(args->verb, ' ') == NULL ? b->about : args->purpose),
                             .purpose = keep(b, args->purpose),
                             .epilogue = keep(b, args->epilogue) };
    for (size_t i = 0; i < args->n; ++i) add_row(b, p, &args->list[i]);
    const tern_arg *common = tern_args_common(args, &n_common);
    for (size_t i = 0; i < n_common; ++i) add_row(b, p, &common[i]);
    add_row(b, p, &help);
}

typedef struct keys {
    FILE *to;
} keys;

static void setting(void *ud, const tern_language_key *key)
{
    static const char *const of_populations[] = { "input", "hidden", "visible" };
    for (size_t i = 0; i < sizeof of_populations / sizeof of_populations[0]; ++i)
        if (strcmp(key->section, of_populations[i]) == 0) return; /* their keys begin with the population's name */
    if (key->settable) fprintf(((keys *)ud)->to, "%s.%s= ", key->section, key->key);
}

void tern_manual_settings(FILE *to)
{
    keys k = { to };
    tern_language_keys(setting, &k);
    fputs("seed=", to);
}

/* ---- files ---- */

typedef struct output {
    const char *dir;
    tern_arena *arena;
    tern_diags *diags;
} output;

static tern_status make_folder(const output *o, const char *name)
{
    char path[4096];
    const int n = snprintf(path, sizeof path, "%s%s%s", o->dir, name[0] != 0 ? "/" : "", name);
    if (n < 0 || (size_t)n >= sizeof path) return TERN_ERR_LIMIT;
    if (mkdir(path, 0777) == 0 || errno == EEXIST) return TERN_OK;
    tern_diag_hint(tern_diags_add(o->diags, TERN_SEV_ERROR, TERN_ERROR_FOLDER, path, 0, NULL,
                                  "the folder cannot be made: %s", strerror(errno)),
                   "the folder it is in must exist");
    return TERN_ERR_IO;
}

static tern_status begin(const output *o, const char *name, tern_file_writer *w)
{
    char path[4096];
    const int n = snprintf(path, sizeof path, "%s/%s", o->dir, name);
    const char *kept = n < 0 || (size_t)n >= sizeof path ? NULL : tern_arena_strdup(o->arena, path);
    return kept == NULL ? TERN_ERR_MEMORY : tern_file_begin(w, kept, o->diags);
}

static tern_status write_man(const output *o, const tern_manual_book *b, const tern_manual_page *p)
{
    char name[96], verb[32] = "", word[32] = "";
    tern_file_writer w;
    if (p != NULL) tern_manual_words(p, verb, word);
    snprintf(name, sizeof name, "man/tern%s%s%s%s.1", verb[0] != 0 ? "-" : "", verb, word[0] != 0 ? "-" : "", word);
    const tern_status s = begin(o, name, &w);
    if (s != TERN_OK) return s;
    tern_manual_man(b, p, w.f);
    return tern_file_commit(&w, o->diags);
}

static tern_status write_others(const output *o, const tern_manual_book *b)
{
    static const struct {
        const char *name;
        void (*write)(const tern_manual_book *b, FILE *to);
    } shells[] = {
        { "completions/bash/tern", tern_manual_bash },
        { "completions/zsh/_tern", tern_manual_zsh },
        { "completions/fish/tern.fish", tern_manual_fish },
    };
    tern_file_writer w;
    for (size_t i = 0; i < sizeof shells / sizeof shells[0]; ++i) {
        tern_status s = begin(o, shells[i].name, &w);
        if (s != TERN_OK) return s;
        shells[i].write(b, w.f);
        s = tern_file_commit(&w, o->diags);
        if (s != TERN_OK) return s;
    }
    const tern_status s = begin(o, "lua/tern.lua", &w);
    if (s != TERN_OK) return s;
    tern_manual_lua(w.f);
    return tern_file_commit(&w, o->diags);
}

static tern_status write_all(const output *o, const tern_manual_book *b)
{
    static const char *const folders[] = {
        "", "man", "completions", "completions/bash", "completions/zsh", "completions/fish", "lua"
    };
    tern_status s = TERN_OK;
    for (size_t i = 0; i < sizeof folders / sizeof folders[0] && s == TERN_OK; ++i) s = make_folder(o, folders[i]);
    if (s == TERN_OK) s = write_man(o, b, NULL);
    for (size_t i = 0; i < b->n && s == TERN_OK; ++i) s = write_man(o, b, &b->pages[i]);
    return s == TERN_OK ? write_others(o, b) : s;
}

int tern_manual(int argc, char **argv, tern_manual_verbs verbs)
{
    static tern_manual_book b;
    tern_diags diags;
    const char *dir = NULL;
    const tern_arg list[] = { { .name = "DIR",
                                .kind = TERN_ARG_STRING,
                                .what = TERN_WHAT_FOLDER,
                                .required = true,
                                .out = &dir,
                                .help = "folder for man/, completions/ and lua/" } };
    const tern_args args = {
        .verb = "manual",
        .purpose = "Writes man pages, completions for bash, zsh and fish, and annotations of the language.",
        .list = list,
        .n = 1
    };
    const int usage = tern_args_parse(&args, argc, argv);
    if (usage >= 0) return usage;
    tern_diags_init(&diags);
    tern_arena_init(&b.arena, tern_alloc_default(), 0);
    tern_args_read(read_page, &b);
    const char *name;
    int (*run)(int, char **);
    for (size_t i = 0; verbs(i, &name, &b.about, &run); ++i) {
        char verb[32], *words[] = { verb, NULL };
        snprintf(verb, sizeof verb, "%s", name);
        run(1, words);
    }
    tern_args_read(NULL, NULL);
    if (b.full)
        tern_diags_add(&diags, TERN_SEV_ERROR, TERN_ERR_LIMIT, NULL, 0, NULL,
                       "more than %d pages, or %d rows of a page", TERN_MANUAL_PAGES, TERN_MANUAL_ROWS);
    const output o = { dir, &b.arena, &diags };
    const tern_status s = b.no_memory ? TERN_ERR_MEMORY : b.full ? TERN_ERR_LIMIT : write_all(&o, &b);
    const int status = s == TERN_OK ? TERN_EXIT_DONE : tern_cli_failed(s, &diags, "tern manual");
    tern_arena_free(&b.arena);
    return status;
}
