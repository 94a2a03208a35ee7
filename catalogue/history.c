/* SPDX-License-Identifier: MIT */
/*
 * history.c - finding what is known of the lines of a file.
 */
#include "catalogue/history.h"

#include "base/base.h"
#include "base/sorted.h"

const struct history_lines *
catalogue_hot_lines(const struct catalogue *catalogue, uint32_t file_idx,
		    uint32_t *nr)
{
	const struct history_head *head = catalogue_history(catalogue);
	uint32_t from = 0;
	uint32_t left = head->hot_nr;

	*nr = 0;
	while (left > 0) {
		uint32_t half = left / 2;
		const struct history_hot *hot = table_at(
			&catalogue->history,
			head->hot_off + (uint64_t)(from + half) * sizeof(*hot),
			sizeof(*hot));

		if (hot->file_idx == file_idx) {
			*nr = hot->lines_nr;
			return table_at(&catalogue->history, hot->lines_off,
					(uint64_t)hot->lines_nr *
						sizeof(struct history_lines));
		}
		if (hot->file_idx < file_idx) {
			from += half + 1;
			left -= half + 1;
		} else {
			left = half;
		}
	}
	return NULL;
}

static bool
ends_by(const void *lines, const void *line)
{
	const struct history_lines *it = lines;

	return it->first + (uint64_t)it->nr <= *(const uint64_t *)line;
}

uint64_t
history_heat_between(const struct history_lines *lines, uint32_t nr,
		     uint64_t first, uint64_t end)
{
	uint64_t heat = 0;

	for (size_t i =
		     sorted_first(lines, nr, sizeof(lines[0]), &first, ends_by);
	     i < nr && lines[i].first < end; i++) {
		uint64_t from = max_u64(lines[i].first, first);
		uint64_t to =
			min_u64(lines[i].first + (uint64_t)lines[i].nr, end);

		heat += (to - from) * lines[i].heat;
	}
	return heat;
}

uint32_t
history_hottest_between(const struct history_lines *lines, uint32_t nr,
			uint64_t first, uint64_t end)
{
	uint32_t hottest = 0;

	for (size_t i =
		     sorted_first(lines, nr, sizeof(lines[0]), &first, ends_by);
	     i < nr && lines[i].first < end; i++)
		if (lines[i].heat > hottest)
			hottest = lines[i].heat;
	return hottest;
}
