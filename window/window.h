/* SPDX-License-Identifier: MIT */
/*
 * window.h - the context window of a conversation: items under a token limit.
 *
 * Does: holds items in the order in which they stand in a context; counts
 *       their tokens; makes room by four strategies; builds the context;
 *       saves and restores all of it; tells a callback what happened.
 * Does not: talk to a model; read or write files (store.c does).
 * Runs in: any process; every function may be called by several threads.
 * Invariants:
 *   1. The sum of all tokens is at most the limit, unless the limit was
 *      lowered or what was restored is over it; then nothing can be added
 *      before it is under it again.
 *   2. A pinned item is removed by window_remove() and window_clear() only.
 *   3. What fails leaves the window as it was: nothing is removed for an item
 *      that does not fit in the end.
 *   4. What is built has at most limit - reserve tokens, counted as one text.
 * Limits: WINDOW_ITEMS_MAX items; content is UTF-8.
 */
#ifndef WINDOW_WINDOW_H
#define WINDOW_WINDOW_H

#include "base/base.h"

#define WINDOW_ITEMS_MAX 1000
#define WINDOW_PRIORITY_MAX 100
#define WINDOW_PRIORITY_DEFAULT 50
#define WINDOW_ID_BYTES 65 /* 64 and a NUL */
#define WINDOW_ERROR_BYTES 512
#define WINDOW_MAX_TOKENS_DEFAULT 128000
#define WINDOW_TOKENS_MAX 1000000000000ull /* of a limit */
#define WINDOW_THRESHOLD_DEFAULT 85.0
#define WINDOW_TARGET_DEFAULT 70.0
#define WINDOW_THRESHOLD_DROP 15.0 /* so far under it an add compacts */
#define WINDOW_BUCKET_NR 32

enum window_type {
#define TYPE(id, name) WINDOW_##id,
#include "window/window.def"
	WINDOW_TYPE_NR
};

enum window_strategy {
#define STRATEGY(id, name) WINDOW_##id,
#include "window/window.def"
	WINDOW_STRATEGY_NR
};

enum window_tier {
#define TIER(id, name, allows_all) WINDOW_TIER_##id,
#include "window/window.def"
	WINDOW_TIER_NR
};

/* Interfaces whose messages a conversation is made of. */
enum chat_format {
	CHAT_AUTO = 0, /* to be detected */
	CHAT_OPENAI,
	CHAT_RESPONSES,
	CHAT_ANTHROPIC,
	CHAT_FORMAT_NR
};

enum window_event_kind {
#define EVENT(id, name) WINDOW_EVENT_##id,
#include "window/window.def"
	WINDOW_EVENT_NR
};

enum window_reason {
	WINDOW_BY_HAND = 0,
	WINDOW_BY_COMPACTION,
	WINDOW_BY_CLEAR
};

/* Why something was refused; a sentence that begins with a code. */
struct window_error {
	char text[WINDOW_ERROR_BYTES];
};

struct window_item {
	const char *id; /* NULL: one is made */
	const char *content;
	size_t content_bytes;
	enum window_type type;
	uint32_t priority; /* 0 to 100, more is more important */
	uint64_t tokens;   /* 0: counted */
	bool pinned;
	uint64_t added_ms;      /* since 1970; 0: now */
	const char *source_ref; /* these three may be NULL */
	const char *role;
	const char *metadata; /* a JSON object */
};

struct window_event {
	enum window_event_kind kind;
	uint64_t time_ms; /* since 1970 */
	char id[WINDOW_ID_BYTES];
	enum window_type type;     /* ADDED, REMOVED */
	enum window_reason reason; /* REMOVED */
	uint64_t tokens;           /* of the item; COMPACTED, CLEARED: freed */
	uint64_t total_tokens;     /* afterwards; BUILT: of the context */
	enum window_strategy strategy; /* COMPACTED */
	bool fell_back;                /* COMPACTED: not by the one wanted */
	uint32_t items;                /* removed, cleared or included */
	uint32_t items_excluded;       /* BUILT */
	double usage_before;           /* COMPACTED, per cent */
	double usage_after;
	bool included_pinned; /* CLEARED */
	bool was_compacted;   /* BUILT */
	uint64_t build_ns;    /* BUILT */
};

/* Commands of the user's. */
struct window_commands {
	const char *summarizer; /* NULL: WINDOW_SUMMARIZE is refused */
	const char *embedder;   /* NULL: BM25 over identifiers */
	uint64_t time_limit_ms;
	size_t output_max_bytes;
};

struct window_options {
	const char *encoding; /* NULL: o200k_base */
	uint64_t max_tokens;
	double threshold; /* per cent */
	enum window_strategy strategy;
	enum window_tier tier;
	const char *query; /* for WINDOW_SELECTIVE by an add; may be NULL */
	struct window_commands commands;
	void (*on_event)(void *arg, const struct window_event *event);
	void *arg;        /* of on_event */
	uint64_t wait_ms; /* of window_file_open(), for others to end */
};

struct window;

/* Options as they are by default; the strategy is removing low priority. */
struct window_options
window_defaults(void);

/*
 * shape:  whether the vocabulary in the program is damaged, so that tokens are
 *         estimates
 */
bool
window_is_estimate(const struct window *window);

/*
 * shape:  makes an empty window
 * owner:  the caller: window_destroy(); the texts of *options are copied
 * errors: -EINVAL, -ENOENT (encoding), -ENOMEM; a sentence in *error
 */
int
window_create(struct window **out, const struct window_options *options,
	      struct window_error *error);

/* Frees all of it; accepts NULL. */
void
window_destroy(struct window *window);

/*
 * shape:  adds an item; beyond the threshold makes room first, down to
 *         threshold - 15 per cent, by the window's strategy; if that one is
 *         not at hand, by removing low priority
 * units:  id, if not NULL, has room for WINDOW_ID_BYTES
 * owner:  everything is copied
 * errors: -EINVAL, -EEXIST (id), -E2BIG (items, tokens), -ENOMEM; a sentence
 *         in *error; the window is as it was
 */
int
window_add(struct window *window, const struct window_item *item, char *id,
	   struct window_error *error);

/*
 * shape:  window_add() of an item as it stands in the file of a window; only
 *         type and content are needed
 * errors: as window_add(), and -EBADMSG
 */
int
window_add_json(struct window *window, const char *json, size_t bytes, char *id,
		struct window_error *error);

/* Messages of an interface that become items. */
struct window_messages {
	const char *json; /* a request, or an array of messages */
	size_t bytes;
	enum chat_format format; /* AUTO: by what they look like */
	uint32_t priority;
	bool pinned;
};

/*
 * shape:  an item a message, in their order, which a build with a format gives
 *         back as they were; of a request also the system prompt. Those
 *         without any content are left out; calls and results of tools may be
 *         in other items.
 * errors: as window_add(), and -EBADMSG, -EFBIG; some may have been added
 */
int
window_add_messages(struct window *window,
		    const struct window_messages *messages, size_t *added,
		    struct window_error *error);

/* These three: 0 or -ENOENT; the priority also -EINVAL. */
int
window_remove(struct window *window, const char *id);
int
window_set_priority(struct window *window, const char *id, uint32_t priority);
int
window_set_pin(struct window *window, const char *id, bool pinned);

/*
 * shape:  changes limits; nothing is removed for it
 * errors: -EINVAL with a sentence; nothing is changed then
 */
int
window_set_limits(struct window *window, uint64_t max_tokens, double threshold,
		  enum window_strategy strategy, struct window_error *error);

/* Whether a tier has a strategy; all have the plain two, which remove. */
bool
window_tier_allows(enum window_tier tier, enum window_strategy strategy);

struct window_filter {
	bool by_type;
	enum window_type type;
	bool pinned_only;
};

/* A copy of items, in order. */
struct window_list {
	struct window_item *items;
	size_t nr;
};

/*
 * shape:  copies of the items that pass; filter may be NULL: all
 * owner:  window_list_free()
 * errors: -ENOMEM
 */
int
window_list(struct window *window, const struct window_filter *filter,
	    struct window_list *out);

/* Frees what window_list() made. */
void
window_list_free(struct window_list *list);

struct window_compact_options {
	enum window_strategy strategy;
	double target;     /* per cent of the limit */
	const char *query; /* of WINDOW_SELECTIVE */
};

/*
 * shape:  makes room by one strategy until the target is reached or only
 *         pinned items are left
 * units:  *freed in tokens, may be NULL
 * errors: -EINVAL, -EPERM (tier), -ENOTSUP (no summariser), what the
 *         summariser or the relevance gave; the window is as it was
 */
int
window_compact(struct window *window,
	       const struct window_compact_options *options, uint64_t *freed,
	       struct window_error *error);

/* Removes all items, or all that are not pinned; how many. */
size_t
window_clear(struct window *window, bool with_pinned);

/* The order of the text that is built; what stays is decided by type, priority
 * and age in either. */
enum window_order {
	/* what frames the conversation, pinned messages, other items, then the
	 * conversation (user, assistant, tool) as it went */
	WINDOW_ORDER_TIME = 0,
	WINDOW_ORDER_PRIORITY /* by type, priority, age */
};

struct window_build_options {
	enum window_order order;
	enum chat_format format; /* of the text; AUTO: none, plain text */
	bool system_prompt;
	bool instructions;
	bool history;
	uint32_t history_max; /* user and assistant messages, the newest */
	bool memory;
	const char *memory_query; /* NULL: all of the memory */
	const char *separator;
	const char *message_format; /* of items with a role */
	uint64_t reserve_tokens;    /* for the response */
};

/* The options of a build that asks for nothing. */
struct window_build_options
window_build_defaults(void);

/* The result of a build. */
struct window_built {
	char *content; /* NUL behind it */
	size_t content_bytes;
	uint64_t total_tokens; /* of the content, as one text or as messages */
	char (*included)[WINDOW_ID_BYTES];
	size_t included_nr;
	char (*excluded)[WINDOW_ID_BYTES]; /* asked for, but no room */
	size_t excluded_nr;
	bool was_compacted;
	uint64_t freed_tokens;
};

/*
 * shape:  the context; options may be NULL. If all items together are over
 *         limit - reserve, the window is compacted to 70 per cent first.
 *         Pinned items are chosen first, then the others in order. With a
 *         format it is a request of that interface, whose tokens are counted
 *         as chat_budget() does; calls of tools and their results are in it
 *         together or not at all.
 * owner:  window_built_free()
 * errors: -EINVAL (reserve; a request without a message), -E2BIG: the pinned
 *         items alone are too much; -ENOMEM; a sentence in *error
 */
int
window_build(struct window *window, const struct window_build_options *options,
	     struct window_built *out, struct window_error *error);

/* Frees what was built. */
void
window_built_free(struct window_built *built);

/* Bucket i counts what took at most 2^i microseconds. */
struct window_latency {
	uint64_t nr;
	uint64_t sum_ns;
	uint64_t buckets[WINDOW_BUCKET_NR];
};

struct window_stats {
	size_t items;
	size_t pinned;
	uint64_t tokens;
	uint64_t max_tokens;
	uint64_t available; /* 0 if over the limit */
	double usage;       /* per cent */
	double threshold;
	enum window_strategy strategy;
	size_t items_by_type[WINDOW_TYPE_NR];
	uint64_t tokens_by_type[WINDOW_TYPE_NR];
	uint64_t compactions;
	uint64_t freed_tokens; /* by all compactions */
	struct window_latency add;
	struct window_latency build;
};

/* Statistics of the window and of its actions so far. */
void
window_stats(struct window *window, struct window_stats *out);

/* The 95th percentile, rounded up to a power of two. */
uint64_t
window_latency_p95_us(const struct window_latency *latency);

/*
 * shape:  the gauges, counters and histograms of a window as OpenMetrics text
 * owner:  free()
 * errors: NULL: no memory
 */
char *
window_metrics(struct window *window);

/*
 * shape:  all of the window as JSON (docs/window.schema.json)
 * owner:  free()
 * errors: NULL: no memory
 */
char *
window_save(struct window *window);

/*
 * shape:  whether window_load() would take what window_save() gave
 * errors: -EFBIG with a sentence
 */
int
window_check_saved(const char *text, size_t bytes, struct window_error *error);

/*
 * shape:  a new window from what was saved; tier, query and callbacks are
 *         those of *options (NULL: none)
 * owner:  window_destroy()
 * errors: -EBADMSG with a sentence, -ENOMEM
 */
int
window_load(struct window **out, const struct window_options *options,
	    const char *json, size_t bytes, struct window_error *error);

/*
 * shape:  restores what was saved: items, order, limits, threshold, strategy,
 *         counters; tier, callbacks and encoding stay. A window saved in
 *         another encoding is counted again.
 * errors: -EBADMSG with a sentence, -ENOMEM; the window is unchanged
 */
int
window_restore(struct window *window, const char *json, size_t bytes,
	       struct window_error *error);

/* A window in a file, locked for one process. */
struct window_file;

/*
 * shape:  waits for the file, at most options->wait_ms, locks it and reads it; a file
 *         that is not there is made when `create` is given, empty as
 *         *options say, else -ENOENT
 * owner:  window_file_close(); the window belongs to the file
 * errors: -errno with a sentence in *error
 */
int
window_file_open(struct window_file **out, const char *path,
		 const struct window_options *options, bool create,
		 struct window_error *error);

/* The window that the file holds; it stays the file's. */
struct window *
window_file_window(struct window_file *file);

/*
 * shape:  writes the window to the file, whole or not at all
 * errors: -errno with a sentence; the file is as it was
 * calls:  once, before window_file_close(); left out, nothing changes
 */
int
window_file_commit(struct window_file *file, struct window_error *error);

/* Closes the file and destroys its window; accepts NULL. */
void
window_file_close(struct window_file *file);

/* Words of window.def; an unknown word: false. */
const char *
window_type_name(enum window_type type);
const char *
window_strategy_name(enum window_strategy strategy);
const char *
window_tier_name(enum window_tier tier);
const char *
window_reason_name(enum window_reason reason);
bool
window_type_find(const char *name, enum window_type *out);
bool
window_strategy_find(const char *name, enum window_strategy *out);

/*
 * shape:  one event as a line of JSON, newline included
 * owner:  free()
 * errors: NULL: no memory
 */
char *
window_event_json(const struct window_event *event);

#endif
