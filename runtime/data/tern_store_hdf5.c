/* tern_store_hdf5.c : arrays of an HDF5 file; reading is done in a helper process (tern_helper.h)
 * SPDX-License-Identifier: Apache-2.0
 *
 * The helper sends messages: a head, then what it announces. LIST: one array each time. DATA: items of the array that
 * is wanted next, converted to the type of the file in little-endian order. ERROR ends it.
 */
#include "tern_store_internal.h"
#include <hdf5.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tern_hdf5_outside.h"
#include "tern_helper.h"

enum {
    LIST = 1,
    DATA,
    ERROR,
    END,
    HELPER_BYTES = 96 << 20,
    SLAB = 1 << 20,
    ROW_MOST = 16 << 20,
    DEPTH_MOST = 8,
    TEXT = 300
};

typedef struct message {
    uint32_t kind, bytes;
} message;
typedef struct error {
    char array[TERN_STORE_NAME], text[TEXT];
} error;
typedef struct job {
    const tern_store *s;
    const tern_store_want *wants;
    size_t n;
} job; /* wants NULL: list */

/* ---- writing
 * -------------------------------------------------------------------------------------------------------- */

static hid_t type_of(char kind, unsigned bytes, bool native)
{
    const hid_t whole[2][4] = { { H5T_STD_I8LE, H5T_STD_I16LE, H5T_STD_I32LE, H5T_STD_I64LE },
                                { H5T_STD_U8LE, H5T_STD_U16LE, H5T_STD_U32LE, H5T_STD_U64LE } };
    const hid_t here[2][4] = { { H5T_NATIVE_INT8, H5T_NATIVE_INT16, H5T_NATIVE_INT32, H5T_NATIVE_INT64 },
                               { H5T_NATIVE_UINT8, H5T_NATIVE_UINT16, H5T_NATIVE_UINT32, H5T_NATIVE_UINT64 } };
    if (kind == 'f') {
        if (native) return bytes == 4 ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE;
        return bytes == 4 ? H5T_IEEE_F32LE : H5T_IEEE_F64LE;
    }
    const int size = bytes == 1 ? 0 : bytes == 2 ? 1 : bytes == 4 ? 2 : 3;
    return (native ? here : whole)[kind == 'u'][size];
}

/* Texts of a fixed length, which h5py gives as bytes. */
static hid_t text_type(void)
{
    const hid_t t = H5Tcopy(H5T_C_S1);
    (void)H5Tset_size(t, TERN_STORE_TEXT);
    (void)H5Tset_strpad(t, H5T_STR_NULLPAD);
    return t;
}

static bool write_one(hid_t file, hid_t links, hid_t made, const tern_store_array *a)
{
    hsize_t dims[TERN_STORE_DIMS];
    for (uint32_t i = 0; i < a->n_dims; ++i) dims[i] = a->dims[i];
    const hid_t space = a->n_dims == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(a->n_dims, dims, NULL);
    const hid_t text = a->kind == 's' ? text_type() : -1;
    const hid_t set = H5Dcreate2(file, a->name, text >= 0 ? text : type_of(a->kind, a->bytes, false), space, links,
                                 made, H5P_DEFAULT);
    const hid_t here = text >= 0 ? text : type_of(a->kind, a->bytes, true);
    const bool good = set >= 0 && (a->n_items == 0 || H5Dwrite(set, here, H5S_ALL, H5S_ALL, H5P_DEFAULT, a->data) >= 0);
    if (text >= 0) H5Tclose(text);
    if (set >= 0) H5Dclose(set);
    H5Sclose(space);
    return good;
}

/* In memory, and without times: the bytes depend on the arrays only. */
tern_status tern__store_hdf5_write(const tern_store_array *arrays, size_t n, void **out_bytes, size_t *out_size)
{
    (void)H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS), links = H5Pcreate(H5P_LINK_CREATE),
                made = H5Pcreate(H5P_DATASET_CREATE);
    (void)H5Pset_fapl_core(access, 1 << 20, false);
    (void)H5Pset_create_intermediate_group(links, 1);
    (void)H5Pset_obj_track_times(made, false);
    const hid_t file =
        H5Fcreate("tern", H5F_ACC_TRUNC, H5P_DEFAULT, access); /* a name of the library's, nothing is on the disk */
    bool good = file >= 0;
    for (size_t i = 0; i < n && good; ++i) good = write_one(file, links, made, &arrays[i]);
    good = good && H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0;
    const ssize_t size = good ? H5Fget_file_image(file, NULL, 0) : -1;
    *out_bytes = size > 0 ? malloc((size_t)size) : NULL;
    good = *out_bytes != NULL && H5Fget_file_image(file, *out_bytes, (size_t)size) == size;
    *out_size = good ? (size_t)size : 0;
    if (!good) free(*out_bytes), *out_bytes = NULL;
    if (file >= 0) H5Fclose(file);
    H5Pclose(made);
    H5Pclose(links);
    H5Pclose(access);
    return good ? TERN_OK : TERN_ERR_MEMORY; /* there is nothing else that can fail */
}

/* ---- the helper
 * ------------------------------------------------------------------------------------------------------- */

static void say(int fd, uint32_t kind, const void *p, size_t n)
{
    const message m = { kind, (uint32_t)n };
    tern__helper_send(fd, &m, sizeof m);
    tern__helper_send(fd, p, n);
}

static void stop(int fd, const char *array, const char *text)
{
    error e = { "", "" };
    snprintf(e.array, sizeof e.array, "%s", array);
    snprintf(e.text, sizeof e.text, "%s", text);
    say(fd, ERROR, &e, sizeof e);
    _exit(0);
}

/* What an array looks like; kind 0: nothing that is read. */
static void describe(hid_t set, tern_store_array *a)
{
    hsize_t dims[H5S_MAX_RANK];
    const hid_t space = H5Dget_space(set), type = H5Dget_type(set);
    const H5T_class_t c = H5Tget_class(type);
    const size_t bytes = H5Tget_size(type);
    const int n = H5Sget_simple_extent_ndims(space);
    const bool good = n >= 0 && n <= TERN_STORE_DIMS && H5Sget_simple_extent_dims(space, dims, NULL) == n &&
                      H5Sget_simple_extent_type(space) != H5S_NULL;
    const bool whole = (c == H5T_INTEGER || c == H5T_ENUM) && (bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8);
    const bool real = c == H5T_FLOAT && (bytes == 2 || bytes == 4 || bytes == 8);
    a->n_items = 1;
    for (int i = 0; good && i < n; ++i) {
        a->dims[i] = dims[i];
        a->n_items =
            dims[i] != 0 && a->n_items > ((uint64_t)1 << 48) / dims[i] ? (uint64_t)1 << 48 : a->n_items * dims[i];
    }
    a->n_dims = (uint8_t)(good ? n : 0);
    a->kind = !good || a->n_items >= (uint64_t)1 << 48 ? 0
              : real                                   ? 'f'
              : whole                                  ? H5Tget_sign(type) == H5T_SGN_NONE ? 'u' : 'i'
                                                       : 0;
    if (c == H5T_ENUM && a->kind != 0) a->kind = 'b'; /* as h5py writes truth values */
    const bool text = good && c == H5T_STRING && a->n_items <= TERN_STORE_ARRAYS;
    a->bytes = (uint8_t)(real && bytes == 2 ? 4 : bytes & 15); /* half: read as single */
    if (text) a->kind = 's', a->bytes = TERN_STORE_TEXT;
    H5Tclose(type);
    H5Sclose(space);
}

static void list_group(hid_t group, const char *path, int depth, int fd, size_t *n);

static void list_link(hid_t group, const char *path, hsize_t i, int depth, int fd, size_t *n)
{
    char name[TERN_STORE_NAME] = "";
    const ssize_t length =
        H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, i, name, sizeof name, H5P_DEFAULT);
    H5L_info_t link;
    if (length > 0 && (size_t)length < sizeof name && tern__hdf5_leads_outside(group, name))
        stop(fd, name, "is a link into another file, which is not followed");
    if (length < 0 || (size_t)length >= sizeof name || H5Lget_info(group, name, &link, H5P_DEFAULT) < 0 ||
        link.type != H5L_TYPE_HARD)
        return;
    tern_store_array a = { .kind = 0 };
    const int all = snprintf(a.name, sizeof a.name, "%s%s%s", path, path[0] != 0 ? "/" : "", name);
    const hid_t object = H5Oopen(group, name, H5P_DEFAULT);
    if (object < 0) stop(fd, name, "cannot be opened: the file is damaged");
    if (all < 0 || (size_t)all >= sizeof a.name) {
        H5Oclose(object);
        return;
    }
    const H5I_type_t what = H5Iget_type(object);
    if (what == H5I_DATASET) {
        if (++*n > TERN_STORE_ARRAYS) stop(fd, a.name, "the file holds too many arrays");
        const char *outside = tern__hdf5_outside(object);
        if (outside != NULL) stop(fd, a.name, outside);
        describe(object, &a);
        say(fd, LIST, &a, sizeof a);
    } else if (what == H5I_GROUP && depth < DEPTH_MOST)
        list_group(object, a.name, depth + 1, fd, n); /* a group in itself ends there */
    H5Oclose(object);
}

static void list_group(hid_t group, const char *path, int depth, int fd, size_t *n)
{
    H5G_info_t info;
    if (H5Gget_info(group, &info) < 0) stop(fd, path, "is a damaged group");
    for (hsize_t i = 0; i < info.nlinks; ++i) list_link(group, path, i, depth, fd, n);
}

/* Texts of one array, all at once: there are few. */
static void send_texts(hid_t set, const tern_store_array *a, int fd)
{
    const hid_t type = H5Dget_type(set), here = H5Tcopy(type);
    const size_t n = (size_t)a->n_items, room = n * TERN_STORE_TEXT;
    const bool variable = H5Tis_variable_str(type) > 0;
    char *fixed = calloc(room + 1, 1), **list = variable ? calloc(n + 1, sizeof *list) : NULL;
    if (fixed == NULL || (variable && list == NULL)) stop(fd, a->name, "not enough memory");
    if (!variable) {
        if (H5Tget_size(type) > TERN_STORE_TEXT) stop(fd, a->name, "holds texts of more than 128 bytes");
        (void)H5Tset_size(here, TERN_STORE_TEXT);
        (void)H5Tset_strpad(here, H5T_STR_NULLPAD);
    }
    if (H5Dread(set, here, H5S_ALL, H5S_ALL, H5P_DEFAULT, variable ? (void *)list : (void *)fixed) < 0)
        stop(fd, a->name, "cannot be read: damaged");
    for (size_t i = 0; variable && i < n; ++i) {
        const size_t length = list[i] != NULL ? strlen(list[i]) : 0;
        if (length >= TERN_STORE_TEXT) stop(fd, a->name, "holds texts of more than 127 bytes");
        memcpy(fixed + i * TERN_STORE_TEXT, list[i] != NULL ? list[i] : "", length);
    }
    for (size_t at = 0; at < room;) {
        const size_t piece = room - at < SLAB ? room - at : SLAB; /* a multiple of a text */
        say(fd, DATA, fixed + at, piece);
        at += piece;
    }
    free(list); /* its texts go with the process */
    free(fixed);
    H5Tclose(here);
    H5Tclose(type);
    H5Dclose(set);
}

/* Items of one array, in slabs of its first dimension. */
static void send_data(hid_t file, const tern_store_array *a, int fd)
{
    hsize_t from[TERN_STORE_DIMS] = { 0 }, count[TERN_STORE_DIMS] = { 0 };
    const hid_t set = H5Dopen2(file, a->name, H5P_DEFAULT);
    if (set < 0) stop(fd, a->name, "cannot be opened as a data set");
    const char *outside = tern__hdf5_outside(set); /* the file may be another one than when it was listed */
    if (outside != NULL) stop(fd, a->name, outside);
    if (a->kind == 's') {
        send_texts(set, a, fd);
        return;
    }
    const hid_t space = H5Dget_space(set), type = type_of(a->kind, a->bytes, false);
    uint64_t row = a->bytes;
    for (uint32_t i = 1; i < a->n_dims; ++i) row *= a->dims[i];
    if (row > ROW_MOST) stop(fd, a->name, "has rows of more than 16 MiB");
    const uint64_t rows = a->n_dims == 0 ? 1 : a->dims[0], at_once = row == 0 ? rows : row > SLAB ? 1 : SLAB / row;
    char *slab = malloc((size_t)(at_once * row + 1));
    if (slab == NULL) stop(fd, a->name, "not enough memory");
    for (uint64_t r = 0; r < rows && row != 0; r += at_once) {
        const uint64_t n = rows - r < at_once ? rows - r : at_once;
        const hsize_t items = n * row / a->bytes;
        from[0] = r;
        for (uint32_t i = 0; i < a->n_dims; ++i) count[i] = i == 0 ? n : a->dims[i];
        const hid_t flat = H5Screate_simple(1, &items, NULL);
        const bool chosen = a->n_dims == 0 || H5Sselect_hyperslab(space, H5S_SELECT_SET, from, NULL, count, NULL) >= 0;
        if (!chosen || H5Dread(set, type, flat, space, H5P_DEFAULT, slab) < 0)
            stop(fd, a->name, "cannot be read: damaged, or packed by a filter that this libhdf5 lacks");
        H5Sclose(flat);
        say(fd, DATA, slab, (size_t)(n * row));
    }
    free(slab);
    H5Sclose(space);
    H5Dclose(set);
}

static void work(const void *ud, int fd)
{
    const job *j = ud;
    size_t n = 0;
    (void)H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    tern__hdf5_stay_inside();
    const hid_t file = H5Fopen(j->s->path, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (file < 0) stop(fd, "", "libhdf5 cannot open the file: it is damaged, or still being written");
    if (j->wants == NULL) list_group(file, "", 0, fd, &n);
    for (size_t i = 0; i < j->n; ++i) send_data(file, &j->s->arrays[j->wants[i].array], fd);
    say(fd, END, NULL, 0);
}

/* ---- this side
 * ---------------------------------------------------------------------------------------------------------- */

static tern_status helper_failed(tern_store *s, tern__helper *h, bool silent, tern_diags *d)
{
    const int how = tern__helper_end(h, !silent);
    tern_diag *g;
    if (silent)
        g = tern__store_error(s, d, TERN__STORE_READ, NULL, "libhdf5 did not get on with the file for %d seconds",
                              TERN__HELPER_PATIENCE_MS / 1000);
    else if (WIFSIGNALED(how))
        g = tern__store_error(s, d, TERN__STORE_READ, NULL, "libhdf5 crashed on the file (signal %d)", WTERMSIG(how));
    else g = tern__store_error(s, d, TERN__STORE_READ, NULL, "libhdf5 gave up on the file");
    tern_diag_hint(g, "the file is damaged; copy it again, and look at it with h5dump");
    return TERN_ERR_FORMAT;
}

/* The next message's head; an error is reported. */
static tern_status head(tern_store *s, tern__helper *h, message *m, bool *silent, tern_diags *d)
{
    if (!tern__helper_receive(h, m, sizeof *m, silent)) return helper_failed(s, h, *silent, d);
    if (m->kind != ERROR) return TERN_OK;
    error e;
    if (m->bytes != sizeof e || !tern__helper_receive(h, &e, sizeof e, silent)) return helper_failed(s, h, *silent, d);
    e.array[sizeof e.array - 1] = e.text[sizeof e.text - 1] = 0;
    tern__store_error(s, d, TERN__STORE_READ, e.array[0] != 0 ? e.array : NULL, "%s", e.text);
    (void)tern__helper_end(h, false);
    return TERN_ERR_FORMAT;
}

/* An array as the helper describes it: it may have gone wrong before it said so. */
static bool sound(const tern_store_array *a)
{
    uint64_t items = 1;
    if (a->kind == 0) return true;
    if (a->n_dims > TERN_STORE_DIMS) return false;
    for (uint32_t i = 0; i < a->n_dims; ++i) {
        if (a->dims[i] != 0 && items > ((uint64_t)1 << 48) / a->dims[i]) return false;
        items *= a->dims[i];
    }
    const bool number = a->bytes == 1 || a->bytes == 2 || a->bytes == 4 || a->bytes == 8;
    return items == a->n_items && (a->kind == 's'   ? a->bytes == TERN_STORE_TEXT
                                   : a->kind == 'f' ? number && a->bytes >= 4
                                                    : number && (a->kind == 'i' || a->kind == 'u' || a->kind == 'b'));
}

tern_status tern__store_hdf5_list(tern_store *s, tern_diags *d)
{
    tern__helper h;
    message m;
    bool silent;
    const job j = { .s = s };
    tern_status st = tern__helper_start(&h, work, &j, HELPER_BYTES);
    while (st == TERN_OK) {
        st = head(s, &h, &m, &silent, d);
        if (st != TERN_OK || m.kind == END) break;
        tern_store_array *a = tern__store_add(s);
        if (a == NULL) st = TERN_ERR_MEMORY;
        else if (m.kind != LIST || m.bytes != sizeof *a || !tern__helper_receive(&h, a, sizeof *a, &silent))
            return helper_failed(s, &h, silent, d);
        else {
            a->name[sizeof a->name - 1] = 0, a->data = NULL;
            if (!sound(a)) return helper_failed(s, &h, silent, d);
        }
    }
    (void)tern__helper_end(&h, false);
    return st;
}

/* The items of one array as they come. */
static tern_status take_data(tern_store *s, tern__helper *h, const tern_store_want *want, uint8_t *room, tern_diags *d)
{
    const tern_store_array *a = &s->arrays[want->array];
    const tern__npy_type type = { .kind = a->kind, .bytes = a->bytes };
    tern_status st = TERN_OK;
    for (uint64_t at = 0; at < a->n_items && st == TERN_OK;) {
        message m;
        bool silent = false;
        st = head(s, h, &m, &silent, d);
        if (st != TERN_OK) break;
        const uint64_t n = m.bytes / a->bytes;
        if (m.kind != DATA || m.bytes > ROW_MOST || m.bytes % a->bytes != 0 || n == 0 || n > a->n_items - at ||
            !tern__helper_receive(h, room, m.bytes, &silent))
            return helper_failed(s, h, silent, d);
        st = tern__store_take(s, want, type, room, at, (size_t)n, d);
        at += n;
    }
    return st;
}

tern_status tern__store_hdf5_read(tern_store *s, const tern_store_want *wants, size_t n, tern_diags *d)
{
    tern__helper h;
    const job j = { .s = s, .wants = wants, .n = n };
    if (n == 0) return TERN_OK;
    uint8_t *room = malloc(ROW_MOST);
    if (room == NULL) return TERN_ERR_MEMORY;
    tern_status st = tern__helper_start(&h, work, &j, HELPER_BYTES);
    for (size_t i = 0; i < n && st == TERN_OK; ++i) st = take_data(s, &h, &wants[i], room, d);
    (void)tern__helper_end(&h, false);
    free(room);
    return st;
}
