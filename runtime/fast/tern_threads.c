/* tern_threads.c : see tern/threads.h
 * SPDX-License-Identifier: Apache-2.0
 *
 * A step takes some ten microseconds, so threads wait in a short loop before they go to sleep. What is waited for lies
 * in a cache line of its own: one that the caller writes and all others read, and one for each of them, which the
 * caller reads. So a run costs two journeys of a line if nobody sleeps. The lock is for those who do.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include "tern/threads.h"
#include "tern_processors.h"

enum {
    PATIENCE = 4000, /* turns of the loop, about as many as a step of a small network */
    LINE = 64
}; /* bytes of a cache line */

typedef struct tern_one_thread {
    _Alignas(LINE) atomic_uint finished; /* the last turn whose work it has done */
    struct tern_threads *pool;
    uint32_t index;
    pthread_t id;
} tern_one_thread;

struct tern_threads {
    _Alignas(LINE) atomic_uint turn; /* raised when there is work; by the caller alone, as all of this line */
    bool end;
    void (*work)(void *ud, uint32_t i);
    void *ud;
    _Alignas(LINE) uint32_t n;
    tern_one_thread *threads; /* [n], 0 is the caller */
    pthread_mutex_t lock;
    pthread_cond_t begin, done;
    atomic_uint sleepers;      /* threads that wait for `begin` */
    atomic_bool caller_sleeps; /* the caller waits for `done` */
};

static void breathe(void)
{
#if defined __x86_64__ || defined __i386__
    __builtin_ia32_pause();
#endif
}

/* Who goes to sleep says so first and then looks once more; who has news tells them first and then looks whether
 * somebody sleeps. All four are in one order for all threads (the default of C's atomics), so one of the two sees the
 * other. */
static unsigned wait_for_turn(struct tern_threads *p, unsigned seen)
{
    for (unsigned i = 0; i < PATIENCE; ++i) {
        const unsigned now = atomic_load_explicit(&p->turn, memory_order_acquire);
        if (now != seen) return now;
        breathe();
    }
    pthread_mutex_lock(&p->lock);
    atomic_fetch_add(&p->sleepers, 1);
    while (atomic_load(&p->turn) == seen) pthread_cond_wait(&p->begin, &p->lock);
    atomic_fetch_sub(&p->sleepers, 1);
    pthread_mutex_unlock(&p->lock);
    return atomic_load(&p->turn);
}

static void *run(void *ud)
{
    tern_one_thread *t = ud;
    struct tern_threads *p = t->pool;
    unsigned seen = 0;
    for (;;) {
        seen = wait_for_turn(p, seen);
        if (p->end) return NULL;
        p->work(p->ud, t->index);
        atomic_store(&t->finished, seen);
        if (!atomic_load(&p->caller_sleeps)) continue;
        pthread_mutex_lock(&p->lock);
        pthread_cond_signal(&p->done);
        pthread_mutex_unlock(&p->lock);
    }
}

static void raise_turn(struct tern_threads *p)
{
    atomic_fetch_add(&p->turn, 1);
    if (atomic_load(&p->sleepers) == 0) return;
    pthread_mutex_lock(&p->lock);
    pthread_cond_broadcast(&p->begin);
    pthread_mutex_unlock(&p->lock);
}

static void wait_for(struct tern_threads *p, tern_one_thread *t)
{
    const unsigned turn = atomic_load_explicit(&p->turn, memory_order_relaxed);
    for (unsigned i = 0; i < PATIENCE; ++i) {
        if (atomic_load_explicit(&t->finished, memory_order_acquire) == turn) return;
        breathe();
    }
    pthread_mutex_lock(&p->lock);
    atomic_store(&p->caller_sleeps, true);
    while (atomic_load(&t->finished) != turn) pthread_cond_wait(&p->done, &p->lock);
    atomic_store(&p->caller_sleeps, false);
    pthread_mutex_unlock(&p->lock);
}

void tern_threads_run(struct tern_threads *p, void (*work)(void *ud, uint32_t i), void *ud)
{
    if (p->work != work) p->work = work; /* mostly the same; who waits for the turn reads this line all the time */
    if (p->ud != ud) p->ud = ud;
    raise_turn(p);
    work(ud, 0);
    for (uint32_t i = 1; i < p->n; ++i) wait_for(p, &p->threads[i]);
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

/* Memory of whole lines. */
static void *lines(tern_arena *arena, size_t count, size_t size)
{
    unsigned char *p = tern_arena_get(arena, 1, count * size + LINE);
    return p == NULL ? NULL : (void *)(p + (LINE - (uintptr_t)p % LINE) % LINE);
}

tern_status tern_threads_start(uint32_t n, struct tern_threads **out, tern_arena *arena)
{
    *out = NULL;
    struct tern_threads *p = lines(arena, 1, sizeof *p);
    if (p == NULL || (p->threads = lines(arena, n, sizeof *p->threads)) == NULL) return TERN_ERR_MEMORY;
    if (pthread_mutex_init(&p->lock, NULL) != 0 || pthread_cond_init(&p->begin, NULL) != 0 ||
        pthread_cond_init(&p->done, NULL) != 0)
        return TERN_ERR_IO;
    for (p->n = 1; p->n < n; ++p->n) {
        tern_one_thread *t = &p->threads[p->n];
        t->pool = p;
        t->index = p->n;
        if (pthread_create(&t->id, NULL, run, t) != 0) {
            tern_threads_end(p);
            return TERN_ERR_IO;
        }
    }
    *out = p;
    return TERN_OK;
}

uint32_t tern_threads_online(void) { return tern_processors(); }
