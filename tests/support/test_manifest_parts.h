/* SPDX-License-Identifier: MIT */
/*
 * test_manifest_parts.h - parts of a manifest, as JSON.
 */
#ifndef TESTS_SUPPORT_TEST_MANIFEST_PARTS_H
#define TESTS_SUPPORT_TEST_MANIFEST_PARTS_H

#include "tests/support/test_dir.h"

#include "supervisor/manifest.h"

/* The bytes "abc": the example of FIPS 180-4. */
#define ABC "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

#define PART(nr)                                                \
	"{\"file\":\"a-00" #nr "\",\"bytes\":3,\"tokens\":" #nr \
	",\"sha256\":\"" ABC "\"}"

#endif
