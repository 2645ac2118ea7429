/* markup.h : for the tests of figures and pages: is a text well-formed, what does it say, what is in its images
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MARKUP_H
#define MARKUP_H
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Every tag is closed in its order, attributes are quoted, '<' and '&' stand for nothing but markup. NULL, or what is
 * wrong first. Elements that HTML does not close may stand open. An SVG may not contain a script or a handler. */
static inline const char *markup_fault(const char *s)
{
    static const char *const open_ended[] = { "meta", "img", "!DOCTYPE", "?xml" };
    static char stack[64][32];
    size_t depth = 0;
    bool style = false;
    for (const char *p = s; *p != '\0'; ++p) {
        if (*p == '&') {
            const size_t n = strspn(p + 1, "#abcdefghijklmnopqrstuvwxyz0123456789");
            if (n == 0 || p[1 + n] != ';') return "a bare &";
        }
        if ((unsigned char)*p < 0x20 && *p != '\n' && *p != '\t') return "a control character";
        if (*p != '<') continue;
        char name[32] = "";
        const bool closing = p[1] == '/';
        const char *q = p + 1 + closing;
        const size_t n = strspn(q, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!?");
        if (n == 0 || n >= sizeof name) return "a < that begins no tag";
        memcpy(name, q, n);
        if (strcmp(name, "script") == 0) return "a script";
        q += n;
        char quote = '\0', last = '\0';
        for (; *q != '\0' && (quote != '\0' || *q != '>'); ++q) {
            if (quote != '\0' && *q == '<') return "a < in an attribute";
            if (quote == '\0' && (*q == '"' || *q == '\'')) {
                if (last != '=' && name[0] != '!') return "a quote that begins no attribute";
                quote = *q;
            } else if (*q == quote) quote = '\0';
            else if (quote == '\0' && *q == '=' && strncmp(q - 4, "load", 4) == 0) return "a handler";
            if (*q != ' ') last = *q;
        }
        if (*q == '\0') return "a tag without end";
        bool single = q[-1] == '/';
        for (size_t i = 0; i < sizeof open_ended / sizeof *open_ended; ++i) single |= strcmp(name, open_ended[i]) == 0;
        if (closing) {
            if (depth == 0 || strcmp(stack[--depth], name) != 0) return "a tag that closes another";
        } else if (!single) {
            if (depth == 64) return "too deep";
            snprintf(stack[depth++], sizeof stack[0], "%s", name);
        }
        style = strcmp(name, "style") == 0 && !closing;
        p = q;
        if (style) { /* its text is no markup */
            const char *end = strstr(p, "</style>");
            if (end == NULL) return "a style without end";
            p = end - 1;
        }
    }
    return depth == 0 ? NULL : "an element without end";
}

static inline size_t markup_count(const char *s, const char *what)
{
    size_t n = 0;
    for (const char *p = s; (p = strstr(p, what)) != NULL; p += strlen(what)) ++n;
    return n;
}

/* Decodes base64 up to the first other character; free the result. */
static inline unsigned char *markup_base64(const char *s, size_t *out_n)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    unsigned char *out = malloc(strlen(s) + 4);
    unsigned long v = 0;
    size_t n = 0, bits = 0;
    if (out == NULL) abort();
    for (const char *d; *s != '\0' && (d = strchr(digits, *s)) != NULL; ++s) {
        v = v << 6 | (unsigned long)(d - digits);
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            out[n++] = (unsigned char)(v >> bits);
        }
    }
    out[n] = '\0';
    *out_n = n;
    return out;
}

#endif /* MARKUP_H */
