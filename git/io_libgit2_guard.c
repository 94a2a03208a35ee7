/* SPDX-License-Identifier: MIT */
/*
 * io_libgit2_guard.c - open(2), opendir(3), inflate() and no certificates for
 *                      the library.
 *
 * The program has functions of these names, and the loader looks for what a
 * library imports in the program first. So each call of one ends here: what
 * the library asks for is opened by its guard, and all others get what libc
 * would give them.
 *
 * Invariants:
 * 1. A library that imports any other function to open files with, or that the
 *    loader has not bound to these, is not used.
 */
#include "git/io_libgit2_guard.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/open_below.h"

#define STALLS_MAX 1000 /* calls one after the other */

/* A z_stream, as far as it tells where it is. source: zlib.h */
struct inflation {
	const uint8_t *next_in;
	unsigned in_left;
	unsigned long in_nr;
	uint8_t *next_out;
	unsigned out_left;
	unsigned long out_nr;
	const char *message;
};

/* What inflate() returns. source: zlib.h */
enum {
	INFLATE_STREAM_ERROR = -2,
	INFLATE_DATA_ERROR = -3,
	INFLATE_BUF_ERROR = -5
};

typedef int
inflate_function(struct inflation *inflation, int flush);

static struct {
	const void *library; /* where it begins in memory; NULL: not armed */
	struct gitguard *in_use;
	inflate_function *inflate;
	unsigned stalls;
} state;

/* ---- places ------------------------------------------------------------ */

/* Without ".", ".." and empty parts; below a place no part is a link, and
 * above it all are as they were written: 0 or -errno. */
static int
normalize(const char *path, char out[PATH_MAX])
{
	size_t at = 0;

	if (path[0] != '/')
		return -EINVAL;
	while (*path != '\0') {
		size_t bytes = strcspn(path, "/");

		if (bytes == 2 && memcmp(path, "..", 2) == 0) {
			while (at > 0 && out[--at] != '/')
				;
		} else if (bytes > 1 || (bytes == 1 && *path != '.')) {
			if (at + bytes + 2 > PATH_MAX)
				return -ENAMETOOLONG;
			out[at++] = '/';
			memcpy(out + at, path, bytes);
			at += bytes;
		}
		path += bytes + (path[bytes] == '/');
	}
	out[at] = '\0';
	return 0;
}

static bool
has_place(const struct gitguard *guard, const char *whole)
{
	for (uint32_t i = 0; i < guard->nr; i++)
		if (strcmp(guard->places[i].path, whole) == 0)
			return true;
	return false;
}

bool
gitguard_has(const struct gitguard *guard, const char *path)
{
	char whole[PATH_MAX];

	return normalize(path, whole) == 0 && has_place(guard, whole);
}

int
gitguard_add(struct gitguard *guard, const char *path, int fd,
	     bool is_work_tree)
{
	struct gitguard_place *place = &guard->places[guard->nr];
	char whole[PATH_MAX];
	int error = normalize(path, whole);

	if (error != 0 || has_place(guard, whole))
		return error;
	if (guard->nr == GITGUARD_PLACES_MAX)
		return -E2BIG;
	place->path = strdup(whole);
	if (place->path == NULL)
		return -ENOMEM;
	place->fd = fd;
	place->is_work_tree = is_work_tree;
	guard->nr++;
	return 0;
}

void
gitguard_fini(struct gitguard *guard)
{
	if (state.in_use == guard)
		state.in_use = NULL;
	for (uint32_t i = 0; i < guard->nr; i++)
		free(guard->places[i].path);
	*guard = (struct gitguard){ .nr = 0 };
}

void
gitguard_use(struct gitguard *guard)
{
	state.in_use = guard;
}

const char *
gitguard_refused(void)
{
	return state.in_use != NULL && state.in_use->refused[0] != '\0'
		       ? state.in_use->refused
		       : NULL;
}

/* The innermost place of a path, and the rest of it. */
static const struct gitguard_place *
place_of(const struct gitguard *guard, const char *path, const char **rest)
{
	const struct gitguard_place *best = NULL;
	size_t most = 0;

	for (uint32_t i = 0; i < guard->nr; i++) {
		size_t bytes = strlen(guard->places[i].path);

		if (strncmp(path, guard->places[i].path, bytes) != 0 ||
		    (path[bytes] != '/' && path[bytes] != '\0') ||
		    (best != NULL && bytes <= most))
			continue;
		best = &guard->places[i];
		most = bytes;
		*rest = path + bytes + (path[bytes] == '/');
	}
	return best;
}

/* Cuts a path below a place behind its first part that is a link: whether
 * there is one. */
static bool
cut_at_link(const struct gitguard_place *place, char *rest)
{
	char *slash = rest;

	while (slash != NULL) {
		struct stat st;

		slash = strchr(slash, '/');
		if (slash != NULL)
			*slash = '\0';
		if (fstatat(place->fd, rest, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
		    S_ISLNK(st.st_mode))
			return true;
		if (slash != NULL)
			*slash++ = '/';
	}
	return false;
}

/* What could not be opened, if it is for what it is. */
static void
keep_refused(struct gitguard *guard, const struct gitguard_place *place,
	     const char *rest, int error)
{
	char part[PATH_MAX];
	bool is_link;

	/* with O_DIRECTORY a link is no directory */
	if (guard->refused[0] != '\0' || place->is_work_tree ||
	    (error != -ELOOP && error != -ENOTDIR && error != -ENXIO))
		return;
	memcpy(part, rest, strlen(rest) + 1);
	is_link = cut_at_link(place, part);
	if (!is_link && error == -ENOTDIR)
		return;
	snprintf(guard->refused, sizeof(guard->refused),
		 "%.180s/%.140s is %s, and bale follows none in a repository, "
		 "as it can lead to another one; replace it with what it "
		 "points to",
		 place->path, part,
		 is_link ? "a symbolic link" : "no regular file");
}

/* ---- opening ------------------------------------------------------------ */

static int
open_below(const struct gitguard_place *place, const char *rest,
	   bool is_directory)
{
	struct file_state file;
	int fd;

	if (*rest != '\0')
		return is_directory ? open_directory_deep(place->fd, rest,
							  strlen(rest))
				    : open_regular_deep(place->fd, rest,
							strlen(rest), &file);
	if (!is_directory)
		return -EISDIR;
	fd = openat(place->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

/* A descriptor, or -errno. */
static int
open_guarded(const char *path, bool is_directory)
{
	struct gitguard *guard = state.in_use;
	const struct gitguard_place *place;
	const char *rest = "";
	char whole[PATH_MAX];
	int fd;

	if (guard == NULL || normalize(path, whole) != 0)
		return -EACCES;
	place = place_of(guard, whole, &rest);
	/* settings may name files of the user's, which the library can do
	 * without if they are not there */
	if (place == NULL)
		return -ENOENT;
	fd = open_below(place, rest, is_directory);
	if (fd < 0)
		keep_refused(guard, place, rest, fd);
	return fd;
}

static int
fail(int error)
{
	errno = error;
	return -1;
}

/* Whether a call comes from the library, and it is set up. */
static bool
is_guarded(const void *caller)
{
	Dl_info info;

	return state.library != NULL && dladdr(caller, &info) != 0 &&
	       info.dli_fbase == state.library;
}

/* These names are taken in C: the headers declare them, some as macros. */
int
our_open(const char *path, int flags, ...) __asm__("open");
__asm__(".globl open64, __open_2, __open64_2\n"
	".type open64, @function\n"
	".type __open_2, @function\n"
	".type __open64_2, @function\n"
	".set open64, open\n"
	".set __open_2, open\n"
	".set __open64_2, open\n");
DIR *
our_opendir(const char *path) __asm__("opendir");
int
our_inflate(struct inflation *inflation, int flush) __asm__("inflate");

int
our_open(const char *path, int flags, ...)
{
	const int writing = O_ACCMODE | O_CREAT | O_TRUNC | O_APPEND;
	mode_t mode = 0;
	va_list list;
	int fd;

	if (!is_guarded(__builtin_return_address(0))) {
		va_start(list, flags);
		if ((flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE)
			mode = va_arg(list, mode_t);
		va_end(list);
		return openat(AT_FDCWD, path, flags, mode);
	}
	if ((flags & writing) != O_RDONLY)
		return fail(EACCES);
	fd = open_guarded(path, (flags & O_DIRECTORY) != 0);
	return fd < 0 ? fail(-fd) : fd;
}

DIR *
our_opendir(const char *path)
{
	const int flags = O_RDONLY | O_NONBLOCK | O_DIRECTORY | O_CLOEXEC;
	DIR *directory;
	int fd;

	if (!is_guarded(__builtin_return_address(0)))
		fd = openat(AT_FDCWD, path, flags);
	else if ((fd = open_guarded(path, true)) < 0)
		fail(-fd);
	if (fd < 0)
		return NULL;
	directory = fdopendir(fd);
	if (directory == NULL)
		close(fd);
	return directory;
}

/*
 * The library asks for ever for the rest of an object that is cut short: what
 * neither takes nor gives anything, again and again, is damaged.
 */
int
our_inflate(struct inflation *inflation, int flush)
{
	unsigned long was = inflation->in_nr + inflation->out_nr;
	int result = state.inflate == NULL ? INFLATE_STREAM_ERROR
					   : state.inflate(inflation, flush);

	state.stalls = inflation->in_nr + inflation->out_nr == was
			       ? state.stalls + 1
			       : 0;
	if (result != INFLATE_BUF_ERROR || state.stalls <= STALLS_MAX)
		return result;
	inflation->message = "an object is cut short";
	return INFLATE_DATA_ERROR;
}

/*
 * When it is initialised the library reads all certificates that the machine
 * trusts, which takes longer than the history of a small repository. Nothing
 * here speaks to a network: there are none.
 */
int
no_certificates(void *chain,
		const char *path) __asm__("mbedtls_x509_crt_parse_file");
__asm__(".globl mbedtls_x509_crt_parse_path\n"
	".type mbedtls_x509_crt_parse_path, @function\n"
	".set mbedtls_x509_crt_parse_path, mbedtls_x509_crt_parse_file\n");

int
no_certificates(void *chain, const char *path)
{
	(void)chain;
	(void)path;
	return -1;
}

/* ---- what the library imports ------------------------------------------- */

/* Whether a library opens and lists by the functions above, and by no other:
 * its symbols up to the first that it exports. */
static bool
opens_as_known(const ElfW(Dyn) * entry)
{
	static const char *const opening[] = { "open", "open64", "__open_2",
					       "__open64_2" };
	static const char *const others[] = {
		"openat",  "openat64", "__openat_2", "__openat64_2",
		"openat2", "creat",    "creat64",    "fopen",
		"fopen64", "freopen",  "freopen64",
	};
	const ElfW(Sym) *symbols = NULL;
	const uint32_t *hash = NULL; /* the second: how many symbols */
	const char *names = NULL;
	bool opens = false;
	bool lists = false;

	for (; entry->d_tag != DT_NULL; entry++) {
		const void *at = (const void *)entry->d_un.d_ptr;

		if (entry->d_tag == DT_SYMTAB)
			symbols = at;
		else if (entry->d_tag == DT_STRTAB)
			names = at;
		else if (entry->d_tag == DT_GNU_HASH)
			hash = at;
	}
	for (uint32_t i = 1; hash != NULL && i < hash[1]; i++) {
		const char *name = names + symbols[i].st_name;

		if (text_is_among(name, others, ARRAY_LEN(others)))
			return false;
		opens |= text_is_among(name, opening, ARRAY_LEN(opening));
		lists |= strcmp(name, "opendir") == 0;
	}
	return opens && lists;
}

int
gitguard_install(void *handle)
{
	const struct link_map *map;
	void *inflate;

	if (dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0 ||
	    !opens_as_known(map->l_ld) ||
	    dlsym(RTLD_DEFAULT, "open") != our_open ||
	    dlsym(RTLD_DEFAULT, "opendir") != our_opendir)
		return -ENOEXEC;
	/* one that has a zlib of its own imports none */
	inflate = dlsym(handle, "inflate");
	memcpy(&state.inflate, &inflate, sizeof(inflate));
	return 0;
}

void
gitguard_arm(void *handle)
{
	const struct link_map *map;
	Dl_info info;

	ASSERT(dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0 &&
	       dladdr(map->l_ld, &info) != 0);
	state.library = info.dli_fbase;
}
