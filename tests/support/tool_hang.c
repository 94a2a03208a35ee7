/* SPDX-License-Identifier: MIT */
/*
 * tool_hang.c - a file system that stops answering, for tests.
 *
 * Does: mounts a FUSE file system of its own on DIR, serves it until it is
 *       ended, and does not answer what MODE says.
 *
 *   tool_hang DIR MODE
 *
 *     all    nothing is answered once it is mounted, and nothing looked at
 *     read   three files, a, hang and z; reading hang is looked at and never
 *            answered
 *     open   the same; opening the folder is looked at and never answered
 *
 * Prints "ready". Exit code 77 and why, if it cannot be mounted here.
 * source: linux/fuse.h, fuse(4)
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#define REQUEST_BYTES (1u << 17)
#define FOREVER 3600

enum mode { MODE_ALL = 0, MODE_READ, MODE_OPEN };

static const char *const names[] = { "a", "hang", "z" };
static const char text[] = "text of a file\n";

#define FILE_FIRST 2 /* inode of names[0]; 1 is the folder */
#define FILE_HANG 3
#define FILE_NR 3

static int device;

static void
answer(uint64_t unique, int error, const void *data, size_t bytes)
{
	char reply[4096];
	struct fuse_out_header head = {
		.len = (uint32_t)(sizeof(head) + bytes),
		.error = error,
		.unique = unique,
	};

	memcpy(reply, &head, sizeof(head));
	if (bytes > 0)
		memcpy(reply + sizeof(head), data, bytes);
	if (write(device, reply, head.len) < 0 && errno != ENOENT)
		perror("tool_hang: answer");
}

static struct fuse_attr
attributes(uint64_t inode)
{
	bool is_dir = inode == FUSE_ROOT_ID;

	return (struct fuse_attr){
		.ino = inode,
		.size = is_dir ? 0 : sizeof(text) - 1,
		.mode = is_dir ? S_IFDIR | 0755 : S_IFREG | 0644,
		.nlink = 1,
		.blksize = 4096,
	};
}

static void
answer_init(const struct fuse_in_header *in)
{
	struct fuse_init_out out = {
		.major = FUSE_KERNEL_VERSION,
		.minor = FUSE_KERNEL_MINOR_VERSION,
		.flags = FUSE_ASYNC_READ,
		.max_readahead = 65536,
		.max_write = 65536,
		.max_background = 16,
		.congestion_threshold = 12,
	};

	answer(in->unique, 0, &out, sizeof(out));
}

static void
answer_lookup(const struct fuse_in_header *in, const char *name)
{
	struct fuse_entry_out out = { .entry_valid = FOREVER,
				      .attr_valid = FOREVER };

	for (size_t i = 0; i < FILE_NR; i++) {
		if (strcmp(names[i], name) != 0)
			continue;
		out.nodeid = FILE_FIRST + i;
		out.attr = attributes(out.nodeid);
		answer(in->unique, 0, &out, sizeof(out));
		return;
	}
	answer(in->unique, -ENOENT, NULL, 0);
}

static void
answer_readdir(const struct fuse_in_header *in, const struct fuse_read_in *read)
{
	char out[512] = { 0 };
	size_t bytes = 0;

	for (size_t i = read->offset; i < FILE_NR; i++) {
		struct fuse_dirent entry = {
			.ino = FILE_FIRST + i,
			.off = i + 1,
			.namelen = (uint32_t)strlen(names[i]),
			.type = S_IFREG >> 12,
		};

		memcpy(out + bytes, &entry, FUSE_NAME_OFFSET);
		memcpy(out + bytes + FUSE_NAME_OFFSET, names[i], entry.namelen);
		bytes += FUSE_DIRENT_ALIGN(FUSE_NAME_OFFSET + entry.namelen);
	}
	answer(in->unique, 0, out, bytes);
}

static void
answer_read(const struct fuse_in_header *in, const struct fuse_read_in *read)
{
	size_t bytes = sizeof(text) - 1;

	if (read->offset >= bytes)
		answer(in->unique, 0, NULL, 0);
	else
		answer(in->unique, 0, text + read->offset,
		       bytes - read->offset);
}

static void
answer_attr(const struct fuse_in_header *in)
{
	struct fuse_attr_out out = { .attr_valid = FOREVER,
				     .attr = attributes(in->nodeid) };

	answer(in->unique, 0, &out, sizeof(out));
}

static void
serve(const char *request, enum mode mode)
{
	const struct fuse_in_header *in = (const void *)request;
	const void *body = request + sizeof(*in);
	const struct fuse_open_out opened = { .fh = in->nodeid };

	switch (in->opcode) {
	case FUSE_LOOKUP:
		answer_lookup(in, body);
		return;
	case FUSE_GETATTR:
		answer_attr(in);
		return;
	case FUSE_OPENDIR:
		if (mode == MODE_OPEN)
			return;
		answer(in->unique, 0, &opened, sizeof(opened));
		return;
	case FUSE_OPEN:
		answer(in->unique, 0, &opened, sizeof(opened));
		return;
	case FUSE_READDIR:
		answer_readdir(in, body);
		return;
	case FUSE_READ:
		if (in->nodeid != FILE_HANG)
			answer_read(in, body);
		return;
	case FUSE_RELEASE:
	case FUSE_RELEASEDIR:
	case FUSE_FLUSH:
		answer(in->unique, 0, NULL, 0);
		return;
	case FUSE_FORGET:
	case FUSE_BATCH_FORGET:
	case FUSE_INTERRUPT:
		return;
	default:
		answer(in->unique, -ENOSYS, NULL, 0);
	}
}

static int
mount_on(const char *dir)
{
	char options[128];

	device = open("/dev/fuse", O_RDWR | O_CLOEXEC);
	if (device < 0) {
		fprintf(stderr, "/dev/fuse: %s\n", strerror(errno));
		return 77;
	}
	snprintf(options, sizeof(options),
		 "fd=%d,rootmode=40000,user_id=%u,group_id=%u", device,
		 getuid(), getgid());
	if (mount("tool_hang", dir, "fuse", MS_NOSUID | MS_NODEV, options) !=
	    0) {
		fprintf(stderr, "mount: %s\n", strerror(errno));
		return 77;
	}
	return 0;
}

int
main(int argc, char **argv)
{
	static char request[REQUEST_BYTES]
		__attribute__((aligned(sizeof(uint64_t))));
	enum mode mode = MODE_ALL;
	int code;

	if (argc != 3)
		return 2;
	if (strcmp(argv[2], "read") == 0)
		mode = MODE_READ;
	else if (strcmp(argv[2], "open") == 0)
		mode = MODE_OPEN;
	code = mount_on(argv[1]);
	if (code != 0)
		return code;
	if (read(device, request, sizeof(request)) < 0)
		return 1;
	answer_init((const void *)request);
	puts("ready");
	fflush(stdout);
	while (mode != MODE_ALL) {
		if (read(device, request, sizeof(request)) < 0) {
			if (errno == ENODEV)
				return 0;
			continue;
		}
		serve(request, mode);
	}
	pause();
	return 0;
}
