/* tern_locale.c : see tern/locale.h
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern/locale.h"
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

/* The "C" locale always exists and takes no memory of its own; a system that refuses it all the same leaves the thread
 * as it is. */
tern_locale tern_locale_begin(void)
{
    const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    return (tern_locale){ plain != (locale_t)0 ? (void *)uselocale(plain) : NULL };
}

void tern_locale_end(tern_locale before)
{
    if (before.before == NULL) return;
    const locale_t plain = uselocale((locale_t)before.before);
    if (plain != LC_GLOBAL_LOCALE) freelocale(plain);
}

double tern_real_parse(const char *text, char **end)
{
    const tern_locale before = tern_locale_begin();
    const double x = strtod(text, end);
    tern_locale_end(before);
    return x;
}

int tern_vformat(char *to, size_t bytes, const char *fmt, va_list ap)
{
    const tern_locale before = tern_locale_begin();
    const int n = vsnprintf(to, bytes, fmt, ap);
    tern_locale_end(before);
    return n;
}

int tern_format(char *to, size_t bytes, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    const int n = tern_vformat(to, bytes, fmt, ap);
    va_end(ap);
    return n;
}
