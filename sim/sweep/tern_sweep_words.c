/* tern_sweep_words.c : the words of a setting
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "tern/data.h"
#include "tern_compiler.h"
#include "tern_frames_store.h"
#include "tern_sweep.h"

void tern_sweep_add_sets(tern_sweep *w, size_t setting, uint32_t seed, tern_exp_command *c)
{
    const char *word = seed == 0 ? NULL : tern_exp_text(&w->arena, "seed=%" PRIu32, seed);
    if (seed != 0 && word == NULL) c->too_long = true;
    if (word != NULL) {
        tern_exp_command_add(c, "--set");
        tern_exp_command_add(c, word);
    }
    for (size_t i = 0; i < w->set.n_axes; ++i) {
        const tern_sweep_axis *a = &w->set.axes[i];
        word = tern_exp_text(&w->arena, "%s=%s", a->key, a->text[tern_sweep_index(w, setting, i)]);
        tern_exp_command_add(c, "--set");
        if (word == NULL) c->too_long = true;
        else tern_exp_command_add(c, word);
    }
}

const char *tern_sweep_words(tern_sweep *w, size_t setting)
{
    tern_exp_command c;
    tern_exp_command_begin(&c, "");
    tern_sweep_add_sets(w, setting, 0, &c);
    const char *text = c.too_long ? NULL : tern_exp_command_text(&c, &w->arena); /* "tern --set ..." */
    return text == NULL ? NULL : text + strcspn(text, " ") + (text[strcspn(text, " ")] == ' ');
}

size_t tern_sweep_index(const tern_sweep *w, size_t setting, size_t axis)
{
    for (size_t i = w->set.n_axes; i-- > axis + 1;) setting /= w->set.axes[i].n; /* the last axis changes first */
    return setting % w->set.axes[axis].n;
}
