/* SPDX-License-Identifier: MIT */
/*
 * mcp_definition.c - the definition that a name means, of those in a text.
 *
 * Does: takes names as people and models write them: `run`, `Server.run`,
 *       `(*Server).Run`, `Vec<T>::push`, `put(String)`, `class Server`. What is
 *       around the last name tells definitions of one name apart.
 * Invariants:
 * 1. Candidates are in the order of their ends, so that those within a
 *    definition are the last ones when it ends.
 */
#include "cli/mcp.h"

#include <stdlib.h>
#include <string.h>

#include "lang/lang.h"
#include "lang/scan.h"

#define WINDOW_BYTES (1u << 20)
#define CANDIDATES_MAX 1000
#define WORDS_MAX 16        /* of a wanted name */
#define DECLARATION_MAX 512 /* bytes that are searched for its words */

/* A word of the wanted name besides the name proper. */
struct word {
	const char *at;
	size_t bytes;
};

struct wanted {
	const char *name;
	size_t bytes;
	size_t core_bytes; /* without arguments behind it */
	struct word words[WORDS_MAX];
	size_t word_nr;
};

struct candidate {
	struct mcp_extent at;
	uint64_t off;
	uint64_t end_off;
	size_t bytes;       /* of the wanted name that its name is, */
	size_t owner_bytes; /* and those before it */
	uint32_t around;    /* words that name what it is in */
	uint32_t beside;    /* words that its declaration, or one around, has */
	uint16_t depth;     /* 0 also within modules */
	bool is_declared;   /* a function without a body */
	bool is_prototype; /* of what is defined elsewhere in this text, or not */
};

struct search {
	struct mcp_definition *out;
	struct wanted wanted;
	const char *text;
	struct candidate *items;
	size_t nr;
};

/* ---- the wanted name ---------------------------------------------------- */

static bool
is_name_byte(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
	       (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c == '@' ||
	       c == '?' || (unsigned char)c >= 0x80;
}

/* Where the bracket opens that closes before `end`; 0: it does not. */
static size_t
opening(const char *name, size_t end, char open)
{
	char close = name[end - 1];
	size_t depth = 0;

	for (size_t at = end; at > 0; at--) {
		depth += name[at - 1] == close;
		depth -= name[at - 1] == open;
		if (depth == 0)
			return at - 1;
	}
	return 0;
}

/* The bytes of a name without `()`, `<T>`, `/2`, `!` and the like behind it. */
static size_t
core_of(const char *name, size_t bytes)
{
	for (;;) {
		size_t cut = bytes;
		char last = bytes == 0 ? '\0' : name[bytes - 1];

		if (last == ')')
			cut = opening(name, bytes, '(');
		else if (last == '>')
			cut = opening(name, bytes, '<');
		else if (last == ']')
			cut = opening(name, bytes, '[');
		else if (last != '\0' && strchr(" :;!{", last) != NULL)
			cut = bytes - 1;
		else if (last >= '0' && last <= '9' && bytes > 2 &&
			 name[bytes - 2] == '/')
			cut = bytes - 2;
		if (cut == 0 || cut == bytes)
			return bytes;
		bytes = cut;
	}
}

/* Its words, but for those between <> and []. */
static void
find_words(struct wanted *wanted)
{
	size_t depth = 0;
	size_t at = 0;

	while (at < wanted->bytes && wanted->word_nr < WORDS_MAX) {
		size_t begin = at;
		char c = wanted->name[at];

		while (at < wanted->bytes && is_name_byte(wanted->name[at]))
			at++;
		if (at > begin && depth == 0)
			wanted->words[wanted->word_nr++] = (struct word){
				.at = wanted->name + begin,
				.bytes = at - begin,
			};
		if (at > begin)
			continue;
		at++;
		if (c == '<' || c == '[')
			depth++;
		else if ((c == '>' || c == ']') && depth > 0)
			depth--;
	}
}

/* Behind which byte of the wanted name a word of it ends. */
static size_t
end_of(const struct wanted *wanted, const struct word *word)
{
	return (size_t)(word->at - wanted->name) + word->bytes;
}

/* Whether a name is what `nr` bytes of another one end in, as a whole. */
static bool
ends_in(const char *wanted, size_t nr, const char *name, size_t bytes)
{
	const char *at = wanted + nr - bytes;

	if (bytes == 0 || bytes > nr || memcmp(at, name, bytes) != 0)
		return false;
	return bytes == nr || !is_name_byte(*name) ||
	       (!is_name_byte(at[-1]) && at[-1] != '-' && at[-1] != '~');
}

/* ---- words around a candidate ------------------------------------------- */

/* Where a text from `begin` to `end` has a word; NULL: nowhere. */
static const char *
find_word(const char *begin, const char *end, const struct word *word)
{
	const char *at = begin;

	while (at < end && (at = memmem(at, (size_t)(end - at), word->at,
					word->bytes)) != NULL) {
		const char *behind = at + word->bytes;

		if ((at == begin || !is_name_byte(at[-1])) &&
		    (behind == end || !is_name_byte(*behind)))
			return at;
		at++;
	}
	return NULL;
}

/* Whether nothing but `::`, `<T>`, `) ` and the like is between an owner and what
 * it owns: what stands before them otherwise is a type or a word like `def`. */
static bool
is_joined(const char *at, const char *name)
{
	size_t depth = 0;

	for (; at < name; at++) {
		if (*at == '<' || *at == '[')
			depth++;
		else if ((*at == '>' || *at == ']') && depth > 0)
			depth--;
		else if (depth == 0 &&
			 (*at == ' ' || *at == '\t' || *at == '\n' ||
			  *at == '\r') &&
			 at[-1] != ')')
			return false;
	}
	return true;
}

/* What the declaration of a candidate itself has of the words. */
static void
look_beside(const struct search *search, const struct lang_def *def,
	    struct candidate *it)
{
	const struct wanted *wanted = &search->wanted;
	const char *name = search->text + def->name_off;
	const char *behind = name + def->name_bytes;
	const char *end =
		search->text +
		min_u64(def->body_off,
			def->name_off + def->name_bytes + DECLARATION_MAX);
	const char *begin =
		search->text +
		max_u64(def->off, def->name_off - min_u64(def->name_off,
							  DECLARATION_MAX));

	for (size_t i = 0; i < wanted->word_nr; i++) {
		const struct word *word = &wanted->words[i];
		const char *found = NULL;

		if (end_of(wanted, word) <= it->owner_bytes) {
			found = find_word(begin, name, word);
			if (found != NULL &&
			    is_joined(found + word->bytes, name))
				it->around |= 1u << i;
		} else if (end_of(wanted, word) > wanted->core_bytes &&
			   end > behind) {
			found = find_word(behind, end, word);
		}
		if (found != NULL)
			it->beside |= 1u << i;
	}
}

/* What a definition around candidates has of the words before their names. */
static void
look_around(const struct search *search, const struct lang_def *def)
{
	const struct wanted *wanted = &search->wanted;
	const char *name = search->text + def->name_off;
	const char *begin = search->text + def->off;
	const char *end = search->text +
			  min_u64(def->body_off, def->off + DECLARATION_MAX);

	for (size_t k = search->nr; k > 0; k--) {
		struct candidate *it = &search->items[k - 1];

		if (it->off < def->off)
			break;
		for (size_t i = 0; i < wanted->word_nr; i++) {
			const struct word *word = &wanted->words[i];

			if (end_of(wanted, word) > it->owner_bytes)
				break;
			if (find_word(name, name + def->name_bytes, word) !=
			    NULL)
				it->around |= 1u << i;
			else if (end > begin &&
				 find_word(begin, end, word) != NULL)
				it->beside |= 1u << i;
		}
	}
}

/* ---- the candidates ----------------------------------------------------- */

/* One more candidate, if that is its name. */
static void
try_def(struct search *search, const struct lang_def *def, bool is_prototype)
{
	const struct wanted *wanted = &search->wanted;
	const char *name = search->text + def->name_off;
	size_t nr = wanted->bytes;
	struct candidate *it;

	if (def->name_bytes == 0)
		return;
	nearest_try(&search->out->nearest, name, def->name_bytes);
	if (!ends_in(wanted->name, nr, name, def->name_bytes)) {
		nr = wanted->core_bytes;
		if (!ends_in(wanted->name, nr, name, def->name_bytes))
			return;
	}
	if (search->nr == CANDIDATES_MAX)
		return;
	it = &search->items[search->nr++];
	*it = (struct candidate){
		.at = { .from = def->lead_off, .to = def->end_off },
		.off = def->off,
		.end_off = def->end_off,
		.bytes = def->name_bytes,
		.owner_bytes = nr - def->name_bytes,
		.depth = (def->flags & LANG_DEF_OUTER) != 0 ? (uint16_t)0
							    : def->depth,
		.is_declared = (def->flags & LANG_DEF_DECLARED) != 0 &&
			       lang_kind_is_function(def->kind),
		.is_prototype = is_prototype,
	};
	look_beside(search, def, it);
}

static void
on_def(void *context, const struct lang_def *def)
{
	struct search *search = context;

	if (def->name_bytes > 0)
		look_around(search, def);
	try_def(search, def, false);
}

/* A prototype, or a typedef. */
static void
on_declare(void *context, const struct lang_def *def)
{
	try_def(context, def, true);
}

/* How much of the wanted name speaks for a candidate. */
static uint64_t
points_of(const struct candidate *it)
{
	return (uint64_t)it->bytes << 16 |
	       (uint64_t)(2 * __builtin_popcount(it->around) +
			  __builtin_popcount(it->beside & ~it->around));
}

static bool
is_better(const struct candidate *a, const struct candidate *b)
{
	if (points_of(a) != points_of(b))
		return points_of(a) > points_of(b);
	if (a->is_prototype != b->is_prototype)
		return b->is_prototype;
	if (a->is_declared != b->is_declared)
		return b->is_declared;
	if (a->depth != b->depth)
		return a->depth < b->depth;
	return a->off < b->off;
}

/* Whether it is a prototype of what the best one defines; that of a class's may be
 * another class's. */
static bool
is_announced(const struct candidate *it, const struct candidate *best)
{
	return it->is_prototype && !best->is_prototype && it->depth == 0;
}

/* The best, and what is as good and not within it. */
static void
choose(const struct search *search)
{
	struct mcp_definition *out = search->out;
	const struct candidate *best = &search->items[0];

	for (size_t i = 1; i < search->nr; i++)
		if (is_better(&search->items[i], best))
			best = &search->items[i];
	out->at = best->at;
	for (size_t i = 0; i < search->nr; i++) {
		const struct candidate *it = &search->items[i];

		if (points_of(it) != points_of(best) ||
		    is_announced(it, best) ||
		    (it->off >= best->off && it->end_off <= best->end_off))
			continue;
		if (out->other_nr < MCP_OTHERS_MAX)
			out->others[out->other_nr] = it->at;
		out->other_nr++;
	}
}

bool
mcp_definition_find(struct mcp_definition *out, const char *text, size_t bytes,
		    uint32_t lang, const char *name)
{
	struct search search = {
		.out = out,
		.text = text,
		.wanted = { .name = name, .bytes = strlen(name) },
	};
	const struct lang_sink sink = {
		.def = on_def,
		.declare = on_declare,
		.context = &search,
	};
	const struct lang_text whole = {
		.bytes = (const uint8_t *)text,
		.nr = bytes,
		.at_end = true,
	};
	struct lang_scan *scan = malloc(sizeof(*scan));

	memset(out, 0, sizeof(*out));
	out->nearest.word = mcp_definition_name(name, &out->nearest.bytes);
	search.wanted.core_bytes = core_of(name, search.wanted.bytes);
	find_words(&search.wanted);
	search.items = calloc(CANDIDATES_MAX, sizeof(*search.items));
	if (scan != NULL && search.items != NULL && lang != LANG_NONE) {
		lang_scan_init(scan, lang, WINDOW_BYTES);
		lang_scan_feed(scan, &whole, bytes, &sink);
	}
	if (search.nr > 0)
		choose(&search);
	free(search.items);
	free(scan);
	return search.nr > 0;
}

const char *
mcp_definition_name(const char *name, size_t *bytes)
{
	size_t end = core_of(name, strlen(name));
	size_t begin = end;

	while (begin > 0 &&
	       (is_name_byte(name[begin - 1]) || name[begin - 1] == '-'))
		begin--;
	*bytes = begin == end ? strlen(name) : end - begin;
	return begin == end ? name : name + begin;
}
