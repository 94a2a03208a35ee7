/* SPDX-License-Identifier: MIT */
/*
 * io_find_repo.c - which repository to read, and whether it may be.
 *
 * Does: see repo_find().
 * Does not: read objects, or open the library.
 *
 * Who made a tree made its .git as well, which can be a line that names any
 * place of this machine. So a repository elsewhere has to name the work tree
 * in turn, which its owner alone can have made it do:
 *
 *   top/.git: "gitdir: G"   G below top
 *                           or G below its common folder C,
 *                              and G/gitdir is top/.git      (git worktree)
 *                           or core.worktree of G is top     (submodule)
 *
 * Objects that a repository within the tree borrows are looked for only where
 * something was named. One elsewhere that names the tree is its owner's, and so
 * is what it says of where its objects are.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/absolute_path.h"
#include "git/git.h"
#include "git/io_work_tree.h"
#include "base/open_below.h"
#include "git/io_repo.h"

#define CONFIG_BYTES_MAX (1u << 20)
#define ALTERNATES_BYTES_MAX (1u << 16)
#define ALTERNATES_DEPTH_MAX 5 /* as in git */

/* A repository in question. */
struct requested {
	char top[PATH_MAX]; /* of the work tree; what was named, if bare */
	char path[PATH_MAX];
	char common[PATH_MAX];
	const struct repo_allowed *allowed;
	struct repo *repo;
	char *why;
};

static int __attribute__((format(printf, 2, 3)))
refuse(const struct requested *requested, const char *format, ...)
{
	va_list list;

	va_start(list, format);
	vsnprintf(requested->why, REPO_WHY_BYTES, format, list);
	va_end(list);
	return -EPERM;
}

/* Whether `text`, relative to a folder, leads to the same as `want`. */
static bool
leads_to(const char *folder, const char *text, const char *want)
{
	char path[PATH_MAX];
	char real[PATH_MAX];
	int got;

	if (text[0] == '/')
		got = snprintf(path, sizeof(path), "%s", text);
	else
		got = snprintf(path, sizeof(path), "%s/%s", folder, text);
	return got > 0 && (size_t)got < sizeof(path) &&
	       realpath(path, real) != NULL && strcmp(real, want) == 0;
}

/* G/gitdir names the .git of the work tree: this is a worktree's folder. */
static bool
names_its_worktree(const struct requested *requested, int path_fd)
{
	size_t bytes = 0;
	char want[PATH_MAX];
	bool good = false;
	char *line;

	git_read_own(path_fd, "gitdir", PATH_MAX, &line, &bytes);
	if (line != NULL &&
	    absolute_path_holds(requested->common, requested->path) &&
	    snprintf(want, sizeof(want), "%.4000s/.git", requested->top) > 0) {
		line[strcspn(line, "\r\n")] = '\0';
		good = leads_to(requested->path, line, want);
	}
	free(line);
	return good;
}

/* What the repository's own settings say of its work tree and its names. */
static int
read_settings(const struct requested *requested, int common_fd, bool *names_top)
{
	size_t bytes = 0;
	struct gitconfig config;
	bool is_sha1 = true;
	char *text;

	*names_top = false;
	git_read_own(common_fd, "config", CONFIG_BYTES_MAX, &text, &bytes);
	if (text == NULL)
		return 0;
	gitconfig_init(&config, text, bytes);
	while (gitconfig_next(&config) == 1) {
		if (gitconfig_is(&config, "core", "worktree"))
			*names_top = leads_to(requested->common, config.value,
					      requested->top);
		else if (gitconfig_is(&config, "extensions", "objectformat"))
			is_sha1 = strcmp(config.value, "sha1") == 0;
	}
	free(text);
	if (is_sha1)
		return 0;
	refuse(requested,
	       "its objects are not named by SHA-1 (extensions.objectFormat), "
	       "which bale cannot read yet");
	return -ENOTSUP;
}

static int
check_home(const struct requested *requested, const struct repo *repo)
{
	bool names_top;
	int error = read_settings(requested, repo->common_fd, &names_top);

	if (error != 0)
		return error;
	if (absolute_path_holds(requested->top, requested->common) &&
	    absolute_path_holds(requested->top, requested->path))
		return 0;
	if (names_its_worktree(requested, repo->path_fd))
		return 0;
	if (names_top && strcmp(requested->path, requested->common) == 0)
		return 0;
	return refuse(requested,
		      "its .git leads to %.200s, which does not name it as its "
		      "work tree; name that repository instead",
		      requested->common);
}

static bool
may_be_read(const struct requested *requested, const char *real)
{
	bool good = absolute_path_holds(requested->common, real) ||
		    absolute_path_holds(requested->path, real);

	for (size_t i = 0; i < requested->allowed->nr; i++)
		good |= absolute_path_holds(requested->allowed->paths[i], real);
	/* elsewhere, if its owner says so */
	return good || !absolute_path_holds(requested->top, requested->common);
}

/* A folder of objects, and those that it borrows from. */
struct objects {
	char path[PATH_MAX]; /* as the library will have it */
	int fd;
	int depth;
};

static int
check_objects(const struct requested *requested, const struct objects *objects);

/* What is read of a folder elsewhere; the repository closes it. */
static int
open_borrowed(const struct requested *requested, const char *real)
{
	struct repo *repo = requested->repo;
	int root_fd;
	int fd;

	if (repo->borrowed_nr == REPO_BORROWED_MAX)
		return refuse(requested,
			      "it borrows objects from more than %d places; "
			      "make it whole with: git repack -a -d",
			      REPO_BORROWED_MAX);
	root_fd = open("/", FOLDER_FLAGS);
	if (root_fd < 0)
		return -errno;
	/* the path has no link, and gets none meanwhile */
	fd = open_directory_deep(root_fd, real + 1, strlen(real + 1));
	close(root_fd);
	if (fd >= 0)
		repo->borrowed_fds[repo->borrowed_nr++] = fd;
	return fd;
}

/* One line of objects/info/alternates. */
static int
check_alternate(const struct requested *requested,
		const struct objects *objects, const char *line)
{
	struct objects next = { .depth = objects->depth + 1 };
	char real[PATH_MAX];
	int bytes;

	if (line[0] == '\0' || line[0] == '#')
		return 0;
	bytes = snprintf(next.path, sizeof(next.path), "%s%s%s",
			 line[0] == '/' ? "" : objects->path,
			 line[0] == '/' ? "" : "/", line);
	/* git goes on without one that is not there, too */
	if (bytes < 0 || (size_t)bytes >= sizeof(next.path) ||
	    realpath(next.path, real) == NULL)
		return 0;
	if (gitguard_has(&requested->repo->guard, next.path))
		return 0; /* they borrow from each other */
	if (!may_be_read(requested, real))
		return refuse(
			requested,
			"it borrows objects from %.200s, outside of what was "
			"named; name that repository as well, or make it whole "
			"with: git repack -a -d",
			real);
	next.fd = open_borrowed(requested, real);
	if (next.fd == -EMFILE || next.fd == -ENFILE || next.fd == -EPERM)
		return next.fd;
	return next.fd < 0 ? 0 : check_objects(requested, &next);
}

/* Makes a folder of objects readable, and those that it borrows from. */
static int
check_objects(const struct requested *requested, const struct objects *objects)
{
	size_t bytes = 0;
	char *text;
	char *rest;
	int error = gitguard_add(&requested->repo->guard, objects->path,
				 objects->fd, false);

	if (error != 0 || objects->depth > ALTERNATES_DEPTH_MAX)
		return error;
	git_read_own(objects->fd, "info/alternates", ALTERNATES_BYTES_MAX,
		     &text, &bytes);
	rest = text;
	while (rest != NULL && error == 0) {
		char *line = strsep(&rest, "\n");

		error = check_alternate(requested, objects, line);
	}
	free(text);
	return error;
}

static int
check(struct repo *repo, struct requested *requested)
{
	struct objects objects = { .depth = 0 };
	int error;

	if (!git_path_of(repo->path_fd, requested->path) ||
	    !git_path_of(repo->common_fd, requested->common) ||
	    strlen(requested->common) + sizeof("/objects") >
		    sizeof(objects.path))
		return refuse(requested, "its path is too long");
	error = check_home(requested, repo);
	if (error == 0)
		error = gitguard_add(&repo->guard, requested->path,
				     repo->path_fd, false);
	if (error == 0)
		error = gitguard_add(&repo->guard, requested->common,
				     repo->common_fd, false);
	if (error != 0)
		return error;
	memcpy(objects.path, requested->common, strlen(requested->common) + 1);
	strcat(objects.path, "/objects");
	objects.fd = open_directory(repo->common_fd, "objects");
	if (objects.fd == -EMFILE || objects.fd == -ENFILE)
		return objects.fd;
	if (objects.fd < 0 && objects.fd != -ELOOP && objects.fd != -ENOTDIR)
		return refuse(requested, "it has no objects");
	/* a link is refused when the library opens it, as all others are */
	if (objects.fd >= 0) {
		repo->borrowed_fds[repo->borrowed_nr++] = objects.fd;
		error = check_objects(requested, &objects);
	}
	if (error != 0)
		return error;
	repo->path = strdup(requested->path);
	return repo->path == NULL ? -ENOMEM : 0;
}

/* The directory itself as a repository: without a work tree, or a .git. */
static int
find_bare(struct git_found *found, int dir_fd)
{
	int fd = openat(dir_fd, ".", FOLDER_FLAGS);

	found->top_fd = dir_fd;
	found->owns_top = false;
	found->prefix[0] = '\0';
	return fd < 0 ? -errno : git_dir_take(&found->git, fd);
}

int
repo_find(struct repo *repo, int dir_fd, const struct repo_allowed *allowed,
	  char why[REPO_WHY_BYTES])
{
	struct requested requested = { .allowed = allowed,
				       .repo = repo,
				       .why = why };
	struct git_found found;
	int error;
	int got;

	*repo = (struct repo){ .path_fd = -1, .common_fd = -1 };
	why[0] = '\0';
	got = git_find_tree(&found, dir_fd, true);
	if (got < 0)
		return got;
	if (got == 0 && find_bare(&found, dir_fd) != 0) {
		refuse(&requested, "it is not in a git repository");
		return -ENOENT;
	}
	repo->path_fd = found.git.own_fd;
	repo->common_fd = found.git.common_fd;
	repo->prefix = strdup(found.prefix);
	if (repo->prefix == NULL)
		error = -ENOMEM;
	else if (!git_path_of(found.top_fd, requested.top))
		error = refuse(&requested, "its path is too long");
	else
		error = check(repo, &requested);
	if (found.owns_top)
		close(found.top_fd);
	return error;
}
