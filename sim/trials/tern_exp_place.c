/* tern_exp_place.c : see tern_exp_place.h
 * SPDX-License-Identifier: Apache-2.0
 */
#define _POSIX_C_SOURCE 200809L
#include "tern_exp_place.h"
#include "tern_errors.h"
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <time.h>
#include "tern_ranks.h"
#include "tern_interrupt.h"

enum { MESSAGE_MAX = 1 << 16, PLACES_MAX = 64 };

/* Seconds without a sign of life after which a rank is lost, and seconds between two signs. */
static const double PATIENCE_S = 60, SIGN_S = 1;

typedef enum kind { KIND_START, KIND_ASK, KIND_LEAVE, KIND_ENDED, KIND_SIGN, KIND_STOP } kind;

/* START: texts are the files of the outputs, then the words, each ended by a 0. */
typedef struct message {
    uint32_t kind, slot;
    int32_t status;
    uint32_t words;
    char text[MESSAGE_MAX];
} message;
#define HEAD offsetof(message, text)

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void say(uint32_t to, kind what, uint32_t slot, int status)
{
    const struct {
        uint32_t kind, slot;
        int32_t status;
        uint32_t words;
    } m = { what, slot, status, 0 };
    tern_ranks_send(to, &m, sizeof m);
}

/* ---- rank 0 ---------------------------------------------------------------------------------- */

static double heard_s[TERN_RANKS_MAX], said_s;

void tern_exp_places_init(tern_exp_place *places, uint32_t n)
{
    for (uint32_t i = 0; i < n * tern_ranks_count(); ++i)
        places[i] = (tern_exp_place){ .rank = i % tern_ranks_count(), .slot = i };
    for (uint32_t r = 0; r < tern_ranks_count(); ++r) heard_s[r] = now_s();
}

/* False: the message has no room for it. */
static bool add_text(message *m, size_t *at, const char *text)
{
    const size_t n = strlen(text) + 1;
    if (n > MESSAGE_MAX - *at) return false;
    memcpy(m->text + *at, text, n);
    *at += n;
    return true;
}

static tern_status start_there(tern_exp_place *p, const tern_exp_command *c, const char *out_path, const char *err_path,
                               tern_diags *diags)
{
    static message m;
    size_t at = 0;
    m.kind = KIND_START;
    m.slot = p->slot;
    m.status = 0;
    m.words = (uint32_t)c->n;
    bool fits = !c->too_long && add_text(&m, &at, out_path) && add_text(&m, &at, err_path);
    for (size_t i = 0; i < c->n && fits; ++i) fits = add_text(&m, &at, c->words[i]);
    if (!fits) {
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, TERN_ERROR_TRIALS_COMMAND, NULL, 0,
                                      c->n > 1 ? c->words[1] : NULL,
                                      "a command of the experiment is too long for another rank"),
                       "fewer --set, or shorter names of files");
        return TERN_ERR_LIMIT;
    }
    tern_ranks_send(p->rank, &m, HEAD + at);
    return TERN_OK;
}

tern_status tern_exp_place_start(tern_exp_place *p, const tern_exp_command *c, const char *out_path,
                                 const char *err_path, tern_diags *diags)
{
    p->ended = false;
    const tern_status s = p->rank == 0 ? tern_exp_child_start(c, out_path, err_path, &p->pid, diags)
                                       : start_there(p, c, out_path, err_path, diags);
    p->busy = s == TERN_OK;
    return s;
}

tern_exp_end tern_exp_place_poll(tern_exp_place *p, int *out_status)
{
    tern_exp_end end;
    if (p->rank == 0) {
        end = tern_exp_child_poll(p->pid, out_status);
    } else {
        *out_status = p->status;
        end = p->lost          ? TERN_EXP_FAILED
              : !p->ended      ? TERN_EXP_RUNNING
              : p->status == 0 ? TERN_EXP_DONE
                               : TERN_EXP_FAILED;
    }
    if (end != TERN_EXP_RUNNING) p->busy = false;
    return end;
}

void tern_exp_place_ask(tern_exp_place *p)
{
    if (p->busy && p->rank == 0) tern_exp_child_ask(p->pid);
    else if (p->busy) say(p->rank, KIND_ASK, p->slot, 0);
}

void tern_exp_places_tend(tern_exp_place *places, uint32_t n)
{
    static message m;
    uint32_t from;
    const double now = now_s(), patience = tern_ranks_patience_s(PATIENCE_S);
    if (tern_ranks_count() == 1) return;
    while (tern_ranks_take(&from, &m, sizeof m) >= HEAD) {
        heard_s[from] = now;
        if (m.kind == KIND_ENDED && m.slot < n && places[m.slot].rank == from) {
            places[m.slot].ended = true;
            places[m.slot].status = m.status;
        }
        if (m.kind == KIND_STOP && !tern_interrupted()) raise(SIGTERM);
    }
    for (uint32_t i = 0; i < n; ++i)
        if (places[i].rank != 0 && now - heard_s[places[i].rank] > patience) places[i].lost = true;
    if (now - said_s < SIGN_S) return;
    said_s = now;
    for (uint32_t r = 1; r < tern_ranks_count(); ++r) say(r, KIND_SIGN, 0, 0);
}

void tern_exp_places_dismiss(void)
{
    for (uint32_t r = 1; r < tern_ranks_count(); ++r) say(r, KIND_LEAVE, 0, 0);
}

/* ---- the others ------------------------------------------------------------------------------ */

typedef struct running {
    uint32_t slot;
    pid_t pid; /* 0: free */
} running;

/* The words of a message; false: it is no command. */
static bool command_of(const message *m, size_t bytes, const char **out_path, const char **err_path,
                       tern_exp_command *c)
{
    const char *at = m->text, *end = m->text + (bytes - HEAD);
    const char *texts[2 + TERN_EXP_WORDS_MAX];
    uint32_t n = 0;
    while (at < end && n < m->words + 2u && n < 2 + TERN_EXP_WORDS_MAX) {
        const char *stop = memchr(at, 0, (size_t)(end - at));
        if (stop == NULL) return false;
        texts[n++] = at;
        at = stop + 1;
    }
    if (n < 3 || n != m->words + 2u) return false;
    *out_path = texts[0];
    *err_path = texts[1];
    tern_exp_command_begin(c, texts[2]);
    for (uint32_t i = 3; i < n; ++i) tern_exp_command_add(c, texts[i]);
    return true;
}

static void start_here(const message *m, size_t bytes, running *all)
{
    const char *out_path, *err_path;
    static tern_exp_command c;
    tern_diags diags;
    running *r = all;
    tern_diags_init(&diags);
    while (r < all + PLACES_MAX && r->pid != 0) ++r;
    if (r == all + PLACES_MAX || !command_of(m, bytes, &out_path, &err_path, &c) ||
        tern_exp_child_start(&c, out_path, err_path, &r->pid, &diags) != TERN_OK) {
        if (r < all + PLACES_MAX) r->pid = 0;
        say(0, KIND_ENDED, m->slot, 127);
        return;
    }
    r->slot = m->slot;
}

static void ask_all(const running *all)
{
    for (uint32_t i = 0; i < PLACES_MAX; ++i)
        if (all[i].pid != 0) tern_exp_child_ask(all[i].pid);
}

bool tern_exp_places_serve(void)
{
    static message m;
    static running all[PLACES_MAX];
    double heard = 0, said = 0; /* heard 0: nothing yet, rank 0 prepares the data, which may take long */
    bool told = false;
    for (;; tern_exp_child_pause()) {
        uint32_t from;
        size_t bytes;
        const double now = now_s();
        while ((bytes = tern_ranks_take(&from, &m, sizeof m)) >= HEAD) {
            heard = now;
            if (m.kind == KIND_LEAVE) return true;
            if (m.kind == KIND_START) start_here(&m, bytes, all);
            for (uint32_t i = 0; m.kind == KIND_ASK && i < PLACES_MAX; ++i)
                if (all[i].pid != 0 && all[i].slot == m.slot) tern_exp_child_ask(all[i].pid);
        }
        for (uint32_t i = 0; i < PLACES_MAX; ++i) {
            int status = 0;
            if (all[i].pid == 0 || tern_exp_child_poll(all[i].pid, &status) == TERN_EXP_RUNNING) continue;
            all[i].pid = 0;
            say(0, KIND_ENDED, all[i].slot, status);
        }
        if (tern_interrupted() && !told) {
            told = true;
            ask_all(all);
            say(0, KIND_STOP, 0, 0);
        }
        if (heard > 0 && now - heard > tern_ranks_patience_s(PATIENCE_S)) { /* nobody is there to give out work */
            ask_all(all);
            tern_ranks_lose();
            return false;
        }
        if (now - said >= SIGN_S) {
            said = now;
            say(0, KIND_SIGN, 0, 0);
        }
    }
}
