/* tern_patience.c : see tern_patience.h
 * SPDX-License-Identifier: Apache-2.0
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <unistd.h>
#include "tern_patience.h"
#include "tern_progress.h"

double tern_patience_counts(double elapsed_s, long running, long processors)
{
    const double most_s = 2e-3 * TERN_PATIENCE_MS; /* a slice, and what a timer may be late by */
    double counts = elapsed_s < 0 ? 0 : elapsed_s > most_s ? most_s : elapsed_s;
    if (processors < 1) processors = 1;
    if (running > processors) counts = counts * (double)processors / (double)running;
    return counts;
}

/* Processes that want to run now, without this one: the fourth field of Linux's /proc/loadavg, "3/1024". 0: not
 * known. */
static long others_running(void)
{
    FILE *f = fopen("/proc/loadavg", "r");
    long running = 0;
    if (f == NULL) return 0;
    if (fscanf(f, "%*s %*s %*s %ld/", &running) != 1) running = 0;
    fclose(f);
    return running > 1 ? running - 1 : 0;
}

void tern_patience_begin(tern_patience *p, double limit_s) { *p = (tern_patience){ limit_s, tern_clock_s() }; }

bool tern_patience_left(tern_patience *p)
{
    const double now_s = tern_clock_s();
    if (now_s - p->last_s < 1e-3) return p->left_s > 0; /* counted with the next one */
    p->left_s -= tern_patience_counts(now_s - p->last_s, others_running(), sysconf(_SC_NPROCESSORS_ONLN));
    p->last_s = now_s;
    return p->left_s > 0;
}
