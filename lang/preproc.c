/* SPDX-License-Identifier: MIT */
/*
 * preproc.c - lines of the preprocessor: branches, includes, macros.
 */
#include "lang/preproc.h"

#include <string.h>

/* Behind the line of a directive; `to` at the latest. */
static size_t
skip_line(const struct walk *walk, size_t at, size_t to)
{
	while (at < to) {
		const uint8_t *newline = memchr(walk->text + at, '\n', to - at);

		if (newline == NULL)
			return to;
		at = (size_t)(newline - walk->text);
		if (at == 0 || walk->text[at - 1] != '\\')
			return at;
		at++;
	}
	return to;
}

/* The word of the directive whose # is there. */
static size_t
skip_sign(const struct walk *walk, size_t at)
{
	at++;
	while (walk_byte(walk, at) == ' ' || walk_byte(walk, at) == '\t')
		at++;
	return at;
}

bool
preproc_is(const struct walk *walk, size_t at, const char *word)
{
	return walk_has(walk, skip_sign(walk, at), word);
}

bool
preproc_is_directive(const struct walk *walk, size_t at)
{
	return walk->scan->lang != LANG_SWIFT ||
	       lang_word("if elseif else endif", walk->text + at + 1,
			 walk_word_end(walk, at + 1) - at - 1, NULL);
}

size_t
preproc_skip_else(const struct walk *walk, size_t at, size_t to)
{
	uint32_t nest = 0;

	while (at < to) {
		size_t line = skip_line(walk, at, to);

		line = walk_skip_space(walk, line);
		if (line >= to)
			break;
		at = line;
		if (walk->text[at] != '#')
			continue;
		if (preproc_is(walk, at, "if"))
			nest++;
		else if (preproc_is(walk, at, "endif") && nest-- == 0)
			return skip_line(walk, at, to);
	}
	return SIZE_MAX;
}

static void
cond_begin(struct walk *walk)
{
	struct lang_scan *scan = walk->scan;

	if (scan->cond_nr < LANG_CONDS)
		scan->conds[scan->cond_nr] = (struct lang_cond){
			.stmt_off = scan->stmt_off,
			.depth = scan->depth,
			.over = (uint32_t)scan->over,
		};
	scan->cond_nr++;
}

/*
 * Another branch begins where the first one did. The frames of a deeper depth
 * are still there unless the first branch has put others in their place.
 */
static void
cond_else(struct walk *walk, size_t at)
{
	struct lang_scan *scan = walk->scan;
	struct lang_cond *cond;

	if (scan->cond_nr == 0 || scan->cond_nr > LANG_CONDS)
		return;
	cond = &scan->conds[scan->cond_nr - 1];
	if (!cond->is_else) {
		cond->is_else = 1;
		cond->end_depth = scan->depth;
		cond->end_over = (uint32_t)scan->over;
	}
	if (scan->stmt_off != cond->stmt_off)
		walk_begin_statement(walk, at);
	while (scan->depth > cond->depth)
		walk_frame(walk)->kind = LANG_KIND_NONE, scan->depth--;
	scan->depth = cond->depth;
	scan->over = cond->over;
}

/* The first branch is the one that counts for what follows. */
static void
cond_end(struct walk *walk)
{
	struct lang_scan *scan = walk->scan;
	struct lang_cond *cond;

	if (scan->cond_nr == 0)
		return;
	if (scan->cond_nr-- > LANG_CONDS)
		return;
	cond = &scan->conds[scan->cond_nr];
	if (cond->is_else) {
		scan->depth = cond->end_depth;
		scan->over = cond->end_over;
	}
}

/* #include "a", #include_next <a>: what stands between. A macro says nothing. */
static void
include(struct walk *walk, size_t at)
{
	uint8_t close;
	size_t end;

	at = walk_skip_blanks(walk, walk_word_end(walk, at));
	close = walk_byte(walk, at) == '<' ? '>' : '"';
	if (close == '"' && walk_byte(walk, at) != '"')
		return;
	end = ++at;
	while (end < walk->bytes && walk->text[end] != close &&
	       walk->text[end] != '\n')
		end++;
	walk_import(walk, at, end - at);
}

/* Whether the line that ends at text[end] goes on in the next one. */
static bool
is_joined(const struct walk *walk, size_t end)
{
	size_t last = end - (end > 0); /* the newline */

	last -= last > 0 && walk->text[last - 1] == '\r';
	return last > 0 && walk->text[last - 1] == '\\';
}

/* Where the line begins that ends before the one at `line`; `from` at the least. */
static size_t
line_before(const struct walk *walk, size_t line, size_t from)
{
	const uint8_t *newline =
		line <= from + 1
			? NULL
			: memrchr(walk->text + from, '\n', line - 1 - from);

	return newline == NULL ? from : (size_t)(newline - walk->text) + 1;
}

/* Where the comment begins that stands in the lines right before a directive; the
 * line of the directive: there is none. */
static size_t
lead_of(const struct walk *walk, size_t hash)
{
	size_t from = hash - min_size(hash, LANG_LOOK_BYTES);
	size_t line = hash;
	size_t before;
	size_t end;

	while (line > from && is_blank_byte(walk->text[line - 1]))
		line--;
	if (line == from)
		return hash;
	end = line - 1; /* of the line before */
	end -= end > from && walk->text[end - 1] == '\r';
	if (end >= from + 4 && memcmp(walk->text + end - 2, "*/", 2) == 0) {
		before = end - 2;
		while (before > from && !walk_has(walk, before, "/*"))
			before--;
		before = line_before(walk, before + 1, from);
		return walk_has(walk, walk_skip_blanks(walk, before), "/*")
			       ? before
			       : line;
	}
	while (line > from) {
		before = line_before(walk, line, from);
		if (!walk_has(walk, walk_skip_blanks(walk, before), "//"))
			break;
		line = before;
	}
	return line;
}

/* #define NAME value: what follows the name, less a comment. */
static void
define_constant(struct walk *walk, size_t hash, size_t value)
{
	struct def_start start = {
		.lead = lead_of(walk, hash),
		.decl = hash,
		.at = hash,
		.body = value,
		.flags = LANG_DEF_EXPORTED | LANG_DEF_DECLARED,
	};
	size_t most = min_size(walk->bytes, value + LANG_LOOK_BYTES);
	size_t end = value;

	walk_export(walk, LANG_EXPORT_DECLARED, 1);
	if (walk->sink->member == NULL)
		return;
	while (end < most && walk->text[end] != '\n' &&
	       !walk_has(walk, end, "/*") && !walk_has(walk, end, "//"))
		end++;
	end = walk_trim_blanks(walk, value, end);
	if (end > value && walk->text[end - 1] == '\\')
		start.flags |= LANG_DEF_CUT;
	walk_member(walk, &start, end);
}

/* #define NAME(...): a macro with arguments. */
static void
define_macro(struct walk *walk, size_t hash, size_t at)
{
	struct def_start start = {
		.decl = hash,
		.at = hash,
		.kind = LANG_KIND_MACRO,
		.flags = LANG_DEF_EXPORTED,
	};
	size_t line_start;
	size_t line_known;
	size_t end;

	at = walk_skip_blanks(walk, at);
	start.name = at;
	at = walk_word_end(walk, at);
	start.name_bytes = at - start.name;
	if (walk_byte(walk, at) != '(' || start.name_bytes == 0) {
		/* a constant; what guards a header has no value */
		at = walk_skip_blanks(walk, at);
		if (walk_byte(walk, at) != '\n' && walk_byte(walk, at) != 0)
			define_constant(walk, hash, at);
		return;
	}
	end = hash;
	do {
		const uint8_t *newline =
			memchr(walk->text + end, '\n', walk->bytes - end);

		if (newline == NULL) {
			end = walk->bytes;
			break;
		}
		end = (size_t)(newline - walk->text) + 1;
	} while (is_joined(walk, end));
	if (end > 0 && walk->text[end - 1] == '\n')
		end--;
	/* the signature ends with the arguments */
	while (at < end && walk->text[at] != ')' && walk->text[at] != '\n')
		at++;
	start.body = at < end ? at + 1 : at;
	start.lead = lead_of(walk, hash);
	/* lines behind it are not to be asked for from the start again */
	line_start = walk->line_start;
	line_known = walk->line_known;
	walk_single(walk, &start, end);
	walk->line_start = line_start;
	walk->line_known = line_known;
}

size_t
preproc_directive(struct walk *walk, size_t at)
{
	struct lang_scan *scan = walk->scan;
	size_t word = skip_sign(walk, at);

	if (walk_has(walk, word, "if"))
		cond_begin(walk);
	else if (walk_has(walk, word, "el"))
		cond_else(walk, at);
	else if (walk_has(walk, word, "endif"))
		cond_end(walk);
	else if ((walk_has(walk, word, "include") ||
		  walk_has(walk, word, "import")) &&
		 walk->sink != NULL)
		include(walk, word);
	else if (walk_has(walk, word, "define") && walk->sink != NULL &&
		 (walk->lang->traits & TRAIT_C))
		define_macro(walk, at, word + 6);
	lex_code(walk, at);
	scan->mode = (struct lang_mode){ .kind = MODE_DIRECTIVE };
	return lex_resume(walk, at);
}
