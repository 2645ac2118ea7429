/* test_tern_core_check.c : what the Verilog refuses as a parameter of a core, C refuses before, and nothing else
 * SPDX-License-Identifier: Apache-2.0
 *
 *     test_tern_core_check ROOT
 * The cases are those that the tools are tried with (ROOT/tests/rtl/parameters.txt); a module's defaults are read from
 * its Verilog. Left out are parameters that are no capacities (TAP_W), and those that name the other module (SMALL).
 */
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tern_check.h"
#include "tern_resident.h"

enum { LINE = 1024 };
static void check(bool good, const char *fmt, ...) TERN_PRINTF(2, 3);
static void check(bool good, const char *fmt, ...)
{
    va_list args;
    ++tern_check_done;
    if (good) return;
    ++tern_check_failed;
    va_start(args, fmt);
    printf("FAILED: ");
    vprintf(fmt, args);
    putchar('\n');
    va_end(args);
}

static const char *const modules[] = { "tern_core", "tern_small" }, *const files[] = { "core", "small" };

/* "  parameter NAME = VALUE," of the module's head. */
static tern_capacity defaults_of(const char *root, size_t m)
{
    char path[LINE], line[LINE], item[LINE], name[64];
    unsigned long value;
    tern_capacity c;
    tern_diags diags;
    memset(&c, 0, sizeof c);
    snprintf(path, sizeof path, "%s/rtl/%s/%s.v", root, files[m], modules[m]);
    FILE *f = fopen(path, "r");
    check(f != NULL, "%s cannot be read", path);
    while (f != NULL && fgets(line, sizeof line, f) != NULL && line[0] != ')') {
        if (sscanf(line, " parameter %63s = %lu", name, &value) != 2) continue;
        snprintf(item, sizeof item, "%s=%lu", name, value);
        tern_diags_init(&diags);
        tern_resident_set(&c, item, &diags);
    }
    if (f != NULL) fclose(f);
    return c;
}

/* 1: accepted, 0: refused, -1: no capacity. */
static int accepts(tern_capacity c, bool small, char *items)
{
    static tern_diags diags;
    tern_diags_init(&diags);
    for (char *item = strtok(items, ","); item != NULL; item = strtok(NULL, ",")) {
        if (strncmp(item, "TAP_W=", 6) == 0) return -1;
        if (tern_resident_set(&c, item, &diags) != TERN_OK) return 0; /* not even a number up to 2^24 */
    }
    if ((c.small != 0) != small) return -1;
    return tern_core_check(&c, "case", &diags) == TERN_OK;
}

int main(int argc, char **argv)
{
    if (argc != 2) return 2;
    char path[LINE], line[LINE];
    unsigned tried[2][2] = { { 0 } };
    tern_capacity defaults[2];
    for (size_t m = 0; m < 2; ++m) defaults[m] = defaults_of(argv[1], m);
    snprintf(path, sizeof path, "%s/tests/rtl/parameters.txt", argv[1]);
    FILE *f = fopen(path, "r");
    check(f != NULL, "%s cannot be read", path);
    while (f != NULL && fgets(line, sizeof line, f) != NULL) {
        char module[64], items[LINE], wanted[256], shown[LINE];
        if (line[0] == '#' || sscanf(line, "%63s %1023s %255s", module, items, wanted) != 3) continue;
        memcpy(shown, items, sizeof shown);
        for (size_t m = 0; m < 2; ++m) {
            if (strcmp(module, modules[m]) != 0) continue;
            const bool good = strcmp(wanted, "ok") == 0;
            const int found = accepts(defaults[m], m == 1, items);
            if (found < 0) continue;
            ++tried[m][good];
            check(found == good, "%s %s: Verilog says %s, C %s", module, shown, wanted, found ? "ok" : "refused");
        }
    }
    if (f != NULL) fclose(f);
    for (size_t m = 0; m < 2; ++m)
        check(tried[m][0] >= 40 && tried[m][1] >= 3, "%s: %u cases are refused, %u are legal: too few", modules[m],
              tried[m][0], tried[m][1]);
    return tern_check_report("test_tern_core_check");
}
