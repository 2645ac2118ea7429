/* tern_cli_train_log.c : the log of a training, one JSON object per presentation
 * SPDX-License-Identifier: Apache-2.0
 *
 * Nothing in it depends on the machine or the time of day, so the log of a resumed training equals that of an uninterrupted one.
 */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include "tern/file.h"
#include "tern_cli_train.h"

#define LOG_MAX_BYTES ((uint64_t)1 << 30)

json_t *tern_train_saturations(const tern_sat_counts *s)
{
    return json_pack("{s:I, s:I, s:I, s:I, s:I}", "weight", (json_int_t)s->weight, "local", (json_int_t)s->local, "potential", (json_int_t)s->potential,
                     "coefficient", (json_int_t)s->coefficient, "logprob", (json_int_t)s->logprob);
}

/* Number of the presentation that a log line tells of; 0: the line is not one of a log. */
static json_int_t presentation_of(const char *line, size_t n)
{
    json_t *object = json_loadb(line, n, 0, NULL);
    const json_int_t p = json_integer_value(json_object_get(object, "presentation"));
    json_decref(object);
    return p;
}

/* Keeps the lines of presentations 1..done: those after it were written between the last checkpoint and a crash. */
static tern_status cut_back(const char *path, uint32_t done, tern_diags *diags)
{
    const tern_alloc alloc = tern_alloc_default();
    uint8_t *bytes = NULL;
    size_t size = 0;
    tern_status s = tern_file_read(path, LOG_MAX_BYTES, alloc, &bytes, &size, diags);
    if (s != TERN_OK) return s;
    tern_file_writer w;
    s = tern_file_begin(&w, path, diags);
    for (size_t at = 0; s == TERN_OK && at < size;) {
        const char *line = (const char *)bytes + at;
        const char *end = memchr(line, '\n', size - at);
        const size_t n = end == NULL ? size - at : (size_t)(end - line);
        const json_int_t p = presentation_of(line, n);
        if (end != NULL && p >= 1 && p <= (json_int_t)done) fwrite(line, 1, n + 1, w.f);
        at += n + 1;
    }
    if (s == TERN_OK) s = tern_file_commit(&w, diags);
    if (bytes != NULL) alloc.fn(alloc.ud, bytes, 0);
    return s;
}

static tern_status fault(const char *path, tern_diags *diags)
{
    tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, 114, path, 0, "--log", "the log cannot be written: %s", strerror(errno)), "check its folder, its rights and the space left");
    return TERN_ERR_IO;
}

/* A log, or nothing that could be lost: no such file, an empty one, a pipe or a terminal. */
static bool is_log(const char *path)
{
    static const char begin[] = "{\"presentation\":";
    char head[sizeof begin - 1];
    struct stat info;
    if (stat(path, &info) != 0 || !S_ISREG(info.st_mode) || info.st_size == 0) return true;
    FILE *f = fopen(path, "rb");
    if (f == NULL) return true; /* opening it for writing will tell why */
    const size_t n = fread(head, 1, sizeof head, f);
    fclose(f);
    return memcmp(head, begin, n) == 0;
}

tern_status tern_train_log_open(const char *path, bool resume, uint32_t done, FILE **out_file, tern_diags *diags)
{
    *out_file = NULL;
    FILE *there = resume ? fopen(path, "rb") : NULL;
    if (there != NULL) { /* a training without log may be resumed with one */
        fclose(there);
        const tern_status s = cut_back(path, done, diags);
        if (s != TERN_OK) return s;
    }
    if (!resume && !is_log(path)) {
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, 114, path, 0, "--log", "there is a file of this name that is no log of a training"), "delete it, or choose another name");
        return TERN_ERR_IO;
    }
    *out_file = fopen(path, resume ? "ab" : "wb");
    return *out_file != NULL ? TERN_OK : fault(path, diags);
}

tern_status tern_train_log_write(FILE *file, const char *path, const tern_train_line *line, tern_diags *diags)
{
    json_t *o = json_pack("{s:I, s:I, s:I, s:i, s:o, s:o, s:o, s:o, s:o}", "presentation", (json_int_t)line->presentation, "step", (json_int_t)line->step,
                          "recording", (json_int_t)line->recording, "label", (int)line->label, "eta", tern_cli_real(line->eta), "log_loss",
                          tern_cli_real(line->log_loss), "log_loss_iw", tern_cli_real(line->log_loss_iw), "hidden_rate", tern_cli_real(line->hidden_rate),
                          "saturations", tern_train_saturations(&line->saturations));
    if (o == NULL) return TERN_ERR_MEMORY;
    if (tern_cli_print_json(o, file) && fflush(file) == 0) return TERN_OK;
    return fault(path, diags);
}
