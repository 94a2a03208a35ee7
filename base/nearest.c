/* SPDX-License-Identifier: MIT */
/*
 * nearest.c - the nearest of the words that were looked at.
 */
#include "base/nearest.h"

#include <stdio.h>
#include <string.h>

unsigned
edit_distance(const char *a, const char *b)
{
	uint8_t d[WORD_BYTES + 1][WORD_BYTES + 1];
	size_t a_bytes = strlen(a);
	size_t b_bytes = strlen(b);

	if (a_bytes >= WORD_BYTES || b_bytes >= WORD_BYTES)
		return WORD_BYTES;
	for (size_t i = 0; i <= a_bytes; i++) {
		for (size_t j = 0; j <= b_bytes; j++) {
			unsigned best = (unsigned)(i > j ? i : j);

			if (i > 0 && j > 0) {
				best = d[i - 1][j - 1] +
				       (unsigned)(a[i - 1] != b[j - 1]);
				best = (unsigned)min_u64(best,
							 d[i - 1][j] + 1u);
				best = (unsigned)min_u64(best,
							 d[i][j - 1] + 1u);
			}
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] &&
			    a[i - 2] == b[j - 1])
				best = (unsigned)min_u64(best,
							 d[i - 2][j - 2] + 1u);
			d[i][j] = (uint8_t)best;
		}
	}
	return d[a_bytes][b_bytes];
}

/* The start of a word is nearer than any other slip. */
void
nearest_try(struct nearest *nearest, const char *known, size_t bytes)
{
	char a[WORD_BYTES];
	char b[WORD_BYTES];
	size_t a_bytes =
		nearest->bytes > 0 ? nearest->bytes : strlen(nearest->word);
	size_t b_bytes = bytes > 0 ? bytes : strlen(known);
	unsigned distance;

	if (a_bytes >= WORD_BYTES || b_bytes >= WORD_BYTES)
		return;
	snprintf(a, sizeof(a), "%.*s", (int)a_bytes, nearest->word);
	snprintf(b, sizeof(b), "%.*s", (int)b_bytes, known);
	distance = edit_distance(a, b);
	if (distance > 1 && a_bytes > 2 && strncmp(a, b, a_bytes) == 0)
		distance = 1;
	/* words that have nothing in common are not near */
	if (distance == 0 || distance > (a_bytes + 2) / 3 ||
	    (distance >= a_bytes && distance >= b_bytes) ||
	    (nearest->found != NULL && distance >= nearest->distance))
		return;
	nearest->found = known;
	nearest->found_bytes = b_bytes;
	nearest->distance = distance;
}

const char *
nearest_hint(const struct nearest *nearest, const char *before,
	     char out[static HINT_BYTES])
{
	*out = '\0';
	if (nearest->found != NULL)
		snprintf(out, HINT_BYTES, "; did you mean %s%.*s?", before,
			 (int)nearest->found_bytes, nearest->found);
	return out;
}
