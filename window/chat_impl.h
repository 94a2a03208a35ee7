/* SPDX-License-Identifier: MIT */
/*
 * chat_impl.h - the internals of a conversation.
 *
 *   chat_open.c       opens, detects the format, budgets
 *   chat_openai.c     \
 *   chat_responses.c   > the parts of an interface's messages
 *   chat_anthropic.c  /
 *   chat_pair.c       calls and results, where to cut
 *   chat_join.c       two messages of one role in one
 *   chat_convert.c    a message of one interface as messages of another
 *   chat_fit.c        messages of many requests in one for Anthropic
 *   chat_items.c      messages as items of a window
 *   chat_prune.c      old tool results
 *   chat_compact.c    what goes, what stays, the summary between; hooks
 *
 * A format splits a message into pieces, in order, for a visitor; all code that
 * reads messages is a visitor.
 */
#ifndef WINDOW_CHAT_IMPL_H
#define WINDOW_CHAT_IMPL_H

#include <jansson.h>

#include "tokenizer/tokenizer.h"
#include "window/chat.h"
#include "window/limits.h"
#include "window/window_impl.h"

#define CHAT_REASON_BYTES 160

enum chat_role {
	ROLE_SYSTEM = 0,
	ROLE_USER,
	ROLE_ASSISTANT,
	ROLE_TOOL, /* nothing but results of tools */
	ROLE_NR
};

enum piece_kind {
	PIECE_TEXT = 0,    /* counts as it stands */
	PIECE_GUESS,       /* text in an undocumented form */
	PIECE_IMAGE,       /* tokens: by the rule of the interface */
	PIECE_BLOB,        /* audio, files: tokens are a guess */
	PIECE_CALL,        /* bytes: name, id */
	PIECE_SERVER_CALL, /* of a tool that the interface runs itself */
	PIECE_RESULT,      /* id; its content follows */
	PIECE_SERVER_RESULT
};

struct piece {
	enum piece_kind kind;
	const char *bytes;
	size_t nr;
	const char *id;
	uint64_t tokens;
	bool estimated; /* the tokens are an estimate */
};

struct visit {
	/* by the caller */
	void *arg;
	int (*piece)(void *arg, const struct piece *piece);

	/* by the format, when it returns 0 */
	enum chat_role role;
	bool is_glued; /* to the message behind it */

	/* by the format, when it fails */
	char reason[CHAT_REASON_BYTES];
};

struct format_ops {
	const char *name;
	const char *array_key; /* of a request: where the messages are */
	const char *text_part; /* type of a part that is text */
	const char
		*answer_part;   /* the same of the assistant's; NULL: as well */
	const char *system_key; /* beside the messages; NULL: a message */
	const struct part_forms *parts;

	/*
	 * shape:  takes a message apart
	 * errors: -EBADMSG with a reason, or what the visitor gave
	 */
	int (*visit)(const json_t *message, struct visit *visit);

	/* Where a message, or a part of its content, has the result of a tool;
	 * NULL: it is none. */
	const char *(*result_key)(const json_t *holder);

	/* Whether a message can only be one of this interface for what it has
	 * besides parts; NULL: never. */
	bool (*is_mine)(const json_t *message);

	/* A message of the user's without its text, as JSON. */
	const char *user_message;
};

/* What an interface puts around a message: <|im_start|>, role, <|im_sep|>,
 * <|im_end|>; and in front of the reply. */
#define CHAT_MESSAGE_TOKENS 4
#define CHAT_REPLY_TOKENS 3

/* The interface of a format that is not CHAT_AUTO. */
const struct format_ops *
chat_ops(enum chat_format format);

extern const struct format_ops openai_ops;
extern const struct format_ops responses_ops;
extern const struct format_ops anthropic_ops;

struct message {
	json_t *json;
	json_t *pruned; /* a copy, shortened; NULL: as it was */
	size_t begin;   /* in the text */
	size_t end;
	enum chat_role role;
	bool is_glued; /* to the one before: no cut between them */
	size_t reach;  /* last message with a result of its calls; 0: none */
	bool estimated;
	uint64_t tokens;
	uint64_t before; /* tokens of what could go in front of it */
};

struct chat {
	const struct chat_options *options;
	const struct format_ops *ops;
	enum chat_format format;
	const char *text;
	size_t bytes;
	json_t *root;
	json_t *array;
	struct message *messages;
	size_t nr;
	const struct tokenizer *tok;
	struct tokenizer_cache *cache;
	struct model_limits limits;
	uint64_t limit;
	uint64_t reserve;
	uint64_t extra_tokens; /* system prompt and tools beside the messages */
	bool extra_estimated;
};

/* Where an array lies and what is in it. */
struct span {
	size_t begin;
	size_t end;
};

/*
 * shape:  the places of the elements of the array that is the root, or that
 *         is the value of `key` in it; the text is known to be JSON
 * owner:  *spans: free()
 * errors: -ENOENT: no such array; -ENOMEM
 */
int
scan_array(const char *text, size_t bytes, const char *key, struct span **spans,
	   size_t *nr);

/* A part of a content that is one piece: what it is and where it stands. */
struct part_form {
	const char *type;
	enum piece_kind kind; /* IMAGE: as OpenAI has it, detail beside it */
	const char *object;   /* of the part; NULL: the part itself */
	const char *key;      /* of that; NULL: all of it, as JSON */
	bool is_own;          /* no other interface has it */
	int (*visit)(const json_t *part, struct visit *visit); /* instead */
};

/* Those of an interface. */
struct part_forms {
	const struct part_form *rows;
	size_t nr;
	const char *known; /* for the user: types there are */
	int (*other)(const json_t *part, struct visit *visit); /* NULL: none */
};

/*
 * shape:  the pieces of a part, by its type
 * errors: -EBADMSG with a reason
 */
int
visit_part(const json_t *part, const struct part_forms *forms,
	   struct visit *visit);

/* Visits a string as one piece, an array part by part; null is nothing. */
int
visit_content(const json_t *content, const struct part_forms *forms,
	      struct visit *visit);

/*
 * shape:  the role that a message names, of nr from the first on of: system,
 *         developer, user, assistant, tool, function; false: another
 */
bool
find_role(const json_t *message, size_t first, size_t nr, enum chat_role *out);

/* Visits a string; anything else is refused. */
int
visit_text(struct visit *visit, enum piece_kind kind, const json_t *string);

/* Any JSON as text whose form is a guess; nothing for NULL. */
int
visit_json(struct visit *visit, const json_t *json);

/*
 * Hands the call of a tool on, with what it is called with, or its result;
 * without an id it is refused. Name and body may be NULL.
 */
int
visit_call(struct visit *visit, enum piece_kind kind, const char *id,
	   const char *name, const json_t *body);

/* A blob of so many bytes of base64. */
int
visit_blob(struct visit *visit, size_t base64_bytes);

/* The reason that it is refused for; returns -EBADMSG. */
int
visit_fail(struct visit *visit, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* The text of object[key], NULL if it is none. */
const char *
text_of(const json_t *object, const char *key);

/* Whether object[key] is this text. */
bool
text_is(const json_t *object, const char *key, const char *text);

/* Counts message i anew, in its present form. */
int
chat_count_message(struct chat *chat, size_t i, struct window_error *error);

/* Tokens of a message that is not part of the conversation yet. */
uint64_t
chat_count_json(const struct chat *chat, const json_t *message);

/*
 * shape:  a message as text: what it says, and what it calls by name
 * errors: those of visit()
 */
int
chat_describe(const struct format_ops *ops, const json_t *message, FILE *out);

/* Counts the text beside the messages of a request: system prompt, tools. */
int
chat_count_extra(struct chat *chat, struct window_error *error);

/*
 * shape:  checks that calls and results belong together, marks what is glued
 * errors: -EBADMSG with a sentence
 */
int
chat_pair(struct chat *chat, struct window_error *error);

/*
 * shape:  puts the content of a message behind that of another one of the same
 *         role, and its tool calls behind those: two texts become one, with an
 *         empty line between them; keys that only the second one has are added
 * errors: -ENOMEM; *first is to be thrown away then
 */
int
chat_join(const struct format_ops *ops, json_t *first, const json_t *second);

/*
 * shape:  adds a message to an array; one of the role of the last one becomes
 *         part of that
 * owner:  takes `message` over; NULL: no memory
 * errors: -ENOMEM
 */
int
chat_append(const struct format_ops *ops, json_t *messages, json_t *message);

/* Adds a text of the user's or of the assistant's to an array of messages; the
 * errors of chat_append(). */
int
chat_append_text(enum chat_format format, json_t *messages, const char *role,
		 const char *text, size_t bytes);

/* What is to be converted, and how. */
struct chat_conversion {
	enum chat_format from;
	enum chat_format to;
	const json_t *unpaired; /* ids of calls without a result: left out; of
				 * results without a call: as text. NULL: none */
};

/*
 * shape:  adds a message to an array of another interface: texts, calls and
 *         results as they are there. What only the other one has (thoughts,
 *         pictures) is named, and stays where both are the same interface
 * errors: -ENOMEM
 */
int
chat_convert(const struct chat_conversion *how, const json_t *message,
	     json_t *messages);

/*
 * shape:  parts of a system prompt and messages for Anthropic, changed where only together they would be
 *         refused: ids of calls that repeat, or have other characters than it
 *         allows; more than four marks of what is to be cached; blanks behind
 *         what the assistant is to go on with
 * errors: -ENOMEM
 */
int
chat_fit_anthropic(json_t *system, json_t *messages);

/*
 * shape:  shortens old tool results; *nr: how many
 * errors: -ENOMEM
 */
int
chat_prune(struct chat *chat, size_t *nr, struct window_error *error);

/* Passes a warning to the caller's function. */
void
chat_warn(const struct chat *chat, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
