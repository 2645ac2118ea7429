/* tern_certify_check.c : `tern certify --check`
 * SPDX-License-Identifier: Apache-2.0
 *
 * First the files against the manifest, so that a message names the file. Then manifest and page are made again and
 * compared byte by byte. Only what is listed is read, and never more of it than the manifest says.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "tern_certify.h"
#include "tern/file.h"

enum { MANIFEST_MAX = 64 << 20 };

typedef struct checker {
    const char *dir;
    tern_certify_list found;
    uint8_t *text; /* of the manifest */
    size_t size;
    json_t *manifest;
    tern_diags *diags;
    tern_status worst;
} checker;

static void fault(checker *c, int code, const char *path, const char *hint, const char *what)
{
    c->worst = tern_certify_fault(c->diags, code, path, TERN_ERR_FORMAT, hint, "%s", what);
}

static bool is_own(const char *path)
{
    return strcmp(path, TERN_CERTIFY_MANIFEST) == 0 || strcmp(path, TERN_CERTIFY_PAGE) == 0 ||
           strcmp(path, TERN_CERTIFY_SIGNATURE) == 0;
}

static void join(char *out, size_t bytes, const char *dir, const char *name)
{
    snprintf(out, bytes, "%s/%s", dir, name);
}

static tern_status read_manifest(checker *c)
{
    char path[2 * TERN_CERTIFY_PATH];
    json_error_t error;
    join(path, sizeof path, c->dir, TERN_CERTIFY_MANIFEST);
    const tern_certify_file *f = NULL;
    for (size_t i = 0; i < c->found.n; ++i)
        if (strcmp(c->found.files[i].path, TERN_CERTIFY_MANIFEST) == 0) f = &c->found.files[i];
    if (f == NULL || f->strange || f->folder)
        return tern_certify_fault(c->diags, TERN_CERTIFY_E_MANIFEST, path, TERN_ERR_FORMAT,
                                  "give the folder of a certificate", "there is no manifest.json");
    if (tern_file_read(path, MANIFEST_MAX, tern_alloc_default(), &c->text, &c->size, c->diags) != TERN_OK)
        return TERN_ERR_IO;
    c->manifest = tern_json_load((const char *)c->text, c->size, JSON_REJECT_DUPLICATES, &error);
    const char *kind = json_string_value(json_object_get(c->manifest, "certificate"));
    if (c->manifest == NULL)
        return tern_certify_fault(c->diags, TERN_CERTIFY_E_MANIFEST, path, TERN_ERR_FORMAT, "the manifest was changed",
                                  "not JSON: line %d: %s", error.line, error.text);
    if (kind == NULL || strcmp(kind, "tern certify") != 0 ||
        json_integer_value(json_object_get(c->manifest, "version")) != 1 ||
        !json_is_array(json_object_get(c->manifest, "files")))
        return tern_certify_fault(c->diags, TERN_CERTIFY_E_MANIFEST, path, TERN_ERR_FORMAT,
                                  "is it of another version of Tern?", "not a manifest of a certificate, version 1");
    return TERN_OK;
}

/* One listed file against the one that lies there. */
static void compare(checker *c, const json_t *listed, tern_certify_file *f)
{
    char path[2 * TERN_CERTIFY_PATH];
    const char *sha = json_string_value(json_object_get(listed, "sha256"));
    const json_t *bytes = json_object_get(listed, "bytes");
    join(path, sizeof path, c->dir, f->path);
    if (f->strange || f->folder) fault(c, TERN_CERTIFY_E_EXTRA, f->path, "a certificate has files only", "not a file");
    else if (sha == NULL || !json_is_integer(bytes))
        fault(c, TERN_CERTIFY_E_MANIFEST, f->path, "the manifest was changed", "the manifest has no digest of it");
    else if ((uint64_t)json_integer_value(bytes) != f->bytes)
        fault(c, TERN_CERTIFY_E_CHANGED, f->path, "get the folder again from its maker",
              "the file has another length than the manifest says");
    else if (!tern_certify_digest(path, f->bytes, f->sha256))
        fault(c, TERN_CERTIFY_E_CHANGED, f->path, "its rights? interrupted?", strerror(errno));
    else if (strcmp(f->sha256, sha) != 0)
        fault(c, TERN_CERTIFY_E_CHANGED, f->path, "get the folder again from its maker",
              "the file has another digest than the manifest says");
}

/* Both lists are sorted by path: one pass finds what is missing, extra or different. */
static void compare_files(checker *c)
{
    const json_t *listed = json_object_get(c->manifest, "files");
    size_t i = 0, k = 0;
    const size_t n = json_array_size(listed);
    const char *before = "";
    while (i < n || k < c->found.n) {
        tern_certify_file *f = k < c->found.n ? &c->found.files[k] : NULL;
        const json_t *entry = i < n ? json_array_get(listed, i) : NULL;
        const char *path = json_string_value(json_object_get(entry, "path"));
        if (f != NULL && is_own(f->path)) {
            if (f->strange || f->folder)
                fault(c, TERN_CERTIFY_E_EXTRA, f->path, "a certificate has files only", "not a file");
            ++k;
            continue;
        }
        if (entry != NULL && (path == NULL || strcmp(path, before) <= 0)) {
            fault(c, TERN_CERTIFY_E_MANIFEST, path, "the manifest was changed",
                  "the manifest's files are not sorted, or one has no name");
            return;
        }
        const int order = f == NULL ? -1 : path == NULL ? 1 : strcmp(path, f->path);
        if (order < 0)
            fault(c, TERN_CERTIFY_E_MISSING, path, "get the folder again from its maker", "the file is missing");
        else if (order > 0)
            fault(c, TERN_CERTIFY_E_EXTRA, f->path, "remove it, if you know where it comes from",
                  f->folder    ? "an empty folder that does not belong to the certificate"
                  : f->strange ? "neither a file nor a folder"
                               : "the file does not belong to the certificate");
        else compare(c, entry, f);
        if (order <= 0) before = path, ++i;
        if (order >= 0) ++k;
    }
}

/* The list without manifest, page and signature, as the manifest was made from. */
static void drop_own(tern_certify_list *list)
{
    size_t n = 0;
    for (size_t i = 0; i < list->n; ++i)
        if (is_own(list->files[i].path)) free(list->files[i].path);
        else list->files[n++] = list->files[i];
    list->n = n;
}

static tern_status compare_page(checker *c, const char *sha256, tern_arena *arena)
{
    const char *want = NULL;
    size_t n = 0, size = 0;
    uint8_t *have = NULL;
    char path[2 * TERN_CERTIFY_PATH];
    join(path, sizeof path, c->dir, TERN_CERTIFY_PAGE);
    tern_status s = tern_certify_page(c->manifest, sha256, arena, &want, &n, c->diags);
    if (s == TERN_OK && !tern_file_exists(path))
        s = tern_certify_fault(c->diags, TERN_CERTIFY_E_MISSING, TERN_CERTIFY_PAGE, TERN_ERR_FORMAT,
                               "get the folder again from its maker", "the page is missing");
    if (s == TERN_OK) s = tern_file_read(path, MANIFEST_MAX, tern_alloc_default(), &have, &size, c->diags);
    if (s == TERN_OK && (size != n || memcmp(have, want, n) != 0))
        s = tern_certify_fault(c->diags, TERN_CERTIFY_E_RESULT, TERN_CERTIFY_PAGE, TERN_ERR_FORMAT,
                               "get the folder again from its maker", "the page is not the one of the manifest");
    const tern_alloc alloc = tern_alloc_default();
    alloc.fn(alloc.ud, have, 0);
    return s;
}

static tern_status compare_manifest(checker *c)
{
    json_t *again = tern_certify_manifest(c->dir, &c->found, c->manifest, c->diags);
    if (again == NULL) return TERN_ERR_FORMAT;
    char *text = tern_certify_manifest_text(again);
    tern_status s = text == NULL ? TERN_ERR_MEMORY : TERN_OK;
    if (s == TERN_OK && (strlen(text) != c->size || memcmp(text, c->text, c->size) != 0))
        s = tern_certify_fault(c->diags, TERN_CERTIFY_E_RESULT, TERN_CERTIFY_MANIFEST, TERN_ERR_FORMAT,
                               "get the folder again from its maker",
                               "the manifest is not the one of the files: a number or its form was changed");
    free(text);
    json_decref(again);
    return s;
}

static tern_status check_signature(checker *c, const char *signers, bool is_signed, tern_certify_report *out)
{
    out->is_signed = is_signed;
    if (is_signed) return tern_certify_verify(c->dir, signers, out->signer, sizeof out->signer, c->diags);
    if (signers == NULL) return TERN_OK;
    return tern_certify_fault(c->diags, TERN_CERTIFY_E_SIGNATURE, c->dir, TERN_ERR_FORMAT,
                              "omit --signers to compare the files only", "the certificate is not signed");
}

static tern_status check(checker *c, const char *signers, tern_arena *arena, tern_certify_report *out)
{
    tern_status s = tern_certify_walk(c->dir, &c->found, c->diags);
    if (s == TERN_OK) s = read_manifest(c);
    if (s != TERN_OK) return s;
    bool is_signed = false;
    for (size_t i = 0; i < c->found.n; ++i) {
        is_signed = is_signed || strcmp(c->found.files[i].path, TERN_CERTIFY_SIGNATURE) == 0;
        out->bytes += c->found.files[i].bytes;
    }
    out->files = c->found.n;
    tern_certify_digest_text(c->text, c->size, out->manifest_sha256);
    compare_files(c);
    if (c->worst != TERN_OK) return c->worst;
    drop_own(&c->found);
    s = compare_manifest(c);
    if (s == TERN_OK) s = compare_page(c, out->manifest_sha256, arena);
    if (s == TERN_OK) s = tern_certify_judge(c->manifest, c->diags);
    return s == TERN_OK ? check_signature(c, signers, is_signed, out) : s;
}

tern_status tern_certify_check(const char *dir, const char *signers, tern_arena *arena, tern_certify_report *out,
                               tern_diags *diags)
{
    checker c = { .dir = dir, .diags = diags };
    const tern_alloc alloc = tern_alloc_default();
    *out = (tern_certify_report){ .files = 0 };
    const tern_status s = check(&c, signers, arena, out);
    json_decref(c.manifest);
    alloc.fn(alloc.ud, c.text, 0);
    tern_certify_list_free(&c.found);
    return s;
}
