/* SPDX-License-Identifier: MIT */
/*
 * help_version.c - which bale this is, and what it runs on.
 */
#include "cli/help.h"

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <git2/version.h>
#include <jansson.h>
#include <openssl/crypto.h>
#include <yaml.h>
#include <zstd.h>

#include "base/version.h"
#include "supervisor/sandbox.h"
#include "base/stream.h"
#include "base/version.h"

static void
print_libraries(FILE *out)
{
	fprintf(out,
		"libcrypto: %s\n"
		"libzstd: %s\njansson: %s\nlibyaml: %s\n"
		"libgit2: %s (built with; loaded when it is needed)\n",
		OpenSSL_version(OPENSSL_VERSION), ZSTD_versionString(),
		jansson_version_str(), yaml_get_version_string(),
		LIBGIT2_VERSION);
}

/* A call without sense: a kernel that has it finds fault with that. */
static const char *
has_call(long number)
{
	long result = syscall(number, 0, NULL, NULL, 0);

	if (result >= 0 || (errno != ENOSYS && errno != EPERM))
		return "yes";
	return errno == EPERM ? "forbidden" : "no";
}

static void
print_machine(FILE *out)
{
	struct utsname name;

	if (uname(&name) == 0)
		fprintf(out, "kernel: %s %s %s\n", name.sysname, name.release,
			name.machine);
	fprintf(out, "io_uring: %s\nopenat2: %s\n",
		has_call(SYS_io_uring_setup), has_call(SYS_openat2));
#if defined(__x86_64__)
	fprintf(out, "processor: avx2 %s, avx512 %s\n",
		__builtin_cpu_supports("avx2") ? "yes" : "no",
		__builtin_cpu_supports("avx512vbmi2") ? "yes" : "no");
#endif
	fprintf(out, "processors to use: %u\n", options_cpu_nr());
}

int
help_print_version(FILE *out, bool is_verbose)
{
	char layers[SANDBOX_TEXT_BYTES];
	struct sandbox sandbox;

	sandbox_probe(&sandbox);
	fprintf(out, "bale %s\nsandbox: %s\n", BALE_VERSION,
		sandbox_describe(layers, sizeof(layers), &sandbox));
	if (is_verbose) {
		print_libraries(out);
		print_machine(out);
	}
	return stream_finish(out);
}
