/* tern_functions.c : the calls of the language, one row each
 * SPDX-License-Identifier: Apache-2.0
 *
 * Which name a mistyped call is near to, and what editors get to know (docs/53-manual.md), comes from here; the test
 * cli.manual compares the names with those that scripts find.
 */
#include <string.h>
#include "tern_args.h"
#include "tern_front.h"

#define CALL(NAME, SECTION, UNTIL, RESULT, HELP) \
    { \
        .name = NAME, .section = SECTION, .until = UNTIL, .params = NULL, .result = RESULT, .help = HELP \
    }
#define PLAIN(NAME, PARAMS, RESULT, HELP) \
    { \
        .name = NAME, .section = NULL, .until = NULL, .params = PARAMS, .result = RESULT, .help = HELP \
    }

static const tern_language_function functions[] = {
    CALL("input", "input", NULL, "tern.Population", "exogenous inputs: their spikes come from the recording"),
    CALL("hidden", "hidden", NULL, "tern.Population", "neurons that are sampled, once per sample"),
    CALL("visible", "visible", NULL, "tern.Population",
         "neurons whose target spikes are given while training, and drawn at inference"),
    CALL("connect", "connect", NULL, NULL, "connects every pair of the populations"),
    PLAIN("all", "", "tern.Pattern", "pattern: every unit with every unit"),
    CALL("random", "random", NULL, "tern.Pattern", "pattern: each pair with a probability"),
    CALL("window", "window", NULL, "tern.Pattern", "pattern: receptive fields"),
    PLAIN("list", "pairs: number[][]", "tern.Pattern", "pattern: exactly these pairs {from, to} or {from, to, weight}"),
    PLAIN("zero", "", "tern.Init", "initial value 0"),
    PLAIN("constant", "x: number", "tern.Init", "one initial value for all"),
    PLAIN("uniform", "lo: number, hi: number", "tern.Init", "independent draws, lo <= x < hi"),
    PLAIN("image", "path: string", "tern.Init", "trained parameters of an image in the script's folder or below it"),
    PLAIN("array", "path: string, names?: string|string[]", "tern.Init",
          "initial values from a file of arrays (.npz, .npy, HDF5) in the script's folder or below it"),
    PLAIN("initial", "init: tern.Init", NULL,
          "initial values, from tern.image or tern.array, for everything that has none of its own"),
    CALL("raised_cosine", "raised_cosine", NULL, "tern.Filters", "a set of log-spaced raised cosines"),
    CALL("exponential", "exponential", NULL, "tern.Filters", "filter exp(-(t-1)/tau)"),
    CALL("alpha", "alpha", NULL, "tern.Filters", "filter (t/tau) exp(1 - t/tau)"),
    PLAIN("taps", "taps: number[]", "tern.Filters", "a filter of these taps"),
    CALL("gem", "rule", "baseline", "tern.Rule", "rule: samples weighed by how well they have predicted lately"),
    CALL("mb", "rule", "tau", "tern.Rule", "rule: log-probability less a baseline"),
    CALL("iw", "rule", "tau", "tern.Rule", "rule: log of the mean probability less a baseline"),
    CALL("reward", "rule", NULL, "tern.Rule", "rule: a reward less a baseline; visible neurons run freely"),
    CALL("formats", "formats", NULL, NULL, "number formats of the hardware"),
    CALL("data", "data", NULL, NULL, "how a recording becomes frames"),
    PLAIN("seed", "n?: integer", "integer", "seeds random patterns and initial weights; without n: the seed in force"),
    PLAIN("generator", "n?: integer", "tern.Generator", "a generator of random numbers for the script's own use"),
};
enum { N_FUNCTIONS = sizeof functions / sizeof functions[0] };

void tern_language_functions(void (*row)(void *ud, const tern_language_function *f), void *ud)
{
    for (size_t i = 0; i < N_FUNCTIONS; ++i) row(ud, &functions[i]);
}

const char *tern__nearest_function(const char *word)
{
    const char *names[N_FUNCTIONS];
    for (size_t i = 0; i < N_FUNCTIONS; ++i) names[i] = functions[i].name;
    return tern_nearest(word, names, N_FUNCTIONS);
}
