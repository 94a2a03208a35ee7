#!/bin/bash
# SPDX-License-Identifier: MIT
#
# --report, --metrics and --audit-log come with their output or not at all:
# where one of them cannot be written, the run ends with 4, says which one and
# why, and every file is what it was; nothing is left beside them.

BALE=${BALE:-$PWD/${BUILD:-build}/${MODE:-release}/bale}
# shellcheck source=tests/system/lib.sh
. tests/system/lib.sh

mkdir tree
"$tools/tool_tree" many tree 60 3

# All that a run may replace, as it was.
fresh() {
	local file

	for file in out.md out.md.zst plan.txt part-001.md report.json \
		metrics.prom audit.jsonl; do
		echo "old $file" >$file
	done
	rm -f part-00[2-9].md
}

# untouched: all of it is still so
untouched() {
	local file all

	for file in out.md out.md.zst plan.txt part-001.md report.json \
		metrics.prom audit.jsonl; do
		all=
		IFS= read -rd '' all <$file
		[ "$all" = "old $file"$'\n' ] || complain "$file is new"
	done
	[ ! -e part-002.md ] || complain 'part-002.md is there'
}

outputs=('pack tree -o out.md' 'pack tree --budget all -o out.md'
	'pack tree -o out.md.zst' 'pack tree --split 4000 -o part.md'
	'preview tree -o plan.txt' 'preview tree --json -o plan.txt')

# refused PLACE CAUSE: each of them at that place, with each kind of output
refused() {
	local option all

	for option in report metrics audit-log; do
		for output in "${outputs[@]}"; do
			all=(--report report.json --metrics metrics.prom
				--audit-log audit.jsonl)
			# the one that fails is given last, and counts
			fresh
			# shellcheck disable=SC2086  # words are wanted
			run 4 $output -q "${all[@]}" --$option "$1"
			says "cannot write $1: $2"
			[ "$(grep -c '^bale: ' err)" = 1 ] ||
				complain "more is said: $(cat err)"
			untouched
		done
	done
}

begin 'into a directory that is not there'
refused nowhere/file 'No such file or directory'
end

begin 'onto a directory'
mkdir folder
refused folder 'Is a directory'
is [ -z "$(ls -A folder)" ]
end

begin 'a log through a link to nothing, which is said before the work'
fresh
ln -s nowhere/log dangling
run 4 pack tree -q -o out.md --audit-log dangling --metrics metrics.prom
says 'cannot write dangling: a symbolic link to what is not there; create'
untouched
is [ -L dangling ]
is [ ! -e nowhere ]
ln -sf log dangling && touch log
run 0 pack tree -q -o out.md --audit-log dangling
is [ -s log ]
rm dangling log
end

# clash OPTION PATH OTHER ARGUMENTS...: refused before anything is read
clash() {
	run 2 pack --files-from nowhere --budget all -q "${@:4}"
	says "BALE-CLI-005 $1 $2 cannot be given with $3"
	is [ "$(ls -A same)" = "$there" ]
}

begin 'two of them at one place, which has a file or none'
mkdir same && ln -s same also && ln -s o same/link && ln -s link same/chain
cd same
"$BALE" pack ../tree --budget all -q -o old.md || complain "exit code $?"
cd ..
there=$(ls -A same)
for file in old.md new.md; do
	for path in same/$file ./same/../same/$file also/$file "$PWD/same/$file"; do
		clash --report $path --output -o same/$file --report $path
		clash --metrics $path --output -o $path --metrics $path
		clash --audit-log $path --output -o same/$file \
			--audit-log $path
		clash --metrics $path --report --report same/$file \
			--metrics $path -o out.md
		clash --audit-log $path --report --report same/$file \
			--audit-log $path
		clash --audit-log $path --metrics --metrics same/$file \
			--audit-log $path
	done
done
clash --report same/o --output -o also/link --report same/o
clash --report also/chain --output -o same/o --report also/chain
clash --metrics same/chain --report --report also/link --metrics same/chain
run 2 preview tree -o also/plan --report same/plan
says 'BALE-CLI-005 --report same/plan cannot be given with --output'
end

begin 'one of them at the place of a part or of the manifest'
for file in o-001.md o-999.md o-1234567.md o.md.manifest.json; do
	for option in report metrics audit-log; do
		clash --$option also/$file --output --split 2000 -o same/o.md \
			--$option also/$file
	done
done
ln -s o-002.md same/r && there=$(ls -A same)
clash --report same/r --output --split 2000 -o same/o.md --report same/r
# what only looks like it
run 0 pack tree --budget all -q --split 2000 -o same/o.md \
	--report same/o.md --metrics same/o-01.md --audit-log same/o-001.txt
run 0 verify same/o.md.manifest.json --against same/o.md
is [ -s same/o-01.md ]
is [ -s same/o-001.txt ]
rm -r same also
end

begin 'one of them in the file that stdout goes to'
for option in report metrics audit-log; do
	echo old >all
	"$BALE" pack tree --budget all -q --$option /dev/stdout >>all 2>err
	is [ $? = 2 ]
	says "BALE-CLI-005 --$option writes the file that stdout goes to"
	"$BALE" preview tree --$option all >>all 2>err
	is [ $? = 2 ]
	says "BALE-CLI-005 --$option writes the file that stdout goes to"
	is [ "$(cat all)" = old ]
done
# a pipe takes all of them
"$BALE" pack tree --budget all -q --no-last --report /dev/stdout \
	--metrics /dev/stdout --audit-log /dev/stdout 2>err | cat >all
is [ "$(grep -c '"event":"end"\|^bale_build_info\|"correlation_id"' all)" \
	-ge 3 ]
is [ ! -s err ]
run 0 pack tree --budget all -q -o /dev/null --report /dev/null \
	--metrics /dev/null --audit-log /dev/null
rm all
end

if [ -w /dev/full ]; then
	begin 'onto a device that is full'
	refused /dev/full 'No space left on device'
	end
fi

begin 'to stdout goes nothing, if the report cannot be had'
for budget in 30000 all; do
	fresh
	run 4 pack tree --budget $budget -q --report /dev/full
	is [ $budget = all -o ! -s out ]
	untouched
done
run 4 preview tree -q --report nowhere/file
is [ ! -s out ]
end

begin 'all is well: all is new'
for output in "${outputs[@]}"; do
	fresh
	# shellcheck disable=SC2086  # words are wanted
	run 0 $output -q --report report.json --metrics metrics.prom \
		--audit-log audit.jsonl
	is [ "$(head -n 1 audit.jsonl)" = 'old audit.jsonl' ]
	is [ "$(wc -l <audit.jsonl)" -gt 60 ]
	is grep -q '"version":1' report.json
	is grep -qx '# EOF' metrics.prom
	written=${output##* }
	[ "$written" != part.md ] || written=part-001.md
	is [ "$(head -c 4 "$written")" != 'old ' ]
done
end

begin 'a run that packs nothing tells of itself, and its output stays'
mkdir nothing
fresh
run 9 pack nothing -o out.md --report report.json --metrics metrics.prom
is [ "$(cat out.md)" = 'old out.md' ]
is grep -q '"version":1' report.json
is grep -q '^bale_run_exit_code 9' metrics.prom
end

begin 'a new audit log of a run that failed goes away'
fresh
rm audit.jsonl
run 4 pack tree -q -o /dev/full --audit-log audit.jsonl --budget 20000
is [ ! -e audit.jsonl ]
end

begin 'through links, with the mode that there was'
fresh
mkdir -p elsewhere
chmod 640 report.json
ln -s elsewhere/report.json link.json
run 0 pack tree -q -o out.md --report report.json
is [ "$(stat -c %a report.json)" = 640 ]
run 0 pack tree -q -o out.md --report link.json
is [ -L link.json ]
is grep -q '"version":1' elsewhere/report.json
end

begin 'an audit log behind a link to what is not there'
fresh
ln -s none.jsonl link.jsonl
run 4 pack tree -q -o out.md --report report.json --audit-log link.jsonl
says 'cannot write link.jsonl: a symbolic link to what is not there'
untouched
end

if is_root && can_mount; then
	begin 'a disk that is full before all is written'
	mkdir small
	for option in report metrics audit-log; do
		for output in "${outputs[@]}"; do
			fresh
			# shellcheck disable=SC2016  # for the inner shell
			wrap=(unshare -m bash -c '
				mount -t tmpfs -o size=16k none small || exit 99
				head -c 12287 /dev/zero >small/ballast
				echo old >small/file
				"$@"
				code=$?
				[ "$(ls -A small | xargs)" = "ballast file" ] ||
					exit 98
				[ "$(cat small/file)" = old ] || exit 97
				exit $code' run)
			# shellcheck disable=SC2086  # words are wanted
			run 4 $output -q --report report.json \
				--metrics metrics.prom --audit-log audit.jsonl \
				--$option small/file
			says 'cannot write small/file: No space left on device'
			untouched
		done
	done
	wrap=()
	end

	begin 'a read-only file system'
	mkdir sealed
	wrap=(unshare -m bash -c '
		mount -t tmpfs none sealed || exit 99
		echo old >sealed/old
		mount -o remount,ro sealed || exit 99
		"$@"' run)
	for option in report metrics audit-log; do
		for file in old new; do
			fresh
			run 4 pack tree -q -o out.md --$option sealed/$file
			says "cannot write sealed/$file: Read-only file system"
			untouched
		done
	done
	wrap=()
	end

	begin 'the output alone cannot take its place: the metrics say so'
	fresh
	# shellcheck disable=SC2016
	wrap=(unshare -m bash -c '
		echo outer >outer.md
		mount --bind outer.md out.md || exit 99
		"$@"
		code=$?
		[ "$(cat out.md)" = outer ] || exit 97
		exit $code' run)
	run 4 pack tree -q -o out.md --metrics metrics.prom \
		--audit-log audit.jsonl
	says 'out.md: Device or resource busy'
	is grep -q '^bale_run_exit_code 4' metrics.prom
	is [ "$(cat audit.jsonl)" = 'old audit.jsonl' ]
	wrap=()
	end

	begin 'the metrics cannot take their place: nothing behind them does'
	fresh
	wrap=(unshare -m bash -c '
		mount --bind metrics.prom metrics.prom || exit 99
		"$@"' run)
	run 4 pack tree -q -o out.md --report report.json \
		--metrics metrics.prom --audit-log audit.jsonl
	says 'metrics.prom: Device or resource busy'
	is [ "$(cat out.md metrics.prom audit.jsonl)" = \
		"$(printf 'old %s\n' out.md metrics.prom audit.jsonl)" ]
	is grep -q '"version":1' report.json
	wrap=()
	end
else
	skip 'a full disk, a read-only one, a mounted file' 'cannot mount'
fi

if ! is_root; then
	begin 'into a directory that is not ours'
	mkdir locked
	chmod 555 locked
	refused locked/file 'Permission denied'
	end
elif command -v setpriv >/dev/null; then
	# root without capabilities is a user like any other
	begin 'into a directory that is not ours'
	mkdir locked
	chown 65534 locked
	wrap=(setpriv --bounding-set=-all)
	refused locked/file 'Permission denied'
	wrap=()
	end
fi
finish
