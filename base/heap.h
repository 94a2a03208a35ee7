/* SPDX-License-Identifier: MIT */
/*
 * heap.h - a binary heap: of the caller's array and order, the last on top.
 *
 * Does: keeps that no element comes before one of its children; sorts.
 * Does not: own or move the array; take memory, as qsort(3) may.
 */
#ifndef BASE_HEAP_H
#define BASE_HEAP_H

#include <string.h>

#include "base/base.h"

#define HEAP_ELEMENT_BYTES_MAX 128

/* Whether an element comes before another; the order is total. */
typedef bool
heap_before_fn(const void *context, const void *a, const void *b);

struct heap {
	void *elements; /* the caller's */
	size_t bytes;   /* of each, at most HEAP_ELEMENT_BYTES_MAX */
	size_t stride;  /* from one to the next: they may lie in structs */
	heap_before_fn *is_before;
	const void *context; /* for is_before() */
};

/* Inlined, so that order and size are known at compile time. */
#define HEAP_INLINE static inline __attribute__((always_inline))

/* Element i. */
HEAP_INLINE void *
heap_at(const struct heap *heap, size_t i)
{
	return (uint8_t *)heap->elements + i * heap->stride;
}

/* Whether element a comes before element b. */
HEAP_INLINE bool
heap_is_before(const struct heap *heap, size_t a, size_t b)
{
	return heap->is_before(heap->context, heap_at(heap, a),
			       heap_at(heap, b));
}

/* Swaps two elements. */
HEAP_INLINE void
heap_swap(const struct heap *heap, size_t a, size_t b)
{
	uint8_t kept[HEAP_ELEMENT_BYTES_MAX];

	ASSERT(heap->bytes <= sizeof(kept));
	memcpy(kept, heap_at(heap, a), heap->bytes);
	memcpy(heap_at(heap, a), heap_at(heap, b), heap->bytes);
	memcpy(heap_at(heap, b), kept, heap->bytes);
}

/* Restores the heap after the element at `at` became an earlier one. */
HEAP_INLINE void
heap_sift_down(const struct heap *heap, size_t at, size_t nr)
{
	for (;;) {
		size_t last = at;

		for (size_t i = 2 * at + 1; i < 2 * at + 3 && i < nr; i++)
			if (heap_is_before(heap, last, i))
				last = i;
		if (last == at)
			return;
		heap_swap(heap, at, last);
		at = last;
	}
}

/* Moves the element at `at`, appended to the others, up to its place. */
HEAP_INLINE void
heap_sift_up(const struct heap *heap, size_t at)
{
	while (at > 0 && heap_is_before(heap, (at - 1) / 2, at)) {
		heap_swap(heap, at, (at - 1) / 2);
		at = (at - 1) / 2;
	}
}

/* Makes an array a heap. */
HEAP_INLINE void
heap_make(const struct heap *heap, size_t nr)
{
	for (size_t i = nr / 2; i-- > 0;)
		heap_sift_down(heap, i, nr);
}

/* Makes a heap a sorted array. */
HEAP_INLINE void
heap_unmake(const struct heap *heap, size_t nr)
{
	for (size_t left = nr; left > 1; left--) {
		heap_swap(heap, 0, left - 1);
		heap_sift_down(heap, 0, left - 1);
	}
}

/* Sorts. */
HEAP_INLINE void
heap_sort(const struct heap *heap, size_t nr)
{
	heap_make(heap, nr);
	heap_unmake(heap, nr);
}

/* Sorts an array by an order that needs no more than two elements. */
#define HEAP_SORT(array, nr, is_before)                                      \
	heap_sort(&(struct heap){ array, sizeof(*(array)), sizeof(*(array)), \
				  is_before, NULL },                         \
		  nr)

#endif
