/* SPDX-License-Identifier: MIT */
/*
 * The progress line: what it says, that it fits, that it goes away.
 */
#include "supervisor/progress.h"

#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/number_format.h"

static const struct progress half_way = {
	.files_seen = 2000,
	.files_done = 1000,
	.files_total_known = true,
	.bytes = 50ull << 20,
	.tokens = 12345678,
	.elapsed_ns = 2000000000,
};

static void
test_progress_render_with_room_says_everything(void **state)
{
	char line[256];

	progress_render(line, sizeof(line), &half_way, 120);
	assert_string_equal(line,
			    "[###############...............] 1,000/2,000 "
			    "files  50.0 MiB  12.3M tokens  25.0 MiB/s  0:02 "
			    "left");
}

static void
test_progress_render_while_the_walk_goes_on_promises_nothing(void **state)
{
	struct progress early = half_way;
	char line[256];

	early.files_total_known = false;
	progress_render(line, sizeof(line), &early, 120);
	assert_string_equal(line, "1,000/2,000+ files  50.0 MiB  12.3M tokens  "
				  "25.0 MiB/s");
}

static void
test_progress_render_in_any_width_fits(void **state)
{
	struct progress huge = {
		.files_seen = UINT64_MAX,
		.files_done = UINT64_MAX,
		.files_total_known = true,
		.bytes = UINT64_MAX,
		.tokens = UINT64_MAX,
		.elapsed_ns = 1,
	};
	char line[PROGRESS_COLUMNS_MAX * 2];

	for (unsigned columns = 0; columns < 300; columns++) {
		const struct progress *all[] = { &half_way, &huge };

		for (size_t i = 0; i < ARRAY_LEN(all); i++) {
			size_t n = progress_render(line, sizeof(line), all[i],
						   columns);

			assert_true(n <= columns);
			assert_true(n <= PROGRESS_COLUMNS_MAX);
			assert_int_equal(n, strlen(line));
		}
	}
}

static void
test_progress_render_into_little_memory_stays_inside(void **state)
{
	char line[64];

	for (size_t size = 0; size < 40; size++) {
		memset(line, 'x', sizeof(line));
		progress_render(line, size, &half_way, 120);
		for (size_t i = size; i < sizeof(line); i++)
			assert_int_equal(line[i], 'x');
	}
}

static void
test_progress_render_in_a_narrow_line_keeps_the_files(void **state)
{
	char line[64];

	progress_render(line, sizeof(line), &half_way, 20);
	assert_string_equal(line, "1,000/2,000 files");
}

static void
test_progress_render_of_nothing_yet_is_calm(void **state)
{
	const struct progress nothing = { 0 };
	const struct progress empty = { .files_total_known = true };
	char line[256];

	progress_render(line, sizeof(line), &nothing, 80);
	assert_string_equal(line, "0/0+ files  0 B  0 tokens");
	progress_render(line, sizeof(line), &empty, 80);
	assert_string_equal(line, "0/0 files  0 B  0 tokens");
}

/* What a bar of a mode writes to a pipe for two updates and a clear. */
static size_t
written(enum progress_mode mode, uint64_t second_ns, char *text, size_t size)
{
	struct progress_bar bar;
	struct progress now = half_way;
	ssize_t n;
	int ends[2];

	assert_int_equal(pipe2(ends, O_NONBLOCK | O_CLOEXEC), 0);
	progress_open(&bar, mode, ends[1]);
	progress_update(&bar, &now);
	now.elapsed_ns = second_ns;
	progress_update(&bar, &now);
	progress_clear(&bar);
	n = read(ends[0], text, size - 1);
	close(ends[0]);
	close(ends[1]);
	text[n < 0 ? 0 : n] = '\0';
	return n < 0 ? 0 : (size_t)n;
}

static void
test_progress_update_in_a_pipe_is_silent_unless_told(void **state)
{
	char text[1024];

	assert_int_equal(written(PROGRESS_AUTO, UINT64_MAX, text, sizeof(text)),
			 0);
	assert_int_equal(
		written(PROGRESS_NEVER, UINT64_MAX, text, sizeof(text)), 0);
	assert_true(written(PROGRESS_ALWAYS, 9000000000, text, sizeof(text)) >
		    0);
	/* a log: whole lines, nothing for terminals */
	assert_null(strchr(text, '\r'));
	assert_null(strchr(text, '\033'));
	assert_int_equal(text[strlen(text) - 1], '\n');
	assert_non_null(strchr(text, '\n') + 1);
	assert_true(strchr(text, '\n') != strrchr(text, '\n'));
}

static void
test_progress_update_too_soon_is_left_away(void **state)
{
	char text[1024];

	written(PROGRESS_ALWAYS, half_way.elapsed_ns + 1, text, sizeof(text));
	assert_true(strchr(text, '\n') == strrchr(text, '\n'));
}

static void
test_progress_numbers_go_to_a_pipe_and_wait_for_nobody(void **state)
{
	struct progress_bar bar;
	struct progress now = half_way;
	struct progress_numbers numbers[3];
	int ends[2];

	assert_int_equal(pipe2(ends, O_NONBLOCK | O_CLOEXEC), 0);
	progress_open(&bar, PROGRESS_NEVER, -1);
	bar.numbers_fd = ends[1];
	assert_true(progress_is_on(&bar));
	now.files_total_known = false;
	progress_update(&bar, &now);
	progress_update(&bar, &now); /* too soon */
	now.files_total_known = true;
	now.elapsed_ns += 100000000;
	progress_update(&bar, &now);
	assert_int_equal(read(ends[0], numbers, sizeof(numbers)),
			 2 * sizeof(numbers[0]));
	assert_int_equal(numbers[0].files_done, half_way.files_done);
	assert_int_equal(numbers[0].files_total, 0);
	assert_int_equal(numbers[1].files_total, half_way.files_seen);
	/* full */
	for (int i = 0; i < 10000; i++) {
		now.elapsed_ns += 100000000;
		progress_update(&bar, &now);
	}
	close(ends[0]);
	close(ends[1]);
}

static void
test_progress_on_a_terminal_fits_and_is_cleared(void **state)
{
	struct winsize size = { .ws_row = 10, .ws_col = 33 };
	struct progress_bar bar;
	const char *want = "\r\033[K1,000/2,000 files  0:02 left\r\r\033[K";
	char text[1024];
	size_t n = 0;
	int terminal;
	int slave;

	terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (terminal < 0 || grantpt(terminal) != 0 || unlockpt(terminal) != 0)
		skip();
	slave = open(ptsname(terminal), O_RDWR | O_NOCTTY | O_CLOEXEC);
	assert_true(slave >= 0);
	assert_int_equal(ioctl(slave, TIOCSWINSZ, &size), 0);
	progress_open(&bar, PROGRESS_AUTO, slave);
	assert_true(progress_is_on(&bar));
	progress_update(&bar, &half_way);
	progress_clear(&bar);
	progress_clear(&bar); /* nothing more */
	/* the kernel hands on what was written when it likes */
	while (n < strlen(want)) {
		struct pollfd ready = { .fd = terminal, .events = POLLIN };
		ssize_t more;

		assert_int_equal(poll(&ready, 1, 5000), 1);
		more = read(terminal, text + n, sizeof(text) - 1 - n);
		assert_true(more > 0);
		n += (size_t)more;
	}
	text[n] = '\0';
	assert_string_equal(text, want);
	close(slave);
	close(terminal);
}

static void
test_figures_read_as_people_write_them(void **state)
{
	char out[FIGURE_BYTES];

	assert_string_equal(figure_count(out, 0), "0");
	assert_string_equal(figure_count(out, 999), "999");
	assert_string_equal(figure_count(out, 1000), "1,000");
	assert_string_equal(figure_count(out, UINT64_MAX),
			    "18,446,744,073,709,551,615");
	assert_string_equal(figure_short(out, 999), "999");
	assert_string_equal(figure_short(out, 1000), "1.0k");
	assert_string_equal(figure_short(out, 999999), "1.0M");
	assert_string_equal(figure_bytes(out, 1023), "1.0 KiB");
	assert_string_equal(figure_bytes(out, 1ull << 30), "1.0 GiB");
	assert_string_equal(figure_bytes(out, UINT64_MAX), "16.0 EiB");
	assert_string_equal(figure_clock(out, 59900000000), "1:00");
	assert_string_equal(figure_clock(out, 3723000000000), "1:02:03");
	assert_string_equal(figure_duration(out, 850000), "850 us");
	assert_string_equal(figure_duration(out, 62000000), "62 ms");
	assert_string_equal(figure_duration(out, 3210000000), "3.21 s");
	assert_string_equal(figure_duration(out, 125000000000), "2 min 5 s");
	assert_string_equal(figure_share(out, 1, 8), "12.5 %");
	assert_string_equal(figure_share(out, 1, 0), "-");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_progress_render_with_room_says_everything),
		cmocka_unit_test(
			test_progress_render_while_the_walk_goes_on_promises_nothing),
		cmocka_unit_test(test_progress_render_in_any_width_fits),
		cmocka_unit_test(
			test_progress_render_into_little_memory_stays_inside),
		cmocka_unit_test(
			test_progress_render_in_a_narrow_line_keeps_the_files),
		cmocka_unit_test(test_progress_render_of_nothing_yet_is_calm),
		cmocka_unit_test(
			test_progress_update_in_a_pipe_is_silent_unless_told),
		cmocka_unit_test(test_progress_update_too_soon_is_left_away),
		cmocka_unit_test(
			test_progress_numbers_go_to_a_pipe_and_wait_for_nobody),
		cmocka_unit_test(
			test_progress_on_a_terminal_fits_and_is_cleared),
		cmocka_unit_test(test_figures_read_as_people_write_them),
	};

	return cmocka_run_group_tests_name("supervisor/progress", tests, NULL,
					   NULL);
}
