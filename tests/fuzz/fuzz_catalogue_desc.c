/* SPDX-License-Identifier: MIT */
/*
 * fuzz_shm_desc.c - a consumer of a ring that somebody has scribbled over.
 *
 * Input: one byte (slabs, and whether they are written as they are), a ring
 * with its slots. Whatever lies there, the consumer refuses it, or ends by an
 * assertion, or touches only slabs. What the stages themselves make of it:
 * fuzz_stages_desc.c.
 *
 * verifies: R7
 */
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "catalogue/desc.h"
#include "shm/ring.h"
#include "shm/slab.h"

#define SLABS_MAX 3
#define ENTRIES 16

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t bytes_nr);

static jmp_buf refused;

static void
on_assert(const char *what, const char *file, int line)
{
	longjmp(refused, 1);
}

static volatile uint8_t sink;

/* What is read of content. */
static void
use_content(const struct slabs *slabs, const struct desc *desc, uint32_t growth)
{
	const uint8_t *content = desc_content(slabs, desc);

	if (desc->bytes == 0)
		return;
	/* the sanitizer looks at both ends */
	sink = content[0];
	sink = content[desc->bytes - 1];
	/* of what it becomes in another format, format looks itself */
	if (desc->kind == DESC_RUN && (desc->flags & DESC_EMIT) &&
	    growth == DESC_GROWTH_NONE && desc->span_head < desc->span_tail) {
		sink = content[desc->span_head];
		sink = content[desc->span_tail - 1];
	}
}

/* What is read by a number in it, as its consumer does. */
static void
use(const struct slabs *slabs, const struct desc *desc, uint32_t growth)
{
	uint64_t in_flight[1] = { 0 }; /* of collect, a bit a slab */
	struct desc_terms terms;

	switch (desc->kind) {
	case DESC_SLAB:
		sink = (uint8_t)in_flight[desc->slab_idx / 64];
		break;
	case DESC_TERMS:
		memcpy(&terms, desc, sizeof(terms));
		if (terms.nr > 0)
			sink = terms.found[terms.nr - 1].times;
		break;
	case DESC_FILE:
	case DESC_RUN:
		/* of what was looked at, facts: nobody reads the content */
		if (desc->slab_idx == SLAB_NONE && desc->bytes > 0 &&
		    (desc->kind == DESC_FILE || !(desc->flags & DESC_EMIT)))
			break;
		use_content(slabs, desc, growth);
		break;
	default:
		if (desc->kind == DESC_WHOLE || desc->kind == DESC_PART ||
		    desc->kind == DESC_RANGE)
			use_content(slabs, desc, growth);
	}
}

static void
consume(struct ring_shm *shm, const struct slabs *slabs, uint32_t growth)
{
	struct ring ring;
	struct desc desc;

	if (ring_attach(&ring, shm) != 0 || ring.entry_nr > ENTRIES)
		return;
	for (uint64_t i = 0; ring_peek(&ring, i, &desc); i++)
		if (desc_valid(&desc, slabs->nr, SLAB_BYTES, growth))
			use(slabs, &desc, growth);
	ring_pop_to(&ring, ring_tail(&ring));
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t bytes_nr)
{
	const size_t room =
		sizeof(struct ring_shm) + ENTRIES * sizeof(struct desc);
	struct ring_shm *shm;
	struct slabs slabs;

	if (bytes_nr < 1)
		return 0;
	slabs.nr = bytes[0] % (SLABS_MAX + 1);
	slabs.base = malloc((size_t)slabs.nr * SLAB_BYTES);
	shm = aligned_alloc(CACHE_LINE_BYTES, room);
	if (shm == NULL || (slabs.base == NULL && slabs.nr > 0))
		abort();
	memset(slabs.base, 0, (size_t)slabs.nr * SLAB_BYTES);
	memset(shm, 0, room);
	memcpy(shm, bytes + 1, min_size(bytes_nr - 1, room));
	base_on_assert(on_assert);
	if (setjmp(refused) == 0)
		consume(shm, &slabs,
			bytes[0] & 0x80 ? DESC_GROWTH_MAX : DESC_GROWTH_NONE);
	base_on_assert(NULL);
	free(shm);
	free(slabs.base);
	return 0;
}
