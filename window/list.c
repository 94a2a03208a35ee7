/* SPDX-License-Identifier: MIT */
/*
 * list.c - what is in a window, as copies, sums and words.
 */
#include "window/window_impl.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

static const char *const type_names[] = {
#define TYPE(id, name) [WINDOW_##id] = name,
#include "window/window.def"
};
static const char *const strategy_names[] = {
#define STRATEGY(id, name) [WINDOW_##id] = name,
#include "window/window.def"
};
static const char *const tier_names[] = {
#define TIER(id, name, allows_all) [WINDOW_TIER_##id] = name,
#include "window/window.def"
};
static const char *const event_names[] = {
#define EVENT(id, name) [WINDOW_EVENT_##id] = name,
#include "window/window.def"
};
static const char *const reason_names[] = { "manual", "compaction", "clear" };

const char *
window_reason_name(enum window_reason reason)
{
	return reason_names[reason];
}

const char *
window_type_name(enum window_type type)
{
	return type_names[type];
}

const char *
window_strategy_name(enum window_strategy strategy)
{
	return strategy_names[strategy];
}

const char *
window_tier_name(enum window_tier tier)
{
	return tier_names[tier];
}

/* The number of a word, `nr` if there is none. */
static unsigned
find_name(const char *const *names, unsigned nr, const char *name)
{
	unsigned i = 0;

	while (i < nr && strcmp(names[i], name) != 0)
		i++;
	return i;
}

bool
window_type_find(const char *name, enum window_type *out)
{
	unsigned i = find_name(type_names, WINDOW_TYPE_NR, name);

	if (i < WINDOW_TYPE_NR)
		*out = (enum window_type)i;
	return i < WINDOW_TYPE_NR;
}

bool
window_strategy_find(const char *name, enum window_strategy *out)
{
	unsigned i = find_name(strategy_names, WINDOW_STRATEGY_NR, name);

	if (i < WINDOW_STRATEGY_NR)
		*out = (enum window_strategy)i;
	return i < WINDOW_STRATEGY_NR;
}

static bool
passes(const struct window_item *item, const struct window_filter *filter)
{
	return filter == NULL ||
	       ((!filter->by_type || item->type == filter->type) &&
		(!filter->pinned_only || item->pinned));
}

void
window_list_free(struct window_list *list)
{
	free(list->items);
	*list = (struct window_list){ 0 };
}

int
window_list(struct window *window, const struct window_filter *filter,
	    struct window_list *out)
{
	struct window_list list = { 0 };
	size_t bytes = 1;
	char *texts = NULL; /* behind the items */

	pthread_mutex_lock(&window->lock);
	for (size_t i = 0; i < window->nr; i++)
		bytes += sizeof(*list.items) +
			 item_text_bytes(&window->entries[i]->item);
	list.items = malloc(bytes);
	if (list.items != NULL)
		texts = (char *)(list.items + window->nr);
	for (size_t i = 0; list.items != NULL && i < window->nr; i++) {
		const struct window_item *item = &window->entries[i]->item;

		if (passes(item, filter))
			texts = item_copy(&list.items[list.nr++], item, texts);
	}
	pthread_mutex_unlock(&window->lock);
	if (list.items == NULL)
		return -ENOMEM;
	*out = list;
	return 0;
}

void
window_stats(struct window *window, struct window_stats *out)
{
	*out = (struct window_stats){ 0 };
	pthread_mutex_lock(&window->lock);
	out->items = window->nr;
	out->tokens = window->tokens;
	out->max_tokens = window->options.max_tokens;
	out->available = out->max_tokens > out->tokens
				 ? out->max_tokens - out->tokens
				 : 0;
	out->usage = window_usage(window, window->tokens);
	out->threshold = window->options.threshold;
	out->strategy = window->options.strategy;
	for (size_t i = 0; i < window->nr; i++) {
		const struct window_item *item = &window->entries[i]->item;

		out->pinned += item->pinned;
		out->items_by_type[item->type]++;
		out->tokens_by_type[item->type] += item->tokens;
	}
	out->compactions = window->compactions;
	out->freed_tokens = window->freed_tokens;
	out->add = window->add;
	out->build = window->build;
	pthread_mutex_unlock(&window->lock);
}

static void
print_histogram(FILE *out, const char *name,
		const struct window_latency *latency)
{
	uint64_t sum = 0;

	fprintf(out, "# TYPE bale_window_%s_seconds histogram\n", name);
	for (unsigned i = 0; i < WINDOW_BUCKET_NR; i++) {
		sum += latency->buckets[i];
		fprintf(out, "bale_window_%s_seconds_bucket{le=\"%.6f\"} %ju\n",
			name, (double)(1ull << i) / 1e6, sum);
	}
	fprintf(out,
		"bale_window_%s_seconds_bucket{le=\"+Inf\"} %ju\n"
		"bale_window_%s_seconds_count %ju\n"
		"bale_window_%s_seconds_sum %.9f\n",
		name, latency->nr, name, latency->nr, name,
		(double)latency->sum_ns / 1e9);
}

char *
window_metrics(struct window *window)
{
	struct window_stats stats;
	char *text;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	if (out == NULL)
		return NULL;
	window_stats(window, &stats);
	fprintf(out,
		"# TYPE bale_window_items gauge\n"
		"bale_window_items %zu\n"
		"# TYPE bale_window_tokens gauge\n"
		"bale_window_tokens %ju\n"
		"# TYPE bale_window_usage_percent gauge\n"
		"bale_window_usage_percent %.3f\n"
		"# TYPE bale_window_compactions counter\n"
		"bale_window_compactions_total %ju\n"
		"# TYPE bale_window_tokens_freed counter\n"
		"bale_window_tokens_freed_total %ju\n",
		stats.items, stats.tokens, stats.usage, stats.compactions,
		stats.freed_tokens);
	print_histogram(out, "add", &stats.add);
	print_histogram(out, "build", &stats.build);
	fputs("# EOF\n", out);
	return text_end(out, &text);
}

static json_t *
event_fields(const struct window_event *event)
{
	switch (event->kind) {
	case WINDOW_EVENT_ADDED:
		return json_pack("{s:s, s:s, s:I, s:I}", "id", event->id,
				 "type", type_names[event->type], "tokens",
				 (json_int_t)event->tokens, "total_tokens",
				 (json_int_t)event->total_tokens);
	case WINDOW_EVENT_REMOVED:
		return json_pack("{s:s, s:s, s:I, s:I, s:s}", "id", event->id,
				 "type", type_names[event->type], "tokens",
				 (json_int_t)event->tokens, "total_tokens",
				 (json_int_t)event->total_tokens, "reason",
				 reason_names[event->reason]);
	case WINDOW_EVENT_COMPACTED:
		return json_pack("{s:s, s:b, s:i, s:I, s:I, s:f, s:f}",
				 "strategy", strategy_names[event->strategy],
				 "fell_back", event->fell_back, "items_removed",
				 (int)event->items, "tokens_freed",
				 (json_int_t)event->tokens, "total_tokens",
				 (json_int_t)event->total_tokens,
				 "usage_before", event->usage_before,
				 "usage_after", event->usage_after);
	case WINDOW_EVENT_CLEARED:
		return json_pack("{s:i, s:I, s:I, s:b}", "items_cleared",
				 (int)event->items, "tokens_cleared",
				 (json_int_t)event->tokens, "total_tokens",
				 (json_int_t)event->total_tokens,
				 "included_pinned", event->included_pinned);
	case WINDOW_EVENT_BUILT:
		return json_pack("{s:i, s:i, s:I, s:b, s:f}", "items_included",
				 (int)event->items, "items_excluded",
				 (int)event->items_excluded, "total_tokens",
				 (json_int_t)event->total_tokens,
				 "was_compacted", event->was_compacted,
				 "build_ms", (double)event->build_ns / 1e6);
	default:
		return NULL;
	}
}

char *
window_event_json(const struct window_event *event)
{
	json_t *all = json_pack("{s:s, s:I}", "event", event_names[event->kind],
				"time_ms", (json_int_t)event->time_ms);
	json_t *fields = event_fields(event);
	char *json = NULL;
	char *line = NULL;

	if (all != NULL && fields != NULL &&
	    json_object_update(all, fields) == 0)
		json = json_dumps(all, JSON_COMPACT | JSON_REAL_PRECISION(6));
	json_decref(all);
	json_decref(fields);
	if (json != NULL && asprintf(&line, "%s\n", json) < 0)
		line = NULL;
	free(json);
	return line;
}
