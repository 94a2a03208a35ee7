#!/bin/bash
# SPDX-License-Identifier: MIT
#
# In a build with fault points (MODE=debug or asan): the process that looks for
# the places of a log is ended or stopped. Once: the output is the same. Every
# time, or for good: that is said, and the rest is packed; exit code 3, and with
# --strict nothing is written.
#
# verifies: FR-016-30, NFR-016-41, NFR-016-42

BALE=${BALE:-$PWD/${BUILD:-build}/${MODE:-release}/bale}
# shellcheck source=tests/support/lib.sh
. tests/support/lib.sh
grep -aq BALE_FAULT "$BALE" || skip_all no fault points in this build
mkdir -p "$dir/repo/lib/deep" && cd "$dir/repo" || exit 1
for i in 1 2 3; do echo "int of_$i;" >"lib/deep/file_$i.c"; done
echo 'deep/file_2.c:1: error' >../log

# packed FAULT OPTION... : the exit code, and whether the place was found
packed() {
	rm -f ../out
	BALE_FAULT=$1 "$within" 20 "$BALE" pack --tool ../log --no-config \
		--no-last -q -o ../out "${@:2}" 2>../err
	echo "$? $(grep -c '^## File: lib/deep/file_2.c' ../out 2>&1)"
}

is "$(packed '')" "0 1" "undisturbed"
cp ../out ../want
for fault in list:1:kill list:3:kill list:2:segv list:1:abort; do
	is "$(packed find:$fault) $(cmp ../out ../want; echo $?)" "0 1 0" \
		"the same after $fault"
done
is "$(packed 'find:list:1:kill!') $(grep -c 'lists the trees was killed' ../err)" \
	"3 0 1" "ended every time, it is said and the rest is packed"
is "$(packed find:list:1:stop --source-timeout 1) $(grep -c \
	'not listed in time: see --source-timeout' ../err)" "3 0 1" \
	"so it is when it does not get on"
BALE_FAULT='find:list:1:kill!' "$BALE" pack --tool ../log --no-config --strict \
	--no-last -q -o ../none 2>../err
is "$? $([ -e ../none ] && echo there)" "3 " "--strict writes nothing"
done_testing
