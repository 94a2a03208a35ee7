#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Commands without workers are shut in as well: each of them, in each layer that
# there is; and --sandbox means to them what it means to pack. LONG=1: each
# command with each layer refused in each way, else one of them each.

# shellcheck source=tests/support/lib.sh
. tests/support/lib.sh
deny=${BALE%/*}/tests/support/tool_deny
[ -x "$deny" ] || skip_all "$deny is not built"
"$deny" EPERM seccomp true || skip_all no filter of system calls can be set
"$BALE" --version | grep -q '^sandbox: no_new_privs landlock seccomp capabilities$' ||
	skip_all "$("$BALE" --version | tail -1)"

mkdir -p "$dir/run/tree" && cd "$dir/run" || exit 1
echo 'int main(void);' >tree/main.c
"$BALE" pack --budget all -q --no-last -o pack.md --report report tree
"$BALE" pack --budget all -q --no-last --split 1k -o parts.md tree
echo '[{"path":"a","lines":"1-5","rank":1}]' >chunks.json
echo '[{"role":"user","content":"text"}]' >chat.json
echo 'text' | "$BALE" window window.json add >/dev/null
"$BALE" rounds usage usage.json record --round 1 --input 5 --budget 9
mkdir -p .agent && echo 'context: {budget: {total: 50k}}' >.agent/config.yml
echo '{"rounds":[]}' >round.json

# A line each: the input, and the command.
commands='/dev/null count pack.md
/dev/null count --encoding cl100k_base pack.md report
/dev/null verify pack.md
/dev/null verify --against report pack.md
/dev/null verify parts.md.manifest.json
/dev/null unpack --force -C out parts.md.manifest.json
/dev/null report report
/dev/null report report --html page.html
/dev/null dedup chunks.json
/dev/null unpack --force -C out pack.md
/dev/null config validate
/dev/null config show
/dev/null window window.json list
/dev/null window window.json build
chat.json window window.json add --events events
chat.json compact --check --model gpt-4o
chat.json compact --model gpt-4o
/dev/null compact --model gpt-4o --in-place chat.json
/dev/null rounds usage usage.json report
/dev/null rounds usage usage.json record --round 1 --input 5 --budget 9
/dev/null pack -q --no-last --template template tree'
printf '{{#files}}{{path}}{{content}}{{/files}}' >template

# run WRAP... -- INPUT COMMAND...: exit code, what was printed, codes said
run() {
	local wrap=()
	while [ "$1" != -- ]; do
		wrap+=("$1")
		shift
	done
	shift
	rm -rf out page.html events
	"$within" 60 "${wrap[@]}" "$BALE" "${@:2}" <"$1" >../out 2>../err
	printf '%s %s' $? "$(grep -o 'BALE-SBX-00[0-9]' ../err | sort | uniq -c | xargs)"
}

# What it printed, without what is new each time.
printed() {
	sed -E 's/[0-9a-f]{8}-[0-9a-f-]{27}/UUID/g' ../out
}

# refused ERROR CALLS: what a command does that is in $input and $command
refused() {
	# shellcheck disable=SC2086  # words are wanted
	{
		is "$(run "$deny" $1 $2 -- $input $command)" '0 1 BALE-SBX-001' \
			"auto, $1 of $2: $command"
		is "$(printed | cmp - ../want 2>&1)" '' "prints the same: $command"
		is "$(run "$deny" $1 $2 -- $input $command --sandbox=require)" \
			'5 1 BALE-SBX-002' "require, $1 of $2: $command"
	}
}

ways=('EPERM landlock_create_ruleset' 'ENOSYS seccomp'
	'EPERM seccomp' 'ENOSYS landlock_create_ruleset')
i=0
while read -r input command; do
	# shellcheck disable=SC2086  # words are wanted
	{
		is "$(run -- $input $command --sandbox=off)" '0 ' "off: $command"
		printed >../want
		is "$(run -- $input $command)" '0 ' "auto: $command"
		is "$(printed | cmp - ../want 2>&1)" '' "prints the same: $command"
		i=$((i + 1))
		if [ "${LONG:-0}" = 0 ]; then
			refused ${ways[i % 4]}
			continue
		fi
		is "$(run -- $input $command --sandbox=require)" '0 ' \
			"require: $command"
		for way in "${ways[@]}"; do
			refused $way
		done
		is "$(run "$deny" EPERM seccomp,landlock_add_rule -- $input \
			$command --no-sandbox)" '0 ' "off, none of two layers: $command"
	}
done <<<"$commands"

# ---- what a process has given up while it waits for its input -----------------

mkfifo input
exec 9<>input

# shut COMMAND...: of a process that reads input, or its child: its layers
shut() {
	local pid reads
	"$BALE" "$@" <input >../out 2>../err &
	pid=$!
	# until it has given up what it gives up, or is at its end
	reads=$pid
	until grep -q '^Seccomp:.*2' /proc/$reads/status 2>/dev/null; do
		kill -0 $pid 2>/dev/null || break
		reads=$pid
		[ "$1" != unpack ] ||
			read -r reads _ <"/proc/$pid/task/$pid/children"
	done 2>/dev/null
	sed -n 's/^\(NoNewPrivs\|Seccomp\):\t//p' /proc/$reads/status 2>/dev/null |
		xargs
	kill $pid
	wait $pid 2>/dev/null
}

while read -r command; do
	# shellcheck disable=SC2086  # words are wanted
	is "$(shut $command)" '1 2' "it is shut in when it reads: $command"
done <<END
count -
verify -
unpack -
report -
dedup -
compact --model gpt-4o
compact --model gpt-4o --summarizer cat
rounds compress
window window.json add
window window.json restore
END
exec 9>&-

# ---- what it was to do, it does ------------------------------------------------

ln -s window.json link.json
mkdir private && cp window.json private && chmod 700 private
is "$("$BALE" window private/window.json list)" "$("$BALE" window window.json list)" \
	'a window elsewhere'
is "$(echo more | "$BALE" window link.json add --events events | wc -l)" 1 \
	'a window that is named by a link'
is "$([ -L link.json ] && wc -l <events)" 1 'the link stays, and there is an event'
"$BALE" window new.json remove none 2>../err
is "$? $(ls new.json 2>/dev/null)" '2 ' 'none is made to be read'
echo | "$BALE" window new.json add --type none 2>../err
is "$? $(ls new.json 2>/dev/null)" '2 ' 'nor left that could not be written'
is "$("$BALE" verify /dev/stdin <pack.md | grep -c tokens)" 1 'a file by its descriptor'
is "$("$BALE" report <(cat report) | grep -c 'Total Context')" 1 'a pipe by its name'
is "$("$BALE" count pack.md . 2>&1 >/dev/null | grep -c 'Is a directory')" 1 \
	'a directory is said to be one'
is "$("$BALE" verify none 2>&1 | grep -c 'No such file')" 1 \
	'a file that is not there is said to be missing'
for command in 'window window.json list' compact 'rounds compress'; do
	# shellcheck disable=SC2086  # words are wanted
	is "$("$BALE" $command --sandbox=auto --no-sandbox </dev/null 2>&1 |
		grep -c BALE-CLI-005)" 1 "$command: what contradicts is refused"
done
is "$(BALE_NO_SANDBOX=1 "$deny" EPERM seccomp "$BALE" window window.json list \
	--sandbox=auto 2>&1 | grep -c BALE-SBX-001)" 1 \
	'the command line comes before the environment'
done_testing
