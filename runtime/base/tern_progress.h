/* tern_progress.h : how far a long job is, its rate and the time left
 * SPDX-License-Identifier: Apache-2.0
 *
 *     tern_progress bar;
 *     tern_progress_begin(&bar, "train", "presentation", n);
 *     for (...) { work; tern_progress_update(&bar, done, "log-loss 12.3"); }
 *     tern_progress_end(&bar);
 *
 * Nothing is shown for jobs of under two seconds, nor with --quiet. On a terminal one line is redrawn, at most ten
 * times a second; otherwise plain lines come after 2 s, 4 s, 8 s, ... and then every minute. Always stderr, so that
 * results on stdout stay clean.
 */
#ifndef TERN_PROGRESS_H
#define TERN_PROGRESS_H
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#ifdef __cplusplus
extern "C" {
#endif

typedef struct tern_progress {
    const char *what, *unit;
    uint64_t first, done, total;    /* total 0: unknown */
    double start_s, last_s, next_s; /* seconds of the clock */
    bool shown, terminal;
    int width; /* columns of the terminal */
    FILE *to;
    double (*clock)(void); /* seconds, monotonic; replaced by tests */
} tern_progress;

/* unit NULL: what cannot be counted; stages, shown as notes, and the elapsed time. */
void tern_progress_begin(tern_progress *p, const char *what, const char *unit, uint64_t total);
/* `done` of `total`; `note` (may be NULL) is shown behind. */
void tern_progress_update(tern_progress *p, uint64_t done, const char *note);
/* Units that were done before this job began (resumed jobs): rates count only new ones. Call after begin. */
void tern_progress_skip(tern_progress *p, uint64_t done);
/* Ends the line; prints the total time if anything was shown. */
void tern_progress_end(tern_progress *p);
/* Seconds of a monotonic clock. */
double tern_clock_s(void);

#ifdef __cplusplus
}
#endif
#endif /* TERN_PROGRESS_H */
