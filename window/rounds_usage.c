/* SPDX-License-Identifier: MIT */
/*
 * rounds_usage.c - the book of what the rounds cost.
 *
 *   {"version": 1, "rounds": [{"round": 1, "input_tokens": ..., ...}, ...]}
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "window/window_impl.h"
#include "window/rounds.h"
#include "window/store.h"

#define NUMBER_NR 6

static const char empty_book[] = "{\"version\": 1, \"rounds\": []}";

static const char *const number_keys[NUMBER_NR] = {
	"round",          "input_tokens", "output_tokens",
	"context_tokens", "file_tokens",  "budget_tokens",
};

static uint64_t *
number_of(struct rounds_usage *usage, size_t i)
{
	uint64_t *const fields[NUMBER_NR] = {
		&usage->round,         &usage->input_tokens,
		&usage->output_tokens, &usage->context_tokens,
		&usage->file_tokens,   &usage->budget_tokens,
	};

	return fields[i];
}

bool
rounds_is_near_limit(const struct rounds_usage *usage)
{
	return usage->budget_tokens > 0 &&
	       (double)usage->input_tokens * 100 >=
		       (double)usage->budget_tokens * ROUNDS_WARN_PERCENT;
}

static bool
read_usage(const json_t *json, struct rounds_usage *usage)
{
	for (size_t i = 0; i < NUMBER_NR; i++) {
		const json_t *value = json_object_get(json, number_keys[i]);

		if (!json_is_integer(value) || json_integer_value(value) < 0 ||
		    (uint64_t)json_integer_value(value) > WINDOW_TOKENS_MAX)
			return false;
		*number_of(usage, i) = (uint64_t)json_integer_value(value);
	}
	return true;
}

static json_t *
usage_json(const struct rounds_usage *usage)
{
	struct rounds_usage copy = *usage;
	json_t *json = json_object();

	for (size_t i = 0; json != NULL && i < NUMBER_NR; i++) {
		if (json_object_set_new(json, number_keys[i],
					json_integer((json_int_t)*number_of(
						&copy, i))) != 0) {
			json_decref(json);
			json = NULL;
		}
	}
	return json;
}

static int
fail_book(struct window_error *error)
{
	return window_fail(error, -EBADMSG,
			   "BALE-RND-003 this is not a book of rounds; see "
			   "docs/window.md for the form, or begin a new file");
}

/* The book, checked: json_decref(). */
static int
read_book(struct store *store, json_t **out, struct window_error *error)
{
	struct rounds_usage usage;
	const json_t *rounds;
	char *text;
	size_t bytes;
	int result = store_read(store, &text, &bytes, error);

	if (result != 0)
		return result;
	*out = json_loadb(text, bytes, JSON_REJECT_DUPLICATES, NULL);
	free(text);
	rounds = json_object_get(*out, "rounds");
	if (!json_is_array(rounds) ||
	    json_integer_value(json_object_get(*out, "version")) != 1) {
		json_decref(*out);
		return fail_book(error);
	}
	for (size_t i = 0; i < json_array_size(rounds); i++) {
		if (!read_usage(json_array_get(rounds, i), &usage)) {
			json_decref(*out);
			return fail_book(error);
		}
	}
	return 0;
}

/* Where a round is in the book, or where it has to go: by its number. */
static size_t
place_of(const json_t *rounds, uint64_t round, bool *is_there)
{
	size_t i = 0;
	struct rounds_usage usage = { 0 };

	*is_there = false;
	for (; i < json_array_size(rounds); i++) {
		read_usage(json_array_get(rounds, i), &usage);
		if (usage.round >= round) {
			*is_there = usage.round == round;
			break;
		}
	}
	return i;
}

static int
put_round(struct store *store, json_t *book, const struct rounds_usage *usage,
	  struct window_error *error)
{
	json_t *rounds = json_object_get(book, "rounds");
	bool is_there;
	size_t place = place_of(rounds, usage->round, &is_there);
	json_t *json = usage_json(usage);
	char *text = NULL;
	int result = json == NULL ? -ENOMEM : 0;

	if (result == 0 && is_there)
		result = json_array_set_new(rounds, place, json);
	else if (result == 0)
		result = json_array_insert_new(rounds, place, json);
	if (result == 0)
		text = json_dumps(book, JSON_INDENT(1));
	if (text == NULL)
		return window_fail(error, -ENOMEM, "out of memory");
	result = store_replace(store, text, strlen(text), error);
	free(text);
	return result;
}

int
rounds_record(const char *path, const struct rounds_usage *usage,
	      struct window_error *error)
{
	struct store store;
	json_t *book;
	int result;

	if (usage->round == 0 || usage->budget_tokens == 0)
		return window_fail(error, -EINVAL,
				   "BALE-RND-004 a round has a number from 1 "
				   "on and a budget of at least 1 token");
	result = store_open(&store, path, empty_book, STORE_WAIT_DEFAULT_MS,
			    error);
	if (result != 0)
		return result;
	result = read_book(&store, &book, error);
	if (result == 0) {
		result = put_round(&store, book, usage, error);
		json_decref(book);
	}
	store_close(&store);
	return result;
}

/* Adds shares to each round; the sums of all: json_decref(). */
static json_t *
sum_up(json_t *rounds)
{
	struct rounds_usage sum = { 0 };
	struct rounds_usage usage = { 0 };
	json_t *each;
	size_t i;

	json_array_foreach(rounds, i, each)
	{
		read_usage(each, &usage);
		for (size_t n = 1; n < NUMBER_NR; n++)
			*number_of(&sum, n) = add_sat_u64(
				*number_of(&sum, n), *number_of(&usage, n));
		json_object_set_new(
			each, "utilization",
			json_real((double)usage.input_tokens /
				  (double)max_u64(usage.budget_tokens, 1)));
		json_object_set_new(each, "near_limit",
				    json_boolean(rounds_is_near_limit(&usage)));
	}
	sum.round = json_array_size(rounds);
	return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I}", "rounds",
			 (json_int_t)sum.round, "input_tokens",
			 (json_int_t)sum.input_tokens, "output_tokens",
			 (json_int_t)sum.output_tokens, "context_tokens",
			 (json_int_t)sum.context_tokens, "file_tokens",
			 (json_int_t)sum.file_tokens, "budget_tokens",
			 (json_int_t)sum.budget_tokens);
}

int
rounds_report(const char *path, char **json, struct window_error *error)
{
	struct store store;
	json_t *book;
	json_t *total;
	int result =
		store_open(&store, path, NULL, STORE_WAIT_DEFAULT_MS, error);

	if (result != 0)
		return result;
	result = read_book(&store, &book, error);
	store_close(&store);
	if (result != 0)
		return result;
	total = sum_up(json_object_get(book, "rounds"));
	json_object_set_new(book, "total", total);
	json_object_set_new(book, "warn_at",
			    json_real(ROUNDS_WARN_PERCENT / 100.0));
	*json = json_dumps(book, JSON_INDENT(1) | JSON_REAL_PRECISION(6));
	json_decref(book);
	return *json != NULL ? 0 : window_fail(error, -ENOMEM, "out of memory");
}
