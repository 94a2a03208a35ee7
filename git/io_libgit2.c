/* SPDX-License-Identifier: MIT */
/*
 * io_libgit2.c - finds libgit2 and sets it up.
 *
 * Does: see io_libgit2.h.
 * Invariants:
 * 1. No allocation takes the library over its bound: it gets NULL, and says
 *    so. An object of a few bytes can be a difference to one of a terabyte.
 * Limits: one thread.
 */
#include "git/io_libgit2.h"

#include "git/io_libgit2_guard.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <git2/sys/alloc.h>
#include <link.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define LIBRARY "libgit2.so." LIBGIT2_SOVERSION
#define WINDOW_BYTES ((size_t)1 << 20)
#define MAPPED_BYTES ((size_t)8 << 20)
#define CACHED_BYTES ((ssize_t)4 << 20)
#define RESIDENT_BYTES ((size_t)8 << 20) /* of packs and indexes, at most */
#define TREE_BYTES ((size_t)64 << 10)    /* of the largest that is cached */

struct gitlib gitlib;

static struct {
	void *handle;
	size_t held_bytes;
	size_t bytes_max;
	bool is_short;        /* memory was refused since gitlib_begin() */
	int maps_fd;          /* what is mapped where; -1: not to be had */
	int statm_fd;         /* how much of it is resident; -1: the same */
	size_t trimmed_bytes; /* resident_bytes() after the last trim */
	const char *fault;    /* why it is not used; NULL: it may be */
	uintptr_t own_first;  /* its own variables, up to own_end */
	uintptr_t own_end;
} library = { .maps_fd = -1, .statm_fd = -1 };

/* ---- memory within a bound --------------------------------------------- */

static void *
count_in(void *memory)
{
	library.held_bytes += malloc_usable_size(memory);
	return memory;
}

static bool
has_room(size_t bytes)
{
	if (bytes <= library.bytes_max &&
	    library.held_bytes <= library.bytes_max - bytes)
		return true;
	library.is_short = true;
	return false;
}

static void *
take(size_t bytes, const char *file, int line)
{
	(void)file;
	(void)line;
	return has_room(bytes) ? count_in(malloc(bytes)) : NULL;
}

static void *
take_zeroed(size_t nr, size_t bytes, const char *file, int line)
{
	size_t whole;

	(void)file;
	(void)line;
	if (__builtin_mul_overflow(nr, bytes, &whole) || !has_room(whole))
		return NULL;
	return count_in(calloc(nr, bytes));
}

/* Version 1.5 gives back the empty text that it has as a variable, where a file
 * is empty and its line ends are to be converted. */
static bool
is_own(const void *memory)
{
	uintptr_t at = (uintptr_t)memory;

	return at >= library.own_first && at < library.own_end;
}

static void
give_back(void *memory)
{
	if (is_own(memory))
		return;
	library.held_bytes -= malloc_usable_size(memory);
	free(memory);
}

static void *
resize(void *memory, size_t bytes, const char *file, int line)
{
	size_t before = malloc_usable_size(memory);
	void *after;

	(void)file;
	(void)line;
	if (bytes > before && !has_room(bytes - before))
		return NULL;
	after = realloc(memory, bytes);
	if (after != NULL) {
		library.held_bytes -= before;
		count_in(after);
	}
	return after;
}

static void *
resize_array(void *memory, size_t nr, size_t bytes, const char *file, int line)
{
	size_t whole;

	if (__builtin_mul_overflow(nr, bytes, &whole))
		return NULL;
	return resize(memory, whole, file, line);
}

static void *
take_array(size_t nr, size_t bytes, const char *file, int line)
{
	return resize_array(NULL, nr, bytes, file, line);
}

static char *
copy_exactly(const char *text, size_t bytes, const char *file, int line)
{
	char *copy = take(bytes + 1, file, line);

	if (copy != NULL) {
		memcpy(copy, text, bytes);
		copy[bytes] = '\0';
	}
	return copy;
}

static char *
copy_up_to(const char *text, size_t bytes, const char *file, int line)
{
	return copy_exactly(text, strnlen(text, bytes), file, line);
}

static char *
copy(const char *text, const char *file, int line)
{
	return copy_exactly(text, strlen(text), file, line);
}

/* ---- the library ------------------------------------------------------- */

static int
look_up(void)
{
	static const struct {
		const char *name;
		void **to;
	} functions[] = {
#define GITLIB(name) { #name, (void **)(void *)&gitlib.name },
#include "git/libgit2.def"
#undef GITLIB
	};

	for (size_t i = 0; i < ARRAY_LEN(functions); i++) {
		*functions[i].to = dlsym(library.handle, functions[i].name);
		if (*functions[i].to == NULL)
			return -ENOENT;
	}
	return 0;
}

/* Where the library has its variables; base: where it lies. */
static int
find_own(struct dl_phdr_info *info, size_t bytes, void *base)
{
	(void)bytes;
	if (info->dlpi_addr != *(const ElfW(Addr) *)base)
		return 0;
	for (size_t i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &info->dlpi_phdr[i];

		if (part->p_type != PT_LOAD || !(part->p_flags & PF_W))
			continue;
		library.own_first = info->dlpi_addr + part->p_vaddr;
		library.own_end = library.own_first + part->p_memsz;
	}
	return 1;
}

/*
 * Settings of the user and of the system could only say what to run and what
 * to trust; nothing is run here, so whose repository it is does not matter.
 */
static int
set_up(void)
{
	static const int levels[] = { GIT_CONFIG_LEVEL_SYSTEM,
				      GIT_CONFIG_LEVEL_XDG,
				      GIT_CONFIG_LEVEL_GLOBAL,
				      GIT_CONFIG_LEVEL_PROGRAMDATA };
	/* of those that change where things are, not what they are */
	static const char *extensions[] = { "worktreeconfig", "partialclone",
					    "preciousobjects",
					    "relativeworktrees" };
	int result = gitlib.git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 0);

	for (size_t i = 0; i < ARRAY_LEN(levels) && result >= 0; i++)
		result = gitlib.git_libgit2_opts(GIT_OPT_SET_SEARCH_PATH,
						 levels[i], "/dev/null");
	if (result >= 0)
		result = gitlib.git_libgit2_opts(GIT_OPT_SET_EXTENSIONS,
						 extensions,
						 ARRAY_LEN(extensions));
	if (result >= 0)
		result = gitlib.git_libgit2_opts(GIT_OPT_SET_MWINDOW_SIZE,
						 WINDOW_BYTES);
	if (result >= 0)
		result = gitlib.git_libgit2_opts(
			GIT_OPT_SET_MWINDOW_MAPPED_LIMIT, MAPPED_BYTES);
	if (result >= 0)
		result = gitlib.git_libgit2_opts(GIT_OPT_SET_CACHE_MAX_SIZE,
						 CACHED_BYTES);
	if (result >= 0)
		result = gitlib.git_libgit2_opts(GIT_OPT_SET_CACHE_OBJECT_LIMIT,
						 GIT_OBJECT_TREE, TREE_BYTES);
	return result;
}

/* Of files and of shared memory; 0: not known. */
static size_t
resident_bytes(void)
{
	char text[256]; /* "size resident shared ..." in pages */
	size_t shared;
	ssize_t got = pread(library.statm_fd, text, sizeof(text) - 1, 0);

	if (got <= 0)
		return 0;
	text[got] = '\0';
	if (sscanf(text, "%*u %*u %zu", &shared) != 1)
		return 0;
	return shared * (size_t)sysconf(_SC_PAGESIZE);
}

int
gitlib_open(size_t memory_bytes)
{
	static git_allocator bounded = {
		.gmalloc = take,
		.gcalloc = take_zeroed,
		.gstrdup = copy,
		.gstrndup = copy_up_to,
		.gsubstrdup = copy_exactly,
		.grealloc = resize,
		.greallocarray = resize_array,
		.gmallocarray = take_array,
		.gfree = give_back,
	};
	struct link_map *map;
	int result;

	library.bytes_max = memory_bytes;
	if (library.handle != NULL)
		return library.fault == NULL ? 0 : -ENOENT;
	/* out of reach when the process is shut in */
	library.maps_fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
	library.statm_fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
	library.handle = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
	if (library.handle == NULL)
		return -ENOENT;
	if (dlinfo(library.handle, RTLD_DI_LINKMAP, &map) == 0)
		dl_iterate_phdr(find_own, &map->l_addr);
	if (look_up() != 0) {
		library.fault = LIBRARY " lacks a function";
		return -ENOENT;
	}
	if (gitguard_install(library.handle) != 0) {
		library.fault = "this " LIBRARY " does not open files in a way "
				"that is known here, and is not used";
		return -ENOENT;
	}
	/* before anything is allocated, which would be freed by the other */
	result = gitlib.git_libgit2_opts(GIT_OPT_SET_ALLOCATOR, &bounded);
	if (result >= 0)
		result = gitlib.git_libgit2_init();
	if (result >= 0)
		result = set_up();
	gitguard_arm(library.handle);
	library.trimmed_bytes = resident_bytes();
	return result >= 0 ? 0 : gitlib_errno(result);
}

const char *
gitlib_error(void)
{
	const git_error *error;
	const char *text = library.fault;

	if (text == NULL)
		text = gitguard_refused();
	if (text != NULL)
		return text;
	if (gitlib.git_error_last == NULL) {
		text = dlerror();
		return text != NULL ? text : LIBRARY;
	}
	error = gitlib.git_error_last();
	return error != NULL && error->message != NULL ? error->message
						       : "unknown error";
}

void
gitlib_begin(void)
{
	library.is_short = false;
}

bool
gitlib_is_short(void)
{
	return library.is_short;
}

/* "7f00-7f10 r--p 0 08:01 7 /x/objects/pack/pack-1.idx" */
static void
trim_line(const char *line, size_t bytes)
{
	const char *dot = memrchr(line, '.', bytes);
	size_t left = dot == NULL ? 0 : bytes - (size_t)(dot - line);
	char *dash;
	uintptr_t from;
	uintptr_t to;

	if (!(left == 4 && memcmp(dot, ".idx", 4) == 0) &&
	    !(left == 5 && memcmp(dot, ".pack", 5) == 0))
		return;
	from = strtoull(line, &dash, 16);
	to = *dash == '-' ? strtoull(dash + 1, NULL, 16) : 0;
	/* pages of files that nobody writes to: they come back as they were */
	if (from < to && memmem(line, bytes, " r--", 4) != NULL)
		madvise((void *)from, to - from, MADV_DONTNEED);
}

static void
drop_mapped(void)
{
	char text[16384];
	off_t off = 0;

	for (;;) {
		ssize_t got =
			pread(library.maps_fd, text, sizeof(text) - 1, off);
		size_t at = 0;
		const char *end;

		if (got <= 0)
			return;
		text[got] = '\0';
		while ((end = memchr(text + at, '\n', (size_t)got - at)) !=
		       NULL) {
			size_t next = (size_t)(end - text);

			trim_line(text + at, next - at);
			at = next + 1;
		}
		/* a line that is cut off is read again */
		if (at == 0)
			return;
		off += (off_t)at;
	}
}

bool
gitlib_trim(void)
{
	size_t bytes = resident_bytes();

	if (library.maps_fd < 0 || bytes == 0)
		return false;
	if (bytes > library.trimmed_bytes + RESIDENT_BYTES) {
		drop_mapped();
		library.trimmed_bytes = resident_bytes();
	}
	return true;
}

void
gitlib_trust(void)
{
	gitlib.git_libgit2_opts(GIT_OPT_ENABLE_STRICT_HASH_VERIFICATION, 0);
}

int
gitlib_errno(int result)
{
	/* the library may have passed over it, and gone on with what is left */
	if (gitguard_refused() != NULL)
		return -EPERM;
	if (result >= 0)
		return 0;
	if (library.is_short)
		return -ENOMEM;
	switch (result) {
	case GIT_ENOTFOUND:
		return -ENOENT;
	case GIT_EINVALIDSPEC:
	case GIT_EAMBIGUOUS:
	case GIT_EPEEL:
		return -EINVAL;
	default:
		return -EIO;
	}
}

size_t
gitlib_memory(void)
{
	return library.held_bytes;
}
