/* SPDX-License-Identifier: MIT */
/*
 * rounds.c - the block that goes from one round to the next, and the book of
 *            what they cost.
 *
 *   Modules: a, b
 *   - a finding
 *   Relationships: a -> b (calls); b -> c (reads)
 *   Open questions: one?; another?
 *
 *   {"version": 1, "rounds": [{"round": 1, "input_tokens": ..., ...}, ...]}
 */
#include "window/rounds.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_values.h"
#include "tokenizer/models.h"
#include "tokenizer/tokenizer.h"
#include "window/json_text.h"
#include "window/store.h"
#include "window/window_impl.h"

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
usage_json(const char *first_key, const struct rounds_usage *usage)
{
	struct rounds_usage copy = *usage;
	json_t *json = json_object();

	for (size_t i = 0; json != NULL && i < NUMBER_NR; i++) {
		const char *key = i == 0 ? first_key : number_keys[i];
		json_int_t number = (json_int_t)*number_of(&copy, i);

		if (json_object_set_new(json, key, json_integer(number)) != 0) {
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
			   "BALE-RND-003 this is not a file of rounds; see "
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
	json_t *json = usage_json(number_keys[0], usage);
	char *text = NULL;
	int result = json == NULL ? -ENOMEM : 0;

	if (result == 0 && is_there)
		result = json_array_set_new(rounds, place, json);
	else if (result == 0)
		result = json_array_insert_new(rounds, place, json);
	if (result == 0)
		text = json_text(book, JSON_INDENT(1));
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

/* Adds shares to each round; the sums of all. */
static struct rounds_usage
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
	return sum;
}

static char *
book_json(json_t *book)
{
	const struct rounds_usage sum = sum_up(json_object_get(book, "rounds"));

	json_object_set_new(book, "total", usage_json("rounds", &sum));
	json_object_set_new(book, "warn_at",
			    json_real(ROUNDS_WARN_PERCENT / 100.0));
	return json_dumps(book, JSON_INDENT(1) | JSON_REAL_PRECISION(6));
}

/* "    2     1200      340      300      900     2000   60.0%" */
static void
print_usage(FILE *out, const char *name, const struct rounds_usage *usage)
{
	struct rounds_usage copy = *usage;

	fprintf(out, "%5s", name);
	for (size_t i = 1; i < NUMBER_NR; i++)
		fprintf(out, " %9ju", (uintmax_t)*number_of(&copy, i));
	fprintf(out, " %6.1f%%%s\n",
		100.0 * (double)usage->input_tokens /
			(double)max_u64(usage->budget_tokens, 1),
		rounds_is_near_limit(usage) ? "  near the budget" : "");
}

static char *
book_table(json_t *book)
{
	json_t *rounds = json_object_get(book, "rounds");
	const struct rounds_usage sum = sum_up(rounds);
	struct rounds_usage usage = { 0 };
	char name[24];
	char *text;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	if (out == NULL)
		return NULL;
	fprintf(out, "%5s %9s %9s %9s %9s %9s %7s\n", "round", "input",
		"output", "context", "files", "budget", "used");
	for (size_t i = 0; i < json_array_size(rounds); i++) {
		read_usage(json_array_get(rounds, i), &usage);
		snprintf(name, sizeof(name), "%ju", (uintmax_t)usage.round);
		print_usage(out, name, &usage);
	}
	print_usage(out, "total", &sum);
	return text_end(out, &text);
}

int
rounds_report(const char *path, enum rounds_form form, char **text,
	      struct window_error *error)
{
	struct store store;
	json_t *book;
	int result =
		store_open(&store, path, NULL, STORE_WAIT_DEFAULT_MS, error);

	if (result != 0)
		return result;
	result = read_book(&store, &book, error);
	store_close(&store);
	if (result != 0)
		return result;
	*text = form == ROUNDS_JSON ? book_json(book) : book_table(book);
	json_decref(book);
	return *text != NULL ? 0 : window_fail(error, -ENOMEM, "out of memory");
}

#define VALUES_MAX 1000000

/* A part of a round, and how its items are written. */
struct part_form {
	const char *key;
	const char *other_key; /* and as it is called in what is said of it */
	const char *first;     /* in front of the first item */
	const char *separator; /* in front of the others */
	uint64_t percent;      /* of the limit, up to which it may fill */
};

/* By enum rounds_part. */
static const struct part_form forms[ROUNDS_PART_NR] = {
	{ "modules", "modules", "Modules: ", ", ", 100 },
	{ "findings", "findings", "- ", "\n- ", ROUNDS_FINDINGS_PERCENT },
	{ "relationships", "relationships", "Relationships: ", "; ", 100 },
	{ "openQuestions", "open_questions", "Open questions: ", "; ", 100 },
};

/* A text and its count, which goes on from where it is. */
struct writer {
	const struct tokenizer *tok;
	struct token_stream stream;
	FILE *out;
	size_t bytes; /* that are in it */
	uint64_t max_tokens;
};

/* Takes the piece if the whole text then has at most `limit` tokens. */
static bool
try_add(struct writer *writer, const char *piece, size_t nr, uint64_t limit)
{
	struct token_stream next = writer->stream;

	token_stream_feed(writer->tok, NULL, &next, (const uint8_t *)piece, nr);
	if (token_stream_count(writer->tok, &next) > limit)
		return false;
	writer->stream = next;
	fwrite(piece, 1, nr, writer->out);
	writer->bytes += nr;
	return true;
}

/* A string on one line: runs of blanks and ends of lines are one blank. */
static void
add_line(FILE *out, const json_t *string)
{
	const char *bytes = json_string_value(string);
	size_t nr = json_string_length(string);
	bool has_word = false;
	bool is_blank = false;

	for (size_t i = 0; i < nr; i++) {
		if ((unsigned char)bytes[i] <= ' ') {
			is_blank = has_word; /* none in front */
			continue;
		}
		if (is_blank)
			fputc(' ', out);
		fputc(bytes[i], out);
		has_word = true;
		is_blank = false;
	}
}

static bool
add_relationship(FILE *out, const json_t *item)
{
	const json_t *from = json_object_get(item, "from");
	const json_t *to = json_object_get(item, "to");
	const json_t *type = json_object_get(item, "type");

	if (!json_is_string(from) || !json_is_string(to))
		return false;
	add_line(out, from);
	fputs(" -> ", out);
	add_line(out, to);
	if (!json_is_string(type))
		return type == NULL;
	fputs(" (", out);
	add_line(out, type);
	fputs(")", out);
	return true;
}

/* One item as text; false: it is not what belongs there. */
static bool
add_item(FILE *out, enum rounds_part part, const json_t *item)
{
	if (part == ROUNDS_MODULES && json_is_object(item))
		item = json_object_get(item, "name");
	else if (part == ROUNDS_RELATIONSHIPS && json_is_object(item))
		return add_relationship(out, item);
	if (!json_is_string(item))
		return false;
	add_line(out, item);
	return true;
}

static int
fail_item(struct window_error *error, const char *key, size_t i)
{
	return window_fail(error, -EBADMSG,
			   "BALE-RND-002 %s[%zu] is not what it has to be: "
			   "modules are texts or objects with a name, findings "
			   "and openQuestions texts, relationships texts or "
			   "objects with from, to, type",
			   key, i);
}

static int
write_part(struct writer *writer, enum rounds_part part, const json_t *root,
	   struct rounds_block *out, struct window_error *error)
{
	const struct part_form *form = &forms[part];
	json_t *items = json_object_get(root, form->key);
	uint64_t limit = writer->max_tokens * form->percent / 100;
	bool is_full = false;
	json_t *item;
	size_t i;

	if (items == NULL)
		items = json_object_get(root, form->other_key);
	if (items == NULL || json_is_null(items))
		return 0;
	if (!json_is_array(items))
		return window_fail(error, -EBADMSG,
				   "BALE-RND-002 %s is not an array",
				   form->key);
	json_array_foreach(items, i, item)
	{
		char *piece;
		size_t nr;
		FILE *to = open_memstream(&piece, &nr);
		bool is_good;

		if (to == NULL)
			return window_fail(error, -ENOMEM, "out of memory");
		if (out->kept[part] > 0)
			fputs(form->separator, to);
		else if (writer->bytes > 0)
			fputs("\n", to);
		if (out->kept[part] == 0)
			fputs(form->first, to);
		is_good = add_item(to, part, item);
		if (text_end(to, &piece) == NULL)
			return window_fail(error, -ENOMEM, "out of memory");
		/* the first that does not fit is the last that is tried */
		is_full = is_full ||
			  (is_good && !try_add(writer, piece, nr, limit));
		free(piece);
		if (!is_good)
			return fail_item(error, form->key, i);
		out->kept[part] += !is_full;
		out->left_out[part] += is_full;
	}
	return 0;
}

static int
parse(const char *json, size_t bytes, json_t **out, struct window_error *error)
{
	json_error_t where;

	*out = NULL;
	if (!json_values_within(json, bytes, VALUES_MAX))
		return window_fail(error, -EBADMSG,
				   "BALE-RND-001 more than %d values of JSON; "
				   "that is no round",
				   VALUES_MAX);
	*out = json_loadb(json, bytes, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL,
			  &where);
	if (json_is_object(*out))
		return 0;
	if (*out == NULL)
		return window_fail(error, -EBADMSG,
				   "BALE-RND-001 this is not JSON: line %d, "
				   "column %d: %.120s",
				   where.line, where.column, where.text);
	json_decref(*out);
	return window_fail(error, -EBADMSG,
			   "BALE-RND-001 the output of a round is an object "
			   "with modules, findings, relationships, "
			   "openQuestions");
}

int
rounds_compress(const char *json, size_t bytes,
		const struct rounds_limit *limit, struct rounds_block *out,
		struct window_error *error)
{
	struct writer writer = { .max_tokens = limit->max_tokens };
	const char *encoding =
		limit->encoding != NULL ? limit->encoding : "o200k_base";
	json_t *root;
	int result;

	*out = (struct rounds_block){ 0 };
	if (tokenizer_open(&writer.tok, encoding) != 0)
		return window_fail(
			error, -ENOENT,
			"BALE-RND-004 unknown encoding \"%s\": expected "
			"one of " TOKENIZER_ENCODINGS "%s",
			encoding, TOKENIZER_ENCODING_HINT(encoding));
	result = parse(json, bytes, &root, error);
	if (result != 0)
		return result;
	token_stream_init(&writer.stream);
	writer.out = open_memstream(&out->text, &out->text_bytes);
	if (writer.out == NULL)
		result = window_fail(error, -ENOMEM, "out of memory");
	for (int part = 0; result == 0 && part < ROUNDS_PART_NR; part++)
		result = write_part(&writer, (enum rounds_part)part, root, out,
				    error);
	if (json_is_integer(json_object_get(root, "round")))
		out->round = (uint64_t)json_integer_value(
			json_object_get(root, "round"));
	json_decref(root);
	out->tokens = token_stream_count(writer.tok, &writer.stream);
	out->estimated = tokenizer_is_estimate(writer.tok);
	if (writer.out != NULL && text_end(writer.out, &out->text) == NULL &&
	    result == 0)
		result = window_fail(error, -ENOMEM, "out of memory");
	if (result != 0)
		rounds_block_free(out);
	return result;
}

void
rounds_block_free(struct rounds_block *block)
{
	free(block->text);
	*block = (struct rounds_block){ 0 };
}

static json_t *
parts_json(const size_t nr[ROUNDS_PART_NR])
{
	json_t *json = json_object();

	for (int i = 0; i < ROUNDS_PART_NR; i++)
		json_object_set_new(json, forms[i].other_key,
				    json_integer((json_int_t)nr[i]));
	return json;
}

char *
rounds_block_json(const struct rounds_block *block, uint64_t max_tokens)
{
	json_t *json = json_pack("{s:I, s:o, s:I, s:I, s:o, s:o}", "round",
				 (json_int_t)block->round, "text",
				 json_stringn(block->text, block->text_bytes),
				 "tokens", (json_int_t)block->tokens,
				 "max_tokens", (json_int_t)max_tokens, "kept",
				 parts_json(block->kept), "left_out",
				 parts_json(block->left_out));
	char *text = json_dumps(json, JSON_COMPACT);

	json_decref(json);
	return text;
}
