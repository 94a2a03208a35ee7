/* SPDX-License-Identifier: MIT */
/*
 * select_anchors.c - paths of the catalogue compared with places, its names
 * with names.
 */
#include "stages/select/select_anchors.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "catalogue/chunks.h"
#include "catalogue/files.h"
#include "catalogue/names.h"
#include "catalogue/terms.h"
#include "catalogue/traits.h"
#include "lang/declares.h"
#include "lang/scan.h"
#include "rank/kind.h"
#include "rank/match.h"
#include "rank/phrase.h"
#include "rank/query_declared.h"
#include "stages/select/select_places.h"
#include "stages/select/select_worded.h"

#define NAME_DEFS 8 /* of more, none is meant */
#define NAME_CLASSES 4
#define LITERAL_SHARE 0.5
#define MEMBER_STRENGTH 0.9
#define LATER_STRENGTH 0.8 /* of what comes behind another class */
#define INNER_STRENGTH 0.45
#define OTHERS_SHARE 0.5 /* of what else has the names, if a member is found */
#define USES_MAX 256     /* chunks that use a name, of as many that count */
#define USES_ELSEWHERE 0.5 /* of tests, or if those are asked for, of code */

/* The definitions of a name. */
struct name_defs {
	uint32_t files[NAME_DEFS];
	uint32_t lines[NAME_DEFS];
	uint32_t maker_lines[NAME_DEFS]; /* of a class: its constructor's; 0 */
	bool classes[NAME_DEFS];
	uint32_t nr;
	bool is_found; /* before the files that names are looked for in last */
	uint8_t how; /* enum lang_declares, if it is only declared; of a phrase
			* its words */
};

struct search {
	struct planner *planner;
	const struct anchors *anchors;
	struct select_anchors *out;
	struct select_places places;
	struct name_defs names[ANCHOR_NAMES_MAX];
	struct name_defs phrase; /* the longest of the query, in code */
	/* not written as in the query: `how` is enum near_name_how */
	struct name_defs near;
	struct name_defs near_files; /* of that name; lines: 0 */
	struct select_worded worded;
	uint32_t use_nr;  /* chunks that use a name that the query asks for */
	bool in_others;   /* in files that do not count */
	bool has_members; /* methods of classes that are named with them */
	bool has_fields;  /* likewise, of which there may be more */
	bool asks_one;    /* for a name that no file that counts has */
	bool is_all;      /* nothing is asked for but what the names are */
};

/* ------------------------------------------------------------- names ---- */

/* Whether nothing but a member is asked for: "C.f", "f in C". */
static bool
asks_member(const struct search *search)
{
	return search->anchors->is_all || search->anchors->asks_member;
}

static bool
is_class(const struct name_entry *entry)
{
	switch (entry->kind) {
	case LANG_KIND_CLASS:
	case LANG_KIND_STRUCT:
	case LANG_KIND_ENUM:
	case LANG_KIND_INTERFACE:
	case LANG_KIND_OBJECT:
	case LANG_KIND_MODULE:
	case LANG_KIND_TYPE:
		return true;
	default:
		return false;
	}
}

static bool
is_maker(const struct name_entry *entry, const struct name_entry *class)
{
	static const char *const makers[] = { "__init__", "constructor",
					      "initialize", "new", "init" };
	const char *name = (const char *)(entry + 1);

	for (size_t i = 0; i < ARRAY_LEN(makers); i++)
		if (entry->bytes == strlen(makers[i]) &&
		    memcmp(name, makers[i], entry->bytes) == 0)
			return true;
	return entry->bytes == class->bytes &&
	       memcmp(name, class + 1, entry->bytes) == 0;
}

/* Of a file whose names are gone through. */
struct walk {
	uint32_t file_idx;
	const struct name_entry *class; /* the last one */
	struct name_defs *of_class;     /* where it was added, or NULL */
	uint64_t classes[(ANCHOR_NAMES_MAX + 63) / 64]; /* names of such */
};

/* Whether another name is one of its members: at a.b.Class.method(...) */
static bool
is_owner(const struct anchors *anchors, uint32_t idx)
{
	for (uint32_t i = 0; i < anchors->name_nr; i++)
		if (anchors->names[i].owner == idx)
			return true;
	return false;
}

/* Beside a frame a name is that of its file; behind an owner, of the owner. */
static bool
meet_member(struct search *search, const struct walk *walk,
	    const struct name_entry *entry, uint32_t idx)
{
	const struct anchor_name *name = &search->anchors->names[idx];
	const struct anchor_name *owner;
	bool is_last;

	if (name->place != ANCHOR_NONE &&
	    select_places_has(&search->places, name->place, walk->file_idx)) {
		select_anchors_add(
			search->out, walk->file_idx, entry->line,
			select_places_depth(&search->places, name->place) *
				(is_owner(search->anchors, idx) ? 0.5 : 1));
		search->has_members |= search->anchors->asks_member;
		return true;
	}
	if (name->owner == ANCHOR_NONE ||
	    !(walk->classes[name->owner / 64] >> name->owner % 64 & 1))
		return false;
	owner = &search->anchors->names[name->owner];
	is_last = owner->bytes == walk->class->bytes &&
		  memcmp(owner->text, walk->class + 1, owner->bytes) == 0;
	/* others may have begun and ended within it */
	if (!is_last && !asks_member(search))
		return false;
	select_anchors_add(search->out, walk->file_idx, entry->line,
			   is_last ? MEMBER_STRENGTH : LATER_STRENGTH);
	search->has_members = true;
	return true;
}

static void
meet(struct search *search, const struct walk *walk,
     const struct name_entry *entry, uint32_t idx)
{
	struct name_defs *defs = &search->names[idx];

	if (meet_member(search, walk, entry, idx) || defs->is_found)
		return;
	if (defs->nr < NAME_DEFS) {
		defs->files[defs->nr] = walk->file_idx;
		defs->lines[defs->nr] = entry->line;
		defs->maker_lines[defs->nr] = 0;
		defs->classes[defs->nr] = is_class(entry);
	}
	defs->nr++;
}

/* A place that is like a name or a phrase of the query: those that are most like it
 * are kept. */
static void
meet_like(struct name_defs *defs, uint32_t file_idx, uint32_t line, uint8_t how)
{
	if (defs->is_found || how < defs->how)
		return;
	if (how > defs->how)
		*defs = (struct name_defs){ .how = how };
	if (defs->nr < NAME_DEFS) {
		defs->files[defs->nr] = file_idx;
		defs->lines[defs->nr] = line;
	}
	defs->nr++;
}

static void
meet_worded(struct search *search, uint32_t file_idx,
	    const struct name_entry *entry)
{
	const struct query *query = search->planner->job->query;

	if (query != NULL)
		select_worded_meet(&search->worded, query, file_idx, entry);
}

/* A file by its name, with its extension or without. */
static void
meet_near_file(struct search *search, uint32_t file_idx)
{
	const struct catalogue *catalogue = search->planner->catalogue;
	const struct file_record *file = catalogue_file(catalogue, file_idx);
	const uint8_t *path = catalogue_path(catalogue, file);
	const uint8_t *end = path + file->path_bytes;
	const uint8_t *slash = memrchr(path, '/', file->path_bytes);
	const uint8_t *name = slash == NULL ? path : slash + 1;
	const uint8_t *dot = memrchr(name, '.', (size_t)(end - name));
	enum near_name_how how = near_name_of(&search->anchors->near, name,
					      (size_t)(end - name));

	if (how < NEAR_NAME_TYPO && dot != NULL)
		how = near_name_of(&search->anchors->near, name,
				   (size_t)(dot - name));
	if (how >= NEAR_NAME_TYPO)
		meet_like(&search->near_files, file_idx, 0, (uint8_t)how);
}

static void
meet_near(struct search *search, uint32_t file_idx,
	  const struct name_entry *entry)
{
	enum near_name_how how =
		near_name_of(&search->anchors->near,
			     (const uint8_t *)(entry + 1), entry->bytes);

	if (how != NEAR_NAME_NOT)
		meet_like(&search->near, file_idx, entry->line, (uint8_t)how);
}

static void
compare_names(struct search *search, uint32_t file_idx)
{
	const struct catalogue *catalogue = search->planner->catalogue;
	const struct names *names = catalogue_names(
		catalogue, catalogue_facts(catalogue, file_idx));
	struct walk walk = { .file_idx = file_idx };
	const struct name_entry *entry;
	uint32_t at = 0;

	meet_near_file(search, file_idx);
	if (names == NULL)
		return;
	while ((entry = names_next(names, &at)) != NULL) {
		const uint8_t *text = (const uint8_t *)(entry + 1);
		uint32_t idx;

		if (entry->type != NAME_DEF)
			continue;
		meet_near(search, file_idx, entry);
		if (!search->in_others)
			meet_worded(search, file_idx, entry);
		if (walk.of_class != NULL && is_maker(entry, walk.class) &&
		    walk.of_class->nr <= NAME_DEFS) {
			walk.of_class->maker_lines[walk.of_class->nr - 1] =
				entry->line;
			walk.of_class = NULL;
		}
		idx = anchors_find(search->anchors, text, entry->bytes, 0);
		if (is_class(entry)) {
			walk.class = entry;
			for (uint32_t i = idx; i != ANCHOR_NONE;
			     i = anchors_find(search->anchors, text,
					      entry->bytes, i + 1))
				walk.classes[i / 64] |= 1ull << i % 64;
			walk.of_class =
				idx == ANCHOR_NONE ? NULL : &search->names[idx];
		}
		for (; idx != ANCHOR_NONE;
		     idx = anchors_find(search->anchors, text, entry->bytes,
					idx + 1))
			meet(search, &walk, entry, idx);
		if (walk.of_class != NULL && walk.of_class->nr == 0)
			walk.of_class = NULL;
	}
}

/* What a term that is no word of the query stands for; NULL: nothing. */
static struct name_defs *
defs_of(struct search *search, uint8_t term)
{
	uint32_t name = term - (uint32_t)QUERY_DECLARED;

	if (term == PHRASE_TERM)
		return &search->phrase;
	return name < search->anchors->name_nr ? &search->names[name] : NULL;
}

/* Whether a line of a chunk defines a name. */
static uint32_t
definitions_in(const struct name_defs *defs, uint32_t file_idx,
	       const struct chunk_record *chunk)
{
	uint32_t nr = 0;

	for (uint32_t i = 0; i < min_u64(defs->nr, NAME_DEFS); i++)
		nr += defs->files[i] == file_idx &&
		      defs->lines[i] - chunk->line_first < chunk->line_nr;
	return nr;
}

/* A chunk has a name so often, of which its definitions are no use. */
static void
meet_uses(struct search *search, uint32_t name, uint32_t file_idx,
	  const struct term_record *term)
{
	const struct catalogue *catalogue = search->planner->catalogue;
	const struct chunk_record *chunk =
		catalogue_chunk(catalogue, term_chunk(term));
	bool is_test =
		catalogue_traits(catalogue, file_idx)->kinds & RANK_KIND_TEST;

	if (search->anchors->names[name].sure == ANCHOR_WORD ||
	    is_owner(search->anchors, name) ||
	    (!search->anchors->asks_heirs &&
	     term->times <=
		     definitions_in(&search->names[name], file_idx, chunk)) ||
	    search->use_nr == USES_MAX)
		return;
	select_anchors_add(
		search->out, file_idx, chunk->line_first,
		is_test == search->anchors->asks_tests ? 1 : USES_ELSEWHERE);
	search->use_nr++;
}

static bool
is_member(const struct anchor_name *name)
{
	return name->owner != ANCHOR_NONE || name->place != ANCHOR_NONE;
}

/* Whether a name is that of a member that has not been found. */
static bool
is_missing_member(const struct search *search, uint32_t idx)
{
	return asks_member(search) && !search->has_members &&
	       is_member(&search->anchors->names[idx]);
}

/* Whether a line of a chunk is of the class that a name is a member of, or of the
 * file. */
static bool
is_within_owner(const struct search *search, uint32_t idx, uint32_t file_idx,
		const struct chunk_record *chunk)
{
	const struct anchor_name *name = &search->anchors->names[idx];
	const struct name_defs *owner;

	if (name->place != ANCHOR_NONE)
		return select_places_has(&search->places, name->place,
					 file_idx);
	owner = &search->names[name->owner];
	for (uint32_t i = 0; i < min_u64(owner->nr, NAME_DEFS); i++)
		if (owner->files[i] == file_idx && owner->classes[i] &&
		    owner->lines[i] < chunk->line_first + chunk->line_nr)
			return true;
	return false;
}

/* A chunk declares a name: whether as a field or the like of its class. */
static bool
meet_field(struct search *search, uint32_t idx, uint32_t file_idx,
	   const struct term_record *term)
{
	const struct chunk_record *chunk =
		catalogue_chunk(search->planner->catalogue, term_chunk(term));
	bool is_field = term->times == LANG_DECLARES_OUTER ||
			term->times == LANG_DECLARES_ATTRIBUTE;
	/* what gives it to the object first is most often the constructor */
	double strength = search->has_fields ? LATER_STRENGTH : MEMBER_STRENGTH;

	if (search->anchors->asks_uses || !is_missing_member(search, idx) ||
	    !is_within_owner(search, idx, file_idx, chunk))
		return false;
	/* of a function it may be any variable */
	select_anchors_add(search->out, file_idx, chunk->line_first,
			   is_field ? strength : INNER_STRENGTH);
	search->has_fields |= is_field;
	return true;
}

/* Whether the query is code, no line of which has been found. */
static bool
misses_code(const struct search *search)
{
	const struct query *query = search->planner->job->query;

	return query != NULL && query->phrases.line_nr > 0 &&
	       search->phrase.how <= PHRASE_LINES;
}

/* A chunk declares a name, or uses it, or has a phrase: in pages it is what a text is
 * about, not what prints it. */
static void
meet_term(struct search *search, struct name_defs *defs, uint32_t file_idx,
	  const struct term_record *term)
{
	const struct catalogue *catalogue = search->planner->catalogue;
	uint32_t kinds = catalogue_traits(catalogue, file_idx)->kinds;

	if (defs == &search->phrase && search->in_others &&
	    (kinds & RANK_KIND_DOC) && term->times < PHRASE_LINES)
		return;
	/* code of tests rather than its words elsewhere */
	if (defs == &search->phrase && term->times > PHRASE_LINES &&
	    misses_code(search))
		defs->is_found = false;
	if (defs != &search->phrase &&
	    meet_field(search, (uint32_t)(defs - search->names), file_idx,
		       term))
		return;
	if (defs != &search->phrase && search->anchors->asks_uses)
		meet_uses(search, (uint32_t)(defs - search->names), file_idx,
			  term);
	else
		/* of its file rather than of a function; long phrases first */
		meet_like(defs, file_idx,
			  catalogue_chunk(catalogue, term_chunk(term))
				  ->line_first,
			  term->times);
}

/* The names that the chunks of a file declare, and their phrases; *cursor: its
 * terms or those of a file before it. */
static void
compare_terms(struct search *search, uint32_t file_idx, uint64_t *cursor)
{
	const struct catalogue *catalogue = search->planner->catalogue;
	const struct file_facts *facts = catalogue_facts(catalogue, file_idx);

	for (;; ++*cursor) {
		const struct term_record *term =
			catalogue_term(catalogue, *cursor);
		uint64_t chunk_idx = term_chunk(term);
		struct name_defs *defs = defs_of(search, term->term);

		if (chunk_idx >= facts->chunk_first + facts->chunk_nr)
			return;
		if (chunk_idx < facts->chunk_first || defs == NULL)
			continue;
		meet_term(search, defs, file_idx, term);
	}
}

/* Whether a name is all of the query, as it stands, or with what asks for it. */
static bool
is_literal(const struct search *search, uint32_t name)
{
	return search->anchors->names[name].is_literal &&
	       (search->anchors->is_literal || search->is_all);
}

/* How much of a definition a declaration is: a variable of a function may have
 * any name, and a string any content, so only who asks for nothing else may mean
 * it. */
static double
share_of(const struct search *search, uint32_t name)
{
	switch (search->names[name].how) {
	case LANG_DECLARES_INNER:
	case LANG_DECLARES_ATTRIBUTE:
		return search->is_all ? 0.5 : 0;
	case LANG_DECLARES_QUOTED:
		if (!search->anchors->names[name].is_literal)
			return 0;
		return is_literal(search, name) ? 1 : LITERAL_SHARE;
	case LANG_DECLARES_OUTER:
		return search->is_all || is_literal(search, name) ? 1 : 0.5;
	default:
		return 1;
	}
}

static bool
is_of_member(const struct anchors *anchors, uint32_t idx)
{
	return is_member(&anchors->names[idx]) || is_owner(anchors, idx);
}

static void
add_names(const struct search *search)
{
	static const double def_strength[] = { 0.35, 0.7, 1.0 };
	static const double file_strength[] = { 0.2, 0.4, 0.6 };
	bool asks_less = search->has_members && search->is_all;

	for (uint32_t i = 0; i < search->anchors->name_nr; i++) {
		const struct name_defs *defs = &search->names[i];
		uint8_t sure = search->anchors->names[i].sure;
		double each = 1 / match_root((double)max_u64(defs->nr, 1));
		double less = asks_less && is_of_member(search->anchors, i)
				      ? OTHERS_SHARE
				      : 1;

		if (defs->nr > NAME_DEFS)
			continue;
		search->out->is_all |= defs->nr > 0 && is_literal(search, i) &&
				       share_of(search, i) >= 1;
		for (uint32_t k = 0; k < defs->nr; k++) {
			double strength = def_strength[sure] * each *
					  share_of(search, i) * less;

			if (!defs->classes[k] || search->is_all)
				select_anchors_add(search->out, defs->files[k],
						   defs->lines[k], strength);
			if (!defs->classes[k])
				continue;
			if (defs->nr > NAME_CLASSES)
				continue;
			select_anchors_add(search->out, defs->files[k], 0,
					   file_strength[sure] * each);
			select_anchors_add(search->out, defs->files[k],
					   defs->lines[k], 0.5 * strength);
			if (defs->maker_lines[k] != 0)
				select_anchors_add(search->out, defs->files[k],
						   defs->maker_lines[k],
						   0.7 * strength);
		}
	}
}

/* Whether it has half of what the query has. */
static bool
is_most(const struct search *search)
{
	return phrase_is_most(&search->planner->job->query->phrases,
			      search->phrase.how);
}

static bool
is_word(const struct search *search)
{
	return search->planner->job->query->phrases.is_word;
}

/* Whether the query is code, half of which at least has been found. */
static bool
has_code(const struct search *search)
{
	return search->phrase.how > PHRASE_LINES && !is_word(search) &&
	       search->phrase.nr <= NAME_DEFS && is_most(search);
}

/* Where it stands. */
static void
add_phrase(const struct search *search)
{
	const struct name_defs *phrase = &search->phrase;
	double strength;

	/* a name or a string that has been found is what a word means */
	if (phrase->nr == 0 || phrase->nr > NAME_DEFS ||
	    (search->out->nr > 0 && is_word(search)))
		return;
	search->out->is_all |= is_most(search);
	strength = phrase_strength(&search->planner->job->query->phrases,
				   phrase->how);
	for (uint32_t k = 0; k < phrase->nr; k++)
		select_anchors_add(search->out, phrase->files[k],
				   phrase->lines[k],
				   strength / match_root((double)phrase->nr));
}

/* How like a name must be that the query may mean: if it is there as it is, no other
 * counts; if parts of it are, as those of a.b, what may be all of it. */
static enum near_name_how
least_near(const struct search *search)
{
	enum near_name_how least = NEAR_NAME_END;

	if (search->has_members)
		return NEAR_NAME_NONE;
	for (uint32_t i = 0; i < search->anchors->name_nr; i++) {
		const struct anchor_name *name = &search->anchors->names[i];

		if (name->sure == ANCHOR_WORD || search->names[i].nr == 0)
			continue;
		if (name->is_literal || !search->anchors->is_literal)
			return NEAR_NAME_NONE;
		least = NEAR_NAME_TYPO;
	}
	return least;
}

static void
add_like(const struct search *search, const struct name_defs *near,
	 enum near_name_how least)
{
	static const double strengths[] = { 0, 0.7, 0.8, 0.8, 1 };

	if (near->nr == 0 || near->nr > NAME_DEFS || near->how < least)
		return;
	for (uint32_t k = 0; k < near->nr; k++)
		select_anchors_add(search->out, near->files[k], near->lines[k],
				   strengths[near->how] /
					   match_root((double)near->nr));
	search->out->is_all = true;
}

/* Where names stand that the query may mean, and files that are called so: also
 * where there is such a name. */
static void
add_near(const struct search *search)
{
	enum near_name_how least = least_near(search);

	add_like(search, &search->near, least);
	if (least == NEAR_NAME_NONE || search->near.nr > 0)
		least = NEAR_NAME_SAME;
	add_like(search, &search->near_files, least);
}

/* ---------------------------------------------------------------- all ---- */

static bool
has_phrases(const struct search *search)
{
	const struct query *query = search->planner->job->query;

	return query != NULL &&
	       (query->phrases.nr > 0 || query->phrases.line_nr > 0);
}

/* What is found is not looked for any more. Whether chunks may declare other
 * names, or have phrases. */
static bool
set_found(struct search *search)
{
	bool is_left = has_phrases(search);

	search->phrase.is_found = search->phrase.nr > 0 && is_most(search);
	search->near.is_found = search->near.nr > 0;
	search->near_files.is_found = search->near_files.nr > 0;
	for (uint32_t i = 0; i < search->anchors->name_nr; i++) {
		search->names[i].is_found |= search->names[i].nr > 0;
		is_left |= search->anchors->names[i].term != 0 &&
			   (!search->names[i].is_found ||
			    search->anchors->asks_uses ||
			    is_missing_member(search, i));
	}
	return is_left;
}

/* Names of the files that count, or of the others: definitions, or declarations. */
static void
compare_all(struct search *search, select_anchors_fn *counts,
	    const void *context, bool that_count)
{
	const struct planner *planner = search->planner;
	uint64_t cursor = 0;

	for (uint64_t i = 0; i < planner->file_nr; i++)
		if (select_is_usable(catalogue_facts(planner->catalogue, i)) &&
		    counts(context, (uint32_t)i) == that_count)
			compare_names(search, (uint32_t)i);
	if (!set_found(search))
		return;
	for (uint64_t i = 0; i < planner->file_nr; i++)
		if (select_is_usable(catalogue_facts(planner->catalogue, i)) &&
		    counts(context, (uint32_t)i) == that_count)
			compare_terms(search, (uint32_t)i, &cursor);
	search->has_members |= search->has_fields;
	set_found(search);
}

/* Of the names, those are not looked for any more that may be meant as words. */
static void
leave_unsure(struct search *search)
{
	const struct anchors *anchors = search->anchors;

	for (uint32_t i = 0; i < anchors->name_nr; i++)
		search->names[i].is_found |=
			asks_member(search) || search->asks_one
				? anchors->names[i].sure == ANCHOR_WORD
				: !anchors->names[i].is_literal;
}

static void
meet_places(struct search *search)
{
	const struct planner *planner = search->planner;

	if (search->anchors->place_nr == 0 &&
	    search->anchors->directory.bytes == 0)
		return;
	for (uint64_t i = 0; i < planner->file_nr; i++)
		if (select_is_usable(catalogue_facts(planner->catalogue, i)))
			select_places_meet(&search->places, planner->catalogue,
					   (uint32_t)i);
}

/* Whether the only name of a short line has been found nowhere. */
static bool
misses_one(const struct search *search)
{
	const struct anchors *anchors = search->anchors;
	uint32_t nr = 0;

	for (uint32_t i = 0; anchors->asks_one && i < anchors->name_nr; i++)
		nr += anchors->names[i].sure != ANCHOR_WORD &&
		      search->names[i].nr == 0;
	return nr > 0;
}

/* Whether the files that do not count are looked through: who asks for nothing else
 * wants it wherever it is. */
static bool
asks_others(const struct search *search)
{
	const struct anchors *anchors = search->anchors;

	return !search->has_members &&
	       (asks_member(search) || anchors->is_literal ||
		misses_code(search) || search->asks_one ||
		(anchors->near.nr > 0 && search->near.nr == 0));
}

/* Names and phrases, unless a file is all that is asked for. */
static void
look_up(struct search *search, select_anchors_fn *counts, const void *context)
{
	const struct anchors *anchors = search->anchors;

	if ((anchors->name_nr == 0 && anchors->near.nr == 0 &&
	     !has_phrases(search)) ||
	    select_places_are_all(&search->places))
		return;
	compare_all(search, counts, context, true);
	search->asks_one = misses_one(search);
	if (!asks_others(search))
		return;
	leave_unsure(search);
	search->in_others = true;
	compare_all(search, counts, context, false);
}

static void
add_all(struct search *search)
{
	const struct anchors *anchors = search->anchors;
	struct select_anchors *out = search->out;

	search->is_all = anchors->is_all ||
			 (anchors->asks_member && search->has_members) ||
			 (search->asks_one && !misses_one(search));
	select_places_add(&search->places, out);
	/* of code that is there, names are uses */
	if (search->use_nr == 0 && !has_code(search)) {
		add_names(search);
		add_near(search);
	}
	out->is_all |= search->is_all && out->nr > 0;
	add_phrase(search);
	if (anchors->asks_directory || out->nr == 0)
		out->is_all |=
			select_places_add_directory(&search->places, out);
	/* who asks for a name or a message asks for nothing else */
	for (uint32_t i = 0; !out->is_all && i < search->worded.nr; i++)
		select_anchors_add(out, search->worded.found[i].file_idx,
				   search->worded.found[i].line,
				   select_worded_strength(&search->worded, i));
}

int
select_anchors_find(struct planner *planner, const struct anchors *anchors,
		    select_anchors_fn *counts, const void *context,
		    struct select_anchors *out)
{
	struct search *search;

	*out = (struct select_anchors){ 0 };
	search = calloc(1, sizeof(*search));
	if (search == NULL)
		return -ENOMEM;
	*search = (struct search){ .planner = planner,
				   .anchors = anchors,
				   .places.anchors = anchors,
				   .out = out };
	meet_places(search);
	look_up(search, counts, context);
	add_all(search);
	free(search);
	select_anchors_sort(out);
	return 0;
}
