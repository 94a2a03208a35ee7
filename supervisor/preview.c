/* SPDX-License-Identifier: MIT */
/*
 * preview.c - a line for every range and every file.
 */
#include "supervisor/preview.h"

#include <errno.h>

#include "shm/diag.h"

#define NAME_BYTES 8192

struct printing {
	const struct report *report;
	FILE *out;
};

static int
print_item(void *context, const struct report_item *item)
{
	const struct printing *printing = context;
	const uint8_t *path;
	size_t bytes;
	char name[NAME_BYTES];
	char lines[64] = "";
	int error =
		report_path(printing->report, item->file_idx, &path, &bytes);

	if (error != 0)
		return error;
	diag_quote(name, sizeof(name), path, bytes);
	if (item->line_first != 0)
		snprintf(lines, sizeof(lines), ":%llu-%llu",
			 (unsigned long long)item->line_first,
			 (unsigned long long)item->line_last);
	if (fprintf(printing->out, "%llu\t%s\t%s%s\n",
		    (unsigned long long)item->tokens,
		    item->is_packed ? "packed"
				    : report_reason_text(item->reason),
		    name, lines) < 0)
		return -errno;
	return 0;
}

int
preview_print(const struct report *report, FILE *out)
{
	struct printing printing = { report, out };
	int error = report_each(report, print_item, &printing);

	if (error == 0 && fflush(out) != 0)
		error = -errno;
	return error;
}
