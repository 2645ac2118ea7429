/* tern_share.h : the folder with the Verilog, the models and the C++ of simulated designs
 * SPDX-License-Identifier: Apache-2.0
 *
 * In this order: the environment's TERN_SHARE; ../share/tern beside the running program (an installed tree, which may
 * have
 * been moved; links to the program are followed); the source tree, for a program that is still in its build folder; the
 * place that the program was configured to be installed in.
 */
#ifndef TERN_SHARE_H
#define TERN_SHARE_H
#include <stdbool.h>

/* The folder, never NULL; whether the file that is wanted is there is found by who opens it. `*out_named` (may be
 * NULL):
 * TERN_SHARE says so, anybody's folder perhaps; else it is as good as the program itself. Not for two threads at once.
 * */
const char *tern_share_folder(bool *out_named);

#endif /* TERN_SHARE_H */
