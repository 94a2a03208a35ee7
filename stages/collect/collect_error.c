/* SPDX-License-Identifier: MIT */
/*
 * collect_error.c - the reason that an error of the system is in a report.
 */
#include <errno.h>

#include "stages/collect/collect_io.h"

enum reason
collect_error_reason(int error)
{
	switch (error) {
	case 0:
		return REASON_NONE;
	case -ENOENT:
	case -ENOTDIR: /* a directory of its path was replaced */
		return REASON_VANISHED;
	case -ELOOP:
	case -EXDEV:
		return REASON_SYMLINK;
	case -ENXIO:
	case -ENODEV:
		return REASON_SPECIAL;
	case -ESTALE:
	case -EISDIR:
		return REASON_CHANGED;
	case -ETIMEDOUT:
		return REASON_TIMEOUT;
	case -EFBIG:
		return REASON_TOO_LARGE;
	default:
		return REASON_UNREADABLE;
	}
}
