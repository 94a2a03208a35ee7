/* SPDX-License-Identifier: MIT */
/*
 * source.c - requests found again.
 */
#include "sources/source.h"

#include <string.h>

#include "base/sorted.h"

static const struct {
	const char *name;
	const char *type;
	uint32_t percent;
	uint32_t priority;
} categories[CATEGORY_NR] = {
#define CATEGORY(id, name, type, percent, priority) \
	{ name, type, percent, priority },
#include "catalogue/category.def"
#undef CATEGORY
};

const char *
category_name(uint8_t category)
{
	return category < CATEGORY_NR ? categories[category].name : "unknown";
}

const char *
category_type(uint8_t category)
{
	return category < CATEGORY_NR ? categories[category].type : "unknown";
}

uint32_t
category_percent(uint8_t category)
{
	return category < CATEGORY_NR ? categories[category].percent : 0;
}

uint32_t
category_priority(uint8_t category)
{
	return category < CATEGORY_NR ? categories[category].priority : 0;
}

/* Negative, 0, positive: by root and path. */
static int
compare(const struct source_file *a, const struct source_file *b)
{
	if (a->root != b->root)
		return a->root < b->root ? -1 : 1;
	return compare_bytes(a->path, a->path_bytes, b->path, b->path_bytes);
}

static bool
is_before_file(const void *file, const void *other)
{
	return compare(file, other) < 0;
}

const struct source_file *
source_find(const struct sources *sources, uint16_t root, const uint8_t *path,
	    size_t bytes)
{
	const struct source_file file = { .path = (const char *)path,
					  .path_bytes = (uint32_t)bytes,
					  .root = root };
	size_t at =
		sorted_first(sources->files, sources->file_nr,
			     sizeof(sources->files[0]), &file, is_before_file);

	return at < sources->file_nr && compare(&sources->files[at], &file) == 0
		       ? &sources->files[at]
		       : NULL;
}

uint32_t
source_priority(const struct sources *sources, uint8_t category)
{
	ASSERT(category < CATEGORY_NR);
	return sources->priorities == NULL ? category_priority(category)
					   : sources->priorities[category];
}

uint64_t
source_worth(const struct sources *sources,
	     const struct source_request *request)
{
	uint64_t relevance = sources->relevance_weight;
	uint64_t source = sources->source_weight;
	uint64_t all = sources->all_weights;

	if (all == 0) {
		relevance = 5;
		source = 2;
		all = 10;
	}
	/* weights and all else are millionths: no sum comes near the top */
	return (relevance * request->relevance +
		source * (SOURCE_ONE / 100) *
			source_priority(sources, request->category)) /
	       all;
}

void
source_set_reach(struct source_request *requests, uint32_t nr)
{
	uint64_t reach = 0;

	for (uint32_t i = 0; i < nr; i++) {
		reach = max_u64(reach, requests[i].line_last);
		requests[i].reach = reach;
	}
}

static bool
is_over(const void *request, const void *line)
{
	const struct source_request *it = request;

	return it->reach < *(const uint64_t *)line;
}

/* The first request that is not over, nor are all before it, at a line. */
static uint32_t
first_reaching(const struct source_request *requests, uint32_t nr,
	       uint64_t line)
{
	return (uint32_t)sorted_first(requests, nr, sizeof(requests[0]), &line,
				      is_over);
}

static bool
is_less(const void *line, const void *other)
{
	return *(const uint64_t *)line < *(const uint64_t *)other;
}

/* The first of ascending lines that is no less than a line. */
static uint32_t
first_at(const uint64_t *lines, uint32_t nr, uint64_t line)
{
	return (uint32_t)sorted_first(lines, nr, sizeof(lines[0]), &line,
				      is_less);
}

const struct source_request *
source_next(const struct sources *sources, const struct source_file *file,
	    uint64_t line_first, uint64_t line_last,
	    const struct source_request *after)
{
	const struct source_request *requests =
		sources->requests + file->request_first;
	uint32_t at = after == NULL ? first_reaching(requests, file->request_nr,
						     line_first)
				    : (uint32_t)(after - requests) + 1;

	for (; at < file->request_nr; at++) {
		if (requests[at].line_first > line_last)
			break;
		if (requests[at].line_last >= line_first)
			return &requests[at];
	}
	return NULL;
}

const struct source_request *
source_best(const struct sources *sources, const struct source_file *file,
	    uint64_t line_first, uint64_t line_last)
{
	const struct source_request *best = NULL;
	const struct source_request *it = NULL;

	while ((it = source_next(sources, file, line_first, line_last, it)) !=
	       NULL)
		if (best == NULL ||
		    source_worth(sources, it) > source_worth(sources, best))
			best = it;
	return best;
}

/* The first line of the chunk that says what went wrong; 0: there is none. */
static uint64_t
first_error(const struct sources *sources, const struct source_file *file,
	    const struct source_lines *chunk)
{
	const uint64_t *errors = sources->errors + file->error_first;
	uint32_t at = first_at(errors, file->error_nr, chunk->first);

	return at < file->error_nr && errors[at] - chunk->first < chunk->nr
		       ? errors[at]
		       : 0;
}

static bool
has_end(const struct source_file *file, const struct source_lines *chunk)
{
	return file->line_nr - chunk->first < chunk->nr;
}

bool
source_has_outcome(const struct sources *sources,
		   const struct source_file *file,
		   const struct source_lines *chunk)
{
	return file != NULL && file->line_nr != 0 &&
	       (has_end(file, chunk) || first_error(sources, file, chunk) > 0);
}

uint32_t
source_relevance(const struct sources *sources, const struct source_file *file,
		 const struct source_request *request,
		 const struct source_lines *chunk)
{
	uint64_t relevance = request->relevance;

	if (file->line_nr == 0 || has_end(file, chunk))
		return request->relevance;
	return (uint32_t)(relevance *
			  (first_error(sources, file, chunk) > 0 ? 95 : 90) /
			  100);
}

uint32_t
source_part_from(const struct sources *sources, const struct source_file *file,
		 const struct source_lines *chunk, uint32_t lines)
{
	const struct source_request *best = NULL;
	uint32_t most = chunk->nr - (uint32_t)min_u64(lines, chunk->nr);
	uint64_t line;
	uint64_t at;

	if (file != NULL && chunk->nr > 0)
		best = source_best(sources, file, chunk->first,
				   chunk->first + chunk->nr - 1);
	if (best == NULL)
		return 0;
	line = best->line_first;
	if (best->category == CATEGORY_TOOL) {
		line = file->line_nr == 0 || has_end(file, chunk)
			       ? 0
			       : first_error(sources, file, chunk);
		if (line == 0)
			return most;
	}
	if (line <= chunk->first)
		return 0;
	at = line - chunk->first;
	return (uint32_t)min_u64(at - min_u64(at, lines / 2), most);
}

uint64_t
source_next_boundary(const struct sources *sources,
		     const struct source_file *file, uint64_t line)
{
	const uint64_t *boundaries = sources->boundaries + file->boundary_first;
	uint32_t at = first_at(boundaries, file->boundary_nr, line + 1);

	return at < file->boundary_nr ? boundaries[at] : 0;
}
