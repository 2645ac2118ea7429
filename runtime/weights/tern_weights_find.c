/* tern_weights_find.c : finding an array to import
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_weights_import.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tern/image.h"

tern_diag *tern__w_error(const tern__importer *m, int code, const char *array, const char *fmt, ...)
{
    char text[300];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    return tern_diags_add(m->diags, TERN_SEV_ERROR, code, m->path, 0, array, "%s", text);
}

tern_status tern__w_find(const tern__importer *m, const tern_store_array *wanted, size_t *out)
{
    char is[160], must[160];
    const long i = tern_store_find(m->store, wanted->name);
    if (i < 0) {
        tern_diag_hint(tern__w_error(m, TERN__W_MISSING, wanted->name, "the file has no array of this name"), "%s",
                       "tern export writes a file with all arrays of a network; docs/13-weights.md");
        return TERN_ERR_FORMAT;
    }
    const tern_store_array *a = tern_store_at(m->store, (size_t)i);
    if (a->n_dims != wanted->n_dims || memcmp(a->dims, wanted->dims, a->n_dims * sizeof a->dims[0]) != 0) {
        tern__w_error(m, TERN__W_SHAPE, a->name, "has the shape %s, this network has %s",
                      tern_store_shape(a, is, sizeof is), tern_store_shape(wanted, must, sizeof must));
        return TERN_ERR_FORMAT;
    }
    if (a->kind == 'b') { /* True would become one unit of the last bit */
        tern_diag_hint(tern__w_error(m, TERN__W_SHAPE, a->name, "holds truth values (bool), wanted are %s",
                                     wanted->kind == 'f' ? "real numbers or integers" : "integers"),
                       "save numbers: a.astype(float), or a.astype(int)");
        return TERN_ERR_FORMAT;
    }
    const bool good = a->kind == 'i' || a->kind == 'u' || (a->kind == 'f' && wanted->kind == 'f');
    if (!good) {
        tern__w_error(m, TERN__W_SHAPE, a->name, "holds %s, wanted are %s",
                      a->kind == 'f' ? "real numbers" : "no numbers",
                      wanted->kind == 'f' ? "real numbers or integers" : "integers");
        return TERN_ERR_FORMAT;
    }
    *out = (size_t)i;
    return TERN_OK;
}
