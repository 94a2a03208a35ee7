/* SPDX-License-Identifier: MIT */
/*
 * collect_kind.c - what kind of file it is, by its name and first bytes.
 *
 * Does: language from lang.def, marks from file_names.def.
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

static_assert(LANG_NR <= UINT8_MAX, "a language fits a byte");

#define MARK_NONE 0

struct marked_names {
	const char *names; /* blanks between */
	struct collect_labels labels;
};

#define DIRS(mark, names)
#define HEAD_SAYS(words, mark)
/* As the rules of one file: later ones win, '!' takes back. */
static const struct marked_names file_marks[] = {
#define FILES(mark, reason, patterns) \
	{ patterns, { MARK_##mark, REASON_##reason } },
#include "lang/file_names.def"
#undef FILES
#undef DIRS
};

#define FILES(mark, reason, patterns)
static const struct marked_names dir_marks[] = {
#define DIRS(mark, names) { names, { .marks = MARK_##mark } },
#include "lang/file_names.def"
#undef DIRS
#undef HEAD_SAYS
};

#define DIRS(mark, names)
static const struct {
	const char *words;
	uint8_t bytes;
	uint8_t mark;
} head_words[] = {
#define HEAD_SAYS(words, mark) { words, sizeof(words) - 1, MARK_##mark },
#include "lang/file_names.def"
#undef FILES
#undef DIRS
#undef HEAD_SAYS
};

static_assert(ARRAY_LEN(head_words) <= 32, "a bit each");

/* Of a word, with the column mixed in. */
static size_t
word_slot(enum word_what what, const char *text, size_t bytes)
{
	uint32_t hash = hash32(HASH32_BEGIN + (uint32_t)what, text, bytes);

	return (hash ^ hash >> 15) % COLLECT_KINDS_SLOTS;
}

static enum lang_id
find_word(const struct collect_kinds *kinds, enum word_what what,
	  const char *text, size_t bytes)
{
	size_t slot = word_slot(what, text, bytes);

	for (; kinds->words[slot].text != NULL;
	     slot = (slot + 1) % COLLECT_KINDS_SLOTS) {
		const struct collect_word *word = &kinds->words[slot];

		if (word->what == what && word->bytes == bytes &&
		    memcmp(word->text, text, bytes) == 0)
			return (enum lang_id)word->lang;
	}
	return LANG_NONE;
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
add_column(struct collect_kinds *kinds, size_t lang, enum word_what what,
	   const char *at)
{
	while (*at != '\0') {
		size_t bytes = strcspn(at, " ");

		add_word(kinds, what, at, bytes, lang);
		at += bytes;
		at += *at == ' ';
	}
}

/* The patterns of names, a line each, as rules. */
static void
init_names(struct collect_kinds *kinds)
{
	char *to = kinds->names_text;
	uint32_t nr = 0;

	for (size_t i = 0; i < ARRAY_LEN(file_marks); i++) {
		const char *at = file_marks[i].names;

		while (*at != '\0') {
			size_t bytes = strcspn(at, " ");

			ASSERT(nr < COLLECT_KINDS_NAMES_MAX);
			if (*at != '!')
				kinds->names_labels[nr] = file_marks[i].labels;
			nr++;
			to = mempcpy(to, at, bytes);
			*to++ = '\n';
			at += bytes;
			at += *at == ' ';
		}
	}
	ASSERT(to <= kinds->names_text + sizeof(kinds->names_text));
	ignore_rules_parse(&kinds->names, kinds->names_room, kinds->names_text,
			   (size_t)(to - kinds->names_text), true);
	ASSERT(kinds->names.rule_nr == nr);
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
	for (size_t lang = 1; lang < LANG_NR; lang++) {
		const struct lang *row = lang_row((uint32_t)lang);

		add_column(kinds, lang, WORD_SUFFIX, row->suffixes);
		add_column(kinds, lang, WORD_NAME, row->names);
		add_column(kinds, lang, WORD_SHEBANG, row->shebangs);
	}
	init_names(kinds);
	init_head_shift(kinds);
}

static enum lang_id
find_suffix(const struct collect_kinds *kinds, const char *suffix, size_t bytes)
{
	enum lang_id lang = find_word(kinds, WORD_SUFFIX, suffix, bytes);
	char folded[SUFFIX_BYTES_MAX];

	if (lang != LANG_NONE || bytes > sizeof(folded))
		return lang;
	for (size_t i = 0; i < bytes; i++)
		folded[i] = (char)ascii_lower((uint8_t)suffix[i]);
	return find_word(kinds, WORD_SUFFIX, folded, bytes);
}

enum lang_id
collect_kind_lang(const struct collect_kinds *kinds, const char *name,
		  size_t bytes)
{
	enum lang_id lang = find_word(kinds, WORD_NAME, name, bytes);
	const char *end = name + bytes;
	const char *dot = name;

	while (lang == LANG_NONE &&
	       (dot = memchr(dot, '.', (size_t)(end - dot))) != NULL) {
		dot++;
		lang = find_suffix(kinds, dot, (size_t)(end - dot));
	}
	/* "Makefile.debug", "Dockerfile.arm": the name before the dot. */
	if (lang == LANG_NONE && bytes > 0 &&
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

enum lang_id
collect_kind_shebang(const struct collect_kinds *kinds, const char *head,
		     size_t bytes)
{
	const char *end = head + bytes;
	struct word word;

	if (bytes < 3 || head[0] != '#' || head[1] != '!')
		return LANG_NONE;
	word = next_word(head + 2, end);
	while (word.end > word.at && is_before_interpreter(&word))
		word = next_word(word.end, end);
	if (word.end == word.at)
		return LANG_NONE;
	return find_word(kinds, WORD_SHEBANG, word.base,
			 bare_bytes(word.base, (size_t)(word.end - word.base)));
}

struct collect_labels
collect_kind_file_labels(const struct collect_kinds *kinds, const char *name,
			 size_t bytes)
{
	uint32_t at = ignore_rules_find(&kinds->names, name, bytes, 0, false);

	if (at == 0)
		return (struct collect_labels){ .reason = REASON_NONE };
	return kinds->names_labels[at - 1];
}

unsigned
collect_kind_dir_labels(const char *name, size_t bytes)
{
	for (size_t i = 0; i < ARRAY_LEN(dir_marks); i++)
		if (lang_word(dir_marks[i].names, (const uint8_t *)name, bytes,
			      NULL))
			return dir_marks[i].labels.marks;
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
#define MINIFIED_LINE_BYTES 160 /* on average, without embedded data */

/* Bytes of base64 in addresses of data: fonts and images in a style sheet. */
static size_t
embedded_bytes(const char *at, const char *end)
{
	static const char begins[] = ";base64,";
	size_t bytes = 0;

	while ((at = memmem(at, (size_t)(end - at), begins,
			    sizeof(begins) - 1)) != NULL) {
		const char *data = at += sizeof(begins) - 1;

		while (at < end && *at != '\n' && *at != ')' && *at != '"' &&
		       *at != '\'')
			at++;
		bytes += (size_t)(at - data);
	}
	return bytes;
}

static bool
is_squeezed(enum lang_id lang, const char *head, size_t bytes)
{
	size_t lines = 1;
	const char *at = head;
	const char *end = head + bytes;

	if (lang != LANG_JAVASCRIPT && lang != LANG_CSS &&
	    lang != LANG_TYPESCRIPT)
		return false;
	if (bytes < MINIFIED_BYTES_MIN)
		return false;
	while ((at = memchr(at, '\n', (size_t)(end - at))) != NULL) {
		lines++;
		at++;
	}
	return bytes / lines > MINIFIED_LINE_BYTES &&
	       (bytes - embedded_bytes(head, end)) / lines >
		       MINIFIED_LINE_BYTES;
}

unsigned
collect_kind_head_labels(const struct collect_kinds *kinds, enum lang_id lang,
			 const char *head, size_t bytes)
{
	unsigned marks =
		find_head_words(kinds, head, min_size(bytes, HEAD_BYTES_MAX));

	if (is_squeezed(lang, head, bytes))
		marks |= MARK_MINIFIED;
	return marks;
}
