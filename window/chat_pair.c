/* SPDX-License-Identifier: MIT */
/*
 * chat_pair.c - each result has its call, each call its result; where between
 * them nothing may be cut.
 *
 *   chat        results follow the message that called, before any other
 *   Anthropic   results stand in the next turn of the user's; messages of one
 *               role in a row are one turn
 *   responses   a result comes anywhere behind its call
 *
 * Calls at the very end may be open: their results are on the way. Ids may be
 * used again when their call has been answered.
 */
#include "window/chat_impl.h"

#include <errno.h>

#include "base/diag.h"
#include "window/window_impl.h"

#define QUOTE_BYTES 96
#define NO_RESULT "has no result before the conversation goes on"

struct pairing {
	struct chat *chat;
	size_t i;         /* message that is looked at */
	json_t *open;     /* id -> message that called */
	json_t *open_own; /* the same, of tools of the interface's */
	char id[QUOTE_BYTES];
	const char *wrong;
};

static int
refuse(struct pairing *pairing, const char *id, const char *wrong)
{
	diag_quote_text(pairing->id, sizeof(pairing->id), id);
	pairing->wrong = wrong;
	return -EINVAL;
}

static int
open_call(struct pairing *pairing, json_t *open, const char *id, bool is_own)
{
	if (json_object_get(open, id) != NULL && !is_own)
		return refuse(pairing, id,
			      "is used twice before it is answered");
	if (json_object_set_new(open, id,
				json_integer((json_int_t)pairing->i)) != 0)
		return -ENOMEM;
	return 0;
}

static int
close_call(struct pairing *pairing, json_t *open, const char *id)
{
	const json_t *from = json_object_get(open, id);

	if (from == NULL)
		return refuse(pairing, id,
			      "is answered without having been made, or twice");
	pairing->chat->messages[json_integer_value(from)].reach = pairing->i;
	json_object_del(open, id);
	return 0;
}

static int
pair_piece(void *arg, const struct piece *piece)
{
	struct pairing *pairing = arg;

	switch (piece->kind) {
	case PIECE_CALL:
		return open_call(pairing, pairing->open, piece->id, false);
	case PIECE_SERVER_CALL:
		return open_call(pairing, pairing->open_own, piece->id, true);
	case PIECE_RESULT:
		return close_call(pairing, pairing->open, piece->id);
	case PIECE_SERVER_RESULT:
		return close_call(pairing, pairing->open_own, piece->id);
	default:
		return 0;
	}
}

/* Whether calls that are open may still be answered after message i. */
static bool
may_stay_open(const struct pairing *pairing)
{
	const struct chat *chat = pairing->chat;
	enum chat_role role = chat->messages[pairing->i].role;

	return role == ROLE_TOOL || chat->format == CHAT_RESPONSES;
}

/* In the middle a message of another kind closes the time for answers. */
static int
check_open(struct pairing *pairing)
{
	struct chat *chat = pairing->chat;
	size_t i = pairing->i;
	void *first = json_object_iter(pairing->open);
	size_t from;
	bool same_turn;

	if (first == NULL)
		return 0;
	from = (size_t)json_integer_value(json_object_iter_value(first));
	if (from == i || may_stay_open(pairing))
		return 0;
	/* Anthropic: one turn may be several messages */
	same_turn = chat->format == CHAT_ANTHROPIC &&
		    chat->messages[i].role != ROLE_ASSISTANT &&
		    i + 1 < chat->nr &&
		    chat->messages[i + 1].role != ROLE_ASSISTANT;
	if (chat->format == CHAT_ANTHROPIC &&
	    chat->messages[i].role == ROLE_ASSISTANT &&
	    chat->messages[i - 1].role == ROLE_ASSISTANT)
		same_turn = true;
	if (same_turn)
		return 0;
	return refuse(pairing, json_object_iter_key(first), NO_RESULT);
}

static int
pair_message(struct pairing *pairing)
{
	struct chat *chat = pairing->chat;
	size_t i = pairing->i;
	struct visit visit = { .arg = pairing, .piece = pair_piece };
	int result;

	result = chat->ops->visit(chat->messages[i].json, &visit);
	return result == 0 ? check_open(pairing) : result;
}

/* Nothing is cut between a call and its last result. */
static void
glue(struct chat *chat)
{
	size_t reach = 0;

	for (size_t i = 0; i < chat->nr; i++) {
		if (i > 0 && i <= reach)
			chat->messages[i].is_glued = true;
		if (chat->messages[i].reach > reach)
			reach = chat->messages[i].reach;
	}
}

/*
 * In the responses interface a call may wait for its result across messages,
 * but the user does not go on for good without it.
 */
static int
check_end(struct pairing *pairing)
{
	struct chat *chat = pairing->chat;
	void *first = json_object_iter(pairing->open);
	size_t from;

	if (chat->format != CHAT_RESPONSES || first == NULL)
		return 0;
	from = (size_t)json_integer_value(json_object_iter_value(first));
	for (size_t i = from; i < chat->nr; i++)
		if (chat->messages[i].role == ROLE_USER)
			return refuse(pairing, json_object_iter_key(first),
				      NO_RESULT);
	return 0;
}

int
chat_pair(struct chat *chat, struct window_error *error)
{
	struct pairing pairing = { .chat = chat,
				   .open = json_object(),
				   .open_own = json_object() };
	int result = 0;

	if (pairing.open == NULL || pairing.open_own == NULL)
		result = -ENOMEM;
	for (; result == 0 && pairing.i < chat->nr; pairing.i++)
		result = pair_message(&pairing);
	if (result == 0)
		result = check_end(&pairing);
	if (result == 0)
		glue(chat);
	json_decref(pairing.open);
	json_decref(pairing.open_own);
	if (result == -EINVAL)
		return window_fail(error, -EBADMSG,
				   "BALE-CMP-003 message %zu: the tool call "
				   "\"%s\" %s; the %s interface would refuse "
				   "this conversation",
				   pairing.i - 1, pairing.id, pairing.wrong,
				   chat->ops->name);
	return result == 0 ? 0 : window_fail(error, result, "out of memory");
}
