/* SPDX-License-Identifier: MIT */
/*
 * dialogue.h - the items of a window as a request to a model's interface.
 *
 * Does: says which items are calls of tools and their results, by the ids in
 *       their messages; puts items together so that the interface takes them:
 *       the system prompt where it belongs, roles that alternate and begin with
 *       the user, each call with its results behind it, nothing empty.
 * Does not: choose items (build.c).
 * Invariants:
 *   1. An id without its other half in the window is no call and no result: a
 *      call is left out, a result is a text of the user's.
 */
#ifndef WINDOW_DIALOGUE_H
#define WINDOW_DIALOGUE_H

#include "window/window_impl.h"

struct dialogue;

/* Whether an item is part of the conversation itself: user, assistant, tool. */
bool
dialogue_has(const struct window_item *item);

/*
 * shape:  the messages of all items, and which belong together
 * owner:  dialogue_destroy(); keeps pointers to the window, which must not
 *         change
 * errors: -ENOMEM
 */
int
dialogue_create(struct dialogue **out, const struct window *window,
		enum chat_format format);

/* Frees it; accepts NULL. */
void
dialogue_destroy(struct dialogue *dialogue);

/* Marks what belongs to an item that is marked, by places in the window. */
void
dialogue_spread(const struct dialogue *dialogue, bool marked[]);

struct dialogue_choice {
	const uint32_t *places; /* of all items, in the order of the text */
	const bool *included;   /* by place; with all that belongs together */
	bool is_cut;            /* something was left out: to be said */
};

struct dialogue_request {
	char *text; /* no end of line */
	size_t bytes;
	uint64_t tokens; /* as chat_budget() counts */
};

/*
 * shape:  the request
 * owner:  out->text: free()
 * errors: -ENOMEM; -ENODATA: no message; -EPROTO: a bug: the interface would
 *         refuse it; a sentence in *error
 */
int
dialogue_compose(const struct dialogue *dialogue,
		 const struct dialogue_choice *choice,
		 struct dialogue_request *out, struct window_error *error);

#endif
