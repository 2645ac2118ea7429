/* tern_cli_train_log.c : the log of a training: a head, then one JSON object per presentation and per validation
 * SPDX-License-Identifier: Apache-2.0
 *
 * Nothing in it depends on the machine or the time of day, so the log of a resumed training equals that of an uninterrupted one.
 */
#include <inttypes.h>
#include <string.h>
#include "tern/file.h"
#include "tern_cli_train.h"

#define LOG_MAX_BYTES ((uint64_t)1 << 30)
static const char begin[] = "{\"training\":";

json_t *tern_train_saturations(const tern_sat_counts *s)
{
    return tern_json_pack("{s:I, s:I, s:I, s:I, s:I, s:I}", "weight", (json_int_t)s->weight, "local",
                          (json_int_t)s->local, "potential", (json_int_t)s->potential, "coefficient",
                          (json_int_t)s->coefficient, "logprob", (json_int_t)s->logprob, "modulator",
                          (json_int_t)s->modulator);
}

static tern_status write_line(json_t *o, FILE *file, const char *path, tern_diags *diags)
{
    return tern_cli_print_json(o, file) && fflush(file) == 0 ? TERN_OK : tern_cli_log_fault(path, "--log", diags);
}

/* ---- the head ---------------------------------------------------------------------- */

static json_t *head_json(const tern_train_head *h)
{
    const tern_validation *v = h->validation;
    char digest[17];
    snprintf(digest, sizeof digest, "%016" PRIx64, h->data);
    json_t *o = tern_json_pack("{s:s, s:s, s:I, s:I, s:I, s:s}", "training", h->model->name, "engine", h->engine,
                               "samples", (json_int_t)h->samples, "seed", (json_int_t)h->seed, "recordings",
                               (json_int_t)h->recordings, "data", digest);
    if (o == NULL || !v->on) return o;
    json_t *held = tern_json_list();
    for (uint32_t i = 0; i < v->n_held; ++i) tern_json_add(held, json_integer(v->held[i]));
    tern_json_put(o, "held_out", held);
    tern_json_put(o, "validate_every", json_integer(v->every));
    tern_json_put(o, "metric", tern_json_text(tern_validation_metric_name(v->metric)));
    return o;
}

/* ---- resuming -------------------------------------------------------------------------- */

static tern_status check_head(const json_t *line, const tern_train_head *h, const char *path, tern_diags *diags)
{
    const char *found = json_string_value(json_object_get(line, "data"));
    char digest[17];
    snprintf(digest, sizeof digest, "%016" PRIx64, h->data);
    if (found == NULL || strcmp(found, digest) == 0) return TERN_OK;
    tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, 116, path, 1, "--data", "the training so far was on other recordings: %lld with digest %.20s, these are %u with digest %s",
                                  (long long)json_integer_value(json_object_get(line, "recordings")), found, h->recordings, digest),
                   "give the same recordings, or start again without --resume");
    return TERN_ERR_DATA;
}

/* Keeps the head and the lines up to the checkpoint: later ones were written between it and a crash. */
static tern_status cut_back(const char *path, const tern_train_head *head, uint32_t presentations, uint32_t validated, tern_diags *diags)
{
    const tern_alloc alloc = tern_alloc_default();
    uint8_t *bytes = NULL;
    size_t size = 0;
    tern_status s = tern_file_read(path, LOG_MAX_BYTES, alloc, &bytes, &size, diags);
    if (s != TERN_OK) return s;
    tern_file_writer w;
    tern_file_sweep(path);
    s = tern_file_begin(&w, path, diags);
    for (size_t at = 0; s == TERN_OK && at < size;) {
        const char *line = (const char *)bytes + at;
        const char *end = memchr(line, '\n', size - at);
        const size_t n = end == NULL ? size - at : (size_t)(end - line);
        json_t *object = json_loadb(line, n, 0, NULL);
        const json_int_t p = json_integer_value(json_object_get(object, "presentation")), v = json_integer_value(json_object_get(object, "validation"));
        const bool is_head = at == 0 && json_object_get(object, "training") != NULL;
        if (is_head) s = check_head(object, head, path, diags);
        json_decref(object);
        if (end != NULL && (is_head || (p >= 1 && p <= (json_int_t)presentations) || (v >= 1 && v <= (json_int_t)validated))) fwrite(line, 1, n + 1, w.f);
        at += n + 1;
    }
    if (s == TERN_OK) s = tern_file_commit(&w, diags);
    else tern_file_abort(&w);
    if (bytes != NULL) alloc.fn(alloc.ud, bytes, 0);
    return s;
}

tern_status tern_train_log_open(const char *path, const tern_train_head *head, bool resume, uint32_t presentations, uint32_t validated, FILE **out_file, tern_diags *diags)
{
    *out_file = NULL;
    FILE *there = resume ? fopen(path, "rb") : NULL;
    if (there != NULL) {
        const bool empty = fgetc(there) == EOF;
        fclose(there);
        if (!empty) {
            const tern_status s = cut_back(path, head, presentations, validated, diags);
            if (s != TERN_OK) return s;
            *out_file = fopen(path, "ab");
            return *out_file != NULL ? TERN_OK : tern_cli_log_fault(path, "--log", diags);
        }
    }
    const tern_status s = tern_cli_log_create(path, "--log", begin, out_file, diags); /* a training without log may be resumed with one */
    return s == TERN_OK ? write_line(head_json(head), *out_file, path, diags) : s;
}

/* ---- lines ---------------------------------------------------------------------------------- */

tern_status tern_train_log_write(FILE *file, const char *path, const tern_train_line *line, tern_diags *diags)
{
    json_t *o = tern_json_pack("{s:I, s:I, s:I, s:i, s:o, s:o, s:o, s:o, s:o, s:{s:o, s:o}}", "presentation",
                               (json_int_t)line->presentation, "step", (json_int_t)line->step, "recording",
                               (json_int_t)line->recording, "label", (int)line->label, "eta", tern_json_real(line->eta),
                               "log_loss", tern_json_real(line->log_loss), "log_loss_iw",
                               tern_json_real(line->log_loss_iw), "hidden_rate", tern_json_real(line->hidden_rate),
                               "saturations", tern_train_saturations(&line->saturations), "communication", "unicast",
                               tern_json_real(line->unicast), "broadcast", tern_json_real(line->broadcast));
    if (line->distance == line->distance) tern_json_put(o, "distance", tern_json_real(line->distance));
    return write_line(o, file, path, diags);
}

tern_status tern_train_log_validated(FILE *file, const char *path, const tern_validated *line, const tern_validation *v, tern_diags *diags)
{
    json_t *o = tern_json_pack("{s:I, s:o, s:o, s:o, s:b, s:o, s:I}", "validation", (json_int_t)line->presentations,
                               "log_loss", tern_json_real(line->log_loss), "log_loss_iw",
                               tern_json_real(line->log_loss_iw), "accuracy", tern_json_real(line->accuracy), "improved",
                               (int)line->improved, "best", tern_json_real(v->best), "best_at", (json_int_t)v->best_at);
    if (line->distance == line->distance) tern_json_put(o, "distance", tern_json_real(line->distance));
    return write_line(o, file, path, diags);
}
