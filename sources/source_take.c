/* SPDX-License-Identifier: MIT */
/*
 * source_take.c - each option that names a source, into requests.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/diag.h"
#include "base/fd_io.h"
#include "sources/source_impl.h"
#include "sources/source_read.h"
#include "sources/source_scan.h"

#define NAME_BYTES 512
#define LONGER_MAX 8            /* words that a name may be longer by */
#define LONGER_OF_SOURCE 20000u /* tries, of all names of one source */

/* Where the places of one text go. */
struct take_ctx {
	struct source_list *list;
	struct source_status *status;
	struct source_request like; /* but for its lines */
	uint64_t context;           /* lines around them */
	bool is_sure;         /* a place that is not there is worth a word */
	bool is_of_tool;      /* that may have been at work elsewhere */
	uint32_t longer_left; /* names that may be tried yet, as longer ones */
};

/* Where a place is: below the directory that the tool was in, or else as all
 * paths are. */
static int
resolve(const struct take_ctx *take_ctx, const struct source_place *place,
	struct source_entry *entry)
{
	char path[PATH_MAX];

	for (size_t i = place->dir_nr; i-- > 0 && place->path[0] != '/';) {
		const struct source_dir *dir = &place->dirs[i];
		int nr = snprintf(path, sizeof(path), "%.*s/%.*s",
				  (int)dir->bytes, dir->path,
				  (int)place->path_bytes, place->path);

		if (nr > 0 && (size_t)nr < sizeof(path)) {
			int error =
				source_resolve(take_ctx->list, path, (size_t)nr,
					       &entry->root, &entry->path);

			if (error == 0 || error == -ENOMEM)
				return error;
		}
	}
	if (place->is_below)
		return -ENOENT;
	return source_resolve(take_ctx->list, place->path, place->path_bytes,
			      &entry->root, &entry->path);
}

/* The lines of a place, and those around it. */
static struct source_request
request_of(const struct take_ctx *take_ctx, const struct source_place *place)
{
	struct source_request request = take_ctx->like;
	uint64_t around = take_ctx->context;

	request.line_first = 1;
	request.line_last = SOURCE_LINES_ALL;
	if (place->line_first > 0) {
		request.line_first = place->line_first -
				     min_u64(around, place->line_first - 1);
		request.line_last = add_sat_u64(place->line_last, around);
		request.is_exact = place->is_exact || around > 0;
	}
	return request;
}

/* A name of Windows, with slashes in `text`; false: it has nothing of one. */
static bool
with_slashes(const struct source_place *place, char text[static PATH_MAX],
	     struct source_place *out)
{
	if (place->path_bytes >= PATH_MAX ||
	    memchr(place->path, '\\', place->path_bytes) == NULL)
		return false;
	for (size_t i = 0; i < place->path_bytes; i++)
		text[i] = place->path[i] == '\\' ? '/' : place->path[i];
	*out = *place;
	out->path = text;
	return true;
}

/* The name and a word more before it; false: there is none. */
static bool
with_word(struct source_place *place, const char *line, const char **from)
{
	const char *end = place->path + place->path_bytes;
	const char *at = *from;

	if (line == NULL || at <= line || at[-1] != ' ')
		return false;
	at--;
	while (at > line && at[-1] != ' ' && at[-1] != '\t')
		at--;
	*from = at;
	/* a bracket or a quote around it is not its own */
	while (at < end && strchr("([{<\"'`", *at) != NULL)
		at++;
	place->path = at;
	place->path_bytes = (size_t)(end - at);
	return place->path_bytes < PATH_MAX;
}

/* path:1:2.c:12:text: the name up to the next number between colons. */
static bool
with_number(struct source_place *place)
{
	const char *end = place->line_end;
	const char *at = place->path + place->path_bytes;

	while (end != NULL && at + 1 < end &&
	       (at = memchr(at + 1, ':', (size_t)(end - at - 1))) != NULL) {
		const char *behind;
		uint64_t n = scan_line_nr(at + 1, end, &behind);

		if (n == 0 || (behind < end && *behind != ':'))
			continue;
		place->path_bytes = (size_t)(at - place->path);
		place->line_first = n;
		place->line_last = n;
		return place->path_bytes < PATH_MAX;
	}
	return false;
}

/*
 * A name with blanks, or with numbers between colons, looks like a shorter
 * one: where that is not there, the longer ones are tried that are.
 */
static int
resolve_longer(struct take_ctx *take_ctx, struct source_place *place,
	       struct source_entry *entry)
{
	struct source_place longer = *place;
	const char *from = place->path;

	for (int i = 0; i < LONGER_MAX && take_ctx->longer_left > 0; i++) {
		int error;

		if (!with_word(&longer, place->line, &from) &&
		    !with_number(&longer))
			break;
		take_ctx->longer_left--;
		error = resolve(take_ctx, &longer, entry);
		if (error == 0)
			*place = longer;
		if (error == 0 || error == -ENOMEM)
			return error;
	}
	return -ENOENT;
}

/* What is no file is left out by collect, and the report alone names it. */
static void
say_no_file(const struct take_ctx *take_ctx, const struct source_place *place,
	    const struct source_entry *entry)
{
	const struct source_list *list = take_ctx->list;
	const char *root = list->roots[2 * entry->root];
	char path[PATH_MAX];
	struct stat status;
	int nr = snprintf(path, sizeof(path), "%s/%s", root, entry->path);

	/* a commit may have a file there */
	if (!take_ctx->is_sure || list->scope.rev != NULL ||
	    (size_t)nr >= sizeof(path) ||
	    lstat(list->is_file[entry->root] ? root : path, &status) != 0 ||
	    S_ISREG(status.st_mode))
		return;
	source_say_refused(take_ctx->status, place->path, place->path_bytes,
			   S_ISLNK(status.st_mode) ? -ELOOP : -ENXIO);
}

static int
take_place(void *context, const struct source_place *place)
{
	struct take_ctx *take_ctx = context;
	struct source_entry entry = { .request = request_of(take_ctx, place) };
	struct source_missing missing = {
		.request = entry.request,
		.status_idx =
			(size_t)(take_ctx->status - take_ctx->list->statuses),
		.is_sure = take_ctx->is_sure,
	};
	struct source_place slashed;
	struct source_place longer = *place;
	char text[PATH_MAX];
	int error = resolve(take_ctx, place, &entry);

	if (error != 0 && error != -ENOMEM && take_ctx->is_of_tool &&
	    with_slashes(place, text, &slashed)) {
		place = &slashed;
		error = resolve(take_ctx, place, &entry);
	}
	if (error != 0 && error != -ENOMEM && take_ctx->is_of_tool) {
		int again = resolve_longer(take_ctx, &longer, &entry);

		error = again == 0 || again == -ENOMEM ? again : error;
		if (again == 0)
			entry.request = request_of(take_ctx, &longer);
	}
	if (error == -ENOMEM)
		return error;
	missing.error = error;
	if (error != 0 && take_ctx->is_of_tool && error != -EISDIR)
		return source_keep_missing(take_ctx->list, place, &missing);
	if (error != 0) {
		/* logs name much that is no file of ours */
		if (take_ctx->is_sure || error == -EXDEV)
			source_say_refused(take_ctx->status, place->path,
					   place->path_bytes, error);
		return 0;
	}
	say_no_file(take_ctx, place, &entry);
	return source_add_entry(take_ctx->list, take_ctx->status, &entry);
}

static bool
is_name_used(const struct source_list *list, const char *name)
{
	for (size_t i = 0; i < list->entry_nr; i++)
		if (list->entries[i].root == SOURCE_ROOT_TEXT &&
		    strcmp(list->entries[i].path, name) == 0)
			return true;
	return false;
}

/* The name, with a number if texts before it had it; NULL: no memory. */
static char *
unused_name(const struct source_list *list, const char *name)
{
	size_t bytes = strlen(name);
	unsigned long nr = 1;
	char *unused = NULL;

	for (size_t i = 0; i < list->entry_nr; i++)
		nr += list->entries[i].root == SOURCE_ROOT_TEXT &&
		      list->entries[i].name_bytes == bytes &&
		      memcmp(list->entries[i].path, name, bytes) == 0;
	do {
		free(unused);
		if (nr == 1)
			unused = strdup(name);
		else if (asprintf(&unused, "%s (%lu)", name, nr) < 0)
			unused = NULL;
		nr++;
	} while (unused != NULL && is_name_used(list, unused));
	return unused;
}

/* Which lines of a log say what went wrong, and how many it has. */
static int
keep_errors(struct source_list *list, const char *text, size_t bytes,
	    struct source_entry *entry)
{
	uint64_t *errors =
		reallocarray(list->errors, list->error_nr + SOURCE_ERRORS_MAX,
			     sizeof(*errors));

	if (errors == NULL)
		return -ENOMEM;
	list->errors = errors;
	entry->error_first = list->error_nr;
	entry->line_nr = source_parse_errors(
		text, bytes, errors + list->error_nr, &entry->error_nr);
	list->error_nr += entry->error_nr;
	return 0;
}

/* A text of its own, under a name that no other has. */
static int
take_text(struct take_ctx *take_ctx, const char *name, const char *text,
	  size_t bytes)
{
	struct source_list *list = take_ctx->list;
	struct source_entry entry = {
		.root = SOURCE_ROOT_TEXT,
		.text_off = list->text_bytes,
		.text_bytes = bytes,
		.request = take_ctx->like,
	};
	int error = 0;

	if (bytes == 0)
		return 0;
	if (take_ctx->like.category == CATEGORY_TOOL)
		error = keep_errors(list, text, bytes, &entry);
	if (error == 0)
		error = fd_write_all(list->text_fd, text, bytes);
	if (error != 0)
		return error;
	list->text_bytes += bytes;
	entry.request.line_first = 1;
	entry.request.line_last = SOURCE_LINES_ALL;
	entry.name_bytes = strlen(name);
	entry.path = unused_name(list, name);
	if (entry.path == NULL)
		return -ENOMEM;
	return source_add_entry(list, take_ctx->status, &entry);
}

/* ---- sources ----------------------------------------------------------- */

static struct source_status *
add_status(struct source_list *list, const char *option, const char *name)
{
	struct source_status *wider = reallocarray(
		list->statuses, list->status_nr + 1, sizeof(*list->statuses));

	if (wider == NULL)
		return NULL;
	list->statuses = wider;
	list->statuses[list->status_nr] =
		(struct source_status){ .option = option, .name = name };
	return &list->statuses[list->status_nr++];
}

/* It fails, it is named, and the rest goes on. */
static void
fail(struct source_list *list, struct source_status *status, int error)
{
	status->error = error;
	list->is_degraded = true;
	diag_log(DIAG_ERROR, "--%s %s: %s", status->option,
		 QUOTED(status->name),
		 error == -ETIMEDOUT
			 ? "it was not read in time: see --source-timeout"
		 : error != -EFBIG ? diag_errno(error)
		 : strcmp(status->option, "tool") == 0
			 ? "larger than 64 MiB, or than two thirds of "
			   "--memory: name a part of it, such as its end"
			 : "larger than 64 MiB, or than a fifth of --memory: "
			   "raise it, or name a part of it");
}

/* From when its turn comes: one that is late takes no other's time. */
static uint64_t
deadline_of(const struct source_list *list, uint64_t timeout_ms)
{
	if (timeout_ms == 0)
		timeout_ms = list->options->timeout_s * 1000;
	return clock_now_ns() + timeout_ms * NS_PER_MS;
}

/* A text that names more places than are looked at is worth a line. */
static void
say_places(const struct source_status *status, int64_t nr)
{
	if (nr >= SOURCE_PLACES_MAX)
		diag_log(DIAG_WARN,
			 "--%s %s: names more than %d places: the rest is "
			 "ignored",
			 status->option, QUOTED(status->name),
			 SOURCE_PLACES_MAX);
}

static struct take_ctx
taking_of(struct source_list *list, struct source_status *status,
	  uint8_t category)
{
	return (struct take_ctx){
		.list = list,
		.status = status,
		.like = { .relevance = SOURCE_ONE,
			  .category = category,
			  .time_ns = SOURCE_TIME_NONE },
		.is_sure = true,
		.longer_left = LONGER_OF_SOURCE,
	};
}

/* A log: it stays whole, and what it names is referred to. */
static int
take_log(struct take_ctx *take_ctx, const char *name,
	 const struct source_text *text)
{
	int error;
	int64_t nr;

	if (take_ctx->like.time_ns == SOURCE_TIME_NONE)
		take_ctx->like.time_ns = text->mtime_ns;
	error = take_text(take_ctx, name, text->bytes, text->nr);
	if (error != 0)
		return error;
	take_ctx->like.category = CATEGORY_REFERENCE;
	take_ctx->like.time_ns = SOURCE_TIME_NONE;
	take_ctx->is_sure = false;
	take_ctx->is_of_tool = true;
	nr = source_parse_tool(text->bytes, text->nr, take_place, take_ctx);
	say_places(take_ctx->status, nr);
	return nr < 0 ? (int)nr : 0;
}

static const char *
shown_name(const char *path)
{
	return strcmp(path, "-") == 0 ? "(stdin)" : path;
}

static int
take_tool(struct source_list *list, struct source_status *status)
{
	struct take_ctx take_ctx = taking_of(list, status, CATEGORY_TOOL);
	struct source_text text;
	int error = source_read(status->name, deadline_of(list, 0),
				SOURCE_SHARE(list->scope.memory_bytes), &text);

	if (error == 0)
		error = take_log(&take_ctx, shown_name(status->name), &text);
	free(text.bytes);
	return error;
}

static int
take_search(struct source_list *list, struct source_status *status)
{
	struct take_ctx take_ctx = taking_of(list, status, CATEGORY_SEARCH);
	struct source_text text;
	int64_t nr =
		source_read(status->name, deadline_of(list, 0),
			    SOURCE_JSON_SHARE(list->scope.memory_bytes), &text);

	take_ctx.context = list->options->search_context;
	take_ctx.is_of_tool = true;
	if (nr == 0)
		text_drop_mark(text.bytes, &text.nr);
	if (nr == 0)
		nr = source_parse_search(text.bytes, text.nr, take_place,
					 &take_ctx);
	if (nr == 0 && text.nr > 0)
		diag_log(DIAG_WARN,
			 "--search %s: no line of it is path:line:text or one "
			 "of rg --json",
			 shown_name(status->name));
	say_places(status, nr);
	free(text.bytes);
	return nr < 0 ? (int)nr : 0;
}

static int
take_file(struct source_list *list, struct source_status *status)
{
	bool is_open = strcmp(status->option, "open") == 0;
	struct take_ctx take_ctx = taking_of(
		list, status, is_open ? CATEGORY_OPEN : CATEGORY_REFERENCE);
	struct source_place place = { .path = status->name,
				      .path_bytes = strlen(status->name) };
	uint64_t refused = status->refused;
	int error;

	if (!is_open)
		source_parse_reference(status->name, &place);
	error = take_place(&take_ctx, &place);
	if (status->refused > refused)
		list->is_degraded = true;
	return error;
}

/* ---- --sources --------------------------------------------------------- */

/* What a tool wrote to a file or a pipe, which may be late. */
static int
take_json_log(struct take_ctx *take_ctx, const struct source_json *wish)
{
	struct source_text text;
	struct source_list *list = take_ctx->list;
	int error = source_read(wish->place.path,
				deadline_of(list, wish->timeout_ms),
				SOURCE_SHARE(list->scope.memory_bytes), &text);

	if (error == -ENOMEM)
		return error;
	if (error != 0) {
		list->is_degraded = true;
		source_say_refused(take_ctx->status, wish->place.path,
				   wish->place.path_bytes, error);
		return 0;
	}
	error = take_log(take_ctx,
			 wish->name != NULL ? wish->name : wish->place.path,
			 &text);
	free(text.bytes);
	return error;
}

/* A text of its own; what a tool wrote names places wherever it comes from. */
static int
take_content(struct take_ctx *take_ctx, const struct source_json *wish)
{
	const char *name =
		wish->name != NULL ? wish->name : category_type(wish->category);
	struct source_text text = { .nr = wish->content_bytes,
				    .mtime_ns = wish->time_ns };
	int error;

	if (wish->category != CATEGORY_TOOL)
		return take_text(take_ctx, name, wish->content,
				 wish->content_bytes);
	text.bytes = strndup(wish->content, wish->content_bytes);
	if (text.bytes == NULL)
		return -ENOMEM;
	error = take_log(take_ctx, name, &text);
	free(text.bytes);
	return error;
}

static int
take_json(struct source_list *list, struct source_status *status,
	  const struct source_json *wish)
{
	struct take_ctx take_ctx = taking_of(list, status, wish->category);
	uint64_t refused = status->refused;
	int error;

	take_ctx.like.relevance = wish->relevance;
	take_ctx.like.time_ns = wish->time_ns;
	if (wish->content != NULL)
		return take_content(&take_ctx, wish);
	if (wish->category == CATEGORY_TOOL && wish->place.line_first == 0)
		return take_json_log(&take_ctx, wish);
	error = take_place(&take_ctx, &wish->place);
	if (status->refused > refused)
		list->is_degraded = true;
	return error;
}

static int
take_sources(struct source_list *list, struct source_status *status)
{
	struct source_text text;
	int error =
		source_read(status->name, deadline_of(list, 0),
			    SOURCE_JSON_SHARE(list->scope.memory_bytes), &text);
	const char *stop;
	uint64_t line = 0;

	if (error == 0)
		text_drop_mark(text.bytes, &text.nr);
	stop = text.bytes + text.nr;
	for (const char *at = text.bytes; error == 0 && at < stop;) {
		const char *end = scan_line_end(at, stop);
		struct source_json wish = { .json = NULL };
		char what[128];

		line++;
		if ((size_t)(end - at) > strspn(at, " \t\r")) {
			error = source_parse_json(at, (size_t)(end - at), &wish,
						  what, sizeof(what));
			if (error == 0) {
				error = take_json(list, status, &wish);
			} else if (error == -EINVAL) {
				error = 0;
				status->refused++;
				list->is_degraded = true;
				diag_log(DIAG_ERROR,
					 "--sources %s: line %llu: %s",
					 QUOTED(status->name),
					 (unsigned long long)line, what);
			}
		}
		source_json_fini(&wish);
		at = end + 1;
	}
	free(text.bytes);
	return error;
}

/* ---- all --------------------------------------------------------------- */

typedef int
take_fn(struct source_list *list, struct source_status *status);

static int
take_list(struct source_list *list, const char *option,
	  const struct text_list *names, take_fn *take)
{
	for (size_t i = 0; i < names->nr; i++) {
		struct source_status *status =
			add_status(list, option, names->items[i]);
		int error = status == NULL ? -ENOMEM : take(list, status);

		if (error == -ENOMEM || error == -ENOSPC)
			return error;
		if (error != 0)
			fail(list, status, error);
	}
	return 0;
}

int
source_take_all(struct source_list *list)
{
	const struct source_options *options = list->options;
	int error = take_list(list, "tool", &options->tools, take_tool);

	if (error == 0)
		error = take_list(list, "open", &options->opens, take_file);
	if (error == 0)
		error = take_list(list, "search", &options->searches,
				  take_search);
	if (error == 0)
		error = take_list(list, "reference", &options->references,
				  take_file);
	if (error == 0)
		error = take_list(list, "sources", &options->source_files,
				  take_sources);
	return error;
}
