/* test_tern_image_versions.c : the table of image versions in docs/47-library.md, tried: kept images that earlier
 * writers made, and later versions made of them
 * SPDX-License-Identifier: Apache-2.0
 *
 *     test_tern_image_versions FOLDER
 * with 1.0.tern (a network of rule GEM) and 2.0.tern (rule MB, trained by three presentations, before scripts could
 * scale a crop)
 */
#include "image_test.h"
#include "tern/file.h"
#include "tern/image.h"

static tern_arena arena;
static tern_diags diags;
static tern_model m;

static tern_status decode(const uint8_t *bytes, size_t n)
{
    tern_diags_init(&diags);
    memset(&m, 0, sizeof m);
    return tern_image_decode(bytes, n, "kept.tern", &arena, &m, &diags);
}

static bool refused(tern_status s, int code, const char *words)
{
    const bool right = s != TERN_OK && diags.n == 1 && diags.list[0].code == code &&
                       strstr(diags.list[0].message, words) != NULL && diags.list[0].hint[0] != 0;
    if (!right)
        printf("status %d: %d '%s', wanted %d '%s'\n", (int)s, diags.n > 0 ? diags.list[0].code : 0,
               diags.n > 0 ? diags.list[0].message : "", code, words);
    return right;
}

/* The same steps that the image's training would make next. */
static uint64_t go_on(void)
{
    if (m.state == NULL) {
        printf("not read: %s\n", diags.n > 0 ? diags.list[0].message : "");
        return 0;
    }
    const size_t bytes = tern_state_bytes(&m.net, m.state->n_samples);
    tern_state st;
    void *memory = tern_arena_get(&arena, bytes, 1);
    CHECK(tern_state_init(&st, &m.net, memory, bytes, m.state->n_samples, m.state->seed) == TERN_OK);
    tern_state_copy(&st, m.state);
    return run(&st, &m, 5, 0, 20);
}

/* One more section at the end, of a later minor version. */
static uint8_t *with_section(const uint8_t *from, size_t n, bool mandatory, size_t *out_n)
{
    const size_t sections = (size_t)tern__get_le(from + 12, 4),
                 table = TERN_IMAGE_HEADER_BYTES + sections * TERN_IMAGE_ENTRY_BYTES;
    *out_n = n + TERN_IMAGE_ENTRY_BYTES + 8;
    uint8_t *to = tern_arena_get(&arena, *out_n, 1);
    memcpy(to, from, table);
    memcpy(to + table + TERN_IMAGE_ENTRY_BYTES, from + table, n - table);
    for (size_t i = 0; i < sections; ++i) {
        uint8_t *at = to + TERN_IMAGE_HEADER_BYTES + i * TERN_IMAGE_ENTRY_BYTES + 8;
        tern__put_le(at, tern__get_le(at, 8) + TERN_IMAGE_ENTRY_BYTES, 8);
    }
    uint8_t *entry = to + table;
    memcpy(entry, "LATER\0\0\0", 8);
    tern__put_le(entry + 8, n + TERN_IMAGE_ENTRY_BYTES, 8);
    tern__put_le(entry + 16, 8, 8);
    tern__put_le(entry + 28, mandatory, 4);
    tern__put_le(to + 10, 1, 2);
    tern__put_le(to + 12, sections + 1, 4);
    tern__put_le(to + 16, *out_n, 8);
    reseal(to, *out_n);
    return to;
}

int main(int argc, char **argv)
{
    char path[600];
    uint8_t *bytes = NULL;
    const uint8_t *again = NULL;
    size_t n = 0, n_again = 0;
    if (argc != 2) return 2;
    tern_arena_init(&arena, tern_alloc_default(), 0);
    tern_diags_init(&diags);

    snprintf(path, sizeof path, "%s/1.0.tern", argv[1]);
    CHECK_EQ(tern_file_read(path, 1 << 20, tern_alloc_default(), &bytes, &n, &diags), TERN_OK);
    CHECK(refused(decode(bytes, n), 304, "format version 1.0, this tern reads 2.x"));
    free(bytes);

    snprintf(path, sizeof path, "%s/2.0.tern", argv[1]);
    CHECK_EQ(tern_file_read(path, 1 << 20, tern_alloc_default(), &bytes, &n, &diags), TERN_OK);
    CHECK_EQ(decode(bytes, n), TERN_OK);
    CHECK(m.presentations_done == 3 && m.net.rule == TERN_RULE_MB && m.state != NULL && m.state->step == 24);
    const uint64_t digest = go_on();
    CHECK_EQ(digest, UINT64_C(0x3fd2a17d46fa072c));
    CHECK_EQ(tern_image_encode(&m, &arena, &again, &n_again), TERN_OK);
    CHECK_EQ(decode(again, n_again), TERN_OK);
    CHECK_EQ(go_on(), digest);

    size_t n_later = 0;
    const uint8_t *later = with_section(bytes, n, false, &n_later);
    CHECK_EQ(decode(later, n_later), TERN_OK); /* 2.1, optional */
    CHECK_EQ(go_on(), digest);
    later = with_section(bytes, n, true, &n_later);
    CHECK(refused(decode(later, n_later), 309, "a mandatory section that this tern does not know"));
    bytes[8] = 3;
    reseal(bytes, n);
    CHECK(refused(decode(bytes, n), 304, "format version 3.0"));
    free(bytes);
    tern_arena_free(&arena);
    return tern_check_report("image.versions");
}
