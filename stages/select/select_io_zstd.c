/* SPDX-License-Identifier: MIT */
/*
 * select_io_zstd.c - blocks of candidates by zstd, at its fastest level.
 */
#include "stages/select/select_io_zstd.h"

#include <errno.h>
#include <zstd.h>

#define LEVEL 1
#define PLANES sizeof(struct rank_candidate)

int
select_codec_init(struct select_codec *codec)
{
	codec->packer = ZSTD_createCCtx();
	codec->unpacker = ZSTD_createDCtx();
	return codec->packer == NULL || codec->unpacker == NULL ? -ENOMEM : 0;
}

void
select_codec_fini(struct select_codec *codec)
{
	ZSTD_freeCCtx(codec->packer);
	ZSTD_freeDCtx(codec->unpacker);
	codec->packer = NULL;
	codec->unpacker = NULL;
}

size_t
select_packed_max(void)
{
	return ZSTD_COMPRESSBOUND(SELECT_BLOCK_BYTES);
}

int
select_pack(struct select_codec *codec, const struct rank_candidate *these,
	    size_t nr, uint8_t *out, size_t *bytes)
{
	const uint8_t *from = (const uint8_t *)these;
	size_t result;

	ASSERT(nr <= SELECT_BLOCK);
	for (size_t plane = 0; plane < PLANES; plane++)
		for (size_t i = 0; i < nr; i++)
			codec->planes[plane * nr + i] =
				from[i * PLANES + plane];
	result = ZSTD_compressCCtx(codec->packer, out, select_packed_max(),
				   codec->planes, nr * PLANES, LEVEL);
	if (ZSTD_isError(result))
		return -ENOMEM; /* there is nothing else that it lacks */
	*bytes = result;
	return 0;
}

int
select_unpack(struct select_codec *codec, const uint8_t *block, size_t bytes,
	      struct rank_candidate *these, size_t nr)
{
	uint8_t *to = (uint8_t *)these;
	size_t result;

	if (nr > SELECT_BLOCK)
		return -EIO;
	result = ZSTD_decompressDCtx(codec->unpacker, codec->planes,
				     nr * PLANES, block, bytes);
	if (ZSTD_isError(result) || result != nr * PLANES)
		return -EIO;
	for (size_t plane = 0; plane < PLANES; plane++)
		for (size_t i = 0; i < nr; i++)
			to[i * PLANES + plane] = codec->planes[plane * nr + i];
	return 0;
}
