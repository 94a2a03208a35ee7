/* SPDX-License-Identifier: MIT */
/*
 * emit.h - writes JSON as it comes, with a buffer of fixed size.
 *
 * Does: keys, values, commas; escapes; remembers the first error.
 * Does not: check that what is begun is ended, or that keys differ.
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

/* Begins a text that goes to fd. */
void
emit_init(struct emitter *out, int fd);

/* Writes what is left; 0, or the first error. */
int
emit_finish(struct emitter *out);

/*
 * shape:  for JSON in a page: a < in a string is \u003c, so that none begins
 *         a tag
 */
void
emit_init_html(struct emitter *out, int fd);

/* What is no JSON of ours: as it is. */
void
emit_raw(struct emitter *out, const char *text, size_t bytes);

/* All of these: key is NULL within an array. */

/* '{' or '['; an object in an array begins a new line. */
void
emit_begin(struct emitter *out, const char *key, char bracket);

/* Ends a line of JSON lines: what follows is a text of its own. */
void
emit_line(struct emitter *out);

/* '}' or ']' */
void
emit_end(struct emitter *out, char bracket);

/* A pair of key and value; without a key an element of a list. */
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
 * shape:  a value that is JSON already
 * calls:  emit_json_piece() for all of it behind emit_json_begin()
 */
void
emit_json_begin(struct emitter *out, const char *key);
void
emit_json_piece(struct emitter *out, const char *text, size_t bytes);

/* Six decimals at most; null where `of` is 0. */
void
emit_ratio(struct emitter *out, const char *key, uint64_t part, uint64_t of);

/* The same of a million, of which there are six decimals. */
void
emit_millionths(struct emitter *out, const char *key, uint32_t millionths);

/*
 * shape:  a string; what is not UTF-8 becomes U+FFFD, control characters and
 *         such as hide or turn text are escaped
 */
void
emit_text(struct emitter *out, const char *key, const char *text);

/* Bytes as a string, what is no UTF-8 replaced. */
void
emit_bytes(struct emitter *out, const char *key, const uint8_t *bytes,
	   size_t nr);

/* A string of two digits a byte. */
void
emit_hex(struct emitter *out, const char *key, const uint8_t *bytes, size_t nr);

/*
 * shape:  a path: a string; if that does not say all, also under the key with
 *         _base64 behind it all bytes
 */
void
emit_path(struct emitter *out, const char *key, const uint8_t *path,
	  size_t bytes);

#endif
