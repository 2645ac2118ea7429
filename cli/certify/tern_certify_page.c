/* tern_certify_page.c : the page of a certificate, a function of its manifest
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdlib.h>
#include <string.h>
#include "tern_certify.h"
#include "tern_page.h"

enum { CELL = 600 };

/* A value as a cell: texts as they are, everything else as JSON. */
static const char *cell(const json_t *value, tern_arena *arena)
{
    if (value == NULL || json_is_null(value)) return "-";
    if (json_is_string(value)) return json_string_value(value);
    char *text = tern_json_dump(value, JSON_ENCODE_ANY | JSON_COMPACT | JSON_SORT_KEYS | JSON_REAL_PRECISION(6));
    const char *copy = text == NULL ? NULL : tern_arena_strdup(arena, text);
    free(text);
    return copy != NULL ? copy : "";
}

/* All members of an object, name and value; a member that is an object itself gives its own members. */
static void facts(tern_page *p, const json_t *object, const char *caption, tern_arena *arena)
{
    const char **pairs = tern_arena_get(arena, 2 * (json_object_size(object) + 1), sizeof *pairs), *name;
    json_t *value;
    size_t n = 0;
    if (pairs == NULL) return;
    json_object_foreach((json_t *)object, name, value)
    {
        if (json_is_object(value) || (json_is_array(value) && json_is_object(json_array_get(value, 0)))) continue;
        pairs[2 * n] = name;
        pairs[2 * n++ + 1] = cell(value, arena);
    }
    if (n > 0) tern_page_facts(p, n, pairs, caption);
    json_object_foreach((json_t *)object, name, value) if (json_is_object(value)) facts(p, value, name, arena);
}

/* A list of objects with the same members. */
static void table(tern_page *p, const json_t *list, const char *const *columns, size_t n_columns, const char *caption,
                  tern_arena *arena)
{
    const size_t rows = json_array_size(list) + 1;
    const char **cells = tern_arena_get(arena, rows * n_columns, sizeof *cells);
    if (cells == NULL || rows == 1) return;
    for (size_t c = 0; c < n_columns; ++c) cells[c] = columns[c];
    for (size_t r = 1; r < rows; ++r)
        for (size_t c = 0; c < n_columns; ++c) {
            const json_t *v = json_object_get(json_array_get(list, r - 1), columns[c]);
            cells[r * n_columns + c] = json_is_true(v) ? "yes" : json_is_false(v) ? "no" : cell(v, arena);
        }
    tern_page_table(p, rows, n_columns, cells, caption);
}

static const char *const about[][3] = {
    { "synthesis", "From the network to the bitstream",
      "Yosys, nextpnr and the packer made the files in synth/. timing has the rate that the clock needs and the rates "
      "of both analyses; the slower one counts." },
    { "rtl", "The Verilog in lockstep with the C model",
      "Every record, memory word and cycle count of these steps was compared. It says nothing about other steps or "
      "other frames." },
    { "netlist", "A synthesised netlist in lockstep with the C model",
      "Yosys made a netlist of the same core for the same device by the same commands, with the test port instead of "
      "the board's link. It is not the file synth/netlist.json itself." },
    { "integers", "Accuracy of the integers",
      "Measured by the C model, which computes the bits of the hardware. The interval is Wilson's, 95 %." },
    { "reference", "Accuracy of the reference", "The same network and recordings, computed in double precision." },
};

static void results(tern_page *p, const json_t *all, tern_arena *arena)
{
    static const char *const tools[] = { "role", "program", "version" },
                             *const proofs[] = { "unit", "bound", "induction", "passed" },
                             *const seeds[] = { "seed", "mhz", "place_and_route_mhz", "analysis_mhz" };
    for (size_t i = 0; i < sizeof about / sizeof about[0]; ++i) {
        const json_t *r = json_object_get(all, about[i][0]);
        tern_page_section(p, about[i][1]);
        if (r == NULL) {
            tern_page_text(p, "Not part of this certificate.");
            continue;
        }
        tern_page_text(p, "%s", about[i][2]);
        facts(p, r, about[i][0], arena);
        table(p, json_object_get(json_object_get(r, "timing"), "seeds"), seeds, 4, "rates by seed, MHz", arena);
        table(p, json_object_get(r, "tools"), tools, 3, "programs", arena);
    }
    tern_page_section(p, "Proofs");
    if (json_object_get(all, "proofs") == NULL) tern_page_text(p, "Not part of this certificate.");
    else
        table(p, json_object_get(all, "proofs"), proofs, 4,
              "rules of a unit, for all inputs, to this depth in cycles; docs/41-proofs.md has the assumptions", arena);
}

tern_status tern_certify_page(const json_t *m, const char *manifest_sha256, tern_arena *arena, const char **out,
                              size_t *out_size, tern_diags *diags)
{
    static const char *const steps[] = { "step", "command", "answer" }, *const files[] = { "path", "bytes", "sha256" };
    char title[CELL];
    const char *source = json_string_value(json_object_get(m, "source")),
               *board = json_string_value(json_object_get(m, "board"));
    snprintf(title, sizeof title, "Certificate of %.200s on %.200s", source != NULL ? source : "?",
             board != NULL ? board : "?");
    tern_page *p =
        tern_page_new(title, "Made by tern certify. `tern certify --check` compares every byte of the folder.", arena);
    tern_page_section(p, "Digests");
    tern_page_text(p, "SHA-256 of manifest.json: %s", manifest_sha256);
    facts(p, json_object_get(m, "digests"), "SHA-256", arena);
    if (json_is_object(json_object_get(m, "data"))) facts(p, json_object_get(m, "data"), "recordings", arena);
    results(p, json_object_get(m, "results"), arena);
    tern_page_section(p, "Commands");
    tern_page_text(p, "Run in the folder of this certificate, they repeat each step. DATA stands for the recordings, "
                      "BUILD for a build of Tern with its tests.");
    table(p, json_object_get(m, "steps"), steps, 3, "commands", arena);
    tern_page_section(p, "Files");
    table(p, json_object_get(m, "files"), files, 3, "files", arena);
    return tern_page_bytes(p, out, out_size, diags);
}
