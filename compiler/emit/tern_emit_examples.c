/* tern_emit_examples.c : NAME_examples.h and NAME_examples.c, recordings as frames for a program without files
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <stdio.h>
#include "tern/image.h"
#include "tern_emit.h"
#include "tern_emit_common.h"

static void write_words(FILE *f, const char *name, uint32_t example, const uint32_t *words, size_t n)
{
    fprintf(f, "static const uint32_t %s_%u[%zu] = {\n", name, example, n > 0 ? n : 1);
    for (size_t i = 0; i < n; ++i)
        fprintf(f, "%s0x%" PRIx32 "u,%s", i % 10 == 0 ? "    " : " ", words[i], i % 10 == 9 || i + 1 == n ? "\n" : "");
    fputs(n > 0 ? "};\n" : "    0\n};\n", f);
}

/* Prefix of the names, as in NAME.h. */
static void write_header(FILE *f, const tern_model *m, const char *prefix, const char *upper, const char *hash,
                         uint32_t n)
{
    fprintf(f, "/* %s_examples.h : the first %u examples that `tern train` learns from, for the network '%s'\n *\n",
            m->name, n, m->name);
    tern__emit_header(f, " * ", m, hash);
    fprintf(f, " */\n#ifndef %s_EXAMPLES_H\n#define %s_EXAMPLES_H\n#include <stdint.h>\n\n", upper, upper);
    fprintf(f, "#define %s_EXAMPLES %uu\n\n", upper, n);
    fprintf(f,
            "typedef struct %s_example {\n"
            "    uint32_t n_steps;\n"
            "    int32_t label;           /* -1: none */\n"
            "    const uint32_t *inputs;  /* [n_steps][%s_INPUT_WORDS] */\n"
            "    const uint32_t *targets; /* [n_steps][%s_NEURON_WORDS] */\n"
            "} %s_example;\n\nextern const %s_example %s_examples[%s_EXAMPLES];\n\n#endif /* %s_EXAMPLES_H */\n",
            prefix, upper, upper, prefix, prefix, prefix, upper, upper);
}

static tern_status write_arrays(FILE *f, const tern_emit_frames *source, uint32_t n, uint32_t *steps, int32_t *labels,
                                tern_diags *diags)
{
    for (uint32_t i = 0; i < n; ++i) {
        tern_frames frames;
        const tern_status s = source->get(source->context, i, &frames, diags);
        if (s != TERN_OK) return s;
        write_words(f, "inputs", i, frames.inputs, (size_t)frames.n_steps * frames.words_in);
        write_words(f, "targets", i, frames.targets, (size_t)frames.n_steps * frames.words_neuron);
        steps[i] = frames.n_steps;
        labels[i] = frames.label;
    }
    return TERN_OK;
}

tern_status tern_emit_examples(const tern_model *model, const tern_emit_frames *source, uint32_t n, const char *dir,
                               tern_arena *arena, tern_diags *diags)
{
    char prefix[TERN_NAME_MAX + 8], upper[TERN_NAME_MAX + 8], hash[65];
    uint32_t *steps = tern_arena_get(arena, n, sizeof *steps);
    int32_t *labels = tern_arena_get(arena, n, sizeof *labels);
    tern_file_writer file;
    if (steps == NULL || labels == NULL) return TERN_ERR_MEMORY;
    tern__emit_prefix(model, prefix, upper);
    tern_status s = tern_layout_hash(model, hash);
    if (s == TERN_OK) s = tern__emit_begin(&file, model, dir, "_examples.h", diags);
    if (s != TERN_OK) return s;
    write_header(file.f, model, prefix, upper, hash, n);
    s = tern_file_commit(&file, diags);
    if (s == TERN_OK) s = tern__emit_begin(&file, model, dir, "_examples.c", diags);
    if (s != TERN_OK) return s;
    fprintf(file.f, "/* %s_examples.c : see %s_examples.h\n *\n", model->name, model->name);
    tern__emit_header(file.f, " * ", model, hash);
    fprintf(file.f, " */\n#include \"%s_examples.h\"\n\n", model->name);
    s = write_arrays(file.f, source, n, steps, labels, diags);
    if (s != TERN_OK) {
        tern_file_abort(&file);
        return s;
    }
    fprintf(file.f, "\nconst %s_example %s_examples[%s_EXAMPLES] = {\n", prefix, prefix, upper);
    for (uint32_t i = 0; i < n; ++i)
        fprintf(file.f, "    { %u, %" PRId32 ", inputs_%u, targets_%u },\n", steps[i], labels[i], i, i);
    fputs("};\n", file.f);
    return tern_file_commit(&file, diags);
}
