/* SPDX-License-Identifier: MIT */
/*
 * fuzz_window_chat.c - a conversation from a stranger.
 *
 * Input: one byte (format, trigger, how tight it is), then JSON. Whatever it
 * is, it is refused or compacted; what comes out of compaction can go in
 * again and is not longer (chat_compact() checks that itself, and says -EPROTO
 * if it is not so).
 *
 * verifies: CMP-05, CMP-11
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/test_chat.h"
#include "window/chat.h"

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t bytes_nr);

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t bytes_nr)
{
	struct chat_options options = chat_defaults();
	struct chat_report report;
	struct window_error error;
	struct chat *chat;
	size_t out_bytes;
	char *out;
	int result;

	if (bytes_nr < 1)
		return 0;
	options.format = (enum chat_format)(bytes[0] & 3);
	options.trigger =
		(bytes[0] & 4) != 0 ? CHAT_TRIGGER_MANUAL : CHAT_TRIGGER_AUTO;
	options.limit_tokens = 64u << (bytes[0] >> 3 & 7);
	options.prune_over = 20;
	options.keep_recent = bytes[0] >> 6;
	if (chat_open(&chat, (const char *)bytes + 1, bytes_nr - 1, &options,
		      &error) != 0)
		return 0;
	result = chat_compact(chat, &out, &out_bytes, &report, &error);
	if (result == -EPROTO)
		abort();
	if (result == 0)
		free(out);
	chat_close(chat);
	return 0;
}
