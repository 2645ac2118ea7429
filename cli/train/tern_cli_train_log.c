/* tern_cli_train_log.c : the log of a training: a head, then one JSON object per presentation and per validation
 * SPDX-License-Identifier: Apache-2.0
 *
 * Nothing in it depends on the machine or the time of day, so the log of a resumed training equals that of an
 * uninterrupted one.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include "tern/file.h"
#include "tern_errors.h"
#include "tern_opened.h"
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

static tern_status write_line(json_t *o, tern_train_log *log, tern_diags *diags)
{
    char *text = tern_cli_json_line(o);
    if (text == NULL) return tern_cli_log_fault(log->path, "--log", diags);
    if (fputs(text, log->file) >= 0 && fflush(log->file) == 0) {
        free(text);
        return TERN_OK;
    }
    free(log->lost);
    log->lost = text;
    return tern_cli_log_fault(log->path, "--log", diags);
}

tern_status tern_train_log_sync(tern_train_log *log, tern_diags *diags)
{
    if (log->file == NULL || log->lost != NULL) return TERN_OK;
    /* terminals and the like know no fsync */
    if (fsync(fileno(log->file)) == 0 || errno == EINVAL || errno == ENOTSUP || errno == EROFS) return TERN_OK;
    return tern_cli_log_fault(log->path, "--log", diags);
}

tern_status tern_train_log_keep_lost(const tern_train_log *log, tern_diags *diags)
{
    return log->lost == NULL ? TERN_OK : tern_file_write(log->lost_path, log->lost, strlen(log->lost), diags);
}

tern_status tern_train_log_close(tern_train_log *log, tern_diags *diags)
{
    FILE *file = log->file;
    free(log->lost);
    log->lost = NULL;
    log->file = NULL;
    return file == NULL || fclose(file) == 0 ? TERN_OK : tern_cli_log_fault(log->path, "--log", diags);
}

/* ---- the head ---------------------------------------------------------------------- */

enum { DIGEST_TEXT = 17 };
static const char *digest_text(uint64_t digest, char text[DIGEST_TEXT])
{
    snprintf(text, DIGEST_TEXT, "%016" PRIx64, digest);
    return text;
}

static json_t *head_json(const tern_train_head *h)
{
    const tern_validation *v = h->validation;
    char network[DIGEST_TEXT], data[DIGEST_TEXT];
    json_t *o = tern_json_pack("{s:s, s:s, s:s, s:I, s:I, s:I, s:s}", "training", h->model->name, "network",
                               digest_text(h->network, network), "engine", h->engine, "samples", (json_int_t)h->samples,
                               "seed", (json_int_t)h->seed, "recordings", (json_int_t)h->recordings, "data",
                               digest_text(h->data, data));
    if (o == NULL || !v->on) return o;
    json_t *held = tern_json_list();
    for (uint32_t i = 0; i < v->n_held; ++i) tern_json_add(held, json_integer(v->held[i]));
    tern_json_put(o, "held_out", held);
    tern_json_put(o, "validate_every", json_integer(v->every));
    tern_json_put(o, "metric", tern_json_text(tern_validation_metric_name(v->metric)));
    return o;
}

/* ---- resuming -------------------------------------------------------------------------- */

static tern_status other_log(const char *path, const char *what, const char *of, const char *here, tern_diags *diags)
{
    tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, TERN_ERROR_CHECKPOINT_OTHER, path, 1, "--log",
                                  "the log is of another training: its %s is %.40s, that of this one is %.40s", what,
                                  of, here),
                   "give the log of this training, or another name: a training may be continued with a new log");
    return TERN_ERR_DATA;
}

/* What a training keeps to its end. Heads of older versions lack `network`: they are taken as they are. */
static tern_status check_settings(const json_t *line, const json_t *here, const char *path, tern_diags *diags)
{
    static const struct {
        const char *key, *what;
    } kept[] = { { "training", "network" },
                 { "engine", "engine" },
                 { "network", "network's digest" },
                 { "samples", "number of samples" },
                 { "seed", "seed" },
                 { "held_out", "list of recordings held out" },
                 { "validate_every", "number of presentations between validations" },
                 { "metric", "metric" } };
    for (size_t i = 0; i < sizeof kept / sizeof *kept; ++i) {
        const json_t *of = json_object_get(line, kept[i].key), *now = json_object_get(here, kept[i].key);
        if ((of == NULL && now == NULL) || (of == NULL && strcmp(kept[i].key, "network") == 0)) continue;
        if (of != NULL && now != NULL && json_equal(of, now)) continue;
        const size_t flags = JSON_COMPACT | JSON_ENCODE_ANY;
        if (json_is_array(of) && json_is_array(now)) {
            char sizes[2][40];
            size_t at = 0;
            while (at < json_array_size(of) && json_equal(json_array_get(of, at), json_array_get(now, at))) ++at;
            snprintf(sizes[0], sizeof sizes[0], "%zu numbers", json_array_size(of));
            snprintf(sizes[1], sizeof sizes[1], "%zu, other ones from place %zu on", json_array_size(now), at);
            return other_log(path, kept[i].what, sizes[0], sizes[1], diags);
        }
        char *said[2] = { of == NULL ? NULL : tern_json_dump(of, flags),
                          now == NULL ? NULL : tern_json_dump(now, flags) };
        const tern_status s = other_log(path, kept[i].what, said[0] != NULL ? said[0] : "none",
                                        said[1] != NULL ? said[1] : "none", diags);
        free(said[0]);
        free(said[1]);
        return s;
    }
    return TERN_OK;
}

static tern_status check_head(const json_t *line, const tern_train_head *h, const char *path, tern_diags *diags)
{
    const char *found = json_string_value(json_object_get(line, "data"));
    char digest[DIGEST_TEXT];
    digest_text(h->data, digest);
    if (found == NULL || strcmp(found, digest) == 0) {
        json_t *here = head_json(h);
        const tern_status s = here == NULL ? TERN_ERR_MEMORY : check_settings(line, here, path, diags);
        json_decref(here);
        return s;
    }
    tern_diag_hint(
        tern_diags_add(
            diags, TERN_SEV_ERROR, TERN_ERROR_CHECKPOINT_OTHER, path, 1, "--data",
            "the training so far was on other recordings: %lld with digest %.20s, these are %u with digest %s",
            (long long)json_integer_value(json_object_get(line, "recordings")), found, h->recordings, digest),
        "give the same recordings, or start again without --resume");
    return TERN_ERR_DATA;
}

/* Where a resumed training stands, and how far the lines go that were kept. */
typedef struct kept {
    json_int_t presentations, validated; /* of the checkpoint */
    json_int_t presentation, validation; /* last ones kept */
} kept;

/* Copies the head and the lines up to the checkpoint: later ones were written between it and a crash. Lines that are
 * there already are not copied again. */
static tern_status keep_lines(const uint8_t *bytes, size_t size, kept *k, const tern_train_head *head, const char *path,
                              FILE *to, tern_diags *diags)
{
    json_error_t error;
    tern_status s = TERN_OK;
    for (size_t at = 0; s == TERN_OK && at < size;) {
        const char *line = (const char *)bytes + at;
        const char *end = memchr(line, '\n', size - at);
        const size_t n = end == NULL ? size - at : (size_t)(end - line);
        json_t *object = tern_json_load(line, n, 0, &error);
        if (tern_json_faults() != 0) return TERN_ERR_MEMORY;
        const json_int_t p = json_integer_value(json_object_get(object, "presentation"));
        const json_int_t v = json_integer_value(json_object_get(object, "validation"));
        const bool is_head = head != NULL && at == 0 && json_object_get(object, "training") != NULL;
        if (is_head) s = check_head(object, head, path, diags);
        json_decref(object);
        const bool made = p > k->presentation && p <= k->presentations;
        const bool judged = v > k->validation && v <= k->validated;
        if (end != NULL && (is_head || made || judged)) fwrite(line, 1, n + 1, to);
        if (end != NULL && made) k->presentation = p;
        if (end != NULL && judged) k->validation = v;
        at += n + 1;
    }
    return s;
}

static tern_status read_if_there(const char *path, uint8_t **bytes, size_t *size, tern_diags *diags)
{
    struct stat info;
    *bytes = NULL;
    *size = 0;
    if (stat(path, &info) != 0 && errno == ENOENT) return TERN_OK;
    return tern_file_read(path, LOG_MAX_BYTES, tern_alloc_default(), bytes, size, diags);
}

/* A head may be cut off, by a disk that was full. */
static bool has_head(const uint8_t *bytes, size_t size)
{
    json_error_t error;
    const uint8_t *end = size == 0 ? NULL : memchr(bytes, '\n', size);
    json_t *object = end == NULL ? NULL : tern_json_load((const char *)bytes, (size_t)(end - bytes), 0, &error);
    const bool has = json_object_get(object, "training") != NULL;
    json_decref(object);
    return has;
}

static tern_status put_head(const tern_train_head *head, const char *path, FILE *to, tern_diags *diags)
{
    char *text = tern_cli_json_line(head_json(head));
    if (text == NULL) return tern_cli_log_fault(path, "--log", diags);
    fputs(text, to); /* errors stay in ferror(), commit tells them */
    free(text);
    return TERN_OK;
}

/* Cuts the log back to the checkpoint, and puts in its place a line that could not be written when it was made. */
static tern_status cut_back(tern_train_log *log, const tern_train_head *head, kept *k, tern_diags *diags)
{
    const tern_alloc alloc = tern_alloc_default();
    uint8_t *bytes = NULL, *lost = NULL;
    size_t size = 0, lost_size = 0;
    tern_file_writer w = { .f = NULL };
    tern_status s = read_if_there(log->path, &bytes, &size, diags);
    if (s == TERN_OK) s = read_if_there(log->lost_path, &lost, &lost_size, diags);
    tern_file_sweep(log->path);
    if (s == TERN_OK) s = tern_file_begin(&w, log->path, diags);
    if (s == TERN_OK && !has_head(bytes, size))
        s = tern_json_faults() != 0 ? TERN_ERR_MEMORY : put_head(head, log->path, w.f, diags);
    if (s == TERN_OK) s = keep_lines(bytes, size, k, head, log->path, w.f, diags);
    if (s == TERN_OK) s = keep_lines(lost, lost_size, k, NULL, log->lost_path, w.f, diags);
    if (s == TERN_OK) s = tern_file_commit(&w, diags);
    else tern_file_abort(&w);
    if (s == TERN_OK) s = tern_file_remove(log->lost_path, diags);
    if (bytes != NULL) alloc.fn(alloc.ud, bytes, 0);
    if (lost != NULL) alloc.fn(alloc.ud, lost, 0);
    return s;
}

/* A training may continue with a log though a part of it was made without one: then lines are missing, for good. */
static void tell_gap(const tern_train_log *log, const kept *k, tern_diags *diags)
{
    const char *hint =
        "was a part trained without --log, or was the log restarted? A complete log needs a training without --resume";
    if (k->presentation == k->presentations) return;
    if (k->presentation == 0) {
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_WARNING, TERN_ERROR_LOG_GAP, log->path, 0, "--log",
                                      "the log begins now: presentations 1 to %lld are missing",
                                      (long long)k->presentations),
                       "%s", hint);
        return;
    }
    tern_diag_hint(
        tern_diags_add(diags, TERN_SEV_WARNING, TERN_ERROR_LOG_GAP, log->path, 0, "--log",
                       "the log ends with presentation %lld, the checkpoint is of %lld: those between are missing",
                       (long long)k->presentation, (long long)k->presentations),
        "%s", hint);
}

/* The lock beside a file is of its name, but the log is written where it is: a hard link is the same file by another
 * name. So the file itself is locked, too, before it is emptied. */
static tern_status lock_file(const tern_train_log *log, int fd, tern_diags *diags)
{
    const char *path = log->path;
    if (tern_opened(path)) return TERN_OK;
    if (flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return TERN_OK; /* or no locks here */
    tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, TERN_ERROR_OUTPUT_BUSY, path, 0, "--log",
                                  "another job is writing this file, by another of its names (a hard link)"),
                   "wait for it, end it, or give another name");
    return TERN_ERR_IO;
}

static tern_status open_file(tern_train_log *log, bool append, tern_diags *diags)
{
    struct stat info;
    const int fd = open(log->path, O_WRONLY | O_CREAT | O_CLOEXEC | (append ? O_APPEND : 0), 0666);
    if (fd < 0) return tern_cli_log_fault(log->path, "--log", diags);
    const bool file = fstat(fd, &info) == 0 && S_ISREG(info.st_mode);
    if (file && lock_file(log, fd, diags) != TERN_OK) {
        close(fd);
        return TERN_ERR_IO;
    }
    const bool empty = append || !file || ftruncate(fd, 0) == 0;
    log->file = empty ? fdopen(fd, append ? "ab" : "wb") : NULL;
    if (log->file != NULL) return TERN_OK;
    const tern_status s = tern_cli_log_fault(log->path, "--log", diags);
    close(fd);
    return s;
}

/* Is there something to cut back, or a line to put in its place? A terminal or a device is only written to. */
static bool is_begun(const tern_train_log *log)
{
    char first;
    return tern_file_exists(log->lost_path) ||
           (tern_file_exists(log->path) && tern_file_head(log->path, &first, 1) != 0);
}

tern_status tern_train_log_open(tern_train_log *log, const tern_train_head *head, bool resume, uint32_t presentations,
                                uint32_t validated, tern_diags *diags)
{
    kept k = { .presentations = resume ? presentations : 0, .validated = validated };
    struct stat info;
    tern_status s = tern_cli_log_check(log->path, "--log", begin, diags);
    const bool special = stat(log->path, &info) == 0 && !S_ISREG(info.st_mode), opened = tern_opened(log->path);
    if (s == TERN_OK && resume && !special && !opened && is_begun(log)) {
        const int old = open(log->path, O_RDONLY | O_CLOEXEC); /* cutting makes a new file */
        s = old < 0 ? TERN_OK : lock_file(log, old, diags);
        if (s == TERN_OK) s = cut_back(log, head, &k, diags);
        if (s == TERN_OK) tell_gap(log, &k, diags);
        if (old >= 0) close(old);
        return s == TERN_OK ? open_file(log, true, diags) : s;
    }
    /* what the shell has opened (/dev/fd/3) cannot be cut back: more is appended */
    const bool append = resume && opened && !special && is_begun(log);
    if (s == TERN_OK) s = open_file(log, append, diags);
    if (s == TERN_OK && !append) s = write_line(head_json(head), log, diags);
    if (s == TERN_OK && !append && !special && !opened) tell_gap(log, &k, diags);
    return s;
}

/* ---- lines ---------------------------------------------------------------------------------- */

tern_status tern_train_log_write(tern_train_log *log, const tern_train_line *line, tern_diags *diags)
{
    json_t *o = tern_json_pack("{s:I, s:I, s:I, s:i, s:o, s:o, s:o, s:o, s:o, s:{s:o, s:o}}", "presentation",
                               (json_int_t)line->presentation, "step", (json_int_t)line->step, "recording",
                               (json_int_t)line->recording, "label", (int)line->label, "eta", tern_json_real(line->eta),
                               "log_loss", tern_json_real(line->log_loss), "log_loss_iw",
                               tern_json_real(line->log_loss_iw), "hidden_rate", tern_json_real(line->hidden_rate),
                               "saturations", tern_train_saturations(&line->saturations), "communication", "unicast",
                               tern_json_real(line->unicast), "broadcast", tern_json_real(line->broadcast));
    if (line->distance == line->distance) tern_json_put(o, "distance", tern_json_real(line->distance));
    return write_line(o, log, diags);
}

tern_status tern_train_log_validated(tern_train_log *log, const tern_validated *line, const tern_validation *v,
                                     tern_diags *diags)
{
    json_t *o =
        tern_json_pack("{s:I, s:o, s:o, s:o, s:b, s:o, s:I}", "validation", (json_int_t)line->presentations, "log_loss",
                       tern_json_real(line->log_loss), "log_loss_iw", tern_json_real(line->log_loss_iw), "accuracy",
                       tern_json_real(line->accuracy), "improved", (int)line->improved, "best", tern_json_real(v->best),
                       "best_at", (json_int_t)v->best_at);
    if (line->distance == line->distance) tern_json_put(o, "distance", tern_json_real(line->distance));
    return write_line(o, log, diags);
}

json_t *tern_train_fast_json(const tern_runner *run)
{
    tern_fast_info f;
    if (run->fast == NULL) return json_null();
    tern_fast_describe(run->fast, &f);
    return tern_json_pack("{s:s, s:I, s:I, s:I, s:I}", "isa", f.isa, "threads", (json_int_t)f.threads, "synapses_16",
                          (json_int_t)f.quick, "synapses_split", (json_int_t)f.split, "synapses_64",
                          (json_int_t)f.wide);
}

void tern_train_print_fast(const tern_runner *run)
{
    tern_fast_info f;
    if (run->fast == NULL) return;
    tern_fast_describe(run->fast, &f);
    const double all = (double)(f.quick + f.split + f.wide) / 100.0;
    printf("engine       %s, %u thread%s", f.isa, f.threads, f.threads == 1 ? "" : "s");
    if (all > 0)
        printf("; synapses in 16 bits %.4g %%, in two parts %.4g %%, in 64 bits %.4g %%", (double)f.quick / all,
               (double)f.split / all, (double)f.wide / all);
    putchar('\n');
}
