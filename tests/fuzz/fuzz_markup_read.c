/* SPDX-License-Identifier: MIT */
/*
 * fuzz_markup_read.c - reading back what anybody may have written.
 *
 * Input: one byte for the format (5: find it out), then the output. What the
 * sink is told stays within the input and its limits, in the right order.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "markup/read.h"
#include "tests/fuzz/fuzz_expect.h"

struct reported {
	size_t input_bytes;
	size_t text_bytes;
	unsigned sum;
	bool in_file;
};

static int
file(void *context, const struct markup_file *file)
{
	struct reported *reported = context;

	expect(!reported->in_file, "a file within a file");
	expect(file->path_bytes > 0 &&
		       file->path_bytes <= MARKUP_PATH_BYTES_MAX,
	       "a path of its length");
	expect(file->same_as_bytes <= MARKUP_PATH_BYTES_MAX, "likewise");
	expect(memchr(file->charset, 0, sizeof(file->charset)) != NULL,
	       "a name that ends");
	reported->in_file = true;
	reported->text_bytes = 0;
	return 0;
}

static int
text(void *context, const uint8_t *bytes, size_t nr)
{
	struct reported *reported = context;

	expect(reported->in_file, "text outside of a file");
	reported->text_bytes += nr;
	/* a sanitizer sees a read past the end */
	if (nr > 0)
		reported->sum += bytes[0] + bytes[nr - 1];
	/* "\\uffff" of six bytes becomes three, never more than there was */
	expect(reported->text_bytes <= reported->input_bytes,
	       "more than there was to read");
	return 0;
}

static int
gap(void *context)
{
	expect(((struct reported *)context)->in_file,
	       "a gap outside of a file");
	return 0;
}

static int
mismatch(void *context, const char *why)
{
	expect(((struct reported *)context)->in_file, "a mismatch of no file");
	expect(why[0] != '\0', "which says what it is");
	return 0;
}

static int
end(void *context)
{
	struct reported *reported = context;

	expect(reported->in_file, "the end of no file");
	reported->in_file = false;
	return 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t bytes_nr)
{
	struct reported reported = { .input_bytes = bytes_nr };
	const struct markup_sink sink = { &reported, file,     text,
					  gap,       mismatch, end };
	struct markup_error error = { 0 };
	struct markup_part part;
	enum markup_kind kind;

	if (bytes_nr == 0)
		return 0;
	kind = (enum markup_kind)(bytes[0] % (MARKUP_NR + 1));
	bytes++;
	bytes_nr--;
	if (markup_read_part(bytes, bytes_nr, &part) == 0)
		expect(part.number <= part.nr &&
			       (part.number == 0) == (part.nr == 0),
		       "a part that there can be");
	if (kind == MARKUP_NR && markup_detect(bytes, bytes_nr, &kind) != 0)
		return 0;
	if (markup_read(kind, bytes, bytes_nr, &sink, &error) == 0)
		expect(!reported.in_file, "a file without end");
	else
		expect(error.what != NULL && error.what[0] != '\0', "a reason");
	return 0;
}
