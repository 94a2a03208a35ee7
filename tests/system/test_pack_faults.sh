#!/bin/bash
# SPDX-License-Identifier: MIT
#
# What a machine can refuse the supervisor: each of its system calls fails once,
# a part of them in `make test`, all with LONG=1. The run comes through, or it
# ends with a code, the error's own words, every file as it was, and nothing
# left behind.

# shellcheck source=tests/support/lib.sh
. tests/support/lib.sh
command -v strace >/dev/null || skip_all strace is not installed
command -v python3 >/dev/null || skip_all python3 is not installed
strace -qq -o /dev/null true 2>/dev/null || skip_all strace may not trace here
faults=$PWD/tests/support/pack_faults.py
step=16
[ "${LONG:-0}" = 0 ] || step=1
case ${MODE:-release} in
asan | tsan) skip_all a sanitizer makes calls of its own ;;
esac
cd "$dir" || exit 1
export HOME=$dir GIT_CONFIG_NOSYSTEM=1

mkdir tree
for i in 1 2 3; do
	echo "int a$i;" >tree/$i.c
done
echo '../tree/1.c:1:x' >hits
echo 'error ../tree/1.c:1: x' >tool
echo task >task
echo '{{#files}}{{content}}{{/files}}' >template
if command -v git >/dev/null; then
	git init -q tree
	git -C tree add -A
	git -C tree -c user.name=a -c user.email=a@b commit -qm all
fi

# withstands NAME ARGS...
withstands() {
	local name=$1 got
	shift

	got=$(python3 "$faults" "$BALE" $step "$dir" "$@" -q --no-last 2>said)
	is "$got" "" "$name: $(cat said)"
}

withstands 'an output and all that is told of it' pack ../tree -o out.md \
	--report report.json --metrics metrics --audit-log audit
withstands 'all of it, compressed' pack ../tree --budget all -o out.md.zst
withstands 'what sources ask for' pack ../tree -o out.md --tool ../tool \
	--search ../hits --query @../task --header @../task \
	--instructions ../task --tree
[ $step != 1 ] || withstands 'a preview' preview ../tree -o out.txt \
	--report report.json
[ $step != 1 ] || withstands 'by a template' pack ../tree -o out.md \
	--template ../template
[ $step != 1 ] || [ ! -d tree/.git ] || withstands 'what git tells' pack ../tree -o out.md \
	--git-log 2 --git-diff
done_testing
