#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Signals to the supervisor at any moment: it ends by that signal at once,
# leaving the old output, no process and no shared memory.

BALE=${BALE:-$PWD/${BUILD:-build}/${MODE:-release}/bale}
# shellcheck source=tests/system/lib.sh
. tests/system/lib.sh
tree=$tools/tool_tree
RANDOM=7

mkdir tree
"$tree" many tree 1200 5
begin_ns=$(date +%s%N)
run 0 pack tree --budget all -q -o want.md
whole_ms=$((($(date +%s%N) - begin_ns) / 1000000 + 1))
run 0 pack tree --budget 90000 -q -o want-100000.md
echo old >old.md

# disturbed WANT: the run ended by the signal, or was quicker than it.
disturbed() {
	local want=$1 whole=$2

	case $code in
	"$want")
		ended=$((ended + 1))
		# killed for good just behind the rename: whole and new
		[ "$want" = 137 ] && cmp -s file.md "$whole" ||
			same file.md old.md
		;;
	0) same file.md "$whole" ;;
	*) complain "exit code $code, not $want: $(head -c 300 err)" ;;
	esac
	nothing_left $pid
}

# verifies: NFR-016-40
for signal in INT:130 TERM:143 HUP:129; do
	for target in '' -; do
		begin "SIG${signal%:*} to the ${target:+group of the }supervisor"
		ended=0
		for round in {1..40}; do
			# the moments are random: until two ended it early
			[ $round -le 6 ] || [ $ended -lt 2 ] || break
			cp old.md file.md
			if [ $((round % 2)) = 0 ]; then
				start pack tree --budget all -q -o file.md
			else
				start pack tree --budget 90000 -q -o file.md
			fi
			nap_random $whole_ms
			kill -"${signal%:*}" -- "$target$pid" 2>/dev/null
			await
			if [ $((round % 2)) = 0 ]; then
				disturbed "${signal#*:}" want.md
			else
				disturbed "${signal#*:}" want-100000.md
			fi
		done
		is [ $ended -ge 2 ]
		end
	done
done

begin 'SIGTERM when the reader of stdout does not read'
mkfifo fifo
sleep infinity <fifo &
reader=$!
setsid env --default-signal "$BALE" pack tree --budget all -q >fifo 2>err &
pid=$!
became_bale
until_calm $pid
kill -TERM $pid
await
is [ $code = 143 ]
kill $reader
wait $reader 2>/dev/null
nothing_left $pid
end

begin 'the supervisor is killed: its workers go with it'
for round in 1 2 3 4 5 6 7 8; do
	cp old.md file.md
	start pack tree --budget all -q -o file.md
	nap_random $whole_ms
	kill -KILL $pid 2>/dev/null
	await
	until [ -z "$(group_members $pid)" ]; do
		nap 20
	done
	disturbed 137 want.md
done
run 0 pack tree --budget all -q -o file.md
same file.md want.md
end

begin 'all of it is stopped for longer than --stage-timeout, and goes on'
start pack tree --budget all -q -o file.md --stage-timeout 1
nap $((whole_ms / 3))
kill -STOP -- -$pid
nap 1500 # by the clock, which goes on
kill -CONT -- -$pid
await
is [ $code = 0 ]
same file.md want.md
nothing_left $pid
end

begin 'a signal that is ignored from the start stays so'
(
	trap '' HUP
	exec setsid "$BALE" pack tree --budget all -q -o file.md 2>err
) &
pid=$!
became_bale
nap_random $whole_ms
kill -HUP $pid
await
is [ $code = 0 ]
same file.md want.md
end

finish
