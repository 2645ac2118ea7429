/* tern_threads.c : see tern/threads.h
 * SPDX-License-Identifier: Apache-2.0
 *
 * A step takes some ten microseconds, so threads wait in a short loop before they go to sleep.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <unistd.h>
#include "tern/threads.h"

enum { PATIENCE = 4000 }; /* turns of the loop, about as many as a step of a small network */

typedef struct tern_one_thread {
    struct tern_threads *pool;
    uint32_t index;
    pthread_t id;
} tern_one_thread;

struct tern_threads {
    uint32_t n;
    tern_one_thread *threads; /* [n], 0 is the caller */
    pthread_mutex_t lock;
    pthread_cond_t begin, done;
    atomic_uint turn; /* raised when there is work */
    atomic_uint busy; /* threads that have not finished */
    bool end;
    void (*work)(void *ud, uint32_t i);
    void *ud;
};

static void breathe(void)
{
#if defined __x86_64__ || defined __i386__
    __builtin_ia32_pause();
#endif
}

static unsigned wait_for_turn(struct tern_threads *p, unsigned seen)
{
    for (unsigned i = 0; i < PATIENCE; ++i) {
        const unsigned now = atomic_load_explicit(&p->turn, memory_order_acquire);
        if (now != seen) return now;
        breathe();
    }
    pthread_mutex_lock(&p->lock);
    while (atomic_load(&p->turn) == seen) pthread_cond_wait(&p->begin, &p->lock);
    pthread_mutex_unlock(&p->lock);
    return atomic_load(&p->turn);
}

static void *run(void *ud)
{
    const tern_one_thread *t = ud;
    struct tern_threads *p = t->pool;
    unsigned seen = 0;
    for (;;) {
        seen = wait_for_turn(p, seen);
        if (p->end) return NULL;
        p->work(p->ud, t->index);
        if (atomic_fetch_sub(&p->busy, 1) == 1) {
            pthread_mutex_lock(&p->lock);
            pthread_cond_signal(&p->done);
            pthread_mutex_unlock(&p->lock);
        }
    }
}

static void raise_turn(struct tern_threads *p)
{
    pthread_mutex_lock(&p->lock);
    atomic_fetch_add(&p->turn, 1);
    pthread_cond_broadcast(&p->begin);
    pthread_mutex_unlock(&p->lock);
}

void tern_threads_run(struct tern_threads *p, void (*work)(void *ud, uint32_t i), void *ud)
{
    p->work = work;
    p->ud = ud;
    atomic_store(&p->busy, p->n - 1u);
    raise_turn(p);
    work(ud, 0);
    for (unsigned i = 0; i < PATIENCE; ++i) {
        if (atomic_load_explicit(&p->busy, memory_order_acquire) == 0) return;
        breathe();
    }
    pthread_mutex_lock(&p->lock);
    while (atomic_load(&p->busy) != 0) pthread_cond_wait(&p->done, &p->lock);
    pthread_mutex_unlock(&p->lock);
}

void tern_threads_end(struct tern_threads *p)
{
    p->end = true;
    raise_turn(p);
    for (uint32_t i = 1; i < p->n; ++i) pthread_join(p->threads[i].id, NULL);
    pthread_cond_destroy(&p->done);
    pthread_cond_destroy(&p->begin);
    pthread_mutex_destroy(&p->lock);
}

tern_status tern_threads_start(uint32_t n, struct tern_threads **out, tern_arena *arena)
{
    *out = NULL;
    struct tern_threads *p = tern_arena_get(arena, 1, sizeof *p);
    if (p == NULL || (p->threads = tern_arena_get(arena, n, sizeof *p->threads)) == NULL) return TERN_ERR_MEMORY;
    if (pthread_mutex_init(&p->lock, NULL) != 0 || pthread_cond_init(&p->begin, NULL) != 0 ||
        pthread_cond_init(&p->done, NULL) != 0)
        return TERN_ERR_IO;
    for (p->n = 1; p->n < n; ++p->n) {
        p->threads[p->n] = (tern_one_thread){ .pool = p, .index = p->n };
        if (pthread_create(&p->threads[p->n].id, NULL, run, &p->threads[p->n]) != 0) {
            tern_threads_end(p);
            return TERN_ERR_IO;
        }
    }
    *out = p;
    return TERN_OK;
}

uint32_t tern_threads_online(void)
{
    const long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n < 1 ? 1u : (uint32_t)n;
}
