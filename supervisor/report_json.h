/* SPDX-License-Identifier: MIT */
/*
 * report_json.h - writes JSON as it comes, with a buffer of fixed size.
 *
 * Does: keys, values, commas; escapes; remembers the first error.
 * Does not: check that what is begun is ended, or that keys differ.
 * Runs in: the supervisor.
 */
#ifndef SUPERVISOR_REPORT_JSON_H
#define SUPERVISOR_REPORT_JSON_H

#include "shm/base.h"

#define JSON_BUFFER_BYTES 16384

struct json {
	int fd;
	int error; /* -errno of the first write that failed */
	bool needs_comma;
	size_t used;
	char buffer[JSON_BUFFER_BYTES];
};

void
json_init(struct json *json, int fd);

/* Writes what is left; 0, or the first error. */
int
json_finish(struct json *json);

/* All of these: key is NULL within an array. */

/* '{' or '['; an object in an array begins a new line. */
void
json_begin(struct json *json, const char *key, char bracket);

/* '}' or ']' */
void
json_end(struct json *json, char bracket);

void
json_u64(struct json *json, const char *key, uint64_t value);

void
json_bool(struct json *json, const char *key, bool value);

void
json_null(struct json *json, const char *key);

/* Six decimals at most; null where `of` is 0. */
void
json_ratio(struct json *json, const char *key, uint64_t part, uint64_t of);

/*
 * shape:  a string; what is not UTF-8 becomes U+FFFD, control characters and
 *         such as hide or turn text are escaped
 */
void
json_text(struct json *json, const char *key, const char *text);

void
json_bytes(struct json *json, const char *key, const uint8_t *bytes, size_t nr);

/* A string of two digits a byte. */
void
json_hex(struct json *json, const char *key, const uint8_t *bytes, size_t nr);

void
json_base64(struct json *json, const char *key, const uint8_t *bytes,
	    size_t nr);

/* Whether json_bytes() would write these bytes as they are. */
bool
json_is_utf8(const uint8_t *bytes, size_t nr);

#endif
