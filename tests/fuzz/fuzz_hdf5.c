/* fuzz_hdf5.c : HDF5 files of any layout through the helper's code, and any messages of a helper, in one process
 * SPDX-License-Identifier: Apache-2.0
 *
 * libhdf5 itself is not the aim: it crashes on damaged files, which is why it runs in a process of its own. So
 * libhdf5 writes a
 * sound file whose layout the input tells, and the helper's code reads it; or the input is what a helper sends.
 * Reader and helper
 * are compiled into this file with other functions instead of fork() and its relatives.
 *     input: byte; bit 7: messages follow, kind, length (2 bytes) and content; else
 *     byte: selection; then objects: name, kind of numbers, dimensions (2 bytes), how it is stored, seed of the
 * values
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <hdf5.h>
#include "fuzz.h"
#include "tern/data.h"
#include "tern_hdf5.h"

/* A helper process ends without giving memory back. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) { return "detect_leaks=0"; }

static jmp_buf leave_helper;
static fuzz_bytes messages;
static int helper_end;
static bool made_up;

static int fuzz_pipe(int ends[2]);
static pid_t fuzz_fork(const tern__h5_job *job);
static int fuzz_poll(struct pollfd *w, unsigned n, int ms);
static int fuzz_kill(pid_t pid, int sig);
static pid_t fuzz_waitpid(pid_t pid, int *how, int flags);
_Noreturn static void fuzz_exit(int code);

#define pipe(ends) fuzz_pipe(ends)
#define fork() fuzz_fork(job)
#define poll(w, n, ms) fuzz_poll(w, n, ms)
#define kill(pid, sig) fuzz_kill(pid, sig)
#define waitpid(pid, how, flags) fuzz_waitpid(pid, how, flags)
#define _exit(code) fuzz_exit(code)
#include "../../runtime/data/tern_helper.c"
#include "../../runtime/data/tern_hdf5.c"
#include "../../runtime/data/tern_hdf5_work.c"
#undef pipe
#undef fork
#undef poll
#undef kill
#undef waitpid
#undef _exit

_Noreturn static void fuzz_exit(int code)
{
    (void)code;
    longjmp(leave_helper, 1);
}

/* A file in memory with two positions instead of a pipe: all is written before all is read. */
static int fuzz_pipe(int ends[2])
{
    char name[64];
    ends[1] = memfd_create("pipe", MFD_CLOEXEC);
    snprintf(name, sizeof name, "/proc/self/fd/%d", ends[1]);
    ends[0] = open(name, O_RDONLY | O_CLOEXEC);
    if (ends[0] < 0 || ends[1] < 0) abort();
    helper_end = ends[1];
    return 0;
}

static void close_all(void)
{
    hid_t ids[64];
    ssize_t n;
    while ((n = H5Fget_obj_ids((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL, 64, ids)) > 0)
        for (ssize_t i = 0; i < n; ++i) {
            switch (H5Iget_type(ids[i])) {
            case H5I_FILE: (void)H5Fclose(ids[i]); break;
            case H5I_DATASET: (void)H5Dclose(ids[i]); break;
            case H5I_GROUP: (void)H5Gclose(ids[i]); break;
            case H5I_DATATYPE: (void)H5Tclose(ids[i]); break;
            case H5I_ATTR: (void)H5Aclose(ids[i]); break;
            default: (void)H5Idec_ref(ids[i]); break;
            }
        }
}

static pid_t fuzz_fork(const tern__h5_job *job)
{
    if (made_up) {
        while (messages.n > 3) {
            tern__h5_head h = { .kind = fuzz_u8(&messages) % 7u };
            const unsigned lo = fuzz_u8(&messages);
            h.bytes = lo | (unsigned)fuzz_u8(&messages) << 8;
            const bool lie = h.bytes >= 0xff00;
            size_t n = h.bytes;
            if (h.kind == TERN__H5_ABOUT && !lie) n = h.bytes = sizeof(tern__h5_about);
            if (h.kind == TERN__H5_ERROR && !lie) n = h.bytes = sizeof(tern__h5_error);
            uint8_t *content = calloc(1, n + 1);
            if (content == NULL) abort();
            if (n > messages.n) n = messages.n;
            memcpy(content, messages.p, n);
            messages.p += n;
            messages.n -= n;
            tern__h5_error *e = (tern__h5_error *)(void *)content;
            if (h.kind == TERN__H5_ERROR && !lie)
                e->code = 401 + e->code % 40u, e->status = 1 + e->status % 9u, e->text[0] = 'x';
            if (write(helper_end, &h, sizeof h) != sizeof h) abort();
            if (write(helper_end, content, lie ? n : h.bytes) < 0) abort();
            free(content);
        }
    } else if (setjmp(leave_helper) == 0) {
        tern__hdf5_work(job, helper_end);
    }
    close_all();
    return 1;
}

static int fuzz_poll(struct pollfd *w, unsigned n, int ms)
{
    (void)ms;
    (void)n;
    w->revents = POLLIN;
    return 1;
}

static int fuzz_kill(pid_t pid, int sig)
{
    (void)sig;
    return pid == 1 ? 0 : -1;
}

static pid_t fuzz_waitpid(pid_t pid, int *how, int flags)
{
    (void)flags;
    *how = 0;
    return pid;
}

/* ---- files ---- */

static const char *const paths[16] = { "train/time", "train/data",        "train/labels", "test/time",
                                       "test/data",  "test/labels",       "spikes/times", "spikes/units",
                                       "labels",     "events/t",          "events/x",     "events/y",
                                       "events/p",   "davis/left/events", "CD/events",    "extra" };

static hid_t number_type(unsigned kind)
{
    switch (kind % 8) {
    case 0: return H5T_STD_I64LE;
    case 1: return H5T_STD_U8LE;
    case 2: return H5T_STD_I32BE;
    case 3: return H5T_IEEE_F32LE;
    case 4: return H5T_IEEE_F64BE;
    case 5: return H5T_STD_U64LE;
    case 6: return H5T_STD_U16LE;
    default: return H5T_STD_I8LE;
    }
}

static void one_object(hid_t file, hid_t create_groups, fuzz_bytes *in)
{
    enum { MOST = 40 };
    static int64_t values[MOST * 4];
    static double reals[MOST];
    static hvl_t lists[MOST];
    const char *path = paths[fuzz_u8(in) % 16u];
    const unsigned kind = fuzz_u8(in), wide = fuzz_u8(in) % 6u, how = fuzz_u8(in);
    const hsize_t dims[2] = { fuzz_u8(in) % MOST, wide == 5   ? 3
                                                  : wide == 4 ? 4
                                                              : wide },
                  chunk[2] = { 1 + (how & 15), dims[1] > 0 ? dims[1] : 1 };
    const int n_dims = wide == 0 ? 1 : 2;
    const int64_t base = (int64_t)fuzz_u32(in) - 1000, step = fuzz_u8(in) - 3;
    for (int64_t i = 0; i < MOST * 4; ++i)
        values[i] = n_dims == 2 ? (i % 3 == 0 ? i : base + i * step) : base + i * step;
    if ((how & 32) != 0) values[fuzz_u8(in) % (MOST * 4u)] = (how & 16) != 0 ? INT64_MAX : INT64_MIN;
    const bool vlen = kind >= 192 && n_dims == 1;
    const bool is_real = kind % 8 == 3 || kind % 8 == 4;
    const hid_t item = number_type(kind), type = vlen ? H5Tvlen_create(item) : H5Tcopy(item);
    const hid_t memory =
        vlen ? H5Tvlen_create(is_real ? H5T_NATIVE_DOUBLE : H5T_NATIVE_INT64) : H5Tcopy(H5T_NATIVE_INT64);
    const hid_t space = H5Screate_simple(n_dims, dims, NULL), plist = H5Pcreate(H5P_DATASET_CREATE);
    for (int i = 0; i < MOST; ++i) {
        reals[i] = i == 7 && (how & 64) != 0 ? (double)NAN : (double)values[i] * 1e-3;
        lists[i] = (hvl_t){ (size_t)((how & 15) + (i == 3 ? how >> 6 : 0)), is_real ? (void *)reals : (void *)values };
    }
    if ((how & 128) != 0 && dims[0] > 0 && dims[1] < 5) (void)H5Pset_chunk(plist, n_dims, chunk);
    if ((how & 128) != 0 && (how & 1) != 0 && dims[0] > 0) (void)H5Pset_deflate(plist, 1);
    const hid_t made = H5Dcreate2(file, path, type, space, create_groups, plist, H5P_DEFAULT);
    if (made >= 0) {
        (void)H5Dwrite(made, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, vlen ? (void *)lists : (void *)values);
        H5Dclose(made);
    }
    H5Pclose(plist);
    H5Sclose(space);
    H5Tclose(type);
    H5Tclose(memory);
}

static void make_file(const char *path, fuzz_bytes *in)
{
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS), groups = H5Pcreate(H5P_LINK_CREATE);
    (void)H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    (void)H5Pset_create_intermediate_group(groups, 1);
    const hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
    if (file < 0) abort();
    for (unsigned i = 0; i < 8 && in->n != 0; ++i) one_object(file, groups, in);
    H5Fclose(file);
    H5Pclose(groups);
    H5Pclose(access);
}

static tern_diags diags;

static void read_it(const char *path, const char *options_format, tern_alloc alloc)
{
    tern_stream *s;
    static tern_event events[256];
    size_t n = 1;
    const tern_stream_options options = { .format = options_format };
    tern_diags_init(&diags);
    tern_status st = tern_stream_open(path, &options, alloc, &s, &diags);
    while (st == TERN_OK && n != 0) st = tern_stream_read(s, events, 256, &n, &diags);
    if (st != TERN_ERR_MEMORY) fuzz_told((int)st, &diags);
    tern_stream_close(s);
}

/* HDF5 keeps what it frees: else an opened file's cache, of a megabyte, is mapped and cleared each time. */
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    if (H5set_free_list_limits(-1, -1, -1, -1, -1, -1) < 0) abort();
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const selections[8] = { "f.h5",        "f.h5#0",       "f.h5#1",    "f.h5#train/0",
                                               "f.h5#test/0", "f.h5#train/1", "f.h5#@1+3", "f.h5#other/0" };
    if (size < 2) return 0;
    fuzz_bytes in = { data, size };
    const unsigned how = fuzz_u8(&in);
    fuzz_heap heap = { .limit_bytes = (size_t)64 << 20 };
    const tern_alloc alloc = { fuzz_alloc, &heap };
    made_up = (how & 128) != 0;
    fuzz_enter();
    if (made_up) {
        messages = in;
        fuzz_put("f.h5", "\x89HDF\r\n\x1a\n", 8);
    } else {
        make_file("f.h5", &in);
    }
    if ((how & 64) != 0) {
        tern_arena arena;
        tern_dataset all;
        tern_arena_init(&arena, alloc, 0);
        tern_diags_init(&diags);
        const tern_status st = tern_dataset_open((how & 1) != 0 ? "f.h5#train" : "f.h5", &arena, &all, &diags);
        if (st != TERN_ERR_MEMORY) fuzz_told((int)st, &diags);
        tern_arena_free(&arena);
    } else {
        read_it(selections[how % 8], (how & 8) != 0 ? "auto" : "hdf5", alloc);
    }
    fuzz_leave();
    FUZZ_CHECK(heap.alive == 0);
    return 0;
}
