/* SPDX-License-Identifier: MIT */
/*
 * brace.c - languages whose blocks lie between braces.
 *
 * Does: stops only at quotes, slashes, braces, semicolons and what few bytes
 *       more a language needs; what stands between is looked at when a brace
 *       has to be explained, and then once.
 * Invariants:
 * 1. stmt_off is behind the last brace or semicolon that ended a statement;
 *    what lies behind it has been read by declaration_read() at most RESUMES_MAX + 1
 *    times.
 */
#include <string.h>

#include "lang/declaration.h"
#include "lang/preproc.h"
#include "lang/text.h"

static void
set_events(struct walk *walk)
{
	uint64_t traits = walk->lang->traits;

	walk_add_event(walk, '{', EVENT_OPEN);
	walk_add_event(walk, '}', EVENT_CLOSE);
	walk_add_event(walk, ';', EVENT_SEMI);
	if (!(traits & TRAIT_NO_SLASH))
		walk_add_event(walk, '/', EVENT_SLASH);
	if (traits & (TRAIT_C | TRAIT_HASH_LINES | TRAIT_HASH_COMMENTS))
		walk_add_event(walk, '#', EVENT_HASH);
	if (traits & (TRAIT_HEREDOC | TRAIT_ANY_CASE))
		walk_add_event(walk, '<', EVENT_LESS);
	if (traits & TRAIT_OBJC)
		walk_add_event(walk, '@', EVENT_AT);
	if (traits & TRAIT_EMBEDDED)
		walk_add_event(walk, '?', EVENT_OTHER);
	if (traits & TRAIT_POD)
		walk_add_event(walk, '=', EVENT_OTHER);
	if (traits & TRAIT_LINE_STRINGS)
		walk_add_event(walk, '\\', EVENT_BACKSLASH);
	if (traits & TRAIT_KEYS) {
		walk_add_event(walk, '[', EVENT_OPEN);
		walk_add_event(walk, ']', EVENT_CLOSE);
	}
	for (const char *c = "{#<([/|!"; walk->scan->lang == LANG_PERL && *c;
	     c++)
		walk_add_event(walk, (uint8_t)*c, EVENT_PERL);
	if (walk->scan->lang == LANG_PERL)
		walk_add_event(walk, '\n', EVENT_NEWLINE);
	lex_quotes(walk);
	walk->events->is_made = true;
}

/* --------------------------------------------------- rules, keys, K&R -- */

/* The text between a statement's beginning and its brace, trimmed. */
static bool
trimmed(struct walk *walk, size_t from, size_t to, struct def_start *start)
{
	size_t lead = min_size(walk_skip_space(walk, from), to);
	size_t at = lang_skip_space(walk->text, lead, to);

	while (to > at && (is_blank_byte(walk->text[to - 1]) ||
			   walk->text[to - 1] == '\n'))
		to--;
	start->decl = at;
	start->at = at;
	start->name = at;
	start->name_bytes = to - at;
	start->lead = walk_line_start(walk, lead);
	return to > at;
}

static void
open_rule(struct walk *walk, size_t from, size_t at)
{
	struct def_start start = { .body = at, .kind = LANG_KIND_SECTION };

	if (at > 0 && walk->text[at - 1] == '#') {
		/* #{...} within a selector */
		if (walk_push(walk, FRAME_EXPR, NULL) &&
		    walk->scan->resumes++ < RESUMES_MAX)
			walk_frame(walk)->resume_off = walk->scan->stmt_off + 1;
		return;
	}
	start.flags = LANG_DEF_EXPORTED;
	if (trimmed(walk, from, at, &start))
		walk_push(walk, FRAME_CLASS, &start);
	else
		walk_push(walk, FRAME_CLASS, NULL);
}

/* JSON: the keys of the outermost object are sections. */
static void
open_value(struct walk *walk, size_t from, size_t at)
{
	struct def_start start = { .body = at, .kind = LANG_KIND_SECTION };
	const uint8_t *quote;
	const uint8_t *end;

	if (walk->scan->depth == 1 && walk->scan->over == 0 && at > from) {
		quote = memchr(walk->text + from, '"', at - from);
		end = memrchr(walk->text + from, '"', at - from);
		if (quote != NULL && end > quote) {
			/* the last key before the bracket */
			const uint8_t *open =
				memrchr(walk->text + from, '"',
					(size_t)(end - walk->text) - from);

			start.name = (size_t)(open - walk->text) + 1;
			start.name_bytes = (size_t)(end - open) - 1;
			start.at = (size_t)(open - walk->text);
			start.decl = start.at;
			start.lead = walk_line_start(walk, start.at);
			start.flags = LANG_DEF_EXPORTED;
			walk_push(walk, FRAME_EXPR, &start);
			return;
		}
	}
	walk_push(walk, FRAME_EXPR, NULL);
}

/* Nothing between but words, commas, stars, brackets and blanks. */
static bool
is_plain_list(const struct walk *walk, size_t from, size_t to)
{
	for (; from < to; from++) {
		uint8_t c = walk->text[from];

		if (!is_word_byte(c) && !is_blank_byte(c) && c != '\n' &&
		    c != ',' && c != '*' && c != '[' && c != ']')
			return false;
	}
	return true;
}

/* A type without a name, as in typedef tree(t) name; */
static bool
is_one_word(const struct walk *walk, size_t at, size_t end)
{
	at = walk_word_end(walk, walk_skip_space(walk, at));
	return walk_skip_space(walk, at) >= end;
}

/*
 * K&R: int f(a, b) int a; char *b; { - a semicolon at the top of a file that
 * follows a name, a list of words between parentheses, and then more words
 * does not end the signature.
 */
static bool
is_old_style(struct walk *walk, size_t from, size_t at)
{
	const uint8_t *close = memrchr(walk->text + from, ')', at - from);
	const uint8_t *open;
	size_t list;
	size_t behind;
	size_t line;

	if (walk->scan->lang != LANG_C || close == NULL ||
	    walk->scan->resumes >= RESUMES_MAX)
		return false;
	behind = (size_t)(close - walk->text) + 1;
	open = memrchr(walk->text + from, '(', behind - from);
	if (open == NULL || !is_plain_list(walk, behind, at) ||
	    is_one_word(walk, behind, at))
		return false;
	list = (size_t)(open - walk->text);
	if (list == from || !is_word_byte(walk->text[list - 1]) ||
	    (walk->text[list - 1] >= 'A' && walk->text[list - 1] <= 'Z') ||
	    !is_plain_list(walk, list + 1, behind - 1))
		return false;
	/* a directive's parentheses are no function's */
	line = walk_line_start(walk, list);
	while (is_blank_byte(walk->text[line]))
		line++;
	while (is_blank_byte(walk->text[behind]))
		behind++;
	return walk->text[line] != '#' && (walk->text[behind] == '\n' ||
					   (is_word_byte(walk->text[behind]) &&
					    walk->text[behind] >= 'a'));
}

/* ------------------------------------------------------------- braces -- */

static size_t
statement_index(const struct walk *walk)
{
	return walk_index(walk, walk->scan->stmt_off);
}

/*
 * In the body of a function in C a block is no definition unless it begins
 * with a word that says so.
 */
static bool
is_plain_block(const struct walk *walk, size_t from, size_t at)
{
	size_t end;

	if (!(walk->lang->traits & TRAIT_C) || walk->lang->traits & TRAIT_OBJC)
		return false;
	from = min_size(walk_skip_space(walk, from), at);
	end = min_size(walk_word_end(walk, from), at);
	/* a comment or a directive may stand before the word */
	if (end == from)
		return from == at ||
		       (walk->text[from] != '/' && walk->text[from] != '#');
	return !lang_words_may_have(&walk->words[LANG_WORDS_DEFINERS],
				    walk->text + from, end - from) &&
	       !lang_words_may_have(&walk->words[LANG_WORDS_MODIFIERS],
				    walk->text + from, end - from);
}

static void
push_judged(struct walk *walk, size_t from, size_t at)
{
	struct lang_scan *scan = walk->scan;
	struct declaration decl;
	struct lang_frame *frame;
	bool defines;
	bool resumes;
	bool holds;

	declaration_read(walk, from, at, &decl);
	if (decl.is_tail) {
		walk_push(walk, FRAME_BODY, NULL);
		return;
	}
	declaration_judge(&decl, '{');
	defines = decl.start.kind != LANG_KIND_NONE;
	/* what goes on is judged again, as a whole */
	resumes = decl.resume && scan->resumes < RESUMES_MAX;
	holds = !resumes && declaration_export(&decl);
	/* const a = require("a"), b = function () { */
	if (!resumes && (walk->lang->traits & TRAIT_METHODS) &&
	    tokens_are(&decl, 0, "[const let var]"))
		declaration_import(&decl);
	if (!walk_push(walk, decl.opens, defines ? &decl.start : NULL))
		return;
	frame = walk_frame(walk);
	if (holds)
		frame->flags = LANG_DEF_EXPORTED;
	if (decl.is_expression)
		frame->brace = BRACE_EXPRESSION;
	/* what the members of a class are before a word says so */
	if (decl.start.kind == LANG_KIND_CLASS &&
	    (walk->lang->traits & TRAIT_CPP))
		frame->shut = tokens_are(&decl, 0, ".. class");
	if (!resumes)
		return;
	/* the comments before it come along; 0 is for none */
	if (decl.nr > 0 && !decl.lost) {
		size_t behind = walk_skip_space(walk, from);

		from = decl.lead != SIZE_MAX ? decl.lead : decl.tokens[0].at;
		/* another one has ended before it */
		if (from > behind)
			scan->resumes = 0;
	}
	scan->resumes++;
	frame->resume_off = walk->off + from + 1;
}

static void
open_brace(struct walk *walk, size_t at)
{
	struct lang_scan *scan = walk->scan;
	uint8_t type = walk_frame_type(walk);
	size_t from = statement_index(walk);

	if (scan->over > 0 || scan->depth == LANG_DEPTH)
		walk_push(walk, FRAME_EXPR, NULL);
	else if (walk->lang->traits & TRAIT_RULES)
		open_rule(walk, from, at);
	else if (walk->lang->traits & TRAIT_KEYS)
		open_value(walk, from, at);
	else if (type == FRAME_EXPR)
		walk_push(walk, FRAME_EXPR, NULL);
	else if (type == FRAME_BODY && is_plain_block(walk, from, at))
		walk_push(walk, FRAME_BODY, NULL);
	else
		push_judged(walk, from, at);
	walk_begin_statement(walk, at + 1);
}

/*
 * EXPORT_SYMBOL(f); on the line behind a function belongs to it: its end
 * moves behind that line.
 */
static void
keep_macro(struct walk *walk, size_t at)
{
	struct lang_scan *scan = walk->scan;
	struct lang_mark *mark;
	size_t from;
	bool blank;
	size_t line;

	if (!(walk->lang->traits & TRAIT_C) || scan->depth > 0 ||
	    scan->mark_nr == 0)
		return;
	mark = &scan->marks[scan->mark_nr - 1];
	if (mark->kind != LANG_MARK_DEF || mark->off < walk->off + 1)
		return;
	from = walk_index(walk, mark->off);
	if (from >= at || walk->text[from] < 'A' || walk->text[from] > 'Z' ||
	    walk->text[from - 1] != '\n' ||
	    lang_is_blank_before(walk->text, from) ||
	    memchr(walk->text + from, '\n', at - from) != NULL)
		return;
	line = walk_line_behind(walk, at + 1, &blank);
	if (line != SIZE_MAX)
		mark->off = (walk->off + line) & LANG_MARK_OFF_MAX;
}

/* Whether a statement that ends here may define something. */
static bool
may_end_definition(const struct walk *walk, uint8_t type)
{
	uint64_t traits = walk->lang->traits;

	if (!(traits & (TRAIT_DECLARED | TRAIT_NEWLINE)) ||
	    (traits & (TRAIT_RULES | TRAIT_KEYS)) || walk->scan->over > 0 ||
	    type == FRAME_EXPR)
		return false;
	return type != FRAME_BODY || !(traits & (TRAIT_TYPED | TRAIT_EMBEDDED));
}

/* The last constant of an enum has no comma behind it. */
static bool
may_end_constant(const struct walk *walk)
{
	return walk->sink != NULL && walk->sink->member != NULL &&
	       walk_frame_type(walk) == FRAME_ENUM && walk->scan->over == 0;
}

/* Whether somebody is told what is only declared here. */
static bool
may_declare(const struct walk *walk, uint8_t type)
{
	const struct lang_frame *frame = walk_frame(walk);

	if (walk->sink == NULL || !(walk->lang->traits & TRAIT_C) ||
	    walk->scan->over > 0)
		return false;
	if ((walk->sink->declare != NULL || walk->sink->member != NULL) &&
	    type == FRAME_CLASS)
		return true;
	return (walk->sink->declare != NULL || walk->sink->exports != NULL ||
		walk->sink->member != NULL) &&
	       (type == FRAME_TOP ||
		(frame != NULL && frame->kind == LANG_KIND_MODULE));
}

/* PHP: a statement of a body may be include "a"; the others are passed over. */
static bool
may_include(const struct walk *walk, size_t from, size_t at)
{
	return walk->scan->lang == LANG_PHP && walk->sink != NULL &&
	       walk->sink->import != NULL && at > from &&
	       (memmem(walk->text + from, at - from, "require", 7) != NULL ||
		memmem(walk->text + from, at - from, "include", 7) != NULL);
}

/* Perl: a statement outside of functions may be for others; most are not. */
static bool
may_be_told(const struct walk *walk, size_t from, size_t at)
{
	if (walk->scan->lang != LANG_PERL || walk->sink == NULL ||
	    walk->sink->member == NULL || walk->scan->over > 0 ||
	    walk_frame_type(walk) == FRAME_EXPR)
		return false;
	from = min_size(walk_skip_space(walk, from), at);
	return word_letter_at(walk, from,
			      min_size(walk_word_end(walk, from), at) - from,
			      DECLARATION_PERL) != 0 ||
	       walk_byte(walk, from) == '#';
}

/* public: and its like before a member that nobody looks at. */
static void
pass_access(struct walk *walk, size_t from, size_t at)
{
	const struct lang_frame *frame = walk_frame(walk);
	struct def_start start;
	size_t end;

	if (walk->sink == NULL || frame == NULL || frame->type != FRAME_CLASS ||
	    !(walk->lang->traits & TRAIT_CPP) ||
	    !trimmed(walk, from, at, &start))
		return;
	end = walk_word_end(walk, start.at);
	if (walk_byte(walk, end) == ':' && walk_byte(walk, end + 1) != ':')
		declaration_access(walk, start.at, end - start.at);
}

static void
end_declaration(struct walk *walk, struct declaration *decl)
{
	const struct token *last;

	if (decl->is_tail) {
		last = &decl->tokens[decl->nr - 1];
		declaration_end_tail(walk, last->at + last->bytes);
	} else {
		declaration_finish(decl);
	}
}

/* What stands at the end of a block without a brace or semicolon. */
static void
finish_statement(struct walk *walk, size_t at)
{
	struct declaration decl;
	size_t from = statement_index(walk);

	if (from < at && (may_end_definition(walk, walk_frame_type(walk)) ||
			  may_end_constant(walk))) {
		declaration_read(walk, from, at, &decl);
		end_declaration(walk, &decl);
	}
	if (walk->scan->over == 0 && declaration_in_tail(walk))
		declaration_end_tail(walk, 0);
}

/* typedef struct { ... } name; - the name comes last. */
static void
name_behind(struct walk *walk, struct lang_frame *frame, size_t at)
{
	size_t from = at + 1;
	size_t to;

	if (!(walk->lang->traits & TRAIT_C) || frame->name_bytes != 0)
		return;
	from = walk_skip_blanks(walk, from);
	to = walk_word_end(walk, from);
	frame->name_off = walk->off + from;
	frame->name_bytes = (uint16_t)min_size(to - from, 255);
}

/* Whether the list whose member ends with the line has another. */
static bool
goes_on_behind(const struct walk *walk, size_t at)
{
	size_t stop = at + LOOKAHEAD / 2;

	at = min_size(walk_skip_space(walk, at), stop);
	return walk_byte(walk, at) != 0 &&
	       !is_one_of(")]}", walk_byte(walk, at));
}

static void
close_brace(struct walk *walk, size_t at)
{
	struct lang_scan *scan = walk->scan;
	struct lang_frame *frame;
	uint64_t resume = 0;

	finish_statement(walk, at);
	frame = walk_frame(walk);
	if (scan->over == 0 && frame != NULL) {
		/* @interface and its like end at @end alone */
		if (frame->brace == BRACE_AT_END) {
			walk_begin_statement(walk, at + 1);
			return;
		}
		resume = frame->resume_off;
		if (frame->kind != LANG_KIND_NONE)
			name_behind(walk, frame, at);
		if (frame->brace == BRACE_EXPRESSION) {
			frame->brace = BRACE_TAIL;
			frame->resume_off = walk->off + at + 2;
			walk_begin_statement(walk, at + 1);
			walk_mark_line(walk, at + 1);
			return;
		}
	}
	walk_pop(walk, at + 1);
	if (resume != 0) {
		scan->stmt_off = resume - 1;
		return;
	}
	walk_begin_statement(walk, at + 1);
	scan->resumes = 0;
	if (walk_byte(walk, at + 1) != ',')
		walk_mark_line(walk, at + 1);
	else if (goes_on_behind(walk, at + 2))
		walk_mark_line(walk, at + 2);
}

/* Whether a bracket is open whose semicolons end nothing: [u8; 3] of Rust,
 * MACRO(int a; int b;) of C. */
static bool
holds_semicolons(const struct walk *walk, const struct declaration *decl,
		 uint8_t type)
{
	if (decl->open == 0 || walk->scan->resumes >= RESUMES_MAX)
		return false;
	if (walk->lang->traits & TRAIT_C)
		return type == FRAME_CLASS && decl->open == 2 &&
		       tokens_are(decl, 0, "W P");
	return type != FRAME_BODY ||
	       (walk->scan->lang == LANG_RUST &&
		decl->tokens[decl->open - 1].punct == '[');
}

static void
end_statement(struct walk *walk, size_t at)
{
	struct lang_scan *scan = walk->scan;
	uint8_t type = walk_frame_type(walk);
	size_t from = statement_index(walk);
	struct declaration decl;

	if (scan->over == 0 && type == FRAME_TOP && at > from &&
	    is_old_style(walk, from, at)) {
		scan->resumes++;
		return;
	}
	if (may_end_definition(walk, type) && at > from) {
		declaration_read(walk, from, at, &decl);
		if (holds_semicolons(walk, &decl, type)) {
			scan->resumes++;
			return;
		}
		end_declaration(walk, &decl);
	} else if (type == FRAME_BODY) {
		if (may_include(walk, from, at)) {
			declaration_read(walk, from, at, &decl);
			declaration_import(&decl);
		}
	} else if (may_declare(walk, type) && at > from) {
		declaration_read(walk, from, at, &decl);
		if (holds_semicolons(walk, &decl, type)) {
			scan->resumes++;
			return;
		}
		declaration_declare(&decl);
	} else if (at > from && may_be_told(walk, from, at)) {
		declaration_read(walk, from, at, &decl);
		declaration_judge(&decl, ';');
		declaration_export(&decl);
	} else {
		pass_access(walk, from, at);
	}
	walk_begin_statement(walk, at + 1);
	scan->resumes = 0;
	keep_macro(walk, at);
	walk_mark_line(walk, at + 1);
}

/* ----------------------------------------------- slashes and the rest -- */

/* Bytes before the first slash of an address that stands without quotes. */
#define URL_LOOK_BYTES 256

/* Whether the first slash of what lies between url( and ) is there. */
static bool
is_in_url(const struct walk *walk, size_t at)
{
	size_t least = at > URL_LOOK_BYTES ? at - URL_LOOK_BYTES : 0;

	while (at > least && !is_one_of(" \t\r\n\"'()/", walk->text[at - 1]))
		at--;
	at = walk_trim_blanks(walk, 0, at);
	return at >= 4 && memcmp(walk->text + at - 4, "url(", 4) == 0;
}

static size_t
slash(struct walk *walk, size_t at)
{
	uint64_t traits = walk->lang->traits;
	uint8_t next = walk_byte(walk, at + 1);
	bool is_behind_colon = at > 0 && walk->text[at - 1] == ':';
	size_t end;

	if ((traits & TRAIT_RULES) && is_in_url(walk, at))
		return lex_term(walk, at, (const uint8_t *)")", 1);
	/* Swift: of a regular expression */
	if (walk->scan->lang == LANG_SWIFT && at > 0 &&
	    walk->text[at - 1] == '\\')
		return at + 1;
	if (next == '*')
		return lex_block_comment(walk, at, "*/");
	/* Sass: of an address without quotes */
	if (next == '/')
		return (traits & TRAIT_SLASH_OPERATOR) ||
				       ((traits & TRAIT_RULES) &&
					is_behind_colon)
			       ? at + 2
			       : lex_line_comment(walk, at);
	/* Groovy: $/ ... /$ */
	if (walk->scan->lang == LANG_GROOVY && at > 0 &&
	    walk->text[at - 1] == '$')
		return lex_term(walk, at + 1, (const uint8_t *)"/$", 2);
	end = lex_regex(walk, at);
	if (end > at + 1) {
		lex_code(walk, at);
		lex_no_code(walk, end);
	}
	return end;
}

static size_t
hash(struct walk *walk, size_t at)
{
	uint64_t traits = walk->lang->traits;

	if (traits & (TRAIT_C | TRAIT_HASH_LINES)) {
		/* ## and #x in macros are not met here */
		return walk_first_on_line(walk, at) &&
				       preproc_is_directive(walk, at)
			       ? preproc_directive(walk, at)
			       : at + 1;
	}
	if ((traits & TRAIT_HASH_ATTRIBUTES) && walk_byte(walk, at + 1) == '[')
		return at + 1;
	if ((traits & TRAIT_NO_SLASH) && at > 0 &&
	    strchr("$&{@", walk->text[at - 1]) != NULL)
		return at + 1;
	/* PowerShell: a word may have one */
	if (walk->scan->lang == LANG_POWERSHELL && at > 0 &&
	    is_word_byte(walk->text[at - 1]))
		return at + 1;
	return lex_line_comment(walk, at);
}

static size_t
less(struct walk *walk, size_t at)
{
	if ((walk->lang->traits & TRAIT_ANY_CASE) &&
	    walk_byte(walk, at + 1) == '#')
		return lex_block_comment(walk, at, "#>");
	if (walk->lang->traits & TRAIT_HEREDOC)
		return lex_heredoc(walk, at);
	return at + 1;
}

/* Objective-C: what lies between @implementation and @end is a class. */
static size_t
at_sign(struct walk *walk, size_t at)
{
	static const char *const words[] = { "interface", "implementation",
					     "protocol" };
	struct def_start start = { .decl = at, .at = at, .body = at };
	size_t i = at + 1;

	if (!walk_first_on_line(walk, at))
		return at + 1;
	if (walk_has(walk, i, "end")) {
		struct lang_frame *frame = walk_frame(walk);

		if (frame != NULL && frame->brace == BRACE_AT_END)
			walk_pop(walk, i + 3);
		walk_begin_statement(walk, i + 3);
		return i + 3;
	}
	for (size_t k = 0; k < ARRAY_LEN(words); k++) {
		if (!walk_has(walk, i, words[k]))
			continue;
		i += strlen(words[k]);
		i = walk_skip_blanks(walk, i);
		start.name = i;
		while (is_word_byte(walk_byte(walk, i)))
			i++;
		start.name_bytes = i - start.name;
		while (i < walk->bytes && walk->text[i] != '\n' &&
		       walk->text[i] != ';' && walk->text[i] != '{')
			i++;
		if (walk_byte(walk, i) == ';')
			return i;
		start.body = i;
		start.lead = walk_line_start(walk, at);
		start.kind = k == 2 ? LANG_KIND_INTERFACE : LANG_KIND_CLASS;
		start.flags = LANG_DEF_EXPORTED;
		if (walk_push(walk, FRAME_CLASS, &start))
			walk_frame(walk)->brace = BRACE_AT_END;
		walk_begin_statement(walk, i);
		return i;
	}
	return at + 1;
}

/* ?> in PHP, =pod in Perl. */
static size_t
other(struct walk *walk, size_t at)
{
	static const uint8_t open[] = { '<', '?' };
	static const uint8_t cut[] = { '\n', '=', 'c', 'u', 't' };
	uint8_t next = walk_byte(walk, at + 1);

	if (walk->text[at] == '?' && next == '>') {
		end_statement(walk, at);
		return lex_term(walk, at + 2, open, sizeof(open));
	}
	if (walk->text[at] == '=' && next >= 'a' && next <= 'z' &&
	    (at == 0 || walk->text[at - 1] == '\n'))
		return lex_term(walk, at, cut, sizeof(cut));
	return at + 1;
}

static size_t
perl_event(struct walk *walk, size_t at)
{
	uint8_t c = walk->text[at];
	size_t end = perl_quote(walk, at);

	if (end == 0 && c == '(')
		end = perl_prototype(walk, at);
	if (end == 0 && c == '/')
		end = perl_regex(walk, at);
	if (end != 0)
		return end;
	if (c == '#')
		return hash(walk, at);
	if (c == '<')
		return less(walk, at);
	if (c == '{')
		open_brace(walk, at);
	return at + 1;
}

static size_t
one_event(struct walk *walk, size_t at)
{
	switch (walk->events->event[walk->text[at]]) {
	case EVENT_OPEN:
		open_brace(walk, at);
		return at + 1;
	case EVENT_CLOSE:
		close_brace(walk, at);
		return at + 1;
	case EVENT_SEMI:
		end_statement(walk, at);
		return at + 1;
	case EVENT_SLASH:
		return slash(walk, at);
	case EVENT_QUOTE:
		return lex_quote(walk, at);
	case EVENT_HASH:
		return hash(walk, at);
	case EVENT_LESS:
		return less(walk, at);
	case EVENT_AT:
		return at_sign(walk, at);
	case EVENT_BACKSLASH:
		return walk_byte(walk, at + 1) == '\\'
			       ? lex_term(walk, at, (const uint8_t *)"\n", 1)
			       : at + 1;
	case EVENT_PERL:
		return perl_event(walk, at);
	case EVENT_NEWLINE:
		return lex_heredoc_begin(walk, at);
	default:
		return other(walk, at);
	}
}

void
scan_braces(struct walk *walk)
{
	static const uint8_t open[] = { '<', '?' };

	if (!walk->events->is_made)
		set_events(walk);
	lang_finder_init(&walk->finder, &walk->events->set, walk->text,
			 walk->end);
	if (walk->scan->pos == 0 && (walk->lang->traits & TRAIT_EMBEDDED))
		walk->at = lex_term(walk, 0, open, sizeof(open));
	while (walk->at < walk->until) {
		if (walk->scan->mode.kind != MODE_CODE) {
			walk->at = lex_resume(walk, walk->at);
			continue;
		}
		walk->at = lang_finder_next(&walk->finder, walk->at);
		if (walk->at < walk->end)
			walk->at = one_event(walk, walk->at);
	}
}

void
scan_braces_end(struct walk *walk)
{
	struct lang_scan *scan = walk->scan;

	if (walk->at > walk->bytes)
		walk->at = walk->bytes;
	finish_statement(walk, walk->bytes);
	while (scan->depth > scan->floor)
		walk_pop(walk, walk->bytes);
}
