/* tern_stream_error.c : what readers of recordings report
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_axes.h"
#include "tern_columns.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

tern_diag *tern__stream_error(const tern_stream *s, tern_diags *d, int code, const char *fmt, ...)
{
    char text[400];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    return tern_diags_add(d, TERN_SEV_ERROR, code, s->path, 0, NULL, "%s", text);
}

tern_status tern__source_problem(const tern_stream *s, const tern__source *src, tern_diags *d)
{
    if (src->changed) {
        tern_diag_hint(tern__stream_error(s, d, TERN_DATA_DAMAGED,
                                          "the check sum of an array is not that of its bytes: they were changed or "
                                          "damaged"),
                       "copy the file again, or make it again");
        return TERN_ERR_FORMAT;
    }
    switch (src->status) {
    case TERN_OK: return TERN_OK;
    case TERN_ERR_MEMORY: return TERN_ERR_MEMORY;
    case TERN_ERR_IO:
        tern__stream_error(s, d, TERN_DATA_IO, "reading failed after byte %llu", (unsigned long long)src->raw_pos);
        return TERN_ERR_IO;
    case TERN_ERR_TRUNCATED:
        tern_diag_hint(
            tern__stream_error(s, d, TERN_DATA_COMPRESSION,
                               "the compressed content ends too early, after %llu bytes of it",
                               (unsigned long long)src->raw_pos),
            "the file may have been cut off; copy it again, or use what there is with `tern data convert --repair`");
        return TERN_ERR_TRUNCATED;
    default:
        tern_diag_hint(tern__stream_error(s, d, TERN_DATA_COMPRESSION,
                                          "the compressed content is damaged near byte %llu",
                                          (unsigned long long)src->raw_pos),
                       "copy the file again, or use what comes before with `tern data convert --repair`");
        return TERN_ERR_FORMAT;
    }
}

void tern__labels_differ(const char *file, uint64_t labels, uint64_t n, const char *samples, tern_diags *diags)
{
    tern_diag_hint(tern_diags_add(diags, TERN_SEV_WARNING, TERN_SET_LABELS, file, 0, NULL,
                                  "%llu labels for %llu %s: %s", (unsigned long long)labels, (unsigned long long)n,
                                  samples, labels > n ? "the first ones are used" : "the others have no label"),
                   "see that the labels belong to these %s", samples);
}
