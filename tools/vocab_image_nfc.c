/* SPDX-License-Identifier: MIT */
/*
 * vocab_image_nfc.c - data/unicode_nfc.txt to the table of tokenizer/nfc.h.
 *
 * Runs in: the build.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tokenizer/nfc.h"
#include "tools/vocab_image.h"

#define MAX_FACTS 8192u
#define MAX_PAIRS 2048u

struct building {
	const char *path;
	struct nfc_fact *of; /* [MAX_RUNES] */
	struct nfc_fact facts[MAX_FACTS];
	uint32_t facts_nr;
	struct nfc_pair pairs[MAX_PAIRS];
	uint32_t pairs_nr;
	uint16_t *numbers; /* [MAX_RUNES] */
};

static uint32_t
checked(const struct building *b, unsigned code)
{
	if (code >= MAX_RUNES)
		fail(b->path, "has a code point out of bounds");
	return code;
}

static void
read_line(struct building *b, const char *line)
{
	unsigned code, first, second = 0, ccc;
	struct nfc_pair *pair;

	if (sscanf(line, "class %x %x %u", &code, &first, &ccc) == 3) {
		for (; code <= checked(b, first); code++)
			b->of[code].ccc = (uint16_t)ccc;
		return;
	}
	if (sscanf(line, "split %x %x %x", &code, &first, &second) >= 2) {
		b->of[checked(b, code)].flags |= NFC_NEVER;
	} else if (sscanf(line, "pair %x %x %x", &code, &first, &second) == 3 &&
		   b->pairs_nr < MAX_PAIRS) {
		pair = &b->pairs[b->pairs_nr++];
		pair->first = checked(b, first);
		pair->second = checked(b, second);
		pair->composed = checked(b, code);
		b->of[second].flags |= NFC_BEHIND;
	} else {
		fail(b->path, "has a line that is not known");
	}
	b->of[checked(b, code)].first = checked(b, first);
	b->of[code].second = checked(b, second);
}

/* Vowels and tails of Hangul are composed by computing. */
static void
mark_hangul(struct building *b)
{
	uint32_t code;

	for (code = 0x1161; code < 0x1176; code++)
		b->of[code].flags |= NFC_BEHIND;
	for (code = 0x11a8; code < 0x11c3; code++)
		b->of[code].flags |= NFC_BEHIND;
}

static void
number_facts(struct building *b)
{
	uint32_t code, at;

	b->facts_nr = 1;
	for (code = 0; code < MAX_RUNES; code++) {
		for (at = 0; at < b->facts_nr; at++)
			if (memcmp(&b->facts[at], &b->of[code],
				   sizeof(b->facts[0])) == 0)
				break;
		if (at == b->facts_nr) {
			if (b->facts_nr == MAX_FACTS)
				fail(b->path, "has too many facts");
			b->facts[b->facts_nr++] = b->of[code];
		}
		b->numbers[code] = (uint16_t)at;
	}
}

static int
by_parts(const void *a, const void *b)
{
	const struct nfc_pair *x = a, *y = b;

	if (x->first != y->first)
		return x->first < y->first ? -1 : 1;
	return x->second < y->second ? -1 : x->second > y->second;
}

static void
write_table(struct building *b, const char *out)
{
	struct nfc_table *table =
		calloc(1, sizeof(*table) + 2 * MAX_RUNES + sizeof(*b));
	uint32_t used = 0, at, i, j;

	if (table == NULL)
		fail(out, "out of memory");
	for (i = 0; i < UNICODE_BLOCKS; i++) {
		for (j = 0; j < used; j++)
			if (memcmp(table->numbers + 128 * j,
				   b->numbers + 128 * i, 256) == 0)
				break;
		if (j == used)
			memcpy(table->numbers + 128 * used++,
			       b->numbers + 128 * i, 256);
		table->blocks[i] = (uint16_t)j;
	}
	at = (uint32_t)(sizeof(*table) + 256 * (size_t)used);
	memcpy(table->magic, "balenfc", 8);
	table->facts_off = at;
	memcpy((uint8_t *)table + at, b->facts,
	       b->facts_nr * sizeof(b->facts[0]));
	at += (uint32_t)(b->facts_nr * sizeof(b->facts[0]));
	table->pairs_off = at;
	table->pairs_nr = b->pairs_nr;
	memcpy((uint8_t *)table + at, b->pairs,
	       b->pairs_nr * sizeof(b->pairs[0]));
	at += (uint32_t)(b->pairs_nr * sizeof(b->pairs[0]));
	table->image_bytes = at;
	table->checksum = unicode_checksum(table, at);
	write_file(out, table, at);
	free(table);
}

void
make_nfc(const char *in, const char *out)
{
	static struct building b;
	char *line, *rest;
	size_t len;

	b.path = in;
	b.of = calloc(MAX_RUNES, sizeof(*b.of));
	b.numbers = calloc(MAX_RUNES, sizeof(*b.numbers));
	if (b.of == NULL || b.numbers == NULL)
		fail(in, "out of memory");
	rest = (char *)read_file(in, &len);
	while ((line = strsep(&rest, "\n")) != NULL)
		if (line[0] != '#' && line[0] != '\0')
			read_line(&b, line);
	mark_hangul(&b);
	number_facts(&b);
	qsort(b.pairs, b.pairs_nr, sizeof(b.pairs[0]), by_parts);
	write_table(&b, out);
}
