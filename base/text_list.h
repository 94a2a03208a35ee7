/* SPDX-License-Identifier: MIT */
/*
 * text_list.h - texts, one behind the other, as options give them.
 */
#ifndef BASE_TEXT_LIST_H
#define BASE_TEXT_LIST_H

#include "base/array.h"

struct text_list {
	const char **items;
	size_t nr;
	size_t room;
};

/*
 * shape:  adds an item; the list owns its array, not the text
 * errors: -ENOMEM
 */
static inline int
text_list_add(struct text_list *list, const char *text)
{
	if (ARRAY_RESERVE(list->items, list->room, list->nr + 1) != 0)
		return -ENOMEM;
	list->items[list->nr++] = text;
	return 0;
}

#endif
