/* SPDX-License-Identifier: MIT */
/*
 * select_io_zstd.h - blocks of candidates, compressed.
 *
 * Does: puts the bytes of many candidates side by side, all first bytes, then
 *       all second ones: of candidates in order most of these planes hardly
 *       change, so that they go to less than half, fast.
 * Does not: know where the blocks lie, or in what order they come.
 */
#ifndef SELECT_SELECT_IO_ZSTD_H
#define SELECT_SELECT_IO_ZSTD_H

#include "rank/rank.h"

#define SELECT_BLOCK 512 /* candidates of a block, at most */
#define SELECT_BLOCK_BYTES (SELECT_BLOCK * sizeof(struct rank_candidate))

struct select_codec {
	void *packer;   /* of zstd */
	void *unpacker; /* too */
	uint8_t planes[SELECT_BLOCK_BYTES];
};

/*
 * shape:  ready to pack and unpack
 * owner:  select_codec_fini(), whatever is returned
 * errors: -ENOMEM
 */
int
select_codec_init(struct select_codec *codec);

/* Frees both contexts; accepts what holds none. */
void
select_codec_fini(struct select_codec *codec);

/* Room that a packed block may need, in bytes. */
size_t
select_packed_max(void);

/*
 * shape:  writes a block of nr candidates; *bytes: how long it is
 * owner:  out has room for select_packed_max() bytes
 * errors: -ENOMEM
 */
int
select_pack(struct select_codec *codec, const struct rank_candidate *these,
	    size_t nr, uint8_t *out, size_t *bytes);

/*
 * shape:  the nr candidates of a block again
 * errors: -EIO: it is not such a block
 */
int
select_unpack(struct select_codec *codec, const uint8_t *block, size_t bytes,
	      struct rank_candidate *these, size_t nr);

#endif
