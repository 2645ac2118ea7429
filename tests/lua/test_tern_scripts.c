/* test_tern_scripts.c : wrong scripts give the errors that their comments expect
 * SPDX-License-Identifier: Apache-2.0
 *
 * A file holds many cases:
 *     --# title                       begins a case; its next line is line 1
 *     --# set KEY=VALUE | seconds X | memory BYTES | bytes 1b 4c .. | repeat N TEXT     (right after the title)
 *     code --> E0213 text             an error with this code and text in this line
 *     --> @3 E0213 text               ... in line 3 (0: without a line)      --> ~ E0213 text: in any line
 *     --> *20 E0213 text              ... twenty times
 * Every error must be expected, every expectation met. W0240 expects a warning; warnings that are not expected are let
 * pass.
 */
#include "tern_compiler.h"
#include "tern_check.h"
#include <stdlib.h>

enum { MAX_EXPECT = 16, ANY = -1 };

typedef struct expectation {
    int line, code, times;
    char letter, text[200];
} expectation;

typedef struct test_case {
    char title[200], source[200000];
    size_t size;
    int n_lines, n_expect, n_sets;
    char set_text[4][200];
    const char *sets[4];
    double seconds;
    size_t memory;
    expectation expect[MAX_EXPECT];
} test_case;

static unsigned n_cases;

static void parse_expectation(test_case *c, const char *s)
{
    expectation *e = &c->expect[c->n_expect];
    *e = (expectation){ .line = c->n_lines, .times = 1 };
    for (;;) {
        while (*s == ' ') ++s;
        char *end;
        if (*s == '@') e->line = (int)strtol(s + 1, &end, 10);
        else if (*s == '*') e->times = (int)strtol(s + 1, &end, 10);
        else if (*s == '~') {
            e->line = ANY;
            end = (char *)(size_t)(s + 1);
        } else break;
        s = end;
    }
    e->letter = *s;
    char *end;
    e->code = (int)strtol(s + 1, &end, 10);
    while (*end == ' ') ++end;
    snprintf(e->text, sizeof e->text, "%.199s", end);
    ++c->n_expect;
}

static bool directive(test_case *c, const char *s)
{
    if (c->n_lines > 0 || c->title[0] == 0) return false;
    if (strncmp(s, "set ", 4) == 0 && c->n_sets < 4) {
        snprintf(c->set_text[c->n_sets], sizeof c->set_text[0], "%.199s", s + 4);
        c->sets[c->n_sets] = c->set_text[c->n_sets];
        ++c->n_sets;
    } else if (strncmp(s, "seconds ", 8) == 0) {
        c->seconds = strtod(s + 8, NULL);
    } else if (strncmp(s, "memory ", 7) == 0) {
        c->memory = (size_t)strtoull(s + 7, NULL, 10);
    } else if (strncmp(s, "bytes ", 6) == 0) {
        char *at = (char *)(size_t)(s + 6);
        for (const char *end = s + strlen(s); at < end;) c->source[c->size++] = (char)strtol(at, &at, 16);
        c->source[c->size++] = '\n';
    } else if (strncmp(s, "repeat ", 7) == 0) {
        char *text;
        const long n = strtol(s + 7, &text, 10);
        c->size = (size_t)sprintf(c->source, "local x = ");
        for (long i = 0; i < n; ++i) c->size += (size_t)sprintf(c->source + c->size, "%s", text + 1);
        c->source[c->size++] = '\n';
    } else {
        return false;
    }
    return true;
}

static void run(const char *file, test_case *c)
{
    static tern_model model;
    static tern_diags diags;
    if (c->title[0] == 0) return;
    ++n_cases;
    tern_arena arena;
    tern_arena_init(&arena, tern_alloc_default(), 0);
    tern_diags_init(&diags);
    const tern_compile_options o = {
        .n_sets = (size_t)c->n_sets, .sets = c->sets, .script_seconds = c->seconds, .script_memory_bytes = c->memory
    };
    const tern_status s = tern_compile_string(c->source, c->size, "test.lua", &o, &arena, &model, &diags);
    tern_arena_free(&arena);
    const unsigned before = tern_check_failed;
    CHECK(s != TERN_OK);
    CHECK(c->n_expect > 0);
    CHECK(diags.n_errors > 0);
    CHECK(s == TERN_ERR_SCRIPT || s == TERN_ERR_NETWORK);
    for (size_t i = 0; i < diags.n; ++i) {
        const tern_diag *g = &diags.list[i];
        const char letter = g->severity == TERN_SEV_ERROR ? 'E' : g->severity == TERN_SEV_WARNING ? 'W' : 'N';
        bool met = false;
        char whole[1600];
        snprintf(whole, sizeof whole, "%s: %s", g->key, g->message);
        for (int k = 0; k < c->n_expect && !met; ++k) {
            expectation *e = &c->expect[k];
            met = e->times > 0 && e->letter == letter && e->code == g->code && (e->line == ANY || e->line == g->line) &&
                  (strcmp(e->text, "*") == 0 || strstr(whole, e->text) != NULL);
            if (met) --e->times;
        }
        CHECK(met || letter != 'E');
        CHECK(strcmp(g->file, "test.lua") == 0 || strncmp(g->file, "--set ", 6) == 0);
    }
    for (int k = 0; k < c->n_expect; ++k) CHECK_EQ(c->expect[k].times, 0);
    if (tern_check_failed != before) {
        char text[TERN_DIAG_BYTES];
        printf("  case \"%s\" of %s: status %d (%s), diagnostics:\n", c->title, file, (int)s, tern_status_text(s));
        for (size_t i = 0; i < diags.n; ++i) {
            (void)tern_diag_format(&diags.list[i], text, sizeof text);
            printf("    %s\n", text);
        }
    }
}

static void run_file(const char *path)
{
    static test_case c;
    char line[2000];
    FILE *in = fopen(path, "rb");
    CHECK(in != NULL);
    if (in == NULL) return;
    memset(&c, 0, sizeof c);
    while (fgets(line, sizeof line, in) != NULL) {
        line[strcspn(line, "\n")] = 0;
        if (strncmp(line, "--# ", 4) == 0) {
            if (directive(&c, line + 4)) continue;
            run(path, &c);
            memset(&c, 0, sizeof c);
            snprintf(c.title, sizeof c.title, "%.199s", line + 4);
            continue;
        }
        if (c.title[0] == 0) continue;
        ++c.n_lines;
        const char *mark = strstr(line, "--> ");
        if (mark != NULL) parse_expectation(&c, mark + 4);
        c.size += (size_t)snprintf(c.source + c.size, sizeof c.source - c.size, "%s\n", line);
    }
    run(path, &c);
    fclose(in);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; ++i) run_file(argv[i]);
    CHECK(n_cases >= 200 || argc < 5);
    printf("%u cases\n", n_cases);
    return tern_check_report("lua.bad");
}
