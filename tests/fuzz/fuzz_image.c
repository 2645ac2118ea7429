/* fuzz_image.c : any bytes as a memory image; what is accepted can be written again, and run
 * SPDX-License-Identifier: Apache-2.0
 */
#include <math.h>
#include <zlib.h>
#include "../../runtime/image/tern_image_layout.h"
#include "fuzz.h"

static tern_diags diags;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_heap heap = { .limit_bytes = (size_t)64 << 20 };
    tern_arena arena;
    static tern_model m;
    uint8_t *copy = fuzz_exact(data, size);
    tern_arena_init(&arena, (tern_alloc){ fuzz_alloc, &heap }, 0);
    tern_diags_init(&diags);
    const tern_status status = tern_image_decode(copy, size, "x.tern", &arena, &m, &diags);
    if (status != TERN_ERR_MEMORY) fuzz_told((int)status, &diags);
    if (status != TERN_OK) FUZZ_CHECK(diags.n == 1 && diags.list[0].code >= 301 && diags.list[0].code < 400);
    if (status == TERN_OK) {
        const uint8_t *again, *third;
        size_t n, n3;
        const tern_status wrote = tern_image_encode(&m, &arena, &again, &n);
        FUZZ_CHECK(wrote == TERN_OK || wrote == TERN_ERR_MEMORY);
        if (wrote == TERN_OK) { /* the same model, so the same bytes again */
            static tern_model back;
            FUZZ_CHECK(tern_image_decode(again, n, "y.tern", &arena, &back, &diags) != TERN_ERR_FORMAT);
            if (diags.n == 0 && tern_image_encode(&back, &arena, &third, &n3) == TERN_OK)
                FUZZ_CHECK(n3 == n &&
                           crc32_z(0, again, n) == crc32_z(0, third, n)); /* quicker than an observed memcmp */
        }
        if (m.state != NULL && m.net.n_weights < 100000u) {
            tern_state st = *m.state;
            const uint32_t *in = tern_arena_get(&arena, m.net.n_inputs_pos / 32 + 1, 4);
            const uint32_t *target = tern_arena_get(&arena, m.net.n_neurons_pos / 32 + 1, 4);
            const int32_t reward[TERN_MAX_SAMPLES] = { 65536, -65536, INT32_MAX, INT32_MIN };
            for (int i = 0; i < 2 && in != NULL && target != NULL; ++i) {
                tern_step(&st, in, target, TERN_STEP_LEARN | TERN_STEP_CLAMP);
                tern_reward(&st, reward);
            }
            tern_flush(&st);
            tern_state_clear(&st);
        }
    }
    tern_arena_free(&arena);
    FUZZ_CHECK(heap.alive == 0);
    free(copy);
    return 0;
}

/* ---- images that get past the checksums ---- */

/* Makes all checksums right. */
static void reseal(uint8_t *image, size_t size)
{
    if (size < TERN_IMAGE_HEADER_BYTES) return;
    const size_t n = (size_t)tern__get_le(image + 12, 4);
    for (size_t i = 0; i < n && TERN_IMAGE_HEADER_BYTES + (i + 1) * TERN_IMAGE_ENTRY_BYTES <= size; ++i) {
        uint8_t *e = image + TERN_IMAGE_HEADER_BYTES + i * TERN_IMAGE_ENTRY_BYTES;
        const uint64_t at = tern__get_le(e + 8, 8), bytes = tern__get_le(e + 16, 8);
        if (at <= size && bytes <= size - at) tern__put_le(e + 24, crc32_z(0, image + at, (size_t)bytes), 4);
    }
    if (n > TERN_IMAGE_MAX_SECTIONS || TERN_IMAGE_HEADER_BYTES + n * TERN_IMAGE_ENTRY_BYTES > size) return;
    tern__put_le(image + 24, 0, 4);
    tern__put_le(image + 24, crc32_z(0, image, TERN_IMAGE_HEADER_BYTES + n * TERN_IMAGE_ENTRY_BYTES), 4);
}

static uint32_t draw(uint32_t *s, uint32_t n)
{
    *s = *s * 1664525u + 1013904223u;
    return (uint32_t)(((uint64_t)*s * n) >> 32);
}

/* One field of one record gets a value at, near or anywhere within its limits, or its neighbour's. */
static void change_field(uint8_t *image, size_t size, uint32_t *s)
{
    const size_t n = (size_t)tern__get_le(image + 12, 4), id = draw(s, TERN__N_SECTIONS);
    static const unsigned width[] = { 1, 2, 4, 8, 2, 4, 8 };
    const tern__section *sec = &tern__sections[id];
    const tern__field *f = &sec->fields[draw(s, sec->n_fields)];
    if (id >= n || TERN_IMAGE_HEADER_BYTES + (id + 1) * TERN_IMAGE_ENTRY_BYTES > size) return;
    const uint8_t *e = image + TERN_IMAGE_HEADER_BYTES + id * TERN_IMAGE_ENTRY_BYTES;
    const uint64_t at = tern__get_le(e + 8, 8), bytes = tern__get_le(e + 16, 8);
    if (at > size || bytes > size - at || bytes < sec->record_bytes) return;
    uint8_t *record = image + at + (uint64_t)draw(s, (uint32_t)(bytes / sec->record_bytes)) * sec->record_bytes;
    if (f->type > TERN__F64) {
        record[f->at + draw(s, f->bytes)] = (uint8_t)draw(s, 256);
        return;
    }
    uint8_t *p = record + f->at + draw(s, f->repeat > 0 ? f->repeat : 1) * width[f->type];
    double v = f->lo;
    switch (draw(s, 6)) {
    case 0: v = f->hi; break;
    case 1: v = f->hi + 1; break;
    case 2: v = f->lo - 1; break;
    case 3: v = f->lo + (f->hi - f->lo) * ((double)draw(s, 65536) / 65536.0); break;
    case 4: v = f->lo + (double)draw(s, 4); break;
    default: break;
    }
    if (f->type == TERN__F64) memcpy(p, &v, sizeof v);
    else if (f->type == TERN__U64) tern__put_le(p, (uint64_t)1 << draw(s, 64), 8);
    else tern__put_le(p, fabs(v) < 9e15 ? (uint64_t)(int64_t)v : 0, width[f->type]);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed)
{
    uint32_t s = seed;
    const uint32_t kind = draw(&s, 16);
    if (kind < 10 && size > TERN_IMAGE_HEADER_BYTES)
        for (uint32_t i = 1 + draw(&s, 3); i > 0; --i) change_field(data, size, &s);
    else size = LLVMFuzzerMutate(data, size, max);
    if (kind != 15) reseal(data, size);
    return size;
}
