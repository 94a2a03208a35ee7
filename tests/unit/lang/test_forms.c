/* SPDX-License-Identifier: MIT */
/*
 * test_forms.c - Lisps and SQL.
 */
#include "tests/support/test_lang_out.h"
#include "tests/support/test_lang_told.h"

static void
test_forms_of_lisps_are_by_their_first_word(void **state)
{
	static const struct told_case cases[] = {
		{ "clojure",
		  "(ns a.b (:require [c.d :as d]))\n"
		  "(defn f\n"
		  "  \"a ) text\"\n"
		  "  [x] (let [y x] y)) ; (defn no [])\n"
		  "(defn- g [] \\( )\n",
		  "import c.d;function f 2-4;function g 5-5;" },
		{ "clojure",
		  "(ns a.b\n"
		  "  ^{:author \"x\"}\n"
		  "  (:refer-clojure :exclude [no])\n"
		  "  (:require c ; no\n"
		  "            [d.e :as f :refer [no no]] g :reload\n"
		  "            [\"no\" :as no])\n"
		  "  (:use h)\n"
		  "  (:import (java.util Date List) java.io.File))\n"
		  "(:require no)\n",
		  "import c;import d.e;import g;import h;import java.util;"
		  "import java.io.File;" },
		{ "scheme",
		  "(define (f x)\n"
		  "  (if x 1 2))\n"
		  "(define g (lambda () 1))\n",
		  "function f 1-2;function g 3-3;" },
	};

	assert_told(cases, ARRAY_LEN(cases));
}

static void
test_forms_of_sql_create_things(void **state)
{
	static const struct told_case cases[] = {
		{ "sql",
		  "create table a.t (\n"
		  "  x int -- );\n"
		  ");\n"
		  "CREATE OR REPLACE VIEW v AS SELECT 1;\n"
		  "CREATE FUNCTION f() RETURNS int AS $$\n"
		  "BEGIN\n"
		  "  RETURN 1;\n"
		  "END;\n"
		  "$$ LANGUAGE plpgsql;\n",
		  "struct a.t 1-3;struct v 4-4;function f 5-9;" },
	};

	assert_told(cases, ARRAY_LEN(cases));
}

static void
test_forms_of_sql_end_with_their_delimiter(void **state)
{
	static const struct told_case cases[] = {
		{ "sql",
		  "CREATE MATERIALIZED VIEW IF NOT EXISTS stats.daily AS\n"
		  "  SELECT 1;\n"
		  "DELIMITER //\n"
		  "CREATE PROCEDURE pay(IN a INT)\n"
		  "BEGIN\n"
		  "  IF a > 1 THEN SELECT 1; END IF;\n"
		  "  SELECT 2;\n"
		  "END//\n"
		  "delimiter $$\n"
		  "CREATE TRIGGER t BEFORE INSERT ON u FOR EACH ROW\n"
		  "  SET NEW.a = 1; $$\n"
		  "DELIMITER ;\n"
		  "CREATE TABLE last (id INT);\n"
		  "CREATE FUNCTION f() RETURNS int AS $$ SELECT 1; $$;\n",
		  "struct stats.daily 1-2;function pay 4-8;function t 10-11;"
		  "struct last 13-13;function f 14-14;" },
	};

	assert_told(cases, ARRAY_LEN(cases));
}

static void
test_sql_begins_behind_the_commands_of_psql(void **state)
{
	static const struct told_case cases[] = {
		{ "sql",
		  "\\echo Use \"CREATE EXTENSION x\" to load it. \\quit\n"
		  "CREATE FUNCTION f(a int) RETURNS int\n"
		  "AS 'x' LANGUAGE c;\n",
		  "function f 2-3;" },
	};

	assert_told(cases, ARRAY_LEN(cases));
}

static void
test_sql_tables_have_their_columns(void **state)
{
	static const char source[] =
		"CREATE TYPE mood AS ENUM ('sad', 'o;k');\n"
		"CREATE TABLE users (\n"
		"  id SERIAL PRIMARY KEY, -- its; number\n"
		"  \"full, name\" TEXT DEFAULT 'x)' -- of all\n"
		"  , price NUMERIC(10, 2),\n"
		"  FOREIGN KEY (id) REFERENCES other (id)\n"
		");\n"
		"CREATE TABLE copy AS SELECT (1, 2);\n"
		"CREATE UNIQUE INDEX idx ON users (id);\n"
		"CREATE VIEW v AS SELECT 1;\n";
	struct out out = { .nr = 0 };

	lang_outline(LANG_SQL, (const uint8_t *)source, sizeof(source) - 1,
		     false, out_put, &out);
	assert_string_equal(out.text,
			    "CREATE TYPE mood AS ENUM ('sad', 'o;k')\n"
			    "CREATE TABLE users\n"
			    " id SERIAL PRIMARY KEY,\n"
			    " \"full, name\" TEXT DEFAULT 'x)'\n"
			    "  price NUMERIC(10, 2),\n"
			    " FOREIGN KEY (id) REFERENCES other (id)\n"
			    "CREATE TABLE copy\n"
			    "CREATE UNIQUE INDEX idx ON users (id)\n"
			    "CREATE VIEW v\n");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sql_begins_behind_the_commands_of_psql),
		cmocka_unit_test(test_forms_of_sql_end_with_their_delimiter),
		cmocka_unit_test(test_forms_of_lisps_are_by_their_first_word),
		cmocka_unit_test(test_forms_of_sql_create_things),
		cmocka_unit_test(test_sql_tables_have_their_columns),
	};

	return cmocka_run_group_tests_name("lang/forms", tests, NULL, NULL);
}
