/* SPDX-License-Identifier: MIT */
/*
 * collect_kind.c - what kind of file it is, by its name and first bytes.
 *
 * Does: language from languages.def, marks from file_names.def.
 * Does not: tell text from binary (collect_text.c).
 * Invariants:
 * 1. The tables are the whole truth: no name is spelt in this file.
 */
#include "stages/collect/collect.h"

#include <string.h>

#include "base/ascii.h"
#include "base/hash.h"

enum word_what { WORD_SUFFIX = 0, WORD_NAME, WORD_SHEBANG };

#define SUFFIX_BYTES_MAX 16
#define HEAD_BYTES_MAX 1024 /* where a header is looked for */

struct lang_row {
	const char *name;
	const char *fence;
	const char *words[3]; /* by enum word_what, blanks between */
};

static const struct lang_row lang_rows[] = {
	[COLLECT_LANG_NONE] = { "text", "", { "", "", "" } },
#define LANG(id, name, fence, suffixes, names, shebangs) \
	[COLLECT_LANG_##id] = { name, fence, { suffixes, names, shebangs } },
#include "lang/languages.def"
#undef LANG
};

static_assert(COLLECT_LANG_NR <= UINT8_MAX, "a language fits a byte");

#define HEAD_SAYS(words, mark)
#define DIR_IS(name, mark)

/* As the rules of one file: later ones win, '!' takes back. */
static const char names_text[] =
#define FILE_IS(pattern, mark) pattern "\n"
#define FILE_IS_NOT(pattern, mark) "!" pattern "\n"
#include "lang/file_names.def"
#undef FILE_IS
#undef FILE_IS_NOT
	;

static const uint8_t names_marks[] = {
#define FILE_IS(pattern, mark) MARK_##mark,
#define FILE_IS_NOT(pattern, mark) 0,
#include "lang/file_names.def"
#undef FILE_IS
#undef FILE_IS_NOT
};

static_assert(ARRAY_LEN(names_marks) <= COLLECT_KINDS_NAMES_MAX, "room");

#undef HEAD_SAYS
#undef DIR_IS
#define FILE_IS(pattern, mark)
#define FILE_IS_NOT(pattern, mark)

static const struct {
	const char *name;
	uint8_t bytes;
	uint8_t mark;
} dir_marks[] = {
#define HEAD_SAYS(words, mark)
#define DIR_IS(name, mark) { name, sizeof(name) - 1, MARK_##mark },
#include "lang/file_names.def"
#undef HEAD_SAYS
#undef DIR_IS
};

static const struct {
	const char *words;
	uint8_t bytes;
	uint8_t mark;
} head_words[] = {
#define HEAD_SAYS(words, mark) { words, sizeof(words) - 1, MARK_##mark },
#define DIR_IS(name, mark)
#include "lang/file_names.def"
#undef HEAD_SAYS
#undef DIR_IS
};

#undef FILE_IS
#undef FILE_IS_NOT

static_assert(ARRAY_LEN(head_words) <= 32, "a bit each");

/* Of a word, with the column mixed in. */
static size_t
word_slot(enum word_what what, const char *text, size_t bytes)
{
	uint32_t hash = hash32(HASH32_BEGIN + (uint32_t)what, text, bytes);

	return (hash ^ hash >> 15) % COLLECT_KINDS_SLOTS;
}

static enum collect_lang
find_word(const struct collect_kinds *kinds, enum word_what what,
	  const char *text, size_t bytes)
{
	size_t slot = word_slot(what, text, bytes);

	for (; kinds->words[slot].text != NULL;
	     slot = (slot + 1) % COLLECT_KINDS_SLOTS) {
		const struct collect_word *word = &kinds->words[slot];

		if (word->what == what && word->bytes == bytes &&
		    memcmp(word->text, text, bytes) == 0)
			return (enum collect_lang)word->lang;
	}
	return COLLECT_LANG_NONE;
}

static void
add_word(struct collect_kinds *kinds, enum word_what what, const char *text,
	 size_t bytes, size_t lang)
{
	size_t slot = word_slot(what, text, bytes);

	while (kinds->words[slot].text != NULL)
		slot = (slot + 1) % COLLECT_KINDS_SLOTS;
	kinds->words[slot] = (struct collect_word){
		.text = text,
		.bytes = (uint16_t)bytes,
		.lang = (uint8_t)lang,
		.what = (uint8_t)what,
	};
}

static void
add_column(struct collect_kinds *kinds, size_t lang, enum word_what what)
{
	const char *at = lang_rows[lang].words[what];

	while (*at != '\0') {
		size_t bytes = strcspn(at, " ");

		if (bytes > 0)
			add_word(kinds, what, at, bytes, lang);
		at += bytes;
		at += *at == ' ';
	}
}

/*
 * Horspool's search for several words at once: the window is as long as the
 * shortest word, the shift what all words allow after a window's last byte.
 */
static void
init_head_shift(struct collect_kinds *kinds)
{
	size_t window = UINT8_MAX;

	for (size_t i = 0; i < ARRAY_LEN(head_words); i++)
		window = min_size(window, head_words[i].bytes);
	memset(kinds->head_shift, (int)window, sizeof(kinds->head_shift));
	memset(kinds->head_last, 0, sizeof(kinds->head_last));
	for (size_t i = 0; i < ARRAY_LEN(head_words); i++) {
		const char *word = head_words[i].words;

		kinds->head_last[(unsigned char)word[window - 1]] |= 1u << i;
		for (size_t j = 0; j + 1 < window; j++) {
			uint8_t *shift =
				&kinds->head_shift[(unsigned char)word[j]];

			*shift = (uint8_t)min_size(*shift, window - 1 - j);
		}
	}
	kinds->head_window = window;
}

void
collect_kinds_init(struct collect_kinds *kinds)
{
	memset(kinds, 0, sizeof(*kinds));
	for (size_t lang = 0; lang < COLLECT_LANG_NR; lang++) {
		add_column(kinds, lang, WORD_SUFFIX);
		add_column(kinds, lang, WORD_NAME);
		add_column(kinds, lang, WORD_SHEBANG);
	}
	ignore_rules_parse(&kinds->names, kinds->names_room, names_text,
			   sizeof(names_text) - 1, true);
	ASSERT(kinds->names.rule_nr == ARRAY_LEN(names_marks));
	init_head_shift(kinds);
}

static enum collect_lang
find_suffix(const struct collect_kinds *kinds, const char *suffix, size_t bytes)
{
	enum collect_lang lang = find_word(kinds, WORD_SUFFIX, suffix, bytes);
	char folded[SUFFIX_BYTES_MAX];

	if (lang != COLLECT_LANG_NONE || bytes > sizeof(folded))
		return lang;
	for (size_t i = 0; i < bytes; i++)
		folded[i] = (char)ascii_lower((uint8_t)suffix[i]);
	return find_word(kinds, WORD_SUFFIX, folded, bytes);
}

enum collect_lang
collect_kind_lang(const struct collect_kinds *kinds, const char *name,
		  size_t bytes)
{
	enum collect_lang lang = find_word(kinds, WORD_NAME, name, bytes);
	const char *end = name + bytes;
	const char *dot = name;

	while (lang == COLLECT_LANG_NONE &&
	       (dot = memchr(dot, '.', (size_t)(end - dot))) != NULL) {
		dot++;
		lang = find_suffix(kinds, dot, (size_t)(end - dot));
	}
	/* "Makefile.debug", "Dockerfile.arm": the name before the dot. */
	if (lang == COLLECT_LANG_NONE && bytes > 0 &&
	    (dot = memchr(name + 1, '.', bytes - 1)) != NULL)
		lang = find_word(kinds, WORD_NAME, name, (size_t)(dot - name));
	return lang;
}

/* The next word of a line, and the last part of it if it is a path. */
struct word {
	const char *at;
	const char *base;
	const char *end;
};

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static struct word
next_word(const char *at, const char *end)
{
	struct word word;

	while (at < end && is_blank(*at))
		at++;
	word.at = word.base = at;
	while (at < end && !is_blank(*at) && *at != '\n' && *at != '\r')
		if (*at++ == '/')
			word.base = at;
	word.end = at;
	return word;
}

/* env itself, its options and its settings. */
static bool
is_before_interpreter(const struct word *word)
{
	return *word->at == '-' ||
	       memchr(word->at, '=', (size_t)(word->end - word->at)) != NULL ||
	       (word->end - word->base == 3 &&
		memcmp(word->base, "env", 3) == 0);
}

/* Bytes of a name without its version: python3.11 is python. */
static size_t
bare_bytes(const char *name, size_t bytes)
{
	while (bytes > 1 &&
	       ((name[bytes - 1] >= '0' && name[bytes - 1] <= '9') ||
		name[bytes - 1] == '.' || name[bytes - 1] == '-'))
		bytes--;
	return bytes;
}

enum collect_lang
collect_kind_shebang(const struct collect_kinds *kinds, const char *head,
		     size_t bytes)
{
	const char *end = head + bytes;
	struct word word;

	if (bytes < 3 || head[0] != '#' || head[1] != '!')
		return COLLECT_LANG_NONE;
	word = next_word(head + 2, end);
	while (word.end > word.at && is_before_interpreter(&word))
		word = next_word(word.end, end);
	if (word.end == word.at)
		return COLLECT_LANG_NONE;
	return find_word(kinds, WORD_SHEBANG, word.base,
			 bare_bytes(word.base, (size_t)(word.end - word.base)));
}

unsigned
collect_kind_file_labels(const struct collect_kinds *kinds, const char *name,
			 size_t bytes)
{
	uint32_t at = ignore_rules_find(&kinds->names, name, bytes, 0, false);

	return at == 0 ? 0 : names_marks[at - 1];
}

unsigned
collect_kind_dir_labels(const char *name, size_t bytes)
{
	for (size_t i = 0; i < ARRAY_LEN(dir_marks); i++) {
		if (dir_marks[i].bytes == bytes &&
		    memcmp(dir_marks[i].name, name, bytes) == 0)
			return dir_marks[i].mark;
	}
	return 0;
}

static unsigned
find_head_words(const struct collect_kinds *kinds, const char *head,
		size_t bytes)
{
	size_t window = kinds->head_window;
	size_t at = 0;

	while (at + window <= bytes) {
		unsigned char last = (unsigned char)head[at + window - 1];

		for (uint32_t left = kinds->head_last[last]; left != 0;
		     left &= left - 1) {
			size_t i = (size_t)__builtin_ctz(left);

			if (head_words[i].bytes <= bytes - at &&
			    head[at] == *head_words[i].words &&
			    memcmp(head + at, head_words[i].words,
				   head_words[i].bytes) == 0)
				return head_words[i].mark;
		}
		at += kinds->head_shift[last];
	}
	return 0;
}

#define MINIFIED_BYTES_MIN 1024
#define MINIFIED_LINE_BYTES 160 /* on average */

static bool
is_squeezed(enum collect_lang lang, const char *head, size_t bytes)
{
	size_t lines = 1;
	const char *at = head;
	const char *end = head + bytes;

	if (lang != COLLECT_LANG_JAVASCRIPT && lang != COLLECT_LANG_CSS &&
	    lang != COLLECT_LANG_TYPESCRIPT)
		return false;
	if (bytes < MINIFIED_BYTES_MIN)
		return false;
	while ((at = memchr(at, '\n', (size_t)(end - at))) != NULL) {
		lines++;
		at++;
	}
	return bytes / lines > MINIFIED_LINE_BYTES;
}

unsigned
collect_kind_head_labels(const struct collect_kinds *kinds,
			 enum collect_lang lang, const char *head, size_t bytes)
{
	unsigned marks =
		find_head_words(kinds, head, min_size(bytes, HEAD_BYTES_MAX));

	if (is_squeezed(lang, head, bytes))
		marks |= MARK_MINIFIED;
	return marks;
}

const char *
collect_lang_name(enum collect_lang lang)
{
	return (size_t)lang < COLLECT_LANG_NR ? lang_rows[lang].name
					      : lang_rows[0].name;
}

const char *
collect_lang_fence(enum collect_lang lang)
{
	return (size_t)lang < COLLECT_LANG_NR ? lang_rows[lang].fence
					      : lang_rows[0].fence;
}
