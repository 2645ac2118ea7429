/* tern_leftover.h : folders that killed programs left behind
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TERN_LEFTOVER_H
#define TERN_LEFTOVER_H

/* Folders DIR.tmp-PID and DIR.tmp-PID.old beside DIR whose process is dead; `rest` is what follows the number. */
void tern_left_folders(const char *dir, void (*found)(void *ud, const char *path, const char *rest), void *ud);

/* Removes a file, or a folder with all that is in it; links are removed, not followed. */
void tern_remove_tree(const char *path);

/* A folder is made as DIR.tmp-PID. Removes those of dead programs; DIR.tmp-PID.old of one becomes DIR if there is none.
 * */
void tern_folder_tidy(const char *dir);

typedef enum tern_folder_end {
    TERN_FOLDER_DONE,
    TERN_FOLDER_NOT_SYNCED,
    TERN_FOLDER_NOT_PLACED,
    TERN_FOLDER_NAME_NOT_SYNCED
} tern_folder_end;
/* The finished folder `work` is brought to the disk and gets the name `dir`; an older one goes only then. After
 * NOT_SYNCED and NOT_PLACED, errno tells why, and `work` is still there. */
tern_folder_end tern_folder_finish(const char *work, const char *dir);

#endif /* TERN_LEFTOVER_H */
