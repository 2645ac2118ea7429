/* tern_ranks_mpi.c : messages between ranks by MPI
 * SPDX-License-Identifier: Apache-2.0
 *
 * Messages go from rank to rank and not through collective calls: what is sent can be counted where it is sent, and
 * waiting can be given up. A wait first turns in a short loop, as a step takes some ten microseconds, and then lets
 * others run, as there may be more ranks than processors.
 */
#define _POSIX_C_SOURCE 200809L
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "tern_interrupt.h"
#include "tern_ranks_internal.h"

enum { TAG_STEP = 1, TAG_FIRST, TAG_WORK, TURNS = 2000, LOOK = 256 };
/* A launcher that ends a job asks each rank to stop and kills it a second later. A rank that was asked to stop and
 * hears nothing for this long is waiting for one that has been killed. */
static const double LAST_WAIT_S = 0.5;

static MPI_Request requests[2 * TERN_RANKS_MAX];
static char library[120];

const char *tern_wire_library(void)
{
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int n = 0;
    if (library[0] != 0) return library;
    MPI_Get_library_version(text, &n); /* may be called before MPI_Init() */
    text[strcspn(text, ",\n")] = 0;
    for (char *p = text; *p != 0; ++p)
        if (*p == '\t') *p = ' ';
    snprintf(library, sizeof library, "%.100s", text[0] != 0 ? text : "MPI");
    return library;
}

bool tern_wire_begin(uint32_t *out_index, uint32_t *out_count)
{
    int index = 0, count = 1, level = 0;
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level) != MPI_SUCCESS) return false;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (MPI_Comm_rank(MPI_COMM_WORLD, &index) != MPI_SUCCESS || MPI_Comm_size(MPI_COMM_WORLD, &count) != MPI_SUCCESS)
        return false;
    *out_index = (uint32_t)index;
    *out_count = (uint32_t)count;
    return true;
}

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#if defined __GNUC__ && !defined __clang__
#pragma GCC diagnostic ignored "-Wstringop-overflow" /* MPICH's MPI_STATUSES_IGNORE is an address without an array */
#endif
/* Until n requests are done; false: one of them never will be. */
static bool finish(int n, double patience_s)
{
    double since = 0, asked = 0;
    for (uint64_t turn = 0;; ++turn) {
        int done = 0;
        if (MPI_Testall(n, requests, &done, MPI_STATUSES_IGNORE) != MPI_SUCCESS) return false;
        if (done) return true;
        if (turn < TURNS) continue;
        sched_yield();
        if (turn % LOOK != 0) continue;
        const double now = now_s();
        if (since <= 0) since = now;
        if (tern_interrupted() && asked <= 0) asked = now;
        if (now - since > patience_s || (asked > 0 && now - asked > LAST_WAIT_S)) return false;
    }
}

bool tern_wire_exchange(uint32_t index, uint32_t count, uint8_t *all, const size_t *offset, double patience_s)
{
    int n = 0;
    bool good = true;
    for (uint32_t p = 0; p < count; ++p)
        if (p != index && offset[p + 1] != offset[p])
            good = MPI_Irecv(all + offset[p], (int)(offset[p + 1] - offset[p]), MPI_BYTE, (int)p, TAG_STEP,
                             MPI_COMM_WORLD, &requests[n++]) == MPI_SUCCESS &&
                   good;
    for (uint32_t p = 0; p < count && offset[index + 1] != offset[index]; ++p)
        if (p != index)
            good = MPI_Isend(all + offset[index], (int)(offset[index + 1] - offset[index]), MPI_BYTE, (int)p, TAG_STEP,
                             MPI_COMM_WORLD, &requests[n++]) == MPI_SUCCESS &&
                   good;
    return good && finish(n, patience_s);
}

bool tern_wire_from_first(uint32_t index, uint32_t count, void *bytes, size_t n, double patience_s)
{
    enum { PART = 1 << 30 }; /* MPI counts in int */
    for (size_t at = 0; at < n; at += PART) {
        const int size = (int)(n - at < PART ? n - at : PART);
        uint8_t *part = (uint8_t *)bytes + at;
        int requested = 0;
        bool good = true;
        if (index != 0)
            good = MPI_Irecv(part, size, MPI_BYTE, 0, TAG_FIRST, MPI_COMM_WORLD, &requests[requested++]) == MPI_SUCCESS;
        for (uint32_t p = 1; index == 0 && p < count; ++p)
            good = MPI_Isend(part, size, MPI_BYTE, (int)p, TAG_FIRST, MPI_COMM_WORLD, &requests[requested++]) ==
                       MPI_SUCCESS &&
                   good;
        if (!good || !finish(requested, patience_s)) return false;
    }
    return true;
}

/* ---- work that is given out ------------------------------------------------------------------ */

/* A receiver may be gone, so nobody waits until a message has arrived: it is kept until it has been sent. */
typedef struct letter {
    struct letter *next;
    MPI_Request request;
    uint8_t bytes[];
} letter;
static letter *letters;

static void drop_sent(void)
{
    for (letter **l = &letters; *l != NULL;) {
        int done = 0;
        letter *now = *l;
        if (MPI_Test(&now->request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS) done = 1;
        if (!done) {
            l = &now->next;
            continue;
        }
        *l = now->next;
        free(now);
    }
}

void tern_wire_send(uint32_t to, const void *bytes, size_t n)
{
    letter *l = malloc(sizeof *l + n);
    drop_sent();
    if (l == NULL) return; /* as one to a rank that is gone: it is noticed */
    memcpy(l->bytes, bytes, n);
    if (MPI_Isend(l->bytes, (int)n, MPI_BYTE, (int)to, TAG_WORK, MPI_COMM_WORLD, &l->request) != MPI_SUCCESS) {
        free(l);
        return;
    }
    l->next = letters;
    letters = l;
}

size_t tern_wire_take(uint32_t *out_from, void *bytes, size_t most)
{
    int there = 0, n = 0;
    MPI_Status status;
    drop_sent();
    if (MPI_Iprobe(MPI_ANY_SOURCE, TAG_WORK, MPI_COMM_WORLD, &there, &status) != MPI_SUCCESS || !there) return 0;
    MPI_Get_count(&status, MPI_BYTE, &n);
    if (n < 0 || (size_t)n > most) return 0;
    if (MPI_Recv(bytes, n, MPI_BYTE, status.MPI_SOURCE, TAG_WORK, MPI_COMM_WORLD, MPI_STATUS_IGNORE) != MPI_SUCCESS)
        return 0;
    *out_from = (uint32_t)status.MPI_SOURCE;
    return (size_t)n;
}

void tern_wire_end(int status, bool abort)
{
    for (int i = 0; i < 100 && letters != NULL && !abort; ++i) {
        drop_sent();
        nanosleep(&(struct timespec){ .tv_nsec = 1000 * 1000 }, NULL);
    }
    if (!abort) {
        MPI_Finalize();
        return;
    }
    fflush(NULL);
    MPI_Abort(MPI_COMM_WORLD, status);
    _Exit(status);
}
