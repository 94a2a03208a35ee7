/* SPDX-License-Identifier: MIT */
/*
 * pattern.c - see pattern.h.
 */
#include "secrets/pattern.h"

#include "base/ascii.h"

static void
add(struct pattern_item *item, unsigned c)
{
	item->set[c / 64] |= 1ull << c % 64;
}

/* A set behind its bracket; what follows it. */
static const char *
read_set(const char *at, struct pattern_item *item)
{
	for (; *at != ']'; at++) {
		unsigned last = (uint8_t)*at;

		ASSERT(*at != '\0');
		if (at[1] == '-' && at[2] != ']')
			last = (uint8_t)at[2];
		for (unsigned c = (uint8_t)*at; c <= last; c++)
			add(item, c);
		if (last != (uint8_t)*at)
			at += 2;
	}
	return at + 1;
}

static const char *
read_number(const char *at, uint16_t *number)
{
	unsigned value = 0;

	for (; ascii_is_digit((uint8_t)*at); at++)
		value = value * 10 + (unsigned)(*at - '0');
	*number = (uint16_t)value;
	return at;
}

/* {n}, {n,m} or {n,}, if one is there; what follows it. */
static const char *
read_times(const char *at, struct pattern_item *item)
{
	item->least = 1;
	item->most = 1;
	if (*at != '{')
		return at;
	at = read_number(at + 1, &item->least);
	item->most = item->least;
	if (*at == ',' && at[1] == '}')
		item->most = PATTERN_MOST;
	if (*at == ',')
		at++;
	if (*at != '}')
		at = read_number(at, &item->most);
	ASSERT(*at == '}' && item->least <= item->most &&
	       item->most <= PATTERN_MOST);
	return at + 1;
}

uint16_t
pattern_compile(const char *text, struct pattern_item *items, size_t room)
{
	uint16_t nr = 0;

	while (*text != '\0') {
		struct pattern_item *item = &items[nr];

		ASSERT(nr < room);
		*item = (struct pattern_item){ 0 };
		if (*text == '[')
			text = read_set(text + 1, item);
		else
			add(item, (uint8_t)*text++);
		text = read_times(text, item);
		nr++;
	}
	return nr;
}

uint16_t
pattern_bytes(const struct pattern_item *items, uint16_t nr)
{
	unsigned bytes = 0;

	for (uint16_t i = 0; i < nr; i++) {
		ASSERT(items[i].least == items[i].most);
		bytes += items[i].least;
	}
	return (uint16_t)bytes;
}

enum pattern_result
pattern_match(const struct pattern_item *items, uint16_t nr,
	      const struct secrets_text *text, size_t *end)
{
	size_t at = 0;

	for (uint16_t i = 0; i < nr; i++) {
		const struct pattern_item *item = &items[i];
		size_t times = 0;

		while (times < item->most && at < text->nr &&
		       pattern_has(item, text->at[at])) {
			times++;
			at++;
		}
		if (times < item->most && at == text->nr && !text->at_end)
			return PATTERN_OPEN;
		if (times < item->least)
			return PATTERN_NO;
	}
	*end = at;
	return PATTERN_YES;
}
