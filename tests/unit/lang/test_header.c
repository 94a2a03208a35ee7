/* SPDX-License-Identifier: MIT */
/*
 * test_header.c - headers that are of C++ or Objective-C by their text.
 */
#include "tests/support/test_shm.h"

#include "lang/lang.h"

static uint32_t
of_text(uint32_t lang, const char *path, const char *text)
{
	return lang_of_text(lang, (const uint8_t *)path, strlen(path),
			    (const uint8_t *)text, strlen(text));
}

static void
test_header_alone_is_told_by_its_words(void **state)
{
	ASSERT_EQ(of_text(LANG_C, "a.c", "class A;\n"), LANG_C);
	ASSERT_EQ(of_text(LANG_C, "h", "class A;\n"), LANG_C);
	ASSERT_EQ(of_text(LANG_PYTHON, "a.h", "class A;\n"), LANG_PYTHON);
}

static void
assert_all(uint32_t lang, const char *const *texts, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (of_text(LANG_C, "a.h", texts[i]) != lang)
			fail_msg("got %u of %s",
				 of_text(LANG_C, "a.h", texts[i]), texts[i]);
}

static void
test_header_with_words_of_cpp_is_cpp(void **state)
{
	static const char *const texts[] = {
		"int a;\nclass A;\n",
		"template<class T>\n",
		"namespace a {\n",
		"#if X\n  namespace a {\n",
		"  namespace {\n",
		"\tclass EXPORT : B {\n",
		"\tclass A final {\n",
		"class EXPORT A {\n",
		"  template <int N>\n",
		"struct A {\npublic:\n",
		"  private: \n",
		"using a = int;\n",
		" using a::b;\n",
		"using namespace a;\n",
		"constexpr int a = 1;\n",
		"int a(std::string b);\n",
		"a ? b : c::d;\n",
		"struct A {\n bool operator==(const A &a);\n",
	};

	assert_all(LANG_CPP, texts, ARRAY_LEN(texts));
}

static void
test_header_with_words_of_objective_c_is_objective_c(void **state)
{
	static const char *const texts[] = {
		"#import <a.h>\n",
		"@class A;\n",
		"@interface A : B\n",
		"class A;\n@protocol B <C>\n",
	};

	assert_all(LANG_OBJC, texts, ARRAY_LEN(texts));
}

/* Words of others are names of C, and may stand in its comments. */
static void
test_header_with_such_names_is_c(void **state)
{
	static const char *const texts[] = {
		"int a;\n",
		"int classes;\n",
		"class",
		"struct a {\n\tint class;\n\tint private:1;\n};\n",
		"/*\n  class A;\n  a::b\n*/\n",
		"/* a */ /*\n class A;\n*/\n",
		" * class A;\n",
		"// a::b\n",
		"int a; // b::c\n",
		"#define A a::b\n",
		"char *a = \"b::c\";\n",
		"  class of what\n",
		"an operator == (a)\n",
		"int a(int operator);\n",
		"asm(\"\" :: \"r\"(a));\n",
		"<a>\ntemplate a;\n",
		"/* no end",
		"/*",
		"",
	};

	assert_all(LANG_C, texts, ARRAY_LEN(texts));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_header_alone_is_told_by_its_words),
		cmocka_unit_test(test_header_with_words_of_cpp_is_cpp),
		cmocka_unit_test(
			test_header_with_words_of_objective_c_is_objective_c),
		cmocka_unit_test(test_header_with_such_names_is_c),
	};

	return cmocka_run_group_tests_name("lang/header", tests, NULL, NULL);
}
