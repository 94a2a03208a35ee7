/* SPDX-License-Identifier: MIT */
/*
 * progress.c - the progress line.
 */
#include "supervisor/progress.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/number_format.h"

#define REDRAW_NS (NS_PER_S / 10)
#define RELINE_NS NS_PER_S
#define COLUMNS_USUAL 80
#define BAR_MIN 10
#define BAR_MAX 30
#define PART_BYTES 48

enum part {
	PART_FILES = 0,
	PART_BYTES_READ,
	PART_TOKENS,
	PART_RATE,
	PART_LEFT,
	PART_NR
};

/* What goes first when there is no room, last. */
static const enum part by_importance[] = { PART_FILES, PART_LEFT, PART_TOKENS,
					   PART_BYTES_READ, PART_RATE };

static void
describe_files(char *out, size_t size, const struct progress *p)
{
	char done[FIGURE_BYTES];
	char seen[FIGURE_BYTES];

	snprintf(out, size, "%s/%s%s files", figure_count(done, p->files_done),
		 figure_count(seen, p->files_seen),
		 p->files_total_known ? "" : "+");
}

/* Empty where nothing can be said yet. */
static void
describe_left(char *out, size_t size, const struct progress *p)
{
	char text[FIGURE_BYTES];
	double share;
	double left_ns;

	*out = '\0';
	if (!p->files_total_known || p->files_done == 0 ||
	    p->files_done > p->files_seen || p->elapsed_ns < NS_PER_S / 2)
		return;
	share = (double)p->files_done / (double)p->files_seen;
	left_ns = (double)p->elapsed_ns * (1.0 - share) / share;
	if (left_ns > 360000e9)
		return;
	snprintf(out, size, "%s left", figure_clock(text, (uint64_t)left_ns));
}

static void
describe(char parts[PART_NR][PART_BYTES], const struct progress *p)
{
	char text[FIGURE_BYTES];
	double seconds = (double)p->elapsed_ns / 1e9;

	describe_files(parts[PART_FILES], PART_BYTES, p);
	snprintf(parts[PART_BYTES_READ], PART_BYTES, "%s",
		 figure_bytes(text, p->bytes));
	snprintf(parts[PART_TOKENS], PART_BYTES, "%s tokens",
		 figure_short(text, p->tokens));
	*parts[PART_RATE] = '\0';
	if (p->elapsed_ns >= REDRAW_NS)
		snprintf(parts[PART_RATE], PART_BYTES, "%s/s",
			 figure_bytes(text,
				      (uint64_t)((double)p->bytes / seconds)));
	describe_left(parts[PART_LEFT], PART_BYTES, p);
}

/* A bar of `width` columns; only where the end is known. */
static size_t
draw_bar(char *out, size_t width, const struct progress *p)
{
	size_t inside = width - 3; /* brackets and a blank */
	size_t filled = (size_t)((double)inside *
				 (double)min_u64(p->files_done, p->files_seen) /
				 (double)p->files_seen);

	out[0] = '[';
	memset(out + 1, '#', filled);
	memset(out + 1 + filled, '.', inside - filled);
	out[1 + inside] = ']';
	out[2 + inside] = ' ';
	return width;
}

size_t
progress_render(char *out, size_t size, const struct progress *progress,
		unsigned columns)
{
	char parts[PART_NR][PART_BYTES];
	size_t room = min_size(min_size(columns, PROGRESS_COLUMNS_MAX),
			       size == 0 ? 0 : size - 1);
	bool is_shown[PART_NR] = { false };
	size_t used = 0;
	size_t n = 0;

	if (size == 0)
		return 0;
	describe(parts, progress);
	for (size_t i = 0; i < ARRAY_LEN(by_importance); i++) {
		enum part part = by_importance[i];
		size_t bytes = strlen(parts[part]);
		size_t cost = bytes + (used > 0 ? 2 : 0);

		if (bytes == 0 || used + cost > room)
			continue;
		is_shown[part] = true;
		used += cost;
	}
	if (progress->files_total_known && progress->files_seen > 0 &&
	    room >= used + BAR_MIN + 3)
		n = draw_bar(out, min_size(room - used, BAR_MAX + 3), progress);
	for (int i = 0; i < PART_NR; i++) {
		if (!is_shown[i])
			continue;
		if (n > 0 && out[n - 1] != ' ')
			n += (size_t)sprintf(out + n, "  ");
		n += (size_t)sprintf(out + n, "%s", parts[i]);
	}
	out[n] = '\0';
	return n;
}

void
progress_open(struct progress_bar *bar, enum progress_mode mode, int fd)
{
	*bar = (struct progress_bar){ .fd = fd,
				      .is_terminal = isatty(fd) == 1 };
	if (mode == PROGRESS_NEVER ||
	    (mode == PROGRESS_AUTO && !bar->is_terminal))
		bar->fd = -1;
}

bool
progress_is_on(const struct progress_bar *bar)
{
	return bar->fd >= 0 || bar->numbers_fd > 0;
}

/* A line that cannot be written whole is not worth a wait. */
static void
put(const struct progress_bar *bar, const char *text, size_t bytes)
{
	ssize_t written;

	do
		written = write(bar->fd, text, bytes);
	while (written < 0 && errno == EINTR);
}

static unsigned
columns_of(const struct progress_bar *bar)
{
	struct winsize size;

	if (!bar->is_terminal || ioctl(bar->fd, TIOCGWINSZ, &size) != 0 ||
	    size.ws_col == 0)
		return COLUMNS_USUAL;
	/* text in the last column makes some terminals begin a new line */
	return size.ws_col - 1u;
}

static void
put_numbers(int fd, const struct progress *progress)
{
	const struct progress_numbers numbers = {
		.files_done = progress->files_done,
		.files_total =
			progress->files_total_known ? progress->files_seen : 0,
	};
	ssize_t written;

	do
		written = write(fd, &numbers, sizeof(numbers));
	while (written < 0 && errno == EINTR);
}

void
progress_update(struct progress_bar *bar, const struct progress *progress)
{
	char line[PROGRESS_COLUMNS_MAX + 16];
	size_t n = 0;

	if (!progress_is_on(bar) || progress->elapsed_ns < bar->next_ns)
		return;
	bar->next_ns = progress->elapsed_ns +
		       (bar->is_terminal || bar->numbers_fd > 0 ? REDRAW_NS
								: RELINE_NS);
	if (bar->numbers_fd > 0) {
		put_numbers(bar->numbers_fd, progress);
		return;
	}
	if (bar->is_terminal)
		n = (size_t)sprintf(line, "\r\033[K");
	n += progress_render(line + n, PROGRESS_COLUMNS_MAX + 1, progress,
			     columns_of(bar));
	line[n++] = bar->is_terminal ? '\r' : '\n';
	put(bar, line, n);
	bar->is_drawn = bar->is_terminal;
}

void
progress_clear(struct progress_bar *bar)
{
	if (!bar->is_drawn)
		return;
	bar->is_drawn = false;
	bar->next_ns = 0;
	put(bar, "\r\033[K", 4);
}
