/* SPDX-License-Identifier: MIT */
/*
 * source_build.c - requests of all sources, sorted, grouped and merged.
 */
#include "sources/source_list.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/fd_io.h"
#include "base/new_file.h"
#include "rank/dedup_ranges.h"
#include "rank/rank.h"
#include "sources/source_impl.h"
#include "sources/source_read.h"

/* The roots as absolute paths. errors: -errno */
static int
source_find_roots(struct source_list *list)
{
	const struct source_scope *scope = &list->scope;

	list->cwd = getcwd(NULL, 0);
	if (list->cwd == NULL) {
		diag_log(DIAG_ERROR,
			 "the current directory: %s; go to one that "
			 "is there",
			 diag_errno(errno));
		return -EINVAL;
	}
	list->roots = calloc(2 * scope->root_nr, sizeof(*list->roots));
	list->is_file = calloc(scope->root_nr, sizeof(*list->is_file));
	if (list->roots == NULL || list->is_file == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < scope->root_nr; i++) {
		const char *typed = scope->roots[i];
		struct stat status;

		list->roots[2 * i] =
			source_absolute(list->cwd, typed, strlen(typed));
		/* NULL where it cannot be had: collect will say why */
		list->roots[2 * i + 1] = realpath(typed, NULL);
		list->is_file[i] =
			stat(typed, &status) == 0 && !S_ISDIR(status.st_mode);
		if (list->roots[2 * i] == NULL)
			return -ENOMEM;
	}
	return 0;
}

/* Two requests by their lines. */
static int
compare_spans(const struct source_request *a, const struct source_request *b)
{
	if (a->line_first != b->line_first)
		return a->line_first < b->line_first ? -1 : 1;
	if (a->line_last != b->line_last)
		return a->line_last < b->line_last ? -1 : 1;
	return 0;
}

static int
compare_files(const struct source_entry *a, const struct source_entry *b)
{
	if (a->root != b->root)
		return a->root < b->root ? -1 : 1;
	return strcmp(a->path, b->path);
}

static int
compare(const void *left, const void *right)
{
	const struct source_entry *a = left;
	const struct source_entry *b = right;
	int order = compare_files(a, b);

	if (order == 0)
		order = compare_spans(&a->request, &b->request);
	if (order != 0)
		return order;
	return a->seq < b->seq ? -1 : a->seq > b->seq;
}

/*
 * The rank of a request, as near as it can be had before there are files:
 * recency is beside the newest time that a source says.
 */
static uint64_t
rank_of(const struct source_list *list, const struct source_request *request)
{
	const struct rank_times times = { .newest_ns = list->newest_ns };
	const struct rank_file about = {
		.mtime_ns = request->time_ns == SOURCE_TIME_NONE
				    ? list->newest_ns
				    : request->time_ns,
		.relevance = request->relevance,
		.priority = source_priority(&list->sources, request->category),
	};

	return rank_score(&about, &times, &list->scope.weights, NULL);
}

/*
 * The requests of one file: ranges that overlap become one range, which all
 * of them ask for, so that the best of them says what it is worth; or the
 * better one stays alone. How many are left.
 */
static int64_t
merge_file(struct source_list *list, struct source_entry *entries, uint32_t nr,
	   struct source_request *out)
{
	const struct source_options *options = list->options;
	struct dedup_range *ranges = calloc(nr, sizeof(*ranges));
	int64_t left = 0;

	if (ranges == NULL)
		return -ENOMEM;
	for (uint32_t i = 0; i < nr; i++)
		ranges[i] = (struct dedup_range){
			.first = entries[i].request.line_first,
			.last = entries[i].request.line_last,
			.rank = rank_of(list, &entries[i].request),
			.id = i,
		};
	if (!list->scope.no_dedup)
		list->overlaps_merged += dedup_merge_ranges(
			ranges, nr, (uint32_t)options->overlap_threshold,
			!options->no_merge);
	else
		for (uint32_t i = 0; i < nr; i++)
			ranges[i].into = i;
	for (uint32_t i = 0; i < nr; i++) {
		const struct dedup_range *range = &ranges[ranges[i].into];
		struct source_request *request = &out[left];

		/* of requests on the same lines drop_same() knows more */
		if (options->no_merge && (ranges[i].first != range->first ||
					  ranges[i].last != range->last))
			continue;
		*request = entries[ranges[i].id].request;
		request->line_first = range->first;
		request->line_last = range->last;
		left++;
	}
	free(ranges);
	return left;
}

/* By their lines, then those without a time, then the newest, then the best. */
static int
compare_requests(const void *left, const void *right, void *context)
{
	const struct source_list *list = context;
	const struct source_request *a = left;
	const struct source_request *b = right;
	uint64_t a_worth = source_worth(&list->sources, a);
	uint64_t b_worth = source_worth(&list->sources, b);
	int order = compare_spans(a, b);

	if (order != 0)
		return order;
	if (a->time_ns != b->time_ns) {
		if (a->time_ns == SOURCE_TIME_NONE ||
		    b->time_ns == SOURCE_TIME_NONE)
			return a->time_ns == SOURCE_TIME_NONE ? -1 : 1;
		return a->time_ns > b->time_ns ? -1 : 1;
	}
	if (a_worth != b_worth)
		return a_worth > b_worth ? -1 : 1;
	return a->category < b->category ? -1 : a->category > b->category;
}

/* By their lines, the best last. */
static int
compare_ranks(const void *left, const void *right, void *context)
{
	const struct source_list *list = context;
	const struct source_request *a = left;
	const struct source_request *b = right;
	uint64_t a_rank = rank_of(list, a);
	uint64_t b_rank = rank_of(list, b);
	int order = compare_spans(a, b);

	if (order != 0 || a_rank == b_rank)
		return order != 0 ? order : compare_requests(b, a, context);
	return a_rank < b_rank ? -1 : 1;
}

/*
 * Of requests on the same lines those are left that may be the best. How much
 * their times count is known when all files are: of two the older is none if
 * it is worth no more, and a file's own time is compared with none.
 */
static uint32_t
drop_same(struct source_list *list, struct source_request *requests,
	  uint32_t nr)
{
	uint32_t left = 0;
	uint32_t first = 0; /* of those on the same lines */
	uint64_t most = 0;  /* one more than the best with a time is worth */

	qsort_r(requests, nr, sizeof(*requests), compare_requests, list);
	for (uint32_t i = 0; i < nr; i++) {
		bool has_time = requests[i].time_ns != SOURCE_TIME_NONE;
		uint64_t worth = source_worth(&list->sources, &requests[i]);

		if (left == 0 ||
		    compare_spans(&requests[first], &requests[i]) != 0) {
			first = left;
			most = 0;
		} else {
			requests[first].is_exact |= requests[i].is_exact;
			if (!has_time || worth < most)
				continue;
		}
		if (has_time)
			most = worth + 1;
		requests[left++] = requests[i];
	}
	qsort_r(requests, left, sizeof(*requests), compare_ranks, list);
	return left;
}

static int
compare_lines(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left;
	uint64_t b = *(const uint64_t *)right;

	return a < b ? -1 : a > b;
}

/* Where the lines that are wanted as they are begin, and what follows them:
 * chunks begin there. How many there are. */
static uint32_t
mark_boundaries(const struct source_request *requests, uint32_t nr,
		uint64_t *boundaries)
{
	uint32_t all = 0;
	uint32_t left = 0;

	for (uint32_t i = 0; i < nr; i++) {
		if (!requests[i].is_exact)
			continue;
		boundaries[all++] = requests[i].line_first;
		boundaries[all++] = add_sat_u64(requests[i].line_last, 1);
	}
	qsort(boundaries, all, sizeof(*boundaries), compare_lines);
	for (uint32_t i = 0; i < all; i++)
		if (left == 0 || boundaries[left - 1] != boundaries[i])
			boundaries[left++] = boundaries[i];
	return left;
}

static void
find_newest(struct source_list *list)
{
	list->newest_ns = SOURCE_TIME_NONE;
	for (size_t i = 0; i < list->entry_nr; i++)
		if (list->entries[i].request.time_ns > list->newest_ns)
			list->newest_ns = list->entries[i].request.time_ns;
}

/* The requests of entries [first, end), which are of one file. 0 or -ENOMEM */
static int
add_file(struct source_list *list, size_t begin, size_t end)
{
	struct source_entry *first = &list->entries[begin];
	struct sources *sources = &list->sources;
	struct source_file *file = &list->files[sources->file_nr];
	struct source_request *requests = list->requests + sources->request_nr;
	uint32_t boundary_first =
		sources->file_nr == 0
			? 0
			: file[-1].boundary_first + file[-1].boundary_nr;
	int64_t left =
		merge_file(list, first, (uint32_t)(end - begin), requests);

	if (left < 0)
		return (int)left;
	left = drop_same(list, requests, (uint32_t)left);
	source_set_reach(requests, (uint32_t)left);
	*file = (struct source_file){
		.path = first->path,
		.path_bytes = (uint32_t)strlen(first->path),
		.root = first->root,
		.text_off = first->text_off,
		.text_bytes = first->text_bytes,
		.error_first = (uint32_t)first->error_first,
		.error_nr = (uint32_t)first->error_nr,
		.line_nr = first->line_nr,
		.entry_first = (uint32_t)begin,
		.entry_nr = (uint32_t)(end - begin),
		.request_first = sources->request_nr,
		.request_nr = (uint32_t)left,
		.boundary_first = boundary_first,
		.boundary_nr =
			mark_boundaries(requests, (uint32_t)left,
					list->boundaries + boundary_first),
	};
	sources->file_nr++;
	sources->request_nr += (uint32_t)left;
	return 0;
}

static int
group(struct source_list *list)
{
	struct sources *sources = &list->sources;
	int error = 0;

	list->files = calloc(list->entry_nr + 1, sizeof(*list->files));
	list->requests = calloc(list->entry_nr + 1, sizeof(*list->requests));
	list->boundaries =
		calloc(2 * list->entry_nr + 1, sizeof(*list->boundaries));
	if (list->files == NULL || list->requests == NULL ||
	    list->boundaries == NULL)
		return -ENOMEM;
	if (list->entry_nr > 1)
		qsort(list->entries, list->entry_nr, sizeof(*list->entries),
		      compare);
	find_newest(list);
	for (size_t i = 0; i < list->entry_nr && error == 0;) {
		size_t end = i + 1;

		while (end < list->entry_nr &&
		       compare_files(&list->entries[i], &list->entries[end]) ==
			       0)
			end++;
		error = add_file(list, i, end);
		i = end;
	}
	sources->files = list->files;
	sources->requests = list->requests;
	sources->boundaries = list->boundaries;
	sources->errors = list->errors;
	sources->text_fd = list->text_fd;
	sources->has_times = list->newest_ns != SOURCE_TIME_NONE;
	for (uint32_t i = 0; i < sources->request_nr; i++)
		sources->in_part |=
			list->requests[i].line_last != SOURCE_LINES_ALL;
	return error;
}

bool
source_list_any(const struct source_options *options)
{
	return options->opens.nr + options->searches.nr + options->tools.nr +
		       options->references.nr + options->source_files.nr >
	       0;
}

/* stdin can be read once. */
static int
check_stdin(const struct source_options *options, bool is_taken)
{
	const struct text_list *lists[] = { &options->searches, &options->tools,
					    &options->source_files };
	unsigned nr = is_taken;

	for (size_t i = 0; i < ARRAY_LEN(lists); i++)
		for (size_t k = 0; k < lists[i]->nr; k++)
			nr += strcmp(lists[i]->items[k], "-") == 0;
	if (nr <= 1)
		return 0;
	diag_log(DIAG_ERROR, "stdin (-) can be read by one option only; give "
			     "the others a file");
	return -EINVAL;
}

int
source_list_build(struct source_list *list,
		  const struct source_options *options,
		  const struct source_scope *scope)
{
	int error;

	*list = (struct source_list){ .options = options, .scope = *scope };
	list->text_fd = -1;
	list->sources.text_fd = -1;
	list->bytes_max = SOURCE_PLACES_SHARE(scope->memory_bytes);
	list->sources.priorities = scope->priorities;
	list->sources.relevance_weight = scope->weights.relevance;
	list->sources.source_weight = scope->weights.source;
	list->sources.all_weights = scope->weights.relevance +
				    scope->weights.recency +
				    scope->weights.source;
	if (!source_list_any(options))
		return 0;
	error = check_stdin(options, scope->stdin_is_taken);
	if (error != 0)
		return error;
	list->text_fd = temp_file_open();
	if (list->text_fd < 0)
		return list->text_fd;
	error = source_find_roots(list);
	if (error == 0)
		error = source_take_all(list);
	if (error == 0)
		error = source_find_missing(list);
	if (list->left_out > 0)
		diag_log(DIAG_WARN,
			 "%llu places that sources name are left out: --memory "
			 "has no room for more of them; raise it, or name "
			 "fewer",
			 (unsigned long long)list->left_out);
	return error == 0 ? group(list) : error;
}

void
source_list_fini(struct source_list *list)
{
	for (size_t i = 0; i < list->entry_nr; i++)
		free(list->entries[i].path);
	if (list->roots != NULL)
		for (size_t i = 0; i < 2 * list->scope.root_nr; i++)
			free(list->roots[i]);
	free(list->roots);
	free(list->is_file);
	free(list->cwd);
	free(list->entries);
	free(list->files);
	free(list->requests);
	free(list->boundaries);
	free(list->errors);
	free(list->statuses);
	source_forget_missing(list);
	fd_close(list->text_fd);
	*list = (struct source_list){ .text_fd = -1 };
}
