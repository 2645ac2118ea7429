/* tern_hdf5_outside.h : what of an HDF5 file would be read from other files: refused (inside runtime/data only)
 * SPDX-License-Identifier: Apache-2.0
 *
 * A file of weights or recordings may come from anywhere. libhdf5 follows names in it to any file that the user can
 * read: of external storage, of virtual data sets, of external links. Nothing of this is read.
 */
#ifndef TERN_HDF5_OUTSIDE_H
#define TERN_HDF5_OUTSIDE_H
#include <hdf5.h>
#include <stddef.h>

/* Before a file is opened, in a process of its own: links into other files cannot be followed any more. */
static inline void tern__hdf5_stay_inside(void) { (void)H5Lunregister(H5L_TYPE_EXTERNAL); }

/* What a data set would read from other files; NULL: it is all here. To be asked before anything else: even its size
 * may be theirs. */
static inline const char *tern__hdf5_outside(hid_t set)
{
    const hid_t made = H5Dget_create_plist(set);
    if (made < 0) return "cannot be opened: the file is damaged";
    const char *what = NULL;
    if (H5Pget_layout(made) == H5D_VIRTUAL)
        what = "is a virtual data set, made of others that may be in other files, which are not read";
    else if (H5Pget_external_count(made) != 0)
        what = "has its numbers in another file (external storage), which is not read";
    (void)H5Pclose(made);
    return what;
}

/* Does a name of a group lead into another file? */
static inline int tern__hdf5_leads_outside(hid_t group, const char *name)
{
    H5L_info_t link;
    return H5Lget_info(group, name, &link, H5P_DEFAULT) >= 0 && link.type != H5L_TYPE_HARD &&
           link.type != H5L_TYPE_SOFT;
}

#endif /* TERN_HDF5_OUTSIDE_H */
