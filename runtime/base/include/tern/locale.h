/* locale.h : numbers and letters of the "C" locale, whatever locale a host program has set
 * SPDX-License-Identifier: Apache-2.0
 *
 * After setlocale(LC_ALL, "de_DE.UTF-8") of a program that uses these libraries, strtod() reads "0.5" as 0 and "%g"
 * prints "0,5". Everything of Tern that reads or prints real numbers, or asks what a letter is, does so between
 * tern_locale_begin() and tern_locale_end(), or by the functions below. Only the calling thread is concerned.
 *
 * Threads: every function may be called by any thread at any time, and concerns that thread alone.
 */
#ifndef TERN_LOCALE_H
#define TERN_LOCALE_H
#include <stdarg.h>
#include <stddef.h>
#include "tern/diag.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What the thread had before. */
typedef struct tern_locale {
    void *before;
} tern_locale;

/* From here on the thread has the "C" locale; what it had before is returned, for tern_locale_end(). */
tern_locale tern_locale_begin(void);
/* The thread has its locale of before again. Pairs may be nested. */
void tern_locale_end(tern_locale before);

/* strtod() of the "C" locale. */
double tern_real_parse(const char *text, char **end);
/* snprintf() and vsnprintf() of the "C" locale. */
int tern_format(char *to, size_t bytes, const char *fmt, ...) TERN_PRINTF(3, 4);
int tern_vformat(char *to, size_t bytes, const char *fmt, va_list ap);

#ifdef __cplusplus
}
#endif
#endif /* TERN_LOCALE_H */
