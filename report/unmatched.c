/* SPDX-License-Identifier: MIT */
/*
 * unmatched.c - patterns and listed files that nothing answers to.
 */
#include "report/unmatched.h"

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

/* Keeps `text` if `known` is nearer to `word` than what was tried before. */
static bool
try_word(struct unmatched *unmatched, const char *word, const char *known,
	 size_t bytes)
{
	struct nearest nearest = { .word = word };
	bool is_same = strlen(word) == bytes && memcmp(word, known, bytes) == 0;

	if (!is_same)
		nearest_try(&nearest, known, bytes);
	if ((!is_same && nearest.found == NULL) ||
	    (unmatched->has_path && nearest.distance >= unmatched->distance))
		return false;
	unmatched->distance = nearest.distance;
	unmatched->has_path = true;
	return true;
}

static void
keep_path(struct unmatched *unmatched, const char *before, const char *path,
	  size_t bytes)
{
	snprintf(unmatched->path, sizeof(unmatched->path), "%s%.*s", before,
		 (int)min_size(bytes, sizeof(unmatched->path)), path);
}

/* Any number of directories, and then "*" and letters: "src/" "*.c". */
static bool
is_suffix_pattern(const char *pattern, size_t dir_bytes)
{
	return pattern[dir_bytes] == '*' && pattern[dir_bytes + 1] == '.' &&
	       strpbrk(pattern + dir_bytes + 1, "*?[\\") == NULL &&
	       strcspn(pattern, "*?[\\") == dir_bytes;
}

/* Tries directory and suffix of a path for those of "src/" "*.c". */
static void
try_suffix(struct unmatched *unmatched, size_t dir_bytes, const char *path,
	   size_t bytes)
{
	const char *pattern = unmatched->pattern;
	const char *slash = memrchr(path, '/', bytes);
	const char *name = slash == NULL ? path : slash + 1;
	const char *dot = memrchr(name, '.', (size_t)(path + bytes - name));
	size_t path_dir = (size_t)(name - path);
	bool same_dir =
		dir_bytes == 0 || (path_dir == dir_bytes &&
				   memcmp(path, pattern, dir_bytes) == 0);
	char dir[WORD_BYTES];

	if (dot == NULL)
		return;
	if (same_dir) {
		if (try_word(unmatched, pattern + dir_bytes + 1, dot,
			     (size_t)(path + bytes - dot)))
			snprintf(unmatched->path, sizeof(unmatched->path),
				 "%.*s*%.*s", (int)dir_bytes, pattern,
				 (int)(path + bytes - dot), dot);
		return;
	}
	snprintf(dir, sizeof(dir), "%.*s", (int)dir_bytes, pattern);
	if (strncmp(pattern + dir_bytes + 1, dot,
		    (size_t)(path + bytes - dot)) == 0 &&
	    try_word(unmatched, dir, path, path_dir))
		snprintf(unmatched->path, sizeof(unmatched->path), "%.*s%s",
			 (int)path_dir, path, pattern + dir_bytes);
}

void
unmatched_try(struct unmatched *unmatched, const char *path, size_t bytes)
{
	const char *pattern = unmatched->pattern;
	const char *slash = strrchr(pattern, '/');
	size_t dir_bytes = slash == NULL ? 0 : (size_t)(slash - pattern) + 1;
	const char *path_slash = memrchr(path, '/', bytes);
	const char *name = path_slash == NULL ? path : path_slash + 1;

	if (unmatched->is_left_out)
		return;
	if (glob_names_path(pattern, path, bytes)) {
		unmatched->is_left_out = true;
		unmatched->has_path = true;
		keep_path(unmatched, "", path, bytes);
	} else if (is_suffix_pattern(pattern, dir_bytes)) {
		try_suffix(unmatched, dir_bytes, path, bytes);
	} else if (strpbrk(pattern, "*?[\\") == NULL &&
		   pattern[dir_bytes] != '\0' &&
		   try_word(unmatched, pattern + dir_bytes, name,
			    (size_t)(path + bytes - name))) {
		keep_path(unmatched, "", path, bytes);
	}
}

/* ---- what matched nothing ------------------------------------------------ */

/* The patterns of one option. */
struct pattern_list {
	const char *option;
	const char *const *patterns;
	size_t nr;
	bool is_typed; /* by the user, not in a configuration */
};

struct search {
	struct unmatched *found; /* in memory that is shared with a child */
	const char *options[UNMATCHED_MAX];
	char *copies[UNMATCHED_MAX]; /* of patterns; NULL: it is the user's */
	size_t nr;
};

/* Whether a file that was packed, or left out with a reason, matches. */
static bool
has_match(const struct report *report, const char *pattern)
{
	const struct catalogue *catalogue = &report->run->catalogue;

	for (uint64_t i = 0; i < report->files_seen; i++) {
		const struct file_record *file =
			catalogue_file(catalogue, (uint32_t)i);
		size_t bytes;
		const uint8_t *path = report_path(report, (uint32_t)i, &bytes);

		/* what lies in a directory that is left out is not looked at */
		if (file->root_idx != SOURCE_ROOT_TEXT && bytes > 0 &&
		    path[bytes - 1] != '/' &&
		    globs_name_path(&pattern, 1, path + file->root_bytes,
				    bytes - file->root_bytes))
			return true;
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
	for (size_t i = 0; list->is_typed && i < list->nr; i++)
		if (!has_match(report, list->patterns[i]))
			add(search, list->option, list->patterns[i]);
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
		  options->includes_typed },
		{ "--force-include", job->forced, job->forced_nr,
		  options->forced_typed },
		{ "--pin", job->pins, job->pin_nr, options->pins_typed },
		{ "--boost", job->boosts, job->boost_nr,
		  options->boosts_typed },
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
try_path(void *context, uint32_t root, const char *path, size_t bytes)
{
	struct search *search = context;

	(void)root;
	for (size_t i = 0; i < search->nr; i++)
		unmatched_try(&search->found[i], path, bytes);
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
	(void)list_trees(&trees, clock_now_ns() + SEARCH_NS, try_path, search);
}

static void
warn(const char *option, const struct unmatched *it)
{
	if (it->is_left_out && strcmp(option, "--exclude") != 0)
		diag_log(DIAG_WARN,
			 "%s %s matched no file: %s is left out by an ignore "
			 "file, another option or by default; see "
			 "--force-include",
			 option, QUOTED(it->pattern), QUOTED(it->path));
	else if (it->has_path && !it->is_left_out)
		diag_log(DIAG_WARN, "%s %s matched no file; did you mean %s?",
			 option, QUOTED(it->pattern), QUOTED(it->path));
	else
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
		warn(search.options[i], &search.found[i]);
		free(search.copies[i]);
	}
	munmap(search.found, bytes);
}
