/* test_tern_args.c : the option parser, every accepted form and every refusal with its text
 * SPDX-License-Identifier: Apache-2.0
 */
#define _POSIX_C_SOURCE 200809L
#include "tern_args.h"
#include <stdlib.h>
#include <unistd.h>
#include "tern_check.h"

typedef struct values {
    const char *net, *second, *out, *engine;
    uint64_t samples, seed;
    double rate;
    bool json, given_samples;
    tern_arg_list sets;
} values;

static char said[8192]; /* what the last call wrote to stdout and stderr */

/* Parses a command line given as NULL-terminated words, with both outputs caught. */
static int parse(values *v, const char *const *words)
{
    *v = (values){ .engine = "golden", .samples = 5, .rate = 1 };
    /* clang-format off */
    const tern_arg list[] = {
        { .name = "NET.lua", .kind = TERN_ARG_STRING, .required = true, .out = &v->net, .help = "the network" },
        { .name = "SECOND", .kind = TERN_ARG_STRING, .out = &v->second, .help = "may be there" },
        { .name = "--output", .letter = 'o', .kind = TERN_ARG_STRING, .value = "DIR", .out = &v->out,
          .help = "where to" },
        { .name = "--samples", .kind = TERN_ARG_UINT, .value = "K", .lo = 1, .hi = 32, .out = &v->samples,
          .out_given = &v->given_samples, .help = "samples" },
        { .name = "--seed", .kind = TERN_ARG_UINT, .out = &v->seed, .help = "seed" },
        { .name = "--rate", .kind = TERN_ARG_REAL, .real_lo = -1, .real_hi = 2, .out = &v->rate,
          .help = "rate\nof two lines" },
        { .name = "--engine", .kind = TERN_ARG_CHOICE, .choices = "golden|reference", .out = &v->engine,
          .help = "engine" },
        { .name = "--set", .kind = TERN_ARG_LIST, .value = "KEY=VALUE", .out = &v->sets, .help = "setting" },
        { .name = "--json", .kind = TERN_ARG_FLAG, .out = &v->json, .help = "JSON" },
    };
    /* clang-format on */
    const tern_args args = { .verb = "test", .purpose = "Tests.", .list = list, .n = sizeof list / sizeof *list };
    char *argv[320] = { (char *)"test" };
    int argc = 1;
    while (words[argc - 1] != NULL) {
        argv[argc] = (char *)(uintptr_t)words[argc - 1];
        ++argc;
    }
    fflush(stdout);
    FILE *catch = tmpfile();
    if (catch == NULL) return -2;
    const int out = dup(STDOUT_FILENO), err = dup(STDERR_FILENO);
    dup2(fileno(catch), STDOUT_FILENO);
    dup2(fileno(catch), STDERR_FILENO);
    const int status = tern_args_parse(&args, argc, argv);
    fflush(stdout);
    fflush(stderr);
    dup2(out, STDOUT_FILENO);
    dup2(err, STDERR_FILENO);
    close(out);
    close(err);
    rewind(catch);
    said[fread(said, 1, sizeof said - 1, catch)] = 0;
    fclose(catch);
    return status;
}

#define PARSE(v, ...) parse(v, (const char *const[]){ __VA_ARGS__, NULL })
#define REFUSED(text, ...) \
    do { \
        values r_; \
        CHECK_EQ(PARSE(&r_, __VA_ARGS__), 2); \
        if (strstr(said, text) == NULL) CHECK_STR(said, text); \
        CHECK(strstr(said, "tern test --help") != NULL); \
    } while (0)

static void accepted(void)
{
    values v;
    CHECK_EQ(PARSE(&v, "net.lua"), -1);
    CHECK_STR(v.net, "net.lua");
    CHECK(v.second == NULL && v.out == NULL && !v.json && !v.given_samples && v.samples == 5);
    CHECK_EQ(PARSE(&v, "--json", "net.lua", "-o", "x", "--samples", "7", "two"), -1);
    CHECK(v.json && v.given_samples);
    CHECK_STR(v.out, "x");
    CHECK_STR(v.second, "two");
    CHECK_EQ(v.samples, 7);
    CHECK_EQ(PARSE(&v, "net.lua", "-oy", "--samples=0x10", "--rate=-0.5", "--engine=reference"), -1);
    CHECK_STR(v.out, "y");
    CHECK_EQ(v.samples, 16);
    CHECK_NEAR(v.rate, -0.5, 0);
    CHECK_STR(v.engine, "reference");
    /* a value may begin with one '-' */
    CHECK_EQ(PARSE(&v, "net.lua", "--rate", "-1", "--output=a=b", "--seed", "18446744073709551615"), -1);
    CHECK_NEAR(v.rate, -1, 0);
    CHECK_STR(v.out, "a=b");
    CHECK(v.seed == UINT64_MAX);
    CHECK_EQ(PARSE(&v, "--set", "a=1", "--set=b=2", "net.lua", "--set", "c=3"), -1);
    CHECK_EQ(v.sets.n, 3);
    CHECK_STR(v.sets.items[1], "b=2");
    CHECK_EQ(PARSE(&v, "--", "--json"), -1);
    CHECK_STR(v.net, "--json");
    CHECK(!v.json);
    CHECK_EQ(PARSE(&v, "-"), -1);
    CHECK_STR(v.net, "-");
}

static void refused(void)
{
    REFUSED("E0101: unknown option '--sampels'\n  hint: did you mean '--samples'?", "net.lua", "--sampels", "3");
    REFUSED("hint: did you mean '--samples'?", "net.lua", "--smaples=3");
    REFUSED("hint: did you mean '--help'?", "--hlep");
    REFUSED("E0101: unknown option '--frobnicate'\n  help", "net.lua", "--frobnicate");
    REFUSED("E0101: unknown option '-x'", "net.lua", "-x");
    REFUSED("E0102: --samples needs a value: --samples K", "net.lua", "--samples");
    REFUSED("E0102: --output needs a value: --output DIR", "net.lua", "-o", "--json");
    REFUSED("E0103: --samples: '33' is not a whole number in 1..32", "net.lua", "--samples", "33");
    REFUSED("is not a whole number in 1..32", "net.lua", "--samples", "0");
    REFUSED("is not a whole number", "net.lua", "--samples", "-1");
    REFUSED("is not a whole number", "net.lua", "--samples", "3x");
    REFUSED("is not a whole number", "net.lua", "--samples", " 3");
    REFUSED("is not a whole number", "net.lua", "--samples=");
    REFUSED("is not a whole number", "net.lua", "--samples", "0x");
    REFUSED("is not a whole number", "net.lua", "--samples", "1e1");
    REFUSED("is not a whole number", "net.lua", "--seed", "18446744073709551616");
    REFUSED("E0103: --rate: '2.5' is not a number in -1..2", "net.lua", "--rate", "2.5");
    REFUSED("is not a number", "net.lua", "--rate", "nan");
    REFUSED("is not a number", "net.lua", "--rate", "1,5");
    REFUSED("E0103: --engine: 'gold' is not one of golden|reference", "net.lua", "--engine", "gold");
    REFUSED("not one of", "net.lua", "--engine", "golden|reference");
    REFUSED("not one of", "net.lua", "--engine", "");
    REFUSED("E0103: --json takes no value, found 'yes'", "net.lua", "--json=yes");
    REFUSED("E0103: --output: the value is empty", "net.lua", "--output=");
    REFUSED("E0104: --samples is given twice", "net.lua", "--samples", "1", "--samples", "2");
    REFUSED("E0105: 'c' is one argument too many", "a", "b", "c");
    REFUSED("E0106: NET.lua is missing", "--json");
    const char *many[2 * TERN_ARG_LIST_MAX + 5];
    size_t n = 0;
    many[n++] = "net.lua";
    for (size_t i = 0; i <= TERN_ARG_LIST_MAX; ++i) many[n++] = "--set=a=1";
    many[n] = NULL;
    values v;
    CHECK_EQ(parse(&v, many), 2);
    CHECK(strstr(said, "E0104: --set is given more than 256 times") != NULL);
}

static void help(void)
{
    values v;
    CHECK_EQ(PARSE(&v, "--help"), 0);
    static const char *const parts[] = { "usage: tern test NET.lua [SECOND] [options]",
                                         "Tests.",
                                         "-o, --output DIR",
                                         "--samples K",
                                         "samples (1..32)",
                                         "setting (may be repeated)",
                                         "rate\n                              of two lines (-1..2)",
                                         "--engine golden|reference",
                                         "exit status: 0 done" };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i)
        if (strstr(said, parts[i]) == NULL) CHECK_STR(said, parts[i]);
    CHECK_EQ(PARSE(&v, "a", "-h", "--nonsense"), 0); /* who asks for help gets it */
}

static void nearest(void)
{
    static const char *const words[] = { "train", "eval", "explain", "doctor" };
    static const char *const options[] = { "--seed", "--set", "--presentations" };
    CHECK_STR(tern_nearest("trian", words, 4), "train");
    CHECK_STR(tern_nearest("evla", words, 4), "eval");
    CHECK_STR(tern_nearest("explian", words, 4), "explain");
    CHECK_STR(tern_nearest("docter", words, 4), "doctor");
    /* an abbreviation, unless it is one of several */
    CHECK_STR(tern_nearest("do", words, 4), "doctor");
    CHECK(tern_nearest("d", words, 4) == NULL);
    CHECK_STR(tern_nearest("--pres", options, 3), "--presentations");
    CHECK_STR(tern_nearest("--se", options, 3), "--set");
    CHECK(tern_nearest("xyz", words, 4) == NULL);
    /* a word that goes on; no letter in common is no likeness */
    CHECK_STR(tern_nearest("evaluate", words, 4), "eval");
    CHECK_STR(tern_nearest("--set-key", options, 3), "--set");
    static const char *const far[] = { "--ways", "--inference", "help", "formats", "input", "init" };
    CHECK(tern_nearest("--keys", far, 6) == NULL);
    CHECK(tern_nearest("--tolerence", far, 6) == NULL);
    CHECK(tern_nearest("exp", far, 6) == NULL);
    CHECK(tern_nearest("normal", far, 6) == NULL);
    CHECK(tern_nearest("output", far, 6) == NULL);
    CHECK(tern_nearest("into", far, 6) == NULL);
    static const char *const letters[] = { "p", "q" };
    CHECK(tern_nearest("a", letters, 2) == NULL); /* every letter would change */
    char longer[300];
    memset(longer, 'a', sizeof longer - 1);
    longer[sizeof longer - 1] = 0;
    CHECK(tern_nearest(longer, words, 4) == NULL);
}

int main(void)
{
    accepted();
    refused();
    help();
    nearest();
    return tern_check_report("args");
}
