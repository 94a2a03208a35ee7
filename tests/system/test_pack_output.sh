#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Where the output goes: whole or not at all, whatever stands in the way.

BALE=${BALE:-$PWD/${BUILD:-build}/${MODE:-release}/bale}
# shellcheck source=tests/system/lib.sh
. tests/system/lib.sh
tree=$tools/tool_tree

mkdir tree
"$tree" many tree 200 3
mkdir many
"$tree" many many 1500 3
run 0 pack tree --budget all -q
mv out want.md

begin 'over an existing file: its mode stays, and its old name'
echo old >file.md
chmod 640 file.md
run 0 pack tree --budget all -o file.md
same file.md want.md
is [ "$(stat -c %a file.md)" = 640 ]
end

begin 'a new file has the mode that the umask leaves'
rm file.md
(umask 027 && "$BALE" pack tree --budget all -q -o file.md)
is [ "$(stat -c %a file.md)" = 640 ]
end

begin 'through a symbolic link'
rm -f file.md && mkdir -p elsewhere && echo old >elsewhere/real.md
ln -s elsewhere/real.md file.md
run 0 pack tree --budget all -o file.md
is [ -L file.md ]
same elsewhere/real.md want.md
end

begin 'through a symbolic link to a file that is not there yet'
rm elsewhere/real.md
run 0 pack tree --budget all -o file.md
is [ -L file.md ]
same file.md want.md
rm -f file.md
end

begin 'onto a directory'
mkdir directory
run 4 pack tree --budget all -o directory
says 'directory: Is a directory'
run 4 pack tree --budget all -o directory/
is [ -z "$(ls -A directory)" ]
end

begin 'into a directory that is not there'
run 4 pack tree --budget all -o nowhere/file.md
says 'nowhere/file.md: No such file or directory'
end

begin 'onto a FIFO'
mkfifo fifo
cat fifo >read.md &
reader=$!
run 0 pack tree --budget all -o fifo
wait $reader
same read.md want.md
is [ -p fifo ]
end

begin 'onto /dev/null'
run 0 pack tree --budget all -o /dev/null
is [ -c /dev/null ]
end

begin 'onto /dev/stdout'
run 0 pack tree --budget all -q -o /dev/stdout
same out want.md
end

begin 'into what is open: behind what is there, and before what comes'
for path in /dev/stdout /proc/self/fd/1; do
	(echo before && "$BALE" pack tree --budget all -q -o $path &&
		echo behind) >both
	same both <(echo before && cat want.md && echo behind)
	"$BALE" pack tree --budget all -q -o $path >>both
	is [ "$(tail -n +2 both | head -n -1 | wc -c)" -gt \
		"$(($(wc -c <want.md) * 3 / 2))" ]
done
for option in --report --audit-log -o; do
	(echo before >&3 && "$BALE" pack tree --budget 9k -q -o /dev/null \
		$option /dev/fd/3 && echo behind >&3) 3>both
	is [ "$(head -n 1 both)$(tail -n 1 both)" = beforebehind ]
	is [ "$(wc -l <both)" -gt 9 ]
done
end

begin 'an audit log on a device that somebody has locked'
(
	flock 9 # as whoever has that device open could
	run 0 pack tree --budget 9k -q -o /dev/null --audit-log /dev/zero
	[ -z "$why" ]
) 9</dev/zero
is [ $? = 0 ]
end

begin 'into a descriptor that nobody has opened, though bale opens one itself'
for option in --report --audit-log --metrics -o; do
	for fd in 3 5 7 9; do
		run 4 pack tree --budget 9k -q -o /dev/null $option /dev/fd/$fd
		says "cannot write /dev/fd/$fd: Bad file descriptor"
	done
done
end

begin 'onto a device that is full: one line says so'
run 4 pack tree --budget all -o /dev/full
says '/dev/full: No space left on device'
is [ "$(grep -c '^bale: ' err)" = 1 ]
run 4 pack tree --budget 40000 -o /dev/full
says '/dev/full: No space left on device'
is [ "$(grep -c '^bale: ' err)" = 1 ]
end

begin 'stdout is full'
for budget in all 50000; do
	"$within" 60 "$BALE" pack tree --budget $budget >/dev/full 2>err
	is [ $? = 4 ]
	says 'stdout: No space left on device'
	is [ "$(grep -c '^bale: ' err)" = 1 ]
done
end

begin 'stdout is closed: it is not taken for written'
for budget in all 50000; do
	"$within" 60 "$BALE" pack tree --budget $budget >&- 2>err
	is [ $? = 4 ]
	says 'stdout: '
done
end

begin 'stdout is closed, but the output is a file'
"$within" 60 "$BALE" pack tree --budget all -o file.md >&- 2>&- <&-
is [ $? = 0 ]
same file.md want.md
end

begin 'the reader has gone'
for budget in all 100000; do
	{
		"$within" 60 "$BALE" pack tree --budget $budget -q 2>err
		echo $? >code
	} | head -c 100 >part
	is [ "$(cat code)" = 141 ]
	is [ ! -s err ]
done
end

begin 'a slow reader gets it all'
mkfifo slow
setsid "$BALE" pack tree --budget all -q >slow 2>err &
pid=$!
{
	became_bale
	head -c 70000
	# it has written what goes into the pipe, and can do no more
	until_calm $pid
	cat
} <slow >read.md
same read.md want.md
await
is [ $code = 0 ]
end

begin 'inside the tree: never packed, the same bytes twice'
cp -r tree packed
run 0 pack packed --budget all --no-ignore --hidden -o packed/ctx.md
cp packed/ctx.md first.md
run 0 pack packed --budget all --no-ignore --hidden -o packed/ctx.md
same packed/ctx.md first.md
sed 's/^## File: packed/## File: tree/; s/(same as packed/(same as tree/' \
	first.md >renamed
same renamed want.md
"$BALE" pack packed --budget all --no-ignore --hidden -q >packed/ctx.md
same packed/ctx.md first.md
"$BALE" pack packed --budget all --no-ignore --hidden -q >>packed/ctx.md
cat first.md first.md >twice.md
same packed/ctx.md twice.md
rm -rf packed
end

begin 'a failing run leaves the old output alone'
cp want.md file.md
touch -d '2024-01-02' file.md
run 2 pack nowhere -o file.md
run 9 pack directory -o file.md
run 8 pack tree --budget 1 -o file.md
run 5 pack tree --memory 8M -o file.md
same file.md want.md
is [ "$(stat -c %Y file.md)" = "$(date -d '2024-01-02' +%s)" ]
end

# verifies: FR-016-129, FR-016-130
begin 'sections are set apart: an empty line, a header, a fence or a bar'
mkdir parted
for i in 1 2 3; do
	printf 'int a%d;\n## File: x.c (lines 1-1)\n```\n\n' $i >parted/$i.c
done
run 0 pack parted --budget all -q -o parted.md
is [ "$(awk '/^`+/ { if (!fence) { fence = $0; sub(/c$/, "", fence) }
		else if ($0 == fence) fence = ""; before = $0; next }
	!fence && /^## File: / { nr++; apart += NR == 1 || before == "" }
	{ before = $0 }
	END { print nr, apart }' parted.md)" = '3 3' ]
run 0 pack parted --budget all -q --format plain -o parted.txt
is [ "$(awk '/^=+ File: / { nr++; apart += NR == 1 || before == "" }
	{ before = $0 } END { print nr, apart }' parted.txt)" = '3 3' ]
end

begin 'a report that cannot be written'
run 4 pack tree --budget all -q -o file.md --report nowhere/report.json
says 'nowhere/report.json: No such file'
run 4 pack tree --budget all -q -o file.md --report directory
run 4 pack tree --budget all -q -o file.md --report /dev/full
says '/dev/full: No space left'
end

begin 'a limit on the size of files, of which all tables of a stage have a share'
few=(--budget 2000 --query line --reserve-response 0 --reserve-system 0)
"$BALE" pack tree "${few[@]}" --no-config -q -o want.few
wrap=(prlimit --fsize=20000000)
run 0 pack tree "${few[@]}" --no-config -q -o few
same few want.few
wrap=(prlimit --fsize=200000)
run 5 pack many "${few[@]}" -q -o few
says 'File too large: files are limited to 195 KiB; .*ulimit -f'
wrap=()
end

begin 'a limit on the size of files, below that of the output'
mkdir huge
"$tree" text huge/file.c 9000000
wrap=(prlimit --fsize=7000000)
run 4 pack huge --budget all --memory 64M --workers 1 -o file.md
says 'file.md: File too large'
same file.md want.md
wrap=()
rm -rf huge
end

# verifies: NFR-016-19
begin 'eight at once with one output: it is whole at any time'
rm -f file.md && cp want.md file.md
for i in 1 2 3 4 5 6 7 8; do
	"$within" 60 "$BALE" pack tree --budget all -q -o file.md --workers 1 \
		2>err.$i &
	pids[i]=$!
done
for _ in $(seq 50); do
	cmp -s file.md want.md || complain 'half an output can be seen'
done
for i in 1 2 3 4 5 6 7 8; do
	wait "${pids[i]}" || complain "one failed: $(cat err.$i)"
done
same file.md want.md
nothing_left $$.none
end

# no leak can be looked for in a process that is traced
if [ "$MODE" != asan ] && command -v strace >/dev/null; then
	begin 'the kernel gives no randomness: names need none'
	for error in EPERM ENOSYS; do
		wrap=(strace -fqq -e trace=getrandom \
			-e "inject=getrandom:error=$error" -o /dev/null)
		run 0 pack tree --budget all -q -o file.md --report r.json
		same file.md want.md
		run 0 pack tree --budget all --split 4000 -q -o part.md
		rm -rf back
		run 0 unpack part-*.md -C back
		is diff -r tree back/tree
	done
	wrap=()
	rm -f part-*
	end
else
	skip 'the kernel gives no randomness' 'no strace'
fi

if is_root && can_mount; then
	begin 'a full disk: the old output stays'
	mkdir small
	# shellcheck disable=SC2016  # for the inner shell
	for budget in all 300000; do
		wrap=(unshare -m bash -c '
			mount -t tmpfs -o size=200k none small || exit 99
			echo old >small/file.md
			"$@"
			code=$?
			[ "$(ls -A small)" = file.md ] || exit 98
			[ "$(cat small/file.md)" = old ] || exit 97
			exit $code' run)
		run 4 pack tree --budget $budget -o small/file.md
		says 'small/file.md: No space left on device'
	done
	wrap=()
	end

	begin 'a disk with room for the text, but not for its parts beside it'
	for size in 44 52 60 68; do
		# shellcheck disable=SC2016  # for the inner shell
		wrap=(env "size=${size}k" unshare -m bash -c '
			mount -t tmpfs -o size=$size none small || exit 99
			"$@"
			code=$?
			[ -z "$(ls -A small)" ] || exit 98
			exit $code' run)
		run 4 pack tree --budget 15000 --split 3000 -o small/file.md
		says 'small/file.*: No space left on device'
	done
	wrap=()
	end

	begin 'a file that is mounted cannot be replaced, and that is said'
	echo old >mounted.md
	# shellcheck disable=SC2016
	wrap=(unshare -m bash -c '
		echo outer >outer.md
		mount --bind outer.md mounted.md || exit 99
		"$@"
		code=$?
		[ "$(cat mounted.md)" = outer ] || exit 97
		exit $code' run)
	run 4 pack tree --budget all -o mounted.md
	says 'mounted.md: Device or resource busy'
	wrap=()
	end

	if [ "$MODE" = asan ]; then
		skip 'without /proc' 'the sanitizer reads it'
	else
		begin 'without /proc: the same bytes, by the same ignore rules'
		mkdir -p repo/sub
		git init -q repo 2>/dev/null || mkdir repo/.git
		echo '*.log' >repo/.gitignore
		echo text >repo/sub/text
		echo log >repo/sub/a.log
		wrap=(unshare -m bash -c '
			mount -t tmpfs none /proc || exit 99
			"$@"' run)
		run 0 pack tree --budget all -q -o file.md
		same file.md want.md
		run 0 pack tree --budget all -q -o file.md.zst
		run 0 pack tree --budget all --split 4000 -q -o part.md
		run 0 pack repo/sub --budget all -q -o file.md --report r.json \
			--metrics m.prom --audit-log a.jsonl
		is [ "$(grep -c '^## File' file.md)" = 1 ]
		cp file.md without.md
		wrap=()
		run 0 pack repo/sub --budget all -q -o file.md
		same file.md without.md
		rm -rf file.md.zst part-*
		end
	fi

	begin 'a read-only file system'
	mkdir -p sealed
	wrap=(unshare -m bash -c '
		mount -t tmpfs -o ro none sealed || exit 99
		"$@"' run)
	run 4 pack tree --budget all -o sealed/file.md
	says 'sealed/file.md: Read-only file system'
	wrap=()
	end
else
	skip 'a full disk, no /proc, a mounted file, a read-only one' \
		'cannot mount'
fi

finish
