#!/bin/bash
# SPDX-License-Identifier: MIT
#
# A file system that folds case, has no nameless files and keeps the name of
# what is open: NTFS by FUSE. What unpack writes there, what runs leave there,
# and what killed ones do.

# what is mounted goes with the test, however it ends
if [ -z "${OWN_MOUNTS:-}" ] && unshare -m true 2>/dev/null; then
	OWN_MOUNTS=1 exec unshare -m "$0"
fi
# shellcheck source=tests/support/lib.sh
. tests/support/lib.sh
tree=${BALE%/*}/tests/support/tool_tree
cd "$dir" || exit 1
PATH=$PATH:/usr/sbin:/sbin
command -v lowntfs-3g >/dev/null && command -v mkntfs >/dev/null ||
	skip_all 'ntfs-3g is not installed'
mkdir mnt
truncate -s 40M image
mkntfs -q -F -f image >/dev/null 2>&1
lowntfs-3g image mnt -o ignore_case,streams_interface=none 2>/dev/null ||
	skip_all 'FUSE cannot be mounted here'
clean_up() {
	cd / && umount "$dir/mnt"
}
echo >mnt/Probe
[ -e mnt/pROBE ] || skip_all 'it does not fold case'
mkdir tree
"$tree" many tree 40 4

# files PATH=TEXT...: an output with these
files() {
	python3 -S - "$@" <<'END'
import json, sys
json.dump({'bale': 1, 'files': [
    {'path': path, 'lines': [1, 1], 'chunks': [{'text': text + '\n'}]}
    for path, text in (arg.split('=') for arg in sys.argv[1:])]}, sys.stdout)
END
}

# ---- unpack -----------------------------------------------------------------

files 'a/x=1' 'A/X=2' 'read=1' 'READ=2' 'b=1' 'B/c=2' 'é=1' 'É=2' 'c/D/e=1' \
	'C/d/E=2' >out
for force in '' --force; do
	"$BALE" unpack out -C mnt/back $force 2>err
	is "$? $(cat mnt/back/{a/x,read,b,é,c/d/e} | xargs)" '4 1 1 1 1 1' \
		"of two names of one file the first is written $force"
	is "$(grep -c "the name of another file\|stands where a" err)" 5 \
		'the others are named'
	[ -n "$force" ] || rm -rf mnt/back
done
files '.GIT/config=x' 'd/.Git/HEAD=x' 'h/HEAD=x' 'H/Objects/a=x' 'h/REFS/x=x' \
	'H/config=x' >out
rm -rf mnt/back
"$BALE" unpack out -C mnt/back 2>err
is "$? $(git -C mnt/back/h rev-parse --is-bare-repository 2>&1 | grep -c true)" \
	'4 0' 'no repository comes of names in several cases'
is "$(grep -c 'belongs to a repository' err) $(grep -c 'for a repository' err)" \
	'2 1' 'and each is named'

# ---- pack -------------------------------------------------------------------

left() {
	find mnt -name '.*' ! -name . | sed 's,.*/,,'
}
rm -rf mnt/back
"$BALE" pack tree --budget all -q -o want.md
for name in Out.md out.MD OUT.md; do
	"$BALE" pack tree --budget all -q -o mnt/$name --report mnt/Report.json
	is "$? $(cmp want.md mnt/out.md 2>&1) $(find mnt -iname out.md | wc -l)$(left)" \
		'0  1' "by the name $name it is one file"
done
for name in Part.md part.md; do
	"$BALE" pack tree --budget all --split 9k -q -o mnt/$name
	is "$? $(left)" '0 ' "parts by the name $name: nothing else is left"
	"$BALE" unpack -q mnt/part.md.manifest.json -C back.$name
	is "$? $(diff -r tree back.$name/tree)" '0 ' 'and all comes back'
done

# ---- killed -----------------------------------------------------------------

start=$(date +%s%N)
"$BALE" pack tree --budget all -q -o mnt/whole.md
ms=$((($(date +%s%N) - start) / 1000000 + 1))
rm mnt/whole.md
for parts in '' '--split 9k'; do
	# the moments are random: until one left something
	for i in {1..60}; do
		setsid "$BALE" pack tree --budget all -q $parts -o mnt/k.md &
		pid=$!
		after=$((RANDOM % ms))
		sleep "$(printf '%d.%03d' $((after / 1000)) $((after % 1000)))"
		kill -KILL $pid 2>/dev/null
		wait $pid 2>/dev/null
		# its workers die after it, and hold its lock until then
		while kill -0 -- -$pid 2>/dev/null; do
			sleep 0.02
		done
		[ -z "$(left)" ] || break
	done 2>err
	is "$(left | grep -q '^\.k\.md' && echo yes)" yes "killed${parts:+ with parts}: it leaves something"
	# shellcheck disable=SC2086  # words
	"$BALE" pack tree --budget all -q $parts -o mnt/k.md
	is "$? $(left)" '0 ' 'the next run on the output removes it'
done
done_testing
