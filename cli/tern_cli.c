/* tern_cli.c : see tern_cli.h
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_cli.h"
#include "tern_errors.h"
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tern/file.h"
#include "tern/lock.h"
#include "tern_cli_stream.h"

const char *tern_cli_program = "tern";

void tern_cli_print_line(const char *text) { fprintf(stderr, "%s\n", text); }

/* A diagnostic's text with its word coloured, as far as `text` has room for the two codes. */
static void paint(char *text, size_t bytes, tern_severity severity)
{
    static const char *const words[] = { "note TERN-N", "warning TERN-W", "error TERN-E" };
    static const char *const colours[] = { "\033[1;36m", "\033[1;33m", "\033[1;31m" };
    char *at = strstr(text, words[severity]), whole[TERN_DIAG_BYTES + 40];
    const int n = at == NULL ? -1 : (int)strcspn(at, ":");
    if (n < 0) return;
    snprintf(whole, sizeof whole, "%.*s%s%.*s\033[0m%s", (int)(at - text), text, colours[severity], n, at, at + n);
    if (strlen(whole) < bytes) memcpy(text, whole, strlen(whole) + 1);
}

void tern_cli_print_diags(const tern_diags *diags)
{
    const bool colour = tern_args_colour(STDERR_FILENO);
    for (size_t i = 0; i < diags->n; ++i) {
        char text[TERN_DIAG_BYTES + 40];
        if (tern_args_quiet && diags->list[i].severity == TERN_SEV_NOTE) continue;
        tern_diag_format(&diags->list[i], text, TERN_DIAG_BYTES);
        tern_cli_stream_rename(text);
        if (colour) paint(text, sizeof text, diags->list[i].severity);
        fprintf(stderr, "%s\n", text);
    }
    if (diags->n_dropped != 0) fprintf(stderr, "(%zu more messages)\n", diags->n_dropped);
}

int tern_cli_failed(tern_status status, const tern_diags *diags, const char *what)
{
    tern_cli_print_diags(diags);
    if (diags->n_errors == 0)
        fprintf(stderr, "%s: error TERN-E%04d: %s\n", what, (int)status, tern_status_text(status));
    return TERN_EXIT_FOUND;
}

void tern_cli_name_diags(tern_diags *diags, const char *path)
{
    const size_t n = strlen(path), most = sizeof diags->list[0].file - 1;
    for (size_t i = 0; i < diags->n; ++i) /* of a path the end tells more */
        if (diags->list[i].file[0] == 0)
            memcpy(diags->list[i].file, n > most ? path + n - most : path, (n > most ? most : n) + 1);
}

tern_cli_limits tern_cli_script_limits;

tern_compile_options tern_cli_compile_options(const tern_arg_list *sets)
{
    return (tern_compile_options){ .n_sets = sets ? sets->n : 0,
                                   .sets = sets ? sets->items : NULL,
                                   .script_seconds = tern_cli_script_limits.seconds,
                                   .script_memory_bytes = (size_t)tern_cli_script_limits.memory_mib << 20 };
}

tern_status tern_cli_open_model(const char *path, const tern_arg_list *sets, tern_arena *arena, tern_model *out_model,
                                tern_diags *diags)
{
    const tern_compile_options options = tern_cli_compile_options(sets);
    if (tern_cli_stream_is_input(path) && tern_is_script(path)) { /* it has no folder */
        uint8_t *text = NULL;
        size_t size = 0;
        const tern_alloc alloc = tern_alloc_default();
        tern_status s = tern_file_read(path, (size_t)1 << 30, alloc, &text, &size, diags);
        if (s == TERN_OK) s = tern_compile_string((const char *)text, size, path, &options, arena, out_model, diags);
        if (text != NULL) alloc.fn(alloc.ud, text, 0);
        return s;
    }
    return tern_open_model(path, &options, arena, out_model, diags);
}

/* What a shell takes as it stands. */
static bool plain(const char *word)
{
    return word[0] != 0 &&
           word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=:,+@%")] == 0;
}

char *tern_cli_word(const char *word, tern_arena *arena)
{
    if (plain(word)) return tern_arena_strdup(arena, word);
    char *text = tern_arena_get(arena, 4 * strlen(word) + 3, 1), *to = text;
    if (text == NULL) return NULL;
    *to++ = '\'';
    for (; *word != 0; ++word) {
        if (*word == '\'') {
            memcpy(to, "'\\''", 4);
            to += 4;
        } else {
            *to++ = *word;
        }
    }
    *to++ = '\'';
    *to = 0;
    return text;
}

uint64_t tern_cli_hash(uint64_t hash, const void *bytes, size_t n)
{
    for (size_t i = 0; i < n; ++i) hash = (hash ^ ((const uint8_t *)bytes)[i]) * 0x100000001b3u;
    return hash;
}

void tern_cli_print_word(const char *word, FILE *to)
{
    if (plain(word)) {
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
        if (to == stdout)
            fprintf(stderr, "tern: error TERN-E%04d: the answer cannot be put into JSON: %s\n", TERN_ERROR_JSON, why);
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
    const tern_status s = tern_file_replaceable(path, diags); /* before the work, not after it */
    return s == TERN_OK ? tern_cli_lock_in_place(path, option, diags) : s;
}

tern_status tern_cli_lock_in_place(const char *path, const char *option, tern_diags *diags)
{
    for (size_t i = 0; i < sizeof locks / sizeof locks[0]; ++i)
        if (locks[i].fd < 0) return tern_lock_take(&locks[i], path, option, diags);
    return TERN_ERR_LIMIT;
}

void tern_cli_unlock(void)
{
    for (size_t i = 0; i < sizeof locks / sizeof locks[0]; ++i) tern_lock_drop(&locks[i]);
}

bool tern_cli_numbers(const tern_args *args, const char *option, const char *text, uint32_t lo, uint32_t hi,
                      bool ascending, size_t most, uint32_t *out, size_t *out_n)
{
    uint32_t list[64];
    size_t n = 0;
    bool good = most <= sizeof list / sizeof list[0];
    for (const char *p = text; good; ++p) {
        char *end;
        errno = 0;
        const unsigned long v = *p >= '0' && *p <= '9' ? strtoul(p, &end, 10) : (end = (char *)p, 0ul);
        good = end != p && errno == 0 && v >= lo && v <= hi && (*end == ',' || *end == 0) && n < most &&
               !(ascending && n != 0 && v <= list[n - 1]);
        for (size_t i = 0; i < n; ++i) good = good && list[i] != v;
        if (!good) break;
        list[n++] = (uint32_t)v;
        p = end;
        if (*end == 0) break;
    }
    if (good) {
        memcpy(out, list, n * sizeof *out);
        *out_n = n;
    } else {
        tern_args_wrong(args, TERN_ERROR_USAGE,
                        "%s wants %s numbers from %" PRIu32 " to %" PRIu32 " with commas between, at most %zu; "
                        "found '%.60s'",
                        option, ascending ? "ascending" : "different", lo, hi, most, text);
    }
    return good;
}
