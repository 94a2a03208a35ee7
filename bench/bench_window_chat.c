// SPDX-License-Identifier: MIT
/*
 * bench_window_chat.c - reading, counting and compacting a long conversation.
 *
 * Does: makes a conversation of about 200,000 tokens with tool calls, opens
 *       it, compacts it without a summariser; prints the best of ROUNDS.
 *
 *   bench_window_chat [ROUNDS]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench_clock.h"
#include "tests/support/test_chat.h"
#include "window/chat.h"
#include "window/window_impl.h"

#define EXCHANGE_NR 400

static char *
make_chat(void)
{
	char *text;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	fputs("[", out);
	for (int i = 0; i < EXCHANGE_NR; i++) {
		fprintf(out,
			"%s{\"role\":\"user\",\"content\":\"Question "
			"%d?\"},{\"role\":\"assistant\",\"content\":null,"
			"\"tool_calls\":[{\"id\":\"c%d\",\"type\":"
			"\"function\",\"function\":{\"name\":\"look\","
			"\"arguments\":\"{}\"}}]},{\"role\":\"tool\","
			"\"tool_call_id\":\"c%d\",\"content\":\"",
			i > 0 ? "," : "", i, i, i);
		for (int k = 0; k < 40; k++)
			fprintf(out, "%04d: static int ring_push(%d);\\n", k,
				i * k);
		fputs("\"}", out);
	}
	fputs("]", out);
	return text_end(out, &text);
}

int
main(int argc, char **argv)
{
	int round_nr = argc > 1 ? atoi(argv[1]) : 5;
	struct chat_options options = chat_defaults();
	char *json = make_chat();
	double open_ms = 1e9;
	double compact_ms = 1e9;
	struct chat_report report = { .removed = 0 };

	if (json == NULL)
		return 1;
	options.model = "gpt-4o";
	for (int r = 0; r < round_nr; r++) {
		struct window_error error;
		struct chat *chat;
		size_t bytes;
		char *out;
		double begun = now_ms();
		double opened;

		if (chat_open(&chat, json, strlen(json), &options, &error) !=
		    0) {
			fprintf(stderr, "bench_window_chat: %s\n", error.text);
			return 1;
		}
		opened = now_ms();
		if (chat_compact(chat, &out, &bytes, &report, &error) != 0) {
			fprintf(stderr, "bench_window_chat: %s\n", error.text);
			return 1;
		}
		if (opened - begun < open_ms)
			open_ms = opened - begun;
		if (now_ms() - opened < compact_ms)
			compact_ms = now_ms() - opened;
		free(out);
		chat_close(chat);
	}
	printf("%zu messages, %llu tokens, %zu bytes\n",
	       report.before.message_nr, (unsigned long long)report.before.used,
	       strlen(json));
	printf("open and count %8.2f ms\n", open_ms);
	printf("compact        %8.2f ms, %zu results pruned, %zu messages "
	       "removed, %llu tokens left\n",
	       compact_ms, report.pruned, report.removed,
	       (unsigned long long)report.after.used);
	free(json);
	return 0;
}
