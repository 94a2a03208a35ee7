/* SPDX-License-Identifier: MIT */
/*
 * test_markup_told.h - what is read back of an output, as text.
 */
#ifndef TESTS_SUPPORT_TEST_MARKUP_TOLD_H
#define TESTS_SUPPORT_TEST_MARKUP_TOLD_H

#include "tests/support/test_shm.h"

#include "markup/read.h"

#define TOLD_BYTES 8192

/* What the sink was told, as text. */
struct reported {
	char text[TOLD_BYTES];
	size_t nr;
};

static inline void
add(struct reported *reported, const char *format, ...)
{
	va_list values;

	va_start(values, format);
	reported->nr += (size_t)vsnprintf(reported->text + reported->nr,
					  sizeof(reported->text) - reported->nr,
					  format, values);
	va_end(values);
	ASSERT_TRUE(reported->nr < sizeof(reported->text));
}

static inline int
file(void *context, const struct markup_file *at)
{
	struct reported *reported = context;

	add(reported, "[%.*s", (int)at->path_bytes, (const char *)at->path);
	if (at->same_as_bytes > 0)
		add(reported, " =%.*s", (int)at->same_as_bytes,
		    (const char *)at->same_as);
	if (at->line_first > 0)
		add(reported, " %llu-%llu/%llu",
		    (unsigned long long)at->line_first,
		    (unsigned long long)at->line_last,
		    (unsigned long long)at->line_nr);
	if (at->has_hash)
		add(reported, " #%u", at->hash);
	if (at->charset[0] != '\0')
		add(reported, " %s", at->charset);
	add(reported, "%s%s%s%s%s%s]", at->empty ? " empty" : "",
	    at->is_changed ? " changed" : "",
	    at->is_signatures ? " signatures" : "",
	    at->is_stripped ? " stripped" : "", at->goes_on ? " goes-on" : "",
	    at->continued == MARKUP_STARTS      ? ""
	    : at->continued == MARKUP_CONTINUED ? " continued"
						: " mid-line");
	return 0;
}

static inline int
text(void *context, const uint8_t *bytes, size_t nr)
{
	add(context, "%.*s", (int)nr, (const char *)bytes);
	return 0;
}

static inline int
gap(void *context)
{
	add(context, "<gap>");
	return 0;
}

static inline int
mismatch(void *context, const char *why)
{
	add(context, "<not so: %s>", why);
	return 0;
}

static inline int
end(void *context)
{
	add(context, ".");
	return 0;
}

/* Reads a text of any format; what was wrong stands behind what was told. */
static inline void
read_text(struct reported *reported, const char *bytes, size_t nr)
{
	const struct markup_sink sink = { reported, file,     text,
					  gap,      mismatch, end };
	struct markup_error error = { 0 };
	enum markup_kind kind;
	int result;

	*reported = (struct reported){ .nr = 0 };
	result = markup_detect((const uint8_t *)bytes, nr, &kind);
	if (result != 0) {
		add(reported, "no output");
		return;
	}
	result = markup_read(kind, (const uint8_t *)bytes, nr, &sink, &error);
	if (result != 0)
		add(reported, "! %llu: %s", (unsigned long long)error.line,
		    error.what);
}

struct reading {
	const char *what;
	const char *bytes;
	const char *want;
};

static inline void
check(const struct reading *readings, size_t nr)
{
	struct reported reported;

	for (size_t i = 0; i < nr; i++) {
		read_text(&reported, readings[i].bytes,
			  strlen(readings[i].bytes));
		if (strcmp(reported.text, readings[i].want) != 0)
			fail_msg("%s: got\n%s\nwant\n%s", readings[i].what,
				 reported.text, readings[i].want);
	}
}

#define UNKNOWN \
	"<not so: its header has a word that this version does not know>"

#endif
