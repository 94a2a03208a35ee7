/* SPDX-License-Identifier: MIT */
/*
 * items.c - the items of a window and what is told about them.
 */
#include "window/window_impl.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <jansson.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/sorted.h"
#include "base/unique.h"
#include "tokenizer/models.h"

#define CACHE_LOG2 12

int
window_fail(struct window_error *error, int result, const char *format, ...)
{
	va_list args;

	if (error == NULL)
		return result;
	va_start(args, format);
	vsnprintf(error->text, sizeof(error->text), format, args);
	va_end(args);
	return result;
}

static int
fail_memory(struct window_error *error)
{
	window_fail(error, -ENOMEM, "out of memory");
	return -ENOMEM;
}

void
latency_add(struct window_latency *latency, uint64_t ns)
{
	unsigned bucket = 0;

	while (bucket < WINDOW_BUCKET_NR - 1 && 1000ull << bucket < ns)
		bucket++;
	latency->nr++;
	latency->sum_ns += ns;
	latency->buckets[bucket]++;
}

uint64_t
window_latency_p95_us(const struct window_latency *latency)
{
	uint64_t seen = 0;

	for (unsigned i = 0; i < WINDOW_BUCKET_NR; i++) {
		seen += latency->buckets[i];
		if (latency->nr > 0 && seen * 100 >= latency->nr * 95)
			return 1ull << i;
	}
	return 0;
}

uint64_t
window_count(const struct window *window, const char *text, size_t bytes)
{
	return tokenizer_count(window->tok, window->cache,
			       (const uint8_t *)text, bytes);
}

double
window_usage(const struct window *window, uint64_t tokens)
{
	return 100.0 * (double)tokens / (double)window->options.max_tokens;
}

struct window_options
window_defaults(void)
{
	return (struct window_options){
		.encoding = "o200k_base",
		.max_tokens = WINDOW_MAX_TOKENS_DEFAULT,
		.threshold = WINDOW_THRESHOLD_DEFAULT,
		.strategy = WINDOW_REMOVE_LOW_PRIORITY,
	};
}

int
window_check_limits(uint64_t max_tokens, double threshold,
		    enum window_strategy strategy, struct window_error *error)
{
	if (max_tokens == 0 || max_tokens > WINDOW_TOKENS_MAX)
		return window_fail(error, -EINVAL,
				   "BALE-WIN-009 a limit of %ju tokens is not "
				   "1 to %llu",
				   max_tokens, WINDOW_TOKENS_MAX);
	if (!(threshold > 0 && threshold <= 100))
		return window_fail(error, -EINVAL,
				   "BALE-WIN-009 a threshold of %g %% is not "
				   "above 0 and at most 100; the default is "
				   "%g",
				   threshold, WINDOW_THRESHOLD_DEFAULT);
	if ((unsigned)strategy >= WINDOW_STRATEGY_NR)
		return window_fail(error, -EINVAL,
				   "BALE-WIN-009 unknown strategy %u; there "
				   "are remove_oldest, remove_low_priority, "
				   "summarize, selective",
				   (unsigned)strategy);
	return 0;
}

bool
window_is_estimate(const struct window *window)
{
	return tokenizer_is_estimate(window->tok);
}

static int
open_tokenizer(struct window *window, const char *encoding,
	       struct window_error *error)
{
	size_t bytes = tokenizer_cache_bytes(CACHE_LOG2);
	void *mem;

	if (tokenizer_open(&window->tok, encoding) != 0)
		return window_fail(
			error, -ENOENT,
			"BALE-WIN-009 unknown encoding \"%s\": expected "
			"one of " TOKENIZER_ENCODINGS "%s",
			encoding, TOKENIZER_ENCODING_HINT(encoding));
	mem = aligned_alloc(CACHE_LINE_BYTES,
			    round_up_u64(bytes, CACHE_LINE_BYTES));
	if (mem == NULL)
		return fail_memory(error);
	window->cache = tokenizer_cache_init(mem, CACHE_LOG2);
	return 0;
}

static int
copy_query(struct window *window)
{
	if (window->options.query == NULL)
		return 0;
	window->options.query = strdup(window->options.query);
	return window->options.query == NULL ? -ENOMEM : 0;
}

int
window_create(struct window **out, const struct window_options *options,
	      struct window_error *error)
{
	struct window *window = calloc(1, sizeof(*window));
	struct window_options *own;
	int result;

	if (window == NULL)
		return fail_memory(error);
	own = &window->options;
	*own = *options;
	result = copy_query(window);
	if (result == 0)
		result = window_check_limits(own->max_tokens, own->threshold,
					     own->strategy, error);
	if (result == 0)
		result = open_tokenizer(window,
					own->encoding != NULL ? own->encoding
							      : "o200k_base",
					error);
	if (result != 0) {
		free((void *)(uintptr_t)own->query);
		free(window);
		return result == -ENOMEM ? fail_memory(error) : result;
	}
	own->encoding = tokenizer_name(window->tok);
	pthread_mutex_init(&window->lock, NULL);
	*out = window;
	return 0;
}

void
window_destroy(struct window *window)
{
	if (window == NULL)
		return;
	for (size_t i = 0; i < window->nr; i++)
		free(window->entries[i]);
	pthread_mutex_destroy(&window->lock);
	free((void *)(uintptr_t)window->options.query);
	free(window->cache);
	free(window);
}

/*
 * shape:  -1, 0, 1: type, then priority (greater first), then age (older
 *         first), then the order of adding
 */
static int
entry_order(const struct entry *a, const struct entry *b)
{
	if (a->item.type != b->item.type)
		return a->item.type < b->item.type ? -1 : 1;
	if (a->item.priority != b->item.priority)
		return a->item.priority > b->item.priority ? -1 : 1;
	if (a->item.added_ms != b->item.added_ms)
		return a->item.added_ms < b->item.added_ms ? -1 : 1;
	return a->seq < b->seq ? -1 : a->seq > b->seq;
}

int
entry_compare_age(const void *left, const void *right, void *arg)
{
	const struct window *window = arg;
	const struct entry *a = window->entries[*(const uint32_t *)left];
	const struct entry *b = window->entries[*(const uint32_t *)right];

	if (a->item.added_ms != b->item.added_ms)
		return a->item.added_ms < b->item.added_ms ? -1 : 1;
	return a->seq < b->seq ? -1 : a->seq > b->seq;
}

static int
check_metadata(const char *metadata, struct window_error *error)
{
	json_t *json;

	if (metadata == NULL)
		return 0;
	json = json_loads(metadata, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL,
			  NULL);
	if (json_is_object(json)) {
		json_decref(json);
		return 0;
	}
	json_decref(json);
	return window_fail(error, -EINVAL,
			   "BALE-WIN-008 metadata is not a JSON object; give "
			   "it as {\"key\": value}");
}

static int
check_text(const char *what, const char *text, struct window_error *error)
{
	if (text == NULL || utf8_is_valid(text, strlen(text), NULL))
		return 0;
	return window_fail(error, -EINVAL,
			   "BALE-WIN-008 %s is not valid UTF-8; convert it "
			   "first",
			   what);
}

static int
check_id(const char *id, struct window_error *error)
{
	if (id == NULL || (*id != '\0' && strlen(id) < WINDOW_ID_BYTES))
		return check_text("the id", id, error);
	return window_fail(error, -EINVAL,
			   "BALE-WIN-008 an id has 1 to %d bytes; leave it "
			   "out to have one made",
			   WINDOW_ID_BYTES - 1);
}

static int
check_item(const struct window_item *item, struct window_error *error)
{
	size_t bad;
	int result;

	if (item->content == NULL ||
	    text_is_blank(item->content, item->content_bytes))
		return window_fail(error, -EINVAL,
				   "BALE-WIN-001 the content is empty; an "
				   "item needs some text");
	if (item->priority > WINDOW_PRIORITY_MAX)
		return window_fail(error, -EINVAL,
				   "BALE-WIN-002 priority %u is not 0 to %d",
				   item->priority, WINDOW_PRIORITY_MAX);
	if ((unsigned)item->type >= WINDOW_TYPE_NR)
		return window_fail(error, -EINVAL,
				   "BALE-WIN-003 type %u is not one of the %d "
				   "there are",
				   (unsigned)item->type, WINDOW_TYPE_NR);
	if (!utf8_is_valid(item->content, item->content_bytes, &bad))
		return window_fail(error, -EINVAL,
				   "BALE-WIN-008 the content is not valid "
				   "UTF-8 at byte %zu; convert it first",
				   bad);
	result = check_id(item->id, error);
	if (result == 0)
		result = check_text("the source", item->source_ref, error);
	if (result == 0)
		result = check_text("the role", item->role, error);
	return result == 0 ? check_metadata(item->metadata, error) : result;
}

/* A random (version 4) UUID. */
static void
make_id(char out[static WINDOW_ID_BYTES])
{
	uint64_t high = (unique_u64() & ~0xf000ull) | 0x4000;
	uint64_t low = unique_u64() >> 2 | 2ull << 62;

	snprintf(out, WINDOW_ID_BYTES, "%08jx-%04jx-%04jx-%04jx-%012jx",
		 high >> 32, high >> 16 & 0xffff, high & 0xffff, low >> 48,
		 low & 0xffffffffffff);
}

static size_t
text_bytes(const char *text)
{
	return text == NULL ? 0 : strlen(text) + 1;
}

size_t
item_text_bytes(const struct window_item *item)
{
	return text_bytes(item->id) + item->content_bytes + 1 +
	       text_bytes(item->source_ref) + text_bytes(item->role) +
	       text_bytes(item->metadata);
}

char *
item_copy(struct window_item *out, const struct window_item *item, char *at)
{
	const char *from[] = { item->id, item->source_ref, item->role,
			       item->metadata };
	const char **to[] = { &out->id, &out->source_ref, &out->role,
			      &out->metadata };

	*out = *item;
	for (size_t i = 0; i < ARRAY_LEN(from); i++) {
		if (from[i] == NULL)
			continue;
		*to[i] = at;
		at = stpcpy(at, from[i]) + 1;
	}
	out->content = memcpy(at, item->content, item->content_bytes);
	at += item->content_bytes;
	*at = '\0';
	return at + 1;
}

int
entry_create(const struct window *window, const struct window_item *item,
	     struct entry **out, struct window_error *error)
{
	char id[WINDOW_ID_BYTES];
	struct window_item own = *item;
	struct entry *entry;
	int result = check_item(item, error);

	if (result != 0)
		return result;
	if (own.id == NULL) {
		make_id(id);
		own.id = id;
	}
	if (own.tokens == 0)
		own.tokens =
			window_count(window, own.content, own.content_bytes);
	if (own.added_ms == 0)
		own.added_ms = clock_wall_ms();
	entry = malloc(sizeof(*entry) + item_text_bytes(&own));
	if (entry == NULL)
		return fail_memory(error);
	entry->seq = 0;
	item_copy(&entry->item, &own, entry->texts);
	*out = entry;
	return 0;
}

static bool
is_before_entry(const void *place, const void *entry)
{
	return entry_order(*(struct entry *const *)place, entry) < 0;
}

void
window_insert(struct window *window, struct entry *entry)
{
	size_t at = sorted_first(window->entries, window->nr,
				 sizeof(window->entries[0]), entry,
				 is_before_entry);

	ASSERT(window->nr < WINDOW_ITEMS_MAX);
	memmove(&window->entries[at + 1], &window->entries[at],
		(window->nr - at) * sizeof(window->entries[0]));
	window->entries[at] = entry;
	window->nr++;
	window->tokens += entry->item.tokens;
}

size_t
window_find(const struct window *window, const char *id)
{
	size_t i = 0;

	while (i < window->nr && strcmp(window->entries[i]->item.id, id) != 0)
		i++;
	return i;
}

struct window_event *
events_add(const struct window *window, struct events *events,
	   enum window_event_kind kind)
{
	struct window_event *event;

	if (window->options.on_event == NULL)
		return NULL;
	if (ARRAY_RESERVE(events->events, events->room, events->nr + 1) != 0)
		return NULL;
	event = &events->events[events->nr++];
	*event = (struct window_event){ .kind = kind,
					.time_ms = clock_wall_ms() };
	return event;
}

void
events_add_item(const struct window *window, struct events *events,
		enum window_event_kind kind, const struct window_item *item,
		enum window_reason reason)
{
	struct window_event *event = events_add(window, events, kind);

	if (event == NULL)
		return;
	snprintf(event->id, sizeof(event->id), "%s", item->id);
	event->type = item->type;
	event->tokens = item->tokens;
	event->total_tokens = window->tokens;
	event->reason = reason;
}

void
events_send(const struct window *window, struct events *events)
{
	for (size_t i = 0; i < events->nr; i++)
		window->options.on_event(window->options.arg,
					 &events->events[i]);
	free(events->events);
	*events = (struct events){ 0 };
}

size_t
window_evict(struct window *window, const bool evicted[WINDOW_ITEMS_MAX],
	     enum window_reason reason, struct events *events)
{
	size_t before = window->nr;
	size_t kept = 0;

	for (size_t i = 0; i < before; i++) {
		struct entry *entry = window->entries[i];

		if (!evicted[i]) {
			window->entries[kept++] = entry;
			continue;
		}
		window->tokens -= entry->item.tokens;
		events_add_item(window, events, WINDOW_EVENT_REMOVED,
				&entry->item, reason);
		free(entry);
	}
	window->nr = kept;
	return before - kept;
}
