/* run.c : runs the golden model on conformance vectors, from their files alone, and compares
 * SPDX-License-Identifier: Apache-2.0
 *
 *     conformance_run [--records] FILE.txt...
 *
 * Status 0: every line is what the golden model makes. --records: lists every record of every operation on stdout, to
 * be compared with those of an engine whose digest differs.
 */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "tern_draws.h"
#include "player.h"
#include "tern_weight.h"

static size_t line_length(const char *at) { return strcspn(at, "\n"); }

static bool differs(const char *path, unsigned line, const char *wanted, const char *found, const char *operation)
{
    printf("%s:%u: differs\n  file   %.*s\n  engine %.*s\n", path, line, (int)line_length(wanted), wanted,
           (int)line_length(found), found);
    if (operation[0] != 0) printf("  after  %.100s\n", operation);
    return false;
}

/* Both texts line by line; the last operation before a difference is named. */
static bool compare(const char *path, const char *wanted, const char *found)
{
    char operation[128] = "";
    for (unsigned line = 1; *wanted != 0 || *found != 0; ++line) {
        const size_t n = line_length(wanted), m = line_length(found);
        if (n != m || memcmp(wanted, found, n) != 0) return differs(path, line, wanted, found, operation);
        if (*wanted != '=' && *wanted != '#') snprintf(operation, sizeof operation, "%.*s", (int)n, wanted);
        wanted += wanted[n] == 0 ? n : n + 1;
        found += found[m] == 0 ? m : m + 1;
    }
    return true;
}

static bool play_text(const char *path, const char *text, bool records, FILE *out)
{
    char folder[1024];
    const char *slash = strrchr(path, '/');
    snprintf(folder, sizeof folder, "%.*s", slash == NULL ? 1 : (int)(slash - path), slash == NULL ? "." : path);
    tern_player p;
    tern_player_init(&p, folder, out);
    if (records) p.sink.list = stdout;
    bool ok = true;
    unsigned line = 1;
    for (const char *at = text; ok && *at != 0; ++line) {
        const size_t n = line_length(at);
        if (*at != '=') ok = tern_player_line(&p, at);
        if (!ok) printf("%s:%u: %s\n", path, line, p.error);
        at += at[n] == 0 ? n : n + 1;
    }
    if (ok && !p.started) {
        printf("%s: no operation\n", path);
        ok = false;
    }
    tern_player_free(&p);
    return ok;
}

/* One line of threefry.txt: what has to follow its '='. */
static bool draw_line(const char *line, char *out, size_t room)
{
    uint32_t a, b, c, d, e, x[2];
    uint64_t seed;
    if (sscanf(line, "threefry key %" SCNx32 " %" SCNx32 " counter %" SCNx32 " %" SCNx32, &a, &b, &c, &d) == 4) {
        tern_threefry2x32((uint32_t[]){ a, b }, (uint32_t[]){ c, d }, x);
        snprintf(out, room, "%08" PRIx32 " %08" PRIx32, x[0], x[1]);
        return true;
    }
    if (sscanf(line, "spike seed %" SCNx64 " step %" SCNu32 " neuron %" SCNu32 " sample %" SCNu32, &seed, &a, &b, &c) ==
        4) {
        tern_random_block(seed, a, TERN_DRAW_SPIKE, c >> 2, b, x);
        snprintf(out, room, "%" PRIu32, x[c >> 1 & 1u] >> 16 * (c & 1u) & 0xffffu);
        return true;
    }
    if (sscanf(line, "dither seed %" SCNx64 " step %" SCNu32 " neuron %" SCNu32 " idx %" SCNu32 " bits %" SCNu32, &seed,
               &a, &b, &d, &e) == 5 &&
        e >= 1 && e <= 31) {
        tern_random_block(seed, a, TERN_DRAW_DITHER, 0, b, x);
        snprintf(out, room, "%" PRIu32, tern_weight_dither(d, x[0], e));
        return true;
    }
    if (sscanf(line, "uniform seed %" SCNx64 " counter %" SCNx32 " %" SCNx32, &seed, &a, &b) == 3) {
        tern__draw(seed, a, b >> 28, b & 0x0fffffffu, x);
        snprintf(out, room, "%.17g", tern__unit(x));
        return true;
    }
    return false;
}

static bool draws(const char *path, const char *text)
{
    unsigned line = 1, n_draws = 0;
    for (const char *at = text; *at != 0; ++line) {
        char copy[256], found[64];
        const size_t n = line_length(at);
        snprintf(copy, sizeof copy, "%.*s", (int)n, at);
        at += at[n] == 0 ? n : n + 1;
        if (copy[0] == '#' || copy[0] == 0) continue;
        const char *wanted = strstr(copy, " = ");
        if (wanted == NULL || !draw_line(copy, found, sizeof found)) {
            printf("%s:%u: is no draw\n", path, line);
            return false;
        }
        if (strcmp(wanted + 3, found) != 0) return differs(path, line, wanted + 3, found, copy);
        ++n_draws;
    }
    if (n_draws == 0) printf("%s: no draw\n", path);
    return n_draws > 0;
}

static char *read_text(const char *path)
{
    FILE *f = fopen(path, "r");
    char *text = NULL;
    size_t room = 0;
    const ssize_t n = f == NULL ? -1 : getdelim(&text, &room, 0, f);
    if (f != NULL) fclose(f);
    if (n > 0) return text;
    printf("%s: cannot be read\n", path);
    free(text);
    return NULL;
}

static bool vector(const char *path, const char *text, bool records)
{
    char *found = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&found, &size);
    if (out == NULL) return false;
    bool ok = play_text(path, text, records, out);
    if (fclose(out) != 0) ok = false;
    ok = ok && compare(path, text, found);
    free(found);
    return ok;
}

int main(int argc, char **argv)
{
    const bool records = argc > 1 && strcmp(argv[1], "--records") == 0;
    int n = 0;
    if (argc < (records ? 3 : 2)) {
        fputs("usage: conformance_run [--records] FILE.txt...\n", stderr);
        return 2;
    }
    for (int i = records ? 2 : 1; i < argc; ++i) {
        char *text = read_text(argv[i]);
        const char *slash = strrchr(argv[i], '/');
        const bool threefry = strcmp(slash == NULL ? argv[i] : slash + 1, "threefry.txt") == 0;
        const bool ok = text != NULL && (threefry ? draws(argv[i], text) : vector(argv[i], text, records));
        free(text);
        if (!ok) return 1;
        ++n;
    }
    printf("%d files: as they should be\n", n);
    return 0;
}
