/* SPDX-License-Identifier: MIT */
/*
 * collect_io_history.c - commits in the order of git log, and their changes.
 *
 * Commits that are known by their children but have not been given stand in a
 * heap, the newest on top; of equal ones the one that was met first, as git
 * has it.
 */
#include "stages/collect/collect_io_history.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/heap.h"
#include "stages/collect/collect_io_walk.h"

/* ---- repositories ------------------------------------------------------ */

/* The repository of a root: its index; HISTORY_REPOS_MAX: none to be read. */
static uint32_t
keep_repo(struct history *history, struct repo *repo)
{
	for (uint32_t i = 0; i < history->repo_nr; i++) {
		if (strcmp(history->repos[i].path, repo->path) == 0) {
			repo_close(repo);
			return i;
		}
	}
	if (history->repo_nr == HISTORY_REPOS_MAX) {
		repo_close(repo);
		return HISTORY_REPOS_MAX;
	}
	history->repos[history->repo_nr] = *repo;
	return history->repo_nr++;
}

/* The top of the work tree that a directory is in, by its prefix there. */
static int
keep_top(struct history *history, uint32_t at, int dir_fd, const char *prefix)
{
	char path[PATH_MAX + 1];
	size_t bytes;

	if (!git_path_of(dir_fd, path))
		return 0;
	bytes = strlen(path) + 1;
	if (bytes <= strlen(prefix))
		return 0;
	bytes -= strlen(prefix);
	/* "/top/" of "/top/a/", without its end */
	path[bytes > 1 ? bytes - 1 : 1] = '\0';
	history->tops[at].fd =
		open(path, O_PATH | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
	if (history->tops[at].fd < 0 ||
	    faccessat(history->tops[at].fd, ".git", F_OK, 0) != 0)
		return 0;
	history->tops[at].path = strdup(path);
	return history->tops[at].path == NULL ? -ENOMEM : 0;
}

static int
find_root(struct history *history, const struct walk_root *root,
	  const struct repo_allowed *allowed, bool with_top, char *why)
{
	uint32_t at = history->root_nr++;
	uint32_t before = history->repo_nr;
	char reason[COLLECT_WHY_BYTES] = "";
	struct repo repo;
	int error;

	history->roots[at].repo = HISTORY_REPOS_MAX;
	error = repo_find(&repo, root->fd, allowed, reason);
	if (error != 0) {
		/* outside of git there is nothing to be said */
		if (error != -ENOENT && why[0] == '\0')
			memcpy(why, reason, sizeof(reason));
		repo_close(&repo);
		return error == -ENOMEM ? error : 0;
	}
	history->roots[at].prefix = strdup(repo.prefix);
	if (history->roots[at].prefix == NULL) {
		repo_close(&repo);
		return -ENOMEM;
	}
	history->roots[at].repo = keep_repo(history, &repo);
	if (!with_top || history->repo_nr == before)
		return 0;
	return keep_top(history, before, root->fd, history->roots[at].prefix);
}

/* Where the roots are: the paths that may be read besides. */
static char **
real_roots(const struct collect_walk *walk, uint32_t root_nr)
{
	char **paths = calloc(root_nr, sizeof(*paths));
	char path[PATH_MAX];

	for (uint32_t i = 0; paths != NULL && i < root_nr; i++)
		if (walk->roots[i].name == NULL &&
		    git_path_of(walk->roots[i].fd, path))
			paths[i] = strdup(path);
	return paths;
}

static int
find_all(struct history *history, const struct collect_walk *walk,
	 bool with_top, char *why)
{
	uint32_t root_nr = (uint32_t)min_u64(walk->root_nr, HISTORY_ROOTS_MAX);
	char **paths = real_roots(walk, root_nr);
	struct repo_allowed allowed = { (const char *const *)paths, 0 };
	int error = paths == NULL ? -ENOMEM : 0;

	history->walk = walk;
	for (uint32_t i = 0; i < root_nr && error == 0; i++)
		if (paths[i] != NULL)
			paths[allowed.nr++] = paths[i];
	history->roots = calloc(root_nr, sizeof(*history->roots));
	if (history->roots == NULL)
		error = -ENOMEM;
	for (uint32_t i = 0; i < root_nr && error == 0; i++)
		error = find_root(history, &walk->roots[i], &allowed, with_top,
				  why);
	for (size_t i = 0; i < allowed.nr; i++)
		free(paths[i]);
	free(paths);
	return error;
}

int
history_find(struct history **out, const struct collect_walk *walk,
	     size_t memory_bytes, bool with_top, char why[COLLECT_WHY_BYTES])
{
	struct history *history = calloc(1, sizeof(*history));
	int error = -ENOMEM;

	*out = NULL;
	why[0] = '\0';
	for (uint32_t i = 0; history != NULL && i < HISTORY_REPOS_MAX; i++)
		history->tops[i].fd = -1;
	if (history != NULL)
		error = find_all(history, walk, with_top, why);
	if (history != NULL)
		history->memory_bytes = memory_bytes;
	if (error == 0 && history->repo_nr > 0 &&
	    gitlib_open(memory_bytes) != 0) {
		snprintf(why, COLLECT_WHY_BYTES, "%.400s", gitlib_error());
		goto drop;
	}
	if (error == 0 && history->repo_nr > 0) {
		if (walk->rev == NULL)
			gitlib_trust();
		*out = history;
		return 0;
	}
drop:
	history_close(history);
	return error;
}

void
history_close(struct history *history)
{
	if (history == NULL)
		return;
	repo_object_close(&history->object);
	for (uint32_t i = 0; i < history->repo_nr; i++) {
		repo_close(&history->repos[i]);
		if (history->tops[i].fd >= 0)
			close(history->tops[i].fd);
		free(history->tops[i].path);
	}
	for (uint32_t i = 0; i < history->root_nr; i++)
		free(history->roots[i].prefix);
	free(history->roots);
	free(history->nodes);
	free(history->slots);
	free(history->heap);
	free(history);
}

uint32_t
history_reach(const struct history *history, int *fds, uint32_t room)
{
	uint32_t nr = 0;

	for (uint32_t i = 0; i < history->repo_nr; i++) {
		if (nr + 3 + REPO_BORROWED_MAX > room)
			break;
		nr += repo_reach(&history->repos[i], fds + nr);
		if (history->tops[i].path != NULL)
			fds[nr++] = history->tops[i].fd;
	}
	return nr;
}

const char *
history_prefix(const struct history *history, uint32_t repo, uint32_t root,
	       size_t *bytes)
{
	if (root >= history->root_nr || history->roots[root].repo != repo)
		return NULL;
	*bytes = strlen(history->roots[root].prefix);
	return history->roots[root].prefix;
}

/* ---- commits that were met --------------------------------------------- */

static uint32_t
slot_of(const struct history *history, const git_oid *id)
{
	uint32_t at;

	memcpy(&at, id->id, sizeof(at));
	for (;; at++) {
		uint32_t found = history->slots[at & (history->slot_nr - 1)];

		if (found == 0 || memcmp(history->nodes[found - 1].id.id,
					 id->id, sizeof(id->id)) == 0)
			return at & (history->slot_nr - 1);
	}
}

/* Room for one more; the slots are never more than half full. */
static int
make_room(struct history *history)
{
	size_t nr = history->node_nr + 1ul;
	uint32_t *slots;

	if (ARRAY_RESERVE(history->nodes, history->node_room, nr) != 0 ||
	    ARRAY_RESERVE(history->heap, history->heap_room, nr) != 0)
		return -ENOMEM;
	if (history->slot_nr >= 2 * history->node_room)
		return 0;
	slots = calloc(2 * history->node_room, sizeof(*slots));
	if (slots == NULL)
		return -ENOMEM;
	free(history->slots);
	history->slots = slots;
	history->slot_nr = (uint32_t)(2 * history->node_room);
	/* an array that grows becomes twice as large */
	ASSERT((history->slot_nr & (history->slot_nr - 1)) == 0);
	for (uint32_t i = 0; i < history->node_nr; i++)
		slots[slot_of(history, &history->nodes[i].id)] = i + 1;
	return 0;
}

static bool
is_older(const void *context, const void *a, const void *b)
{
	const struct node *nodes = context;
	uint32_t one = *(const uint32_t *)a;
	uint32_t two = *(const uint32_t *)b;
	const struct node *x = &nodes[one];
	const struct node *y = &nodes[two];

	return x->time_s != y->time_s ? x->time_s < y->time_s : one > two;
}

/* Commits; the newest on top. */
static struct heap
heap_of(struct history *history)
{
	return (struct heap){ history->heap, sizeof(history->heap[0]),
			      sizeof(history->heap[0]), is_older,
			      history->nodes };
}

static void
push_commit(struct history *history, uint32_t node)
{
	struct heap heap = heap_of(history);

	history->heap[history->heap_nr] = node;
	heap_sift_up(&heap, history->heap_nr++);
}

/* An object for reading, if any more may be: -EDQUOT: not. */
static int
read_object(struct history *history, const git_oid *id, git_object_t type,
	    struct repo_object *object)
{
	int error;

	if (history->left == 0 || history->left_bytes == 0)
		return -EDQUOT;
	history->left--;
	error = repo_read_object(history->repo, id, type, object);
	if (error == 0)
		history->left_bytes -=
			min_u64(object->bytes, history->left_bytes);
	return error;
}

static int
read_commit(struct history *history, const git_oid *id, struct commit *commit,
	    struct repo_object *object)
{
	int error = read_object(history, id, GIT_OBJECT_COMMIT, object);

	if (error != 0)
		return error;
	error = commit_parse(commit, (const char *)object->data, object->bytes);
	if (error != 0)
		repo_object_close(object);
	return error;
}

static int
oid_of(git_oid *id, const char *digits)
{
	int result = gitlib.git_oid_fromstrn(id, digits, COMMIT_NAME_DIGITS);

	return result == 0 ? 0 : -EINVAL;
}

/* The node of a commit; one that is met for the first time is read. */
static int
meet(struct history *history, const git_oid *id, uint32_t *out)
{
	struct repo_object object;
	struct commit commit;
	struct node *node;
	uint32_t slot;
	int error = make_room(history);

	if (error != 0)
		return error;
	slot = slot_of(history, id);
	if (history->slots[slot] != 0) {
		*out = history->slots[slot] - 1;
		return 0;
	}
	error = read_commit(history, id, &commit, &object);
	if (error != 0 && error != -ENOENT)
		return error;
	node = &history->nodes[history->node_nr];
	*node = (struct node){ .id = *id, .is_missing = error != 0 };
	if (error == 0) {
		node->time_s = commit.time_s;
		error = oid_of(&node->tree, commit.tree);
		repo_object_close(&object);
		if (error != 0)
			return error;
	}
	*out = history->node_nr++;
	history->slots[slot] = *out + 1;
	if (!node->is_missing)
		push_commit(history, *out);
	return 0;
}

int
history_begin(struct history *history, uint32_t repo, const char *rev)
{
	struct repo *next = &history->repos[repo];
	int64_t time_s;
	git_oid commit;
	git_oid tree;
	uint32_t node;
	int error;

	repo_object_close(&history->object);
	history->node_nr = 0;
	history->heap_nr = 0;
	history->left = HISTORY_OBJECTS_MAX;
	history->left_bytes = HISTORY_BYTES_MAX;
	if (history->slots != NULL)
		memset(history->slots, 0,
		       history->slot_nr * sizeof(*history->slots));
	history->repo = next;
	error = repo_open(next);
	/* what is packed as of a commit has to be what it is named by */
	if (error == 0 && history->walk->rev == NULL)
		repo_use_packs(next, history->memory_bytes);
	if (error == 0)
		error = repo_resolve(next, rev == NULL ? "HEAD" : rev, &tree,
				     &commit, &time_s);
	if (error == 0 && gitlib.git_oid_is_zero(&commit))
		error = -ENOENT;
	return error == 0 ? meet(history, &commit, &node) : error;
}

static int
meet_parents(struct history *history)
{
	int error = 0;

	for (uint32_t i = 0; i < history->commit.parent_nr && error == 0; i++) {
		uint32_t node;
		git_oid id;

		error = oid_of(&id, commit_parent(&history->commit, i));
		if (error == 0)
			error = meet(history, &id, &node);
	}
	return error;
}

int
history_next(struct history *history, struct history_commit_at *out)
{
	struct heap heap = heap_of(history);
	const struct node *node;
	int error;

	repo_object_close(&history->object);
	if (history->heap_nr == 0)
		return 0;
	history->given = history->heap[0];
	history->heap[0] = history->heap[--history->heap_nr];
	heap_sift_down(&heap, 0, history->heap_nr);
	node = &history->nodes[history->given];
	memcpy(out->id, node->id.id, sizeof(out->id));
	error = read_commit(history, &node->id, &history->commit,
			    &history->object);
	if (error == 0)
		error = meet_parents(history);
	if (error != 0)
		return error == -EDQUOT ? 0 : error;
	out->says = history->commit;
	return 1;
}

bool
history_is_cut(const struct history *history)
{
	return history->left == 0 || history->left_bytes == 0;
}

/* ---- what a commit changed --------------------------------------------- */

static int
compare_trees(struct history *history, const git_oid *before,
	      const git_oid *after, unsigned depth);

/* One name that is not the same on both sides; NULL: not there. */
static int
changed_name(struct history *history, const struct revtree_entry *before,
	     const struct revtree_entry *after, unsigned depth)
{
	const struct revtree_entry *any = after != NULL ? after : before;
	size_t up = history->path_bytes;
	bool is_dir = revtree_is_dir(any);
	git_oid ids[2];
	int error = 0;

	if (up + any->bytes + 2 > sizeof(history->path))
		return 0;
	memcpy(history->path + up, any->name, any->bytes);
	history->path_bytes += any->bytes;
	if (!is_dir) {
		history->changed_from = before == NULL ? NULL : before->object;
		history->changed_to = after == NULL ? NULL : after->object;
		history->is_enough = !history->changed(
			history->context, history->path, history->path_bytes);
	} else if (depth < HISTORY_DEPTH_MAX) {
		history->path[history->path_bytes++] = '/';
		if (before != NULL)
			memcpy(ids[0].id, before->object, sizeof(ids[0].id));
		if (after != NULL)
			memcpy(ids[1].id, after->object, sizeof(ids[1].id));
		error = compare_trees(history, before != NULL ? &ids[0] : NULL,
				      after != NULL ? &ids[1] : NULL,
				      depth + 1);
	}
	history->path_bytes = up;
	return error;
}

/* A side of a comparison: the entry it stands at, if it has one. */
struct side {
	struct repo_object object;
	struct revtree tree;
	struct revtree_entry entry;
	bool has;
};

static void
advance(struct side *side)
{
	side->has = revtree_next(&side->tree, &side->entry) == 1;
}

static int
open_side(struct history *history, const git_oid *id, struct side *side)
{
	int error;

	*side = (struct side){ 0 };
	if (id == NULL)
		return 0;
	error = read_object(history, id, GIT_OBJECT_TREE, &side->object);
	if (error != 0)
		return error;
	/* whether git would write such a tree does not matter: what it names
	 * is compared, and never opened */
	side->tree = (struct revtree){ side->object.data,
				       side->object.data + side->object.bytes };
	return 0;
}

static bool
is_same(const struct revtree_entry *a, const struct revtree_entry *b)
{
	return a->mode == b->mode &&
	       memcmp(a->object, b->object, REVTREE_NAME_BYTES) == 0;
}

/* The first of the names that the two sides stand at. */
static int
compare_next(struct history *history, struct side *before, struct side *after,
	     unsigned depth)
{
	int order = !before->has ? 1
		    : !after->has
			    ? -1
			    : revtree_compare(&before->entry, &after->entry);
	int error = 0;

	if (order < 0)
		error = changed_name(history, &before->entry, NULL, depth);
	else if (order > 0)
		error = changed_name(history, NULL, &after->entry, depth);
	else if (!is_same(&before->entry, &after->entry))
		error = changed_name(history, &before->entry, &after->entry,
				     depth);
	if (order == 0)
		revtree_skip_same(&before->tree, &after->tree);
	if (order <= 0)
		advance(before);
	if (order >= 0)
		advance(after);
	return error;
}

/* Tells of all that differs; NULL: there is no such tree. */
static int
compare_trees(struct history *history, const git_oid *before,
	      const git_oid *after, unsigned depth)
{
	struct side sides[2] = { 0 };
	int error = open_side(history, before, &sides[0]);

	if (error == 0)
		error = open_side(history, after, &sides[1]);
	if (error == 0) {
		revtree_skip_same(&sides[0].tree, &sides[1].tree);
		advance(&sides[0]);
		advance(&sides[1]);
	}
	while (error == 0 && !history->is_enough &&
	       (sides[0].has || sides[1].has))
		error = compare_next(history, &sides[0], &sides[1], depth);
	repo_object_close(&sides[0].object);
	repo_object_close(&sides[1].object);
	return error;
}

/* The tree of the first parent of the commit that was given, if it has one. */
static int
tree_before(struct history *history, bool *has, git_oid *tree)
{
	uint32_t node;
	git_oid id;
	int error;

	ASSERT(history->object.data != NULL);
	*has = history->commit.parent_nr > 0;
	if (!*has)
		return 0;
	error = oid_of(&id, commit_parent(&history->commit, 0));
	if (error == 0)
		error = meet(history, &id, &node);
	if (error != 0)
		return error;
	*tree = history->nodes[node].tree;
	return history->nodes[node].is_missing ? -ENOENT : 0;
}

int
history_changes(struct history *history, history_changed changed, void *context)
{
	git_oid after = history->nodes[history->given].tree;
	git_oid before;
	bool has_parent;
	int error = tree_before(history, &has_parent, &before);

	if (error != 0 ||
	    (has_parent && memcmp(before.id, after.id, sizeof(after.id)) == 0))
		return error;
	history->changed = changed;
	history->context = context;
	history->is_enough = false;
	history->path_bytes = 0;
	error = compare_trees(history, has_parent ? &before : NULL, &after, 0);
	return error == -ENOENT ? -ENODATA : error;
}

int
history_skip_changes(struct history *history, const struct history_cost *cost)
{
	git_oid before;
	bool has_parent;
	int error = tree_before(history, &has_parent, &before);

	return error == 0 ? history_skip(history, cost) : error;
}

struct history_cost
history_cost_since(const struct history *history,
		   const struct history_cost *left)
{
	return (struct history_cost){ left->object_nr - history->left,
				      left->bytes - history->left_bytes };
}

int
history_skip(struct history *history, const struct history_cost *cost)
{
	if (cost->object_nr > history->left ||
	    cost->bytes >= history->left_bytes)
		return -EAGAIN;
	history->left -= cost->object_nr;
	history->left_bytes -= cost->bytes;
	return 0;
}

int
history_read_blob(struct history *history, const uint8_t *id,
		  struct repo_object *object)
{
	git_oid oid;

	memcpy(oid.id, id, sizeof(oid.id));
	return read_object(history, &oid, GIT_OBJECT_BLOB, object);
}
