/* SPDX-License-Identifier: MIT */
/*
 * tool_pack_header.h - what stands in a header of a section behind the name.
 *
 * Does not: share a line with the program.
 */
#ifndef TESTS_SUPPORT_TOOL_PACK_HEADER_H
#define TESTS_SUPPORT_TOOL_PACK_HEADER_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/support/tool_pack_names.h"
#include "tests/support/tool_pack_text.h"

/* What a header says. */
struct header {
	char *name;
	char *same_as;
	unsigned long long first;
	unsigned long long last;
	bool empty;
	bool no_newline;
	bool signatures;
	size_t dots;      /* of its gap marks */
	char charset[32]; /* that it was converted from; "": it was not */
};

static inline bool
is_there(const char *name)
{
	struct stat st;

	return name != NULL && lstat(name, &st) == 0;
}

/*
 * The names of files with the same text, which are there: where ", also "
 * begins, or the length of all if there are none; 0: they are of no kind.
 */
static inline size_t
parse_copies(struct bytes rest)
{
	static const char word[] = ", also ";
	static const char others[] = " and others)";
	const char *found = memmem(rest.at, rest.nr, word, strlen(word));
	size_t before = found == NULL ? rest.nr : (size_t)(found - rest.at);
	struct bytes left = { rest.at + before, rest.nr - before };

	while (left.nr > 0 && !is_same_text(left, others) &&
	       !is_same_text(left, ")")) {
		size_t skipped = strlen(left.at == found ? word : ", ");
		size_t nr = 0;
		char *name;

		if (!begins(left, found, 2) || left.nr <= skipped)
			return 0;
		left.at += skipped;
		left.nr -= skipped;
		nr = name_length(left);
		if (nr == 0)
			while (nr < left.nr &&
			       strchr(" ,)", left.at[nr]) == NULL)
				nr++;
		name = unquote((struct bytes){ left.at, nr });
		if (!is_there(name))
			before = 0;
		free(name);
		left.at += nr;
		left.nr -= nr;
	}
	return before;
}

/* " (lines 1-2)" and so on. */
static inline bool
parse_lines(struct bytes rest, struct header *header)
{
	size_t before = parse_copies(rest);
	char text[256];
	char end[sizeof(text)] = "";
	char *hash;
	int at = 0;
	int nr = 0;

	if (before == 0)
		return false;
	snprintf(text, sizeof(text), "%.*s%s", (int)before, rest.at,
		 before < rest.nr ? ")" : "");
	header->first = 1;
	header->last = 1;
	header->signatures =
		sscanf(text, " (signatures, all%255[^\n]", end) == 1 ||
		sscanf(text, " (signatures%255[^\n]", end) == 1;
	if (!header->signatures &&
	    sscanf(text, " (lines %llu-%llu%255[^\n]", &header->first,
		   &header->last, end) != 3)
		return false;
	header->charset[0] = '\0';
	if (sscanf(end, " of %*u%n", &nr) == 0 && nr > 0)
		memmove(end, end + nr, strlen(end + nr) + 1);
	nr = 0;
	if (sscanf(end, ", from %31[^,)]%n", header->charset, &nr) == 1)
		memmove(end, end + nr, strlen(end + nr) + 1);
	nr = 0;
	header->dots = 3;
	if (sscanf(end, ", gap mark %n%*[.]%n", &at, &nr) == 0 && nr > 0) {
		header->dots = (size_t)(nr - at);
		memmove(end, end + nr, strlen(end + nr) + 1);
	}
	/* what is said of the characters is not looked at here */
	at = 0;
	while (sscanf(end, ", %*s characters%n", &at) == 0 && at > 0) {
		memmove(end, end + at, strlen(end + at) + 1);
		at = 0;
	}
	/* nor the hash; test_command_unpack_hashes.sh does */
	hash = strstr(end, ", hash ");
	if (hash != NULL && strspn(hash + 7, "0123456789)") == strlen(hash + 7))
		strcpy(hash, ")");
	header->no_newline = strcmp(end, ", no newline at end)") == 0;
	return header->no_newline || strcmp(end, ")") == 0;
}

/* What stands in a header behind the name; false: none of the kinds. */
static inline bool
parse_rest(struct bytes rest, struct header *header)
{
	static const char same_word[] = " (same as ";
	size_t nr = strlen(same_word);

	free(header->same_as);
	header->same_as = NULL;
	header->empty = rest.nr == 8 && begins(rest, " (empty)", 8);
	if (begins(rest, same_word, nr) && ends(rest, ")"))
		header->same_as = unquote(
			(struct bytes){ rest.at + nr, rest.nr - nr - 1 });
	if (header->same_as != NULL)
		return is_there(header->same_as);
	return header->empty || parse_lines(rest, header);
}

#endif
