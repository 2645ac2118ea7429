/* tern_progress.c : see tern_progress.h
 * SPDX-License-Identifier: Apache-2.0
 */
#define _POSIX_C_SOURCE 200809L
#include "tern_progress.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>
#include "tern_args.h"

static const double QUIET_S = 2.0, REDRAW_S = 0.1, PLAIN_MAX_S = 60.0;

double tern_clock_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int columns(void)
{
    struct winsize w;
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col >= 20) return w.ws_col;
    return 80;
}

void tern_progress_begin(tern_progress *p, const char *what, const char *unit, uint64_t total)
{
    *p = (tern_progress){ .what = what, .unit = unit, .total = total, .to = stderr, .clock = tern_clock_s };
    const char *term = getenv("TERM");
    p->terminal = isatty(STDERR_FILENO) && !(term != NULL && strcmp(term, "dumb") == 0);
    p->width = p->terminal ? columns() : 80;
    p->start_s = p->last_s = p->clock();
    p->next_s = p->start_s + QUIET_S;
}

void tern_progress_skip(tern_progress *p, uint64_t done) { p->first = p->done = done; }

static void time_text(char *to, size_t bytes, double s)
{
    const uint64_t t = s < 0 ? 0 : s > 3.6e8 ? 360000000 : (uint64_t)(s + 0.5);
    if (t >= 3600) snprintf(to, bytes, "%" PRIu64 " h %02" PRIu64 " min", t / 3600, t / 60 % 60);
    else if (t >= 60) snprintf(to, bytes, "%" PRIu64 " min %02" PRIu64 " s", t / 60, t % 60);
    else snprintf(to, bytes, "%" PRIu64 " s", t);
}

static void draw(tern_progress *p, double now_s, const char *note)
{
    char line[512], left[40] = "", share[16] = "", passed[32];
    const double rate = now_s > p->start_s ? (double)(p->done - p->first) / (now_s - p->start_s) : 0;
    if (p->total != 0 && rate > 0) {
        char t[32];
        time_text(t, sizeof t, (double)(p->total - p->done) / rate);
        snprintf(left, sizeof left, ", %s left", t);
    }
    if (p->total != 0) snprintf(share, sizeof share, "%3.0f %% ", 100.0 * (double)p->done / (double)p->total);
    /* the bar itself takes what a narrow terminal can spare */
    char bar[32] = "";
    if (p->terminal && p->total != 0 && p->width >= 60) {
        const int cells = 20, full = (int)((double)cells * (double)p->done / (double)p->total);
        bar[0] = '[';
        for (int i = 0; i < cells; ++i) bar[1 + i] = i < full ? '#' : '.';
        memcpy(bar + 1 + cells, "] ", 3);
    }
    if (p->unit == NULL) {
        time_text(passed, sizeof passed, now_s - p->start_s);
        snprintf(line, sizeof line, "%s: %s, %s", p->what, note ? note : "running", passed);
    } else if (p->total != 0)
        snprintf(line, sizeof line, "%s %s%s%" PRIu64 "/%" PRIu64 " %ss, %.3g/s%s%s%s", p->what, bar, share, p->done,
                 p->total, p->unit, rate, left, note ? ", " : "", note ? note : "");
    else
        snprintf(line, sizeof line, "%s %" PRIu64 " %ss, %.3g/s%s%s", p->what, p->done, p->unit, rate, note ? ", " : "",
                 note ? note : "");
    if (p->terminal) fprintf(p->to, "\r%.*s\033[K", p->width - 1, line);
    else fprintf(p->to, "%s\n", line);
    fflush(p->to);
    p->shown = true;
}

void tern_progress_update(tern_progress *p, uint64_t done, const char *note)
{
    p->done = p->total != 0 && done > p->total ? p->total : done;
    const double now_s = p->clock();
    if (now_s < p->next_s || tern_args_quiet) return;
    draw(p, now_s, note);
    if (p->terminal) {
        p->next_s = now_s + REDRAW_S;
    } else { /* lines at 2, 4, 8, ... seconds, then every minute: a log stays short */
        const double passed = now_s - p->start_s;
        p->next_s = now_s + (passed < PLAIN_MAX_S ? passed : PLAIN_MAX_S);
    }
}

void tern_progress_end(tern_progress *p)
{
    if (!p->shown) return;
    char t[32];
    time_text(t, sizeof t, p->clock() - p->start_s);
    if (p->unit == NULL)
        fprintf(p->to, "%s%s: %s%s\n", p->terminal ? "\r" : "", p->what, t, p->terminal ? "\033[K" : "");
    else
        fprintf(p->to, "%s%s: %" PRIu64 " %ss in %s%s\n", p->terminal ? "\r" : "", p->what, p->done - p->first, p->unit,
                t, p->terminal ? "\033[K" : "");
    fflush(p->to);
    p->shown = false;
}
