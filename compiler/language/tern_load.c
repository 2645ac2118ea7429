/* tern_load.c : what reading a source will cost, and reading it
 * SPDX-License-Identifier: Apache-2.0
 *
 * Lua's parser runs as one call that no hook sees, and its work is not in proportion to the source: a name is looked
 * up among the locals of every function around it, and lists of jumps (and, or, elseif, goto, labels) are walked from
 * their beginning. So the tokens are counted first, and charged before the parser runs. The text alone is counted.
 */
#include "tern_front.h"
#include <stdio.h>
#include <string.h>

enum {
    NAME_UNITS = 32 /* a name, for each function around it: up to 200 locals and 255 upvalues are compared */,
    JUMP_SHARE = 4 /* a jump: a step of the list is a quarter of a unit */,
    BLOCKS_MAX = 256
};

typedef struct scanner {
    const char *p, *end;
    uint64_t units, jumps;
    uint32_t functions; /* around the place, the main chunk among them */
    uint32_t n_blocks;
    bool function[BLOCKS_MAX]; /* of the open blocks: ended by the `end` of a function? */
} scanner;

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* At '[': the number of '=' when it opens a long text or comment, else -1. */
static int long_level(const scanner *s)
{
    const char *p = s->p + 1;
    while (p < s->end && *p == '=') ++p;
    return p < s->end && *p == '[' ? (int)(p - s->p - 1) : -1;
}

static void skip_long(scanner *s, int level)
{
    for (s->p += level + 2; s->p < s->end; ++s->p) {
        if (*s->p != ']') continue;
        const char *q = s->p + 1;
        while (q < s->end && *q == '=') ++q;
        if (q < s->end && *q == ']' && q - s->p - 1 == level) {
            s->p = q + 1;
            return;
        }
    }
}

static void skip_comment(scanner *s) /* behind "--" */
{
    const int level = s->p < s->end && *s->p == '[' ? long_level(s) : -1;
    if (level >= 0) skip_long(s, level);
    else
        while (s->p < s->end && *s->p != '\n') ++s->p;
}

static void skip_text(scanner *s)
{
    const char quote = *s->p++;
    while (s->p < s->end && *s->p != quote && *s->p != '\n') s->p += *s->p == '\\' ? 2 : 1;
    s->p = s->p < s->end ? s->p + 1 : s->end;
}

static void open_block(scanner *s, bool function)
{
    if (s->n_blocks < BLOCKS_MAX) s->function[s->n_blocks] = function; /* deeper ones are refused by the parser */
    ++s->n_blocks;
    s->functions += function;
}

static void close_block(scanner *s)
{
    if (s->n_blocks == 0) return;
    --s->n_blocks;
    if (s->n_blocks < BLOCKS_MAX && s->function[s->n_blocks]) --s->functions;
}

static void jump(scanner *s) { s->units += ++s->jumps / JUMP_SHARE; }

static void word(scanner *s)
{
    static const struct {
        const char *text;
        char what;
    } words[] = {
        { "function", 'f' }, { "do", 'b' }, { "if", 'b' },     { "repeat", 'b' }, { "end", 'e' },   { "until", 'e' },
        { "and", 'j' },      { "or", 'j' }, { "elseif", 'j' }, { "goto", 'j' },   { "break", 'j' }, { "while", 0 },
        { "for", 0 },        { "in", 0 },   { "then", 0 },     { "else", 0 },     { "local", 0 },   { "return", 0 },
        { "not", 0 },        { "nil", 0 },  { "true", 0 },     { "false", 0 },
    };
    const char *begin = s->p;
    while (s->p < s->end && (is_letter(*s->p) || is_digit(*s->p))) ++s->p;
    const size_t n = (size_t)(s->p - begin);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; ++i) {
        if (strlen(words[i].text) != n || memcmp(words[i].text, begin, n) != 0) continue;
        if (words[i].what == 'f' || words[i].what == 'b') open_block(s, words[i].what == 'f');
        else if (words[i].what == 'e') close_block(s);
        else if (words[i].what == 'j') jump(s);
        return;
    }
    s->units += (uint64_t)NAME_UNITS * s->functions;
}

uint64_t tern__parse_units(const char *bytes, size_t size)
{
    scanner s = { .p = bytes, .end = bytes + size, .units = size, .functions = 1 };
    while (s.p < s.end) {
        const char c = *s.p;
        if (is_letter(c)) {
            word(&s);
        } else if (is_digit(c)) {
            while (s.p < s.end && (is_digit(*s.p) || is_letter(*s.p) || *s.p == '.')) ++s.p;
        } else if (c == '"' || c == '\'') {
            skip_text(&s);
        } else if (c == '-' && s.end - s.p > 1 && s.p[1] == '-') {
            s.p += 2;
            skip_comment(&s);
        } else if (c == '[' && long_level(&s) >= 0) {
            skip_long(&s, long_level(&s));
        } else {
            if (c == ':' && s.end - s.p > 1 && s.p[1] == ':') jump(&s), ++s.p; /* a label has two */
            ++s.p;
        }
    }
    return s.units;
}
