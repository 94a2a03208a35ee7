/* SPDX-License-Identifier: MIT */
/*
 * config_file.c - the syntax of git's configuration files.
 *
 * Does: sections, parts of sections, quoting, continued lines, comments.
 * Does not: know what any setting means, or follow includes.
 * Limits: names of 255 bytes, values of 4095; longer ones are refused.
 *
 * source: git-config(1), SYNTAX
 */
#include "base/ascii.h"
#include "git/git.h"

#include <errno.h>
#include <string.h>

#include "base/utf8.h"
void
gitconfig_init(struct gitconfig *config, const char *text, size_t bytes)
{
	config->at = text + utf8_mark_bytes(text, bytes);
	config->end = text + bytes;
	config->section[0] = '\0';
	config->part[0] = '\0';
}

/* The next byte, CR LF as one LF; -1: the end. */
static int
take(struct gitconfig *config)
{
	if (config->at == config->end)
		return -1;
	if (config->at[0] == '\r' && config->end - config->at > 1 &&
	    config->at[1] == '\n')
		config->at++;
	return (unsigned char)*config->at++;
}

static int
peek(const struct gitconfig *config)
{
	struct gitconfig look;

	look.at = config->at;
	look.end = config->end;
	return take(&look);
}

static bool
is_blank(int c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

static bool
is_name(int c)
{
	return ascii_is_letter((uint8_t)c) || ascii_is_digit((uint8_t)c) ||
	       c == '-';
}

static void
skip_line(struct gitconfig *config)
{
	int c;

	do {
		c = take(config);
	} while (c != '\n' && c != -1);
}

/* The quoted part of a section's name, after its first '"'. */
static int
read_part(struct gitconfig *config)
{
	size_t bytes = 0;
	int c;

	while ((c = take(config)) != '"') {
		if (c == '\\')
			c = take(config);
		if (c == -1 || c == '\n' || bytes + 1 >= GITCONFIG_NAME_BYTES)
			return -EINVAL;
		config->part[bytes++] = (char)c;
	}
	config->part[bytes] = '\0';
	return take(config) == ']' ? 0 : -EINVAL;
}

/* A section's name, after its '['. */
static int
read_section(struct gitconfig *config)
{
	size_t bytes = 0;
	char *dot;
	int c;

	config->part[0] = '\0';
	while (is_name(c = take(config)) || c == '.') {
		if (bytes + 1 >= GITCONFIG_NAME_BYTES)
			return -EINVAL;
		config->section[bytes++] = (char)ascii_lower((uint8_t)c);
	}
	config->section[bytes] = '\0';
	if (c == ']') {
		/* The old way to write a part: [section.part]. */
		dot = strchr(config->section, '.');
		if (dot != NULL) {
			strcpy(config->part, dot + 1);
			*dot = '\0';
		}
		return 0;
	}
	while (is_blank(c))
		c = take(config);
	return c == '"' ? read_part(config) : -EINVAL;
}

/* What stands behind a backslash in a value; -1: nothing may. */
static int
escaped(int c)
{
	switch (c) {
	case 't':
		return '\t';
	case 'n':
		return '\n';
	case 'b':
		return '\b';
	case '"':
	case '\\':
		return c;
	default:
		return -1;
	}
}

/* A value, after its '='. */
static int
read_value(struct gitconfig *config)
{
	size_t bytes = 0;
	size_t trimmed = 0; /* without blanks at the end */
	bool quoted = false;

	for (;;) {
		int c = take(config);
		bool counts = true;

		if (c == -1 || c == '\n')
			break;
		if (!quoted && (c == '#' || c == ';')) {
			skip_line(config);
			break;
		}
		if (c == '"') {
			quoted = !quoted;
			continue;
		}
		if (!quoted && is_blank(c)) {
			if (bytes == 0)
				continue;
			counts = false;
		}
		if (c == '\\') {
			c = take(config);
			if (c == '\n')
				continue;
			c = escaped(c);
			if (c == -1)
				return -EINVAL;
		}
		if (bytes + 1 >= GITCONFIG_VALUE_BYTES)
			return -EINVAL;
		config->value[bytes++] = (char)c;
		if (counts)
			trimmed = bytes;
	}
	config->value[trimmed] = '\0';
	return quoted ? -EINVAL : 0;
}

/* "key = value" or "key", from its first byte. */
static int
read_setting(struct gitconfig *config)
{
	size_t bytes = 0;
	int c;

	while (is_name(peek(config))) {
		if (bytes + 1 >= GITCONFIG_NAME_BYTES)
			return -EINVAL;
		config->key[bytes++] = (char)ascii_lower((uint8_t)take(config));
	}
	config->key[bytes] = '\0';
	config->value[0] = '\0';
	while (is_blank(peek(config)))
		take(config);
	c = take(config);
	config->has_value = c == '=';
	if (c == '=')
		return read_value(config);
	if (c == '#' || c == ';') {
		skip_line(config);
		return 0;
	}
	return c == '\n' || c == -1 ? 0 : -EINVAL;
}

int
gitconfig_next(struct gitconfig *config)
{
	for (;;) {
		int c = peek(config);
		int error = 0;

		if (c == -1)
			return 0;
		if (ascii_is_letter((uint8_t)c)) {
			error = read_setting(config);
			return error != 0 ? error : 1;
		}
		take(config);
		if (c == '[')
			error = read_section(config);
		else if (c == '#' || c == ';')
			skip_line(config);
		else if (!is_blank(c) && c != '\n')
			error = -EINVAL;
		if (error != 0)
			return error;
	}
}

bool
gitconfig_is(const struct gitconfig *config, const char *section,
	     const char *key)
{
	return strcmp(config->section, section) == 0 &&
	       strcmp(config->key, key) == 0;
}

bool
gitconfig_true(const struct gitconfig *config)
{
	static const char *const words[] = { "true", "yes", "on", "1" };
	char folded[8] = "";

	if (!config->has_value)
		return true;
	for (size_t i = 0; i + 1 < sizeof(folded) && config->value[i]; i++)
		folded[i] = (char)ascii_lower((uint8_t)config->value[i]);
	return text_is_among(folded, words, ARRAY_LEN(words));
}
