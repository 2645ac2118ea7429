/* tern_cli_ranks.c : see tern_cli_ranks.h
 * SPDX-License-Identifier: Apache-2.0
 */
#define _POSIX_C_SOURCE 200809L
#include "tern_cli_ranks.h"
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tern_ranks.h"
#include "tern_cli.h"

enum { E_VERB = 172 };

/* ---- what ranks behind the first say --------------------------------------------------------- */

static FILE *kept; /* stderr of this rank */
static int stderr_fd = -1;

/* One voice is enough: each rank would say the same. */
static void hush(void)
{
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    kept = tmpfile();
    stderr_fd = kept == NULL ? -1 : fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
    if (nowhere >= 0) {
        dup2(nowhere, STDOUT_FILENO);
        close(nowhere);
    }
    if (stderr_fd >= 0) dup2(fileno(kept), STDERR_FILENO);
}

/* What this rank has said so far, now that it turned out to be the one that failed. */
static void speak(void)
{
    char line[512];
    if (stderr_fd < 0) return;
    fflush(stderr);
    dup2(stderr_fd, STDERR_FILENO);
    rewind(kept);
    while (fgets(line, sizeof line, kept) != NULL) fprintf(stderr, "[rank %u] %s", tern_ranks_index(), line);
    fclose(kept);
    close(stderr_fd);
    stderr_fd = -1;
}

/* ---- verbs ----------------------------------------------------------------------------------- */

/* Before MPI has begun the environment says which rank this is. */
static bool another_tells_it(void)
{
    static const char *const names[] = { "OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "MV2_COMM_WORLD_RANK",
                                         "SLURM_PROCID" };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        const char *text = getenv(names[i]);
        if (text != NULL) return strcmp(text, "0") != 0;
    }
    return false;
}

static int refused(tern_status s, const tern_diags *diags, const char *name)
{
    char what[40];
    snprintf(what, sizeof what, "tern %.30s", name);
    if (tern_ranks_index() == 0 && (tern_ranks_count() > 1 || !another_tells_it()))
        return tern_cli_failed(s, diags, what);
    return TERN_EXIT_FOUND;
}

static tern_status same_on_all(uint64_t number, const char *what, const char *hint, tern_diags *diags)
{
    return tern_ranks_agree(tern_ranks_same(number, what, hint, diags), NULL, diags);
}

int tern_cli_on_ranks(const char *name, bool ranked, int (*run)(int argc, char **argv), int argc, char **argv)
{
    tern_diags diags;
    tern_diags_init(&diags);
    if (!ranked && tern_ranks_started() > 1) {
        tern_diag_hint(tern_diags_add(&diags, TERN_SEV_ERROR, E_VERB, NULL, 0, NULL,
                                      "started as one of several processes (mpirun, srun), but only train and "
                                      "experiment are divided among them"),
                       "start it alone; TERN_RANKS=alone: each process has its own job");
        return refused(TERN_ERR_ARGUMENT, &diags, name);
    }
    if (!ranked) return run(argc, argv);
    tern_status s = tern_ranks_begin(TERN_VERSION, &diags);
    if (tern_ranks_index() != 0) hush();
    if (s == TERN_OK)
        s = same_on_all(tern_cli_hash(TERN_DIGEST_INIT, name, strlen(name)), "verbs", "the same verb on each rank",
                        &diags);
    const int status = s == TERN_OK ? run(argc, argv) : refused(s, &diags, name);
    if (tern_ranks_index() != 0 && tern_ranks_failed() == tern_ranks_index()) speak();
    tern_ranks_end(status);
    return status;
}

int tern_cli_agree_usage(int usage, uint64_t calls, const char *what)
{
    tern_diags diags;
    tern_diags_init(&diags);
    tern_status s = tern_ranks_agree(usage > 0 ? TERN_ERR_ARGUMENT : TERN_OK, NULL, &diags);
    if (s == TERN_OK) /* one that only shows its help, or does not resume, would be waited for */
        s = same_on_all(usage < 0 ? calls : UINT64_MAX, "options", "the same options on each rank", &diags);
    return usage > 0 ? usage : s == TERN_OK ? usage : tern_cli_failed(s, &diags, what);
}
