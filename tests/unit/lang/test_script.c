/* SPDX-License-Identifier: MIT */
/*
 * test_script.c - scripts in HTML, Vue and Svelte.
 */
#include "tests/support/test_lang_out.h"
#include "tests/support/test_lang_told.h"

static void
test_script_of_component_is_scanned(void **state)
{
	static const struct told_case cases[] = {
		{ "vue",
		  "<script setup lang=\"ts\">\n"
		  "import { ref } from 'vue'\n"
		  "import UserCard from './UserCard.vue'\n"
		  "interface Props {\n"
		  "  users: User[]\n"
		  "}\n"
		  "const props = defineProps<Props>()\n"
		  "const title = `<script>${props.users.length}`\n"
		  "function select(user: User): void {\n"
		  "  if (user) { emit('select', user) }\n"
		  "}\n"
		  "</script>\n"
		  "\n"
		  "<template>\n"
		  "  <UserCard v-if=\"a < b\" @click=\"select(u)\" />\n"
		  "</template>\n"
		  "<style>\n"
		  "a { b: c }\n"
		  "</style>\n",
		  "import vue;import ./UserCard.vue;interface Props 4-6;"
		  "function select 9-11;section script 1-12;"
		  "section template 14-16;section style 17-19;" },
		{ "svelte",
		  "<script context=\"module\">\n"
		  "  export async function load({ params }) {\n"
		  "    return { id: params.id };\n"
		  "  }\n"
		  "</script>\n"
		  "<script lang=ts>\n"
		  "  import Button from './Button.svelte';\n"
		  "  const step = (by: number) => { count += by; };\n"
		  "</script>\n"
		  "{#if count > 3}<p>{count}</p>{/if}\n",
		  "function load 2-4;section script 1-5;"
		  "import ./Button.svelte;function step 8-8;"
		  "section script 6-9;section p 10-10;" },
	};

	assert_told(cases, ARRAY_LEN(cases));
}

static void
test_script_of_page_ends_with_its_tag(void **state)
{
	static const struct told_case cases[] = {
		/* brackets of the script do not close elements, and those left
		 * open end with it; what is no script is left alone */
		{ "html",
		  "<body>\n"
		  "<script type=\"text/javascript\">\n"
		  "function start(a) { return a; }\n"
		  "}}\n"
		  "/* <p>\n"
		  "</script>\n"
		  "<script type=\"application/json\">{\"a\": {}}</script>\n"
		  "<script type='text/x-template'><nav></nav></script>\n"
		  "<script>\n"
		  "class Shop {\n"
		  "  open(day) {\n"
		  "</script>\n"
		  "<nav></nav>\n"
		  "</body>\n",
		  "function start 3-3;section script 2-6;section script 7-7;"
		  "section script 8-8;method open 11-11;class Shop 10-11;"
		  "section script 9-12;section nav 13-13;section body 1-14;" },
		{ "html",
		  "<script = \"a\" \1 type type = module>\n"
		  "function last() {\n",
		  "function last 2-2;section script 1-2;" },
	};

	assert_told(cases, ARRAY_LEN(cases));
}

static void
test_script_has_signatures_of_its_language(void **state)
{
	static const char source[] =
		"<script lang=\"ts\">\n"
		"export let name: string;\n"
		"/** Adds to the count. */\n"
		"const add = async (by: number): Promise<void> => {\n"
		"  count += by;\n"
		"};\n"
		"</script>\n"
		"<p>{name}</p>\n";
	struct out out = { .nr = 0 };

	lang_outline(lang_find("svelte", 6), (const uint8_t *)source,
		     sizeof(source) - 1, true, out_put, &out);
	assert_string_equal(out.text,
			    "<script lang=\"ts\">\n"
			    "export let name: string;\n"
			    "/** Adds to the count. */\n"
			    "const add = async (by: number): Promise<void> =>\n"
			    "<p>\n");
}

/* Whatever elements are around: only what is exported is shown of variables. */
static void
test_script_of_page_has_no_members(void **state)
{
	static const char source[] = "<body>\n"
				     "<script>\n"
				     "var attached = true;\n"
				     "setTimeout(loop, 0);\n"
				     "function loop() { }\n"
				     "</script>\n"
				     "</body>\n";
	struct out out = { .nr = 0 };

	lang_outline(LANG_HTML, (const uint8_t *)source, sizeof(source) - 1,
		     false, out_put, &out);
	assert_string_equal(out.text, "<body>\n"
				      "<script>\n"
				      "function loop()\n");
}

struct outlined {
	const char *hint;
	const char *text;
	const char *want;
};

static void
assert_outlines(const struct outlined *cases, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		struct out out = { .nr = 0 };

		lang_outline(lang_find(cases[i].hint, strlen(cases[i].hint)),
			     (const uint8_t *)cases[i].text,
			     strlen(cases[i].text), false, out_put, &out);
		assert_string_equal(out.text, cases[i].want);
	}
}

/* What a component takes and tells is what others use of it. */
static void
test_script_of_component_shows_what_it_takes(void **state)
{
	static const struct outlined cases[] = {
		{ "vue",
		  "<script setup lang=\"ts\">\n"
		  "const props = withDefaults(defineProps<Props>(), { a: 1 })\n"
		  "const emit = defineEmits<{\n"
		  "  (e: 'change', id: number): void\n"
		  "}>()\n"
		  "const model = defineModel<string>()\n"
		  "const { b, c = 2 } = defineProps<{ b: string; c?: number }>()\n"
		  "const { data } = await load('x', { y: 1 })\n"
		  "const count = ref(0)\n"
		  "defineExpose({\n"
		  "  count,\n"
		  "  focus() { input.value.focus() },\n"
		  "})\n"
		  "function reset() { count.value = 0 }\n"
		  "</script>\n",
		  "exports: count, focus\n"
		  "<script setup lang=\"ts\">\n"
		  "const props = withDefaults(defineProps<Props>(), { a: 1 })\n"
		  "const emit = defineEmits<{\n"
		  " (e: 'change', id: number): void\n"
		  "}>()\n"
		  "const model = defineModel<string>()\n"
		  "const { b, c = 2 } = defineProps<{ b: string; c?: number }>()\n"
		  " focus()\n"
		  "function reset()\n" },
		{ "vue",
		  "<script>\n"
		  "export default {\n"
		  "  name: 'Card',\n"
		  "  props: {\n"
		  "    title: String,\n"
		  "    size: { type: Number, default() { return 3 } },\n"
		  "  },\n"
		  "  emits: ['close'],\n"
		  "  data() { return { props: 1 } },\n"
		  "}\n"
		  "</script>\n",
		  "<script>\n"
		  " props: {\n"
		  "  title: String,\n"
		  "  size: { type: Number, default() { return 3 } },\n"
		  " },\n"
		  " emits: ['close'],\n"
		  " data()\n" },
		{ "svelte",
		  "<script lang=\"ts\">\n"
		  "  let { a, b = 1, ...rest }: { a: string; b?: number }"
		  " = $props();\n"
		  "  let count = $state(0);\n"
		  "  let { x } = other();\n"
		  "</script>\n",
		  "<script lang=\"ts\">\n"
		  " let { a, b = 1, ...rest }: { a: string; b?: number }"
		  " = $props();\n" },
		/* a module that is no component has none */
		{ "typescript",
		  "const props = defineProps<Props>()\n"
		  "export function f() { }\n",
		  "export function f()\n" },
	};

	assert_outlines(cases, ARRAY_LEN(cases));
}

static void
test_script_between_fences_is_scanned(void **state)
{
	static const struct told_case told[] = {
		{ "astro",
		  "---\n"
		  "import Layout from '../Layout.astro';\n"
		  "function help(a) { return a; }\n"
		  "}\n"
		  "---\n"
		  "<Layout>\n"
		  "  <p>---</p>\n"
		  "</Layout>\n",
		  "import ../Layout.astro;function help 3-3;"
		  "section Layout 6-8;" },
		{ "astro", "---\nfunction help(a) {\n",
		  "function help 2-2;" },
		{ "astro", "---\n---\n<p>function a() { }</p>\n",
		  "section p 3-3;" },
	};
	static const struct outlined cases[] = {
		{ "astro",
		  "---\n"
		  "interface Props {\n"
		  "  title: string;\n"
		  "}\n"
		  "const { title, tags = [] } = Astro.props;\n"
		  "const local = 1;\n"
		  "export const prerender = true;\n"
		  "---\n"
		  "<Layout title={title}>\n"
		  "</Layout>\n"
		  "<script>\nfunction b() { }\n</script>\n",
		  "interface Props\n"
		  " title: string;\n"
		  "const { title, tags = [] } = Astro.props;\n"
		  "export const prerender = true;\n"
		  "<Layout title={title}>\n"
		  "<script>\n"
		  "function b()\n" },
	};

	assert_told(told, ARRAY_LEN(told));
	assert_outlines(cases, ARRAY_LEN(cases));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_script_of_component_is_scanned),
		cmocka_unit_test(test_script_of_page_ends_with_its_tag),
		cmocka_unit_test(test_script_has_signatures_of_its_language),
		cmocka_unit_test(test_script_of_page_has_no_members),
		cmocka_unit_test(test_script_of_component_shows_what_it_takes),
		cmocka_unit_test(test_script_between_fences_is_scanned),
	};

	return cmocka_run_group_tests_name("lang/script", tests, NULL, NULL);
}
