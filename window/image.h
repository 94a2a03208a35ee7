/* SPDX-License-Identifier: MIT */
/*
 * image.h - how large a picture is, and how many tokens that makes.
 *
 * Does: reads width and height from the first bytes of PNG, JPEG, GIF and
 *       WebP in base64; the rules of the interfaces.
 * Does not: decode pictures or fetch them.
 */
#ifndef WINDOW_IMAGE_H
#define WINDOW_IMAGE_H

#include "base/base.h"

/*
 * shape:  the size of a picture; false: it cannot be told
 * units:  pixels
 */
bool
image_size(const char *base64, size_t nr, uint32_t *width, uint32_t *height);

/*
 * shape:  tokens of an image in the OpenAI interfaces: 85 for low detail,
 *         else 85 and 170 for each square of 512 pixels after scaling into
 *         2048 x 2048 and to a shortest side of 768. 0 x 0, not known: the
 *         most that can be, 1445
 * source: OpenAI, "Images and vision", cost of image input, 4o and 4.1
 */
uint64_t
image_tokens_openai(uint32_t width, uint32_t height, bool is_low);

/*
 * shape:  tokens of an image in the Anthropic interface: width x height / 750
 *         after scaling to a longest side of 1568; at most 1600, which is also
 *         what 0 x 0, not known, has
 * source: Anthropic, "Vision", calculate image costs
 */
uint64_t
image_tokens_anthropic(uint32_t width, uint32_t height);

#endif
