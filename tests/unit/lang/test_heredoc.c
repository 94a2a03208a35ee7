/* SPDX-License-Identifier: MIT */
/*
 * test_heredoc.c - here-documents of languages with braces.
 */
#include "tests/support/test_lang_told.h"

static void
test_heredoc_hides_braces_up_to_its_word(void **state)
{
	static const struct told_case cases[] = {
		{ "php",
		  "<?php\n"
		  "function a() {\n"
		  "  $b = <<<'EOT'\n"
		  "  } function no() {\n"
		  "  EOT;\n"
		  "  return 1 << 2;\n"
		  "}\n"
		  "function c() { }\n",
		  "function a 2-7;function c 8-8;" },
		/* the last one on the line ends behind the others */
		{ "perl",
		  "sub a {\n"
		  "  print <<B, <<\"C\";\n"
		  "}\n"
		  "B\n"
		  "{\n"
		  "C\n"
		  "  return 1 << 2;\n"
		  "}\n"
		  "sub d { 1 }\n",
		  "function a 1-8;function d 9-9;" },
		/* the rest of the line is code, and a statement may end on it */
		{ "perl",
		  "$a{b} = <<'C'; # {\n"
		  "sub no {\n"
		  "C\n"
		  "sub d {\n"
		  "  if (1) { print << \"E\"; }\n"
		  "}\n"
		  "E\n"
		  "  f(<<G, sub { 1 });\n"
		  "{\n"
		  "G\n"
		  "}\n"
		  "sub h { 1 }\n",
		  "function d 4-11;function h 12-12;" },
		/* words with blanks, lines that begin like them */
		{ "perl",
		  "sub a {\n"
		  "  die <<\"  B\" if $c;\n"
		  "  {\n"
		  "  B\n"
		  "  print <<D;\n"
		  "D! {\n"
		  "  D\n"
		  "D\n"
		  "  print <<~E;\n"
		  "  {\n"
		  "  E\n"
		  "}\n"
		  "sub f { local $\" = '}'; m,/, ? 1 : 2; \"/\" }\n",
		  "function a 1-12;function f 13-13;" },
		{ "hcl",
		  "resource \"a\" \"b\" {\n"
		  "  c = <<-EOT\n"
		  "    {\n"
		  "  EOT\n"
		  "}\n"
		  "d {\n"
		  "}\n",
		  "section resource \"a\" \"b\" 1-5;section d 6-7;" },
	};

	assert_told(cases, ARRAY_LEN(cases));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_heredoc_hides_braces_up_to_its_word),
	};

	return cmocka_run_group_tests_name("lang/heredoc", tests, NULL, NULL);
}
