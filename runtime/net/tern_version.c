/* tern_version.c : see tern/version.h
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern/version.h"

uint32_t tern_version_number(void) { return (uint32_t)TERN_VERSION_NUMBER; }
const char *tern_version_text(void) { return TERN_VERSION_STRING; }
