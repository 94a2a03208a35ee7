/* SPDX-License-Identifier: MIT */
/*
 * atomic.h - words of shared memory, each access with its order in its name.
 *
 * Does: names the five kinds of access that there are: what a release store
 *       has published an acquire load of the same word sees, with all that
 *       was written before; relaxed is the word alone.
 */
#ifndef SHM_ATOMIC_H
#define SHM_ATOMIC_H

#include <stdatomic.h>

#define load_relaxed(word) atomic_load_explicit(word, memory_order_relaxed)
#define load_acquire(word) atomic_load_explicit(word, memory_order_acquire)
#define store_relaxed(word, value) \
	atomic_store_explicit(word, value, memory_order_relaxed)
#define store_release(word, value) \
	atomic_store_explicit(word, value, memory_order_release)
#define add_relaxed(word, value) \
	atomic_fetch_add_explicit(word, value, memory_order_relaxed)

#endif
