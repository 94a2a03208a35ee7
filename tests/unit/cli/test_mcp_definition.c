/* SPDX-License-Identifier: MIT */
/*
 * test_mcp_definition.c - names as people write them, against texts of ten
 * languages.
 */
#include "tests/support/test_command.h"

#include "cli/mcp.h"
#include "lang/lang.h"

static char lines[128];

/* The line, and behind it those of the others: "2 6 9"; "": no definition. */
static const char *
where(const char *language, const char *text, const char *name)
{
	struct mcp_definition found;
	const struct mcp_extent *at = &found.at;
	size_t n = 0;

	lines[0] = '\0';
	if (!mcp_definition_find(&found, text, strlen(text),
				 lang_find(language, strlen(language)), name))
		return lines;
	for (size_t i = 0; i <= found.other_nr; i++) {
		size_t line = 1;

		for (const char *c = text; c < text + at->from; c++)
			line += *c == '\n';
		n += (size_t)snprintf(lines + n, sizeof(lines) - n, "%s%zu",
				      i == 0 ? "" : " ", line);
		at = &found.others[i];
	}
	return lines;
}

#define PYTHON                                                         \
	"class Alpha:\n    def run(self):\n        return 1\n"          \
	"    class Inner:\n        def run(self):\n            pass\n" \
	"class Beta(Alpha):\n    def run(self, now):\n        pass\n"  \
	"def outer():\n    def run():\n        pass\n    return run\n"
#define JAVA                                                             \
	"class Box<T> {\n    Box() {}\n    Box(int n) {}\n"              \
	"    void put(int a) {}\n    void put(String a) {}\n"            \
	"    Node put(Box a) { return null; }\n"                         \
	"    class Node<K, V> {\n        void put(K k) {}\n    }\n}\n"
#define CPP                                                        \
	"namespace ns {\nclass Vec {\n    bool operator==(int) {\n"  \
	"        return true;\n    }\n};\nvoid Vec<T>::push(int i)\n" \
	"{\n}\nVec<T>::~Vec()\n{\n}\n}\nvoid Other::push(int i)\n{\n}\n"
#define RUST                                                        \
	"pub struct Bar;\nimpl Bar {\n    pub fn new() {}\n}\n"     \
	"pub struct Foo;\nimpl Foo {\n    pub fn new() {}\n}\n"     \
	"impl fmt::Display for Foo {\n    fn fmt(&self) {}\n}\n"    \
	"impl fmt::Debug for Foo {\n    fn fmt(&self) {}\n}\n"      \
	"macro_rules! ready {\n    () => {}\n}\n"
#define GO                                                           \
	"package e\n\nfunc (s *Server) Start(c Client) error {\n"    \
	"\treturn nil\n}\n\nfunc (c *Client) Start() error {\n"       \
	"\treturn nil\n}\n\nfunc Map[K, V any](m map[K]V) {\n}\n"
#define RUBY                                                           \
	"module Foo\n  class Bar\n    def empty?\n      true\n    end\n" \
	"  end\n  class Baz\n    def empty?\n      false\n    end\n"     \
	"    def self.build\n    end\n    def build\n    end\n"          \
	"  end\nend\n"
#define TYPESCRIPT                                                         \
	"export class Box<T> {\n  get value(): T { return 1 }\n"           \
	"  set value(v: T) { this.v = v }\n  #priv() { return 1 }\n}\n"    \
	"export function over(a: string): string\n"                        \
	"export function over(a: number): number\n"                        \
	"export function over(a: any): any { return a }\n"
#define PHP                                                              \
	"<?php\nclass A {\n    public function go($x) {}\n}\nclass B {\n" \
	"    public function go($x) {}\n}\nfunction go() {}\n"
#define ELIXIR                                                           \
	"defmodule M.Sub do\n  def go(x) do\n    x\n  end\nend\n"        \
	"defmodule N do\n  def go(y) do\n    y\n  end\nend\n"
#define SWIFT                                                        \
	"class S {\n  func go(a: Int, b: Int) -> Int { return 1 }\n" \
	"  func go(c: Int) -> Int { return 1 }\n}\n"                 \
	"struct T {\n  func go(a: Int) {}\n}\n"

#define HEADER                                                          \
	"class DB {\n  // Opens it.\n  static Status Open(Options o,\n"    \
	"                     DB** db);\n  static Status Open(DBOptions o);\n" \
	"  virtual ~DB();\n  bool operator==(const DB& o) const;\n};\n"     \
	"class Log {\n  void Open() { }\n};\nStatus Destroy(int a);\n"
#define C                                                                \
	"typedef struct pair pair;\nstatic int f(int a);\nint g(void);\n"  \
	"struct pair {\n\tint a;\n};\nstatic int f(int a)\n{\n\treturn g();\n}\n"

/* The lines of a definition that a name means, and those of others. */
static const struct {
	const char *language;
	const char *text;
	const char *name;
	const char *lines;
} cases[] = {
	{ "python", PYTHON, "run", "2 5 8 11" },
	{ "python", PYTHON, "Alpha.run", "2 5" },
	{ "python", PYTHON, "Alpha.Inner.run", "5" },
	{ "python", PYTHON, "Beta.run", "8" },
	{ "python", PYTHON, "run(self, now)", "8" },
	{ "python", PYTHON, "outer.run", "11" },
	{ "python", PYTHON, "module.outer", "10" },
	{ "python", PYTHON, "class Beta", "7" },
	{ "python", PYTHON, "def outer():", "10" },
	{ "python", PYTHON, "walk", "" },
	{ "python", PYTHON, "rerun", "" },
	{ "java", JAVA, "Box", "1" },
	{ "java", JAVA, "Box<T>", "1" },
	{ "java", JAVA, "Node.put", "8" },
	{ "java", JAVA, "Box.Node<K, V>.put", "8" },
	{ "java", JAVA, "put(String)", "5" },
	{ "java", JAVA, "Box#put(String a)", "5" },
	{ "cpp", CPP, "push", "7 14" },
	{ "cpp", CPP, "Other::push", "14" },
	{ "cpp", CPP, "ns::Vec<T>::push()", "7" },
	{ "cpp", CPP, "Vec::operator==", "3" },
	{ "cpp", CPP, "Vec::~Vec", "10" },
	{ "cpp", CPP, "ns::Vec", "2" },
	{ "rust", RUST, "Foo::new", "7" },
	{ "rust", RUST, "Bar", "1 2" },
	{ "rust", RUST, "impl Bar", "2" },
	{ "rust", RUST, "impl Debug for Foo", "12" },
	{ "rust", RUST, "Display::fmt", "10" },
	{ "rust", RUST, "ready!", "15" },
	{ "go", GO, "Start", "3 7" },
	{ "go", GO, "Client.Start", "7" },
	{ "go", GO, "(*Client).Start", "7" },
	{ "go", GO, "func (s *Server) Start", "3" },
	{ "go", GO, "Map[K, V]", "11" },
	{ "ruby", RUBY, "Foo::Baz#empty?", "8" },
	{ "ruby", RUBY, "Bar#empty?", "3" },
	{ "ruby", RUBY, "self.build", "11" },
	{ "typescript", TYPESCRIPT, "set value", "3" },
	{ "typescript", TYPESCRIPT, "Box.#priv", "4" },
	{ "typescript", TYPESCRIPT, "over", "8 6 7" },
	{ "typescript", TYPESCRIPT, "over(a: number)", "7" },
	{ "php", PHP, "B::go", "6" },
	{ "php", PHP, "A->go()", "3" },
	{ "php", PHP, "go", "8 3 6" },
	{ "elixir", ELIXIR, "M.Sub", "1" },
	{ "elixir", ELIXIR, "M.Sub.go/1", "2" },
	{ "elixir", ELIXIR, "N.go", "7" },
	{ "swift", SWIFT, "S.go(c:)", "3" },
	{ "swift", SWIFT, "T.go", "6" },
	{ "cpp", HEADER, "DB::Open", "2 5" },
	{ "cpp", HEADER, "Open(DBOptions)", "5" },
	{ "cpp", HEADER, "Log::Open", "10" },
	{ "cpp", HEADER, "Open", "10 2 5" },
	{ "cpp", HEADER, "~DB", "6" },
	{ "cpp", HEADER, "DB", "1" },
	{ "cpp", HEADER, "operator==", "7" },
	{ "cpp", HEADER, "Destroy", "12" },
	{ "c", C, "f", "7" },
	{ "c", C, "g", "3" },
	{ "c", C, "pair", "4" },
	{ "c", C, "~f", "" },
	{ "", PYTHON, "run", "" },
	{ "python", "", "run", "" },
};

static void
test_mcp_definition_is_told_by_what_is_around_its_name(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const char *got = where(cases[i].language, cases[i].text,
					cases[i].name);

		if (strcmp(got, cases[i].lines) != 0)
			fail_msg("%s, %s: got lines %s, want %s",
				 cases[i].language, cases[i].name, got,
				 cases[i].lines);
	}
}

static void
test_mcp_definition_of_odd_names_is_none(void **state)
{
	static const char *const names[] = { "(",  ")",	 "()",	"<>", "/1",
					     "::", "->", ")))", " ",  "[" };
	char deep[600];

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		assert_string_equal(where("cpp", CPP, names[i]), "");
	memset(deep, '(', sizeof(deep));
	deep[sizeof(deep) - 1] = '\0';
	assert_string_equal(where("cpp", CPP, deep), "");
	memset(deep, ')', sizeof(deep) - 1);
	assert_string_equal(where("cpp", CPP, deep), "");
}

static void
test_mcp_definition_lists_so_many_others(void **state)
{
	struct mcp_definition found;
	char text[4096] = "";

	for (int i = 0; i < 20; i++)
		sprintf(text + strlen(text),
			"class C%d:\n    def run(self):\n        pass\n", i);
	assert_true(mcp_definition_find(&found, text, strlen(text), LANG_PYTHON,
					"run"));
	ASSERT_EQ(found.other_nr, 19);
	assert_true(mcp_definition_find(&found, text, strlen(text), LANG_PYTHON,
					"C17.run"));
	ASSERT_EQ(found.other_nr, 0);
	assert_false(mcp_definition_find(&found, text, strlen(text), LANG_PYTHON,
					 "C1.rum"));
	assert_memory_equal(found.nearest.found, "run", 3);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_mcp_definition_is_told_by_what_is_around_its_name),
		cmocka_unit_test(test_mcp_definition_of_odd_names_is_none),
		cmocka_unit_test(test_mcp_definition_lists_so_many_others),
	};

	return cmocka_run_group_tests_name("cli/mcp_definition", tests, NULL,
					   NULL);
}
