/* SPDX-License-Identifier: MIT */
/*
 * count_worker.c - tokens and fingerprints for runs of chunks.
 *
 * Does: in scan, counts each chunk and takes its fingerprint, gives slabs
 *       back; in emit, makes spans, so that format can count the whole output
 *       exactly without looking at all of it again.
 * Does not: know how tokens are counted (tokenizer/).
 * Runs in: count, one worker a lane.
 * Invariants:
 * 1. The digest of a file is that of its bytes where everything is packed, and
 *    that of its normal form, wherever it is cut, where chunks are chosen.
 */
#include "stages/count/count_worker.h"

#include <errno.h>
#include <string.h>

#include "base/fault.h"
#include "shm/slab.h"
#include "stages/count/count.h"
#include "stages/count/count_normal.h"
#include "stages/job.h"

#define EMITS_PER_ENTRY 2
#define ESCAPED_BYTES (512u << 10) /* what becomes longer has no span */

/* Scratch of a step: too large for the stack, one worker a process. */
static uint8_t escaped[ESCAPED_BYTES];

struct count_state {
	uint32_t file_idx;     /* of `file`; valid if file_open */
	uint32_t dead_file;    /* index + 1 of a file that is passed over */
	uint32_t file_open;    /* 1: `file` has been begun */
	uint32_t chunk_open;   /* 1: the chunk in work has had runs */
	uint32_t outline_open; /* 1: signatures of `file` have been seen */
	uint32_t pad;
	uint64_t outline_bytes;
	uint64_t outline_tokens;
	struct count_digest file;
	struct count_sha256 text; /* of `file` as it is, for its hash */
	struct count_sha256 signatures;
	struct count_digest chunk;
	struct markup_flow flow;    /* within a chunk, where it is escaped */
	struct token_stream stream; /* last: matters within a chunk only */
};

static struct tokenizer_cache *
cache_of(const struct worker *worker)
{
	return worker->run->segment.cache;
}

static void
give_back(struct worker *worker, const struct desc *in)
{
	struct desc slab = { .kind = DESC_SLAB,
			     .flags = DESC_RELEASE,
			     .slab_idx = in->slab_idx };

	if (in->flags & DESC_RELEASE)
		worker_emit(worker, EDGE_COUNT_SLABS, worker->lane, &slab);
}

static void
forward(struct worker *worker, const struct desc *desc)
{
	worker_emit(worker, EDGE_COUNTED, worker->lane, desc);
}

static uint32_t
tokens_of(uint64_t tokens)
{
	return (uint32_t)min_u64(tokens, UINT32_MAX);
}

/*
 * Tokens of a whole chunk, counted only if its content is new, and has not
 * been counted when it was cut (`tokens`; 0: it has not).
 */
static uint32_t
count_known(struct worker *worker, const uint8_t *text, size_t bytes,
	    uint32_t tokens, const uint8_t *fingerprint)
{
	struct count_cache *cache = worker->scratch;
	uint64_t evictions = cache->evictions;
	uint32_t known;

	if (count_cache_find(cache, fingerprint, &known)) {
		stat_add(worker->shm, STAT_cache_hits, 1);
		return known;
	}
	if (tokens == 0)
		tokens = tokens_of(tokenizer_count(
			worker->run->tokenizer, cache_of(worker), text, bytes));
	count_cache_add(cache, fingerprint, tokens);
	stat_add(worker->shm, STAT_cache_misses, 1);
	stat_add(worker->shm, STAT_cache_evictions,
		 cache->evictions - evictions);
	return tokens;
}

/* Whether what is written of a text is the text. */
static bool
is_identity(const struct worker *worker)
{
	return worker->run->job.whole_files ||
	       markup_is_identity(&worker->run->job.markup);
}

/* Tokens of a text of which `bytes` have been escaped, and the rest not yet. */
static uint64_t
count_escaped(struct worker *worker, const struct markup_rules *rules,
	      struct markup_flow *flow, const uint8_t *text, const uint8_t *end,
	      size_t bytes)
{
	/* a chunk may be open: not its own */
	static struct token_stream stream;
	const struct tokenizer *tokenizer = worker->run->tokenizer;

	token_stream_init(&stream);
	for (;;) {
		token_stream_feed(tokenizer, cache_of(worker), &stream, escaped,
				  bytes);
		if (text == end)
			break;
		bytes = markup_escape_run(rules, flow, &text, end, escaped,
					  sizeof(escaped));
	}
	return token_stream_count(tokenizer, &stream);
}

/*
 * Tokens of a whole chunk as it is written: what is escaped is counted so,
 * and known by what it becomes, which may hang on its line.
 */
static uint32_t
count_written(struct worker *worker, const struct desc *in, const uint8_t *text,
	      const uint8_t *digest)
{
	const uint8_t *end = text + in->bytes;
	struct markup_flow flow = markup_flow_at(in->line_first);
	struct markup_rules rules;
	uint8_t own[SHA256_BYTES];
	size_t bytes;

	if (is_identity(worker))
		return count_known(worker, text, in->bytes, in->tokens, digest);
	markup_rules_init(&rules, &worker->run->job.markup);
	bytes = markup_escape_run(&rules, &flow, &text, end, escaped,
				  sizeof(escaped));
	if (text == end) {
		count_sha256(escaped, bytes, own);
		return count_known(worker, escaped, bytes, 0, own);
	}
	return tokens_of(
		count_escaped(worker, &rules, &flow, text, end, bytes));
}

static_assert(COUNT_NORMAL_TRAILING == (int)NORMALIZE_TRAILING &&
		      COUNT_NORMAL_WHITESPACE == (int)NORMALIZE_WHITESPACE,
	      "an option of the run is a way to hash");

/* What contents of the run are compared by. */
static enum count_normal
normal_form(const struct worker *worker)
{
	return (enum count_normal)worker->run->job.normalize;
}

/* The fingerprint of a text whose SHA-256 is known. */
static void
fingerprint(const struct worker *worker, const uint8_t *text, size_t bytes,
	    bool is_normal, const uint8_t *digest, uint8_t *out)
{
	uint8_t normal[SHA256_BYTES];

	if (!is_normal) {
		count_normal_sha256(normal_form(worker), text, bytes, normal);
		digest = normal;
	}
	memcpy(out, digest, FINGERPRINT_BYTES);
}

static bool
is_normal(const struct worker *worker, const uint8_t *text, size_t bytes)
{
	return count_is_normal(normal_form(worker), text, bytes);
}

/* Whether the header of a file may have its hash. */
static bool
wants_hash(const struct worker *worker)
{
	return worker->run->job.markup.hashes;
}

/* Goes on with a file that is looked at, or begins it. */
static void
begin_file(struct worker *worker, uint32_t file_idx)
{
	struct count_state *state = worker->state;

	if (state->file_open && state->file_idx == file_idx)
		return;
	/* of everything, what is the same comes back byte for byte */
	count_digest_init(&state->file, worker->run->job.packs_all
						? COUNT_NORMAL_NONE
						: normal_form(worker));
	count_sha256_init(&state->text);
	state->file_open = 1;
	state->file_idx = file_idx;
	state->chunk_open = 0;
	state->outline_open = 0;
}

/* Signatures of a file that is looked at, or of a part of it. */
static void
scan_signatures(struct worker *worker, const struct desc *in)
{
	struct count_state *state = worker->state;
	const uint8_t *text = desc_content(&worker->run->segment.slabs, in);
	uint8_t digest[SHA256_BYTES];

	begin_file(worker, in->file_idx);
	if (!state->outline_open) {
		count_sha256_init(&state->signatures);
		state->outline_bytes = 0;
		state->outline_tokens = 0;
	}
	state->outline_open = 1;
	count_sha256_add(&state->signatures, text, in->bytes);
	count_sha256(text, in->bytes, digest);
	state->outline_bytes += in->bytes;
	state->outline_tokens = add_sat_u64(
		state->outline_tokens, count_written(worker, in, text, digest));
	give_back(worker, in);
}

/* All of them together, before the facts on their file. */
static void
forward_signatures(struct worker *worker, uint32_t file_idx)
{
	struct count_state *state = worker->state;
	uint8_t digest[SHA256_BYTES];
	struct desc run = {
		.kind = DESC_RUN,
		.flags = DESC_SCAN | DESC_OUTLINE,
		.file_idx = file_idx,
		.slab_idx = SLAB_NONE,
		.bytes = (uint32_t)min_u64(state->outline_bytes, UINT32_MAX),
		.tokens = tokens_of(state->outline_tokens),
	};

	count_sha256_end(&state->signatures, digest);
	memcpy(run.fingerprint, digest, FINGERPRINT_BYTES);
	forward(worker, &run);
	state->outline_open = 0;
}

/* A run of a chunk that has several, as it is written. */
static void
feed_written(struct worker *worker, const uint8_t *text, size_t bytes)
{
	struct count_state *state = worker->state;
	const struct tokenizer *tokenizer = worker->run->tokenizer;
	const uint8_t *end = text + bytes;
	struct markup_rules rules;

	if (is_identity(worker)) {
		token_stream_feed(tokenizer, cache_of(worker), &state->stream,
				  text, bytes);
		return;
	}
	markup_rules_init(&rules, &worker->run->job.markup);
	while (text < end) {
		size_t nr = markup_escape_run(&rules, &state->flow, &text, end,
					      escaped, sizeof(escaped));

		token_stream_feed(tokenizer, cache_of(worker), &state->stream,
				  escaped, nr);
	}
}

/* Where a definition begins: part of a chunk that has been looked at. */
static void
scan_head(struct worker *worker, const struct desc *in, struct desc *out)
{
	const uint8_t *text = desc_content(&worker->run->segment.slabs, in);
	uint8_t digest[SHA256_BYTES];

	count_sha256(text, in->bytes, digest);
	out->tokens = count_written(worker, in, text, digest);
	fingerprint(worker, text, in->bytes, is_normal(worker, text, in->bytes),
		    digest, out->fingerprint);
}

/* The next text of the file that is looked at. */
static void
add_to_file(struct worker *worker, const uint8_t *text, size_t bytes,
	    bool normal)
{
	struct count_state *state = worker->state;
	bool packs_all = worker->run->job.packs_all;

	if (wants_hash(worker) && !packs_all)
		count_sha256_add(&state->text, text, bytes);
	if (worker->run->job.no_dedup && !(wants_hash(worker) && packs_all))
		return;
	if (normal)
		count_digest_add_normal(&state->file, text, bytes);
	else
		count_digest_add(&state->file, text, bytes);
}

/* One run of a chunk that is looked at. */
static void
scan_run(struct worker *worker, const struct desc *in, struct desc *out)
{
	struct count_state *state = worker->state;
	const struct tokenizer *tokenizer = worker->run->tokenizer;
	const uint8_t *text = desc_content(&worker->run->segment.slabs, in);
	bool normal = is_normal(worker, text, in->bytes);
	uint8_t digest[SHA256_BYTES];

	begin_file(worker, in->file_idx);
	add_to_file(worker, text, in->bytes, normal);
	if (!state->chunk_open && !(in->flags & DESC_MORE)) {
		count_sha256(text, in->bytes, digest);
		out->tokens = count_written(worker, in, text, digest);
		fingerprint(worker, text, in->bytes, normal, digest,
			    out->fingerprint);
	} else {
		if (!state->chunk_open) {
			count_digest_init(&state->chunk, normal_form(worker));
			token_stream_init(&state->stream);
			state->flow = markup_flow_at(in->line_first);
		}
		state->chunk_open = 1;
		count_digest_add(&state->chunk, text, in->bytes);
		feed_written(worker, text, in->bytes);
		if (in->flags & DESC_MORE)
			return;
		state->chunk_open = 0;
		count_digest_end(&state->chunk, digest);
		out->tokens = tokens_of(
			token_stream_count(tokenizer, &state->stream));
		memcpy(out->fingerprint, digest, FINGERPRINT_BYTES);
	}
}

/* The span of a text, and what it comes to by itself. */
static void
set_span(struct worker *worker, struct desc *out, const uint8_t *text,
	 size_t bytes)
{
	const struct tokenizer *tokenizer = worker->run->tokenizer;
	struct token_span span;

	tokenizer_span(tokenizer, cache_of(worker), text, bytes, &span);
	if (!span.found || span.tokens > UINT32_MAX) {
		span.head_len = bytes;
		span.tail_off = bytes;
		span.tokens = 0;
	}
	out->span_head = (uint32_t)span.head_len;
	out->span_tail = (uint32_t)span.tail_off;
	out->tokens = (uint32_t)span.tokens;
	/* the ends of a span are piece boundaries in any text */
	out->tokens_alone =
		span.tokens +
		tokenizer_count(tokenizer, cache_of(worker), text,
				span.head_len) +
		tokenizer_count(tokenizer, cache_of(worker),
				text + span.tail_off, bytes - span.tail_off);
}

/*
 * The same of what the format makes of a text that begins a line. What does
 * not fit has no span: format counts all of it.
 */
static void
set_span_escaped(struct worker *worker, struct desc *out, const uint8_t *text)
{
	const uint8_t *end = text + out->bytes;
	struct markup_flow flow = markup_flow_at(out->line_first);
	struct markup_rules rules;
	size_t bytes;

	markup_rules_init(&rules, &worker->run->job.markup);
	bytes = markup_escape_run(&rules, &flow, &text, end, escaped,
				  sizeof(escaped));
	if (text == end) {
		set_span(worker, out, escaped, bytes);
		return;
	}
	out->span_head = 0;
	out->span_tail = 0;
	out->tokens = 0;
	out->tokens_alone =
		count_escaped(worker, &rules, &flow, text, end, bytes);
}

/* One run that will be written: where it can be joined, and its middle. */
static void
emit_run(struct worker *worker, const struct desc *in, struct desc *out)
{
	struct count_state *state = worker->state;
	const uint8_t *text = desc_content(&worker->run->segment.slabs, in);
	uint32_t bytes = in->bytes;
	uint8_t digest[SHA256_BYTES];
	uint32_t skip;

	/* R7: of another process */
	out->bytes = bytes - (uint32_t)min_u64(in->rest_bytes, bytes);
	skip = (uint32_t)min_u64(in->skip_bytes, out->bytes);
	out->bytes -= skip;
	out->slab_off += skip;
	if (markup_is_identity(&worker->run->job.markup))
		set_span(worker, out, text + skip, out->bytes);
	else
		set_span_escaped(worker, out, text + skip);
	stat_add(worker->shm, STAT_tokens, out->tokens_alone);
	if (worker->run->job.takes_all)
		return;
	/* planned: dedup compares it with what was surveyed */
	if (!state->chunk_open)
		count_digest_init(&state->chunk, in->flags & DESC_OUTLINE
							 ? COUNT_NORMAL_NONE
							 : normal_form(worker));
	state->chunk_open = in->flags & DESC_MORE;
	count_digest_add(&state->chunk, text, bytes);
	if (!state->chunk_open) {
		count_digest_end(&state->chunk, digest);
		memcpy(out->fingerprint, digest, FINGERPRINT_BYTES);
	}
}

static void
step_run(struct worker *worker, const struct desc *in)
{
	struct desc out = *in;

	if (in->flags & DESC_EMIT) {
		/* the slab goes with it, to format */
		emit_run(worker, in, &out);
		forward(worker, &out);
		return;
	}
	if (in->flags & DESC_OUTLINE) {
		scan_signatures(worker, in);
		return;
	}
	if (in->flags & DESC_HEAD) {
		scan_head(worker, in, &out);
	} else {
		scan_run(worker, in, &out);
		stat_add(worker->shm, STAT_tokens, out.tokens);
	}
	give_back(worker, in);
	out.slab_idx = SLAB_NONE;
	out.flags &= (uint8_t)~DESC_RELEASE;
	forward(worker, &out);
}

/* The hash of a file that was looked at, when it is over. */
static uint32_t
scanned_hash(struct worker *worker, const struct desc_file *file)
{
	struct count_state *state = worker->state;
	uint8_t digest[SHA256_BYTES];

	/* of everything that is packed the digest is that of the bytes */
	if (worker->run->job.packs_all)
		return markup_hash(file->sha256);
	count_sha256_end(&state->text, digest);
	return markup_hash(digest);
}

/* A whole file to be written: its facts, then all of it, or what was made of
 * it, as one run. */
static void
step_whole(struct worker *worker, struct desc_file *file)
{
	const struct desc *in = (const struct desc *)(const void *)file;
	struct desc run = {
		.kind = DESC_RUN,
		.flags = (uint8_t)(file->flags & (DESC_EMIT | DESC_LAST |
						  DESC_RELEASE | DESC_OUTLINE)),
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
	count_sha256(desc_content(&worker->run->segment.slabs, in), file->bytes,
		     file->sha256);
	if (file->bytes == 0) {
		/* no run to go with: its slab goes back from here */
		give_back(worker, in);
		file->flags &= (uint8_t)~DESC_RELEASE;
		file->slab_idx = SLAB_NONE;
		forward(worker, in);
		return;
	}
	emit_run(worker, &run, &run);
	file->flags &= (uint8_t) ~(DESC_LAST | DESC_RELEASE);
	file->slab_idx = SLAB_NONE;
	file->hash = markup_hash(file->sha256);
	forward(worker, in);
	forward(worker, &run);
}

static void
step_file(struct worker *worker, const struct desc *in)
{
	struct count_state *state = worker->state;
	struct desc_file file;
	uint32_t hash = 0;

	memcpy(&file, in, sizeof(file));
	if (file.reason == REASON_NONE && (file.flags & DESC_EMIT)) {
		step_whole(worker, &file);
		return;
	}
	if (state->file_open && state->file_idx == file.file_idx) {
		count_digest_end(&state->file, file.sha256);
		hash = scanned_hash(worker, &file);
		if (state->outline_open && file.reason == REASON_NONE)
			forward_signatures(worker, file.file_idx);
	}
	state->outline_open = 0;
	state->file_open = 0;
	state->chunk_open = 0; /* it may have been broken off */
	give_back(worker, in);
	file.slab_idx = SLAB_NONE;
	file.hash = hash;
	file.flags &= (uint8_t)~DESC_RELEASE;
	forward(worker, (const struct desc *)(const void *)&file);
}

/* Within a chunk the whole state matters, else only what comes before. */
static void
set_state_bytes(struct worker *worker)
{
	struct count_state *state = worker->state;

	worker->state_bytes =
		state->chunk_open
			? (uint32_t)sizeof(*state)
			: (uint32_t)offsetof(struct count_state, chunk);
}

static bool
has_room(struct worker *worker)
{
	return worker_room(worker, EDGE_COUNTED, worker->lane) >=
		       EMITS_PER_ENTRY &&
	       worker_room(worker, EDGE_COUNT_SLABS, worker->lane) >=
		       EMITS_PER_ENTRY;
}

/*
 * Whether the slab of an entry that is passed over may hold others that are
 * still to be written: then it goes back behind them, by format, and the file
 * keeps its turn until its last entry. A part of a large file has its slab
 * alone.
 */
static bool
keeps_turn(const struct worker *worker, const struct desc *in)
{
	return (in->flags & DESC_EMIT) &&
	       (!worker->run->job.takes_all || worker->run->job.transforms ||
		(in->kind == DESC_FILE && in->reason == REASON_NONE));
}

/* Ends the turn of a file that is left out. */
static void
forward_end(struct worker *worker, const struct desc *in)
{
	struct desc_file file = desc_end_of_lane(in, REASON_POISON);

	forward(worker, (const struct desc *)(const void *)&file);
}

/* An entry of a file that is left out: only its slab matters. */
static void
pass_over(struct worker *worker, const struct desc *in)
{
	bool keeps = keeps_turn(worker, in);

	if ((in->flags & DESC_RELEASE) && keeps) {
		struct desc slab =
			desc_slab_back(in->file_idx, in->slab_idx, DESC_EMIT);

		forward(worker, &slab);
	} else {
		give_back(worker, in);
	}
	if (keeps && (in->flags & DESC_LAST))
		forward_end(worker, in);
}

/* What is to be written goes back behind it, by format. */
static void
step_slab(struct worker *worker, const struct desc *in)
{
	if (in->flags & DESC_EMIT)
		forward(worker, in);
	else
		give_back(worker, in);
}

static int
count_step(struct worker *worker)
{
	struct count_state *state = worker->state;
	struct desc in;

	if (!worker_peek(worker, EDGE_CHUNKS, worker->lane, 0, &in))
		return worker_drained(worker) ? STEP_END : STEP_AGAIN;
	if (!has_room(worker))
		return STEP_AGAIN;
	if (in.kind == DESC_SLAB && !(in.flags & DESC_LAST)) {
		step_slab(worker, &in);
		worker_take(worker, EDGE_CHUNKS, worker->lane);
		return STEP_DONE;
	}
	if (in.kind == DESC_TERMS || in.kind == DESC_NAMES) {
		if (state->dead_file != in.file_idx + 1)
			forward(worker, &in);
		worker_take(worker, EDGE_CHUNKS, worker->lane);
		return STEP_DONE;
	}
	worker_position(worker, in.file_idx);
	stat_add(worker->shm, STAT_bytes, in.bytes);
	if (state->dead_file == in.file_idx + 1)
		pass_over(worker, &in);
	else if (in.kind == DESC_SLAB)
		step_slab(worker, &in);
	else if (in.kind == DESC_FILE)
		step_file(worker, &in);
	else
		step_run(worker, &in);
	FAULT("counted");
	worker_take(worker, EDGE_CHUNKS, worker->lane);
	set_state_bytes(worker);
	return STEP_DONE;
}

static int
count_poison(struct worker *worker)
{
	struct count_state *state = worker->state;
	struct desc in;

	if (!worker_peek(worker, EDGE_CHUNKS, worker->lane, 0, &in))
		return worker_drained(worker) ? STEP_END : STEP_AGAIN;
	if (!has_room(worker))
		return STEP_AGAIN;
	if (in.kind == DESC_SLAB || in.kind == DESC_TERMS ||
	    in.kind == DESC_NAMES)
		return count_step(worker); /* nothing to leave out */
	if (!keeps_turn(worker, &in))
		forward_end(worker, &in);
	pass_over(worker, &in);
	state->dead_file = in.file_idx + 1;
	state->file_open = 0;
	state->chunk_open = 0;
	worker_take(worker, EDGE_CHUNKS, worker->lane);
	set_state_bytes(worker);
	return STEP_DONE;
}

/* Of what all count workers keep together, the part of this one. */
static uint32_t
cache_entries(const struct worker *worker)
{
	uint64_t all = worker->run->job.count_cache_entries;
	uint32_t lanes = worker->run->lane_nr;

	return (uint32_t)(all / lanes + (worker->lane < all % lanes));
}

static int
count_init(struct worker *worker)
{
	worker->scratch = count_cache_create(cache_entries(worker));
	return worker->scratch == NULL ? -ENOMEM : 0;
}

static int
count_flush(struct worker *worker)
{
	struct count_state *state = worker->state;

	state->dead_file = 0;
	state->file_open = 0;
	state->chunk_open = 0;
	state->outline_open = 0;
	set_state_bytes(worker);
	return STEP_DONE;
}

const struct stage_ops count_ops = {
	.init = count_init,
	.step = count_step,
	.flush = count_flush,
	.poison = count_poison,
	.state_bytes = sizeof(struct count_state),
};
