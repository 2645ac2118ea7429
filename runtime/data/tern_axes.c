/* tern_axes.c : see tern_axes.h
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tern_axes.h"
#include <stdio.h>
#include <string.h>

/* Within a step planes, rows and columns come in this order: events are read in order of time from front to back. */
static const char *const known[] = { "tx", "ntx", "tnx", "tyx", "ntyx", "tnyx", "tpyx", "ntpyx", "tnpyx" };

bool tern__axes_parse(const char *letters)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; ++i)
        if (strcmp(letters, known[i]) == 0) return true;
    return false;
}

/* The usual order for a number of axes. */
static const char *usual(const tern__npy *h, uint64_t n_labels)
{
    const uint64_t *d = h->dims;
    const bool by_step = n_labels > 2 && n_labels != d[0] && n_labels == d[1]; /* labels exist for the second axis */
    switch (h->n_dims) {
    case 2: return "tx";
    case 3: return by_step ? "tnx" : "ntx";
    case 4:
        if (by_step) return "tnyx";
        return d[1] <= 2 && d[0] > 2 && n_labels <= 1
                   ? "tpyx"
                   : "ntyx"; /* one recording of one or two planes; nobody has samples of two steps */
    case 5: return by_step ? "tnpyx" : "ntpyx";
    default: return NULL;
    }
}

static uint64_t size_of(const tern__npy *h, const char *letters, char which)
{
    const char *at = strchr(letters, which);
    return at == NULL ? 1 : h->dims[at - letters];
}

bool tern__axes_find(const tern__npy *h, const char *told, uint64_t n_labels, tern__axes *out, char why[200])
{
    *out = (tern__axes){ .n_samples = 1 };
    why[0] = 0;
    if (h->n_fields != 0 || h->field[0].type.kind == 0) {
        snprintf(why, 200, "%s", "its items are not numbers");
        return false;
    }
    const char *letters = told != NULL ? told : usual(h, n_labels);
    if (letters == NULL || strlen(letters) != h->n_dims) {
        snprintf(why, 200, "it has %u axes%s%s", h->n_dims,
                 told != NULL ? ", not those of --axes " : ", 2 to 5 are read", told != NULL ? told : "");
        return false;
    }
    snprintf(out->letters, sizeof out->letters, "%s", letters);
    out->n_samples = size_of(h, letters, 'n');
    out->n_steps = size_of(h, letters, 't');
    out->n_planes = size_of(h, letters, 'p');
    out->height = size_of(h, letters, 'y');
    out->width = size_of(h, letters, 'x');
    out->steps_first = strncmp(letters, "tn", 2) == 0;
    if (out->n_planes < 1 || out->n_planes > 2) {
        const bool before = h->n_dims == 5 && h->dims[1] <= 2;
        snprintf(why, 200, "it would have %llu planes (OFF and ON are 2)%s", (unsigned long long)out->n_planes,
                 before ? "; the second axis looks like planes: save a.transpose(0, 2, 1, 3, 4)"
                        : "; the axes are in another order: save a.transpose(...)");
        return false;
    }
    if (out->width < 1 || out->width > 65536 || out->height < 1 || out->height > 65536 || out->n_steps > UINT32_MAX) {
        snprintf(why, 200, "it would have %llu steps of %llu x %llu places", (unsigned long long)out->n_steps,
                 (unsigned long long)out->width, (unsigned long long)out->height);
        return false;
    }
    return true;
}

void tern__axes_text(const tern__axes *a, char *to, size_t bytes)
{
    size_t n = (size_t)snprintf(to, bytes, "axes");
    for (const char *c = a->letters; *c != 0 && n < bytes; ++c) {
        const char *word = *c == 'n'                         ? "samples"
                           : *c == 't'                       ? "steps"
                           : *c == 'p'                       ? "planes"
                           : *c == 'y'                       ? "rows"
                           : strchr(a->letters, 'y') != NULL ? "columns"
                                                             : "units";
        n += (size_t)snprintf(to + n, bytes - n, "%s %s", c == a->letters ? "" : ",", word);
    }
}
