/* tern_cli_examples.h : recordings as C for firmware, for `tern compile --examples`
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TERN_CLI_EXAMPLES_H
#define TERN_CLI_EXAMPLES_H
#include "tern/model.h"

/* Writes dir/NAME_examples.h and .c: the recordings at `path` in the order in which `tern train` presents them with the
 * model's seed, epoch after epoch, the first `n` presentations. Code 195: the files would be larger than 64 MiB. */
tern_status tern_cli_emit_examples(const tern_model *model, const char *path, uint32_t n, const char *dir,
                                   tern_diags *diags);

#endif /* TERN_CLI_EXAMPLES_H */
