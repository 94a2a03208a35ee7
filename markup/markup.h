/* SPDX-License-Identifier: MIT */
/*
 * markup.h - how an output looks: what stands around content, and what
 * content becomes.
 *
 * Does: headers, fences, gap marks, footers of each format; the escapes of
 *       content, as a stream whose state is plain data; one table of all.
 * Does not: know processes, descriptors or files; read it back (read.h).
 * Invariants:
 * 1. Nothing in a content can end its section or pass for a mark of ours.
 * 2. The same content and state give the same bytes, however it is cut.
 *
 * Markdown, the default:
 *
 *   ## File: src/a.c (lines 1-50)
 *   ```c
 *   ...
 *   ```
 *   <blank line>
 *
 * Of signatures, behind a preamble: ### src/a.c
 *
 * docs/formats.md shows the others.
 */
#ifndef MARKUP_MARKUP_H
#define MARKUP_MARKUP_H

#include "base/base.h"
#include "base/diag.h"

enum markup_kind {
	MARKUP_MARKDOWN = 0,
	MARKUP_XML,
	MARKUP_JSON,
	MARKUP_JSONL,
	MARKUP_PLAIN,
	MARKUP_NR, /* formats that can be read back */
	MARKUP_DOCUMENTS = MARKUP_NR,
	MARKUP_TEMPLATE,
	MARKUP_KIND_NR
};

/* The treatment of control, bidirectional and zero-width characters. */
enum markup_unicode {
	MARKUP_UNICODE_MARK = 0, /* named in the header; the bytes stay */
	MARKUP_UNICODE_ESCAPE,   /* \u{202e} */
	MARKUP_UNICODE_STRIP
};

/* How content is escaped. */
enum markup_escape {
	MARKUP_ESCAPE_NONE = 0,
	MARKUP_ESCAPE_CDATA,
	MARKUP_ESCAPE_JSON,
	MARKUP_ESCAPE_HTML, /* & < > " ' */
};

/*
 * The hash of a file's text in headers: the first four bytes of its SHA-256,
 * big-endian, as at most nine decimal digits.
 */
#define MARKUP_HASH_MAX 999999999u

/* The hash in a file's header, from the SHA-256 of its content. */
static inline uint32_t
markup_hash(const uint8_t sha256[32])
{
	return load_be32(sha256) % (MARKUP_HASH_MAX + 1);
}

/* The options of the output. Read-only after the first fork. */
struct markup_options {
	enum markup_kind kind;
	enum markup_unicode unicode;
	bool preamble;      /* it says what it is, at the start */
	bool numbers;       /* a number before each line */
	bool tree;          /* the directory tree stands at the end */
	bool hashes;        /* of whole files, in their headers */
	bool short_headers; /* in Markdown, of signatures: the preamble says
			     * what these mean */
	const char *source; /* of documents; NULL: none is named */
	const char *header; /* at the start; NULL: none */
	size_t header_bytes;
	const char *instructions; /* at the end; NULL: none */
	size_t instructions_bytes;
	const struct templated *templated; /* of MARKUP_TEMPLATE */
};

/* Properties of a content that are known before it is written; bits. */
enum markup_trait {
	MARKUP_HAS_CONTROL = 1 << 0,   /* control characters */
	MARKUP_HAS_BIDI = 1 << 1,      /* that change the direction */
	MARKUP_HAS_INVISIBLE = 1 << 2, /* of no width */
	MARKUP_HAS_SPECIAL = 1 << 3, /* text that looks like a special token */
	MARKUP_IS_STRIPPED = 1 << 4  /* it is written without its comments */
};

/* Those that a header names. */
#define MARKUP_NAMED_TRAITS \
	(MARKUP_HAS_CONTROL | MARKUP_HAS_BIDI | MARKUP_HAS_INVISIBLE)

#define MARKUP_COPIES 8 /* that a header names */

struct markup_name {
	const uint8_t *bytes; /* unquoted */
	size_t nr;
};

/* Files with the text of one that is there, which are left out. */
struct markup_copies {
	struct markup_name names[MARKUP_COPIES];
	uint32_t nr;
	bool more; /* than are named */
};

/* A file's section, as described by its header. */
struct markup_section {
	const uint8_t *name; /* the path, unquoted */
	size_t name_bytes;
	const char *path;       /* the path as diag_quote() shows it */
	const char *same_path;  /* of an earlier file; NULL: has content */
	const uint8_t *same_as; /* the same, unquoted */
	size_t same_as_bytes;
	const char *charset; /* it was converted from; NULL: UTF-8 */
	const char *hint;    /* of the language; not ended by NUL */
	uint32_t hint_bytes;
	uint64_t line_first;
	uint64_t line_last;
	uint64_t line_nr;  /* of the whole file */
	uint32_t mark_run; /* the longest run of the format's mark in it */
	uint32_t dot_run;  /* of dots where a gap mark has them */
	uint8_t traits;    /* enum markup_trait */
	bool empty;        /* the file has no bytes */
	bool no_newline;   /* the last line shown has none at its end */
	bool is_first;     /* of the output, or of the part */
	bool signatures;   /* signatures instead of lines */
	bool in_part;      /* not all of the signatures */
	uint8_t continued; /* enum markup_continued */
	bool goes_on;      /* continues in the next part */
	bool is_whole;     /* all lines of the file, in this part or several */
	bool is_repaired;  /* invalid bytes became U+FFFD */
	uint32_t hash;     /* of the file's text: markup_hash() */
	uint64_t bytes;    /* of the file */
	struct markup_copies copies;
	/* in a template: of a run of lines without a gap */
	uint64_t chunk_line; /* the first one */
	uint64_t gap_first;  /* of the gap before it */
	uint64_t gap_last;   /* 0: there is none */
};

/* What an earlier part has of a file. */
enum markup_continued {
	MARKUP_STARTS = 0,   /* nothing */
	MARKUP_CONTINUED,    /* lines */
	MARKUP_CONTINUED_MID /* and the start of the first line in this part */
};

/* The number of a part of a split output. */
struct markup_part {
	uint64_t number; /* from 1 */
	uint64_t nr;
};

/*
 * What an output says of itself before its files. In Markdown and plain text no
 * line of it looks like a file's header: `text` is bale's own, and a line of
 * `directories` that begins neither with a blank nor as a name gets a blank.
 */
struct markup_preamble {
	const char *text; /* lines */
	size_t text_bytes;
	const char *directories;  /* a tree, drawn in lines */
	size_t directories_bytes; /* 0: there is none */
};

/* Text being written, in memory of the caller. */
struct markup_text {
	char *at;
	size_t room;
	bool short_of_room; /* some of it did not fit */
	bool drops_content; /* by open(): content is not to be written */
	const struct markup_options *options;   /* a template's format needs
					       * them */
	const struct markup_preamble *preamble; /* NULL: none */
	/* makes room for more; NULL: the room is fixed */
	void (*spill)(struct markup_text *text);
};

/* The sections besides files, most of them at the end of an output. */
enum markup_extra {
	MARKUP_TREE = 0,
	MARKUP_GIT_LOG,
	MARKUP_GIT_DIFF,
	MARKUP_INSTRUCTIONS,
	MARKUP_DIRECTORIES, /* of the preamble */
	MARKUP_EXTRA_NR
};

/*
 * The state of a content being escaped: what the bytes so far make of the
 * next. Plain data. All zeros, except the line, at the start of a content.
 */
struct markup_flow {
	uint64_t line;      /* the line that begins next */
	uint8_t mid_line;   /* 1: not at the start of one */
	uint8_t bracket_nr; /* closing ones just written, 2 at most */
	uint8_t held_nr;    /* bytes of an incomplete character */
	uint8_t held[3];
	uint8_t pad[2];
};

/* How content is escaped: made once, then read-only. */
struct markup_rules {
	enum markup_escape escape;
	enum markup_unicode unicode;
	bool numbers;
	uint8_t stops[256]; /* not 0: the byte is examined */
};

/* A line of the table of formats. */
struct markup_format {
	const char *name;
	enum markup_escape escape;
	char mark;          /* whose longest run in content matters */
	bool places_extras; /* writes instructions where they belong */
	/* how a preamble explains it: what a file begins with, what stands for
	 * lines that are left out, and for definitions; NULL: it does not */
	const char *says_file;
	const char *says_gap;
	const char *says_signatures;
	const char *says_short; /* in place of it, with short_headers */

	/* before the first section; part: NULL: not split */
	void (*begin)(struct markup_text *, const struct markup_options *,
		      const struct markup_part *part);
	/* after the last of so many sections, before extras */
	void (*files_end)(struct markup_text *, const struct markup_options *,
			  uint64_t section_nr);
	/* after all; NULL: `ends` is what stands there */
	void (*end)(struct markup_text *);
	/* the header, and what opens the content if there is any */
	void (*open)(struct markup_text *, const struct markup_options *,
		     const struct markup_section *);
	/* half_line: the last line has no newline of its own; NULL: `closes` is
	 * all that stands behind content */
	void (*close)(struct markup_text *, const struct markup_section *,
		      bool half_line);
	/* instead of lines that are left out */
	void (*gap)(struct markup_text *, const struct markup_section *,
		    uint64_t line_first, uint64_t line_last);
	/* where the rest of a file is not available */
	void (*broken)(struct markup_text *, const struct markup_section *,
		       const char *reason);
	/* around an extra's text, which is escaped like content; fence: the
	 * longest run of the mark in it; NULL: extra_opens and extra_closes are
	 * what stands there, of printf(3), for the extra's name */
	void (*extra_open)(struct markup_text *, enum markup_extra,
			   uint32_t mark_run);
	void (*extra_close)(struct markup_text *, enum markup_extra,
			    uint32_t mark_run);

	const char *ends;
	const char *closes;
	const char *const *extra_names; /* NULL: nothing stands around them */
	const char *extra_opens;
	const char *extra_closes;
};

/* ---- formats.c ---- */

extern const struct markup_format *const markup_table[MARKUP_KIND_NR];

/* The rules that these options make. */
void
markup_rules_init(struct markup_rules *rules,
		  const struct markup_options *options);

/* Whether content is written unchanged. */
bool
markup_is_identity(const struct markup_options *options);

/* The rules for an extra's text: no numbers, no bytes changed or left out. */
void
markup_rules_init_extra(struct markup_rules *rules,
			const struct markup_options *options);

/* ---- escape.c ---- */

/* The rules of an escape, for content in a character set and with numbers. */
void
markup_rules_set(struct markup_rules *rules, enum markup_escape escape,
		 enum markup_unicode unicode, bool numbers);

/* The rules that only escape: no numbers, no bytes changed or left out. */
void
markup_rules_of_escape(struct markup_rules *rules, enum markup_escape escape);

/* The most bytes that one byte and those held before it can become. */
#define MARKUP_STEP_BYTES 192

/* A flow at the start of a line, with nothing held. */
static inline struct markup_flow
markup_flow_at(uint64_t line)
{
	return (struct markup_flow){ .line = line };
}

/* Whether the flow's state equals that at the start of this line. */
static inline bool
markup_flow_is_fresh(const struct markup_rules *rules,
		     const struct markup_flow *flow, uint64_t line)
{
	return flow->bracket_nr == 0 && flow->held_nr == 0 &&
	       (!rules->numbers || (!flow->mid_line && flow->line == line));
}

/* Content that has not been escaped yet. */
struct markup_rest {
	const uint8_t *at;
	const uint8_t *end;
};

/*
 * shape:  escapes content until it ends or there is less than
 *         MARKUP_STEP_BYTES of room; bytes written to `to`
 * owner:  rest->at moves to what was not taken
 */
size_t
markup_escape_run(const struct markup_rules *rules, struct markup_flow *flow,
		  struct markup_rest *rest, uint8_t *to, size_t room);

/* Writes the bytes still held at the end of the content; `to` as above. */
size_t
markup_escape_end(const struct markup_rules *rules, struct markup_flow *flow,
		  uint8_t *to);

/*
 * shape:  the length of the indivisible bytes of escaped content at `at`: a
 *         character, an escape, or marks between two CDATA sections; *newline:
 *         it ends a line of the content
 * calls:  to cut a content; `end` is its end, or is MARKUP_ATOM_BYTES away
 */
size_t
markup_atom(enum markup_escape escape, const uint8_t *at, const uint8_t *end,
	    bool *newline);

#define MARKUP_ATOM_BYTES 256

/* Whether a line could be the header of a file in Markdown or plain text. */
bool
markup_begins_file(enum markup_kind kind, const char *line, size_t nr);

/* Whether a line behind the preamble could be the header of signatures. */
bool
markup_begins_signatures(enum markup_kind kind, const char *line, size_t nr);

/* After the marks of the line with the number of files. */
#define MARKUP_END_WORD " End of files: "

/* Whether a first line claims to name the part of an output, valid or not. */
bool
markup_begins_part(const char *line, size_t nr);

/* ---- for the formats ---- */

/* Adds bytes, a string. */
void
markup_add(struct markup_text *text, const void *bytes, size_t nr);
void
markup_add_string(struct markup_text *text, const char *string);

#define MARKUP_FORMAT_BYTES 256

/* The same as printf(3), for short texts of bale's own. */
void
markup_add_format(struct markup_text *text, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* A run of a character; it may exceed any room: contents are hostile. */
void
markup_add_run(struct markup_text *text, char c, uint64_t nr);

/* A name in quotes that holds " (" could be taken for the rest of a header. */
void
markup_add_path(struct markup_text *text, const char *path);

/* What a format has behind content, and behind all. */
void
markup_close(struct markup_text *text, const struct markup_format *format,
	     const struct markup_section *section, bool half_line);
void
markup_end(struct markup_text *text, const struct markup_format *format);

/* What it has around an extra's text; mark_run: as extra_open(). */
void
markup_extra_open(struct markup_text *text, const struct markup_format *format,
		  enum markup_extra extra, uint32_t mark_run);
void
markup_extra_close(struct markup_text *text, const struct markup_format *format,
		   enum markup_extra extra, uint32_t mark_run);

/* The names of extras as members of JSON. */
extern const char *const markup_extra_members[MARKUP_EXTRA_NR];

/* "// ... (lines 5-6)" and its like, with more dots than the content has. */
void
markup_add_gap(struct markup_text *text, const struct markup_section *section,
	       uint64_t line_first, uint64_t line_last);

/* A note that the rest of a section is left out, and why. */
void
markup_add_broken(struct markup_text *text,
		  const struct markup_section *section, const char *reason);

/* " (lines 1-50 of 120, from UTF-16LE)" */
void
markup_add_about(struct markup_text *text, const struct markup_options *options,
		 const struct markup_section *section);

/* Whether that says more of signatures than what they are, some of a file's. */
bool
markup_says_more(const struct markup_section *section);

/*
 * Whether the header has the file's hash: if the whole file can be restored,
 * and in its first piece only.
 */
bool
markup_has_hash(const struct markup_options *options,
		const struct markup_section *section);

/* The name of a trait ("bidi") from bit 0 on; NULL: there is none. */
const char *
markup_trait_name(unsigned bit);

/* Whether the header names copies: in a file's first piece only. */
bool
markup_has_copies(const struct markup_section *section);

#define MARKUP_COPIES_BYTES ((MARKUP_COPIES + 1) * DIAG_QUOTED_BYTES)

/* "a.c, lib/b.c and others", in `to`, which has MARKUP_COPIES_BYTES; how many
 * bytes. */
size_t
markup_copies(char *to, const struct markup_copies *copies);

/* The names of all traits, if there are any, with this around them. */
void
markup_add_traits(struct markup_text *text, uint8_t traits, const char *before,
		  const char *between, const char *behind);

/* The longest run of a character in a text. */
uint32_t
markup_longest_run(const char *text, size_t nr, char c);

/* The length of a fence around content with this longest run of marks. */
uint64_t
markup_fence(uint32_t mark_run, uint32_t least);

/*
 * shape:  bytes of text that looks like a special token, "<|name|>", as those
 *         of most vocabularies are written; 0: it does not
 */
size_t
markup_special(const uint8_t *at, const uint8_t *end);

/* A tree of directories in Markdown or plain text: a blank before each line that
 * could be taken for anything else. */
void
markup_add_directories(struct markup_text *text,
		       const struct markup_preamble *preamble);

/* A user's own text, ended by a newline. */
void
markup_add_lines(struct markup_text *text, const char *lines, size_t nr);

/* A text, escaped by a format, with nothing around it. */
void
markup_add_escaped(struct markup_text *text, const struct markup_rules *rules,
		   const void *bytes, size_t nr);

/* A JSON string with its quotes; invalid UTF-8 as \udc80-\udcff. */
void
markup_add_json(struct markup_text *text, const void *bytes, size_t nr);

/* The same without the quotes. */
void
markup_add_json_inside(struct markup_text *text, const void *bytes, size_t nr);

extern const struct markup_format markup_markdown;
extern const struct markup_format markup_xml;
extern const struct markup_format markup_json;
extern const struct markup_format markup_jsonl;
extern const struct markup_format markup_plain;
extern const struct markup_format markup_documents;
extern const struct markup_format markup_templated;

#endif
