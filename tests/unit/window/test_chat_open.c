/* SPDX-License-Identifier: MIT */
/*
 * Conversations: what is read, what is refused, how it is counted, where it
 * may be cut.
 */
#include "tests/support/test_chat.h"
#include "tests/support/test_window.h"

#include "window/chat_impl.h"
#include "window/image.h"
#include "window/limits.h"

static struct chat *
open_with(const char *json, const struct chat_options *options)
{
	struct window_error error = { .text = "" };
	struct chat *chat;

	if (chat_open(&chat, json, strlen(json), options, &error) != 0)
		fail_msg("chat_open of %.200s: %s", json, error.text);
	return chat;
}

static struct chat_options
options_for(const char *model)
{
	struct chat_options options = chat_defaults();

	options.model = model;
	return options;
}

/* The format that is found out. */
static enum chat_format
format_of(const char *json)
{
	const struct chat_options options = chat_defaults();
	struct chat *chat = open_with(json, &options);
	enum chat_format format = chat->format;

	chat_close(chat);
	return format;
}

static void
test_chat_formats_are_told_by_what_they_hold(void **state)
{
	assert_int_equal(format_of("[{\"role\":\"user\",\"content\":\"hi\"}]"),
			 CHAT_OPENAI);
	assert_int_equal(
		format_of("{\"system\":\"x\",\"messages\":[{\"role\":\"user\","
			  "\"content\":\"hi\"}]}"),
		CHAT_ANTHROPIC);
	assert_int_equal(
		format_of("[{\"role\":\"user\",\"content\":[{\"type\":"
			  "\"image\",\"source\":{\"type\":\"url\",\"url\":"
			  "\"u\"}}]}]"),
		CHAT_ANTHROPIC);
	assert_int_equal(
		format_of("[{\"role\":\"user\",\"content\":[{\"type\":"
			  "\"image_url\",\"image_url\":{\"url\":\"u\"}}]}]"),
		CHAT_OPENAI);
	assert_int_equal(format_of("{\"input\":[{\"role\":\"user\",\"content\":"
				   "\"hi\"}]}"),
			 CHAT_RESPONSES);
	assert_int_equal(format_of("[{\"role\":\"user\",\"content\":[{\"type\":"
				   "\"input_text\",\"text\":\"hi\"}]}]"),
			 CHAT_RESPONSES);
}

/* Each of them says of itself whose it is. */
static void
test_chat_formats_are_told_by_each_kind_of_part(void **state)
{
	static const char *const anthropic[] = {
		"{\"role\":\"assistant\",\"content\":[{\"type\":\"mcp_tool_use\","
		"\"id\":\"m\",\"name\":\"f\",\"input\":{}}]}",
		"{\"role\":\"assistant\",\"content\":[{\"type\":"
		"\"server_tool_use\",\"id\":\"m\",\"name\":\"f\",\"input\":{}}]}",
		"{\"role\":\"assistant\",\"content\":[{\"type\":\"thinking\","
		"\"thinking\":\"t\"}]}",
		"{\"role\":\"assistant\",\"content\":[{\"type\":"
		"\"redacted_thinking\",\"data\":\"d\"}]}",
		"{\"role\":\"user\",\"content\":[{\"type\":\"document\","
		"\"source\":{\"type\":\"text\",\"data\":\"d\"}}]}",
		"{\"role\":\"user\",\"content\":[{\"type\":\"search_result\","
		"\"content\":[]}]}",
		"{\"role\":\"assistant\",\"content\":[{\"type\":\"tool_use\","
		"\"id\":\"m\",\"name\":\"f\",\"input\":{}}]}",
	};
	static const char *const responses[] = {
		"{\"role\":\"user\",\"content\":[{\"type\":\"input_image\","
		"\"image_url\":\"u\"}]}",
		"{\"role\":\"user\",\"content\":[{\"type\":\"input_file\","
		"\"file_data\":\"u\"}]}",
		"{\"role\":\"assistant\",\"content\":[{\"type\":"
		"\"output_text\",\"text\":\"u\"}]}",
		"{\"type\":\"message\",\"role\":\"user\",\"content\":\"u\"}",
		"{\"type\":\"computer_call\",\"call_id\":\"c\",\"action\":{}}",
	};
	char json[400];

	for (size_t i = 0; i < ARRAY_LEN(anthropic); i++) {
		snprintf(json, sizeof(json), "[%s]", anthropic[i]);
		assert_int_equal(format_of(json), CHAT_ANTHROPIC);
	}
	for (size_t i = 0; i < ARRAY_LEN(responses); i++) {
		snprintf(json, sizeof(json), "[%s]", responses[i]);
		assert_int_equal(format_of(json), CHAT_RESPONSES);
	}
}

/* The beginning of why a text is refused: static. */
static const char *
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

static void
test_chat_refuses_what_is_no_conversation(void **state)
{
	static const char *const bad[][2] = {
		{ "", "BALE-CMP-001 " },
		{ "hello", "BALE-CMP-001 " },
		{ "[{\"role\":\"user\"", "BALE-CMP-001 " },
		{ "{\"prompt\":\"x\"}", "BALE-CMP-001 " },
		{ "{\"messages\":[],\"messages\":[]}", "BALE-CMP-001 " },
		{ "[{\"role\":\"user\",\"content\":\"\xff\"}]",
		  "BALE-CMP-001 " },
		{ "[{\"role\":\"wizard\",\"content\":\"x\"}]",
		  "BALE-CMP-002 message 0 " },
		{ "[1]", "BALE-CMP-002 message 0 " },
		{ "[{\"role\":\"user\",\"content\":7}]",
		  "BALE-CMP-002 message 0 " },
		{ "[{\"role\":\"user\",\"content\":[{\"type\":\"hologram\"}]}]",
		  "BALE-CMP-002 message 0 " },
		{ "[{\"type\":\"message\",\"role\":\"user\",\"content\":\"x\"},"
		  "{\"type\":\"telepathy\"}]",
		  "BALE-CMP-002 message 1 " },
		{ "[{\"role\":\"tool\",\"content\":\"x\"}]",
		  "BALE-CMP-002 message 0 " },
		{ "[{\"type\":\"function_call\",\"call_id\":\"c\",\"name\":"
		  "\"f\",\"arguments\":\"{}\"},{\"role\":\"tool\","
		  "\"tool_call_id\":\"c\",\"content\":\"x\"}]",
		  "BALE-CMP-005 message 1 " },
	};

	for (size_t i = 0; i < ARRAY_LEN(bad); i++)
		assert_begins(refusal(bad[i][0], strlen(bad[i][0])), bad[i][1]);
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

/* verifies: CMP-05 */
static void
test_chat_refuses_calls_and_results_that_do_not_match(void **state)
{
	static const char *const bad[] = {
		"[" RESULT("x") "]",
		"[" CALL("x") "," USER "]",
		"[" CALL("x") "," RESULT("x") "," RESULT("x") "]",
		"[" CALL("x") "," CALL("x") "]",
		"[" USED("x") "]",
		"[" USE("x") "," USER "]",
		"[" USE("x") "," USED("y") "]",
		"[" USE("x") "," USE("y") "," USED("y") "," USE("z") "]",
		"[" FOUT("x") "]",
		"[" FCALL("x") "," USER "]",
		"[" FCALL("x") "," FOUT("x") "," FOUT("x") "]",
	};

	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		const char *why = refusal(bad[i], strlen(bad[i]));

		if (strncmp(why, "BALE-CMP-003 ", 13) != 0)
			fail_msg("%s: %s", bad[i], why);
	}
	assert_begins(refusal(bad[1], strlen(bad[1])),
		      "BALE-CMP-003 message 1: the tool call \"x\" has no "
		      "result before the conversation goes on;");
}

/*
 * '1' where a message hangs on the one before it, '0' where may be cut.
 *
 * verifies: CMP-05
 */
static void
test_chat_cuts_never_part_a_call_from_its_results(void **state)
{
	static const char *const cases[][2] = {
		/* one call, parallel calls, calls one after the other */
		{ USER "," CALL("a") "," RESULT("a") "," USER, "0010" },
		{ USER "," CALL("a\",\"type\":\"function\",\"function\":{"
				"\"name\":\"g\",\"arguments\":\"{}\"}},{\"id\":"
				"\"b") "," RESULT("b") "," RESULT("a") "," USER,
		  "00110" },
		{ CALL("a") "," RESULT("a") "," CALL("a") "," RESULT("a"),
		  "0101" },
		/* a call at the end waits for its result */
		{ USER "," CALL("a"), "00" },
		{ USER "," USE("a") "," USED("a") "," USER, "0010" },
		/* results in two messages of one turn */
		{ "{\"role\":\"assistant\",\"content\":[{\"type\":\"tool_use\","
		  "\"id\":\"a\",\"name\":\"f\",\"input\":{}},{\"type\":"
		  "\"tool_use\",\"id\":\"b\",\"name\":\"f\",\"input\":{}}]}," USED(
			  "b") "," USED("a") "," USER,
		  "0110" },
		/* nested: b is called and answered while a is open */
		{ FCALL("a") "," FCALL("b") "," FOUT("b") "," FOUT(
			  "a") "," USER,
		  "01110" },
		{ FCALL("a") "," FOUT("a") "," FCALL("b") "," FOUT("b"),
		  "0101" },
		/* reasoning stands with what it led to */
		{ USER "," THINK "," FCALL("a") "," FOUT(
			  "a") "," THINK
			       ",{\"type\":\"message\",\"role\":\"assistant\",\"content\":"
			       "\"done\"}",
		  "001101" },
		/* the interface's own tools answer in the same message */
		{ "{\"role\":\"assistant\",\"content\":[{\"type\":"
		  "\"server_tool_use\",\"id\":\"s\",\"name\":\"web_search\","
		  "\"input\":{}},{\"type\":\"web_search_tool_result\","
		  "\"tool_use_id\":\"s\",\"content\":[]}]}," USER,
		  "00" },
	};
	const struct chat_options options = chat_defaults();

	for (size_t c = 0; c < ARRAY_LEN(cases); c++) {
		struct chat *chat;
		char json[4096];
		char got[32] = "";

		snprintf(json, sizeof(json), "[%s]", cases[c][0]);
		chat = open_with(json, &options);
		for (size_t i = 0; i < chat->nr; i++)
			got[i] = chat->messages[i].is_glued ? '1' : '0';
		if (strcmp(got, cases[c][1]) != 0)
			fail_msg("case %zu: got %s, want %s", c, got,
				 cases[c][1]);
		chat_close(chat);
	}
}

static void
test_chat_old_function_calls_are_paired_by_name(void **state)
{
	const struct chat_options options = chat_defaults();
	struct chat *chat = open_with(
		"[{\"role\":\"assistant\",\"content\":null,\"function_call\":{"
		"\"name\":\"now\",\"arguments\":\"{}\"}},{\"role\":"
		"\"function\",\"name\":\"now\",\"content\":\"12:00\"}]",
		&options);

	assert_true(chat->messages[1].is_glued);
	chat_close(chat);
}

/* verifies: CMP-03 */
static void
test_chat_counts_text_exactly_and_says_what_is_estimated(void **state)
{
	struct chat_options options = options_for("gpt-4o");
	struct chat_budget budget;
	struct chat *chat;

	/* " a a a" is 3 tokens, 4 around each message, 3 for the reply */
	chat = open_with("[{\"role\":\"system\",\"content\":\" a\"},{\"role\":"
			 "\"user\",\"content\":\" a a a\"},{\"role\":\"user\","
			 "\"content\":[{\"type\":\"text\",\"text\":\" a\"},{"
			 "\"type\":\"text\",\"text\":\" a a\"}]}]",
			 &options);
	chat_budget(chat, &budget);
	assert_int_equal(budget.system, 5);
	assert_int_equal(budget.messages, 3 + 7 + 7);
	assert_int_equal(budget.margin, 0);
	assert_false(budget.estimated);
	chat_close(chat);
	chat = open_with("[" CALL("c") "]", &options);
	chat_budget(chat, &budget);
	assert_true(budget.estimated);
	assert_true(budget.messages > 3 + 4 + 2);
	chat_close(chat);
	options.model = "claude-opus-4-1";
	chat = open_with("[" USER "]", &options);
	chat_budget(chat, &budget);
	assert_true(budget.estimated);
	assert_true(budget.margin > 0);
	chat_close(chat);
}

/* verifies: CMP-01 */
static void
test_chat_budget_adds_up(void **state)
{
	struct chat_options options = options_for("gpt-4");
	char *text = text_of_tokens(6000);
	char *json = NULL;
	struct chat_budget budget;
	struct chat *chat;

	assert_true(asprintf(&json,
			     "{\"instructions\":\" a a\",\"input\":[{\"role\":"
			     "\"user\",\"content\":\"%s\"}]}",
			     text) > 0);
	chat = open_with(json, &options);
	chat_budget(chat, &budget);
	assert_int_equal(budget.limit, 8192);
	/* 16384 are not there: a quarter */
	assert_int_equal(budget.reserve, 2048);
	assert_int_equal(budget.room, 6144);
	assert_int_equal(budget.system, 2);
	assert_int_equal(budget.messages, 6007);
	assert_int_equal(budget.used, 6009);
	assert_int_equal(budget.available, 135);
	assert_int_equal(budget.overflow, 0);
	assert_true(budget.utilization > 0.978 && budget.utilization < 0.9781);
	assert_true(budget.due && budget.critical);
	chat_close(chat);
	options.system_tokens = 200;
	chat = open_with(json, &options);
	chat_budget(chat, &budget);
	assert_int_equal(budget.available, 0);
	assert_int_equal(budget.overflow, 65);
	chat_close(chat);
	free(json);
	free(text);
}

/* verifies: CMP-04 */
static void
test_chat_is_due_above_the_thresholds_only(void **state)
{
	static const struct {
		size_t tokens; /* of a room of 1000 */
		const char *stop;
		bool due;
		bool critical;
	} cases[] = {
		{ 800, NULL, false, false },
		{ 801, NULL, true, false },
		{ 950, NULL, true, false },
		{ 951, NULL, true, true },
		{ 100, "max_tokens", true, true },
		{ 100, "length", true, true },
		{ 100, "max_output_tokens", true, true },
		{ 100, "end_turn", false, false },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct chat_options options = options_for("gpt-4o");
		char *text = text_of_tokens(cases[i].tokens - 7);
		char *json = NULL;
		struct chat_budget budget;
		struct chat *chat;

		options.limit_tokens = 1100;
		options.reserve_tokens = 100;
		options.reserve_given = true;
		options.stop_reason = cases[i].stop;
		assert_true(asprintf(&json,
				     "[{\"role\":\"user\",\"content\":\"%s\"}]",
				     text) > 0);
		chat = open_with(json, &options);
		chat_budget(chat, &budget);
		assert_int_equal(budget.used, cases[i].tokens);
		assert_int_equal(budget.due, cases[i].due);
		assert_int_equal(budget.critical, cases[i].critical);
		chat_close(chat);
		free(json);
		free(text);
	}
}

/* verifies: CMP-02 */
static void
test_limits_of_models_with_betas_and_without(void **state)
{
	static const char *const beta[] = { "context-1m-2025-08-07" };
	static const struct {
		const char *model;
		size_t betas;
		uint64_t tokens;
		bool known;
	} cases[] = {
		{ "gpt-4o-2024-08-06", 0, 128000, true },
		{ "openai/gpt-4.1-mini", 0, 1047576, true },
		{ "claude-sonnet-4-5", 0, 200000, true },
		{ "claude-sonnet-4-5", 1, 1000000, true },
		{ "us.anthropic.claude-sonnet-4-20250514-v1:0", 1, 1000000,
		  true },
		{ "claude-3-5-haiku-latest", 1, 200000, true },
		{ "some-model", 1, LIMITS_DEFAULT_TOKENS, false },
		{ NULL, 0, LIMITS_DEFAULT_TOKENS, false },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct model_limits limits =
			limits_find(cases[i].model, beta, cases[i].betas);

		if (limits.context_tokens != cases[i].tokens ||
		    limits.is_known != cases[i].known)
			fail_msg("%s: got %llu, want %llu", cases[i].model,
				 (unsigned long long)limits.context_tokens,
				 (unsigned long long)cases[i].tokens);
	}
	assert_true(limits_find(NULL, NULL, 0).margin_percent > 0);
	assert_int_equal(limits_find("gpt-4o", NULL, 0).margin_percent, 0);
}

static void
test_images_have_the_tokens_their_interface_documents(void **state)
{
	/* 1 x 1 as PNG and GIF, 16 x 8 as JPEG; the three kinds of WebP */
	static const char *const pictures[] = {
		"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42m",
		"R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7",
		"/9j/4AAQSkZJRgABAQAAAQABAAD/wAARCAAIABADASIAAhEBAxEB/9k=",
		"UklGRmQAAABXRUJQVlA4WDIAAAAQAAAAKwEAbxEBAAAAAAAA",
		"UklGRmQAAABXRUJQVlA4TDIAAAAv/z/CAAAAAAAAAAAAAAAAAA==",
		"UklGRmQAAABXRUJQVlA4IDIAAAAwAQCdASqAQuCBAAAAAAAAAAA=",
	};
	static const uint32_t sizes[][2] = {
		{ 1, 1 },       { 1, 1 },       { 16, 8 },
		{ 300, 70000 }, { 16384, 777 }, { 640, 480 },
	};
	/* of WebP a fourth kind, of RIFF what is no WebP */
	static const char *const others[] = {
		"UklGRmQAAABXRUJQVlB4eDIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
		"UklGRmQAAABXQVZFVlA4WBEREREREREREREREREREREREREREREREREREQ==",
	};
	uint32_t width;
	uint32_t height;

	for (size_t i = 0; i < ARRAY_LEN(pictures); i++) {
		assert_true(image_size(pictures[i], strlen(pictures[i]), &width,
				       &height));
		assert_int_equal(width, sizes[i][0]);
		assert_int_equal(height, sizes[i][1]);
	}
	assert_false(image_size("aGVsbG8=", 8, &width, &height));
	for (size_t i = 0; i < ARRAY_LEN(others); i++)
		assert_false(image_size(others[i], strlen(others[i]), &width,
					&height));
	/* the examples of the documentation */
	assert_int_equal(image_tokens_openai(1024, 1024, false), 765);
	assert_int_equal(image_tokens_openai(2048, 4096, false), 1105);
	assert_int_equal(image_tokens_openai(4096, 8192, true), 85);
	assert_int_equal(image_tokens_openai(0, 0, false), 1445);
	assert_int_equal(image_tokens_anthropic(200, 200), 54);
	assert_int_equal(image_tokens_anthropic(1000, 1000), 1334);
	assert_int_equal(image_tokens_anthropic(8000, 8000), 1600);
	assert_int_equal(image_tokens_anthropic(0, 0), 1600);
}

static uint64_t
message_tokens_of(const char *json)
{
	const struct chat_options options = options_for("gpt-4o");
	struct chat *chat = open_with(json, &options);
	struct chat_budget budget;

	chat_budget(chat, &budget);
	chat_close(chat);
	return budget.messages;
}

#define SCREEN(output)                                                   \
	"[{\"type\":\"computer_call\",\"call_id\":\"c\",\"action\":{}}," \
	"{\"type\":\"computer_call_output\",\"call_id\":\"c\","          \
	"\"output\":" output "}]"
#define PICTURE(type) \
	"{\"type\":\"" type "\",\"image_url\":\"https://example.org/a\"}"

/* A screenshot is a picture, wherever it stands, and no JSON. */
static void
test_chat_screenshots_are_pictures(void **state)
{
	uint64_t none = message_tokens_of(SCREEN("[]"));
	uint64_t one =
		message_tokens_of(SCREEN("[" PICTURE("input_image") "]"));

	assert_int_equal(one - none, image_tokens_openai(0, 0, false));
	assert_int_equal(message_tokens_of(SCREEN(
				 "[" PICTURE("computer_screenshot") "]")),
			 one);
	assert_int_equal(
		message_tokens_of(SCREEN(PICTURE("computer_screenshot"))), one);
	assert_true(message_tokens_of(SCREEN(PICTURE("other"))) < none + 100);
}

/* All that a thought consists of is counted. */
static void
test_chat_thoughts_count_with_all_their_parts(void **state)
{
#define THOUGHT(more)                                                         \
	"[{\"type\":\"reasoning\",\"id\":\"r\",\"summary\":[]" more "}," USER \
	"]"
#define OF_A_HUNDRED(type, text) \
	"[{\"type\":\"" type "\",\"text\":\"" text "\"}]"
	static const char ten[] = " a a a a a a a a a a";
	char hundred[10 * sizeof(ten)] = "";
	char json[1000];
	uint64_t none = message_tokens_of(THOUGHT(""));

	for (int i = 0; i < 10; i++)
		strcat(hundred, ten);
	snprintf(json, sizeof(json),
		 THOUGHT(",\"content\":" OF_A_HUNDRED("reasoning_text", "%s")),
		 hundred);
	assert_int_equal(message_tokens_of(json) - none, 100);
	snprintf(
		json, sizeof(json),
		"[{\"type\":\"reasoning\",\"id\":\"r\",\"summary\":" OF_A_HUNDRED(
			"summary_text", "%s") "}," USER "]",
		hundred);
	assert_int_equal(message_tokens_of(json) - none, 100);
}

/* What a tool of the interface's own gave back follows its call. */
static void
test_chat_tools_of_the_interface_have_calls_and_results(void **state)
{
#define OWN(kind, id)                                       \
	"{\"type\":\"" kind "_tool_use\",\"id\":\"" id      \
	"\",\"name\":\"f\",\"input\":{}},{\"type\":\"" kind \
	"_tool_result\",\"tool_use_id\":\"c\",\"content\":\"r\"}"
#define MESSAGE(blocks) "[{\"role\":\"assistant\",\"content\":[" blocks "]}]"
	static const char *const good[] = { MESSAGE(OWN("mcp", "c")),
					    MESSAGE(OWN("server", "c")) };
	static const char *const bad[] = { MESSAGE(OWN("mcp", "d")),
					   MESSAGE(OWN("server", "d")) };

	for (size_t i = 0; i < ARRAY_LEN(good); i++)
		assert_int_equal(format_of(good[i]), CHAT_ANTHROPIC);
	for (size_t i = 0; i < ARRAY_LEN(bad); i++)
		assert_begins(refusal(bad[i], strlen(bad[i])),
			      "BALE-CMP-003 message 0: the tool call \"c\" ");
}

static void
test_chat_options_that_contradict_are_refused(void **state)
{
	struct chat_options options = chat_defaults();
	struct window_error error;
	struct chat *chat;

	options.threshold = 0.99;
	assert_int_equal(chat_open(&chat, "[]", 2, &options, &error), -EINVAL);
	assert_begins(error.text, "BALE-CMP-004 ");
	options = chat_defaults();
	options.preserve = 0.9;
	assert_int_equal(chat_open(&chat, "[]", 2, &options, &error), -EINVAL);
	options = chat_defaults();
	options.limit_tokens = 100;
	options.reserve_tokens = 100;
	options.reserve_given = true;
	assert_int_equal(chat_open(&chat, "[]", 2, &options, &error), -EINVAL);
	options = chat_defaults();
	options.encoding = "none";
	assert_int_equal(chat_open(&chat, "[]", 2, &options, &error), -EINVAL);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_chat_thoughts_count_with_all_their_parts),
		cmocka_unit_test(
			test_chat_formats_are_told_by_each_kind_of_part),
		cmocka_unit_test(test_chat_screenshots_are_pictures),
		cmocka_unit_test(
			test_chat_tools_of_the_interface_have_calls_and_results),
		cmocka_unit_test(test_chat_formats_are_told_by_what_they_hold),
		cmocka_unit_test(test_chat_refuses_what_is_no_conversation),
		cmocka_unit_test(
			test_chat_refuses_calls_and_results_that_do_not_match),
		cmocka_unit_test(
			test_chat_cuts_never_part_a_call_from_its_results),
		cmocka_unit_test(
			test_chat_old_function_calls_are_paired_by_name),
		cmocka_unit_test(
			test_chat_counts_text_exactly_and_says_what_is_estimated),
		cmocka_unit_test(test_chat_budget_adds_up),
		cmocka_unit_test(test_chat_is_due_above_the_thresholds_only),
		cmocka_unit_test(test_limits_of_models_with_betas_and_without),
		cmocka_unit_test(
			test_images_have_the_tokens_their_interface_documents),
		cmocka_unit_test(test_chat_options_that_contradict_are_refused),
	};

	return cmocka_run_group_tests_name("window/chat", tests, NULL, NULL);
}
