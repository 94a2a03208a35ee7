/* SPDX-License-Identifier: MIT */
/*
 * message.c - messages of past commits as texts about files.
 */
#include "rank/message.h"

void
message_count(struct match_set *messages, const struct message *message)
{
	messages->nr++;
	messages->length += message->bytes;
	for (uint32_t i = 0; i < message->term_nr; i++)
		if (message->terms[i].times > 0)
			messages->with[message->terms[i].term]++;
}

double
message_square(const struct match_set *messages, const struct message *message)
{
	double score = 0;

	if (message->changed_nr == 0 || message->changed_nr > MESSAGE_FILES_MAX)
		return 0;
	for (uint32_t i = 0; i < message->term_nr; i++)
		if (message->terms[i].times > 0)
			score += match_term(messages, message->terms[i].term,
					    message->terms[i].times,
					    message->bytes);
	return score * score / message->changed_nr;
}
