/* SPDX-License-Identifier: MIT */
/*
 * test_chat.h - what the tests of conversations share.
 */
#ifndef TESTS_SUPPORT_TEST_CHAT_H
#define TESTS_SUPPORT_TEST_CHAT_H

#include "window/chat.h"
#include "tests/support/test_window.h"
#include "window/chat_impl.h"

/* Options as the command line has them where nothing is given. */
static inline struct chat_options
chat_defaults(void)
{
	return (struct chat_options){
		.reserve_tokens = 16384,
		.threshold = 0.80,
		.critical = 0.95,
		.preserve = 0.40,
		.prune_over = 1000,
		.keep_recent = 5,
	};
}

static inline struct chat *
open_with(const char *json, const struct chat_options *options)
{
	struct window_error error = { .text = "" };
	struct chat *chat;

	if (chat_open(&chat, json, strlen(json), options, &error) != 0)
		fail_msg("chat_open of %.200s: %s", json, error.text);
	return chat;
}

static inline struct chat_options
options_for(const char *model)
{
	struct chat_options options = chat_defaults();

	options.model = model;
	return options;
}

/* The format that is found out. */
static inline enum chat_format
format_of(const char *json)
{
	const struct chat_options options = chat_defaults();
	struct chat *chat = open_with(json, &options);
	enum chat_format format = chat->format;

	chat_close(chat);
	return format;
}

/* The beginning of why a text is refused: static. */
static inline const char *
refusal(const char *json, size_t bytes)
{
	static struct window_error error;
	const struct chat_options options = chat_defaults();
	struct chat *chat;

	error.text[0] = '\0';
	if (chat_open(&chat, json, bytes, &options, &error) == 0) {
		chat_close(chat);
		fail_msg("not refused: %.200s", json);
	}
	return error.text;
}

#define CALL(id)                                                                 \
	"{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":\"" id \
	"\",\"type\":\"function\",\"function\":{\"name\":\"f\","                 \
	"\"arguments\":\"{}\"}}]}"

#define RESULT(id) \
	"{\"role\":\"tool\",\"tool_call_id\":\"" id "\",\"content\":\"r\"}"

#define USER "{\"role\":\"user\",\"content\":\"u\"}"

#define USE(id)                                                                    \
	"{\"role\":\"assistant\",\"content\":[{\"type\":\"tool_use\",\"id\":\"" id \
	"\",\"name\":\"f\",\"input\":{}}]}"

#define USED(id)                                                     \
	"{\"role\":\"user\",\"content\":[{\"type\":\"tool_result\"," \
	"\"tool_use_id\":\"" id "\",\"content\":\"r\"}]}"

#define FCALL(id)                                       \
	"{\"type\":\"function_call\",\"call_id\":\"" id \
	"\",\"name\":\"f\",\"arguments\":\"{}\"}"

#define FOUT(id)                                               \
	"{\"type\":\"function_call_output\",\"call_id\":\"" id \
	"\",\"output\":\"r\"}"

#define THINK "{\"type\":\"reasoning\",\"id\":\"rs\",\"summary\":[]}"

static inline uint64_t
message_tokens_of(const char *json)
{
	const struct chat_options options = options_for("gpt-4o");
	struct chat *chat = open_with(json, &options);
	struct chat_budget budget;

	chat_budget(chat, &budget);
	chat_close(chat);
	return budget.messages;
}

#endif
