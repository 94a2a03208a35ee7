/* SPDX-License-Identifier: MIT */
/*
 * chat.h - conversations in the form of a model's interface, and making them
 *          shorter.
 *
 * Does: reads the messages of the OpenAI chat, OpenAI responses and Anthropic
 *       messages interfaces, in a request or as a bare array; checks that
 *       they are valid; counts them; says whether compaction is due; prunes
 *       old tool results; puts one summary in the place of the older part.
 * Does not: send anything anywhere; change a message that stays, but for tool
 *           results it prunes: what stays is given back byte by byte.
 * Runs in: one thread for each struct chat.
 * Invariants:
 *   1. What comes out is valid for its interface if what went in was; what
 *      went in is refused if it was not.
 *   2. A call of a tool and its results stay together or go together.
 *   3. System messages stay.
 *   4. What comes out is no longer than what went in.
 * Limits: CHAT_BYTES_MAX and CHAT_VALUES_MAX of JSON; integers of 64 bits.
 */
#ifndef WINDOW_CHAT_H
#define WINDOW_CHAT_H

#include "window/window.h"

#define CHAT_BYTES_MAX (64ull << 20)
#define CHAT_VALUES_MAX 1000000 /* of JSON */

enum chat_trigger { CHAT_TRIGGER_AUTO = 0, CHAT_TRIGGER_MANUAL };

/* The model, and options of the compaction. */
struct chat_options {
	enum chat_format format;
	bool is_part; /* of a conversation: calls and results may be elsewhere */
	const char *model; /* NULL: unknown */
	const char *const *betas;
	size_t beta_nr;
	const char *encoding;   /* NULL: the model's */
	uint64_t limit_tokens;  /* 0: the model's */
	uint64_t system_tokens; /* of a system prompt that is not in here */
	uint64_t reserve_tokens;
	bool reserve_given; /* else at most a quarter of the limit */
	double threshold;
	double critical;
	double preserve;
	uint64_t prune_over;  /* characters */
	uint64_t keep_recent; /* tool results */
	const char *summarizer;
	const char *instructions;
	const char *hook_pre;
	const char *hook_post;
	uint64_t time_limit_ms;
	size_t summary_bytes_max;
	enum chat_trigger trigger;
	const char *session;
	const char *stop_reason; /* why the model stopped, NULL: unknown */
	void (*warn)(void *arg, const char *text); /* NULL: nobody */
	void *arg;
};

/* The budget. Room is what system prompt and messages may take. */
struct chat_budget {
	const char *encoding;
	uint64_t limit;
	uint64_t reserve;
	uint64_t room; /* limit - reserve */
	uint64_t system;
	uint64_t messages;
	uint64_t margin; /* of models whose tokenizer is not public */
	uint64_t used;   /* system + messages + margin */
	uint64_t available;
	uint64_t overflow;  /* tokens over the room */
	double utilization; /* used / room */
	bool is_model_known;
	bool estimated;
	bool due;
	bool critical;
	size_t message_nr;
};

enum chat_method {
	CHAT_UNCHANGED = 0, /* not due */
	CHAT_PRUNED,
	CHAT_SUMMARIZED,
	CHAT_TRUNCATED
};

struct chat_report {
	struct chat_budget before;
	struct chat_budget after;
	enum chat_method method;
	bool fell_back; /* a summariser was there and failed */
	size_t pruned;  /* tool results */
	size_t removed; /* messages */
};

struct chat;

/*
 * shape:  reads and checks a conversation
 * owner:  chat_close(); keeps pointers to text and options
 * errors: -EINVAL (options), -EBADMSG (no conversation, or not a valid one),
 *         -ENOMEM; a sentence in *error
 */
int
chat_open(struct chat **out, const char *text, size_t bytes,
	  const struct chat_options *options, struct window_error *error);

/* Frees the conversation; accepts NULL. */
void
chat_close(struct chat *chat);

/* Fills in the budget of the conversation. */
void
chat_budget(const struct chat *chat, struct chat_budget *out);

/*
 * shape:  shortens the conversation, if it is due or requested; runs the hook
 *         before
 * owner:  *text: free()
 * errors: -E2BIG: it cannot be brought under its limit; -ENOMEM; a sentence
 *         in *error. A failed summariser or hook is a warning, no error.
 */
int
chat_compact(struct chat *chat, char **text, size_t *bytes,
	     struct chat_report *report, struct window_error *error);

/* Runs the hook after; to be called when the new text is in its place. */
void
chat_compacted(const struct chat *chat, const struct chat_report *report);

/*
 * shape:  a budget, and the compact-boundary record, as JSON without an end
 *         of line
 * owner:  free()
 * errors: NULL: no memory
 */
char *
chat_budget_json(const struct chat *chat, const struct chat_budget *budget);
char *
chat_record_json(const struct chat *chat, const struct chat_report *report);

/* The word for a format. */
const char *
chat_format_name(enum chat_format format);

#endif
