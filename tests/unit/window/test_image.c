/* SPDX-License-Identifier: MIT */
/*
 * test_image.c - what a picture counts, by its size.
 */
#include "tests/support/test_chat.h"

#include "window/image.h"

static void
test_images_have_the_tokens_their_interface_documents(void **state)
{
	/* 1 x 1 as PNG and GIF, 16 x 8 as JPEG; the three kinds of WebP */
	static const char *const pictures[] = {
		"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42m",
		"R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7",
		"/9j/4AAQSkZJRgABAQAAAQABAAD/wAARCAAIABADASIAAhEBAxEB/9k=",
		"UklGRmQAAABXRUJQVlA4WDIAAAAQAAAAKwEAbxEBAAAAAAAA",
		"UklGRmQAAABXRUJQVlA4TDIAAAAv/z/CAAAAAAAAAAAAAAAAAA==",
		"UklGRmQAAABXRUJQVlA4IDIAAAAwAQCdASqAQuCBAAAAAAAAAAA=",
	};
	static const uint32_t sizes[][2] = {
		{ 1, 1 },       { 1, 1 },       { 16, 8 },
		{ 300, 70000 }, { 16384, 777 }, { 640, 480 },
	};
	/* of WebP a fourth kind, of RIFF what is no WebP */
	static const char *const others[] = {
		"UklGRmQAAABXRUJQVlB4eDIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
		"UklGRmQAAABXQVZFVlA4WBEREREREREREREREREREREREREREREREREREQ==",
	};
	uint32_t width;
	uint32_t height;

	for (size_t i = 0; i < ARRAY_LEN(pictures); i++) {
		assert_true(image_size(pictures[i], strlen(pictures[i]), &width,
				       &height));
		assert_int_equal(width, sizes[i][0]);
		assert_int_equal(height, sizes[i][1]);
	}
	assert_false(image_size("aGVsbG8=", 8, &width, &height));
	for (size_t i = 0; i < ARRAY_LEN(others); i++)
		assert_false(image_size(others[i], strlen(others[i]), &width,
					&height));
	/* the examples of the documentation */
	assert_int_equal(image_tokens_openai(1024, 1024, false), 765);
	assert_int_equal(image_tokens_openai(2048, 4096, false), 1105);
	assert_int_equal(image_tokens_openai(4096, 8192, true), 85);
	assert_int_equal(image_tokens_openai(0, 0, false), 1445);
	assert_int_equal(image_tokens_anthropic(200, 200), 54);
	assert_int_equal(image_tokens_anthropic(1000, 1000), 1334);
	assert_int_equal(image_tokens_anthropic(8000, 8000), 1600);
	assert_int_equal(image_tokens_anthropic(0, 0), 1600);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_images_have_the_tokens_their_interface_documents),
	};

	return cmocka_run_group_tests_name("window/image", tests, NULL, NULL);
}
