/* SPDX-License-Identifier: MIT */
/*
 * exit_code.c - says why, and gives the code.
 */
#include "base/exit_code.h"

#include <errno.h>
#include <string.h>

int
exit_out_of_memory(void)
{
	diag_log(DIAG_ERROR, "out of memory");
	return EXIT_RESOURCES;
}

int
exit_cannot_write(const char *path, int error)
{
	if (error == 0)
		return 0;
	/* a signal waits to be let in, and ends it then */
	if (error == -EINTR)
		return EXIT_OUTPUT;
	if (path == NULL)
		path = "stdout";
	diag_log(DIAG_ERROR, "cannot write %s: %s%s", QUOTED(path),
		 diag_errno(error),
		 error == -EBUSY    ? "; is it a mount point? use > instead"
		 : error == -EEXIST ? ": what is called .NAME.parts.tmp beside "
				      "it is not bale's; move it away"
				    : "");
	return EXIT_OUTPUT;
}
