/* SPDX-License-Identifier: MIT */
/*
 * test_forms_signature.c - the arguments and fields of Lisps.
 */
#include "tests/support/test_lang_out.h"
#include "tests/support/test_lang_told.h"

static const struct {
	const char *hint;
	bool doc;
	const char *source;
	const char *want;
} cases[] = {
	{ "clojure", false,
	  "(defn greet\n  \"Says [hello].\n  Twice.\"\n"
	  "  [name & {:keys [a b]}]\n  (str name))\n"
	  "(defn both \"All.\" {:added \"1\"}\n  ([a] (both a 1))\n"
	  "  ([a b] (+ a b)))\n"
	  "(defmethod draw [:a :b] [shape] nil)\n"
	  "(defrecord Point [x y])\n(defmulti area :kind)\n",
	  "(defn greet\n [name & {:keys [a b]}]\n"
	  "(defn both {:added \"1\"}\n ([a]\n ([a b]\n"
	  "(defmethod draw [:a :b] [shape]\n"
	  "(defrecord Point [x y]\n(defmulti area :kind\n" },
	/* bodies that look like arguments, and dispatch by a body */
	{ "clojure", false,
	  "(defn one [a] ([1 2] 0) ([b] c))\n"
	  "(defmacro two ([] 1) ([{:keys [d e]} f] 2))\n"
	  "(defn ^String hinted ^long [^long g] g)\n"
	  "(defmulti how \"Doc.\" (fn [h] (:i h)))\n",
	  "(defn one [a]\n(defmacro two ([]\n ([{:keys [d e]} f]\n"
	  "(defn ^String hinted ^long [^long g]\n(defmulti how\n" },
	{ "clojure", false,
	  "(def a 1)\n(defonce state (atom {}))\n"
	  "(def ^:private b 2)\n(def ^{:private true :c \"d\"} e 3)\n"
	  "(def ^{:c \"d e\"} f 4)\n(def g\n  \"Doc.\"\n  {:h 1})\n"
	  "(s/def ::i int?)\n(comment (def j 5))\n(default-to k)\n",
	  "(def a 1)\n(defonce state (atom {}))\n(def ^{:c \"d e\"} f 4)\n"
	  "(def g ...\n(s/def ::i int?)\n" },
	{ "clojure", true,
	  "(defn greet\n  \"Says hello.\n  Twice.\"\n  [name]\n  name)\n",
	  "(defn greet\n \"Says hello.\"\n [name]\n" },
	{ "clojure", false,
	  "(defprotocol Shape\n  \"Of all.\"\n  (area [this] \"Its area.\")\n"
	  "  (grow [this] [this by]))\n",
	  "(defprotocol Shape\n (area [this]\n (grow [this] [this by]\n" },
	{ "scheme", false,
	  "(define (square x) ; it\n  (* x x))\n(define pi (list 3))\n"
	  "(define add\n  (lambda (a b) (+ a b)))\n"
	  "(define-record-type point (make-point x y) point? (x point-x))\n"
	  "(define-syntax swap! (syntax-rules ()))\n",
	  "(define (square x)\n(define pi\n(define add\n (lambda (a b)\n"
	  "(define-record-type point (make-point x y) point? (x point-x)\n"
	  "(define-syntax swap!\n" },
	{ "racket", false, "(struct point (x [y #:mutable]))\n",
	  "(struct point (x [y #:mutable])\n" },
	{ "elisp", false,
	  "(defun greet (name &optional (b \")\"))\n  \"Doc.\"\n  name)\n"
	  "(cl-defun both (&key a\n                 (b 2)) ; c\n  a)\n",
	  "(defun greet (name &optional (b \")\"))\n"
	  "(cl-defun both (&key a\n (b 2))\n" },
	{ "elisp", false,
	  "(defvar a-b 1 \"Doc.\")\n(defvar a-c)\n(defvar a--d 2)\n"
	  "(defcustom a-e t\n  \"Doc.\"\n  :type 'boolean)\n"
	  "(defmacro a-f (g &rest body)\n  `(progn ,@body))\n"
	  "(define-minor-mode a-mode \"Doc.\" :lighter \" A\")\n"
	  "(cl-defstruct (a-box (:constructor a-make)) h i)\n",
	  "(defvar a-b 1 \"Doc.\")\n(defcustom a-e ...\n"
	  "(defmacro a-f (g &rest body)\n(define-minor-mode a-mode\n"
	  "(cl-defstruct (a-box (:constructor a-make)) h i\n" },
	{ "lisp", false,
	  "(defclass point (shape) ((x :initarg :x) y))\n"
	  "(defmethod area :around ((s circle) &key scale) 1)\n"
	  "(defstruct item name (price 1))\n(defgeneric size)\n"
	  "(defun odd ]\n",
	  "(defclass point (shape) ((x :initarg :x) y)\n"
	  "(defmethod area :around ((s circle) &key scale)\n"
	  "(defstruct item name (price 1)\n(defgeneric size\n(defun odd\n" },
};

static void
test_forms_signature_has_arguments_and_fields(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct out out = { .nr = 0 };

		lang_outline(lang_find(cases[i].hint, strlen(cases[i].hint)),
			     (const uint8_t *)cases[i].source,
			     strlen(cases[i].source), cases[i].doc, out_put,
			     &out);
		assert_string_equal(out.text, cases[i].want);
	}
}

static void
test_forms_methods_of_protocols_are_told(void **state)
{
	static const struct told_case told[] = {
		{ "clojure",
		  "(defprotocol Shape\n"
		  "  (area [this]\n"
		  "    \"Its area.\"))\n"
		  "(extend-type A Shape (area [this] 1))\n",
		  "method area 2-3;interface Shape 1-3;" },
	};

	assert_told(told, ARRAY_LEN(told));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_forms_signature_has_arguments_and_fields),
		cmocka_unit_test(test_forms_methods_of_protocols_are_told),
	};

	return cmocka_run_group_tests_name("lang/forms_signature", tests, NULL,
					   NULL);
}
