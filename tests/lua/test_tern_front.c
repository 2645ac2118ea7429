/* test_tern_front.c : good scripts, modules, sets, equal bytes, failing allocations
 * SPDX-License-Identifier: Apache-2.0
 *
 *     test_tern_front DIR            all tests; DIR is this folder
 *     test_tern_front --digest FILE  prints the SHA-256 of the image made from FILE (for comparing processes: Lua's
 *     hash seed differs in each)
 */
#define _XOPEN_SOURCE 700
#include "tern_compiler.h"
#include "tern/image.h"
#include "tern_check.h"
#include <nettle/sha2.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static tern_model model;
static tern_diags diags;
static tern_arena arena;

static void show(void)
{
    char text[TERN_DIAG_BYTES];
    for (size_t i = 0; i < diags.n; ++i) {
        (void)tern_diag_format(&diags.list[i], text, sizeof text);
        printf("  %s\n", text);
    }
}

static tern_status compile_with(tern_alloc alloc, const char *path, size_t n_sets, const char *const *sets)
{
    tern_arena_init(&arena, alloc, 0);
    tern_diags_init(&diags);
    const tern_compile_options o = { .n_sets = n_sets, .sets = sets };
    return tern_compile_file(path, &o, &arena, &model, &diags);
}

static tern_status compile(const char *path, size_t n_sets, const char *const *sets)
{
    return compile_with(tern_alloc_default(), path, n_sets, sets);
}

static bool digest(const char *path, char out[65])
{
    const uint8_t *bytes;
    size_t size;
    uint8_t d[SHA256_DIGEST_SIZE];
    tern_status s = compile(path, 0, NULL);
    if (s == TERN_OK) s = tern_image_encode(&model, &arena, &bytes, &size);
    if (s != TERN_OK) {
        printf("%s: %s\n", path, tern_status_text(s));
        show();
        tern_arena_free(&arena);
        return false;
    }
    struct sha256_ctx c;
    sha256_init(&c);
    sha256_update(&c, size, bytes);
    sha256_update(&c, model.net.n_weights * sizeof(double), (const uint8_t *)model.real_weights0);
    sha256_digest(&c, sizeof d, d);
    for (size_t i = 0; i < sizeof d; ++i) snprintf(out + 2 * i, 3, "%02x", d[i]);
    tern_arena_free(&arena);
    return true;
}

static void test_good(const char *dir)
{
    static const char *const files[] = { "good/loops.lua",
                                         "good/large.lua",
                                         "good/rules.lua",
                                         "files/main.lua",
                                         "../../models/tiny/tiny.lua",
                                         "../../models/digits2/digits2.lua",
                                         "../../models/memorise/memorise.lua",
                                         "../../models/reward/reward.lua",
                                         "../../models/wta/wta.lua" };
    for (size_t i = 0; i < sizeof files / sizeof *files; ++i) {
        char path[600], first[65] = "", again[65];
        const char *what = "";
        snprintf(path, sizeof path, "%s/%s", dir, files[i]);
        const tern_status s = compile(path, 0, NULL);
        CHECK_EQ(s, TERN_OK);
        if (s != TERN_OK) show();
        else CHECK_EQ(tern_net_check(&model.net, &what), TERN_OK);
        CHECK_EQ(diags.n_errors, 0);
        CHECK_EQ(strlen(model.source_sha256), 64);
        tern_arena_free(&arena);
        CHECK(digest(path, first));
        for (int k = 0; k < 4; ++k) {
            CHECK(digest(path, again));
            CHECK_STR(again, first);
        }
    }
}

static void test_sets(const char *dir)
{
    char path[600];
    snprintf(path, sizeof path, "%s/../../models/digits2/digits2.lua", dir);
    static const char *const sets[] = {
        "rule.samples=1", "rule.eta=5e-4", "formats.weight={8,7}", "data.steps=40",
        "seed=3",         "hid.size=7",    "rule.samples=2",       "rule.schedule={divide=1.5, every=40}",
        "out.bias=-1.5",  "data.mirror=x", "data.clear=false",     "data.crop={ 1, 2, 26, 26 }"
    };
    CHECK_EQ(compile(path, sizeof sets / sizeof *sets, sets), TERN_OK);
    show();
    CHECK_EQ(model.rule.samples, 2);
    CHECK_NEAR(model.rule.eta, 5e-4, 0);
    CHECK_NEAR(model.rule.eta_divide, 1.5, 0);
    CHECK_EQ(model.rule.eta_every, 40);
    CHECK_EQ(model.net.weight_bits, 8);
    CHECK_EQ(model.net.weight_frac, 7);
    CHECK_EQ(model.data.steps, 40);
    CHECK_EQ(model.seed, 3);
    CHECK_EQ(model.populations[1].size, 7);
    CHECK_EQ(model.net.n_neurons, 9);
    CHECK_NEAR(model.real_bias0[0], -1.5, 0);
    CHECK(model.data.mirror_x && !model.data.mirror_y && !model.data.clear);
    CHECK_EQ(model.data.crop_x, 1);
    CHECK_EQ(model.data.crop_y, 2);
    CHECK_EQ(model.data.scale, 1);
    tern_arena_free(&arena);
    /* the same population from a crop of twice the size */
    static const char *const scale[] = { "data.crop={0, 0, 52, 52}", "data.scale=2" };
    CHECK_EQ(compile(path, 2, scale), TERN_OK);
    CHECK_EQ(model.data.scale, 2);
    CHECK_EQ(model.data.crop_width, 52);
    CHECK_EQ(model.data.parts[0].width, 26);
    tern_arena_free(&arena);
    CHECK(compile(path, 1, scale) != TERN_OK);
    tern_arena_free(&arena);
    /* half of the picture, in two phases side by side, is as many units */
    static const char *const phases[] = { "data.crop={0, 0, 26, 13}", "pixels.shape={2, 13, 26}", "data.phases={2,80}",
                                          "data.shift=16" };
    CHECK_EQ(compile(path, 4, phases), TERN_OK);
    CHECK_EQ(model.data.phases, 2);
    CHECK_EQ(model.data.phase_steps, 80);
    CHECK_EQ(model.data.shift, 16);
    CHECK_EQ(tern_data_planes(&model.data), 2);
    CHECK_EQ(tern_data_steps(&model.data), 160);
    tern_arena_free(&arena);
    CHECK(compile(path, 2, phases) != TERN_OK); /* without phases it is half a picture */
    tern_arena_free(&arena);
    /* the seed changes initial weights and nothing else */
    static const char *const seed[] = { "seed=5" };
    CHECK_EQ(compile(path, 0, NULL), TERN_OK);
    const double w = model.real_weights0[0];
    const uint32_t rows = model.net.n_rows;
    CHECK_EQ(model.rule.samples, 5);
    CHECK_EQ(model.seed, 1);
    tern_arena_free(&arena);
    CHECK_EQ(compile(path, 1, seed), TERN_OK);
    CHECK(fabs(model.real_weights0[0] - w) > 1e-9);
    CHECK_EQ(model.net.n_rows, rows);
    tern_arena_free(&arena);
}

/* good/rules.lua: circuits, a rule with every key; then the same script under other rules. */
static void test_rules(const char *dir)
{
    char path[600];
    snprintf(path, sizeof path, "%s/good/rules.lua", dir);
    CHECK_EQ(compile(path, 0, NULL), TERN_OK);
    show();
    CHECK_EQ(diags.n, 1); /* "free" has no target */
    CHECK_EQ(diags.list[0].code, 242);
    const tern_rule *r = &model.rule;
    CHECK(r->kind == TERN_RULE_REWARD && r->baseline == TERN_BASELINE_SYNAPSE && r->memory == 16 && r->samples == 3 &&
          r->eta_every == 100);
    CHECK_NEAR(r->tau, 2.5, 0);
    CHECK_NEAR(r->kappa, 0, 0);
    CHECK_EQ(model.net.lags_w, 1);
    CHECK(model.net.rule == TERN_RULE_REWARD && model.net.baseline == TERN_BASELINE_SYNAPSE &&
          model.net.baseline_shift == 4 && model.net.m_shift == 6);
    tern_arena_free(&arena);
    static const char value[] =
        "local v = tern.visible{ name = 'v', size = 2 } tern.connect{ from = v, to = v, filters = tern.taps{1} }\n"
        "local r = tern.%s{ eta = 0.1 } assert(r.kind == '%s')\n";
    static const char *const names[] = { "gem", "mb", "iw", "reward" };
    for (unsigned i = 0; i < 4; ++i) {
        char text[300];
        snprintf(text, sizeof text, value, names[i], names[i]);
        tern_arena_init(&arena, tern_alloc_default(), 0);
        tern_diags_init(&diags);
        CHECK_EQ(tern_compile_string(text, strlen(text), "t.lua", NULL, &arena, &model, &diags), TERN_OK);
        CHECK_EQ(model.net.rule, i);
        tern_arena_free(&arena);
    }
    CHECK_EQ(compile(path, 0, NULL), TERN_OK);
    static const uint32_t wta[] = { 0, 3, 2, 64, 0, 4 };
    for (uint32_t i = 0; i < 6; ++i) {
        const tern_population *p = &model.populations[i];
        CHECK_EQ(p->wta, wta[i]);
        for (uint32_t u = 0; p->kind != TERN_POP_INPUT && u < p->size; ++u) {
            CHECK_EQ(model.net.neurons[p->neuron0 + u].wta_size, wta[i]);
            CHECK_EQ(model.net.neurons[p->neuron0 + u].wta_index, wta[i] == 0 ? 0 : u % wta[i]);
        }
    }
    tern_arena_free(&arena);

    static const struct {
        const char *set[3];
        uint8_t kind, baseline;
        double tau;
        const char *notes;
    } list[] = {
        { { "rule.kind=gem" }, TERN_RULE_GEM, TERN_BASELINE_NONE, 0, "baseline memory tau " },
        { { "rule.kind=mb" }, TERN_RULE_MB, TERN_BASELINE_SYNAPSE, 0, "tau " },
        { { "rule.kind=iw", "rule.baseline=neuron" }, TERN_RULE_IW, TERN_BASELINE_NEURON, 0, "tau " },
        { { "rule.kind=reward", "rule.tau=0" }, TERN_RULE_REWARD, TERN_BASELINE_SYNAPSE, 0, "" },
        { { "rule.baseline=none", "rule.memory=8" }, TERN_RULE_REWARD, TERN_BASELINE_NONE, 2.5, "" },
        { { "rule.kind=gem", "rule.baseline=none" }, TERN_RULE_GEM, TERN_BASELINE_NONE, 0, "baseline memory tau " }
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; ++i) {
        char notes[100] = "";
        const size_t n = list[i].set[1] == NULL ? 1 : 2;
        CHECK_EQ(compile(path, n, list[i].set), TERN_OK);
        CHECK(model.rule.kind == list[i].kind && model.net.rule == list[i].kind &&
              model.rule.baseline == list[i].baseline && model.net.baseline == list[i].baseline);
        CHECK_NEAR(model.rule.tau, list[i].tau, 0);
        CHECK_NEAR(model.rule.eta, 0.01, 0); /* what all rules have stays */
        CHECK_EQ(model.rule.samples, 3);
        for (size_t k = 0; k < diags.n; ++k)
            if (diags.list[k].code == 243) {
                CHECK_EQ(diags.list[k].severity, TERN_SEV_NOTE);
                CHECK(strncmp(diags.list[k].key, "rule.", 5) == 0);
                snprintf(notes + strlen(notes), sizeof notes - strlen(notes), "%s ", diags.list[k].key + 5);
            }
        CHECK_STR(notes, list[i].notes);
        bool no_target = false; /* "free"; a caller who makes the reward needs none */
        for (size_t k = 0; k < diags.n; ++k) no_target = no_target || diags.list[k].code == 242;
        CHECK_EQ(no_target, list[i].kind != TERN_RULE_REWARD || list[i].tau > 0);
        const uint8_t *bytes;
        size_t size;
        CHECK_EQ(tern_image_encode(&model, &arena, &bytes, &size), TERN_OK);
        tern_arena_free(&arena);
    }
    static const char *const circuits[] = { "out.wta=2", "grid.wta=4", "row.size=9" };
    CHECK_EQ(compile(path, 3, circuits), TERN_OK);
    CHECK(model.populations[5].wta == 2 && model.populations[2].wta == 4 && model.populations[1].wta == 3 &&
          model.populations[1].size == 9);
    tern_arena_free(&arena);
    /* a script of GEM under the other rules: their defaults */
    snprintf(path, sizeof path, "%s/../../models/digits2/digits2.lua", dir);
    static const char *const kinds[] = { "rule.kind=mb", "rule.kind=iw", "rule.kind=reward" };
    for (unsigned i = 0; i < 3; ++i) {
        CHECK_EQ(compile(path, 1, &kinds[i]), TERN_OK);
        CHECK_EQ(diags.n, 0);
        CHECK(model.rule.kind == i + 1 && model.rule.baseline == TERN_BASELINE_NEURON && model.rule.memory == 128);
        CHECK_NEAR(model.rule.tau, i == 2 ? 5 : 0, 0);
        tern_arena_free(&arena);
    }
}

static void expect_error(const char *path, int code, int line, const char *file_end, const char *text)
{
    const tern_status s = compile(path, 0, NULL);
    bool met = false;
    CHECK(s != TERN_OK);
    for (size_t i = 0; i < diags.n; ++i) {
        const tern_diag *g = &diags.list[i];
        const size_t n = strlen(g->file), m = strlen(file_end);
        met = met || (g->code == code && g->line == line && n >= m && strcmp(g->file + n - m, file_end) == 0 &&
                      strstr(g->message, text) != NULL);
    }
    CHECK(met);
    if (!met) {
        printf("  %s: no error %d in %s:%d with '%s'\n", path, code, file_end, line, text);
        show();
    }
    tern_arena_free(&arena);
}

static void write_file(const char *dir, const char *name, const char *text)
{
    char path[700];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    FILE *f = fopen(path, "wb");
    CHECK(f != NULL);
    if (f == NULL) return;
    CHECK(fputs(text, f) >= 0);
    CHECK_EQ(fclose(f), 0);
}

/* Files that are not there, not files, links out of the folder. */
static void test_files(const char *dir)
{
    char base[] = "/tmp/tern-front-XXXXXX", net[600], path[700], target[700];
    CHECK(mkdtemp(base) != NULL);
    snprintf(net, sizeof net, "%s/net", base);
    CHECK_EQ(mkdir(net, 0700), 0);
    write_file(base, "outside.lua", "return 1\n");
    write_file(net, "a.lua", "\xef\xbb\xbf-- mark\nlocal x = require 'link'\n");
    write_file(net, "b.lua", "#!/usr/bin/env tern\nrequire('missing')\n");
    write_file(net, "c.lua", "require('folder')\n");
    write_file(net, "d.lua", "require('fifo')\n");
    write_file(net, "e.lua", "tern.hidden{ name = 'h', size = 1, bias = tern.image('link.lua') }\n");
    write_file(net, "f.lua",
               "local v = tern.visible{ name = 'v', size = 1, bias = tern.image('nothing.tern') }\n"
               "tern.connect{ from = v, to = v, filters = tern.taps{1}, self = true }\ntern.gem{ eta = 0.1 }\n");
    write_file(net, "g.lua", "for i = 1, 3 do require('bytes') end\n");
    write_file(net, "bytes.lua", "\x1bLua");
    snprintf(target, sizeof target, "%s/outside.lua", base);
    snprintf(path, sizeof path, "%s/link.lua", net);
    CHECK_EQ(symlink(target, path), 0);
    snprintf(path, sizeof path, "%s/folder.lua", net);
    CHECK_EQ(mkdir(path, 0700), 0);
    snprintf(path, sizeof path, "%s/fifo.lua", net);
    CHECK_EQ(mkfifo(path, 0600), 0);
    static const struct {
        const char *file;
        int code, line;
        const char *text;
    } cases[] = { { "a.lua", 203, 2, "symbolic link" },
                  { "b.lua", 203, 2, "there is no such file" },
                  { "c.lua", 203, 1, "folder" },
                  { "d.lua", 203, 1, "not a plain file" },
                  { "e.lua", 225, 1, "link out of the script's folder" },
                  { "f.lua", 265, 1, "cannot be used" },
                  { "bytes.lua", 202, 1, "bytecode" },
                  { "none.lua", 206, 0, "there is no such file" },
                  { "folder.lua", 206, 0, "it is a folder" },
                  { "fifo.lua", 206, 0, "it is not a plain file" } };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        snprintf(path, sizeof path, "%s/%s", net, cases[i].file);
        expect_error(path, cases[i].code, cases[i].line, cases[i].file, cases[i].text);
    }
    snprintf(path, sizeof path, "%s/g.lua", net);
    expect_error(path, 202, 1, "bytes.lua", "bytecode"); /* told at the module */
    /* a big file */
    snprintf(path, sizeof path, "%s/big.lua", net);
    FILE *f = fopen(path, "wb");
    for (int i = 0; i < 200000 && f != NULL; ++i) fputs("-- much\n", f);
    if (f != NULL) fclose(f);
    expect_error(path, 206, 0, "big.lua", "larger than 1 MiB");
    snprintf(path, sizeof path, "rm -r '%s'", base);
    CHECK_EQ(system(path), 0);

    static const struct {
        const char *name, *file;
        int code, line;
        const char *text;
    } modules[] = { { "ring_a", "ring_a.lua", 203, 2, "requires itself" },
                    { "broken", "broken.lua", 202, 2, "unexpected symbol" },
                    { "failing", "failing.lua", 213, 2, "'size' is 0" },
                    { "failing", "failing.lua", 203, 3, "not today" } };
    for (size_t i = 0; i < sizeof modules / sizeof *modules; ++i) {
        snprintf(path, sizeof path, "%s/files/%s.lua", dir, modules[i].name);
        expect_error(path, modules[i].code, modules[i].line, modules[i].file, modules[i].text);
    }
}

/* ---- an allocator that refuses the n-th request, or all from the n-th on ---- */
typedef struct refusing {
    size_t n, seen;
    bool for_ever;
    long blocks;
} refusing;

static void *refusing_fn(void *ud, void *ptr, size_t bytes)
{
    refusing *r = ud;
    if (bytes == 0) {
        r->blocks -= ptr != NULL;
        free(ptr);
        return NULL;
    }
    ++r->seen;
    if (r->for_ever ? r->seen >= r->n : r->seen == r->n) return NULL;
    void *p = realloc(ptr, bytes);
    r->blocks += ptr == NULL && p != NULL;
    return p;
}

static void test_refused(const char *path)
{
    for (int for_ever = 0; for_ever < 2; ++for_ever) {
        tern_status s = TERN_ERR_MEMORY;
        size_t n = 1, n_failed = 0;
        for (; n < 100000; ++n) {
            refusing r = { .n = n, .for_ever = for_ever != 0 };
            s = compile_with((tern_alloc){ refusing_fn, &r }, path, 0, NULL);
            CHECK(s == TERN_OK || s == TERN_ERR_MEMORY);
            CHECK((s == TERN_OK) == (diags.n_errors == 0));
            n_failed += s != TERN_OK;
            if (s != TERN_OK && s != TERN_ERR_MEMORY) show();
            tern_arena_free(&arena);
            CHECK_EQ(r.blocks, 0);
            if (s == TERN_OK && r.seen < n) break; /* nothing was refused */
        }
        CHECK_EQ(s, TERN_OK);
        CHECK(n_failed > 0);
        printf("  %s: %zu requests, %zu of %zu refusals (%s) ended in an error\n", strrchr(path, '/') + 1, n - 1,
               n_failed, n - 1, for_ever ? "and all after" : "once");
    }
}

/* Every key has its row, and the rows are complete. */
static bool kind_listed;
static void count_key(void *ud, const tern_language_key *k)
{
    ++*(unsigned *)ud;
    if (strcmp(k->section, "rule") == 0 && strcmp(k->key, "kind") == 0) {
        CHECK(k->settable && !k->required);
        CHECK_STR(k->range, "gem|mb|iw|reward");
        kind_listed = true;
    }
    CHECK(k->section[0] != 0 && k->key[0] != 0 && k->type[0] != 0 && k->help[0] != 0);
}

/* What is advised instead of a name that scripts have not, and of a shape that says no more than a size. */
static void test_advice(void)
{
    static const char picture[] = "local f = tern.taps{1}\nlocal a = tern.input{name = 'a', shape = {40}}\nlocal b = "
                                  "tern.visible{name = 'b', size = 2}\n"
                                  "tern.connect{from = a, to = b, filters = f}\ntern.gem{eta = 1e-3, kappa = 0, "
                                  "samples = 1}\ntern.data{window_ms = 10, steps = 4, input = a, label = b}\n";
    static const struct {
        const char *script, *hint;
    } cases[] = {
        { "local x = math.random()", "tern.generator" },
        { "math.randomseed(1)", "tern.generator" },
        { "local t = os.time()", "--set" },
        { "local t = os.getenv('X')", "--set" },
        { "io.write('x')", "require" },
        { "dofile('x.lua')", "require" },
        { "load('x = 1')", "function" },
        { "local b = package.path", "require" },
        { "warn('x')", "print" },
        { "xpcall(print, print)", "pcall" },
        { "local n = table.getn({})", "#list" },
        { "local n = unpack({})", "table.unpack" },
        { "debug.traceback()", "line" },
        { "local x = math.pow(2, 3)", "x ^ y" },
        { "local x = string.dump(print)", "function" },
        { picture, "shape = {1, 40}" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        tern_arena_init(&arena, tern_alloc_default(), 0);
        tern_diags_init(&diags);
        CHECK_EQ(tern_compile_string(cases[i].script, strlen(cases[i].script), "net.lua", NULL, &arena, &model,
                                     &diags) != TERN_OK,
                 true);
        bool advised = false;
        for (size_t k = 0; k < diags.n; ++k)
            advised = advised ||
                      (diags.list[k].severity == TERN_SEV_ERROR && strstr(diags.list[k].hint, cases[i].hint) != NULL);
        CHECK(advised);
        if (!advised) show();
        tern_arena_free(&arena);
    }
    /* what is advised helps */
    char mended[sizeof picture + 8];
    const char *at = strstr(picture, "{40}");
    snprintf(mended, sizeof mended, "%.*s{1, 40}%s", (int)(at - picture), picture, at + 4);
    tern_arena_init(&arena, tern_alloc_default(), 0);
    tern_diags_init(&diags);
    CHECK_EQ(tern_compile_string(mended, strlen(mended), "net.lua", NULL, &arena, &model, &diags), TERN_OK);
    if (diags.n_errors > 0) show();
    tern_arena_free(&arena);
}

int main(int argc, char **argv)
{
    char text[65], path[600];
    if (argc == 3 && strcmp(argv[1], "--digest") == 0) {
        if (!digest(argv[2], text)) return 1;
        printf("%s\n", text);
        return 0;
    }
    const char *dir = argc > 1 ? argv[1] : ".";
    test_good(dir);
    test_sets(dir);
    test_rules(dir);
    test_files(dir);
    test_advice();
    snprintf(path, sizeof path, "%s/good/loops.lua", dir);
    test_refused(path);
    snprintf(path, sizeof path, "%s/files/main.lua", dir);
    test_refused(path);
    unsigned n = 0;
    tern_language_keys(count_key, &n);
    CHECK(n >= 60 && kind_listed);
    return tern_check_report("lua.front");
}
