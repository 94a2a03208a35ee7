/* SPDX-License-Identifier: MIT */
/*
 * layout_signature.c - signatures over lines in Haskell, Elm, OCaml and their
 *                      like.
 *
 * Does: tells whether the line behind a signature is part of it: it stands
 *       farther in, and what is defined is a type, or has no body yet.
 * Limits: SIGNATURE_BYTES from where the definition begins; the names before
 *         a type, and the arguments of a function, in ARGUMENT_BYTES.
 */
#include "lang/lines.h"

#define SIGNATURE_BYTES 4096
#define ARGUMENT_BYTES 512

/* Whether f :: T, or f, g :: T, or f : T in Elm, stands at the name. */
static bool
is_typed(const struct walk *walk, const struct lang_frame *frame, size_t end)
{
	uint32_t lang = walk->scan->lang;
	size_t at = walk_index(walk, frame->name_off) + frame->name_bytes;

	end = min_size(end, at + ARGUMENT_BYTES);
	at += walk_byte(walk, at) == ')';
	for (;;) {
		at = walk_skip_space(walk, at + lines_name(walk, at));
		if (at >= end || walk->text[at] != ',')
			break;
		at = walk_skip_blanks(walk, at + 1);
	}
	return at < end && walk->text[at] == ':' &&
	       (lang == LANG_ELM || walk_byte(walk, at + 1) == ':');
}

/* Whether a sign of a value stands there, outside of brackets. */
static bool
has_sign(const struct walk *walk, size_t at, size_t end)
{
	uint32_t nest = 0;

	for (; at < end; at++) {
		uint8_t c = walk->text[at];

		nest += is_one_of("([{", c);
		nest -= nest > 0 && is_one_of(")]}", c);
		if (nest == 0 && c == '=' && walk_byte(walk, at + 1) != '>')
			return true;
	}
	return false;
}

/* Whether the line before `end` ends with the word. */
static bool
ends_with(const struct walk *walk, size_t from, size_t end, const char *word)
{
	size_t bytes = strlen(word);

	while (end > from && is_blank_byte(walk->text[end - 1]))
		end--;
	return end - from >= bytes &&
	       memcmp(walk->text + end - bytes, word, bytes) == 0;
}

/* OCaml, F#, SML: types, and functions up to their sign. */
static bool
ml_goes_on(const struct walk *walk, const struct lang_frame *frame, size_t at,
	   size_t next)
{
	size_t from = walk_index(walk, frame->off);

	if (frame->kind == LANG_KIND_FUNCTION)
		return at - from < ARGUMENT_BYTES && !has_sign(walk, from, at);
	if (frame->kind != LANG_KIND_TYPE)
		return false;
	/* F#: members stand behind what a type is */
	return walk->scan->lang != LANG_FSHARP ||
	       is_one_of("|{", walk->text[next]);
}

/* Haskell, PureScript, Elm: types, and types of functions. */
static bool
haskell_goes_on(const struct walk *walk, const struct lang_frame *frame,
		size_t at, size_t next)
{
	size_t from = walk_index(walk, frame->off);

	switch (frame->kind) {
	case LANG_KIND_TYPE:
		return true;
	case LANG_KIND_FUNCTION:
	case LANG_KIND_METHOD:
		return is_typed(walk, frame, at) ||
		       (walk_has(walk, next, "::") &&
			at - from < ARGUMENT_BYTES &&
			!has_sign(walk, from, at));
	case LANG_KIND_INTERFACE:
	case LANG_KIND_MODULE:
		return !ends_with(walk, from, at, "where") &&
		       (walk_has(walk, next, "=>") ||
			ends_with(walk, from, at, "=>"));
	default:
		return false;
	}
}

bool
layout_goes_on(const struct walk *walk, size_t at)
{
	const struct lang_frame *frame = walk_frame(walk);
	size_t line = at + 1;
	size_t next;

	if (frame == NULL || frame->kind == LANG_KIND_NONE ||
	    frame->body_off != 0 || frame->off < walk->off ||
	    walk->off + at - frame->off > SIGNATURE_BYTES)
		return false;
	next = walk_skip_blanks(walk, line);
	if (next >= walk->bytes || walk->text[next] == '\n')
		return false;
	/* in OCaml the cases of a type may stand below its word */
	if (next - line <= frame->indent && walk->text[line] != '\t' &&
	    !(walk->text[next] == '|' && next - line == frame->indent &&
	      frame->kind == LANG_KIND_TYPE))
		return false;
	return walk->lang->traits & TRAIT_ML_COMMENTS
		       ? ml_goes_on(walk, frame, at, next)
		       : haskell_goes_on(walk, frame, at, next);
}
