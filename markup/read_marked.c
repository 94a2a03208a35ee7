/* SPDX-License-Identifier: MIT */
/*
 * read_marked.c - Markdown and plain text read back.
 *
 * A content ends at the first line that is its opening mark again; a gap mark
 * has just the dots that its header says, three if it says nothing. No
 * content can hold either. Signatures have a short header where the preamble
 * stands in front of them: only bale's own lines and headers follow it.
 */
#include <string.h>

#include "markup/preamble.h"
#include "markup/reader.h"

/* What of a section its content is read by. */
struct marked {
	char mark;
	size_t mark_nr;
	uint64_t dots;
	bool no_newline;
};

static size_t
line_bytes(const struct markup_reader *reader)
{
	const uint8_t *at = reader->at;

	while (at < reader->end && *at != '\n')
		at++;
	return (size_t)(at - reader->at);
}

static size_t
count_marks(struct markup_reader *reader, char mark)
{
	const uint8_t *from = reader->at;

	while (reader->at < reader->end && *reader->at == (uint8_t)mark)
		reader->at++;
	return (size_t)(reader->at - from);
}

/* A name that has no quotes ends before " (", which it cannot hold, or with the
 * line. */
static bool
take_name(struct markup_reader *reader, uint8_t *path, size_t *path_bytes,
	  const char *after)
{
	size_t nr = line_bytes(reader);
	const uint8_t *found;

	*path_bytes = 0;
	if (reader->at < reader->end && *reader->at == '"')
		return markup_take_quoted(reader, path, path_bytes);
	if (reader->at + nr < reader->end)
		nr++; /* the newline */
	found = memmem(reader->at, nr, after, strlen(after));
	if (found == NULL || !markup_path_add(path, path_bytes, reader->at,
					      (size_t)(found - reader->at)))
		return false;
	reader->at = found;
	return true;
}

/* The last ")" of the line ends a name that may hold some. */
static bool
take_same(struct markup_reader *reader)
{
	struct markup_file *file = &reader->file;
	size_t nr = line_bytes(reader);

	if (nr > 0 && *reader->at == '"')
		return take_name(reader, reader->same_as, &file->same_as_bytes,
				 ")") &&
		       markup_take(reader, ")\n");
	if (nr < 2 || reader->at[nr - 1] != ')' ||
	    !markup_path_add(reader->same_as, &file->same_as_bytes, reader->at,
			     nr - 1))
		return false;
	reader->at += nr;
	return markup_take(reader, "\n");
}

static bool
take_charset(struct markup_reader *reader)
{
	char *charset = reader->file.charset;
	size_t nr = 0;

	while (reader->at < reader->end && *reader->at != ',' &&
	       *reader->at != ')' && *reader->at != '\n') {
		if (nr + 1 == sizeof(reader->file.charset))
			return false;
		charset[nr++] = (char)*reader->at++;
	}
	charset[nr] = '\0';
	return nr > 0;
}

static bool
take_traits(struct markup_reader *reader)
{
	for (unsigned bit = 0; markup_trait_name(bit) != NULL; bit++) {
		if (!markup_take(reader, markup_trait_name(bit)))
			continue;
		if (!markup_take(reader, " characters"))
			return false;
		if (markup_take(reader, " escaped") ||
		    markup_take(reader, " removed"))
			reader->file.is_changed = true;
		return true;
	}
	return false;
}

static bool
take_signatures(struct markup_reader *reader)
{
	uint64_t bytes;

	if (!markup_take_number(reader, &bytes) ||
	    !markup_take(reader, " bytes"))
		return false;
	reader->file.is_signatures = true;
	return true;
}

/* Names of files that are not there: to the end of the line. */
static bool
take_copies(struct markup_reader *reader)
{
	size_t nr = line_bytes(reader);

	if (nr < 2 || reader->at[nr - 1] != ')')
		return false;
	reader->at += nr - 1;
	return true;
}

/* One of the facts that follow the lines. */
static bool
take_fact(struct markup_reader *reader, struct marked *marked)
{
	struct markup_file *file = &reader->file;

	if (markup_take(reader, "from "))
		return take_charset(reader);
	if (markup_take(reader, "signatures of ")) /* as it was before */
		return take_signatures(reader);
	if (markup_take(reader, "hash "))
		return markup_take_hash(reader);
	if (markup_take(reader, "also "))
		return take_copies(reader);
	/* of signatures; they are not unpacked, in part or not */
	if (markup_take(reader, "in part") || markup_take(reader, "all"))
		return true;
	if (markup_take(reader, "without comments"))
		file->is_stripped = true;
	else if (markup_take(reader, "numbered"))
		reader->numbered = true;
	else if (markup_take(reader, "gap mark "))
		for (marked->dots = 0; markup_take(reader, ".");)
			marked->dots++;
	else if (markup_take(reader, "continued within a line"))
		file->continued = MARKUP_CONTINUED_MID;
	else if (markup_take(reader, "continued"))
		file->continued = MARKUP_CONTINUED;
	else if (markup_take(reader, "goes on"))
		file->goes_on = true;
	else if (markup_take(reader, "no newline at end"))
		marked->no_newline = true;
	else
		return take_traits(reader);
	return true;
}

static void
set_signatures(struct markup_file *file)
{
	file->is_signatures = true;
	file->line_first = 1;
	file->line_last = 1;
}

/* "lines 1-50", or "signatures", which said " of 50 lines" before. */
static bool
take_lines(struct markup_reader *reader)
{
	struct markup_file *file = &reader->file;

	if (!markup_take(reader, "signatures"))
		return markup_take(reader, "lines ") &&
		       markup_take_range(reader, &file->line_first,
					 &file->line_last);
	set_signatures(file);
	if (!markup_take(reader, " of "))
		return true;
	return markup_take_number(reader, &file->line_last) &&
	       markup_take(reader, " lines");
}

/* "lines 1-50 of 120, from UTF-16LE)" and so on. */
static bool
take_about(struct markup_reader *reader, struct marked *marked)
{
	struct markup_file *file = &reader->file;

	if (!take_lines(reader))
		return false;
	file->has_line_nr = markup_take(reader, " of ");
	if (file->has_line_nr && !markup_take_number(reader, &file->line_nr))
		return false;
	while (markup_take(reader, ", "))
		if (!take_fact(reader, marked))
			return false;
	return markup_take(reader, ")\n");
}

/* The lines that a gap mark names; both 0: it does not say. */
struct gap {
	uint64_t first;
	uint64_t last;
};

/* 1: it is one, and has been taken; 0: it is none; -errno */
static int
take_gap(struct markup_reader *reader, const struct marked *marked,
	 struct gap *gap)
{
	const uint8_t *from = reader->at;
	uint64_t dots = 0;

	*gap = (struct gap){ 0, 0 };
	if (!markup_take(reader, "// "))
		return 0;
	while (markup_take(reader, "."))
		dots++;
	if (dots == marked->dots && markup_take(reader, " (")) {
		bool good;

		if (markup_take(reader, "lines "))
			good = markup_take_range(reader, &gap->first,
						 &gap->last) &&
			       markup_take(reader, ")\n");
		else
			good = markup_take(reader, "the rest is left out: ");
		if (!good)
			return markup_fail(reader, "a gap mark of no kind");
		if (reader->at[-1] != '\n') {
			reader->at += line_bytes(reader);
			markup_take(reader, "\n");
		}
		return 1;
	}
	reader->at = from;
	return 0;
}

static bool
is_closing(const struct markup_reader *reader, const struct marked *marked,
	   size_t nr)
{
	if (nr != marked->mark_nr)
		return false;
	for (size_t i = 0; i < nr; i++)
		if (reader->at[i] != (uint8_t)marked->mark)
			return false;
	return true;
}

/* Lines of content up to a mark of ours or the closing one, then that. */
static int
take_content(struct markup_reader *reader, const struct marked *marked)
{
	const uint8_t *from = reader->at;

	while (reader->at < reader->end) {
		const uint8_t *line = reader->at;
		size_t nr = line_bytes(reader);
		bool closes = is_closing(reader, marked, nr);
		int result = 0;
		struct gap gap = { 0, 0 };
		int found = closes ? 0 : take_gap(reader, marked, &gap);

		if (found < 0)
			return found;
		if (!closes && found == 0) {
			reader->at += nr;
			if (!markup_take(reader, "\n"))
				break;
			continue;
		}
		/* the newline before the end is not the file's */
		if (closes && marked->no_newline && line > from)
			result = markup_emit_text(reader, from,
						  (size_t)(line - from) - 1);
		else
			result = markup_emit_text(reader, from,
						  (size_t)(line - from));
		if (result == 0 && found > 0)
			result = markup_emit_gap(reader, gap.first, gap.last);
		if (result != 0)
			return result;
		if (closes) {
			reader->at += nr;
			return markup_take(reader, "\n\n")
				       ? 0
				       : markup_fail(reader, "no blank line");
		}
		from = reader->at;
	}
	return markup_fail(reader, "the end of a file's content is missing");
}

/* "### src/a.c", or "### src/a.c (signatures, all)" */
static bool
take_short_header(struct markup_reader *reader, struct marked *marked)
{
	struct markup_file *file = &reader->file;
	const char *after =
		memmem(reader->at, line_bytes(reader), " (", 2) ? " (" : "\n";

	if (!markup_take(reader, "### ") ||
	    !take_name(reader, reader->path, &file->path_bytes, after))
		return false;
	if (markup_take(reader, " ("))
		return take_about(reader, marked) && file->is_signatures;
	set_signatures(file);
	return markup_take(reader, "\n");
}

/* "## File: src/a.c (lines 1-50)", or what it says in place of lines. */
static bool
take_header(struct markup_reader *reader, struct marked *marked,
	    enum markup_kind kind)
{
	struct markup_file *file = &reader->file;

	marked->mark_nr = count_marks(reader, kind == MARKUP_PLAIN ? '=' : '#');
	if (!markup_take(reader, " File: ") ||
	    !take_name(reader, reader->path, &file->path_bytes, " (") ||
	    !markup_take(reader, " ("))
		return false;
	file->empty = markup_take(reader, "empty)\n");
	if (file->empty)
		return true;
	return markup_take(reader, "same as ") ? take_same(reader)
					       : take_about(reader, marked);
}

/* A header, and its content if there is any. */
static int
take_section(struct markup_reader *reader, enum markup_kind kind)
{
	struct marked marked = {
		.mark = kind == MARKUP_PLAIN ? '=' : '`',
		.dots = 3,
	};
	struct markup_file *file = &reader->file;
	bool is_short = markup_begins_signatures(kind, (const char *)reader->at,
						 line_bytes(reader));
	int result;

	markup_begin_file(reader);
	if (!(is_short ? take_short_header(reader, &marked)
		       : take_header(reader, &marked, kind)))
		return markup_fail(reader, "a header of no kind");
	result = markup_emit_file(reader);
	if (result != 0)
		return result;
	if (file->empty || file->same_as_bytes > 0)
		return markup_take(reader, "\n")
			       ? markup_emit_end(reader)
			       : markup_fail(reader, "no blank line");
	if (kind == MARKUP_MARKDOWN) {
		marked.mark_nr = count_marks(reader, '`');
		reader->at += line_bytes(reader); /* the language */
		if (marked.mark_nr < 3 || !markup_take(reader, "\n"))
			return markup_fail(reader, "no fence");
	}
	result = take_content(reader, &marked);
	return result == 0 ? markup_emit_end(reader) : result;
}

/* What may stand behind the files. */
static bool
begins_extra(const struct markup_reader *reader)
{
	size_t nr = line_bytes(reader);

	static const char *const titles[] = { " Directory tree", " Git log",
					      " Git diff", " Instructions" };

	for (size_t i = 0; i < ARRAY_LEN(titles); i++)
		if (memmem(reader->at, nr, titles[i], strlen(titles[i])))
			return true;
	return false;
}

/* "## End of files: 12" */
static int
take_end(struct markup_reader *reader, enum markup_kind kind)
{
	uint64_t nr;

	count_marks(reader, kind == MARKUP_PLAIN ? '=' : '#');
	if (!markup_take(reader, MARKUP_END_WORD) ||
	    !markup_take_number(reader, &nr) || !markup_take(reader, "\n\n"))
		return markup_fail(reader, "no header");
	return markup_take_end(reader, nr);
}

int
markup_part_marked(struct markup_reader *reader)
{
	uint64_t number = 0;
	uint64_t nr = 0;

	if (!markup_begins_part((const char *)reader->at, line_bytes(reader)))
		return 0;
	markup_take(reader, "Part ");
	if (!markup_take_number(reader, &number) ||
	    !markup_take(reader, " of ") || !markup_take_number(reader, &nr))
		return markup_fail(reader, "an impossible part number");
	return markup_set_part(reader, number, nr);
}

/* What stands between files and behind them: 0 and *ends, or -EBADMSG. */
static int
take_other(struct markup_reader *reader, enum markup_kind kind, bool *ends)
{
	*ends = begins_extra(reader);
	return *ends ? 0 : take_end(reader, kind);
}

int
markup_read_marked(struct markup_reader *reader, enum markup_kind kind)
{
	bool has_preamble = false;
	bool begun = false;
	bool ends = false;
	int result = 0;

	while (result == 0 && !ends && reader->at < reader->end) {
		const char *line = (const char *)reader->at;
		size_t nr = line_bytes(reader);

		has_preamble |= !begun && markup_begins_preamble(line, nr);
		if (!reader->has_end &&
		    (markup_begins_file(kind, line, nr) ||
		     (has_preamble &&
		      markup_begins_signatures(kind, line, nr)))) {
			begun = true;
			result = take_section(reader, kind);
		} else if (begun) {
			result = take_other(reader, kind, &ends);
		} else {
			/* what stands before the files */
			reader->at += nr;
			markup_take(reader, "\n");
		}
	}
	return result;
}
