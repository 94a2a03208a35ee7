/* SPDX-License-Identifier: MIT */
/*
 * emit.h - writes JSON as a stream, with a buffer of fixed size.
 *
 * Does: keys, values, commas; escapes; remembers the first error.
 * Does not: check that every bracket is closed, or that keys differ.
 * Runs in: the supervisor.
 */
#ifndef BASE_EMIT_H
#define BASE_EMIT_H

#include "base/base.h"

#define EMIT_BUFFER_BYTES 16384

struct emitter {
	int fd;
	int error; /* -errno of the first write that failed */
	bool needs_comma;
	bool begins_line;
	bool is_in_html; /* < is escaped as well */
	size_t used;
	char buffer[EMIT_BUFFER_BYTES];
};

/* Begins a JSON text that is written to fd. */
void
emit_init(struct emitter *out, int fd);

/* Writes the rest of the buffer; 0, or the first error. */
int
emit_finish(struct emitter *out);

/*
 * shape:  for JSON in a page: a < in a string is \u003c, so that none begins
 *         a tag
 */
void
emit_init_html(struct emitter *out, int fd);

/* Writes the bytes unchanged. */
void
emit_raw(struct emitter *out, const char *text, size_t bytes);

/* For all functions below: key is NULL within an array. */

/* '{' or '['; an object in an array begins a new line. */
void
emit_begin(struct emitter *out, const char *key, char bracket);

/* Ends a line of JSON lines; the next value is a text of its own. */
void
emit_line(struct emitter *out);

/* '}' or ']' */
void
emit_end(struct emitter *out, char bracket);

/* Writes a key and a value; without a key, an element of an array. */
void
emit_u64(struct emitter *out, const char *key, uint64_t value);
void
emit_bool(struct emitter *out, const char *key, bool value);
void
emit_null(struct emitter *out, const char *key);

/* A finite number. */
void
emit_double(struct emitter *out, const char *key, double value);

/*
 * shape:  writes a value that is JSON already
 * calls:  emit_json_begin(), then emit_json_piece() for each piece of it
 */
void
emit_json_begin(struct emitter *out, const char *key);
void
emit_json_piece(struct emitter *out, const char *text, size_t bytes);

/* part / of, with at most six decimals; null if `of` is 0. */
void
emit_ratio(struct emitter *out, const char *key, uint64_t part, uint64_t of);

/* The same for millionths. */
void
emit_millionths(struct emitter *out, const char *key, uint32_t millionths);

/*
 * shape:  a string; invalid UTF-8 becomes U+FFFD, control characters and those
 *         that hide or reverse text are escaped
 */
void
emit_text(struct emitter *out, const char *key, const char *text);

/* The same for bytes. */
void
emit_bytes(struct emitter *out, const char *key, const uint8_t *bytes,
	   size_t nr);

/* A string with two hexadecimal digits a byte. */
void
emit_hex(struct emitter *out, const char *key, const uint8_t *bytes, size_t nr);

/*
 * shape:  a path as a string; if it is not valid UTF-8, also its bytes in
 *         base64 under the key with _base64 appended; not for a value of an
 *         array, which has no key
 */
void
emit_path(struct emitter *out, const char *key, const uint8_t *path,
	  size_t bytes);

#endif
