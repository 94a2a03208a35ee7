/* SPDX-License-Identifier: MIT */
/*
 * dialogue.c - the items of a window as a request to a model's interface.
 *
 * Calls and results are found in the order of time, so that an id may be used
 * again once it has been answered. Calls with nothing in between were made in
 * one turn. Items that belong together are given out together: all calls, then
 * all results, where the first of them has its place.
 */
#include "window/dialogue.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "window/chat_impl.h"
#include "window/json_text.h"

static const char left_out[] = "[Earlier parts of this context were left out "
			       "to make room.]";

/* What an item has of messages. */
struct remark {
	json_t *root;     /* its metadata; NULL: it is a text */
	json_t *messages; /* in it */
	enum chat_format format;
	json_t *unpaired; /* ids; NULL: none */
	bool has_calls;
};

/* Two items that belong together: a call and its result, or two calls. */
struct pair {
	uint32_t first;
	uint32_t second;
};

struct dialogue {
	const struct window *window;
	enum chat_format format;
	const struct format_ops *ops;
	struct remark remarks[WINDOW_ITEMS_MAX];
	struct pair *pairs;
	size_t pair_nr;
	size_t pair_room;
};

bool
dialogue_has(const struct window_item *item)
{
	return item->type == WINDOW_USER_MESSAGE ||
	       item->type == WINDOW_ASSISTANT_MESSAGE ||
	       item->type == WINDOW_TOOL_RESULT;
}

/* ---- calls and results ----------------------------------------------------- */

struct pairing {
	struct dialogue *dialogue;
	json_t *open;     /* id -> place of the item that calls */
	json_t *open_own; /* the same, of tools of the interface's */
	uint32_t place;
};

static int
set_unpaired(struct dialogue *dialogue, uint32_t place, const char *id)
{
	struct remark *remark = &dialogue->remarks[place];

	if (remark->unpaired == NULL)
		remark->unpaired = json_object();
	return json_object_set_new(remark->unpaired, id, json_true()) == 0
		       ? 0
		       : -ENOMEM;
}

static int
open_call(struct pairing *pairing, json_t *open, const char *id)
{
	const json_t *before = json_object_get(open, id);
	int result = 0;

	pairing->dialogue->remarks[pairing->place].has_calls = true;
	if (before != NULL)
		result = set_unpaired(pairing->dialogue,
				      (uint32_t)json_integer_value(before), id);
	if (result == 0 &&
	    json_object_set_new(open, id, json_integer(pairing->place)) != 0)
		result = -ENOMEM;
	return result;
}

static int
add_pair(struct dialogue *dialogue, uint32_t first, uint32_t second)
{
	if (ARRAY_RESERVE(dialogue->pairs, dialogue->pair_room,
			  dialogue->pair_nr + 1) != 0)
		return -ENOMEM;
	dialogue->pairs[dialogue->pair_nr++] = (struct pair){ first, second };
	return 0;
}

static int
close_call(struct pairing *pairing, json_t *open, const char *id)
{
	const json_t *call = json_object_get(open, id);
	int result;

	if (call == NULL)
		return set_unpaired(pairing->dialogue, pairing->place, id);
	result = add_pair(pairing->dialogue, (uint32_t)json_integer_value(call),
			  pairing->place);
	json_object_del(open, id);
	return result;
}

static int
pair_piece(void *arg, const struct piece *piece)
{
	struct pairing *pairing = arg;

	switch (piece->kind) {
	case PIECE_CALL:
		return open_call(pairing, pairing->open, piece->id);
	case PIECE_SERVER_CALL:
		return open_call(pairing, pairing->open_own, piece->id);
	case PIECE_RESULT:
		return close_call(pairing, pairing->open, piece->id);
	case PIECE_SERVER_RESULT:
		return close_call(pairing, pairing->open_own, piece->id);
	default:
		return 0;
	}
}

static int
see_piece(void *arg, const struct piece *piece)
{
	(void)arg;
	(void)piece;
	return 0;
}

/* The format and the messages of an item's metadata; false: it has none that
 * can be taken apart, so its content is a text. */
static bool
read_metadata(struct remark *remark)
{
	struct visit visit = { .piece = see_piece };
	const json_t *message;
	size_t i;
	int f = CHAT_FORMAT_NR;

	remark->messages = json_object_get(remark->root, "messages");
	while (--f > CHAT_AUTO &&
	       !text_is(remark->root, "format",
			chat_format_name((enum chat_format)f)))
		;
	remark->format = (enum chat_format)f;
	if (f == CHAT_AUTO || json_array_size(remark->messages) == 0)
		return false;
	json_array_foreach(remark->messages, i, message)
	{
		if (chat_ops(remark->format)->visit(message, &visit) != 0)
			return false;
	}
	return true;
}

static int
pair_item(struct pairing *pairing)
{
	struct dialogue *dialogue = pairing->dialogue;
	struct remark *remark = &dialogue->remarks[pairing->place];
	const struct window_item *item =
		&dialogue->window->entries[pairing->place]->item;
	struct visit visit = { .arg = pairing, .piece = pair_piece };
	const json_t *message;
	int result = 0;
	size_t i;

	if (item->metadata == NULL)
		return 0;
	remark->root = json_loads(item->metadata, JSON_ALLOW_NUL, NULL);
	if (!read_metadata(remark)) {
		json_decref(remark->root);
		remark->root = NULL;
		return 0;
	}
	json_array_foreach(remark->messages, i, message)
	{
		if (result == 0)
			result = chat_ops(remark->format)
					 ->visit(message, &visit);
	}
	return result;
}

/* What is still open has no result. */
static int
end_pairing(struct dialogue *dialogue, json_t *open)
{
	const char *id;
	json_t *place;
	int result = 0;

	json_object_foreach(open, id, place)
	{
		if (result == 0)
			result = set_unpaired(
				dialogue, (uint32_t)json_integer_value(place),
				id);
	}
	json_decref(open);
	return result;
}

/* One more item of the conversation, behind *before; updates that. */
static int
pair_next(struct pairing *pairing, const uint32_t **before,
	  const uint32_t *place)
{
	struct dialogue *dialogue = pairing->dialogue;
	const struct remark *remarks = dialogue->remarks;
	int result;

	if (!dialogue_has(&dialogue->window->entries[*place]->item))
		return 0;
	pairing->place = *place;
	result = pair_item(pairing);
	if (result == 0 && *before != NULL && remarks[**before].has_calls &&
	    remarks[*place].has_calls)
		result = add_pair(dialogue, **before, *place);
	*before = place;
	return result;
}

static int
pair_items(struct dialogue *dialogue)
{
	struct window *window = (struct window *)(uintptr_t)dialogue->window;
	struct pairing pairing = { .dialogue = dialogue,
				   .open = json_object(),
				   .open_own = json_object() };
	uint32_t places[WINDOW_ITEMS_MAX];
	const uint32_t *before = NULL;
	int result = 0;

	if (pairing.open == NULL || pairing.open_own == NULL)
		result = -ENOMEM;
	for (uint32_t i = 0; i < window->nr; i++)
		places[i] = i;
	qsort_r(places, window->nr, sizeof(places[0]), entry_compare_age,
		window);
	for (size_t i = 0; result == 0 && i < window->nr; i++)
		result = pair_next(&pairing, &before, &places[i]);
	if (result != 0) {
		json_decref(pairing.open);
		json_decref(pairing.open_own);
		return result;
	}
	result = end_pairing(dialogue, pairing.open);
	return result | end_pairing(dialogue, pairing.open_own);
}

int
dialogue_create(struct dialogue **out, const struct window *window,
		enum chat_format format)
{
	struct dialogue *dialogue = calloc(1, sizeof(*dialogue));
	int result;

	if (dialogue == NULL)
		return -ENOMEM;
	dialogue->window = window;
	dialogue->format = format;
	dialogue->ops = chat_ops(format);
	result = pair_items(dialogue);
	if (result != 0) {
		dialogue_destroy(dialogue);
		return result;
	}
	*out = dialogue;
	return 0;
}

void
dialogue_destroy(struct dialogue *dialogue)
{
	if (dialogue == NULL)
		return;
	for (size_t i = 0; i < WINDOW_ITEMS_MAX; i++) {
		json_decref(dialogue->remarks[i].root);
		json_decref(dialogue->remarks[i].unpaired);
	}
	free(dialogue->pairs);
	free(dialogue);
}

void
dialogue_spread(const struct dialogue *dialogue, bool marked[])
{
	bool is_done = false;

	while (!is_done) {
		is_done = true;
		for (size_t i = 0; i < dialogue->pair_nr; i++) {
			bool *first = &marked[dialogue->pairs[i].first];
			bool *second = &marked[dialogue->pairs[i].second];

			is_done = is_done && *first == *second;
			*first = *second = *first || *second;
		}
	}
}

/* ---- the request ----------------------------------------------------------- */

struct composition {
	const struct dialogue *dialogue;
	const struct dialogue_choice *choice;
	bool is_written[WINDOW_ITEMS_MAX];
	json_t *messages;
	FILE *system;
	json_t *system_parts; /* the same, in parts */
	bool has_parts;       /* one of them is more than a text */
	bool has_talk;
};

static int
write_text(const struct composition *work, const char *role,
	   const struct window_item *item)
{
	return chat_append_text(work->dialogue->format, work->messages, role,
				item->content, item->content_bytes);
}

/* Whether a part is a text without anything in it. */
static bool
is_empty_part(const json_t *part)
{
	const json_t *text = json_object_get(part, "text");

	return json_is_string(text) &&
	       text_is_blank(json_string_value(text), json_string_length(text));
}

/* A copy without empty texts; NULL: nothing is left, or no memory. */
static json_t *
clean_copy(const json_t *message)
{
	json_t *copy = json_deep_copy(message);
	json_t *content = json_object_get(copy, "content");
	bool is_empty = json_is_string(content) &&
			text_is_blank(json_string_value(content),
				      json_string_length(content));

	for (size_t i = json_array_size(content); i-- > 0;)
		if (is_empty_part(json_array_get(content, i)))
			json_array_remove(content, i);
	is_empty = is_empty ||
		   (json_is_array(content) && json_array_size(content) == 0);
	if (!is_empty || text_is(copy, "role", "tool"))
		return copy;
	if (json_object_get(copy, "tool_calls") != NULL &&
	    json_object_set_new(copy, "content", json_null()) == 0)
		return copy;
	json_decref(copy);
	return NULL;
}

static int
write_remark(const struct composition *work, const struct remark *remark)
{
	const struct dialogue *dialogue = work->dialogue;
	const struct chat_conversion how = {
		.from = remark->format,
		.to = dialogue->format,
		.unpaired = remark->unpaired,
	};
	const json_t *message;
	int result = 0;
	size_t i;

	json_array_foreach(remark->messages, i, message)
	{
		if (result != 0)
			break;
		if (how.from != how.to || how.unpaired != NULL) {
			result = chat_convert(&how, message, work->messages);
		} else {
			json_t *copy = clean_copy(message);

			if (copy != NULL)
				result = chat_append(dialogue->ops,
						     work->messages, copy);
		}
	}
	return result;
}

static int
write_item(struct composition *work, uint32_t place)
{
	const struct remark *remark = &work->dialogue->remarks[place];
	const struct window_item *item =
		&work->dialogue->window->entries[place]->item;

	work->is_written[place] = true;
	if (remark->root != NULL)
		return write_remark(work, remark);
	return write_text(work,
			  item->type == WINDOW_ASSISTANT_MESSAGE ? "assistant"
								 : "user",
			  item);
}

/* An item, and all that belong to it: calls first. */
static int
write_talk(struct composition *work, uint32_t place)
{
	const struct dialogue *dialogue = work->dialogue;
	bool marked[WINDOW_ITEMS_MAX] = { false };
	int result = 0;

	marked[place] = true;
	dialogue_spread(dialogue, marked);
	for (int pass = 0; pass < 2; pass++) {
		for (size_t i = 0; result == 0 && i < dialogue->window->nr;
		     i++) {
			uint32_t at = work->choice->places[i];

			if (marked[at] && !work->is_written[at] &&
			    (pass == 1 || dialogue->remarks[at].has_calls))
				result = write_item(work, at);
		}
	}
	return result;
}

/* In front of the conversation: that there was more. */
static int
begin_talk(struct composition *work)
{
	if (work->has_talk || !work->choice->is_cut)
		return 0;
	work->has_talk = true;
	return chat_append_text(work->dialogue->format, work->messages, "user",
				left_out, sizeof(left_out) - 1);
}

/* An answer has its question somewhere: the user begins. */
static int
begin_with_user(struct composition *work)
{
	json_t *first = json_array_get(work->messages, 0);
	json_t *note;
	int result;

	/* a call of the responses interface has no role */
	if (!text_is(first, "role", "assistant") &&
	    (first == NULL || json_object_get(first, "role") != NULL))
		return 0;
	note = json_array();
	result = chat_append_text(work->dialogue->format, note, "user",
				  left_out, sizeof(left_out) - 1);
	if (result == 0 &&
	    json_array_insert(work->messages, 0, json_array_get(note, 0)) != 0)
		result = -ENOMEM;
	json_decref(note);
	return result;
}

/* The parts of a system prompt that an item's metadata has for the interface that
 * the request is for; NULL: none, or none that can be taken. */
static json_t *
read_system(const struct dialogue *dialogue, const struct window_item *item)
{
	json_t *root =
		item->metadata == NULL
			? NULL
			: json_loads(item->metadata, JSON_ALLOW_NUL, NULL);
	const char *key = dialogue->ops->system_key;
	json_t *parts = key == NULL ? NULL : json_object_get(root, key);
	bool is_strange = false;
	const json_t *part;
	size_t i;

	if (!text_is(root, "format", dialogue->ops->name))
		parts = NULL;
	json_array_foreach(parts, i, part)
	{
		const json_t *text = json_object_get(part, "text");

		if (!text_is(part, "type", dialogue->ops->text_part) ||
		    text_is_blank(json_string_value(text),
				  json_string_length(text)))
			is_strange = true;
	}
	parts = is_strange || json_array_size(parts) == 0 ? NULL
							  : json_incref(parts);
	json_decref(root);
	return parts;
}

static int
write_system(struct composition *work, uint32_t place)
{
	const struct window_item *item =
		&work->dialogue->window->entries[place]->item;
	json_t *parts = read_system(work->dialogue, item);
	int failed;

	work->has_parts |= parts != NULL;
	if (parts == NULL)
		parts = json_pack("[{s:s, s:s%}]", "type",
				  work->dialogue->ops->text_part, "text",
				  item->content, item->content_bytes);
	failed = json_array_extend(work->system_parts, parts);
	json_decref(parts);
	if (ftell(work->system) > 0)
		fputs("\n\n", work->system);
	fwrite(item->content, 1, item->content_bytes, work->system);
	return failed == 0 ? 0 : -ENOMEM;
}

static int
write_place(struct composition *work, uint32_t place)
{
	const struct window_item *item =
		&work->dialogue->window->entries[place]->item;
	int result;

	if (item->type == WINDOW_SYSTEM_PROMPT ||
	    item->type == WINDOW_INSTRUCTION)
		return write_system(work, place);
	if (!dialogue_has(item))
		return write_text(work, "user", item);
	result = begin_talk(work);
	return result == 0 ? write_talk(work, place) : result;
}

/* Anthropic wants results in front of whatever else a message has. */
static int
put_results_first(json_t *messages)
{
	const json_t *message;
	size_t i;

	json_array_foreach(messages, i, message)
	{
		json_t *content = json_object_get(message, "content");
		json_t *sorted = json_array();
		json_t *part;
		size_t at;

		for (int pass = 0; pass < 2; pass++) {
			json_array_foreach(content, at, part)
			{
				bool is_result =
					text_is(part, "type", "tool_result");

				if (is_result == (pass == 0))
					json_array_append(sorted, part);
			}
		}
		if (sorted == NULL ||
		    json_array_size(sorted) != json_array_size(content)) {
			json_decref(sorted);
			return -ENOMEM;
		}
		if (json_is_array(content)) {
			json_array_clear(content);
			json_array_extend(content, sorted);
		}
		json_decref(sorted);
	}
	return 0;
}

static bool
is_result(const json_t *message)
{
	const char *type = text_of(message, "type");

	return text_is(message, "role", "tool") ||
	       (type != NULL && strstr(type, "_output") != NULL);
}

/* The other interfaces have results as messages: they come in front of what
 * the user says beside them. */
static int
put_result_messages_first(const struct format_ops *ops, json_t *messages)
{
	size_t nr = json_array_size(messages);
	json_t *sorted = json_array();
	int result = sorted == NULL ? -ENOMEM : 0;

	for (size_t from = 0, end; result == 0 && from < nr; from = end) {
		end = from;
		while (end < nr &&
		       (is_result(json_array_get(messages, end)) ||
			text_is(json_array_get(messages, end), "role", "user")))
			end++;
		end += end == from;
		for (int pass = 0; pass < 2; pass++)
			for (size_t i = from; result == 0 && i < end; i++) {
				json_t *message = json_array_get(messages, i);

				if (is_result(message) == (pass == 0))
					result = chat_append(
						ops, sorted,
						json_incref(message));
			}
	}
	if (result == 0 && (json_array_clear(messages) != 0 ||
			    json_array_extend(messages, sorted) != 0))
		result = -ENOMEM;
	json_decref(sorted);
	return result;
}

/* The messages, as their interface wants them. */
static int
put_in_order(const struct composition *work)
{
	int result;

	if (work->dialogue->format != CHAT_ANTHROPIC)
		return put_result_messages_first(work->dialogue->ops,
						 work->messages);
	result = put_results_first(work->messages);
	return result != 0
		       ? result
		       : chat_fit_anthropic(work->system_parts, work->messages);
}

/* The request around the messages; NULL: no memory. */
static json_t *
request_of(const struct composition *work, const char *system, size_t bytes)
{
	const struct format_ops *ops = work->dialogue->ops;
	json_t *request = json_object();
	int failed = request == NULL;

	if (work->has_parts)
		failed |= json_object_set(request, ops->system_key,
					  work->system_parts);
	else if (bytes > 0 && ops->system_key != NULL)
		failed |= json_object_set_new(request, ops->system_key,
					      json_stringn(system, bytes));
	else if (bytes > 0)
		failed |= json_array_insert_new(work->messages, 0,
						json_pack("{s:s, s:s%}", "role",
							  "system", "content",
							  system, bytes));
	failed |= json_object_set(request, ops->array_key, work->messages);
	if (failed == 0)
		return request;
	json_decref(request);
	return NULL;
}

/* Opens it as if it came from a stranger, and counts. */
static int
check(const struct dialogue *dialogue, struct dialogue_request *request,
      struct window_error *error)
{
	const struct chat_options options = {
		.format = dialogue->format,
		.encoding = dialogue->window->options.encoding,
		.threshold = 1,
		.critical = 1,
		.preserve = 0.5,
	};
	struct window_error why;
	struct chat_budget budget;
	struct chat *chat;
	int result =
		chat_open(&chat, request->text, request->bytes, &options, &why);

	if (result == -ENOMEM)
		return window_fail(error, result, "out of memory");
	if (result != 0)
		return window_fail(error, -EPROTO,
				   "BALE-WIN-024 the interface would refuse "
				   "what was built, so nothing was printed: "
				   "%.300s",
				   why.text);
	chat_budget(chat, &budget);
	request->tokens = budget.used;
	chat_close(chat);
	return 0;
}

static int
write_request(struct composition *work, char **text)
{
	char *system;
	size_t bytes;
	json_t *request;
	int result = 0;

	work->system = open_memstream(&system, &bytes);
	work->messages = json_array();
	work->system_parts = json_array();
	if (work->system == NULL || work->messages == NULL ||
	    work->system_parts == NULL)
		result = -ENOMEM;
	for (size_t i = 0; result == 0 && i < work->dialogue->window->nr; i++) {
		uint32_t place = work->choice->places[i];

		if (work->choice->included[place] && !work->is_written[place])
			result = write_place(work, place);
	}
	if (work->system == NULL || text_end(work->system, &system) == NULL)
		return -ENOMEM;
	if (result == 0)
		result = begin_with_user(work);
	if (result == 0)
		result = put_in_order(work);
	if (result == 0 && json_array_size(work->messages) == 0)
		result = -ENODATA;
	if (result == 0) {
		request = request_of(work, system, bytes);
		*text = request == NULL ? NULL
					: json_text(request, JSON_COMPACT);
		json_decref(request);
		result = *text == NULL ? -ENOMEM : 0;
	}
	free(system);
	return result;
}

int
dialogue_compose(const struct dialogue *dialogue,
		 const struct dialogue_choice *choice,
		 struct dialogue_request *out, struct window_error *error)
{
	struct composition work = { .dialogue = dialogue, .choice = choice };
	int result;

	*out = (struct dialogue_request){ .text = NULL };
	result = write_request(&work, &out->text);
	json_decref(work.messages);
	json_decref(work.system_parts);
	if (result == -ENODATA)
		return window_fail(error, result,
				   "BALE-WIN-023 there is no message to send: "
				   "a request has one of the user's, or some "
				   "other text beside the system prompt");
	if (result != 0)
		return window_fail(error, result, "out of memory");
	out->bytes = strlen(out->text);
	result = check(dialogue, out, error);
	if (result != 0) {
		free(out->text);
		out->text = NULL;
	}
	return result;
}
