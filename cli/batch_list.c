/* SPDX-License-Identifier: MIT */
/*
 * batch_list.c - lines of a list to items.
 */
#include "cli/batch.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "base/ascii.h"
#include "base/hash.h"

#define NAME_CHARS 100 /* of a path, in the name of an output */
#define KEYS "path, output, rev, budget, query, include, exclude"

/* The keys that stand for an option. */
static const struct {
	const char *key;
	enum option_id option;
} keys[] = {
	{ "rev", OPTION_REV },         { "budget", OPTION_BUDGET },
	{ "query", OPTION_QUERY },     { "include", OPTION_INCLUDE },
	{ "exclude", OPTION_EXCLUDE },
};

/* A copy that the list owns; NULL: no memory. */
static const char *
keep(struct batch_list *list, const char *text)
{
	if (text_list_add_copy(&list->texts, text) != 0)
		return NULL;
	return list->texts.items[list->texts.nr - 1];
}

/* An error of an item: 0, or -ENOMEM. */
static int
refuse(struct batch_list *list, struct batch_item *item, const char *format,
       const char *word)
{
	char text[BATCH_SAID_BYTES];

	snprintf(text, sizeof(text), format, word);
	item->error = keep(list, text);
	return item->error == NULL ? -ENOMEM : 0;
}

static int
add_setting(struct batch_list *list, struct batch_item *item, size_t key,
	    const json_t *value)
{
	struct batch_setting *wider;
	char number[32];
	const char *text = json_string_value(value);

	if (json_is_integer(value)) {
		snprintf(number, sizeof(number), "%jd",
			 (intmax_t)json_integer_value(value));
		text = number;
	}
	if (text == NULL)
		return refuse(list, item,
			      "BALE-BAT-001 the value of \"%s\" is no text",
			      keys[key].key);
	wider = reallocarray(item->settings, item->setting_nr + 1,
			     sizeof(*wider));
	if (wider == NULL)
		return -ENOMEM;
	item->settings = wider;
	wider[item->setting_nr++] =
		(struct batch_setting){ (uint16_t)keys[key].option,
					keep(list, text) };
	return wider[item->setting_nr - 1].text == NULL ? -ENOMEM : 0;
}

/* A value, or each of a list of values. */
static int
add_settings(struct batch_list *list, struct batch_item *item, size_t key,
	     const json_t *value)
{
	bool is_list = option_table[keys[key].option].kind == KIND_LIST;
	int error = 0;

	if (!is_list || !json_is_array(value))
		return add_setting(list, item, key, value);
	for (size_t i = 0; i < json_array_size(value) && error == 0; i++)
		error = add_setting(list, item, key, json_array_get(value, i));
	return error;
}

static size_t
key_named(const char *name)
{
	size_t i = 0;

	while (i < ARRAY_LEN(keys) && strcmp(keys[i].key, name) != 0)
		i++;
	return i;
}

/* Whether a batch itself writes what has this name, or what lies below it. */
static bool
is_batchs_own(const char *name)
{
	static const char *const own[] = { "manifest.jsonl", "manifests",
					   "stats.json", "completions",
					   "logs" };
	size_t bytes = strcspn(name, "/");

	for (size_t i = 0; i < ARRAY_LEN(own); i++)
		if (bytes_are(name, bytes, own[i]))
			return true;
	return false;
}

/* Whether an output may be called so: below DIR, and in nobody's way. */
static bool
is_output_name(const char *name)
{
	const char *part = name;

	if (*name == '\0' || *name == '/' || strlen(name) >= NAME_MAX)
		return false;
	for (; part != NULL; part = strchr(part, '/')) {
		part += *part == '/';
		/* "", ".", ".." and hidden names */
		if (*part == '\0' || *part == '/' || *part == '.')
			return false;
	}
	return true;
}

static int
take_pair(struct batch_list *list, struct batch_item *item, const char *key,
	  const json_t *value)
{
	const char *text = json_string_value(value);
	bool is_path = strcmp(key, "path") == 0;
	size_t at;

	if (is_path || strcmp(key, "output") == 0) {
		if (text == NULL || *text == '\0')
			return refuse(list, item,
				      "BALE-BAT-001 the value of \"%s\" is no "
				      "text",
				      key);
		if (!is_path && is_batchs_own(text))
			return refuse(list, item,
				      "BALE-BAT-001 no output can be called "
				      "%s: the batch writes that itself",
				      WORD_QUOTED(text));
		if (!is_path && !is_output_name(text))
			return refuse(list, item,
				      "BALE-BAT-001 no output can be called "
				      "%s: expected a path below DIR without "
				      "hidden names",
				      WORD_QUOTED(text));
		*(is_path ? &item->path : &item->name) = keep(list, text);
		return 0;
	}
	at = key_named(key);
	return at < ARRAY_LEN(keys)
		       ? add_settings(list, item, at, value)
		       : refuse(list, item,
				"BALE-BAT-001 unknown key %s: expected one "
				"of " KEYS,
				WORD_QUOTED(key));
}

/* A line that is an object. */
static int
take_object(struct batch_list *list, struct batch_item *item, const char *text,
	    size_t bytes)
{
	json_error_t wrong;
	json_t *object =
		json_loadb(text, bytes, JSON_REJECT_DUPLICATES, &wrong);
	const char *key;
	json_t *value;
	int error = 0;

	if (object == NULL)
		return refuse(list, item, "BALE-BAT-001 no JSON: %s",
			      wrong.text);
	json_object_foreach(object, key, value)
	{
		if (error == 0 && item->error == NULL)
			error = take_pair(list, item, key, value);
	}
	if (error == 0 && item->error == NULL && item->path == NULL)
		error = refuse(list, item, "BALE-BAT-001 there is no %s",
			       "\"path\"");
	json_decref(object);
	return error;
}

/* Each bit of a hash in each bit of its own: the first digits name an output,
 * and texts that differ at their end alone have the same ones before. */
static uint64_t
mix(uint64_t hash)
{
	for (int i = 0; i < 2; i++) {
		hash ^= hash >> 32;
		hash *= 0x9e3779b97f4a7c15;
	}
	return hash ^ hash >> 29;
}

/* What a line says, as a number. */
static uint64_t
hash_of(const struct batch_item *item, const char *text, size_t bytes)
{
	uint64_t hash = HASH64_BEGIN;

	if (item->error != NULL || item->path == NULL)
		return hash64(hash, text, bytes);
	hash = hash64(hash, item->path, strlen(item->path) + 1);
	for (size_t i = 0; i < item->setting_nr; i++) {
		const struct batch_setting *setting = &item->settings[i];
		const char *name = option_table[setting->option].name;

		hash = hash64(hash, name, strlen(name) + 1);
		hash = hash64(hash, setting->text, strlen(setting->text) + 1);
	}
	if (item->name != NULL)
		hash = hash64(hash, item->name, strlen(item->name) + 1);
	return hash;
}

/* The last part of a path, of characters that need no quotes, and the id. */
static const char *
name_of(struct batch_list *list, const struct batch_item *item,
	const char *suffix)
{
	const char *path = item->path;
	size_t end = strlen(path);
	char name[NAME_CHARS + 64];
	size_t begin;
	size_t nr = 0;

	while (end > 0 && path[end - 1] == '/')
		end--;
	for (begin = end; begin > 0 && path[begin - 1] != '/';)
		begin--;
	for (size_t i = begin; i < end && nr < NAME_CHARS; i++) {
		uint8_t c = (uint8_t)path[i];
		bool is_plain = ascii_is_letter(c) || ascii_is_digit(c) ||
				strchr("._-", c) != NULL;

		if (nr > 0 || path[i] != '.')
			name[nr++] = is_plain ? path[i] : '_';
	}
	if (nr == 0)
		nr = (size_t)snprintf(name, sizeof(name), "tree");
	snprintf(name + nr, sizeof(name) - nr, "-%08jx%s",
		 (uintmax_t)(item->id >> 32), suffix);
	return keep(list, name);
}

static int
take_line(struct batch_list *list, const char *text, size_t bytes,
	  struct batch_item *item)
{
	char *copy;
	int error = 0;

	if (memchr(text, '\0', bytes) != NULL) {
		error = refuse(list, item, "BALE-BAT-001 the line has a %s",
			       "NUL");
	} else if (*text == '{') {
		error = take_object(list, item, text, bytes);
	} else {
		copy = strndup(text, bytes);
		item->path = copy == NULL ? NULL : keep(list, copy);
		free(copy);
		error = item->path == NULL ? -ENOMEM : 0;
	}
	/* what tells it from other lines, wherever it stands */
	item->id = mix(hash_of(item, text, bytes));
	return error;
}

static int
by_id(const void *one, const void *other)
{
	const struct batch_item *a = *(struct batch_item *const *)one;
	const struct batch_item *b = *(struct batch_item *const *)other;

	if (a->id != b->id)
		return a->id < b->id ? -1 : 1;
	return (a->number > b->number) - (a->number < b->number);
}

static int
by_name(const void *one, const void *other)
{
	const struct batch_item *a = *(struct batch_item *const *)one;
	const struct batch_item *b = *(struct batch_item *const *)other;
	int order = strcmp(a->name == NULL ? "" : a->name,
			   b->name == NULL ? "" : b->name);

	if (order != 0)
		return order;
	return (a->number > b->number) - (a->number < b->number);
}

/* Lines that say the same are told apart by how many come before. */
static void
tell_apart(struct batch_list *list)
{
	uint64_t before = 0;
	uint64_t same = 0;

	qsort(list->by_id, list->nr, sizeof(struct batch_item *), by_id);
	for (size_t i = 0; i < list->nr; i++) {
		struct batch_item *item = list->by_id[i];

		if (i > 0 && item->id == same) {
			before++;
			item->id = hash64(same, &before, sizeof(before));
		} else {
			same = item->id;
			before = 0;
		}
	}
}

/* Of lines with the same output the first has it. */
static int
check_names(struct batch_list *list)
{
	int error = 0;
	size_t first = 0;

	qsort(list->by_id, list->nr, sizeof(struct batch_item *), by_name);
	for (size_t i = 1; i < list->nr && error == 0; i++) {
		struct batch_item *item = list->by_id[i];
		char line[32];

		if (item->name == NULL || list->by_id[first]->name == NULL ||
		    strcmp(item->name, list->by_id[first]->name) != 0) {
			first = i;
			continue;
		}
		snprintf(line, sizeof(line), "%ju",
			 (uintmax_t)list->by_id[first]->number);
		error = refuse(list, item,
			       "BALE-BAT-002 line %s has the same output",
			       line);
	}
	return error;
}

static int
index_items(struct batch_list *list, const char *suffix)
{
	int error = 0;

	list->by_id =
		reallocarray(NULL, list->nr + 1, sizeof(struct batch_item *));
	if (list->by_id == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < list->nr && error == 0; i++) {
		struct batch_item *item = &list->items[i];

		list->by_id[i] = item;
		if (item->error != NULL)
			item->name = NULL;
		else if (item->name == NULL) {
			item->name = name_of(list, item, suffix);
			error = item->name == NULL ? -ENOMEM : 0;
		}
	}
	if (error == 0)
		error = check_names(list);
	if (error == 0)
		tell_apart(list);
	qsort(list->by_id, list->nr, sizeof(struct batch_item *), by_id);
	return error;
}

int
batch_list_read(struct batch_list *list, const char *text, size_t bytes,
		const char *suffix)
{
	const char *end = text + bytes;
	uint64_t number = 0;
	int error = 0;

	*list = (struct batch_list){ .nr = 0 };
	while (text < end && error == 0) {
		const char *newline = memchr(text, '\n', (size_t)(end - text));
		size_t nr = (size_t)((newline == NULL ? end : newline) - text);

		number++;
		if (nr > 0 && text[nr - 1] == '\r')
			nr--;
		if (nr > 0 &&
		    ARRAY_RESERVE(list->items, list->room, list->nr + 1) != 0)
			error = -ENOMEM;
		else if (nr > 0) {
			struct batch_item *item = &list->items[list->nr++];

			*item = (struct batch_item){ .number = number };
			error = take_line(list, text, nr, item);
		}
		text = newline == NULL ? end : newline + 1;
	}
	return error == 0 ? index_items(list, suffix) : error;
}

void
batch_list_fini(struct batch_list *list)
{
	for (size_t i = 0; i < list->nr; i++)
		free(list->items[i].settings);
	free(list->items);
	free(list->by_id);
	text_list_free(&list->texts);
	*list = (struct batch_list){ .nr = 0 };
}

struct batch_item *
batch_list_find(const struct batch_list *list, uint64_t id)
{
	size_t low = 0;
	size_t high = list->nr;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (list->by_id[middle]->id < id)
			low = middle + 1;
		else
			high = middle;
	}
	return low < list->nr && list->by_id[low]->id == id ? list->by_id[low]
							    : NULL;
}
