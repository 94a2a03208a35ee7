// SPDX-License-Identifier: MIT
/*
 * bench_window_window.c - what adding to a window and building from it take.
 *
 * Does: fills a window of 200,000 tokens with 1,000 items, again and again,
 *       and times each add; builds from the full window, with all messages
 *       asked for; times adds that have to make room first; prints median and
 *       95th percentile, and fails beyond 10 ms an add and 200 ms a build.
 *
 *   bench_window_window [ROUNDS]
 *
 * verifies: WIN-14
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench_clock.h"
#include "window/window.h"

#define ITEM_NR 1000
#define ITEM_TOKENS 200
#define BUILD_NR 40
#define ADD_LIMIT_MS 10.0
#define BUILD_LIMIT_MS 200.0

static void
die(const char *what, const char *why)
{
	fprintf(stderr, "bench_window_window: %s: %s\n", what, why);
	exit(1);
}

static int
by_value(const void *left, const void *right)
{
	double a = *(const double *)left;
	double b = *(const double *)right;

	return a < b ? -1 : a > b;
}

/* Prints and returns the 95th percentile. */
static double
tell(const char *what, double *ms, size_t nr)
{
	double p95;

	qsort(ms, nr, sizeof(*ms), by_value);
	p95 = ms[nr * 95 / 100];
	printf("%-28s %6zu times  median %8.3f ms  P95 %8.3f ms\n", what, nr,
	       ms[nr / 2], p95);
	return p95;
}

/* Something like code: words, numbers, names; about ITEM_TOKENS tokens. */
static char *
make_content(unsigned *seed)
{
	static const char *const words[] = {
		"static",  "int",     " ring_push(struct ring *ring)\n{\n\t",
		"return ", "if (",    ") {\n\t\t",
		"atomic",  "_store",  "The parser reads ",
		"header",  " 0x1f; ", "internationalization ",
	};
	char *text = malloc(ITEM_TOKENS * 24);
	size_t at = 0;

	if (text == NULL)
		die("memory", "none");
	for (int i = 0; i < ITEM_TOKENS * 45 / 100; i++)
		at += (size_t)sprintf(text + at, "%s",
				      words[rand_r(seed) % 12]);
	return text;
}

static struct window *
open_window(uint64_t max_tokens)
{
	struct window_options options = window_defaults();
	struct window_error error;
	struct window *window;

	options.max_tokens = max_tokens;
	options.threshold = 100;
	if (window_create(&window, &options, &error) != 0)
		die("window_create", error.text);
	return window;
}

static void
add(struct window *window, char *const *contents, size_t i, double *ms)
{
	struct window_error error;
	struct window_item item = {
		.content = contents[i],
		.content_bytes = strlen(contents[i]),
		.type = (enum window_type)(i % WINDOW_TYPE_NR),
		.priority = (uint32_t)(i * 37 % 101),
		.role = i % 2 == 0 ? "user" : NULL,
	};
	double begun = now_ms();

	if (window_add(window, &item, NULL, &error) != 0)
		die("window_add", error.text);
	*ms = now_ms() - begun;
}

int
main(int argc, char **argv)
{
	size_t round_nr = argc > 1 ? (size_t)strtoul(argv[1], NULL, 10) : 10;
	double *add_ms = calloc(round_nr * ITEM_NR, sizeof(*add_ms));
	double room_ms[ITEM_NR];
	double build_ms[BUILD_NR];
	char *contents[ITEM_NR];
	struct window_build_options options = window_build_defaults();
	struct window_stats stats;
	struct window *window = NULL;
	unsigned seed = 1;
	double add_p95;
	double build_p95;

	if (add_ms == NULL || round_nr == 0)
		die("ROUNDS", "not a number of rounds");
	for (size_t i = 0; i < ITEM_NR; i++)
		contents[i] = make_content(&seed);
	for (size_t r = 0; r < round_nr; r++) {
		window_destroy(window);
		window = open_window(400000);
		for (size_t i = 0; i < ITEM_NR; i++)
			add(window, contents, i, &add_ms[r * ITEM_NR + i]);
	}
	window_stats(window, &stats);
	printf("%zu items, %llu tokens\n", stats.items,
	       (unsigned long long)stats.tokens);
	if (stats.tokens < 200000)
		die("contents", "fewer than 200,000 tokens");
	add_p95 = tell("add", add_ms, round_nr * ITEM_NR);
	options.history_max = ITEM_NR;
	for (size_t i = 0; i < BUILD_NR; i++) {
		struct window_error error;
		struct window_built built;
		double begun = now_ms();

		if (window_build(window, &options, &built, &error) != 0)
			die("window_build", error.text);
		build_ms[i] = now_ms() - begun;
		window_built_free(&built);
	}
	build_p95 = tell("build", build_ms, BUILD_NR);
	window_destroy(window);
	window = open_window(100000);
	if (window_set_limits(window, 100000, 85, WINDOW_REMOVE_LOW_PRIORITY,
			      NULL) != 0)
		die("window_set_limits", "refused");
	for (size_t i = 0; i < ITEM_NR; i++)
		add(window, contents, i, &room_ms[i]);
	tell("add, compacting now and then", room_ms, ITEM_NR);
	window_destroy(window);
	for (size_t i = 0; i < ITEM_NR; i++)
		free(contents[i]);
	free(add_ms);
	return add_p95 < ADD_LIMIT_MS && build_p95 < BUILD_LIMIT_MS ? 0 : 1;
}
