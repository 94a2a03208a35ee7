/* SPDX-License-Identifier: MIT */
/*
 * test_pieces.h - the pieces that a message is taken apart into, as text: a
 * letter for the kind, then id and bytes or tokens.
 */
#ifndef TESTS_SUPPORT_TEST_PIECES_H
#define TESTS_SUPPORT_TEST_PIECES_H

#include "tests/support/test_chat.h"

struct pieces {
	char text[1024];
	size_t nr;
};

static inline int
add_piece(void *arg, const struct piece *piece)
{
	static const char kinds[] = "tgibcsrR";
	struct pieces *pieces = arg;

	pieces->nr += (size_t)snprintf(pieces->text + pieces->nr,
				       sizeof(pieces->text) - pieces->nr, "%c",
				       kinds[piece->kind]);
	if (piece->id != NULL)
		pieces->nr += (size_t)snprintf(
			pieces->text + pieces->nr,
			sizeof(pieces->text) - pieces->nr, " #%s", piece->id);
	if (piece->kind == PIECE_IMAGE || piece->kind == PIECE_BLOB)
		pieces->nr += (size_t)snprintf(
			pieces->text + pieces->nr,
			sizeof(pieces->text) - pieces->nr, " %llu|",
			(unsigned long long)piece->tokens);
	else
		pieces->nr += (size_t)snprintf(
			pieces->text + pieces->nr,
			sizeof(pieces->text) - pieces->nr, " %.*s|",
			(int)piece->nr, piece->bytes);
	return 0;
}

/* The pieces of a message, or "! " and the reason why it is refused: static. */
static inline const char *
pieces_of(const struct format_ops *ops, const char *json, enum chat_role *role)
{
	static struct pieces pieces;
	struct visit visit = { .arg = &pieces, .piece = add_piece };
	json_t *message = json_loads(json, JSON_DECODE_ANY, NULL);
	int result;

	assert_non_null(message);
	pieces = (struct pieces){ .nr = 0 };
	result = ops->visit(message, &visit);
	json_decref(message);
	if (role != NULL)
		*role = visit.role;
	if (result == 0)
		return pieces.text;
	assert_int_equal(result, -EBADMSG);
	snprintf(pieces.text, sizeof(pieces.text), "! %s", visit.reason);
	return pieces.text;
}

#endif
