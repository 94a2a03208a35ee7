/* SPDX-License-Identifier: MIT */
/*
 * io_repo.c - opens a repository with libgit2 and reads its objects.
 *
 * Does: see io_repo.h; goes from a directory to the repository it is the top
 *       of.
 * Limits: 65,536 replaced objects; of more, the first by name count. A
 *         replacement may be replaced itself, five times over, as in git.
 *         The library maps the whole index of a pack: its pages are given
 *         up when many are resident, as every READS_PER_TRIM objects are asked
 *         after, and, where nobody knows what is resident, by opening the
 *         repository anew after READS_MAX.
 */
#include "git/io_repo.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/fd_io.h"
#include "base/open_below.h"
#include "git/git.h"
#include "git/io_work_tree.h"

#define LINE_BYTES_MAX 8192
#define PACKED_REFS_BYTES_MAX (4u << 20)

char *
git_read_text(int dir_fd, const char *path, size_t bytes_max, size_t *bytes)
{
	int fd = openat(dir_fd, path,
			O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);

	char *text = NULL;

	if (fd >= 0) {
		(void)fd_read_regular(fd, bytes_max, &text, bytes);
		close(fd);
	}
	return text;
}

int
git_read_own(int dir_fd, const char *path, size_t bytes_max, char **text,
	     size_t *bytes)
{
	struct file_state file;
	int fd = open_regular_deep(dir_fd, path, strlen(path), &file);

	int error;

	*text = NULL;
	if (fd < 0)
		return fd;
	error = fd_read_regular(fd, bytes_max, text, bytes);
	close(fd);
	return error;
}

/* Without what ends the one line of a file. */
static void
cut_line(char *line, size_t bytes)
{
	while (bytes > 0 &&
	       (line[bytes - 1] == '\n' || line[bytes - 1] == '\r'))
		line[--bytes] = '\0';
}

/* A repository's own file of one line; NULL: there is none. */
static char *
read_line(int dir_fd, const char *path)
{
	size_t bytes = 0;
	char *line;

	git_read_own(dir_fd, path, LINE_BYTES_MAX, &line, &bytes);
	if (line != NULL)
		cut_line(line, bytes);
	return line;
}

static bool
is_hash(const char *text)
{
	size_t bytes = strspn(text, "0123456789abcdef");

	return (bytes == 40 || bytes == 64) && text[bytes] == '\0';
}

static bool
has_head(int dir_fd)
{
	char link[16] = "";
	char *line;
	bool good = false;

	/* The old way: a link to the branch. */
	if (readlinkat(dir_fd, "HEAD", link, sizeof(link) - 1) > 0)
		return strncmp(link, "refs/", 5) == 0;
	line = read_line(dir_fd, "HEAD");
	if (line == NULL)
		return false;
	if (strncmp(line, "ref:", 4) == 0) {
		const char *name = line + 4;

		name += strspn(name, " \t");
		good = strncmp(name, "refs/", 5) == 0;
	} else {
		good = is_hash(line);
	}
	free(line);
	return good;
}

static bool
has_folder(int dir_fd, const char *name)
{
	struct stat st;

	return fstatat(dir_fd, name, &st, 0) == 0 && S_ISDIR(st.st_mode);
}

/* The folder that has objects and refs; the same or another descriptor. */
static int
open_common(int own_fd)
{
	char *line = read_line(own_fd, "commondir");
	int fd;

	if (line == NULL)
		return own_fd;
	fd = openat(own_fd, line, FOLDER_FLAGS);
	free(line);
	return fd;
}

int
git_dir_take(struct git_dir *git, int own_fd)
{
	int common_fd = open_common(own_fd);

	git->own_fd = own_fd;
	git->common_fd = common_fd;
	if (common_fd >= 0 && has_head(own_fd) &&
	    has_folder(common_fd, "objects") && has_folder(common_fd, "refs"))
		return 0;
	git_dir_close(git);
	return -ENOENT;
}

static bool
read_hash(const char *text, uint8_t commit[GIT_COMMIT_BYTES])
{
	for (size_t i = 0; i < GIT_COMMIT_BYTES; i++) {
		const char byte[] = { text[2 * i], text[2 * i + 1], '\0' };

		if (!isxdigit((unsigned char)byte[0]) ||
		    !isxdigit((unsigned char)byte[1]))
			return false;
		commit[i] = (uint8_t)strtoul(byte, NULL, 16);
	}
	return true;
}

/* A line of packed-refs: the name of a commit, a blank, a branch. */
static bool
read_packed(const struct git_dir *git, const char *branch,
	    uint8_t commit[GIT_COMMIT_BYTES])
{
	size_t bytes = 0;
	bool found = false;
	char *text;
	char *rest;

	git_read_own(git->common_fd, "packed-refs", PACKED_REFS_BYTES_MAX,
		     &text, &bytes);
	rest = text;
	while (rest != NULL && !found) {
		const char *line = strsep(&rest, "\r\n");

		found = strlen(line) > 2 * GIT_COMMIT_BYTES &&
			line[2 * GIT_COMMIT_BYTES] == ' ' &&
			strcmp(line + 2 * GIT_COMMIT_BYTES + 1, branch) == 0 &&
			read_hash(line, commit);
	}
	free(text);
	return found;
}

bool
git_dir_commit(const struct git_dir *git, uint8_t commit[GIT_COMMIT_BYTES])
{
	char *head = read_line(git->own_fd, "HEAD");
	const char *branch = head;
	char *line = NULL;
	bool found;

	if (head == NULL)
		return false;
	if (strncmp(head, "ref:", 4) == 0) {
		branch += 4 + strspn(head + 4, " \t");
		if (strncmp(branch, "refs/", 5) == 0 &&
		    strstr(branch, "..") == NULL)
			line = read_line(git->common_fd, branch);
	}
	if (branch == head || line != NULL)
		found = strlen(line == NULL ? head : line) ==
				2 * GIT_COMMIT_BYTES &&
			read_hash(line == NULL ? head : line, commit);
	else
		found = read_packed(git, branch, commit);
	free(line);
	free(head);
	return found;
}

/* "gitdir: elsewhere" */
static int
open_named(int dir_fd)
{
	size_t bytes = 0;
	/* .git itself may be a link: what it names is judged, not the way */
	char *line = git_read_text(dir_fd, ".git", LINE_BYTES_MAX, &bytes);
	int fd = -1;

	if (line != NULL)
		cut_line(line, bytes);
	if (line != NULL && strncmp(line, "gitdir: ", 8) == 0)
		fd = openat(dir_fd, line + 8, FOLDER_FLAGS);
	free(line);
	return fd;
}

int
git_dir_open(struct git_dir *git, int dir_fd)
{
	int fd = openat(dir_fd, ".git", FOLDER_FLAGS);

	git->own_fd = -1;
	git->common_fd = -1;
	if (fd < 0 && (errno == EMFILE || errno == ENFILE))
		return -errno;
	if (fd < 0 && errno == ENOTDIR)
		fd = open_named(dir_fd);
	return fd < 0 ? -ENOENT : git_dir_take(git, fd);
}

void
git_dir_close(struct git_dir *git)
{
	if (git->common_fd >= 0 && git->common_fd != git->own_fd)
		close(git->common_fd);
	if (git->own_fd >= 0)
		close(git->own_fd);
	git->own_fd = -1;
	git->common_fd = -1;
}

bool
git_dir_is_bare(int dir_fd)
{
	struct git_dir git;
	int fd = openat(dir_fd, ".", FOLDER_FLAGS);

	if (fd < 0 || git_dir_take(&git, fd) != 0)
		return false;
	git_dir_close(&git);
	return true;
}

bool
git_is_top(int dir_fd)
{
	struct git_dir git;

	if (git_dir_open(&git, dir_fd) != 0)
		return false;
	git_dir_close(&git);
	return true;
}

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
	if (repo->path_fd >= 0)
		close(repo->path_fd);
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
	if (error == 0 && gitlib.git_object_type(peeled) == GIT_OBJECT_COMMIT)
		error = tree_of_commit(repo, commit, tree, time_s);
	gitlib.git_object_free(peeled);
	gitlib.git_object_free(named);
	return error;
}
