#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Options that read a file do not wait for a FIFO that nobody writes to, and
# take what is piped on purpose. Operands are read as cat reads them: from a
# FIFO as well, which waits for who writes to it, up to a signal.

# shellcheck source=tests/support/lib.sh
. tests/support/lib.sh
cd "$dir" || exit 1
mkdir t
echo 'int main(void);' >t/main.c
"$BALE" pack t --budget all -q -o packed --report report.json
mkfifo fifo
ln -s fifo link.json

while read -r command; do
	for fifo in fifo "$dir/fifo" link.json; do
		# shellcheck disable=SC2086  # words are wanted
		"$within" 30 "$BALE" ${command//FILE/$fifo} >out 2>err
		is "$? $(grep -c "$fifo: is a FIFO or a socket: name a file" err)" \
			'2 1' "refused: ${command//FILE/$fifo}"
	done
done <<'END'
pack t -q --query @FILE
pack t -q --header @FILE
pack t -q --instructions FILE
pack t -q --template FILE
pack t -q --files-from FILE
verify packed --against FILE
END
"$within" 30 "$BALE" count --encoding link.json packed 2>err
is "$? $(grep -c 'link.json: is a FIFO' err)" '2 1' 'refused: count --encoding'
"$within" 30 "$BALE" pack t -q --config fifo 2>err
is "$? $(grep -c 'fifo' err)" '2 1' 'refused: --config'

# taken WHAT ARGS...: what is piped by a name of the process's own
taken() {
	local what=$1 name
	shift
	for name in /dev/stdin /dev/fd/0 /proc/self/fd/0; do
		printf '%s' "$what" | "$BALE" "${@//FILE/$name}" >out 2>err
		is "$? $(cat err)" '0 ' "piped: ${*//FILE/$name}"
	done
	"$BALE" "${@//FILE//dev/fd/9}" 9< <(printf '%s' "$what") >out 2>err
	is "$? $(cat err)" '0 ' "by process substitution: $*"
}
taken buffer pack t -q --query @FILE
taken text pack t -q --header @FILE
taken text pack t -q --instructions FILE
taken '{{#files}}{{path}}{{/files}}' pack t -q --template FILE
taken main.c pack t -q --files-from FILE
taken "$(cat report.json)" verify packed --against FILE

# waits PID: until it has slept for a while
waits() {
	local n=0 stat
	while [ $n -lt 5 ]; do
		read -r stat <"/proc/$1/stat" || return
		[[ $stat != *') Z '* ]] || return
		[[ $stat = *') S '* ]] && n=$((n + 1)) || n=0
		sleep 0.02
	done
}

# Whether somebody has the FIFO open, or waits to.
readers() {
	python3 -c 'import errno, os
try:
	os.open("fifo", os.O_WRONLY | os.O_NONBLOCK)
	print("some")
except OSError as e:
	print("none" if e.errno == errno.ENXIO else e)'
}

# What a FIFO is given is what a file of it would be.
"$BALE" pack t --budget all -q --report report.json -o packed
for run in "count FILE" "unpack FILE -C into --force" "verify FILE" \
	"report FILE"; do
	from=packed
	[ "${run%% *}" = report ] && from=report.json
	# shellcheck disable=SC2086  # words are wanted
	"$BALE" ${run//FILE/$from} 2>&1 | sed "s|$from|X|" >want
	cat $from >fifo &
	# shellcheck disable=SC2086
	"$within" 30 "$BALE" ${run//FILE/fifo} 2>&1 | sed 's|fifo|X|' >got
	wait
	is "$(sed 's/^ *//' got)" "$(sed 's/^ *//' want)" "of a FIFO: $run"
	# shellcheck disable=SC2086
	"$BALE" ${run//FILE//dev/fd/9} 9< <(cat $from) 2>&1 |
		sed 's|/dev/fd/9|X|' >got
	is "$(sed 's/^ *//' got)" "$(sed 's/^ *//' want)" \
		"by process substitution: $run"
	for signal in INT TERM HUP; do
		# no signal is ignored
		# shellcheck disable=SC2086
		env --default-signal "$BALE" ${run//FILE/fifo} >out 2>&1 &
		pid=$!
		waits $pid
		kill -$signal $pid
		wait $pid 2>/dev/null
		is "$? $(cat out)" "$((128 + $(kill -l $signal))) " \
			"nobody writes to it, SIG$signal: $run"
		is "$(readers)" none "and no process stays"
	done
done
done_testing
