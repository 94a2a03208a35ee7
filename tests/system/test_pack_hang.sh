#!/bin/bash
# SPDX-License-Identifier: MIT
#
# A mount that does not answer: what lies there is left out by name, all else
# is packed; and bale ends, even where the kernel does not let a process go.
# LONG=1: read(2) is tried as well as io_uring.

if [ -z "${IN_NAMESPACE:-}" ] && unshare -rm true 2>/dev/null; then
	# mounts made in it are gone with it
	IN_NAMESPACE=1 exec unshare -rm "$0"
fi
# shellcheck source=tests/support/lib.sh
. tests/support/lib.sh
hang=${BALE%/*}/tests/support/tool_hang
server=
[ -n "${IN_NAMESPACE:-}" ] ||
	skip_all unshare -rm: no user namespaces for a mount
for need in /dev/fuse "$hang"; do
	[ -e "$need" ] || skip_all "there is no $need"
done

# What waits for the server goes on when its end of the mount is closed.
release() {
	[ -z "$server" ] || { kill -9 "$server"; wait "$server"; } 2>/dev/null
	wait 2>/dev/null
	umount -l "$dir/in/mnt" 2>/dev/null
	server=
}

clean_up() {
	release
}

# serve MODE
serve() {
	release
	"$hang" "$dir/in/mnt" "$1" >"$dir/ready" 2>"$dir/why" &
	server=$!
	while kill -0 $server 2>/dev/null; do
		grep -q ready "$dir/ready" && return 0
		sleep 0.02
	done
	skip_all "no FUSE mount here: $(cat "$dir/why")"
}

# pack ARGS: to files, for what cannot be ended keeps its stderr open
pack() {
	"$within" 60 "$BALE" pack --budget all -q --stage-timeout "$timeout" \
		-o "$dir/out" --report "$dir/report" "$@" . 2>"$dir/err"
}

# reason PATH
reason() {
	tr '{' '\n' <"$dir/report" |
		sed -n "s|^\"path\":\"$1\".*\"reason\":\"\([a-z-]*\)\".*|\1|p"
}

# what waits for the server that does answer has time to
timeout=$(patience 1)
mkdir -p "$dir/in/mnt" "$dir/in/aa/empty" "$dir/in/zz"
cd "$dir/in" || exit 1
echo first >aa/file
echo last >zz/file
echo top >n.txt

ways=(uring)
[ "${LONG:-0}" = 0 ] || ways+=(read)
for io in "${ways[@]}"; do
	serve all
	pack --io $io
	is "$? $(reason mnt/)" "3 timeout" "a mount that is dead, --io $io"
	is "$(grep -c '^## File' "$dir/out")" 3 "all else is packed"
	is "$(grep -c 'mnt/.*no answer within --stage-timeout' "$dir/err")" 1 \
		"and its name is said"

	serve read
	pack --io $io
	is "$? $(reason mnt/hang)" "3 timeout" \
		"a file that cannot be read, --io $io"
	is "$(grep -c '^## File' "$dir/out")" 5 \
		"all else is packed, also of the mount"
done

serve all
("$within" 60 "$BALE" pack --budget all -q --stage-timeout "$timeout" \
	-o "$dir/none" mnt 2>"$dir/err")
is "$? $(grep -c 'mnt does not answer' "$dir/err")" "6 1" \
	"what was named does not answer: the error says so"
(echo "$PWD/mnt/file" | "$within" 60 "$BALE" pack --files-from - -q \
	--stage-timeout "$timeout" -o "$dir/none" mnt 2>"$dir/err")
is "$? $(grep -c 'mnt does not answer' "$dir/err")" "6 1" \
	"the same with a list of whole paths"
is "$([ -e "$dir/none" ] && echo there)" "" "and there is no output"

rm -f "$dir/out"
serve open
pack
is "$?" 6 "a mount that does not let a process go"
is "$(grep -c 'does not answer; --exclude' "$dir/err")" 1 "is told of"
is "$([ -e "$dir/out" ] && echo there)" "" "and there is no output"
pack --exclude /mnt
is "$? $(grep -c '^## File' "$dir/out")" "0 3" "but for who takes the advice"
done_testing
