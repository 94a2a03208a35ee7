/* SPDX-License-Identifier: MIT */
/*
 * io_git_dir.c - see io_git_dir.h
 */
#include "git/io_git_dir.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd_io.h"
#include "base/open_below.h"

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
	fd_drop(&git->own_fd);
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

/* Where /proc is not mounted: by going there and back. */
static bool
go_and_look(int dir_fd, char path[PATH_MAX])
{
	int back_fd = open(".", FOLDER_FLAGS);
	bool is_there = back_fd >= 0 && fchdir(dir_fd) == 0;
	bool found = is_there && getcwd(path, PATH_MAX - 2) != NULL;

	if (is_there && fchdir(back_fd) != 0)
		found = false;
	fd_close(back_fd);
	return found;
}

bool
git_path_of(int dir_fd, char path[PATH_MAX])
{
	char link[64];
	struct stat here;
	struct stat there;
	ssize_t got;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", dir_fd);
	got = readlink(link, path, PATH_MAX - 2);
	if (got >= PATH_MAX - 2)
		return false;
	if (got > 0)
		path[got] = '\0';
	else if (!go_and_look(dir_fd, path))
		return false;
	return path[0] == '/' && fstat(dir_fd, &here) == 0 &&
	       stat(path, &there) == 0 && here.st_dev == there.st_dev &&
	       here.st_ino == there.st_ino;
}
