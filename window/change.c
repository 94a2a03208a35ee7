/* SPDX-License-Identifier: MIT */
/*
 * change.c - items that are added, removed and changed, and the limits of a
 *            window.
 */
#include "window/window_impl.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"

static int
fail_full(struct window_error *error, const struct window *window,
	  uint64_t tokens)
{
	return window_fail(error, -E2BIG,
			   "BALE-WIN-004 the window is full: %ju of %ju "
			   "tokens in use, %ju requested, and compaction "
			   "cannot make room; unpin or remove items, or raise "
			   "the limit",
			   window->tokens, window->options.max_tokens, tokens);
}

/* Makes room for an entry and puts it in. With the lock held. */
static int
add_locked(struct window *window, struct entry *entry, struct events *events,
	   struct window_error *error)
{
	uint64_t tokens = entry->item.tokens;
	uint64_t max = window->options.max_tokens;
	double threshold = window->options.threshold;
	struct eviction_plan plan = { .summary = NULL };

	if (window->nr == WINDOW_ITEMS_MAX)
		return window_fail(error, -E2BIG,
				   "BALE-WIN-005 the window has %d items, "
				   "which is all it can hold; compact it or "
				   "remove some",
				   WINDOW_ITEMS_MAX);
	if (window_find(window, entry->item.id) != window->nr)
		return window_fail(error, -EEXIST,
				   "BALE-WIN-007 there is an item with this "
				   "id already; remove it first, or give "
				   "another id");
	if (window_usage(window, add_sat_u64(window->tokens, tokens)) >
	    threshold) {
		double target = threshold - WINDOW_THRESHOLD_DROP;
		int result = eviction_plan_automatic(
			window,
			target > 0 ? (uint64_t)((double)max * target / 100) : 0,
			&plan, error);

		if (result != 0)
			return result;
	}
	if (add_sat_u64(window->tokens - eviction_plan_frees(&plan), tokens) >
	    max) {
		eviction_plan_fini(&plan);
		return fail_full(error, window, tokens);
	}
	if (plan.removed_nr > 0)
		room_carry_out(window, &plan, events);
	entry->seq = window->next_seq++;
	window_insert(window, entry);
	events_add_item(window, events, WINDOW_EVENT_ADDED, &entry->item,
			WINDOW_BY_HAND);
	return 0;
}

/* No item is older than those that are there: a clock that was set back would
 * turn the conversation round. */
static void
keep_order(const struct window *window, struct window_item *item)
{
	for (size_t i = 0; i < window->nr; i++)
		if (window->entries[i]->item.added_ms > item->added_ms)
			item->added_ms = window->entries[i]->item.added_ms;
}

int
window_add(struct window *window, const struct window_item *item, char *id,
	   struct window_error *error)
{
	uint64_t begun = clock_now_ns();
	struct events events = { 0 };
	struct entry *entry;
	int result = entry_create(window, item, &entry, error);

	if (result != 0)
		return result;
	pthread_mutex_lock(&window->lock);
	/* another thread may remove the entry as soon as we let go */
	if (id != NULL)
		snprintf(id, WINDOW_ID_BYTES, "%s", entry->item.id);
	if (item->added_ms == 0)
		keep_order(window, &entry->item);
	result = add_locked(window, entry, &events, error);
	if (result == 0)
		latency_add(&window->add, clock_now_ns() - begun);
	pthread_mutex_unlock(&window->lock);
	if (result != 0)
		free(entry);
	events_send(window, &events);
	return result;
}

int
window_remove(struct window *window, const char *id)
{
	bool evicted[WINDOW_ITEMS_MAX + 1] = { false };
	struct events events = { 0 };
	size_t removed_nr;

	pthread_mutex_lock(&window->lock);
	evicted[window_find(window, id)] = true;
	removed_nr = window_evict(window, evicted, WINDOW_BY_HAND, &events);
	pthread_mutex_unlock(&window->lock);
	events_send(window, &events);
	return removed_nr == 1 ? 0 : -ENOENT;
}

int
window_set_priority(struct window *window, const char *id, uint32_t priority)
{
	struct entry *entry;
	size_t place;
	bool is_there;

	if (priority > WINDOW_PRIORITY_MAX)
		return -EINVAL;
	pthread_mutex_lock(&window->lock);
	place = window_find(window, id);
	is_there = place < window->nr;
	if (is_there) {
		entry = window->entries[place];
		window->nr--;
		memmove(&window->entries[place], &window->entries[place + 1],
			(window->nr - place) * sizeof(window->entries[0]));
		window->tokens -= entry->item.tokens;
		entry->item.priority = priority;
		window_insert(window, entry);
	}
	pthread_mutex_unlock(&window->lock);
	return is_there ? 0 : -ENOENT;
}

int
window_set_pin(struct window *window, const char *id, bool pinned)
{
	size_t place;
	bool is_there;

	pthread_mutex_lock(&window->lock);
	place = window_find(window, id);
	is_there = place < window->nr;
	if (is_there)
		window->entries[place]->item.pinned = pinned;
	pthread_mutex_unlock(&window->lock);
	return is_there ? 0 : -ENOENT;
}

int
window_set_limits(struct window *window, uint64_t max_tokens, double threshold,
		  enum window_strategy strategy, struct window_error *error)
{
	int result =
		window_check_limits(max_tokens, threshold, strategy, error);

	if (result != 0)
		return result;
	pthread_mutex_lock(&window->lock);
	window->options.max_tokens = max_tokens;
	window->options.threshold = threshold;
	window->options.strategy = strategy;
	pthread_mutex_unlock(&window->lock);
	return 0;
}

size_t
window_clear(struct window *window, bool with_pinned)
{
	bool evicted[WINDOW_ITEMS_MAX];
	struct events events = { 0 };
	struct window_event *event;
	uint64_t before;
	size_t cleared;

	pthread_mutex_lock(&window->lock);
	before = window->tokens;
	for (size_t i = 0; i < window->nr; i++)
		evicted[i] = with_pinned || !window->entries[i]->item.pinned;
	cleared = window_evict(window, evicted, WINDOW_BY_CLEAR, &events);
	event = events_add(window, &events, WINDOW_EVENT_CLEARED);
	if (event != NULL) {
		event->items = (uint32_t)cleared;
		event->tokens = before - window->tokens;
		event->total_tokens = window->tokens;
		event->included_pinned = with_pinned;
	}
	pthread_mutex_unlock(&window->lock);
	events_send(window, &events);
	return cleared;
}
