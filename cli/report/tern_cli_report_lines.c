/* tern_cli_report_lines.c : reads and checks files of JSON lines: the log of a training, the lines of an evaluation
 * SPDX-License-Identifier: Apache-2.0
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "tern_cli_report.h"
#include "tern_errors.h"

enum { ROWS_FIRST = 1024, SAMPLES_MAX = 256, NAME_MAX_BYTES = 255, VOTES_MAX = 1 << 24 };

/* ---- lines --------------------------------------------------------------------------------------- */

tern_status tern_lines_open(tern_lines *l, const char *path, tern_arena *arena, tern_diags *diags)
{
    struct stat info;
    *l = (tern_lines){ .path = path, .diags = diags, .buffer = tern_arena_get(arena, TERN_LINE_BYTES + 2, 1) };
    if (l->buffer == NULL) return l->status = TERN_ERR_MEMORY;
    const bool regular = stat(path, &info) != 0 || S_ISREG(info.st_mode); /* opening a pipe would wait for its writer */
    if (regular) l->file = fopen(path, "rb");
    if (l->file != NULL) return TERN_OK;
    tern_diags_add(diags, TERN_SEV_ERROR, TERN_ERROR_READ, path, 0, NULL, "%s",
                   regular ? strerror(errno) : "this is not a regular file");
    return l->status = TERN_ERR_IO;
}

void tern_lines_close(tern_lines *l)
{
    json_decref(l->object);
    if (l->file != NULL) fclose(l->file);
    l->object = NULL;
    l->file = NULL;
}

void tern_lines_wrong(tern_lines *l, const char *key, const char *format, ...)
{
    if (l->status != TERN_OK) return;
    char text[320];
    va_list ap;
    va_start(ap, format);
    vsnprintf(text, sizeof text, format, ap);
    va_end(ap);
    l->status = TERN_ERR_FORMAT;
    tern_diag_hint(
        tern_diags_add(l->diags, TERN_SEV_ERROR, TERN_ERROR_LINES_DAMAGED, l->path, l->number, key, "%s", text),
        "remove the line, or make the file again");
}

static bool too_much(tern_lines *l, const char *what)
{
    l->status = TERN_ERR_LIMIT;
    tern_diags_add(l->diags, TERN_SEV_ERROR, TERN_ERROR_LINES_TOO_MANY, l->path, l->number, NULL, "%s", what);
    return false;
}

bool tern_lines_next(tern_lines *l)
{
    json_decref(l->object);
    l->object = NULL;
    if (l->status != TERN_OK) return false;
    size_t n = 0;
    int c;
    while ((c = getc(l->file)) != EOF && c != '\n' && n <= TERN_LINE_BYTES) l->buffer[n++] = (char)c;
    if (c == EOF && ferror(l->file)) {
        l->status = TERN_ERR_IO;
        tern_diags_add(l->diags, TERN_SEV_ERROR, TERN_ERROR_READ, l->path, l->number + 1, NULL,
                       "the file cannot be read: %s", strerror(errno));
        return false;
    }
    if (c == EOF && n == 0) return false;
    if (++l->number > TERN_LINES_MAX + 1) return too_much(l, "more than 1,000,000 lines");
    if (n > TERN_LINE_BYTES) return too_much(l, "a line of more than 1 MiB");
    json_error_t error;
    l->object = tern_json_load(l->buffer, n, JSON_REJECT_DUPLICATES, &error);
    if (l->object == NULL && tern_json_faults() != 0) l->status = TERN_ERR_MEMORY;
    else if (l->object == NULL) tern_lines_wrong(l, NULL, "no JSON: %.200s", error.text);
    else if (!json_is_object(l->object)) tern_lines_wrong(l, NULL, "JSON, but no object");
    return l->status == TERN_OK;
}

static const json_t *member(tern_lines *l, const json_t *in, const char *key)
{
    const json_t *v = json_object_get(in, key);
    if (v == NULL) tern_lines_wrong(l, key, "the member is missing");
    return v;
}

int64_t tern_lines_whole(tern_lines *l, const json_t *in, const char *key, int64_t lo, int64_t hi)
{
    const json_t *v = member(l, in, key);
    if (v != NULL && json_is_integer(v) && json_integer_value(v) >= lo && json_integer_value(v) <= hi)
        return json_integer_value(v);
    if (json_is_integer(v))
        tern_lines_wrong(l, key, "%lld is not in %lld..%lld", (long long)json_integer_value(v), (long long)lo,
                         (long long)hi);
    else tern_lines_wrong(l, key, "no whole number");
    return lo > 0 ? lo : 0;
}

double tern_lines_real(tern_lines *l, const json_t *in, const char *key, double lo, double hi, bool or_null)
{
    const json_t *v = member(l, in, key);
    if (or_null && json_is_null(v)) return NAN;
    const double x = json_number_value(v);
    if (json_is_number(v) && x >= lo && x <= hi) return x;
    if (json_is_number(v)) tern_lines_wrong(l, key, "%g is not in %g..%g", x, lo, hi);
    else tern_lines_wrong(l, key, or_null ? "neither a number nor null" : "no number");
    return 0;
}

const char *tern_lines_text(tern_lines *l, const json_t *in, const char *key)
{
    const json_t *v = member(l, in, key);
    if (json_is_string(v)) return json_string_value(v);
    tern_lines_wrong(l, key, "no text");
    return "";
}

/* ---- lists that grow ------------------------------------------------------------------------------- */

/* Room for one more element; doubles in the arena. */
static void *room_for(void *list, size_t n, size_t size, tern_arena *arena)
{
    if (n != 0 && (n < ROWS_FIRST || (n & (n - 1)) != 0)) return list;
    void *more = tern_arena_get(arena, n == 0 ? ROWS_FIRST : 2 * n, size);
    if (more != NULL && n != 0) memcpy(more, list, n * size);
    return more;
}

static tern_status not_this_kind(tern_lines *l, const char *what, const char *how)
{
    if (l->status != TERN_OK && l->status != TERN_ERR_FORMAT) return l->status;
    l->status = TERN_ERR_FORMAT;
    tern_diag_hint(
        tern_diags_add(l->diags, TERN_SEV_ERROR, TERN_ERROR_LINES_KIND, l->path, 1, NULL, "the file is no %s", what),
        "%s", how);
    return l->status;
}

static tern_status of_another(tern_lines *l, const char *key, const char *found, const char *wanted)
{
    l->status = TERN_ERR_DATA;
    tern_diag_hint(tern_diags_add(l->diags, TERN_SEV_ERROR, TERN_ERROR_LINES_OTHER, l->path, l->number, key,
                                  "found %.80s, the image has %.80s: the file is of another network", found, wanted),
                   "give the file that was written for this image");
    return l->status;
}

/* ---- the log ----------------------------------------------------------------------------------------- */

/* Is the image one that this log's training wrote? It was written after its last presentation or, with validation,
 * after one that improved (or, if none is there yet, before). Text of a contradiction in `out`, empty if there is none.
 * An image of more presentations than the log may be of the same training, gone on with without a log. */
static void contradiction(const tern_model *m, const tern_report_log *g, char *out, size_t bytes)
{
    const uint32_t done = m->presentations_done, last = g->n == 0 ? 0 : g->lines[g->n - 1].presentation;
    out[0] = 0;
    if (m->state == NULL) {
        if (last != 0) snprintf(out, bytes, "the log has %u presentations, the image is not trained", last);
        return;
    }
    if (g->samples != m->state->n_samples)
        snprintf(out, bytes, "the log belongs to a training with %u samples, the image of one with %u", g->samples,
                 m->state->n_samples);
    else if (g->seed != m->state->seed)
        snprintf(out, bytes, "the log belongs to a training with seed %" PRIu64 ", the image of one with seed %" PRIu64,
                 g->seed, m->state->seed);
    if (out[0] != 0) return;
    for (size_t i = 0; i < g->n; ++i) /* presentations are equally long */
        if ((uint64_t)g->lines[i].step * done != (uint64_t)g->lines[i].presentation * m->state->step) {
            snprintf(out, bytes, "the log has %u steps in %u presentations, the image %u in %u", g->lines[i].step,
                     g->lines[i].presentation, m->state->step, done);
            return;
        }
    bool written = done >= last || (g->n_validated != 0 && done < g->validated[0].presentations);
    for (size_t i = 0; i < g->n_validated && !written; ++i)
        written = g->validated[i].improved && g->validated[i].presentations == done;
    if (!written)
        snprintf(out, bytes, "the log continues to presentation %u, the image is of %u%s", last, done,
                 g->metric == NULL ? "" : " and of no validation that improved");
}

tern_status tern_report_check_log(const char *path, const tern_model *model, const tern_report_log *g, bool named,
                                  bool *out_fits, tern_diags *diags)
{
    char why[200];
    const uint32_t last = g->n == 0 ? 0 : g->lines[g->n - 1].presentation;
    uint64_t digest = 0;
    contradiction(model, g, why, sizeof why);
    const tern_status s = why[0] == 0 && g->digest != 0 ? tern_network_digest(model, &digest) : TERN_OK;
    if (s != TERN_OK) return s;
    if (digest != 0 && digest != g->digest)
        snprintf(why, sizeof why,
                 "the log is of the network with digest %016" PRIx64 ", the image of that with %016" PRIx64, g->digest,
                 digest);
    *out_fits = why[0] == 0;
    if (!*out_fits) {
        tern_diag_hint(tern_diags_add(diags, named ? TERN_SEV_ERROR : TERN_SEV_WARNING, TERN_ERROR_LINES_OTHER, path, 1,
                                      NULL, "%s: the log belongs to another training%s", why,
                                      named ? "" : " and is not used"),
                       "give the log of this training with --log, or train again with --log; after a training that was "
                       "stopped `tern train --resume` brings log and image together");
        return named ? TERN_ERR_DATA : TERN_OK;
    }
    if (model->state != NULL && last < model->presentations_done)
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_WARNING, TERN_ERROR_LINES_GAP, path, 0, NULL,
                                      "the image is of %u presentations, the log ends after %u: the rest was trained "
                                      "without a log, or this is an older log",
                                      model->presentations_done, last),
                       "the page shows the log as it is, and says so");
    if (g->n_missing != 0)
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_WARNING, TERN_ERROR_LINES_GAP, path, 0, NULL,
                                      "%u presentations up to %u are missing in the log, the first is %u", g->n_missing,
                                      last, g->first_missing),
                       "the page shows the log as it is, and says so");
    return TERN_OK;
}

static void read_head(tern_lines *l, const tern_model *model, tern_arena *arena, tern_report_log *g)
{
    const json_t *o = l->object;
    g->network = tern_arena_strdup(arena, tern_lines_text(l, o, "training"));
    g->engine = tern_arena_strdup(arena, tern_lines_text(l, o, "engine"));
    g->samples = (uint32_t)tern_lines_whole(l, o, "samples", 1, TERN_MAX_SAMPLES);
    g->seed = (uint64_t)tern_lines_whole(l, o, "seed", 0, INT64_MAX);
    g->recordings = (uint32_t)tern_lines_whole(l, o, "recordings", 1, 1 << 28);
    if (json_object_get(o, "network") != NULL) {
        const char *text = tern_lines_text(l, o, "network");
        char *end;
        g->digest = strtoull(text, &end, 16);
        if (*end != 0 || strlen(text) != 16) tern_lines_wrong(l, "network", "no digest of 16 hexadecimal digits");
    }
    const json_t *held = json_object_get(o, "held_out");
    if (held != NULL) {
        if (!json_is_array(held) || json_array_size(held) >= g->recordings)
            tern_lines_wrong(l, "held_out", "no list of less than %u recordings", g->recordings);
        g->n_held = (uint32_t)json_array_size(held);
        g->metric = tern_arena_strdup(arena, tern_lines_text(l, o, "metric"));
    }
    if (g->network == NULL || g->engine == NULL || (held != NULL && g->metric == NULL)) l->status = TERN_ERR_MEMORY;
    if (l->status == TERN_OK && strcmp(g->network, model->name) != 0)
        of_another(l, "training", g->network, model->name);
}

static void read_presentation(tern_lines *l, const tern_train_line *last, tern_train_line *p)
{
    const json_t *o = l->object, *sat = json_object_get(o, "saturations"), *comm = json_object_get(o, "communication");
    *p = (tern_train_line){ .distance = NAN };
    p->presentation = (uint32_t)tern_lines_whole(l, o, "presentation", 1, UINT32_MAX);
    p->step = (uint32_t)tern_lines_whole(l, o, "step", 1, UINT32_MAX);
    p->recording = (uint32_t)tern_lines_whole(l, o, "recording", 0, 1 << 28);
    p->label = (int32_t)tern_lines_whole(l, o, "label", -1, INT32_MAX);
    p->eta = tern_lines_real(l, o, "eta", 0, 1e30, false);
    p->log_loss = tern_lines_real(l, o, "log_loss", -1e30, 1e30, true);
    p->log_loss_iw = tern_lines_real(l, o, "log_loss_iw", -1e30, 1e30, true);
    if (json_object_get(o, "distance") != NULL) p->distance = tern_lines_real(l, o, "distance", 0, 1e30, true);
    p->hidden_rate = tern_lines_real(l, o, "hidden_rate", 0, 1, false);
    p->unicast = tern_lines_real(l, comm, "unicast", 0, 1e30, true);
    p->broadcast = tern_lines_real(l, comm, "broadcast", 0, 1e30, true);
    p->saturations = (tern_sat_counts){ .weight = (uint64_t)tern_lines_whole(l, sat, "weight", 0, INT64_MAX),
                                        .local = (uint64_t)tern_lines_whole(l, sat, "local", 0, INT64_MAX),
                                        .potential = (uint64_t)tern_lines_whole(l, sat, "potential", 0, INT64_MAX),
                                        .coefficient = (uint64_t)tern_lines_whole(l, sat, "coefficient", 0, INT64_MAX),
                                        .logprob = (uint64_t)tern_lines_whole(l, sat, "logprob", 0, INT64_MAX),
                                        .modulator = (uint64_t)tern_lines_whole(l, sat, "modulator", 0, INT64_MAX) };
    if (last != NULL && (p->presentation <= last->presentation || p->step < last->step))
        tern_lines_wrong(l, "presentation", "presentation %u, step %u comes after presentation %u, step %u",
                         p->presentation, p->step, last->presentation, last->step);
}

static void read_validation(tern_lines *l, const tern_validated *last, tern_validated *v)
{
    const json_t *o = l->object, *improved = json_object_get(o, "improved");
    *v = (tern_validated){ .distance = NAN };
    v->presentations = (uint32_t)tern_lines_whole(l, o, "validation", 1, UINT32_MAX);
    v->log_loss = tern_lines_real(l, o, "log_loss", -1e30, 1e30, true);
    v->log_loss_iw = tern_lines_real(l, o, "log_loss_iw", -1e30, 1e30, true);
    v->accuracy = tern_lines_real(l, o, "accuracy", 0, 1, true);
    if (json_object_get(o, "distance") != NULL) v->distance = tern_lines_real(l, o, "distance", 0, 1e30, true);
    if (!json_is_boolean(improved)) tern_lines_wrong(l, "improved", "neither true nor false");
    v->improved = json_is_true(improved);
    if (last != NULL && v->presentations <= last->presentations)
        tern_lines_wrong(l, "validation", "validation %u comes after validation %u", v->presentations,
                         last->presentations);
}

tern_status tern_report_read_log(const char *path, const tern_model *model, tern_arena *arena, tern_report_log *out,
                                 tern_diags *diags)
{
    tern_lines l;
    *out = (tern_report_log){ .there = true };
    tern_lines_open(&l, path, arena, diags);
    if (l.status == TERN_OK && (!tern_lines_next(&l) || json_object_get(l.object, "training") == NULL)) {
        if (l.status != TERN_ERR_FORMAT)
            not_this_kind(&l, "log of tern train", "name the file that `tern train --log` wrote");
    } else if (l.status == TERN_OK) read_head(&l, model, arena, out);
    while (tern_lines_next(&l)) {
        const bool validation = json_object_get(l.object, "validation") != NULL;
        if (validation) {
            out->validated = room_for(out->validated, out->n_validated, sizeof *out->validated, arena);
            if (out->validated == NULL) l.status = TERN_ERR_MEMORY;
            else {
                read_validation(&l, out->n_validated != 0 ? &out->validated[out->n_validated - 1] : NULL,
                                &out->validated[out->n_validated]);
                ++out->n_validated;
            }
        } else {
            out->lines = room_for(out->lines, out->n, sizeof *out->lines, arena);
            if (out->lines == NULL) l.status = TERN_ERR_MEMORY;
            else {
                const uint32_t before = out->n != 0 ? out->lines[out->n - 1].presentation : 0;
                read_presentation(&l, out->n != 0 ? &out->lines[out->n - 1] : NULL, &out->lines[out->n]);
                /* trained without a log in between, or lost lines */
                if (l.status == TERN_OK && out->lines[out->n].presentation - before > 1) {
                    if (out->n_missing == 0) out->first_missing = before + 1;
                    out->n_missing += out->lines[out->n].presentation - before - 1;
                }
                ++out->n;
            }
        }
    }
    tern_lines_close(&l);
    return l.status;
}

/* ---- the lines of an evaluation -------------------------------------------------------------------------- */

static void read_votes(tern_lines *l, tern_arena *arena, uint32_t n_classes, tern_report_line *r)
{
    const json_t *o = l->object, *votes = json_object_get(o, "votes");
    char found[40], wanted[40];
    if (!json_is_array(votes)) tern_lines_wrong(l, "votes", "no list");
    if (l->status != TERN_OK) return;
    if (json_array_size(votes) != n_classes) {
        snprintf(found, sizeof found, "votes for %zu classes", json_array_size(votes));
        snprintf(wanted, sizeof wanted, "%u classes", n_classes);
        of_another(l, "votes", found, wanted);
        return;
    }
    r->votes = tern_arena_get(arena, n_classes, sizeof *r->votes);
    if (r->votes == NULL) {
        l->status = TERN_ERR_MEMORY;
        return;
    }
    uint64_t sum = 0;
    for (uint32_t c = 0; c < n_classes; ++c) {
        const json_t *v = json_array_get(votes, c);
        if (!json_is_integer(v) || json_integer_value(v) < 0 || json_integer_value(v) > r->samples)
            tern_lines_wrong(l, "votes", "entry %u is not a whole number in 0..%u", c, r->samples);
        else sum += r->votes[c] = (uint32_t)json_integer_value(v);
    }
    if (sum != r->samples)
        tern_lines_wrong(l, "votes", "%llu votes of %u samples", (unsigned long long)sum, r->samples);
    r->decision = (uint32_t)tern_lines_whole(l, o, "decision", 0, (int64_t)n_classes - 1);
    for (uint32_t c = 0; c < n_classes && l->status == TERN_OK; ++c)
        if (r->votes[c] > r->votes[r->decision])
            tern_lines_wrong(l, "decision", "class %u has more votes than the decision %u", c, r->decision);
    r->entropy = tern_lines_real(l, o, "entropy", 0, log2(n_classes) + 1e-9, false);
    r->confidence = tern_lines_real(l, o, "confidence", 0, 1, false);
    r->confidence_votes = tern_lines_real(l, o, "confidence_votes", 0, 1, false);
    const json_t *right = json_object_get(o, "right");
    if (r->label < 0 ? !json_is_null(right)
                     : !json_is_boolean(right) || json_is_true(right) != (r->decision == (uint32_t)r->label))
        tern_lines_wrong(l, "right", "does not go with label %d and decision %u", r->label, r->decision);
}

static void read_recording(tern_lines *l, tern_arena *arena, uint32_t n_classes, tern_report_line *r)
{
    const json_t *o = l->object, *spikes = json_object_get(o, "spikes");
    const char *file = tern_lines_text(l, o, "file"), *slash = strrchr(file, '/');
    *r = (tern_report_line){ .entropy = NAN, .confidence = NAN, .confidence_votes = NAN, .distance = NAN };
    const char *name = slash != NULL ? slash + 1 : file;
    if (strlen(name) > NAME_MAX_BYTES)
        tern_lines_wrong(l, "file", "a name of %zu bytes, at most %d", strlen(name), NAME_MAX_BYTES);
    else if ((r->file = tern_arena_strdup(arena, name)) == NULL) l->status = TERN_ERR_MEMORY;
    r->recording = (uint32_t)tern_lines_whole(l, o, "recording", 0, 1 << 28);
    r->label = (int32_t)tern_lines_whole(l, o, "label", -1, INT32_MAX);
    r->samples = (uint32_t)tern_lines_whole(l, o, "samples", 1, SAMPLES_MAX);
    r->log_loss = tern_lines_real(l, o, "log_loss", -1e30, 1e30, true);
    r->log_loss_iw = tern_lines_real(l, o, "log_loss_iw", -1e30, 1e30, true);
    if (json_object_get(o, "distance") != NULL) r->distance = tern_lines_real(l, o, "distance", 0, 1e30, true);
    r->hidden = (uint64_t)tern_lines_whole(l, spikes, "hidden", 0, INT64_MAX);
    r->visible = (uint64_t)tern_lines_whole(l, spikes, "visible", 0, INT64_MAX);
    r->target = (uint64_t)tern_lines_whole(l, spikes, "target", 0, INT64_MAX);
    if (n_classes != 0) read_votes(l, arena, n_classes, r);
    else if (l->status == TERN_OK && json_object_get(o, "votes") != NULL)
        of_another(l, "votes", "votes", "no label population");
}

static int by_key(const void *a, const void *b)
{
    return (*(const uint64_t *)a > *(const uint64_t *)b) - (*(const uint64_t *)a < *(const uint64_t *)b);
}

/* A recording counts once: lines that are there twice would make intervals too narrow. Tells the first line that
 * repeats one. */
static void refuse_twice(tern_lines *l, tern_arena *arena, const tern_report_eval *e)
{
    /* recording in the upper half, index of the line in the lower one */
    uint64_t *keys = tern_arena_get(arena, e->n, sizeof *keys);
    size_t found = e->n, earlier = 0;
    if (keys == NULL) {
        l->status = TERN_ERR_MEMORY;
        return;
    }
    for (size_t i = 0; i < e->n; ++i) keys[i] = (uint64_t)e->lines[i].recording << 32 | i;
    qsort(keys, e->n, sizeof *keys, by_key);
    for (size_t i = 1; i < e->n; ++i) {
        const size_t line = keys[i] & UINT32_MAX;
        if (keys[i] >> 32 != keys[i - 1] >> 32 || line >= found) continue;
        found = line;
        earlier = keys[i - 1] & UINT32_MAX;
    }
    if (found == e->n) return;
    l->number = (int)found + 1; /* every line is a recording */
    tern_lines_wrong(l, "recording", "recording %u is in line %zu already", e->lines[found].recording, earlier + 1);
}

tern_status tern_report_read_eval(const char *path, const tern_model *model, tern_arena *arena, tern_report_eval *out,
                                  tern_diags *diags)
{
    tern_lines l;
    *out = (tern_report_eval){ .there = true };
    if (model->data.present && model->data.label_population >= 0)
        out->n_classes = model->populations[model->data.label_population].size;
    tern_lines_open(&l, path, arena, diags);
    for (bool first = true; tern_lines_next(&l); first = false) {
        if (first && (json_object_get(l.object, "recording") == NULL || json_object_get(l.object, "samples") == NULL)) {
            not_this_kind(&l, "file of tern eval", "name the file that `tern eval --per-recording` wrote");
            break;
        }
        out->lines = room_for(out->lines, out->n, sizeof *out->lines, arena);
        if (out->lines == NULL) {
            l.status = TERN_ERR_MEMORY;
            break;
        }
        if ((out->n + 1) * out->n_classes > VOTES_MAX) {
            too_much(&l, "more than 16,777,216 numbers of votes in all");
            break;
        }
        read_recording(&l, arena, out->n_classes, &out->lines[out->n]);
        ++out->n;
    }
    if (l.status == TERN_OK && out->n != 0) refuse_twice(&l, arena, out);
    if (l.status == TERN_OK && out->n == 0)
        not_this_kind(&l, "file of tern eval: it is empty", "name the file that `tern eval --per-recording` wrote");
    tern_lines_close(&l);
    return l.status;
}
