// SPDX-License-Identifier: MIT
/*
 * bench_collect_walk.c - the walk and the reader against a plain loop.
 *
 * Does: walks the tree DIR (default: the current one) and reads its files by
 *       both readers, and against them opens, reads and closes the same files
 *       one by one from a list made before, as plain as can be.
 *
 *   bench_collect_walk [OPTION]... [DIR]
 *
 *     --list       print the paths the walk gives, NUL after each, and end;
 *                  those left out for a reason have it and a tab before them
 *     --all        the same, also what rules and options leave out
 *     --no-ignore  look at no ignore file
 *     --hidden     names that begin with '.', outside git too
 *     --window N   bytes of names kept at once
 *     --fds N      directories kept open
 *     --rounds N   of everything, the best one counts (5)
 *     --cold       the page cache is dropped before each; for root
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/bench_clock.h"
#include "stages/collect/collect_io.h"

#define BATCH_NR 16
#define SLAB_ROOM_BYTES (256u << 10)

struct settings {
	struct collect_options options;
	const char *root;
	bool list;
	bool cold;
	int rounds;
};

struct paths {
	char *text; /* NUL after each */
	size_t bytes;
	size_t room;
};

struct batch {
	struct collect_read reads[BATCH_NR];
	struct file_state files[BATCH_NR];
	char *slabs;
	uint32_t nr;
	uint64_t bytes;
	uint64_t files_nr;
};

static void
die(const char *what, int error)
{
	fprintf(stderr, "bench_collect_walk: %s: %s\n", what, strerror(error));
	exit(1);
}

static void
drop_caches(const struct settings *settings)
{
	int fd;

	if (!settings->cold)
		return;
	sync();
	fd = open("/proc/sys/vm/drop_caches", O_WRONLY | O_CLOEXEC);
	if (fd < 0 || write(fd, "3", 1) != 1)
		die("/proc/sys/vm/drop_caches", errno);
	close(fd);
}

static struct collect_walk *
open_walk(const struct settings *settings)
{
	struct collect_walk *walk;
	uint32_t bad_root;
	int error = collect_walk_create(&walk, &settings->options, &bad_root);

	if (error != 0)
		die(settings->root, -error);
	return walk;
}

static void
print_list(const struct settings *settings)
{
	struct collect_walk *walk = open_walk(settings);
	struct collect_entry entry;
	int got;

	while ((got = collect_walk_next(walk, &entry)) == 1) {
		if (entry.reason != REASON_NONE)
			printf("%s\t", reason_text(entry.reason));
		fwrite(entry.path, 1, entry.path_bytes, stdout);
		putchar('\0');
	}
	if (got < 0)
		die("walk", -got);
	collect_walk_destroy(walk);
}

static void
add_path(struct paths *paths, const char *path, size_t bytes)
{
	if (paths->room - paths->bytes <= bytes) {
		paths->room = 2 * (paths->room + bytes + 4096);
		paths->text = realloc(paths->text, paths->room);
		if (paths->text == NULL)
			die("memory", ENOMEM);
	}
	memcpy(paths->text + paths->bytes, path, bytes);
	paths->bytes += bytes;
	paths->text[paths->bytes++] = '\0';
}

/* The walk alone; fills *paths with what is to be read. */
static double
run_walk(const struct settings *settings, struct paths *paths, uint64_t *nr)
{
	double begin = now_ms();
	struct collect_walk *walk = open_walk(settings);
	struct collect_entry entry;
	int got;

	*nr = 0;
	while ((got = collect_walk_next(walk, &entry)) == 1) {
		*nr += 1;
		if (paths != NULL && entry.reason == REASON_NONE)
			add_path(paths, entry.path, entry.path_bytes);
	}
	if (got < 0)
		die("walk", -got);
	collect_walk_destroy(walk);
	return now_ms() - begin;
}

static void
end_batch(struct batch *batch, struct collect_reader *reader)
{
	collect_reader_run(reader, batch->reads, batch->nr);
	for (uint32_t i = 0; i < batch->nr; i++) {
		struct collect_read *one = &batch->reads[i];

		batch->bytes += one->got;
		while (one->got == SLAB_ROOM_BYTES) {
			one->off += one->got;
			collect_reader_run(reader, one, 1);
			batch->bytes += one->got;
		}
		file_is_unchanged(one->fd, &batch->files[i]);
		close(one->fd);
	}
	batch->nr = 0;
}

/* As the collector does it: walk, open, read in batches, look again. */
static double
run_collect(const struct settings *settings, struct collect_reader *reader,
	    struct batch *batch)
{
	double begin = now_ms();
	struct collect_walk *walk = open_walk(settings);
	struct collect_entry entry;

	batch->bytes = 0;
	batch->files_nr = 0;
	while (collect_walk_next(walk, &entry) == 1) {
		struct file_state *file = &batch->files[batch->nr];
		int fd;

		if (entry.reason != REASON_NONE)
			continue;
		fd = open_regular(entry.dir_fd, entry.name, file);
		if (fd < 0)
			continue;
		batch->files_nr++;
		batch->reads[batch->nr] = (struct collect_read){
			.fd = fd,
			.to = batch->slabs +
			      (size_t)batch->nr * SLAB_ROOM_BYTES,
			.bytes = min_size(file->bytes, SLAB_ROOM_BYTES),
		};
		if (++batch->nr == BATCH_NR)
			end_batch(batch, reader);
	}
	end_batch(batch, reader);
	collect_walk_destroy(walk);
	return now_ms() - begin;
}

static double
run_plain(const struct paths *paths, char *buffer, uint64_t *bytes)
{
	double begin = now_ms();

	*bytes = 0;
	for (size_t at = 0; at < paths->bytes;) {
		int fd = open(paths->text + at, O_RDONLY | O_CLOEXEC);
		ssize_t got;

		while (fd >= 0 && (got = read(fd, buffer, SLAB_ROOM_BYTES)) > 0)
			*bytes += (uint64_t)got;
		if (fd >= 0)
			close(fd);
		at += strlen(paths->text + at) + 1;
	}
	return now_ms() - begin;
}

static void
measure(const struct settings *settings)
{
	static const char *const names[] = { "", "uring", "read" };
	struct batch batch = { .slabs = malloc(BATCH_NR * SLAB_ROOM_BYTES) };
	double best[4] = { 1e12, 1e12, 1e12, 1e12 };
	uint64_t bytes = 0;
	uint64_t nr = 0;

	if (batch.slabs == NULL)
		die("memory", ENOMEM);
	for (int i = 0; i < settings->rounds; i++) {
		struct paths paths = { 0 };
		double walk_ms;

		run_walk(settings, &paths, &nr);
		walk_ms = run_walk(settings, NULL, &nr);
		if (walk_ms < best[0])
			best[0] = walk_ms;
		for (int kind = IO_URING; kind <= IO_READ; kind++) {
			struct collect_reader *reader;
			double ms;

			if (collect_reader_create(&reader, (enum io_kind)kind,
						  BATCH_NR) != 0)
				continue;
			drop_caches(settings);
			ms = run_collect(settings, reader, &batch);
			if (ms < best[kind])
				best[kind] = ms;
			collect_reader_destroy(reader);
		}
		drop_caches(settings);
		walk_ms = run_plain(&paths, batch.slabs, &bytes);
		if (walk_ms < best[3])
			best[3] = walk_ms;
		free(paths.text);
	}
	printf("%s: %llu entries, %llu files read, %.1f MB\n", settings->root,
	       (unsigned long long)nr, (unsigned long long)batch.files_nr,
	       (double)bytes / 1e6);
	printf("walk alone            %8.1f ms\n", best[0]);
	printf("open, read, close     %8.1f ms\n", best[3]);
	for (int kind = IO_URING; kind <= IO_READ; kind++) {
		if (best[kind] < 1e12)
			printf("walk and %-5s         %7.1f ms  %.2fx\n",
			       names[kind], best[kind], best[kind] / best[3]);
	}
	if (batch.bytes != bytes)
		printf("bytes differ: %llu\n", (unsigned long long)batch.bytes);
	free(batch.slabs);
}

static uint32_t
number(const char *text)
{
	return text == NULL ? 0 : (uint32_t)strtoul(text, NULL, 10);
}

int
main(int argc, char **argv)
{
	struct settings settings = { .root = ".", .rounds = 5 };
	struct collect_options *options = &settings.options;

	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--list") == 0)
			settings.list = true;
		else if (strcmp(argv[i], "--all") == 0)
			settings.list = options->list_ignored = true;
		else if (strcmp(argv[i], "--no-ignore") == 0)
			options->no_ignore = true;
		else if (strcmp(argv[i], "--hidden") == 0)
			options->hidden = true;
		else if (strcmp(argv[i], "--window") == 0)
			options->listing_bytes_max = number(argv[++i]);
		else if (strcmp(argv[i], "--fds") == 0)
			options->fd_max = number(argv[++i]);
		else if (strcmp(argv[i], "--cold") == 0)
			settings.cold = true;
		else if (strcmp(argv[i], "--rounds") == 0)
			settings.rounds = (int)number(argv[++i]);
		else
			settings.root = argv[i];
	}
	options->roots = &settings.root;
	options->root_nr = 1;
	if (settings.list)
		print_list(&settings);
	else
		measure(&settings);
	return 0;
}
