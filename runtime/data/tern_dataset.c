/* tern_dataset.c : which recordings, with which labels, in which order (docs/30-data.md, section 3)
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_formats.h"
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MAX_ENTRIES = 1000000, MAX_LINE = 4096, MAX_LIST_BYTES = 64 << 20, MAX_LABEL = 65535 };

/* Growing list; old blocks stay in the arena until it is freed, which doubles the memory at most. */
typedef struct entries {
    size_t n, room;
    const char **paths;
    int32_t *labels;
    const tern_meaning *meaning;
} entries;

static tern_status add(entries *e, const char *path, int32_t label, const char *where, tern_arena *arena,
                       tern_diags *diags)
{
    if (path == NULL) return TERN_ERR_MEMORY;
    if (e->n == MAX_ENTRIES) {
        tern_diags_add(diags, TERN_SEV_ERROR, TERN_SET_TOO_LARGE, where, 0, NULL, "more than %d recordings",
                       MAX_ENTRIES);
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

/* How the lines of a list are made: `file,label` (the last comma parts them), or columns by the names in the
 * heading. */
typedef struct columns {
    bool by_name;
    int label, file, first, count, begin, end; /* -1: not there */
    const char *beside;                        /* the recording, where there is no column of files */
} columns;

typedef struct piece {
    const char *p;
    size_t n;
} piece;
enum { MAX_COLUMNS = 32 };

static int split(const char *line, size_t n, piece out[MAX_COLUMNS])
{
    int k = 0;
    for (size_t at = 0; k < MAX_COLUMNS; ++k) {
        const char *comma = memchr(line + at, ',', n - at);
        out[k] = (piece){ line + at, comma == NULL ? n - at : (size_t)(comma - line) - at };
        trim(&out[k].p, &out[k].n);
        if (comma == NULL) return k + 1;
        at = (size_t)(comma - line) + 1;
    }
    return k;
}

static int column(const piece *f, int n, const char *const *names)
{
    for (; *names != NULL; ++names)
        for (int i = 0; i < n; ++i)
            if (f[i].n == strlen(*names) && memcmp(f[i].p, *names, f[i].n) == 0) return i;
    return -1;
}

/* A heading that names a label and which part of a recording it is for. */
static bool heading_of_parts(const char *line, size_t n, columns *c)
{
    static const char *const label[] = { "label", "class", NULL }, *const file[] = { "file", "path", NULL },
                             *const first[] = { "first_event", NULL }, *const count[] = { "n_events", NULL },
                             *const begin[] = { "begin_us", "startTime_usec", "start_us", NULL },
                             *const end[] = { "end_us", "endTime_usec", NULL };
    piece f[MAX_COLUMNS];
    const int k = split(line, n, f);
    *c = (columns){ .label = column(f, k, label),
                    .file = column(f, k, file),
                    .first = column(f, k, first),
                    .count = column(f, k, count),
                    .begin = column(f, k, begin),
                    .end = column(f, k, end) };
    c->by_name = c->label >= 0 && ((c->first >= 0 && c->count >= 0) || (c->begin >= 0 && c->end >= 0));
    return c->by_name;
}

static bool is_file(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* A name, perhaps with a selection, as a path from `dir`, and whether there is such a file. NULL: no memory. */
static const char *resolve(const char *name, size_t n, const char *dir, bool *there, tern_arena *arena)
{
    char *own = tern_arena_get(arena, n + 1, 1);
    if (own == NULL) return NULL;
    memcpy(own, name, n);
    const char *full = own[0] == '/' ? own : tern__path_join(arena, dir, own);
    if (full == NULL) return NULL;
    *there = is_file(full);
    const char *hash = strrchr(full, '#');
    tern__selection sel;
    if (!*there && hash != NULL && tern__selection_parse(hash + 1, &sel) && sel.kind != TERN__GROUP) {
        char *file = tern_arena_strdup(arena, full);
        if (file == NULL) return NULL;
        file[hash - full] = 0;
        *there = is_file(file);
    }
    return full;
}

static tern_status wrong_line(const char *file, int number, tern_diags *diags, const char *what)
{
    tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, TERN_SET_LINE, file, number, NULL, "%s", what),
                   "one recording per line, e.g. d0_0001.aedat,0");
    return TERN_ERR_DATA;
}

static bool whole(piece f, uint64_t *out)
{
    size_t used;
    return tern__digits((const uint8_t *)f.p, f.n, out, &used) && used == f.n;
}

/* A line with the columns of the heading. */
static tern_status part_line(const char *line, size_t n, const columns *c, const char *file, int number,
                             const char *dir, entries *e, tern_arena *arena, tern_diags *diags)
{
    piece f[MAX_COLUMNS];
    const int k = split(line, n, f);
    if (c->label >= k || c->file >= k || c->first >= k || c->count >= k || c->begin >= k || c->end >= k)
        return wrong_line(file, number, diags, "fewer columns than the heading");
    const int32_t label = parse_label(f[c->label].p, f[c->label].n, true);
    if (label == -2) return wrong_line(file, number, diags, "the label is none of 0..65535 (or -1: none)");
    uint64_t a, b;
    const bool by_count = c->first >= 0 && c->count >= 0;
    if (!whole(f[by_count ? c->first : c->begin], &a) || !whole(f[by_count ? c->count : c->end], &b) ||
        (by_count ? b == 0 : b <= a))
        return wrong_line(file, number, diags,
                          by_count ? "first_event and n_events are not whole numbers, n_events at least 1"
                                   : "begin and end are not whole microseconds, begin below end");
    bool there = true;
    const char *full = c->beside;
    if (c->file >= 0) {
        full = resolve(f[c->file].p, f[c->file].n, dir, &there, arena);
        if (full == NULL) return TERN_ERR_MEMORY;
    }
    if (!there) {
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, TERN_SET_MISSING, file, number, NULL,
                                      "'%.200s' cannot be read as a file", full),
                       "names are relative to the folder of the list");
        return TERN_ERR_DATA;
    }
    const size_t room = strlen(full) + 64;
    char *path = tern_arena_get(arena, room, 1);
    if (path == NULL) return TERN_ERR_MEMORY;
    if (by_count) snprintf(path, room, "%s#@%llu+%llu", full, (unsigned long long)a, (unsigned long long)b);
    else snprintf(path, room, "%s#%llu..%lluus", full, (unsigned long long)a, (unsigned long long)b);
    return add(e, path, label, file, arena, diags);
}

/* One line `path,label`; the last comma parts them. TERN_ERR_FORMAT: the file is not a list at all. */
static tern_status list_line(const char *line, size_t n, const char *file, int number, const char *dir, bool first,
                             entries *e, tern_arena *arena, tern_diags *diags)
{
    size_t comma = n;
    while (comma != 0 && line[comma - 1] != ',') --comma;
    const char *path = line, *label = line + comma;
    size_t n_path = comma == 0 ? 0 : comma - 1, n_label = n - comma;
    trim(&path, &n_path);
    trim(&label, &n_label);
    const int32_t v = comma == 0 ? -2 : parse_label(label, n_label, true);
    if (v == -2 && first && comma != 0 && n_label == 5 && memcmp(label, "label", 5) == 0) return TERN_OK; /* heading */
    /* three columns or more: a table of something else, one word about it is enough */
    if (v == -2 && first && memchr(line, ',', comma == 0 ? 0 : comma - 1) != NULL) {
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, TERN_SET_COLUMNS, file, number, NULL,
                                      "the heading '%.*s' names no list of recordings", n < 120 ? (int)n : 120, line),
                       "`file,label` a line, or columns label, first_event and n_events (docs/30-data.md, section 3); "
                       "an index of sensor readings is for `tern data encode --index`");
        return TERN_ERR_FORMAT;
    }
    if (v == -2 && first) { /* a text of another kind: one word about it, not one for each line */
        bool there;
        if (resolve(path, comma == 0 ? n : n_path, dir, &there, arena) == NULL) return TERN_ERR_MEMORY;
        if (!there) {
            tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, TERN_SET_NOT_A_LIST, file, number, NULL,
                                          "is a text, but neither events nor a list of recordings: '%.*s' is neither a "
                                          "heading of events nor `file,label`",
                                          n < 80 ? (int)n : 80, line),
                           "docs/30-data.md describes the formats (section 1) and lists (section 3)");
            return TERN_ERR_FORMAT;
        }
    }
    if (v == -2 || n_path == 0)
        return wrong_line(file, number, diags,
                          v != -2 ? "no file name before the comma"
                                  : "no `file,label` with a label 0..65535 (or -1: none)");
    bool there;
    const char *full = resolve(path, n_path, dir, &there, arena);
    if (full == NULL) return TERN_ERR_MEMORY;
    if (!there) {
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, TERN_SET_MISSING, file, number, NULL,
                                      "'%.*s' cannot be read as a file", n_path < 300 ? (int)n_path : 300, path),
                       "names are relative to the folder of the list");
        return TERN_ERR_DATA;
    }
    return add(e, full, v, file, arena, diags);
}

/* The recording that a list without a column of files is about: a.bin for a_index.csv, a_labels.csv or a.csv. NULL:
 * there is none, or no memory. */
static const char *recording_beside(const char *list, tern_arena *arena, bool *no_memory)
{
    static const char *const ends[] = { "_index.csv", "_labels.csv", ".csv", "" };
    const size_t n = strlen(list), room = n + 32;
    char *name = tern_arena_get(arena, room, 1);
    *no_memory = name == NULL;
    for (size_t i = 0; name != NULL && i < sizeof ends / sizeof *ends; ++i) {
        const size_t m = strlen(ends[i]);
        if (n <= m || strcmp(list + n - m, ends[i]) != 0) continue;
        for (size_t f = 0; tern__format_at(f) != NULL; ++f)
            for (size_t k = 0; k < 3 && tern__format_at(f)->suffixes[k] != NULL; ++k)
                for (int gz = 0; gz < 2; ++gz) {
                    snprintf(name, room, "%.*s%s%s", (int)(n - m), list, tern__format_at(f)->suffixes[k],
                             gz ? ".gz" : "");
                    if (strcmp(name, list) != 0 && is_file(name)) return name;
                }
    }
    return NULL;
}

static tern_status take_heading(columns *c, const char *file, int number, tern_arena *arena, tern_diags *diags)
{
    bool no_memory;
    if (c->file >= 0) return TERN_OK;
    c->beside = recording_beside(file, arena, &no_memory);
    if (no_memory) return TERN_ERR_MEMORY;
    if (c->beside != NULL) return TERN_OK;
    tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, TERN_SET_COLUMNS, file, number, NULL,
                                  "the list has no column `file`, and there is no recording of its name next to it"),
                   "a_index.csv is about a.bin, a.dat, a.aedat ...; or add a column `file`");
    return TERN_ERR_DATA;
}

/* A list; continues after a wrong line so that one run shows up to 20 of them. */
static tern_status read_list(const char *file, const char *text, size_t size, const char *dir, entries *e,
                             tern_arena *arena, tern_diags *diags)
{
    tern_status result = TERN_OK;
    columns c = { .by_name = false };
    bool first = true;
    int number = 0;
    for (size_t p = size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0; p < size;) { /* behind a mark of UTF-8 */
        const char *end = memchr(text + p, '\n', size - p), *line = text + p;
        size_t n = end == NULL ? size - p : (size_t)(end - line);
        p += n + 1;
        if (number < INT_MAX) ++number;
        trim(&line, &n);
        if (n == 0 || line[0] == '#') continue;
        tern_status s;
        if (n > MAX_LINE) s = wrong_line(file, number, diags, "line of more than 4096 bytes");
        else if (memchr(line, 0, n) != NULL) s = wrong_line(file, number, diags, "a NUL byte in a text line");
        else if (first && heading_of_parts(line, n, &c)) s = take_heading(&c, file, number, arena, diags);
        else if (c.by_name) s = part_line(line, n, &c, file, number, dir, e, arena, diags);
        else s = list_line(line, n, file, number, dir, first, e, arena, diags);
        if (s == TERN_ERR_MEMORY || s == TERN_ERR_LIMIT || s == TERN_ERR_FORMAT || (first && s != TERN_OK && c.by_name))
            return s;
        if (s != TERN_OK) result = s;
        first = false;
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
    for (const struct dirent *e; s == TERN_OK && (errno = 0, e = readdir(d)) != NULL;)
        if (e->d_name[0] != '.') s = add(out, tern_arena_strdup(arena, e->d_name), 0, dir, arena, diags);
    const int why = errno; /* an end that is none must not look like a smaller set */
    closedir(d);
    if (s == TERN_OK && why != 0) {
        tern_diags_add(diags, TERN_SEV_ERROR, TERN_SET_IO, dir, 0, NULL, "cannot be listed: %s", strerror(why));
        return TERN_ERR_IO;
    }
    if (s == TERN_OK && out->n != 0) qsort(out->paths, out->n, sizeof *out->paths, by_name);
    return s;
}

static bool has_known_suffix(const char *name)
{
    size_t n = strlen(name);
    if (n > 3 && strcmp(name + n - 3, ".gz") == 0) n -= 3;
    for (size_t i = 0; tern__format_at(i) != NULL; ++i)
        for (size_t k = 0; k < 3 && tern__format_at(i)->suffixes[k] != NULL; ++k) {
            const char *suffix = tern__format_at(i)->suffixes[k];
            const size_t m = strlen(suffix);
            if (n > m && memcmp(name + n - m, suffix, m) == 0) return true;
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
    size_t n_classes = 0, n_skipped = 0, n_beside = 0;
    const char *beside = NULL; /* a folder or recording that no label names: the first one */
    for (size_t i = 0; i < names.n; ++i) {
        const char *name = names.paths[i];
        const char *full = tern__path_join(arena, dir, name);
        if (full == NULL) return TERN_ERR_MEMORY;
        struct stat st;
        const bool there = stat(full, &st) == 0, folder = there && S_ISDIR(st.st_mode);
        if (folder && parse_label(name, strlen(name), false) >= 0) {
            names.paths[n_classes++] = name;
        } else if (folder || (there && S_ISREG(st.st_mode) && has_known_suffix(name))) {
            if (n_beside++ == 0) beside = name;
        }
    }
    if (n_classes != 0) qsort(names.paths, n_classes, sizeof *names.paths, by_number);
    if (n_classes == 0) {
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, TERN_SET_FOLDER, dir, 0, NULL,
                                      "holds neither labels.csv nor sub-folders named by a label (0, 1, ...)"),
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
            if (has_known_suffix(full) && stat(full, &st) == 0 && S_ISREG(st.st_mode))
                s = add(e, full, label, dir, arena, diags);
            else ++n_skipped;
        }
        if (s != TERN_OK) return s;
    }
    if (n_beside != 0)
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_WARNING, TERN_SET_SKIPPED, dir, 0, NULL,
                                      "'%.60s' is no folder named by a label, and was skipped; %zu such entries in all",
                                      beside, n_beside),
                       "labels are numbers: rename the folder, or write a list with one line `file,label` per "
                       "recording");
    if (n_skipped != 0)
        tern_diags_add(diags, TERN_SEV_WARNING, TERN_SET_SKIPPED, dir, 0, NULL,
                       "%zu entries of the label folders have no name of a recording and were skipped", n_skipped);
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

static tern_status read_list_file(const char *path, const char *dir, entries *e, tern_arena *arena, tern_diags *diags)
{
    uint8_t *bytes;
    size_t size;
    tern_status s = tern__file_read(path, MAX_LIST_BYTES, arena, &bytes, &size, diags);
    if (s != TERN_OK) return s;
    const bool utf16 = size >= 2 && ((bytes[0] == 0xff && bytes[1] == 0xfe) || (bytes[0] == 0xfe && bytes[1] == 0xff));
    if (utf16) {
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, TERN_SET_NOT_A_LIST, path, 0, NULL,
                                      "is text of 16 bits a letter (UTF-16); text is read in ASCII or UTF-8"),
                       "iconv -f UTF-16 -t UTF-8 IN >OUT, or save it again as UTF-8");
        s = TERN_ERR_FORMAT;
    } else if (!is_text(bytes, size)) {
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, TERN_SET_NOT_A_LIST, path, 0, NULL,
                                      "is neither a recording of a known format nor a list of recordings"),
                       "docs/30-data.md describes the formats (section 1) and lists (section 3), docs/38-formats.md "
                       "how to convert other files");
        s = TERN_ERR_FORMAT;
    } else {
        s = read_list(path, (const char *)bytes, size, dir, e, arena, diags);
    }
    tern__bytes_free(arena, bytes);
    return s;
}

/* One file that is a recording or holds samples. */
static tern_status add_recording(const char *path, entries *e, tern_arena *arena, tern_diags *diags)
{
    tern__samples list;
    size_t n_file;
    tern__selection sel;
    tern_status s = tern__selection_split(path, true, &n_file, &sel, diags);
    if (s != TERN_OK) return s;
    s = tern__file_samples(path, "auto", e->meaning, arena, &list, diags);
    if (s != TERN_OK) return s;
    if (sel.kind == TERN__GROUP && list.groups[0][0] == 0) {
        tern_diags_add(diags, TERN_SEV_ERROR, TERN_DATA_SELECTION, path, 0, NULL, "there is no group '%s' in this file",
                       sel.group);
        return TERN_ERR_ARGUMENT;
    }
    /* one recording */
    if (list.n == 0 && list.groups[0][0] == 0 && list.labels == NULL)
        return add(e, tern_arena_strdup(arena, path), -1, path, arena, diags);
    const char *group = sel.group[0] != 0 ? sel.group : list.groups[0];
    for (uint64_t k = 0; s == TERN_OK && k < list.n; ++k) {
        const size_t room = n_file + sizeof sel.group + 32;
        char *name = tern_arena_get(arena, room, 1);
        if (name != NULL)
            snprintf(name, room, "%.*s#%s%s%llu", (int)n_file, path, group, group[0] != 0 ? "/" : "",
                     (unsigned long long)k);
        s = add(e, name, list.labels == NULL ? -1 : list.labels[k], path, arena, diags);
    }
    return s;
}

/* Does the file look like a recording? Opened as one, without a word if it does not. */
static tern_status looks_like_recording(const char *path, const tern_meaning *meaning, bool *yes, tern_arena *arena,
                                        tern_diags *diags)
{
    tern_stream *s;
    tern_diags own;
    tern_diags_init(&own);
    tern_stream_options opt = { 0 };
    if (meaning != NULL) opt.meaning = *meaning;
    const tern_status st = tern__stream_begin(path, NULL, 0, &opt, arena->alloc, &s, &own);
    *yes = st == TERN_OK;
    tern_stream_close(s);
    if (st == TERN_OK || (st == TERN_ERR_FORMAT && own.n != 0 && own.list[0].code == TERN_DATA_UNKNOWN_CONTENT &&
                          strncmp(own.list[0].message, "is empty", 8) != 0))
        return TERN_OK;
    for (size_t i = 0; i < own.n; ++i)
        tern_diag_hint(tern_diags_add(diags, own.list[i].severity, own.list[i].code, own.list[i].file, own.list[i].line,
                                      own.list[i].key, "%s", own.list[i].message),
                       "%s", own.list[i].hint);
    return st;
}

static tern_status open_file(const char *path, entries *e, tern_arena *arena, tern_diags *diags)
{
    bool recording;
    const tern_status s = looks_like_recording(path, e->meaning, &recording, arena, diags);
    if (s != TERN_OK) return s;
    if (recording) return add_recording(path, e, arena, diags);
    const char *dir = folder_of(path, arena);
    return dir == NULL ? TERN_ERR_MEMORY : read_list_file(path, dir, e, arena, diags);
}

tern_status tern_dataset_open(const char *path, tern_arena *arena, tern_dataset *out, tern_diags *diags)
{
    return tern_dataset_open_as(path, NULL, arena, out, diags);
}

tern_status tern_dataset_open_as(const char *path, const tern_meaning *meaning, tern_arena *arena, tern_dataset *out,
                                 tern_diags *diags)
{
    memset(out, 0, sizeof *out);
    struct stat st;
    size_t n_file;
    tern__selection sel;
    tern_status s = tern__selection_split(path, true, &n_file, &sel, diags);
    if (s != TERN_OK) return s;
    if (sel.kind == TERN__ALL && stat(path, &st) != 0) {
        tern_diags_add(diags, TERN_SEV_ERROR, TERN_SET_IO, path, 0, NULL, "cannot be read: %s", strerror(errno));
        return TERN_ERR_IO;
    }
    entries e = { .meaning = meaning };
    if (sel.kind == TERN__ALL && S_ISDIR(st.st_mode)) {
        const char *list = tern__path_join(arena, path, "labels.csv");
        if (list == NULL) return TERN_ERR_MEMORY;
        s = stat(list, &st) == 0 ? read_list_file(list, path, &e, arena, diags) : read_folders(path, &e, arena, diags);
    } else if (sel.kind == TERN__ALL || sel.kind == TERN__GROUP) {
        s = open_file(path, &e, arena, diags);
    } else { /* a part or sample of a file: one recording */
        char *file = tern_arena_strdup(arena, path);
        if (file == NULL) return TERN_ERR_MEMORY;
        file[n_file] = 0;
        tern__base there = { .fd = -1 };
        s = tern__base_open(&there, file, diags);
        tern__base_close(&there);
        if (s == TERN_OK) s = add(&e, tern_arena_strdup(arena, path), -1, path, arena, diags);
    }
    if (s == TERN_OK && e.n == 0) {
        tern_diags_add(diags, TERN_SEV_ERROR, TERN_SET_EMPTY, path, 0, NULL, "names no recording");
        s = TERN_ERR_DATA;
    }
    if (s != TERN_OK) return s;
    *out = (tern_dataset){ e.n, e.paths, e.labels };
    return TERN_OK;
}
