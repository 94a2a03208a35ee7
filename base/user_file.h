/* SPDX-License-Identifier: MIT */
/*
 * user_file.h - where the files lie that bale keeps for a user.
 *
 * source: XDG Base Directory Specification
 */
#ifndef BASE_USER_FILE_H
#define BASE_USER_FILE_H

#include <stddef.h>

/* Kinds of files, each with a directory of its own. */
enum user_file {
	USER_FILE_STATE, /* $XDG_STATE_HOME or ~/.local/state: of the last runs */
	USER_FILE_CACHE /* $XDG_CACHE_HOME or ~/.cache: can be made again */
};

/*
 * shape:  the path of bale's file of that name, whether there is one or not
 * errors: -ENOENT: neither the variable nor HOME is an absolute path;
 *         -ENAMETOOLONG
 */
int
user_file_path(char *out, size_t size, enum user_file kind, const char *name);

/*
 * shape:  makes the directories above a path that are missing, for the user
 *         alone
 * errors: -ENOENT: they are below $HOME, which is not made; -errno of mkdir(2);
 *         -ENAMETOOLONG
 */
int
user_file_make_parents(const char *path);

#endif
