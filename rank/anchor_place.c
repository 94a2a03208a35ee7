/* SPDX-License-Identifier: MIT */
/*
 * anchor_place.c - paths that a query names, as they are kept.
 */
#include <string.h>

#include "rank/anchor.h"

/* Of the places from there on, the first ones and the last are kept. */
static void
drop_middle(struct anchors *anchors, uint32_t begin)
{
	uint32_t nr = --anchors->place_nr;
	uint32_t at = begin + (nr - begin) / 2;

	memmove(&anchors->places[at], &anchors->places[at + 1],
		(nr - at) * sizeof(anchors->places[0]));
	anchors->frame_nr -= at < anchors->frame_nr;
}

/* Whether a place that is no frame is there already. */
static bool
is_known(const struct anchors *anchors, const struct anchor_place *place)
{
	for (uint32_t i = anchors->frame_nr; i < anchors->place_nr; i++)
		if (anchors->places[i].kind == place->kind &&
		    anchors->places[i].bytes == place->bytes &&
		    memcmp(anchors->places[i].path, place->path,
			   place->bytes) == 0)
			return true;
	return false;
}

/* Bytes of "/", "./", "../" or ".../". */
static size_t
beginning_of(const char *path, size_t bytes)
{
	size_t nr = 0;

	while (nr < bytes && path[nr] == '.')
		nr++;
	return nr < bytes && path[nr] == '/' ? nr + 1 : 0;
}

void
anchors_add_place(struct anchors *anchors, enum anchor_kind kind,
		  const char *path, size_t bytes, uint32_t line)
{
	struct anchor_place place;
	uint32_t begin = kind == ANCHOR_FRAME ? 0 : anchors->frame_nr;
	uint32_t room =
		kind == ANCHOR_FRAME ? ANCHOR_FRAMES_MAX : ANCHOR_PLACES_MAX;
	size_t begin_nr;

	while ((begin_nr = beginning_of(path, bytes)) > 0) {
		path += begin_nr;
		bytes -= begin_nr;
	}
	while (bytes > ANCHOR_PATH_BYTES) {
		const char *slash = memchr(path, '/', bytes);

		if (slash == NULL)
			return;
		bytes -= (size_t)(slash + 1 - path);
		path = slash + 1;
	}
	if (bytes == 0)
		return;
	place = (struct anchor_place){ .line = line,
				       .bytes = (uint8_t)bytes,
				       .kind = (uint8_t)kind };
	for (size_t i = 0; i < bytes; i++)
		place.path[i] = path[i] == '\\' ? '/' : path[i];
	if (kind != ANCHOR_FRAME && is_known(anchors, &place))
		return;
	if (anchors->place_nr == room)
		drop_middle(anchors, begin);
	anchors->places[anchors->place_nr++] = place;
	anchors->frame_nr += kind == ANCHOR_FRAME;
}

void
anchors_add_frame(struct anchors *anchors, const char *path, size_t bytes,
		  uint64_t line)
{
	if (line <= UINT32_MAX)
		anchors_add_place(anchors, ANCHOR_FRAME, path, bytes,
				  (uint32_t)line);
}

void
anchors_set_directory(struct anchors *anchors, const uint8_t *text,
		      size_t bytes)
{
	while (bytes > 0 && text[bytes - 1] == '/')
		bytes--;
	while (bytes > 1 && text[0] == '.' && text[1] == '/') {
		text += 2;
		bytes -= 2;
	}
	if (bytes == 0 || bytes > ANCHOR_PATH_BYTES)
		return;
	anchors->directory.bytes = (uint8_t)bytes;
	memcpy(anchors->directory.path, text, bytes);
}
