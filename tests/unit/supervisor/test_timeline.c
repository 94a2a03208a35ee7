/* SPDX-License-Identifier: MIT */
/*
 * test_supervisor_timeline.c - samples of a run of any length.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "supervisor/timeline.h"

static struct timeline timeline;

/* Runs for `ticks` ticks and takes samples as the supervisor would. */
static void
run_for(uint64_t ticks)
{
	timeline_init(&timeline, 50);
	for (uint64_t at = 50; at <= ticks * 50; at += 50) {
		if (at < timeline.next_ns)
			continue;
		timeline_next(&timeline, at)->stages[0].items = at;
	}
}

static void
test_timeline_of_a_short_run_has_every_tick(void **state)
{
	(void)state;
	run_for(7);
	assert_int_equal(timeline.nr, 7);
	for (uint64_t i = 0; i < 7; i++)
		assert_int_equal(timeline.samples[i].at_ns, 50 * (i + 1));
}

static void
test_timeline_of_a_long_run_is_bounded_and_even(void **state)
{
	static const uint64_t ticks[] = { 256, 257, 1000, 100000, 1000000 };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(ticks); i++) {
		uint64_t before = 0;

		run_for(ticks[i]);
		assert_in_range(timeline.nr, TIMELINE_SAMPLES / 2,
				TIMELINE_SAMPLES);
		for (size_t at = 0; at < timeline.nr; at++) {
			const struct timeline_sample *sample =
				&timeline.samples[at];

			/* what was sampled stays with its time */
			assert_int_equal(sample->stages[0].items,
					 sample->at_ns);
			assert_true(sample->at_ns > before);
			assert_true(sample->at_ns - before <=
				    timeline.interval_ns);
			before = sample->at_ns;
		}
		/* and the last one is not long ago */
		assert_true(ticks[i] * 50 - before < timeline.interval_ns);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_timeline_of_a_short_run_has_every_tick),
		cmocka_unit_test(
			test_timeline_of_a_long_run_is_bounded_and_even),
	};

	return cmocka_run_group_tests_name("supervisor/timeline", tests, NULL,
					   NULL);
}
