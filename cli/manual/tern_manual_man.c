/* tern_manual_man.c : man pages, in the macros of man(7)
 * SPDX-License-Identifier: Apache-2.0
 *
 * Of the same tables the same bytes: the heading has the version and no date of the build.
 */
#include <inttypes.h>
#include <string.h>
#include "tern_manual_internal.h"

/* One character of a text: backslashes, hyphens and quotation marks are protected. */
static size_t character(char c, FILE *to)
{
    const char *out = c == '\\' ? "\\e" : c == '-' ? "\\-" : c == '"' ? "\\(dq" : NULL;
    if (out != NULL) fputs(out, to);
    else fputc(c == '\n' ? ' ' : c, to);
    return out != NULL ? strlen(out) : 1;
}

/* A text in one line, as in the arguments of a macro. */
static void text(const char *s, FILE *to)
{
    for (; *s != 0; ++s) character(*s, to);
}

/* A running text: lines of at most 78 bytes; at their beginnings, what would be a macro is protected. A line of the
 * help that begins with a word and a colon is an entry of a list. */
static void flow(const char *s, FILE *to)
{
    size_t column = 0;
    for (s += strspn(s, " \n"); *s != 0; s += strspn(s, " \n")) {
        size_t n = strcspn(s, " \n"), bytes = 0;
        if (column != 0 && s[-1] == '\n' && s[n - 1] == ':') {
            fputs("\n.br\n", to);
            column = 0;
        }
        const bool fresh = column == 0;
        for (size_t i = 0; i < n; ++i) bytes += s[i] == '"' ? 4 : s[i] == '-' || s[i] == '\\' ? 2 : 1;
        const bool fits = !fresh && column + 1 + bytes <= 78;
        if (!fresh) fputc(fits ? ' ' : '\n', to);
        column = fits ? column + 1 : 0;
        if (column == 0 && (*s == '.' || *s == '\'')) column += (size_t)(fputs("\\&", to) >= 0) * 2;
        for (; n != 0; --n) column += character(*s++, to);
    }
}

/* Lines that are indented by two blanks, and other ones, as paragraphs of their own. */
static void paragraphs(const char *s, FILE *to)
{
    bool code = false;
    while (*s != 0) {
        const size_t n = strcspn(s, "\n");
        char line[1200];
        snprintf(line, sizeof line, "%.*s", (int)n, s);
        const bool indented = strncmp(line, "  ", 2) == 0;
        if (indented != code) fputs(indented ? ".PP\n.nf\n" : ".fi\n.PP\n", to);
        code = indented;
        if (line[0] != 0 && code) text(line, to);
        else flow(line, to);
        fputs(line[0] != 0 ? "\n" : ".PP\n", to);
        s += n;
        if (*s == '\n') ++s;
    }
    if (code) fputs(".fi\n", to);
}

static void heading(const char *verb, FILE *to)
{
    fputs(".\\\" GENERATED FILE - do not edit. Made by `tern manual` of the tables of options.\n.TH TERN", to);
    for (const char *p = verb; *p != 0; ++p) {
        if (p == verb) fputs("\\-", to);
        if (*p == ' ' || *p == '-') fputs("\\-", to);
        else fputc(*p >= 'a' && *p <= 'z' ? *p - 'a' + 'A' : *p, to);
    }
    fputs(" 1 \"" TERN_MANUAL_DATE "\" \"tern " TERN_VERSION "\" \"Tern\"\n", to);
}

static void dashed(const char *verb, FILE *to)
{
    fputs("tern", to);
    for (const char *p = verb; *p != 0; ++p) {
        if (p == verb) fputs("\\-", to);
        if (*p == ' ' || *p == '-') fputs("\\-", to);
        else fputc(*p, to);
    }
}

/* The first sentence: what `apropos` shows. */
static void about(const char *s, FILE *to)
{
    char line[400];
    size_t n = strcspn(s, ".\n");
    while (s[n] == '.' && s[n + 1] != ' ' && s[n + 1] != '\n' && s[n + 1] != 0) n += 1 + strcspn(s + n + 1, ".\n");
    snprintf(line, sizeof line, "%.*s", (int)n, s);
    if (line[0] >= 'A' && line[0] <= 'Z' && !(line[1] >= 'A' && line[1] <= 'Z')) line[0] = (char)(line[0] - 'A' + 'a');
    flow(line, to);
}

static void range(const tern_arg *a, char *out, size_t bytes)
{
    static const char *const what[] = {
        [TERN_WHAT_FILE] = "a file", [TERN_WHAT_OUT] = "a file", [TERN_WHAT_DATA] = "a file or a folder"
    };
    char line[200] = "";
    if (a->kind == TERN_ARG_UINT && a->hi != 0)
        snprintf(line, sizeof line, " (%" PRIu64 "..%" PRIu64 ")", a->lo, a->hi);
    else if (a->kind == TERN_ARG_REAL) snprintf(line, sizeof line, " (%g..%g)", a->real_lo, a->real_hi);
    else if (a->kind == TERN_ARG_LIST && !tern_manual_positional(a)) snprintf(line, sizeof line, " (may be repeated)");
    else if (a->dash == TERN_DASH_IN) snprintf(line, sizeof line, " (%s, or `-` for standard input)", what[a->what]);
    else if (a->dash != TERN_DASH_NONE) snprintf(line, sizeof line, " (a file, or `-` for standard output)");
    snprintf(out, bytes, "%s", line);
}

static void option(const tern_arg *a, FILE *to)
{
    fputs(".TP\n", to);
    if (tern_manual_positional(a)) {
        fputs(".I ", to);
        text(a->name, to);
    } else {
        fputs(tern_manual_takes(a) ? ".BI \"" : ".B \"", to);
        if (a->letter != 0) fprintf(to, "\\-%c, ", a->letter);
        text(a->name, to);
        if (tern_manual_takes(a)) {
            fputs(" \" ", to);
            text(tern_manual_value(a), to);
        } else {
            fputc('"', to);
        }
    }
    fputc('\n', to);
    char of[200], whole[1600];
    range(a, of, sizeof of);
    const bool choices = a->kind == TERN_ARG_CHOICE && strstr(a->help, a->choices) == NULL;
    snprintf(whole, sizeof whole, "%s%s%s%s%s", a->help, choices ? " (" : "", choices ? a->choices : "",
             choices ? ")" : "", of);
    flow(whole, to);
    fputc('\n', to);
}

static void ending(const tern_manual_book *b, const char *verb, FILE *to)
{
    fputs(".SH EXIT STATUS\n.TP\n0\ndone\n.TP\n1\na bad input or a difference was found, or the job was "
          "interrupted\n.TP\n2\nwrong usage\n",
          to);
    fputs(".SH SEE ALSO\n", to);
    const char *blank = strchr(verb, ' ');
    if (verb[0] != 0) fputs(".BR tern (1)", to);
    size_t n = verb[0] != 0;
    for (size_t i = 0; i < b->n; ++i) { /* of the command its verbs, of a verb its words, of a word its verb */
        const char *other = b->pages[i].verb;
        const size_t len = strlen(verb);
        const bool word = strchr(other, ' ') != NULL;
        const bool shown = len == 0        ? !word
                           : blank != NULL ? !word && strlen(other) == (size_t)(blank - verb) &&
                                                 strncmp(other, verb, strlen(other)) == 0
                                           : strncmp(other, verb, len) == 0 && other[len] == ' ';
        if (!shown) continue;
        fputs(n++ != 0 ? ",\n.BR " : ".BR ", to);
        dashed(other, to);
        fputs(" (1)", to);
    }
    fputc('\n', to);
}

static void command(const tern_manual_book *b, FILE *to)
{
    heading("", to);
    fputs(".SH NAME\ntern \\- spiking networks that learn in C and on an FPGA, bit for bit the same\n.SH SYNOPSIS\n.B "
          "tern\n.I VERB\n.RI [ options ]\n.br\n"
          ".B tern help\n.RI [ VERB ]\n.br\n.B tern \\-\\-version\n.SH DESCRIPTION\nTurns a Lua script into a spiking "
          "network of probabilistic neurons\n"
          "that learns while it runs, as C and as Verilog.\nEach verb has a page of its own.\n.SH VERBS\n",
          to);
    for (size_t i = 0; i < b->n; ++i) {
        if (strchr(b->pages[i].verb, ' ') != NULL) continue;
        fputs(".TP\n.B ", to);
        text(b->pages[i].verb, to);
        fputc('\n', to);
        flow(b->pages[i].about, to);
        fputc('\n', to);
    }
    fputs(".SH OPTIONS\n.TP\n.B \"\\-h, \\-\\-help\"\nprint a summary\n.TP\n.B \"\\-V, \\-\\-version\"\nprint the "
          "version\n"
          ".SH ENVIRONMENT\n.TP\n.B NO_COLOR\nif it is set and not empty, messages have no colours\n"
          ".TP\n.B TERN_SHARE\nfolder of Tern's Verilog, boards and models\n.TP\n.B TERN_ISA\ninstruction set of the "
          "engine fast: avx512, avx2, neon or plain\n"
          ".TP\n.B TMPDIR\nfolder for files that live as long as the command\n",
          to);
    ending(b, "", to);
}

void tern_manual_man(const tern_manual_book *b, const tern_manual_page *p, FILE *to)
{
    if (p == NULL) {
        command(b, to);
        return;
    }
    heading(p->verb, to);
    fputs(".SH NAME\n", to);
    dashed(p->verb, to);
    fputs(" \\-\n", to);
    about(p->about, to);
    fputs("\n.SH SYNOPSIS\n.B tern ", to);
    text(p->verb, to);
    fputc('\n', to);
    for (size_t i = 0; i < p->n; ++i) {
        const tern_arg *a = &p->list[i];
        if (!tern_manual_positional(a) && !a->required) continue;
        fputs(a->required ? "" : ".RI [ ", to);
        if (tern_manual_positional(a)) {
            if (a->required) fputs(".I ", to);
            text(a->name, to);
            if (a->kind == TERN_ARG_LIST) fputs("...", to);
        } else {
            fputs(".BI \"", to);
            text(a->name, to);
            fputs(" \" ", to);
            text(tern_manual_value(a), to);
        }
        fputs(a->required ? "\n" : " ]\n", to);
    }
    fputs(".RI [ options ]\n.SH DESCRIPTION\n", to);
    paragraphs(p->purpose, to);
    if (p->epilogue != NULL) {
        fputs(".PP\n", to);
        paragraphs(p->epilogue, to);
    }
    fputs(".SH OPTIONS\n", to);
    for (size_t i = 0; i < p->n; ++i) option(&p->list[i], to);
    ending(b, p->verb, to);
}
