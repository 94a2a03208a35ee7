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
	uint32_t names_bytes = names == NULL ? 0 : names->bytes;
	uint32_t bytes = facts->signatures_bytes;
	const struct table *table;
	const uint8_t *signatures;
	uint64_t off;

	/* R7: of another process */
	if (bytes == 0 || bytes > NAMES_SIGNATURES_BYTES || names == NULL ||
	    names_bytes > NAMES_FILE_BYTES)
		return NULL;
	table = catalogue_names_table(catalogue, facts, &off);
	signatures = table_at(table, off + sizeof(*names) + names_bytes, bytes);
	return names_are_sealed(signatures, bytes) ? signatures : NULL;
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
