/* tern_resident.c : see tern_resident.h
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_cores.h"
#include "tern_errors.h"
#include "tern_resident.h"
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "tern_capacity.h"
#include "tern/file.h"
#include "tern_args.h"
#include "tern_json.h"
#include "tern_link.h"
#include "tern_share.h"

enum { E_FILE = 540, E_CAPACITY = 812, FILE_MOST = 65536 };
static const char form[] = "docs/44-resident.md, section 2, lists its members";

/* Parameters of the core: names in NAME.vh and in the file, and where the value goes. */
typedef struct parameter {
    const char *name, *member;
    size_t at;
} parameter;
static const parameter parameters[] = {
#define XX(name, field, help) { #name, #field, offsetof(tern_capacity, field) },
    TERN_CAPACITY_MAP(XX)
#undef XX
};
enum { N_PARAMETERS = sizeof parameters / sizeof parameters[0] };

static uint32_t *field(tern_capacity *core, size_t i) { return (uint32_t *)(void *)((char *)core + parameters[i].at); }

tern_status tern_resident_wrong(const char *item, const char *what, tern_diags *diags)
{
    tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, E_CAPACITY, NULL, 0, "--capacity", "'%s': %s", item, what),
                   "NAME=VALUE with a parameter of the core, such as WORDS=20000 or SAMPLES=8; `tern compile` writes "
                   "them to NAME.vh");
    return TERN_ERR_ARGUMENT;
}

uint32_t *tern_resident_parameter(tern_capacity *core, const char *item, uint32_t *out_value, tern_diags *diags)
{
    const char *equals = strchr(item, '=');
    char *end = NULL;
    if (equals == NULL) {
        tern_resident_wrong(item, "no '='", diags);
        return NULL;
    }
    errno = 0;
    const unsigned long long value = strtoull(equals + 1, &end, 10);
    if (equals[1] < '0' || equals[1] > '9' || *end != 0 || errno != 0 || value > 1u << 24) {
        tern_resident_wrong(item, "not a decimal number from 0 to 16777216", diags);
        return NULL;
    }
    *out_value = (uint32_t)value;
    for (size_t i = 0; i < N_PARAMETERS; ++i)
        if (strlen(parameters[i].name) == (size_t)(equals - item) &&
            strncmp(parameters[i].name, item, (size_t)(equals - item)) == 0)
            return field(core, i);
    tern_resident_wrong(item, "the core has no such parameter", diags);
    return NULL;
}

tern_status tern_resident_once(const char *const *items, size_t i, tern_diags *diags)
{
    const size_t n = strcspn(items[i], "=") + 1;
    for (size_t k = 0; k < i; ++k)
        if (strncmp(items[k], items[i], n) == 0)
            return tern_resident_wrong(items[i], "this parameter is given twice", diags);
    return TERN_OK;
}

tern_status tern_resident_set(tern_capacity *core, const char *item, tern_diags *diags)
{
    uint32_t value = 0, *to = tern_resident_parameter(core, item, &value, diags);
    if (to == NULL) return TERN_ERR_ARGUMENT;
    *to = value;
    return TERN_OK;
}

/* ---- can there be such a core? ----------------------------------------------------------------------------------- */

typedef struct range {
    const char *member;
    double value, least, most;
    const char *why;
} range;

static bool check_all(const range *list, size_t n, const char *file, tern_diags *diags)
{
    bool good = true;
    for (size_t i = 0; i < n; ++i) {
        if (list[i].value >= list[i].least && list[i].value <= list[i].most) continue;
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, TERN_ERROR_CAPACITY, file, 0, list[i].member,
                                      list[i].least == list[i].most ? "found %.0f, allowed is %.0f"
                                                                    : "found %.0f, allowed are %.0f to %.0f",
                                      list[i].value, list[i].least, list[i].most),
                       "%s", list[i].why);
        good = false;
    }
    return good;
}

static uint32_t clog2(uint64_t n)
{
    uint32_t bits = 0;
    while (((uint64_t)1 << bits) < n) ++bits;
    return bits;
}

static double larger(double a, double b) { return a > b ? a : b; }
static double smaller(double a, double b) { return a < b ? a : b; }

/* The limits of such a core, and the checks of rtl/small/tern_small.v that are left. */
static bool check_limits(const tern_capacity *c, const char *file, tern_diags *diags)
{
    const char *const none = "the small core has no circuits; its host counts votes",
                      *const why = "a limit of the small core (docs/43-small-core.md, Limits)";
    tern_core_limit limits[TERN_CORE_LIMITS];
    const size_t n = tern_core_of(c)->limits(c, limits);
    if (n == 0) return true;
    range list[TERN_CORE_LIMITS + 2] = { { "classes", c->classes, 0, 0, none }, { "acc_w", c->acc_w, 33, 64, why } };
    for (size_t i = 0; i < n; ++i)
        list[2 + i] =
            (range){ limits[i].capacity, limits[i].need, 0, limits[i].most, limits[i].most == 0 ? none : why };
    return check_all(list, n + 2, file, diags);
}

/* waste: more than any network can use of the other capacities is allowed */
static tern_status check(const tern_capacity *c, bool waste, const char *file, tern_diags *diags)
{
    const double most = 1u << 24;
    const bool parallel = tern_core_of(c)->parallel;
    const double pairs = waste ? most / (c->hist_w > 32 ? 2 : 1) : smaller(most, (double)c->neurons * c->samples),
                 errors = waste ? most : smaller(most, (double)c->pairs * c->lags_w),
                 neurons = waste ? TERN_MAX_NEURONS : c->neurons,
                 baselines = c->signals == 0 ? 0
                             : parallel      ? neurons
                                             : c->neurons;
    const char *const host = "what the host port reaches (docs/33-host-port.md)",
                      *const core = "a range of the core (docs/31-blocks.md)";
    const double both = larger(c->taps_d, c->lags_w) + 1.0, sum = (double)c->taps_d + c->lags_w;
    const range list[] = {
        { "lanes", c->lanes, 1, 32, "1, 2, 4, 8, 16 or 32" },
        { "weight_w", c->weight_w, 4, 16, core },
        { "samples", c->samples, 1, TERN_MAX_SAMPLES, core },
        { "neurons", c->neurons, 2, TERN_MAX_NEURONS, core },
        { "pairs", c->pairs, waste ? 1 : c->samples, pairs,
          waste ? core : "from one neuron with all samples to neurons times samples" },
        { "errors", c->errors, 1, errors, waste ? core : "at most pairs times lags_w" },
        { "taps_d", c->taps_d, 1, TERN_MAX_TAPS, core },
        { "lags_w", c->lags_w, 1, TERN_MAX_HISTORY - 1u, core },
        { "hist_w", c->hist_w, both, waste ? TERN_MAX_HISTORY : smaller(sum, TERN_MAX_HISTORY),
          waste ? "more than taps_d and than lags_w, at most 64"
                : "more than taps_d and than lags_w, at most their sum, and 64" },
        { "filters", c->filters, 1, TERN_MAX_FILTERS, core },
        { "rows", c->rows, 1, 1u << 22, host },
        { "words", c->words, 1, most / (double)(1u << clog2((c->lanes * c->weight_w + 31u) / 32u)), host },
        { "hist_words", c->hist_words, 1,
          smaller(waste ? 65536 : 65535, most / (double)(1u << clog2((c->lanes * c->hist_w + 31u) / 32u))), host },
        { "targets", c->targets, 1, c->hist_words, "at most hist_words" },
        { "x_w", c->x_w, 10, 24, core },
        { "kernel_w", c->kernel_w, 22, waste ? 63 : 48, core },
        { "delta_w", c->delta_w, larger(c->kernel_w + 1.0, 17.0 + c->x_w), waste ? 64 : 60,
          "more than kernel_w, and at least 17 + x_w" },
        { "acc_w", c->acc_w, larger(24, 18.0 + c->x_w), 64, "at least 18 + x_w, and 24" },
        { "dither_min", c->dither_min, 1, c->dither_max, "at most dither_max" },
        { "dither_max", c->dither_max, 1, smaller(31, c->delta_w - 1.0), "at most 31, and less than delta_w" },
        { "index_w", c->index_w, 1, 32, core },
        { "signals", c->signals, 0, 1, "0: rule GEM only, 1: every rule" },
        { "baselines", c->baselines, 0, baselines,
          waste && parallel ? "with signals = 1, at most 65535" : "with signals = 1, at most one for each neuron" },
        { "wta", c->wta, 0, smaller(TERN_MAX_WTA, neurons), core },
        { "classes", c->classes, 0, smaller(TERN_VOTE_CLASSES, neurons),
          waste ? core : "at most one for each neuron, and 1024" },
        { "ways", c->ways, 1, smaller(16, parallel ? c->samples : 1),
          "samples per cycle: at most samples, and 16; small core 1" },
        { "kernels", c->kernels, 0, parallel && c->ways == 1,
          "1: rows from neurons have a kernel for each sample; with ways = 1" },
        { "way_words", c->way_words, 1, parallel ? c->hist_words : 1, "at most hist_words; small core 1" },
        { "prep", c->prep, 1, parallel ? smaller(c->taps_d, c->lags_w) : 1,
          "products per cycle: at most taps_d and lags_w; small core 1" },
        { "skip", c->skip, 0, parallel, "1: silent words of inputs are left out; small core 0 (it always does)" },
        { "small", c->small, 0, TERN_CORE_KINDS - 1,
          "0: large core; small core, weights in 1: block RAM, 2: single-port RAM, 3: so, and of exactly weight_w "
          "bits" },
    };
    bool good = check_all(list, sizeof list / sizeof list[0], file, diags);
    if (good && ((c->lanes & (c->lanes - 1u)) != 0 || c->wta == 1)) {
        const bool lanes = c->wta != 1;
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, TERN_ERROR_CAPACITY, file, 0, lanes ? "lanes" : "wta",
                                      "found %" PRIu32, lanes ? c->lanes : c->wta),
                       lanes ? "1, 2, 4, 8, 16 or 32" : "0: no circuits, or 2 to 64");
        good = false;
    }
    /* regions of a way's histories: number of the way, address, slice (rtl/core/tern_memories.v) */
    const uint32_t way_bits = clog2(c->ways) + clog2(c->hist_words) + clog2((c->lanes * c->hist_w + 31u) / 32u);
    if (good && c->ways > 1 && way_bits > 24) {
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, TERN_ERROR_CAPACITY, file, 0, "ways",
                                      "ways times hist_words needs %" PRIu32 " bits of address, allowed are 24",
                                      way_bits),
                       "%s", host);
        good = false;
    }
    if (good) good = check_limits(c, file, diags);
    return good ? TERN_OK : TERN_ERR_ARGUMENT;
}

tern_status tern_resident_check(const tern_capacity *c, const char *file, tern_diags *diags)
{
    return check(c, false, file, diags);
}

tern_status tern_core_check(const tern_capacity *c, const char *file, tern_diags *diags)
{
    return check(c, true, file, diags);
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

static tern_status wrong(const char *path, int line, const char *key, tern_diags *diags, const char *what)
{
    tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, E_FILE, path, line, key, "%s", what), "%s", form);
    return TERN_ERR_ARGUMENT;
}

static tern_status unknown(const char *path, const char *key, const char *const *known, size_t n, tern_diags *diags)
{
    const char *near = tern_nearest(key, known, n);
    tern_diag *d = tern_diags_add(diags, TERN_SEV_ERROR, E_FILE, path, 0, key, "there is no such member");
    if (near != NULL) tern_diag_hint(d, "did you mean '%s'?", near);
    else tern_diag_hint(d, "%s", form);
    return TERN_ERR_ARGUMENT;
}

static tern_status read_capacity(const char *path, const json_t *from, tern_capacity *out, tern_diags *diags)
{
    const char *names[N_PARAMETERS], *key;
    json_t *value;
    tern_status s = TERN_OK;
    for (size_t i = 0; i < N_PARAMETERS; ++i) names[i] = parameters[i].member;
    json_object_foreach((json_t *)from, key, value)
    {
        bool known = false;
        for (size_t i = 0; i < N_PARAMETERS; ++i) known = known || strcmp(key, names[i]) == 0;
        if (!known) s = unknown(path, key, names, N_PARAMETERS, diags);
    }
    for (size_t i = 0; i < N_PARAMETERS; ++i) {
        value = json_object_get(from, names[i]);
        const json_int_t x = json_integer_value(value);
        if (value == NULL) s = wrong(path, 0, names[i], diags, "this capacity is missing");
        else if (!json_is_integer(value) || x < 0 || x > 1 << 24)
            s = wrong(path, 0, names[i], diags, "not a whole number from 0 to 16777216");
        else *field(out, i) = (uint32_t)x;
    }
    return s;
}

/* `tern run` finds a board at these rates only, unless it is given another one. */
static tern_status check_rate(const char *path, json_int_t baud, tern_diags *diags)
{
    char rates[120] = "";
    for (const uint32_t *b = tern_link_bauds; *b != 0; ++b) {
        if (baud == (json_int_t)*b) return TERN_OK;
        const size_t at = strlen(rates);
        snprintf(rates + at, sizeof rates - at, "%s%" PRIu32, at > 0 ? ", " : "", *b);
    }
    tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, E_FILE, path, 0, "baud",
                                  "%lld is not a rate at which `tern run` looks for a board", (long long)baud),
                   "one of %s", rates);
    return TERN_ERR_ARGUMENT;
}

static tern_status read_root(const char *path, const json_t *root, tern_resident *out, tern_diags *diags)
{
    static const char *const members[] = { "about", "clock_mhz", "baud", "capacity" };
    const char *key;
    json_t *value;
    if (!json_is_object(root)) return wrong(path, 0, NULL, diags, "not an object");
    json_object_foreach((json_t *)root, key, value)
    {
        bool known = false;
        for (size_t i = 0; i < 4; ++i) known = known || strcmp(key, members[i]) == 0;
        if (!known) return unknown(path, key, members, 4, diags);
    }
    const json_t *clock = json_object_get(root, "clock_mhz"), *baud = json_object_get(root, "baud"),
                 *capacity = json_object_get(root, "capacity");
    if (!json_is_string(json_object_get(root, "about")))
        return wrong(path, 0, "about", diags, "a description is missing");
    if (!json_is_number(clock) || json_number_value(clock) < 0.1 || json_number_value(clock) > 1000)
        return wrong(path, 0, "clock_mhz", diags, "not a number from 0.1 to 1000");
    if (!json_is_integer(baud) || json_integer_value(baud) < 0 || json_integer_value(baud) > UINT32_MAX)
        return wrong(path, 0, "baud", diags, "not a whole number of bits per second");
    if (!json_is_object(capacity)) return wrong(path, 0, "capacity", diags, "not an object");
    out->clock_mhz = json_number_value(clock);
    out->baud = (uint32_t)json_integer_value(baud);
    if (check_rate(path, json_integer_value(baud), diags) != TERN_OK) return TERN_ERR_ARGUMENT;
    if (4.0 * out->baud > 1e6 * out->clock_mhz)
        return wrong(path, 0, "baud", diags, "more than a quarter of the clock");
    const tern_status s = read_capacity(path, capacity, &out->capacity, diags);
    return s == TERN_OK ? tern_resident_check(&out->capacity, path, diags) : s;
}

tern_status tern_resident_read(const char *path, tern_resident *out, tern_diags *diags)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    json_error_t error;
    const tern_alloc alloc = tern_alloc_default();
    memset(out, 0, sizeof *out);
    tern_status s = tern_file_read(path, FILE_MOST, alloc, &bytes, &size, NULL);
    if (s == TERN_ERR_MEMORY) return s;
    if (s == TERN_ERR_LIMIT) return wrong(path, 0, NULL, diags, "more than 65536 bytes: this is not a description");
    if (s != TERN_OK) {
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, TERN_ERROR_HARDWARE_FILE, path, 0, NULL,
                                      "the capacities of the board's resident core cannot be read: %s",
                                      tern_status_text(s)),
                       "set TERN_SHARE to the folder that holds Tern's rtl/");
        return TERN_ERR_IO;
    }
    json_t *root = tern_json_load((const char *)bytes, size, JSON_REJECT_DUPLICATES, &error);
    alloc.fn(alloc.ud, bytes, 0);
    if (root == NULL) return wrong(path, error.line, NULL, diags, error.text);
    s = read_root(path, root, out, diags);
    json_decref(root);
    return s;
}

tern_status tern_resident_open(const tern_board *board, tern_resident *out, tern_diags *diags)
{
    char path[1024];
    snprintf(path, sizeof path, "%.700s/rtl/boards/%s/resident.json", tern_share_folder(NULL), board->name);
    return tern_resident_read(path, out, diags);
}
