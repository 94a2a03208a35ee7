/* SPDX-License-Identifier: MIT */
/*
 * tool_pack_names.h - lines of an output, and names as they stand in headers.
 */
#ifndef TESTS_SUPPORT_TOOL_PACK_NAMES_H
#define TESTS_SUPPORT_TOOL_PACK_NAMES_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct bytes {
	const char *at;
	size_t nr;
};

static inline bool
begins(struct bytes text, const char *with, size_t nr)
{
	return text.nr >= nr && memcmp(text.at, with, nr) == 0;
}

static inline bool
is_same_text(struct bytes text, const char *other)
{
	return text.nr == strlen(other) && begins(text, other, text.nr);
}

/* The line that begins here, without its newline. */
static inline struct bytes
line_of(struct bytes text)
{
	const char *end = memchr(text.at, '\n', text.nr);

	return (struct bytes){ text.at, end == NULL ? text.nr
						    : (size_t)(end - text.at) };
}

static inline int
octal(const char *at)
{
	int value = 0;

	for (int i = 0; i < 3; i++) {
		if (at[i] < '0' || at[i] > '7')
			return -1;
		value = value * 8 + (at[i] - '0');
	}
	return value;
}

/* A name as it stands in a header, as it is on disk; NULL: malformed. */
static inline char *
unquote(struct bytes text)
{
	char *name = malloc(text.nr + 1);
	size_t n = 0;

	if (name == NULL)
		abort();
	if (text.nr == 0 || text.at[0] != '"') {
		memcpy(name, text.at, text.nr);
		name[text.nr] = '\0';
		return name;
	}
	for (size_t i = 1; i + 1 < text.nr; i++) {
		static const char letters[] = "n\nt\tr\r\"\"\\\\";
		const char *letter;

		if (text.at[i] != '\\') {
			name[n++] = text.at[i];
			continue;
		}
		i++;
		letter = strchr(letters, text.at[i]);
		if (i + 4 <= text.nr && octal(text.at + i) > 0) {
			name[n++] = (char)octal(text.at + i);
			i += 2;
		} else if (letter != NULL && *letter != '\0') {
			name[n++] = letter[1];
		} else {
			free(name);
			return NULL;
		}
	}
	name[n] = '\0';
	return name;
}

/* Where the name ends; one in quotes holds no quote but after a backslash. */
static inline size_t
name_length(struct bytes header)
{
	size_t i = 1;

	if (header.nr == 0 || header.at[0] != '"')
		return 0;
	while (i < header.nr && header.at[i] != '"')
		i += header.at[i] == '\\' ? 2 : 1;
	return i + 1;
}

static inline bool
ends(struct bytes text, const char *with)
{
	size_t nr = strlen(with);

	return text.nr >= nr && memcmp(text.at + text.nr - nr, with, nr) == 0;
}

#endif
