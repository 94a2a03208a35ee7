/* SPDX-License-Identifier: MIT */
/*
 * Eight threads on one window: nothing is lost, nothing is counted twice.
 */
#include "tests/support/test_window.h"

#include <pthread.h>

#define THREAD_NR 8
#define ROUND_NR 60

struct worker {
	struct window *window;
	unsigned number;
	size_t added;
	size_t removed;
};

/* Everything that a window offers, in a random order of its own. */
static void *
work(void *arg)
{
	struct worker *worker = arg;
	struct window *window = worker->window;
	unsigned seed = worker->number * 7919 + 1;

	for (unsigned i = 0; i < ROUND_NR; i++) {
		const struct window_compact_options some = {
			.strategy = i % 2 == 0 ? WINDOW_SELECTIVE
					       : WINDOW_REMOVE_OLDEST,
			.target = 60,
			.query = "a thread",
		};
		char id[WINDOW_ID_BYTES];
		char text[64];
		struct window_item item;
		struct window_list list;
		struct window_built built;
		struct window_stats stats;
		char *saved;

		snprintf(text, sizeof(text), "thread %u round %u says a",
			 worker->number, i);
		item = item_of(
			(enum window_type)(rand_r(&seed) % WINDOW_TYPE_NR),
			NULL, text);
		item.priority = (uint32_t)rand_r(&seed) % 101;
		item.role = "user";
		if (window_add(window, &item, id, NULL) == 0)
			worker->added++;
		switch (rand_r(&seed) % 8) {
		case 0:
			window_set_pin(window, id, true);
			window_set_pin(window, id, false);
			break;
		case 1:
			worker->removed += window_remove(window, id) == 0;
			break;
		case 2:
			window_set_priority(window, id, 7);
			break;
		case 3:
			if (window_list(window, NULL, &list) == 0)
				window_list_free(&list);
			break;
		case 4:
			if (window_build(window, NULL, &built, NULL) == 0)
				window_built_free(&built);
			break;
		case 5:
			window_compact(window, &some, NULL, NULL);
			break;
		case 6:
			saved = window_save(window);
			free(saved);
			break;
		default:
			window_stats(window, &stats);
			break;
		}
	}
	return NULL;
}

struct tally {
	pthread_mutex_t lock;
	long items;
	long tokens;
};

static void
keep_tally(void *arg, const struct window_event *event)
{
	struct tally *tally = arg;

	pthread_mutex_lock(&tally->lock);
	if (event->kind == WINDOW_EVENT_ADDED) {
		tally->items++;
		tally->tokens += (long)event->tokens;
	} else if (event->kind == WINDOW_EVENT_REMOVED) {
		tally->items--;
		tally->tokens -= (long)event->tokens;
	}
	pthread_mutex_unlock(&tally->lock);
}

/* verifies: WIN-14 */
static void
test_threads_add_up_to_what_the_events_say(void **state)
{
	struct tally tally = { .lock = PTHREAD_MUTEX_INITIALIZER };
	struct window_options options = window_defaults();
	struct worker workers[THREAD_NR];
	pthread_t threads[THREAD_NR];
	struct window_stats stats;
	struct window_list list;
	uint64_t sum = 0;

	options.max_tokens = 2000; /* so that adds compact now and then */
	options.on_event = keep_tally;
	options.arg = &tally;
	struct window *window = new_window(&options);

	for (unsigned i = 0; i < THREAD_NR; i++) {
		workers[i] = (struct worker){ .window = window, .number = i };
		assert_int_equal(
			pthread_create(&threads[i], NULL, work, &workers[i]),
			0);
	}
	for (unsigned i = 0; i < THREAD_NR; i++) {
		pthread_join(threads[i], NULL);
		assert_int_equal(workers[i].added, ROUND_NR);
	}
	window_stats(window, &stats);
	assert_int_equal(window_list(window, NULL, &list), 0);
	assert_int_equal(list.nr, stats.items);
	for (size_t i = 0; i < list.nr; i++) {
		sum += list.items[i].tokens;
		if (i > 0)
			assert_true(list.items[i - 1].type <=
				    list.items[i].type);
	}
	window_list_free(&list);
	assert_int_equal(sum, stats.tokens);
	assert_int_equal(tally.items, stats.items);
	assert_int_equal(tally.tokens, stats.tokens);
	assert_true(stats.tokens <= 2000);
	assert_int_equal(stats.add.nr, THREAD_NR * ROUND_NR);
	window_destroy(window);
}

static void *
swap(void *arg)
{
	struct worker *worker = arg;
	char *saved = window_save(worker->window);

	for (int i = 0; i < 20; i++)
		assert_int_equal(window_restore(worker->window, saved,
						strlen(saved), NULL),
				 0);
	free(saved);
	return NULL;
}

/* verifies: WIN-10, WIN-14 */
static void
test_threads_restore_while_others_add(void **state)
{
	struct worker workers[THREAD_NR];
	pthread_t threads[THREAD_NR];
	struct window *window = window_of(100000);

	add_tokens(window, WINDOW_OTHER, "first", 50, 10);
	for (unsigned i = 0; i < THREAD_NR; i++) {
		workers[i] = (struct worker){ .window = window, .number = i };
		assert_int_equal(pthread_create(&threads[i], NULL,
						i % 2 == 0 ? swap : work,
						&workers[i]),
				 0);
	}
	for (unsigned i = 0; i < THREAD_NR; i++)
		pthread_join(threads[i], NULL);
	assert_true(tokens_in(window) >= 10);
	window_destroy(window);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_threads_add_up_to_what_the_events_say),
		cmocka_unit_test(test_threads_restore_while_others_add),
	};

	return cmocka_run_group_tests_name("window/threads", tests, NULL, NULL);
}
