/* SPDX-License-Identifier: MIT */
/*
 * fuzz_window_dialogue.c - messages from a stranger as items, and a request made
 *                          of them.
 *
 * Input: one byte (the interfaces), then JSON. What can be added can be built
 * for every interface: window_build() checks that itself, and says -EPROTO if
 * it is not so.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "window/rounds.h"
#include "window/window.h"

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t bytes_nr);

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t bytes_nr)
{
	const struct window_options options = window_defaults();
	struct window_build_options build = window_build_defaults();
	struct window_messages messages = { .bytes = bytes_nr - 1 };
	struct window_error error;
	struct window_built built;
	struct window *window;
	char *round;
	size_t added;

	if (bytes_nr < 1 || window_create(&window, &options, &error) != 0)
		return 0;
	messages.json = (const char *)bytes + 1;
	messages.format = (enum chat_format)(bytes[0] & 3);
	/* a few may have been added where another one is refused */
	window_add_messages(window, &messages, &added, &error);
	build.format = (enum chat_format)(bytes[0] >> 2 & 3);
	build.history_max = (uint32_t)bytes[0] >> 4;
	if (window_build(window, &build, &built, &error) == -EPROTO)
		abort();
	window_built_free(&built);
	window_destroy(window);
	if (rounds_is_conversation(messages.json, messages.bytes) &&
	    rounds_find(messages.json, messages.bytes, &round, &error) == 0)
		free(round);
	return 0;
}
