/* tern_certify_manifest.c : the manifest, a function of its head and of the files in the folder
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdlib.h>
#include <string.h>
#include "tern_certify.h"
#include "tern/file.h"

enum { ANSWER_MAX = 64 << 20 };

/* Members of a step's answer that the certificate tells. */
static const char *const synthesis_members[] = { "network", "layout_hash", "lanes",    "samples", "target",
                                                 "netlist", "used",        "estimate", "timing",  "speed",
                                                 "tools",   "bitstream",   NULL };
static const char *const lockstep_members[] = { "core",        "netlist",      "lanes",  "samples",  "seed",
                                                "learn",       "verilator",    "yosys",  "steps",    "presentations",
                                                "records",     "memory_words", "cycles", "digest_c", "digest_rtl",
                                                "differences", "interrupted",  NULL };
static const char *const accuracy_members[] = {
    "engine",   "samples",           "seed",     "recordings",        "steps", "labelled", "right",
    "accuracy", "accuracy_interval", "log_loss", "log_loss_interval", NULL
};
static const char *const image_members[] = { "name", "layout_hash", "weight_bits", "neurons", "synapses", NULL };
static const struct {
    const char *step;
    const char *const *members;
} kinds[] = { { "image", image_members },
              { "synthesis", synthesis_members },
              { "rtl", lockstep_members },
              { "netlist", lockstep_members },
              { "integers", accuracy_members },
              { "reference", accuracy_members },
              { "proofs", NULL } };
static const char *const head_members[] = { "certificate", "version", "tern", "source",
                                            "board",       "until",   "data", "steps" };

static char *read_text(const char *dir, const char *name, size_t *out_size, tern_diags *diags)
{
    char path[2 * TERN_CERTIFY_PATH];
    uint8_t *bytes = NULL;
    size_t size = 0;
    snprintf(path, sizeof path, "%s/%s", dir, name);
    if (strstr(name, "..") != NULL || name[0] == '/') {
        tern_certify_fault(diags, TERN_CERTIFY_E_ANSWER, name, TERN_ERR_FORMAT, "an answer lies in the folder",
                           "a name that leads out of the folder");
        return NULL;
    }
    if (tern_file_read(path, ANSWER_MAX, tern_alloc_default(), &bytes, &size, diags) != TERN_OK) return NULL;
    char *text = malloc(size + 1);
    if (text != NULL) {
        memcpy(text, bytes, size);
        text[size] = 0;
    }
    const tern_alloc alloc = tern_alloc_default();
    alloc.fn(alloc.ud, bytes, 0);
    *out_size = size;
    return text;
}

static json_t *facts_of(const char *dir, const char *answer, const char *const *members, tern_diags *diags)
{
    size_t size = 0;
    json_error_t error;
    char *text = read_text(dir, answer, &size, diags);
    if (text == NULL) return NULL;
    json_t *all = tern_json_load(text, size, JSON_REJECT_DUPLICATES, &error), *facts = tern_json_object();
    free(text);
    for (size_t i = 0; facts != NULL && members[i] != NULL; ++i) {
        json_t *value = json_object_get(all, members[i]);
        if (value == NULL) {
            tern_certify_fault(diags, TERN_CERTIFY_E_ANSWER, answer, TERN_ERR_FORMAT,
                               "was the executable replaced while it ran?", "the answer has no member '%s'",
                               members[i]);
            json_decref(facts);
            facts = NULL;
        } else tern_json_put(facts, members[i], json_incref(value));
    }
    json_decref(all);
    return facts;
}

/* "//! bound 8": the number; 0: none. */
static json_t *depth_of(const char *text, const char *word)
{
    char begin[32];
    snprintf(begin, sizeof begin, "//! %s ", word);
    const char *at = strstr(text, begin);
    const unsigned long n = at == NULL ? 0 : strtoul(at + strlen(begin), NULL, 10);
    return n == 0 ? json_null() : json_integer((json_int_t)n);
}

/* Lines of ctest, " 1/30 Test  #9: formal.fifo.prove ......   Passed    1.2 sec", and the harness of each. */
static json_t *proofs_of(const char *dir, const char *answer, tern_diags *diags)
{
    static const char begin[] = ": formal.", end[] = ".prove ";
    size_t size = 0;
    char *log = read_text(dir, answer, &size, diags);
    if (log == NULL) return NULL;
    json_t *list = tern_json_list();
    char *kept = NULL;
    for (char *line = strtok_r(log, "\n", &kept); line != NULL && list != NULL; line = strtok_r(NULL, "\n", &kept)) {
        const char *unit = strstr(line, begin), *stop = unit == NULL ? NULL : strstr(unit, end);
        if (stop == NULL || strstr(line, "Test ") == NULL || strstr(line, " sec") == NULL || stop - unit > 60) continue;
        char name[64], file[128];
        size_t n = 0;
        unit += sizeof begin - 1;
        snprintf(name, sizeof name, "%.*s", (int)(stop - unit), unit);
        snprintf(file, sizeof file, "proofs/formal_%s.v", name);
        char *harness = read_text(dir, file, &n, diags);
        if (harness == NULL) {
            json_decref(list);
            list = NULL;
            break;
        }
        tern_json_add(list, tern_json_pack("{s:s, s:s, s:o, s:o, s:b}", "unit", name, "harness", file, "bound",
                                           depth_of(harness, "bound"), "induction", depth_of(harness, "induct"),
                                           "passed", strstr(line, " Passed ") != NULL));
        free(harness);
    }
    free(log);
    return list;
}

static bool ends(const char *path, const char *with)
{
    const size_t n = strlen(path), m = strlen(with);
    return n >= m && strcmp(path + n - m, with) == 0;
}

static bool is_verilog(const char *path)
{
    return strncmp(path, "synth/", 6) == 0 && (ends(path, ".v") || ends(path, ".vh"));
}

static const char *digest_of(const tern_certify_list *list, const char *path)
{
    for (size_t i = 0; path != NULL && i < list->n; ++i)
        if (strcmp(list->files[i].path, path) == 0) return list->files[i].sha256;
    return NULL;
}

/* The five that have names, beside those of all files. */
static json_t *digests_of(const tern_certify_list *list, const json_t *head, const json_t *results)
{
    char verilog[65], bitstream[300] = "";
    const char *image = NULL,
               *name = json_string_value(json_object_get(json_object_get(results, "synthesis"), "bitstream"));
    tern_certify_digest_list(list, is_verilog, verilog);
    if (name != NULL) snprintf(bitstream, sizeof bitstream, "synth/%.200s", name);
    for (size_t i = 0; i < list->n; ++i)
        if (strncmp(list->files[i].path, "network/", 8) == 0 && ends(list->files[i].path, ".tern"))
            image = list->files[i].path;
    return tern_json_pack("{s:s?, s:s?, s:s?, s:s?, s:s?}", "source",
                          digest_of(list, json_string_value(json_object_get(head, "source"))), "image",
                          digest_of(list, image), "verilog", verilog[0] != 0 ? verilog : NULL, "netlist",
                          digest_of(list, "synth/netlist.json"), "bitstream", digest_of(list, bitstream));
}

static json_t *files_of(const tern_certify_list *list)
{
    json_t *files = tern_json_list();
    for (size_t i = 0; i < list->n; ++i) {
        const tern_certify_file *f = &list->files[i];
        tern_json_add(files, tern_json_pack("{s:s, s:I, s:s}", "path", f->path, "bytes", (json_int_t)f->bytes, "sha256",
                                            f->sha256));
    }
    return files;
}

static json_t *results_of(const char *dir, const json_t *head, tern_diags *diags)
{
    json_t *results = tern_json_object(), *step;
    size_t i;
    json_array_foreach(json_object_get(head, "steps"), i, step)
    {
        const char *name = json_string_value(json_object_get(step, "step")),
                   *answer = json_string_value(json_object_get(step, "answer"));
        json_t *facts = NULL;
        size_t k = 0;
        while (name != NULL && k < sizeof kinds / sizeof kinds[0] && strcmp(kinds[k].step, name) != 0) ++k;
        if (name == NULL || answer == NULL || k == sizeof kinds / sizeof kinds[0])
            tern_certify_fault(diags, TERN_CERTIFY_E_ANSWER, "manifest.json", TERN_ERR_FORMAT,
                               "is it of another version of Tern?", "step %zu, '%.60s', is unknown, or has no answer",
                               i, name == NULL ? "" : name);
        else
            facts = kinds[k].members == NULL ? proofs_of(dir, answer, diags)
                                             : facts_of(dir, answer, kinds[k].members, diags);
        if (facts == NULL) {
            json_decref(results);
            return NULL;
        }
        tern_json_put(results, name, facts);
    }
    return results;
}

json_t *tern_certify_manifest(const char *dir, const tern_certify_list *list, const json_t *head, tern_diags *diags)
{
    json_t *results = results_of(dir, head, diags), *manifest = tern_json_object();
    if (results == NULL) {
        json_decref(manifest);
        return NULL;
    }
    for (size_t i = 0; i < sizeof head_members / sizeof head_members[0]; ++i) {
        json_t *value = json_object_get(head, head_members[i]);
        tern_json_put(manifest, head_members[i], value == NULL ? json_null() : json_incref(value));
    }
    tern_json_put(manifest, "digests", digests_of(list, head, results));
    tern_json_put(manifest, "files", files_of(list));
    tern_json_put(manifest, "results", results);
    return manifest;
}

char *tern_certify_manifest_text(const json_t *manifest)
{
    const unsigned long before = tern_json_faults();
    char *text = tern_json_dump(manifest, JSON_SORT_KEYS | JSON_INDENT(1) | JSON_REAL_PRECISION(12)), *more = NULL;
    const size_t n = text == NULL ? 0 : strlen(text);
    if (text != NULL && tern_json_faults() == before) more = realloc(text, n + 2);
    if (more == NULL) {
        free(text);
        return NULL;
    }
    memcpy(more + n, "\n", 2);
    return more;
}

/* ---- is it enough?
 * ------------------------------------------------------------------------------------------------ */

static tern_status judge_lockstep(const json_t *facts, const char *name, tern_diags *diags)
{
    const char *c = json_string_value(json_object_get(facts, "digest_c")),
               *rtl = json_string_value(json_object_get(facts, "digest_rtl"));
    if (json_integer_value(json_object_get(facts, "steps")) > 0 &&
        json_is_integer(json_object_get(facts, "differences")) &&
        json_integer_value(json_object_get(facts, "differences")) == 0 && c != NULL && rtl != NULL &&
        strcmp(c, rtl) == 0 && json_is_false(json_object_get(facts, "interrupted")))
        return TERN_OK;
    return tern_certify_fault(diags, TERN_CERTIFY_E_RESULT, name, TERN_ERR_FORMAT, "see the answer of the step",
                              "the lockstep found a difference, or compared nothing");
}

static tern_status judge_synthesis(const json_t *facts, const json_t *manifest, tern_diags *diags)
{
    const json_t *timing = json_object_get(facts, "timing");
    const char *until = json_string_value(json_object_get(manifest, "until"));
    if (until != NULL && strcmp(until, "bitstream") == 0 &&
        (json_string_value(json_object_get(json_object_get(manifest, "digests"), "bitstream")) == NULL ||
         !json_is_true(json_object_get(timing, "met"))))
        return tern_certify_fault(diags, TERN_CERTIFY_E_RESULT, "synthesis", TERN_ERR_FORMAT,
                                  "another --freq, more --seeds",
                                  "there is no bitstream, or it does not reach its clock");
    return TERN_OK;
}

static tern_status judge_proofs(const json_t *list, tern_diags *diags)
{
    size_t i, bad = 0;
    json_t *proof;
    json_array_foreach((json_t *)list, i, proof) bad += !json_is_true(json_object_get(proof, "passed"));
    if (json_array_size(list) > 0 && bad == 0) return TERN_OK;
    if (json_array_size(list) == 0)
        return tern_certify_fault(diags, TERN_CERTIFY_E_RESULT, "proofs", TERN_ERR_FORMAT,
                                  "configure that build with -DTERN_BUILD_TESTS=ON",
                                  "no proof was run: the build has none");
    return tern_certify_fault(diags, TERN_CERTIFY_E_RESULT, "proofs", TERN_ERR_FORMAT, "ctest -L formal in that folder",
                              "%zu of %zu proofs failed", bad, json_array_size(list));
}

tern_status tern_certify_judge(const json_t *manifest, tern_diags *diags)
{
    const json_t *results = json_object_get(manifest, "results");
    tern_status s = TERN_OK;
    for (int k = 0; k < 2 && s == TERN_OK; ++k) {
        const char *name = k == 0 ? "rtl" : "netlist";
        const json_t *facts = json_object_get(results, name);
        if (facts != NULL) s = judge_lockstep(facts, name, diags);
    }
    if (s == TERN_OK && json_object_get(results, "synthesis") == NULL)
        s = tern_certify_fault(diags, TERN_CERTIFY_E_RESULT, NULL, TERN_ERR_FORMAT, "make it again",
                               "the certificate has no synthesis");
    if (s == TERN_OK) s = judge_synthesis(json_object_get(results, "synthesis"), manifest, diags);
    if (s == TERN_OK && json_object_get(results, "proofs") != NULL)
        s = judge_proofs(json_object_get(results, "proofs"), diags);
    return s;
}
