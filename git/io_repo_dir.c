/* SPDX-License-Identifier: MIT */
/*
 * io_repo_dir.c - from a directory to the repository it is the top of.
 *
 * Does: ".git" as a folder, as a link to one, as a file that names one
 *       (worktrees, submodules), and the folder that worktrees share.
 * Does not: care who owns it: nothing in it is ever run, so what
 *           safe.directory guards against cannot happen.
 */
#include "git/io_work_tree.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd_io.h"
#include "base/open_below.h"

#define LINE_BYTES_MAX 8192
#define FOLDER_FLAGS (O_PATH | O_DIRECTORY | O_CLOEXEC)

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
