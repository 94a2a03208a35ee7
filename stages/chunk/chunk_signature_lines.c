/* SPDX-License-Identifier: MIT */
/*
 * chunk_signature_lines.c - functions that are open, by their places.
 */
#include "stages/chunk/chunk_signature_lines.h"

#include <string.h>

#include "lang/text.h"

void
chunk_signature_lines_open(struct chunk_signature_lines *lines,
			   const struct lang_text *text,
			   const struct lang_def *def)
{
	const uint8_t *newline;
	size_t name;
	size_t at;

	if (!lang_kind_is_function(def->kind) ||
	    lines->nr == SIGNATURE_LINES_OPEN || def->name_off < text->off ||
	    def->name_off - text->off >= text->nr)
		return;
	name = (size_t)(def->name_off - text->off);
	at = lang_behind_newline(text->bytes, 0, name);
	newline = memchr(text->bytes + name, '\n',
			 min_size(text->nr - name, SIGNATURE_BYTES_MAX));
	if (newline == NULL || name - at > SIGNATURE_BYTES_MAX)
		return;
	lines->open[lines->nr++] = (struct chunk_open){
		.off = text->off + at,
		.end = UINT64_MAX,
		.bytes = (uint16_t)(newline + 1 - (text->bytes + at)),
		.name = (uint16_t)(name - at),
	};
}

void
chunk_signature_lines_close(struct chunk_signature_lines *lines,
			    const struct lang_def *def)
{
	for (uint32_t i = lines->nr; i-- > 0;) {
		struct chunk_open *open = &lines->open[i];

		if (open->end == UINT64_MAX &&
		    open->off + open->name == def->name_off) {
			open->end = def->end_off;
			return;
		}
	}
}

uint32_t
chunk_signature_lines_of(const struct chunk_signature_lines *lines,
			 uint64_t off, uint64_t end)
{
	for (uint32_t i = lines->nr; i-- > 0;) {
		const struct chunk_open *open = &lines->open[i];

		if (open->line != 0 && open->off + open->bytes <= off &&
		    min_u64(open->end, end) >= off + SIGNATURE_LEAST_BYTES)
			return open->line;
	}
	return 0;
}

const struct chunk_open *
chunk_signature_lines_cut(struct chunk_signature_lines *lines, uint64_t off,
			  uint64_t end)
{
	uint32_t keep = 0;

	for (uint32_t i = 0; i < lines->nr; i++) {
		struct chunk_open *open = &lines->open[i];

		if (open->line != 0 || open->off < off ||
		    open->off + open->bytes > end || open->end <= end)
			continue;
		if (lines->given == UINT16_MAX)
			break;
		open->line = ++lines->given;
		return open;
	}
	for (uint32_t i = 0; i < lines->nr; i++)
		if (lines->open[i].end > end)
			lines->open[keep++] = lines->open[i];
	lines->nr = keep;
	return NULL;
}
