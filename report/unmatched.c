/* SPDX-License-Identifier: MIT */
/*
 * unmatched.c - patterns and listed files that nothing answers to.
 */
#include "report/unmatched.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/child_process.h"
#include "base/clock.h"
#include "base/diag.h"
#include "base/glob.h"
#include "base/nearest.h"

#define SEARCH_NS (10 * NS_PER_S) /* for a path that is like a pattern */

/* ---- what is near ------------------------------------------------------- */

#define FAR UINT_MAX

/* Edits from `word` to `known`; FAR: it is another word. */
static unsigned
word_distance(const char *word, size_t word_bytes, const char *known,
	      size_t bytes)
{
	struct nearest nearest = { .word = word, .bytes = word_bytes };

	if (word_bytes == bytes && memcmp(word, known, bytes) == 0)
		return 0;
	if (word_bytes == 0 || bytes == 0)
		return FAR;
	nearest_try(&nearest, known, bytes);
	return nearest.found == NULL ? FAR : nearest.distance;
}

static bool
is_nearer(const struct unmatched *unmatched, unsigned distance)
{
	return distance != FAR &&
	       (!unmatched->has_path || distance < unmatched->distance);
}

static void
keep_text(struct unmatched *unmatched, unsigned distance, const char *text,
	  size_t bytes)
{
	unmatched->distance = distance;
	unmatched->has_path = true;
	snprintf(unmatched->path, sizeof(unmatched->path), "%.*s",
		 (int)min_size(bytes, sizeof(unmatched->path)), text);
}

/* A pattern that might have been meant, and how far it is from what was. */
struct variant {
	char text[512];
	unsigned distance;
};

/* A word in place of `cut` bytes. */
struct edit {
	size_t off;
	size_t cut;
	const char *word;
	size_t bytes;
};

/* The text of `from`, edited; false: it is too long. */
static bool
apply(struct variant *variant, const char *from, const struct edit *edit)
{
	int length = snprintf(variant->text, sizeof(variant->text),
			      "%.*s%.*s%s", (int)edit->off, from,
			      (int)min_size(edit->bytes, sizeof(variant->text)),
			      edit->word, from + edit->off + edit->cut);

	return length > 0 && (size_t)length < sizeof(variant->text);
}

static void
try_variant(struct unmatched *unmatched, const struct variant *variant,
	    const char *path, size_t bytes)
{
	if (is_nearer(unmatched, variant->distance) &&
	    glob_names_path(variant->text, path, bytes))
		keep_text(unmatched, variant->distance, variant->text,
			  strlen(variant->text));
}

/* With a word of the path in place of one that is like it. */
static void
try_edit(struct unmatched *unmatched, const struct variant *from,
	 const struct edit *edit, const char *path, size_t bytes)
{
	struct variant variant;
	unsigned distance = word_distance(from->text + edit->off, edit->cut,
					  edit->word, edit->bytes);

	if (distance == FAR)
		return;
	variant.distance = from->distance + 2 * distance;
	if (apply(&variant, from->text, edit))
		try_variant(unmatched, &variant, path, bytes);
}

/* With the suffix of the path: "*.tzx" as "*.tsx". */
static void
try_suffix(struct unmatched *unmatched, const struct variant *from,
	   const char *path, size_t bytes)
{
	const char *text = from->text;
	const char *dot = strrchr(text, '.');
	const char *known = memrchr(path, '.', bytes);
	struct edit edit;

	if (dot == NULL || strpbrk(dot, "*?[]\\/") != NULL || known == NULL)
		return;
	edit = (struct edit){ (size_t)(dot - text), strlen(dot), known,
			      (size_t)(path + bytes - known) };
	try_edit(unmatched, from, &edit, path, bytes);
}

/* With the first directories of the path: "scr/" as "src/". */
static void
try_directory(struct unmatched *unmatched, const struct variant *from,
	      const char *path, size_t bytes)
{
	const char *text = from->text;
	size_t literal = strcspn(text, "*?[\\");
	const char *slash = memrchr(text, '/', literal);
	size_t dir_bytes = slash == NULL ? 0 : (size_t)(slash - text) + 1;
	const char *known = path;
	struct edit edit;

	for (size_t i = 0; known != NULL && i < dir_bytes; i++)
		if (text[i] == '/') {
			known = memchr(known, '/',
				       (size_t)(path + bytes - known));
			known += known != NULL;
		}
	if (dir_bytes == 0 || known == NULL)
		return;
	edit = (struct edit){ 0, dir_bytes, path, (size_t)(known - path) };
	try_edit(unmatched, from, &edit, path, bytes);
}

/* With one slip mended, and in directories below those of the pattern. */
static void
try_pattern(struct unmatched *unmatched, const char *path, size_t bytes)
{
	const char *pattern = unmatched->pattern;
	const char *slash = strrchr(pattern, '/');
	struct variant variant = { .distance = 0 };
	struct edit edit = { .word = "" };

	if (apply(&variant, pattern, &edit)) {
		try_suffix(unmatched, &variant, path, bytes);
		try_directory(unmatched, &variant, path, bytes);
	}
	if (slash == NULL)
		return;
	edit = (struct edit){ (size_t)(slash - pattern) + 1, 0, "**/", 3 };
	if (!apply(&variant, pattern, &edit))
		return;
	try_variant(unmatched, &variant, path, bytes);
	variant.distance = 1;
	try_suffix(unmatched, &variant, path, bytes);
}

/* The path itself, with a slip in its name or in its directory. */
static void
try_path(struct unmatched *unmatched, const char *path, size_t bytes)
{
	const char *pattern = unmatched->pattern;
	const char *slash = strrchr(pattern, '/');
	size_t dir_bytes = slash == NULL ? 0 : (size_t)(slash - pattern) + 1;
	const char *path_slash = memrchr(path, '/', bytes);
	const char *name = path_slash == NULL ? path : path_slash + 1;
	size_t path_dir = (size_t)(name - path);
	unsigned dir = word_distance(pattern, dir_bytes, path, path_dir);
	unsigned distance =
		word_distance(pattern + dir_bytes, strlen(pattern + dir_bytes),
			      name, (size_t)(path + bytes - name));

	/* the same name may lie anywhere, a like one in a like directory */
	if (distance == FAR || (distance > 0 && dir_bytes > 0 && dir == FAR))
		return;
	distance = 2 * distance + (dir != 0);
	if (is_nearer(unmatched, distance))
		keep_text(unmatched, distance, path, bytes);
}

void
unmatched_try(struct unmatched *unmatched, uint32_t root_idx, const char *path,
	      size_t bytes)
{
	const char *pattern = unmatched->pattern;

	if (unmatched->is_left_out)
		return;
	if (!unmatched->is_listed && glob_names_path(pattern, path, bytes)) {
		unmatched->is_left_out = true;
		unmatched->root_idx = root_idx;
		keep_text(unmatched, 0, path, bytes);
	} else if (unmatched->is_listed || strpbrk(pattern, "*?[\\") == NULL) {
		try_path(unmatched, path, bytes);
	} else {
		try_pattern(unmatched, path, bytes);
	}
}

/* ---- what matched nothing ------------------------------------------------ */

/* The patterns of one option. */
struct pattern_list {
	const char *option;
	const char *const *patterns;
	size_t nr;
	bool is_typed;  /* by the user, not in a configuration */
	bool is_forced; /* --force-include */
};

struct search {
	struct unmatched *found; /* in memory that is shared with a child */
	const char *options[UNMATCHED_MAX];
	char *copies[UNMATCHED_MAX]; /* of patterns; NULL: it is the user's */
	size_t nr;
};

static bool
is_named_by(const struct report *report, uint64_t file_idx, const char *pattern)
{
	const struct file_record *file =
		catalogue_file(&report->run->catalogue, (uint32_t)file_idx);
	size_t bytes;
	const uint8_t *path = report_path(report, (uint32_t)file_idx, &bytes);

	/* what lies in a directory that is left out is not looked at */
	return file->root_idx != SOURCE_ROOT_TEXT && bytes > 0 &&
	       path[bytes - 1] != '/' &&
	       globs_name_path(&pattern, 1, path + file->root_bytes,
			       bytes - file->root_bytes);
}

/* Whether a file that was packed, or left out with a reason, matches. What
 * suggests a secret stays out whatever --force-include says of it: that is
 * noted in `secret`, if it is given. */
static bool
has_match(const struct report *report, const char *pattern,
	  struct unmatched *secret)
{
	const struct catalogue *catalogue = &report->run->catalogue;

	for (uint64_t i = 0; i < report->files_seen; i++) {
		const struct file_record *file =
			catalogue_file(catalogue, (uint32_t)i);

		if (!is_named_by(report, i, pattern))
			continue;
		if (secret == NULL || file->reason != REASON_SECRET)
			return true;
		secret->is_left_out = true;
		secret->root_idx = file->root_idx;
		keep_text(secret, 0,
			  (const char *)catalogue_path(catalogue, file) +
				  file->root_bytes,
			  file->path_bytes - file->root_bytes);
	}
	return false;
}

static void
add(struct search *search, const char *option, const char *pattern)
{
	/* '!' takes back what a pattern before it matched */
	if (search->nr == UNMATCHED_MAX || pattern[0] == '!')
		return;
	search->options[search->nr] = option;
	search->found[search->nr++].pattern = pattern;
}

static void
add_patterns(struct search *search, const struct report *report,
	     const struct pattern_list *list)
{
	for (size_t i = 0; list->is_typed && i < list->nr; i++) {
		struct unmatched it = { .has_path = false };

		if (search->nr == UNMATCHED_MAX ||
		    has_match(report, list->patterns[i],
			      list->is_forced ? &it : NULL))
			continue;
		search->found[search->nr] = it;
		add(search, list->option, list->patterns[i]);
	}
}

/* Of these no file has a record: the walk noted which it met. */
static void
add_excludes(struct search *search, const struct report *report)
{
	const struct job *job = &report->run->job;
	uint64_t met =
		load_relaxed(&report->run->segment.control->excludes_met);

	for (size_t i = 0; i < job->exclude_nr && i < EXCLUDES_NOTED_MAX; i++)
		if ((met >> i & 1) == 0)
			add(search, "--exclude", job->excludes[i]);
}

/* Listed files that are not there; their names are copied. */
static void
add_listed(struct search *search, const struct report *report)
{
	const struct catalogue *catalogue = &report->run->catalogue;

	for (uint64_t i = 0; i < report->files_seen; i++) {
		const struct file_record *file =
			catalogue_file(catalogue, (uint32_t)i);
		const char *path =
			(const char *)catalogue_path(catalogue, file);
		char *copy;

		if (file->reason != REASON_VANISHED ||
		    search->nr == UNMATCHED_MAX)
			continue;
		copy = strndup(path + file->root_bytes,
			       file->path_bytes - file->root_bytes);
		if (copy == NULL)
			return;
		search->copies[search->nr] = copy;
		search->found[search->nr].is_listed = true;
		add(search, "--files-from", copy);
	}
}

static void
find_unmatched(struct search *search, const struct supervisor *supervisor,
	       const struct report *report)
{
	const struct options *options = supervisor->options;
	const struct job *job = &report->run->job;
	const struct pattern_list lists[] = {
		{ "--include", job->includes, job->include_nr,
		  options->includes_typed, false },
		{ "--force-include", job->forced, job->forced_nr,
		  options->forced_typed, true },
		{ "--pin", job->pins, job->pin_nr, options->pins_typed, false },
		{ "--boost", job->boosts, job->boost_nr, options->boosts_typed,
		  false },
	};

	for (size_t i = 0; i < ARRAY_LEN(lists); i++)
		add_patterns(search, report, &lists[i]);
	if (options->excludes_typed)
		add_excludes(search, report);
	if (job->file_nr > 0)
		add_listed(search, report);
}

/* ---- what is there instead ----------------------------------------------- */

static int
look_at(void *context, uint32_t root, const char *path, size_t bytes)
{
	struct search *search = context;

	for (size_t i = 0; i < search->nr; i++)
		unmatched_try(&search->found[i], root, path, bytes);
	return 0;
}

/* All that lies in the trees, whatever rules say of it. */
static void
search_trees(struct search *search, const struct run *run)
{
	struct run trees = *run;

	trees.job.files = trees.job.includes = trees.job.excludes = NULL;
	trees.job.file_nr = trees.job.include_nr = trees.job.exclude_nr = 0;
	trees.job.no_ignore = true;
	trees.job.default_excludes = false;
	trees.job.hidden = true;
	/* without an answer there is no hint */
	(void)list_trees(&trees, clock_now_ns() + SEARCH_NS, look_at, search);
}

/* The file of that path, or the directory above it, that was left out with a
 * reason; NULL: none was. */
static const struct file_record *
left_out_record(const struct report *report, const struct unmatched *it)
{
	const struct catalogue *catalogue = &report->run->catalogue;
	size_t bytes = strlen(it->path);

	for (uint64_t i = 0; i < report->files_seen; i++) {
		const struct file_record *file =
			catalogue_file(catalogue, (uint32_t)i);
		const char *path =
			(const char *)catalogue_path(catalogue, file) +
			file->root_bytes;
		size_t known = file->path_bytes - file->root_bytes;

		if (file->reason != REASON_NONE && known > 0 &&
		    file->root_idx == it->root_idx && known <= bytes &&
		    memcmp(path, it->path, known) == 0 &&
		    (known == bytes || path[known - 1] == '/'))
			return file;
	}
	return NULL;
}

/* What takes in what is left out with a reason; "": nothing. */
static const char *
remedy_of(enum reason reason)
{
	switch (reason) {
	case REASON_DEPENDENCY:
	case REASON_CACHE:
	case REASON_BUILD_OUTPUT:
	case REASON_SNAPSHOT:
		return "; --force-include includes what it names there, "
		       "--no-default-excludes all of it";
	case REASON_REPOSITORY:
		return "; give it as a PATH of its own";
	default:
		return "";
	}
}

static void
warn_left_out(const struct report *report, const char *option,
	      const struct unmatched *it)
{
	const struct job *job = &report->run->job;
	const struct file_record *file = left_out_record(report, it);
	const uint8_t *path = (const uint8_t *)it->path;
	size_t bytes = strlen(it->path);
	const char *rule = "an ignore file leaves it out, or it is in a hidden "
			   "directory; --force-include includes it";

	if (file != NULL) {
		diag_log(DIAG_WARN,
			 "%s %s matched no file: %.*s is left out: %s%s",
			 option, QUOTED(it->pattern),
			 (int)(file->path_bytes - file->root_bytes), it->path,
			 reason_message(file->reason),
			 remedy_of((enum reason)file->reason));
		return;
	}
	if (globs_name_path(job->excludes, job->exclude_nr, path, bytes))
		rule = "--exclude leaves it out";
	else if (job->include_nr > 0 &&
		 !globs_name_path(job->includes, job->include_nr, path, bytes))
		rule = "it is not among what --include names";
	diag_log(DIAG_WARN, "%s %s matched no file but %s: %s", option,
		 QUOTED(it->pattern), QUOTED(it->path), rule);
}

static void
warn(const struct report *report, const char *option,
     const struct unmatched *it)
{
	/* what is left out anyway needs no --exclude, and has no harm of it */
	if (it->is_left_out && strcmp(option, "--exclude") != 0)
		warn_left_out(report, option, it);
	else if (it->has_path && !it->is_left_out)
		diag_log(DIAG_WARN, "%s %s matched no file; did you mean %s?",
			 option, QUOTED(it->pattern), QUOTED(it->path));
	else if (!it->has_path)
		diag_log(DIAG_WARN,
			 "%s %s matched no file; patterns are matched below "
			 "each PATH",
			 option, QUOTED(it->pattern));
}

void
unmatched_warn(const struct supervisor *supervisor, const struct report *report)
{
	const struct job *job = &report->run->job;
	const size_t bytes = UNMATCHED_MAX * sizeof(struct unmatched);
	struct search search = { .nr = 0 };

	if (job->include_nr + job->exclude_nr + job->forced_nr + job->pin_nr +
		    job->boost_nr + job->file_nr ==
	    0)
		return;
	search.found = helper_memory(bytes);
	if (search.found == NULL)
		return;
	find_unmatched(&search, supervisor, report);
	if (search.nr > 0)
		search_trees(&search, report->run);
	for (size_t i = 0; i < search.nr; i++) {
		warn(report, search.options[i], &search.found[i]);
		free(search.copies[i]);
	}
	munmap(search.found, bytes);
}
