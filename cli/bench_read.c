/* SPDX-License-Identifier: MIT */
/*
 * bench_read.c - the files of the trees, read and thrown away.
 *
 * Does: lists them as a run would; some processes take one after the other.
 * Does not: open what lies elsewhere: who lists and who reads is confined as
 *           the collector is.
 * Limits: names of NAMES_BYTES in all.
 */
#include "cli/bench.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "cli/command_child.h"
#include "supervisor/sandbox.h"
#include "supervisor/supervisor.h"

#define NAMES_BYTES (256u << 20)
#define BLOCK_BYTES (1u << 20)
#define READERS_MAX 64
#define READERS_A_CPU 4 /* a disk wants more than one request at a time */
#define LIST_NS (3600 * NS_PER_S)

struct bench_files {
	struct run run; /* the trees, no more */
	uint64_t used;  /* of the names: each a path and a NUL */
	char names[NAMES_BYTES];
};

/* What the readers share. */
struct reading {
	_Atomic uint64_t next; /* name to be taken */
	_Atomic uint64_t bytes;
	_Atomic int error;
};

/* Bytes of a root before the names below it: of a file, its directory. */
static size_t
dir_bytes(const char *root)
{
	const char *slash = strrchr(root, '/');
	struct stat st;

	if (stat(root, &st) == 0 && S_ISDIR(st.st_mode))
		return strlen(root);
	return slash == NULL ? 0 : (size_t)(slash - root);
}

/* A source_file_fn. */
static int
add_name(void *context, uint32_t root, const char *path, size_t bytes)
{
	struct bench_files *files = context;
	const char *dir = files->run.job.roots[root];
	size_t before = dir_bytes(dir);
	size_t room = NAMES_BYTES - files->used;
	int nr = snprintf(
		files->names + files->used, room, "%.*s%s%.*s", (int)before,
		dir, before > 0 || *dir == '/' ? "/" : "", (int)bytes, path);

	if (nr < 0 || (size_t)nr >= room)
		return -E2BIG;
	files->used += (uint64_t)nr + 1;
	return 0;
}

int
bench_files_list(const struct command_line *line, struct bench_files **out)
{
	struct bench_files *files = helper_memory(sizeof(*files));
	int error;

	if (files == NULL)
		return -ENOMEM;
	files->run.job = line->run.pack;
	files->run.sandbox_layers = line->run.sandbox_layers;
	files->run.confine = sandbox_enter;
	error = list_trees(&files->run, clock_now_ns() + LIST_NS, add_name,
			   files);
	if (error == 0)
		*out = files;
	else
		bench_files_free(files);
	return error;
}

void
bench_files_free(struct bench_files *files)
{
	if (files != NULL)
		munmap(files, sizeof(*files));
}

/* All of an open file: its bytes, or -errno. */
static int64_t
read_all(int fd, enum bench_reading how, void *block)
{
	int64_t bytes = 0;
	ssize_t got;

	if (how == BENCH_EVICT)
		return -posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	while ((got = read(fd, block, BLOCK_BYTES)) > 0)
		bytes += got;
	return got < 0 ? -errno : bytes;
}

static int64_t
read_file(const char *path, enum bench_reading how, void *block)
{
	int flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;
	int fd = open(path, flags | (how == BENCH_DIRECT ? O_DIRECT : 0));
	struct stat st;
	int64_t bytes = 0;

	if (fd < 0)
		return errno == EINVAL ? -EINVAL : 0; /* gone, or not ours */
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		bytes = read_all(fd, how, block);
	close(fd);
	return bytes;
}

/* In a process of its own: takes names until there are no more. */
static _Noreturn void
be_reader(const struct bench_files *files, enum bench_reading how,
	  struct reading *reading)
{
	const struct reach none = { .nr = 0 };
	struct run run = files->run;
	void *block = aligned_alloc(BLOCK_BYTES, BLOCK_BYTES);
	uint64_t mine = add_relaxed(&reading->next, 1);
	uint64_t idx = 0;

	command_child_begin(-1, -1);
	/* no descriptor is one of its tables: there are none */
	memset(&run.catalogue, 0xff, sizeof(run.catalogue));
	run.output_fd = -1;
	if (block == NULL || run.confine(&run, STAGE_COLLECT, &none) != 0)
		_exit(EXIT_INTERNAL);
	for (uint64_t at = 0; at < files->used; idx++) {
		if (idx == mine) {
			int64_t got = read_file(files->names + at, how, block);

			/* relaxed: read when this has ended */
			if (got < 0)
				store_relaxed(&reading->error, (int)got);
			else
				add_relaxed(&reading->bytes, (uint64_t)got);
			mine = add_relaxed(&reading->next, 1);
		}
		at += strlen(files->names + at) + 1;
	}
	_exit(EXIT_COMPLETE);
}

/* Waits for as many readers as there are: 0 or -errno. */
static int
end_readers(struct helper *helpers, uint32_t nr)
{
	int result = 0;

	for (uint32_t i = 0; i < nr; i++) {
		int status;
		int error = helper_wait(&helpers[i], &status);

		if (error == 0 && status != 0)
			error = -ECHILD;
		if (error != 0)
			result = error;
	}
	return result;
}

int
bench_files_read(const struct bench_files *files, enum bench_reading how,
		 uint64_t *bytes, uint64_t *wall_ns)
{
	struct reading *reading = helper_memory(sizeof(*reading));
	struct helper helpers[READERS_MAX];
	uint32_t nr = (uint32_t)min_u64(READERS_A_CPU * options_cpu_nr(),
					READERS_MAX);
	uint64_t begun = clock_now_ns();
	int error = reading == NULL ? -ENOMEM : 0;
	int ended;
	uint32_t i;

	for (i = 0; error == 0 && i < nr; i++) {
		pid_t pid = helper_fork(&helpers[i], false);

		if (pid == 0)
			be_reader(files, how, reading);
		if (pid < 0)
			error = pid;
	}
	ended = end_readers(helpers, error == 0 ? i : i - (i > 0));
	*wall_ns = clock_now_ns() - begun;
	if (reading == NULL)
		return error;
	if (error == 0)
		error = ended != 0 ? ended : load_relaxed(&reading->error);
	*bytes = load_relaxed(&reading->bytes);
	munmap(reading, sizeof(*reading));
	return error;
}
