/* SPDX-License-Identifier: MIT */
/*
 * report_json.c - a small writer of JSON.
 */
#include "supervisor/report_json.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define REPLACEMENT 0xfffd

void
json_init(struct json *json, int fd)
{
	json->fd = fd;
	json->error = 0;
	json->needs_comma = false;
	json->used = 0;
}

static void
flush(struct json *json)
{
	size_t done = 0;

	while (done < json->used && json->error == 0) {
		ssize_t n =
			write(json->fd, json->buffer + done, json->used - done);

		if (n >= 0)
			done += (size_t)n;
		else if (errno != EINTR)
			json->error = -errno;
	}
	json->used = 0;
}

int
json_finish(struct json *json)
{
	flush(json);
	return json->error;
}

static void
put_char(struct json *json, char c)
{
	if (json->used == sizeof(json->buffer))
		flush(json);
	json->buffer[json->used++] = c;
}

static void
put(struct json *json, const char *text, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		put_char(json, text[i]);
}

static void
put_string(struct json *json, const char *text)
{
	put(json, text, strlen(text));
}

/* The comma before and the key of a value. */
static void
begin_value(struct json *json, const char *key)
{
	if (json->needs_comma)
		put_char(json, ',');
	json->needs_comma = true;
	if (key == NULL)
		return;
	put_char(json, '"');
	put_string(json, key);
	put_string(json, "\":");
}

void
json_begin(struct json *json, const char *key, char bracket)
{
	begin_value(json, key);
	if (key == NULL && json->used > 0)
		put_char(json, '\n');
	put_char(json, bracket);
	json->needs_comma = false;
}

void
json_end(struct json *json, char bracket)
{
	put_char(json, bracket);
	json->needs_comma = true;
}

void
json_u64(struct json *json, const char *key, uint64_t value)
{
	char text[24];

	begin_value(json, key);
	snprintf(text, sizeof(text), "%llu", (unsigned long long)value);
	put_string(json, text);
}

void
json_bool(struct json *json, const char *key, bool value)
{
	begin_value(json, key);
	put_string(json, value ? "true" : "false");
}

void
json_null(struct json *json, const char *key)
{
	begin_value(json, key);
	put_string(json, "null");
}

void
json_ratio(struct json *json, const char *key, uint64_t part, uint64_t of)
{
	char text[48];

	if (of == 0) {
		json_null(json, key);
		return;
	}
	begin_value(json, key);
	snprintf(text, sizeof(text), "%.6f", (double)part / (double)of);
	put_string(json, text);
}

/*
 * Length of the character at p and which it is; a byte that begins none is
 * U+FFFD of length 1.
 */
static size_t
decode(const uint8_t *p, size_t nr, uint32_t *character)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t length = p[0] < 0x80             ? 1
			: (p[0] & 0xe0) == 0xc0 ? 2
			: (p[0] & 0xf0) == 0xe0 ? 3
			: (p[0] & 0xf8) == 0xf0 ? 4
						: 0;
	uint32_t c = length == 1 ? p[0] : p[0] & (0x7fu >> length);

	*character = REPLACEMENT;
	if (length == 0 || length > nr)
		return 1;
	for (size_t i = 1; i < length; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 1;
		c = c << 6 | (p[i] & 0x3fu);
	}
	if (c < least[length] || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
		return 1;
	*character = c;
	return length;
}

bool
json_is_utf8(const uint8_t *bytes, size_t nr)
{
	for (size_t i = 0; i < nr;) {
		uint32_t c;
		size_t length = decode(bytes + i, nr - i, &c);

		if (c == REPLACEMENT && length == 1)
			return false;
		i += length;
	}
	return true;
}

/* What a terminal or an editor would act on rather than show. */
static bool
is_hidden(uint32_t c)
{
	return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0xad || c == 0x61c ||
	       c == 0x180e || (c >= 0x200b && c <= 0x200f) ||
	       (c >= 0x2028 && c <= 0x202e) || (c >= 0x2060 && c <= 0x206f) ||
	       c == 0xfeff || (c >= 0xfff9 && c <= 0xfffd) ||
	       (c >= 0xe0000 && c <= 0xe007f);
}

static void
put_escape(struct json *json, uint32_t c)
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
	put_string(json, text);
}

void
json_bytes(struct json *json, const char *key, const uint8_t *bytes, size_t nr)
{
	begin_value(json, key);
	put_char(json, '"');
	for (size_t i = 0; i < nr;) {
		uint32_t c;
		size_t length = decode(bytes + i, nr - i, &c);

		if (is_hidden(c) || c == '"' || c == '\\')
			put_escape(json, c);
		else
			put(json, (const char *)bytes + i, length);
		i += length;
	}
	put_char(json, '"');
}

void
json_text(struct json *json, const char *key, const char *text)
{
	json_bytes(json, key, (const uint8_t *)text, strlen(text));
}

void
json_hex(struct json *json, const char *key, const uint8_t *bytes, size_t nr)
{
	static const char digits[] = "0123456789abcdef";

	begin_value(json, key);
	put_char(json, '"');
	for (size_t i = 0; i < nr; i++) {
		put_char(json, digits[bytes[i] >> 4]);
		put_char(json, digits[bytes[i] & 15]);
	}
	put_char(json, '"');
}

void
json_base64(struct json *json, const char *key, const uint8_t *bytes, size_t nr)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				     "abcdefghijklmnopqrstuvwxyz0123456789+/";

	begin_value(json, key);
	put_char(json, '"');
	for (size_t i = 0; i < nr; i += 3) {
		size_t left = nr - i;
		uint32_t three = (uint32_t)bytes[i] << 16;

		if (left > 1)
			three |= (uint32_t)bytes[i + 1] << 8;
		if (left > 2)
			three |= bytes[i + 2];
		put_char(json, digits[three >> 18]);
		put_char(json, digits[three >> 12 & 63]);
		put_char(json, left > 1 ? digits[three >> 6 & 63] : '=');
		put_char(json, left > 2 ? digits[three & 63] : '=');
	}
	put_char(json, '"');
}
