/* tern_leftover.h : folders that killed programs left behind
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TERN_LEFTOVER_H
#define TERN_LEFTOVER_H

/* Folders DIR.tmp-PID and DIR.tmp-PID.old beside DIR whose process is dead; `rest` is what follows the number. */
void tern_left_folders(const char *dir, void (*found)(void *ud, const char *path, const char *rest), void *ud);

/* Removes a file, or a folder with all that is in it; links are removed, not followed. */
void tern_remove_tree(const char *path);

#endif /* TERN_LEFTOVER_H */
