/* version.h : which version of Tern this is
 * SPDX-License-Identifier: Apache-2.0
 *
 * The macros are the version of the headers that a program was compiled with, the functions that of the library it runs
 * with. What the three numbers promise: docs/47-library.md. The build takes the project's version from here.
 * Freestanding.
 *
 * Threads: every function may be called by any thread at any time.
 */
#ifndef TERN_VERSION_H
#define TERN_VERSION_H
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

#define TERN_VERSION_MAJOR 0
#define TERN_VERSION_MINOR 1
#define TERN_VERSION_PATCH 0
#define TERN_VERSION_STRING "0.1.0"
/* One number that grows with the version, for #if: 1.2.3 is 10203. */
#define TERN_VERSION_NUMBER (TERN_VERSION_MAJOR * 10000L + TERN_VERSION_MINOR * 100L + TERN_VERSION_PATCH)

/* TERN_VERSION_NUMBER of the library. */
uint32_t tern_version_number(void);
/* TERN_VERSION_STRING of the library, never NULL. */
const char *tern_version_text(void);

#ifdef __cplusplus
}
#endif
#endif /* TERN_VERSION_H */
