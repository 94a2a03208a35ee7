/* SPDX-License-Identifier: MIT */
/*
 * chunk_derive.c - texts made of the content of an entry, beside it in
 *                       its slab: its signatures, and it without comments.
 *
 * Does: hands what the scanner tells to those who make texts and names of it;
 *       knows where made texts lie, and how long they are.
 * Does not: decide what a signature is (outline.c).
 * Invariants:
 * 1. A made text is no longer than what it is made of.
 */
#include <string.h>

#include "base/sha256.h"
#include "stages/chunk/chunk_cut.h"
#include "catalogue/facts.h"
#include "catalogue/plan.h"

/*
 * Where the made text number nr of an entry lies (stages/stage.h draws it).
 * It has as much room as what it is made of.
 */
static void
place_made(struct cut *cut, uint32_t nr, struct made *made)
{
	struct chunk_state *state = cut->work->state;
	const struct desc *in = cut->in;
	uint32_t whole = cut->work->rules->job->whole_bytes;
	uint32_t part = cut->work->rules->job->part_bytes;

	made->slab = slab_at(cut->work->slabs, in->slab_idx);
	/* alone, and nothing was carried to it */
	if (cut->text.off == 0 && cut->text.at_end &&
	    cut->text.nr == in->bytes && in->bytes <= whole) {
		made->off = in->slab_off + (nr + 1) * whole;
		made->room = in->bytes;
	} else {
		/* made behind the part, which is read meanwhile */
		ASSERT(in->slab_off + in->bytes <= SLAB_HEAD_BYTES + part);
		made->off =
			SLAB_HEAD_BYTES + part + nr * (SLAB_HEAD_BYTES + part);
		made->room = SLAB_HEAD_BYTES + part;
	}
	made->bytes = &state->made_bytes[nr];
	if (!state->goes_on)
		*made->bytes = 0;
	ASSERT(made->off + made->room <= SLAB_BYTES);
}

static bool
is_whole(const struct cut *cut)
{
	return cut->text.off == 0 && cut->text.at_end;
}

static void
write_signature(void *context, const uint8_t *text, size_t bytes)
{
	struct cut *cut = context;
	struct chunk_state *state = cut->work->state;
	struct made *made = &cut->signatures;

	/* of numbered lines none is written in part */
	if ((cut->maker.numbers && state->made_short > 0) ||
	    bytes + cut->maker.outliner->import_bytes >
		    made->room - *made->bytes) {
		state->made_short++;
		bytes = 0;
		cut->work->scratch->signatures.nr = OUTLINE_SIGNATURES + 1;
	}
	memcpy(made->slab + made->off + *made->bytes, text, bytes);
	*made->bytes += (uint32_t)bytes;
	if (cut->keeps_signatures)
		delta_add(&cut->delta, text, bytes);
}

static void
reported_open(void *context, const struct lang_def *def)
{
	struct cut *cut = context;

	if (cut->keeps_names)
		chunk_names_def(cut->work, &cut->text, def);
	if (cut->keeps_signature_lines)
		chunk_signature_lines_open(&cut->work->state->signature_lines,
					   &cut->text, def);
	lang_maker_open(&cut->maker, def);
}

static void
reported_def(void *context, const struct lang_def *def)
{
	struct cut *cut = context;

	if (cut->keeps_signature_lines)
		chunk_signature_lines_close(&cut->work->state->signature_lines,
					    def);
	if (cut->maker.outliner != NULL)
		lang_maker_def(&cut->maker, def);
}

static void
reported_declare(void *context, const struct lang_def *def)
{
	struct cut *cut = context;

	if (cut->keeps_names)
		chunk_names_declare(cut->work, def);
	lang_maker_open(&cut->maker, def);
}

static void
reported_member(void *context, const struct lang_def *def)
{
	struct cut *cut = context;

	lang_maker_member(&cut->maker, def);
}

static void
reported_exports(void *context, enum lang_export what, uint32_t nr)
{
	struct cut *cut = context;

	chunk_names_export(cut->work, what, nr);
}

/* For what is imported or exported, before what is there of it. */
static bool
has_room(const struct cut *cut, uint32_t bytes)
{
	return lang_maker_import_room(bytes) + *cut->signatures.bytes +
		       cut->maker.outliner->import_bytes <=
	       cut->signatures.room;
}

/* One for which there is none: of a part the list says so; of a whole file the
 * text is hardly longer. */
static void
leave_named(struct cut *cut, uint32_t *left)
{
	*left += 1;
	if (is_whole(cut))
		cut->work->state->made_short++;
}

static void
reported_import(void *context, uint64_t off, uint32_t bytes)
{
	struct cut *cut = context;

	if (cut->keeps_names)
		chunk_names_import(cut->work, &cut->text, off, bytes);
	if (cut->maker.outliner == NULL)
		return;
	if (has_room(cut, bytes))
		lang_maker_import(&cut->maker, off, bytes);
	else
		leave_named(cut, &cut->maker.outliner->import_left);
}

static void
reported_listed(void *context, uint64_t off, uint32_t bytes)
{
	struct cut *cut = context;

	if (has_room(cut, bytes))
		lang_maker_listed(&cut->maker, off, bytes);
	else
		leave_named(cut, &cut->maker.outliner->listed_left);
}

static void
reported_comment(void *context, uint64_t off, uint64_t end_off)
{
	struct cut *cut = context;

	if (cut->keeps_names)
		chunk_names_comment(cut->work, &cut->text, off, end_off);
	lang_maker_comment(&cut->maker, off, end_off);
}

static void
reported_code(void *context, uint64_t off, const struct lang_code_block *block)
{
	struct cut *cut = context;

	chunk_names_code(cut->work, off, block);
}

/* The maker numbers lines, from where the text begins. */
static void
begin_numbers(struct cut *cut)
{
	const struct chunk_state *state = cut->work->state;
	size_t done = state->cut_at - state->cut_from;

	cut->maker.numbers = cut->work->rules->job->markup.numbers;
	cut->maker.in_line = state->outliner.line_is_open;
	if (cut->maker.numbers)
		cut->maker.line.line =
			state->line_next -
			(uint32_t)lang_newlines(cut->text.bytes, done);
}

/* Where what is made goes, and what makes it. */
static void
begin_making(struct cut *cut)
{
	struct chunk_state *state = cut->work->state;
	const struct chunk_rules *rules = cut->work->rules;
	uint32_t nr = 0;

	cut->maker.text = &cut->text;
	cut->maker.lang = state->cutter.scan.lang;
	if (rules->job->strip_comments)
		cut->maker.comments = &state->comments;
	if (cut->work->rules->job->strips)
		place_made(cut, nr++, &cut->stripped);
	if (cut->in->flags & DESC_OUTLINE) {
		place_made(cut, nr, &cut->signatures);
		cut->maker.outliner = &state->outliner;
		cut->maker.write = write_signature;
		cut->maker.context = cut;
		cut->maker.imports_end = cut->signatures.slab +
					 cut->signatures.off +
					 cut->signatures.room;
		cut->maker.doc = rules->job->doc;
		cut->maker.is_brief = !rules->job->compress;
		cut->maker.is_header = state->names.is_header != 0;
		begin_numbers(cut);
		cut->maker.signatures = &cut->work->scratch->signatures;
		cut->work->scratch->signatures.base = state->outliner.written;
		cut->work->scratch->signatures.nr =
			state->goes_on ? OUTLINE_SIGNATURES + 1 : 0;
	}
	if (!state->goes_on)
		state->made_short = 0;
}

/* What a survey keeps of the text. */
static void
begin_keeping(struct cut *cut)
{
	struct chunk_work *work = cut->work;

	if (!(cut->in->flags & DESC_SCAN))
		return;
	cut->keeps_names =
		!work->rules->job->takes_all && chunk_names_begin(work);
	if (cut->keeps_names && cut->text.off == 0)
		chunk_names_packages(work, &cut->text);
	cut->keeps_signature_lines = work->rules->job->keeps_signature_lines;
}

/* Whether the branches of chunks are of use: to a report, or to choose among
 * the sections of a file. */
static bool
needs_code(const struct cut *cut)
{
	const struct chunk_work *work = cut->work;
	const struct job *job = work->rules->job;
	const struct file_record *file =
		catalogue_file(work->catalogue, work->state->file_idx);

	return job->tells_code || (job->tiers && file_has_branches(file));
}

/* Whether the signatures are kept that are derived, by who writes down names. */
static void
begin_taking(struct cut *cut)
{
	const struct chunk_state *state = cut->work->state;
	const struct delta_source text = { cut->text.bytes, cut->text.nr };

	cut->keeps_signatures = cut->keeps_names &&
				cut->maker.outliner != NULL &&
				!cut->work->rules->job->strips &&
				!state->goes_on && !state->in_chain;
	if (cut->keeps_signatures)
		delta_begin(&cut->delta, &text, cut->work->scratch->delta,
			    sizeof(cut->work->scratch->delta));
}

void
chunk_derive_begin(struct cut *cut)
{
	const struct chunk_state *state = cut->work->state;
	bool signs;

	begin_making(cut);
	begin_keeping(cut);
	begin_taking(cut);
	signs = cut->maker.outliner != NULL;
	cut->sink = (struct lang_sink){
		.open = reported_open,
		.def = signs || cut->keeps_signature_lines ? reported_def
							   : NULL,
		.declare = signs || cut->keeps_names ? reported_declare : NULL,
		.member = signs ? reported_member : NULL,
		.exports = cut->keeps_names ? reported_exports : NULL,
		.import = reported_import,
		.listed = signs ? reported_listed : NULL,
		.comment = reported_comment,
		.context = cut,
	};
	if (cut->keeps_names && needs_code(cut)) {
		lang_code_init(&cut->code, lang_get(state->cutter.scan.lang));
		cut->sink.words = &cut->code;
		cut->sink.code = cut->code.nr > 0 ? reported_code : NULL;
	}
	if (cut->keeps_names || cut->keeps_signature_lines || signs ||
	    cut->maker.comments != NULL)
		cut->reported = &cut->sink;
}

void
chunk_derive_strip(struct cut *cut, struct desc *run)
{
	struct chunk_state *state = cut->work->state;
	struct made *made = &cut->stripped;
	uint32_t bytes = run->bytes;

	if (!cut->collects && (state->in_chain || bytes > SLAB_HEAD_BYTES ||
			       (run->flags & DESC_MORE))) {
		lang_comments_keep(&state->comments, run->file_off + bytes);
		return;
	}
	ASSERT(bytes <= made->room - *made->bytes);
	run->tokens = 0;
	run->slab_off = made->off + *made->bytes;
	run->bytes = (uint32_t)lang_strip_span(
		&cut->maker, &state->cutter.scan, run->file_off,
		run->file_off + bytes, made->slab + run->slab_off);
	if (run->bytes != bytes)
		state->is_stripped = 1;
	if (run->flags & DESC_SCAN)
		run->left_bytes = bytes - run->bytes;
	*made->bytes += run->bytes;
}

void
chunk_derive_part(struct cut *cut, const struct desc *whole, struct desc *run,
		  uint32_t lines)
{
	uint8_t *first = cut->work->scratch->first;
	struct chunk_state *state = cut->work->state;
	const struct slabs *slabs = cut->work->slabs;
	size_t bytes;
	size_t nr;

	if (lines >= whole->line_nr)
		return;
	ASSERT(whole->bytes <= SLAB_HEAD_BYTES);
	bytes = lang_lines_bytes(desc_content(slabs, whole), whole->bytes,
				 lines);
	nr = lang_strip_span(&cut->maker, &state->cutter.scan, whole->file_off,
			     whole->file_off + bytes, first);
	/* a comment may go on behind them: up to a line of what is there */
	while (nr > 0 && first[nr - 1] != '\n')
		nr--;
	if (nr > run->bytes || memcmp(first, desc_content(slabs, run), nr) != 0)
		return;
	run->rest_bytes = run->bytes - (uint32_t)nr;
	run->line_nr = lines;
}

/* The lines of imports and exports before the signatures. */
static void
put_imports(struct cut *cut)
{
	uint8_t *line = cut->work->scratch->line;
	struct chunk_state *state = cut->work->state;
	struct made *made = &cut->signatures;
	uint8_t *text = made->slab + made->off;
	size_t bytes = lang_maker_imports(&cut->maker, line);

	if (bytes > made->room - *made->bytes) {
		state->made_short++;
		return;
	}
	memmove(text + bytes, text, *made->bytes);
	memcpy(text, line, bytes);
	*made->bytes += (uint32_t)bytes;
	/* they stand before all else */
	state->outliner.public_lines += (uint32_t)lang_newlines(line, bytes);
}

/* The text from a place on stands for its signatures, as it is. */
static void
use_text(struct cut *cut, size_t from)
{
	struct made *made = &cut->signatures;

	made->off = cut->work->state->cut_from + (uint32_t)from;
	*made->bytes = (uint32_t)(cut->text.nr - from);
	made->is_text = true;
}

/* Keeps what has been derived of the part in work. */
static void
keep(struct cut *cut)
{
	const struct made *made = &cut->signatures;
	const struct chunk_state *state = cut->work->state;
	const struct lang_signatures *signatures =
		&cut->work->scratch->signatures;
	const struct chunk_kept kept = {
		.part = { .off = cut->text.off,
			  .done = state->cut_at - state->cut_from,
			  .line_end = state->line_next },
		.text = made->slab + made->off,
		.bytes = *made->bytes,
		.written =
			(uint32_t)(state->outliner.written - signatures->base),
		.is_file = made->is_text,
		.signatures = signatures,
		.delta = cut->work->scratch->delta,
		.delta_bytes = delta_end(&cut->delta),
	};

	/* a text that is there is not kept but as a whole */
	if (state->in_chain || (made->is_text && !is_whole(cut)))
		chunk_names_signatures(cut->work, NULL);
	else
		chunk_names_signatures(cut->work, &kept);
}

/* The signatures of the file in work as they are kept, without their sum; where no
 * survey is made, there are not even facts of it yet. */
static const uint8_t *
kept_of(const struct cut *cut, uint32_t *bytes)
{
	const struct catalogue *catalogue = cut->work->catalogue;
	const struct file_facts *facts;
	const uint8_t *kept;

	if (cut->work->rules->job->takes_all)
		return NULL;
	facts = catalogue_facts(catalogue, cut->in->file_idx);
	kept = catalogue_signatures(catalogue, facts);
	if (kept == NULL)
		return NULL;
	*bytes = facts->signatures_bytes - NAMES_SUM_BYTES;
	return kept + NAMES_SUM_BYTES;
}

bool
chunk_derive_knows(const struct cut *cut)
{
	struct chunk_kept_found found;
	uint64_t end = 0;
	uint32_t bytes = 0;
	uint32_t at = 0;
	const uint8_t *kept = kept_of(cut, &bytes);

	while (kept != NULL && chunk_kept_next(kept, bytes, &at, &found) &&
	       found.part.off == end)
		end += found.part.done;
	return kept != NULL && at == bytes &&
	       end == catalogue_facts(cut->work->catalogue, cut->in->file_idx)
			       ->bytes;
}

bool
chunk_derive_find(const struct cut *cut, struct chunk_kept_found *found)
{
	uint32_t bytes = 0;
	uint32_t at = 0;
	const uint8_t *kept = kept_of(cut, &bytes);

	while (kept != NULL && chunk_kept_next(kept, bytes, &at, found))
		if (found->part.off == cut->text.off)
			return found->part.done <= cut->text.nr;
	return false;
}

/* Whether signatures that were kept are those of this file, which is all here: it
 * may be another by now. Those of parts dedup compares. */
static bool
are_its_own(const struct cut *cut, const struct chunk_kept_out *out)
{
	const struct file_facts *facts =
		catalogue_facts(cut->work->catalogue, cut->in->file_idx);
	uint8_t digest[SHA256_BYTES];

	if (!is_whole(cut))
		return true;
	sha256_of(out->is_file ? cut->text.bytes : out->text, out->bytes,
		  digest);
	return memcmp(digest, facts->outline_fingerprint, FINGERPRINT_BYTES) ==
	       0;
}

bool
chunk_derive_recall(struct cut *cut)
{
	struct made *made = &cut->signatures;
	struct lang_signatures *signatures = &cut->work->scratch->signatures;
	const struct delta_source text = { cut->text.bytes, cut->text.nr };
	struct chunk_kept_out out = {
		.text = made->slab + made->off,
		.room = made->room,
		.signatures = signatures,
	};

	if (!cut->is_kept || !chunk_kept_decode(&cut->kept, &text, &out) ||
	    !are_its_own(cut, &out)) {
		signatures->nr = 0;
		/* of a part: another file, which dedup leaves out */
		return !is_whole(cut);
	}
	*made->bytes = out.bytes;
	if (out.is_file)
		use_text(cut, 0);
	cut->work->state->outliner.written = signatures->base + out.written;
	return true;
}

/* What was written of a line when there was no more room. */
static void
drop_half_line(struct made *made)
{
	const uint8_t *text = made->slab + made->off;

	while (*made->bytes > 0 && text[*made->bytes - 1] != '\n')
		*made->bytes -= 1;
}

/* The rest of the signatures, and what is imported before them. */
static void
end_signatures(struct cut *cut)
{
	struct chunk_state *state = cut->work->state;
	struct made *made = &cut->signatures;

	if (cut->maker.numbers && lang_is_settings(cut->maker.lang)) {
		use_text(cut, lang_text_place(&cut->text,
					      state->outliner.member_off));
		state->outliner.member_off = cut->text.off + cut->text.nr;
		state->outliner.import_bytes = 0;
		return;
	}
	lang_maker_end(&cut->maker);
	if (cut->maker.numbers && state->made_short > 0)
		drop_half_line(made);
	put_imports(cut);
	/* not shorter than the text: the text itself */
	if (is_whole(cut) &&
	    (state->made_short > 0 || *made->bytes >= cut->text.nr)) {
		use_text(cut, 0);
		return;
	}
	/* once: in the survey, or where there is none */
	if ((cut->in->flags & DESC_SCAN) || cut->work->rules->job->takes_all)
		cut->work->short_signatures += state->made_short;
	state->made_short = 0;
}

void
chunk_derive_end(struct cut *cut)
{
	if (cut->maker.outliner == NULL)
		return;
	end_signatures(cut);
	if (cut->keeps_signatures)
		keep(cut);
	else if (cut->keeps_names)
		chunk_names_signatures(cut->work, NULL);
}

/* Lines of the signatures of the file in work that the plan takes; 0: all. */
static uint32_t
planned_lines(const struct cut *cut)
{
	const struct chunk_work *work = cut->work;

	return catalogue_plan(work->catalogue,
			      catalogue_plan_first(work->catalogue,
						   work->plan_nr,
						   cut->in->file_idx))
		->kept_lines;
}

/* Of all signatures of the file, how many are of what is public; 0: unknown. */
static uint32_t
public_lines(const struct cut *cut)
{
	const struct catalogue *catalogue = cut->work->catalogue;
	const struct names *names = catalogue_names(
		catalogue, catalogue_facts(catalogue, cut->in->file_idx));

	return names == NULL ? 0 : names->public_lines;
}

/* Bytes of the signatures of a part for which there is room, if the file has
 * room for so many lines: by the heat of its lines, or else by their number. */
static size_t
room_of(const struct cut *cut, const struct chunk_outline *outline,
	uint32_t lines)
{
	const struct catalogue *catalogue = cut->work->catalogue;
	const struct names *names = catalogue_names(
		catalogue, catalogue_facts(catalogue, cut->in->file_idx));
	uint64_t first = cut->work->state->marked.line;
	uint64_t all = history_heat_between(outline->hot, outline->hot_nr, 0,
					    UINT32_MAX);
	uint64_t here = history_heat_between(outline->hot, outline->hot_nr,
					     first, outline->line_end);
	uint64_t of = lang_newlines(outline->text, outline->bytes);

	if (names == NULL || of == 0)
		return 0;
	if (all == 0) {
		all = names->outline_lines;
		here = of;
	}
	/* heat has more bits than a product of three may have */
	while (all > UINT32_MAX) {
		all /= 2;
		here /= 2;
	}
	return scale_u64(scale_u64(outline->bytes, here, max_u64(all, 1)),
			 lines, of);
}

/* Of an overview: signatures of a part by what was changed; 0: unknown. */
static size_t
pick_hot(struct cut *cut, const struct desc *whole, uint32_t lines,
	 struct lang_outline_span *spans)
{
	struct chunk_scratch *scratch = cut->work->scratch;
	struct chunk_outline outline = {
		.signatures = &scratch->signatures,
		.text = desc_content(cut->work->slabs, whole),
		.bytes = whole->bytes,
		.line_end = cut->work->state->line_next,
		.numbers = cut->maker.numbers,
		.chunks = scratch->waiting,
		.chunk_nr = scratch->waiting_nr,
	};

	if (!cut->work->rules->job->is_broad)
		return 0;
	outline.hot = catalogue_hot_lines(cut->work->catalogue,
					  cut->in->file_idx, &outline.hot_nr);
	return chunk_pick(&outline, room_of(cut, &outline, lines),
			  &scratch->picks, spans);
}

/* The first signatures of a part, as many lines as there is room for. */
static size_t
pick_first(struct cut *cut, const struct desc *whole,
	   struct lang_outline_span *spans)
{
	struct lang_outline_room *room = &cut->work->state->outline_room;
	const uint8_t *text = desc_content(cut->work->slabs, whole);
	uint64_t lines = lang_newlines(text, whole->bytes);
	uint64_t left = (uint64_t)room->public_lines + room->other_lines;
	uint64_t others = left - min_u64(lines, left);
	uint32_t taken = whole->bytes;

	if (left < lines)
		taken = (uint32_t)lang_lines_bytes(text, whole->bytes, left);
	room->other_lines = (uint32_t)min_u64(others, room->other_lines);
	room->public_lines = (uint32_t)(others - room->other_lines);
	spans[0] = (struct lang_outline_span){ taken, whole->bytes - taken };
	return 1;
}

/* Which of the signatures of a part are taken: how many spans. */
static size_t
pick_spans(struct cut *cut, const struct desc *whole, uint32_t lines,
	   struct lang_outline_span *spans)
{
	struct chunk_state *state = cut->work->state;
	const uint8_t *text = desc_content(cut->work->slabs, whole);
	size_t nr = 0;

	if (lines == 0) {
		spans[0] = (struct lang_outline_span){ whole->bytes, 0 };
		return 1;
	}
	if (cut->text.off == 0) {
		uint32_t first = (uint32_t)min_u64(lines, public_lines(cut));

		state->outline_room =
			(struct lang_outline_room){ first, lines - first };
	}
	/* or it is the text itself */
	if (!cut->signatures.is_text) {
		nr = pick_hot(cut, whole, lines, spans);
		if (nr == 0 && public_lines(cut) != 0)
			nr = lang_outline_pick(&cut->work->scratch->signatures,
					       text, whole->bytes,
					       &state->outline_room, spans);
	}
	return nr > 0 ? nr : pick_first(cut, whole, spans);
}

static void
emit_woven(void *context, const struct desc *run)
{
	chunk_emit(context, run);
}

/* Signatures, of which there is room for so many lines (0: for all), and the
 * chunks among them. */
static void
emit_some(struct cut *cut, const struct desc *whole, uint32_t lines)
{
	struct lang_outline_span spans[OUTLINE_SPANS];
	struct chunk_work *work = cut->work;
	struct lang_signatures *signatures = &work->scratch->signatures;
	const struct chunk_outline outline = {
		.signatures = signatures,
		.text = desc_content(work->slabs, whole),
		.bytes = whole->bytes,
		.chunks = work->scratch->waiting,
		.chunk_nr = work->scratch->waiting_nr,
	};
	const struct chunk_weave_sink sink = { emit_woven, work };

	/* none is known of what is the text itself */
	if (cut->signatures.is_text)
		signatures->nr = 0;
	signatures->before =
		whole->bytes -
		(uint32_t)(work->state->outliner.written - signatures->base);
	pick_spans(cut, whole, lines, spans);
	chunk_weave(&outline, whole, spans, &sink);
}

void
chunk_derive_emit(struct cut *cut)
{
	const struct desc *in = cut->in;
	const struct made *made = &cut->signatures;
	bool emits = in->flags & DESC_EMIT;
	struct desc run = {
		.kind = DESC_RUN,
		.flags = (uint8_t)((in->flags & (DESC_SCAN | DESC_EMIT)) |
				   DESC_OUTLINE),
		.file_idx = in->file_idx,
		.slab_idx = in->slab_idx,
		.slab_off = made->off,
		.line_first = 1,
	};

	if (cut->maker.outliner == NULL)
		return;
	run.bytes = *made->bytes;
	if (cut->maker.numbers && made->is_text)
		run.line_first =
			lang_line_at(&cut->maker.line, cut->text.bytes,
				     made->off - cut->work->state->cut_from);
	else if (cut->maker.numbers)
		run.flags |= DESC_NUMBERED;
	if (!emits) {
		cut->work->state->outline_lines += (uint32_t)lang_newlines(
			desc_content(cut->work->slabs, &run), run.bytes);
		if (run.bytes > 0)
			chunk_emit(cut->work, &run);
		return;
	}
	if (!cut->text.at_end)
		run.flags |= DESC_MORE;
	if (!cut->work->rules->job->takes_all)
		emit_some(cut, &run, planned_lines(cut));
	else if (run.bytes > 0 || cut->text.at_end)
		chunk_emit(cut->work, &run);
}

void
chunk_derive_tell(struct cut *cut, struct desc_file *file)
{
	const struct chunk_state *state = cut->work->state;
	const struct made *made = &cut->stripped;

	if (state->is_stripped)
		file->traits |= MARKUP_IS_STRIPPED;
	if (cut->in->flags & DESC_OUTLINE) {
		made = &cut->signatures;
		file->flags |= DESC_OUTLINE;
		if (cut->maker.numbers && !made->is_text)
			file->flags |= DESC_NUMBERED;
	}
	file->is_made = 1;
	file->made_off = made->off;
	file->made_bytes = *made->bytes;
}
