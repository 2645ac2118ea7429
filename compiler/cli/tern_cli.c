/* tern_cli.c : see tern_cli.h
 * SPDX-License-Identifier: Apache-2.0
 */
#define _POSIX_C_SOURCE 200809L
#include "tern_cli.h"
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include "tern/image.h"
#include "tern/lock.h"

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

char *tern_cli_json_line(json_t *value)
{
    const size_t flags = JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(12);
    char *text = value == NULL || tern_json_faults() != 0 ? NULL : tern_json_dump(value, flags);
    json_decref(value);
    const size_t n = text == NULL ? 0 : strlen(text);
    char *line = text == NULL ? NULL : realloc(text, n + 2);
    if (line == NULL) free(text);
    else memcpy(line + n, "\n", 2);
    return line;
}

bool tern_cli_print_json(json_t *value, FILE *to)
{
    char *line = tern_cli_json_line(value);
    if (line == NULL) {
        const char *why = tern_json_faults() != 0 ? tern_json_why() : "not enough memory";
        if (to == stdout) fprintf(stderr, "tern: error TERN-E0128: the answer cannot be put into JSON: %s\n", why);
        return false;
    }
    const bool written = fputs(line, to) >= 0;
    free(line);
    return written;
}

/* A command writes at most an image and a log. */
static tern_lock locks[4] = { TERN_LOCK_NONE, TERN_LOCK_NONE, TERN_LOCK_NONE, TERN_LOCK_NONE };

tern_status tern_cli_lock(const char *path, const char *option, tern_diags *diags)
{
    for (size_t i = 0; i < sizeof locks / sizeof locks[0]; ++i)
        if (locks[i].fd < 0) return tern_lock_take(&locks[i], path, option, diags);
    return TERN_ERR_LIMIT;
}

void tern_cli_unlock(void)
{
    for (size_t i = 0; i < sizeof locks / sizeof locks[0]; ++i) tern_lock_drop(&locks[i]);
}

void tern_cli_left_folders(const char *dir, void (*found)(void *ud, const char *path, const char *rest), void *ud)
{
    char above[PATH_MAX], path[PATH_MAX + 300];
    size_t n = strlen(dir);
    while (n > 1 && dir[n - 1] == '/') --n;
    size_t at = n;
    while (at > 0 && dir[at - 1] != '/') --at;
    if (n >= sizeof above) return;
    snprintf(above, sizeof above, "%.*s", at == 0 ? 1 : (int)at, at == 0 ? "." : dir);
    DIR *d = opendir(above);
    for (const struct dirent *e; d != NULL && (e = readdir(d)) != NULL;) {
        const char *rest = e->d_name + (n - at);
        char *end = NULL;
        if (strncmp(e->d_name, dir + at, n - at) != 0 || strncmp(rest, ".tmp-", 5) != 0) continue;
        const long maker = strtol(rest + 5, &end, 10);
        if (maker <= 0 || (*end != 0 && strcmp(end, ".old") != 0)) continue;
        if (kill((pid_t)maker, 0) == 0 || errno != ESRCH) continue;
        snprintf(path, sizeof path, "%.*s%.255s", (int)at, dir, e->d_name);
        found(ud, path, end);
    }
    if (d != NULL) closedir(d);
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
