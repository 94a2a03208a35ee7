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

/* What the letters of a run are. */
enum letters { HAS_UPPER = 1, HAS_LOWER = 2, HAS_DIGIT = 4, HAS_ALL = 7 };

/* 0: the byte is none of base64. '=' ends it. */
static const uint8_t base64_class[UCHAR_MAX + 1] = {
	['A' ... 'Z'] = HAS_UPPER | 8,
	['a' ... 'z'] = HAS_LOWER | 8,
	['0' ... '9'] = HAS_DIGIT | 8,
	['+'] = 8,
	['/'] = 8,
	['='] = 8,
};

/* ---- finding it ---------------------------------------------------------- */

/* Whether the run around a byte is long enough and looks like base64. */
static bool
is_in_base64(const uint8_t *text, size_t bytes, size_t at)
{
	size_t first = at;
	size_t end = at;
	unsigned has = 0;

	while (first > 0 && base64_class[text[first - 1]] != 0)
		first--;
	while (end < bytes && end - first < ELIDE_BASE64_MIN &&
	       base64_class[text[end]] != 0)
		end++;
	if (end - first < ELIDE_BASE64_MIN)
		return false;
	for (size_t i = first; i < first + ELIDE_BASE64_MIN; i++)
		has |= base64_class[text[i]];
	return (has & HAS_ALL) == HAS_ALL;
}

bool
collect_has_base64(const uint8_t *text, size_t bytes)
{
	size_t step = ELIDE_BASE64_MIN / 2;

	/* a run holds two of the bytes looked at: most text ends here */
	for (size_t at = step; at + step <= bytes; at += step)
		if (base64_class[text[at]] != 0 &&
		    base64_class[text[at - 1]] != 0 &&
		    is_in_base64(text, bytes, at))
			return true;
	return false;
}

/* ---- base64, taken out ---------------------------------------------------- */

/* What stays; there may be mistakes in it. */
static void
put_bytes(struct collect_convert *convert, const void *bytes, size_t nr)
{
	collect_convert_repair(convert, bytes, nr, false);
}

/* The end of a run: what is held of it, or a note of its length. */
static void
end_run(struct collect_convert *convert)
{
	struct collect_elision *elision = &convert->elision;
	char note[64];

	if (elision->is_cut) {
		int nr = snprintf(note, sizeof(note), "[base64, %s bytes]",
				  COUNT_TEXT(elision->run_bytes));

		put_bytes(convert, note, (size_t)nr);
	} else {
		put_bytes(convert, elision->held, elision->held_nr);
	}
	elision->held_nr = 0;
	elision->run_bytes = 0;
	elision->has = 0;
	elision->is_cut = false;
	elision->is_text = false;
}

/* One more byte of a run: held until its length says what it is. */
static void
add_to_run(struct collect_convert *convert, uint8_t c)
{
	struct collect_elision *elision = &convert->elision;

	elision->run_bytes++;
	if (elision->is_cut)
		return;
	if (elision->is_text) {
		put_bytes(convert, &c, 1);
		return;
	}
	elision->held[elision->held_nr++] = c;
	elision->has |= base64_class[c];
	if (elision->held_nr < ELIDE_BASE64_MIN)
		return;
	elision->is_cut = (elision->has & HAS_ALL) == HAS_ALL;
	elision->is_text = !elision->is_cut;
	if (elision->is_text)
		put_bytes(convert, elision->held, elision->held_nr);
	elision->held_nr = 0;
}

static void
elide_base64(struct collect_convert *convert, const uint8_t *from, size_t bytes,
	     bool is_last)
{
	const struct collect_elision *elision = &convert->elision;

	const uint8_t *end = from + bytes;

	while (from < end) {
		const uint8_t *at = from;

		while (at < end && base64_class[*at] != 0)
			add_to_run(convert, *at++);
		from = at;
		if (from < end && elision->run_bytes > 0)
			end_run(convert);
		while (at < end && base64_class[*at] == 0)
			at++;
		put_bytes(convert, from, (size_t)(at - from));
		from = at;
	}
	if (is_last)
		end_run(convert);
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
	if (convert->from == CHARSET_WITH_BASE64)
		elide_base64(convert, from, bytes, is_last);
	else
		elide_data(convert, from, bytes, is_last);
	if (is_last)
		collect_convert_repair(convert, from, 0, true);
}
