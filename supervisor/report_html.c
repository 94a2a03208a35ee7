/* SPDX-License-Identifier: MIT */
/*
 * report_html.c - a report as a page.
 */
#include "supervisor/report_html.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "shm/base.h"
#include "shm/fd_io.h"
#include "supervisor/replace_file.h"

#ifndef REPORT_PAGE
#define REPORT_PAGE "data/report.html"
#endif

#define MARK "<!--report-->" /* where the report goes, in the page */
#define PIECE_BYTES 65536

/* The page, as part of the program. */
__asm__(".pushsection .rodata\n"
	".globl report_page\n"
	".hidden report_page\n"
	"report_page:\n"
	".incbin \"" REPORT_PAGE "\"\n"
	".byte 0\n"
	".popsection\n");
extern const char report_page[] __attribute__((visibility("hidden")));

/* JSON has < within strings only, where \u003c is the same. */
static int
write_escaped(int fd, const char *text, size_t bytes)
{
	int error = 0;

	while (bytes > 0 && error == 0) {
		const char *mark = memchr(text, '<', bytes);
		size_t before = mark == NULL ? bytes : (size_t)(mark - text);

		error = fd_write_all(fd, text, before);
		text += before;
		bytes -= before;
		if (mark != NULL && error == 0) {
			error = fd_write_all(fd, "\\u003c", 6);
			text++;
			bytes--;
		}
	}
	return error;
}

static int
copy_report(int from, int to)
{
	char piece[PIECE_BYTES];

	for (;;) {
		ssize_t n = read(from, piece, sizeof(piece));
		int error;

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? -errno : 0;
		error = write_escaped(to, piece, (size_t)n);
		if (error != 0)
			return error;
	}
}

static int
write_page(void *context, int fd)
{
	const char *mark = strstr(report_page, MARK);
	const int *from = context;
	int error;

	ASSERT(mark != NULL);
	error = fd_write_all(fd, report_page, (size_t)(mark - report_page));
	if (error == 0)
		error = copy_report(*from, fd);
	mark += sizeof(MARK) - 1;
	return error != 0 ? error : fd_write_all(fd, mark, strlen(mark));
}

int
report_html_write(const char *report_path, const char *path)
{
	int from = open(report_path, O_RDONLY | O_CLOEXEC);
	int error;

	if (from < 0)
		return -errno;
	if (strcmp(path, "-") == 0)
		error = write_page(&from, STDOUT_FILENO);
	else
		error = replace_file(path, write_page, &from);
	close(from);
	return error;
}
