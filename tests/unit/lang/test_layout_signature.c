/* SPDX-License-Identifier: MIT */
/*
 * test_layout_signature.c - signatures over lines in Haskell, Elm and ML.
 */
#include "tests/support/test_lang_out.h"

struct layout_case {
	const char *hint;
	const char *source;
	const char *want;
};

static void
assert_outlines(const struct layout_case *cases, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		struct out out = { .nr = 0 };

		lang_outline(lang_find(cases[i].hint, strlen(cases[i].hint)),
			     (const uint8_t *)cases[i].source,
			     strlen(cases[i].source), false, out_put, &out);
		assert_string_equal(out.text, cases[i].want);
	}
}

static void
test_layout_signature_of_haskell_goes_over_lines(void **state)
{
	static const struct layout_case cases[] = {
		{ "haskell",
		  "data Store a\n"
		  "  = Empty\n"
		  "  | Full\n"
		  "      { name :: Text\n"
		  "      , items :: Map Key a\n"
		  "      }\n"
		  "  deriving (Eq)\n"
		  "open\n"
		  "  :: MonadIO m\n"
		  "  => FilePath\n"
		  "  -> m (Store a)\n"
		  "open path = do\n"
		  "  h <- openFile path\n"
		  "  pure h\n"
		  "insert, put :: Ord k =>\n"
		  "               k -> v ->\n"
		  "               Map k v\n"
		  "insert k v\n"
		  "  | k > 1 = go\n"
		  "area shape =\n"
		  "  width shape\n",
		  "data Store a\n"
		  " = Empty\n"
		  " | Full\n"
		  " { name :: Text\n"
		  " , items :: Map Key a\n"
		  " }\n"
		  " deriving (Eq)\n"
		  "open\n"
		  " :: MonadIO m\n"
		  " => FilePath\n"
		  " -> m (Store a)\n"
		  "insert, put :: Ord k =>\n"
		  " k -> v ->\n"
		  " Map k v\n"
		  "area shape\n" },
		{ "elm",
		  "type Msg\n"
		  "    = Increment\n"
		  "    | Decrement Int\n"
		  "type alias Model =\n"
		  "    { count : Int\n"
		  "    }\n"
		  "view :\n"
		  "    Model\n"
		  "    -> Html Msg\n"
		  "view model =\n"
		  "    div [] []\n",
		  "type Msg\n"
		  " = Increment\n"
		  " | Decrement Int\n"
		  "type alias Model =\n"
		  " { count : Int\n"
		  " }\n"
		  "view :\n"
		  " Model\n"
		  " -> Html Msg\n" },
	};

	assert_outlines(cases, ARRAY_LEN(cases));
}

static void
test_layout_signature_of_ml_goes_up_to_its_sign(void **state)
{
	static const struct layout_case cases[] = {
		{ "ocaml",
		  "type t =\n"
		  "  | A of int\n"
		  "  | B of { x : int }\n"
		  "type tree =\n"
		  "| Leaf\n"
		  "| Node of tree\n"
		  "and forest =\n"
		  "  tree list\n"
		  "let rec fold\n"
		  "    ~init\n"
		  "    ?(f = fun x -> x)\n"
		  "    (xs : int list) : int =\n"
		  "  match xs with\n"
		  "  | [] -> init\n"
		  "module type S = sig\n"
		  "  val find :\n"
		  "    key ->\n"
		  "    'a t\n"
		  "end\n",
		  "type t =\n"
		  " | A of int\n"
		  " | B of { x : int }\n"
		  "type tree =\n"
		  "| Leaf\n"
		  "| Node of tree\n"
		  "and forest =\n"
		  " tree list\n"
		  "let rec fold\n"
		  " ~init\n"
		  " ?(f = fun x -> x)\n"
		  " (xs : int list) : int\n"
		  "module type S = sig\n"
		  " val find :\n"
		  "  key ->\n"
		  "  'a t\n" },
		{ "fsharp",
		  "type Item =\n"
		  "    { Name: string\n"
		  "      Price: decimal }\n"
		  "    member this.Total = this.Price\n"
		  "let add (item: Item)\n"
		  "        (cart: Item list) =\n"
		  "    item :: cart\n",
		  "type Item =\n"
		  " { Name: string\n"
		  " Price: decimal }\n"
		  " member this.Total\n"
		  "let add (item: Item)\n"
		  " (cart: Item list)\n" },
	};

	assert_outlines(cases, ARRAY_LEN(cases));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_layout_signature_of_haskell_goes_over_lines),
		cmocka_unit_test(
			test_layout_signature_of_ml_goes_up_to_its_sign),
	};

	return cmocka_run_group_tests_name("lang/layout_signature", tests, NULL,
					   NULL);
}
