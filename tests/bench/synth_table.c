/* synth_table.c : a table of the reports of `tern synth`, for docs/37-synthesis.md
 * SPDX-License-Identifier: Apache-2.0
 *
 *     synth_table REPORT...
 *     synth_table --estimate REPORT...     what the planner says against what was packed; status 1 if logic cells
 *                                          differ by more than 15 %, or block RAMs, single-port RAMs or multipliers at
 *                                          all
 * The estimate is that of the planner that this program was built with (compiler/layout/tern_logic_table.inc), not the
 * one in the report.
 */
#include <stdio.h>
#include "synth_reports.h"

static const double allowed = 0.15; /* of the logic cells */

static double number(const json_t *o, const char *name) { return json_number_value(json_object_get(o, name)); }

/* A number, or a dash for what a report does not have. */
static void cell(const json_t *value, int digits)
{
    if (json_is_number(value)) printf(" %.*f |", digits, json_number_value(value));
    else printf(" - |");
}

/* One row; false: the report cannot be used, or the planner is wrong. */
static bool estimate_row(const char *path, const json_t *root)
{
    const json_t *used = json_object_get(root, "used"), *tool = json_array_get(json_object_get(root, "tools"), 0);
    const char *device = json_string_value(json_object_get(json_object_get(root, "target"), "name")),
               *network = json_string_value(json_object_get(root, "network"));
    const char *version = json_string_value(json_object_get(tool, "version")),
               *board = json_string_value(json_object_get(json_object_get(root, "board"), "name"));
    const tern_target *t = device != NULL ? tern_target_find(device) : NULL;
    tern_capacity c;
    if (t == NULL || !json_is_true(json_object_get(used, "packed")) || number(used, "cells") < 1 ||
        !read_capacity(root, &c)) {
        fprintf(stderr, "%s: no report of a packed design\n", path);
        return false;
    }
    tern_fit fit;
    tern_target_fit_core(t, &c, &fit);
    /* more multiplications than multiplier blocks: the others are made of logic */
    const double cells = number(used, "cells"), part = ((double)fit.cells - cells) / cells,
                 rams = number(used, "block_rams"), dsps = number(used, "multipliers"),
                 planned = fit.multipliers < t->dsps ? fit.multipliers : t->dsps;
    const bool near = part <= allowed && part >= -allowed,
               counted = (double)fit.rams == rams && planned == dsps &&
                         (double)fit.sprams == number(json_object_get(root, "netlist"), "single_port_rams");
    int yosys = 0; /* "Yosys 0.23" of "Yosys 0.23 (git sha1 ..)" */
    if (version != NULL) yosys = (int)strcspn(version, "(+");
    while (yosys > 0 && version[yosys - 1] == ' ') --yosys;
    printf("| %s%s%s | %s | %u | %u, %u, %u | %llu | %.0f | %+.1f %%%s | %llu, %.0f | %.0f, %.0f%s | %.*s |\n",
           network != NULL ? network : "resident", board != NULL ? " " : "", board != NULL ? board : "", device,
           c.lanes, c.samples, c.taps_d, c.lags_w, (unsigned long long)fit.cells, cells, 100.0 * part,
           near ? "" : " **too far**", (unsigned long long)fit.rams, rams, planned, dsps, counted ? "" : " **differ**",
           yosys, version != NULL ? version : "");
    return near && counted;
}

static int estimates(int n, char **paths)
{
    int failed = n < 1;
    puts("| network | device | lanes | K, D, W | estimate | packed | difference | block RAMs: counted, made | "
         "multipliers: counted, made | Yosys |\n|---|---|---|---|---|---|---|---|---|---|");
    for (int i = 0; i < n; ++i) {
        json_error_t error;
        json_t *root = json_load_file(paths[i], 0, &error);
        if (!estimate_row(paths[i], root)) failed = 1;
        json_decref(root);
    }
    return failed;
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--estimate") == 0) return estimates(argc - 2, argv + 2);
    int failed = argc < 2;
    puts("| network | device | lanes | logic cells | estimate | block RAMs | multipliers | fmax, MHz (worst, best of "
         "seeds) | cycles per step | steps/s | examples/s |\n|---|---|---|---|---|---|---|---|---|---|---|");
    for (int i = 1; i < argc; ++i) {
        json_error_t error;
        json_t *root = json_load_file(argv[i], 0, &error);
        const json_t *target = json_object_get(root, "target"), *used = json_object_get(root, "used"),
                     *timing = json_object_get(root, "timing"), *speed = json_object_get(root, "speed"),
                     *board = json_object_get(root, "board");
        const bool resident = json_is_true(json_object_get(root, "resident"));
        const char *network = resident ? "resident" : json_string_value(json_object_get(root, "network")),
                   *device = json_string_value(json_object_get(target, "name"));
        if (network == NULL || device == NULL || !json_is_object(used)) {
            fprintf(stderr, "%s: no report\n", argv[i]);
            failed = 1;
            json_decref(root);
            continue;
        }
        const double cells = number(used, "cells"), have = number(target, "cells");
        const char *name = json_string_value(json_object_get(board, "name"));
        printf("| %s | %s%s%s%s | %.0f | %.0f of %.0f (%.0f %%) |", network, device, name != NULL ? " (" : "",
               name != NULL ? name : "", name != NULL ? ")" : "", number(root, "lanes"), cells, have,
               100.0 * cells / have);
        tern_capacity c;
        const tern_target *planned = tern_target_find(device);
        const double estimate = planned != NULL && read_capacity(root, &c) ? (double)tern_logic_cells(planned, &c) : 0;
        if (estimate > 0) printf(" %.0f (%+.1f %%) |", estimate, 100.0 * (estimate - cells) / cells);
        else printf(" - |");
        printf(" %.0f of %.0f | %.0f of %.0f |", number(used, "block_rams"), number(target, "block_rams"),
               number(used, "multipliers"), number(target, "multipliers"));
        if (json_is_object(timing))
            printf(" %.1f, %.1f of %zu |", number(timing, "worst_mhz"), number(timing, "best_mhz"),
                   json_array_size(json_object_get(timing, "seeds")));
        else printf(" - |");
        cell(json_object_get(speed, "cycles_learning"), 0);
        cell(json_object_get(speed, "steps_per_second"), 0);
        cell(json_object_get(speed, "examples_per_second"), 2);
        putchar('\n');
        json_decref(root);
    }
    return failed;
}
