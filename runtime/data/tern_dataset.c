/* tern_dataset.c : which recordings, with which labels, in which order (docs/30-data.md, section 3)
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_formats.h"
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MAX_ENTRIES = 1000000, MAX_LINE = 4096, MAX_LIST_BYTES = 64 << 20, MAX_LABEL = 65535 };

/* Growing list; old blocks stay in the arena until it is freed, which doubles the memory at most. */
typedef struct entries { size_t n, room; const char **paths; int32_t *labels; } entries;

static tern_status add(entries *e, const char *path, int32_t label, const char *where, tern_arena *arena, tern_diags *diags)
{
    if (path == NULL) return TERN_ERR_MEMORY;
    if (e->n == MAX_ENTRIES) {
        tern_diags_add(diags, TERN_SEV_ERROR, TERN_SET_TOO_LARGE, where, 0, NULL, "more than %d recordings", MAX_ENTRIES);
        return TERN_ERR_LIMIT;
    }
    if (e->n == e->room) {
        const size_t room = e->room == 0 ? 64 : e->room * 2;
        const char **paths = tern_arena_get(arena, room, sizeof *paths);
        int32_t *labels = tern_arena_get(arena, room, sizeof *labels);
        if (paths == NULL || labels == NULL) return TERN_ERR_MEMORY;
        if (e->n != 0) {
            memcpy(paths, e->paths, e->n * sizeof *paths);
            memcpy(labels, e->labels, e->n * sizeof *labels);
        }
        e->paths = paths;
        e->labels = labels;
        e->room = room;
    }
    e->paths[e->n] = path;
    e->labels[e->n++] = label;
    return TERN_OK;
}

/* Decimal integer 0..65535 with nothing behind it, or -1 when `none` allows "-1"; -2: not one. */
static int32_t parse_label(const char *s, size_t n, bool none)
{
    if (none && n == 2 && s[0] == '-' && s[1] == '1') return -1;
    if (n == 0 || n > 6) return -2;
    int32_t v = 0;
    for (size_t i = 0; i < n; ++i) {
        if (s[i] < '0' || s[i] > '9') return -2;
        v = v * 10 + (s[i] - '0');
    }
    return v <= MAX_LABEL ? v : -2;
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

static void trim(const char **s, size_t *n)
{
    while (*n != 0 && is_blank(**s)) ++*s, --*n;
    while (*n != 0 && is_blank((*s)[*n - 1])) --*n;
}

/* One line `path,label`; the last comma parts them. */
static tern_status list_line(const char *line, size_t n, const char *file, int number, const char *dir, bool first, entries *e, tern_arena *arena,
                             tern_diags *diags)
{
    trim(&line, &n);
    if (n == 0 || line[0] == '#') return TERN_OK;
    size_t comma = n;
    while (comma != 0 && line[comma - 1] != ',') --comma;
    const char *path = line, *label = line + comma;
    size_t n_path = comma == 0 ? 0 : comma - 1, n_label = n - comma;
    trim(&path, &n_path);
    trim(&label, &n_label);
    const int32_t v = comma == 0 ? -2 : parse_label(label, n_label, true);
    if (v == -2 && first && comma != 0 && n_label == 5 && memcmp(label, "label", 5) == 0) return TERN_OK; /* heading */
    if (v == -2 || n_path == 0 || n > MAX_LINE || memchr(line, 0, n) != NULL) {
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, TERN_SET_LINE, file, number, NULL,
                                      v != -2 && n_path == 0 ? "no file name before the comma" : n > MAX_LINE ? "line of more than 4096 bytes"
                                      : memchr(line, 0, n) != NULL ? "a NUL byte in a text line" : "no `file,label` with a label 0..65535 (or -1: none)"),
                       "one recording per line, e.g. d0_0001.aedat,0");
        return TERN_ERR_DATA;
    }
    char *name = tern_arena_get(arena, n_path + 1, 1);
    if (name == NULL) return TERN_ERR_MEMORY;
    memcpy(name, path, n_path);
    const char *full = name[0] == '/' ? name : tern__path_join(arena, dir, name);
    if (full == NULL) return TERN_ERR_MEMORY;
    struct stat st;
    if (stat(full, &st) != 0 || !S_ISREG(st.st_mode)) {
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, TERN_SET_MISSING, file, number, NULL, "'%s' is no file that can be read", name),
                       "names count from the folder of the list");
        return TERN_ERR_DATA;
    }
    return add(e, full, v, file, arena, diags);
}

/* A list; goes on after a wrong line so that one run shows up to 20 of them. */
static tern_status read_list(const char *file, const char *text, size_t size, const char *dir, entries *e, tern_arena *arena, tern_diags *diags)
{
    tern_status result = TERN_OK;
    bool first = true;
    int number = 0;
    for (size_t p = 0; p < size;) {
        const char *end = memchr(text + p, '\n', size - p);
        const size_t n = end == NULL ? size - p : (size_t)(end - (text + p));
        if (number < INT_MAX) ++number;
        const tern_status s = list_line(text + p, n, file, number, dir, first, e, arena, diags);
        if (s == TERN_ERR_MEMORY || s == TERN_ERR_LIMIT) return s;
        if (s != TERN_OK) result = s;
        if (n != 0 && text[p] != '#') first = false;
        p += n + 1;
    }
    return result;
}

static int by_name(const void *a, const void *b) { return strcmp(*(const char *const *)a, *(const char *const *)b); }

/* Names in a folder, without those beginning with '.', sorted by bytes. */
static tern_status list_folder(const char *dir, entries *out, tern_arena *arena, tern_diags *diags)
{
    memset(out, 0, sizeof *out);
    DIR *d = opendir(dir);
    if (d == NULL) {
        const int why = errno;
        tern_diags_add(diags, TERN_SEV_ERROR, TERN_SET_IO, dir, 0, NULL, "cannot be listed: %s", strerror(why));
        return why == ENOMEM ? TERN_ERR_MEMORY : TERN_ERR_IO;
    }
    tern_status s = TERN_OK;
    for (const struct dirent *e; s == TERN_OK && (e = readdir(d)) != NULL;)
        if (e->d_name[0] != '.') s = add(out, tern_arena_strdup(arena, e->d_name), 0, dir, arena, diags);
    closedir(d);
    if (s == TERN_OK && out->n != 0) qsort(out->paths, out->n, sizeof *out->paths, by_name);
    return s;
}

static bool has_known_suffix(const char *name)
{
    const size_t n = strlen(name);
    for (size_t i = 0; tern__format_at(i) != NULL; ++i) {
        const char *suffix = tern__format_at(i)->suffix;
        const size_t m = strlen(suffix);
        if (n > m && strcmp(name + n - m, suffix) == 0) return true;
    }
    return false;
}

/* Names made of digits, by value; equal values ("1", "01") by bytes. */
static int by_number(const void *a, const void *b)
{
    const char *x = *(const char *const *)a, *y = *(const char *const *)b, *px = x, *py = y;
    while (*px == '0') ++px;
    while (*py == '0') ++py;
    const size_t nx = strlen(px), ny = strlen(py);
    const int c = nx != ny ? (nx < ny ? -1 : 1) : strcmp(px, py);
    return c != 0 ? c : strcmp(x, y);
}

/* Sub-folders named 0, 1, ...: by number, then the files by name. */
static tern_status read_folders(const char *dir, entries *e, tern_arena *arena, tern_diags *diags)
{
    entries names;
    tern_status s = list_folder(dir, &names, arena, diags);
    if (s != TERN_OK) return s;
    size_t n_classes = 0, n_skipped = 0;
    for (size_t i = 0; i < names.n; ++i) {
        const char *name = names.paths[i];
        if (parse_label(name, strlen(name), false) < 0) continue;
        const char *full = tern__path_join(arena, dir, name);
        if (full == NULL) return TERN_ERR_MEMORY;
        struct stat st;
        if (stat(full, &st) == 0 && S_ISDIR(st.st_mode)) names.paths[n_classes++] = name;
    }
    if (n_classes != 0) qsort(names.paths, n_classes, sizeof *names.paths, by_number);
    if (n_classes == 0) {
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, TERN_SET_FOLDER, dir, 0, NULL, "holds neither labels.csv nor sub-folders named by a label (0, 1, ...)"),
                       "write labels.csv with one line `file,label` per recording, or give one file");
        return TERN_ERR_DATA;
    }
    for (size_t c = 0; c < n_classes; ++c) {
        entries files;
        const int32_t label = parse_label(names.paths[c], strlen(names.paths[c]), false);
        const char *folder = tern__path_join(arena, dir, names.paths[c]);
        if (folder == NULL) return TERN_ERR_MEMORY;
        s = list_folder(folder, &files, arena, diags);
        for (size_t i = 0; s == TERN_OK && i < files.n; ++i) {
            const char *full = tern__path_join(arena, folder, files.paths[i]);
            if (full == NULL) return TERN_ERR_MEMORY;
            struct stat st;
            if (has_known_suffix(full) && stat(full, &st) == 0 && S_ISREG(st.st_mode)) s = add(e, full, label, dir, arena, diags);
            else ++n_skipped;
        }
        if (s != TERN_OK) return s;
    }
    if (n_skipped != 0)
        tern_diags_add(diags, TERN_SEV_WARNING, TERN_SET_SKIPPED, dir, 0, NULL, "%zu entries of the label folders have no name of a recording and were left out",
                       n_skipped);
    return TERN_OK;
}

/* The folder of a path, "." if it names none. */
static char *folder_of(const char *path, tern_arena *arena)
{
    char *dir = tern_arena_strdup(arena, path);
    if (dir == NULL) return NULL;
    char *slash = strrchr(dir, '/');
    if (slash == NULL) return tern_arena_strdup(arena, ".");
    slash[slash == dir] = 0; /* keeps "/" */
    return dir;
}

/* No control bytes but blanks within the first bytes. */
static bool is_text(const uint8_t *b, size_t n)
{
    for (size_t i = 0; i < n && i < 4096; ++i)
        if (b[i] < 0x20 && b[i] != '\n' && b[i] != '\r' && b[i] != '\t') return false;
    return true;
}

static tern_status read_file(const char *path, const char *dir, bool may_be_recording, entries *e, tern_arena *arena, tern_diags *diags)
{
    uint8_t *bytes;
    size_t size;
    const size_t most = may_be_recording ? TERN_RECORDING_MAX_BYTES : MAX_LIST_BYTES;
    tern_status s = tern__file_read(path, most, arena, &bytes, &size, diags);
    if (s != TERN_OK) return s;
    if (may_be_recording && size == 0) {
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, TERN_DATA_UNKNOWN_CONTENT, path, 0, NULL, "is empty (0 bytes)"), "give a recording, a folder of recordings, or a list");
        s = TERN_ERR_FORMAT;
    } else if (may_be_recording && tern__format_detect(bytes, size) != NULL) {
        s = add(e, tern_arena_strdup(arena, path), -1, path, arena, diags);
    } else if (!is_text(bytes, size) || size > MAX_LIST_BYTES) {
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, TERN_SET_NOT_A_LIST, path, 0, NULL, "is neither a recording of a known format nor a list of recordings"),
                       "a list has one line `file,label` per recording");
        s = TERN_ERR_FORMAT;
    } else {
        s = read_list(path, (const char *)bytes, size, dir, e, arena, diags);
    }
    tern__bytes_free(arena, bytes);
    return s;
}

tern_status tern_dataset_open(const char *path, tern_arena *arena, tern_dataset *out, tern_diags *diags)
{
    memset(out, 0, sizeof *out);
    struct stat st;
    if (stat(path, &st) != 0) {
        tern_diags_add(diags, TERN_SEV_ERROR, TERN_SET_IO, path, 0, NULL, "cannot be read: %s", strerror(errno));
        return TERN_ERR_IO;
    }
    entries e = { 0 };
    tern_status s;
    if (S_ISDIR(st.st_mode)) {
        const char *list = tern__path_join(arena, path, "labels.csv");
        if (list == NULL) return TERN_ERR_MEMORY;
        s = stat(list, &st) == 0 ? read_file(list, path, false, &e, arena, diags) : read_folders(path, &e, arena, diags);
    } else {
        const char *dir = folder_of(path, arena);
        if (dir == NULL) return TERN_ERR_MEMORY;
        s = read_file(path, dir, true, &e, arena, diags);
    }
    if (s == TERN_OK && e.n == 0) {
        tern_diags_add(diags, TERN_SEV_ERROR, TERN_SET_EMPTY, path, 0, NULL, "names no recording");
        s = TERN_ERR_DATA;
    }
    if (s != TERN_OK) return s;
    *out = (tern_dataset){ e.n, e.paths, e.labels };
    return TERN_OK;
}
