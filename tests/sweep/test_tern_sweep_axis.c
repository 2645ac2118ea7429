/* test_tern_sweep_axis.c : lists of values: what they become, and what is refused
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_sweep.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "tern_check.h"

static void values(const char *key, const char *text, const char *wanted, bool numeric, bool log)
{
    tern_sweep_axis a;
    char got[4096] = "";
    const char *wrong = tern_sweep_axis_parse(&a, key, text);
    if (wrong != NULL) fprintf(stderr, "%s=%s: %s\n", key, text, wrong);
    CHECK(wrong == NULL);
    for (size_t i = 0; i < a.n; ++i) {
        if (i != 0) strncat(got, " ", sizeof got - strlen(got) - 1);
        strncat(got, a.text[i], sizeof got - strlen(got) - 1);
    }
    if (strcmp(got, wanted) != 0) fprintf(stderr, "%s=%s: found %s\n", key, text, got);
    CHECK(strcmp(got, wanted) == 0);
    CHECK(a.numeric == numeric && a.log == log);
}

static void refused(const char *key, const char *text, const char *why)
{
    tern_sweep_axis a;
    const char *wrong = tern_sweep_axis_parse(&a, key, text);
    if (wrong == NULL || strstr(wrong, why) == NULL)
        fprintf(stderr, "%s=%s: %s, wanted %s\n", key, text, wrong ? wrong : "taken", why);
    CHECK(wrong != NULL && strstr(wrong, why) != NULL);
}

int main(void)
{
    values("rule.eta", "1e-5:1e-2:log4", "1e-05 0.0001 0.001 0.01", true, true);
    values("rule.eta", "1e-4:1e-2:log2", "0.0001 0.01", true, true);
    values("rule.kappa", "0:1:lin5", "0 0.25 0.5 0.75 1", true, false);
    values("rule.gamma", "0.1:0.9:lin3", "0.1 0.5 0.9", true, false);
    values("hid.size", "4:64:log5", "4 8 16 32 64", true, true);
    values("hid.size", "4:50:log3", "4 14 50", true, true);
    values("rule.samples", "1:9:lin3", "1 5 9", true, false);
    values("rule.samples", "1,5,10", "1 5 10", true, false);
    values("rule.eta", "1e-4, 1e-3,1e-2", "1e-4 1e-3 1e-2", true, true);
    values("rule.eta", "3e-3", "3e-3", true, false);
    values("rule.kind", "gem,mb,iw", "gem mb iw", false, false);
    values("formats.weight", "{16,12},{8,7}", "{16,12} {8,7}", false, false);
    values("data.format", "\"a,b\",c", "\"a,b\" c", false, false);

    refused("rule.eta", "1e-5:1e-2:log0", "2..64");
    refused("rule.eta", "1e-5:1e-2:log1", "2..64");
    refused("rule.eta", "1e-5:1e-2:log65", "2..64");
    refused("rule.eta", "1e-5:1e-2:log99999999999999999999", "2..64");
    refused("rule.eta", "1e-5:1e-2:exp8", "logN or linN");
    refused("rule.eta", "1e-5:1e-2:log", "logN or linN");
    refused("rule.eta", "1e-5:1e-2:log8x", "logN or linN");
    refused("rule.eta", "1e-5:1e-2:log-8", "logN or linN");
    refused("rule.eta", "1e-2:1e-5:log8", "LO must be less");
    refused("rule.eta", "1:1:lin3", "LO must be less");
    refused("rule.eta", "0:1:log8", "more than 0");
    refused("rule.eta", "-1:1:log8", "more than 0");
    refused("hid.size", "1:3:lin8", "not so many whole numbers");
    refused("rule.eta", "", "empty");
    refused("rule.eta", "1,,2", "empty");
    refused("rule.eta", "1,2,", "empty");
    refused("rule.eta", "1,2,1", "twice");
    refused("", "1", "KEY is empty");
    char many[600] = "0";
    for (int i = 1; i <= TERN_SWEEP_VALUES; ++i) sprintf(many + strlen(many), ",%d", i);
    refused("rule.eta", many, "more than 64");
    char lengthy[120];
    memset(lengthy, '1', 90);
    lengthy[90] = 0;
    refused("rule.eta", lengthy, "79 characters");
    refused(lengthy, "1", "63 characters");
    return tern_check_report("sweep_axis");
}
