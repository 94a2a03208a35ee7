/* SPDX-License-Identifier: MIT */
/*
 * options_values.c - from text to a value, by its kind.
 *
 * Does: numbers with suffixes and ranges, choices, flags, lists.
 * Does not: know where the text came from; its caller names that.
 */
#include "supervisor/options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct suffix {
	const char *text;
	uint64_t factor;
};

static const struct suffix no_suffixes[] = { { NULL, 0 } };
static const struct suffix token_suffixes[] = {
	{ "k", 1000 },
	{ "K", 1000 },
	{ "M", 1000000 },
	{ NULL, 0 },
};
static const struct suffix size_suffixes[] = {
	{ "K", 1ull << 10 }, { "k", 1ull << 10 }, { "KiB", 1ull << 10 },
	{ "M", 1ull << 20 }, { "m", 1ull << 20 }, { "MiB", 1ull << 20 },
	{ "G", 1ull << 30 }, { "g", 1ull << 30 }, { "GiB", 1ull << 30 },
	{ "T", 1ull << 40 }, { "t", 1ull << 40 }, { "TiB", 1ull << 40 },
	{ NULL, 0 },
};

/* Digits, then at most one suffix; false: neither more nor less than that. */
static bool
parse_number(const char *text, const struct suffix *suffixes, uint64_t *out)
{
	uint64_t n = 0;
	const char *p = text;

	for (; *p >= '0' && *p <= '9'; p++) {
		if (__builtin_mul_overflow(n, 10, &n) ||
		    __builtin_add_overflow(n, (uint64_t)(*p - '0'), &n))
			return false;
	}
	if (p == text)
		return false;
	if (*p == '\0') {
		*out = n;
		return true;
	}
	for (; suffixes->text != NULL; suffixes++) {
		if (strcmp(p, suffixes->text) == 0)
			return !__builtin_mul_overflow(n, suffixes->factor,
						       out);
	}
	return false;
}

static int
set_number(const struct option_spec *spec, const char *text, uint64_t *field)
{
	const struct suffix *suffixes = spec->kind == KIND_SIZE ? size_suffixes
					: spec->kind == KIND_NUMBER
						? no_suffixes
						: token_suffixes;
	uint64_t n;

	if (spec->kind == KIND_BUDGET && strcmp(text, "all") == 0) {
		*field = BUDGET_ALL;
		return 0;
	}
	if (!parse_number(text, suffixes, &n) || n < spec->min || n > spec->max)
		return -EINVAL;
	*field = n;
	return 0;
}

/* "0.8" in millionths; digits beyond the sixth must be zero. */
static bool
parse_ratio(const char *text, uint64_t *out)
{
	uint64_t unit = 1000000;
	uint64_t n = 0;
	const char *p = text;
	const char *digits;

	for (; *p >= '0' && *p <= '9'; p++) {
		if (n > 1000000)
			return false;
		n = n * 10 + (uint64_t)(*p - '0');
	}
	digits = p - text > 0 ? NULL : p + 1; /* ".8" has one behind the dot */
	n *= unit;
	if (*p == '.')
		for (p++; *p >= '0' && *p <= '9'; p++) {
			unit /= 10;
			if (unit == 0 && *p != '0')
				return false;
			n += unit * (uint64_t)(*p - '0');
		}
	if (*p != '\0' || (digits != NULL && p <= digits))
		return false;
	*out = n;
	return true;
}

static int
set_ratio(const struct option_spec *spec, const char *text, uint64_t *field)
{
	uint64_t n;

	if (!parse_ratio(text, &n) || n < spec->min || n > spec->max)
		return -EINVAL;
	*field = n;
	return 0;
}

static int
set_choice(const struct option_spec *spec, const char *text, unsigned *field)
{
	size_t bytes = strlen(text);
	const char *choice = spec->argument;

	for (unsigned i = 0; choice != NULL; i++) {
		const char *end = strchrnul(choice, '|');

		if ((size_t)(end - choice) == bytes &&
		    memcmp(choice, text, bytes) == 0) {
			*field = i;
			return 0;
		}
		choice = *end == '|' ? end + 1 : NULL;
	}
	return -EINVAL;
}

/* Yes or no in any of their forms, or nothing for yes; false: another word. */
static bool
read_flag(const char *text, bool *is_set)
{
	static const char *const words[][2] = { { "no", "yes" },
						{ "0", "1" },
						{ "false", "true" },
						{ "off", "on" } };

	*is_set = true;
	if (text == NULL)
		return true;
	for (size_t i = 0; i < ARRAY_LEN(words); i++) {
		for (int word = 0; word < 2; word++) {
			*is_set = word != 0;
			if (strcasecmp(text, words[i][word]) == 0)
				return true;
		}
	}
	return false;
}

static int
set_flag(const struct option_spec *spec, const char *text, bool *field)
{
	bool is_set;

	if (!read_flag(text, &is_set))
		return -EINVAL;
	*field = (spec->kind == KIND_FLAG) == is_set;
	return 0;
}

static int
set_revision(const char *text, const char **field)
{
	bool is_set;

	if (read_flag(text, &is_set)) {
		*field = is_set ? REV_LAST : NULL;
		return 0;
	}
	if (*text == '\0')
		return -EINVAL;
	*field = text;
	return 0;
}

/* The greatest suffix that divides n keeps the sentence short. */
static void
print_size(char *out, size_t size, uint64_t n)
{
	static const char units[] = { 'T', 'G', 'M', 'K' };

	for (unsigned i = 0; i < ARRAY_LEN(units); i++) {
		uint64_t unit = 1ull << (40 - 10 * i);

		if (n >= unit && n % unit == 0) {
			snprintf(out, size, "%llu%c",
				 (unsigned long long)(n / unit), units[i]);
			return;
		}
	}
	snprintf(out, size, "%llu", (unsigned long long)n);
}

static void
say_allowed(const struct option_spec *spec, char *out, size_t size)
{
	unsigned long long min = spec->min;
	unsigned long long max = spec->max;
	char least[24];
	char most[24];

	switch (spec->kind) {
	case KIND_NUMBER:
		snprintf(out, size, "a whole number from %llu to %llu", min,
			 max);
		break;
	case KIND_TOKENS:
	case KIND_BUDGET:
		snprintf(out, size,
			 "%sa number of tokens from %llu to %llu, such as "
			 "100000, 128k or 1M",
			 spec->kind == KIND_BUDGET ? "all, or " : "", min, max);
		break;
	case KIND_SIZE:
		print_size(least, sizeof(least), spec->min);
		print_size(most, sizeof(most), spec->max);
		snprintf(out, size,
			 "a size from %s to %s, in bytes or with K, M, G or T",
			 least, most);
		break;
	case KIND_RATIO:
		snprintf(out, size, "a number from %g to %g, such as %s",
			 (double)min / 1e6, (double)max / 1e6,
			 max > 1000000 ? "40" : "0.8");
		break;
	case KIND_CHOICE:
		snprintf(out, size, "one of %s", spec->argument);
		break;
	case KIND_FLAG:
	case KIND_NEGATE:
		snprintf(out, size, "yes or no, or no value at all");
		break;
	case KIND_REVISION:
		snprintf(out, size,
			 "yes or no, a revision, or no value at all");
		break;
	default:
		snprintf(out, size, "a text that is not empty");
		break;
	}
}

int
text_list_add(struct text_list *list, const char *text)
{
	if (list->nr == list->room) {
		size_t room = list->room * 2 + 8;
		const char **items =
			reallocarray(list->items, room, sizeof(*items));

		if (items == NULL)
			return -ENOMEM;
		list->items = items;
		list->room = room;
	}
	list->items[list->nr++] = text;
	return 0;
}

int
option_set_field(const struct option_spec *spec, const char *text, void *field,
		 char *allowed, size_t allowed_size)
{
	int error = -EINVAL;

	switch (spec->kind) {
	case KIND_FLAG:
	case KIND_NEGATE:
		error = set_flag(spec, text, field);
		break;
	case KIND_NUMBER:
	case KIND_TOKENS:
	case KIND_BUDGET:
	case KIND_SIZE:
		error = set_number(spec, text, field);
		break;
	case KIND_RATIO:
		error = set_ratio(spec, text, field);
		break;
	case KIND_CHOICE:
		error = set_choice(spec, text, field);
		break;
	case KIND_TEXT:
		if (*text != '\0') {
			*(const char **)field = text;
			error = 0;
		}
		break;
	case KIND_LIST:
		if (*text != '\0')
			error = text_list_add(field, text);
		break;
	case KIND_REVISION:
		error = set_revision(text, field);
		break;
	case KIND_HELP:
	case KIND_VERSION:
		break;
	}
	if (error == -EINVAL)
		say_allowed(spec, allowed, allowed_size);
	return error;
}

int
option_set(struct options *options, const struct option_spec *spec,
	   const char *text, char *allowed, size_t allowed_size)
{
	return option_set_field(spec, text, (char *)options + spec->offset,
				allowed, allowed_size);
}

int
option_check(const struct option_spec *spec, const char *text, char *allowed,
	     size_t allowed_size)
{
	union {
		bool flag;
		uint64_t number;
		unsigned choice;
		const char *text;
		struct text_list list;
	} field = { .list = { .nr = 0 } };
	bool is_set;
	int error;

	if (spec->kind == KIND_REVISION && !read_flag(text, &is_set)) {
		snprintf(allowed, allowed_size, "yes or no");
		return -EINVAL;
	}
	error = option_set_field(spec, text, &field, allowed, allowed_size);
	if (spec->kind == KIND_LIST)
		free(field.list.items);
	return error;
}

static void
print_list(const struct text_list *list, char *out, size_t size)
{
	size_t n = 0;

	*out = '\0';
	for (size_t i = 0; i < list->nr && n < size; i++)
		n += (size_t)snprintf(out + n, size - n, "%s%s",
				      i > 0 ? ", " : "", list->items[i]);
}

static void
print_choice(const char *choices, unsigned number, char *out, size_t size)
{
	for (; number > 0; number--)
		choices = strchrnul(choices, '|') + 1;
	snprintf(out, size, "%.*s", (int)strcspn(choices, "|"), choices);
}

static void
print_revision(const char *revision, char *out, size_t size)
{
	snprintf(out, size, "%s",
		 revision == NULL                  ? "no"
		 : strcmp(revision, REV_LAST) == 0 ? "yes"
						   : revision);
}

void
option_print(const struct options *options, const struct option_spec *spec,
	     char *out, size_t size)
{
	const void *field = (const char *)options + spec->offset;

	*out = '\0';
	switch (spec->kind) {
	case KIND_FLAG:
	case KIND_NEGATE:
		snprintf(out, size, "%s",
			 *(const bool *)field == (spec->kind == KIND_FLAG)
				 ? "yes"
				 : "no");
		break;
	case KIND_NUMBER:
	case KIND_TOKENS:
	case KIND_BUDGET:
		if (spec->kind == KIND_BUDGET &&
		    *(const uint64_t *)field == BUDGET_ALL)
			snprintf(out, size, "all");
		else
			snprintf(out, size, "%llu",
				 (unsigned long long)*(const uint64_t *)field);
		break;
	case KIND_SIZE:
		print_size(out, size, *(const uint64_t *)field);
		break;
	case KIND_RATIO:
		snprintf(out, size, "%.12g",
			 (double)*(const uint64_t *)field / 1e6);
		break;
	case KIND_CHOICE:
		print_choice(spec->argument, *(const unsigned *)field, out,
			     size);
		break;
	case KIND_TEXT:
		if (*(const char *const *)field != NULL)
			snprintf(out, size, "%s", *(const char *const *)field);
		break;
	case KIND_REVISION:
		print_revision(*(const char *const *)field, out, size);
		break;
	case KIND_LIST:
		print_list(field, out, size);
		break;
	default:
		break;
	}
}
