/* test_tern_progress.c : when and what the progress display prints, with a clock of its own
 * SPDX-License-Identifier: Apache-2.0
 */
#define _POSIX_C_SOURCE 200809L
#include "tern_progress.h"
#include "tern_check.h"

static double now_s;
static double test_clock(void) { return now_s; }

static FILE *file;
static char text[65536];

static void begin(tern_progress *p, uint64_t total, bool terminal, int width)
{
    file = tmpfile();
    now_s = 100;
    tern_progress_begin(p, "train", "presentation", total);
    p->to = file;
    p->clock = test_clock;
    p->terminal = terminal;
    p->width = width;
    p->start_s = p->last_s = now_s;
    p->next_s = now_s + 2;
}

static void end(tern_progress *p)
{
    tern_progress_end(p);
    rewind(file);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
}

static unsigned count(char c)
{
    unsigned n = 0;
    for (const char *s = text; *s != 0; ++s) n += *s == c;
    return n;
}

int main(void)
{
    tern_progress p;
    begin(&p, 10, false, 80); /* short jobs show nothing */
    for (uint64_t i = 1; i <= 10; ++i) {
        now_s += 0.1;
        tern_progress_update(&p, i, NULL);
    }
    end(&p);
    CHECK_STR(text, "");

    begin(&p, 400, false, 80); /* plain lines: at 2, 4, 8, 16, 32, 64 s, then every minute */
    for (uint64_t i = 1; i <= 400; ++i) {
        now_s += 1;
        tern_progress_update(&p, i, "log-loss 3");
    }
    end(&p);
    CHECK_EQ(count('\n'), 6 + 5 + 1);
    CHECK(strstr(text, "train   0 % 2/400 presentations, 1/s, 6 min 38 s left, log-loss 3\n") != NULL);
    CHECK(strstr(text, "train  16 % 64/400 presentations, 1/s, 5 min 36 s left") != NULL);
    CHECK(strstr(text, "train: 400 presentations in 6 min 40 s\n") != NULL);
    CHECK_EQ(count('\r') + count('\033'), 0);

    begin(&p, 100, true, 80); /* a terminal: one line redrawn, with a bar, at most ten times a second */
    for (uint64_t i = 1; i <= 100; ++i) {
        now_s += 0.04;
        tern_progress_update(&p, i, NULL);
    }
    end(&p);
    CHECK_EQ(count('\n'), 1);
    CHECK(strstr(text, "[##########..........]") != NULL || strstr(text, "[###########.........]") != NULL);
    CHECK(count('\r') >= 15 && count('\r') <= 22);

    begin(&p, 100, true, 30); /* a narrow terminal: no line is longer than it */
    now_s += 3;
    tern_progress_update(&p, 50, "a very long note that does not fit");
    end(&p);
    CHECK(strchr(text, '[') == NULL || strchr(text, '[') == strstr(text, "[K"));
    CHECK_EQ(strcspn(text + 1, "\033"), 29);

    begin(&p, 100, false, 80); /* a resumed job: rate and time of the new part only */
    tern_progress_skip(&p, 90);
    now_s += 5;
    tern_progress_update(&p, 95, NULL);
    end(&p);
    CHECK(strstr(text, "95/100 presentations, 1/s, 5 s left") != NULL);
    CHECK(strstr(text, "train: 5 presentations in 5 s") != NULL);

    begin(&p, 0, false, 80); /* unknown total */
    now_s += 4;
    tern_progress_update(&p, 8, NULL);
    end(&p);
    CHECK(strstr(text, "train 8 presentations, 2/s\n") != NULL);

    begin(&p, 0, false, 80); /* what cannot be counted: stages and the time */
    p.unit = NULL;
    now_s += 75;
    tern_progress_update(&p, 0, "synthesis");
    now_s += 5;
    end(&p);
    CHECK_STR(text, "train: synthesis, 1 min 15 s\ntrain: 1 min 20 s\n");
    return tern_check_report("progress");
}
