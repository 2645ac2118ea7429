/* test_tern_image_damage.c : damaged, cut, foreign and hostile images; memory that runs out
 * SPDX-License-Identifier: Apache-2.0
 */
#include <unistd.h>
#include "image_test.h"

static tern_diags diags;

static uint8_t *copy_of(const uint8_t *bytes, size_t size)
{
    uint8_t *p = malloc(size);
    if (p == NULL) abort();
    memcpy(p, bytes, size);
    return p;
}

static void damaged_and_cut(const uint8_t *image, size_t size, size_t stride)
{
    uint8_t *bad = copy_of(image, size);
    for (size_t at = 0; at < size; at += stride) {
        static const uint8_t flips[] = { 0x01, 0x80, 0xff };
        for (unsigned i = 0; i < sizeof flips; ++i) {
            bad[at] ^= flips[i];
            check_refused(try_decode(bad, size, &diags), &diags, "damage", at);
            bad[at] = image[at];
        }
    }
    for (size_t n = 0; n < size; n += stride) {
        const tern_status status = try_decode(image, n, &diags);
        check_refused(status, &diags, "cut", n);
        CHECK(status == TERN_ERR_TRUNCATED || n == 0);
    }
    free(bad);
    uint8_t *longer = malloc(size + 8);
    if (longer == NULL) abort();
    memcpy(longer, image, size);
    memset(longer + size, 0, 8);
    check_refused(try_decode(longer, size + 8, &diags), &diags, "longer", size);
    CHECK_EQ(diags.list[0].code, 305);
    free(longer);
}

/* The image with one more section at the end. */
static uint8_t *with_section(const uint8_t *image, size_t size, const char *name, unsigned flags, size_t payload,
                             size_t *out_size)
{
    const size_t n = (size_t)tern__get_le(image + 12, 4), table = TERN_IMAGE_HEADER_BYTES + n * TERN_IMAGE_ENTRY_BYTES;
    *out_size = size + TERN_IMAGE_ENTRY_BYTES + tern__align8(payload);
    uint8_t *p = calloc(1, *out_size);
    if (p == NULL) abort();
    memcpy(p, image, table);
    memcpy(p + table + TERN_IMAGE_ENTRY_BYTES, image + table, size - table);
    for (size_t i = 0; i < n; ++i) {
        uint8_t *offset = p + TERN_IMAGE_HEADER_BYTES + i * TERN_IMAGE_ENTRY_BYTES + 8;
        tern__put_le(offset, tern__get_le(offset, 8) + TERN_IMAGE_ENTRY_BYTES, 8);
    }
    uint8_t *entry = p + table;
    memcpy(entry, name, strlen(name));
    tern__put_le(entry + 8, size + TERN_IMAGE_ENTRY_BYTES, 8);
    tern__put_le(entry + 16, payload, 8);
    tern__put_le(entry + 28, flags, 4);
    memset(p + size + TERN_IMAGE_ENTRY_BYTES, 0xa5, payload);
    tern__put_le(p + 12, n + 1, 4);
    tern__put_le(p + 16, *out_size, 8);
    reseal(p, *out_size);
    return p;
}

static void foreign_sections(const uint8_t *image, size_t size)
{
    static const struct {
        const char *name;
        unsigned flags;
        size_t payload;
        int code;
    } list[] = { { "EXTRA", 0, 13, 0 },   { "EXTRA", 0, 0, 0 },    { "A_LATER1", 0, 4096, 0 },
                 { "EXTRA", 1, 13, 309 }, { "EXTRA", 2, 13, 307 }, { "extra", 0, 13, 307 },
                 { "", 0, 13, 307 },      { "NET", 0, 32, 307 },   { "S_V", 1, 8, 307 } };
    for (unsigned i = 0; i < sizeof list / sizeof list[0]; ++i) {
        size_t n;
        uint8_t *p = with_section(image, size, list[i].name, list[i].flags, list[i].payload, &n);
        const tern_status status = try_decode(p, n, &diags);
        if (list[i].code == 0) CHECK_EQ(status, TERN_OK);
        else {
            check_refused(status, &diags, list[i].name, i);
            CHECK_EQ(diags.list[0].code, list[i].code);
        }
        free(p);
    }
    /* each known section renamed: it is missing, the stranger is optional */
    const size_t n = (size_t)tern__get_le(image + 12, 4);
    for (size_t i = 0; i < n; ++i) {
        uint8_t *bad = copy_of(image, size);
        uint8_t *e = bad + TERN_IMAGE_HEADER_BYTES + i * TERN_IMAGE_ENTRY_BYTES;
        memset(e, 0, 8);
        memcpy(e, "STRANGER", 8);
        tern__put_le(e + 28, 0, 4);
        reseal(bad, size);
        check_refused(try_decode(bad, size, &diags), &diags, "missing", i);
        CHECK_EQ(diags.list[0].code, 308);
        free(bad);
    }
}

static void versions(const uint8_t *image, size_t size)
{
    uint8_t *bad = copy_of(image, size);
    bad[10] = 7; /* a later minor version only adds optional sections */
    reseal(bad, size);
    CHECK_EQ(try_decode(bad, size, &diags), TERN_OK);
    for (uint8_t major = 0; major < 5; ++major) {
        if (major == TERN_IMAGE_MAJOR) continue;
        bad[8] = major;
        reseal(bad, size);
        CHECK_EQ(try_decode(bad, size, &diags), TERN_ERR_VERSION);
        CHECK_EQ(diags.list[0].code, 304);
        check_refused(TERN_ERR_VERSION, &diags, "version", 8);
        CHECK_EQ(strstr(diags.list[0].message, "other than GEM") != NULL, major == 1); /* what the old version lacks */
        CHECK(strstr(diags.list[0].hint, "compile") != NULL);
    }
    free(bad);
}

/* Every field of the first record of every section just outside its range, and doubles that are not numbers. */
static void every_field(const uint8_t *image, size_t size)
{
    static const double odd[] = { NAN, INFINITY, -INFINITY, -0.0, 1e300, -1e-300 };
    for (unsigned id = 0; id < tern__get_le(image + 12, 4); ++id) {
        const tern__section *s = &tern__sections[id];
        const size_t base = (size_t)tern__get_le(image + TERN_IMAGE_HEADER_BYTES + id * TERN_IMAGE_ENTRY_BYTES + 8, 8);
        if (tern__get_le(image + TERN_IMAGE_HEADER_BYTES + id * TERN_IMAGE_ENTRY_BYTES + 16, 8) == 0) continue;
        for (unsigned k = 0; k < s->n_fields; ++k) {
            const tern__field *f = &s->fields[k];
            static const unsigned width[] = { 1, 2, 4, 8, 2, 4, 8 };
            static const double top[] = { 255, 65535, 4294967295.0, 0, 32767, 2147483647.0, 0 },
                                bottom[] = { 0, 0, 0, 0, -32768, -2147483648.0, 0 };
            uint64_t values[8];
            unsigned n = 0, bytes = f->type < 7 ? width[f->type] : f->bytes;
            if (f->type == TERN__F64)
                for (unsigned i = 0; i < sizeof odd / sizeof odd[0]; ++i) memcpy(&values[n++], &odd[i], 8);
            /* an impossible character */
            else if (f->type >= TERN__NAME) values[n++] = f->type == TERN__ZERO ? 1 : 0xfe41;
            else if (f->type != TERN__U64) {
                if (f->lo > bottom[f->type]) values[n++] = (uint64_t)(int64_t)(f->lo - 1);
                if (f->hi < top[f->type]) values[n++] = (uint64_t)(int64_t)(f->hi + 1);
            }
            for (unsigned i = 0; i < n; ++i) {
                uint8_t *bad = copy_of(image, size);
                tern__put_le(bad + base + f->at, values[i],
                             bytes < 8                                        ? bytes
                             : f->type >= TERN__NAME && f->type != TERN__ZERO ? 2
                                                                              : 8);
                reseal(bad, size);
                check_refused(try_decode(bad, size, &diags), &diags, s->name, k);
                CHECK(diags.n == 1 &&
                      (diags.list[0].code == 312 || (diags.list[0].code == 311 && f->type < TERN__F64)));
                if (diags.n == 1 && diags.list[0].code == 312)
                    CHECK(strstr(diags.list[0].message, f->name) != NULL &&
                          strstr(diags.list[0].message, "allowed") != NULL);
                free(bad);
            }
        }
    }
}

/* Fields that are fine alone but not together; each must be met by the rule it breaks. */
static void relations(const uint8_t *image, size_t size, const tern_model *m)
{
    static const struct {
        unsigned id, at, bytes, code;
        uint64_t xor ;
    } list[] = { { TERN__SEC_POPS, 52, 4, 313, 0x400 },  { TERN__SEC_POPS, 68, 4, 313, 1 },
                 { TERN__SEC_POPS, 68, 4, 313, 0x4000 }, { TERN__SEC_POPS, 72, 4, 313, 0x100 },
                 { TERN__SEC_ROWS, 0, 4, 314, 1 },       { TERN__SEC_ROWS, 12, 4, 314, 1 },
                 { TERN__SEC_NEURONS, 4, 4, 314, 1 },    { TERN__SEC_LEARN, 0, 1, 314, 1 },
                 { TERN__SEC_LEARN, 3, 1, 314, 1 },      { TERN__SEC_LEARN, 4, 1, 314, 1 },
                 { TERN__SEC_LEARN, 7, 1, 314, 1 },      { TERN__SEC_STATE, 12, 4, 315, 1 },
                 { TERN__SEC_STATE, 20, 4, 315, 0 },     { TERN__SEC_SIG, 0, 2, 314, 0x8000 },
                 { TERN__SEC_FILTERS, 1, 1, 313, 0 },    { TERN__SEC_TAPS, 0, 2, 316, 1 } };
    for (unsigned i = 0; i < sizeof list / sizeof list[0]; ++i) {
        uint8_t *bad = copy_of(image, size);
        uint8_t *p = bad + tern__get_le(image + TERN_IMAGE_HEADER_BYTES + list[i].id * TERN_IMAGE_ENTRY_BYTES + 8, 8) +
                     list[i].at;
        uint64_t v = tern__get_le(p, list[i].bytes) ^ list[i].xor ;
        if (list[i].id == TERN__SEC_FILTERS) v = m->net.taps_d + 1u;
        if (list[i].id == TERN__SEC_STATE && list[i].at == 20) v = m->net.lags_w; /* lag_head */
        /* out of its own range already */
        const unsigned code = list[i].id == TERN__SEC_FILTERS && v > TERN_MAX_TAPS ? 312 : list[i].code;
        tern__put_le(p, v, list[i].bytes);
        reseal(bad, size);
        check_refused(try_decode(bad, size, &diags), &diags, tern__sections[list[i].id].name, i);
        CHECK_EQ(diags.list[0].code, code);
        if ((unsigned)diags.list[0].code != code) printf("  case %u: %s\n", i, diags.list[0].message);
        free(bad);
    }
}

static void one_relation(const uint8_t *image, size_t size, unsigned id, size_t at, unsigned bytes, uint64_t value,
                         int code, const char *text)
{
    uint8_t *bad = copy_of(image, size);
    uint8_t *p = bad + tern__get_le(image + TERN_IMAGE_HEADER_BYTES + id * TERN_IMAGE_ENTRY_BYTES + 8, 8) + at;
    CHECK(tern__get_le(p, bytes) != value);
    tern__put_le(p, value, bytes);
    reseal(bad, size);
    check_refused(try_decode(bad, size, &diags), &diags, tern__sections[id].name, at);
    CHECK_EQ(diags.list[0].code, code);
    CHECK(strstr(diags.list[0].message, text) != NULL);
    if (diags.list[0].code != code || strstr(diags.list[0].message, text) == NULL)
        printf("  %s at %zu: %s\n", tern__sections[id].name, at, diags.list[0].message);
    free(bad);
}

/* What RULE, NET and LEARN say about the rule, POPS and NEURONS about circuits. */
static void rule_and_circuits(const uint8_t *image, size_t size, const tern_model *m)
{
    const tern_net *n = &m->net;
    const unsigned other = n->baseline == TERN_BASELINE_NONE ? TERN_BASELINE_NEURON : TERN_BASELINE_NONE;
    double tau = 2.5;
    uint64_t tau_bits;
    memcpy(&tau_bits, &tau, sizeof tau_bits);
    one_relation(image, size, TERN__SEC_RULE, 0, 1, (n->rule + 1u) % 4u, 313, "NET has the rule");
    one_relation(image, size, TERN__SEC_RULE, 1, 1, other, 313, "NET has");
    one_relation(image, size, TERN__SEC_RULE, 44, 4, m->rule.memory == 8 ? 16 : 8, 313, "LEARN says");
    one_relation(image, size, TERN__SEC_RULE, 44, 4, m->rule.memory + 1u, m->rule.memory == 128 ? 312 : 313, "memory");
    if (n->rule != TERN_RULE_REWARD) one_relation(image, size, TERN__SEC_RULE, 48, 8, tau_bits, 313, "without reward");
    if (n->rule == TERN_RULE_GEM)
        one_relation(image, size, TERN__SEC_NET, 31, 1, TERN_BASELINE_NEURON, 314, "0 with GEM");
    else one_relation(image, size, TERN__SEC_NET, 31, 1, other, 313, "NET has");
    for (uint32_t i = 0; i < m->n_populations; ++i) {
        const tern_population *p = &m->populations[i];
        if (p->kind == TERN_POP_INPUT) {
            one_relation(image, size, TERN__SEC_POPS, i * 88u + 80u, 4, 2, 313, "of an input population");
            continue;
        }
        const bool divides = p->dims[p->n_dims - 1] % 2 == 0;
        one_relation(image, size, TERN__SEC_POPS, i * 88u + 80u, 4, 1, 313, "divide the last dim");
        if (p->wta != 0) one_relation(image, size, TERN__SEC_POPS, i * 88u + 80u, 4, 0, 313, "of a circuit of");
        if (p->wta != 2)
            one_relation(image, size, TERN__SEC_POPS, i * 88u + 80u, 4, 2, 313,
                         divides ? "of a circuit of" : "divide the last dim");
        const unsigned size0 = n->neurons[p->neuron0].wta_size;
        one_relation(image, size, TERN__SEC_NEURONS, p->neuron0 * 16u + 13u, 1, size0 == 0 ? 2 : 0, 314, "circuit");
        one_relation(image, size, TERN__SEC_NEURONS, p->neuron0 * 16u + 14u, 1, 1, 314, "circuit");
    }
}

/* Random changes behind right checksums: header and table, then anything. Nothing may crash; what is accepted is
 * re-encoded and run. */
static void fuzz(const uint8_t *image, size_t size, uint64_t seed, unsigned rounds)
{
    tern_testrand r = { seed };
    const size_t n = (size_t)tern__get_le(image + 12, 4), table = TERN_IMAGE_HEADER_BYTES + n * TERN_IMAGE_ENTRY_BYTES;
    unsigned accepted = 0;
    for (unsigned i = 0; i < rounds; ++i) {
        uint8_t *bad = copy_of(image, size);
        const unsigned changes = (unsigned)tern_testrand_in(&r, 1, 3);
        for (unsigned c = 0; c < changes; ++c) {
            const size_t at = (size_t)tern_testrand_in(&r, 8, (int64_t)(i % 2 == 0 ? table : size) - 8);
            switch (tern_testrand_in(&r, 0, 3)) {
            case 0: bad[at] = (uint8_t)tern_testrand_next(&r); break;
            case 1: bad[at] ^= (uint8_t)(1u << tern_testrand_in(&r, 0, 7)); break;
            case 2:
                tern__put_le(bad + (at & ~(size_t)7), tern_testrand_next(&r) >> tern_testrand_in(&r, 0, 63), 8);
                break;
            default:
                tern__put_le(bad + (at & ~(size_t)3), tern_testrand_one_in(&r, 2) ? UINT32_MAX : 0x7fffffff, 4);
                break;
            }
        }
        if (tern_testrand_one_in(&r, 4)) { /* two sections change places */
            uint8_t e[TERN_IMAGE_ENTRY_BYTES];
            uint8_t *a = bad + TERN_IMAGE_HEADER_BYTES + (size_t)tern_testrand_in(&r, 0, (int64_t)n - 1) * sizeof e;
            uint8_t *b = bad + TERN_IMAGE_HEADER_BYTES + (size_t)tern_testrand_in(&r, 0, (int64_t)n - 1) * sizeof e;
            memcpy(e, a, sizeof e);
            memcpy(a, b, sizeof e);
            memcpy(b, e, sizeof e);
        }
        reseal(bad, size);
        const tern_status status = try_decode(bad, size, &diags);
        if (status == TERN_OK) ++accepted;
        else check_refused(status, &diags, "fuzz", i);
        free(bad);
    }
    printf("fuzz seed %llu: %u of %u accepted\n", (unsigned long long)seed, accepted, rounds);
}

/* ---- memory that runs out ---------------------------------------------------------------------------------------- */
typedef struct failing {
    unsigned left;
    size_t live;
} failing;
static void *failing_fn(void *ud, void *ptr, size_t bytes)
{
    failing *f = ud;
    if (bytes == 0) {
        if (ptr != NULL) --f->live;
        free(ptr);
        return NULL;
    }
    if (f->left == 0) return NULL;
    --f->left;
    void *p = realloc(ptr, bytes);
    if (p != NULL && ptr == NULL) {
        ++f->live;
        memset(p, 0xee, bytes); /* junk: nobody may rely on zeros of the allocator */
    }
    return p;
}

static void memory_runs_out(const uint8_t *image, size_t size, const tern_model *m, const char *path)
{
    tern_status status = TERN_ERR_MEMORY;
    unsigned n;
    tern_model *back = malloc(sizeof *back);
    if (back == NULL) abort();
    for (unsigned kind = 0; kind < 4; ++kind) {
        for (n = 0, status = TERN_ERR_MEMORY; status == TERN_ERR_MEMORY && n < 1000; ++n) {
            failing f = { n, 0 };
            tern_arena arena;
            const uint8_t *bytes;
            size_t written;
            tern_diags_init(&diags);
            tern_arena_init(&arena, (tern_alloc){ failing_fn, &f }, 0);
            if (kind == 0) status = tern_image_decode(image, size, "x.tern", &arena, back, &diags);
            else if (kind == 1) status = tern_image_encode(m, &arena, &bytes, &written);
            else if (kind == 2) status = tern_image_save(m, path, arena.alloc, &diags);
            else status = tern_image_load(path, &arena, back, &diags);
            if (status == TERN_ERR_MEMORY && kind != 1) CHECK(diags.n == 1 && diags.list[0].message[0] != 0);
            if (status != TERN_OK && kind != 1 && kind != 2) CHECK(back->net.rows == NULL && back->state == NULL);
            tern_arena_free(&arena);
            CHECK_EQ(f.live, 0);
        }
        CHECK_EQ(status, TERN_OK);
        CHECK(n > 1); /* it did fail before it succeeded */
    }
    unlink(path);
    free(back);
    /* an arena with a limit */
    tern_arena arena;
    tern_arena_init(&arena, tern_alloc_default(), 1000);
    const uint8_t *bytes;
    size_t written;
    CHECK_EQ(tern_image_encode(m, &arena, &bytes, &written), TERN_ERR_MEMORY);
    tern_arena_free(&arena);
}

int main(int argc, char **argv)
{
    char path[600];
    snprintf(path, sizeof path, "%s/damage_%ld.tern", argc > 1 ? argv[1] : ".", (long)getpid());
    /* 13: with a state, a data section, several populations; 4: without a state; 0: no inputs */
    /* 36: IW with a baseline per synapse and circuits, 41: GEM ... */
    static const uint64_t seeds[] = { 13, 4, 0, 35, 51, 36, 41 };
    for (unsigned i = 0; i < sizeof seeds / sizeof seeds[0]; ++i) {
        tern_arena arena;
        tern_model m;
        const uint8_t *image;
        size_t size;
        tern_arena_init(&arena, tern_alloc_default(), 0);
        CHECK(make(seeds[i], &arena, &m) != NULL);
        CHECK_EQ(tern_image_encode(&m, &arena, &image, &size), TERN_OK);
        printf("seed %llu: %zu bytes, %s state\n", (unsigned long long)seeds[i], size, m.state ? "with" : "without");
        damaged_and_cut(image, size, i == 0 ? 1 : 97);
        if (m.state != NULL) foreign_sections(image, size); /* for `S_V` to be there twice */
        versions(image, size);
        every_field(image, size);
        if (m.state != NULL) relations(image, size, &m);
        rule_and_circuits(image, size, &m);
        fuzz(image, size, seeds[i] + 1, 3000);
        memory_runs_out(image, size, &m, path);
        tern_arena_free(&arena);
    }
    return tern_check_report("image.damage");
}
