/* SPDX-License-Identifier: MIT */
/*
 * fuzz_shm_desc.c - a consumer of a ring that somebody has scribbled over.
 *
 * Input: one byte (slabs), a ring with its slots. Whatever lies there, the
 * consumer refuses it, or ends by an assertion, or touches only slabs.
 *
 * verifies: R7
 */
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

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

static void
use(const struct slabs *slabs, const struct desc *desc)
{
	const uint8_t *content = slab_content(slabs, desc);

	if (content == NULL || desc->bytes == 0)
		return;
	/* the sanitizer looks at both ends */
	sink = content[0];
	sink = content[desc->bytes - 1];
	if (desc->kind == DESC_RUN && (desc->flags & DESC_EMIT) &&
	    desc->span_head < desc->span_tail) {
		sink = content[desc->span_head];
		sink = content[desc->span_tail - 1];
	}
}

static void
consume(struct ring_shm *shm, const struct slabs *slabs)
{
	struct ring ring;
	struct desc desc;

	if (ring_attach(&ring, shm) != 0 || ring.entry_nr > ENTRIES)
		return;
	for (uint64_t i = 0; ring_peek(&ring, i, &desc); i++)
		if (desc_valid(&desc, slabs->nr, SLAB_BYTES))
			use(slabs, &desc);
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
		consume(shm, &slabs);
	base_on_assert(NULL);
	free(shm);
	free(slabs.base);
	return 0;
}
