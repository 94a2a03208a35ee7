/* SPDX-License-Identifier: MIT */
/*
 * test_perl.c - quotes of Perl that begin with a word, prototypes.
 */
#include "tests/support/test_lang_told.h"

static void
test_perl_quotes_hide_braces(void **state)
{
	static const struct told_case cases[] = {
		{ "perl",
		  "sub quotes {\n"
		  "    my $s = q( } { ) . q[{] . qq| sub no { |;\n"
		  "    my @w = qw( } sub );\n"
		  "    $s =~ s###;\n"
		  "    $s =~ s{\\}}{ { } };\n"
		  "    $s =~ s#/\\{#x{#;\n"
		  "    $s =~ tr/{/}/;\n"
		  "    $s =~ m#^{#;\n"
		  "    $s =~ y/{/[/;\n"
		  "    return qr{(a|{b})}x;\n"
		  "}\n"
		  "sub after { 1 }\n",
		  "function quotes 1-11;function after 12-12;" },
		/* names that look like them */
		{ "perl",
		  "sub y { my %s = (q => 1, s => 2); $s{q} = $h->{y}; -s {1}; }\n"
		  "sub tr { /^\\s(a)\\s{2}\\s[b]|(m|s)/; $_ =~ s|\\\\|/|g; }\n"
		  "sub m { $q[1]; &s(1); @y{1}; $x->s({}); }\n",
		  "function y 1-1;function tr 2-2;function m 3-3;" },
	};

	assert_told(cases, ARRAY_LEN(cases));
}

static void
test_perl_regular_expressions_hide_braces(void **state)
{
	static const struct told_case cases[] = {
		{ "perl",
		  "sub a { return 1 if /b{/; unless (/'/) { 2 } }\n"
		  "sub c { if ($d =~ /\\/\\{(.*)/) { 1 } }\n"
		  "sub e { my @f = grep { /^}/ } @g; split /}/, $h; }\n"
		  "sub i { return /{/ ? 1 : 0; }\n"
		  "sub j { my %k = (l => /\"/, m => !/}/); 1 and /#}/; }\n"
		  "sub n {\n"
		  "  $o =~ /\n"
		  "    { (?: p | q ) }{\n"
		  "  /x;\n"
		  "}\n"
		  "sub r { split //, $s; }\n",
		  "function a 1-1;function c 2-2;function e 3-3;"
		  "function i 4-4;function j 5-5;function n 6-10;"
		  "function r 11-11;" },
		/* divisions, defined-or, the separator of lines */
		{ "perl",
		  "sub a { $b / 2; my $c = $d{e} / $f->{g}; }\n"
		  "sub h { my $i = $j // {}; time / 60; $k[0] / 3 } # {/\n"
		  "sub l { local $/ = undef; ($m + 1) / 2; }\n"
		  "sub n { $split / 2; $o->split / 3; { 1 } }\n",
		  "function a 1-1;function h 2-2;function l 3-3;"
		  "function n 4-4;" },
	};

	assert_told(cases, ARRAY_LEN(cases));
}

static void
test_perl_prototypes_have_semicolons(void **state)
{
	static const struct told_case cases[] = {
		{ "perl",
		  "sub proto($;$) {\n"
		  "    return 1;\n"
		  "}\n"
		  "sub ahead(&;@);\n"
		  "sub with_signature ($self, $b = {}, %c) {\n"
		  "    return sub ($;$) { 1 };\n"
		  "}\n"
		  "sub plain {\n"
		  "  print <<~EOT;\n"
		  "  sub no { {\n"
		  "  EOT\n"
		  "}\n"
		  "sub last { 1 }\n",
		  "function proto 1-3;function with_signature 5-7;"
		  "function plain 8-12;function last 13-13;" },
	};

	assert_told(cases, ARRAY_LEN(cases));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_perl_quotes_hide_braces),
		cmocka_unit_test(test_perl_regular_expressions_hide_braces),
		cmocka_unit_test(test_perl_prototypes_have_semicolons),
	};

	return cmocka_run_group_tests_name("lang/perl", tests, NULL, NULL);
}
