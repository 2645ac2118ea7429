/* tern_manual_shells.c : completions for bash and fish
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>
#include "tern_manual_internal.h"

static const char generated[] = "# GENERATED FILE - do not edit. Made by `tern manual` of the tables of options.\n";

/* Text between apostrophes, line ends as blanks. bash: an apostrophe is '\''; fish: \', and \\ for a backslash. */
static void quoted(const char *s, bool fish, FILE *to)
{
    fputc('\'', to);
    for (; *s != 0; ++s) {
        if (*s == '\'') fputs(fish ? "\\'" : "'\\''", to);
        else if (*s == '\\' && fish) fputs("\\\\", to);
        else fputc(*s == '\n' ? ' ' : *s, to);
    }
    fputc('\'', to);
}

static void words(const char *choices, FILE *to)
{
    for (; *choices != 0; ++choices) fputc(*choices == '|' ? ' ' : *choices, to);
}

/* ---- bash ---- */

/* What completes a value: words:a b, file:lua|tern, file:, folder, setting, port, none; unsaid: the table
 * lacks it, which a test finds. */
static void kind(const tern_arg *a, FILE *to)
{
    if (a->kind == TERN_ARG_CHOICE) {
        fputs("'words:", to);
        words(a->choices, to);
        fputs("'", to);
    } else if (a->what == TERN_WHAT_FILE || a->what == TERN_WHAT_OUT || a->what == TERN_WHAT_DATA) {
        fprintf(to, "'file:%s'", a->ext != NULL ? a->ext : "");
    } else {
        fputs(a->what == TERN_WHAT_FOLDER                                                               ? "folder"
              : a->what == TERN_WHAT_SETTING                                                            ? "setting"
              : a->what == TERN_WHAT_PORT                                                               ? "port"
              : a->what == TERN_WHAT_UNSAID && (a->kind == TERN_ARG_STRING || a->kind == TERN_ARG_LIST) ? "unsaid"
                                                                                                        : "none",
              to);
    }
}

static void bash_page(const tern_manual_page *p, FILE *to)
{
    fputs("    ", to);
    quoted(p->verb, false, to);
    fputs(")\n        options='", to);
    for (size_t i = 0; i < p->n; ++i) {
        if (tern_manual_positional(&p->list[i])) continue;
        fprintf(to, " %s", p->list[i].name);
        if (p->list[i].letter != 0) fprintf(to, " -%c", p->list[i].letter);
    }
    fputs(" '\n        takes='", to);
    for (size_t i = 0; i < p->n; ++i) {
        if (tern_manual_positional(&p->list[i]) || !tern_manual_takes(&p->list[i])) continue;
        fprintf(to, " %s", p->list[i].name);
        if (p->list[i].letter != 0) fprintf(to, " -%c", p->list[i].letter);
    }
    fputs(" '\n        places=(", to);
    for (size_t i = 0; i < p->n; ++i) {
        if (!tern_manual_positional(&p->list[i])) continue;
        kind(&p->list[i], to);
        fputc(' ', to);
    }
    fputs(")\n        case $2 in\n", to);
    for (size_t i = 0; i < p->n; ++i) {
        const tern_arg *a = &p->list[i];
        if (tern_manual_positional(a) || !tern_manual_takes(a)) continue;
        fprintf(to, "        %s", a->name);
        if (a->letter != 0) fprintf(to, " | -%c", a->letter);
        fputs(") kind=", to);
        kind(a, to);
        fputs(" ;;\n", to);
    }
    fputs("        esac ;;\n", to);
}

/* Verbs, or the words of one, with blanks between. */
static void names(const tern_manual_book *b, const char *of, FILE *to)
{
    const size_t n = strlen(of);
    bool first = true;
    for (size_t i = 0; i < b->n; ++i) {
        const char *verb = b->pages[i].verb, *blank = strchr(verb, ' ');
        if (n == 0 ? blank != NULL : blank == NULL || (size_t)(blank - verb) != n || strncmp(verb, of, n) != 0)
            continue;
        fprintf(to, "%s%s", first ? "" : " ", n == 0 ? verb : blank + 1);
        first = false;
    }
}

static bool has_words(const tern_manual_book *b, const char *verb)
{
    const size_t n = strlen(verb);
    for (size_t i = 0; i < b->n; ++i)
        if (strncmp(b->pages[i].verb, verb, n) == 0 && b->pages[i].verb[n] == ' ') return true;
    return false;
}

static const char bash_code[] =
    "# What to offer for a value of a kind: fills COMPREPLY.\n"
    "_tern_offer()\n"
    "{\n"
    "    local IFS=$'\\n' ending\n"
    "    case $1 in\n"
    "    words:*) IFS=$' \\n'; COMPREPLY=($(compgen -W \"${1#words:}\" -- \"$2\")) ;;\n"
    "    setting) IFS=$' \\n'; COMPREPLY=($(compgen -W \"$_tern_settings\" -- \"$2\")); compopt -o nospace 2>/dev/null "
    ";;\n"
    "    folder) COMPREPLY=($(compgen -d -- \"$2\")); compopt -o filenames 2>/dev/null ;;\n"
    "    port) COMPREPLY=($(compgen -W \"$(printf '%s\\n' /dev/ttyUSB* /dev/ttyACM* | grep -v '[*]')\" -- \"$2\")) ;;\n"
    "    file:) COMPREPLY=($(compgen -f -- \"$2\")); compopt -o filenames 2>/dev/null ;;\n"
    "    file:*)\n"
    "        COMPREPLY=($(compgen -d -- \"$2\"))\n"
    "        IFS='|'\n"
    "        for ending in ${1#file:}; do\n"
    "            IFS=$'\\n'\n"
    "            COMPREPLY+=($(compgen -f -X \"!*.$ending\" -- \"$2\"))\n"
    "        done\n"
    "        compopt -o filenames 2>/dev/null ;;\n"
    "    esac\n"
    "}\n"
    "\n"
    "_tern()\n"
    "{\n"
    "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} verb= options takes places kind place=0 "
    "i word\n"
    "    COMPREPLY=()\n"
    "    # bash makes words of --set=rule.eta=1: the option is before the sign\n"
    "    if [[ $cur == = ]]; then\n"
    "        cur=\n"
    "    elif [[ $prev == = && COMP_CWORD -ge 2 ]]; then\n"
    "        prev=${COMP_WORDS[COMP_CWORD-2]}\n"
    "    fi\n"
    "    for ((i = 1; i < COMP_CWORD; ++i)); do\n"
    "        word=${COMP_WORDS[i]}\n"
    "        if [[ -z $verb ]]; then\n"
    "            [[ $word == -* ]] || verb=$word\n"
    "        elif [[ $_tern_with_words == *\" $verb \"* ]]; then\n"
    "            [[ $word == -* ]] || verb=\"$verb $word\"\n"
    "        else\n"
    "            _tern_table \"$verb\" \"$word\"\n"
    "            if [[ $word == -* ]]; then\n"
    "                [[ $takes == *\" $word \"* ]] && ((++i))\n"
    "            elif [[ $word != = ]]; then\n"
    "                ((++place))\n"
    "            fi\n"
    "        fi\n"
    "    done\n"
    "    if [[ -z $verb ]]; then\n"
    "        COMPREPLY=($(compgen -W \"$_tern_verbs help --help --version\" -- \"$cur\"))\n"
    "        return\n"
    "    elif [[ $verb == help ]]; then\n"
    "        COMPREPLY=($(compgen -W \"$_tern_verbs\" -- \"$cur\"))\n"
    "        return\n"
    "    fi\n"
    "    _tern_table \"$verb\" \"$prev\"\n"
    "    if [[ -n $kind ]]; then\n"
    "        _tern_offer \"$kind\" \"$cur\"\n"
    "    elif [[ $cur == -* ]]; then\n"
    "        COMPREPLY=($(compgen -W \"$options\" -- \"$cur\"))\n"
    "    elif [[ $_tern_with_words == *\" $verb \"* ]]; then\n"
    "        _tern_words \"$verb\"\n"
    "        COMPREPLY=($(compgen -W \"$kind\" -- \"$cur\"))\n"
    "    elif ((place < ${#places[@]})); then\n"
    "        _tern_offer \"${places[place]}\" \"$cur\"\n"
    "    fi\n"
    "}\n"
    "complete -F _tern tern\n";

void tern_manual_bash(const tern_manual_book *b, FILE *to)
{
    fputs("# bash completion for tern\n", to);
    fputs(generated, to);
    fputs("_tern_verbs='", to);
    names(b, "", to);
    fputs("'\n_tern_settings='", to);
    tern_manual_settings(to);
    fputs("'\n_tern_with_words=' ", to);
    for (size_t i = 0; i < b->n; ++i)
        if (has_words(b, b->pages[i].verb)) fprintf(to, "%s ", b->pages[i].verb);
    fputs("'\n\n# Options, those that take a value, and kinds of the positional arguments of verb $1; kind of the "
          "value of its option $2.\n"
          "_tern_table()\n{\n    options= takes= kind= places=()\n    case $1 in\n",
          to);
    for (size_t i = 0; i < b->n; ++i) bash_page(&b->pages[i], to);
    fputs("    esac\n}\n\n# The words of a verb that has some.\n_tern_words()\n{\n    case $1 in\n", to);
    for (size_t i = 0; i < b->n; ++i) {
        if (!has_words(b, b->pages[i].verb)) continue;
        fprintf(to, "    %s) kind='", b->pages[i].verb);
        names(b, b->pages[i].verb, to);
        fputs("' ;;\n", to);
    }
    fputs("    esac\n}\n\n", to);
    fputs(bash_code, to);
}

/* ---- fish ---- */

static void fish_value(const tern_arg *a, FILE *to)
{
    if (a->kind == TERN_ARG_CHOICE) {
        fputs(" -x -a '", to);
        words(a->choices, to);
        fputc('\'', to);
    } else if (a->what == TERN_WHAT_FOLDER) {
        fputs(" -x -a '(__fish_complete_directories)'", to);
    } else if (a->what == TERN_WHAT_SETTING) {
        fputs(" -x -a '", to);
        tern_manual_settings(to);
        fputc('\'', to);
    } else if (a->what == TERN_WHAT_PORT) {
        fputs(" -x -a '(command ls -d /dev/ttyUSB* /dev/ttyACM* 2>/dev/null)'", to);
    } else if (a->what == TERN_WHAT_FILE || a->what == TERN_WHAT_OUT || a->what == TERN_WHAT_DATA) {
        fputs(" -r -F", to);
    } else {
        fputs(" -x", to);
    }
}

static void fish_page(const tern_manual_page *p, FILE *to)
{
    char verb[32], word[32];
    bool files = false;
    tern_manual_words(p, verb, word);
    for (size_t i = 0; i < p->n; ++i) {
        const tern_arg *a = &p->list[i];
        if (tern_manual_positional(a)) {
            files = files || a->what >= TERN_WHAT_FILE;
            if (a->kind != TERN_ARG_CHOICE) continue;
            fprintf(to, "complete -c tern -n '__tern_is %s %s' -a '", verb, word);
            words(a->choices, to);
            fputs("' -d ", to);
        } else {
            fprintf(to, "complete -c tern -n '__tern_is %s %s' -l %s", verb, word, a->name + 2);
            if (a->letter != 0) fprintf(to, " -s %c", a->letter);
            if (tern_manual_takes(a)) fish_value(a, to);
            fputs(" -d ", to);
        }
        quoted(a->help, true, to);
        fputc('\n', to);
    }
    if (files) fprintf(to, "complete -c tern -n '__tern_is %s %s' -F\n", verb, word);
}

void tern_manual_fish(const tern_manual_book *b, FILE *to)
{
    fputs("# fish completion for tern\n", to);
    fputs(generated, to);
    fputs("\n# Is this the verb (and its second word) of the command line?\nfunction __tern_is\n"
          "    set -l words (string match -v -- '-*' (commandline -opc))\n"
          "    test \"$words[2]\" = \"$argv[1]\"; and begin; test (count $argv) -lt 2; or test \"$words[3]\" = "
          "\"$argv[2]\"; end\nend\n"
          "function __tern_has_no_verb\n    set -l words (string match -v -- '-*' (commandline -opc))\n    test (count "
          "$words) -lt 2\nend\n"
          "function __tern_has_no_word\n    set -l words (string match -v -- '-*' (commandline -opc))\n"
          "    test \"$words[2]\" = \"$argv[1]\"; and test (count $words) -lt 3\nend\n\n"
          "complete -c tern -f\n"
          "complete -c tern -n __tern_has_no_verb -s h -l help -d 'print a summary'\n"
          "complete -c tern -n __tern_has_no_verb -s V -l version -d 'print the version'\n"
          "complete -c tern -n __tern_has_no_verb -a help -d 'explain a verb'\n"
          "complete -c tern -n '__tern_has_no_word help' -a '",
          to);
    names(b, "", to);
    fputs("'\n", to);
    for (size_t i = 0; i < b->n; ++i) {
        char verb[32], word[32];
        tern_manual_words(&b->pages[i], verb, word);
        if (word[0] == 0) fprintf(to, "complete -c tern -n __tern_has_no_verb -a %s -d ", verb);
        else fprintf(to, "complete -c tern -n '__tern_has_no_word %s' -a %s -d ", verb, word);
        quoted(b->pages[i].about, true, to);
        fputc('\n', to);
        fish_page(&b->pages[i], to);
    }
}
