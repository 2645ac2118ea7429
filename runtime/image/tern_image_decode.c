/* tern_image_decode.c : image bytes to model
 * SPDX-License-Identifier: Apache-2.0
 *
 * Order of the checks: header, section table (so that every byte of the file is accounted for), checksums, sizes of the
 * sections against the counts they must have, fields, then relations. Memory is taken only after the bytes that justify
 * it were seen in the file.
 */
#include "tern_file_internal.h"
#include "tern_image_layout.h"
#include <inttypes.h>
#include <string.h>
#include <zlib.h>

typedef struct decoder {
    const uint8_t *bytes;
    size_t size;
    const char *file;
    tern_arena *arena;
    tern_diags *diags;
    tern_status status; /* of the first failure */
    struct {
        bool found;
        size_t at, size;
    } section[TERN__N_SECTIONS];
} decoder;

/* Reports in the decoder's context; false for `return`. */
#define REFUSE(d, status_, code, key, hint, ...) \
    do { \
        (d)->status = status_; \
        tern_diag *refuse_g = tern_diags_add((d)->diags, TERN_SEV_ERROR, code, (d)->file, 0, key, __VA_ARGS__); \
        if ((hint)[0] != 0) tern_diag_hint(refuse_g, "%s", hint); \
        return false; \
    } while (0)

static bool no_memory(decoder *d) { REFUSE(d, TERN_ERR_MEMORY, 320, "", "", "not enough memory for this image"); }

/* What helps whoever gave another kind of file: `n` bytes of it, at most 8. */
static const char *other_file(const uint8_t *p, size_t n)
{
    static const struct {
        const char *begin;
        size_t bytes;
        const char *hint;
    } kinds[] = {
        { "PK\003\004", 4,
          "is it an archive of weights? 'tern import NET.lua FILE -o OUT.tern' makes an image of one" },
        { "\211HDF", 4, "is it a file of weights? 'tern import NET.lua FILE -o OUT.tern' makes an image of one" },
    };
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; ++i)
        if (n >= kinds[i].bytes && memcmp(p, kinds[i].begin, kinds[i].bytes) == 0) return kinds[i].hint;
    return "images are written by tern compile and tern train";
}

static bool check_header(decoder *d)
{
    const uint8_t *p = d->bytes;
    const size_t magic = d->size < 8 ? d->size : 8;
    if (magic == 0 || memcmp(p, TERN_IMAGE_MAGIC, magic) != 0)
        REFUSE(d, TERN_ERR_FORMAT, 303, "header", other_file(p, magic), "not a Tern image: %s",
               magic == 0 ? "the file is empty" : "the first 8 bytes are not 89 54 45 52 4e 0d 0a 1a");
    if (d->size < TERN_IMAGE_HEADER_BYTES)
        REFUSE(d, TERN_ERR_TRUNCATED, 305, "header", "", "the file ends at byte %zu, the header needs %u bytes",
               d->size, TERN_IMAGE_HEADER_BYTES);
    const unsigned major = (unsigned)tern__get_le(p + 8, 2), minor = (unsigned)tern__get_le(p + 10, 2);
    if (major != TERN_IMAGE_MAJOR)
        REFUSE(d, TERN_ERR_VERSION, 304, "header",
               "compile (and train) the script again, or use the version of tern that wrote it",
               "at byte 8: format version %u.%u, this tern reads %u.x%s", major, minor, TERN_IMAGE_MAJOR,
               major == 1 ? "; version 1 knows neither rules other than GEM nor winner-take-all circuits" : "");
    const unsigned n = (unsigned)tern__get_le(p + 12, 4);
    if (n < 1 || n > TERN_IMAGE_MAX_SECTIONS)
        REFUSE(d, TERN_ERR_FORMAT, 307, "header", "", "at byte 12: %u sections, allowed 1 to %u", n,
               TERN_IMAGE_MAX_SECTIONS);
    const uint64_t total = tern__get_le(p + 16, 8);
    if (d->size < total)
        REFUSE(d, TERN_ERR_TRUNCATED, 305, "header", "copy the file again",
               "the file ends at byte %zu, its header says %" PRIu64, d->size, total);
    if (d->size > total)
        REFUSE(d, TERN_ERR_FORMAT, 305, "header", "", "the file is longer than its header says, %" PRIu64 " bytes",
               total);
    if (total < TERN_IMAGE_HEADER_BYTES + n * TERN_IMAGE_ENTRY_BYTES)
        REFUSE(d, TERN_ERR_TRUNCATED, 305, "header", "",
               "the file ends at byte %" PRIu64 ", the table of %u sections needs %u", total, n,
               TERN_IMAGE_HEADER_BYTES + n * TERN_IMAGE_ENTRY_BYTES);
    static const uint8_t zero[4] = { 0 };
    uLong crc = crc32_z(0, p, 24);
    crc = crc32_z(crc, zero, 4); /* the checksum's own field counts as 0 */
    crc = crc32_z(crc, p + 28, TERN_IMAGE_HEADER_BYTES - 28 + n * TERN_IMAGE_ENTRY_BYTES);
    if (crc != tern__get_le(p + 24, 4))
        REFUSE(d, TERN_ERR_CHECKSUM, 306, "header", "copy the file again",
               "at byte 24: header and section table have the checksum 0x%08lx, found 0x%08" PRIx64, crc,
               tern__get_le(p + 24, 4));
    if (tern__get_le(p + 28, 4) != 0)
        REFUSE(d, TERN_ERR_FORMAT, 307, "header", "", "at byte 28: reserved word 0x%08" PRIx64 ", allowed 0",
               tern__get_le(p + 28, 4));
    return true;
}

static bool check_padding(decoder *d, const char *name, size_t at, size_t end)
{
    for (; at < end; ++at)
        if (d->bytes[at] != 0)
            REFUSE(d, TERN_ERR_FORMAT, 317, name, "copy the file again", "at byte %zu: padding 0x%02x, allowed 0", at,
                   d->bytes[at]);
    return true;
}

static bool check_table(decoder *d)
{
    const unsigned n = (unsigned)tern__get_le(d->bytes + 12, 4);
    size_t at = TERN_IMAGE_HEADER_BYTES + n * TERN_IMAGE_ENTRY_BYTES;
    for (unsigned i = 0; i < n; ++i) {
        const size_t entry_at = TERN_IMAGE_HEADER_BYTES + i * TERN_IMAGE_ENTRY_BYTES;
        const uint8_t *entry = d->bytes + entry_at;
        char name[9] = "";
        unsigned length = 0;
        while (length < 8 && ((entry[length] >= 'A' && entry[length] <= 'Z') ||
                              (entry[length] >= '0' && entry[length] <= '9') || entry[length] == '_')) {
            name[length] = (char)entry[length];
            ++length;
        }
        for (unsigned k = length; k < 8; ++k)
            if (entry[k] != 0 || length == 0)
                REFUSE(d, TERN_ERR_FORMAT, 307, "section table", "",
                       "at byte %zu: byte 0x%02x in the name of section %u, allowed A-Z, 0-9, '_'", entry_at + k,
                       entry[k], i);
        for (unsigned k = 0; k < i; ++k)
            if (memcmp(d->bytes + TERN_IMAGE_HEADER_BYTES + k * TERN_IMAGE_ENTRY_BYTES, entry, 8) == 0)
                REFUSE(d, TERN_ERR_FORMAT, 307, name, "", "at byte %zu: sections %u and %u have this name", entry_at, k,
                       i);
        const uint64_t offset = tern__get_le(entry + 8, 8), size = tern__get_le(entry + 16, 8),
                       flags = tern__get_le(entry + 28, 4);
        if (flags & ~(uint64_t)TERN_IMAGE_MANDATORY)
            REFUSE(d, TERN_ERR_FORMAT, 307, name, "", "at byte %zu: flags 0x%08" PRIx64 ", allowed 0 and 1",
                   entry_at + 28, flags);
        if (offset != at)
            REFUSE(d, TERN_ERR_FORMAT, 307, name, "", "at byte %zu: offset %" PRIu64 ", allowed %zu", entry_at + 8,
                   offset, at);
        if (size > d->size - at)
            REFUSE(d, TERN_ERR_FORMAT, 307, name, "",
                   "at byte %zu: size %" PRIu64 ", the file has %zu bytes from %zu on", entry_at + 16, size,
                   d->size - at, at);
        const size_t end = at + (size_t)size, next = tern__align8(end);
        if (next > d->size)
            REFUSE(d, TERN_ERR_FORMAT, 307, name, "",
                   "at byte %zu: the section ends at %zu, without padding to a multiple of 8", entry_at + 16, end);
        if (!check_padding(d, name, end, next)) return false;
        const uLong crc = crc32_z(0, d->bytes + at, (size_t)size), wanted = (uLong)tern__get_le(entry + 24, 4);
        if (crc != wanted)
            REFUSE(d, TERN_ERR_CHECKSUM, 310, name, "copy the file again",
                   "bytes %zu to %zu have the checksum 0x%08lx, the table says 0x%08lx", at, end, crc, wanted);
        unsigned id = 0;
        while (id < TERN__N_SECTIONS && strcmp(tern__sections[id].name, name) != 0) ++id;
        if (id < TERN__N_SECTIONS) {
            d->section[id].found = true;
            d->section[id].at = at;
            d->section[id].size = (size_t)size;
        } else if (flags & TERN_IMAGE_MANDATORY)
            REFUSE(d, TERN_ERR_VERSION, 309, name, "use the version of tern that wrote it",
                   "at byte %zu: a mandatory section that this tern does not know", entry_at);
        at = next;
    }
    if (at != d->size)
        REFUSE(d, TERN_ERR_FORMAT, 307, "section table", "", "the sections end at byte %zu, the file at %zu", at,
               d->size);
    const unsigned first_state = TERN__SEC_STATE;
    for (unsigned id = 0; id < TERN__N_SECTIONS; ++id) {
        const bool wanted = id < first_state || d->section[first_state].found;
        if (wanted && !d->section[id].found)
            REFUSE(d, TERN_ERR_FORMAT, 308, tern__sections[id].name, "", "the section is missing%s",
                   id < first_state ? "" : ", the file has a STATE");
        if (!wanted && d->section[id].found)
            REFUSE(d, TERN_ERR_FORMAT, 308, "STATE", "", "the section is missing, the file has %s",
                   tern__sections[id].name);
    }
    return true;
}

/* The section must hold exactly `count` records. */
static bool check_size(decoder *d, tern__section_id id, uint64_t count)
{
    const tern__section *s = &tern__sections[id];
    if (count * s->record_bytes != d->section[id].size) /* count <= 2^27 */
        REFUSE(d, TERN_ERR_FORMAT, 311, s->name, "",
               "at byte %zu: size %zu, allowed %" PRIu64 " (%" PRIu64 " records of %u bytes: %s)", d->section[id].at,
               d->section[id].size, count * s->record_bytes, count, s->record_bytes, s->count);
    return true;
}

static bool get_records(decoder *d, tern__section_id id, size_t count, void *to)
{
    const tern__section *s = &tern__sections[id];
    if (!check_size(d, id, count)) return false;
    for (size_t i = 0; i < count; ++i) {
        tern__field_fault fault;
        const size_t at = d->section[id].at + i * s->record_bytes;
        if (!tern__record_get(s, d->bytes + at, (uint8_t *)to + i * s->struct_bytes, &fault))
            REFUSE(d, TERN_ERR_FORMAT, 312, s->name, "", "at byte %zu: record %zu, %s: found %s, allowed %s",
                   at + fault.at, i, fault.field->name, fault.found, fault.allowed);
    }
    return true;
}

/* Same into the arena; NULL: failed. */
static void *get_array(decoder *d, tern__section_id id, size_t count)
{
    if (!check_size(d, id, count)) return NULL;
    void *to = tern_arena_get(d->arena, count, tern__sections[id].struct_bytes);
    if (to == NULL) {
        no_memory(d);
        return NULL;
    }
    return get_records(d, id, count, to) ? to : NULL;
}

/* Sections whose count follows from their size. */
static bool get_list(decoder *d, tern__section_id id, uint32_t lo, uint32_t hi, void *to, uint32_t *out_count)
{
    const tern__section *s = &tern__sections[id];
    const size_t count = d->section[id].size / s->record_bytes;
    if (d->section[id].size % s->record_bytes != 0 || count < lo || count > hi)
        REFUSE(d, TERN_ERR_FORMAT, 311, s->name, "", "at byte %zu: size %zu, allowed are %u to %u records of %u bytes",
               d->section[id].at, d->section[id].size, lo, hi, s->record_bytes);
    *out_count = (uint32_t)count;
    return get_records(d, id, count, to);
}

static bool get_network(decoder *d, tern_model *m)
{
    tern_net *n = &m->net;
    if (!get_records(d, TERN__SEC_MODEL, 1, m) || !get_records(d, TERN__SEC_NET, 1, n) ||
        !get_records(d, TERN__SEC_LEARN, 1, n))
        return false;
    if ((n->filter_taps = get_array(d, TERN__SEC_TAPS, (size_t)n->n_filters * n->taps_d)) == NULL) return false;
    if ((n->sig_f16 = get_array(d, TERN__SEC_SIG, TERN_SIG_ENTRIES)) == NULL) return false;
    if ((n->softplus_f12 = get_array(d, TERN__SEC_SP, TERN_SIG_ENTRIES)) == NULL) return false;
    if ((n->exp_f16 = get_array(d, TERN__SEC_EXP, TERN_EXP_ENTRIES)) == NULL) return false;
    if ((n->log_f12 = get_array(d, TERN__SEC_LOG, TERN_LOG_ENTRIES)) == NULL) return false;
    if ((n->neurons = get_array(d, TERN__SEC_NEURONS, n->n_neurons)) == NULL) return false;
    if ((n->rows = get_array(d, TERN__SEC_ROWS, n->n_rows)) == NULL) return false;
    if ((n->ek0 = get_array(d, TERN__SEC_EK0, n->lags_w)) == NULL) return false;
    if ((n->kap_f15 = get_array(d, TERN__SEC_KAP, n->lags_w)) == NULL) return false;
    if ((n->weights0 = get_array(d, TERN__SEC_WEIGHTS, n->n_weights)) == NULL) return false;
    if ((n->bias0_f12 = get_array(d, TERN__SEC_BIAS, n->n_neurons)) == NULL) return false;
    if ((n->self0_f12 = get_array(d, TERN__SEC_SELF, n->n_neurons)) == NULL) return false;
    m->n_filters = n->n_filters;
    return get_list(d, TERN__SEC_POPS, 1, TERN_MAX_POPULATIONS, m->populations, &m->n_populations) &&
           get_records(d, TERN__SEC_FILTERS, m->n_filters, m->filters) && get_records(d, TERN__SEC_RULE, 1, &m->rule) &&
           get_records(d, TERN__SEC_DATA, 1, &m->data) &&
           get_list(d, TERN__SEC_PARTS, 0, TERN_MAX_PARTS, m->data.parts, &m->data.n_parts);
}

static bool get_state(decoder *d, tern_model *m)
{
    /* the state's own, so that the model may be copied and moved */
    tern_net *n = tern_arena_get(d->arena, 1, sizeof *n);
    tern_state *st = tern_arena_get(d->arena, 1, sizeof *st);
    if (n == NULL || st == NULL) return no_memory(d);
    *n = m->net;
    tern_state head = { .net = NULL };
    if (!get_records(d, TERN__SEC_STATE, 1, &head)) return false;
    const uint64_t k = head.n_samples;
    const size_t baselines = tern_net_baselines(n);
    const uint64_t neurons_pos = n->n_neurons_pos, errors = (uint64_t)n->n_neurons * k * n->lags_w;
    if (!check_size(d, TERN__SEC_S_WEIGHT, n->n_weights) || !check_size(d, TERN__SEC_S_BIAS, n->n_neurons) ||
        !check_size(d, TERN__SEC_S_SELF, n->n_neurons) || !check_size(d, TERN__SEC_S_HISTI, n->n_inputs_pos) ||
        !check_size(d, TERN__SEC_S_HISTN, k * neurons_pos) || !check_size(d, TERN__SEC_S_ERR, errors) ||
        !check_size(d, TERN__SEC_S_BASE, baselines) || !check_size(d, TERN__SEC_S_BASEW, baselines))
        return false;
    const size_t bytes = tern_state_bytes(n, (uint32_t)k);
    void *memory = bytes == 0 ? NULL : tern_arena_get(d->arena, bytes, 1);
    if (memory == NULL) return no_memory(d);
    const tern_status status = tern_state_init(st, n, memory, bytes, (uint32_t)k, head.seed);
    if (status != TERN_OK)
        REFUSE(d, status, 315, "STATE", "", "the state cannot be built: %s", tern_status_text(status));
    st->k0 = head.k0;
    st->step = head.step;
    st->lag_head = head.lag_head;
    st->pending = head.pending;
    st->sat = head.sat;
    st->comm = head.comm;
    if (!get_records(d, TERN__SEC_S_WEIGHT, n->n_weights, st->weights) ||
        !get_records(d, TERN__SEC_S_BIAS, n->n_neurons, st->bias_f12) ||
        !get_records(d, TERN__SEC_S_SELF, n->n_neurons, st->self_f12) ||
        !get_records(d, TERN__SEC_S_EK, n->lags_w, st->ek) ||
        !get_records(d, TERN__SEC_S_HISTI, n->n_inputs_pos, st->hist_in) ||
        !get_records(d, TERN__SEC_S_HISTN, (size_t)(k * neurons_pos), st->hist_neuron) ||
        !get_records(d, TERN__SEC_S_ERR, (size_t)errors, st->errors_f15) ||
        !get_records(d, TERN__SEC_S_V, (size_t)k, st->v_f12) || !get_records(d, TERN__SEC_S_M, (size_t)k, st->m_f14) ||
        !get_records(d, TERN__SEC_S_W, (size_t)k, st->w_f12) ||
        !get_records(d, TERN__SEC_S_BASE, baselines, st->base_f12) ||
        !get_records(d, TERN__SEC_S_BASEW, baselines, st->base_weight) ||
        !get_records(d, TERN__SEC_S_LOSS, (size_t)k, st->loss_f12) ||
        !get_records(d, TERN__SEC_S_SPIKE, (size_t)(k * (neurons_pos / 32)), st->spikes) ||
        !get_records(d, TERN__SEC_S_SPIKEI, n->n_inputs_pos / 32, st->spikes_in))
        return false;
    char message[256];
    const char *section = "STATE";
    if (!tern__state_check(m, st, message, sizeof message, &section))
        REFUSE(d, TERN_ERR_FORMAT, 315, section, "", "%s", message);
    m->state = st;
    return true;
}

static bool decode(decoder *d, tern_model *m)
{
    if (!check_header(d) || !check_table(d) || !get_network(d, m)) return false;
    const char *what = NULL;
    const tern_status status = tern_net_check(&m->net, &what);
    if (status != TERN_OK)
        REFUSE(d, status, 314, "network", "", "the network breaks a rule: %s",
               what != NULL ? what : tern_status_text(status));
    char message[256];
    const char *section = "";
    if (!tern__model_check(m, message, sizeof message, &section))
        REFUSE(d, TERN_ERR_FORMAT, 313, section, "", "%s", message);
    uint8_t digest[32];
    if (tern__layout_digest(m, digest) != TERN_OK || memcmp(digest, d->bytes + 32, 32) != 0)
        REFUSE(d, TERN_ERR_FORMAT, 316, "header", "", "at byte 32: the layout hash is not that of the sections");
    return !d->section[TERN__SEC_STATE].found || get_state(d, m);
}

tern_status tern_image_decode(const uint8_t *bytes, size_t size, const char *file, tern_arena *arena,
                              tern_model *out_model, tern_diags *diags)
{
    decoder d = { .bytes = bytes, .size = size, .file = file, .arena = arena, .diags = diags, .status = TERN_OK };
    memset(out_model, 0, sizeof *out_model);
    if (decode(&d, out_model)) return TERN_OK;
    memset(out_model, 0, sizeof *out_model); /* nothing half-decoded is left to use */
    return d.status;
}

/* How much of a file to read: nothing more if it is not an image, else one byte beyond what the header says. */
static uint64_t wanted(const uint8_t *head, size_t size)
{
    if (memcmp(head, TERN_IMAGE_MAGIC, size < 8 ? size : 8) != 0) return 0;
    if (size < TERN_IMAGE_HEADER_BYTES) return UINT64_MAX;
    const uint64_t total = tern__get_le(head + 16, 8);
    return total < UINT64_MAX ? total + 1 : total;
}

tern_status tern_image_load(const char *path, tern_arena *arena, tern_model *out_model, tern_diags *diags)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    memset(out_model, 0, sizeof *out_model);
    tern_status status = tern__file_read_head(path, TERN_IMAGE_MAX_BYTES, wanted, arena->alloc, &bytes, &size, diags);
    if (status != TERN_OK) return status;
    status = tern_image_decode(bytes, size, path, arena, out_model, diags);
    if (bytes != NULL) arena->alloc.fn(arena->alloc.ud, bytes, 0);
    return status;
}
