/* SPDX-License-Identifier: MIT */
/*
 * tool_deny.c - runs a program where system calls fail as in a container, for
 *               tests.
 *
 *   tool_deny ERROR CALL[,CALL...] PROGRAM [ARGUMENT...]
 *
 *     ERROR  EPERM, as Docker has it, or ENOSYS, as Podman and old kernels do
 *     CALL   a name of the table below; no_new_privs is one of prctl(2)
 *
 * Does: a filter of system calls, which the program and its children keep.
 * Exit code 77 and why, if no filter can be set here; 2 for its own errors.
 * source: seccomp(2)
 */
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define CALLS_MAX 16
#define NO_ARGUMENT UINT32_MAX

/* A call, or those of it with that first argument. */
struct call {
	const char *name;
	uint32_t number;
	uint32_t argument;
};

static const struct call calls[] = {
	{ "landlock_create_ruleset", SYS_landlock_create_ruleset, NO_ARGUMENT },
	{ "landlock_add_rule", SYS_landlock_add_rule, NO_ARGUMENT },
	{ "landlock_restrict_self", SYS_landlock_restrict_self, NO_ARGUMENT },
	{ "seccomp", SYS_seccomp, NO_ARGUMENT },
	{ "no_new_privs", SYS_prctl, PR_SET_NO_NEW_PRIVS },
	{ "capset", SYS_capset, NO_ARGUMENT },
	{ "capbset_drop", SYS_prctl, PR_CAPBSET_DROP },
	{ "openat2", SYS_openat2, NO_ARGUMENT },
};

static const struct call *
find_call(const char *name, size_t bytes)
{
	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++)
		if (strlen(calls[i].name) == bytes &&
		    memcmp(calls[i].name, name, bytes) == 0)
			return &calls[i];
	return NULL;
}

static void
add(struct sock_fprog *program, struct sock_filter line)
{
	program->filter[program->len++] = line;
}

/* Five lines: that call ends with the error, any other goes on behind them. */
static void
deny(struct sock_fprog *program, const struct call *call, uint32_t error)
{
	const uint32_t fail = SECCOMP_RET_ERRNO | error;
	const uint8_t skip = call->argument == NO_ARGUMENT ? 1 : 3;

	add(program,
	    (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
					 offsetof(struct seccomp_data, nr)));
	add(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
						  call->number, 0, skip));
	if (call->argument != NO_ARGUMENT) {
		add(program, (struct sock_filter)BPF_STMT(
				     BPF_LD | BPF_W | BPF_ABS,
				     offsetof(struct seccomp_data, args)));
		add(program,
		    (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
						 call->argument, 0, 1));
	}
	add(program, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, fail));
}

int
main(int argc, char **argv)
{
	struct sock_filter lines[5 * CALLS_MAX + 1];
	struct sock_fprog program = { .filter = lines };
	const char *name;
	uint32_t error;

	if (argc < 4)
		return 2;
	error = strcmp(argv[1], "EPERM") == 0 ? EPERM : ENOSYS;
	for (name = argv[2]; *name != '\0';) {
		size_t bytes = strcspn(name, ",");
		const struct call *call = find_call(name, bytes);

		if (call == NULL || program.len > 5 * (CALLS_MAX - 1)) {
			fprintf(stderr, "tool_deny: what is %s?\n", name);
			return 2;
		}
		deny(&program, call, error);
		name += bytes + (name[bytes] == ',');
	}
	add(&program,
	    (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
	/* not of one who may do without: whether the program has no_new_privs
	 * is its own affair */
	if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) != 0 &&
	    (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
	     syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) != 0)) {
		printf("no filter of system calls: %s\n", strerror(errno));
		return 77;
	}
	execvp(argv[3], argv + 3);
	fprintf(stderr, "tool_deny: %s: %s\n", argv[3], strerror(errno));
	return 2;
}
