/* SPDX-License-Identifier: MIT */
/*
 * unpack_name.h - which paths of an output may become files.
 *
 * Does: refuses what leads out of a directory, what no file system can hold,
 *       and what a version control system would take for its own: with a
 *       .git/config of somebody else's, the next `git status` runs what that
 *       says. So does what other systems would fold to such a name: case,
 *       trailing dots and blanks, streams, 8.3 names, characters that are
 *       ignored.
 * Does not: look at the file system.
 * Runs in: `bale unpack`.
 */
#ifndef CLI_UNPACK_NAME_H
#define CLI_UNPACK_NAME_H

#include "base/base.h"

#define UNPACK_NAME_BYTES_MAX 255 /* as of most file systems */
#define UNPACK_DEPTH_MAX 512      /* pack goes down 256 directories */

/*
 * shape:  why a path cannot be unpacked: "leads out of the directory with
 *         .."; NULL: it can
 * source: git's verify_path(), is_hfs_dotgit(), is_ntfs_dotgit(); more than
 *         these refuse is refused here
 */
const char *
unpack_path_wrong(const uint8_t *path, size_t nr);

/* Whether some system would take a name for another, which is in lower case. */
bool
unpack_name_is(const char *name, const char *folded);

/* Whether Windows would take a part of the path for a device (aux.c). */
bool
unpack_path_is_device(const uint8_t *path, size_t nr);

/*
 * shape:  the path without parts that mean nothing: "a//./b" is "a/b"
 * owner:  free(3); NULL: no memory
 */
char *
unpack_path_plain(const uint8_t *path, size_t nr);

#endif
