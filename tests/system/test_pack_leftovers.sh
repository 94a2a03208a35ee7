#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Nothing is left behind: what a killed run leaves the next one removes, and
# never anything else; several runs on one output at once leave that of one of
# them. With nameless files and where there are none. LONG=1: more of each.

BALE=${BALE:-$PWD/${BUILD:-build}/${MODE:-release}/bale}
# shellcheck source=tests/system/lib.sh
. tests/system/lib.sh
RANDOM=5
calls=(renameat:9)
at_once=(4)
[ "${LONG:-0}" = 0 ] || {
	calls=(renameat:1 renameat:9 renameat:40 unlinkat:3 mkdirat:2)
	at_once=(2 8)
}

mkdir tree other
"$tools/tool_tree" many tree 30 5
"$tools/tool_tree" many other 20 6
wrapped() {
	"${wrap[@]}" "$BALE" "$@"
}
all=(-q --no-last --budget all)

# hidden: what lies in ./made without being for a user
hidden() {
	find made -mindepth 1 -name '.*'
}

# is_whole: the set of parts is complete, and there is nothing else
is_whole() {
	is "$BALE" verify made/o.md.manifest.json
	is [ "$(find made -name 'o-*.md' | wc -l)" = \
		"$(grep -c '"file"' made/o.md.manifest.json)" ]
	is [ -z "$(hidden)" ]
}

# stopped FILE ARGS...: a run that stands still when there is such a file; false:
# it was quicker. Where files have no names, anywhere.
stopped() {
	local file=$1

	shift
	start "$@"
	until [ -z "$way" ] && [[ $file = *[*]* ]] || compgen -G "$file" >/dev/null ||
		[ ! -e "/proc/$pid/task/$pid/children" ]; do
		:
	done
	kill -STOP -- -$pid 2>/dev/null
	# a signal is on its way for a while
	until [[ $(cat "/proc/$pid/stat" 2>/dev/null) != *') '[RDS]' '* ]]; do
		:
	done
	if [ -z "$way" ] && [[ $file = *[*]* ]] || compgen -G "$file" >/dev/null; then
		return 0
	fi
	kill -CONT -- -$pid 2>/dev/null
	await 60
	return 1
}

# killed CALL:N ARGS...: at its n-th system call of that name
killed() {
	local call=${1%:*} n=${1#*:}

	shift
	{
		strace -o /dev/null -e trace="$call" -e \
			inject="$call:signal=KILL:when=$n" \
			"${wrap[@]}" "$BALE" "$@"
	} >/dev/null 2>&1
}

for way in '' "$tools/tool_no_tmpfile"; do
	wrap=(${way:+"$way"})
	how=${way:+, without nameless files}
	if [ -n "$way" ] && ! "$way" true; then
		skip "all of it$how" 'seccomp cannot be used here'
		continue
	fi

	# ------------------------------------------------------------- killed --

	begin "killed at random: the next run on the output removes it$how"
	rm -rf made && mkdir made
	run 0 pack tree "${all[@]}" -o want.md
	left=0
	# the moments are random: until one left something, where it can
	for i in {1..40}; do
		[ $i -le 3 ] || { [ -n "$way" ] && [ $left = 0 ]; } || break
		start pack tree "${all[@]}" -o made/o.md \
			--report made/report.json
		nap $((RANDOM % 50))
		kill -KILL $pid 2>/dev/null
		await 10
		# its workers die after it, and hold its lock until then
		while kill -0 -- -$pid 2>/dev/null; do
			sleep 0.02
		done
		left=$((left + $(hidden | wc -l)))
	done
	[ -z "$way" ] || is [ $left -gt 0 ]
	run 0 pack tree "${all[@]}" -o made/o.md --report made/report.json
	same made/o.md want.md
	is [ "$(ls -A made | tr '\n' ' ')" = 'o.md report.json ' ]
	end

	begin "what a run that is at work has is left alone$how"
	rm -rf made && mkdir made
	until stopped 'made/.o.md.*.tmp' pack tree "${all[@]}" -o made/o.md &&
		{ [ -z "$way" ] || ! flock -n "$(hidden)" true; }; do
		# it has made the file, and did not come to say so
		kill -KILL -- -$pid 2>/dev/null
		await 60
		rm -f made/.o*
	done
	is wrapped pack other "${all[@]}" -o made/o.md
	[ -z "$way" ] || is [ -n "$(hidden)" ]
	kill -CONT -- -$pid
	await 60
	is [ $code = 0 ]
	same made/o.md want.md
	is [ -z "$(hidden)" ]
	end

	begin "parts: what a run that is at work has is left alone$how"
	rm -rf made && mkdir made
	until stopped made/.o.md.parts.tmp/o-001.md pack tree "${all[@]}" \
		--split 1000 -o made/o.md; do
		:
	done
	is wrapped pack other "${all[@]}" -o made/o.md
	is [ -e made/.o.md.parts.tmp/o-001.md ]
	kill -CONT -- -$pid
	await 60
	is [ $code = 0 ]
	rm made/o.md
	is_whole
	end

	# -------------------------------------------------------------- parts --

	begin "parts: killed at random$how"
	rm -rf made && mkdir made
	run 0 pack tree "${all[@]}" --split 1000 -o made/o.md
	for i in {1..3}; do
		start pack other "${all[@]}" --split 900 -o made/o.md
		nap $((RANDOM % 100))
		kill -KILL $pid 2>/dev/null
		await 10
		[ ! -e made/o.md.manifest.json ] ||
			is "$BALE" verify made/o.md.manifest.json
	done
	# any run on that output, be it in one file
	run 0 pack tree "${all[@]}" -o made/o.md
	rm made/o.md
	is_whole
	end

	if command -v strace >/dev/null; then
		for call in "${calls[@]}"; do
			begin "parts: killed at ${call%:*} ${call#*:}$how"
			rm -rf made && mkdir made
			run 0 pack tree "${all[@]}" --split 1000 -o made/o.md
			cp -a made before
			killed "$call" pack other "${all[@]}" --split 1000 \
				-o made/o.md
			[ ! -e made/o.md.manifest.json ] ||
				is "$BALE" verify made/o.md.manifest.json
			run 0 pack tree "${all[@]}" -o made/o.md
			rm made/o.md
			# as before, or the new one, with all that belongs to it
			[ ! -e made/o.md.manifest.json ] || is_whole
			cmp -s made/o.md.manifest.json \
				before/o.md.manifest.json ||
				is grep -q '^{"file"' made/o.md.manifest.json
			is [ -z "$(hidden)" ]
			run 0 pack other "${all[@]}" --split 1500 -o made/o.md
			is_whole
			rm -rf before
			end
		done
		begin "a file: killed between its two names$how"
		rm -rf made && mkdir made
		echo old >made/o.md
		echo mine >made/.o.md.0123456789abcdef.tmp
		echo mine >made/.o.md.tmp
		killed renameat2:1 pack tree "${all[@]}" -o made/o.md
		# before it or just after: then there is no name but its own
		is [ "$(hidden | wc -l)" -ge 2 ]
		wrapped pack tree "${all[@]}" -o made/o.md
		same made/o.md want.md
		is [ "$(cat made/.o.md.*)" = mine$'\n'mine ]
		is [ "$(hidden | wc -l)" = 2 ]
		rm -rf made
		end
	fi

	# --------------------------------------------------------- at the same time --

	for nr in "${at_once[@]}"; do
		begin "$nr runs at once on one output in parts$how"
		rm -rf made && mkdir made
		for ((i = 0; i < nr; i++)); do
			[ $((i % 2)) = 0 ] && from=tree || from=other
			setsid env --default-signal ${wrap[@]+"${wrap[@]}"} \
				"$BALE" pack $from "${all[@]}" \
				--split $((900 + 200 * i)) -o made/o.md 2>err.$i &
			pids[i]=$!
		done
		# one of them does not come to its end, its workers neither
		pid=${pids[1]} && became_bale
		[ $nr = 2 ] || kill -KILL -- -$pid 2>/dev/null
		for ((i = 0; i < nr; i++)); do
			wait ${pids[i]} 2>/dev/null
			code=$?
			[ $code = 0 ] || [ $i = 1 ] ||
				complain "run $i: $code: $(cat err.$i)"
		done
		run 0 pack tree "${all[@]}" -o made/o.md
		rm made/o.md
		is_whole
		rm -rf back
		run 0 unpack made/o-*.md -C back -q
		is diff -r "$(ls back)" "back/$(ls back)"
		rm -f err.*
		end
		begin "$nr runs at once on one output$how"
		rm -rf made && mkdir made
		run 0 pack other "${all[@]}" -o other.md
		for ((i = 0; i < nr; i++)); do
			[ $((i % 2)) = 0 ] && from=tree || from=other
			wrapped pack $from "${all[@]}" -o made/o.md &
			pids[i]=$!
		done
		for ((i = 0; i < nr; i++)); do
			wait ${pids[i]} || complain "run $i: $?"
		done
		cmp -s made/o.md want.md || same made/o.md other.md
		is [ "$(ls -A made)" = o.md ]
		end
	done
done
wrap=()
finish
