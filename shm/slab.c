/* SPDX-License-Identifier: MIT */
/*
 * slab.c - making a use after release visible.
 */
#include "shm/slab.h"

#ifdef BALE_DEBUG
#include <string.h>

void
slab_poison(const struct slabs *slabs, uint32_t idx)
{
	memset(slab_at(slabs, idx), 0xdb, SLAB_BYTES);
}
#else
void
slab_poison(const struct slabs *slabs, uint32_t idx)
{
	ASSERT(idx < slabs->nr);
}
#endif
