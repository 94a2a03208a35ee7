/* SPDX-License-Identifier: MIT */
/*
 * test_inherits.c - heads of types in many languages that are derived from NAME,
 * or only have it.
 */
#include "tests/support/test_shm.h"

#include "lang/inherits.h"

#define NAME "NAME"

/* Whether a type is derived from the last NAME of a text. */
static bool
last_of(const char *text)
{
	const char *at = NULL;

	for (const char *next = text; (next = strstr(next, NAME)) != NULL;
	     next++)
		at = next;
	return lang_inherits((const uint8_t *)text, strlen(text),
			     (size_t)(at - text), strlen(NAME));
}

static void
check(const char *const *texts, bool want)
{
	for (size_t i = 0; texts[i] != NULL; i++)
		if (last_of(texts[i]) != want)
			fail_msg("%s", texts[i]);
}

static void
test_inherits_what_heads_derive_from(void **state)
{
	static const char *const texts[] = {
		"class A(NAME):\n    pass\n",
		"class A(mixins.B, base.NAME, metaclass=M):\n",
		"class A(\n    B,\n    NAME,\n):\n",
		"export default class A extends NAME {\n",
		"interface A extends B, NAME<string> {\n",
		"public final class A<T> extends B<T> implements NAME<T> {\n",
		"public class A\n    extends B\n    implements C, NAME {\n",
		"class A : public ns::NAME {\n",
		"class A final :\n    private NAME {\n",
		"struct A: NAME {\n",
		"extension A: NAME {\n",
		"internal sealed record A(int x) : NAME(x)\n",
		"class A(val x: Int, val y: B) : C(), NAME {\n",
		"class A(\n  val x: Int\n) : NAME() {\n",
		"object A extends B with NAME {\n",
		"val a = object : NAME() {\n",
		"class A < NAME\n",
		"class A < B::NAME\n",
		"class A\n  include NAME\n",
		"impl NAME for A {\n",
		"unsafe impl<T: B> fmt::NAME<T> for A<T> {\n",
		"enum A: String, NAME {\n",
		"protocol A: AnyObject, NAME {\n",
		"trait A: NAME {\n",
		NULL,
	};

	check(texts, true);
}

static void
test_inherits_nothing_of_other_uses(void **state)
{
	static const char *const texts[] = {
		"class NAME(A):\n    pass\n",
		"class NAME {\n",
		"class NAME extends A {\n",
		"class A extends B<NAME> {\n",
		"class A<T extends NAME> {\n",
		"class A(val x: NAME) : B() {\n",
		"class A(B, metaclass=NAME):\n",
		"class A(B):\n    x = NAME()\n",
		"class A:\n    NAME.of(1)\n",
		"class A {\n\tNAME x;\n",
		"class A { NAME x; }\n",
		"struct A<T>: B where T: NAME {\n",
		"impl A for NAME {\n",
		"impl NAME {\n",
		"impl<T: NAME> A<T> {\n",
		"// class A extends NAME\n",
		" * class A extends NAME\n",
		"x = NAME()\n",
		"include NAMES\nuse NAME\n",
		"throw new NAME(x);\n",
		"struct NAME *next;\n",
		"NAME",
		NULL,
	};

	check(texts, false);
}

/* A head that begins too far away, and rubbish. */
static void
test_inherits_has_a_reach(void **state)
{
	static char text[4 * INHERITS_REACH];
	size_t bytes = (size_t)snprintf(text, sizeof(text), "class A extends ");

	memset(text + bytes, 'b', 2 * INHERITS_REACH);
	bytes += 2 * INHERITS_REACH;
	strcpy(text + bytes, ", NAME {\n");
	ASSERT_TRUE(!last_of(text));
	for (uint32_t i = 0; i < 4000; i++) {
		char rubbish[48];

		for (size_t k = 0; k < sizeof(rubbish); k++)
			rubbish[k] = "class :(<>){};,.\n\0extends for impl NAME"
				[(i * 31 + k * k * 7 + k) % 39];
		memcpy(rubbish + i % 44, NAME, 4);
		lang_inherits((const uint8_t *)rubbish, sizeof(rubbish), i % 44,
			      4);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_inherits_what_heads_derive_from),
		cmocka_unit_test(test_inherits_nothing_of_other_uses),
		cmocka_unit_test(test_inherits_has_a_reach),
	};

	return cmocka_run_group_tests_name("lang/inherits", tests, NULL, NULL);
}
