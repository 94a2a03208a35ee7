/* SPDX-License-Identifier: MIT */
/*
 * io_libgit2_guard.c - open(2), opendir(3) and inflate() for the library: its
 *                      relocations are gone through again, as the loader has
 *                      filled them.
 *
 *   relocation -> symbol -> name      "open"
 *       |
 *       v
 *   slot in the library's memory      what the loader has found for it
 *
 * Invariants:
 * 1. A slot is written only if it holds what its name stands for, whatever
 *    the machine calls such a relocation.
 * 2. Pages that the loader has sealed (RELRO) are sealed again.
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
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/open_below.h"

#if __SIZEOF_POINTER__ == 8
#define SYMBOL_OF(info) ELF64_R_SYM(info)
#else
#define SYMBOL_OF(info) ELF32_R_SYM(info)
#endif

struct relocations {
	uintptr_t at;
	size_t bytes;
	size_t step;
};

struct library {
	void *handle;
	uintptr_t base;
	const ElfW(Sym) * symbols;
	const char *names;
	struct relocations tables[2]; /* of data, of calls */
	uintptr_t sealed_from;
	uintptr_t sealed_to;
};

/* Some C libraries relocate what the dynamic section says, others do not. */
static uintptr_t
address_of(const struct library *library, uintptr_t value)
{
	return value < library->base ? library->base + value : value;
}

static int
read_dynamic(struct library *library, const ElfW(Dyn) * entry)
{
	struct relocations *data = &library->tables[0];
	struct relocations *calls = &library->tables[1];

	data->step = sizeof(ElfW(Rela));
	calls->step = sizeof(ElfW(Rela));
	for (; entry->d_tag != DT_NULL; entry++) {
		uintptr_t value = entry->d_un.d_val;
		uintptr_t at = address_of(library, value);

		switch (entry->d_tag) {
		case DT_SYMTAB:
			library->symbols = (const void *)at;
			break;
		case DT_STRTAB:
			library->names = (const void *)at;
			break;
		case DT_REL:
			data->step = sizeof(ElfW(Rel));
			data->at = at;
			break;
		case DT_RELA:
			data->at = at;
			break;
		case DT_RELSZ:
		case DT_RELASZ:
			data->bytes = value;
			break;
		case DT_JMPREL:
			calls->at = at;
			break;
		case DT_PLTRELSZ:
			calls->bytes = value;
			break;
		case DT_PLTREL:
			if (value == DT_REL)
				calls->step = sizeof(ElfW(Rel));
			break;
		default:
			break;
		}
	}
	return library->symbols == NULL || library->names == NULL ? -ENOEXEC
								  : 0;
}

/* A dl_iterate_phdr(3) callback: what the loader has sealed of the library. */
static int
find_sealed(struct dl_phdr_info *info, size_t size, void *context)
{
	struct library *library = context;
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);

	(void)size;
	if (info->dlpi_addr != library->base)
		return 0;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *header = &info->dlpi_phdr[i];
		uintptr_t from = library->base + header->p_vaddr;

		if (header->p_type != PT_GNU_RELRO)
			continue;
		library->sealed_from = from & ~(page - 1);
		library->sealed_to = (from + header->p_memsz) & ~(page - 1);
	}
	return 1;
}

static int
put(const struct library *library, uintptr_t slot, import_function *ours)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	void *around = (void *)(slot & ~(page - 1));
	bool is_sealed =
		slot >= library->sealed_from && slot < library->sealed_to;

	if (is_sealed && mprotect(around, page, PROT_READ | PROT_WRITE) != 0)
		return -errno;
	memcpy((void *)slot, &ours, sizeof(ours));
	if (is_sealed && mprotect(around, page, PROT_READ) != 0)
		return -errno;
	return 0;
}

/* One relocation: 1: its function is ours now; 0: it is none of these. */
static int
replace(const struct library *library, const ElfW(Rel) * relocation,
	const struct import *imports, size_t nr)
{
	const ElfW(Sym) *symbol =
		&library->symbols[SYMBOL_OF(relocation->r_info)];
	const char *name = library->names + symbol->st_name;
	uintptr_t slot = library->base + relocation->r_offset;
	void *theirs;
	int error;

	if (symbol->st_shndx != SHN_UNDEF || *name == '\0')
		return 0;
	for (size_t i = 0; i < nr; i++) {
		if (strcmp(imports[i].name, name) != 0)
			continue;
		theirs = dlsym(RTLD_DEFAULT, name);
		/* of a library that nobody but this one has loaded */
		if (theirs == NULL)
			theirs = dlsym(library->handle, name);
		if (theirs == NULL ||
		    memcmp((const void *)slot, &theirs, sizeof(theirs)) != 0)
			return -ENOEXEC;
		error = put(library, slot, imports[i].ours);
		return error == 0 ? 1 : error;
	}
	return 0;
}

int
import_replace(void *handle, const struct import *imports, size_t nr)
{
	struct library library = { .handle = handle };
	const struct link_map *map;
	int replaced = 0;
	int error;

	if (dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0)
		return -ENOEXEC;
	library.base = map->l_addr;
	error = read_dynamic(&library, map->l_ld);
	if (error == 0 && dl_iterate_phdr(find_sealed, &library) == 0)
		error = -ENOEXEC;
	for (size_t t = 0; t < ARRAY_LEN(library.tables); t++) {
		const struct relocations *table = &library.tables[t];

		for (size_t at = 0; error == 0 && table->at != 0 &&
				    at + table->step <= table->bytes;
		     at += table->step) {
			/* both forms begin alike */
			int result = replace(&library,
					     (const void *)(table->at + at),
					     imports, nr);

			replaced += result > 0;
			error = result < 0 ? result : 0;
		}
	}
	return error == 0 ? replaced : error;
}

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
enum { INFLATE_DATA_ERROR = -3, INFLATE_BUF_ERROR = -5 };

typedef int
inflate_function(struct inflation *inflation, int flush);

static struct {
	bool is_armed;
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
		 "%.180s/%.140s is %s, and in a repository none is read, for "
		 "it can lead to another one; put in its place what it stands "
		 "for",
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

static int
our_open(const char *path, int flags, ...)
{
	const int writing = O_ACCMODE | O_CREAT | O_TRUNC | O_APPEND;
	va_list list;
	mode_t mode = 0;
	int fd;

	if (!state.is_armed) {
		va_start(list, flags);
		if ((flags & O_CREAT) != 0)
			mode = va_arg(list, mode_t);
		va_end(list);
		return open(path, flags, mode);
	}
	if ((flags & writing) != O_RDONLY)
		return fail(EACCES);
	fd = open_guarded(path, (flags & O_DIRECTORY) != 0);
	return fd < 0 ? fail(-fd) : fd;
}

static DIR *
our_opendir(const char *path)
{
	DIR *directory;
	int fd;

	if (!state.is_armed)
		return opendir(path);
	fd = open_guarded(path, true);
	if (fd < 0) {
		errno = -fd;
		return NULL;
	}
	directory = fdopendir(fd);
	if (directory == NULL)
		close(fd);
	return directory;
}

/*
 * The library asks for ever for the rest of an object that is cut short: what
 * neither takes nor gives anything, again and again, is damaged.
 */
static int
our_inflate(struct inflation *inflation, int flush)
{
	unsigned long was = inflation->in_nr + inflation->out_nr;
	int result = state.inflate(inflation, flush);

	state.stalls = inflation->in_nr + inflation->out_nr == was
			       ? state.stalls + 1
			       : 0;
	if (result != INFLATE_BUF_ERROR || state.stalls <= STALLS_MAX)
		return result;
	inflation->message = "an object is cut short";
	return INFLATE_DATA_ERROR;
}

/* What no version that is known opens with. */
static void *
our_refusal(void)
{
	errno = EACCES;
	return NULL;
}

static int
our_failure(void)
{
	return fail(EACCES);
}

#define OPENS(name)                               \
	{                                         \
		name, (import_function *)our_open \
	}
#define FAILS(name)                                  \
	{                                            \
		name, (import_function *)our_failure \
	}
#define REFUSES(name)                                \
	{                                            \
		name, (import_function *)our_refusal \
	}

int
gitguard_install(void *handle)
{
	static const struct import opening[] = {
		OPENS("open"),
		OPENS("open64"),
		OPENS("__open_2"),
		OPENS("__open64_2"),
	};
	static const struct import listing[] = {
		{ "opendir", (import_function *)our_opendir },
	};
	static const struct import others[] = {
		FAILS("openat"),      FAILS("openat64"),
		FAILS("__openat_2"),  FAILS("__openat64_2"),
		FAILS("openat2"),     FAILS("creat"),
		FAILS("creat64"),     REFUSES("fopen"),
		REFUSES("fopen64"),   REFUSES("freopen"),
		REFUSES("freopen64"),
	};
	static const struct import inflating[] = {
		{ "inflate", (import_function *)our_inflate },
	};
	void *inflate = dlsym(handle, "inflate");
	int opens = import_replace(handle, opening, ARRAY_LEN(opening));
	int lists = import_replace(handle, listing, ARRAY_LEN(listing));
	int error = import_replace(handle, others, ARRAY_LEN(others));

	/* one that has a zlib of its own imports none */
	memcpy(&state.inflate, &inflate, sizeof(inflate));
	if (error >= 0)
		error = import_replace(handle, inflating, ARRAY_LEN(inflating));
	/* one that opens in another way is not kept in at all */
	return opens > 0 && lists > 0 && error >= 0 ? 0 : -ENOEXEC;
}

void
gitguard_arm(void)
{
	state.is_armed = true;
}
