/* SPDX-License-Identifier: MIT */
/*
 * import.c - what stands behind the name of an import, and what a file
 *                  says it is of.
 */
#include <string.h>

#include "base/ascii.h"
#include "lang/facts.h"
#include "lang/text.h"

static bool
is_name(uint8_t c)
{
	return ascii_is_word(c) || is_one_of(".-/\\@~", c);
}

/* Where an import of Python ends: with a semicolon, a comment, or its line,
 * which goes on behind a backslash. */
static size_t
statement_end(const uint8_t *text, size_t at, size_t end)
{
	while (at < end && text[at] != '\n' && text[at] != ';' &&
	       text[at] != '#') {
		size_t next = lang_skip_joined(text, at, end);

		at = next > at ? next : at + 1;
	}
	return at;
}

/* Behind the bracket that closes the one at `at`; end if none does. */
static size_t
skip_brackets(const uint8_t *text, size_t at, size_t end)
{
	uint32_t depth = 0;

	for (; at < end; at++) {
		if (text[at] == '{' || text[at] == '(')
			depth++;
		else if ((text[at] == '}' || text[at] == ')') && --depth == 0)
			return at + 1;
	}
	return end;
}

size_t
lang_import_extent(const uint8_t *text, size_t at, size_t bytes, size_t end)
{
	size_t to = at + bytes;
	size_t next = lang_skip_joined(text, to, end);

	if (bytes == 0 || next == end)
		return bytes;
	/* Python: from a import b */
	if (next > to && lang_has(text, next, end, "import") &&
	    next + 6 < end && !is_name(text[next + 6])) {
		next = lang_skip_joined(text, next + 6, end);
		to = next < end && text[next] == '('
			     ? skip_brackets(text, next, end)
			     : statement_end(text, next, end);
		return to - at;
	}
	/* Rust: use a::{b, c}; PHP: use a\{b, c} */
	if (text[next] == '{' && (text[to - 1] == ':' || text[to - 1] == '\\'))
		return skip_brackets(text, next, end) - at;
	return bytes;
}

static const struct lang_package {
	const char *ends;    /* its path ends so; NULL: a tsconfig.json */
	const char *says;    /* a line begins so; NULL: lang_config_next() */
	const char *section; /* only behind this line; NULL: anywhere */
	bool is_quoted;
	enum lang_config config;
	enum lang_manifest manifest; /* lang_entry_next(), behind the name */
} packages[] = {
	{ NULL, NULL, NULL, false, LANG_CONFIG_MODULES, 0 },
	{ ".cs", "namespace ", NULL, false, 0, 0 },
	{ ".java", "package ", NULL, false, 0, 0 },
	{ ".kt", "package ", NULL, false, 0, 0 },
	{ ".scala", "package ", NULL, false, 0, 0 },
	{ ".groovy", "package ", NULL, false, 0, 0 },
	{ ".php", "namespace ", NULL, false, 0, 0 },
	{ "go.mod", "module ", NULL, false, 0, 0 },
	{ "Cargo.toml", "name", "[package]", true, 0, LANG_MANIFEST_CARGO },
	{ "package.json", NULL, NULL, false, LANG_CONFIG_PACKAGE, 0 },
	{ "pyproject.toml", NULL, NULL, false, 0, LANG_MANIFEST_PYPROJECT },
	{ "setup.cfg", NULL, NULL, false, 0, LANG_MANIFEST_SETUP_CFG },
	{ "setup.py", NULL, NULL, false, 0, LANG_MANIFEST_SETUP_PY },
};

const struct lang_package *
lang_package_of(const uint8_t *path, size_t bytes)
{
	if (lang_config_is(path, bytes))
		return &packages[0];
	for (size_t i = 1; i < ARRAY_LEN(packages); i++) {
		size_t end = strlen(packages[i].ends);

		if (bytes >= end &&
		    memcmp(path + bytes - end, packages[i].ends, end) == 0)
			return &packages[i];
	}
	return NULL;
}

/* The name behind what a line begins with; bytes 0: none. */
static size_t
name_at(const uint8_t *text, size_t at, size_t end, bool is_quoted,
	size_t *bytes)
{
	size_t from;

	*bytes = 0;
	while (is_quoted && at < end && text[at] != '\n' &&
	       (lang_is_blank(text[at]) || text[at] == '=' || text[at] == ':'))
		at++;
	at = lang_skip_blanks(text, at, end);
	if (at < end && (text[at] == '"' || text[at] == '\''))
		at++;
	else if (is_quoted)
		return at;
	for (from = at; at < end && is_name(text[at]);)
		at++;
	*bytes = at - from;
	return from;
}

size_t
lang_package_next(const struct lang_package *package, const uint8_t *text,
		  size_t from, size_t end, size_t *name_bytes)
{
	bool is_behind;

	if (package->says == NULL && package->manifest == LANG_MANIFEST_NONE)
		return lang_config_next(package->config, text, from, end,
					name_bytes);
	/* a manifest names one, and others that are not its own */
	if (package->says == NULL || (from > 0 && package->is_quoted))
		return lang_entry_next(package->manifest, text, from, end,
				       name_bytes);
	is_behind = package->section == NULL;
	if (from == 0 && lang_has(text, 0, end, "\xef\xbb\xbf"))
		from = 3; /* a byte order mark */
	/* at the beginning of a line */
	else if (from > 0)
		from = lang_line_end(text, from, end);
	while (from < end) {
		size_t at = lang_skip_blanks(text, from + (text[from] == '\n'),
					     end);

		if (!is_behind)
			is_behind = lang_has(text, at, end, package->section);
		else if (lang_has(text, at, end, package->says)) {
			at = name_at(text, at + strlen(package->says), end,
				     package->is_quoted, name_bytes);
			if (*name_bytes > 0)
				return at;
		}
		from = lang_line_end(text, at > from ? at : from + 1, end);
	}
	return package->manifest == LANG_MANIFEST_NONE
		       ? end
		       : lang_entry_next(package->manifest, text, 0, end,
					 name_bytes);
}
