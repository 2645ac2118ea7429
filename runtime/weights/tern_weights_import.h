/* tern_weights_import.h : what reading of either layout shares (inside runtime/weights only)
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TERN_WEIGHTS_IMPORT_H
#define TERN_WEIGHTS_IMPORT_H
#include <stdarg.h>
#include "tern_weights_arrays.h"

typedef struct tern__importer {
    tern_model *model;
    tern_store *store;
    const char *path;
    tern_arena *arena, *scratch; /* what stays; what goes */
    tern_diags *diags;
    bool authors;                   /* the layout of the paper's authors */
    bool nir;                       /* a graph */
    int16_t *weights, *bias, *self; /* what was read, as in tern_net */
    tern_state *state;              /* NULL: none in the file */
    uint32_t presentations;
} tern__importer;

tern_diag *tern__w_error(const tern__importer *m, int code, const char *array, const char *fmt, ...) TERN_PRINTF(4, 5);
/* The array of a name, if its shape and kind are as wanted: kind 'f' takes any number, others integers only. Codes
 * 151, 152. */
tern_status tern__w_find(const tern__importer *m, const tern_store_array *wanted, size_t *out);

/* The checkpoints of the paper's authors: ff_weights, fb_weights, bias. Values come in units of the last bit. */
tern_status tern__authors_projections(tern__importer *m, const tern__projections *p, double *values);
tern_status tern__authors_locals(tern__importer *m);

/* The byte stream of a device: is it one, and all of it. */
bool tern__saved_is(const uint8_t *bytes, size_t n);
tern_status tern__saved_read(tern__importer *m, const uint8_t *bytes, size_t n, bool weights_only);

/* A graph, all of it: values of projections in units of the last bit, biases, self-memories. */
tern_status tern__nir_read(tern__importer *m, const tern__projections *p, double *values);

#endif /* TERN_WEIGHTS_IMPORT_H */
