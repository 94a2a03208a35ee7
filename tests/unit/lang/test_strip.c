/* SPDX-License-Identifier: MIT */
/*
 * test_strip.c - texts without their comments.
 */
#include "tests/support/test_lang_out.h"

struct strip_case {
	const char *hint;
	const char *text;
	const char *want;
};

static void
assert_stripped(const struct strip_case *cases, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		struct out out = { .nr = 0 };

		lang_strip(lang_find(cases[i].hint, strlen(cases[i].hint)),
			   (const uint8_t *)cases[i].text,
			   strlen(cases[i].text), out_put, &out);
		assert_string_equal(out.text, cases[i].want);
	}
}

static void
test_chunk_strip_takes_comments_and_their_lines(void **state)
{
	static const struct strip_case cases[] = {
		{ "c", "/* a\n * b */\nint a; // c\nint/* d */b;\n",
		  "int a;\nint b;\n" },
		{ "c", "char *s = \"// no\"; /* end", "char *s = \"// no\";" },
		{ "python", "#!/bin/x\n# a\nx = '#'  # b\n\ny\n",
		  "#!/bin/x\nx = '#'\n\ny\n" },
		{ "html", "<a> <!-- b -->\n<!-- c -->\n</a>\n", "<a>\n</a>\n" },
		{ "text", "# as it is\n", "# as it is\n" },
	};

	assert_stripped(cases, ARRAY_LEN(cases));
}

static void
test_chunk_strip_keeps_strings_of_languages_with_braces(void **state)
{
	static const struct strip_case cases[] = {
		{ "nix",
		  "{ a = (defaults // { b = 2; });\n"
		  "  s = ''\n"
		  "    # keep\n"
		  "    x ''${y} \"\n"
		  "  '';\n"
		  "  u = https://x/y; # gone\n"
		  "  /* gone */\n"
		  "}\n",
		  "{ a = (defaults // { b = 2; });\n"
		  "  s = ''\n"
		  "    # keep\n"
		  "    x ''${y} \"\n"
		  "  '';\n"
		  "  u = https://x/y;\n"
		  "}\n" },
		{ "zig",
		  "const s =\n"
		  "    \\\\ text // no\n"
		  "    \\\\ text2\n"
		  "; // gone\n",
		  "const s =\n"
		  "    \\\\ text // no\n"
		  "    \\\\ text2\n"
		  ";\n" },
		{ "powershell",
		  "$a = \"C:\\\\\"\n"
		  "$p = \"C:\\\" # gone\n"
		  "$q = \"a`\"# no\" # gone\n",
		  "$a = \"C:\\\\\"\n"
		  "$p = \"C:\\\"\n"
		  "$q = \"a`\"# no\"\n" },
		{ "dart",
		  "/* a /* b */ c */ int x = 1;\n"
		  "var r = r'\\'; // gone\n"
		  "var s = r\"\\\" + \"a\"; // gone\n",
		  " int x = 1;\n"
		  "var r = r'\\';\n"
		  "var s = r\"\\\" + \"a\";\n" },
		{ "r",
		  "a <- r\"---[ # ]--- \" # keep\n"
		  "]---\" # gone\n"
		  "b <- r\"(#)\" # gone\n"
		  "c <- 1\n",
		  "a <- r\"---[ # ]--- \" # keep\n"
		  "]---\"\n"
		  "b <- r\"(#)\"\n"
		  "c <- 1\n" },
		{ "groovy",
		  "def a = $/ // /$ // gone\n"
		  "def b = 1 / 2 // gone\n"
		  "def c = ~/a\\/\\/b/ // gone\n",
		  "def a = $/ // /$\n"
		  "def b = 1 / 2\n"
		  "def c = ~/a\\/\\/b/\n" },
		{ "awk",
		  "{ a = 1 }\n"
		  "/^#/ { next } # gone\n"
		  "{ split(x, y, /#/) } # gone\n",
		  "{ a = 1 }\n"
		  "/^#/ { next }\n"
		  "{ split(x, y, /#/) }\n" },
	};

	assert_stripped(cases, ARRAY_LEN(cases));
}

static void
test_chunk_strip_keeps_strings_of_other_languages(void **state)
{
	static const struct strip_case cases[] = {
		{ "racket",
		  "#lang racket\n"
		  "(define a #;(x\n"
		  " ; y\n"
		  " z) 1) ; gone\n"
		  "(define s #<<END\n"
		  "; keep\n"
		  "END\n"
		  ")\n"
		  "#| a #| b |# c |#\n"
		  "(define b '|x;y|)\n",
		  "#lang racket\n"
		  "(define a #;(x\n"
		  " z) 1)\n"
		  "(define s #<<END\n"
		  "; keep\n"
		  "END\n"
		  ")\n"
		  "(define b '|x;y|)\n" },
		{ "cmake",
		  "set(a [[ # keep\n"
		  "]])\n"
		  "set(b [=[ # ]] keep ]=]) # gone\n"
		  "#[[ gone ]]\n",
		  "set(a [[ # keep\n"
		  "]])\n"
		  "set(b [=[ # ]] keep ]=])\n" },
		{ "nim",
		  "let a = '#' # gone\n"
		  "let b = \"#\"\n"
		  "#[ a\n"
		  " b ]#\n"
		  "let c = \"\"\" # \"\"\"\n",
		  "let a = '#'\n"
		  "let b = \"#\"\n"
		  "let c = \"\"\" # \"\"\"\n" },
		{ "ocaml",
		  "let a = {x|(* |x}\n"
		  "let b = '\"' (* gone *)\n"
		  "let c = {|(*|} (* gone *)\n",
		  "let a = {x|(* |x}\n"
		  "let b = '\"'\n"
		  "let c = {|(*|}\n" },
		{ "fsharp",
		  "let a = \"\"\"(* //\"\"\" // gone\n"
		  "let b = 1 (* gone *)\n"
		  "let c = @\"\\\" // gone\n",
		  "let a = \"\"\"(* //\"\"\"\n"
		  "let b = 1\n"
		  "let c = @\"\\\"\n" },
		{ "lisp",
		  "(defvar a '|x;y|) ; gone\n"
		  "(defvar b #\\;) ; gone\n"
		  "#| a #| b |# c |#\n"
		  "(defvar c \"; no\")\n",
		  "(defvar a '|x;y|)\n"
		  "(defvar b #\\;)\n"
		  "(defvar c \"; no\")\n" },
	};

	assert_stripped(cases, ARRAY_LEN(cases));
}

static void
test_chunk_strip_takes_comments_that_nest(void **state)
{
	static const struct strip_case cases[] = {
		{ "julia",
		  "a = 1 #= x #= y =# z =#\n"
		  "b = 2 # gone\n",
		  "a = 1\n"
		  "b = 2\n" },
		{ "swift", "/* a /* b */ c */ let x = 1\n", " let x = 1\n" },
		{ "kotlin", "/* a /* b */ c */ val x = 1\n", " val x = 1\n" },
	};

	assert_stripped(cases, ARRAY_LEN(cases));
}

static void
test_chunk_strip_keeps_operators_and_addresses(void **state)
{
	static const struct strip_case cases[] = {
		{ "haskell",
		  "{-# LANGUAGE X #-}\n"
		  "module A where\n"
		  "-- gone\n"
		  "f = a --> b\n"
		  "{- a {- b -} c -}\n"
		  "g = 1 --- gone\n"
		  "h = \"--\" -- gone\n",
		  "{-# LANGUAGE X #-}\n"
		  "module A where\n"
		  "f = a --> b\n"
		  "g = 1\n"
		  "h = \"--\"\n" },
		{ "scss",
		  ".a { background: url(//cdn/x.png); } // gone\n"
		  ".b { background: url( //cdn/x.png ) }\n",
		  ".a { background: url(//cdn/x.png); }\n"
		  ".b { background: url( //cdn/x.png ) }\n" },
		{ "less", ".a { background: url(//cdn/x.png); } // gone\n",
		  ".a { background: url(//cdn/x.png); }\n" },
		{ "fish",
		  "echo a#b # gone\n"
		  "set x \"#\"\n",
		  "echo a#b\n"
		  "set x \"#\"\n" },
		{ "c",
		  "int x = a+/*c*/+b;\n"
		  "int y = a-/*c*/-b, z = a/ /*c*/ *b, w = a/*c*//b;\n"
		  "int q = f(/*c*/x), r = (/*c*/+b), t = x/*c*/+1, v = a/*c*/;\n"
		  "int u = a<b/*c*/>c, w2 = a&/*c*/&b, w3 = a=/*c*/=b;\n",
		  "int x = a+ +b;\n"
		  "int y = a- -b, z = a/  *b, w = a/b;\n"
		  "int q = f(x), r = (+b), t = x+1, v = a;\n"
		  "int u = a<b>c, w2 = a& &b, w3 = a= =b;\n" },
	};

	assert_stripped(cases, ARRAY_LEN(cases));
}

static void
test_chunk_strip_keeps_here_documents(void **state)
{
	static const struct strip_case cases[] = {
		{ "perl",
		  "my $x = 1;\n"
		  "# gone\n"
		  "s/#.*//;\n"
		  "split /#/, $x;\n"
		  "my @a = qw(# a);\n"
		  "m{ # a\n"
		  "  b }x;\n"
		  "tr/#/x/;\n"
		  "print <<A, <<'B';\n"
		  "# keep\n"
		  "A\n"
		  "# keep\n"
		  "B\n"
		  "my $n = $#a; # keep\n"
		  "\n"
		  "=pod\n"
		  "\n"
		  "text\n"
		  "\n"
		  "=cut\n"
		  "\n"
		  "# gone\n"
		  "1;\n",
		  "my $x = 1;\n"
		  "s/#.*//;\n"
		  "split /#/, $x;\n"
		  "my @a = qw(# a);\n"
		  "m{ # a\n"
		  "  b }x;\n"
		  "tr/#/x/;\n"
		  "print <<A, <<'B';\n"
		  "# keep\n"
		  "A\n"
		  "# keep\n"
		  "B\n"
		  "my $n = $#a; # keep\n"
		  "\n"
		  "\n"
		  "1;\n" },
		{ "bash",
		  "cat <<A - <<B\n"
		  "# keep\n"
		  "A\n"
		  "# keep too\n"
		  "B\n"
		  "# gone\n"
		  "cat <<-'C' # gone\n"
		  "\t# keep\n"
		  "\tC\n"
		  "echo ${#x} $# a#b\n",
		  "cat <<A - <<B\n"
		  "# keep\n"
		  "A\n"
		  "# keep too\n"
		  "B\n"
		  "cat <<-'C'\n"
		  "\t# keep\n"
		  "\tC\n"
		  "echo ${#x} $# a#b\n" },
	};

	assert_stripped(cases, ARRAY_LEN(cases));
}

static void
test_chunk_strip_keeps_what_may_be_no_comment(void **state)
{
	static const struct strip_case cases[] = {
		{ "tsx",
		  "function A() {\n"
		  "  // gone\n"
		  "  return <p>Docs: https://example.com</p>;\n"
		  "}\n"
		  "function B() { return <div><p>/* text */</p> {/* c */}<b>it's // no</b></div>; }\n"
		  "const x = 1; // gone\n",
		  "function A() {\n"
		  "  return <p>Docs: https://example.com</p>;\n"
		  "}\n"
		  "function B() { return <div><p>/* text */</p> {}<b>it's // no</b></div>; }\n"
		  "const x = 1;\n" },
		{ "php",
		  "<?php if (have_posts()): ?>\n"
		  "<?php endif; // have_posts() ?> <footer>\n"
		  "<?php # x ?>\n"
		  "<p>// html # no</p>\n"
		  "<?php $a = 1; // gone\n",
		  "<?php if (have_posts()): ?>\n"
		  "<?php endif; ?> <footer>\n"
		  "<?php ?>\n"
		  "<p>// html # no</p>\n"
		  "<?php $a = 1;\n" },
		{ "sql",
		  "select 1; -- gone\n"
		  "/* a /* b */ gone */ select '-- no';\n"
		  "select a like 'b\\%' ESCAPE '\\'; -- kept\n"
		  "select 'it''s -- no';\n",
		  "select 1;\n"
		  "/* a /* b */ gone */ select '-- no';\n"
		  "select a like 'b\\%' ESCAPE '\\'; -- kept\n"
		  "select 'it''s -- no';\n" },
		{ "vue",
		  "<template><p>// no /* no */ # no</p></template>\n"
		  "<script>\n"
		  "// gone\n"
		  "let a = b +/* gone */+ c, d = '// no';\n"
		  "</script>\n"
		  "<p>a</p><!-- gone --><p>b</p>\n",
		  "<template><p>// no /* no */ # no</p></template>\n"
		  "<script>\n"
		  "let a = b + + c, d = '// no';\n"
		  "</script>\n"
		  "<p>a</p><p>b</p>\n" },
	};

	assert_stripped(cases, ARRAY_LEN(cases));
}

static void
test_chunk_strip_keeps_strings_in_what_strings_interpolate(void **state)
{
	static const struct strip_case cases[] = {
		{ "csharp",
		  "var a = $\"{(b ? \"http://c\" : $\"{d}//\")}\"; // gone\n"
		  "var e = $\"{{//}} {f:hh\\:mm}\"; // gone\n"
		  "var g = @$\"{h[\"//\"]} \"\"// \\\"; // gone\n"
		  "var i = $\"{ \";\n"
		  "var j = $\"\"\"{k} \"//\" \"\"\"; // gone\n"
		  "var l = \"\"\"\"//\"\"\" \\\"\"\"\"; // gone\n"
		  "var m = @\"\"\"n\"\" //\"; // gone\n",
		  "var a = $\"{(b ? \"http://c\" : $\"{d}//\")}\";\n"
		  "var e = $\"{{//}} {f:hh\\:mm}\";\n"
		  "var g = @$\"{h[\"//\"]} \"\"// \\\";\n"
		  "var i = $\"{ \";\n"
		  "var j = $\"\"\"{k} \"//\" \"\"\";\n"
		  "var l = \"\"\"\"//\"\"\" \\\"\"\"\";\n"
		  "var m = @\"\"\"n\"\" //\";\n" },
		{ "python",
		  "a = f\"{b[\"#\"]} {{ #\" # gone\n"
		  "c = Rf'{d['#']:>{e}} #' # gone\n"
		  "g = \"{\" # gone\n",
		  "a = f\"{b[\"#\"]} {{ #\"\n"
		  "c = Rf'{d['#']:>{e}} #'\n"
		  "g = \"{\"\n" },
		{ "php",
		  "<?php\n"
		  "$a = \"{{$b[\"//\"]}} #\"; // gone\n"
		  "$c = \"{ {{ $d\"; # gone\n",
		  "<?php\n"
		  "$a = \"{{$b[\"//\"]}} #\";\n"
		  "$c = \"{ {{ $d\";\n" },
		{ "ruby",
		  "a << %(<b>#{c['#']}</b>) # gone\n"
		  "d << /#/ << <<E # gone\n"
		  "# f\n"
		  "E\n",
		  "a << %(<b>#{c['#']}</b>)\n"
		  "d << /#/ << <<E\n"
		  "# f\n"
		  "E\n" },
		{ "julia",
		  "a = \"$(b[\"#\"]) #\" # gone\n"
		  "c = `d #` # gone\n"
		  "e = r\"f$(\" # gone\n",
		  "a = \"$(b[\"#\"]) #\"\n"
		  "c = `d #`\n"
		  "e = r\"f$(\"\n" },
	};

	assert_stripped(cases, ARRAY_LEN(cases));
}

static void
test_chunk_strip_keeps_addresses_and_what_is_escaped(void **state)
{
	static const struct strip_case cases[] = {
		{ "scss",
		  "a { b: url(data:image/png;base64,i//8/*A) } // gone\n"
		  "@import url(//c?d=e//f); // gone\n"
		  "g{h:1/2;i:url(j/k),url( l//m )}// gone\n"
		  "n { o: url(#{$p}/q//r); s: map.get($t, u/v) } // gone\n",
		  "a { b: url(data:image/png;base64,i//8/*A) }\n"
		  "@import url(//c?d=e//f);\n"
		  "g{h:1/2;i:url(j/k),url( l//m )}\n"
		  "n { o: url(#{$p}/q//r); s: map.get($t, u/v) }\n" },
		{ "css", "a { b: url(//c/*d) } /* gone */\n",
		  "a { b: url(//c/*d) }\n" },
		{ "kotlin",
		  "val a = \"\"\"\\\"\"\" // gone\nval b = \"\\\"//\" // gone\n",
		  "val a = \"\"\"\\\"\"\"\nval b = \"\\\"//\"\n" },
		{ "scala", "val a = s\"\"\"\\${b(\"//\")}\\\"\"\" // gone\n",
		  "val a = s\"\"\"\\${b(\"//\")}\\\"\"\"\n" },
		{ "fsharp", "let a = \"\"\"\\\"\"\" // gone\n",
		  "let a = \"\"\"\\\"\"\"\n" },
		{ "nim", "let a = \"\"\"\\\"\"\" # gone\n",
		  "let a = \"\"\"\\\"\"\"\n" },
		{ "swift", "let a = /^b\\// // gone\n", "let a = /^b\\//\n" },
		{ "lua",
		  "local a = \"b\\z\n"
		  "  -- c\" -- gone\n",
		  "local a = \"b\\z\n"
		  "  -- c\"\n" },
	};

	assert_stripped(cases, ARRAY_LEN(cases));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_chunk_strip_takes_comments_and_their_lines),
		cmocka_unit_test(
			test_chunk_strip_keeps_strings_of_languages_with_braces),
		cmocka_unit_test(
			test_chunk_strip_keeps_strings_of_other_languages),
		cmocka_unit_test(test_chunk_strip_takes_comments_that_nest),
		cmocka_unit_test(
			test_chunk_strip_keeps_operators_and_addresses),
		cmocka_unit_test(test_chunk_strip_keeps_here_documents),
		cmocka_unit_test(
			test_chunk_strip_keeps_strings_in_what_strings_interpolate),
		cmocka_unit_test(
			test_chunk_strip_keeps_addresses_and_what_is_escaped),
		cmocka_unit_test(test_chunk_strip_keeps_what_may_be_no_comment),
	};

	return cmocka_run_group_tests_name("lang/strip", tests, NULL, NULL);
}
