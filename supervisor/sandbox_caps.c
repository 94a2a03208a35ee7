/* SPDX-License-Identifier: MIT */
/*
 * sandbox_caps.c - what root may do beyond other users, given up.
 *
 * Does: leaves to a process those of its capabilities that it is to keep, and
 *       takes the others out of all sets. The bounding set, which is for
 *       programs that are executed, becomes empty: none are.
 * Limits: who is root stays root: a file of root's is its own. Without
 *         CAP_SETPCAP the bounding set stays; no_new_privs keeps programs from
 *         what is in it.
 */
#include "supervisor/sandbox_layers.h"

#include <errno.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define BIT(capability) (1ull << (capability))

/* Version 3 of the calls has two words of 32 bits each. */
struct sets {
	struct __user_cap_header_struct head;
	struct __user_cap_data_struct words[2];
};

static int
get(struct sets *sets)
{
	sets->head = (struct __user_cap_header_struct){
		.version = _LINUX_CAPABILITY_VERSION_3
	};
	return syscall(SYS_capget, &sets->head, sets->words) == 0 ? 0 : -errno;
}

static uint64_t
permitted(const struct sets *sets)
{
	return (uint64_t)sets->words[1].permitted << 32 |
	       sets->words[0].permitted;
}

static int
set(struct sets *sets, uint64_t kept)
{
	for (int i = 0; i < 2; i++) {
		sets->words[i].permitted = (uint32_t)(kept >> 32 * i);
		sets->words[i].effective = sets->words[i].permitted;
		sets->words[i].inheritable = 0;
	}
	return syscall(SYS_capset, &sets->head, sets->words) == 0 ? 0 : -errno;
}

/* Without it nobody may change the bounding set. */
static bool
may_empty(const struct sets *sets)
{
	return (sets->words[0].effective & BIT(CAP_SETPCAP)) != 0;
}

int
caps_probe(void)
{
	struct sets sets;
	int error = get(&sets);

	if (error != 0 || permitted(&sets) == 0)
		return error;
	if (syscall(SYS_capset, &sets.head, sets.words) != 0)
		return -errno;
	/* no such capability: whoever lets the call through finds fault with
	 * it */
	if (may_empty(&sets) && prctl(PR_CAPBSET_DROP, ~0ul, 0, 0, 0) != 0 &&
	    errno != EINVAL)
		return -errno;
	return 0;
}

/* All leave the bounding set: 0 or -errno. */
static int
empty_bounding_set(void)
{
	for (unsigned long i = 0; i < 64; i++) {
		int is_there = prctl(PR_CAPBSET_READ, i, 0, 0, 0);

		/* the kernel knows no more of them */
		if (is_there < 0 && errno == EINVAL)
			return 0;
		if (is_there < 0)
			return -errno;
		if (is_there > 0 && prctl(PR_CAPBSET_DROP, i, 0, 0, 0) != 0)
			return -errno;
	}
	return 0;
}

int
caps_keep(enum files_kept kept)
{
	const uint64_t reading = BIT(CAP_DAC_READ_SEARCH);
	const uint64_t writing = BIT(CAP_DAC_OVERRIDE);
	struct sets sets;
	int error = get(&sets);
	uint64_t wanted = 0;

	if (error != 0 || permitted(&sets) == 0)
		return error;
	if (kept == FILES_WRITE)
		wanted = reading | writing | BIT(CAP_FOWNER);
	/* containers often have the other one alone */
	else if (kept == FILES_READ)
		wanted = (permitted(&sets) & reading) != 0 ? reading : writing;
	if (may_empty(&sets))
		error = empty_bounding_set();
	/* none is ambient that is not inheritable: capabilities(7) */
	return error == 0 ? set(&sets, permitted(&sets) & wanted) : error;
}
