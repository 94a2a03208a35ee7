/* SPDX-License-Identifier: MIT */
/*
 * conversation_secrets.c - secrets in what a conversation gets from outside.
 *
 * Does: replaces them, before anything is parsed, counted or kept; of JSON also
 *       those that its escapes hide, as in a tool's arguments.
 */
#include "cli/conversation.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/exit_code.h"
#include "lang/text.h"
#include "secrets/secrets.h"

#define NAMED_MAX 20 /* in messages */

#define DEPTH_MAX 4 /* of JSON in strings of JSON */

/* A text that loses its secrets. */
struct cleaning {
	const struct secrets_rules *rules;
	struct conversation_secrets *secrets;
	uint64_t line; /* that is in work */
	unsigned depth;
	bool no_memory; /* not all could be cleaned */
};

static void
tell(const struct cleaning *cleaning, uint16_t rule, uint64_t line)
{
	struct conversation_secrets *secrets = cleaning->secrets;
	bool warns = secrets_rule_warns(rule);
	enum diag_level level = DIAG_WARN;

	secrets->found_nr += !warns;
	if (!warns && secrets->mode == SECRETS_FAIL)
		level = DIAG_ERROR;
	else if (!warns && secrets->mode == SECRETS_REDACT)
		level = DIAG_INFO;
	if (secrets->told_nr++ < NAMED_MAX)
		diag_log(level, "BALE-SEC-001 %s:%ju: a secret, by the rule %s",
			 secrets->name, (uintmax_t)line,
			 secrets_rule_name(rule));
}

/* Writes a text without its secrets: how many there were, of all rules. */
static size_t
clean(const struct cleaning *cleaning, const char *text, size_t bytes,
      FILE *out)
{
	const struct secrets_text whole = { (const uint8_t *)text, bytes,
					    true };
	struct secrets_redactor redactor = { 0 };
	struct secrets_piece piece;
	uint64_t line = cleaning->line;
	size_t nr = 0;

	while (secrets_redact_next(&redactor, cleaning->rules, &whole,
				   &piece) == SECRETS_FOUND) {
		/* what stays would be told of in each depth */
		bool is_told =
			piece.is_found && (cleaning->depth == 0 ||
					   !secrets_rule_warns(piece.rule));

		if (is_told)
			tell(cleaning, piece.rule, line);
		nr += is_told;
		/* a string of JSON is on one line */
		if (cleaning->depth == 0)
			line += lang_newlines(piece.at, piece.nr);
		fwrite(piece.at, 1, piece.nr, out);
	}
	return nr;
}

/* Behind the string of JSON that begins at `at`. */
static const char *
string_end(const char *at, const char *end)
{
	for (at++; at < end && *at != '"'; at++)
		if (*at == '\\')
			at++;
	return at < end ? at + 1 : end;
}

static size_t
clean_json(struct cleaning *cleaning, const char *text, size_t bytes,
	   FILE *out);

/* A string of JSON that stands for itself. */
static size_t
clean_plain_string(struct cleaning *cleaning, const char *at, const char *end,
		   FILE *out)
{
	size_t bytes = (size_t)(end - at);
	size_t nr;

	if (bytes < 2 || end[-1] != '"') {
		fwrite(at, 1, bytes, out);
		return 0;
	}
	fputc('"', out);
	cleaning->depth++;
	nr = clean(cleaning, at + 1, bytes - 2, out);
	cleaning->depth--;
	fputc('"', out);
	return nr;
}

/* One with escapes as what it stands for, cleaned, and as JSON again. */
static size_t
clean_string(struct cleaning *cleaning, const char *at, const char *end,
	     FILE *out)
{
	json_t *string = json_loadb(at, (size_t)(end - at),
				    JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
	char *text = NULL;
	size_t bytes = 0;
	size_t nr = 0;
	FILE *inner = string == NULL ? NULL : open_memstream(&text, &bytes);

	if (inner != NULL) {
		cleaning->depth++;
		nr = clean_json(cleaning, json_string_value(string),
				json_string_length(string), inner);
		cleaning->depth--;
		cleaning->no_memory |= fclose(inner) != 0;
	}
	cleaning->no_memory |= string != NULL && inner == NULL;
	json_decref(string);
	if (nr == 0) {
		fwrite(at, 1, (size_t)(end - at), out);
	} else {
		string = json_stringn(text, bytes);
		cleaning->no_memory |=
			json_dumpf(string, out, JSON_ENCODE_ANY) != 0;
		json_decref(string);
	}
	free(text);
	return nr;
}

/* The strings of JSON; all else is as it was. */
static size_t
clean_strings(struct cleaning *cleaning, const char *text, size_t bytes,
	      FILE *out)
{
	const char *end = text + bytes;
	size_t nr = 0;

	while (text < end) {
		bool is_string = *text == '"';
		const char *next =
			is_string ? string_end(text, end)
				  : memchr(text, '"', (size_t)(end - text));
		size_t part_bytes;

		next = next == NULL ? end : next;
		part_bytes = (size_t)(next - text);
		if (!is_string)
			fwrite(text, 1, part_bytes, out);
		else if (memchr(text, '\\', part_bytes) == NULL)
			nr += clean_plain_string(cleaning, text, next, out);
		else
			nr += clean_string(cleaning, text, next, out);
		if (cleaning->depth == 0)
			cleaning->line += lang_newlines((const uint8_t *)text,
							part_bytes);
		text = next;
	}
	return nr;
}

/* Once over its strings, and then over all of it: how many secrets. */
static size_t
clean_json(struct cleaning *cleaning, const char *text, size_t bytes, FILE *out)
{
	uint64_t line = cleaning->line;
	char *inner = NULL;
	size_t inner_bytes = 0;
	FILE *strings;
	size_t nr;

	if (cleaning->depth >= DEPTH_MAX)
		return clean(cleaning, text, bytes, out);
	strings = open_memstream(&inner, &inner_bytes);
	if (strings == NULL) {
		cleaning->no_memory = true;
		return 0;
	}
	nr = clean_strings(cleaning, text, bytes, strings);
	cleaning->line = line;
	if (fclose(strings) == 0)
		nr += clean(cleaning, inner, inner_bytes, out);
	else
		cleaning->no_memory = true;
	free(inner);
	return nr;
}

static int
run(struct conversation_secrets *secrets, bool is_json, char **text,
    size_t *bytes)
{
	struct cleaning cleaning = {
		.rules = secrets_rules(),
		.secrets = secrets,
		.line = max_u64(secrets->line, 1),
	};
	char *cleaned = NULL;
	size_t cleaned_bytes = 0;
	FILE *out = open_memstream(&cleaned, &cleaned_bytes);

	if (out == NULL)
		return exit_out_of_memory();
	if (is_json)
		clean_json(&cleaning, *text, *bytes, out);
	else
		clean(&cleaning, *text, *bytes, out);
	if (fclose(out) != 0 || cleaning.no_memory) {
		free(cleaned);
		return exit_out_of_memory();
	}
	free(*text);
	*text = cleaned;
	*bytes = cleaned_bytes;
	return EXIT_COMPLETE;
}

int
conversation_clean_part(struct conversation_secrets *secrets, bool is_json,
			char **text, size_t *bytes)
{
	char *before = NULL;
	size_t before_bytes = *bytes;
	int code;

	secrets->found_nr = 0;
	if (secrets->mode == SECRETS_OFF || *bytes == 0)
		return EXIT_COMPLETE;
	if (secrets->mode == SECRETS_WARN) {
		before = malloc(*bytes + 1);
		if (before == NULL)
			return exit_out_of_memory();
		memcpy(before, *text, *bytes);
		before[*bytes] = '\0';
	}
	code = run(secrets, is_json, text, bytes);
	if (before != NULL) {
		free(*text);
		*text = before;
		*bytes = before_bytes;
	}
	if (code == EXIT_COMPLETE && secrets->mode == SECRETS_FAIL &&
	    secrets->found_nr > 0)
		return EXIT_SECRET;
	return code;
}

int
conversation_refuse_secrets(void)
{
	return exit_with(EXIT_SECRET, "--secrets=fail: nothing is written; "
				      "--secrets=redact replaces them");
}

int
conversation_clean(struct conversation_secrets *secrets, bool is_json,
		   char **text, size_t *bytes)
{
	int code = conversation_clean_part(secrets, is_json, text, bytes);

	return code == EXIT_SECRET ? conversation_refuse_secrets() : code;
}
