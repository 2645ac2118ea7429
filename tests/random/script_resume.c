/* script_resume.c : trainings of random scripts by the command, ended anywhere and taken up again with --resume
 * SPDX-License-Identifier: Apache-2.0
 *
 *     script_resume TERN WORK [--mpirun PATH] [--first SEED] [--count N]
 *
 * A script of the generator gets random recordings, one for each of some of its populations. `tern train` makes the
 * training once in one piece. Then it makes it in pieces: by --presentations, by SIGTERM and by SIGKILL at any moment,
 * each piece with another engine, number of threads, instruction set or, with --mpirun, number of ranks; with and
 * without a log, checkpoints, validation. After some pieces the saved state is set back to what it was before, as if
 * the piece had been killed with its lines in the log and nothing saved. The image, the log and the checkpoint are
 * the same at the end, byte for byte. Where a signal meets a training depends on the machine, what has to come out does
 * not. WORK is emptied of what a training writes, and keeps the files of a seed that failed. Exit status 0: so it is,
 * and no class was missed.
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "tern/fast.h"
#include "tern_script_build.h"
#include "tern_script_draw.h"

enum { MOST = 9, RECORDINGS = 4, STEPS = 12, PIECES = 6, WORDS = 48, EVENTS = 20000, PATH = 1200 };
enum {
    GOLDEN,
    BOTH,
    ONE_THREAD,
    THREADS,
    PLAIN,
    RANKS,
    LOGGED,
    VALIDATED,
    CHECKPOINTS,
    AT_END,
    STOPPED,
    KILLED,
    AFRESH,
    GONE_ON,
    SET_BACK,
    SCHEDULED,
    REWARD,
    CLASSES
};
static const char *const class_names[CLASSES] = {
    "golden",      "both",       "1-thread",    "threads",          "plain",   "ranks",
    "logs",        "validation", "checkpoints", "by-presentations", "stopped", "killed",
    "begun-again", "continued",  "set-back",    "schedules",        "reward"
};

typedef struct series {
    const char *tern, *work, *mpirun;
    uint64_t counts[CLASSES], networks, presentations, pieces;
} series;

typedef struct training {
    series *sum;
    tern_draws draws;
    tern_script script;
    tern_arena arena;
    tern_model model;
    tern_diags diags;
    uint32_t presentations, recordings, steps, every, checkpoint;
    bool log, validation, patience;
    char said[8][400]; /* what the pieces were */
    uint32_t n_said;
} training;

typedef struct words {
    const char *list[WORDS];
    char text[WORDS][PATH];
    uint32_t n;
} words;

static void add(words *w, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    if (w->n + 1 < WORDS) {
        vsnprintf(w->text[w->n], PATH, format, ap);
        w->list[w->n] = w->text[w->n];
        w->list[++w->n] = NULL;
    }
    va_end(ap);
}

static void path_of(const training *t, char *out, const char *name)
{
    snprintf(out, PATH, "%s/%s", t->sum->work, name);
}

static bool exists(const training *t, const char *name)
{
    char path[PATH];
    path_of(t, path, name);
    return access(path, F_OK) == 0;
}

/* ---- what is trained ------------------------------------------------------------------------- */

/* Rows and columns of a population in the sensor; false: it has planes, and gets no recording. */
static bool plane_of(const tern_script_population *p, uint32_t *rows, uint32_t *columns)
{
    *rows = p->n_dims == 2 ? p->dims[0] : 1;
    *columns = p->n_dims == 2 ? p->dims[1] : p->dims[0];
    return p->n_dims < 3;
}

static bool write_script(const training *t, uint32_t *out_width, uint32_t *out_height)
{
    static char text[TERN_SCRIPT_TEXT];
    const tern_script *s = &t->script;
    char path[PATH];
    path_of(t, path, "net.lua");
    FILE *f = fopen(path, "w");
    if (f == NULL || tern_script_text(s, text, sizeof text) == 0) return false;
    uint32_t width = 1, height = 0, n = 0, rows, columns;
    for (uint32_t i = 0; i < s->n_populations; ++i) {
        if (!plane_of(&s->populations[i], &rows, &columns) || s->populations[i].kind == TERN_POP_HIDDEN) continue;
        if (columns > width) width = columns;
        height += rows;
    }
    if (height == 0) height = 1;
    fprintf(f, "%stern.data{ sensor = {%" PRIu32 ", %" PRIu32 "}, window_ms = 1, steps = %" PRIu32 ", clear = %s", text,
            width, height, t->steps, s->clear ? "true" : "false");
    for (uint32_t i = 0, row = 0; i < s->n_populations; ++i) {
        if (!plane_of(&s->populations[i], &rows, &columns) || s->populations[i].kind == TERN_POP_HIDDEN) continue;
        if ((int32_t)i != s->label)
            fprintf(f,
                    "%s { population = p%" PRIu32 ", rows = {%" PRIu32 ", %" PRIu32 "}, columns = {0, %" PRIu32 "} }",
                    n++ == 0 ? ", parts = {" : ",", i, row, row + rows - 1, columns - 1);
        row += rows;
    }
    if (n != 0) fprintf(f, " }");
    if (s->label >= 0) fprintf(f, ", label = p%" PRId32, s->label);
    fprintf(f, " }\n");
    *out_width = width;
    *out_height = height;
    return fclose(f) == 0;
}

static bool write_recordings(training *t, uint32_t width, uint32_t height)
{
    char path[PATH];
    path_of(t, path, "data/labels.csv");
    FILE *labels = fopen(path, "w");
    for (uint32_t r = 0; r < t->recordings && labels != NULL; ++r) {
        char name[40];
        snprintf(name, sizeof name, "data/r%" PRIu32 ".csv", r);
        path_of(t, path, name);
        FILE *f = fopen(path, "w");
        if (f == NULL) return false;
        fprintf(f, "t_us,x,y,p\n0,0,0,1\n");
        const uint32_t pixels = width * height;
        const unsigned rare = 1 + pixels * t->steps / EVENTS;
        for (uint32_t step = 0; step < t->steps; ++step)
            for (uint32_t i = 0; i < pixels; ++i)
                if (tern_draw_one_in(&t->draws, 4 * rare))
                    fprintf(f, "%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",1\n", step * 1000 + 500, i % width, i / width);
        if (fclose(f) != 0) return false;
        const int32_t label = t->script.label;
        const uint32_t units = label < 0 ? 1 : t->model.populations[label].size;
        fprintf(labels, "r%" PRIu32 ".csv,%" PRId64 "\n", r, tern_draw_in(&t->draws, 0, (int64_t)units - 1));
    }
    return labels != NULL && fclose(labels) == 0;
}

static tern_status draw_training(training *t, uint64_t seed)
{
    unsigned attempt = 0;
    uint32_t width = 0, height = 0;
    tern_script_limits lim = tern_script_any;
    lim.neurons = 80;
    lim.inputs = 200;
    lim.synapses = 3000;
    t->draws.s = seed ^ 0x5e50e;
    tern_arena_init(&t->arena, tern_alloc_default(), 0);
    const tern_status s = tern_script_build(&t->script, seed, &lim, 1, &t->arena, &t->model, &t->diags, &attempt);
    if (s != TERN_OK) return s;
    t->script.data = false;                    /* it gets another one */
    if (t->script.tau == 0) t->script.tau = 5; /* else the learning signal would be a program's */
    t->presentations = (uint32_t)tern_draw_in(&t->draws, 1, MOST);
    t->recordings = (uint32_t)tern_draw_in(&t->draws, 1, RECORDINGS);
    t->steps = (uint32_t)tern_draw_in(&t->draws, 1, tern_draw_one_in(&t->draws, 3) ? 16 * STEPS : STEPS);
    t->checkpoint = tern_draw_one_in(&t->draws, 3) ? 0 : (uint32_t)tern_draw_in(&t->draws, 1, 3);
    t->log = !tern_draw_one_in(&t->draws, 3);
    t->validation = t->recordings > 1 && tern_draw_one_in(&t->draws, 3);
    t->patience = tern_draw_one_in(&t->draws, 4);
    t->every = (uint32_t)tern_draw_in(&t->draws, 1, t->presentations);
    return write_script(t, &width, &height) && write_recordings(t, width, height) ? TERN_OK : TERN_ERR_IO;
}

/* ---- running the command --------------------------------------------------------------------- */

static void remove_outputs(const training *t)
{
    static const char *const names[] = { "whole.tern", "whole.tern.checkpoint", "whole.jsonl", "whole.tern.unlogged",
                                         "cut.tern",   "cut.tern.checkpoint",   "cut.jsonl",   "cut.tern.unlogged" };
    char path[PATH];
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        path_of(t, path, names[i]);
        unlink(path);
    }
}

static void command(const training *t, words *w, const char *name, uint32_t presentations)
{
    add(w, "%s", t->sum->tern);
    add(w, "train");
    add(w, "%s/net.lua", t->sum->work);
    add(w, "--data");
    add(w, "%s/data", t->sum->work);
    add(w, "-o");
    add(w, "%s/%s.tern", t->sum->work, name);
    add(w, "--presentations=%" PRIu32, presentations);
    if (t->log) add(w, "--log=%s/%s.jsonl", t->sum->work, name);
    if (t->validation) add(w, "--validation=0.4");
    if (t->validation) add(w, "--validate-every=%" PRIu32, t->every);
    if (t->validation && t->patience) add(w, "--patience=1");
}

/* Another engine for each piece. Returns whether ranks do it. */
static bool add_engine(training *t, words *w)
{
    static const uint8_t threads[] = { 1, 2, 2, 3 };
    series *sum = t->sum;
    const uint64_t which = tern_draw_next(&t->draws) % 8;
    const uint32_t n = threads[tern_draw_next(&t->draws) % sizeof threads];
    unsetenv("TERN_ISA");
    if (which < 2) {
        add(w, "--engine=%s", which == 0 ? "golden" : "both");
        ++sum->counts[which == 0 ? GOLDEN : BOTH];
        return false;
    }
    if (which == 2) setenv("TERN_ISA", "plain", 1);
    sum->counts[PLAIN] += which == 2;
    if (which == 3 && tern_draw_one_in(&t->draws, 4) && sum->mpirun != NULL &&
        tern_fast_most_peers(&t->model.net) > 1) {
        const uint32_t most = tern_fast_most_peers(&t->model.net);
        words all = { .n = 0 };
        add(&all, "%s", sum->mpirun);
        add(&all, "-n");
        add(&all, "%" PRIu32, most > 3 ? 3 : most);
        for (uint32_t i = 0; i < w->n; ++i) add(&all, "%s", w->list[i]);
        w->n = 0;
        for (uint32_t i = 0; i < all.n; ++i) add(w, "%s", all.list[i]);
        ++sum->counts[RANKS];
        return true;
    }
    add(w, "--threads=%" PRIu32, n);
    ++sum->counts[n == 1 ? ONE_THREAD : THREADS];
    return false;
}

static void wait_us(int64_t us)
{
    nanosleep(&(struct timespec){ .tv_sec = us / 1000000, .tv_nsec = us % 1000000 * 1000 }, NULL);
}

static off_t size_of_file(const training *t, const char *name)
{
    char path[PATH];
    struct stat st;
    path_of(t, path, name);
    return stat(path, &st) == 0 ? st.st_size : 0;
}

/* Waits for some progress that can be seen from outside, or for some time. */
static void wait_for_progress(training *t, pid_t child)
{
    const char *seen = t->log ? "cut.jsonl" : t->validation ? "cut.tern.checkpoint" : "cut.tern";
    const off_t wanted = tern_draw_in(&t->draws, 1, 2500);
    const int64_t more = tern_draw_in(&t->draws, 0, 3000);
    siginfo_t info;
    for (int i = 0; i < 2000 && (t->log ? size_of_file(t, seen) < wanted : !exists(t, seen)); ++i) {
        info.si_pid = 0;
        if (waitid(P_PID, (id_t)child, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid != 0) return;
        wait_us(100);
    }
    wait_us(more);
}

/* Exit status, or 128 and a signal's number. sig: sent at any time; 0: none. */
static int run(training *t, const words *w, int sig)
{
    const pid_t child = fork();
    int status = 0;
    if (child == 0) {
        char path[PATH];
        path_of(t, path, "out.txt");
        const int out = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600), in = open("/dev/null", O_RDONLY);
        dup2(in, STDIN_FILENO);
        dup2(out, STDOUT_FILENO);
        dup2(out, STDERR_FILENO);
        execv(w->list[0], (char *const *)(const void *)w->list);
        _exit(127);
    }
    if (child > 0 && sig != 0) {
        if (tern_draw_one_in(&t->draws, 3)) wait_us(tern_draw_in(&t->draws, 0, 20000));
        else wait_for_progress(t, child);
        kill(child, sig);
    }
    if (child < 0 || waitpid(child, &status, 0) != child) return 126;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static void show_output(const training *t)
{
    char path[PATH], line[400];
    path_of(t, path, "out.txt");
    FILE *f = fopen(path, "r");
    for (int i = 0; i < 12 && f != NULL && fgets(line, sizeof line, f) != NULL; ++i) printf("  | %s", line);
    if (f != NULL) fclose(f);
}

/* ---- one training ---------------------------------------------------------------------------- */

static bool failed(const training *t, const words *w, int status)
{
    printf("  status %d of", status);
    for (uint32_t i = 0; i < w->n; ++i) printf(" %s", w->list[i]);
    printf("\n");
    show_output(t);
    return false;
}

static bool whole(training *t)
{
    words w = { .n = 0 };
    command(t, &w, "whole", t->presentations);
    unsetenv("TERN_ISA");
    if (tern_draw_one_in(&t->draws, 2)) add(&w, "--engine=golden");
    const int status = run(t, &w, 0);
    return status == 0 || failed(t, &w, status);
}

/* The saved state: what a kill between the log's lines and the next save leaves as it was. */
static const char *const saved_names[] = { "cut.tern", "cut.tern.checkpoint" };
enum { SAVED_FILES = sizeof saved_names / sizeof saved_names[0] };

static void saved_paths(const training *t, unsigned i, char path[PATH], char kept[PATH])
{
    path_of(t, path, saved_names[i]);
    snprintf(kept, PATH, "%s/kept.%u", t->sum->work, i);
}

/* A second name of each file keeps it: a save replaces the first one. */
static bool keep_saved(const training *t, bool there[SAVED_FILES])
{
    char path[PATH], kept[PATH];
    for (unsigned i = 0; i < SAVED_FILES; ++i) {
        saved_paths(t, i, path, kept);
        unlink(kept);
        there[i] = exists(t, saved_names[i]);
        if (there[i] && link(path, kept) != 0) return false;
    }
    return true;
}

/* Whether the state was saved before the piece and again in it. */
static bool loses_something(const training *t, const bool there[SAVED_FILES])
{
    char path[PATH], kept[PATH];
    struct stat now, before;
    for (unsigned i = 0; i < SAVED_FILES; ++i) {
        saved_paths(t, i, path, kept);
        if (there[i] && stat(kept, &before) == 0 && stat(path, &now) == 0 && now.st_ino != before.st_ino) return true;
    }
    return false;
}

static bool set_back(const training *t, const bool there[SAVED_FILES])
{
    char path[PATH], kept[PATH];
    for (unsigned i = 0; i < SAVED_FILES; ++i) {
        saved_paths(t, i, path, kept);
        unlink(path);
        if (there[i] && rename(kept, path) != 0) return false;
    }
    return true;
}

enum { AT_ONCE, PART, BACK, TERMINATED, SHOT };

static bool piece(training *t, int how)
{
    series *sum = t->sum;
    words w = { .n = 0 };
    const bool saved = exists(t, t->validation ? "cut.tern.checkpoint" : "cut.tern"), back = how == BACK;
    const uint32_t least = t->validation ? t->every : 1, some = (uint32_t)tern_draw_in(&t->draws, 1, t->presentations);
    const uint32_t until = how != PART ? t->presentations : some < least ? least : some;
    command(t, &w, "cut", until);
    if (t->checkpoint != 0) add(&w, "--checkpoint=%" PRIu32, t->checkpoint);
    if (saved) add(&w, "--resume");
    const bool ranks = add_engine(t, &w);
    bool there[SAVED_FILES];
    if (back && !keep_saved(t, there)) return failed(t, &w, 126);
    const int sig = ranks ? 0 : how == TERMINATED ? SIGTERM : how == SHOT ? SIGKILL : 0;
    const int status = run(t, &w, sig);
    ++sum->pieces;
    ++sum->counts[saved ? GONE_ON : AFRESH];
    sum->counts[SET_BACK] += back && t->log && loses_something(t, there);
    sum->counts[AT_END] += how == PART;
    sum->counts[STOPPED] += sig == SIGTERM && status == 1;
    sum->counts[KILLED] += sig == SIGKILL && status == 128 + SIGKILL;
    if (t->n_said < 8)
        snprintf(t->said[t->n_said++], sizeof t->said[0], "%s%s to %" PRIu32 ", signal %d: status %d%s",
                 w.list[w.n - 1], saved ? ", resumed" : "", until, sig, status, back ? ", set back" : "");
    /* a signal may come before the command can catch it */
    const bool good = status == 0 || (sig == SIGTERM && (status == 1 || status == 128 + SIGTERM)) ||
                      (sig == SIGKILL && status == 128 + SIGKILL);
    if (!good) return failed(t, &w, status);
    return !back || set_back(t, there) || failed(t, &w, 126);
}

static bool same_file(const training *t, const char *a, const char *b)
{
    char path[2][PATH];
    path_of(t, path[0], a);
    path_of(t, path[1], b);
    FILE *f[2] = { fopen(path[0], "rb"), fopen(path[1], "rb") };
    bool same = (f[0] == NULL) == (f[1] == NULL);
    for (int c[2] = { 0, 0 }; same && f[0] != NULL && c[0] != EOF;) {
        for (unsigned i = 0; i < 2; ++i) c[i] = getc(f[i]);
        same = c[0] == c[1];
    }
    for (unsigned i = 0; i < 2; ++i)
        if (f[i] != NULL) fclose(f[i]);
    if (!same) printf("  %s and %s differ\n", path[0], path[1]);
    return same;
}

static bool run_seed(training *t, uint64_t seed)
{
    const tern_status s = draw_training(t, seed);
    if (s != TERN_OK) printf("  not drawn: %s\n", tern_status_text(s));
    if (s != TERN_OK) return false;
    series *sum = t->sum;
    sum->counts[LOGGED] += t->log;
    sum->counts[VALIDATED] += t->validation;
    sum->counts[CHECKPOINTS] += t->checkpoint != 0;
    sum->counts[SCHEDULED] += t->script.every != 0;
    sum->counts[REWARD] += t->script.rule == TERN_RULE_REWARD;
    remove_outputs(t);
    bool good = whole(t);
    static const uint8_t hows[] = { AT_ONCE, PART, BACK, TERMINATED, TERMINATED, SHOT, SHOT, SHOT };
    const uint32_t n = (uint32_t)tern_draw_in(&t->draws, 1, PIECES);
    /* at first without any signal, so that something is set back on every machine */
    if (tern_draw_one_in(&t->draws, 2)) good = good && piece(t, PART) && piece(t, BACK);
    for (uint32_t i = 0; i < n && good; ++i) good = piece(t, hows[tern_draw_next(&t->draws) % sizeof hows]);
    good = good && piece(t, AT_ONCE);
    good = good && same_file(t, "whole.tern", "cut.tern");
    good = good && same_file(t, "whole.jsonl", "cut.jsonl");
    return good && same_file(t, "whole.tern.checkpoint", "cut.tern.checkpoint");
}

int main(int argc, char **argv)
{
    static training t;
    static series sum;
    uint64_t first = 1, count = 30;
    if (argc < 3) {
        fputs("usage: script_resume TERN WORK [--mpirun PATH] [--first SEED] [--count N]\n", stderr);
        return 2;
    }
    sum.tern = argv[1];
    sum.work = argv[2];
    for (int i = 3; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--first") == 0) first = strtoull(argv[i + 1], NULL, 10);
        if (strcmp(argv[i], "--count") == 0) count = strtoull(argv[i + 1], NULL, 10);
        if (strcmp(argv[i], "--mpirun") == 0 && argv[i + 1][0] == '/') sum.mpirun = argv[i + 1];
    }
    char data[PATH];
    snprintf(data, sizeof data, "%s/data", sum.work);
    if (mkdir(data, 0700) != 0 && errno != EEXIST) {
        perror(data);
        return 1;
    }
    unsigned bad = 0;
    for (uint64_t seed = first; seed < first + count && bad == 0; ++seed) { /* its files are kept */
        memset(&t, 0, sizeof t);
        t.sum = &sum;
        ++sum.networks;
        if (!run_seed(&t, seed)) {
            ++bad;
            printf("seed %" PRIu64 " DIFFERS: %" PRIu32 " presentations; pieces:\n", seed, t.presentations);
            for (uint32_t i = 0; i < t.n_said; ++i) printf("  %s\n", t.said[i]);
            printf("  repeat: script_resume TERN %s --first %" PRIu64 " --count 1\n", sum.work, seed);
        }
        sum.presentations += t.presentations;
        tern_arena_free(&t.arena);
    }
    printf("script_resume: %" PRIu64 " networks, %" PRIu64 " presentations, %" PRIu64 " pieces; %u differ\ncoverage:",
           sum.networks, sum.presentations, sum.pieces, bad);
    bool full = true;
    for (unsigned c = 0; c < CLASSES; ++c) printf(" %s %" PRIu64, class_names[c], sum.counts[c]);
    putchar('\n');
    for (unsigned c = 0; c < CLASSES; ++c) /* on a busy machine every SIGTERM may come before it can be caught */
        if (sum.counts[c] == 0 && c != STOPPED && !(c == RANKS && sum.mpirun == NULL)) {
            printf("coverage: no training of the class '%s'\n", class_names[c]);
            full = false;
        }
    return bad != 0 || sum.networks == 0 || (!full && count >= 30);
}
