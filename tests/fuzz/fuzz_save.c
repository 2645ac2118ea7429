/* fuzz_save.c : any bytes as a saved state (tern/save.h); what is accepted runs and is written as it was read
 * SPDX-License-Identifier: Apache-2.0
 *
 * Byte 0 chooses one of NETS networks, the rest is the stream.
 */
#include <zlib.h>
#include "../tern_testnet.h"
#include "fuzz.h"
#include "tern/save.h"

enum { NETS = 8, HEAD = TERN_SAVE_HEAD_BYTES };

static tern_arena arena;
static tern_model nets[NETS];
static tern_state states[NETS];

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    tern_arena_init(&arena, tern_alloc_default(), 0);
    for (unsigned i = 0; i < NETS; ++i) {
        if (tern_testnet_make(i + 1, &arena, &nets[i]) != TERN_OK) abort();
        const size_t bytes = tern_state_bytes(&nets[i].net, nets[i].net.n_samples);
        void *mem = tern_arena_get(&arena, bytes / 8u, 8);
        if (mem == NULL || tern_state_init(&states[i], &nets[i].net, mem, bytes, nets[i].net.n_samples, i) != TERN_OK)
            abort();
    }
    return 0;
}

typedef struct reader {
    const uint8_t *bytes;
    size_t n, at;
} reader;

/* Written again: the same bytes. */
static tern_status compare(void *context, const uint8_t *bytes, size_t n)
{
    reader *r = context;
    FUZZ_CHECK(n <= r->n - r->at);
    for (size_t i = 0; i < n; ++i) FUZZ_CHECK(bytes[i] == r->bytes[r->at + i]);
    r->at += n;
    return TERN_OK;
}

static uint64_t sum_of(const tern_state *st)
{
    const tern_net *n = st->net;
    uint64_t h = st->step;
    for (uint32_t i = 0; i < n->n_weights; ++i) h = h * 31u + (uint16_t)st->weights[i];
    for (uint32_t i = 0; i < n->n_inputs_pos; ++i) h = h * 31u + st->hist_in[i];
    return h;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) return 0;
    tern_state *st = &states[data[0] % NETS];
    uint8_t *copy = fuzz_exact(data + 1, size - 1);
    const char *what = NULL;
    tern_save_info info;
    const uint64_t before = sum_of(st);
    const tern_status status = tern_restore(st, copy, size - 1, &info, &what);
    if (status != TERN_OK) {
        FUZZ_CHECK(what != NULL && status != TERN_ERR_MEMORY);
        FUZZ_CHECK(sum_of(st) == before);
    } else {
        reader r = { copy, size - 1, 0 };
        if (info.kind == TERN_SAVE_EVERYTHING)
            FUZZ_CHECK(tern_save(st, info.kind, info.presentations, compare, &r) == TERN_OK && r.at == r.n);
        static const uint32_t none[TERN_MAX_POSITIONS / 32u];
        for (int i = 0; i < 2; ++i) tern_step(st, none, none, TERN_STEP_LEARN | TERN_STEP_CLAMP);
        tern_flush(st);
        tern_state_clear(st);
    }
    free(copy);
    return 0;
}

static void put(uint8_t *to, uint64_t value, unsigned bytes)
{
    for (unsigned b = 0; b < bytes; ++b) to[b] = (uint8_t)(value >> 8u * b);
}

/* Right length, network and check sum, so that the numbers themselves are looked at. */
static void reseal(uint8_t *data, size_t size)
{
    if (size < 1 + HEAD + 4) return;
    put(data + 1 + 12, size - 1, 4);
    put(data + 1 + 16, tern_net_fingerprint(&nets[data[0] % NETS].net), 8);
    put(data + size - 4, crc32_z(0, data + 1, size - 5), 4);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed)
{
    if (seed % 4 != 0 && size > 1 + HEAD + 4) { /* one byte, often of the head; the length stays */
        const size_t n = seed % 3 == 0 ? HEAD : size - 5;
        data[1 + (seed / 7u) % n] = (uint8_t)(seed >> 24 ^ seed);
    } else size = LLVMFuzzerMutate(data, size, max);
    if (seed % 16 != 15) reseal(data, size);
    return size;
}
