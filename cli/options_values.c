/* SPDX-License-Identifier: MIT */
/*
 * options_values.c - from text to a value, by its kind.
 *
 * Does: numbers with suffixes and ranges, choices, flags, lists.
 * Does not: know where the text came from; its caller names that.
 */
#include "base/array.h"
#include "cli/command_line.h"
#include "base/nearest.h"
#include "stages/job.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* What a suffix multiplies by; 0: it is none of the kind. */
static uint64_t
factor_of(enum option_kind kind, const char *suffix)
{
	static const char units[] = "KMGT";
	const char *unit = strchr(units, toupper((unsigned char)*suffix));
	bool is_tokens = kind == KIND_TOKENS || kind == KIND_BUDGET;

	if (*suffix == '\0')
		return 1;
	if (kind == KIND_SIZE && unit != NULL &&
	    (suffix[1] == '\0' || strcmp(suffix + 1, "iB") == 0))
		return 1ull << 10 * (unit - units + 1);
	if (is_tokens && (strcmp(suffix, "k") == 0 || strcmp(suffix, "K") == 0))
		return 1000;
	return is_tokens && strcmp(suffix, "M") == 0 ? 1000000 : 0;
}

static int
set_number(const struct option_spec *spec, const char *text, uint64_t *field)
{
	uint64_t factor;
	uint64_t n;
	char *end;

	if (spec->kind == KIND_BUDGET && strcmp(text, "all") == 0) {
		*field = BUDGET_ALL;
		return 0;
	}
	errno = 0;
	n = strtoull(text, &end, 10);
	factor = factor_of(spec->kind, end);
	if (*text < '0' || *text > '9' || errno != 0 || factor == 0 ||
	    __builtin_mul_overflow(n, factor, &n) || n < spec->min ||
	    n > spec->max)
		return -EINVAL;
	*field = n;
	return 0;
}

/* "0.8" in millionths; digits beyond the sixth must be zero. */
static int
set_ratio(const struct option_spec *spec, const char *text, uint64_t *field)
{
	char *end;
	double value = strtod(text, &end) * RATIO_ONE;
	double rest;
	uint64_t n;

	if (text[strspn(text, "0123456789.")] != '\0' || end == text ||
	    *end != '\0' || value > (double)spec->max + 0.5)
		return -EINVAL;
	n = (uint64_t)(value + 0.5);
	rest = value - (double)n;
	if (rest > 1e-4 || rest < -1e-4 || n < spec->min || n > spec->max)
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

		if (bytes_are(choice, bytes, text)) {
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
			snprintf(out, size, "%ju%c", (n / unit), units[i]);
			return;
		}
	}
	snprintf(out, size, "%ju", n);
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
	uint64_t min = spec->min;
	uint64_t max = spec->max;
	char least[24];
	char most[24];

	switch (spec->kind) {
	case KIND_NUMBER:
		snprintf(out, size, "expected a whole number from %ju to %ju",
			 min, max);
		break;
	case KIND_TOKENS:
	case KIND_BUDGET:
		snprintf(out, size,
			 "expected %sa number of tokens from %ju to %ju, "
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

static int
set_field(const struct option_spec *spec, const char *text, void *field,
	  char wanted[static OPTION_WANTED_BYTES])
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
			     OPTION_WANTED_BYTES);
	return error;
}

int
option_set(struct command_line *line, const struct option_spec *spec,
	   const char *text, char wanted[static OPTION_WANTED_BYTES])
{
	return set_field(spec, text, (char *)line + spec->offset, wanted);
}

int
option_check(const struct option_spec *spec, const char *text,
	     char wanted[static OPTION_WANTED_BYTES])
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
		print_flag_words("", text, wanted, OPTION_WANTED_BYTES);
		return -EINVAL;
	}
	error = set_field(spec, text, &field, wanted);
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
			snprintf(out, size, "%ju", *(const uint64_t *)field);
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
