/* SPDX-License-Identifier: MIT */
/*
 * output.h - the output file, replaced atomically, or the output stream.
 *
 * Does: an unnamed file beside the target that gets its name when it is
 *       complete; for stdout, pipes and devices an unnamed file in $TMPDIR that
 *       is pumped to them.
 * Does not: format; the format worker writes into the file.
 * Runs in: the supervisor.
 * Invariants:
 * 1. The target is unchanged, or complete and new.
 * 2. Pumping never blocks for long: signals and deaths are seen meanwhile.
 */
#ifndef SUPERVISOR_OUTPUT_H
#define SUPERVISOR_OUTPUT_H

#include "base/replace_file.h"
#include "stages/stage.h"
#include "stages/run.h"

struct output {
	int fd;                    /* what format writes to */
	struct replacement target; /* the same file, but for streams */
	int stream_fd; /* stdout, a pipe, a device; -1: a file by rename */
	bool is_pipe;
	uint64_t pumped_bytes;
};

/* No output, for output_close(). */
#define OUTPUT_NONE       \
	((struct output){ \
		.fd = -1, .target = REPLACEMENT_NONE, .stream_fd = -1 })

/*
 * shape:  opens the output; its files, which must not be packed, are put in
 *         run->outputs
 * owner:  output_close()
 * errors: -errno, nothing left behind
 */
int
output_open(struct output *output, const char *path, struct run *run);

/*
 * shape:  moves what is written to the stream: up to `until` bytes in all;
 *         1: all of it is there, 0: the reader is slow, -errno; -EPIPE: the
 *         reader has gone
 * calls:  supervisor_watch(), now and then; only for streams
 */
int
output_pump(struct output *output, uint64_t until);

/*
 * shape:  SHA-256 of so many bytes of a file; UINT64_MAX: of all from there on;
 *         how many these are
 * errors: -errno of reading, -EIO: of libcrypto, or it is shorter
 */
int64_t
output_sha256(int fd, uint64_t from, uint64_t bytes,
	      uint8_t digest[SHA256_BYTES]);

/* Excludes a file that this run writes from packing, if it exists, or a directory
 * with all that is in it. */
void
output_never_pack(struct run *run, const char *path);
void
output_never_pack_at(struct run *run, int dir_fd, const char *path);

/* Whether a file of that name is written compressed: it ends in .zst. */
bool
output_is_zstd(const char *path);

/*
 * shape:  `bytes` bytes of the output as one frame of zstd
 * errors: -errno
 * calls:  output_deflate(), and for each part
 */
int
output_compress(const struct output *output, uint64_t from, uint64_t bytes,
		int to);

/*
 * shape:  puts a compressed file in the place of what was written
 * errors: -errno: to be given up
 * calls:  when the output is whole, before its target is put in place
 */
int
output_deflate(struct output *output, uint64_t bytes);

/* Closes the output; a target that is not in its place is abandoned. */
void
output_close(struct output *output);

#endif
