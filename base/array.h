/* SPDX-License-Identifier: MIT */
/*
 * array.h - room in an array that grows.
 *
 * Limits: elements are moved as bytes: nobody may point at one while it grows.
 */
#ifndef BASE_ARRAY_H
#define BASE_ARRAY_H

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

#define ARRAY_ROOM_LEAST 16

/* Implements ARRAY_RESERVE(); `array` points at the elements' pointer. */
static inline int
array_reserve(void *array, size_t *room, size_t nr, size_t bytes)
{
	size_t wider =
		(size_t)max_u64(nr, max_u64(2 * *room, ARRAY_ROOM_LEAST));
	void *elements;

	if (nr <= *room)
		return 0;
	if (wider > SIZE_MAX / bytes)
		return -ENOMEM;
	memcpy(&elements, array, sizeof(elements));
	elements = realloc(elements, wider * bytes);
	if (elements == NULL)
		return -ENOMEM;
	memcpy(array, &elements, sizeof(elements));
	*room = wider;
	return 0;
}

/*
 * shape:  makes room for nr elements in an array that has room for `room`, a
 *         size_t; NULL and 0 is an empty array
 * owner:  the caller's, for free()
 * errors: -ENOMEM, and the array is unchanged
 */
#define ARRAY_RESERVE(array, room, nr) \
	array_reserve(&(array), &(room), nr, sizeof(*(array)))

/* A list of texts in the order of the options that gave them. */
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

/* The same of a copy, for text_list_free(). */
static inline int
text_list_add_copy(struct text_list *list, const char *text)
{
	char *copy = strdup(text);

	if (copy != NULL && text_list_add(list, copy) == 0)
		return 0;
	free(copy);
	return -ENOMEM;
}

/* Frees a list whose items are all copies. */
static inline void
text_list_free(struct text_list *list)
{
	for (size_t i = 0; i < list->nr; i++)
		free((void *)(uintptr_t)list->items[i]);
	free(list->items);
	*list = (struct text_list){ .nr = 0 };
}

#endif
