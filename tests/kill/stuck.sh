#!/bin/bash
# SPDX-License-Identifier: MIT
#
# In a build with fault points (MODE=debug or asan): each worker stands still
# once, stopped or computing without end. After --stage-timeout it is replaced,
# for want of life, and the output is that of an undisturbed run.
#
# verifies: NFR-016-41

BALE=${BALE:-$PWD/${BUILD:-build}/${MODE:-release}/bale}
# shellcheck source=tests/system/lib.sh
. tests/system/lib.sh

if ! grep -aq BALE_FAULT "$BALE"; then
	skip 'standing still' 'no fault points in this build: use MODE=debug'
	finish
fi

mkdir tree
"$tools/tool_tree" many tree 30 7
options=(tree --budget 20000 -q --workers 2)
run 0 pack "${options[@]}" -o want.md

# Before the first step of a worker, between two, and within one.
for stage in collect chunk.0 count.0 dedup select format; do
	for point in turn:1 turn:3 step_written:2; do
		for action in stop spin; do
			begin "$stage at $point, $action: it is replaced"
			rm -f file.md report.json
			export BALE_FAULT=$stage:$point:$action
			run 0 pack "${options[@]}" --stage-timeout 1 \
				--log-level info -o file.md --report report.json
			unset BALE_FAULT
			same file.md want.md
			is [ "$(deaths report.json)" = 1 ]
			says "$stage killed by signal 9 \(no sign of life\)"
			end
		done
	done
done
finish
