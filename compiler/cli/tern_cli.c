/* tern_cli.c : see tern_cli.h
 * SPDX-License-Identifier: Apache-2.0
 */
#define _POSIX_C_SOURCE 200809L
#include "tern_cli.h"
#include <math.h>
#include <signal.h>
#include <string.h>
#include "tern/image.h"

void tern_cli_print_diags(const tern_diags *diags)
{
    for (size_t i = 0; i < diags->n; ++i) {
        char text[1200];
        tern_diag_format(&diags->list[i], text, sizeof text);
        fprintf(stderr, "%s\n", text);
    }
    if (diags->n_dropped != 0) fprintf(stderr, "(%zu more messages)\n", diags->n_dropped);
}

int tern_cli_failed(tern_status status, const tern_diags *diags, const char *what)
{
    tern_cli_print_diags(diags);
    if (diags->n_errors == 0) fprintf(stderr, "%s: error TERN-E%04d: %s\n", what, (int)status, tern_status_text(status));
    return TERN_EXIT_FOUND;
}

void tern_cli_name_diags(tern_diags *diags, const char *path)
{
    const size_t n = strlen(path), most = sizeof diags->list[0].file - 1;
    for (size_t i = 0; i < diags->n; ++i)
        if (diags->list[i].file[0] == 0) memcpy(diags->list[i].file, n > most ? path + n - most : path, (n > most ? most : n) + 1); /* of a path the end tells more */
}

tern_cli_limits tern_cli_script_limits;

tern_compile_options tern_cli_compile_options(const tern_arg_list *sets)
{
    return (tern_compile_options){ .n_sets = sets ? sets->n : 0, .sets = sets ? sets->items : NULL, .script_seconds = tern_cli_script_limits.seconds,
                                   .script_memory_bytes = (size_t)tern_cli_script_limits.memory_mib << 20 };
}

bool tern_cli_is_script(const char *path)
{
    const size_t n = strlen(path);
    return n > 4 && strcmp(path + n - 4, ".lua") == 0;
}

tern_status tern_cli_open_model(const char *path, const tern_arg_list *sets, tern_arena *arena, tern_model *out_model, tern_diags *diags)
{
    if (tern_cli_is_script(path)) {
        const tern_compile_options options = tern_cli_compile_options(sets);
        return tern_compile_file(path, &options, arena, out_model, diags);
    }
    if (sets != NULL && sets->n != 0) {
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, 108, path, 0, "--set", "an image is compiled already, its settings cannot be changed"),
                       "give the script (NET.lua) instead of the image");
        return TERN_ERR_ARGUMENT;
    }
    return tern_image_load(path, arena, out_model, diags);
}

json_t *tern_cli_real(double x) { return isfinite(x) ? json_real(x) : json_null(); }

void tern_cli_print_word(const char *word, FILE *to)
{
    if (word[0] != 0 && word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=,:+@%")] == 0) {
        fprintf(to, " %s", word);
        return;
    }
    fputs(" '", to);
    for (; *word != 0; ++word) {
        if (*word == '\'') fputs("'\\''", to);
        else fputc(*word, to);
    }
    fputc('\'', to);
}

bool tern_cli_print_json(json_t *value, FILE *to)
{
    if (value == NULL) return false;
    const bool ok = json_dumpf(value, to, JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(12)) == 0 && fputc('\n', to) != EOF;
    json_decref(value);
    return ok;
}

static volatile sig_atomic_t interrupted;

static void on_signal(int number)
{
    (void)number;
    interrupted = 1;
}

void tern_cli_catch_interrupts(void)
{
    /* SA_RESETHAND: the second Ctrl-C ends the program, so a job that hangs can always be stopped */
    struct sigaction action = { .sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND };
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    struct sigaction now;
    if (sigaction(SIGHUP, NULL, &now) != 0 || now.sa_handler == SIG_IGN) return; /* nohup */
    action.sa_flags = 0; /* when a terminal closes both the kernel and the shell may send it: twice means no hurry here */
    sigaction(SIGHUP, &action, NULL);
}

bool tern_cli_interrupted(void) { return interrupted != 0; }
