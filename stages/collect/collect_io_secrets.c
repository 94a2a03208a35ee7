/* SPDX-License-Identifier: MIT */
/*
 * collect_io_secrets.c - secrets in what is read of a file as it is.
 *
 * Does: notes which there are; says whether the file has to be read again,
 *       without them.
 * Does not: replace any (collect_io_part.c); keep what they are.
 * Invariants:
 * 1. The same secrets are found in whatever parts a file comes.
 */
#include <stdlib.h>
#include <string.h>

#include "catalogue/findings.h"
#include "lang/text.h"
#include "stages/collect/collect_io_secrets.h"

int
collect_secrets_reserve(struct collect_files *files)
{
	if (files->secrets == NULL)
		return 0;
	files->finding_most =
		min_u64(files->finding_nr + FINDINGS_STEP_MAX, FINDINGS_MAX);
	return table_reserve(&files->catalogue->findings,
			     files->finding_most * sizeof(struct finding));
}

static uint8_t
action_of(const struct collect_files *files, uint16_t rule)
{
	if (secrets_rule_warns(rule) || files->secrets_mode == SECRETS_WARN)
		return FINDING_WARNED;
	return files->secrets_mode == SECRETS_EXCLUDE ? FINDING_EXCLUDED
						      : FINDING_REDACTED;
}

/* The key that was noted last has more lines. */
static void
go_on(struct collect_files *files, uint32_t file_idx, uint32_t digest)
{
	struct finding *last;

	if (files->finding_nr == 0)
		return;
	last = catalogue_finding(files->catalogue, files->finding_nr - 1);
	if (last->file_idx == file_idx)
		last->digest = digest;
}

void
collect_secrets_note(struct collect_files *files, uint32_t file_idx,
		     const struct secrets_piece *piece, uint64_t line)
{
	if (piece->goes_on) {
		go_on(files, file_idx, piece->digest);
		return;
	}
	if (files->finding_nr >= files->finding_most) {
		files->findings_left_out++;
		return;
	}
	*catalogue_finding(files->catalogue, files->finding_nr++) =
		(struct finding){
			.file_idx = file_idx,
			.line = (uint32_t)min_u64(line, UINT32_MAX),
			.digest = piece->digest,
			.rule = piece->rule,
			.action = action_of(files, piece->rule),
		};
}

int
collect_secrets_clean(struct collect_files *files, uint32_t what,
		      struct git_text *text)
{
	const struct secrets_text whole = { (const uint8_t *)text->at, text->nr,
					    true };
	struct secrets_redactor redactor = {
		.tells_only = files->secrets_mode == SECRETS_WARN,
	};
	struct git_text clean = { 0 };
	struct secrets_piece piece;
	uint64_t line = 1;
	int error = 0;

	if (files->secrets == NULL || text->nr == 0)
		return 0;
	while (error == 0 &&
	       secrets_redact_next(&redactor, files->secrets, &whole, &piece) ==
		       SECRETS_FOUND) {
		if (piece.is_found || piece.goes_on)
			collect_secrets_note(files, what, &piece, line);
		line += lang_newlines(piece.at, piece.nr);
		error = git_text_add(&clean, piece.at, piece.nr);
	}
	if (error != 0) {
		free(clean.at);
		return error;
	}
	free(text->at);
	*text = clean;
	return 0;
}

/* A part in work. */
struct part_search {
	struct collect_files *files;
	struct collect_large *large;
	struct collect_part *part;
	bool notes; /* nothing is known of the part yet */
};

/* One that is found: whether no more of them matter. */
static bool
take(struct part_search *search, const struct secrets_piece *piece)
{
	struct collect_files *files = search->files;
	const struct collect_large *large = search->large;
	const struct collect_part *part = search->part;
	uint8_t action = action_of(files, piece->rule);
	uint64_t before = 0;

	if (piece->is_found && action == FINDING_REDACTED)
		return true;
	/* what begins before the part is on its first line */
	if (piece->at > part->text)
		before = lang_newlines(part->text,
				       (size_t)(piece->at - part->text));
	if (search->notes)
		collect_secrets_note(files, large->file - 1, piece,
				     large->line_nr + before + 1);
	return piece->is_found && action == FINDING_EXCLUDED;
}

void
collect_secrets_look_at(struct collect_files *files,
			struct collect_large *large, struct collect_part *part)
{
	uint64_t finding_nr = files->finding_nr;
	uint64_t left_out = files->findings_left_out;
	struct part_search search = { files, large, part, !large->emits };
	struct secrets_redactor redactor = {
		.tells_only = files->secrets_mode != SECRETS_REDACT,
	};
	struct secrets_text text = { .at_end = part->is_last };
	struct secrets_piece piece;
	size_t before =
		part->head_room < large->before_nr ? 0 : large->before_nr;

	part->has_secrets = false;
	if (files->secrets == NULL)
		return;
	memcpy(part->text - before, large->before, before);
	text.at = part->text - before;
	text.nr = before + part->bytes;
	redactor.at = before;
	redactor.cursor = (struct secrets_cursor){ before, before };
	while (!part->has_secrets &&
	       secrets_redact_next(&redactor, files->secrets, &text, &piece) ==
		       SECRETS_FOUND)
		part->has_secrets = (piece.is_found || piece.goes_on) &&
				    take(&search, &piece);
	/* all of it is noted when the file is read without them */
	if (part->has_secrets && files->secrets_mode == SECRETS_REDACT) {
		files->finding_nr = finding_nr;
		files->findings_left_out = left_out;
	}
	if (!part->has_secrets && redactor.at > before)
		collect_part_cut(part, text.nr - redactor.at);
}

void
collect_secrets_keep(struct collect_large *large,
		     const struct collect_part *part)
{
	size_t nr = min_size(part->bytes, sizeof(large->before));

	large->line_nr += lang_newlines(part->text, part->bytes);
	memcpy(large->before, part->text + part->bytes - nr, nr);
	large->before_nr = (uint32_t)nr;
}
