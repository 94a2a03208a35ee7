/* SPDX-License-Identifier: MIT */
/*
 * sorted.h - binary search in a sorted array.
 *
 * Does not: look for an equal element, as bsearch(3) does.
 */
#ifndef BASE_SORTED_H
#define BASE_SORTED_H

#include "base/base.h"

/* Whether an element lies before the place that is looked for; of a sorted
 * array, all of the first and none of the others. */
typedef bool
sorted_before_fn(const void *element, const void *key);

/*
 * shape:  the index of the first element that is not before; nr: there is none
 * units:  `bytes` from one element to the next
 * source: inlined, so that the order is known at compile time
 */
static inline __attribute__((always_inline)) size_t
sorted_first(const void *array, size_t nr, size_t bytes, const void *key,
	     sorted_before_fn *is_before)
{
	size_t low = 0;
	size_t high = nr;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (is_before((const uint8_t *)array + middle * bytes, key))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

#endif
