/* SPDX-License-Identifier: MIT */
/*
 * unpack_dir.c - one part of a name after the other.
 */
#include "cli/unpack_dir.h"

#include <errno.h>
#include <fcntl.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd_io.h"
#include "base/open_below.h"

#define NAME_BYTES 256

int
unpack_dir_open(struct unpack_dir *dir, const char *path)
{
	*dir = (struct unpack_dir){ .fd = -1 };
	dir->is_new = mkdir(path, 0777) == 0;
	if (!dir->is_new && errno != EEXIST)
		return -errno;
	dir->fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return dir->fd < 0 ? -errno : 0;
}

void
unpack_dir_close(struct unpack_dir *dir, const char *path)
{
	fd_close(dir->fd);
	if (dir->is_new)
		rmdir(path); /* which it is not if anything is in it */
	tdestroy(dir->files, free);
	*dir = (struct unpack_dir){ .fd = -1 };
}

/* The first name of a path; what follows it, NULL: it is the last one. */
static const char *
split_name(const char *path, char name[NAME_BYTES])
{
	const char *slash = strchrnul(path, '/');
	size_t nr = min_size((size_t)(slash - path), NAME_BYTES - 1);

	memcpy(name, path, nr);
	name[nr] = '\0';
	return *slash == '\0' ? NULL : slash + 1;
}

/* ---- repositories ---- */

/* A name that a directory gets. */
struct next_name {
	const char *name;
	bool is_dir;
};

/* Whether a directory has a name, or gets it; HEAD is never a directory. */
static bool
has(int dir_fd, const char *name, const struct next_name *next)
{
	bool is_head = strcmp(name, "HEAD") == 0;
	struct stat st;

	if (unpack_name_is(next->name, is_head ? "head" : name) &&
	    !(is_head && next->is_dir))
		return true;
	return fstatat(dir_fd, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	       !(is_head && S_ISDIR(st.st_mode));
}

/*
 * Whether git would take a directory, with one more name in it, for a
 * repository: HEAD, objects and refs are enough, or HEAD and commondir.
 */
static bool
is_repository(int dir_fd, const struct next_name *next)
{
	return has(dir_fd, "HEAD", next) &&
	       (has(dir_fd, "commondir", next) ||
		(has(dir_fd, "objects", next) && has(dir_fd, "refs", next)));
}

/* ---- files ---- */

/* The directory below `at` of the next name of a path; makes: it may be new. */
static int
enter(int at, const char *name, bool makes)
{
	if (makes && mkdirat(at, name, 0777) != 0 && errno != EEXIST)
		return -errno;
	return open_directory(at, name);
}

/*
 * Goes down as far as there are directories, or makes them: a descriptor of
 * the last one, and in *rest the path below it. None that is there already may
 * become a repository.
 */
static int
walk(int dir_fd, const char *path, bool makes, const char **rest)
{
	int at = fcntl(dir_fd, F_DUPFD_CLOEXEC, 0);
	char name[NAME_BYTES];

	if (at < 0)
		return -errno;
	for (;;) {
		const char *behind = split_name(path, name);
		const struct next_name more = { name, behind != NULL };
		int next;

		*rest = path;
		if (!makes && is_repository(at, &more)) {
			close(at);
			return -EKEYREJECTED;
		}
		if (behind == NULL)
			return at;
		next = enter(at, name, makes);
		if (next == -ENOENT && !makes)
			return at;
		close(at);
		if (next < 0)
			return next;
		at = next;
		path = behind;
	}
}

int
unpack_file_create(const struct unpack_dir *dir, const char *path,
		   struct unpack_file *file)
{
	const char *rest;
	int at = walk(dir->fd, path, false, &rest);
	const char *last;
	int error;

	*file = UNPACK_FILE_NONE;
	if (at < 0)
		return at;
	last = strrchr(rest, '/');
	error = new_file_create_at(&file->file, at,
				   last == NULL ? rest : last + 1);
	if (error != 0)
		return error;
	/* where files get hidden names, a killed run may have left some; they
	 * come sorted by their paths */
	if (file->file.hidden[0] != '\0')
		new_file_sweep_once(file->file.dir_fd);
	file->path = strdup(rest);
	if (file->path == NULL)
		unpack_file_drop(file);
	return file->path == NULL ? -ENOMEM : 0;
}

/* What has the name already: 0 if there is nothing, or it may be replaced. */
static int
look_at_old(const struct unpack_dir *dir, int at, const char *name,
	    bool replaces)
{
	struct file_identity old;
	struct stat st;

	if (fstatat(at, name, &st, AT_SYMLINK_NOFOLLOW) != 0)
		return errno == ENOENT ? 0 : -errno;
	old = (struct file_identity){ st.st_dev, st.st_ino };
	if (S_ISDIR(st.st_mode))
		return -EISDIR;
	if (tfind(&old, &dir->files, file_identity_compare) != NULL)
		return -ENOTUNIQ;
	return replaces ? 0 : -EEXIST;
}

static int
give_name(const struct unpack_dir *dir, struct unpack_file *file, bool replaces)
{
	const char *name;
	int at = walk(file->file.dir_fd, file->path, true, &name);
	int error;

	if (at < 0)
		return at;
	error = look_at_old(dir, at, name, replaces);
	if (error == 0 && replaces)
		new_file_sweep_once(at);
	if (error == 0)
		error = new_file_move(&file->file, at);
	else
		close(at);
	return error != 0 ? error
			  : new_file_commit(&file->file, new_file_mode(),
					    replaces);
}

int
unpack_file_commit(struct unpack_dir *dir, struct unpack_file *file,
		   bool replaces)
{
	struct file_identity *own = malloc(sizeof(*own));
	struct stat st;
	int error = own == NULL ? -ENOMEM : 0;

	if (error == 0 && fstat(file->file.fd, &st) != 0)
		error = -errno;
	if (error == 0)
		error = give_name(dir, file, replaces);
	if (error == 0) {
		*own = (struct file_identity){ st.st_dev, st.st_ino };
		if (tsearch(own, &dir->files, file_identity_compare) != NULL)
			own = NULL; /* the tree keeps it, to the end */
		else
			error = -ENOMEM;
	}
	free(own);
	unpack_file_drop(file);
	return error;
}

void
unpack_file_drop(struct unpack_file *file)
{
	new_file_drop(&file->file);
	free(file->path);
	*file = UNPACK_FILE_NONE;
}

int
unpack_file_open(const struct unpack_dir *dir, const char *path)
{
	struct file_state file;
	const char *rest;
	int at = walk(dir->fd, path, false, &rest);
	int fd = -ENOENT;

	if (at < 0)
		return at;
	if (strchr(rest, '/') == NULL)
		fd = open_regular(at, rest, &file);
	close(at);
	return fd;
}
