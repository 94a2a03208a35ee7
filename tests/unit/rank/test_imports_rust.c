/* SPDX-License-Identifier: MIT */
/*
 * test_imports_rust.c - modules of Rust: what use and mod name.
 *
 * verifies: CTX-02.2, CTX-02.10
 */
#include "tests/support/test_imports_tree.h"

static const struct example examples[] = {
	{ "Rust: modules, crate, super, trees, other crates",
	  { "+a/Cargo.toml", "=my-a", "+a/src/lib.rs", "+a/src/net/mod.rs",
	    "+a/src/net/tcp.rs", "+a/src/util.rs", "+b/Cargo.toml", "=b",
	    "+b/src/main.rs", "a/src/lib.rs # net", "a/src/lib.rs # none",
	    "a/src/net/mod.rs # tcp",
	    "a/src/net/tcp.rs < crate::{util::{self, f}, net::g as h}",
	    "a/src/net/tcp.rs < super::super::util",
	    "a/src/util.rs < std::net::tcp", "a/src/util.rs < crate::Thing",
	    "b/src/main.rs < my_a::net::tcp::Stream",
	    "b/src/main.rs < ::my_a::util::f" },
	  { "a/src/lib.rs a/src/net/mod.rs",
	    "a/src/net/mod.rs a/src/net/tcp.rs",
	    "a/src/net/tcp.rs a/src/net/mod.rs",
	    "a/src/net/tcp.rs a/src/util.rs", "a/src/util.rs a/src/lib.rs",
	    "b/src/main.rs a/src/net/tcp.rs", "b/src/main.rs a/src/util.rs" } },
};

static void
test_imports_of_rust_are_resolved(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(examples); i++)
		check(&examples[i]);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_imports_of_rust_are_resolved),
	};

	return cmocka_run_group_tests_name("rank/imports_rust", tests, NULL,
					   NULL);
}
