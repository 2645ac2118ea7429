/* tern_compiler.h : the compiler as the layers above it use it: the public calls (tern/compile.h) and the language's
 * keys
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TERN_COMPILER_H
#define TERN_COMPILER_H
#include "tern/compile.h"
#include "tern_script.h"
#endif /* TERN_COMPILER_H */
