/* SPDX-License-Identifier: MIT */
/*
 * count_digest.c - SHA-256 of normal forms.
 */
#include <string.h>

#include "stages/count/count_normal.h"

#define GATHER_BYTES 1024

/* Small pieces are gathered: a call for each would cost more than they do. */
struct gather {
	struct count_digest *digest;
	size_t bytes;
	uint8_t text[GATHER_BYTES];
};

static void
flush(struct gather *gather)
{
	if (gather->bytes > 0)
		count_sha256_add(&gather->digest->sha, gather->text,
				 gather->bytes);
	gather->bytes = 0;
}

static void
put(void *to, const uint8_t *text, size_t bytes)
{
	struct gather *gather = to;

	if (bytes > sizeof(gather->text) - gather->bytes)
		flush(gather);
	if (bytes > sizeof(gather->text)) {
		count_sha256_add(&gather->digest->sha, text, bytes);
		return;
	}
	memcpy(gather->text + gather->bytes, text, bytes);
	gather->bytes += bytes;
}

static void
hold(void *to, const uint8_t *text, size_t bytes)
{
	struct gather *gather = to;
	struct count_digest *digest = gather->digest;

	flush(gather);
	if (!digest->at.has_blanks)
		digest->with_held = digest->sha;
	count_sha256_add(&digest->with_held, text, bytes);
}

static void
put_held(void *to)
{
	struct gather *gather = to;

	/* of a part before: nothing is gathered yet */
	gather->digest->sha = gather->digest->with_held;
}

static struct count_normal_sink
sink_of(struct gather *gather)
{
	return (struct count_normal_sink){ put, hold, put_held, gather };
}

void
count_digest_init(struct count_digest *digest, enum count_normal how)
{
	*digest = (struct count_digest){ .at.how = (uint8_t)how };
	count_sha256_init(&digest->sha);
}

static void
add(struct count_digest *digest, const uint8_t *text, size_t bytes,
    bool is_normal)
{
	struct gather gather;
	const struct count_normal_sink sink = sink_of(&gather);

	gather.digest = digest;
	gather.bytes = 0;
	count_normal_add(&digest->at, text, bytes, is_normal, &sink);
	flush(&gather);
}

void
count_digest_add(struct count_digest *digest, const uint8_t *text, size_t bytes)
{
	add(digest, text, bytes,
	    count_is_normal((enum count_normal)digest->at.how, text, bytes));
}

void
count_digest_add_normal(struct count_digest *digest, const uint8_t *text,
			size_t bytes)
{
	add(digest, text, bytes, true);
}

void
count_digest_end(struct count_digest *digest, uint8_t out[SHA256_BYTES])
{
	struct gather gather;
	const struct count_normal_sink sink = sink_of(&gather);

	gather.digest = digest;
	gather.bytes = 0;
	count_normal_end(&digest->at, &sink);
	flush(&gather);
	count_sha256_end(&digest->sha, out);
}

void
count_normal_sha256(enum count_normal how, const uint8_t *text, size_t bytes,
		    uint8_t out[SHA256_BYTES])
{
	struct count_digest digest;

	count_digest_init(&digest, how);
	count_digest_add(&digest, text, bytes);
	count_digest_end(&digest, out);
}
