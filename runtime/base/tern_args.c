/* tern_args.c : see tern_args.h
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_args.h"
#include "tern_printable.h"
#include "tern_errors.h"
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tern/locale.h"

enum { ARGS_MAX = 64, WORD_MAX = 63 };

bool tern_args_quiet, tern_args_verbose;

/* clang-format off */
static const tern_arg common[] = {
    { .name = "--quiet", .letter = 'q', .kind = TERN_ARG_FLAG, .out = &tern_args_quiet,
      .help = "no progress and no notes; warnings and errors stay" },
    { .name = "--verbose", .letter = 'v', .kind = TERN_ARG_FLAG, .out = &tern_args_verbose,
      .help = "show the commands that are started" },
};
/* clang-format on */

static struct {
    tern_args_reader fn;
    void *ud;
} the_reader;
static tern_args_dash_hook on_dash;
static const char *called; /* NULL: as the table of the verb says */
static bool writes_stdout; /* by a value that is `-` */

const tern_arg *tern_args_common(const tern_args *args, size_t *out_n)
{
    *out_n = args->verbose ? 2 : 1;
    return common;
}

void tern_args_read(tern_args_reader reader, void *ud)
{
    the_reader.fn = reader;
    the_reader.ud = ud;
}

tern_args_reader tern_args_the_reader(void **out_ud)
{
    *out_ud = the_reader.ud;
    return the_reader.fn;
}

bool tern_args_reading(void) { return the_reader.fn != NULL; }
void tern_args_show(const tern_args *args) { the_reader.fn(the_reader.ud, args); }
void tern_args_call(const char *verb) { called = verb; }
const char *tern_args_name(const char *verb) { return called != NULL ? called : verb; }
void tern_args_on_dash(tern_args_dash_hook hook) { on_dash = hook; }

bool tern_args_colour(int fd)
{
    const char *off = getenv("NO_COLOR"), *term = getenv("TERM");
    return (off == NULL || off[0] == 0) && (term == NULL || strcmp(term, "dumb") != 0) && isatty(fd);
}

static bool positional(const tern_arg *a) { return a->name[0] != '-'; }

/* Damerau-Levenshtein distance (optimal string alignment) of words of at most WORD_MAX characters. */
static unsigned distance(const char *a, const char *b)
{
    const size_t na = strlen(a), nb = strlen(b);
    if (na > WORD_MAX || nb > WORD_MAX) return UINT_MAX; /* not near */
    unsigned row[3][WORD_MAX + 1];
    for (size_t j = 0; j <= nb; ++j) row[0][j] = (unsigned)j;
    for (size_t i = 1; i <= na; ++i) {
        unsigned *now = row[i % 3];
        const unsigned *last = row[(i - 1) % 3], *before = row[(i + 1) % 3];
        now[0] = (unsigned)i;
        for (size_t j = 1; j <= nb; ++j) {
            unsigned best = last[j - 1] + (a[i - 1] != b[j - 1]);
            if (last[j] + 1 < best) best = last[j] + 1;
            if (now[j - 1] + 1 < best) best = now[j - 1] + 1;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && before[j - 2] + 1 < best)
                best = before[j - 2] + 1;
            now[j] = best;
        }
    }
    return row[na % 3][nb];
}

/* The only candidate that begins with `word`, of two letters at least; else NULL. */
static const char *only_longer(const char *word, const char *const *candidates, size_t n)
{
    const char *found = NULL;
    const size_t bytes = strlen(word);
    for (size_t i = 0; i < n && bytes >= 2 + strspn(word, "-"); ++i) {
        if (strncmp(word, candidates[i], bytes) != 0) continue;
        if (found != NULL) return NULL;
        found = candidates[i];
    }
    return found;
}

/* The longest candidate, of three letters at least, that `word` begins with; else NULL. */
static const char *shorter(const char *word, const char *const *candidates, size_t n)
{
    const char *found = NULL;
    for (size_t i = 0; i < n; ++i) {
        const size_t bytes = strlen(candidates[i]);
        if (bytes >= 3 + strspn(candidates[i], "-") && strncmp(word, candidates[i], bytes) == 0 &&
            (found == NULL || bytes > strlen(found)))
            found = candidates[i];
    }
    return found;
}

const char *tern_nearest(const char *word, const char *const *candidates, size_t n)
{
    const char *best = only_longer(word, candidates, n);
    if (best != NULL) return best;
    const size_t letters = strlen(word) - strspn(word, "-");
    unsigned least = letters <= 4 ? 1 : letters <= 9 ? 2 : 3;
    for (size_t i = 0; i < n; ++i) {
        const unsigned d = distance(word, candidates[i]);
        if (d <= least && d < strlen(candidates[i]) && (best == NULL || d < least)) {
            best = candidates[i];
            least = d;
        }
    }
    return best != NULL ? best : shorter(word, candidates, n);
}

static void command(const tern_args *args, FILE *to)
{
    const char *verb = tern_args_name(args->verb);
    fprintf(to, "tern%s%s", verb[0] ? " " : "", verb);
}

int tern_args_wrong(const tern_args *args, int code, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    const bool colour = tern_args_colour(STDERR_FILENO);
    command(args, stderr);
    fprintf(stderr, ": %serror TERN-E%04d%s: ", colour ? "\033[1;31m" : "", code, colour ? "\033[0m" : "");
    char text[2048], shown[4096];
    (void)vsnprintf(text, sizeof text, fmt, ap);
    (void)tern_printable(text, shown, sizeof shown);
    fputs(shown, stderr);
    fprintf(stderr, "\n  help: ");
    command(args, stderr);
    fputs(" --help\n", stderr);
    va_end(ap);
    return TERN_EXIT_USAGE;
}

static int unknown_option(const tern_args *args, const char *word)
{
    const char *names[ARGS_MAX + 3];
    size_t n = 0, n_common;
    for (size_t i = 0; i < args->n && n < ARGS_MAX; ++i)
        if (!positional(&args->list[i])) names[n++] = args->list[i].name;
    (void)tern_args_common(args, &n_common);
    for (size_t i = 0; i < n_common; ++i) names[n++] = common[i].name;
    names[n++] = "--help";
    char name[WORD_MAX + 1];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
    const char *near = tern_nearest(name, names, n);
    if (access(word, F_OK) == 0)
        return tern_args_wrong(args, TERN_ERROR_OPTION, "unknown option '%s'\n  hint: the file of this name is './%s'",
                               name, word);
    if (near != NULL)
        return tern_args_wrong(args, TERN_ERROR_OPTION, "unknown option '%s'\n  hint: did you mean '%s'?", name, near);
    return tern_args_wrong(args, TERN_ERROR_OPTION, "unknown option '%s'", name);
}

/* Length of the choice of `choices` that equals `text`, as a pointer into `choices`' own storage is not NUL-terminated:
 * the user's text is kept. */
static bool is_choice(const char *choices, const char *text)
{
    const size_t n = strlen(text);
    for (const char *p = choices; *p != 0;) {
        const size_t len = strcspn(p, "|");
        if (len == n && memcmp(p, text, n) == 0) return true;
        p += len + (p[len] == '|');
    }
    return false;
}

static bool parse_uint(const char *text, uint64_t *out)
{
    if (text[0] < '0' || text[0] > '9') return false; /* strtoull takes signs and blanks, and gives 2^64 - 1 for -1 */
    const bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    char *end;
    errno = 0;
    const unsigned long long v = strtoull(text, &end, hex ? 16 : 10);
    if (errno != 0 || *end != 0 || end == text || (hex && end == text + 1)) return false;
    *out = v;
    return true;
}

/* `-` for a file. Returns as set_value(). */
static int take_dash(const tern_args *args, const tern_arg *a, const char **text)
{
    const bool path = a->what >= TERN_WHAT_FILE && (a->kind == TERN_ARG_STRING || a->kind == TERN_ARG_LIST);
    if (!path || on_dash == NULL || strcmp(*text, "-") != 0) return -1;
    int status = TERN_EXIT_USAGE;
    if (a->dash == TERN_DASH_NONE)
        return tern_args_wrong(args, TERN_ERROR_NO_STREAM,
                               "%s: `-` (standard %s) cannot be used here: a file with a name is needed\n  hint: "
                               "name a %s; one that is called '-' is './-'",
                               a->name, a->what == TERN_WHAT_OUT ? "output" : "input",
                               a->what == TERN_WHAT_FOLDER ? "folder" : "file");
    const char *instead = on_dash(args, a, &status);
    if (instead == NULL) return status;
    *text = instead;
    writes_stdout = writes_stdout || a->dash != TERN_DASH_IN;
    return -1;
}

static int set_value(const tern_args *args, const tern_arg *a, const char *text)
{
    const int dash = take_dash(args, a, &text);
    if (dash >= 0) return dash;
    switch (a->kind) {
    case TERN_ARG_FLAG: *(bool *)a->out = true; break;
    case TERN_ARG_STRING:
        if (text[0] == 0) return tern_args_wrong(args, TERN_ERROR_VALUE, "%s: the value is empty", a->name);
        *(const char **)a->out = text;
        break;
    case TERN_ARG_UINT: {
        const uint64_t hi = a->hi == 0 ? UINT64_MAX : a->hi;
        uint64_t v;
        if (!parse_uint(text, &v) || v < a->lo || v > hi)
            return tern_args_wrong(args, TERN_ERROR_VALUE, "%s: '%s' is not a whole number in %" PRIu64 "..%" PRIu64,
                                   a->name, text, a->lo, hi);
        *(uint64_t *)a->out = v;
        break;
    }
    case TERN_ARG_REAL: {
        char *end;
        const double v = tern_real_parse(text, &end);
        if (end == text || *end != 0 || !isfinite(v) || v < a->real_lo || v > a->real_hi)
            return tern_args_wrong(args, TERN_ERROR_VALUE, "%s: '%s' is not a number in %g..%g", a->name, text,
                                   a->real_lo, a->real_hi);
        *(double *)a->out = v;
        break;
    }
    case TERN_ARG_CHOICE:
        if (!is_choice(a->choices, text))
            return tern_args_wrong(args, TERN_ERROR_VALUE, "%s: '%s' is not one of %s", a->name, text, a->choices);
        *(const char **)a->out = text;
        break;
    case TERN_ARG_LIST: {
        tern_arg_list *list = a->out;
        if (text[0] == 0) return tern_args_wrong(args, TERN_ERROR_VALUE, "%s: the value is empty", a->name);
        if (list->n == TERN_ARG_LIST_MAX)
            return tern_args_wrong(args, TERN_ERROR_TWICE, "%s is given more than %u times", a->name,
                                   TERN_ARG_LIST_MAX);
        list->items[list->n++] = text;
        break;
    }
    }
    if (a->out_given != NULL) *a->out_given = true;
    return -1;
}

static const tern_arg *find_option(const tern_args *args, const char *word, const char **out_attached)
{
    size_t n_common;
    (void)tern_args_common(args, &n_common);
    *out_attached = NULL;
    for (size_t i = 0; i < args->n + n_common; ++i) {
        const tern_arg *a = i < args->n ? &args->list[i] : &common[i - args->n];
        if (positional(a)) continue;
        const size_t len = strlen(a->name);
        if (strncmp(word, a->name, len) == 0 && (word[len] == 0 || word[len] == '=')) {
            if (word[len] == '=') *out_attached = word + len + 1;
            return a;
        }
        if (a->letter != 0 && word[1] == a->letter && word[0] == '-') {
            if (word[2] != 0) *out_attached = word + 2;
            return a;
        }
    }
    return NULL;
}

int tern_args_parse(const tern_args *args, int argc, char **argv)
{
    bool seen[ARGS_MAX + 2] = { false };
    size_t next = 0; /* positional that comes next */
    if (tern_args_reading()) {
        tern_args_show(args);
        return TERN_EXIT_DONE;
    }
    bool only_positional = false;
    for (int i = 1; i < argc; ++i) {
        const char *word = argv[i];
        if (!only_positional && strcmp(word, "--") == 0) {
            only_positional = true;
            continue;
        }
        if (only_positional || word[0] != '-' || word[1] == 0) {
            while (next < args->n && !positional(&args->list[next])) ++next;
            if (next == args->n)
                return tern_args_wrong(args, TERN_ERROR_EXTRA_ARGUMENT, "'%s' is one argument too many", word);
            const int status = set_value(args, &args->list[next], word);
            if (status >= 0) return status;
            seen[next] = true;
            if (args->list[next].kind != TERN_ARG_LIST) ++next;
            continue;
        }
        if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
            tern_args_help(args, stdout);
            return TERN_EXIT_DONE;
        }
        const char *attached;
        const tern_arg *a = find_option(args, word, &attached);
        if (a == NULL) return unknown_option(args, word);
        const size_t at = a >= common && a < common + 2 ? args->n + (size_t)(a - common) : (size_t)(a - args->list);
        if (seen[at] && a->kind != TERN_ARG_LIST)
            return tern_args_wrong(args, TERN_ERROR_TWICE, "%s is given twice", a->name);
        seen[at] = true;
        const char *text = attached;
        if (a->kind == TERN_ARG_FLAG) {
            if (attached != NULL)
                return tern_args_wrong(args, TERN_ERROR_VALUE, "%s takes no value, found '%s'", a->name, attached);
        } else if (text == NULL) {
            if (i + 1 == argc || strncmp(argv[i + 1], "--", 2) == 0)
                return tern_args_wrong(args, TERN_ERROR_OPTION_VALUE, "%s needs a value: %s %s", a->name, a->name,
                                       a->value ? a->value : "VALUE");
            text = argv[++i];
        }
        const int status = set_value(args, a, text);
        if (status >= 0) return status;
    }
    for (size_t i = 0; i < args->n; ++i)
        if (writes_stdout && seen[i] && strcmp(args->list[i].name, "--json") == 0)
            return tern_args_wrong(args, TERN_ERROR_USAGE,
                                   "--json and an output that is `-` exclude each other: both want standard output");
    for (size_t i = 0; i < args->n; ++i)
        if (args->list[i].required && !seen[i])
            return tern_args_wrong(args, TERN_ERROR_MISSING_ARGUMENT, "%s is missing", args->list[i].name);
    return -1;
}

static void help_line(FILE *to, const char *left, const char *help)
{
    const int width = 26;
    if ((int)strlen(left) > width) fprintf(to, "  %s\n  %*s", left, width, "");
    else fprintf(to, "  %-*s", width, left);
    for (const char *p = help; *p != 0;) {
        const size_t len = strcspn(p, "\n");
        fprintf(to, "  %.*s\n", (int)len, p);
        p += len;
        if (*p == '\n' && *++p != 0) fprintf(to, "  %*s", width, "");
    }
}

void tern_args_help(const tern_args *args, FILE *to)
{
    fputs("usage: ", to);
    command(args, to);
    for (size_t i = 0; i < args->n; ++i) {
        const tern_arg *a = &args->list[i];
        if (positional(a))
            fprintf(to, a->required ? " %s%s" : " [%s%s]", a->name, a->kind == TERN_ARG_LIST ? "..." : "");
        else if (a->required) fprintf(to, " %s %s", a->name, a->value ? a->value : "VALUE");
    }
    fprintf(to, " [options]\n\n%s\n\n", args->purpose);
    for (size_t i = 0; i < args->n; ++i) {
        const tern_arg *a = &args->list[i];
        char left[96], help[1024];
        const char letter[] = { '-', a->letter, ',', ' ', 0 };
        if (positional(a)) snprintf(left, sizeof left, "%s", a->name);
        else
            snprintf(left, sizeof left, "%s%s%s%s", a->letter ? letter : "    ", a->name,
                     a->kind == TERN_ARG_FLAG ? "" : " ",
                     a->kind == TERN_ARG_FLAG     ? ""
                     : a->value                   ? a->value
                     : a->kind == TERN_ARG_CHOICE ? a->choices
                                                  : "VALUE");
        int n = snprintf(help, sizeof help, "%s", a->help);
        if (a->kind == TERN_ARG_UINT && a->hi != 0 && n > 0 && (size_t)n < sizeof help)
            snprintf(help + n, sizeof help - (size_t)n, " (%" PRIu64 "..%" PRIu64 ")", a->lo, a->hi);
        else if (a->kind == TERN_ARG_REAL && n > 0 && (size_t)n < sizeof help)
            snprintf(help + n, sizeof help - (size_t)n, " (%g..%g)", a->real_lo, a->real_hi);
        else if (a->kind == TERN_ARG_LIST && !positional(a) && n > 0 && (size_t)n < sizeof help)
            snprintf(help + n, sizeof help - (size_t)n, " (may be repeated)");
        help_line(to, left, help);
    }
    size_t n_common;
    const tern_arg *rows = tern_args_common(args, &n_common);
    for (size_t i = 0; i < n_common; ++i) {
        char left[96];
        snprintf(left, sizeof left, "-%c, %s", rows[i].letter, rows[i].name);
        help_line(to, left, rows[i].help);
    }
    help_line(to, "-h, --help", "print this");
    if (args->epilogue != NULL) fprintf(to, "\n%s\n", args->epilogue);
    fputs("\nexit status: 0 done, 1 a bad input or a difference was found, 2 wrong usage\n", to);
}
