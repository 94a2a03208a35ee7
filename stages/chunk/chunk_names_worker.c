/* SPDX-License-Identifier: MIT */
/*
 * chunk_names_worker.c - what a file defines, imports and has left to do, into
 *                        the catalogue.
 *
 * Does: writes names while the scanner tells of them, into the region of its
 *       lane; bounded by NAMES_FILE_BYTES a file.
 * Does not: fail: a file for which there is no room has no names.
 * Runs in: chunk.
 * Invariants:
 * 1. What lies before state->names.next is committed and never changed.
 */
#include <string.h>

#include "stages/chunk/chunk_facts.h"
#include "stages/chunk/chunk_worker.h"

#define PACKAGE_BYTES 16384 /* of a file: what it is of is said early */
#define PACKAGES_MAX 16
#define TRIM_BYTES (1u << 20) /* written between two trims of the table */

static uint64_t
region_of(const struct worker *worker)
{
	return worker->lane * NAMES_LANE_BYTES;
}

bool
chunk_names_begin(struct worker *worker)
{
	const struct chunk_state *state = worker->state;
	uint64_t end =
		state->names.next + sizeof(struct names) + NAMES_FILE_BYTES;

	return worker->catalogue.names.base != NULL &&
	       end <= NAMES_LANE_BYTES &&
	       table_reserve_at(&worker->catalogue.names, region_of(worker),
				end) == 0;
}

static void
add(struct worker *worker, const struct name_entry *like, const uint8_t *name,
    size_t bytes)
{
	struct chunk_state *state = worker->state;
	struct names *head = &state->names.head;
	struct name_entry entry = *like;
	uint8_t *to = worker->catalogue.names.base + region_of(worker) +
		      state->names.next + sizeof(struct names) + head->bytes;

	entry.bytes = (uint8_t)min_size(bytes, UINT8_MAX);
	if (head->bytes + sizeof(entry) + (entry.bytes + 3u) / 4 * 4 >
	    NAMES_FILE_BYTES) {
		head->left_nr++;
		return;
	}
	memcpy(to, &entry, sizeof(entry));
	memcpy(to + sizeof(entry), name, entry.bytes);
	head->bytes += (uint32_t)sizeof(entry) + (entry.bytes + 3u) / 4 * 4;
}

static const uint8_t *
text_at(const struct chunk_text *text, uint64_t off, size_t bytes)
{
	if (off < text->off || off - text->off > text->nr ||
	    bytes > text->nr - (off - text->off))
		return NULL;
	return text->bytes + (off - text->off);
}

void
chunk_names_def(struct worker *worker, const struct chunk_text *text,
		const struct chunk_def *def)
{
	struct chunk_state *state = worker->state;
	struct names *head = &state->names.head;
	const uint8_t *name = text_at(text, def->name_off, def->name_bytes);
	struct name_entry entry = {
		.line = def->line,
		.type = NAME_DEF,
		.kind = def->kind,
		.flags = def->flags & CHUNK_DEF_EXPORTED ? NAME_EXPORTED : 0,
	};

	head->def_nr++;
	head->export_nr += entry.flags != 0;
	if (def->kind == CHUNK_KIND_METHOD || def->kind == CHUNK_KIND_PROPERTY)
		entry.flags |= NAME_MEMBER;
	if (name != NULL && def->name_bytes > 0)
		add(worker, &entry, name, def->name_bytes);
}

void
chunk_names_import(struct worker *worker, const struct chunk_text *text,
		   uint64_t off, uint32_t bytes)
{
	struct chunk_state *state = worker->state;
	const uint8_t *name = text_at(text, off, bytes);
	struct name_entry entry = { .type = NAME_IMPORT };
	size_t at;

	state->names.head.import_nr++;
	if (name == NULL)
		return;
	at = (size_t)(name - text->bytes);
	if (at > 0 && text->bytes[at - 1] == '<')
		entry.flags = NAME_ANGLED;
	add(worker, &entry, name,
	    chunk_import_extent(
		    text->bytes, at, bytes,
		    (size_t)min_u64(text->nr, at + bytes + UINT8_MAX)));
}

void
chunk_names_packages(struct worker *worker, const struct chunk_text *text)
{
	struct chunk_state *state = worker->state;
	const struct file_record *file =
		catalogue_file(&worker->catalogue, state->file_idx);
	const uint8_t *path = catalogue_path(&worker->catalogue, file);
	size_t end = (size_t)min_u64(text->nr, PACKAGE_BYTES);
	struct name_entry entry = { .type = NAME_PACKAGE };
	size_t bytes = 0;
	size_t at = 0;

	for (int nr = 0; nr < PACKAGES_MAX; nr++) {
		at = chunk_package_next(path, file->path_bytes, text->bytes, at,
					end, &bytes);
		if (at == end)
			return;
		state->names.head.package_nr++;
		add(worker, &entry, text->bytes + at, bytes);
		at += bytes;
	}
}

/* The line of a place in the text, by the one of the place before it. */
static uint32_t
line_at(struct chunk_line *place, const uint8_t *text, size_t at)
{
	if (at > place->at) {
		place->line += (uint32_t)chunk_newlines(text + place->at,
							at - place->at);
		place->at = (uint32_t)at;
	}
	return place->line;
}

void
chunk_names_comment(struct worker *worker, const struct chunk_text *text,
		    uint64_t off, uint64_t end_off)
{
	struct chunk_state *state = worker->state;
	size_t from = off > text->off ? (size_t)(off - text->off) : 0;
	size_t end = (size_t)min_u64(
		end_off > text->off ? end_off - text->off : 0, text->nr);
	size_t word_bytes;

	while (from < end) {
		struct name_entry entry = { .type = NAME_MARKER };

		from = chunk_marker_next(text->bytes, from, end, &word_bytes);
		if (from == end)
			return;
		entry.line = line_at(&state->marked, text->bytes, from);
		state->names.head.marker_nr++;
		add(worker, &entry, text->bytes + from, word_bytes);
		from += word_bytes;
	}
}

void
chunk_names_end(struct worker *worker, uint32_t file_idx)
{
	struct chunk_state *state = worker->state;
	const struct names *head = &state->names.head;
	uint64_t at = state->names.next;
	struct desc desc = {
		.kind = DESC_NAMES,
		.flags = DESC_SCAN,
		.file_idx = file_idx,
		.slab_idx = SLAB_NONE,
		.bytes = (uint32_t)at,
	};

	if (head->def_nr + head->import_nr + head->marker_nr +
		    head->package_nr ==
	    0)
		return;
	memcpy(worker->catalogue.names.base + region_of(worker) + at, head,
	       sizeof(*head));
	state->names.next = round_up_u64(at + sizeof(*head) + head->bytes, 8);
	if (at / TRIM_BYTES != state->names.next / TRIM_BYTES)
		table_trim(&worker->catalogue.names);
	worker_emit(worker, EDGE_CHUNKS, worker->lane, &desc);
}
