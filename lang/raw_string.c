/* SPDX-License-Identifier: MIT */
/*
 * raw_string.c - strings without escapes whose ends their beginnings say.
 */
#include "lang/raw_string.h"

#include <string.h>

/* C++: R"delimiter( ... )delimiter" */
static bool
cpp_raw(const struct walk *walk, size_t at, struct raw_string *raw)
{
	raw->bytes = 0;
	raw->term[raw->bytes++] = ')';
	for (size_t i = at + 1; raw->bytes < 18; i++) {
		uint8_t c = walk_byte(walk, i);

		if (c == '(') {
			raw->term[raw->bytes++] = '"';
			raw->at = i + 1;
			return true;
		}
		if (c == 0 || c == '"' || is_blank_byte(c) || c == '\n')
			break;
		raw->term[raw->bytes++] = c;
	}
	return false;
}

/* Rust: r"..." r#"..."#, Swift: #"..."#. */
static bool
hash_raw(const struct walk *walk, size_t at, struct raw_string *raw)
{
	size_t hashes = 0;
	uint8_t c;

	while (at > hashes && hashes < LANG_TERM_BYTES - 2 &&
	       walk->text[at - 1 - hashes] == '#')
		hashes++;
	c = at > hashes ? walk->text[at - 1 - hashes] : 0;
	if (c != 'r' && (walk->lang->traits & TRAIT_RAW_HASHES))
		return false;
	if (hashes == 0 && !(walk->lang->traits & TRAIT_RAW_HASHES))
		return false;
	raw->at = at + 1;
	raw->bytes = hashes + 1;
	raw->term[0] = '"';
	memset(raw->term + 1, '#', hashes);
	return true;
}

/* R: r"---[ ... ]---" */
static bool
r_raw(const struct walk *walk, size_t at, struct raw_string *raw)
{
	static const char brackets[] = "(){}[]";
	uint8_t before = at > 0 ? walk->text[at - 1] : 0;
	size_t dashes = 0;
	const char *open;

	if ((before != 'r' && before != 'R') ||
	    (at > 1 && is_word_byte(walk->text[at - 2])))
		return false;
	while (dashes < LANG_TERM_BYTES - 2 &&
	       walk_byte(walk, at + 1 + dashes) == '-')
		dashes++;
	if (!is_one_of("({[", walk_byte(walk, at + 1 + dashes)))
		return false;
	open = strchr(brackets, walk->text[at + 1 + dashes]);
	raw->at = at + dashes + 2;
	raw->bytes = dashes + 2;
	raw->term[0] = (uint8_t)open[1];
	memset(raw->term + 1, '-', dashes);
	raw->term[dashes + 1] = walk->text[at];
	return true;
}

/* PowerShell: @" and lines up to one that begins with "@. */
static bool
at_raw(const struct walk *walk, size_t at, struct raw_string *raw)
{
	size_t line = walk_skip_blanks(walk, at + 1);

	if (at == 0 || walk->text[at - 1] != '@' ||
	    walk_byte(walk, line) != '\n')
		return false;
	raw->at = line;
	raw->bytes = 3;
	raw->term[0] = '\n';
	raw->term[1] = walk->text[at];
	raw->term[2] = '@';
	return true;
}

/* C#: three quotes or more, which as many end. */
static bool
quotes_raw(const struct walk *walk, size_t at, struct raw_string *raw)
{
	raw->bytes = 0;
	while (raw->bytes < LANG_TERM_BYTES &&
	       walk_byte(walk, at + raw->bytes) == '"')
		raw->term[raw->bytes++] = '"';
	raw->at = at + raw->bytes;
	return raw->bytes > 2;
}

bool
raw_string_at(const struct walk *walk, size_t at, struct raw_string *raw)
{
	uint64_t traits = walk->lang->traits;
	uint8_t before = at > 0 ? walk->text[at - 1] : 0;

	if (walk->lang->family != FAMILY_BRACE)
		return false;
	if (walk->scan->lang == LANG_R)
		return r_raw(walk, at, raw);
	if (walk->scan->lang == LANG_POWERSHELL)
		return at_raw(walk, at, raw);
	if (walk->text[at] != '"')
		return false;
	if (walk->scan->lang == LANG_CSHARP)
		return before != '@' && quotes_raw(walk, at, raw);
	if ((traits & TRAIT_CPP) && before == 'R')
		return cpp_raw(walk, at, raw);
	if (((traits & TRAIT_RAW_HASHES) && (before == 'r' || before == '#')) ||
	    ((walk->events->quotes['"'] & QUOTE_BACKSLASH) && before == '#'))
		return hash_raw(walk, at, raw);
	return false;
}
