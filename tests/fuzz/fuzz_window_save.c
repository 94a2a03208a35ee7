/* SPDX-License-Identifier: MIT */
/*
 * fuzz_window_save.c - the file of a window from a stranger.
 *
 * Whatever it is, it is refused, or it makes a window that can be saved,
 * restored, compacted and built from.
 *
 * verifies: WIN-10, WIN-13
 */
#include <stdlib.h>
#include <string.h>

#include "window/rounds.h"
#include "window/window.h"

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t bytes_nr);

static void
use(struct window *window)
{
	const struct window_compact_options half = {
		.strategy = WINDOW_SELECTIVE, .target = 50, .query = "a b"
	};
	struct window_built built;
	struct window_stats stats;
	char *saved = window_save(window);

	if (saved == NULL ||
	    window_restore(window, saved, strlen(saved), NULL) != 0)
		abort();
	free(saved);
	window_compact(window, &half, NULL, NULL);
	if (window_build(window, NULL, &built, NULL) == 0) {
		window_stats(window, &stats);
		if (built.total_tokens > stats.max_tokens)
			abort();
		window_built_free(&built);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t bytes_nr)
{
	struct window_error error;
	struct rounds_block block;
	struct window *window;

	if (rounds_compress((const char *)bytes, bytes_nr,
			    &(struct rounds_limit){ NULL, 50 }, &block,
			    &error) == 0) {
		if (block.tokens > 50)
			abort();
		rounds_block_free(&block);
	}
	if (window_load(&window, NULL, (const char *)bytes, bytes_nr, &error) !=
	    0)
		return 0;
	use(window);
	window_destroy(window);
	return 0;
}
