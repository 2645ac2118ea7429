/* tern_compile.c : see tern_compiler.h
 * SPDX-License-Identifier: Apache-2.0
 *
 * script -> language -> tern_desc -> lower -> tern_model. Neither of the two knows the other.
 */
#include "tern_compiler.h"
#include "tern_errors.h"
#include <string.h>
#include <sys/stat.h>
#include "tern/file.h"
#include "tern/image.h"
#include "tern_image_layout.h"
#include "tern/locale.h"
#include "tern_lower.h"

static tern_status lower_plainly(const tern_desc *desc, const char *file, tern_arena *arena, tern_model *out_model,
                                 tern_diags *diags)
{
    memset(out_model, 0, sizeof *out_model);
    tern_status status = tern_network_expand(desc, arena, out_model, diags);
    if (status != TERN_OK) return status;
    const size_t told = diags == NULL ? 0 : diags->n_errors;
    status = tern_quantise(desc, arena, out_model, diags);
    return status == TERN_ERR_MEMORY && diags != NULL && diags->n_errors == told ? tern_script_no_memory(diags, file)
                                                                                 : status;
}

/* Messages are those of the "C" locale, whatever the program has set. */
static tern_status lower(const tern_desc *desc, const char *file, tern_arena *arena, tern_model *out_model,
                         tern_diags *diags)
{
    const tern_locale before = tern_locale_begin();
    const tern_status status = lower_plainly(desc, file, arena, out_model, diags);
    tern_locale_end(before);
    return status;
}

tern_status tern_compile_file(const char *path, const tern_compile_options *options, tern_arena *arena,
                              tern_model *out_model, tern_diags *diags)
{
    tern_desc *desc;
    const tern_status status = tern_script_file(path, options, arena, &desc, diags);
    return status == TERN_OK ? lower(desc, path, arena, out_model, diags) : status;
}

tern_status tern_compile_string(const char *source, size_t size, const char *name, const tern_compile_options *options,
                                tern_arena *arena, tern_model *out_model, tern_diags *diags)
{
    tern_desc *desc;
    const tern_status status = tern_script_string(source, size, name, options, arena, &desc, diags);
    return status == TERN_OK ? lower(desc, name, arena, out_model, diags) : status;
}

static bool ends_in(const char *path, const char *suffix)
{
    const size_t n = strlen(path), m = strlen(suffix);
    return n > m && strcmp(path + n - m, suffix) == 0;
}

/* The name decides only where the content cannot: an image that lost its first bytes is still no script. */
bool tern_is_script(const char *path)
{
    uint8_t head[64];
    struct stat info;
    const bool plain = stat(path, &info) == 0 && S_ISREG(info.st_mode); /* of a pipe nothing is read here */
    const int n = plain ? tern_file_head(path, head, sizeof head) : -1;
    if (n > 0 && tern__image_is((const uint8_t *)head, (size_t)n)) return false;
    if (ends_in(path, ".lua")) return true;
    return n > 0 && !ends_in(path, ".tern") && head[0] < 0x80 && memchr(head, 0, (size_t)n) == NULL;
}

tern_status tern_open_model(const char *path, const tern_compile_options *options, tern_arena *arena,
                            tern_model *out_model, tern_diags *diags)
{
    if (tern_is_script(path)) return tern_compile_file(path, options, arena, out_model, diags);
    if (options != NULL && options->n_sets != 0) {
        tern_diag_hint(tern_diags_add(diags, TERN_SEV_ERROR, TERN_ERROR_SETS_OF_IMAGE, path, 0, "--set",
                                      "an image is compiled already, its settings cannot be changed"),
                       "give the script (NET.lua) instead of the image");
        return TERN_ERR_ARGUMENT;
    }
    return tern_image_load(path, arena, out_model, diags);
}
