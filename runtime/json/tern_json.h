/* tern_json.h : building JSON without losing a part of it
 * SPDX-License-Identifier: Apache-2.0
 *
 * jansson reports a lack of memory by a result that is easily left unlooked at: then a member is missing from an answer
 * that seems complete. The functions here count what failed, so one question before a document is written tells whether
 * all of it is there:
 *
 *     const unsigned long before = tern_json_faults();
 *     json_t *o = tern_json_object();
 *     tern_json_put(o, "steps", json_integer(n));       (no result needs to be looked at)
 *     if (tern_json_faults() != before) ...             (a part is missing: do not write it; tern_json_why())
 *
 * The command asks in tern_cli_print_json(). Outside tern_json.c jansson is used to read JSON, and to make numbers,
 * `true`, `false` and `null`; the test lint.json looks at that. Every function takes NULL for a value that could not be
 * made, and counts it.
 */
#ifndef TERN_JSON_H
#define TERN_JSON_H
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#ifdef __cplusplus
extern "C" {
#endif

/* For a program, once, before anything else: allocations of jansson that fail are counted, too. jansson itself does
 * not look at all of them, neither when it reads nor when it writes. */
void tern_json_watch(void);

/* Calls that failed in this thread since it began. */
unsigned long tern_json_faults(void);
/* What the last of them failed for, as a part of a sentence: "not enough memory", "a text is not UTF-8". */
const char *tern_json_why(void);

json_t *tern_json_object(void);
json_t *tern_json_list(void);
json_t *tern_json_text(const char *text);
/* A real, or null for what JSON cannot hold (infinite, not a number). */
json_t *tern_json_real(double x);
/* As json_pack(); a text must be UTF-8, a real finite. */
json_t *tern_json_pack(const char *format, ...);
/* Sets a member, appends; take the reference of `value`, also when they fail. */
bool tern_json_put(json_t *object, const char *key, json_t *value);
bool tern_json_add(json_t *list, json_t *value);
/* Adds the members of `more`, whose reference is taken. */
bool tern_json_merge(json_t *object, json_t *more);

/* Flags are those of json_dumpf(). A failed write is not counted: it stays in ferror(). */
bool tern_json_write(const json_t *value, FILE *to, size_t flags);
/* Text to be freed; NULL, and counted, if there is no memory for it. */
char *tern_json_dump(const json_t *value, size_t flags);

/* As json_loadb() and json_load_file(). Without enough memory: NULL, counted, and told in error->text. */
json_t *tern_json_load(const char *bytes, size_t n, size_t flags, json_error_t *error);
json_t *tern_json_load_file(const char *path, size_t flags, json_error_t *error);

#ifdef __cplusplus
}
#endif
#endif /* TERN_JSON_H */
