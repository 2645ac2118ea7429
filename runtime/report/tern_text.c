/* tern_text.c : a text that grows, and its escaping; see tern_plot_internal.h
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include "tern_plot_internal.h"

void tern_text_init(tern_text *t, tern_alloc alloc) { *t = (tern_text){ .alloc = alloc }; }

void tern_text_free(tern_text *t)
{
    if (t->data != NULL) t->alloc.fn(t->alloc.ud, t->data, 0);
    *t = (tern_text){ .alloc = t->alloc };
}

/* Room for n more bytes and the NUL. */
static bool reserve(tern_text *t, size_t n)
{
    if (t->failed) return false;
    if (n >= SIZE_MAX / 4 - t->n) t->failed = true;
    if (t->failed || t->n + n < t->room) return !t->failed;
    const size_t room = (t->n + n + 1) * 2;
    char *data = t->alloc.fn(t->alloc.ud, t->data, room);
    if (data == NULL) {
        t->failed = true;
        return false;
    }
    t->data = data;
    t->room = room;
    return true;
}

void tern_text_bytes(tern_text *t, const char *bytes, size_t n)
{
    if (!reserve(t, n)) return;
    if (n != 0) memcpy(t->data + t->n, bytes, n);
    t->n += n;
    t->data[t->n] = '\0';
}

void tern_text_add(tern_text *t, const char *s) { tern_text_bytes(t, s, strlen(s)); }

void tern_text_format(tern_text *t, const char *format, ...)
{
    char line[512];
    va_list ap;
    va_start(ap, format);
    const int n = vsnprintf(line, sizeof line, format, ap);
    va_end(ap);
    if (n < 0) t->failed = true;
    else if ((size_t)n < sizeof line) tern_text_bytes(t, line, (size_t)n);
    else if (reserve(t, (size_t)n)) {
        va_start(ap, format);
        vsnprintf(t->data + t->n, (size_t)n + 1, format, ap);
        va_end(ap);
        t->n += (size_t)n;
    }
}

void tern_text_base64(tern_text *t, const unsigned char *bytes, size_t n)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < n; i += 3) {
        const size_t left = n - i;
        const unsigned long v = (unsigned long)bytes[i] << 16 | (left > 1 ? (unsigned long)bytes[i + 1] << 8 : 0) |
                                (left > 2 ? bytes[i + 2] : 0);
        const char four[4] = { digits[v >> 18], digits[v >> 12 & 63], left > 1 ? digits[v >> 6 & 63] : '=',
                               left > 2 ? digits[v & 63] : '=' };
        tern_text_bytes(t, four, 4);
    }
}

unsigned long tern_text_next(const char *s, size_t *out_bytes)
{
    const unsigned char *b = (const unsigned char *)s;
    static const unsigned long least[5] = { 0, 0, 0x80, 0x800, 0x10000 }; /* a longer form than needed is no UTF-8 */
    const size_t n = b[0] < 0x80 ? 1 : b[0] < 0xc2 ? 0 : b[0] < 0xe0 ? 2 : b[0] < 0xf0 ? 3 : b[0] < 0xf5 ? 4 : 0;
    *out_bytes = b[0] == 0 ? 0 : 1;
    if (n < 2) return n == 1 ? b[0] : 0xfffd;
    unsigned long code = b[0] & (0x7fu >> n);
    for (size_t i = 1; i < n; ++i) {
        if ((b[i] & 0xc0) != 0x80) return 0xfffd; /* also the end of the text */
        code = code << 6 | (b[i] & 0x3f);
    }
    if (code < least[n] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return 0xfffd;
    *out_bytes = n;
    return code;
}

void tern_text_utf8(tern_text *t, unsigned long code)
{
    char b[4];
    size_t n;
    if (code < 0x80) {
        b[0] = (char)code;
        n = 1;
    } else {
        n = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
        for (size_t i = n - 1; i > 0; --i, code >>= 6) b[i] = (char)(0x80 | (code & 0x3f));
        b[0] = (char)(((0xf00u >> n) & 0xf0) | code);
    }
    tern_text_bytes(t, b, n);
}

void tern_text_xml(tern_text *t, const char *s)
{
    size_t n;
    for (; *s != '\0'; s += n) {
        unsigned long code = tern_text_next(s, &n);
        if (code < 0x20 || (code >= 0x7f && code < 0xa0)) code = ' ';
        if ((code & 0xfffe) == 0xfffe) code = 0xfffd;
        switch (code) {
        case '<': tern_text_add(t, "&lt;"); break;
        case '>': tern_text_add(t, "&gt;"); break;
        case '&': tern_text_add(t, "&amp;"); break;
        case '"': tern_text_add(t, "&quot;"); break;
        case '\'': tern_text_add(t, "&#39;"); break;
        default: tern_text_utf8(t, code);
        }
    }
}
