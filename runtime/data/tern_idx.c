/* tern_idx.c : images of an IDX file move before the simulated camera (docs/38-formats.md, docs/30-data.md section 4)
 * SPDX-License-Identifier: Apache-2.0
 *
 * IDX: two bytes 0, type (8: bytes), number of dimensions; their sizes, 4 bytes each, big-endian; the values, last
 * dimension fastest. Images have three dimensions (images, rows, columns), labels one.
 */
#include "tern_idx.h"
#include "tern/simulate.h"
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { IMAGES_HEADER = 16, LABELS_HEADER = 8 };

/* ---- files ---- */

static tern_status bad_file(const char *path, const tern__source *src, tern_diags *d, const char *what)
{
    if (src->status == TERN_ERR_MEMORY) return TERN_ERR_MEMORY;
    if (src->status != TERN_OK) {
        tern_diag_hint(tern_diags_add(d, TERN_SEV_ERROR, TERN_DATA_COMPRESSION, path, 0, NULL,
                                      "the compressed content is damaged or ends too early near byte %llu",
                                      (unsigned long long)src->raw_pos),
                       "copy the file again");
        return src->status;
    }
    tern_diag_hint(tern_diags_add(d, TERN_SEV_ERROR, TERN_DATA_DAMAGED, path, 0, NULL, "%s", what),
                   "copy the file again");
    return TERN_ERR_TRUNCATED;
}

/* Header of a file with `dims` dimensions of bytes. */
static tern_status header(tern__source *src, const char *path, unsigned dims, uint32_t size[3], tern_diags *d)
{
    const uint8_t *p;
    const size_t bytes = 4 + 4 * (size_t)dims, have = tern__source_peek(src, bytes, &p);
    if (have < 4) return bad_file(path, src, d, "the file ends within the header");
    if (p[0] != 0 || p[1] != 0 || p[2] != 8 || p[3] != dims) {
        tern_diag_hint(tern_diags_add(d, TERN_SEV_ERROR, TERN_DATA_KIND, path, 0, NULL,
                                      "begins with %02x %02x %02x %02x; %s begin with 00 00 08 0%u", p[0], p[1], p[2],
                                      p[3], dims == 3 ? "images of bytes" : "labels", dims),
                       dims == 3 ? "give the file of images; labels are found next to it" : "give a file of labels");
        return TERN_ERR_FORMAT;
    }
    if (have < bytes) return bad_file(path, src, d, "the file ends within the header");
    for (unsigned i = 0; i < dims; ++i) size[i] = tern__be32(p + 4 + 4 * i);
    return TERN_OK;
}

/* Opens a file, gzip or not. */
static tern_status open_source(const char *path, tern__base *base, tern__source *src, tern_alloc alloc, tern_diags *d)
{
    uint8_t first[2];
    const tern_status st = tern__base_open(base, path, d);
    if (st != TERN_OK) return st;
    const bool gzip = tern__base_get(base, 0, first, 2) && first[0] == 0x1f && first[1] == 0x8b;
    return tern__source_open(src, base, 0, base->size, gzip ? TERN__GZIP : TERN__PLAIN, alloc);
}

static tern_status check_size(const char *path, const uint32_t size[3], tern_diags *d)
{
    if (size[0] != 0 && size[1] >= 1 && size[1] <= TERN_SIM_MAX_IMAGE && size[2] >= 1 && size[2] <= TERN_SIM_MAX_IMAGE)
        return TERN_OK;
    tern_diag_hint(tern_diags_add(d, TERN_SEV_ERROR, TERN_DATA_KIND, path, 0, NULL,
                                  "holds %u images of %u x %u pixels; allowed: at least one, rows and columns 1 to %u",
                                  size[0], size[1], size[2], TERN_SIM_MAX_IMAGE),
                   "the file is damaged, or holds something else");
    return TERN_ERR_FORMAT;
}

tern_status tern__idx_open(tern__idx *x, const char *path, tern_alloc alloc, tern_diags *diags)
{
    uint32_t size[3];
    *x = (tern__idx){ .base = { .fd = -1 } };
    snprintf(x->path, sizeof x->path, "%s", path);
    tern_status st = open_source(path, &x->base, &x->src, alloc, diags);
    if (st == TERN_OK) st = header(&x->src, path, 3, size, diags);
    if (st == TERN_OK) st = check_size(path, size, diags);
    if (st != TERN_OK) return st;
    x->n = size[0];
    x->rows = size[1];
    x->columns = size[2];
    return TERN_OK;
}

void tern__idx_close(tern__idx *x)
{
    tern__source_close(&x->src);
    tern__base_close(&x->base);
}

tern_status tern__idx_image(tern__idx *x, uint32_t k, uint8_t *out, tern_diags *diags)
{
    const size_t bytes = (size_t)x->rows * x->columns;
    char text[80];
    tern__source_seek(&x->src, IMAGES_HEADER + (uint64_t)k * bytes);
    if (tern__source_get(&x->src, out, bytes)) return TERN_OK;
    snprintf(text, sizeof text, "the file ends before image %u of %u is complete", k, x->n);
    return bad_file(x->path, &x->src, diags, text);
}

/* "t10k-images-idx3-ubyte.gz" to "t10k-labels-idx1-ubyte.gz", then without and with ".gz"; false: there is none. */
static bool labels_beside(const char *images, char out[1024])
{
    const char *slash = strrchr(images, '/'), *name = slash == NULL ? images : slash + 1,
               *word = strstr(name, "images");
    if (word == NULL || strlen(images) >= 1000) return false;
    const size_t before = (size_t)(word - images);
    char *idx;
    memcpy(out, images, before);
    memcpy(out + before, "labels", 6);
    snprintf(out + before + 6, 1024 - before - 6, "%s", word + 6);
    if ((idx = strstr(out + before, "idx3")) != NULL) idx[3] = '1';
    struct stat st;
    if (stat(out, &st) == 0) return true;
    const size_t n = strlen(out);
    if (n > 3 && strcmp(out + n - 3, ".gz") == 0) out[n - 3] = 0;
    else memcpy(out + n, ".gz", 4);
    return stat(out, &st) == 0;
}

tern_status tern__idx_labels(const char *images, const char *labels, uint32_t n_images, uint32_t first, uint32_t n,
                             bool warn, tern_arena *arena, int32_t **out, tern_diags *diags)
{
    char beside[1024];
    int32_t *list = *out = tern_arena_get(arena, n, sizeof *list);
    if (list == NULL) return TERN_ERR_MEMORY;
    for (uint32_t i = 0; i < n; ++i) list[i] = -1;
    if (labels == NULL && (images == NULL || !labels_beside(images, beside))) return TERN_OK;
    const char *path = labels != NULL ? labels : beside;
    tern__base base = { .fd = -1 };
    tern__source src = { 0 };
    uint32_t size[3] = { 0 };
    tern_status st = open_source(path, &base, &src, arena->alloc, diags);
    if (st == TERN_OK) st = header(&src, path, 1, size, diags);
    if (st == TERN_OK && size[0] < n_images) {
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, TERN_DATA_DAMAGED, path, 0, NULL,
                                      "holds %u labels for %u images", size[0], n_images),
                       "give the labels that belong to the images");
        st = TERN_ERR_FORMAT;
    }
    if (st == TERN_OK && size[0] > n_images && warn) /* a subset of the images, or another file's labels */
        tern__labels_differ(path, size[0], n_images, "images", diags);
    if (st == TERN_OK) tern__source_seek(&src, LABELS_HEADER + (uint64_t)first);
    for (uint32_t i = 0; st == TERN_OK && i < n; ++i) {
        uint8_t v;
        if (tern__source_get(&src, &v, 1)) list[i] = v;
        else st = bad_file(path, &src, diags, "the labels end too early");
    }
    tern__source_close(&src);
    tern__base_close(&base);
    return st;
}

/* ---- as a recording format ---- */

typedef struct reader {
    tern_arena arena;
    tern_recording rec;
    size_t next;
} reader;

static bool detect(const uint8_t *b, size_t n, uint64_t size)
{
    (void)size;
    return n >= 8 && b[0] == 0 && b[1] == 0 && b[2] == 8 && (b[3] == 1 || b[3] == 3);
}

/* Labels of images first .. first+n-1 of the stream's file. */
static tern_status labels_of(tern_stream *s, uint32_t n_images, uint32_t first, uint32_t n, bool warn,
                             tern_arena *arena, int32_t **out, tern_diags *d)
{
    return tern__idx_labels(s->from_memory ? NULL : s->path, NULL, n_images, first, n, warn, arena, out, d);
}

static tern_status open_file(tern_stream *s, bool *selected, tern_diags *d)
{
    reader *r = s->state;
    uint32_t size[3];
    tern_arena_init(&r->arena, s->alloc, 0);
    const char *path = s->path != NULL ? s->path : "";
    tern_status st = header(&s->src, path, 3, size, d);
    if (st == TERN_OK) st = check_size(path, size, d);
    if (st != TERN_OK) return st;
    const uint64_t k = s->sel.kind == TERN__SAMPLE ? s->sel.sample : 0;
    if ((s->sel.kind != TERN__SAMPLE && size[0] != 1) || k >= size[0] || s->sel.group[0] != 0 ||
        k >= TERN_SIM_MAX_SAMPLES) {
        tern_diag_hint(tern__stream_error(s, d, TERN_DATA_SELECTION,
                                          "holds %u images: one of the first %u must be named", size[0],
                                          TERN_SIM_MAX_SAMPLES),
                       "the first one is %.200s#0", path);
        return TERN_ERR_ARGUMENT;
    }
    *selected = s->sel.kind == TERN__SAMPLE;
    const size_t bytes = (size_t)size[1] * size[2];
    uint8_t *pixels = tern_arena_get(&r->arena, bytes, 1);
    if (pixels == NULL) return TERN_ERR_MEMORY;
    tern__source_seek(&s->src, IMAGES_HEADER + k * bytes);
    if (!tern__source_get(&s->src, pixels, bytes))
        return bad_file(path, &s->src, d, "the file ends before the image is complete");
    int32_t *label;
    tern_sim_settings set;
    tern_sim_defaults(&set);
    set.seed = 1;
    st = labels_of(s, size[0], (uint32_t)k, 1, false, &r->arena, &label, d);
    if (st == TERN_OK) st = tern_sim_image(&set, pixels, size[1], size[2], (uint32_t)k, &r->arena, &r->rec, d);
    if (st != TERN_OK) return st;
    s->info.label = *label;
    s->info.width = r->rec.width;
    s->info.height = r->rec.height;
    return TERN_OK;
}

static tern_status read_events(tern_stream *s, tern_event *out, size_t room, size_t *out_n, tern_diags *d)
{
    (void)d;
    reader *r = s->state;
    const size_t left = r->rec.n_events - r->next, n = left < room ? left : room;
    if (n != 0) memcpy(out, r->rec.events + r->next, n * sizeof *out);
    r->next += n;
    *out_n = n;
    return TERN_OK;
}

static void close_file(tern_stream *s)
{
    reader *r = s->state;
    if (r->arena.alloc.fn != NULL) tern_arena_free(&r->arena);
}

/* A damaged header must not name images that cannot be there: a list of them would take much memory. Deflate makes at
 * most 1032 bytes of one. */
static tern_status check_count(const tern_stream *s, const char *path, const uint32_t size[3], tern_diags *d)
{
    const uint64_t bytes = IMAGES_HEADER + (uint64_t)size[0] * size[1] * size[2],
                   have = s->src.raw_end - s->src.raw_begin;
    if (bytes <= (s->src.codec == TERN__PLAIN ? have : have * 1032)) return TERN_OK;
    tern_diag_hint(tern_diags_add(d, TERN_SEV_ERROR, TERN_DATA_DAMAGED, path, 0, NULL,
                                  "%u images of %u x %u pixels do not fit the file", size[0], size[1], size[2]),
                   "copy the file again");
    return TERN_ERR_TRUNCATED;
}

static tern_status samples(tern_stream *s, tern_arena *arena, tern__samples *out, tern_diags *d)
{
    uint32_t size[3];
    const char *path = s->path != NULL ? s->path : "";
    tern_status st = header(&s->src, path, 3, size, d);
    if (st == TERN_OK) st = check_size(path, size, d);
    if (st == TERN_OK) st = check_count(s, path, size, d);
    if (st != TERN_OK) return st;
    out->n = size[0] < TERN_SIM_MAX_SAMPLES ? size[0] : TERN_SIM_MAX_SAMPLES;
    return labels_of(s, size[0], 0, (uint32_t)out->n, true, arena, &out->labels, d);
}

const tern__format tern__format_idx = { .name = "idx",
                                        .suffixes = { ".idx", "-ubyte" },
                                        .state_bytes = sizeof(reader),
                                        .detect = detect,
                                        .open = open_file,
                                        .read = read_events,
                                        .close = close_file,
                                        .samples = samples };
