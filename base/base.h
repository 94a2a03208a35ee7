/* SPDX-License-Identifier: MIT */
/*
 * base.h - what every file may use: assertions and checked arithmetic.
 *
 * Does: ASSERT (always compiled in), DASSERT (debug builds), min/max and
 *       array length, the order of bytes, additions that cannot wrap
 *       unnoticed.
 * Does not: allocate, log or call the system, but for the death of ASSERT.
 */
#ifndef BASE_BASE_H
#define BASE_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define CACHE_LINE_BYTES 64

/* Sanitizers need unlimited memory and address space for their records. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define IS_SANITIZED true
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
	__has_feature(memory_sanitizer)
#define IS_SANITIZED true
#endif
#endif
#ifndef IS_SANITIZED
#define IS_SANITIZED false
#endif

#define ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))

/*
 * Our own bugs end the process at once: the supervisor sees SIGABRT and the
 * text in the panic slot (see diag.h), which a worker sets up by
 * base_on_assert().
 */
typedef void
base_assert_fn(const char *what, const char *file, int line);

/*
 * shape:  sets who is told of a failed assertion before the abort
 * owner:  one per process; NULL for nobody
 * calls:  the supervisor and each worker, once, at start
 */
void
base_on_assert(base_assert_fn *fn);

/* Ends the process for ASSERT(); says which condition failed, and where. */
_Noreturn void
base_assert_failed(const char *what, const char *file, int line);

#define ASSERT(cond) \
	((cond) ? (void)0 : base_assert_failed(#cond, __FILE__, __LINE__))

#ifdef BALE_DEBUG
#define DASSERT(cond) ASSERT(cond)
#else
#define DASSERT(cond) ((void)0)
#endif

/* The lesser of two. */
static inline uint64_t
min_u64(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* The greater of two. */
static inline uint64_t
max_u64(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* The lesser of two. */
static inline size_t
min_size(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Negative, 0, positive: bytes as a path, a shorter one before what it is the
 * beginning of. */
static inline int
compare_bytes(const void *a, size_t a_bytes, const void *b, size_t b_bytes)
{
	int order = memcmp(a, b, min_size(a_bytes, b_bytes));

	return order != 0 ? order : (a_bytes > b_bytes) - (a_bytes < b_bytes);
}

/* Whether so many bytes are a word. */
static inline bool
bytes_are(const void *bytes, size_t nr, const char *word)
{
	return nr == strlen(word) && memcmp(bytes, word, strlen(word)) == 0;
}

/* Whether the bytes up to `end` begin with a word. */
static inline bool
bytes_begin(const void *at, const void *end, const char *word)
{
	size_t nr = strlen(word);

	return (size_t)((const char *)end - (const char *)at) >= nr &&
	       memcmp(at, word, nr) == 0;
}

/* A number whose first byte is its highest. */
static inline uint32_t
load_be32(const uint8_t *at)
{
	return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 |
	       (uint32_t)at[2] << 8 | at[3];
}

/* Whether a text is one of those. */
static inline bool
text_is_among(const char *text, const char *const *texts, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (strcmp(texts[i], text) == 0)
			return true;
	return false;
}

/* A sum of tokens or bytes that saturates instead of wrapping. */
static inline uint64_t
add_sat_u64(uint64_t a, uint64_t b)
{
	uint64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

/*
 * Part of a whole, rounded down, without an overflow on the way: shares
 * are small.
 */
static inline uint64_t
scale_u64(uint64_t whole, uint64_t part, uint64_t of)
{
	return whole / of * part + whole % of * part / of;
}

/* Rounds up to a multiple; an overflow would be our own bug. */
static inline uint64_t
round_up_u64(uint64_t n, uint64_t multiple)
{
	return (n + multiple - 1) / multiple * multiple;
}

#endif
