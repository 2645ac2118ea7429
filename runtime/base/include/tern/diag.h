/* diag.h : what is wrong, where, what is allowed, how to mend it
 * SPDX-License-Identifier: Apache-2.0
 *
 * One diagnostic prints as
 *     net.lua:12: error TERN-E0213: projection 'in->hid': weight 9.5 does not fit s1.7 [-0.992, 0.992]
 *       hint: use formats = { weight = {16, 12} } or smaller weights
 * Codes are listed in docs/60-errors.md. A list holds its texts inline, so reporting never allocates.
 *
 * Threads: a list is used by one thread at a time; different lists by different threads at once.
 */
#ifndef TERN_DIAG_H
#define TERN_DIAG_H
#include <stddef.h>
#include "tern/status.h"
#ifdef __cplusplus
extern "C" {
#endif

#define TERN_DIAGS_MAX 20
#define TERN_DIAG_BYTES 4096 /* a buffer that holds the printed form of any diagnostic */

typedef enum tern_severity { TERN_SEV_NOTE, TERN_SEV_WARNING, TERN_SEV_ERROR } tern_severity;

typedef struct tern_diag {
    int code; /* 213 prints as TERN-E0213 (W for warnings, N for notes) */
    tern_severity severity;
    int line;       /* 0: none   */
    char file[160]; /* "": none  */
    char key[96];   /* path of the key or object, "": none */
    char message[400];
    char hint[300]; /* "": none  */
} tern_diag;

typedef struct tern_diags {
    size_t n;        /* stored, at most TERN_DIAGS_MAX */
    size_t n_errors; /* all errors seen, also those not stored */
    size_t n_dropped;
    tern_diag list[TERN_DIAGS_MAX];
} tern_diags;

#if defined(__GNUC__)
#define TERN_PRINTF(a, b) __attribute__((format(printf, a, b)))
#else
#define TERN_PRINTF(a, b)
#endif

/* An empty list. */
void tern_diags_init(tern_diags *d);
/* Adds one; returns it so that hint can be set, or NULL when the list is full (it is counted) or `d` is NULL. Texts are
 * cut to fit, never overrun. */
tern_diag *tern_diags_add(tern_diags *d, tern_severity sev, int code, const char *file, int line, const char *key,
                          const char *fmt, ...) TERN_PRINTF(7, 8);
void tern_diag_hint(tern_diag *g, const char *fmt, ...) TERN_PRINTF(2, 3); /* `g` may be NULL */
/* Writes the printed form of one diagnostic, NUL-terminated; returns its length as snprintf does: less than
 * TERN_DIAG_BYTES, though a control code of one byte is printed as four characters. */
size_t tern_diag_format(const tern_diag *g, char *buf, size_t bytes);

#ifdef __cplusplus
}
#endif
#endif /* TERN_DIAG_H */
