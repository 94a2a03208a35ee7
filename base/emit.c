/* SPDX-License-Identifier: MIT */
/*
 * emit.c - a small writer of JSON.
 */
#include "base/emit.h"

#include <stdio.h>
#include <string.h>

#include "base/unicode_invisible.h"
#include "base/fd_io.h"
#include "base/utf8.h"

#define REPLACEMENT 0xfffd

void
emit_init(struct emitter *out, int fd)
{
	out->fd = fd;
	out->error = 0;
	out->needs_comma = false;
	out->begins_line = true;
	out->is_in_html = false;
	out->used = 0;
}

void
emit_init_html(struct emitter *out, int fd)
{
	emit_init(out, fd);
	out->is_in_html = true;
}

static void
flush(struct emitter *out)
{
	if (out->error == 0)
		out->error = fd_write_all(out->fd, out->buffer, out->used);
	out->used = 0;
}

int
emit_finish(struct emitter *out)
{
	flush(out);
	return out->error;
}

static void
put_char(struct emitter *out, char c)
{
	if (out->used == sizeof(out->buffer))
		flush(out);
	out->buffer[out->used++] = c;
}

static void
put(struct emitter *out, const char *text, size_t bytes)
{
	while (bytes > sizeof(out->buffer) - out->used) {
		size_t some = sizeof(out->buffer) - out->used;

		memcpy(out->buffer + out->used, text, some);
		out->used += some;
		text += some;
		bytes -= some;
		flush(out);
	}
	memcpy(out->buffer + out->used, text, bytes);
	out->used += bytes;
}

static void
put_string(struct emitter *out, const char *text)
{
	put(out, text, strlen(text));
}

void
emit_raw(struct emitter *out, const char *text, size_t bytes)
{
	put(out, text, bytes);
}

/* The comma before and the key of a value. */
static void
begin_value(struct emitter *out, const char *key)
{
	if (out->needs_comma)
		put_char(out, ',');
	out->needs_comma = true;
	if (key == NULL)
		return;
	put_char(out, '"');
	put_string(out, key);
	put_string(out, "\":");
}

void
emit_begin(struct emitter *out, const char *key, char bracket)
{
	begin_value(out, key);
	if (key == NULL && !out->begins_line)
		put_char(out, '\n');
	put_char(out, bracket);
	out->needs_comma = false;
	out->begins_line = false;
}

void
emit_line(struct emitter *out)
{
	put_char(out, '\n');
	out->needs_comma = false;
	out->begins_line = true;
}

void
emit_end(struct emitter *out, char bracket)
{
	put_char(out, bracket);
	out->needs_comma = true;
}

void
emit_json_begin(struct emitter *out, const char *key)
{
	begin_value(out, key);
}

/* JSON has < within strings only, where \u003c is the same. */
void
emit_json_piece(struct emitter *out, const char *text, size_t bytes)
{
	const char *end = text + bytes;
	const char *tag;

	while (out->is_in_html &&
	       (tag = memchr(text, '<', (size_t)(end - text))) != NULL) {
		put(out, text, (size_t)(tag - text));
		put_string(out, "\\u003c");
		text = tag + 1;
	}
	put(out, text, (size_t)(end - text));
}

/* A number with that many digits at least. */
static void
put_digits(struct emitter *out, uint64_t value, unsigned least)
{
	char text[24];
	size_t at = sizeof(text);

	for (; value > 0 || least > 0; value /= 10) {
		text[--at] = (char)('0' + value % 10);
		least -= least > 0;
	}
	put(out, text + at, sizeof(text) - at);
}

void
emit_u64(struct emitter *out, const char *key, uint64_t value)
{
	begin_value(out, key);
	put_digits(out, value, 1);
}

void
emit_bool(struct emitter *out, const char *key, bool value)
{
	begin_value(out, key);
	put_string(out, value ? "true" : "false");
}

void
emit_null(struct emitter *out, const char *key)
{
	begin_value(out, key);
	put_string(out, "null");
}

void
emit_double(struct emitter *out, const char *key, double value)
{
	char text[32];

	begin_value(out, key);
	snprintf(text, sizeof(text), "%.15g", value);
	put_string(out, text);
}

void
emit_ratio(struct emitter *out, const char *key, uint64_t part, uint64_t of)
{
	char text[48];

	if (of == 0) {
		emit_null(out, key);
		return;
	}
	begin_value(out, key);
	snprintf(text, sizeof(text), "%.6f", (double)part / (double)of);
	put_string(out, text);
}

void
emit_millionths(struct emitter *out, const char *key, uint32_t millionths)
{
	begin_value(out, key);
	put_digits(out, millionths / 1000000, 1);
	put_char(out, '.');
	put_digits(out, millionths % 1000000, 6);
}

/* What would act or hide, or stands for what is not there. */
static bool
is_hidden(uint32_t c)
{
	return is_invisible(c) || c == 0xfffc || c == REPLACEMENT;
}

static void
put_escape(struct emitter *out, uint32_t c)
{
	char text[16];

	if (c == '"' || c == '\\')
		snprintf(text, sizeof(text), "\\%c", (char)c);
	else if (c == '\n' || c == '\t' || c == '\r')
		snprintf(text, sizeof(text), "\\%c",
			 c == '\n'   ? 'n'
			 : c == '\t' ? 't'
				     : 'r');
	else if (c < 0x10000)
		snprintf(text, sizeof(text), "\\u%04x", (unsigned)c);
	else
		snprintf(text, sizeof(text), "\\u%04x\\u%04x",
			 (unsigned)(0xd800 + ((c - 0x10000) >> 10)),
			 (unsigned)(0xdc00 + ((c - 0x10000) & 0x3ff)));
	put_string(out, text);
}

/* Bytes of ASCII that stand for themselves, from the beginning of a text. */
static size_t
plain_bytes(const struct emitter *out, const uint8_t *bytes, size_t nr)
{
	size_t i = 0;

	while (i < nr && bytes[i] >= 0x20 && bytes[i] < 0x7f &&
	       bytes[i] != '"' && bytes[i] != '\\' &&
	       !(bytes[i] == '<' && out->is_in_html))
		i++;
	return i;
}

void
emit_bytes(struct emitter *out, const char *key, const uint8_t *bytes,
	   size_t nr)
{
	begin_value(out, key);
	put_char(out, '"');
	for (size_t i = 0; i < nr;) {
		uint32_t c = REPLACEMENT;
		size_t length = plain_bytes(out, bytes + i, nr - i);

		if (length > 0) {
			put(out, (const char *)bytes + i, length);
			i += length;
			continue;
		}
		length = utf8_decode(bytes + i, nr - i, &c);
		if (is_hidden(c) || c == '"' || c == '\\' ||
		    (c == '<' && out->is_in_html))
			put_escape(out, c);
		else
			put(out, (const char *)bytes + i, length);
		i += max_u64(length, 1);
	}
	put_char(out, '"');
}

void
emit_text(struct emitter *out, const char *key, const char *text)
{
	emit_bytes(out, key, (const uint8_t *)text, strlen(text));
}

void
emit_hex(struct emitter *out, const char *key, const uint8_t *bytes, size_t nr)
{
	static const char digits[] = "0123456789abcdef";

	begin_value(out, key);
	put_char(out, '"');
	for (size_t i = 0; i < nr; i++) {
		put_char(out, digits[bytes[i] >> 4]);
		put_char(out, digits[bytes[i] & 15]);
	}
	put_char(out, '"');
}

static void
emit_base64(struct emitter *out, const char *key, const uint8_t *bytes,
	    size_t nr)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				     "abcdefghijklmnopqrstuvwxyz0123456789+/";

	begin_value(out, key);
	put_char(out, '"');
	for (size_t i = 0; i < nr; i += 3) {
		size_t left = nr - i;
		uint32_t three = (uint32_t)bytes[i] << 16;

		if (left > 1)
			three |= (uint32_t)bytes[i + 1] << 8;
		if (left > 2)
			three |= bytes[i + 2];
		put_char(out, digits[three >> 18]);
		put_char(out, digits[three >> 12 & 63]);
		put_char(out, left > 1 ? digits[three >> 6 & 63] : '=');
		put_char(out, left > 2 ? digits[three & 63] : '=');
	}
	put_char(out, '"');
}

void
emit_path(struct emitter *out, const char *key, const uint8_t *path,
	  size_t bytes)
{
	char raw_key[32];

	ASSERT(key != NULL);
	emit_bytes(out, key, path, bytes);
	if (utf8_is_valid(path, bytes, NULL))
		return;
	snprintf(raw_key, sizeof(raw_key), "%s_base64", key);
	emit_base64(out, raw_key, path, bytes);
}
