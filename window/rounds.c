/* SPDX-License-Identifier: MIT */
/*
 * rounds.c - the block that goes from one round to the next.
 *
 *   Modules: a, b
 *   - a finding
 *   Relationships: a -> b (calls); b -> c (reads)
 *   Open questions: one?; another?
 */
#include "window/rounds.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/fd_io.h"
#include "base/json_values.h"
#include "tokenizer/models.h"
#include "tokenizer/tokenizer.h"
#include "window/window_impl.h"
#include "window/text.h"

#define VALUES_MAX 1000000

/* A part of a round, and how its items are written. */
struct part_form {
	const char *keys[2];
	const char *first;     /* in front of the first item */
	const char *separator; /* in front of the others */
	uint64_t percent;      /* of the limit, up to which it may fill */
};

static const struct part_form forms[ROUNDS_PART_NR] = {
	[ROUNDS_MODULES] = { { "modules", "modules" }, "Modules: ", ", ", 100 },
	[ROUNDS_FINDINGS] = { { "findings", "findings" },
			      "- ",
			      "\n- ",
			      ROUNDS_FINDINGS_PERCENT },
	[ROUNDS_RELATIONSHIPS] = { { "relationships", "relationships" },
				   "Relationships: ",
				   "; ",
				   100 },
	[ROUNDS_QUESTIONS] = { { "openQuestions", "open_questions" },
			       "Open questions: ",
			       "; ",
			       100 },
};

/* A text and its count, which goes on from where it is. */
struct writer {
	const struct tokenizer *tok;
	struct token_stream stream;
	struct text text;
	uint64_t max_tokens;
};

/* Takes the piece if the whole text then has at most `limit` tokens. */
static bool
try_add(struct writer *writer, const struct text *piece, uint64_t limit)
{
	struct token_stream next = writer->stream;

	token_stream_feed(writer->tok, NULL, &next,
			  (const uint8_t *)piece->bytes, piece->nr);
	if (token_stream_count(writer->tok, &next) > limit)
		return false;
	writer->stream = next;
	text_add(&writer->text, piece->bytes, piece->nr);
	return true;
}

/* A string on one line: runs of blanks and ends of lines are one blank. */
static void
add_line(struct text *text, const json_t *string)
{
	const char *bytes = json_string_value(string);
	size_t nr = json_string_length(string);
	bool is_blank = true; /* none in front */

	for (size_t i = 0; i < nr; i++) {
		bool is_next_blank = (unsigned char)bytes[i] <= ' ';

		if (!is_next_blank) {
			if (is_blank && text->nr > 0 && i > 0 &&
			    text->bytes[text->nr - 1] != ' ')
				text_add_string(text, " ");
			text_add(text, &bytes[i], 1);
		}
		is_blank = is_next_blank;
	}
}

static bool
add_relationship(struct text *text, const json_t *item)
{
	const json_t *from = json_object_get(item, "from");
	const json_t *to = json_object_get(item, "to");
	const json_t *type = json_object_get(item, "type");

	if (!json_is_string(from) || !json_is_string(to))
		return false;
	add_line(text, from);
	text_add_string(text, " -> ");
	add_line(text, to);
	if (!json_is_string(type))
		return type == NULL;
	text_add_string(text, " (");
	add_line(text, type);
	text_add_string(text, ")");
	return true;
}

/* One item as text; false: it is not what belongs there. */
static bool
add_item(struct text *text, enum rounds_part part, const json_t *item)
{
	if (part == ROUNDS_MODULES && json_is_object(item))
		item = json_object_get(item, "name");
	else if (part == ROUNDS_RELATIONSHIPS && json_is_object(item))
		return add_relationship(text, item);
	if (!json_is_string(item))
		return false;
	add_line(text, item);
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
	json_t *items = json_object_get(root, form->keys[0]);
	uint64_t limit = writer->max_tokens * form->percent / 100;
	bool is_full = false;
	json_t *item;
	size_t i;

	if (items == NULL)
		items = json_object_get(root, form->keys[1]);
	if (items == NULL || json_is_null(items))
		return 0;
	if (!json_is_array(items))
		return window_fail(error, -EBADMSG,
				   "BALE-RND-002 %s is not an array",
				   form->keys[0]);
	json_array_foreach(items, i, item)
	{
		struct text piece = { 0 };
		bool is_good;

		if (out->kept[part] > 0)
			text_add_string(&piece, form->separator);
		else if (writer->text.nr > 0)
			text_add_string(&piece, "\n");
		if (out->kept[part] == 0)
			text_add_string(&piece, form->first);
		is_good = add_item(&piece, part, item) && !piece.failed;
		/* the first that does not fit is the last that is tried */
		is_full =
			is_full || (is_good && !try_add(writer, &piece, limit));
		text_fini(&piece);
		if (!is_good)
			return fail_item(error, form->keys[0], i);
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
	for (int part = 0; result == 0 && part < ROUNDS_PART_NR; part++)
		result = write_part(&writer, (enum rounds_part)part, root, out,
				    error);
	if (json_is_integer(json_object_get(root, "round")))
		out->round = (uint64_t)json_integer_value(
			json_object_get(root, "round"));
	json_decref(root);
	out->tokens = token_stream_count(writer.tok, &writer.stream);
	out->estimated = tokenizer_is_estimate(writer.tok);
	out->text_bytes = writer.text.nr;
	if (result == 0) {
		out->text = text_take(&writer.text);
		if (out->text == NULL)
			result = window_fail(error, -ENOMEM, "out of memory");
	}
	text_fini(&writer.text);
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
	return json_pack("{s:I, s:I, s:I, s:I}", "modules",
			 (json_int_t)nr[ROUNDS_MODULES], "findings",
			 (json_int_t)nr[ROUNDS_FINDINGS], "relationships",
			 (json_int_t)nr[ROUNDS_RELATIONSHIPS], "open_questions",
			 (json_int_t)nr[ROUNDS_QUESTIONS]);
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

int
rounds_read_fd(int fd, char **text, size_t *bytes, struct window_error *error)
{
	int result = fd_read_all(fd, ROUNDS_BYTES_MAX, text, bytes);

	return result == 0 ? 0
			   : window_fail(error, result,
					 "BALE-RND-003 the round cannot be "
					 "read: %s",
					 strerrordesc_np(-result));
}
