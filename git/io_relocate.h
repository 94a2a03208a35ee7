/* SPDX-License-Identifier: MIT */
/*
 * io_relocate.h - what a loaded library calls, replaced by our own.
 *
 * Does: looks up in the tables of a library, as the loader has filled them,
 *       which functions of others it calls, and puts ours in their place.
 * Does not: touch any other library, or the program.
 * Runs in: the collector, before it shuts itself in; tests.
 * source: System V ABI, dynamic linking; glibc's dlinfo(3), dl_iterate_phdr(3)
 */
#ifndef GIT_IO_RELOCATE_H
#define GIT_IO_RELOCATE_H

#include "base/base.h"

typedef void
import_function(void);

struct import {
	const char *name;
	import_function *ours;
};

/*
 * shape:  how many of these functions the library imports; each of its calls
 *         of one goes to ours from now on
 * units:  handle: of dlopen(3), loaded with RTLD_NOW
 * errors: -ENOEXEC: its tables are not what they should be; -errno of
 *         mprotect(2). Some may be replaced: do not use the library
 */
int
import_replace(void *handle, const struct import *imports, size_t nr);

#endif
