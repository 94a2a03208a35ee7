/* SPDX-License-Identifier: MIT */
/*
 * input.c - files of `bale unpack` and `bale verify`, and manifests beside parts.
 */
#include "cli/input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "base/child_process.h"
#include "base/diag.h"
#include "base/array.h"
#include "base/fd_io.h"
#include "base/open_below.h"
#include "base/new_file.h"
#include "stages/stage.h"
#include "supervisor/manifest.h"
#include "supervisor/supervisor.h"

#define PART_BYTES_MIN 64 /* a hash alone takes as many */

static bool
is_manifest_name(const char *path)
{
	char *name = manifest_owner(path);

	free(name);
	return name != NULL;
}

/* ---- a manifest for its parts -------------------------------------------- */

/* The files that are given, sorted. */
struct given {
	struct file_identity *ids;
	size_t nr;
};

static bool
identify(const char *path, struct file_identity *out)
{
	struct stat st;

	if (stat(path, &st) != 0)
		return false;
	*out = (struct file_identity){ st.st_dev, st.st_ino };
	return true;
}

static int
identify_all(struct given *given, const struct text_list *operands)
{
	given->nr = 0;
	given->ids = calloc(operands->nr + 1, sizeof(*given->ids));
	if (given->ids == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < operands->nr; i++)
		given->nr +=
			identify(operands->items[i], &given->ids[given->nr]);
	qsort(given->ids, given->nr, sizeof(*given->ids),
	      file_identity_compare);
	return 0;
}

struct expand_ctx {
	struct given given;
	struct text_list *out;
	uint64_t missing_nr;
};

static int
add_part(struct expand_ctx *expand, const char *path)
{
	struct file_identity id;

	if (!identify(path, &id)) {
		diag_log(DIAG_WARN, "%s: %s, and its manifest names it",
			 QUOTED(path), diag_errno(errno));
		expand->missing_nr++;
		return 0;
	}
	if (bsearch(&id, expand->given.ids, expand->given.nr, sizeof(id),
		    file_identity_compare) != NULL)
		return 0;
	return text_list_add_copy(expand->out, path);
}

/* The operands, and of how many parts each is the manifest; 0: it is none. */
struct counting {
	const struct text_list *given;
	uint64_t *nrs; /* in memory that is shared with a child */
};

/* Why a file with the name of a manifest is not read as one. */
static void
complain(enum diag_level level, const char *path, int error)
{
	const char *why = diag_errno(error);

	if (error == -EPROTO)
		why = "it has the name of a manifest and is none, or is "
		      "damaged; pack again, or rename it";
	if (error == -EFBIG)
		why = "another program has changed this manifest, and it is "
		      "too large to be read so; pack again";
	diag_log(level, "%s: %s", QUOTED(path), why);
}

/* calls: a process that is shut in */
static int
count_parts(void *context)
{
	const struct counting *counting = context;
	int code = EXIT_COMPLETE;

	for (size_t i = 0; i < counting->given->nr; i++) {
		const char *path = counting->given->items[i];
		struct manifest manifest;
		int error;

		if (!is_manifest_name(path))
			continue;
		error = manifest_read_any(&manifest, AT_FDCWD, path);
		counting->nrs[i] = error == 0 ? manifest.nr : 0;
		manifest_fini(&manifest);
		if (error == -ENOMEM)
			code = exit_out_of_memory();
		else if (error != 0) {
			complain(DIAG_ERROR, path, error);
			code = code == EXIT_COMPLETE ? EXIT_USAGE : code;
		}
	}
	return code;
}

static int
count_parts_apart(const struct options *options, struct counting *counting)
{
	size_t nr = counting->given->nr;
	struct sandbox_place *places = calloc(nr, sizeof(*places));
	struct sandbox_child child = {
		.active = options->sandbox_layers,
		.places = places,
		.work = count_parts,
		.context = counting,
	};
	int code;

	if (places == NULL)
		return exit_out_of_memory();
	for (size_t i = 0; i < nr; i++) {
		if (!is_manifest_name(counting->given->items[i]))
			continue;
		child.what = counting->given->items[i];
		places[child.place_nr++].path = child.what;
	}
	code = child.place_nr > 0 ? sandbox_run_child(&child) : EXIT_COMPLETE;
	free(places);
	return code;
}

/* What the child has found, unless the file has no room for so many. */
static uint64_t
counted(const struct counting *counting, size_t i)
{
	uint64_t nr = counting->nrs[i];
	struct stat st;

	if (nr == 0 || stat(counting->given->items[i], &st) != 0 ||
	    nr > (uint64_t)st.st_size / PART_BYTES_MIN)
		return 0;
	return nr;
}

/* An operand, or the parts that it is the manifest of. */
static int
add_operand(struct expand_ctx *expand, const char *path, uint64_t nr)
{
	char *name;
	int error = 0;

	if (nr == 0)
		return text_list_add_copy(expand->out, path);
	name = manifest_owner(path);
	if (name == NULL)
		return -ENOMEM;
	for (uint64_t i = 0; i < nr && error == 0; i++) {
		char *part = manifest_part_name(name, i + 1, nr);

		error = part == NULL ? -ENOMEM : add_part(expand, part);
		free(part);
	}
	free(name);
	return error;
}

int
part_operands_expand(const struct options *options, struct text_list *out,
		     uint64_t *missing_nr)
{
	struct counting counting = { .given = &options->operands };
	struct expand_ctx expand = { .out = out };
	size_t bytes = (counting.given->nr + 1) * sizeof(*counting.nrs);
	int code;
	int error;

	*out = (struct text_list){ 0 };
	*missing_nr = 0;
	counting.nrs = helper_memory(bytes);
	if (counting.nrs == NULL)
		return exit_out_of_memory();
	code = count_parts_apart(options, &counting);
	error = identify_all(&expand.given, counting.given);
	for (size_t i = 0; i < counting.given->nr && error == 0; i++)
		error = add_operand(&expand, counting.given->items[i],
				    counted(&counting, i));
	*missing_nr = expand.missing_nr;
	free(expand.given.ids);
	munmap(counting.nrs, bytes);
	if (error != 0 && code == EXIT_COMPLETE)
		code = exit_out_of_memory();
	return code;
}

/* The manifest that may lie beside a file; parts of one output have the same,
 * which is the *last one. */
static int
add_manifest(struct text_list *out, const char *path, const char **last)
{
	char *name = manifest_output_name(path);
	char *file = name == NULL ? NULL : manifest_name(name);
	int error = 0;

	if (file != NULL && (*last == NULL || strcmp(*last, file) != 0)) {
		error = text_list_add_copy(out, file);
		*last = error == 0 ? out->items[out->nr - 1] : NULL;
	}
	free(name);
	free(file);
	return error;
}

int
part_operands_enter(const struct options *options,
		    const struct text_list *files, int dir_fd)
{
	const char *dirs[TEMP_FILE_DIRS];
	struct sandbox_place more[TEMP_FILE_DIRS + 1];
	struct text_list all = { 0 };
	const char *last = NULL;
	size_t nr = temp_file_dirs(dirs);
	int error = 0;
	int code;

	for (size_t i = 0; i < files->nr && error == 0; i++) {
		error = text_list_add_copy(&all, files->items[i]);
		if (error == 0)
			error = add_manifest(&all, files->items[i], &last);
	}
	for (size_t i = 0; i < nr; i++)
		more[i] =
			(struct sandbox_place){ .path = dirs[i],
						.access = SANDBOX_MAKES_TEMP };
	if (dir_fd >= 0)
		more[nr++] = (struct sandbox_place){ .fd = dir_fd,
						     .access = SANDBOX_WRITES };
	code = error == 0 ? sandbox_enter_reading(options, &all, more, nr)
			  : exit_out_of_memory();
	text_list_free(&all);
	return code;
}

/* ---- a part and its manifest --------------------------------------------- */

/* The manifest of an output, by the name of this one: 0, -ENOENT, or -errno and
 * a line. */
static int
read_beside(struct manifest *manifest, const char *name)
{
	char *file = manifest_name(name);
	int error = file == NULL ? -ENOMEM
				 : manifest_read_any(manifest, AT_FDCWD, file);

	if (error != 0)
		manifest_fini(manifest);
	/* a name that is too long for a file is that of none */
	if (error == -ENAMETOOLONG || error == -ENOTDIR)
		error = -ENOENT;
	if (error != 0 && error != -ENOENT)
		complain(DIAG_WARN, file == NULL ? name : file, error);
	free(file);
	return error;
}

enum part_word
part_operands_compare(const char *path)
{
	/* of the part before, which is one of the same output as a rule */
	static struct manifest manifest;
	static char *known;
	static int error;
	enum part_word word = PART_WORD_NONE;
	char *name = manifest_output_name(path);
	uint64_t number;

	if (name == NULL)
		return PART_WORD_NONE;
	if (known == NULL || strcmp(name, known) != 0) {
		manifest_fini(&manifest);
		free(known);
		known = strdup(name);
		error = read_beside(&manifest, name);
	}
	number = manifest_part_number(name, path, manifest.nr);
	if (error != 0 && error != -ENOENT)
		word = PART_WORD_UNKNOWN;
	/* of more digits, or beyond the last one: it is left over */
	else if (manifest.nr > 0 && number == 0)
		word = PART_WORD_DIFFERS;
	else if (manifest.nr > 0)
		word = manifest_matches(&manifest.parts[number - 1], AT_FDCWD,
					path)
			       ? PART_WORD_SAME
			       : PART_WORD_DIFFERS;
	free(name);
	return word;
}

#define BLOCK_BYTES (256u << 10)
#define WINDOW_LOG_MAX 30 /* as of zstd where addresses are short */
#define LIMIT_MIN (1ull << 30)
#define LIMIT_RATIO 64 /* texts come to a tenth; duplicates to less */

/* A copy in the making. */
struct copy {
	int from;
	int to;
	const struct input_limits *limits;
	uint64_t file_bytes; /* 0: nobody knows */
	uint64_t read_nr;
	uint64_t written;
	uint64_t memory_max; /* UINT64_MAX: it lies on a disk */
	ZSTD_DCtx *zstd;     /* NULL: it is not compressed */
	size_t pending;      /* 0: between two frames */
};

uint64_t
input_default_limit(uint64_t read_nr)
{
	return max_u64(LIMIT_MIN, read_nr > UINT64_MAX / LIMIT_RATIO
					  ? UINT64_MAX
					  : LIMIT_RATIO * read_nr);
}

/* ---- where the copy lies ---- */

/* On a disk, if a place may be chosen. */
static int
open_temp(bool *in_memory)
{
	int fd = temp_file_open();

	*in_memory = fd < 0 || temp_file_is_in_memory(fd);
	return fd >= 0 ? fd : memfd_create("bale", MFD_CLOEXEC);
}

static int
put(struct copy *copy, const void *bytes, size_t nr)
{
	uint64_t limit = copy->limits->output_bytes != 0
				 ? copy->limits->output_bytes
				 : input_default_limit(copy->read_nr);

	copy->written += nr;
	if (copy->zstd != NULL && copy->written > limit)
		return -E2BIG;
	if (copy->written > copy->memory_max)
		return -ENOBUFS;
	return fd_write_all(copy->to, bytes, nr);
}

/* ---- zstd ---- */

#define MAGIC_BYTES 4

/* A frame, or what may stand before one and is skipped. */
static bool
is_zstd(const uint8_t *bytes, ssize_t nr)
{
	static const uint8_t frame[] = { 0x28, 0xb5, 0x2f, 0xfd };
	static const uint8_t skippable[] = { 0x2a, 0x4d, 0x18 };

	return nr >= MAGIC_BYTES &&
	       (memcmp(bytes, frame, MAGIC_BYTES) == 0 ||
		(bytes[0] >> 4 == 5 && memcmp(bytes + 1, skippable, 3) == 0));
}

/* Half of the memory is for the window; as much again is for its blocks. */
static int
open_zstd(struct copy *copy, const uint8_t *bytes, size_t nr)
{
	uint64_t window = copy->limits->memory_bytes / 2;
	unsigned long long size = ZSTD_getFrameContentSize(bytes, nr);
	uint64_t limit = copy->limits->output_bytes;
	int log = 63 - __builtin_clzll(window | 1u << 20);

	if (limit == 0 && copy->file_bytes > 0)
		limit = input_default_limit(copy->file_bytes);
	/* a frame that says how large it is needs no look at its blocks */
	if (limit > 0 && size != ZSTD_CONTENTSIZE_UNKNOWN &&
	    size != ZSTD_CONTENTSIZE_ERROR && size > limit)
		return -E2BIG;
	copy->zstd = ZSTD_createDCtx();
	if (copy->zstd == NULL)
		return -ENOMEM;
	log = log > WINDOW_LOG_MAX ? WINDOW_LOG_MAX : log;
	ZSTD_DCtx_setParameter(copy->zstd, ZSTD_d_windowLogMax, log);
	return 0;
}

static int
decompress(struct copy *copy, const uint8_t *bytes, size_t nr)
{
	static char out[BLOCK_BYTES];
	ZSTD_inBuffer from = { bytes, nr, 0 };
	ZSTD_outBuffer into = { out, sizeof(out), 0 };
	int error = 0;

	/* a full buffer may not have been all there is */
	while (error == 0 && (from.pos < from.size || into.pos == into.size)) {
		into.pos = 0;
		copy->pending = ZSTD_decompressStream(copy->zstd, &into, &from);
		if (ZSTD_isError(copy->pending))
			return ZSTD_getErrorCode(copy->pending) ==
					       ZSTD_error_frameParameter_windowTooLarge
				       ? -ENOBUFS
				       : -EBADMSG;
		error = put(copy, out, into.pos);
	}
	return error;
}

/* ---- the copy ---- */

/* As much as tells what it is, of a pipe that gives byte after byte. */
static ssize_t
read_first(int fd, uint8_t *bytes, size_t nr)
{
	ssize_t all = 0;
	ssize_t got = 1;

	while (got > 0 && all < MAGIC_BYTES) {
		got = fd_read_some(fd, bytes + all, nr - (size_t)all);
		all += got > 0 ? got : 0;
	}
	return got < 0 ? got : all;
}

static int
copy_all(struct copy *copy)
{
	static uint8_t bytes[BLOCK_BYTES];
	ssize_t got = read_first(copy->from, bytes, sizeof(bytes));
	int error = 0;

	if (is_zstd(bytes, got))
		error = open_zstd(copy, bytes, (size_t)got);
	while (error == 0 && got > 0) {
		copy->read_nr += (uint64_t)got;
		error = copy->zstd == NULL
				? put(copy, bytes, (size_t)got)
				: decompress(copy, bytes, (size_t)got);
		if (error == 0)
			got = fd_read_some(copy->from, bytes, sizeof(bytes));
	}
	ZSTD_freeDCtx(copy->zstd);
	if (error == 0 && got < 0)
		error = (int)got;
	return error == 0 && copy->pending != 0 ? -EBADMSG : error;
}

static int
map(struct input *input, int fd)
{
	struct stat st;
	void *bytes;

	if (fstat(fd, &st) != 0)
		return -errno;
	input->bytes = (const uint8_t *)"";
	if (st.st_size == 0)
		return 0;
	bytes = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (bytes == MAP_FAILED)
		return -errno;
	madvise(bytes, (size_t)st.st_size, MADV_SEQUENTIAL);
	input->bytes = bytes;
	input->nr = (size_t)st.st_size;
	return 0;
}

int
input_open(struct input *input, const char *path,
	   const struct input_limits *limits)
{
	bool is_stdin = strcmp(path, "-") == 0;
	struct copy copy = { .limits = limits, .memory_max = UINT64_MAX };
	struct stat st;
	int error;

	*input = (struct input){ 0 };
	copy.from = is_stdin ? STDIN_FILENO
			     : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (copy.from < 0)
		return -errno;
	if (fstat(copy.from, &st) == 0 && S_ISREG(st.st_mode))
		copy.file_bytes = (uint64_t)st.st_size;
	/* a copy: the file may be cut short while it is mapped */
	copy.to = open_temp(&input->in_memory);
	if (input->in_memory)
		copy.memory_max = limits->memory_bytes;
	error = copy.to < 0 ? -errno : copy_all(&copy);
	if (!is_stdin)
		close(copy.from);
	input->read_nr = copy.read_nr;
	if (error == 0)
		error = map(input, copy.to);
	fd_close(copy.to);
	return error;
}

int
input_complain(const char *path, int error)
{
	const char *what = diag_errno(error);
	int code = EXIT_USAGE;

	if (error == -EBADMSG)
		what = "its zstd data is damaged or truncated; pack it again";
	if (error == -E2BIG)
		what = "it decompresses to more than --max-output, or than 64 "
		       "times its size and 1G if that is not given; if it is "
		       "to be trusted, raise --max-output";
	if (error == -ENOBUFS)
		what = "reading it needs more than --memory: raise it; or, if "
		       "it is large, set TMPDIR to a directory on a disk";
	if (error == -ENOSPC || error == -EDQUOT)
		what = "no space left for a copy of it; set TMPDIR to a "
		       "directory that has some";
	if (error == -E2BIG || error == -EFBIG || error == -ENOBUFS ||
	    error == -ENOSPC || error == -EDQUOT || error == -ENOMEM)
		code = EXIT_RESOURCES;
	return exit_with(code, "%s: %s", QUOTED(path), what);
}

void
input_close(struct input *input)
{
	union {
		const uint8_t *from;
		void *to;
	} at = { .from = input->bytes };

	if (input->nr > 0)
		munmap(at.to, input->nr);
	*input = (struct input){ 0 };
}
