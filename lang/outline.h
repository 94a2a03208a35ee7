/* SPDX-License-Identifier: MIT */
/*
 * outline.h - shortens a text: only its signatures, or no comments.
 *
 * Does: passes the pieces of the text that stay to a function, in order, while
 *       the scanner reads it.
 * Does not: hold text; pieces lie in the source.
 * Invariants:
 * 1. The state kept from part to part (struct lang_outliner, struct
 *    lang_comments) is plain data of a fixed size.
 */
#ifndef LANG_OUTLINE_H
#define LANG_OUTLINE_H

#include "lang/scan.h"
#include "lang/text.h"

#define OUTLINE_FIRST_LINES 20   /* lines kept of a text without structure */
#define OUTLINE_FIRST_BYTES 8192 /* at most, whatever its lines */
#define LANG_COMMENTS 768        /* known at once; further ones stay */

/* Receives one piece; the next one follows without anything between. */
typedef void
lang_write_fn(void *context, const uint8_t *text, size_t bytes);

#define OUTLINE_IMPORTS_BYTES 8192 /* of what is imported, of a part at most */
#define OUTLINE_LINE_BYTES (2 * OUTLINE_IMPORTS_BYTES + 64) /* of both lines */
#define OUTLINE_BRIEF_BYTES 60      /* of its line, if it is to be brief */
#define OUTLINE_MEMBER_BYTES 100    /* a longer one is without its value */
#define OUTLINE_TYPE_BYTES 512      /* of a member without its value at most */
#define OUTLINE_MEMBERS_BYTES 16384 /* of members in a row, and a mark */
#define OUTLINE_ARGUMENT_BYTES 48   /* longer arguments of an attribute go */
#define OUTLINE_SIGNATURES \
	8192              /* of a part; of more the first lines are taken */
#define OUTLINE_SPANS 400 /* likewise */

#define OUTLINE_LEVELS 16 /* of what is deeper the last one holds */

/* What a definition is indented by. */
struct lang_outline_level {
	uint8_t blanks; /* in the text */
	uint8_t level;  /* in its signature */
};

/* The state of the outline of a file. */
struct lang_outliner {
	uint64_t written;
	uint32_t function_depth;  /* 1 + depth of the function around; 0 */
	uint32_t import_bytes;    /* kept of the current part, NUL between */
	uint32_t import_left;     /* for which there was no room */
	uint32_t listed_left;     /* likewise, of names that are exported */
	uint32_t import_line;     /* of the first that is imported, if any is */
	uint32_t listed_line;     /* likewise, that is exported */
	uint32_t outer_is_public; /* 1: what is current is part of the API */
	uint32_t public_lines;    /* of the signatures of what is */
	uint64_t members_from;    /* `written` before the members in a row */
	uint64_t member_off;      /* where the last member ended; of settings:
				     what is before it is written */
	uint32_t line_is_open;    /* 1: the next member may stand on its line */
	uint32_t members_are_cut; /* 1: the mark is written */
	/* of the definitions around, by their depth */
	struct lang_outline_level levels[OUTLINE_LEVELS];
};

/* Where each signature of a part begins, to take only some of them. */
struct lang_signatures {
	uint64_t base;   /* bytes that were written before the part */
	uint32_t before; /* bytes that stand before all of them */
	uint32_t
		nr; /* may be more than OUTLINE_SIGNATURES: not all are known */
	struct {
		uint32_t off;  /* from the first one */
		uint32_t line; /* that it begins in */
		bool is_public;
		bool has_body; /* what follows is part of it */
	} list[OUTLINE_SIGNATURES];
};

/* A run of signatures that are taken, and those after it that are not. */
struct lang_outline_span {
	uint32_t taken_bytes;
	uint32_t left_bytes;
};

/* Comments that the scanner has found and that no chunk has used yet. */
struct lang_comments {
	uint64_t base_off; /* what the spans count from, in the file */
	uint64_t kept_off; /* those that begin before it stay */
	uint32_t nr;
	uint32_t pad;
	struct {
		uint32_t from;
		uint32_t end;
	} spans[LANG_COMMENTS];
};

/* Derives texts from the scanner's reports, during one call of it. */
struct lang_maker {
	struct lang_outliner *outliner; /* NULL: no signatures */
	struct lang_comments *comments; /* NULL: they are not left out */
	const struct lang_text *text;
	lang_write_fn *write; /* of signatures */
	void *context;
	uint8_t *imports_end; /* what is imported lies before it */
	struct lang_signatures *signatures; /* NULL: all are taken */
	uint32_t lang;
	bool doc;      /* with the first line of words of the comment before */
	bool is_brief; /* the line of imports is cut short */
	bool is_header;
	bool is_public;         /* what is being written */
	bool numbers;           /* lines begin with their numbers */
	struct lang_place line; /* the last one whose number was needed */
	size_t place;  /* in the text, of what is being written: of a line
			 * made of several, of the first */
	bool in_line;  /* 1: the next byte written goes on with a line */
	size_t blanks; /* before what is being written, in the text; */
	size_t level;  /* and here */
};

/* Where an offset of the file lies in the text; what is gone: its start. */
static inline size_t
lang_text_place(const struct lang_text *text, uint64_t off)
{
	if (off <= text->off)
		return 0;
	return (size_t)min_u64(off - text->off, text->nr);
}

/* Functions of a struct lang_sink whose context is a struct lang_maker. */
void
lang_maker_open(void *maker, const struct lang_def *def);
void
lang_maker_def(void *maker, const struct lang_def *def);
void
lang_maker_member(void *maker, const struct lang_def *def);
void
lang_maker_import(void *maker, uint64_t off, uint32_t bytes);
void
lang_maker_listed(void *maker, uint64_t off, uint32_t bytes);

/* What an import, or a name that is exported, takes of the room before
 * imports_end. */
static inline uint32_t
lang_maker_import_room(uint32_t bytes)
{
	return (uint32_t)min_u64(bytes, OUTLINE_IMPORTS_BYTES) + 2;
}

/* The sink's function for comments. */
void
lang_maker_comment(void *maker, uint64_t off, uint64_t end_off);

/*
 * shape:  writes the rest at the end of a part of a text, or of all of it: a
 *         text that began with no signature in its first part is written as its
 *         first lines, and settings are written as they are
 */
void
lang_maker_end(struct lang_maker *maker);

/*
 * shape:  writes the lines "imports: a, b" and "exports: a, b" of the part,
 *         which belong before its signatures, and empties the lists
 * units:  returns the bytes written to `line`, 0 if nothing is imported
 */
size_t
lang_maker_imports(struct lang_maker *maker,
		   uint8_t line[static OUTLINE_LINE_BYTES]);

/* Whether names are listed that the part exports. */
bool
lang_maker_has_listed(const struct lang_maker *maker);

/*
 * shape:  the end of a signature that begins at `from` and ends before `end` at
 *         the latest: before a body on the same line, before the `=` of a
 *         function
 */
size_t
lang_signature_end(uint32_t lang, uint8_t kind, const uint8_t *text,
		   size_t from, size_t end);

/*
 * shape:  the end of a signature that ends at `end` as such, with the body if that
 *         is short and says what others need: { get; set; } of C#, what a concept
 *         of C++ requires
 */
size_t
lang_signature_with_body(const struct lang_maker *maker,
			 const struct lang_def *def, size_t end);

/*
 * shape:  the end of what stands behind the members of a definition and is part
 *         of it: } name; of C, } & B; of TypeScript; 0: nothing is
 */
size_t
lang_declarator_end(const struct lang_maker *maker, const struct lang_def *def);

/* Lines for which there is room, less those that were taken. */
struct lang_outline_room {
	uint32_t public_lines;
	uint32_t other_lines;
};

/*
 * shape:  chooses the signatures of a part: in the order of the file, public
 *         ones as far as there is room for them, others likewise. Only the last
 *         one is cut
 * units:  returns the number of spans of the text; 0: unknown, and room is
 *         unchanged
 */
size_t
lang_outline_pick(const struct lang_signatures *signatures, const uint8_t *text,
		  size_t bytes, struct lang_outline_room *room,
		  struct lang_outline_span spans[static OUTLINE_SPANS]);

/* Bytes that are taken, then bytes that are not; false: too many spans. */
bool
lang_outline_add_span(struct lang_outline_span *spans, size_t *nr, size_t taken,
		      size_t left);

/*
 * shape:  writes [from, end) of a text without its comments; lines that held
 *         nothing else go with their newlines. What is written ends with a
 *         newline if what it is made of does.
 * units:  returns the bytes written, no more than end - from
 * owner:  maker->comments as told by a scan that has gone to `end` at least,
 *         which may stand within a comment
 */
size_t
lang_strip_span(const struct lang_maker *maker, const struct lang_scan *scan,
		uint64_t from, uint64_t end, uint8_t *out);

/* Drops the comments that end before this offset. */
void
lang_comments_forget(struct lang_comments *comments, uint64_t off);

/* The text up to this offset is given as it is: a comment that has begun in it
 * stays as a whole. */
void
lang_comments_keep(struct lang_comments *comments, uint64_t off);

#endif
