/* tern_certify.h : a folder that proves a bitstream: its files, its manifest, its page (docs/56-certificates.md)
 * SPDX-License-Identifier: Apache-2.0
 *
 * The manifest is a function of its own head (what was asked for) and of the files in the folder; the page is a
 * function of the manifest. So the checker makes both again and compares bytes; it trusts no number that it reads.
 */
#ifndef TERN_CERTIFY_H
#define TERN_CERTIFY_H
#include "tern_json.h"
#include <stdbool.h>
#include <stdint.h>
#include "tern/arena.h"
#include "tern/diag.h"

#define TERN_CERTIFY_MANIFEST "manifest.json"
#define TERN_CERTIFY_PAGE "certificate.html"
#define TERN_CERTIFY_SIGNATURE "manifest.json.sig"
#define TERN_CERTIFY_NAMESPACE "tern-certificate"
enum { TERN_CERTIFY_PATH = 1024, TERN_CERTIFY_FILES = 1000000, TERN_CERTIFY_DEPTH = 32 };
enum {
    TERN_CERTIFY_E_DIR = 660,
    TERN_CERTIFY_E_STEP = 661,
    TERN_CERTIFY_E_ANSWER = 662,
    TERN_CERTIFY_E_SIGN = 663,
    TERN_CERTIFY_E_MANIFEST = 664,
    TERN_CERTIFY_E_CHANGED = 665,
    TERN_CERTIFY_E_MISSING = 666,
    TERN_CERTIFY_E_EXTRA = 667,
    TERN_CERTIFY_E_RESULT = 668,
    TERN_CERTIFY_E_SIGNATURE = 669
};

/* ---- files
 * -------------------------------------------------------------------------------------------------------- */

typedef struct tern_certify_file {
    char *path; /* below the folder, with '/' */
    uint64_t bytes;
    bool folder;     /* an empty one: it has no place in a certificate */
    bool strange;    /* neither file nor folder: a link, a device, .. */
    char sha256[65]; /* "" until tern_certify_digest() */
} tern_certify_file;

typedef struct tern_certify_list {
    size_t n, room;
    tern_certify_file *files;
} tern_certify_list;

/* All that lies in a folder (or the one file), sorted by path, links not followed. Codes 660 and 667. */
tern_status tern_certify_walk(const char *dir, tern_certify_list *out, tern_diags *diags);
void tern_certify_list_free(tern_certify_list *list);
/* SHA-256 of a file, read in pieces. False: errno. It reads at most `bytes` + 1 of them: a file that grows is
 * found. */
bool tern_certify_digest(const char *path, uint64_t bytes, char out_hex[65]);
/* SHA-256 of a text. */
void tern_certify_digest_text(const void *bytes, size_t n, char out_hex[65]);
/* SHA-256 of lines `DIGEST  PATH`, as sha256sum prints them, of the files that `take` chooses (NULL: all). ""
 * if there are none. */
void tern_certify_digest_list(const tern_certify_list *list, bool (*take)(const char *path), char out_hex[65]);

/* ---- manifest and page
 * -------------------------------------------------------------------------------------------- */

/* The manifest of a folder whose digests are known. `head`: see docs/56-certificates.md; borrowed. NULL and a
 * diagnostic (662) if an answer in the folder is missing or not understood. */
json_t *tern_certify_manifest(const char *dir, const tern_certify_list *list, const json_t *head, tern_diags *diags);
/* The canonical text of a manifest; to be freed. */
char *tern_certify_manifest_text(const json_t *manifest);
/* Is what a manifest tells what a certificate needs? Code 668 for each that is not: differences, a clock that
 * is not reached. */
tern_status tern_certify_judge(const json_t *manifest, tern_diags *diags);
/* The page, in the arena. */
tern_status tern_certify_page(const json_t *manifest, const char *manifest_sha256, tern_arena *arena, const char **out,
                              size_t *out_size, tern_diags *diags);

/* ---- making, checking, signing
 * ------------------------------------------------------------------------------------ */

/* What was checked. */
typedef struct tern_certify_report {
    size_t files;
    uint64_t bytes;
    char manifest_sha256[65];
    bool is_signed;
    char signer[256];
} tern_certify_report;

/* Compares everything; codes 664 .. 669. `signers`: file of allowed signers (ssh-keygen), or NULL: the signature, if
 * there is one, only has to be one of this manifest by the key that it names. */
tern_status tern_certify_check(const char *dir, const char *signers, tern_arena *arena, tern_certify_report *out,
                               tern_diags *diags);
/* manifest.json.sig of manifest.json in the folder. Code 663. */
tern_status tern_certify_sign(const char *dir, const char *key, tern_diags *diags);
/* Code 669. */
tern_status tern_certify_verify(const char *dir, const char *signers, char *out_signer, size_t bytes,
                                tern_diags *diags);

typedef struct tern_certify_request {
    const char *network, *board, *dir, *lanes, *core, *until, *data, *proofs, *key;
    const char *const *sets;
    size_t n_sets;
    uint64_t seeds, steps, netlist_steps, samples;
    double mhz;          /* 0: the board's */
    const char *version; /* of Tern */
    void (*say)(const char *text);
} tern_certify_request;
/* Runs the verbs, writes the folder. What was there of an older certificate goes only when the new one is
 * complete. Codes 660 .. 663. */
tern_status tern_certify_make(const tern_certify_request *request, tern_arena *arena, tern_certify_report *out,
                              tern_diags *diags);
/* Does ssh-keygen know the key? Asked before the work begins. Code 663. */
tern_status tern_certify_key(const char *key, tern_diags *diags);
/* May the folder be (re)placed? Code 660. */
tern_status tern_certify_check_dir(const char *dir, tern_diags *diags);

/* A diagnostic and its status. */
tern_status tern_certify_fault(tern_diags *diags, int code, const char *file, tern_status s, const char *hint,
                               const char *format, ...) __attribute__((format(printf, 6, 7)));
#endif /* TERN_CERTIFY_H */
