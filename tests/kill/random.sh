#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Ends each worker in turn at random moments, by kill -9 and otherwise: the
# output is that of an undisturbed run, the exit code 0, and the report says
# that the deaths happened. ROUNDS (20) for each worker.

BALE=${BALE:-$PWD/${BUILD:-build}/${MODE:-release}/bale}
# shellcheck source=tests/system/lib.sh
. tests/system/lib.sh
rounds=${ROUNDS:-20}
RANDOM=${SEED:-11}
workers=(collect chunk.0 chunk.1 count.0 count.1 dedup select format)

mkdir tree
"$tools/tool_tree" many tree 3000 6
"$tools/tool_tree" text tree/large.c 8000000
common=(-q --workers 2 --memory 64M --max-file-size 100M)

# choose BUDGET: the options of a run; "query" is one that uses a kept survey.
choose() {
	options=(--budget "$1")
	[ "$1" != query ] ||
		options=(--budget 60000 --query 'return the line of text' \
			--cache on)
}

# measure BUDGET: the undisturbed output, and how long it takes.
measure() {
	local begun

	choose "$1"
	begun=$(date +%s%N)
	run 0 pack tree "${options[@]}" "${common[@]}" -o "want-$1.md"
	whole_ms=$((($(date +%s%N) - begun) / 1000000 + 1))
}

# judge_run BUDGET DEATHS
judge_run() {
	local died=0

	[ $code = 0 ] || complain "exit code $code: $(head -c 600 err)"
	same file.md "want-$1.md"
	nothing_left $pid
	[ -e report.json ] && died=$(deaths report.json)
	[ "$died" = "$2" ] || complain "$died deaths, not $2"
}

# kill_one SIGNAL BUDGET WORKER: one run, ended once if it lasts so long.
kill_one() {
	local victim

	rm -f file.md report.json
	choose "$2"
	start pack tree "${options[@]}" "${common[@]}" -o file.md \
		--report report.json
	nap_random $whole_ms
	victim=$(worker "$3")
	if [ -n "$victim" ] && kill -"$1" "$victim" 2>/dev/null; then
		await
		died=$(deaths report.json 2>/dev/null)
		happened=$((happened + died))
		# it may have been over for this worker already
		judge_run "$2" "${died:-0}"
		[ "${died:-0}" -le 1 ] || complain "$died deaths of one"
	else
		await
		judge_run "$2" 0
	fi
}

for budget in all 60000 query; do
	begin "undisturbed, $budget"
	measure $budget
	end
	for name_of in "${workers[@]}"; do
		begin "kill -9 of $name_of, $budget, $rounds times"
		happened=0
		# as often as it takes: moments are shares of how long an
		# undisturbed run took, and the machine may be another by now
		for ((round = 0; round < rounds ||
			(happened < rounds / 4 && round < 10 * rounds); round++)); do
			kill_one KILL $budget "$name_of"
		done
		is [ $happened -ge $((rounds / 4)) ]
		end
	done
	for signal in SEGV ABRT BUS; do
		begin "SIG$signal of each worker, $budget"
		happened=0
		for ((round = 0; round == 0 ||
			(happened < 2 && round < 10); round++)); do
			for name_of in "${workers[@]}"; do
				kill_one $signal $budget "$name_of"
			done
		done
		is [ $happened -ge 2 ]
		end
	done
	begin "many kills in one run, $budget"
	happened=0
	for round in 1 2 3 4 5; do
		rm -f file.md report.json
		# from the second of these on, most files are in a kept survey
		start pack tree "${options[@]}" "${common[@]}" -o file.md \
			--report report.json --cache on
		for ((i = 0; i < 25; i++)); do
			nap_random 40
			# three deaths in a row before the first step end a run
			victim=$(worker "${workers[RANDOM % 8]}") &&
				has_begun "$victim" &&
				kill -KILL "$victim" 2>/dev/null
		done
		await
		died=$(deaths report.json)
		happened=$((happened + died))
		judge_run $budget "$died"
	done
	is [ $happened -ge 10 ]
	end
done

# stop_each BUDGET: one run for each worker, which stands still in it.
stop_each() {
	local victim died

	for name_of in "${workers[@]}"; do
		rm -f file.md report.json
		start pack tree --budget "$1" "${common[@]}" -o file.md \
			--report report.json --stage-timeout 1
		nap $((whole_ms / 4 + RANDOM % (whole_ms / 3 + 1)))
		victim=$(worker "$name_of")
		[ -z "$victim" ] || kill -STOP "$victim"
		await
		died=$(deaths report.json)
		happened=$((happened + died))
		judge_run "$1" "$died"
	done
}

for budget in all 60000; do
	begin "SIGSTOP of each worker, $budget: it is replaced"
	measure $budget
	happened=0
	stop_each $budget
	for ((round = 1; happened < 4 && round < 10; round++)); do
		stop_each $budget
	done
	is [ $happened -ge 4 ]
	end
done

finish
