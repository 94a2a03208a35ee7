/* SPDX-License-Identifier: MIT */
/*
 * test_declaration_scala.c - Scala 3: signatures of classes without braces.
 */
#include "tests/support/test_lang_out.h"

static void
assert_signatures(const char *text, const char *want)
{
	struct out out = { .nr = 0 };

	lang_outline(LANG_SCALA, (const uint8_t *)text, strlen(text), false,
		     out_put, &out);
	assert_string_equal(out.text, want);
}

static void
test_scala_classes_without_braces_have_their_members(void **state)
{
	assert_signatures("package a\n\nimport b.===\n\n"
			  "trait A[T]:\n  def f(x: T): Int\n"
			  "  private def g = 1\n\n"
			  "object B:\n  opaque type C = Double\n\n"
			  "  object C:\n    def apply(d: Double): C = d\n"
			  "    val e: Int = 1\n  end C\nend B\n\n"
			  "class D(val x: Int) derives E:\n"
			  "  def +(that: D): D =\n    D(x + that.x)\n",
			  "imports: b.===\ntrait A[T]:\n def f(x: T): Int\n"
			  "object B:\n opaque type C = Double\n object C:\n"
			  "  def apply(d: Double): C\n  val e: Int = 1\n"
			  "class D(val x: Int) derives E:\n"
			  " def +(that: D): D\n");
}

static void
test_scala_enums_extensions_and_givens_are_told_of(void **state)
{
	assert_signatures("enum A(val x: Int):\n  case B extends A(1)\n"
			  "  case C, D\n  case E(y: Int) extends A(y)\n\n"
			  "extension (s: String)\n  def f: String =\n"
			  "    s + s\n  def g(n: Int): String = s * n\n\n"
			  "extension [T](x: List[T]) def h: T = x.head\n\n"
			  "given i: Ord[Int] with\n"
			  "  def compare(x: Int, y: Int) =\n    x - y\n\n"
			  "given [T](using Ord[T]): Ord[List[T]] with\n"
			  "  def compare(x: List[T], y: List[T]) = 0\n\n"
			  "given k: L = M()\ninline given n[T]: O[T] = P()\n",
			  "enum A(val x: Int):\n case B extends A(1)\n"
			  " case C, D\n case E(y: Int) extends A(y)\n"
			  "extension (s: String)\n def f: String\n"
			  " def g(n: Int): String\n"
			  "extension [T](x: List[T]) def h: T\n"
			  "given i: Ord[Int] with\n"
			  " def compare(x: Int, y: Int)\n"
			  "given [T](using Ord[T]): Ord[List[T]] with\n"
			  " def compare(x: List[T], y: List[T])\n"
			  "given k: L = M()\ninline given n[T]: O[T] = P()\n");
}

/* What is further to the right than a function or a value is its body. */
static void
test_scala_bodies_without_braces_hide_what_is_in_them(void **state)
{
	assert_signatures("def a(x: Int): Int =\n  val b = 1\n"
			  "  def c(y: Int) = y match\n    case 0 => 1\n"
			  "    case D(z) => z\n  class E:\n    def f = 1\n"
			  "  if b > 0 then\n    val g = 2\n    g\n  else c(b)\n\n"
			  "val h =\n  val i = 3\n  i\n\n"
			  "object J {\n  def k =\n    val l = 4\n    l\n"
			  "  val m = 5; val n = 6\n  def o = { val p = 7; p }\n"
			  "}\n",
			  "def a(x: Int): Int\nval h = ...\nobject J\n def k\n"
			  " val m = 5; val n = 6\n def o\n");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_scala_classes_without_braces_have_their_members),
		cmocka_unit_test(
			test_scala_enums_extensions_and_givens_are_told_of),
		cmocka_unit_test(
			test_scala_bodies_without_braces_hide_what_is_in_them),
	};

	return cmocka_run_group_tests_name("lang/declaration_scala", tests,
					   NULL, NULL);
}
