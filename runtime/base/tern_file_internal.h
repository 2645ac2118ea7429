/* tern_file_internal.h : reading no more of a file than its head asks for; what helps against errors of writing
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TERN_FILE_INTERNAL_H
#define TERN_FILE_INTERNAL_H
#include "tern/file.h"

/* As tern_file_read, but stops once `wanted(bytes so far)` bytes or more are there (UINT64_MAX: read on). So a device
 * or a wrong file named by mistake is not swallowed whole. */
tern_status tern__file_read_head(const char *path, uint64_t limit_bytes,
                                 uint64_t (*wanted)(const uint8_t *head, size_t size), tern_alloc alloc,
                                 uint8_t **out_bytes, size_t *out_size, tern_diags *diags);

/* Adds what usually helps when writing fails with errno `why`; other errors get `otherwise` (NULL: nothing). */
void tern__file_write_hint(tern_diag *g, int why, const char *otherwise);
#endif /* TERN_FILE_INTERNAL_H */
