/* SPDX-License-Identifier: MIT */
/*
 * reader.h - what reading back has in common for all formats.
 *
 * Does: takes numbers, names and words; checks a file's header and its lines
 *       against its content, and tells the sink.
 * Does not: know a format: read_marked.c, read_xml.c and read_json.c do.
 */
#ifndef MARKUP_READER_H
#define MARKUP_READER_H

#include "markup/sink.h"

#define MARKUP_MISMATCH_BYTES 128

struct markup_reader {
	const uint8_t *start;
	const uint8_t *at;
	const uint8_t *end;
	const struct markup_sink *sink;
	const char *what; /* went wrong */
	struct markup_file file;
	uint64_t file_nr; /* told so far */
	uint64_t end_nr;  /* files that there are, by the end line */
	bool has_end;
	bool wants_end; /* a file had a hash: then there is an end */
	bool numbered;
	bool has_unknown;     /* the header has an unknown word */
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

/* Records an error: -EBADMSG. */
int
markup_fail(struct markup_reader *reader, const char *what);

/* Takes a word if it comes next. */
bool
markup_take(struct markup_reader *reader, const char *word);

/* Behind the blanks and line ends. */
const uint8_t *
markup_past_blanks(const uint8_t *at, const uint8_t *end);

/* The same of what comes next. */
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
 * shape:  records a key of a file or an object; false: it had that key before.
 *         A key that is not in `known` marks the file as unknown
 * units:  known ends with NULL, and has 32 keys at most
 */
bool
markup_note_key(struct markup_reader *reader, const char *key,
		const char *const *known);

/* What it is enough to have said of a file; - in its name stands for _. */
void
markup_set_word(struct markup_reader *reader, const char *key);

/* Begins a header: resets the facts of its file. */
void
markup_begin_file(struct markup_reader *reader);

/* Passes the beginning of a file, reader->file, to the sink. */
int
markup_emit_file(struct markup_reader *reader);

/* Passes content, still with line numbers if there are any, to the sink. */
int
markup_emit_text(struct markup_reader *reader, const uint8_t *text, size_t nr);

/* Lines first to last are left out here; first 0: unknown lines. */
int
markup_emit_gap(struct markup_reader *reader, uint64_t first, uint64_t last);

/* The content contradicts its header; the first such mismatch is kept. */
void
markup_mismatch(struct markup_reader *reader, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * Tells the sink that the content ends, and what was wrong with it; what it
 * returned.
 */
int
markup_emit_end(struct markup_reader *reader);

/* Reads the end line with the number of files. */
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

/* Reads an output of the format into the sink: 0 or -errno. */
int
markup_read_marked(struct markup_reader *reader, enum markup_kind kind);
int
markup_read_xml(struct markup_reader *reader);
int
markup_read_json(struct markup_reader *reader, bool lines);

/* Tells JSON from JSON lines; -EBADMSG: another text that begins with {. */
int
markup_json_kind(struct markup_reader *reader, enum markup_kind *kind);

/* -EBADMSG: there is no such part. */
int
markup_set_part(struct markup_reader *reader, uint64_t number, uint64_t nr);

/*
 * shape:  reads the part number from the first line, element or object
 * errors: -EBADMSG: there is no such part
 */
int
markup_part_marked(struct markup_reader *reader);
int
markup_part_xml(struct markup_reader *reader);
int
markup_part_json(struct markup_reader *reader);

#endif
