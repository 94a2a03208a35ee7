/* SPDX-License-Identifier: MIT */
/*
 * chunk_names.c - what a file defines, imports and has left to do, into
 *                        the catalogue.
 *
 * Does: writes names while the scanner tells of them, into the extents of its
 *       lane; bounded by NAMES_FILE_BYTES a file.
 * Does not: fail: a file for which there is no room has no names.
 * Invariants:
 * 1. What lies before state->names.next is committed and never changed, but
 *    for the ring, at the start. There a step writes nothing over what it has
 *    found there: done again, it finds it as it was.
 */
#include <string.h>

#include "lang/facts.h"
#include "stages/chunk/chunk_work.h"
#include "catalogue/files.h"

#define PACKAGE_BYTES 16384 /* of a file: what it is of is said early */
#define PACKAGES_MAX 64
/* Blocks of code that have been told of, and whose chunk is not known yet. They
 * stand in a ring at the start of the lane's first extent. */
#define CODE_BLOCKS 2048
#define CODE_BYTES (CODE_BLOCKS * sizeof(struct code_entry))
#define CALLS_MAX 12    /* kept of a chunk */
#define BRACKETS_MAX 20 /* looked at for them */

struct code_entry {
	uint64_t off;
	struct lang_code_block block;
};

static_assert(CODE_BYTES + NAMES_ROOM_BYTES <= NAMES_EXTENT_BYTES,
	      "the ring lies in the first extent of its lane");

static bool
reserve_names(struct chunk_work *work, uint64_t at)
{
	if (at + NAMES_ROOM_BYTES > NAMES_LANE_BYTES)
		return false;
	work->error = work->reserve_names(work->catalogue, work->lane, at);
	return work->error == 0;
}

bool
chunk_names_begin(struct chunk_work *work)
{
	struct chunk_state *state = work->state;
	uint64_t at = max_u64(state->names.next, CODE_BYTES);

	/* what is of one file lies in one extent */
	if (at % NAMES_EXTENT_BYTES + NAMES_ROOM_BYTES > NAMES_EXTENT_BYTES)
		at = round_up_u64(at, NAMES_EXTENT_BYTES);
	state->names.next = at;
	work->code_first = state->names.code_first;
	return reserve_names(work, at);
}

/* Where those of the file in work are. */
static uint8_t *
entries(const struct chunk_work *work)
{
	uint8_t *names =
		catalogue_lane_names(work->catalogue, work->lane,
				     work->state->names.next, NAMES_ROOM_BYTES);

	return names + sizeof(struct names);
}

const uint8_t *
chunk_names_entries(const struct chunk_work *work)
{
	return entries(work);
}

void
chunk_names_signatures(struct chunk_work *work, const struct chunk_kept *kept)
{
	struct chunk_names *names = &work->state->names;
	uint32_t at =
		(uint32_t)max_u64(names->signatures_bytes, NAMES_SUM_BYTES);
	uint32_t bytes = 0;

	/* entries may follow: until they have, they are as far behind as can be */
	if (kept != NULL && !names->signatures_lost)
		bytes = chunk_kept_encode(kept,
					  entries(work) + NAMES_FILE_BYTES + at,
					  NAMES_SIGNATURES_BYTES - at);
	names->signatures_bytes = bytes == 0 ? 0 : at + bytes;
	names->signatures_lost = bytes == 0;
}

/* Puts signatures behind the last entry. What is done again finds them where they
 * were: none are kept where they would lie across one another. */
static void
place_signatures(struct chunk_work *work)
{
	struct chunk_names *names = &work->state->names;
	uint8_t *to = entries(work) + names->head.bytes;
	uint32_t bytes = names->signatures_bytes;

	if (bytes > NAMES_FILE_BYTES - names->head.bytes)
		names->signatures_bytes = 0;
	if (names->signatures_bytes == 0)
		return;
	memcpy(to, entries(work) + NAMES_FILE_BYTES, bytes);
	names_seal_signatures(to, bytes);
}

static void
add(struct chunk_work *work, const struct name_entry *like, const uint8_t *name,
    size_t bytes)
{
	struct chunk_state *state = work->state;
	struct names *head = &state->names.head;
	struct name_entry entry = *like;
	uint32_t *chunks_bytes = &state->names.chunks_bytes;
	bool is_chunk = like->type == NAME_CHUNK;
	uint32_t others_bytes = head->bytes - *chunks_bytes;
	uint32_t all;
	uint8_t *to = entries(work) + head->bytes;

	entry.bytes = (uint8_t)min_size(bytes, UINT8_MAX);
	all = (uint32_t)sizeof(entry) + (entry.bytes + 3u) / 4 * 4;
	if (is_chunk ? *chunks_bytes + all > NAMES_CHUNKS_BYTES
		     : others_bytes + all > NAMES_OTHERS_BYTES)
		return;
	/* what the name is filled up with: signatures may have stood there */
	memset(to + all - 4, 0, 4);
	memcpy(to, &entry, sizeof(entry));
	memcpy(to + sizeof(entry), name, entry.bytes);
	head->bytes += all;
	*chunks_bytes += is_chunk ? all : 0;
}

static const uint8_t *
text_at(const struct lang_text *text, uint64_t off, size_t bytes)
{
	if (off < text->off || off - text->off > text->nr ||
	    bytes > text->nr - (off - text->off))
		return NULL;
	return text->bytes + (off - text->off);
}

void
chunk_names_def(struct chunk_work *work, const struct lang_text *text,
		const struct lang_def *def)
{
	struct chunk_state *state = work->state;
	struct names *head = &state->names.head;
	const uint8_t *name = text_at(text, def->name_off, def->name_bytes);
	const uint8_t reached = LANG_DEF_EXPORTED | LANG_DEF_REACHED;
	struct name_entry entry = {
		.line = def->line,
		.type = NAME_DEF,
		.kind = def->kind,
		.flags = (def->flags & reached) == reached ? NAME_EXPORTED : 0,
	};

	head->def_nr++;
	head->export_nr += lang_is_export(state->cutter.scan.lang,
					  state->names.is_header != 0, def);
	if (def->kind == LANG_KIND_METHOD || def->kind == LANG_KIND_PROPERTY)
		entry.flags |= NAME_MEMBER;
	if (def->line < state->line_next)
		entry.flags |= NAME_LATE;
	if (name != NULL && def->name_bytes > 0)
		add(work, &entry, name, def->name_bytes);
}

void
chunk_names_declare(struct chunk_work *work, const struct lang_def *def)
{
	struct chunk_state *state = work->state;

	state->names.head.export_nr +=
		state->names.is_header &&
		lang_is_export(state->cutter.scan.lang, true, def);
}

void
chunk_names_export(struct chunk_work *work, enum lang_export what, uint32_t nr)
{
	struct chunk_state *state = work->state;
	struct chunk_names *names = &state->names;

	if (what == LANG_EXPORT_ALL)
		names->all_nr += nr;
	else if (what == LANG_EXPORT_NAMES || names->is_header)
		names->head.export_nr += nr;
}

void
chunk_names_import(struct chunk_work *work, const struct lang_text *text,
		   uint64_t off, uint32_t bytes)
{
	struct chunk_state *state = work->state;
	const uint8_t *name = text_at(text, off, bytes);
	struct name_entry entry = { .type = NAME_IMPORT };
	size_t at;

	state->names.head.import_nr++;
	if (name == NULL)
		return;
	at = (size_t)(name - text->bytes);
	if (at > 0 && text->bytes[at - 1] == '<')
		entry.flags = NAME_ANGLED;
	add(work, &entry, name,
	    lang_import_extent(
		    text->bytes, at, bytes,
		    (size_t)min_u64(text->nr, at + bytes + UINT8_MAX)));
}

void
chunk_names_packages(struct chunk_work *work, const struct lang_text *text)
{
	struct chunk_state *state = work->state;
	const struct file_record *file =
		catalogue_file(work->catalogue, state->file_idx);
	const struct lang_package *package = lang_package_of(
		catalogue_path(work->catalogue, file), file->path_bytes);
	size_t end = (size_t)min_u64(text->nr, PACKAGE_BYTES);
	struct name_entry entry = { .type = NAME_PACKAGE };
	size_t bytes = 0;
	size_t at = 0;

	for (int nr = 0; package != NULL && nr < PACKAGES_MAX; nr++) {
		at = lang_package_next(package, text->bytes, at, end, &bytes);
		if (at == end)
			return;
		state->names.head.package_nr++;
		add(work, &entry, text->bytes + at, bytes);
		at += bytes;
	}
}

void
chunk_names_comment(struct chunk_work *work, const struct lang_text *text,
		    uint64_t off, uint64_t end_off)
{
	struct chunk_state *state = work->state;
	size_t from = off > text->off ? (size_t)(off - text->off) : 0;
	size_t end = (size_t)min_u64(
		end_off > text->off ? end_off - text->off : 0, text->nr);
	size_t word_bytes;

	while (from < end) {
		struct name_entry entry = { .type = NAME_MARKER };

		from = lang_marker_next(text->bytes, from, end, &word_bytes);
		if (from == end)
			return;
		entry.line = lang_line_at(&state->marked, text->bytes, from);
		state->names.head.marker_nr++;
		add(work, &entry, text->bytes + from, word_bytes);
		from += word_bytes;
	}
}

static struct code_entry *
code_entry(struct chunk_work *work, uint32_t nr)
{
	return (struct code_entry *)catalogue_lane_names(
		       work->catalogue, work->lane, 0, CODE_BYTES) +
	       nr % CODE_BLOCKS;
}

void
chunk_names_code(struct chunk_work *work, uint64_t off,
		 const struct lang_code_block *block)
{
	struct chunk_names *names = &((struct chunk_state *)work->state)->names;

	if (names->code_next - work->code_first == CODE_BLOCKS) {
		names->branch_nr +=
			(uint32_t)__builtin_popcountll(block->branches);
		return;
	}
	*code_entry(work, names->code_next++) =
		(struct code_entry){ off, *block };
}

/* The names of what a chunk calls, each once, with blanks between them. */
struct calls {
	uint32_t nr;
	uint32_t bytes;
	uint32_t bracket_nr;     /* that have been looked at */
	uint32_t key[CALLS_MAX]; /* to know others at sight */
	uint8_t at[CALLS_MAX];   /* of each, in the text */
	uint8_t text[UINT8_MAX];
};

static uint32_t
call_key(const uint8_t *name, size_t bytes)
{
	return (uint32_t)bytes << 24 | (uint32_t)name[0] << 16 |
	       (uint32_t)name[bytes / 2] << 8 | name[bytes - 1];
}

static bool
has_call(const struct calls *calls, const uint8_t *name, size_t bytes)
{
	uint32_t key = call_key(name, bytes);

	for (uint32_t i = 0; i < calls->nr; i++)
		if (calls->key[i] == key &&
		    memcmp(calls->text + calls->at[i], name, bytes) == 0)
			return true;
	return false;
}

static void
add_calls(struct calls *calls, const struct lang_code *words,
	  const struct lang_text *text, uint64_t off, uint64_t brackets)
{
	for (; brackets != 0 && calls->nr < CALLS_MAX &&
	       calls->bracket_nr < BRACKETS_MAX;
	     brackets &= brackets - 1, calls->bracket_nr++) {
		uint64_t at = off + (uint64_t)__builtin_ctzll(brackets);
		size_t name;
		size_t bytes;

		if (text_at(text, at, 1) == NULL)
			continue;
		bytes = lang_code_call(words, text->bytes,
				       (size_t)(at - text->off), &name);
		if (bytes == 0 || has_call(calls, text->bytes + name, bytes) ||
		    calls->bytes + 1 + bytes > sizeof(calls->text))
			continue;
		if (calls->nr > 0)
			calls->text[calls->bytes++] = ' ';
		calls->key[calls->nr] = call_key(text->bytes + name, bytes);
		calls->at[calls->nr++] = (uint8_t)calls->bytes;
		memcpy(calls->text + calls->bytes, text->bytes + name, bytes);
		calls->bytes += (uint32_t)bytes;
	}
}

uint32_t
chunk_names_chunk(struct chunk_work *work, const struct lang_text *text,
		  const struct lang_code *words, const struct desc *run)
{
	const uint64_t off = run->file_off;
	const uint64_t end_off = off + run->bytes;
	struct chunk_state *state = work->state;
	struct chunk_names *names = &state->names;
	bool tells = work->rules->job->tells_code;
	bool has_room =
		tells && names->chunks_bytes + UINT8_MAX < NAMES_CHUNKS_BYTES;
	struct name_entry entry = { .line = run->line_first,
				    .type = NAME_CHUNK };
	uint32_t branch_nr = names->branch_nr;
	struct calls calls;

	calls.nr = 0;
	calls.bytes = 0;
	calls.bracket_nr = 0;
	names->branch_nr = 0;
	while (names->code_first != names->code_next) {
		struct code_entry *code = code_entry(work, names->code_first);
		uint64_t inside = UINT64_MAX;

		if (code->off >= end_off)
			break;
		if (end_off - code->off < 64)
			inside = (1ull << (end_off - code->off)) - 1;
		/* what lies before it was given with the chunk before */
		if (code->off < off)
			inside &= off - code->off < 64
					  ? UINT64_MAX << (off - code->off)
					  : UINT64_MAX;
		branch_nr += (uint32_t)__builtin_popcountll(
			code->block.branches & inside);
		if (has_room)
			add_calls(&calls, words, text, code->off,
				  code->block.brackets & inside);
		/* the rest is of the next chunk */
		if (end_off - code->off < 64 &&
		    (code->block.branches | code->block.brackets) >>
				    (end_off - code->off) !=
			    0)
			break;
		names->code_first++;
	}
	branch_nr = (uint32_t)min_u64(branch_nr, UINT16_MAX);
	entry.kind = (uint8_t)branch_nr;
	entry.flags = (uint8_t)(branch_nr >> 8);
	if (tells && (branch_nr > 0 || calls.nr > 0)) {
		names->head.chunk_nr++;
		add(work, &entry, calls.text, calls.bytes);
	}
	return branch_nr;
}

void
chunk_names_end(struct chunk_work *work, uint32_t file_idx)
{
	struct chunk_state *state = work->state;
	struct names *head = &state->names.head;
	uint64_t at = state->names.next;
	struct desc desc = {
		.kind = DESC_NAMES,
		.flags = DESC_SCAN,
		.file_idx = file_idx,
		.slab_idx = SLAB_NONE,
		.bytes = (uint32_t)at,
	};

	/* of code told of, each chunk has been given */
	state->names.code_first = 0;
	state->names.code_next = 0;
	if (state->names.all_nr > 0)
		head->export_nr = state->names.all_nr;
	head->public_lines = state->outliner.public_lines;
	head->outline_lines = state->outline_lines;
	if (head->def_nr + head->export_nr + head->import_nr + head->marker_nr +
		    head->package_nr + head->chunk_nr + head->outline_lines ==
	    0)
		return;
	/* lines are counted where there is no room for names as well */
	if (!reserve_names(work, at))
		return;
	place_signatures(work);
	desc.signatures_bytes = state->names.signatures_bytes;
	memcpy(catalogue_lane_names(work->catalogue, work->lane, at,
				    sizeof(*head)),
	       head, sizeof(*head));
	state->names.next = round_up_u64(at + sizeof(*head) + head->bytes +
						 state->names.signatures_bytes,
					 8);
	chunk_emit(work, &desc);
}
