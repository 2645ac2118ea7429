/* file.h : whole files in, whole files out
 * SPDX-License-Identifier: Apache-2.0
 *
 * A file being written has a temporary name in the same folder and gets its own name when it is complete, so a crash, a
 * full disk or an interrupt leaves the old file or the new one, never half of one.
 *
 * Threads: calls with different writers and different paths may run side by side; of two that write one path at once,
 * the one that commits last wins, whole.
 */
#ifndef TERN_FILE_H
#define TERN_FILE_H
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include "tern/arena.h"
#include "tern/diag.h"
#ifdef __cplusplus
extern "C" {
#endif

typedef struct tern_file_writer {
    FILE *f;   /* write here with fwrite, fprintf; errors may be left to tern_file_commit */
    bool part; /* one of a set in a folder: its last file, for which this is false, flushes the folder */
    char path[1024];
    char temporary[1056];
} tern_file_writer;

/* TERN_ERR_IO and a diagnostic (code 302) if the file cannot be created, or if there is a device, pipe, socket or
 * folder of this name. Of a symbolic link, the file that it leads to is replaced. */
tern_status tern_file_begin(tern_file_writer *w, const char *path, tern_diags *diags);
/* Brings the file to the disk, closes, renames, and brings the folder to the disk; if anything could not be written the
 * temporary file is removed and TERN_ERR_IO returned. */
tern_status tern_file_commit(tern_file_writer *w, tern_diags *diags);
/* Closes and removes the temporary file. No effect after commit. */
void tern_file_abort(tern_file_writer *w);
/* Removes temporary files of `path` that killed programs left: those whose lock is free. */
void tern_file_sweep(const char *path);
/* False: there is certainly no file of this name. If that is unknown, opening it will report why. */
bool tern_file_exists(const char *path);
/* The first bytes of a file, at most `bytes`; how many there were, or -1 and errno. */
int tern_file_head(const char *path, void *to, size_t bytes);
/* Refuses another user's file in a folder with the sticky bit: it could be written, but not put in its place. What is
 * not there, or no file, passes. */
tern_status tern_file_replaceable(const char *path, tern_diags *diags);
/* Sweep, begin, abort: shows before a long job whether its result could be written. */
tern_status tern_file_writable(const char *path, tern_diags *diags);
/* begin, write, commit. */
tern_status tern_file_write(const char *path, const void *bytes, size_t size, tern_diags *diags);
/* Same for a file of a set (tern_file_writer.part). */
tern_status tern_file_write_part(const char *path, const void *bytes, size_t size, tern_diags *diags);
/* Brings the folder of `path`, and with it the names in it, to the disk. False, and errno: it could not. */
bool tern_file_sync_folder(const char *path);
/* Rename, and removal, that are on the disk when they return. A missing file counts as removed. Code 302. */
tern_status tern_file_rename(const char *from, const char *to, tern_diags *diags);
tern_status tern_file_remove(const char *path, tern_diags *diags);

/* Reads a whole file into memory from `alloc` (free it with alloc.fn(ud, p, 0)); refuses more than `limit_bytes`,
 * and (code 301) what is not a regular file. */
tern_status tern_file_read(const char *path, uint64_t limit_bytes, tern_alloc alloc, uint8_t **out_bytes,
                           size_t *out_size, tern_diags *diags);

#ifdef __cplusplus
}
#endif
#endif /* TERN_FILE_H */
