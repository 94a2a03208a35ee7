/* SPDX-License-Identifier: MIT */
/*
 * atomic.h - accesses to shared memory, with the memory order in the name.
 *
 * Does: defines the five kinds of access in use. An acquire load sees what a
 *       release store of the same word has published, and everything written
 *       before; relaxed orders nothing but the word.
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
