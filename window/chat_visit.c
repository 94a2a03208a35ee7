/* SPDX-License-Identifier: MIT */
/*
 * chat_visit.c - what taking messages apart has in common, and their tokens.
 *
 * Text is counted exactly. What an interface puts around it is a few tokens a
 * message; the form in which it shows tool calls to the model is documented
 * nowhere, so their names, ids and arguments are counted as text and the
 * message is called estimated.
 */
#include "window/chat_impl.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "window/image.h"
#include "window/json_text.h"
#include "window/window_impl.h"

struct counter {
	const struct chat *chat;
	uint64_t tokens;
	bool estimated;
};

static int
count_piece(void *arg, const struct piece *piece)
{
	struct counter *counter = arg;
	const struct chat *chat = counter->chat;

	if (piece->bytes != NULL)
		counter->tokens += tokenizer_count(
			chat->tok, chat->cache, (const uint8_t *)piece->bytes,
			piece->nr);
	if (piece->id != NULL)
		counter->tokens += tokenizer_count(chat->tok, chat->cache,
						   (const uint8_t *)piece->id,
						   strlen(piece->id));
	counter->tokens += piece->tokens;
	counter->estimated |= piece->estimated || piece->kind == PIECE_GUESS;
	return 0;
}

int
chat_count_message(struct chat *chat, size_t i, struct window_error *error)
{
	struct message *message = &chat->messages[i];
	struct counter counter = { .chat = chat };
	struct visit visit = { .arg = &counter, .piece = count_piece };
	int result = chat->ops->visit(message->pruned != NULL ? message->pruned
							      : message->json,
				      &visit);

	if (result == -EBADMSG)
		return window_fail(error, result,
				   "BALE-CMP-002 message %zu is not one of the "
				   "%s interface: %s",
				   i, chat->ops->name, visit.reason);
	if (result != 0)
		return window_fail(error, result, "out of memory");
	message->role = visit.role;
	message->tokens = counter.tokens + CHAT_MESSAGE_TOKENS;
	message->estimated = counter.estimated;
	if (visit.is_glued && i + 1 < chat->nr)
		chat->messages[i + 1].is_glued = true;
	return 0;
}

uint64_t
chat_count_json(const struct chat *chat, const json_t *message)
{
	struct counter counter = { .chat = chat };
	struct visit visit = { .arg = &counter, .piece = count_piece };

	/* one of ours: it can be taken apart */
	if (chat->ops->visit(message, &visit) != 0)
		return 0;
	return counter.tokens + CHAT_MESSAGE_TOKENS;
}

int
chat_count_extra(struct chat *chat, struct window_error *error)
{
	static const char *const keys[] = { "system", "instructions", "tools",
					    "functions" };
	struct counter counter = { .chat = chat };
	struct visit visit = { .arg = &counter, .piece = count_piece };

	for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
		const json_t *value = json_object_get(chat->root, keys[i]);
		int result = 0;

		if (json_is_string(value))
			result = visit_text(&visit, PIECE_TEXT, value);
		else if (value != NULL && !json_is_null(value))
			result = visit_json(&visit, value);
		if (result != 0)
			return window_fail(error, result, "out of memory");
	}
	chat->extra_tokens =
		add_sat_u64(chat->options->system_tokens, counter.tokens);
	chat->extra_estimated = counter.estimated;
	return 0;
}

static int
describe_piece(void *arg, const struct piece *piece)
{
	FILE *out = arg;

	switch (piece->kind) {
	case PIECE_CALL:
	case PIECE_SERVER_CALL:
		fprintf(out, "[calls %s, %s]\n", piece->bytes, piece->id);
		break;
	case PIECE_RESULT:
	case PIECE_SERVER_RESULT:
		fprintf(out, "[result of %s]\n", piece->id);
		break;
	case PIECE_IMAGE:
		fputs("[image]\n", out);
		break;
	case PIECE_BLOB:
		fputs("[file]\n", out);
		break;
	default:
		fwrite(piece->bytes, 1, piece->nr, out);
		fputc('\n', out);
		break;
	}
	return 0;
}

int
chat_describe(const struct format_ops *ops, const json_t *message, FILE *out)
{
	struct visit visit = { .arg = out, .piece = describe_piece };

	return ops->visit(message, &visit);
}

/* A file or a sound: a guess, on the safe side for PDF and WAV. */
#define BLOB_BYTES_PER_TOKEN 24
#define BLOB_TOKENS_LEAST 1000

int
visit_fail(struct visit *visit, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(visit->reason, sizeof(visit->reason), format, args);
	va_end(args);
	return -EBADMSG;
}

const char *
text_of(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

bool
text_is(const json_t *object, const char *key, const char *text)
{
	const char *have = text_of(object, key);

	return have != NULL && strcmp(have, text) == 0;
}

int
visit_text(struct visit *visit, enum piece_kind kind, const json_t *string)
{
	struct piece piece = {
		.kind = kind,
		.bytes = json_string_value(string),
		.nr = json_string_length(string),
	};

	if (piece.bytes == NULL)
		return visit_fail(visit, "a text is missing");
	return visit->piece(visit->arg, &piece);
}

int
visit_json(struct visit *visit, const json_t *json)
{
	struct piece piece = { .kind = PIECE_GUESS };
	char *text;
	int result;

	if (json == NULL)
		return 0;
	if (json_is_string(json))
		return visit_text(visit, PIECE_GUESS, json);
	text = json_text(json, JSON_COMPACT | JSON_ENCODE_ANY);
	if (text == NULL)
		return -ENOMEM;
	piece.bytes = text;
	piece.nr = strlen(text);
	result = visit->piece(visit->arg, &piece);
	free(text);
	return result;
}

int
visit_call(struct visit *visit, enum piece_kind kind, const char *id,
	   const char *name, const json_t *body)
{
	struct piece piece = {
		.kind = kind,
		.id = id,
		.bytes = name != NULL ? name : "",
		.estimated = true,
	};
	int result;

	if (id == NULL || *id == '\0')
		return visit_fail(visit, "a tool call or result has no id");
	piece.nr = strlen(piece.bytes);
	result = visit->piece(visit->arg, &piece);
	return result == 0 ? visit_json(visit, body) : result;
}

int
visit_blob(struct visit *visit, size_t base64_bytes)
{
	struct piece piece = {
		.kind = PIECE_BLOB,
		.tokens = max_u64(base64_bytes / 4 * 3 / BLOB_BYTES_PER_TOKEN,
				  BLOB_TOKENS_LEAST),
		.estimated = true,
	};

	return visit->piece(visit->arg, &piece);
}

/* A picture of OpenAI's two interfaces; url may be NULL: a file of theirs. */
static int
visit_openai_image(struct visit *visit, const char *url, bool is_low)
{
	const char *data = url != NULL && strncmp(url, "data:", 5) == 0
				   ? strchr(url, ',')
				   : NULL;
	struct piece piece = { .kind = PIECE_IMAGE, .estimated = true };
	uint32_t width = 0;
	uint32_t height = 0;

	if (data != NULL &&
	    image_size(data + 1, strlen(data + 1), &width, &height))
		piece.estimated = false;
	piece.tokens = image_tokens_openai(width, height, is_low);
	piece.estimated = piece.estimated && !is_low;
	return visit->piece(visit->arg, &piece);
}

static int
visit_form(const json_t *part, const struct part_form *form,
	   struct visit *visit)
{
	const json_t *object = form->object == NULL
				       ? part
				       : json_object_get(part, form->object);
	const json_t *value =
		form->key == NULL ? object : json_object_get(object, form->key);

	switch (form->kind) {
	case PIECE_IMAGE:
		if (form->object != NULL && !json_is_string(value))
			return visit_fail(visit, "an image has no url");
		return visit_openai_image(visit, json_string_value(value),
					  text_is(object, "detail", "low"));
	case PIECE_BLOB:
		return visit_blob(visit, json_string_length(value));
	case PIECE_CALL:
		if (visit->role != ROLE_ASSISTANT)
			return visit_fail(visit,
					  "a %s is in a message of the "
					  "user",
					  form->type);
		/* fall through */
	case PIECE_SERVER_CALL:
		return visit_call(visit, form->kind, text_of(part, "id"),
				  text_of(part, "name"), value);
	default:
		return form->key == NULL ? visit_json(visit, value)
					 : visit_text(visit, form->kind, value);
	}
}

int
visit_part(const json_t *part, const struct part_forms *forms,
	   struct visit *visit)
{
	for (size_t i = 0; i < forms->nr; i++)
		if (text_is(part, "type", forms->rows[i].type))
			return forms->rows[i].visit != NULL
				       ? forms->rows[i].visit(part, visit)
				       : visit_form(part, &forms->rows[i],
						    visit);
	if (forms->other != NULL)
		return forms->other(part, visit);
	return visit_fail(visit, "unknown type of part \"%.40s\"; known are %s",
			  text_of(part, "type"), forms->known);
}

bool
find_role(const json_t *message, size_t first, size_t nr, enum chat_role *out)
{
	static const struct {
		const char *name;
		enum chat_role role;
	} roles[] = {
		{ "system", ROLE_SYSTEM }, { "developer", ROLE_SYSTEM },
		{ "user", ROLE_USER },     { "assistant", ROLE_ASSISTANT },
		{ "tool", ROLE_TOOL },     { "function", ROLE_TOOL },
	};

	for (size_t i = first; i < first + nr; i++) {
		*out = roles[i].role;
		if (text_is(message, "role", roles[i].name))
			return true;
	}
	return false;
}

int
visit_content(const json_t *content, const struct part_forms *forms,
	      struct visit *visit)
{
	const json_t *each;
	size_t i;

	if (content == NULL || json_is_null(content))
		return 0;
	if (json_is_string(content))
		return visit_text(visit, PIECE_TEXT, content);
	if (!json_is_array(content))
		return visit_fail(visit, "the content is neither a text nor an "
					 "array of parts");
	json_array_foreach((json_t *)(uintptr_t)content, i, each)
	{
		int result;

		if (!json_is_object(each) || text_of(each, "type") == NULL)
			return visit_fail(visit,
					  "part %zu of the content is no "
					  "object with a type",
					  i);
		result = visit_part(each, forms, visit);
		if (result != 0)
			return result;
	}
	return 0;
}
