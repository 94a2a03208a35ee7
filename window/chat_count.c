/* SPDX-License-Identifier: MIT */
/*
 * chat_count.c - tokens of messages.
 *
 * Text is counted exactly. What an interface puts around it is a few tokens a
 * message; the form in which it shows tool calls to the model is documented
 * nowhere, so their names, ids and arguments are counted as text and the
 * message is called estimated.
 */
#include "window/chat_impl.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

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
	message->tokens = counter.tokens + chat->ops->message_tokens;
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
	return counter.tokens + chat->ops->message_tokens;
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
