/* test_tern_image_doc.c : docs/20-image-format.md prints the very tables that the code uses
 * SPDX-License-Identifier: Apache-2.0
 *
 *     test_tern_image_doc docs/20-image-format.md      compare
 *     test_tern_image_doc --print                      the tables, to be put between the two marks of the page
 */
#include <stdarg.h>
#include <stdlib.h>
#include "../../runtime/image/tern_image_layout.h"
#include "tern_check.h"

#define MARK_BEGIN "<!-- tables: printed by test_tern_image_doc --print -->\n"
#define MARK_END "<!-- end of tables -->\n"

static char text[65536];
static size_t used;

static void put(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    const int n = vsnprintf(text + used, sizeof text - used, fmt, ap);
    va_end(ap);
    if (n < 0 || (size_t)n >= sizeof text - used) exit(1);
    used += (size_t)n;
}

static const char *const type_names[] = { "u8",  "u16",  "u32", "u64",  "i16",  "i32",
                                          "f64", "name", "hex", "word", "text", "zero" };
static const unsigned widths[] = { 1, 2, 4, 8, 2, 4, 8 };

static void put_allowed(const tern__field *f)
{
    if (f->type == TERN__ZERO) put(" 0 |\n");
    else if (f->type >= TERN__NAME) put(" a %s, section 3 |\n", type_names[f->type]);
    else if (f->type == TERN__U64) put(" any |\n");
    else if (f->type == TERN__F64 && f->hi < 2 && f->hi > 1.9) put(" %.9g to below 2 |\n", f->lo);
    else if (f->type == TERN__F64) put(" %.9g to %.9g |\n", f->lo, f->hi);
    else put(" %.0f to %.0f |\n", f->lo, f->hi);
}

/* One 64-bit word of a record, fields from the most significant bit down. */
static void put_word(const tern__section *s, unsigned word)
{
    for (unsigned byte = 8; byte-- > 0;)
        for (unsigned k = 0; k < s->n_fields; ++k) {
            const tern__field *f = &s->fields[k];
            const unsigned at = 8 * word + byte, w = f->type < TERN__NAME ? widths[f->type] : f->bytes;
            if (f->type >= TERN__NAME && f->type != TERN__ZERO) {
                if (f->at != at) continue;
                put("| %u..%u | | `%s` | %s, %u bytes |", word, word + f->bytes / 8 - 1, f->name, type_names[f->type],
                    f->bytes);
                put_allowed(f);
            } else if (f->repeat > 4) {
                if (f->at != at) continue;
                put("| %u..%u | 63:0 | `%s[0..%u]` | %s |", word, word + f->repeat * w / 8 - 1, f->name, f->repeat - 1u,
                    type_names[f->type]);
                put_allowed(f);
            } else
                for (unsigned i = 0; i < f->repeat; ++i) {
                    if (f->at + i * w != at) continue;
                    put("| %u | %u:%u | `%s", word, 8 * (byte + w) - 1, 8 * byte, f->name);
                    if (f->repeat > 1) put("[%u]", i);
                    put("` | %s |", type_names[f->type]);
                    put_allowed(f);
                }
        }
}

static void make_tables(void)
{
    put("\n| section | element | type | allowed | elements |\n|---|---|---|---|---|\n");
    for (unsigned i = 0; i < TERN__N_SECTIONS; ++i) {
        const tern__section *s = &tern__sections[i];
        if (s->n_fields != 1) continue;
        const tern__field *f = s->fields;
        put("| %s | `%s` | %s |", s->name, f->name, type_names[f->type]);
        if (f->type == TERN__U64) put(" any |");
        else put(" %.0f to %.0f |", f->lo, f->hi);
        put(" %s |\n", s->count);
    }
    for (unsigned i = 0; i < TERN__N_SECTIONS; ++i) {
        const tern__section *s = &tern__sections[i];
        if (s->n_fields == 1) continue;
        put("\n**%s**: records of %u bytes, count %s.\n\n| word | bits | field | type | allowed "
            "|\n|---|---|---|---|---|\n",
            s->name, s->record_bytes, s->count);
        for (unsigned word = 0; word < s->record_bytes / 8u; ++word) put_word(s, word);
    }
    put("\n");
}

/* Fields do not overlap and fill the record. */
static void check_coverage(void)
{
    for (unsigned i = 0; i < TERN__N_SECTIONS; ++i) {
        const tern__section *s = &tern__sections[i];
        unsigned next = 0;
        CHECK(s->record_bytes <= TERN_IMAGE_MAX_RECORD);
        CHECK(s->n_fields == 1 || s->record_bytes % 8 == 0);
        CHECK(strlen(s->name) <= 8);
        for (unsigned k = 0; k < s->n_fields; ++k) {
            const tern__field *f = &s->fields[k];
            const unsigned w = f->type < TERN__NAME ? widths[f->type] : f->bytes;
            CHECK_EQ(f->at, next);
            if (f->type < TERN__NAME) CHECK_EQ(f->at % w, 0);
            next = f->at + w * f->repeat;
        }
        CHECK_EQ(next, s->record_bytes);
    }
}

int main(int argc, char **argv)
{
    make_tables();
    if (argc > 1 && strcmp(argv[1], "--print") == 0) {
        fputs(text, stdout);
        return 0;
    }
    check_coverage();
    static char page[262144];
    FILE *f = argc > 1 ? fopen(argv[1], "rb") : NULL;
    CHECK(f != NULL);
    if (f != NULL) {
        page[fread(page, 1, sizeof page - 1, f)] = 0;
        fclose(f);
    }
    const char *begin = strstr(page, MARK_BEGIN), *end = strstr(page, MARK_END);
    CHECK(begin != NULL && end != NULL && end > begin);
    if (begin != NULL && end != NULL) {
        begin += strlen(MARK_BEGIN);
        const size_t n = (size_t)(end - begin);
        size_t same = 0;
        while (same < n && same < used && begin[same] == text[same]) ++same;
        CHECK_EQ(n, used);
        CHECK_EQ(same, used);
        if (same != used || n != used)
            printf("  the page says: %.120s\n  the code says: %.120s\n", begin + same, text + same);
    }
    return tern_check_report("image.doc");
}
