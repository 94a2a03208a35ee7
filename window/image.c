/* SPDX-License-Identifier: MIT */
/*
 * image.c - heads of pictures, and two rules.
 */
#include "window/image.h"

#include <string.h>

#include "base/base64.h"

#define HEAD_BYTES 65536 /* the size of a JPEG comes behind its metadata */

#define OPENAI_BASE 85
#define OPENAI_TILE 170
#define OPENAI_UNKNOWN (OPENAI_BASE + 8 * OPENAI_TILE)
#define ANTHROPIC_MOST 1600
#define ANTHROPIC_SIDE 1568

static uint32_t
big(const uint8_t *p, unsigned nr)
{
	uint32_t n = 0;

	while (nr-- > 0)
		n = n << 8 | *p++;
	return n;
}

static uint32_t
little(const uint8_t *p, unsigned nr)
{
	uint32_t n = 0;

	while (nr-- > 0)
		n = n << 8 | p[nr];
	return n;
}

/* Goes from marker to marker to a start of frame. */
static bool
jpeg_size(const uint8_t *p, size_t nr, uint32_t *width, uint32_t *height)
{
	size_t at = 2;

	while (at + 9 <= nr && p[at] == 0xff) {
		uint8_t marker = p[at + 1];

		if (marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 &&
		    marker != 0xc8 && marker != 0xcc) {
			*height = big(p + at + 5, 2);
			*width = big(p + at + 7, 2);
			return true;
		}
		if (marker == 0xff) /* filling */
			at++;
		else
			at += 2 + big(p + at + 2, 2);
	}
	return false;
}

static bool
webp_size(const uint8_t *p, uint32_t *width, uint32_t *height)
{
	if (memcmp(p + 12, "VP8X", 4) == 0) {
		*width = little(p + 24, 3) + 1;
		*height = little(p + 27, 3) + 1;
	} else if (memcmp(p + 12, "VP8L", 4) == 0) {
		uint32_t bits = little(p + 21, 4);

		*width = (bits & 0x3fff) + 1;
		*height = (bits >> 14 & 0x3fff) + 1;
	} else if (memcmp(p + 12, "VP8 ", 4) == 0) {
		*width = little(p + 26, 2) & 0x3fff;
		*height = little(p + 28, 2) & 0x3fff;
	} else {
		return false;
	}
	return true;
}

bool
image_size(const char *base64, size_t nr, uint32_t *width, uint32_t *height)
{
	uint8_t head[HEAD_BYTES];
	const char *end;
	size_t bytes = base64_decode(base64, nr, head, sizeof(head), &end);
	bool is_known = false;

	*width = 0;
	*height = 0;
	if (bytes < 30)
		return false;
	if (memcmp(head, "\x89PNG\r\n\x1a\n", 8) == 0) {
		*width = big(head + 16, 4);
		*height = big(head + 20, 4);
		is_known = true;
	} else if (memcmp(head, "GIF8", 4) == 0) {
		*width = little(head + 6, 2);
		*height = little(head + 8, 2);
		is_known = true;
	} else if (memcmp(head, "RIFF", 4) == 0 &&
		   memcmp(head + 8, "WEBP", 4) == 0) {
		is_known = webp_size(head, width, height);
	} else if (head[0] == 0xff && head[1] == 0xd8) {
		is_known = jpeg_size(head, bytes, width, height);
	}
	return is_known && *width > 0 && *height > 0;
}

/* Shrinks both so that `side` is at most `most`. */
static void
shrink(double *width, double *height, double side, double most)
{
	if (side <= most)
		return;
	*width *= most / side;
	*height *= most / side;
}

static uint64_t
tiles(double side)
{
	uint64_t whole = (uint64_t)(side / 512);

	/* what scaling leaves behind the point is no tile of its own */
	return (double)whole * 512 + 0.5 < side ? whole + 1 : whole;
}

uint64_t
image_tokens_openai(uint32_t width, uint32_t height, bool is_low)
{
	double w = width;
	double h = height;

	if (is_low)
		return OPENAI_BASE;
	if (width == 0 || height == 0)
		return OPENAI_UNKNOWN;
	shrink(&w, &h, w > h ? w : h, 2048);
	shrink(&w, &h, w < h ? w : h, 768);
	return OPENAI_BASE +
	       OPENAI_TILE * max_u64(tiles(w), 1) * max_u64(tiles(h), 1);
}

uint64_t
image_tokens_anthropic(uint32_t width, uint32_t height)
{
	double w = width;
	double h = height;

	if (width == 0 || height == 0)
		return ANTHROPIC_MOST;
	shrink(&w, &h, w > h ? w : h, ANTHROPIC_SIDE);
	return min_u64((uint64_t)(w * h / 750) + 1, ANTHROPIC_MOST);
}
