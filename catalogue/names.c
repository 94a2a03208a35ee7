/* SPDX-License-Identifier: MIT */
/*
 * names.c - names and signatures where they lie; words for the kinds of definitions.
 */
#include "catalogue/names.h"

#include <string.h>

#include "base/hash.h"

const char *
def_kind_text(uint8_t kind)
{
	static const char *const words[] = {
		"none",
#define KIND(id, letter, word) word,
#include "catalogue/def_kind.def"
#undef KIND
	};

	return kind < ARRAY_LEN(words) ? words[kind] : words[0];
}

static uint64_t
signatures_sum(const uint8_t *signatures, uint32_t bytes)
{
	struct checksum sum = checksum_begin();

	checksum_add(&sum, signatures + NAMES_SUM_BYTES,
		     bytes - NAMES_SUM_BYTES);
	return checksum_end(&sum);
}

void
names_seal_signatures(uint8_t *signatures, uint32_t bytes)
{
	uint64_t sum = signatures_sum(signatures, bytes);

	memcpy(signatures, &sum, sizeof(sum));
}

bool
names_are_sealed(const uint8_t *signatures, uint32_t bytes)
{
	uint64_t sum;

	if (bytes <= NAMES_SUM_BYTES || bytes > NAMES_SIGNATURES_BYTES)
		return false;
	memcpy(&sum, signatures, sizeof(sum));
	return sum == signatures_sum(signatures, bytes);
}

const uint8_t *
catalogue_signatures(const struct catalogue *catalogue,
		     const struct file_facts *facts)
{
	const struct names *names = catalogue_names(catalogue, facts);
	const uint8_t *signatures;

	/* R7: of another process */
	if (facts->signatures_bytes == 0 || names == NULL ||
	    names->bytes > NAMES_FILE_BYTES)
		return NULL;
	signatures = (const uint8_t *)(names + 1) + names->bytes;
	return names_are_sealed(signatures, facts->signatures_bytes)
		       ? signatures
		       : NULL;
}

int
catalogue_reserve_names(const struct catalogue *catalogue,
			struct names_lane *lane, uint64_t off)
{
	const struct table *table = &catalogue->names;
	int error = 0;

	while (error == 0 && lane->extents_nr <= off / NAMES_EXTENT_BYTES) {
		uint64_t from = lane->extents_nr * NAMES_EXTENT_BYTES;

		error = table_reserve_at(table,
					 names_place(lane->idx, lane->nr, from),
					 NAMES_EXTENT_BYTES);
		lane->extents_nr += error == 0;
	}
	return error;
}
