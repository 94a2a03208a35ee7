/* SPDX-License-Identifier: MIT */
/*
 * options_values.c - from text to a value, by its kind.
 *
 * Does: numbers with suffixes and ranges, choices, flags, lists.
 * Does not: know where the text came from; its caller names that.
 */
#include "shm/array.h"
#include "supervisor/command_line.h"
#include "supervisor/words.h"

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

/* Of "a|b|c", the bytes of the first word, and where the next one begins. */
static const char *
next_choice(const char *choices, size_t *bytes)
{
	*bytes = strcspn(choices, "|");
	return choices[*bytes] == '|' ? choices + *bytes + 1 : NULL;
}

static int
set_choice(const struct option_spec *spec, const char *text, unsigned *field)
{
	const char *choice = spec->argument;
	size_t bytes;

	for (unsigned i = 0; choice != NULL; i++) {
		const char *next = next_choice(choice, &bytes);

		if (strlen(text) == bytes && memcmp(choice, text, bytes) == 0) {
			*field = i;
			return 0;
		}
		choice = next;
	}
	return -EINVAL;
}

static const char *const flag_words[][2] = {
	{ "no", "yes" }, { "0", "1" }, { "false", "true" }, { "off", "on" }
};

/* Yes or no in any of their forms, or nothing for yes; false: another word. */
static bool
read_flag(const char *text, bool *is_set)
{
	*is_set = true;
	if (text == NULL)
		return true;
	for (size_t i = 0; i < ARRAY_LEN(flag_words); i++) {
		for (int word = 0; word < 2; word++) {
			*is_set = word != 0;
			if (strcasecmp(text, flag_words[i][word]) == 0)
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

/* The words of a choice, and the one that was probably meant. */
static void
print_choices(const char *choices, const char *text, char *out, size_t size)
{
	struct nearest nearest = { .word = text };
	size_t n = (size_t)snprintf(out, size, "expected one of ");
	size_t bytes;

	while (choices != NULL && n < size) {
		const char *next = next_choice(choices, &bytes);

		nearest_try(&nearest, choices, bytes);
		n += (size_t)snprintf(out + n, size - n, "%.*s%s", (int)bytes,
				      choices, next != NULL ? ", " : "");
		choices = next;
	}
	if (n < size)
		snprintf(out + n, size - n, "%s", HINT(&nearest, ""));
}

static void
print_flag_words(const char *more, const char *text, char *out, size_t size)
{
	struct nearest nearest = { .word = text };

	for (size_t i = 0; i < ARRAY_LEN(flag_words); i++)
		for (int word = 0; word < 2; word++)
			nearest_try(&nearest, flag_words[i][word], 0);
	snprintf(out, size, "expected yes or no%s, or no value%s", more,
		 HINT(&nearest, ""));
}

/* What would have been right instead of `text`. */
static void
print_wanted(const struct option_spec *spec, const char *text, char *out,
	     size_t size)
{
	unsigned long long min = spec->min;
	unsigned long long max = spec->max;
	char least[24];
	char most[24];

	switch (spec->kind) {
	case KIND_NUMBER:
		snprintf(out, size, "expected a whole number from %llu to %llu",
			 min, max);
		break;
	case KIND_TOKENS:
	case KIND_BUDGET:
		snprintf(out, size,
			 "expected %sa number of tokens from %llu to %llu, "
			 "such as 100000, 128k or 1M",
			 spec->kind == KIND_BUDGET ? "'all' or " : "", min,
			 max);
		break;
	case KIND_SIZE:
		print_size(least, sizeof(least), spec->min);
		print_size(most, sizeof(most), spec->max);
		snprintf(out, size,
			 "expected a size from %s to %s, in bytes or with K, "
			 "M, G or T",
			 least, most);
		break;
	case KIND_RATIO:
		snprintf(out, size,
			 "expected a number from %g to %g, such as %s",
			 (double)min / 1e6, (double)max / 1e6,
			 max > 1000000 ? "40" : "0.8");
		break;
	case KIND_CHOICE:
		print_choices(spec->argument, text, out, size);
		break;
	case KIND_FLAG:
	case KIND_NEGATE:
		print_flag_words("", text, out, size);
		break;
	case KIND_REVISION:
		print_flag_words(", a revision", text, out, size);
		break;
	default:
		snprintf(out, size, "must not be empty");
		break;
	}
}

bool
option_read_number(const char *text, size_t bytes, uint64_t min, uint64_t max,
		   uint64_t *out)
{
	uint64_t n = 0;

	for (size_t i = 0; i < bytes; i++) {
		if (text[i] < '0' || text[i] > '9' || n > max)
			return false;
		n = n * 10 + (uint64_t)(text[i] - '0');
	}
	*out = n;
	return bytes > 0 && n >= min && n <= max;
}

int
text_list_add(struct text_list *list, const char *text)
{
	if (ARRAY_RESERVE(list->items, list->room, list->nr + 1) != 0)
		return -ENOMEM;
	list->items[list->nr++] = text;
	return 0;
}

static int
set_field(const struct option_spec *spec, const char *text, void *field,
	  char *wanted, size_t wanted_size)
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
	case KIND_STRING:
		*(const char **)field = text;
		error = 0;
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
		print_wanted(spec, text == NULL ? "" : text, wanted,
			     wanted_size);
	return error;
}

int
option_set(struct command_line *line, const struct option_spec *spec,
	   const char *text, char *wanted, size_t wanted_size)
{
	return set_field(spec, text, (char *)line + spec->offset, wanted,
			 wanted_size);
}

int
option_check(const struct option_spec *spec, const char *text, char *wanted,
	     size_t wanted_size)
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
		print_flag_words("", text, wanted, wanted_size);
		return -EINVAL;
	}
	error = set_field(spec, text, &field, wanted, wanted_size);
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
option_print(const struct command_line *line, const struct option_spec *spec,
	     char *out, size_t size)
{
	const void *field = (const char *)line + spec->offset;

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
	case KIND_STRING:
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
