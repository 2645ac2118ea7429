/* tern_cli_report.c : tern report
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include "tern/file.h"
#include "tern_errors.h"
#include "tern/image.h"
#include "tern_cli_report.h"
#include "tern_verbs.h"

static const char epilogue[] = "OUT.tern is an image that `tern train` wrote. The log OUT.jsonl and the lines of an "
                               "evaluation OUT.eval.jsonl are found by name in its folder;\n"
                               "the page is OUT.html. The page omits missing parts and names the commands that make "
                               "them. gnuplot draws the figures (Debian: gnuplot-nox).";
static const char PAGE_BEGINS[] = "<!DOCTYPE html>";
enum { NAME_BYTES = 1100 };
#define MEMORY_BYTES ((size_t)3 << 30) /* no input makes it take more */

/* OUT.tern and ".jsonl" give OUT.jsonl. */
static const char *companion(char *to, const char *image, const char *suffix)
{
    const size_t n = strlen(image);
    const bool tern = n > 5 && strcmp(image + n - 5, ".tern") == 0;
    snprintf(to, NAME_BYTES, "%.*s%s", (int)(tern ? n - 5 : n), image, suffix);
    return to;
}

static int parse(tern_report_options *o, char names[3][NAME_BYTES], int argc, char **argv)
{
    *o = (tern_report_options){ .neurons = 16 };
    /* clang-format off */
    const tern_arg list[] = {
        { .name = "OUT.tern", .kind = TERN_ARG_STRING, .what = TERN_WHAT_FILE, .ext = "tern", .dash = TERN_DASH_IN,
          .required = true, .out = &o->image,
          .help = "the image" },
        { .name = "--log", .kind = TERN_ARG_STRING, .value = "FILE.jsonl", .what = TERN_WHAT_FILE, .ext = "jsonl",
          .out = &o->log, .out_given = &o->given_log,
          .help = "log of the training (default: OUT.jsonl, if it exists)" },
        { .name = "--eval", .kind = TERN_ARG_STRING, .value = "FILE.jsonl", .what = TERN_WHAT_FILE, .ext = "jsonl",
          .out = &o->eval, .out_given = &o->given_eval,
          .help = "lines of `tern eval --per-recording`\n(default: OUT.eval.jsonl, if it exists)" },
        { .name = "--data", .kind = TERN_ARG_STRING, .value = "PATH", .what = TERN_WHAT_DATA, .out = &o->data,
          .help = "recordings: shows spikes of the first three" },
        { .name = "--output", .letter = 'o', .kind = TERN_ARG_STRING, .value = "OUT.html", .what = TERN_WHAT_OUT,
          .ext = "html", .dash = TERN_DASH_TEXT, .out = &o->output,
          .help = "the page (default: OUT.html)" },
        { .name = "--neurons", .kind = TERN_ARG_UINT, .value = "N", .lo = 1, .hi = 256, .out = &o->neurons,
          .help = "number of neurons of a population whose\nweights and spikes are shown (default 16)" },
        { .name = "--json", .kind = TERN_ARG_FLAG, .out = &o->json,
          .help = "print the numbers of the page as one JSON object" },
    };
    /* clang-format on */
    const tern_args args = { .verb = "report",
                             .purpose = "Writes one HTML page about a trained network: what it is, how it learnt, how "
                                        "sure its decisions are, its weights and spikes.",
                             .list = list,
                             .n = sizeof list / sizeof *list,
                             .epilogue = epilogue };
    const int status = tern_args_parse(&args, argc, argv);
    if (status >= 0) return status;
    if (strlen(o->image) > 1024)
        return tern_args_wrong(&args, TERN_ERROR_USAGE, "the name of the image is longer than 1024 bytes");
    if (!o->given_log) o->log = companion(names[0], o->image, ".jsonl");
    if (!o->given_eval) o->eval = companion(names[1], o->image, ".eval.jsonl");
    if (o->output == NULL) o->output = companion(names[2], o->image, ".html");
    return tern_cli_outputs_clash(&args);
}

/* A page is replaced, something else is not. */
static tern_status check_output(tern_report *r)
{
    const char *path = r->o.output;
    char head[sizeof PAGE_BEGINS] = "";
    struct stat info;
    if (stat(path, &info) == 0 && S_ISREG(info.st_mode) && info.st_size != 0) {
        const int n = tern_file_head(path, head, sizeof PAGE_BEGINS - 1);
        if (n != (int)sizeof PAGE_BEGINS - 1 || memcmp(head, PAGE_BEGINS, sizeof PAGE_BEGINS - 1) != 0) {
            tern_diag_hint(tern_diags_add(&r->diags, TERN_SEV_ERROR, TERN_ERROR_USAGE, path, 0, "--output",
                                          "there is a file of this name that is not a page"),
                           "delete it, or choose another name");
            return TERN_ERR_IO;
        }
    }
    return tern_file_writable(path, &r->diags);
}

/* A log that does not go with the image is refused when it was named, and left out when it was only found. */
static tern_status read_log(tern_report *r)
{
    bool fits = true;
    tern_status s = tern_report_read_log(r->o.log, &r->model, &r->arena, &r->log, &r->diags);
    if (s == TERN_OK) s = tern_report_check_log(r->o.log, &r->model, &r->log, r->o.given_log, &fits, &r->diags);
    r->log_unfit = !fits;
    r->log.there = fits;
    return s;
}

static tern_status read_files(tern_report *r)
{
    tern_status s = tern_cli_lock(r->o.output, "--output", &r->diags);
    if (s == TERN_OK) s = check_output(r);
    if (s == TERN_OK) s = tern_image_load(r->o.image, &r->arena, &r->model, &r->diags);
    if (s == TERN_OK && (r->o.given_log || tern_file_exists(r->o.log))) s = read_log(r);
    if (s == TERN_OK && (r->o.given_eval || tern_file_exists(r->o.eval)))
        s = tern_report_read_eval(r->o.eval, &r->model, &r->arena, &r->eval, &r->diags);
    return s;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

static tern_status write_page(tern_report *r)
{
    const tern_model *m = &r->model;
    const char *what =
        m->state == NULL ? "not trained" : tern_report_print(r, "%u presentations", m->presentations_done);
    r->page = tern_page_new(tern_report_print(r, "Report: %s", m->name),
                            tern_report_print(r, "%s, %u neurons, %s", base_name(r->o.image), m->net.n_neurons, what),
                            &r->arena);
    r->summary = tern_json_object();
    if (r->page == NULL || r->summary == NULL) return TERN_ERR_MEMORY;
    /* the page names files without their folders: it is the same wherever it is made */
    const tern_report_options shown = r->o;
    r->o.image = base_name(shown.image);
    r->o.log = base_name(shown.log);
    r->o.eval = base_name(shown.eval);
    tern_report_put(r, "network", tern_json_text(m->name));
    tern_report_put(r, "page", tern_json_text(shown.output));
    tern_report_put(r, "log", json_boolean(r->log.there));
    tern_report_put(r, "eval", json_boolean(r->eval.there));
    tern_report_network(r);
    tern_report_training(r);
    tern_report_results(r);
    tern_report_weights(r);
    tern_status s = tern_report_spikes(r);
    r->o = shown;
    tern_report_put(r, "figures", json_integer((json_int_t)r->n_figures));
    if (s == TERN_OK && r->failed) s = TERN_ERR_MEMORY;
    return s == TERN_OK ? tern_page_write(r->page, r->o.output, &r->diags) : s;
}

static int finish(tern_report *r, tern_status s)
{
    if (s != TERN_OK) {
        json_decref(r->summary);
        return tern_cli_failed(s, &r->diags, "tern report");
    }
    tern_cli_print_diags(&r->diags);
    if (r->o.json) return tern_cli_print_json(r->summary, stdout) ? TERN_EXIT_DONE : TERN_EXIT_FOUND;
    json_decref(r->summary);
    printf("%s: %zu figures\n", r->o.output, r->n_figures);
    if (r->log_unfit) printf("  no learning curves: %s belongs to another training\n", r->o.log);
    else if (!r->log.there) printf("  no learning curves: there is no %s (tern train --log)\n", r->o.log);
    if (!r->eval.there) printf("  no decisions: there is no %s (tern eval --per-recording)\n", r->o.eval);
    if (r->o.data == NULL) puts("  no spikes: no recordings were given (--data)");
    return TERN_EXIT_DONE;
}

int tern_verb_report(int argc, char **argv)
{
    static char names[3][NAME_BYTES];
    tern_report_options o;
    const int usage = parse(&o, names, argc, argv);
    if (usage >= 0) return usage;
    const tern_alloc alloc = tern_alloc_default();
    tern_report *r = alloc.fn(alloc.ud, NULL, sizeof *r); /* too large for a stack */
    if (r == NULL) {
        fputs("tern report: not enough memory\n", stderr);
        return TERN_EXIT_FOUND;
    }
    memset(r, 0, sizeof *r);
    r->o = o;
    tern_diags_init(&r->diags);
    tern_arena_init(&r->arena, alloc, MEMORY_BYTES);
    tern_status s = read_files(r);
    if (s == TERN_OK) s = write_page(r);
    const int status = finish(r, s);
    tern_arena_free(&r->arena);
    alloc.fn(alloc.ud, r, 0);
    return status;
}
