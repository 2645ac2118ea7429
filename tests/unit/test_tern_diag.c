/* test_tern_diag.c : a diagnostic is cut to its fields, and its printed form to TERN_DIAG_BYTES
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdio.h>
#include <string.h>
#include "tern/diag.h"
#include "tern_check.h"

/* Every field is full of `text`; the hint, which is printed last, ends with a word. */
static void fill(const char *text, size_t grows)
{
    static char all[2000];
    static char printed[TERN_DIAG_BYTES];
    tern_diags d;
    all[0] = 0;
    while (strlen(all) + strlen(text) < sizeof all) strcat(all, text);
    tern_diags_init(&d);
    tern_diag *g = tern_diags_add(&d, TERN_SEV_WARNING, 9999, all, 2147483647, all, "%s", all);
    tern_diag_hint(g, "%.296sEND", all);
    const size_t n = tern_diag_format(g, printed, sizeof printed);
    CHECK(n < sizeof printed);
    CHECK_EQ(n, strlen(printed));
    CHECK(n > 900 * grows);
    CHECK_STR(printed + n - 3, "END");
    CHECK(strchr(printed, '\035') == NULL && strstr(printed, "\302\205") == NULL);
    CHECK_EQ(tern_diag_format(g, printed, 10), n);
    CHECK_EQ(strlen(printed), 9);
}

int main(void)
{
    fill("a", 1);
    fill("\035", 4);     /* printed as \x1D */
    fill("\302\205", 2); /* U+0085, two bytes, printed as \x85 */
    fill("ab\035\302\205", 1);
    return tern_check_report("diag");
}
