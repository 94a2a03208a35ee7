/* SPDX-License-Identifier: MIT */
/*
 * window_impl.h - the inside of a window, for the files that make it up.
 *
 *   items.c    create, add, remove, list, statistics
 *   room.c     making room
 *   build.c    the context
 *   save.c     to JSON and back
 *
 * Invariants:
 *   1. entries[0..nr) are sorted by entry_order(); everything else in struct
 *      window is only looked at with the lock held, but for `tok`, `cache`,
 *      the encoding and the callbacks, which are set once.
 *   2. An entry is never changed but for priority and pin; its texts lie
 *      behind it.
 *   3. Events are put in a queue under the lock and sent after it.
 */
#ifndef WINDOW_WINDOW_IMPL_H
#define WINDOW_WINDOW_IMPL_H

#include <pthread.h>

#include <stdio.h>
#include <stdlib.h>

#include "base/utf8.h"
#include "tokenizer/tokenizer.h"
#include "window/window.h"

/* Ends a text of open_memstream(3), which is freed where memory ran out: NULL. */
static inline char *
text_end(FILE *out, char **text)
{
	bool failed = ferror(out) != 0;

	if (fclose(out) == 0 && !failed)
		return *text;
	free(*text);
	*text = NULL;
	return NULL;
}

/* Whether there is nothing but blanks, tabs and ends of lines. */
static inline bool
text_is_blank(const char *bytes, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		if (strchr(" \t\r\n\v\f", bytes[i]) == NULL || bytes[i] == '\0')
			return false;
	}
	return true;
}

struct entry {
	struct window_item item;
	uint64_t seq; /* breaks ties of age */
	char texts[]; /* id, content, source_ref, role, metadata */
};

struct events {
	struct window_event *events;
	size_t nr;
	size_t room;
};

struct window {
	pthread_mutex_t lock;
	const struct tokenizer *tok;
	struct tokenizer_cache *cache; /* shared by all threads */
	struct window_options options; /* texts are copies of ours */
	/* from here on, what it holds */
	struct entry *entries[WINDOW_ITEMS_MAX];
	size_t nr;
	uint64_t tokens;
	uint64_t next_seq;
	uint64_t compactions;
	uint64_t freed_tokens;
	struct window_latency add;
	struct window_latency build;
};

#define WINDOW_HELD_BYTES \
	(sizeof(struct window) - offsetof(struct window, entries))

/* The items to be removed, and their replacement. */
struct eviction_plan {
	bool evicted[WINDOW_ITEMS_MAX]; /* by place in entries */
	size_t removed_nr;
	uint64_t removed_tokens;
	struct entry *summary; /* NULL: none */
	enum window_strategy strategy;
	bool fell_back;
};

/*
 * shape:  a copy of an item, checked and counted; takes no lock
 * owner:  the caller: free()
 * errors: -EINVAL, -ENOMEM, with a sentence
 */
int
entry_create(const struct window *window, const struct window_item *item,
	     struct entry **out, struct window_error *error);

/* Bytes that the texts of an item take. */
size_t
item_text_bytes(const struct window_item *item);

/* Copies an item, its texts to `at`; what is behind them. */
char *
item_copy(struct window_item *out, const struct window_item *item, char *at);

/*
 * shape:  puts an entry in its place; there is room
 * owner:  the window's
 * calls:  with the lock held
 */
void
window_insert(struct window *window, struct entry *entry);

/* Removes and frees the entries that are marked, by their places: how many. With
 * the lock held. */
size_t
window_evict(struct window *window, const bool evicted[WINDOW_ITEMS_MAX],
	     enum window_reason reason, struct events *events);

/* The place of an id, window->nr if there is none. With the lock held. */
size_t
window_find(const struct window *window, const char *id);

/*
 * shape:  what to remove so that at most target_tokens are left
 * owner:  eviction_plan_fini() or room_carry_out()
 * errors: as window_compact(); nothing is changed
 * calls:  with the lock held
 */
int
eviction_plan(struct window *window,
	      const struct window_compact_options *options,
	      uint64_t target_tokens, struct eviction_plan *plan,
	      struct window_error *error);

/*
 * shape:  the same by the window's own strategy; where that one cannot be had,
 *         by removing low priority
 * errors: -ENOMEM
 */
int
eviction_plan_automatic(struct window *window, uint64_t target_tokens,
			struct eviction_plan *plan, struct window_error *error);

/* Frees the plan. */
void
eviction_plan_fini(struct eviction_plan *plan);

/* Tokens that carrying it out gives back. */
uint64_t
eviction_plan_frees(const struct eviction_plan *plan);

/* Removes, inserts, counts, queues events. With the lock held. */
void
room_carry_out(struct window *window, struct eviction_plan *plan,
	       struct events *events);

/* Places of entries by their age, the oldest first; arg: struct window. calls:
 * qsort_r(3) */
int
entry_compare_age(const void *left, const void *right, void *arg);

/* Whether limits that are given can be those of a window: 0 or -EINVAL. */
int
window_check_limits(uint64_t max_tokens, double threshold,
		    enum window_strategy strategy, struct window_error *error);

/*
 * shape:  an event in the queue with its time set; NULL: nobody listens, or
 *         no memory: an event is lost rather than a change
 */
struct window_event *
events_add(const struct window *window, struct events *events,
	   enum window_event_kind kind);

/* One about an item, ADDED or REMOVED, after the window has changed. */
void
events_add_item(const struct window *window, struct events *events,
		enum window_event_kind kind, const struct window_item *item,
		enum window_reason reason);

/* Sends and frees the queue. Without the lock. */
void
events_send(const struct window *window, struct events *events);

/* Counts one more that took so long. */
void
latency_add(struct window_latency *latency, uint64_t ns);

/* Fills *error, if not NULL; returns `result`. */
int
window_fail(struct window_error *error, int result, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Tokens of a text, in the window's encoding. */
uint64_t
window_count(const struct window *window, const char *text, size_t bytes);

/* tokens as a share of the limit, in per cent. */
double
window_usage(const struct window *window, uint64_t tokens);

#endif
