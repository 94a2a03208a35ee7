/* SPDX-License-Identifier: MIT */
/*
 * chunk_heads.c - functions that are open, by their places.
 */
#include "stages/chunk/chunk_heads.h"

#include <string.h>

#include "lang/text.h"

void
chunk_heads_open(struct chunk_heads *heads, const struct lang_text *text,
		 const struct lang_def *def)
{
	const uint8_t *newline;
	size_t name;
	size_t at;

	if (!lang_kind_is_function(def->kind) || heads->nr == HEADS_OPEN ||
	    def->name_off < text->off || def->name_off - text->off >= text->nr)
		return;
	name = (size_t)(def->name_off - text->off);
	at = lang_behind_newline(text->bytes, 0, name);
	newline = memchr(text->bytes + name, '\n',
			 min_size(text->nr - name, HEAD_BYTES_MAX));
	if (newline == NULL || name - at > HEAD_BYTES_MAX)
		return;
	heads->open[heads->nr++] = (struct chunk_open){
		.off = text->off + at,
		.end = UINT64_MAX,
		.bytes = (uint16_t)(newline + 1 - (text->bytes + at)),
		.name = (uint16_t)(name - at),
	};
}

void
chunk_heads_close(struct chunk_heads *heads, const struct lang_def *def)
{
	for (uint32_t i = heads->nr; i-- > 0;) {
		struct chunk_open *open = &heads->open[i];

		if (open->end == UINT64_MAX &&
		    open->off + open->name == def->name_off) {
			open->end = def->end_off;
			return;
		}
	}
}

uint32_t
chunk_heads_of(const struct chunk_heads *heads, uint64_t off, uint64_t end)
{
	for (uint32_t i = heads->nr; i-- > 0;) {
		const struct chunk_open *open = &heads->open[i];

		if (open->head != 0 && open->off + open->bytes <= off &&
		    min_u64(open->end, end) >= off + HEAD_LEAST_BYTES)
			return open->head;
	}
	return 0;
}

const struct chunk_open *
chunk_heads_cut(struct chunk_heads *heads, uint64_t off, uint64_t end)
{
	uint32_t keep = 0;

	for (uint32_t i = 0; i < heads->nr; i++) {
		struct chunk_open *open = &heads->open[i];

		if (open->head != 0 || open->off < off ||
		    open->off + open->bytes > end || open->end <= end)
			continue;
		if (heads->given == UINT16_MAX)
			break;
		open->head = ++heads->given;
		return open;
	}
	for (uint32_t i = 0; i < heads->nr; i++)
		if (heads->open[i].end > end)
			heads->open[keep++] = heads->open[i];
	heads->nr = keep;
	return NULL;
}
