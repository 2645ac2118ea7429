/* tern_cosim_parts.c : see tern_cosim_parts.h
 * SPDX-License-Identifier: Apache-2.0
 */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "tern_cosim_parts.h"
#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "tern_interrupt.h"

enum { E_PART = 617 };
/* A step of both takes about so many times a step of the golden model alone (models/digits2, four lanes). */
enum { MODEL_SHARE = 12, ASKED_EACH = 16 };

typedef struct part {
    pid_t pid; /* 0: has ended, runs in the first process, or not at all */
    int how;   /* its process ended, of waitpid() */
    bool started, skipped, complete;
    atomic_bool there; /* all of this */
    _Atomic uint64_t steps;
    FILE *said; /* what the core of this part has printed; NULL: it is printed at once */
    tern_status status;
    tern_cosim_result result;
    tern_diags diags;
} part;

struct tern_cosim_parts {
    uint32_t n;
    pid_t first;              /* the first process */
    int out;                  /* its stdout, while it listens to its own part; -1: it does not */
    uint32_t asked;           /* how often it asked whether to go on */
    part *died;               /* a process that ended by itself while its part counted */
    atomic_bool stop;         /* all parts */
    _Atomic uint32_t n_whole; /* parts behind this one do not count any more */
    part list[];
};

uint64_t tern_cosim_part_begin(uint64_t n_steps, uint32_t parts, uint32_t p)
{
    /* lengths are as 1, q, q^2, ... with q = 1 - 1 / MODEL_SHARE, in .20, so their sum is below 2^24; quotient and rest
     * are multiplied on their own, which never overflows */
    uint64_t length = 1u << 20, sum = 0, before = 0;
    for (uint32_t i = 0; i < parts; ++i) {
        if (i == p) before = sum;
        sum += length;
        length -= length / MODEL_SHARE;
    }
    return p >= parts ? n_steps : (n_steps / sum) * before + n_steps % sum * before / sum;
}

static size_t bytes_of(uint32_t n) { return sizeof(tern_cosim_parts) + n * sizeof(part); }

tern_status tern_cosim_parts_open(uint32_t n, tern_cosim_parts **out_parts)
{
    void *memory = mmap(NULL, bytes_of(n), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0); /* zeros */
    *out_parts = memory == MAP_FAILED ? NULL : memory;
    if (memory == MAP_FAILED) return TERN_ERR_MEMORY;
    tern_cosim_parts *t = memory;
    t->n = n;
    t->first = getpid();
    t->out = -1;
    atomic_init(&t->stop, false);
    atomic_init(&t->n_whole, n);
    return TERN_OK;
}

bool tern_cosim_parts_start(tern_cosim_parts *t, uint32_t p, bool *out_child)
{
    t->list[p].said = tmpfile(); /* the process shares it */
    fflush(stdout);              /* else both would write what is in its buffer */
    const pid_t pid = fork();
    *out_child = pid == 0;
    if (pid > 0) {
        t->list[p].pid = pid;
        t->list[p].started = true;
    }
    return pid >= 0;
}

void tern_cosim_parts_listen(tern_cosim_parts *t, uint32_t p)
{
    part *x = &t->list[p];
    if (getpid() == t->first) {
        if (x->said == NULL) x->said = tmpfile();
        fflush(stdout);
        t->out = x->said == NULL ? -1 : dup(STDOUT_FILENO);
        if (t->out < 0) return;
    }
    if (x->said != NULL) dup2(fileno(x->said), STDOUT_FILENO);
}

/* The messages of a part's core, if it counts. */
static void tell(part *x, bool counts)
{
    char text[4096];
    size_t n;
    if (x->said == NULL) return;
    rewind(x->said);
    while (counts && (n = fread(text, 1, sizeof text, x->said)) > 0) fwrite(text, 1, n, stdout);
    fclose(x->said);
    x->said = NULL;
}

void tern_cosim_parts_skip(tern_cosim_parts *t, uint32_t from, uint32_t to)
{
    for (uint32_t p = from; p < to; ++p) t->list[p].skipped = true;
}

void tern_cosim_parts_told(tern_cosim_parts *t, uint32_t p, uint64_t steps) { atomic_store(&t->list[p].steps, steps); }

uint64_t tern_cosim_parts_steps(const tern_cosim_parts *t)
{
    uint64_t sum = 0;
    for (uint32_t p = 0; p < t->n; ++p) sum += atomic_load(&t->list[p].steps);
    return sum;
}

/* Parts behind p do not count any more. */
static void end_at(tern_cosim_parts *t, uint32_t p)
{
    uint32_t whole = atomic_load(&t->n_whole);
    while (p < whole && !atomic_compare_exchange_weak(&t->n_whole, &whole, p)) continue;
}

/* First process: has the process of part p ended? By itself, without a result: then those behind it are in vain. */
static bool reap(tern_cosim_parts *t, uint32_t p)
{
    part *x = &t->list[p];
    if (x->pid == 0) return true;
    const pid_t w = waitpid(x->pid, &x->how, WNOHANG);
    if (w == 0 || (w < 0 && errno == EINTR)) return false;
    x->pid = 0;
    if (atomic_load(&x->there)) return true;
    if (p < atomic_load(&t->n_whole) && !tern_interrupted() && t->died == NULL) { /* the run has failed */
        t->died = x;
        atomic_store(&t->stop, true);
    }
    end_at(t, p);
    return true;
}

void tern_cosim_parts_put(tern_cosim_parts *t, uint32_t p, bool complete, const tern_cosim_result *result,
                          tern_status status, const tern_diags *diags)
{
    part *x = &t->list[p];
    x->complete = complete;
    x->status = status;
    x->result = *result;
    x->diags = *diags;
    atomic_store(&x->there, true);
    if (!complete) end_at(t, p);
}

bool tern_cosim_parts_vain(tern_cosim_parts *t, uint32_t p)
{
    if (getpid() != t->first) {
        if (getppid() != t->first) return true;
    } else if (t->asked++ % ASKED_EACH == 0)
        for (uint32_t i = 0; i < p; ++i) (void)reap(t, i);
    return atomic_load(&t->stop) || atomic_load(&t->n_whole) < p;
}

void tern_cosim_parts_stop(tern_cosim_parts *t) { atomic_store(&t->stop, true); }

_Noreturn void tern_cosim_parts_leave(void)
{
    fflush(stdout); /* of the simulated core */
    _exit(0);
}

static void await(tern_cosim_parts *t, uint32_t p, tern_progress *bar)
{
    while (!reap(t, p)) {
        const struct timespec pause = { .tv_nsec = 5 * 1000 * 1000 };
        nanosleep(&pause, NULL);
        tern_progress_update(bar, tern_cosim_parts_steps(t), NULL);
        if (tern_interrupted()) tern_cosim_parts_stop(t);
    }
}

/* Adds the next part to those before it. */
static void add(tern_cosim_result *sum, const tern_cosim_result *next)
{
    const tern_cosim_result before = *sum;
    const tern_lockstep_counts *a = &before.counts;
    *sum = *next; /* steps, presentations, digests, the last step */
    tern_lockstep_counts *c = &sum->counts;
    c->records += a->records;
    c->memory_words += a->memory_words;
    c->steps += a->steps;
    c->flushes += a->flushes;
    c->cycles += a->cycles;
    c->outside += a->outside;
    c->differences += a->differences;
    if (next->counts.steps == 0) {
        c->last_cycles = a->last_cycles;
        c->last_predicted = a->last_predicted;
        c->last_range = a->last_range;
    }
    sum->report.first.number += a->records; /* records are numbered from the first part on */
    sum->parts += before.parts;
    sum->predicted += before.predicted;
    sum->decided += before.decided;
    sum->labelled += before.labelled;
    sum->right += before.right;
}

static void report_death(const tern_cosim_parts *t, tern_diags *diags)
{
    const int how = t->died->how;
    tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, E_PART, NULL, 0, "--jobs",
                                  "the process of part %u of %u ended by itself, by %s %d",
                                  (unsigned)(t->died - t->list) + 1u, t->n, WIFSIGNALED(how) ? "signal" : "status",
                                  WIFSIGNALED(how) ? WTERMSIG(how) : WEXITSTATUS(how)),
                   "enough memory for so many cores at once? With --jobs 1 there is one");
}

tern_status tern_cosim_parts_join(tern_cosim_parts *t, tern_progress *bar, tern_cosim_result *out_result,
                                  tern_diags *diags)
{
    tern_status status = TERN_OK;
    bool whole = true; /* all parts up to here are complete */
    fflush(stdout);
    if (t->out >= 0) {
        dup2(t->out, STDOUT_FILENO);
        close(t->out);
    }
    *out_result = (tern_cosim_result){ .failed_step = UINT64_MAX };
    for (uint32_t p = 0; p < t->n; ++p)
        if (!t->list[p].skipped) await(t, p, bar);
    for (uint32_t p = 0; p < t->n; ++p) {
        part *x = &t->list[p];
        const bool there = !x->skipped && atomic_load(&x->there);
        tell(x, whole && there);
        if (x->skipped || !whole) continue;
        whole = there && x->complete;
        if (there) add(out_result, &x->result);
        if (there) status = x->status;
        for (size_t i = 0; there && i < x->diags.n; ++i) {
            const tern_diag *g = &x->diags.list[i];
            tern_diag_hint(tern_diags_add(diags, g->severity, g->code, g->file, g->line, g->key, "%s", g->message),
                           "%s", g->hint);
        }
    }
    tern_progress_update(bar, tern_cosim_parts_steps(t), NULL);
    if (whole || status != TERN_OK || out_result->failed_step != UINT64_MAX) return status;
    out_result->interrupted = t->died == NULL;
    if (t->died == NULL) return TERN_OK;
    report_death(t, diags);
    return TERN_ERR_TOOL;
}

void tern_cosim_parts_close(tern_cosim_parts *t)
{
    if (t != NULL) munmap(t, bytes_of(t->n));
}
