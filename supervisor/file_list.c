/* SPDX-License-Identifier: MIT */
/*
 * file_list.c - a list of paths from a file or a pipe.
 */
#include "supervisor/file_list.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/fd_io.h"

#define BLOCK_BYTES (64u << 10)
/* What a name takes, here and in the walk: measured with lists of 200,000 to
 * 800,000 names. */
#define NAME_COPIES 2
#define NAME_COST 40

static int
split(char *text, size_t bytes, char end, uint64_t bytes_max,
      struct text_list *list)
{
	uint64_t names_max = (bytes_max - NAME_COPIES * bytes) / NAME_COST;
	char *stop = text + bytes;

	while (text < stop) {
		char *next = memchr(text, end, (size_t)(stop - text));

		if (next == NULL)
			next = stop;
		*next = '\0';
		if (*text != '\0' && list->nr == names_max)
			return -EFBIG;
		if (*text != '\0' && text_list_add(list, text) != 0)
			return -ENOMEM;
		text = next + 1;
	}
	return 0;
}

int
file_list_read(const char *path, bool by_nul, uint64_t bytes_max,
	       struct text_list *list)
{
	char *text;
	size_t bytes;
	int error = file_read_all(path, bytes_max / NAME_COPIES, &text, &bytes);

	if (error == 0)
		error = split(text, bytes, by_nul ? '\0' : '\n', bytes_max,
			      list);
	if (error != 0 || list->nr == 0)
		free(text);
	return error;
}
