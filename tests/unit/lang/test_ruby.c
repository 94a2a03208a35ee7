/* SPDX-License-Identifier: MIT */
/*
 * test_ruby.c - Ruby: blocks end with end, modifiers open none.
 */
#include "tests/support/test_lang_out.h"
#include "tests/support/test_lang_told.h"

static void
test_ruby_blocks_end_with_end(void **state)
{
	static const struct told_case cases[] = {
		{ "ruby",
		  "require \"a/b\"\n"
		  "module M\n"
		  "  class C < D\n"
		  "    def m(a)\n"
		  "      return 1 if a\n"
		  "      [1].each do |x| p x end\n"
		  "    end\n"
		  "    def self.n = 2\n"
		  "  end\n"
		  "end\n",
		  "import a/b;method m 4-7;method n 8-8;class C 3-9;module M 2-10;" },
	};

	assert_told(cases, ARRAY_LEN(cases));
}

static void
test_ruby_words_in_texts_open_nothing(void **state)
{
	static const struct told_case cases[] = {
		{ "ruby",
		  "def a\n"
		  "  s = \"def b #{if x then 1 end}\"\n"
		  "  t = %w[class end]\n"
		  "  u = <<~E\n"
		  "    def c\n"
		  "  E\n"
		  "  v = :end\n"
		  "end\n"
		  "def d; end\n",
		  "function a 1-8;function d 9-9;" },
	};

	assert_told(cases, ARRAY_LEN(cases));
}

static void
test_ruby_protected_methods_are_shown(void **state)
{
	static const char source[] = "class Account\n"
				     "  def pay(sum)\n"
				     "  end\n"
				     "\n"
				     "  protected\n"
				     "\n"
				     "  def balance(currency = :eur)\n"
				     "  end\n"
				     "\n"
				     "  private\n"
				     "\n"
				     "  def log; end\n"
				     "\n"
				     "  public\n"
				     "\n"
				     "  protected def limit; end\n"
				     "  private def secret; end\n"
				     "end\n";
	struct out out = { .nr = 0 };

	lang_outline(LANG_RUBY, (const uint8_t *)source, sizeof(source) - 1,
		     false, out_put, &out);
	assert_string_equal(out.text, "class Account\n"
				      " def pay(sum)\n"
				      " def balance(currency = :eur)\n"
				      " protected def limit\n");
}

static void
test_ruby_statements_that_add_to_a_class_are_shown(void **state)
{
	static const char source[] = "class Account\n"
				     "  include Comparable\n"
				     "  attr_reader :owner,\n"
				     "              :sum\n"
				     "  alias_method :close, :end_it\n"
				     "  alias other end_it\n"
				     "  def_delegators :@log, :each\n"
				     "  define_method(:one) { |a| a }\n"
				     "  define_method(\"#{name}=\") do |a, b|\n"
				     "    include Other\n"
				     "  end\n"
				     "  def hidden; end\n"
				     "  private :hidden\n"
				     "  def self.make(base)\n"
				     "    define_method(:inner) { 1 }\n"
				     "  end\n"
				     "  include = 5\n"
				     "  class << self\n"
				     "    alias_method :new, :make\n"
				     "  end\n"
				     "  private\n"
				     "  attr_writer :secret\n"
				     "  def late; end\n"
				     "  public :late\n"
				     "end\n"
				     "include Kernel\n";
	struct out out = { .nr = 0 };

	lang_outline(LANG_RUBY, (const uint8_t *)source, sizeof(source) - 1,
		     false, out_put, &out);
	assert_string_equal(out.text, "class Account\n"
				      " include Comparable\n"
				      " attr_reader :owner,\n"
				      "  :sum\n"
				      " alias_method :close, :end_it\n"
				      " alias other end_it\n"
				      " def_delegators :@log, :each\n"
				      " define_method(:one)\n"
				      " define_method(\"#{name}=\") do |a, b|\n"
				      " def hidden\n"
				      " private :hidden\n"
				      " def self.make(base)\n"
				      " alias_method :new, :make\n"
				      " public :late\n");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ruby_blocks_end_with_end),
		cmocka_unit_test(test_ruby_words_in_texts_open_nothing),
		cmocka_unit_test(test_ruby_protected_methods_are_shown),
		cmocka_unit_test(
			test_ruby_statements_that_add_to_a_class_are_shown),
	};

	return cmocka_run_group_tests_name("lang/ruby", tests, NULL, NULL);
}
