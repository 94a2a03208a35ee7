/* SPDX-License-Identifier: MIT */
/*
 * output_zstd.c - an output that is whole, compressed before it gets its name.
 */
#include "supervisor/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#include "base/fault.h"
#include "base/fd_io.h"

#define BLOCK_BYTES (256u << 10)
#define LEVEL 9 /* written once, and by a machine that has just been busy */

bool
output_is_zstd(const char *path)
{
	size_t nr = path == NULL ? 0 : strlen(path);

	return nr > 4 && strcmp(path + nr - 4, ".zst") == 0;
}

/* One block into the frame; the last one ends it. */
static int
add_block(ZSTD_CCtx *context, int to, const char *bytes, size_t nr, bool last)
{
	static char out[BLOCK_BYTES];
	ZSTD_inBuffer from = { bytes, nr, 0 };
	size_t left = 1;
	int error = 0;

	while (error == 0 && (last ? left != 0 : from.pos < from.size)) {
		ZSTD_outBuffer into = { out, sizeof(out), 0 };

		left = ZSTD_compressStream2(context, &into, &from,
					    last ? ZSTD_e_end
						 : ZSTD_e_continue);
		if (ZSTD_isError(left))
			return -ENOMEM; /* there is nothing else it lacks */
		error = fd_write_all(to, out, into.pos);
	}
	return error;
}

int
output_compress(const struct output *output, uint64_t from, uint64_t bytes,
		int to)
{
	static char block[BLOCK_BYTES];
	ZSTD_CCtx *context = ZSTD_createCCtx();
	uint64_t at = 0;
	int error = context == NULL ? -ENOMEM : 0;

	if (error == 0 && ZSTD_isError(ZSTD_CCtx_setParameter(
				  context, ZSTD_c_compressionLevel, LEVEL)))
		error = -EIO;
	if (error == 0)
		ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
	for (bool is_last = false; error == 0 && !is_last;) {
		size_t nr = (size_t)min_u64(sizeof(block), bytes - at);

		is_last = at + nr == bytes;
		error = fd_pread_all(output->fd, block, nr, from + at);
		if (error == 0)
			error = add_block(context, to, block, nr, is_last);
		at += nr;
		FAULT("compressed");
	}
	ZSTD_freeCCtx(context);
	return error;
}
