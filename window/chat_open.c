/* SPDX-License-Identifier: MIT */
/*
 * chat_open.c - opens a conversation and says how full it is.
 *
 * Where each message lies in the text is found when that has been parsed, so
 * that only strings and nesting matter.
 */
#include "window/chat_impl.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/json_values.h"
#include "tokenizer/models.h"
#include "window/window_impl.h"

static size_t
skip_blanks(const char *text, size_t bytes, size_t at)
{
	while (at < bytes && strchr(" \t\r\n", text[at]) != NULL)
		at++;
	return at;
}

/* Behind the string that begins at `at`. */
static size_t
skip_string(const char *text, size_t bytes, size_t at)
{
	at++;
	while (at < bytes && text[at] != '"')
		at += text[at] == '\\' ? 2 : 1;
	return at < bytes ? at + 1 : bytes;
}

/* Behind the value that begins at `at`. */
static size_t
skip_value(const char *text, size_t bytes, size_t at)
{
	size_t depth = 0;

	do {
		char c = text[at];

		depth += c == '{' || c == '[';
		depth -= c == '}' || c == ']';
		at = c == '"' ? skip_string(text, bytes, at) : at + 1;
	} while (at < bytes &&
		 (depth > 0 || strchr(" \t\r\n,:]}", text[at]) == NULL));
	return at;
}

/* Where the value of a key of the object at `at` begins; bytes: nowhere. */
static size_t
find_value(const char *text, size_t bytes, size_t at, const char *key)
{
	size_t key_bytes = strlen(key);

	at = skip_blanks(text, bytes, at + 1);
	while (at < bytes && text[at] == '"') {
		size_t end = skip_string(text, bytes, at);
		bool is_it = end - at == key_bytes + 2 &&
			     memcmp(text + at + 1, key, key_bytes) == 0;

		at = skip_blanks(text, bytes, end);
		at = skip_blanks(text, bytes, at + 1); /* the colon */
		if (is_it)
			return at;
		at = skip_blanks(text, bytes, skip_value(text, bytes, at));
		at = skip_blanks(text, bytes, at + 1); /* the comma */
	}
	return bytes;
}

int
scan_array(const char *text, size_t bytes, const char *key, struct span **spans,
	   size_t *nr)
{
	size_t at = skip_blanks(text, bytes, 0);
	size_t room = 0;
	int result = 0;

	*spans = NULL;
	*nr = 0;
	if (at < bytes && text[at] == '{')
		at = find_value(text, bytes, at, key);
	if (at >= bytes || text[at] != '[')
		return -ENOENT;
	at = skip_blanks(text, bytes, at + 1);
	while (result == 0 && at < bytes && text[at] != ']') {
		struct span span = { .begin = at };

		at = skip_value(text, bytes, at);
		span.end = at;
		result = ARRAY_RESERVE(*spans, room, *nr + 1);
		if (result == 0)
			(*spans)[(*nr)++] = span;
		at = skip_blanks(text, bytes, at);
		if (at < bytes && text[at] == ',')
			at = skip_blanks(text, bytes, at + 1);
	}
	if (result != 0) {
		free(*spans);
		*spans = NULL;
	}
	return result;
}

#define CACHE_LOG2 14

static const struct format_ops *const formats[CHAT_FORMAT_NR] = {
	[CHAT_OPENAI] = &openai_ops,
	[CHAT_RESPONSES] = &responses_ops,
	[CHAT_ANTHROPIC] = &anthropic_ops,
};

const struct format_ops *
chat_ops(enum chat_format format)
{
	return formats[format];
}

const char *
chat_format_name(enum chat_format format)
{
	return format == CHAT_AUTO ? "auto" : formats[format]->name;
}

void
chat_warn(const struct chat *chat, const char *format, ...)
{
	char text[WINDOW_ERROR_BYTES];
	va_list args;

	if (chat->options->warn == NULL)
		return;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	chat->options->warn(chat->options->arg, text);
}

static int
check_options(const struct chat_options *options, struct window_error *error)
{
	if (!(options->threshold > 0 &&
	      options->threshold <= options->critical &&
	      options->critical <= 1))
		return window_fail(error, -EINVAL,
				   "BALE-CMP-004 a threshold of %g and a "
				   "critical one of %g do not go together; "
				   "0 < threshold <= critical <= 1",
				   options->threshold, options->critical);
	if (!(options->preserve > 0 && options->preserve < options->threshold))
		return window_fail(error, -EINVAL,
				   "BALE-CMP-004 to preserve %g of a context "
				   "that is compacted at %g makes no room; "
				   "0 < preserve < threshold",
				   options->preserve, options->threshold);
	return 0;
}

/* The messages, and the format if where they are says it. */
static int
find_array(struct chat *chat, struct window_error *error)
{
	json_t *messages = json_object_get(chat->root, "messages");
	json_t *input = json_object_get(chat->root, "input");

	if (json_is_array(chat->root)) {
		chat->array = chat->root;
	} else if (json_is_array(messages)) {
		chat->array = messages;
		if (json_object_get(chat->root, "system") != NULL ||
		    json_object_get(chat->root, "anthropic_version") != NULL)
			chat->format = CHAT_ANTHROPIC;
	} else if (json_is_array(input)) {
		chat->array = input;
		chat->format = CHAT_RESPONSES;
	} else {
		return window_fail(error, -EBADMSG,
				   "BALE-CMP-001 there is no conversation in "
				   "this: neither an array of messages nor an "
				   "object with one as \"messages\" or "
				   "\"input\"");
	}
	return 0;
}

/* The model that the conversation is for; NULL: nobody says. */
static const char *
model_of(const struct chat *chat)
{
	return chat->options->model != NULL ? chat->options->model
					    : text_of(chat->root, "model");
}

/* Whether a message can only be of this interface. */
static bool
is_of(const struct format_ops *ops, const json_t *message)
{
	const json_t *content = json_object_get(message, "content");

	if (ops->is_mine != NULL && ops->is_mine(message))
		return true;
	for (size_t i = 0; i < json_array_size(content); i++)
		for (size_t t = 0; t < ops->parts->nr; t++)
			if (ops->parts->rows[t].is_own &&
			    text_is(json_array_get(content, i), "type",
				    ops->parts->rows[t].type))
				return true;
	return false;
}

/* Whether the system prompt is a message, which Anthropic's never is. */
static bool
has_system_message(const struct chat *chat)
{
	bool has = false;

	for (size_t i = 0; i < json_array_size(chat->array); i++) {
		const json_t *message = json_array_get(chat->array, i);

		has |= text_is(message, "role", "system") ||
		       text_is(message, "role", "developer");
	}
	return has;
}

/* The format, from what the messages can only be; the model breaks ties. */
static int
detect(struct chat *chat, struct window_error *error)
{
	const char *model = model_of(chat);
	size_t nr = json_array_size(chat->array);

	for (size_t i = 0; i < nr; i++) {
		const json_t *message = json_array_get(chat->array, i);

		for (int f = 1; f < CHAT_FORMAT_NR; f++) {
			if ((int)chat->format == f ||
			    !is_of(formats[f], message))
				continue;
			if (chat->format == CHAT_AUTO) {
				chat->format = (enum chat_format)f;
				break;
			}
			if (is_of(formats[chat->format], message))
				continue;
			return window_fail(
				error, -EBADMSG,
				"BALE-CMP-005 message %zu is one of the %s "
				"interface, but what is around it is of %s; "
				"say which it is with --format",
				i, formats[f]->name,
				formats[chat->format]->name);
		}
	}
	if (chat->format == CHAT_AUTO)
		chat->format =
			model != NULL && strstr(model, "claude") != NULL &&
					!has_system_message(chat)
				? CHAT_ANTHROPIC
				: CHAT_OPENAI;
	return 0;
}

static int
parse(struct chat *chat, struct window_error *error)
{
	json_error_t where;
	int result;

	if (chat->bytes > CHAT_BYTES_MAX)
		return window_fail(error, -EFBIG,
				   "BALE-CMP-006 more than %llu MiB of "
				   "messages; no model takes so much: split "
				   "the conversation",
				   CHAT_BYTES_MAX >> 20);
	if (!json_values_within(chat->text, chat->bytes, CHAT_VALUES_MAX))
		return window_fail(error, -EFBIG,
				   "BALE-CMP-006 more than %d values of JSON; "
				   "that is no conversation",
				   CHAT_VALUES_MAX);
	chat->root =
		json_loadb(chat->text, chat->bytes,
			   JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, &where);
	if (chat->root == NULL)
		return window_fail(error, -EBADMSG,
				   "BALE-CMP-001 this is not JSON: line %d, "
				   "column %d: %.120s",
				   where.line, where.column, where.text);
	result = find_array(chat, error);
	if (result != 0)
		return result;
	if (chat->options->format != CHAT_AUTO)
		chat->format = chat->options->format;
	else
		result = detect(chat, error);
	if (result == 0)
		chat->ops = formats[chat->format];
	return result;
}

static int
find_limits(struct chat *chat, struct window_error *error)
{
	const struct chat_options *options = chat->options;
	const char *model = model_of(chat);
	void *mem;

	chat->limits = limits_find(model, options->betas, options->beta_nr);
	if (options->encoding != NULL) {
		chat->limits.encoding = options->encoding;
		chat->limits.margin_percent = 0;
	}
	if (tokenizer_open(&chat->tok, chat->limits.encoding) != 0)
		return window_fail(
			error, -EINVAL,
			"BALE-CMP-004 unknown encoding \"%s\": expected "
			"one of " TOKENIZER_ENCODINGS "%s",
			chat->limits.encoding,
			TOKENIZER_ENCODING_HINT(chat->limits.encoding));
	if (tokenizer_is_estimate(chat->tok)) {
		if (chat->limits.margin_percent < TOKENIZER_ESTIMATE_MARGIN)
			chat->limits.margin_percent = TOKENIZER_ESTIMATE_MARGIN;
		chat_warn(chat,
			  "BALE-CMP-014 the vocabulary of %s in this program "
			  "is damaged (checksum): counts are estimated; "
			  "install bale again",
			  chat->limits.encoding);
	}
	chat->limit = options->limit_tokens != 0 ? options->limit_tokens
						 : chat->limits.context_tokens;
	chat->reserve = options->reserve_tokens;
	if (!options->reserve_given)
		chat->reserve = min_u64(chat->reserve, chat->limit / 4);
	if (chat->reserve >= chat->limit)
		return window_fail(error, -EINVAL,
				   "BALE-CMP-004 a reserve of %ju tokens "
				   "leaves nothing of a limit of %ju; lower "
				   "--reserve-response",
				   chat->reserve, chat->limit);
	mem = aligned_alloc(CACHE_LINE_BYTES,
			    round_up_u64(tokenizer_cache_bytes(CACHE_LOG2),
					 CACHE_LINE_BYTES));
	if (mem == NULL)
		return window_fail(error, -ENOMEM, "out of memory");
	chat->cache = tokenizer_cache_init(mem, CACHE_LOG2);
	return 0;
}

static int
find_messages(struct chat *chat, struct window_error *error)
{
	struct span *spans;
	size_t nr;
	int result = scan_array(chat->text, chat->bytes, chat->ops->array_key,
				&spans, &nr);

	if (result == -ENOMEM)
		return window_fail(error, result, "out of memory");
	if (result != 0 || nr != json_array_size(chat->array)) {
		free(spans);
		return window_fail(error, -EBADMSG,
				   "BALE-CMP-001 the messages of a %s request "
				   "stand under \"%s\", and they are not there",
				   chat->ops->name, chat->ops->array_key);
	}
	chat->messages = calloc(nr + 1, sizeof(*chat->messages));
	for (size_t i = 0; chat->messages != NULL && i < nr; i++) {
		chat->messages[i].json = json_array_get(chat->array, i);
		chat->messages[i].begin = spans[i].begin;
		chat->messages[i].end = spans[i].end;
	}
	free(spans);
	chat->nr = nr;
	return chat->messages != NULL
		       ? 0
		       : window_fail(error, -ENOMEM, "out of memory");
}

int
chat_open(struct chat **out, const char *text, size_t bytes,
	  const struct chat_options *options, struct window_error *error)
{
	struct chat *chat = calloc(1, sizeof(*chat));
	int result;

	if (chat == NULL)
		return window_fail(error, -ENOMEM, "out of memory");
	chat->options = options;
	chat->text = text;
	chat->bytes = bytes;
	result = check_options(options, error);
	if (result == 0)
		result = parse(chat, error);
	if (result == 0)
		result = find_limits(chat, error);
	if (result == 0)
		result = find_messages(chat, error);
	for (size_t i = 0; result == 0 && i < chat->nr; i++)
		result = chat_count_message(chat, i, error);
	if (result == 0 && !options->is_part)
		result = chat_pair(chat, error);
	if (result == 0)
		result = chat_count_extra(chat, error);
	if (result != 0) {
		chat_close(chat);
		return result;
	}
	*out = chat;
	return 0;
}

void
chat_close(struct chat *chat)
{
	if (chat == NULL)
		return;
	for (size_t i = 0; i < chat->nr; i++)
		json_decref(chat->messages[i].pruned);
	free(chat->messages);
	json_decref(chat->root);
	free(chat->cache);
	free(chat);
}

/* Whether the model stopped because there was no room for more. */
static bool
stopped_for_room(const char *reason)
{
	static const char *const words[] = {
		"max_tokens",                              /* Anthropic */
		"model_context_window_exceeded", "length", /* OpenAI chat */
		"max_output_tokens", /* OpenAI responses */
	};

	return reason != NULL && text_is_among(reason, words, ARRAY_LEN(words));
}

void
chat_budget(const struct chat *chat, struct chat_budget *out)
{
	const struct chat_options *options = chat->options;
	uint64_t both;

	*out = (struct chat_budget){
		.encoding = chat->limits.encoding,
		.limit = chat->limit,
		.reserve = chat->reserve,
		.room = chat->limit - chat->reserve,
		.system = chat->extra_tokens,
		.messages = CHAT_REPLY_TOKENS,
		.is_model_known = chat->limits.is_known,
		.estimated = chat->limits.margin_percent > 0 ||
			     chat->extra_estimated,
		.message_nr = chat->nr,
	};
	for (size_t i = 0; i < chat->nr; i++) {
		const struct message *message = &chat->messages[i];

		if (message->role == ROLE_SYSTEM)
			out->system = add_sat_u64(out->system, message->tokens);
		else
			out->messages += message->tokens;
		out->estimated |= message->estimated;
	}
	both = add_sat_u64(out->system, out->messages);
	out->margin = limits_margin(&chat->limits, both);
	out->used = add_sat_u64(both, out->margin);
	out->available = out->room > out->used ? out->room - out->used : 0;
	out->overflow = out->used > out->room ? out->used - out->room : 0;
	out->utilization = (double)out->used / (double)out->room;
	out->critical = out->utilization > options->critical ||
			stopped_for_room(options->stop_reason);
	out->due = out->critical || out->utilization > options->threshold;
}
