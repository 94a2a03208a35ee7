/* SPDX-License-Identifier: MIT */
/*
 * collect_elide.c - content that is not worth its tokens, cut short.
 *
 * Does: a line in place of base64, and of all but the head of data.
 * Does not: change the number of lines that stay, or count tokens.
 * Invariants:
 * 1. However the bytes are cut into calls, the same bytes come out.
 */
#include "stages/collect/collect.h"

#include <stdio.h>
#include <string.h>

#include "base/number_format.h"

/* What the letters of a run are. Those of hexadecimal tell nothing. */
enum letters { HAS_UPPER = 1, HAS_LOWER = 2, HAS_DIGIT = 4, HAS_ALL = 7 };

/* 0: the byte is none of base64. */
static const uint8_t base64_class[UCHAR_MAX + 1] = {
	['A' ... 'F'] = 8,
	['G' ... 'Z'] = HAS_UPPER | 8,
	['a' ... 'f'] = 8,
	['g' ... 'z'] = HAS_LOWER | 8,
	['0' ... '9'] = HAS_DIGIT | 8,
	['+'] = 8,
	['/'] = 8,
	['='] = 8, /* at its end alone */
};

/* What stays; there may be mistakes in it. */
static void
put_bytes(struct collect_convert *convert, const void *bytes, size_t nr)
{
	collect_convert_repair(convert, bytes, nr, false);
}

/* ---- base64, taken out ---------------------------------------------------- */

/* Whether a blob, or a part of what may be one, comes before. */
static bool
is_open(const struct collect_elision *elision)
{
	return elision->run_bytes > 0 || elision->lines_nr > 0;
}

/* What is held stays, but for the last bytes of it. */
static void
put_held(struct collect_convert *convert, size_t but)
{
	struct collect_elision *elision = &convert->elision;
	size_t nr = elision->held_nr - but;

	put_bytes(convert, elision->held, nr);
	memmove(elision->held, elision->held + nr, but);
	elision->held_nr = but;
}

/* The blob ends before the run: a note of its length, or it is text. */
static void
end_blob(struct collect_convert *convert)
{
	struct collect_elision *elision = &convert->elision;
	char note[64];

	if (elision->is_cut) {
		int nr = snprintf(note, sizeof(note), "[base64, %s bytes]",
				  COUNT_TEXT(elision->blob_bytes));

		put_bytes(convert, note, (size_t)nr);
		elision->blobs_nr++;
	}
	put_held(convert, (size_t)elision->run_bytes);
	elision->blob_bytes = 0;
	elision->lines_nr = 0;
	elision->joint_bytes = 0;
	elision->has = 0;
	elision->breaks = false;
	elision->breaks_text = false;
	elision->is_cut = false;
}

/* The run is a line of the blob. */
static void
add_line(struct collect_convert *convert)
{
	struct collect_elision *elision = &convert->elision;

	if (elision->lines_nr <= 1)
		elision->line_bytes = (uint32_t)elision->run_bytes;
	elision->lines_nr++;
	elision->blob_bytes += elision->run_bytes;
	elision->has |= elision->run_has;
	elision->run_bytes = 0;
	elision->joint_bytes = 0;
	elision->breaks = false;
	elision->breaks_text = false;
	if (elision->blob_bytes < ELIDE_BASE64_MIN)
		return;
	elision->is_cut |= (elision->has & HAS_ALL) == HAS_ALL;
	if (elision->is_cut)
		elision->held_nr = 0;
	else
		end_blob(convert);
}

/* Whether a byte may stand between two lines: those of literals, too, and
 * those that join literals. */
static bool
is_joint(const struct collect_elision *elision, uint8_t c)
{
	if (elision->joint_bytes >= ELIDE_JOINT_MAX)
		return false;
	switch (c) {
	case ' ':
	case '\t':
	case '\r':
	case '\n':
	case '\\':
	case '"':
	case '\'':
		return true;
	case 'n':
	case 'r':
		return elision->joint_bytes > 0 && elision->before == '\\';
	case '+':
		return elision->joint_bytes > 0 && !elision->breaks_text &&
		       strchr("\"' ", elision->before) != NULL;
	default:
		return false;
	}
}

/* Whether the run, before this byte, is the last line of the blob: long, or
 * with a digit or padding and groups of four up to its end, which few words
 * have. */
static bool
is_last_line(const struct collect_elision *elision, uint8_t c)
{
	if (elision->lines_nr == 0 ||
	    elision->run_bytes > elision->line_bytes || c == '\0' ||
	    strchr("\r\n\\\"')]}<`,;=", c) == NULL)
		return false;
	if (elision->run_bytes >= ELIDE_LINE_MIN)
		return true;
	return (elision->blob_bytes + elision->run_bytes) % 4 == 0 &&
	       (elision->before == '=' || (elision->run_has & HAS_DIGIT));
}

/* The run ends before this byte. */
static void
end_run(struct collect_convert *convert, uint8_t c)
{
	struct collect_elision *elision = &convert->elision;
	bool is_whole = elision->lines_nr > 1
				? elision->run_bytes == elision->line_bytes
				: elision->run_bytes >= ELIDE_LINE_MIN;

	if (elision->run_bytes >= ELIDE_BASE64_MIN) {
		elision->blob_bytes = elision->run_bytes;
		elision->run_bytes = 0;
		end_blob(convert);
	} else if (is_whole && elision->before != '=') {
		add_line(convert);
	} else if (is_last_line(elision, c)) {
		add_line(convert);
		end_blob(convert);
	} else {
		end_blob(convert);
		if (elision->run_bytes >= ELIDE_LINE_MIN &&
		    elision->before != '=')
			add_line(convert);
		else
			put_held(convert, 0);
	}
	elision->run_bytes = 0;
	elision->run_has = 0;
	elision->is_text = false;
}

/* One more byte of a run: held until its length says what it is. */
static void
add_to_run(struct collect_convert *convert, uint8_t c)
{
	struct collect_elision *elision = &convert->elision;

	elision->run_bytes++;
	elision->run_has |= base64_class[c];
	if (elision->is_text) {
		put_bytes(convert, &c, 1);
		return;
	}
	if (elision->run_bytes > ELIDE_BASE64_MIN)
		return;
	elision->held[elision->held_nr++] = c;
	if (elision->run_bytes < ELIDE_BASE64_MIN)
		return;
	/* so long a line is a blob of its own */
	end_blob(convert);
	elision->is_cut = (elision->run_has & HAS_ALL) == HAS_ALL;
	elision->is_text = !elision->is_cut;
	if (elision->is_text)
		put_held(convert, 0);
	elision->held_nr = 0;
}

/* A byte between two lines of a blob, or behind it. */
static void
add_to_joint(struct collect_convert *convert, uint8_t c)
{
	struct collect_elision *elision = &convert->elision;

	if (elision->lines_nr == 0 || !is_joint(elision, c)) {
		end_blob(convert);
		put_bytes(convert, &c, 1);
		return;
	}
	elision->held[elision->held_nr++] = c;
	elision->joint_bytes++;
	elision->breaks_text |= c == '\n';
	elision->breaks |= c == '\n' || c == 'n';
}

static void
take_byte(struct collect_convert *convert, uint8_t c)
{
	struct collect_elision *elision = &convert->elision;
	bool is_base64 = base64_class[c] != 0;

	if (elision->run_bytes > 0 &&
	    (!is_base64 || (elision->before == '=' && c != '=')))
		end_run(convert, c);
	if (elision->run_bytes > 0) {
		add_to_run(convert, c);
	} else if (!is_base64 || c == '=' || is_joint(elision, c)) {
		add_to_joint(convert, c);
	} else {
		if (!elision->breaks)
			end_blob(convert);
		add_to_run(convert, c);
	}
	elision->before = c;
}

static void
end_text(struct collect_convert *convert)
{
	if (convert->elision.run_bytes > 0)
		end_run(convert, '\n');
	end_blob(convert);
}

static void
elide_base64(struct collect_convert *convert, const uint8_t *from, size_t bytes,
	     bool is_last)
{
	const struct collect_elision *elision = &convert->elision;
	const uint8_t *end = from + bytes;

	while (from < end) {
		const uint8_t *at = from;

		while (at < end && !is_open(elision) && base64_class[*at] == 0)
			at++;
		put_bytes(convert, from, (size_t)(at - from));
		from = at;
		if (from < end)
			take_byte(convert, *from++);
	}
	if (is_last)
		end_text(convert);
}

/* ---- finding it ---------------------------------------------------------- */

#define SAMPLE_BYTES 8u
#define SAMPLE_NEXT (ELIDE_LINE_MIN - SAMPLE_BYTES)
#define SAMPLE_STEP (ELIDE_BASE64_MIN / 2)

/* Whether none of the bytes of a sample is less than '+', as blanks, quotes and
 * brackets are. */
static bool
may_be_base64(const uint8_t *sample)
{
	const uint64_t highs = 0x8080808080808080;
	uint64_t bytes;

	memcpy(&bytes, sample, sizeof(bytes));
	return (((bytes | highs) - '+' * (highs >> 7)) & highs) == highs;
}

static bool
is_base64(const uint8_t *text, size_t bytes)
{
	while (bytes > 0 && base64_class[text[bytes - 1]] != 0)
		bytes--;
	return bytes == 0;
}

/* Where the line around a sample begins, not before `from`. */
static size_t
line_start(const uint8_t *text, size_t at, size_t from)
{
	while (at > from && base64_class[text[at - 1]] != 0)
		at--;
	return at;
}

/* Whether the line around a sample is one that another may follow. */
static bool
is_in_line(const uint8_t *text, size_t bytes, size_t at)
{
	size_t first;

	if (!is_base64(text + at, SAMPLE_BYTES))
		return false;
	first = line_start(text, at, at - min_size(at, ELIDE_LINE_MIN));
	return bytes - first >= ELIDE_LINE_MIN &&
	       is_base64(text + first, ELIDE_LINE_MIN);
}

/*
 * Some bytes of a blob, if one begins at `from` or behind; all bytes: there is
 * none. Of the two places that are looked at in each step, a joint between two
 * lines takes one at most, so that most text is passed in few of them.
 */
static size_t
find_sample(const uint8_t *text, size_t bytes, size_t from)
{
	static_assert(SAMPLE_BYTES - 1 + ELIDE_JOINT_MAX <= SAMPLE_NEXT &&
			      SAMPLE_STEP + ELIDE_LINE_MIN <= ELIDE_BASE64_MIN,
		      "each blob has a sample");
	for (; from + ELIDE_LINE_MIN <= bytes; from += SAMPLE_STEP) {
		size_t next = from + SAMPLE_NEXT;

		if (may_be_base64(text + from) && is_in_line(text, bytes, from))
			return from;
		if (may_be_base64(text + next) && is_in_line(text, bytes, next))
			return next;
	}
	return bytes;
}

/* Where a blob around a sample begins at the earliest: the first of lines that
 * follow each other closely. */
static size_t
blob_start(const uint8_t *text, size_t at, size_t from)
{
	size_t joint = 0;

	at = line_start(text, at, from);
	while (joint <= ELIDE_JOINT_MAX &&
	       at - from >= joint + ELIDE_LINE_MIN) {
		size_t end = at - joint++;

		if (!is_base64(text + end - ELIDE_LINE_MIN, ELIDE_LINE_MIN))
			continue;
		at = line_start(text, end - ELIDE_LINE_MIN, from);
		joint = 0;
	}
	return at;
}

/* The first byte that a blob may begin at, also one that goes on behind the
 * text; all bytes: there is none. */
static size_t
find_start(const uint8_t *text, size_t bytes, size_t from, bool goes_on)
{
	size_t at = find_sample(text, bytes, from);

	return at < bytes || goes_on ? blob_start(text, at, from) : bytes;
}

/* collect_has_base64() from a line on. */
static bool
search(const uint8_t *text, size_t bytes, size_t at, size_t *open_bytes)
{
	char to[COLLECT_CONVERT_ROOM(ELIDE_HELD_BYTES)];
	struct collect_convert convert = { .from = CHARSET_WITH_BASE64,
					   .to = to };
	const struct collect_elision *elision = &convert.elision;

	while (at < bytes) {
		convert.put = 0;
		take_byte(&convert, text[at++]);
		if (elision->is_cut || elision->blobs_nr > 0)
			return true;
		if (!is_open(elision))
			at = find_start(text, bytes, at, open_bytes != NULL);
	}
	if (open_bytes != NULL) {
		*open_bytes = elision->held_nr;
		return false;
	}
	convert.put = 0;
	end_text(&convert);
	return elision->blobs_nr > 0;
}

bool
collect_has_base64(const uint8_t *text, size_t bytes, size_t *open_bytes)
{
	size_t at = find_start(text, bytes, 0, open_bytes != NULL);

	if (open_bytes != NULL)
		*open_bytes = 0;
	return at < bytes && search(text, bytes, at, open_bytes);
}

/* ---- data, by its head ---------------------------------------------------- */

/* Whole lines of what is held; of a longer line, whole characters. */
static size_t
head_bytes(const struct collect_elision *elision)
{
	const uint8_t *newline = memrchr(elision->held, '\n', elision->held_nr);
	size_t nr = elision->held_nr;

	if (newline != NULL)
		return (size_t)(newline - elision->held) + 1;
	while (nr > 0 && (elision->held[nr - 1] & 0xc0) == 0x80)
		nr--;
	return nr > 0 ? nr - 1 : 0;
}

/* Begins to drop, behind the head. */
static void
put_head(struct collect_convert *convert)
{
	struct collect_elision *elision = &convert->elision;
	size_t nr = head_bytes(elision);

	put_bytes(convert, elision->held, nr);
	if (nr == 0 || elision->held[nr - 1] != '\n')
		put_bytes(convert, "\n", 1);
	elision->is_cut = true;
	elision->run_bytes = elision->held_nr - nr;
	elision->held_nr = 0;
}

static void
elide_data(struct collect_convert *convert, const uint8_t *from, size_t bytes,
	   bool is_last)
{
	struct collect_elision *elision = &convert->elision;
	char note[96];
	int nr;

	if (!elision->is_cut) {
		size_t more = min_size(bytes, sizeof(elision->held) -
						      elision->held_nr);

		memcpy(elision->held + elision->held_nr, from, more);
		elision->held_nr += more;
		from += more;
		bytes -= more;
		if (elision->held_nr == sizeof(elision->held))
			put_head(convert);
	}
	elision->run_bytes += bytes;
	if (!is_last)
		return;
	if (!elision->is_cut) {
		put_bytes(convert, elision->held, elision->held_nr);
		return;
	}
	nr = snprintf(note, sizeof(note), "[data, %s more bytes]\n",
		      COUNT_TEXT(elision->run_bytes));
	put_bytes(convert, note, (size_t)nr);
}

void
collect_elide_run(struct collect_convert *convert, const uint8_t *from,
		  size_t bytes, bool is_last)
{
	if (convert->from == CHARSET_LARGE_DATA)
		elide_data(convert, from, bytes, is_last);
	else
		elide_base64(convert, from, bytes, is_last);
	if (is_last)
		collect_convert_repair(convert, from, 0, true);
}
