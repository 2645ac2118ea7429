/* synth_table.c : a table of the reports of `tern synth`, for docs/37-synthesis.md
 * SPDX-License-Identifier: Apache-2.0
 *
 *     synth_table REPORT...
 * The estimate is that of the table that this program was built with (compiler/plan/tern_logic_table.inc).
 */
#include <stdio.h>
#include "synth_reports.h"

static double number(const json_t *o, const char *name) { return json_number_value(json_object_get(o, name)); }

/* A number, or a dash for what a report does not have. */
static void cell(const json_t *value, int digits)
{
    if (json_is_number(value)) printf(" %.*f |", digits, json_number_value(value));
    else printf(" - |");
}

int main(int argc, char **argv)
{
    int failed = argc < 2;
    puts("| network | device | lanes | logic cells | estimate | block RAMs | multipliers | fmax, MHz (worst, best of seeds) | cycles per step | steps/s | examples/s |\n|---|---|---|---|---|---|---|---|---|---|---|");
    for (int i = 1; i < argc; ++i) {
        json_error_t error;
        json_t *root = json_load_file(argv[i], 0, &error);
        const json_t *target = json_object_get(root, "target"), *used = json_object_get(root, "used"), *timing = json_object_get(root, "timing"),
                     *speed = json_object_get(root, "speed"), *board = json_object_get(root, "board");
        const bool resident = json_is_true(json_object_get(root, "resident"));
        const char *network = resident ? "resident" : json_string_value(json_object_get(root, "network")), *device = json_string_value(json_object_get(target, "name"));
        if (network == NULL || device == NULL || !json_is_object(used)) {
            fprintf(stderr, "%s: no report\n", argv[i]);
            failed = 1;
            json_decref(root);
            continue;
        }
        const double cells = number(used, "cells"), have = number(target, "cells");
        const char *name = json_string_value(json_object_get(board, "name"));
        printf("| %s | %s%s%s%s | %.0f | %.0f of %.0f (%.0f %%) |", network, device, name != NULL ? " (" : "", name != NULL ? name : "", name != NULL ? ")" : "", number(root, "lanes"), cells, have, 100.0 * cells / have);
        tern_capacity c;
        const tern_target *planned = tern_target_find(device);
        const double estimate = planned != NULL && read_capacity(root, &c) ? (double)tern_logic_cells(planned, &c) : 0;
        if (estimate > 0) printf(" %.0f (%+.1f %%) |", estimate, 100.0 * (estimate - cells) / cells);
        else printf(" - |");
        printf(" %.0f of %.0f | %.0f of %.0f |", number(used, "block_rams"), number(target, "block_rams"), number(used, "multipliers"), number(target, "multipliers"));
        if (json_is_object(timing)) printf(" %.1f, %.1f of %zu |", number(timing, "worst_mhz"), number(timing, "best_mhz"), json_array_size(json_object_get(timing, "seeds")));
        else printf(" - |");
        cell(json_object_get(speed, "cycles_learning"), 0);
        cell(json_object_get(speed, "steps_per_second"), 0);
        cell(json_object_get(speed, "examples_per_second"), 2);
        putchar('\n');
        json_decref(root);
    }
    return failed;
}
