/* SPDX-License-Identifier: MIT */
/*
 * config_key.c - paths of a configuration file, looked up in the tables.
 */
#include "cli/config_impl.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli_text.h"

#define FAR 256 /* more than any edit distance */

static const struct {
	const char *path;
	const char *other;
} also_table[] = {
#define ALSO(path, other) { path, other },
#include "cli/config.def"
};

static const struct {
	const char *word;
	const char *what;
} refused_table[] = {
#define REFUSED(word, what) { word, what },
#include "cli/config.def"
};

bool
config_path_is_below(const char *path, const char *section)
{
	size_t bytes = strlen(section);

	return strncmp(path, section, bytes) == 0 && path[bytes] == '.';
}

/* A path as it is written out in the tables. */
static struct config_key
find_exactly(const char *path)
{
	struct config_key key = { .option = -1 };

	for (size_t i = 0; i < ARRAY_LEN(also_table); i++) {
		key.is_section |=
			config_path_is_below(also_table[i].path, path);
		if (strcmp(also_table[i].path, path) == 0)
			path = also_table[i].other;
	}
	for (int i = 0; i < OPTION_NR; i++) {
		if (option_table[i].key == NULL)
			continue;
		key.is_section |=
			config_path_is_below(option_table[i].key, path);
		if (strcmp(option_table[i].key, path) == 0)
			key.option = i;
	}
	return key;
}

/* What may be left out in front. */
static const char *const fronts[] = { "", "context.", "context.budget." };

struct config_key
config_key_find(const char *path)
{
	struct config_key key = { .option = -1 };

	for (size_t i = 0; i < ARRAY_LEN(fronts); i++) {
		char whole[CONFIG_PATH_BYTES + 32];

		snprintf(whole, sizeof(whole), "%s%s", fronts[i], path);
		key = find_exactly(whole);
		if (key.option >= 0 || key.is_section)
			break;
	}
	return key;
}

/* What stands behind the last dot. */
static const char *
config_last_word(const char *path)
{
	const char *dot = strrchr(path, '.');

	return dot == NULL ? path : dot + 1;
}

/* How many words of the last name the other has too, and how many it has. */
static unsigned
words_of(const char *path, const char *known, unsigned *all)
{
	const char *name = config_last_word(known);
	unsigned common = 0;

	*all = 0;
	for (const char *at = config_last_word(path); *at != '\0';) {
		size_t bytes = strcspn(at, "_");
		bool is_found = false;

		for (const char *word = name; bytes > 2 && *word != '\0';) {
			size_t word_bytes = strcspn(word, "_");

			is_found |= word_bytes == bytes &&
				    memcmp(word, at, bytes) == 0;
			word += word_bytes + (word[word_bytes] == '_');
		}
		common += is_found;
		(*all)++;
		at += bytes + (at[bytes] == '_');
	}
	return common;
}

/* Whether they lie below the same section, as it may be written. */
static bool
is_same_section(const char *path, const char *known)
{
	size_t path_bytes = (size_t)(config_last_word(path) - path);
	size_t known_bytes = (size_t)(config_last_word(known) - known);

	return known_bytes >= path_bytes && path_bytes > 0 &&
	       memcmp(known + known_bytes - path_bytes, path, path_bytes) ==
		       0 &&
	       (known_bytes == path_bytes ||
		known[known_bytes - path_bytes - 1] == '.');
}

/*
 * How far a path is from one that is known: little for a part of the right
 * word, and for the right word in the wrong section; else a word that both
 * have counts, then the same section, then letters.
 */
static unsigned
distance_to(const char *path, const char *known)
{
	const char *word = config_last_word(path);
	const char *other = config_last_word(known);
	bool is_in = is_same_section(path, known);
	unsigned all;
	unsigned common = words_of(path, known, &all);

	if (is_in && common == all)
		return 0;
	if (strcmp(word, other) == 0)
		return 1;
	return 1 + edit_distance(word, other) + (common > 0 ? 0 : FAR) +
	       (is_in ? 0 : FAR);
}

/* Path number i of all that are known; NULL: an option without one. */
static const char *
known_at(size_t i)
{
	return i < OPTION_NR ? option_table[i].key
			     : also_table[i - OPTION_NR].path;
}

void
config_key_nearest(const char *path, bool is_section,
		   char out[static CONFIG_PATH_BYTES])
{
	unsigned best = UINT_MAX;

	for (size_t i = 0; i < OPTION_NR + ARRAY_LEN(also_table); i++) {
		const char *known = known_at(i);
		char part[CONFIG_PATH_BYTES];
		char *end;

		if (known == NULL)
			continue;
		snprintf(part, sizeof(part), "%s", known);
		end = part + strlen(part);
		do {
			unsigned distance;

			*end = '\0';
			distance = distance_to(path, part);
			if (distance < best &&
			    (end == part + strlen(known)) != is_section) {
				best = distance;
				snprintf(out, CONFIG_PATH_BYTES, "%s", part);
			}
			end = strrchr(part, '.');
		} while (is_section && end != NULL);
	}
}

/* Sections of ours; what else a file has is for other programs. */
static bool
is_ours(const char *path)
{
	return strchr(path, '.') == NULL || strncmp(path, "context.", 8) == 0 ||
	       strncmp(path, "window.", 7) == 0 ||
	       strncmp(path, "compaction.", 11) == 0 ||
	       strncmp(path, "policy.", 7) == 0;
}

/* What only other commands take is no key that anybody could miss. */
static bool
is_for_a_run(enum option_id id, const char *why)
{
	return option_is_of(COMMAND_PACK, id) ||
	       option_is_of(COMMAND_PREVIEW, id) ||
	       option_is_of(COMMAND_TREE, id) ||
	       option_is_of(COMMAND_COUNT, id) || strstr(why, "path") != NULL;
}

const char *
config_key_refused(const char *path, enum option_id *option)
{
	const char *word = config_last_word(path);
	char name[CONFIG_KEY_BYTES * 2];

	*option = OPTION_NR;
	if (!is_ours(path))
		return NULL;
	for (size_t i = 0; i < ARRAY_LEN(refused_table); i++) {
		if (strcmp(refused_table[i].word, word) == 0)
			return refused_table[i].what;
	}
	for (int i = 0; i < OPTION_NR; i++) {
		const char *why = option_table[i].no_key;

		if (why == NULL || !is_for_a_run((enum option_id)i, why))
			continue;
		config_snake_case(name, sizeof(name), option_table[i].name);
		if (strcmp(name, word) != 0)
			continue;
		*option = (enum option_id)i;
		return why;
	}
	return NULL;
}
