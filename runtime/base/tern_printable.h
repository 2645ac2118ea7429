/* tern_printable.h : texts of unknown origin in messages: control codes, which a terminal would obey, become visible
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TERN_PRINTABLE_H
#define TERN_PRINTABLE_H
#include <stddef.h>
#include <stdio.h>

/* Copies `text` with "\x1B" for each control code but line feed and tab (also for U+0080 to U+009F of UTF-8), cut to
 * fit and NUL-terminated. Returns the whole length, as snprintf does. */
static inline size_t tern_printable(const char *text, char *out, size_t bytes)
{
    size_t n = 0;
    for (const unsigned char *p = (const unsigned char *)text; *p != 0; ++p) {
        const int high = p[0] == 0xc2 && p[1] >= 0x80 && p[1] <= 0x9f;
        const int control = (*p < 32 && *p != '\n' && *p != '\t') || *p == 127 || high;
        char one[16] = { (char)*p };
        int length = 1;
        if (high) length = snprintf(one, sizeof one, "\\x%02X\\x%02X", p[0], p[1]), ++p;
        else if (control) length = snprintf(one, sizeof one, "\\x%02X", *p);
        for (int i = 0; i < length; ++i, ++n)
            if (n + 1 < bytes) out[n] = one[i];
    }
    if (bytes != 0) out[n < bytes ? n : bytes - 1] = 0;
    return n;
}

#endif /* TERN_PRINTABLE_H */
