/* SPDX-License-Identifier: MIT */
/*
 * Conversations made shorter: what goes and what stays, summaries that fail;
 * and a long conversation with a model that is none, in all three
 * interfaces, looked at after every turn.
 */
#include "tests/support/test_compact.h"

/* verifies: CMP-04 */
static void
test_compact_not_due_gives_back_every_byte(void **state)
{
	struct warnings warnings;
	struct chat_options options = options_of(100000, &warnings);
	struct chat_report report;
	char *json = exchanges(3, 2000);
	char *out = compact(json, &options, &report);

	assert_string_equal(out, json);
	assert_int_equal(report.method, CHAT_UNCHANGED);
	free(out);
	free(json);
}

/* verifies: CMP-05, CMP-06 */
static void
test_compact_puts_one_summary_in_front_of_what_stays(void **state)
{
	struct warnings warnings;
	struct chat_options options = options_of(10000, &warnings);
	struct chat_report report;
	char *json = exchanges(200, 40);
	char *out;
	json_t *after;
	const char *kept;
	double share;

	options.summarizer = "cat >/dev/null; echo 'They asked many things.'";
	out = compact(json, &options, &report);
	after = load(out);
	assert_int_equal(report.method, CHAT_SUMMARIZED);
	assert_string_equal(json_string_value(json_object_get(
				    json_array_get(after, 0), "content")),
			    "Be brief.");
	assert_string_equal(json_string_value(json_object_get(
				    json_array_get(after, 1), "role")),
			    "user");
	assert_contains(json_string_value(json_object_get(
				json_array_get(after, 1), "content")),
			"They asked many things.");
	/* about 40 per cent of the room stay */
	share = (double)(report.after.used) / (double)report.after.room;
	assert_true(share > 0.36 && share < 0.44);
	/* it is in one with the question behind it; the others are as they were,
	 * byte by byte */
	kept = strstr(out, "\n {\"role\":\"user\",\"content\":\"Question");
	assert_non_null(kept);
	assert_non_null(strstr(json, kept));
	assert_int_equal(json_array_size(after),
			 report.before.message_nr - report.removed);
	json_decref(after);
	free(out);
	free(json);
}

/* Who makes the summary sees what goes, all of it, and nothing that stays. */
static void
test_compact_summariser_is_shown_what_goes(void **state)
{
	struct warnings warnings;
	struct chat_options options = options_of(10000, &warnings);
	struct chat_report report;
	char *json = exchanges(200, 40);
	char want[100];
	char *out;

	options.summarizer =
		"awk '/^## / { n++ } /^Question 0[?]/ { first++ } "
		"/Be brief|^Question 199[?]/ { kept++ } "
		"END { print n + 0 \" shown, \" first + 0, kept + 0 }'";
	out = compact(json, &options, &report);
	assert_int_equal(report.method, CHAT_SUMMARIZED);
	snprintf(want, sizeof(want), "%zu shown, 1 0", (size_t)report.removed);
	assert_contains(out, want);
	free(out);
	free(json);
}

/* verifies: CMP-07, CMP-11 */
static void
test_compact_falls_back_to_truncation_with_a_warning(void **state)
{
	static const char *const bad[] = {
		"exit 1",
		"cat >/dev/null",
		"cat; cat /dev/zero",
		"printf '\\377'",
		/* longer than what it is about */
		"cat >/dev/null; seq 1 5000",
	};
	char *json = exchanges(200, 40);

	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		struct warnings warnings;
		struct chat_options options = options_of(10000, &warnings);
		struct chat_report report;
		json_t *after;
		char *out;

		options.summarizer = bad[i];
		options.summary_bytes_max = 100000;
		out = compact(json, &options, &report);
		assert_int_equal(report.method, CHAT_TRUNCATED);
		assert_true(report.fell_back);
		assert_int_equal(warnings.nr, 1);
		assert_begins(warnings.text, "BALE-WIN-012 ");
		assert_false(report.after.due);
		after = load(out);
		assert_contains(json_string_value(json_object_get(
					json_array_get(after, 1), "content")),
				"left out to make room");
		json_decref(after);
		free(out);
	}
	free(json);
}

/* verifies: CMP-08 */
static void
test_compact_record_has_trigger_and_tokens(void **state)
{
	struct warnings warnings;
	struct chat_options options = options_of(10000, &warnings);
	struct window_error error;
	struct chat_report report;
	char *json = exchanges(200, 40);
	struct chat *chat;
	size_t bytes;
	char *out;
	char *record;
	json_t *parsed;
	json_t *metadata;

	options.trigger = CHAT_TRIGGER_MANUAL;
	options.session = "s-1";
	assert_int_equal(chat_open(&chat, json, strlen(json), &options, &error),
			 0);
	assert_int_equal(chat_compact(chat, &out, &bytes, &report, &error), 0);
	record = chat_record_json(chat, &report);
	parsed = load(record);
	metadata = json_object_get(parsed, "compact_metadata");
	assert_string_equal(
		json_string_value(json_object_get(parsed, "subtype")),
		"compact_boundary");
	assert_string_equal(
		json_string_value(json_object_get(parsed, "session_id")),
		"s-1");
	assert_string_equal(
		json_string_value(json_object_get(metadata, "trigger")),
		"manual");
	assert_int_equal(
		json_integer_value(json_object_get(metadata, "pre_tokens")),
		report.before.used);
	json_decref(parsed);
	free(record);
	free(out);
	chat_close(chat);
	free(json);
}

/* verifies: CMP-11 */
static void
test_compact_that_cannot_help_is_an_error_and_changes_nothing(void **state)
{
	struct warnings warnings;
	struct chat_options options = options_of(1000, &warnings);
	struct window_error error = { .text = "" };
	struct chat_report report;
	char *huge = text_of_tokens(2000);
	struct chat *chat;
	char *json = NULL;
	char *out = NULL;
	size_t bytes;

	assert_true(asprintf(&json,
			     "[{\"role\":\"user\",\"content\":\"short\"},"
			     "{\"role\":\"user\",\"content\":\"%s\"}]",
			     huge) > 0);
	assert_int_equal(chat_open(&chat, json, strlen(json), &options, &error),
			 0);
	assert_int_equal(chat_compact(chat, &out, &bytes, &report, &error),
			 -E2BIG);
	assert_begins(error.text, "BALE-CMP-008 ");
	assert_null(out);
	chat_close(chat);
	free(json);
	free(huge);
}

/* Reals and large numbers of messages that stay are not written anew. */
static void
test_compact_does_not_touch_what_stays(void **state)
{
	static const char tail[] =
		"{\"role\":\"assistant\",\"content\":[{\"type\":\"tool_use\","
		"\"id\":\"t\",\"name\":\"f\",\"input\":{\"x\":0.10,\"y\":1E+2,"
		"\"z\":\"\\u00e9\\/\"}}]},{\"role\":\"user\",\"content\":[{"
		"\"type\":\"tool_result\",\"tool_use_id\":\"t\"}]} ] , "
		"\"max_tokens\": 7 }";
	struct warnings warnings;
	struct chat_options options = options_of(1000, &warnings);
	struct chat_report report;
	char *filler = text_of_tokens(800);
	char *json = NULL;
	char *out;

	options.model = "gpt-4o";
	assert_true(asprintf(&json,
			     "{ \"system\":\"s\", \"messages\" : [ {\"role\":"
			     "\"user\",\"content\":\"%s\"},%s",
			     filler, tail) > 0);
	out = compact(json, &options, &report);
	assert_int_equal(report.method, CHAT_TRUNCATED);
	assert_begins(out, "{ \"system\":\"s\", \"messages\" : [ {");
	assert_string_equal(out + strlen(out) - strlen(tail), tail);
	free(out);
	free(json);
	free(filler);
}

/* All the text of a content, one part behind the other: free(). */
static char *
all_text(const json_t *content)
{
	char *text;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	if (json_is_string(content))
		fputs(json_string_value(content), out);
	for (size_t i = 0; i < json_array_size(content); i++)
		fprintf(out, "%s|",
			json_string_value(json_object_get(
				json_array_get(content, i), "text")));
	assert_non_null(text_end(out, &text));
	return text;
}

/* There is one message for the note and the question, so roles alternate. */
static void
test_compact_note_joins_the_next_message_of_the_user(void **state)
{
	static const char note[] = "[The earlier part of this conversation, 2 "
				   "messages, was left out to make room.]";
	static const struct {
		enum chat_format format;
		const char *question;
		const char *between;
		const char *end;
	} cases[] = {
		{ CHAT_ANTHROPIC, "\"And now?\"", "|", "|" },
		{ CHAT_ANTHROPIC, "[{\"type\":\"text\",\"text\":\"And now?\"}]",
		  "|", "|" },
		{ CHAT_OPENAI, "\"And now?\"", "\n\n", "" },
		{ CHAT_OPENAI, "[{\"type\":\"text\",\"text\":\"And now?\"}]",
		  "|", "|" },
		{ CHAT_RESPONSES, "\"And now?\"", "|", "|" },
	};
	char *filler = text_of_tokens(900);

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct warnings warnings;
		struct chat_options options = options_of(1000, &warnings);
		struct chat_report report;
		const json_t *message;
		char *json = NULL;
		char *want = NULL;
		char *got;
		json_t *after;
		char *out;

		options.model = "gpt-4o";
		options.format = cases[i].format;
		assert_true(asprintf(&json,
				     "[{\"role\":\"user\",\"content\":\"Go\"},"
				     "{\"role\":\"assistant\",\"content\":"
				     "\"%s\"},{\"role\":\"user\",\"content\":"
				     "%s,\"name\":\"Ada\"}]",
				     filler, cases[i].question) > 0);
		out = compact(json, &options, &report);
		assert_int_equal(report.method, CHAT_TRUNCATED);
		assert_int_equal(report.removed, 2);
		after = load(out);
		assert_int_equal(json_array_size(after), 1);
		message = json_array_get(after, 0);
		assert_true(asprintf(&want, "%s%sAnd now?%s", note,
				     cases[i].between, cases[i].end) > 0);
		got = all_text(json_object_get(message, "content"));
		assert_string_equal(got, want);
		assert_string_equal(
			json_string_value(json_object_get(message, "name")),
			"Ada");
		json_decref(after);
		free(got);
		free(want);
		free(out);
		free(json);
	}
	free(filler);
}

/* ------------------------------------------------------------------------ */

/* A conversation that grows, in one interface. */
struct loop {
	enum chat_format format;
	json_t *messages;
	unsigned call; /* number of the next call */
	unsigned seed;
};

static json_t *
long_text(struct loop *loop, size_t words)
{
	static const char *const some[] = { "the",    "parser", "reads", "a",
					    "header", "then",   "fails", "42" };
	json_t *json;
	char *taken;
	size_t bytes;
	FILE *out = open_memstream(&taken, &bytes);

	for (size_t i = 0; i < words; i++)
		fprintf(out, "%s ", some[rand_r(&loop->seed) % 8]);
	assert_non_null(text_end(out, &taken));
	json = json_string(taken);
	free(taken);
	return json;
}

static void
say(struct loop *loop, const char *role, size_t words)
{
	json_t *text = long_text(loop, words);
	json_t *message;

	if (loop->format == CHAT_RESPONSES)
		message = json_pack("{s:s, s:s, s:[{s:s, s:o}]}", "type",
				    "message", "role", role, "content", "type",
				    strcmp(role, "user") == 0 ? "input_text"
							      : "output_text",
				    "text", text);
	else if (loop->format == CHAT_ANTHROPIC)
		message = json_pack("{s:s, s:[{s:s, s:o}]}", "role", role,
				    "content", "type", "text", "text", text);
	else
		message =
			json_pack("{s:s, s:o}", "role", role, "content", text);
	assert_int_equal(json_array_append_new(loop->messages, message), 0);
}

static json_t *
call_json(const struct loop *loop, const char *id)
{
	if (loop->format == CHAT_RESPONSES)
		return json_pack("{s:s, s:s, s:s, s:s}", "type",
				 "function_call", "call_id", id, "name", "read",
				 "arguments", "{\"path\":\"a.c\"}");
	if (loop->format == CHAT_ANTHROPIC)
		return json_pack("{s:s, s:s, s:s, s:{s:s}}", "type", "tool_use",
				 "id", id, "name", "read", "input", "path",
				 "a.c");
	return json_pack("{s:s, s:s, s:{s:s, s:s}}", "id", id, "type",
			 "function", "function", "name", "read", "arguments",
			 "{\"path\":\"a.c\"}");
}

static json_t *
result_json(struct loop *loop, const char *id, size_t words)
{
	json_t *text = long_text(loop, words);

	if (loop->format == CHAT_RESPONSES)
		return json_pack("{s:s, s:s, s:o}", "type",
				 "function_call_output", "call_id", id,
				 "output", text);
	if (loop->format == CHAT_ANTHROPIC)
		return json_pack("{s:s, s:s, s:o}", "type", "tool_result",
				 "tool_use_id", id, "content", text);
	return json_pack("{s:s, s:s, s:o}", "role", "tool", "tool_call_id", id,
			 "content", text);
}

/* The model calls `nr` tools at once, and gets its results. */
static void
call_tools(struct loop *loop, size_t nr)
{
	json_t *calls = json_array();
	json_t *results = json_array();
	json_t *each;
	size_t i;

	for (i = 0; i < nr; i++) {
		char id[32];

		snprintf(id, sizeof(id), "call_%u", loop->call++);
		json_array_append_new(calls, call_json(loop, id));
		/* the results come in another order */
		json_array_insert_new(
			results, 0,
			result_json(loop, id,
				    50 + (size_t)rand_r(&loop->seed) % 400));
	}
	if (loop->format == CHAT_RESPONSES) {
		json_array_append_new(loop->messages,
				      json_pack("{s:s, s:s, s:[]}", "type",
						"reasoning", "id", "rs_1",
						"summary"));
		json_array_extend(loop->messages, calls);
		json_array_extend(loop->messages, results);
	} else if (loop->format == CHAT_ANTHROPIC) {
		json_array_append_new(loop->messages,
				      json_pack("{s:s, s:O}", "role",
						"assistant", "content", calls));
		json_array_append_new(loop->messages,
				      json_pack("{s:s, s:O}", "role", "user",
						"content", results));
	} else {
		json_array_append_new(loop->messages,
				      json_pack("{s:s, s:n, s:O}", "role",
						"assistant", "content",
						"tool_calls", calls));
		json_array_foreach(results, i, each)
			json_array_append(loop->messages, each);
	}
	json_decref(calls);
	json_decref(results);
}

/*
 * The rules of the interfaces, written down once more, from their own
 * documents and not from the code under test.
 */
static void
check_valid(const struct loop *loop)
{
	json_t *open = json_object();
	json_t *message;
	size_t i;

	assert_true(json_array_size(loop->messages) > 0);
	json_array_foreach(loop->messages, i, message)
	{
		const char *type =
			json_string_value(json_object_get(message, "type"));
		const char *role =
			json_string_value(json_object_get(message, "role"));
		json_t *list = json_object_get(message, "tool_calls");
		json_t *each;
		size_t n;

		if (loop->format == CHAT_ANTHROPIC) {
			/* a strict gateway: the user, the model, in turn */
			assert_string_equal(role, i % 2 == 0 ? "user"
							     : "assistant");
			list = json_object_get(message, "content");
			assert_true(json_array_size(list) > 0);
		}
		if (loop->format == CHAT_RESPONSES && role == NULL) {
			const char *id = json_string_value(
				json_object_get(message, "call_id"));

			if (strcmp(type, "function_call") == 0) {
				json_object_set_new(open, id, json_true());
			} else if (strcmp(type, "reasoning") == 0) {
				/* something has to follow */
				assert_true(i + 1 <
					    json_array_size(loop->messages));
			} else {
				assert_non_null(json_object_get(open, id));
				json_object_del(open, id);
			}
			continue;
		}
		if (role != NULL && strcmp(role, "tool") == 0) {
			const char *id = json_string_value(
				json_object_get(message, "tool_call_id"));

			assert_non_null(json_object_get(open, id));
			json_object_del(open, id);
			continue;
		}
		json_array_foreach(list, n, each)
		{
			const char *id = json_string_value(
				json_object_get(each, "tool_use_id"));

			if (id == NULL)
				continue;
			assert_non_null(json_object_get(open, id));
			json_object_del(open, id);
		}
		/* nothing is open when the conversation goes on */
		assert_int_equal(json_object_size(open), 0);
		json_array_foreach(list, n, each)
		{
			const char *id =
				json_string_value(json_object_get(each, "id"));

			if (id != NULL)
				json_object_set_new(open, id, json_true());
		}
	}
	assert_int_equal(json_object_size(open), 0);
	json_decref(open);
}

/* One look at the conversation, as the program around a model would take. */
static enum chat_method
take_care(struct loop *loop, const struct chat_options *options,
	  struct chat_report *report)
{
	char *json = json_dumps(loop->messages, JSON_COMPACT);
	char *out = compact(json, options, report);

	json_decref(loop->messages);
	loop->messages = load(out);
	free(out);
	free(json);
	check_valid(loop);
	if (report->after.overflow > 0 ||
	    report->after.used > report->after.room)
		fail_msg("over the limit: %llu of %llu",
			 (unsigned long long)report->after.used,
			 (unsigned long long)report->after.room);
	return report->method;
}

static void
drive(enum chat_format format)
{
	struct warnings warnings;
	struct chat_options options = options_of(6000, &warnings);
	struct loop loop = { .format = format,
			     .messages = json_array(),
			     .seed = 7 };
	size_t methods[4] = { 0 };
	size_t fallbacks = 0;
	bool was_stopped = false;

	options.format = format;
	options.keep_recent = 2;
	if (format != CHAT_ANTHROPIC)
		say(&loop, "system", 30);
	for (unsigned turn = 0; turn < 50; turn++) {
		struct chat_report report;

		/* the model behind the summaries is away for a while */
		options.summarizer = turn >= 20 && turn < 30
					     ? "exit 1"
					     : "wc -c | sed 's/^/bytes: /'";
		options.stop_reason = turn == 40 ? "max_tokens" : NULL;
		say(&loop, "user", 20);
		for (unsigned n = 0; n < turn % 4; n++) {
			call_tools(&loop, 1 + (turn + n) % 3);
			methods[take_care(&loop, &options, &report)]++;
			fallbacks += report.fell_back;
		}
		say(&loop, "assistant", 60);
		methods[take_care(&loop, &options, &report)]++;
		fallbacks += report.fell_back;
		if (turn == 40)
			was_stopped = report.method == CHAT_SUMMARIZED;
	}
	assert_true(methods[CHAT_UNCHANGED] > 0);
	assert_true(methods[CHAT_PRUNED] > 0);
	assert_true(methods[CHAT_SUMMARIZED] > 2);
	assert_true(methods[CHAT_TRUNCATED] > 0);
	assert_int_equal(fallbacks, methods[CHAT_TRUNCATED]);
	assert_true(was_stopped);
	json_decref(loop.messages);
}

/* verifies: CMP-05, CMP-07, CMP-11 */
static void
test_loop_of_fifty_turns_openai_chat(void **state)
{
	drive(CHAT_OPENAI);
}

/* verifies: CMP-05, CMP-07, CMP-11 */
static void
test_loop_of_fifty_turns_openai_responses(void **state)
{
	drive(CHAT_RESPONSES);
}

/* verifies: CMP-05, CMP-07, CMP-11 */
static void
test_loop_of_fifty_turns_anthropic(void **state)
{
	drive(CHAT_ANTHROPIC);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_compact_not_due_gives_back_every_byte),
		cmocka_unit_test(
			test_compact_puts_one_summary_in_front_of_what_stays),
		cmocka_unit_test(test_compact_summariser_is_shown_what_goes),
		cmocka_unit_test(
			test_compact_falls_back_to_truncation_with_a_warning),
		cmocka_unit_test(test_compact_record_has_trigger_and_tokens),
		cmocka_unit_test(
			test_compact_that_cannot_help_is_an_error_and_changes_nothing),
		cmocka_unit_test(test_compact_does_not_touch_what_stays),
		cmocka_unit_test(
			test_compact_note_joins_the_next_message_of_the_user),
		cmocka_unit_test(test_loop_of_fifty_turns_openai_chat),
		cmocka_unit_test(test_loop_of_fifty_turns_openai_responses),
		cmocka_unit_test(test_loop_of_fifty_turns_anthropic),
	};

	return cmocka_run_group_tests_name("window/compact", tests, NULL, NULL);
}
