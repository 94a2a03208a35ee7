/* SPDX-License-Identifier: MIT */
/*
 * absolute_path.h - paths from the root on, by their names alone.
 *
 * Does not: look at the file system, which might not answer: a part a/.. stays
 *           as it is, for a may be a link.
 */
#ifndef BASE_ABSOLUTE_PATH_H
#define BASE_ABSOLUTE_PATH_H

#include "base/base.h"

/*
 * shape:  a path with neither empty parts nor dots, and without the .. that it
 *         begins with if it is relative
 * errors: -errno of getcwd(3), -ENAMETOOLONG
 */
int
absolute_path(char *out, size_t size, const char *path);

/* Whether a path is a directory or lies below it; both as absolute_path() writes
 * them. */
bool
absolute_path_holds(const char *dir, const char *path);

#endif
