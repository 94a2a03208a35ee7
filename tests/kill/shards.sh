#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Shards of one tree and their merge, ended at random moments. Without one of its
# workers a shard writes the same part, and a merge the same output; without its
# supervisor there is that, or nothing. What is left the next run removes.
#
# ROUNDS (8): kills of each worker, and of each kind of end

BALE=${BALE:-$PWD/${BUILD:-build}/${MODE:-release}/bale}
# shellcheck source=tests/system/lib.sh
. tests/system/lib.sh
rounds=${ROUNDS:-8}
RANDOM=${SEED:-27}
workers=(collect chunk.0 chunk.1 count.0 count.1 dedup select format)

mkdir tree parts want
"$tools/tool_tree" many tree 1500 6
"$tools/tool_tree" text tree/large.c 3000000
options=(--budget 60000 -q --workers 2 --memory 64M --max-file-size 100M)
shard=(pack tree --shard 1/3 "${options[@]}" -o made/file)
merge=(merge parts tree "${options[@]}" -o made/file)

# measure COMMAND: what it writes when nobody disturbs it, and how long it takes
measure() {
	local -n words=$1
	local begun

	mkdir made
	begun=$(date +%s%N)
	run 0 "${words[@]}"
	whole_ms=$((($(date +%s%N) - begun) / 1000000 + 1))
	mv made/file "want/$1"
	rmdir made
}

# disturb VICTIM COMMAND: starts it; how it ended is in $code
disturb() {
	local -n words=$2

	mkdir made
	start "${words[@]}"
	nap_random $whole_ms
	$1
	await
	# what lost its parent may take a moment to end
	until [ -z "$(group_members $pid)" ]; do sleep 0.02; done
}

kill_supervisor() {
	kill -"$signal" $pid 2>/dev/null
}

kill_worker() {
	local victim

	victim=$(worker "$name_of") && kill -KILL "$victim" 2>/dev/null &&
		happened=$((happened + 1))
}

# any process of the group: of a merge also that which reads the parts
kill_any() {
	local victims

	mapfile -t victims < <(group_members $pid)
	[ ${#victims[@]} = 0 ] || kill -KILL \
		"${victims[RANDOM % ${#victims[@]}]}" 2>/dev/null
}

# judge_file COMMAND: it is whole, and nothing is beside it
judge_file() {
	same made/file "want/$1"
	is [ "$(ls -A made)" = file ]
}

begin "three shards and their merge, undisturbed"
for i in 0 1 2; do
	run 0 pack tree --shard $i/3 "${options[@]}" -o parts
done
run 0 pack tree "${options[@]}" -o want/pack
measure merge
same want/merge want/pack
end

for command in shard merge; do
	begin "$command, undisturbed"
	[ -e want/$command ] && rm want/$command
	measure $command
	end
	for name_of in "${workers[@]}"; do
		begin "$command: kill -9 of $name_of, $rounds times"
		happened=0
		for ((round = 0; round < rounds ||
			(happened < 1 && round < 60); round++)); do
			disturb kill_worker $command
			[ $code = 0 ] || complain "exit code $code: $(cat err)"
			nothing_left $pid
			judge_file $command
			rm -r made
		done
		is [ $happened -ge 1 ]
		end
	done
	for signal in KILL TERM INT; do
		begin "$command: SIG$signal of the supervisor, $rounds times"
		for ((round = 0; round < 2 * rounds; round++)); do
			disturb kill_supervisor $command
			[ ! -e made/file ] || same made/file "want/$command"
			# only SIGKILL leaves anything, which the next run finds
			[ $signal = KILL ] ||
				is [ -z "$(find made -name '.*')" ]
			[ $code != 0 ] || judge_file $command
			[ $code = 0 ] || [ $code -gt 128 ] ||
				complain "exit code $code: $(cat err)"
			declare -n words=$command
			run 0 "${words[@]}"
			judge_file $command
			rm -r made
		done
		end
	done
	begin "$command: kill -9 of any process, $rounds times"
	for ((round = 0; round < 4 * rounds; round++)); do
		disturb kill_any $command
		[ ! -e made/file ] || same made/file "want/$command"
		[ $code = 0 ] || [ $code -gt 3 ] ||
			complain "exit code $code: $(cat err)"
		[ $code != 0 ] || judge_file $command
		rm -r made
	done
	end
done

finish
