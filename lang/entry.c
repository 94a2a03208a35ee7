/* SPDX-License-Identifier: MIT */
/*
 * entry.c - where the programs and libraries begin that a manifest of Rust or
 * of Python is of.
 *
 * Does: finds, as pieces of the text, the lines that say so: "key = value".
 * Does not: know the files of the tree (rank/imports_entry.c); read JSON
 *           (config.c).
 * Limits: no inline tables, no values of several lines.
 */
#include "base/ascii.h"
#include "lang/facts.h"
#include "lang/text.h"

static const struct row {
	enum lang_manifest manifest;
	const char *section;
	const char *key; /* NULL: each */
} rows[] = {
	{ LANG_MANIFEST_CARGO, "[lib]", "path" },
	{ LANG_MANIFEST_CARGO, "[[bin]]", "path" },
	{ LANG_MANIFEST_PYPROJECT, "[project]", "name" },
	{ LANG_MANIFEST_PYPROJECT, "[project.scripts]", NULL },
	{ LANG_MANIFEST_PYPROJECT, "[project.gui-scripts]", NULL },
	{ LANG_MANIFEST_PYPROJECT, "[tool.poetry]", "name" },
	{ LANG_MANIFEST_PYPROJECT, "[tool.poetry.scripts]", NULL },
	{ LANG_MANIFEST_SETUP_CFG, "[metadata]", "name" },
	{ LANG_MANIFEST_SETUP_CFG, "[options.entry_points]", NULL },
};

/* Whether a line is the head of that section. */
static bool
is_head(const uint8_t *text, size_t at, size_t end, const char *section)
{
	return lang_has(text, at, end, section) &&
	       lang_skip_blanks(text, at + strlen(section), end) == end;
}

/* Where the value of a line begins; its end: it has none, or another key. */
static size_t
value_at(const uint8_t *text, size_t at, size_t end, const char *key)
{
	const uint8_t *sign = memchr(text + at, '=', end - at);
	size_t key_end = sign == NULL ? end : (size_t)(sign - text);

	if (sign == NULL ||
	    (key != NULL &&
	     (!lang_has(text, at, key_end, key) ||
	      lang_skip_blanks(text, at + strlen(key), key_end) != key_end)))
		return end;
	return lang_skip_blanks(text, key_end + 1, end);
}

/* Whether a word stands there on its own. */
static bool
is_word(const uint8_t *text, size_t at, size_t end, const char *word)
{
	size_t behind = at + strlen(word);

	return lang_has(text, at, end, word) &&
	       (at == 0 || !ascii_is_word(text[at - 1])) &&
	       (behind == end || !ascii_is_word(text[behind]));
}

/* Whether a string is a script: "a = b.c:main" */
static bool
is_script(const uint8_t *string, size_t bytes)
{
	const uint8_t *sign = memchr(string, '=', bytes);

	return sign != NULL &&
	       memchr(sign, ':', (size_t)(string + bytes - sign)) != NULL;
}

/* The next piece of setup.py, which is a program: the project's name, and
 * strings that are scripts, wherever they stand. */
static size_t
setup_next(const uint8_t *text, size_t from, size_t end, size_t *bytes)
{
	size_t line_end = lang_line_end(text, from, end);

	for (size_t at = from; at < end; at++) {
		if (at > line_end)
			line_end = lang_line_end(text, at, end);
		if (text[at] == '#') {
			at = line_end;
		} else if (text[at] == '"' || text[at] == '\'') {
			*bytes = lang_skip_string(text, at, line_end) - at;
			if (is_script(text + at, *bytes))
				return at;
			at += *bytes - 1;
		} else if (is_word(text, at, line_end, "name") &&
			   value_at(text, at, line_end, "name") < line_end) {
			*bytes = line_end - at;
			return at;
		}
	}
	return end;
}

size_t
lang_entry_next(enum lang_manifest manifest, const uint8_t *text, size_t from,
		size_t end, size_t *bytes)
{
	size_t line_end;
	bool is_in[ARRAY_LEN(rows)] = { false };

	if (manifest == LANG_MANIFEST_SETUP_PY)
		return setup_next(text, from, end, bytes);
	for (size_t line = 0; line < end; line = line_end + 1) {
		size_t at = lang_skip_blanks(text, line, end);

		line_end = lang_line_end(text, line, end);
		for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
			if (rows[i].manifest != manifest)
				continue;
			if (at < line_end && text[at] == '[')
				is_in[i] = is_head(text, at, line_end,
						   rows[i].section);
			else if (is_in[i] && at >= from && at < line_end &&
				 text[at] != '#' &&
				 value_at(text, at, line_end, rows[i].key) <
					 line_end) {
				*bytes = line_end - at;
				return at;
			}
		}
	}
	return end;
}
