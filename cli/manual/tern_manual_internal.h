/* tern_manual_internal.h : between the files of this folder
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TERN_MANUAL_INTERNAL_H
#define TERN_MANUAL_INTERNAL_H
#include <stdbool.h>
#include <stdio.h>
#include "tern/arena.h"
#include "tern_args.h"
#include "tern_manual.h"
#ifdef __cplusplus
extern "C" {
#endif

enum { TERN_MANUAL_PAGES = 64, TERN_MANUAL_ROWS = 68 };

/* A verb, or a word of one: "train", "data info". */
typedef struct tern_manual_page {
    const char *verb, *about;        /* about: one line */
    const char *purpose, *epilogue;  /* epilogue may be NULL */
    tern_arg list[TERN_MANUAL_ROWS]; /* its rows, the common ones and --help */
    size_t n;
} tern_manual_page;

typedef struct tern_manual_book {
    tern_arena arena;
    const char *about; /* of the verb that is being asked */
    size_t n;
    bool full, no_memory;
    tern_manual_page pages[TERN_MANUAL_PAGES];
} tern_manual_book;

static inline bool tern_manual_positional(const tern_arg *a) { return a->name[0] != '-'; }
static inline bool tern_manual_takes(const tern_arg *a) { return a->kind != TERN_ARG_FLAG; }
/* "--samples K" -> "K": what the value is called. */
const char *tern_manual_value(const tern_arg *a);
/* First word of a page's verb, and the second one or "". */
void tern_manual_words(const tern_manual_page *p, char out_verb[32], char out_word[32]);

/* Each writes one file; an error stays in ferror(). */
void tern_manual_man(const tern_manual_book *b, const tern_manual_page *p,
                     FILE *to); /* p NULL: of the command itself */
void tern_manual_bash(const tern_manual_book *b, FILE *to);
void tern_manual_zsh(const tern_manual_book *b, FILE *to);
void tern_manual_fish(const tern_manual_book *b, FILE *to);
void tern_manual_lua(FILE *to);
/* Keys of --set that belong to no population, "rule.eta=" and so on, with a blank behind each. */
void tern_manual_settings(FILE *to);

#ifdef __cplusplus
}
#endif
#endif /* TERN_MANUAL_INTERNAL_H */
