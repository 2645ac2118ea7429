/* tern_manual_zsh.c : completion for zsh
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>
#include "tern_manual_internal.h"

/* A part of a specification of _arguments, between apostrophes: brackets, colons and backslashes are protected. */
static void part(const char *s, FILE *to)
{
    for (; *s != 0; ++s) {
        if (*s == '\'') fputs("'\\''", to);
        else if (*s == '[' || *s == ']' || *s == ':' || *s == '\\') fprintf(to, "\\%c", *s);
        else fputc(*s == '\n' ? ' ' : *s, to);
    }
}

/* ":message:action" of a value. */
static void action(const tern_arg *a, const char *message, FILE *to)
{
    fputc(':', to);
    part(message, to);
    fputc(':', to);
    if (a->kind == TERN_ARG_CHOICE) {
        fputc('(', to);
        for (const char *p = a->choices; *p != 0; ++p) fputc(*p == '|' ? ' ' : *p, to);
        fputc(')', to);
    } else if (a->what == TERN_WHAT_FOLDER) {
        fputs("_files -/", to);
    } else if (a->what == TERN_WHAT_SETTING) {
        fputs("_tern_settings", to);
    } else if (a->what == TERN_WHAT_PORT) {
        fputs("_files -g \"/dev/tty(USB|ACM)*\"", to);
    } else if (a->what == TERN_WHAT_FILE || a->what == TERN_WHAT_OUT || a->what == TERN_WHAT_DATA) {
        fputs("_files", to);
        if (a->ext != NULL) fprintf(to, " -g \"*.(%s)(-.)\"", a->ext);
    } else {
        fputc(' ', to);
    }
}

static void option(const tern_arg *a, FILE *to)
{
    char letter[3] = { '-', a->letter, 0 };
    const char *names[] = { a->name, a->letter != 0 ? letter : NULL };
    for (size_t i = 0; i < 2 && names[i] != NULL; ++i) {
        fputs(" \\\n        '", to);
        if (a->kind == TERN_ARG_LIST) fputc('*', to);
        else if (a->letter != 0) fprintf(to, "(%s %s)", a->name, letter);
        fputs(names[i], to);
        if (tern_manual_takes(a)) fputc(i == 0 ? '=' : '+', to);
        fputc('[', to);
        part(a->help, to);
        fputc(']', to);
        if (tern_manual_takes(a)) action(a, tern_manual_value(a), to);
        fputc('\'', to);
    }
}

static void page(const tern_manual_page *p, FILE *to)
{
    char verb[32], word[32];
    tern_manual_words(p, verb, word);
    fprintf(to, "_tern_%s%s%s()\n{\n    _arguments -s -S", verb, word[0] != 0 ? "_" : "", word);
    unsigned place = 0;
    for (size_t i = 0; i < p->n; ++i) {
        const tern_arg *a = &p->list[i];
        if (!tern_manual_positional(a)) {
            option(a, to);
            continue;
        }
        fputs(" \\\n        '", to);
        if (a->kind == TERN_ARG_LIST) fputc('*', to);
        else fprintf(to, "%u%s", ++place, a->required ? "" : ":"); /* "1::": it may be left out */
        action(a, a->name, to);
        fputc('\'', to);
    }
    fputs("\n}\n\n", to);
}

/* "name:what it does" of the verbs, or of the words of one, and the function that goes on. */
static void level(const tern_manual_book *b, const char *of, FILE *to)
{
    fprintf(to, "_tern%s%s()\n{\n    local curcontext=$curcontext state line\n    local -a names=(",
            of[0] != 0 ? "_words_of_" : "", of);
    for (size_t i = 0; i < b->n; ++i) {
        char verb[32], word[32];
        tern_manual_words(&b->pages[i], verb, word);
        if (of[0] == 0 ? word[0] != 0 : word[0] == 0 || strcmp(verb, of) != 0) continue;
        fprintf(to, "\n        '%s:", of[0] == 0 ? verb : word);
        part(b->pages[i].about, to);
        fputc('\'', to);
    }
    if (of[0] == 0) fputs("\n        'help:explain a verb'", to);
    fputs(")\n    _arguments -C", to);
    if (of[0] == 0) fputs(" '(- *)'{-h,--help}'[print a summary]' '(- *)'{-V,--version}'[print the version]'", to);
    else fputs(" '(- *)'{-h,--help}'[print a summary]'", to);
    fputs(" '1: :->name' '*:: :->rest'\n    case $state in\n    name) _describe -t commands verb names ;;\n    rest)\n "
          "       case $words[1] in\n",
          to);
    for (size_t i = 0; i < b->n; ++i) {
        char verb[32], word[32];
        tern_manual_words(&b->pages[i], verb, word);
        if (of[0] == 0 ? word[0] != 0 : word[0] == 0 || strcmp(verb, of) != 0) continue;
        bool deeper = false;
        for (size_t k = 0; k < b->n && of[0] == 0; ++k)
            deeper =
                deeper || (strncmp(b->pages[k].verb, verb, strlen(verb)) == 0 && b->pages[k].verb[strlen(verb)] == ' ');
        if (deeper) fprintf(to, "        %s) _tern_words_of_%s ;;\n", verb, verb);
        else if (of[0] == 0) fprintf(to, "        %s) _tern_%s ;;\n", verb, verb);
        else fprintf(to, "        %s) _tern_%s_%s ;;\n", word, verb, word);
    }
    if (of[0] == 0) fputs("        help) _describe -t commands verb names ;;\n", to);
    fputs("        esac ;;\n    esac\n}\n\n", to);
}

void tern_manual_zsh(const tern_manual_book *b, FILE *to)
{
    fputs("#compdef tern\n# GENERATED FILE - do not edit. Made by `tern manual` of the tables of options.\n\n"
          "_tern_settings()\n{\n    compadd -S '' -- ",
          to);
    tern_manual_settings(to);
    fputs("\n}\n\n", to);
    for (size_t i = 0; i < b->n; ++i) page(&b->pages[i], to);
    for (size_t i = 0; i < b->n; ++i) {
        const char *verb = b->pages[i].verb;
        const size_t n = strlen(verb);
        bool some = false;
        for (size_t k = 0; k < b->n; ++k)
            some = some || (strncmp(b->pages[k].verb, verb, n) == 0 && b->pages[k].verb[n] == ' ');
        if (some) level(b, verb, to);
    }
    level(b, "", to);
    fputs("if [ \"$funcstack[1]\" = _tern ]; then _tern \"$@\"; else compdef _tern tern; fi\n", to);
}
