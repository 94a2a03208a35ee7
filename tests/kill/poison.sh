#!/bin/bash
# SPDX-License-Identifier: MIT
#
# In a build with fault points (MODE=debug or asan): a point that fails every
# time. The file in work is left out and named, the exit code is 3, and all
# else is as if the file had not been there; with --strict nothing is written.

BALE=${BALE:-$PWD/${BUILD:-build}/${MODE:-release}/bale}
# shellcheck source=tests/system/lib.sh
. tests/system/lib.sh

if ! grep -aq BALE_FAULT "$BALE"; then
	skip 'poison' 'no fault points in this build: use MODE=debug'
	finish
fi

mkdir few
for i in 1 2 3 4 5 6; do
	"$tools/tool_tree" text few/$i.c $((i * 3000))
	echo "// $i" >>few/$i.c
done
find few -exec touch -d '2024-01-02 03:04:05 UTC' {} +

# poison POINT HIT ACTION: what is named is left out, all else is as if it
# had not been there.
poison() {
	local path
	local -a gone

	rm -rf file.md report.json rest
	export BALE_FAULT=$1:$2:$3
	"$within" 15 "$BALE" pack few --budget all -q --workers 1 -o file.md \
		--report report.json 2>err
	code=$?
	unset BALE_FAULT
	nothing_left $$.none
	mapfile -t gone < <(grep -F '"reason":"poison"' report.json \
		2>/dev/null | cut -d '"' -f 4)
	case $code in
	0)
		is [ ${#gone[@]} = 0 ]
		same file.md want-few.md
		return
		;;
	3) is [ ${#gone[@]} -ge 1 ] ;;
	9) # nothing is left
		is [ ${#gone[@]} = 6 ]
		return
		;;
	6) # all that comes later fails as well: giving up is right
		is [ ! -e file.md ]
		gave_up=$((gave_up + 1))
		return
		;;
	*)
		complain "$1:$2:$3: exit code $code: $(head -c 500 err)"
		return
		;;
	esac
	poisoned=$((poisoned + 1))
	cp -a few rest
	for path in "${gone[@]}"; do
		# what collect has not opened yet only the report can name
		[ "${1%%:*}" = collect ] || says "$path"
		rm -f "rest/${path#few/}"
	done
	if [ ${#gone[@]} -lt 6 ]; then
		mv few kept
		mv rest few
		"$within" 15 "$BALE" pack few --budget all -q --workers 1 \
			-o lacks.md 2>/dev/null
		rm -rf few
		mv kept few
		cmp -s file.md lacks.md ||
			complain "$1:$2:$3 without ${gone[*]}: the rest differs"
	fi
	# and with --strict nothing of it
	rm -f file.md
	export BALE_FAULT=$1:$2:$3
	"$within" 15 "$BALE" pack few --budget all -q --workers 1 -o file.md \
		--strict 2>err
	code=$?
	unset BALE_FAULT
	case $code in
	3 | 9) is [ ! -e file.md ] ;;
	# as many steps as it takes depends on what is there to be taken
	0) same file.md want-few.md ;;
	*) complain "$1:$2:$3 --strict: exit code $code" ;;
	esac
}

run 0 pack few --budget all -q --workers 1 -o want-few.md
for point in collect:open chunk.0:cut count.0:counted dedup:deduped \
	select:selected format:written; do
	begin "fails always at $point"
	poisoned=0 gave_up=0
	for hit in 1 2 3 5 6; do
		poison $point $hit 'segv!'
	done
	name+=": $poisoned left out, $gave_up given up"
	case $point in
	chunk* | count*) is [ $poisoned -ge 1 ] ;;
	esac
	end
done
if command -v git >/dev/null; then
	begin 'fails always in the history of git: ranked without it'
	export HOME=$PWD GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b
	export GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b
	git init -q few
	git -C few add .
	git -C few commit -q -m 'all of it'
	run 0 pack few --budget 10000 -q --no-history -o want.md
	for point in history history_written; do
		for action in segv kill stop; do
			export BALE_FAULT="collect:$point:1:$action!"
			run 0 pack few --budget 10000 -q --stage-timeout 1 \
				-o file.md
			unset BALE_FAULT
			same file.md want.md
			says 'while processing the history of git.*leaving that out'
		done
	done
	end

	begin 'fails always in a history that is to be told of: degraded'
	run 0 pack few --budget all -q -o want.md
	export BALE_FAULT="collect:history:1:segv!"
	run 3 pack few --budget all -q --git-log 2 -o file.md
	same file.md want.md
	run 3 pack few --budget all -q --git-diff --strict -o none.md
	unset BALE_FAULT
	is [ ! -e none.md ]
	end
fi
finish
