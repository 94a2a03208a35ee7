/* SPDX-License-Identifier: MIT */
/*
 * preamble.c - what an output is, in a few lines.
 */
#include "markup/preamble.h"

#include "base/number_format.h"

/* " (git commit 1a2b3c4d)" */
static void
add_commit(struct markup_text *text, const struct preamble_facts *facts)
{
	char hex[2 * PREAMBLE_COMMIT_BYTES + 1];

	if (facts->commit == NULL)
		return;
	markup_add_string(text, " (git commit ");
	markup_add_string(
		text, figure_hex(hex, facts->commit, PREAMBLE_COMMIT_BYTES));
	if (facts->is_dirty)
		markup_add_string(text, ", with local changes");
	markup_add_string(text, ")");
}

/* How many files, and how many are not there. */
static void
add_files(struct markup_text *text, const struct preamble_facts *facts)
{
	uint64_t left = facts->file_nr - facts->packed_nr;

	markup_add_format(text, ": %ju file%s", facts->packed_nr,
			  facts->packed_nr == 1 ? "" : "s");
	if (facts->part_nr > 0)
		markup_add_format(text, ", %ju in part", facts->part_nr);
	if (facts->sign_nr > 0)
		markup_add_format(text, ", %ju by signatures", facts->sign_nr);
	if (left > 0)
		markup_add_format(text, "; %ju %s left out", left,
				  left == 1 ? "is" : "are");
}

/* What marks files, gaps and signatures, as far as there may be any. */
static void
add_marks(struct markup_text *text, const struct preamble_facts *facts)
{
	const struct markup_format *format = markup_table[facts->kind];

	if (format->says_file == NULL)
		return;
	markup_add_string(text, format->says_file);
	if (!facts->is_whole) {
		markup_add_string(text, "; ");
		markup_add_string(text, format->says_gap);
	}
	if (facts->signatures) {
		markup_add_string(text, "; ");
		markup_add_string(text, facts->short_headers
						? format->says_short
						: format->says_signatures);
	}
	if (facts->has_copies)
		markup_add_string(text, "; `also` names files of the same text "
					"that are left out");
	markup_add_string(text, ".\n");
}

static void
add_dirs(struct markup_text *text, const struct preamble_dir *dirs)
{
	for (unsigned i = 0; i < PREAMBLE_DIRS && dirs[i].tokens > 0; i++) {
		markup_add_string(text, i == 0 ? "Most text is below " : ", ");
		markup_add_string(text, dirs[i].name);
		markup_add_format(text, i == 0 ? " (about %s tokens)" : " (%s)",
				  BRIEF_TEXT(dirs[i].tokens));
	}
	if (dirs[0].tokens > 0)
		markup_add_string(text, ".\n");
}

size_t
preamble_text(char *to, const struct preamble_facts *facts)
{
	struct markup_text text = { .at = to, .room = PREAMBLE_TEXT_BYTES };

	markup_add_format(&text, PREAMBLE_BEGINS "%s a source tree",
			  !facts->is_whole     ? "a selection from"
			  : facts->is_filtered ? "the chosen files of"
					       : "all of");
	add_commit(&text, facts);
	if (facts->has_counts)
		add_files(&text, facts);
	markup_add_string(&text, ".\n");
	add_marks(&text, facts);
	if (!facts->is_whole)
		add_dirs(&text, facts->dirs);
	ASSERT(!text.short_of_room);
	return (size_t)(text.at - to);
}
