/* SPDX-License-Identifier: MIT */
/*
 * query_text.c - a task in words, from the command line or from a file.
 */
#include "supervisor/query_text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/fd_io.h"

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
	size_t bytes;
	char *content;
	int error;

	*out = NULL;
	if (text[0] != '@')
		return make_query((const uint8_t *)text, strlen(text), out);
	error = file_read_all(text + 1, QUERY_TEXT_MAX, &content, &bytes);
	if (error == 0)
		error = make_query((const uint8_t *)content, bytes, out);
	free(content);
	return error;
}
