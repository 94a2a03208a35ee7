#!/bin/bash
# SPDX-License-Identifier: MIT
#
# A signal at any step of the supervisor, and to the other commands: while it
# reads what it is given, when its workers are gone, while it says something
# and nobody reads. It ends by that signal at once, and all is as it was.
# LONG=1: each signal everywhere.

BALE=${BALE:-$PWD/${BUILD:-build}/${MODE:-release}/bale}
# shellcheck source=tests/system/lib.sh
. tests/system/lib.sh

mkdir tree
"$tools/tool_tree" many tree 200 5
all=(INT:130 TERM:143 HUP:129)
nr=0

# next_signals: those that the next case is tried with, in $signals
next_signals() {
	signals=("${all[nr++ % 3]}")
	[ "${LONG:-0}" = 0 ] || signals=("${all[@]}")
}

# asleep: returns when the supervisor waits for something, or is gone
asleep() {
	local rest=R

	while [ "${rest:0:1}" != S ] && [ -n "$rest" ]; do
		rest=
		{ read -r rest <"/proc/$pid/stat"; } 2>/dev/null
		rest=${rest##*) }
	done
}

# ------------------------------------------------ after the workers are gone --
# What cannot be compressed takes long to compress; what comes then is as old as
# before, whatever the supervisor is at.

mkdir noise
head -c 1000000 /dev/urandom | base64 >noise/a.txt

# workers_gone: returns when the supervisor is alone, after it had workers; they
# may have come and gone unseen
workers_gone() {
	local kids='' end=$((SECONDS + 5))

	while [ -z "$kids" ] && [ $SECONDS -lt $end ] &&
		[ -e /proc/$pid/task ]; do
		{ read -r kids <"/proc/$pid/task/$pid/children"; } 2>/dev/null
	done
	while [ -n "$kids" ] && [ -e /proc/$pid/task ]; do
		kids=
		{ read -r kids <"/proc/$pid/task/$pid/children"; } 2>/dev/null
	done
}

# parts_begun: returns when the third part is written, or all are
parts_begun() {
	until [ -e made/.o.md.parts.tmp/o-003.md ] || [ ! -e /proc/$pid/task ]; do
		:
	done
}

# late SIGNAL:WANT WAIT ARGS...: runs that are ended when WAIT returns, until
# two were not quicker than the signal; by one, or as many as $at_once
at_once=1
late() {
	local signal=${1%:*} want=${1#*:} wait=$2 ended=0 i

	shift 2
	for _ in {1..40}; do
		[ $ended -lt 2 ] || break
		rm -rf made && cp -a before made
		start pack noise --budget all -q --max-file-size 1G "$@"
		$wait
		for ((i = 0; i < at_once; i++)); do
			kill -"$signal" $pid 2>/dev/null
		done
		await 10
		case $code in
		"$want")
			ended=$((ended + 1))
			is diff -r before made
			;;
		0) ;;
		*) complain "exit code $code, not $want: $(head -c 300 err)" ;;
		esac
		nothing_left $pid
	done
	[ $ended -ge 2 ] || complain 'it was always quicker'
}

# verifies: NFR-016-40
mkdir before
echo old >before/o.md.zst
signals=(INT:130 QUIT:131)
[ "${LONG:-0}" = 0 ] || signals=("${all[@]}" QUIT:131)
for signal in "${signals[@]}"; do
	begin "SIG${signal%:*} while the output is compressed"
	late "$signal" workers_gone -o made/o.md.zst
	end
done

begin 'two signals, one after the other'
at_once=2
late INT:130 workers_gone -o made/o.md.zst
at_once=1
end

rm -rf before made && mkdir made
run 0 pack tree --budget all --split 50k -q -o made/o.md
mv made before
for signal in INT:130 TERM:143; do
	begin "SIG${signal%:*} while parts are written"
	late "$signal" parts_begun --split 20k -o made/o.md
	end
done
rm -rf before made noise

# --------------------------------------------------------- before the workers --
# What is read comes from a pipe that says nothing.

mkfifo silent
exec 8<>silent

# silenced ARGS...: with stdin from it; ended by a signal at once
silenced() {
	local signal

	begin "silent: bale $*"
	next_signals
	for signal in "${signals[@]}"; do
		setsid env --default-signal "$BALE" "$@" <silent >out 2>err &
		pid=$!
		became_bale
		asleep
		kill -"${signal%:*}" $pid 2>/dev/null
		await 10
		[ $code = "${signal#*:}" ] ||
			complain "exit code $code: $(head -c 300 err)"
		nothing_left $pid
	done
	end
}

pack=(pack tree -q -o file.md)
silenced "${pack[@]}" --files-from -
silenced "${pack[@]}" --sources -
silenced "${pack[@]}" --tool -
silenced "${pack[@]}" --search -
silenced "${pack[@]}" --query @/dev/stdin
silenced "${pack[@]}" --header @/dev/stdin
silenced "${pack[@]}" --template /dev/stdin
silenced "${pack[@]}" --split 4000 --files-from -
silenced count
silenced count silent
silenced verify -
silenced unpack - -C unpacked
silenced report -
silenced dedup - --threshold 0.8
silenced window w.json add
silenced compact
rm -rf unpacked
exec 8>&-

# ---------------------------------------------------- nobody reads what is said --

# unread WAIT ARGS...: stdout and stderr are a pipe that is full; the signal
# comes when WAIT has returned and it waits for a reader
unread() {
	local wait=$1

	shift
	begin "nobody reads: bale ${*:1:2}"
	rm -f file.md
	mkfifo full
	exec 7<>full
	head -c 65536 /dev/zero >&7
	setsid env --default-signal "$BALE" "$@" >&7 2>&7 &
	pid=$!
	became_bale
	$wait
	asleep
	kill -INT $pid
	await 10
	# or it has only to tell of a result that stands
	[ $code = 130 ] || { [ $code = 0 ] && [ -s file.md ]; } ||
		complain "exit code $code"
	: >err
	nothing_left $pid
	exec 7>&-
	rm full
	end
}

unread asleep pack tree --budget all --log-level debug -o file.md
unread workers_gone preview tree --budget 90000
unread workers_gone preview tree --budget 90000 --json
unread workers_gone tree tree
unread asleep count tree/*/*

finish
