/* SPDX-License-Identifier: MIT */
/*
 * save.c - a window as JSON, and back.
 *
 * What is read is checked as if it came from a stranger; a window changes only
 * when all of it is known to be good. docs/window.schema.json has the form.
 */
#include "window/window_impl.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/clock.h"
#include "base/json_values.h"
#include "window/json_text.h"
#include "window/store.h"

#define SAVE_VERSION 1
#define VALUES_MAX 1000000 /* 1,000 items with rich metadata */

/* A string, or null for NULL; NULL: no memory. */
static json_t *
text_or_null(const char *text)
{
	return text != NULL ? json_string(text) : json_null();
}

static json_t *
metadata_or_null(const char *metadata)
{
	return metadata != NULL ? json_loads(metadata, JSON_ALLOW_NUL, NULL)
				: json_null();
}

static json_t *
item_to_json(const struct entry *entry)
{
	const struct window_item *item = &entry->item;

	return json_pack("{s:s, s:s, s:i, s:I, s:b, s:I, s:o, s:o, s:o, s:o}",
			 "id", item->id, "type", window_type_name(item->type),
			 "priority", (int)item->priority, "tokens",
			 (json_int_t)item->tokens, "pinned", item->pinned,
			 "added_ms", (json_int_t)item->added_ms, "source_ref",
			 text_or_null(item->source_ref), "role",
			 text_or_null(item->role), "metadata",
			 metadata_or_null(item->metadata), "content",
			 json_stringn(item->content, item->content_bytes));
}

static json_t *
header_to_json(const struct window *window)
{
	const struct window_options *options = &window->options;

	return json_pack("{s:i, s:I, s:s, s:I, s:f, s:s, s:I, s:I}", "version",
			 SAVE_VERSION, "created_ms",
			 (json_int_t)clock_wall_ms(), "encoding",
			 options->encoding, "max_tokens",
			 (json_int_t)options->max_tokens, "threshold",
			 options->threshold, "strategy",
			 window_strategy_name(options->strategy), "compactions",
			 (json_int_t)window->compactions, "freed_tokens",
			 (json_int_t)window->freed_tokens);
}

/* How long something took; *key is set where it has been done. */
static int
latency_to_json(json_t *json, const char *key,
		const struct window_latency *latency)
{
	json_t *buckets = json_array();

	if (latency->nr == 0) {
		json_decref(buckets);
		return 0;
	}
	for (unsigned i = 0; buckets != NULL && i < WINDOW_BUCKET_NR; i++)
		json_array_append_new(
			buckets, json_integer((json_int_t)latency->buckets[i]));
	return json_object_set_new(json, key,
				   json_pack("{s:I, s:o}", "sum_ns",
					     (json_int_t)latency->sum_ns,
					     "buckets", buckets));
}

/* Whether entry a was added before b. */
static int
seq_order(const void *left, const void *right)
{
	const struct entry *const *a = left;
	const struct entry *const *b = right;

	return (*a)->seq < (*b)->seq ? -1 : (*a)->seq > (*b)->seq;
}

/* Items in the order in which they were added, so that ties stay broken. */
static json_t *
items_to_json(const struct window *window)
{
	struct entry *sorted[WINDOW_ITEMS_MAX];
	json_t *items = json_array();

	memcpy(sorted, window->entries, window->nr * sizeof(sorted[0]));
	qsort(sorted, window->nr, sizeof(sorted[0]), seq_order);
	for (size_t i = 0; items != NULL && i < window->nr; i++) {
		if (json_array_append_new(items, item_to_json(sorted[i])) !=
		    0) {
			json_decref(items);
			items = NULL;
		}
	}
	return items;
}

char *
window_save(struct window *window)
{
	char *text = NULL;
	json_t *items;
	json_t *json;
	int error;

	pthread_mutex_lock(&window->lock);
	json = header_to_json(window);
	error = latency_to_json(json, "add_latency", &window->add) |
		latency_to_json(json, "build_latency", &window->build);
	items = items_to_json(window);
	pthread_mutex_unlock(&window->lock);
	if (json != NULL && error == 0 && items != NULL &&
	    json_object_set(json, "items", items) == 0)
		text = json_text(json, JSON_INDENT(1));
	json_decref(items);
	json_decref(json);
	return text;
}

/* Brackets and braces within each other, outside of strings. */
static size_t
depth_of(const char *text)
{
	size_t depth = 0;
	size_t most = 0;

	for (; *text != '\0'; text++) {
		if (*text == '"')
			while (*++text != '"')
				text += *text == '\\';
		else if (*text == '[' || *text == '{')
			most = max_u64(most, ++depth);
		else if (*text == ']' || *text == '}')
			depth--;
	}
	return most;
}

int
window_check_saved(const char *text, size_t bytes, struct window_error *error)
{
	const char *why = NULL;

	if (bytes > STORE_BYTES_MAX)
		why = "its file would be larger than 256 MiB";
	else if (!json_values_within(text, bytes, VALUES_MAX))
		why = "its metadata has more than a million values";
	else if (depth_of(text) > JSON_PARSER_MAX_DEPTH)
		why = "its metadata is nested too deep";
	return why == NULL ? 0
			   : window_fail(error, -EFBIG,
					 "BALE-WIN-005 the window could not be "
					 "read again: %s; it is as it was",
					 why);
}

static int
fail_form(struct window_error *error, const char *what)
{
	return window_fail(error, -EBADMSG,
			   "BALE-WIN-014 this is not a window: %s; see "
			   "docs/window.md for the form",
			   what);
}

/* An integer from 0 to max, `standard` where there is none. */
static bool
read_number(const json_t *object, const char *key, uint64_t max,
	    uint64_t standard, uint64_t *out)
{
	const json_t *value = json_object_get(object, key);

	*out = standard;
	if (value == NULL)
		return true;
	if (!json_is_integer(value) || json_integer_value(value) < 0 ||
	    (uint64_t)json_integer_value(value) > max)
		return false;
	*out = (uint64_t)json_integer_value(value);
	return true;
}

/* A string without NUL inside, or null, or nothing: NULL. */
static bool
read_text(const json_t *object, const char *key, const char **out)
{
	const json_t *value = json_object_get(object, key);

	*out = json_string_value(value);
	if (value == NULL || json_is_null(value))
		return true;
	return *out != NULL && strlen(*out) == json_string_length(value);
}

/* Reads one item; *metadata is to be freed. */
static int
read_item(const json_t *json, struct window_item *item, char **metadata,
	  struct window_error *error)
{
	const json_t *content = json_object_get(json, "content");
	const json_t *extra = json_object_get(json, "metadata");
	const json_t *pinned = json_object_get(json, "pinned");
	const char *type;
	uint64_t priority;

	*item = (struct window_item){ 0 };
	if (!json_is_object(json) || !json_is_string(content))
		return fail_form(error, "an item has no content");
	item->content = json_string_value(content);
	item->content_bytes = json_string_length(content);
	if (!read_text(json, "type", &type) || type == NULL)
		return fail_form(error, "an item has no type");
	if (!window_type_find(type, &item->type))
		return window_fail(error, -EBADMSG,
				   "BALE-WIN-003 unknown type of item; there "
				   "are system_prompt, instruction, "
				   "retrieved_document, working_memory, "
				   "tool_result, user_message, "
				   "assistant_message, other");
	if (!read_number(json, "priority", UINT32_MAX, WINDOW_PRIORITY_DEFAULT,
			 &priority) ||
	    !read_number(json, "tokens", WINDOW_TOKENS_MAX, 0, &item->tokens) ||
	    !read_number(json, "added_ms", INT64_MAX, 0, &item->added_ms))
		return fail_form(error, "a number of an item is missing, or "
					"negative, or far too great");
	item->priority = (uint32_t)priority;
	if (!read_text(json, "id", &item->id) ||
	    !read_text(json, "source_ref", &item->source_ref) ||
	    !read_text(json, "role", &item->role))
		return fail_form(error, "a text of an item is not a string");
	if (pinned != NULL && !json_is_boolean(pinned))
		return fail_form(error, "pinned is neither true nor false");
	item->pinned = json_is_true(pinned);
	if (extra == NULL || json_is_null(extra))
		return 0;
	*metadata = json_text(extra, JSON_COMPACT);
	item->metadata = *metadata;
	return *metadata == NULL ? fail_form(error, "metadata is not an object")
				 : 0;
}

static int
parse(const char *json, size_t bytes, json_t **out, struct window_error *error)
{
	json_error_t where;

	*out = NULL;
	if (!json_values_within(json, bytes, VALUES_MAX))
		return fail_form(error, "it has far too many values");
	*out = json_loadb(json, bytes, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL,
			  &where);
	if (*out != NULL)
		return 0;
	return window_fail(error, -EBADMSG,
			   "BALE-WIN-014 this is not JSON: line %d, column "
			   "%d: %.120s",
			   where.line, where.column, where.text);
}

/* What `bale rounds compress --json` prints. */
static bool
is_block(const json_t *json)
{
	return json_is_string(json_object_get(json, "text")) &&
	       json_is_object(json_object_get(json, "kept")) &&
	       json_object_get(json, "type") == NULL;
}

/* It is memory. */
static void
read_block(const json_t *json, struct window_item *item)
{
	const json_t *text = json_object_get(json, "text");

	*item = (struct window_item){
		.type = WINDOW_WORKING_MEMORY,
		.priority = WINDOW_PRIORITY_DEFAULT,
		.source_ref = "rounds",
		.content = json_string_value(text),
		.content_bytes = json_string_length(text),
	};
}

int
window_add_json(struct window *window, const char *json, size_t bytes, char *id,
		struct window_error *error)
{
	struct window_item item;
	char *metadata = NULL;
	json_t *root;
	int result = parse(json, bytes, &root, error);

	if (result != 0)
		return result;
	if (is_block(root))
		read_block(root, &item);
	else
		result = read_item(root, &item, &metadata, error);
	if (result == 0)
		result = window_add(window, &item, id, error);
	free(metadata);
	json_decref(root);
	return result;
}

/* Puts into a new window what the JSON says. */
static int
read_items(struct window *fresh, const json_t *items, bool recount,
	   struct window_error *error)
{
	const json_t *json;
	size_t i;

	if (!json_is_array(items))
		return fail_form(error, "it has no array \"items\"");
	if (json_array_size(items) > WINDOW_ITEMS_MAX)
		return window_fail(error, -EBADMSG,
				   "BALE-WIN-005 it has %zu items, and a "
				   "window has %d at most",
				   json_array_size(items), WINDOW_ITEMS_MAX);
	json_array_foreach(items, i, json)
	{
		struct window_item item;
		struct entry *entry;
		char *metadata = NULL;
		int result = read_item(json, &item, &metadata, error);

		if (recount)
			item.tokens = 0;
		if (result == 0)
			result = entry_create(fresh, &item, &entry, error);
		free(metadata);
		if (result != 0)
			return result == -EINVAL ? -EBADMSG : result;
		if (window_find(fresh, entry->item.id) != fresh->nr) {
			free(entry);
			return fail_form(error, "two items have the same id");
		}
		entry->seq = fresh->next_seq++;
		window_insert(fresh, entry);
	}
	return 0;
}

static int
read_header(const json_t *json, struct window_options *options,
	    uint64_t *compactions, uint64_t *freed, struct window_error *error)
{
	const json_t *threshold = json_object_get(json, "threshold");
	const char *strategy;
	uint64_t version;

	if (!json_is_object(json) ||
	    !read_number(json, "version", UINT32_MAX, 0, &version))
		return fail_form(error, "it is not an object with a version");
	if (version != SAVE_VERSION)
		return window_fail(error, -EBADMSG,
				   "BALE-WIN-014 this window has version %ju, "
				   "and this bale reads version %d",
				   version, SAVE_VERSION);
	if (!read_number(json, "max_tokens", WINDOW_TOKENS_MAX,
			 WINDOW_MAX_TOKENS_DEFAULT, &options->max_tokens) ||
	    options->max_tokens == 0)
		return fail_form(error, "max_tokens is not a valid limit");
	if (!read_number(json, "compactions", INT64_MAX, 0, compactions) ||
	    !read_number(json, "freed_tokens", INT64_MAX, 0, freed))
		return fail_form(error, "a counter is not a number");
	if (threshold != NULL && !(json_number_value(threshold) > 0))
		return fail_form(error, "threshold is not a number above 0");
	if (threshold != NULL)
		options->threshold = json_number_value(threshold);
	if (!read_text(json, "encoding", &options->encoding))
		return fail_form(error, "encoding is not a text");
	if (!read_text(json, "strategy", &strategy) ||
	    (strategy != NULL &&
	     !window_strategy_find(strategy, &options->strategy)))
		return fail_form(error, "its strategy is unknown");
	return 0;
}

/* A histogram that was saved; none is one of nothing. */
static int
read_latency(const json_t *root, const char *key, struct window_latency *out,
	     struct window_error *error)
{
	const json_t *json = json_object_get(root, key);
	const json_t *buckets = json_object_get(json, "buckets");
	uint64_t sum;

	if (json == NULL)
		return 0;
	if (!read_number(json, "sum_ns", INT64_MAX, 0, &sum) ||
	    json_array_size(buckets) != WINDOW_BUCKET_NR)
		return fail_form(error, "a latency is not a histogram");
	*out = (struct window_latency){ .sum_ns = sum };
	for (size_t i = 0; i < WINDOW_BUCKET_NR; i++) {
		const json_t *bucket = json_array_get(buckets, i);
		json_int_t nr = json_integer_value(bucket);

		if (!json_is_integer(bucket) || nr < 0 || nr > UINT32_MAX)
			return fail_form(error, "a latency is not a histogram");
		out->buckets[i] = (uint64_t)nr;
		out->nr += (uint64_t)nr;
	}
	return 0;
}

/*
 * Hands over what the fresh one has; that one keeps the old items, to be freed
 * with it. The tokenizer stays: others count with it without the lock.
 */
static void
hand_over(struct window *window, struct window *fresh)
{
	uint8_t old[WINDOW_HELD_BYTES];

	memcpy(old, &window->entries, sizeof(old));
	memcpy(&window->entries, &fresh->entries, sizeof(old));
	memcpy(&fresh->entries, old, sizeof(old));
	window->options.max_tokens = fresh->options.max_tokens;
	window->options.threshold = fresh->options.threshold;
	window->options.strategy = fresh->options.strategy;
}

/*
 * A new window from JSON. With `encoding`, it counts with that one, and
 * everything anew if the saved one counted with another.
 */
static int
load(struct window **out, const struct window_options *given,
     const char *encoding, json_t *root, struct window_error *error)
{
	struct window_options options =
		given != NULL ? *given : window_defaults();
	struct window *fresh = NULL;
	uint64_t compactions = 0;
	uint64_t freed = 0;
	bool recount;
	int result = read_header(root, &options, &compactions, &freed, error);

	if (result != 0)
		return result;
	recount = encoding != NULL && options.encoding != NULL &&
		  strcmp(encoding, options.encoding) != 0;
	if (encoding != NULL)
		options.encoding = encoding;
	result = window_create(&fresh, &options, error);
	if (result != 0)
		return result == -ENOMEM ? result : -EBADMSG;
	fresh->compactions = compactions;
	fresh->freed_tokens = freed;
	result = read_latency(root, "add_latency", &fresh->add, error);
	if (result == 0)
		result = read_latency(root, "build_latency", &fresh->build,
				      error);
	if (result == 0)
		result = read_items(fresh, json_object_get(root, "items"),
				    recount, error);
	if (result != 0) {
		window_destroy(fresh);
		return result;
	}
	*out = fresh;
	return 0;
}

int
window_load(struct window **out, const struct window_options *options,
	    const char *json, size_t bytes, struct window_error *error)
{
	json_t *root;
	int result = parse(json, bytes, &root, error);

	if (result != 0)
		return result;
	result = load(out, options, NULL, root, error);
	json_decref(root);
	return result;
}

int
window_restore(struct window *window, const char *json, size_t bytes,
	       struct window_error *error)
{
	struct window *fresh;
	json_t *root;
	int result = parse(json, bytes, &root, error);

	if (result != 0)
		return result;
	/* set once by window_create() */
	result = load(&fresh, NULL, window->options.encoding, root, error);
	json_decref(root);
	if (result != 0)
		return result;
	pthread_mutex_lock(&window->lock);
	hand_over(window, fresh);
	pthread_mutex_unlock(&window->lock);
	window_destroy(fresh);
	return 0;
}
