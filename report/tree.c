/* SPDX-License-Identifier: MIT */
/*
 * tree.c - directories out of paths in canonical order, then sorted.
 */
#include "report/render.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/diag.h"
#include "base/number_format.h"
#include "base/emit.h"
#include "base/stream.h"
#include "catalogue/files.h"
#include "report/tree_roots.h"
#include "rank/budget.h"

#define NAME_BYTES 4096
#define NODE_NONE UINT32_MAX

/* A directory, whose path is the start of the path of one of its files; or a
 * file. */
struct node {
	uint64_t tokens;
	uint32_t file_idx;
	uint32_t path_bytes; /* '/' included; 0: above all roots */
	uint32_t parent;
	bool is_file;
	uint32_t depth;
	uint32_t first_child;
	uint32_t next; /* sibling */
};

struct tree {
	const struct report *report;
	struct node *nodes;
	size_t nr;
	size_t room;
	const struct tree_options *options;
	FILE *out; /* NULL: JSON */
	struct emitter json;
	int width;
};

static int
add_node(struct tree *tree, const struct node *node)
{
	if (ARRAY_RESERVE(tree->nodes, tree->room, tree->nr + 1) != 0)
		return -ENOMEM;
	tree->nodes[tree->nr++] = *node;
	return 0;
}

/* Whether a path lies in the directory of a node. */
static bool
is_below(const struct tree *tree, const struct node *node, const uint8_t *path,
	 size_t bytes)
{
	size_t own_bytes;

	if (node->path_bytes == 0)
		return true;
	return bytes > node->path_bytes &&
	       memcmp(path,
		      report_path(tree->report, node->file_idx, &own_bytes),
		      node->path_bytes) == 0;
}

/*
 * Where the path of the next directory below a node ends, '/' included; 0:
 * the file lies in the node itself. What the user named is one directory.
 */
static size_t
directory_end(const struct tree *tree, const struct node *node,
	      uint32_t file_idx, const uint8_t *path, size_t bytes)
{
	uint32_t root_bytes =
		catalogue_file(&tree->report->run->catalogue, file_idx)
			->root_bytes;
	const uint8_t *slash;

	if (node->path_bytes < root_bytes && root_bytes < bytes)
		return root_bytes;
	slash = memchr(path + node->path_bytes, '/', bytes - node->path_bytes);
	return slash == NULL ? 0 : (size_t)(slash - path) + 1;
}

/* The node of the directory that a file is in, made where it is new. */
static int
enter(struct tree *tree, uint32_t *at, uint32_t file_idx, const uint8_t *path,
      size_t bytes)
{
	while (!is_below(tree, &tree->nodes[*at], path, bytes))
		*at = tree->nodes[*at].parent;
	for (;;) {
		const struct node *here = &tree->nodes[*at];
		size_t end = directory_end(tree, here, file_idx, path, bytes);
		struct node node = {
			.file_idx = file_idx,
			.parent = *at,
			.depth = here->depth + 1,
			.first_child = NODE_NONE,
			.next = NODE_NONE,
		};
		int error;

		if (end == 0)
			return 0;
		node.path_bytes = (uint32_t)end;
		error = add_node(tree, &node);
		if (error != 0)
			return error;
		*at = (uint32_t)tree->nr - 1;
	}
}

/* The tokens of a file, in the directories that it is in; and itself. */
static int
add_file(struct tree *tree, uint32_t at, uint32_t file_idx, size_t bytes)
{
	uint64_t tokens = report_file_tokens(tree->report, file_idx);
	const struct node file = {
		.tokens = tokens,
		.file_idx = file_idx,
		.path_bytes = (uint32_t)bytes,
		.is_file = true,
		.parent = at,
		.depth = tree->nodes[at].depth + 1,
		.first_child = NODE_NONE,
		.next = NODE_NONE,
	};

	for (uint32_t up = at; up != NODE_NONE; up = tree->nodes[up].parent)
		tree->nodes[up].tokens =
			add_sat_u64(tree->nodes[up].tokens, tokens);
	return tree->options->files ? add_node(tree, &file) : 0;
}

static int
add_files(struct tree *tree)
{
	const struct run *run = tree->report->run;
	uint32_t at = 0;

	for (uint64_t i = 0; i < tree->report->files_seen; i++) {
		const struct file_facts *facts =
			catalogue_facts(&run->catalogue, i);
		const uint8_t *path;
		size_t bytes;
		int error;

		if (facts->reason != REASON_NONE)
			continue;
		path = report_path(tree->report, (uint32_t)i, &bytes);
		error = enter(tree, &at, (uint32_t)i, path, bytes);
		if (error == 0)
			error = add_file(tree, at, (uint32_t)i, bytes);
		if (error != 0)
			return error;
	}
	return 0;
}

/* The heaviest first; of equals the one that comes first in the tree. */
static int
compare(const void *a, const void *b, void *context)
{
	const struct tree *tree = context;
	uint32_t x = *(const uint32_t *)a;
	uint32_t y = *(const uint32_t *)b;

	if (tree->nodes[x].tokens != tree->nodes[y].tokens)
		return tree->nodes[x].tokens > tree->nodes[y].tokens ? -1 : 1;
	return x < y ? -1 : 1;
}

/* Hangs each node into its parent's list of children, in that order. */
static int
sort_children(struct tree *tree)
{
	uint32_t *order = malloc(tree->nr * sizeof(*order));

	if (order == NULL)
		return -ENOMEM;
	for (uint32_t i = 0; i < tree->nr; i++)
		order[i] = i;
	qsort_r(order, tree->nr, sizeof(*order), compare, tree);
	/* the lightest first, each in front of its siblings */
	for (size_t i = tree->nr; i-- > 0;) {
		struct node *node = &tree->nodes[order[i]];

		if (node->parent == NODE_NONE)
			continue;
		node->next = tree->nodes[node->parent].first_child;
		tree->nodes[node->parent].first_child = order[i];
	}
	free(order);
	return 0;
}

static int
emit_node(struct tree *tree, const struct node *node)
{
	struct emitter *out = &tree->json;
	size_t bytes;
	const uint8_t *path = report_path(tree->report, node->file_idx, &bytes);

	emit_begin(out, NULL, '{');
	emit_path(out, "path", path, node->path_bytes);
	emit_u64(out, "depth", node->depth - 1);
	emit_u64(out, "tokens", node->tokens);
	if (node->is_file)
		emit_bool(out, "is_file", true);
	emit_end(out, '}');
	return out->error;
}

static int
print_node(struct tree *tree, uint32_t idx)
{
	const struct node *node = &tree->nodes[idx];
	const struct node *up = &tree->nodes[node->parent];
	const uint8_t *path;
	size_t bytes;
	char name[NAME_BYTES];

	if (tree->out == NULL)
		return emit_node(tree, node);
	path = report_path(tree->report, node->file_idx, &bytes);
	diag_quote(name, sizeof(name), path + up->path_bytes,
		   node->path_bytes - up->path_bytes);
	if (fprintf(tree->out, "%*s  %7s  %*s%s\n", tree->width,
		    COUNT_TEXT(node->tokens),
		    SHARE_TEXT(node->tokens, tree->nodes[0].tokens),
		    (int)(2 * (node->depth - 1)), "", name) < 0)
		return -errno;
	return 0;
}

/* Depth first, without recursion: a tree may be as deep as it likes. */
static int
print_all(struct tree *tree, const struct tree_options *options)
{
	uint32_t at = tree->nodes[0].first_child;

	while (at != NODE_NONE) {
		const struct node *node = &tree->nodes[at];
		bool shown = node->tokens >= options->threshold_tokens;
		bool deeper = options->depth_max == 0 ||
			      node->depth < options->depth_max;
		int error = shown ? print_node(tree, at) : 0;

		if (error != 0)
			return error;
		if (shown && deeper && node->first_child != NODE_NONE) {
			at = node->first_child;
			continue;
		}
		while (at != 0 && tree->nodes[at].next == NODE_NONE)
			at = tree->nodes[at].parent;
		at = at == 0 ? NODE_NONE : tree->nodes[at].next;
	}
	return 0;
}

static int
print_total(const struct tree *tree)
{
	if (fprintf(tree->out, "%*s  %7s  total\n", tree->width,
		    COUNT_TEXT(tree->nodes[0].tokens),
		    SHARE_TEXT(tree->nodes[0].tokens, tree->nodes[0].tokens)) <
	    0)
		return -errno;
	return stream_finish(tree->out);
}

/* The directories of a run, in their order. Owner: free(tree->nodes). */
static int
build(struct tree *tree)
{
	const struct node top = { .parent = NODE_NONE,
				  .first_child = NODE_NONE,
				  .next = NODE_NONE };
	int error = add_node(tree, &top);

	if (error == 0)
		error = add_files(tree);
	return error == 0 ? sort_children(tree) : error;
}

/* ---- bale count --------------------------------------------------------- */

/* Tokens below each root; owner: free(3). NULL: there is no memory. */
static uint64_t *
count_roots(const struct tree *tree, uint64_t *all)
{
	const struct report *report = tree->report;
	const struct job *job = &report->run->job;
	uint64_t *tokens = calloc(job->root_nr + 1, sizeof(*tokens));
	struct tree_roots roots;

	*all = 0;
	if (tokens == NULL || tree_roots_init(&roots, job) != 0) {
		free(tokens);
		return NULL;
	}
	for (uint64_t i = 0; i < report->files_seen; i++) {
		const struct catalogue *catalogue = &report->run->catalogue;
		const struct file_record *file = catalogue_file(catalogue, i);

		if (catalogue_facts(catalogue, i)->reason != REASON_NONE ||
		    file->root_idx >= job->root_nr)
			continue;
		tree_roots_add(&roots, file, catalogue_path(catalogue, file),
			       report_file_tokens(tree->report, i), tokens);
		*all = add_sat_u64(*all, report_file_tokens(tree->report, i));
	}
	tree_roots_fini(&roots);
	return tokens;
}

uint64_t
tree_tokens(const struct report *report)
{
	const struct tree tree = { .report = report };
	uint64_t all;

	free(count_roots(&tree, &all));
	return all;
}

static void
emit_begin_all(struct tree *tree)
{
	struct emitter *out = &tree->json;

	emit_begin(out, NULL, '{');
	emit_u64(out, "version", 1);
	emit_text(out, "encoding", tree->report->encoding);
	emit_bool(out, "estimated", tree->report->run->job.margin_percent != 0);
}

/* A line for each PATH, as bale count has one for each file. */
static int
print_roots(struct tree *tree)
{
	const struct job *job = &tree->report->run->job;
	uint64_t all;
	uint64_t *tokens = count_roots(tree, &all);
	int width = snprintf(NULL, 0, "%ju", all);
	char name[NAME_BYTES];

	if (tokens == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < job->root_nr; i++)
		fprintf(tree->out, "%*ju %s\n", width, tokens[i],
			diag_quote_text(name, sizeof(name), job->roots[i]));
	if (job->root_nr > 1)
		fprintf(tree->out, "%*ju total\n", width, all);
	free(tokens);
	return stream_finish(tree->out);
}

/* docs/count.schema.json */
static int
emit_roots(struct tree *tree)
{
	const struct job *job = &tree->report->run->job;
	struct emitter *out = &tree->json;
	uint64_t all;
	uint64_t *tokens = count_roots(tree, &all);

	if (tokens == NULL)
		return -ENOMEM;
	emit_begin_all(tree);
	emit_begin(out, "files", '[');
	for (size_t i = 0; i < job->root_nr; i++) {
		emit_begin(out, NULL, '{');
		emit_path(out, "path", (const uint8_t *)job->roots[i],
			  strlen(job->roots[i]));
		emit_u64(out, "tokens", tokens[i]);
		emit_end(out, '}');
	}
	emit_end(out, ']');
	emit_u64(out, "tokens", all);
	emit_end(out, '}');
	emit_line(out);
	free(tokens);
	return emit_finish(out);
}

/* ---- all of it ---------------------------------------------------------- */

int
tree_print(const struct report *report, const struct tree_options *options,
	   FILE *out)
{
	struct tree tree = { .report = report, .options = options, .out = out };
	int error;

	if (options->totals)
		return print_roots(&tree);
	error = build(&tree);
	if (error == 0) {
		tree.width = (int)strlen(COUNT_TEXT(tree.nodes[0].tokens));
		error = print_all(&tree, options);
	}
	if (error == 0)
		error = print_total(&tree);
	free(tree.nodes);
	return error;
}

int
tree_print_json(const struct report *report, const struct tree_options *options,
		int fd)
{
	struct tree tree = { .report = report, .options = options };
	struct emitter *out = &tree.json;
	int error;

	emit_init(out, fd);
	if (options->totals)
		return emit_roots(&tree);
	error = build(&tree);
	if (error == 0) {
		emit_begin_all(&tree);
		emit_u64(out, "tokens", tree.nodes[0].tokens);
		emit_begin(out, "directories", '[');
		error = print_all(&tree, options);
		emit_end(out, ']');
		emit_end(out, '}');
		emit_line(out);
	}
	free(tree.nodes);
	return error != 0 ? error : emit_finish(out);
}
