/* tern_network_refuse.c : errors of calls of tern/network.h
 * SPDX-License-Identifier: Apache-2.0
 */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>
#include "tern/image.h"
#include "tern/locale.h"
#include "tern_engines.h"
#include "tern_network_internal.h"
#include "tern_present.h"

tern_status tern_network_refuse(tern_diags *diags, int code, const char *name, const char *key, const char *hint,
                                const char *fmt, ...)
{
    char text[400];
    va_list ap;
    va_start(ap, fmt);
    (void)tern_vformat(text, sizeof text, fmt, ap);
    va_end(ap);
    tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, code, name, 0, key, "%s", text), "%s", hint);
    return TERN_ERR_ARGUMENT;
}
