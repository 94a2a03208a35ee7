/* SPDX-License-Identifier: MIT */
/*
 * count_entry.c - what becomes of an entry: counted, with its fingerprint.
 */
#include "stages/count/count_entry.h"

#include <string.h>

static void
forward(struct counting *counting, const struct desc *desc)
{
	ASSERT(counting->out_nr < COUNT_OUT_MAX);
	counting->out[counting->out_nr++] = *desc;
}

static void
give_back(struct counting *counting, const struct desc *in)
{
	if (in->flags & DESC_RELEASE)
		counting->slab_back = in->slab_idx;
}

/* The fingerprint of a text; its SHA-256, if it is its own normal form. */
static void
fingerprint(const struct counting *counting, const uint8_t *text, size_t bytes,
	    const uint8_t *digest, uint8_t *out)
{
	uint8_t normal[SHA256_BYTES];

	if (digest == NULL) {
		count_normal_sha256(counting->job->normalize, text, bytes,
				    normal);
		digest = normal;
	}
	memcpy(out, digest, FINGERPRINT_BYTES);
}

static bool
is_normal(const struct counting *counting, const uint8_t *text, size_t bytes)
{
	return count_is_normal(counting->job->normalize, text, bytes);
}

/* Whether the header of a file may have its hash. */
static bool
wants_hash(const struct counting *counting)
{
	return counting->job->markup.hashes;
}

/* Goes on with a file that is looked at, or begins it. */
static void
begin_file(struct counting *counting, uint32_t file_idx)
{
	struct count_state *state = counting->state;

	if (state->file_open && state->file_idx == file_idx)
		return;
	/* of everything, what is the same comes back byte for byte */
	count_digest_init(&state->file, counting->job->packs_all
						? NORMALIZE_NONE
						: counting->job->normalize);
	sha256_init(&state->text);
	state->file_open = 1;
	state->file_idx = file_idx;
	state->chunk_open = 0;
	state->outline_open = 0;
}

/* Signatures of a file that is looked at, or of a part of it. */
static void
scan_signatures(struct counting *counting, const struct desc *in)
{
	struct count_state *state = counting->state;
	const uint8_t *text = desc_content(counting->slabs, in);
	uint8_t digest[SHA256_BYTES];

	begin_file(counting, in->file_idx);
	if (!state->outline_open) {
		sha256_init(&state->signatures);
		state->outline_tokens = 0;
	}
	state->outline_open = 1;
	sha256_add_and_of(&state->signatures, text, in->bytes, digest);
	state->outline_tokens =
		add_sat_u64(state->outline_tokens,
			    count_written(counting, in, text, digest));
	give_back(counting, in);
}

/* All of them together, before the facts on their file. */
static void
forward_signatures(struct counting *counting, uint32_t file_idx)
{
	struct count_state *state = counting->state;
	uint8_t digest[SHA256_BYTES];
	struct desc run = {
		.kind = DESC_RUN,
		.flags = DESC_SCAN | DESC_OUTLINE,
		.file_idx = file_idx,
		.slab_idx = SLAB_NONE,
		.tokens = count_u32(state->outline_tokens),
	};

	sha256_end(&state->signatures, digest);
	memcpy(run.fingerprint, digest, FINGERPRINT_BYTES);
	forward(counting, &run);
	state->outline_open = 0;
}

/* Where a definition begins: part of a chunk that has been looked at. */
static void
scan_signature_line(struct counting *counting, const struct desc *in,
		    struct desc *out)
{
	const uint8_t *text = desc_content(counting->slabs, in);
	uint8_t digest[SHA256_BYTES];

	sha256_of(text, in->bytes, digest);
	out->tokens = count_written(counting, in, text, digest);
	fingerprint(counting, text, in->bytes,
		    is_normal(counting, text, in->bytes) ? digest : NULL,
		    out->fingerprint);
}

/* The next text of the file that is looked at, and its own SHA-256; NULL: that
 * is not wanted. */
static void
add_to_file(struct counting *counting, const uint8_t *text, size_t bytes,
	    bool normal, uint8_t *digest)
{
	struct count_state *state = counting->state;
	bool packs_all = counting->job->packs_all;
	bool is_compared =
		!counting->job->no_dedup || (wants_hash(counting) && packs_all);

	if (wants_hash(counting) && !packs_all)
		sha256_add(&state->text, text, bytes);
	if (is_compared && normal && digest != NULL) {
		count_digest_add_normal_and_of(&state->file, text, bytes,
					       digest);
		return;
	}
	if (is_compared && normal)
		count_digest_add_normal(&state->file, text, bytes);
	else if (is_compared)
		count_digest_add(&state->file, text, bytes);
	if (digest != NULL)
		sha256_of(text, bytes, digest);
}

/* One run of a chunk that is looked at. */
static void
scan_run(struct counting *counting, const struct desc *in, struct desc *out)
{
	struct count_state *state = counting->state;
	const struct tokenizer *tokenizer = counting->tokenizer;
	const uint8_t *text = desc_content(counting->slabs, in);
	bool normal = is_normal(counting, text, in->bytes);
	bool is_whole;
	uint8_t digest[SHA256_BYTES];

	begin_file(counting, in->file_idx);
	is_whole = !state->chunk_open && !(in->flags & DESC_MORE);
	add_to_file(counting, text, in->bytes, normal,
		    is_whole ? digest : NULL);
	if (is_whole) {
		if (!file_is_estimated(counting->estimated_from, in->file_idx))
			out->tokens = count_written(counting, in, text, digest);
		fingerprint(counting, text, in->bytes, normal ? digest : NULL,
			    out->fingerprint);
	} else {
		if (!state->chunk_open) {
			count_digest_init(&state->chunk,
					  counting->job->normalize);
			token_stream_init(&state->stream);
			state->flow = markup_flow_at(in->line_first);
		}
		state->chunk_open = 1;
		count_digest_add(&state->chunk, text, in->bytes);
		count_feed_written(counting, text, in->bytes);
		if (in->flags & DESC_MORE)
			return;
		state->chunk_open = 0;
		count_digest_end(&state->chunk, digest);
		out->tokens = count_u32(
			token_stream_count(tokenizer, &state->stream));
		memcpy(out->fingerprint, digest, FINGERPRINT_BYTES);
	}
}

/* A run of signatures that are written: whether they are over, and their digest
 * then. Chunks may stand between them. */
static bool
add_signatures(struct count_state *state, const struct desc *in,
	       const uint8_t *text, uint8_t digest[SHA256_BYTES])
{
	if (!state->outline_open)
		sha256_init(&state->signatures);
	state->outline_open = (in->flags & DESC_MORE) != 0;
	sha256_add(&state->signatures, text, in->bytes);
	if (!state->outline_open)
		sha256_end(&state->signatures, digest);
	return !state->outline_open;
}

/* The same of a chunk. */
static bool
add_chunk(struct counting *counting, const struct desc *in, const uint8_t *text,
	  uint8_t digest[SHA256_BYTES])
{
	struct count_state *state = counting->state;

	if (!state->chunk_open)
		count_digest_init(&state->chunk, counting->job->normalize);
	state->chunk_open = in->flags & DESC_MORE;
	count_digest_add(&state->chunk, text, in->bytes);
	if (!state->chunk_open)
		count_digest_end(&state->chunk, digest);
	return !state->chunk_open;
}

/* One run that will be written: where it can be joined, and its middle. */
static void
emit_run(struct counting *counting, const struct desc *in, struct desc *out)
{
	struct count_state *state = counting->state;
	const uint8_t *text = desc_content(counting->slabs, in);
	uint32_t bytes = in->bytes;
	uint8_t digest[SHA256_BYTES];
	uint32_t skip;

	/* R7: of another process */
	out->bytes = bytes - (uint32_t)min_u64(in->rest_bytes, bytes);
	skip = (uint32_t)min_u64(in->skip_bytes, out->bytes);
	out->bytes -= skip;
	out->slab_off += skip;
	count_set_span(counting, out, text + skip);
	counting->tokens += out->tokens_alone;
	if (counting->job->takes_all)
		return;
	/* planned: dedup compares it with what was surveyed */
	if (in->flags & DESC_OUTLINE ? !add_signatures(state, in, text, digest)
				     : !add_chunk(counting, in, text, digest))
		return;
	memcpy(out->fingerprint, digest, FINGERPRINT_BYTES);
}

static void
step_run(struct counting *counting, const struct desc *in)
{
	struct desc out = *in;

	if (in->flags & DESC_EMIT) {
		/* the slab goes with it, to format */
		emit_run(counting, in, &out);
		forward(counting, &out);
		return;
	}
	if (in->flags & DESC_OUTLINE) {
		scan_signatures(counting, in);
		return;
	}
	if (in->flags & DESC_SIGNATURE_LINE) {
		scan_signature_line(counting, in, &out);
	} else {
		scan_run(counting, in, &out);
		counting->tokens += out.tokens;
	}
	give_back(counting, in);
	out.slab_idx = SLAB_NONE;
	out.flags &= (uint8_t)~DESC_RELEASE;
	forward(counting, &out);
}

/* The hash of a file that was looked at, when it is over. */
static uint32_t
scanned_hash(struct counting *counting, const struct desc_file *file)
{
	struct count_state *state = counting->state;
	uint8_t digest[SHA256_BYTES];

	/* of everything that is packed the digest is that of the bytes */
	if (counting->job->packs_all)
		return markup_hash(file->sha256);
	sha256_end(&state->text, digest);
	return markup_hash(digest);
}

/* A whole file to be written: its facts, then all of it, or what was made of
 * it, as one run. */
static void
step_whole(struct counting *counting, struct desc_file *file)
{
	const struct desc *in = (const struct desc *)(const void *)file;
	struct desc run = {
		.kind = DESC_RUN,
		.flags = (uint8_t)(file->flags &
				   (DESC_EMIT | DESC_LAST | DESC_RELEASE |
				    DESC_OUTLINE | DESC_NUMBERED)),
		.file_idx = file->file_idx,
		.slab_idx = file->slab_idx,
		.slab_off = file->slab_off,
		.bytes = file->bytes,
		.line_first = 1,
		.line_nr = file->line_nr,
	};

	if (file->is_made) {
		run.slab_off = file->made_off;
		run.bytes = file->made_bytes;
	}
	sha256_of(desc_content(counting->slabs, in), file->bytes, file->sha256);
	if (file->bytes == 0) {
		/* no run to go with: its slab goes back from here */
		give_back(counting, in);
		file->flags &= (uint8_t)~DESC_RELEASE;
		file->slab_idx = SLAB_NONE;
		forward(counting, in);
		return;
	}
	emit_run(counting, &run, &run);
	file->flags &= (uint8_t) ~(DESC_LAST | DESC_RELEASE);
	file->slab_idx = SLAB_NONE;
	file->hash = markup_hash(file->sha256);
	forward(counting, in);
	forward(counting, &run);
}

static void
step_file(struct counting *counting, const struct desc *in)
{
	struct count_state *state = counting->state;
	struct desc_file file;
	uint32_t hash = 0;

	memcpy(&file, in, sizeof(file));
	if (file.reason == REASON_NONE && (file.flags & DESC_EMIT)) {
		step_whole(counting, &file);
		return;
	}
	if (state->file_open && state->file_idx == file.file_idx) {
		count_digest_end(&state->file, file.sha256);
		hash = scanned_hash(counting, &file);
		if (state->outline_open && file.reason == REASON_NONE)
			forward_signatures(counting, file.file_idx);
	}
	state->outline_open = 0;
	state->file_open = 0;
	state->chunk_open = 0; /* it may have been broken off */
	give_back(counting, in);
	file.slab_idx = SLAB_NONE;
	file.hash = hash;
	file.flags &= (uint8_t)~DESC_RELEASE;
	forward(counting, (const struct desc *)(const void *)&file);
}

/*
 * Whether the slab of an entry that is passed over may hold others that are
 * still to be written: then it goes back behind them, by format, and the file
 * keeps its turn until its last entry. A part of a large file has its slab
 * alone.
 */
static bool
keeps_turn(const struct counting *counting, const struct desc *in)
{
	return (in->flags & DESC_EMIT) &&
	       (!counting->job->takes_all || counting->job->transforms ||
		(in->kind == DESC_FILE && in->reason == REASON_NONE));
}

/* Ends the turn of a file that is left out. */
static void
forward_end(struct counting *counting, const struct desc *in)
{
	struct desc_file file = desc_end_of_lane(in, REASON_POISON);

	forward(counting, (const struct desc *)(const void *)&file);
}

/* An entry of a file that is left out: only its slab matters. */
static void
pass_over(struct counting *counting, const struct desc *in)
{
	bool keeps = keeps_turn(counting, in);

	if ((in->flags & DESC_RELEASE) && keeps) {
		struct desc slab =
			desc_slab_back(in->file_idx, in->slab_idx, DESC_EMIT);

		forward(counting, &slab);
	} else {
		give_back(counting, in);
	}
	if (keeps && (in->flags & DESC_LAST))
		forward_end(counting, in);
}

/* What is to be written goes back behind it, by format. */
static void
step_slab(struct counting *counting, const struct desc *in)
{
	if (in->flags & DESC_EMIT)
		forward(counting, in);
	else
		give_back(counting, in);
}

static void
begin_entry(struct counting *counting)
{
	counting->out_nr = 0;
	counting->slab_back = SLAB_NONE;
	counting->tokens = 0;
}

void
count_entry(struct counting *counting, const struct desc *in)
{
	bool is_dead = counting->state->dead_file == in->file_idx + 1;

	begin_entry(counting);
	if (in->kind == DESC_TERMS || in->kind == DESC_NAMES ||
	    in->kind == DESC_WORDS) {
		if (!is_dead)
			forward(counting, in);
	} else if (is_dead && count_is_of_file(in)) {
		pass_over(counting, in);
	} else if (in->kind == DESC_SLAB) {
		step_slab(counting, in);
	} else if (in->kind == DESC_SURVEYED) {
		forward(counting, in);
	} else if (in->kind == DESC_FILE) {
		step_file(counting, in);
	} else {
		step_run(counting, in);
	}
}

void
count_leave_out(struct counting *counting, const struct desc *in)
{
	struct count_state *state = counting->state;

	begin_entry(counting);
	/* an entry of a file that is left out already ends no turn again */
	if (state->dead_file != in->file_idx + 1 && !keeps_turn(counting, in))
		forward_end(counting, in);
	pass_over(counting, in);
	state->dead_file = in->file_idx + 1;
	state->file_open = 0;
	state->chunk_open = 0;
	state->outline_open = 0;
}
