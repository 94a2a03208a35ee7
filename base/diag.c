/* SPDX-License-Identifier: MIT */
/*
 * diag.c - log lines, quoting, last words.
 */
#include "base/diag.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/unicode_invisible.h"
#include "base/utf8.h"

#define NAME_MAX_BYTES 40
#define LIMIT_NR 3

/* Errors that a limit of the process causes. */
static const struct {
	__rlimit_resource_t resource;
	int error;
	const char *what; /* is limited */
	unsigned unit;
	char letter; /* of ulimit */
} causes[LIMIT_NR] = {
	{ RLIMIT_AS, ENOMEM, "address space is", 1024, 'v' },
	{ RLIMIT_FSIZE, EFBIG, "files are", 1024, 'f' },
	{ RLIMIT_NOFILE, EMFILE, "open files are", 1, 'n' },
};

static struct {
	int fd;
	enum diag_level level;
	bool json;
	char run_id[NAME_MAX_BYTES];
	char name[NAME_MAX_BYTES];
	char *panic_slot;
	size_t panic_bytes;
	diag_keep_fn *keep;
	/* 0: not known yet; a worker cannot ask any more */
	rlim_t limits[LIMIT_NR];
} diag = { .fd = STDERR_FILENO, .level = DIAG_WARN, .name = "bale" };

static const char *const level_names[] = { "error", "warning", "info",
					   "debug" };

static void
write_panic(const char *what, const char *file, int line)
{
	if (diag.panic_slot != NULL)
		snprintf(diag.panic_slot, diag.panic_bytes, "%s:%d: %s", file,
			 line, what);
	else
		diag_log(DIAG_ERROR,
			 "assertion failed: %s:%d: %s; this is a bug of bale, "
			 "please report it",
			 file, line, what);
}

void
diag_init(int fd, enum diag_level level, bool json, const char *run_id)
{
	struct rlimit limit;

	diag.fd = fd;
	diag.level = level;
	diag.json = json;
	snprintf(diag.run_id, sizeof(diag.run_id), "%s", run_id);
	for (size_t i = 0; i < LIMIT_NR; i++)
		diag.limits[i] = getrlimit(causes[i].resource, &limit) == 0
					 ? limit.rlim_cur
					 : RLIM_INFINITY;
	base_on_assert(write_panic);
}

void
diag_in_words(void)
{
	diag.json = false;
}

const char *
diag_run_id(void)
{
	return diag.run_id;
}

void
diag_set_name(const char *name)
{
	size_t bytes = strnlen(name, sizeof(diag.name) - 1);

	memcpy(diag.name, name, bytes);
	diag.name[bytes] = '\0';
}

bool
diag_is_on(enum diag_level level)
{
	return level <= diag.level;
}

static void
write_line(const char *line, size_t bytes)
{
	ssize_t written;

	do
		written = write(diag.fd, line, bytes);
	while (written < 0 && errno == EINTR);
}

/*
 * A message may hold what a repository is made of, if only by mistake: it
 * stays valid UTF-8 and one line, wherever it was cut.
 */
static void
clean_text(char *out, size_t size, const char *text, bool json)
{
	const uint8_t *p = (const uint8_t *)text;
	size_t bytes = strlen(text);
	size_t n = 0;

	while (bytes > 0 && n + 7 < size) {
		uint32_t c = 0;
		size_t len = utf8_decode(p, bytes, &c);

		if (json && len != 0 && (c == '"' || c == '\\')) {
			out[n++] = '\\';
			out[n++] = (char)c;
		} else if (json && len != 0 && is_invisible(c) && c <= 0xffff) {
			n += (size_t)snprintf(out + n, size - n, "\\u%04x", c);
		} else if (len == 0 || is_invisible(c)) {
			out[n++] = '?';
		} else {
			memcpy(out + n, p, len);
			n += len;
		}
		p += max_u64(len, 1);
		bytes -= max_u64(len, 1);
	}
	out[n] = '\0';
}

static void
log_text(enum diag_level level, const char *text)
{
	char cleaned[DIAG_LINE_MAX - 256];
	char line[DIAG_LINE_MAX];
	int n;

	clean_text(cleaned, sizeof(cleaned), text, diag.json);
	if (diag.json)
		n = snprintf(line, sizeof(line),
			     "{\"level\":\"%s\",\"run\":\"%s\","
			     "\"from\":\"%s\",\"message\":\"%s\"}\n",
			     level_names[level], diag.run_id, diag.name,
			     cleaned);
	else
		n = snprintf(line, sizeof(line), "%s: %s%s\n", diag.name,
			     level == DIAG_WARN ? "warning: " : "", cleaned);
	if (n > 0)
		write_line(line, min_size((size_t)n, sizeof(line) - 1));
}

void
diag_keep_warnings(diag_keep_fn *keep)
{
	diag.keep = keep;
}

void
diag_log(enum diag_level level, const char *format, ...)
{
	bool is_kept = level == DIAG_WARN && diag.keep != NULL;
	char text[DIAG_LINE_MAX / 2];
	char cleaned[DIAG_LINE_MAX / 2];
	va_list args;

	if (!is_kept && !diag_is_on(level))
		return;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (is_kept) {
		clean_text(cleaned, sizeof(cleaned), text, false);
		diag.keep(cleaned);
	}
	if (diag_is_on(level))
		log_text(level, text);
}

_Noreturn void
diag_fatal(int code, const char *format, ...)
{
	char text[DIAG_LINE_MAX / 2];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	log_text(DIAG_ERROR, text);
	_exit(code);
}

static bool
needs_quotes(const uint8_t *name, size_t bytes)
{
	for (size_t i = 0; i < bytes;) {
		uint32_t c;
		size_t len = utf8_decode(name + i, bytes - i, &c);

		if (len == 0 || is_invisible(c) || c == '"' || c == '\\')
			return true;
		i += len;
	}
	return bytes == 0 || name[0] == ' ' || name[bytes - 1] == ' ';
}

static size_t
quote_byte(char *out, uint8_t c)
{
	switch (c) {
	case '\n':
		return (size_t)sprintf(out, "\\n");
	case '\t':
		return (size_t)sprintf(out, "\\t");
	case '\r':
		return (size_t)sprintf(out, "\\r");
	case '"':
	case '\\':
		return (size_t)sprintf(out, "\\%c", c);
	default:
		return (size_t)sprintf(out, "\\%03o", c);
	}
}

const char *
diag_quote(char *out, size_t size, const uint8_t *name, size_t bytes)
{
	const size_t room = 24; /* the longest escape, "...", quote, NUL */
	bool quotes = needs_quotes(name, bytes);
	size_t n = 0;

	ASSERT(size > room);
	if (!quotes && bytes <= size - room) {
		memcpy(out, name, bytes);
		out[bytes] = '\0';
		return out;
	}
	if (quotes)
		out[n++] = '"';
	for (size_t i = 0; i < bytes;) {
		uint32_t c;
		size_t len = utf8_decode(name + i, bytes - i, &c);

		if (n + room > size) {
			n += (size_t)sprintf(out + n, "...");
			break;
		}
		if (len == 0 || is_invisible(c) || c == '"' || c == '\\') {
			size_t end = i + (len == 0 ? 1 : len);

			for (; i < end; i++)
				n += quote_byte(out + n, name[i]);
			continue;
		}
		memcpy(out + n, name + i, len);
		n += len;
		i += len;
	}
	if (quotes)
		out[n++] = '"';
	out[n] = '\0';
	return out;
}

const char *
diag_quote_text(char *out, size_t size, const char *text)
{
	return diag_quote(out, size, (const uint8_t *)text, strlen(text));
}

void
diag_set_panic_slot(char *slot, size_t bytes)
{
	diag.panic_slot = slot;
	diag.panic_bytes = bytes;
	base_on_assert(write_panic);
}

const char *
diag_errno(int error)
{
	static char text[128];
	int positive = error < 0 ? -error : error;
	size_t i = 0;

	while (i < LIMIT_NR && causes[i].error != positive)
		i++;
	if (i == LIMIT_NR || diag.limits[i] == 0 ||
	    diag.limits[i] == RLIM_INFINITY)
		return strerror(positive);
	snprintf(text, sizeof(text),
		 "%s: %s limited to %llu%s; raise the limit (ulimit -%c)",
		 strerror(positive), causes[i].what,
		 (unsigned long long)diag.limits[i] / causes[i].unit,
		 causes[i].unit == 1 ? "" : " KiB", causes[i].letter);
	return text;
}
