/* SPDX-License-Identifier: MIT */
/*
 * message.h - how well the messages of past commits match a query.
 *
 * Does: BM25 of messages, as texts about the files that their commits changed:
 *       a commit that changed n files says 1/sqrt(n) of its score of each.
 * Does not: read commits; know which lines they changed.
 * Limits: a commit of more than MESSAGE_FILES_MAX files is about none.
 */
#ifndef RANK_MESSAGE_H
#define RANK_MESSAGE_H

#include "base/base.h"
#include "catalogue/history.h"
#include "rank/match.h"
#include "rank/query.h"

#define MESSAGE_FILES_MAX 30

/* The words that a message has of the query. */
struct message {
	const struct history_term *terms; /* some may be padding */
	uint32_t term_nr;
	uint32_t bytes;      /* of the message */
	uint32_t changed_nr; /* files that the commit changed */
};

/* Adds a message to those that say how rare a word is. */
void
message_count(struct match_set *messages, const struct message *message);

/*
 * shape:  the square of what a message says of each file that its commit
 *         changed; 0: nothing
 * calls:  behind match_weigh() of the set
 */
double
message_square(const struct match_set *messages, const struct message *message);

#endif
