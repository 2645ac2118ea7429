/* tern_status.c : texts of the status codes
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern/status.h"

const char *tern_status_text(tern_status s)
{
    switch (s) {
#define XX(name, value, text) \
    case TERN_##name: return text;
        TERN_STATUS_MAP(XX)
#undef XX
    }
    return "unknown status";
}
