/* SPDX-License-Identifier: MIT */
/*
 * query_text.c - a task in words, from the command line or from a file.
 */
#include "supervisor/query_text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "shm/fd_io.h"

static int
read_all(int fd, uint8_t *text, size_t room, size_t *bytes)
{
	ssize_t got;

	do {
		got = read(fd, text + *bytes, room - *bytes);
		if (got < 0 && errno != EINTR)
			return -errno;
		if (got > 0)
			*bytes += (size_t)got;
	} while (got != 0 && *bytes < room);
	return *bytes == room ? -EFBIG : 0;
}

static int
read_file(const char *name, uint8_t *text, size_t room, size_t *bytes)
{
	bool from_stdin = strcmp(name, "-") == 0;
	int fd = from_stdin ? STDIN_FILENO : fd_open_input(name);
	int error;

	if (fd < 0)
		return fd;
	error = read_all(fd, text, room, bytes);
	if (!from_stdin)
		close(fd);
	return error;
}

/* A query with what the text has, or NULL if that is nothing. */
static int
make_query(const uint8_t *text, size_t bytes, struct query **out)
{
	struct query *query = malloc(sizeof(*query));

	if (query == NULL)
		return -ENOMEM;
	query_init(query, text, bytes);
	if (query->nr == 0) {
		free(query);
		query = NULL;
	}
	*out = query;
	return 0;
}

int
query_text_read(const char *text, struct query **out)
{
	size_t room = QUERY_TEXT_MAX + 1;
	size_t bytes = 0;
	uint8_t *content;
	int error;

	*out = NULL;
	if (text[0] != '@')
		return make_query((const uint8_t *)text, strlen(text), out);
	content = malloc(room);
	if (content == NULL)
		return -ENOMEM;
	error = read_file(text + 1, content, room, &bytes);
	if (error == 0)
		error = make_query(content, bytes, out);
	free(content);
	return error;
}
