/* SPDX-License-Identifier: MIT */
/*
 * test_declares.c - lines of many languages that declare NAME, or only use it.
 */
#include "tests/support/test_shm.h"

#include "lang/declares.h"

#define NAME "NAME"

/* What the last NAME of a text is in its line. */
static enum lang_declares
last_of(const char *text)
{
	const char *at = NULL;

	for (const char *next = text; (next = strstr(next, NAME)) != NULL;
	     next++)
		at = next;
	return lang_declares((const uint8_t *)text, strlen(text),
			     (size_t)(at - text), strlen(NAME));
}

static void
check(const char *const *texts, enum lang_declares want)
{
	for (size_t i = 0; texts[i] != NULL; i++) {
		if (last_of(texts[i]) != want)
			print_error("%s\n", texts[i]);
		ASSERT_EQ(last_of(texts[i]), want);
	}
}

static void
test_declares_constants_of_a_file(void **state)
{
	static const char *const texts[] = {
		"#define NAME 3\n",
		"#  define NAME(a) (a)\n",
		"\t#define NAME\n",
		"static const int NAME = 3;\n",
		"extern int NAME;\n",
		"struct item *NAME[8];\n",
		"char NAME[] = \"a\";\n",
		"constexpr std::array<int, 3> NAME{1, 2, 3};\n",
		"export const NAME = (a) => a;\n",
		"export const NAME: Record<string, number> = {\n",
		"NAME = 3\n",
		"pub const NAME: &'static str = \"a\";\n",
		"pub(crate) static NAME: u32 = 3;\n",
		"var NAME = errors.New(\"a\")\n",
		"const NAME = iota\r\n",
		"export NAME=3\n",
		NULL,
	};

	check(texts, LANG_DECLARES_OUTER);
}

static void
test_declares_members(void **state)
{
	static const char *const texts[] = {
		"enum kind {\n\tA = 1,\n\tNAME,\n};\n",
		"typedef enum\n{\n\tA = 1, /* a */\n\n\tNAME /* b */\n} kind;\n",
		"enum kind { A, NAME };\n",
		"pub(crate) enum Kind {\n    /// of it\n    A,\n    NAME(u32),\n}\n",
		"enum Kind: String {\n  case a\n  case NAME = \"b\"\n}\n",
		"public enum Kind {\n    A(1),\n    NAME(2);\n}\n",
		"class Kind(Enum):\n    A = 1\n\n    NAME = 2\n",
		"@dataclass\nclass Item:\n    a: int\n    NAME: int = 3\n",
		"const (\n\tA = iota\n\tNAME\n)\n",
		"type Item struct {\n\tA int\n\tNAME []string `json:\"n\"`\n}\n",
		"struct item {\n\tint a;\n\tunsigned NAME : 3;\n};\n",
		"struct item\n{\n\tstruct list *NAME;\n};\n",
		"pub struct Item<T> {\n    pub NAME: Option<T>,\n}\n",
		"struct Item {\n    NAME: u32,\n}\n",
		"export interface Item {\n  a: string\n  NAME?: number\n}\n",
		"export const LEVELS = {\n  a: 1,\n  NAME: 2,\n}\n",
		"public class Item {\n    private final int NAME;\n}\n",
		"class Item {\n    public string NAME { get; set; }\n}\n",
		"message Item {\n  string NAME = 1;\n}\n",
		NULL,
	};

	check(texts, LANG_DECLARES_OUTER);
}

static void
test_declares_what_may_be_local(void **state)
{
	static const char *const texts[] = {
		"int\nf(void)\n{\n\tint NAME = 3;\n}\n",
		"struct item *\nf(void)\n{\n\tstruct item *NAME;\n}\n",
		"struct item *f(void) {\n\tint NAME = 3;\n}\n",
		"def f():\n    NAME = 3\n",
		"function f() {\n  const NAME = 3\n}\n",
		"func f() {\n\tNAME := 3\n}\n",
		/* where the list begins is not in the text */
		"\tA,\n\tNAME,\n",
		"\tA Kind = 1\n\tNAME Kind = 2\n",
		/* a key of settings, or a variable with its type */
		"NAME: Final = 3\n",
		NULL,
	};

	check(texts, LANG_DECLARES_INNER);
}

static void
test_declares_attributes_of_objects(void **state)
{
	static const char *const texts[] = {
		"class Item:\n    def __init__(self):\n        self.NAME = 3\n",
		"        self.NAME: int = 3\n",
		"    this.NAME = a;\n",
		"    $this->NAME = $a;\n",
		"    @NAME = a\n",
		NULL,
	};
	static const char *const uses[] = {
		"    self.NAME == 3\n", "    self.other.NAME = 3\n",
		"    a = self.NAME\n",  "    self.NAME(3)\n",
		"    @NAME.a = 3\n",    NULL,
	};

	check(texts, LANG_DECLARES_ATTRIBUTE);
	check(uses, LANG_DECLARES_NOT);
}

static void
test_declares_selectors(void **state)
{
	static const char *const texts[] = {
		".NAME {\n",     "#NAME {\n", "  .NAME, .b {\n",
		".NAME{a: b}\n", NULL,
	};
	static const char *const uses[] = {
		"a.NAME {\n", ".NAME\n", "NAME {\n", ".NAME()\n", NULL,
	};

	check(texts, LANG_DECLARES_OUTER);
	check(uses, LANG_DECLARES_NOT);
}

static void
test_declares_no_use(void **state)
{
	static const char *const texts[] = {
		"\tif (a == NAME)\n",
		"\treturn NAME;\n",
		"\tcase NAME:\n",
		"int f(void)\n{\n\tg(a,\n\t  NAME,\n\t  b);\n}\n",
		"def f():\n    g(\n        NAME,\n    )\n",
		"#ifdef NAME\n",
		"#define OTHER NAME\n",
		"/* see NAME = 3; */\n",
		"// NAME = 3\n",
		"# NAME = 3\n",
		" * the NAME = 3, which\n",
		"\tNAME == 3\n",
		"\tNAME.f();\n",
		"\tNAME::f();\n",
		"\tnew NAME;\n",
		"import NAME;\n",
		"\ta.NAME;\n",
		"\ta.NAME = 3;\n",
		"\tint NAME(void);\n",
		"\tint a = NAME;\n",
		"\tint NAME_MAX;\n",
		"\tint MY_NAME;\n",
		"enum kind kinds[] = {\n\tA,\n\tNAME,\n};\n",
		"static const struct item items[] = {\n\tNAME,\n};\n",
		"enum kind { A } a = NAME;\n",
		"    a = { NAME: 3 }\n",
		NULL,
	};

	check(texts, LANG_DECLARES_NOT);
}

/* A string that is the name and nothing else, or that of an option. */
static void
test_declares_strings(void **state)
{
	static const char *const texts[] = {
		"\tif (strcmp(arg, \"NAME\") == 0)\n",
		"\tcreateStringConfig(\"NAME\", NULL, 0),\n",
		"app.get('NAME', f)\n",
		"\t  { key: `NAME` }\n",
		"\tDepth uint32 `yaml:\"NAME\"`\n",
		NULL,
	};
	static const char *const others[] = {
		"\tprintf(\"a NAME\");\n",
		"\tprintf(\"NAME b\");\n",
		"\tf(\"NAME');\n",
		"\tf(\"NAME=\");\n",
		"\tf(\"-NAME=\");\n",
		"// \"NAME\"\n",
		"# 'NAME'\n",
		"\"NAME",
		NULL,
	};

	check(texts, LANG_DECLARES_QUOTED);
	check(others, LANG_DECLARES_NOT);
}

static void
test_declares_options(void **state)
{
	static const struct {
		const char *text;
		enum lang_declares want;
	} cases[] = {
		{ "f('--port')\n", LANG_DECLARES_QUOTED },
		{ "f(\"--port=\");\n", LANG_DECLARES_QUOTED },
		{ "f('-p, --port <port>', g)\n", LANG_DECLARES_QUOTED },
		{ "f('--port')", LANG_DECLARES_QUOTED },
		{ "f('--port-all')\n", LANG_DECLARES_NOT },
		{ "f('use --port')\n", LANG_DECLARES_NOT },
		{ "f(--port)\n", LANG_DECLARES_NOT },
		{ "--port", LANG_DECLARES_NOT },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		ASSERT_EQ(lang_find_declared((const uint8_t *)cases[i].text,
					     strlen(cases[i].text), "--port", 6,
					     8)
				  .how,
			  cases[i].want);
}

/* Farther back than it reaches, what is around a line is not known. */
static void
test_declares_looks_back_so_far(void **state)
{
	static char text[2 * DECLARES_REACH];
	size_t at = (size_t)sprintf(text, "enum kind {\n");

	while (at < DECLARES_REACH / 2)
		at += (size_t)sprintf(text + at, "\tA,\n");
	sprintf(text + at, "\tNAME,\n");
	ASSERT_EQ(last_of(text), LANG_DECLARES_OUTER);
	while (at < DECLARES_REACH + 64)
		at += (size_t)sprintf(text + at, "\tA,\n");
	sprintf(text + at, "\tNAME,\n");
	ASSERT_EQ(last_of(text), LANG_DECLARES_INNER);
	/* a copy ends with the name, so that no byte behind it is read */
	char *copy = malloc(at + 5);

	ASSERT_TRUE(copy != NULL);
	memcpy(copy, text, at + 5);
	ASSERT_EQ(lang_declares((uint8_t *)copy, at + 5, at + 1, 4),
		  LANG_DECLARES_INNER);
	free(copy);
	memset(text, 'a', at);
	sprintf(text + at, " NAME = 1;\n");
	ASSERT_EQ(last_of(text), LANG_DECLARES_NOT);
}

/* Any bytes, a name anywhere: nothing is read beyond them. */
static void
test_declares_reads_any_bytes(void **state)
{
	static const char letters[] =
		"a {}()=;:,.#*\t\n\r_<\"'-enum const struct";
	uint32_t random = 1;

	for (unsigned round = 0; round < 20000; round++) {
		uint8_t text[64];
		size_t bytes = 1 + round % sizeof(text);
		uint8_t *copy = malloc(bytes);
		size_t at;

		ASSERT_TRUE(copy != NULL);
		for (size_t i = 0; i < bytes; i++) {
			random = random * 1664525 + 1013904223;
			text[i] = (uint8_t)
				letters[(random >> 16) % (sizeof(letters) - 1)];
		}
		memcpy(copy, text, bytes);
		at = (random >> 8) % bytes;
		ASSERT_TRUE(lang_declares(copy, bytes, at,
					  1 + (random >> 24) % (bytes - at)) <=
			    LANG_DECLARES_OUTER);
		free(copy);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_declares_constants_of_a_file),
		cmocka_unit_test(test_declares_members),
		cmocka_unit_test(test_declares_what_may_be_local),
		cmocka_unit_test(test_declares_attributes_of_objects),
		cmocka_unit_test(test_declares_selectors),
		cmocka_unit_test(test_declares_no_use),
		cmocka_unit_test(test_declares_strings),
		cmocka_unit_test(test_declares_options),
		cmocka_unit_test(test_declares_looks_back_so_far),
		cmocka_unit_test(test_declares_reads_any_bytes),
	};

	return cmocka_run_group_tests_name("lang/declares", tests, NULL, NULL);
}
