/* SPDX-License-Identifier: MIT */
/*
 * read.h - an output read back: which files are in it, and their content.
 *
 * Does: all formats of markup.h, as they are written there; XML and JSON also
 *       as another program would write them again, JSON in any layout and
 *       order of keys.
 * Does not: trust what it reads: lengths, depths, names, and the lines that a
 *           header promises are checked, time is linear. What names mean for a
 *           file system is for the caller.
 */
#ifndef MARKUP_READ_H
#define MARKUP_READ_H

#include "markup/markup.h"

#define MARKUP_PATH_BYTES_MAX (256u << 10)
#define MARKUP_MISMATCH_BYTES 128

/* What a header says of a file. Owner: the reader, for the one call. */
struct markup_file {
	const uint8_t *path;
	size_t path_bytes;
	const uint8_t *same_as; /* the path of an earlier file */
	size_t same_as_bytes;   /* 0: it has content of its own, or is empty */
	char charset[32];       /* it was converted from; "": UTF-8 */
	uint64_t line_first;
	uint64_t line_last;
	uint64_t line_nr; /* of the whole file; line_last: not told */
	bool has_line_nr; /* it was told */
	bool empty;
	bool is_changed;    /* some characters were escaped or left out */
	bool is_signatures; /* what it defines, no more */
	uint8_t continued;  /* enum markup_continued */
	bool goes_on;       /* the rest is in the next part */
	bool is_stripped;   /* its comments were left out */
	bool has_hash;      /* of the whole text of the file, as UTF-8: */
	uint32_t hash;      /* markup_hash() */
};

/* Who is told of it; each gives 0, or an errno that ends the reading. */
struct markup_sink {
	void *context;
	int (*file)(void *context, const struct markup_file *file);
	/* NULL, from here on: it is of no interest */
	/* content, as it was, in parts */
	int (*text)(void *context, const uint8_t *text, size_t nr);
	/* something of the file is not here: lines, or its rest */
	int (*gap)(void *context);
	/* the content was not what the header promised; end() follows */
	int (*mismatch)(void *context, const char *why);
	int (*end)(void *context);
};

struct markup_error {
	uint64_t line; /* of the output, from 1 */
	const char *what;
};

/*
 * shape:  the format that an output is in
 * errors: -EBADMSG: none of them, or there is no file in it; -ENOMEM
 */
int
markup_detect(const uint8_t *bytes, size_t nr, enum markup_kind *kind);

/*
 * shape:  which part an output says it is, a number of 1 to part->nr; both are
 *         0 if it says nothing
 * errors: -EBADMSG: it is called a part that there cannot be; -ENOMEM
 */
int
markup_read_part(const uint8_t *bytes, size_t nr, struct markup_part *part);

/*
 * shape:  tells the sink of every file of a whole output, in its order
 * errors: -EBADMSG: *error says what and where; -ENOMEM; what the sink gave
 */
int
markup_read(enum markup_kind kind, const uint8_t *bytes, size_t nr,
	    const struct markup_sink *sink, struct markup_error *error);

/* ---- for the formats ---- */

struct markup_reader {
	const uint8_t *start;
	const uint8_t *at;
	const uint8_t *end;
	const struct markup_sink *sink;
	const char *what; /* went wrong */
	struct markup_file file;
	uint64_t file_nr; /* told so far */
	uint64_t end_nr;  /* that there are, as its end says */
	bool has_end;
	bool wants_end; /* a file had a hash: then there is an end */
	bool numbered;
	bool has_unknown;     /* a word of the header, that may mean anything */
	uint8_t number_state; /* enum number_state */
	uint64_t number;      /* before a line, as far as it has been read */
	/* of the content in work, as told so far */
	uint64_t line;  /* that the next byte is of */
	bool mid_line;  /* the next byte does not begin it */
	bool unchecked; /* its lines are not those of the file */
	char mismatch[MARKUP_MISMATCH_BYTES]; /* "": none so far */
	/* of JSON: the object in work */
	uint32_t keys;         /* it has had, bits of its own kind */
	const uint8_t *chunks; /* of a file, to be read last; NULL: none */
	uint64_t chunk_line;   /* that the chunk begins with */
	struct markup_part part;
	uint8_t path[MARKUP_PATH_BYTES_MAX];
	uint8_t same_as[MARKUP_PATH_BYTES_MAX];
};

/* -EBADMSG, and remembers what it was. */
int
markup_fail(struct markup_reader *reader, const char *what);

/* Takes a word if it comes next. */
bool
markup_take(struct markup_reader *reader, const char *word);

/* Blanks and line ends that come next. */
void
markup_skip_blanks(struct markup_reader *reader);

/* All digits that come next; false: there are none, or too many. */
bool
markup_take_number(struct markup_reader *reader, uint64_t *number);

/* "12-34"; false: it is not that, or not in order */
bool
markup_take_range(struct markup_reader *reader, uint64_t *first,
		  uint64_t *last);

/* The digits of a hash; false: there are none, or it is none. */
bool
markup_take_hash(struct markup_reader *reader);

/*
 * shape:  notes a key of a file or an object; false: it has had that key. One
 *         that is not among those known may mean anything
 * units:  known ends with NULL, and has 32 keys at most
 */
bool
markup_note_key(struct markup_reader *reader, const char *key,
		const char *const *known);

/* What it is enough to have said of a file; - in its name stands for _. */
void
markup_set_word(struct markup_reader *reader, const char *key);

/* A header begins: nothing has been said of its file. */
void
markup_begin_file(struct markup_reader *reader);

/* A file begins, as reader->file says. */
int
markup_emit_file(struct markup_reader *reader);

/* Content of it, with the numbers before its lines, if there are any. */
int
markup_emit_text(struct markup_reader *reader, const uint8_t *text, size_t nr);

/* Lines first to last are left out here; first 0: nobody knows which. */
int
markup_emit_gap(struct markup_reader *reader, uint64_t first, uint64_t last);

/* Something said of the content is not so; the first such thing is kept. */
void
markup_mismatch(struct markup_reader *reader, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * Tells the sink that the content ends, and what was wrong with it; what it
 * returned.
 */
int
markup_emit_end(struct markup_reader *reader);

/* The end of the files is here, and says how many there are. */
int
markup_take_end(struct markup_reader *reader, uint64_t file_nr);

/* Adds bytes to a path; false: it becomes too long. */
bool
markup_path_add(uint8_t *path, size_t *path_bytes, const uint8_t *bytes,
		size_t nr);

/* A name between quotes, as diag_quote() writes it; past the last quote. */
bool
markup_take_quoted(struct markup_reader *reader, uint8_t *path,
		   size_t *path_bytes);

/* Reads an output in the format and tells the sink of it: 0 or -errno. */
int
markup_read_marked(struct markup_reader *reader, enum markup_kind kind);
int
markup_read_xml(struct markup_reader *reader);
int
markup_read_json(struct markup_reader *reader, bool lines);

/* Which of the two begins here; -EBADMSG: another text that begins with {. */
int
markup_json_kind(struct markup_reader *reader, enum markup_kind *kind);

/* -EBADMSG: there is no such part. */
int
markup_set_part(struct markup_reader *reader, uint64_t number, uint64_t nr);

/*
 * shape:  what the first line, element or object says of parts
 * errors: -EBADMSG: there is no such part
 */
int
markup_part_marked(struct markup_reader *reader);
int
markup_part_xml(struct markup_reader *reader);
int
markup_part_json(struct markup_reader *reader);

#endif
