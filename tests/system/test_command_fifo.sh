#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Options that read a file do not wait for a FIFO that nobody writes to, and
# take what is piped on purpose.

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
done_testing
