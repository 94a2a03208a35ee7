#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Little memory, few descriptors, small file systems: the same output, or a
# clear error with the code for it.

BALE=${BALE:-$PWD/${BUILD:-build}/${MODE:-release}/bale}
# shellcheck source=tests/system/lib.sh
. tests/system/lib.sh
tree=$tools/tool_tree

mkdir tree
"$tree" many tree 400 4
"$tree" text tree/large.c 1500000
run 0 pack tree --budget all -q
cp out want-all.md
mv out want.md
run 0 pack tree --budget 50000 -q
mv out want-50000.md

# same_output: both ways to pack, with the limit that wrap sets.
same_output() {
	run 0 pack tree --budget all -q "$@"
	same out want.md
	run 0 pack tree --budget 50000 -q "$@"
	same out want-50000.md
}

begin 'few descriptors'
for nofile in 64 32 24; do
	wrap=(prlimit --nofile=$nofile)
	same_output --workers 1
	same_output --workers 1 --io read
done
wrap=()
end

begin 'hardly any descriptors: a clear error, or the same output'
for nofile in 6 8 10 12 16 20; do
	"$within" 60 prlimit --nofile=$nofile "$BALE" pack tree --budget all \
		-q --workers 1 -o file.md 2>err
	code=$?
	case $code in
	0) same file.md want.md ;;
	4 | 5) is [ -s err ] ;;
	*) complain "exit code $code with $nofile: $(head -c 300 err)" ;;
	esac
	rm -f file.md
done
nothing_left $$.none
end

begin 'too few descriptors for any command: each says so'
for command in 'pack tree' 'preview tree' 'tree tree' 'count want.md' \
	'verify want.md' 'unpack want.md -C none' 'report want.md' \
	'config show' 'dedup want.md' 'window w list' 'compact want.md' models; do
	wrap=(prlimit --nofile=5)
	# shellcheck disable=SC2086  # words are wanted
	run 5 $command
	says 'no more than 5 files may be open, the least is 16; .*ulimit -n'
done
for command in 'pack tree' 'preview tree' 'tree tree'; do
	for nofile in 16 20 23; do
		wrap=(prlimit --nofile=$nofile)
		# shellcheck disable=SC2086  # words are wanted
		run 5 $command
		says "no more than $nofile files may be open, the least is 24;"
	done
	wrap=(prlimit --nofile=24)
	# shellcheck disable=SC2086
	run 0 $command --workers 1
done
mkdir roots
for i in {1..40}; do
	mkdir "roots/$i" && echo text >"roots/$i/file"
done
wrap=(prlimit --nofile=24)
run 5 pack roots/* --budget all -o file.md
says 'Too many open files: open files are limited to 24; .*ulimit -n'
wrap=(prlimit --nofile=24:256)
run 0 pack roots/* --budget all -o file.md
wrap=()
rm -r roots file.md
end

begin 'too small a stack: it grows if it may, or each command says so'
for stack in 65536 102400 262143; do
	for command in 'pack tree' 'count want.md' 'unpack want.md -C none' \
		'window w list' models; do
		wrap=(prlimit --stack=$stack)
		# shellcheck disable=SC2086  # words are wanted
		run 5 $command
		says "no more than $((stack >> 10)) KiB, the least is 256; .*ulimit -s"
	done
	wrap=(prlimit --stack=$stack:1048576)
	same_output --workers 2
done
# frames are larger where they are watched
[ "${MODE:-release}" = asan ] || wrap=(prlimit --stack=262144)
same_output --workers 2
printf '%2040s' '' | sed 's/ /[/g' >deep.json
printf '%2040s' '' | sed 's/ /]/g' >>deep.json
run 2 report deep.json
says 'it is not a report'
wrap=()
end

begin 'too little memory'
run 5 pack tree --budget all --memory 8M -o file.md
says 'memory'
run 5 pack tree --budget all --memory 20M --workers 16 -o file.md
says 'the least is'
is [ ! -e file.md ]
end

begin 'little memory: the same output, and the limit is kept'
for memory in 64 96; do
	same_output --workers 2 --memory ${memory}M --report report.json
	is [ "$(figure report.json peak_pss_bytes)" -le $((memory << 20)) ]
done
end

begin 'no $TMPDIR'
was=$TMPDIR
export TMPDIR=$T/nowhere
run 5 pack tree --budget all -o file.md
says 'TMPDIR|nowhere'
is [ ! -e file.md ]
TMPDIR=
same_output
unset TMPDIR
same_output
export TMPDIR=$was
end

if is_root && can_mount; then
	# shellcheck disable=SC2016  # for the inner shell
	in_mount='mount -t tmpfs -o size=$0 none "$1" || exit 99
		shift; "$@"'

	begin 'no /dev/shm to write in'
	# shellcheck disable=SC2016
	wrap=(unshare -m bash -c '
		mount -t tmpfs -o ro none /dev/shm || exit 99; "$@"' run)
	same_output
	wrap=()
	end

	begin 'a full $TMPDIR'
	mkdir full
	mkdir big && "$tree" many big 1600 4
	for budget in 50000 all; do
		"$BALE" pack big --budget $budget -q -o want.big-$budget
	done
	for size in 4k 64k 300k; do
		wrap=(unshare -m bash -c "$in_mount" $size full
			env TMPDIR="$T/full")
		run 5 pack big --budget all -o file.md
		says 'No space left|TMPDIR'
		run 5 pack big --budget 50000 -o file.md
		says 'No space left|TMPDIR'
		is [ ! -e file.md ]
		# what is said of few files needs less: then it is all there
		for budget in 50000 all; do
			"$within" 60 "${wrap[@]}" "$BALE" pack tree -q \
				--budget $budget -o file.md >got 2>err
			code=$?
			if [ $code = 0 ]; then
				same file.md want-$budget.md
			else
				is [ $code = 5 ]
				says 'No space left|TMPDIR'
				is [ ! -e file.md ]
			fi
			rm -f file.md
		done
	done
	wrap=()
	end

	# each table has its turn to be the one that cannot grow
	begin 'a $TMPDIR of almost any size, with parts'
	for size in $(seq 1500 500 4500); do
		wrap=(unshare -m bash -c "$in_mount" ${size}k full
			env TMPDIR="$T/full")
		"$within" 60 "${wrap[@]}" "$BALE" pack tree --budget all -q \
			--split 9000 -o parts.md >got 2>err
		code=$?
		is [ $code = 0 -o $code = 5 ]
		[ $code = 0 ] || says 'TMPDIR'
		is [ -z "$(grep 'killed by\|ended with' err)" ]
		is [ $code = 0 -o ! -e parts.md.manifest.json ]
		rm -f parts*
	done
	wrap=()
	end

	# whatever comes first that has no room, no worker dies of it; last of all
	# it is the report, which says where it is kept
	begin 'a $TMPDIR of any size, from nothing up to enough'
	step=200
	[ "${LONG:-0}" = 0 ] || step=20
	for budget in 50000 all; do
		code=5 size=400
		: >all_err
		while [ $code = 5 ] && [ $size -lt 20000 ]; do
			wrap=(unshare -m bash -c "$in_mount" ${size}k full
				env TMPDIR="$T/full")
			"$within" 60 "${wrap[@]}" "$BALE" pack big -q -o file.md \
				--budget $budget >got 2>err
			code=$?
			[ $code = 0 ] || says 'TMPDIR'
			cat err >>all_err
			size=$((size + step))
		done
		is [ $code = 0 ]
		same file.md want.big-$budget
		is [ -z "$(grep 'killed by\|ended with' all_err)" ]
		is [ "$(grep -c "report on the files.*: No space left on device: \
it is kept in $T/full; set TMPDIR to where there is room" all_err)" -gt 0 ]
		rm -f file.md
	done
	wrap=()
	end

	begin 'a $TMPDIR that fills up while stdout is written'
	wrap=(unshare -m bash -c "$in_mount" 2m full env TMPDIR="$T/full")
	"$within" 60 "${wrap[@]}" "$BALE" pack tree --budget all >got 2>err
	code=$?
	is [ $code = 4 -o $code = 5 ]
	says 'No space left'
	wrap=()
	end

	if [ "$MODE" = asan ]; then
		skip 'no /proc' 'a sanitizer needs it'
	else
		begin 'no /proc'
		# shellcheck disable=SC2016
		wrap=(unshare -m bash -c '
			mount -t tmpfs none /proc || exit 99; "$@"' run)
		"$within" 60 "${wrap[@]}" "$BALE" pack tree --budget all -q -o file.md \
			2>err
		code=$?
		case $code in
		0) same file.md want.md ;;
		4 | 5) is [ -s err ] ;;
		*) complain "exit code $code: $(head -c 300 err)" ;;
		esac
		rm -f file.md
		wrap=()
		end
	fi
else
	skip 'small file systems' 'cannot mount'
fi

begin 'an address space limit: a clear error, or the same output'
if [ "$MODE" = asan ] || [ "$MODE" = tsan ]; then
	skip 'an address space limit' 'a sanitizer needs much of it'
else
	for as in 30 60 100 150 200 400; do
		"$within" 60 prlimit --as=$((as << 20)) "$BALE" pack tree \
			--budget all -q --workers 1 -o file.md 2>err
		code=$?
		case $code in
		0) same file.md want.md ;;
		5) says 'address space is limited' ;;
		*) complain "exit code $code, $as MB: $(head -c 300 err)" ;;
		esac
		rm -f file.md
	done
	nothing_left $$.none
	end
fi

begin 'a limit on the size of files: each command says so, and none is killed'
run 0 pack tree --budget all -q -o file.md
for command in 'verify file.md' 'unpack file.md -C back' \
	'report --html page.html' 'report --last --json' \
	'config init --config new.yml' 'cache export kept.bale tree'; do
	rm -rf back
	# shellcheck disable=SC2086  # words
	prlimit --fsize=512 "$BALE" $command >out 2>err
	code=$?
	case $code in
	2 | 4 | 5) says 'files are limited to 0 KiB; raise the limit' ;;
	0) ;; # to a pipe, or in memory
	*) complain "$command: exit code $code: $(head -c 300 err)" ;;
	esac
done
rm -f file.md
end

finish
