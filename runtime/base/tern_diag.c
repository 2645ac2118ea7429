/* tern_diag.c : see diag.h
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern/diag.h"
#include "tern_printable.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "tern/locale.h"

static void copy_cut(char *to, size_t bytes, const char *from)
{
    const size_t n = from == NULL ? 0 : strlen(from);
    if (n < bytes) {
        memcpy(to, n ? from : "", n);
        to[n] = 0;
    } else { /* keep the end: of a path it tells more */
        memcpy(to, "...", 3);
        memcpy(to + 3, from + n - (bytes - 4), bytes - 4);
        to[bytes - 1] = 0;
    }
}

void tern_diags_init(tern_diags *d) { d->n = d->n_errors = d->n_dropped = 0; }

tern_diag *tern_diags_add(tern_diags *d, tern_severity sev, int code, const char *file, int line, const char *key,
                          const char *fmt, ...)
{
    if (d == NULL) return NULL;
    if (sev == TERN_SEV_ERROR) ++d->n_errors;
    if (d->n == TERN_DIAGS_MAX) {
        ++d->n_dropped;
        return NULL;
    }
    tern_diag *g = &d->list[d->n++];
    g->code = code;
    g->severity = sev;
    g->line = line;
    copy_cut(g->file, sizeof g->file, file);
    copy_cut(g->key, sizeof g->key, key);
    g->hint[0] = 0;
    va_list ap;
    va_start(ap, fmt);
    (void)tern_vformat(g->message, sizeof g->message, fmt, ap);
    va_end(ap);
    return g;
}

void tern_diag_hint(tern_diag *g, const char *fmt, ...)
{
    if (g == NULL) return;
    va_list ap;
    va_start(ap, fmt);
    (void)tern_vformat(g->hint, sizeof g->hint, fmt, ap);
    va_end(ap);
}

_Static_assert(4 * (sizeof(((tern_diag *)0)->file) + sizeof(((tern_diag *)0)->key) + sizeof(((tern_diag *)0)->message) +
                    sizeof(((tern_diag *)0)->hint)) +
                       100 <=
                   TERN_DIAG_BYTES,
               "a diagnostic of control codes");
size_t tern_diag_format(const tern_diag *g, char *buf, size_t bytes)
{
    static const char *const word[] = { "note", "warning", "error" };
    static const char letter[] = { 'N', 'W', 'E' };
    char place[sizeof g->file + 20] = "", whole[sizeof *g + 100];
    if (g->file[0] != 0 && g->line > 0) snprintf(place, sizeof place, "%s:%d: ", g->file, g->line);
    else if (g->file[0] != 0) snprintf(place, sizeof place, "%s: ", g->file);
    const int n =
        snprintf(whole, sizeof whole, "%s%s TERN-%c%04d: %s%s%s%s%s", place, word[g->severity], letter[g->severity],
                 g->code, g->key, g->key[0] ? ": " : "", g->message, g->hint[0] ? "\n  hint: " : "", g->hint);
    if (n < 0) whole[0] = 0;
    return tern_printable(whole, buf, bytes); /* names and texts of files and scripts are not checked */
}
