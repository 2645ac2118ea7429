/* tern_trust.h : may what lies here be loaded or run?
 * SPDX-License-Identifier: Apache-2.0
 *
 * A library is loaded, a makefile is run, Verilog and C++ are compiled and run: who can change such a file can do
 * everything that the user can. Trusted are the user, root, and the owners of the running program and of the folders
 * above it, who could have put another program in its place.
 */
#ifndef TERN_TRUST_H
#define TERN_TRUST_H
#include <stdbool.h>
#include <stddef.h>
#include "tern/diag.h"

/* `path` is absolute, as realpath() gives it. True: nobody but trusted users can change what lies there: it and all
 * folders above it belong to them and cannot be written by others (but for folders whose sticky bit is set, such as
 * /tmp, if what lies in them belongs to a trusted user; and by the group only if that is the user's own). No part is a
 * symbolic link.
 * False: `why` says which part is wrong and how. */
bool tern_trusted(const char *path, char *why, size_t bytes);
/* The same for any path: links are followed first, and the file that they lead to is meant. */
bool tern_trusted_file(const char *path, char *why, size_t bytes);
/* The lower-case hint that belongs to it. */
extern const char tern_trust_hint[];

/* The same with a diagnostic: code 615, naming the file or folder as `what`; TERN_ERR_IO then. */
tern_status tern_trust_check(const char *path, const char *what, tern_diags *diags);

#endif /* TERN_TRUST_H */
