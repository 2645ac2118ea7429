/* tern_ranks.c : see tern_ranks.h; what does not depend on the library that sends
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tern_ranks_internal.h"
#include "tern_errors.h"

/* Of a message between ranks; raised when one of them changes its meaning. */
enum { PROTOCOL = 1 };
/* Seconds without an answer after which a rank is lost. Another rank may load recordings, or write to a slow disk. */
static const double PATIENCE_S = 600;

static struct {
    uint32_t index, count, failed;
    bool joined, lost;
    uint64_t sent;
} self = { .count = 1, .failed = UINT32_MAX };

const char *tern_ranks_library(void) { return tern_wire_library(); }
uint32_t tern_ranks_index(void) { return self.index; }
uint32_t tern_ranks_count(void) { return self.count; }
bool tern_ranks_lost(void) { return self.lost; }
void tern_ranks_lose(void) { self.lost = true; }
uint32_t tern_ranks_failed(void) { return self.failed; }
uint64_t tern_ranks_sent(void) { return self.sent; }

/* ---- started by a launcher? ------------------------------------------------------------------ */

/* A whole number; 0: none. */
static uint32_t number_in(const char *name)
{
    const char *text = getenv(name);
    char *end;
    if (text == NULL || text[0] < '0' || text[0] > '9') return 0;
    const unsigned long n = strtoul(text, &end, 10);
    return *end == 0 && n < UINT32_MAX ? (uint32_t)n : 0;
}

static bool alone(void)
{
    const char *word = getenv("TERN_RANKS");
    return word != NULL && strcmp(word, "alone") == 0;
}

uint32_t tern_ranks_started(void)
{
    /* Open MPI; MPICH, Intel MPI and srun with PMI; MVAPICH. SLURM_NTASKS says nothing: a batch script has it, too,
     * and what it starts without srun is one program. */
    static const char *const sizes[] = { "OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MV2_COMM_WORLD_SIZE",
                                         "SLURM_STEP_NUM_TASKS" };
    if (alone()) return 1;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
        const uint32_t n = number_in(sizes[i]);
        if (n != 0) return n;
    }
    return getenv("PMIX_RANK") != NULL ? 2 : 1;
}

double tern_ranks_patience_s(double standard)
{
    static double asked = -1;
    if (asked < 0) asked = number_in("TERN_RANKS_PATIENCE");
    return asked > 0 ? asked : standard;
}

/* ---- joining --------------------------------------------------------------------------------- */

static tern_status refuse(int code, tern_diags *diags, const char *text, const char *hint)
{
    tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, code, NULL, 0, NULL, "%s", text), "%s", hint);
    return TERN_ERR_TOOL;
}

static tern_status refuse_word(const char *name, const char *text, const char *allowed, const char *hint,
                               tern_diags *diags)
{
    tern_diag_hint(
        tern_diags_add(diags, TERN_SEV_ERROR, E_WORD, NULL, 0, name, "'%.40s' is not known; %s", text, allowed), "%s",
        hint);
    return TERN_ERR_ARGUMENT;
}

static tern_status check_words(tern_diags *diags)
{
    const char *word = getenv("TERN_RANKS"), *patience = getenv("TERN_RANKS_PATIENCE");
    if (word != NULL && word[0] != 0 && !alone())
        return refuse_word("TERN_RANKS", word, "the only word is 'alone'",
                           "alone: each process of a launcher is a separate program", diags);
    if (patience != NULL && patience[0] != 0 && number_in("TERN_RANKS_PATIENCE") == 0)
        return refuse_word("TERN_RANKS_PATIENCE", patience, "a whole number of seconds, 1 or more, is",
                           "without it a rank that does not answer for ten minutes is lost", diags);
    return TERN_OK;
}

/* Versions, and the order of bytes in a number: messages are taken as they lie in memory. */
static uint64_t fingerprint(const char *version)
{
    const uint16_t order = 1;
    uint8_t first;
    memcpy(&first, &order, 1);
    uint64_t hash = 0xcbf29ce484222325u + PROTOCOL * 2u + first;
    for (; *version != 0; ++version) hash = (hash ^ (uint8_t)*version) * 0x100000001b3u;
    return hash;
}

tern_status tern_ranks_begin(const char *version, tern_diags *diags)
{
    const uint32_t started = tern_ranks_started();
    const tern_status word = check_words(diags);
    if (word != TERN_OK || started < 2) return word;
    if (tern_ranks_library() == NULL)
        return refuse(E_NO_MPI, diags,
                      "started as one of several processes (mpirun, srun), but this tern was built without MPI: "
                      "each would do the whole job",
                      "install openmpi-bin and libopenmpi-dev and build again, or start one process; "
                      "TERN_RANKS=alone: each process has its own job");
    if (!tern_wire_begin(&self.index, &self.count) || self.count > TERN_RANKS_MAX)
        return refuse(E_START, diags, "MPI does not start, or there are more than 4096 ranks",
                      "does a small program of the same MPI start with this launcher?");
    self.joined = true;
    if (self.count == 1)
        return refuse(E_LAUNCHER, diags, "the launcher has started several processes, but for MPI each is alone",
                      "start it with the launcher of the MPI that `tern doctor` names; with Slurm: srun --mpi=pmix");
    const tern_status s = tern_ranks_same(fingerprint(version), "versions of tern (or orders of bytes)",
                                          "the same build on each machine", diags);
    return tern_ranks_agree(s, NULL, diags);
}

void tern_ranks_end(int status)
{
    if (self.joined) tern_wire_end(status, self.lost);
    self.joined = false;
}

/* ---- sending --------------------------------------------------------------------------------- */

bool tern_ranks_exchange(uint8_t *all, const size_t *offset)
{
    if (self.count == 1) return true;
    if (self.lost) return false;
    self.sent += (uint64_t)(offset[self.index + 1] - offset[self.index]) * (self.count - 1u);
    self.lost = !tern_wire_exchange(self.index, self.count, all, offset, tern_ranks_patience_s(PATIENCE_S));
    return !self.lost;
}

bool tern_ranks_from_first(void *bytes, size_t n)
{
    if (self.count == 1 || n == 0) return true;
    if (!self.lost)
        self.lost = !tern_wire_from_first(self.index, self.count, bytes, n, tern_ranks_patience_s(PATIENCE_S));
    return !self.lost;
}

void tern_ranks_send(uint32_t to, const void *bytes, size_t n)
{
    if (self.count > 1 && to != self.index && n != 0) tern_wire_send(to, bytes, n);
}

size_t tern_ranks_take(uint32_t *out_from, void *bytes, size_t most)
{
    return self.count > 1 ? tern_wire_take(out_from, bytes, most) : 0;
}

/* ---- together -------------------------------------------------------------------------------- */

/* One number of each rank, [count]; false: a rank is lost. */
static bool numbers_of_all(uint64_t mine, uint64_t *all)
{
    static size_t offset[TERN_RANKS_MAX + 1];
    for (uint32_t i = 0; i <= self.count; ++i) offset[i] = i * sizeof *all;
    all[self.index] = mine;
    const uint64_t sent = self.sent;
    const bool good = tern_ranks_exchange((uint8_t *)all, offset);
    self.sent = sent; /* counted is what the work is about */
    return good;
}

tern_status tern_ranks_check(tern_diags *diags)
{
    if (!self.lost) return TERN_OK;
    return refuse(TERN_ERROR_ENGINE_LOST, diags, "a rank is lost: it was ended, or its machine does not answer",
                  "the launcher says which; the same command with --resume continues from what is saved");
}

tern_status tern_ranks_agree(tern_status s, bool *stop, tern_diags *diags)
{
    static uint64_t all[TERN_RANKS_MAX];
    if (self.count == 1) return s;
    if (!numbers_of_all((s != TERN_OK ? 1u : 0u) | (stop != NULL && *stop ? 2u : 0u), all))
        return s != TERN_OK ? s : tern_ranks_check(diags);
    for (uint32_t i = 0; i < self.count; ++i) {
        if (stop != NULL && (all[i] & 2u) != 0) *stop = true;
        if ((all[i] & 1u) != 0 && self.failed == UINT32_MAX) self.failed = i;
    }
    if (s != TERN_OK || self.failed == UINT32_MAX) return s;
    char text[80];
    snprintf(text, sizeof text, "rank %u of %u has failed, so all stop", self.failed, self.count);
    return refuse(E_OTHER, diags, text, "its own message says why");
}

tern_status tern_ranks_same(uint64_t number, const char *what, const char *hint, tern_diags *diags)
{
    static uint64_t all[TERN_RANKS_MAX];
    if (self.count == 1) return TERN_OK;
    if (!numbers_of_all(number, all)) return tern_ranks_check(diags);
    char text[400];
    int at = 0;
    uint32_t n = 0;
    for (uint32_t i = 1; i < self.count; ++i)
        if (all[i] != all[0] && n++ < 8 && at < (int)sizeof text)
            at += snprintf(text + at, sizeof text - (size_t)at, "%s%u", at == 0 ? "" : ", ", i);
    if (n == 0) return TERN_OK;
    if (self.index != 0) return TERN_OK; /* rank 0 reports it */
    tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, E_DIFFERENT, NULL, 0, NULL,
                                  "ranks have different %s: %s %s%s from rank 0", what, n == 1 ? "rank" : "ranks", text,
                                  n > 8    ? ", ... differ"
                                  : n == 1 ? " differs"
                                           : " differ"),
                   "%s", hint);
    return TERN_ERR_DATA;
}
