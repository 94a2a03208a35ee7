/* SPDX-License-Identifier: MIT */
/*
 * unpack_dir.h - files below one directory, by names that nobody can trust.
 *
 * Invariants:
 * 1. Nothing outside of the directory is touched: a name is opened part by
 *    part (base/open_below.h), below the directory, through no symbolic link.
 * 2. A file appears under its name whole or not at all, and the directories
 *    above it with it.
 * 3. What this run wrote is replaced by nothing of the same run, whatever the
 *    file system takes for the same name.
 * 4. No directory becomes a repository: git would take one with HEAD, objects
 *    and refs in it for a bare one, and run what its config says.
 */
#ifndef CLI_UNPACK_DIR_H
#define CLI_UNPACK_DIR_H

#include "base/base.h"
#include "base/new_file.h"

/* The directory that is unpacked into. */
struct unpack_dir {
	int fd;
	bool is_new; /* it was made for this */
	void *files; /* tsearch(3): which files this run wrote */
};

/* A new file. Its name is given below the last directory above it that is
 * there, until it is whole. */
struct unpack_file {
	struct new_file file;
	char *path; /* below that directory */
};

/* No file, for unpack_file_drop(). */
#define UNPACK_FILE_NONE ((struct unpack_file){ .file = NEW_FILE_NONE })

/*
 * shape:  opens a directory to unpack into; made if it is not there
 * errors: -errno
 */
int
unpack_dir_open(struct unpack_dir *dir, const char *path);

/* path: as it was opened; a new directory that is empty goes again */
void
unpack_dir_close(struct unpack_dir *dir, const char *path);

/*
 * shape:  begins a file, by a path of unpack_path_plain()
 * owner:  unpack_file_commit() or unpack_file_drop()
 * errors: -errno; -ELOOP, -ENOTDIR: no directory stands where one should;
 *         -EKEYREJECTED: git would take a directory for a repository
 */
int
unpack_file_create(const struct unpack_dir *dir, const char *path,
		   struct unpack_file *file);

/*
 * shape:  gives it its name; replaces: takes the place of a file that was
 *         there before
 * errors: -EEXIST, -EISDIR; -ENOTUNIQ: it has the name of another file of
 *         this run; and others; it is dropped then
 */
int
unpack_file_commit(struct unpack_dir *dir, struct unpack_file *file,
		   bool replaces);

/* Removes the file if it has no name yet. */
void
unpack_file_drop(struct unpack_file *file);

/* Opens a file that is there, to be read: a descriptor or -errno. */
int
unpack_file_open(const struct unpack_dir *dir, const char *path);

/* ---- unpack_name.c: which paths of an output may become files ------------- */

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
