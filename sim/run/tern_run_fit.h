/* tern_run_fit.h : which change would make a network fit the core of a board
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TERN_RUN_FIT_H
#define TERN_RUN_FIT_H
#include "tern_plan.h"
#include "tern_args.h"
#include "tern_compiler.h"
#ifdef __cplusplus
extern "C" {
#endif

/* What a network was made of. */
typedef struct tern_fit_source {
    const char *script;          /* NULL: an image, whose formats stay as they are */
    const tern_arg_list *sets;   /* of the script */
    tern_compile_options limits; /* of the script's work and memory; its sets are not looked at */
    bool inference;              /* the number of samples at once is the command's, not the network's */
} tern_fit_source;

/* Writes the changes of one setting each that make the network fit, or several together if none does alone: "--samples
 * 4; or --set formats.lags=6". Each has been tried: the script is compiled with it, and planned for the core. "": none
 * was found. n_samples: at once. */
void tern_fit_changes(const tern_fit_source *source, const tern_model *model, uint32_t n_samples,
                      const tern_capacity *core, char *out, size_t bytes);
/* Most samples at once that the core can make of this network when `n_samples` are wanted in all: all of them, or a
 * multiple of 4; 0: not even 4. */
uint32_t tern_fit_batch(const tern_model *model, uint32_t n_samples, const tern_capacity *core);

#ifdef __cplusplus
}
#endif
#endif /* TERN_RUN_FIT_H */
