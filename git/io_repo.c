/* SPDX-License-Identifier: MIT */
/*
 * io_repo.c - opens a repository with libgit2 and reads its objects.
 *
 * Does: see io_repo.h.
 * Limits: 65,536 replaced objects; of more, the first by name count. A
 *         replacement may be replaced itself, five times over, as in git.
 *         The library maps the whole index of a pack: its pages are given
 *         up when many are resident, as every READS_PER_TRIM objects are asked
 *         after, and, where nobody knows what is resident, by opening the
 *         repository anew after READS_MAX.
 */
#include "git/io_repo.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/fd_io.h"
#include "git/git.h"

#define READS_MAX 4096
#define READS_PER_TRIM 32
#define REPLACED_MAX 65536
#define REPLACED_DEPTH 5
#define REPLACE_PREFIX "refs/replace/"

/* Those with a handle. The library keeps the packs of a repository, and what it has
 * made of their objects, until nobody has it open. */
static struct repo *opened;

static void
close_handle(struct repo *repo)
{
	struct repo **at = &opened;

	while (*at != NULL && *at != repo)
		at = &(*at)->next;
	if (*at == repo)
		*at = repo->next;
	if (repo->odb != NULL)
		gitlib.git_odb_free(repo->odb);
	if (repo->handle != NULL)
		gitlib.git_repository_free(repo->handle);
	repo->odb = NULL;
	repo->handle = NULL;
	repo->reads = 0;
}

/* Open, or not at all. */
static int
open_handle(struct repo *repo)
{
	const unsigned flags = GIT_REPOSITORY_OPEN_BARE |
			       GIT_REPOSITORY_OPEN_NO_SEARCH |
			       GIT_REPOSITORY_OPEN_NO_DOTGIT;
	int result;
	int error;

	gitguard_use(&repo->guard);
	if (repo->guard.refused[0] != '\0')
		return -EPERM;
	gitlib_begin();
	result = gitlib.git_repository_open_ext(&repo->handle, repo->path,
						flags, NULL);
	if (result == 0)
		result = gitlib.git_repository_odb(&repo->odb, repo->handle);
	error = gitlib_errno(result);
	repo->next = opened;
	opened = repo;
	if (error != 0)
		close_handle(repo);
	return error;
}

/* Open from now on, if it was not. */
static int
need_handle(struct repo *repo)
{
	return repo->handle == NULL ? open_handle(repo) : 0;
}

/* ---- replaced objects -------------------------------------------------- */

static int
compare_replaced(const void *a, const void *b)
{
	const struct repo_replaced *x = a;
	const struct repo_replaced *y = b;

	return memcmp(x->from.id, y->from.id, sizeof(x->from.id));
}

static int
add_replaced(struct repo *repo, const git_reference *reference)
{
	const char *name = gitlib.git_reference_name(reference);
	const git_oid *to = gitlib.git_reference_target(reference);
	struct repo_replaced *it = &repo->replaced[repo->replaced_nr];

	if (to == NULL ||
	    strlen(name) != strlen(REPLACE_PREFIX) + GIT_OID_HEXSZ ||
	    gitlib.git_oid_fromstr(&it->from, name + strlen(REPLACE_PREFIX)) !=
		    0)
		return 0;
	it->to = *to;
	repo->replaced_nr++;
	return 0;
}

static int
read_replaced(struct repo *repo)
{
	git_reference_iterator *iterator;
	git_reference *reference;
	int result = gitlib.git_reference_iterator_glob_new(
		&iterator, repo->handle, REPLACE_PREFIX "*");
	size_t room = 0;

	if (result != 0)
		return gitlib_errno(result);
	free(repo->replaced);
	repo->replaced = NULL;
	repo->replaced_nr = 0;
	while (repo->replaced_nr < REPLACED_MAX) {
		if (ARRAY_RESERVE(repo->replaced, room,
				  repo->replaced_nr + 1) != 0)
			break;
		result = gitlib.git_reference_next(&reference, iterator);
		if (result != 0)
			break;
		add_replaced(repo, reference);
		gitlib.git_reference_free(reference);
	}
	gitlib.git_reference_iterator_free(iterator);
	if (repo->replaced_nr > 0)
		qsort(repo->replaced, repo->replaced_nr,
		      sizeof(*repo->replaced), compare_replaced);
	return result == GIT_ITEROVER ? 0 : gitlib_errno(result);
}

static const git_oid *
replace(const struct repo *repo, const git_oid *oid)
{
	for (int i = 0; i < REPLACED_DEPTH && repo->replaced_nr > 0; i++) {
		const struct repo_replaced key = { .from = *oid };
		const struct repo_replaced *it =
			bsearch(&key, repo->replaced, repo->replaced_nr,
				sizeof(key), compare_replaced);

		if (it == NULL)
			break;
		oid = &it->to;
	}
	return oid;
}

/* ---- the outside ------------------------------------------------------- */

int
repo_open(struct repo *repo)
{
	int error;

	if (repo->handle != NULL)
		return 0;
	error = open_handle(repo);
	return error != 0 ? error : read_replaced(repo);
}

void
repo_close(struct repo *repo)
{
	close_handle(repo);
	packs_close(repo->packs);
	if (repo->common_fd >= 0 && repo->common_fd != repo->path_fd)
		close(repo->common_fd);
	fd_close(repo->path_fd);
	for (uint32_t i = 0; i < repo->borrowed_nr; i++)
		close(repo->borrowed_fds[i]);
	gitguard_fini(&repo->guard);
	free(repo->path);
	free(repo->prefix);
	free(repo->replaced);
	*repo = (struct repo){ .path_fd = -1, .common_fd = -1 };
}

uint32_t
repo_reach(const struct repo *repo, int *fds)
{
	uint32_t nr = 0;

	fds[nr++] = repo->path_fd;
	fds[nr++] = repo->common_fd;
	for (uint32_t i = 0; i < repo->borrowed_nr; i++)
		fds[nr++] = repo->borrowed_fds[i];
	return nr;
}

/* An object for reading; one that needs all memory is tried with all of it. */
int
repo_read(struct repo *repo, const git_oid *oid, git_object_t type,
	  git_odb_object **object)
{
	int error = 0;

	gitguard_use(&repo->guard);
	if (repo->handle == NULL ||
	    (++repo->reads % READS_PER_TRIM == 0 && !gitlib_trim() &&
	     repo->reads > READS_MAX)) {
		close_handle(repo);
		error = open_handle(repo);
	}
	for (int i = 0; i < 2 && error == 0; i++) {
		int result;

		gitlib_begin();
		result = gitlib.git_odb_read(object, repo->odb,
					     replace(repo, oid));
		error = gitlib_errno(result);
		if (error != 0 && result == 0)
			gitlib.git_odb_object_free(*object);
		if (error != -ENOMEM || i > 0)
			break;
		while (opened != NULL)
			close_handle(opened);
		error = open_handle(repo);
	}
	if (error == 0 && gitlib.git_odb_object_type(*object) != type) {
		gitlib.git_odb_object_free(*object);
		return -EINVAL;
	}
	return error;
}

void
repo_use_packs(struct repo *repo, size_t memory_bytes)
{
	if (repo->packs == NULL)
		(void)packs_open(&repo->packs, repo->common_fd, memory_bytes);
}

int
repo_read_object(struct repo *repo, const git_oid *oid, git_object_t type,
		 struct repo_object *object)
{
	int error = -ENOENT;

	_Static_assert((int)PACK_COMMIT == (int)GIT_OBJECT_COMMIT &&
			       (int)PACK_TREE == (int)GIT_OBJECT_TREE &&
			       (int)PACK_BLOB == (int)GIT_OBJECT_BLOB,
		       "types are those of packs");
	*object = (struct repo_object){ 0 };
	if (repo->packs != NULL)
		error = packs_read(repo->packs, replace(repo, oid)->id,
				   (enum pack_type)type, &object->packed);
	if (error == 0) {
		object->data = object->packed->data;
		object->bytes = object->packed->bytes;
		return 0;
	}
	if (error == -EFBIG && type == GIT_OBJECT_BLOB)
		return error;
	error = repo_read(repo, oid, type, &object->library);
	if (error != 0) {
		object->library = NULL;
		return error;
	}
	object->data = gitlib.git_odb_object_data(object->library);
	object->bytes = gitlib.git_odb_object_size(object->library);
	return 0;
}

void
repo_object_close(struct repo_object *object)
{
	packed_release(object->packed);
	if (object->library != NULL)
		gitlib.git_odb_object_free(object->library);
	*object = (struct repo_object){ 0 };
}

int
repo_size(struct repo *repo, const git_oid *oid, git_object_t *type,
	  uint64_t *bytes)
{
	size_t size = 0;
	int error = need_handle(repo);

	gitguard_use(&repo->guard);
	gitlib_begin();
	if (error == 0)
		error = gitlib_errno(gitlib.git_odb_read_header(
			&size, type, repo->odb, replace(repo, oid)));
	if (error == 0)
		*bytes = size;
	return error;
}

/* The tree of a commit, both as they are replaced. */
static int
tree_of_commit(struct repo *repo, const git_oid *commit, git_oid *tree,
	       int64_t *time_s)
{
	git_odb_object *object;
	struct commit says;
	int error = repo_read(repo, commit, GIT_OBJECT_COMMIT, &object);

	if (error != 0)
		return error;
	/* a commit without people has a tree all the same */
	(void)commit_parse(&says, gitlib.git_odb_object_data(object),
			   gitlib.git_odb_object_size(object));
	if (says.tree == NULL ||
	    gitlib.git_oid_fromstrn(tree, says.tree, GIT_OID_HEXSZ) != 0)
		error = -EINVAL;
	*time_s = says.time_s;
	gitlib.git_odb_object_free(object);
	return error;
}

/* "@" alone is HEAD, also in front of "~2"; the library knows "@{...}" only */
static int
parse_rev(struct repo *repo, const char *rev, git_object **named)
{
	char *whole = NULL;
	int result;

	if (rev[0] != '@' || rev[1] == '{')
		return gitlib.git_revparse_single(named, repo->handle, rev);
	if (asprintf(&whole, "HEAD%s", rev + 1) < 0)
		return GIT_ERROR;
	result = gitlib.git_revparse_single(named, repo->handle, whole);
	free(whole);
	return result;
}

int
repo_resolve(struct repo *repo, const char *rev, git_oid *tree, git_oid *commit,
	     int64_t *time_s)
{
	git_object *named = NULL;
	git_object *peeled = NULL;
	int error = need_handle(repo);
	int result;

	memset(commit, 0, sizeof(*commit));
	*time_s = 0;
	if (error != 0)
		return error;
	gitguard_use(&repo->guard);
	gitlib_begin();
	result = parse_rev(repo, rev, &named);
	if (result == 0)
		result = gitlib.git_object_peel(&peeled, named,
						GIT_OBJECT_COMMIT);
	if (result == 0) {
		*commit = *gitlib.git_object_id(peeled);
	} else if (named != NULL) {
		result =
			gitlib.git_object_peel(&peeled, named, GIT_OBJECT_TREE);
		if (result == 0)
			*tree = *gitlib.git_object_id(peeled);
	}
	error = gitlib_errno(result);
	if (error != 0 && named != NULL &&
	    gitlib.git_object_type(named) == GIT_OBJECT_BLOB)
		error = -ENOTDIR;
	if (error == 0 && gitlib.git_object_type(peeled) == GIT_OBJECT_COMMIT)
		error = tree_of_commit(repo, commit, tree, time_s);
	gitlib.git_object_free(peeled);
	gitlib.git_object_free(named);
	return error;
}
