/* tern_image_layout.h : what lies where in an image, as tables (docs/20-image-format.md)
 * SPDX-License-Identifier: Apache-2.0
 *
 * Encoder, decoder, layout hash, the documentation's tables and their test all read these tables, so that no offset is
 * written twice.
 * Internal to image/ and its tests, but for tern__image_is().
 */
#ifndef TERN_IMAGE_LAYOUT_H
#define TERN_IMAGE_LAYOUT_H
#include "tern/image.h"

#define TERN_IMAGE_MAGIC "\x89TERN\r\n\x1a" /* 8 bytes; a transfer in text mode breaks it visibly */
/* Do these `size` bytes begin as an image does? */
bool tern__image_is(const uint8_t *bytes, size_t size);
#define TERN_IMAGE_MAJOR 2u
#define TERN_IMAGE_MINOR 0u
#define TERN_IMAGE_HEADER_BYTES 64u
#define TERN_IMAGE_ENTRY_BYTES 32u /* of the section table  */
#define TERN_IMAGE_MAX_SECTIONS 64u
#define TERN_IMAGE_MAX_BYTES ((uint64_t)1 << 30)
#define TERN_IMAGE_MANDATORY 1u    /* section flag, bit 0 */
#define TERN_IMAGE_MAX_RECORD 272u /* bytes of the longest record */

typedef enum tern__field_type {
    TERN__U8,
    TERN__U16,
    TERN__U32,
    TERN__U64,
    TERN__I16,
    TERN__I32,
    TERN__F64,
    TERN__NAME,  /* text: letters, digits, '_', begins with a letter; zero-filled, last byte 0 */
    TERN__HEX,   /* text: 64 lower-case hexadecimal digits, or all zero: unknown               */
    TERN__WORD,  /* text: lower-case letters, digits, '-', '_', '.'; zero-filled, last byte 0  */
    TERN__MAKER, /* text: who wrote the image; printable, zero-filled; not part of a model     */
    TERN__ZERO   /* reserved bytes, 0                                                          */
} tern__field_type;

typedef struct tern__field {
    const char *name;
    uint8_t type;    /* tern__field_type                          */
    uint8_t bytes;   /* of texts and reserved bytes               */
    uint16_t at;     /* byte within the record                    */
    uint16_t repeat; /* consecutive elements in record and struct */
    size_t member;   /* offset in the C struct                    */
    double lo, hi;   /* allowed, both included; not used for U64 and texts */
} tern__field;

/* In file order. */
/* clang-format off */
#define TERN__SECTION_MAP(XX) \
    XX(MODEL) XX(NET) XX(LEARN) XX(TAPS) XX(SIG) XX(SP) XX(EXP) XX(LOG) XX(NEURONS) XX(ROWS) XX(EK0) XX(KAP) \
    XX(WEIGHTS) XX(BIAS) XX(SELF) \
    XX(POPS) XX(FILTERS) XX(RULE) XX(DATA) XX(PARTS) \
    XX(STATE) XX(S_WEIGHT) XX(S_BIAS) XX(S_SELF) XX(S_EK) XX(S_HISTI) XX(S_HISTN) XX(S_ERR) XX(S_V) XX(S_M) XX(S_W) \
    XX(S_BASE) XX(S_BASEW) XX(S_LOSS) XX(S_SPIKE) XX(S_SPIKEI)
/* clang-format on */

typedef enum tern__section_id {
#define XX(name) TERN__SEC_##name,
    TERN__SECTION_MAP(XX)
#undef XX
        TERN__N_SECTIONS
} tern__section_id;

typedef struct tern__section {
    const char *name;  /* at most 8 characters */
    const char *count; /* records, in words    */
    const tern__field *fields;
    uint16_t n_fields;
    uint16_t record_bytes;
    uint16_t struct_bytes; /* step of the array in C */
} tern__section;

extern const tern__section tern__sections[TERN__N_SECTIONS];

/* Where a model holds the records of each section. count of the state's sections is 0 without a state. */
typedef struct tern__binding {
    const void *at;
    size_t count;
} tern__binding;
void tern__image_bind(const tern_model *model, tern__binding out[TERN__N_SECTIONS]);

/* A field that is out of range. */
typedef struct tern__field_fault {
    const tern__field *field;
    uint32_t at; /* byte within the record      */
    char found[64];
    char allowed[96];
} tern__field_fault;

/* One record from a C struct to bytes, and back; both check every field. False: `fault` (may be NULL) is filled.
 * Padding is written as 0. */
bool tern__record_put(const tern__section *s, const void *object, uint8_t *to, tern__field_fault *fault);
bool tern__record_get(const tern__section *s, const uint8_t *from, void *object, tern__field_fault *fault);

/* What the tables cannot say: relations between fields. Expects that every record passed and that tern_net_check() was
 * fine. The message names what was found and what is allowed; `out_section` is the section to blame. */
bool tern__model_check(const tern_model *model, char *message, size_t bytes, const char **out_section);
/* Same for a state of the model's network. */
bool tern__state_check(const tern_model *model, const tern_state *st, char *message, size_t bytes,
                       const char **out_section);
/* SHA-256 of the layout, 32 bytes. */
tern_status tern__layout_digest(const tern_model *model, uint8_t out[32]);

static inline void tern__put_le(uint8_t *p, uint64_t v, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; ++i) p[i] = (uint8_t)(v >> (8 * i));
}
static inline uint64_t tern__get_le(const uint8_t *p, unsigned bytes)
{
    uint64_t v = 0;
    for (unsigned i = 0; i < bytes; ++i) v |= (uint64_t)p[i] << (8 * i);
    return v;
}
static inline size_t tern__align8(size_t n) { return (n + 7) & ~(size_t)7; }
#endif /* TERN_IMAGE_LAYOUT_H */
