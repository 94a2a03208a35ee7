#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Files that are the same but for line ends and blanks are there once, however
# they are cut into chunks; of the same content the best rank is kept.
#
# verifies: FR-016-93, FR-016-94, FR-016-98, FR-016-104
# verifies: FR-016c-21, FR-016c-22, FR-016c-23, AC-016c-021, AC-016c-024
# verifies: AC-016c-025

BALE=${BALE:-$PWD/${BUILD:-build}/${MODE:-release}/bale}
# shellcheck source=tests/system/lib.sh
. tests/system/lib.sh

plain='--reserve-response 0 --reserve-system 0 --no-history'

# code LINES: functions of odd lengths, no two lines alike.
code() {
	awk -v nr="$1" 'BEGIN {
		for (i = 1; i <= nr; i++) {
			if (i % 23 == 1)
				printf "int function_%d(int a)\n{\n", i
			printf "\tint v%d = a * %d;\n", i, i * 7919 % 1000
			if (i % 23 == 0)
				printf "\treturn v%d;\n}\n\n", i
		}
		print "\treturn 0;\n}"
	}'
}

# told: of the report: the names that are packed, and for those left out as
# duplicates which one is there in their place. told NAME: why it is left out.
told() {
	local name=os.path.basename

	if [ $# = 1 ]; then
		ask "' '.join({i['reason'] for i in r['excluded']
			if $name(i['path']) == '$1'})"
	else
		ask "' '.join(sorted({$name(i['path']) for i in r['selected']}) +
			sorted($name(i['path']) + '=' + $name(i['same_as'])
				for i in r['excluded'] if 'same_as' in i))"
	fi
}
start_asking

# keeps TOLD ARGS...: the same bytes for each number of workers.
workers='1 2 8'
keeps() {
	local w want=$1

	shift
	for w in $workers; do
		# shellcheck disable=SC2086
		run 0 pack "$@" -q $plain --workers $w -o file.$w \
			--report report.json
		same file.$w "file.${workers%% *}"
		is [ "$*: $(told)" = "$*: $want" ]
	done
}

begin line ends and blanks at the ends of lines do not count
mkdir ends
code 900 >ends/a.c
sed 's/$/\r/' ends/a.c >ends/crlf.c
sed 's/$/  /' ends/a.c >ends/blanks.c
sed 's/\t/    /' ends/a.c >ends/indent.c
head -c -1 ends/a.c >ends/last.c
awk '{ printf "%s%s\n", $0, NR % 7 ? "" : " \t \r" }' ends/a.c >ends/some.c
for options in '' '--tiers on' '--line-numbers' '--format xml' \
	'--format jsonl' '--strip-comments' '--order rank' \
	'--chunk lines:40' '--chunk tokens:500' '--max-chunk-tokens 300'; do
	# shellcheck disable=SC2086
	keeps 'a.c indent.c blanks.c=a.c crlf.c=a.c last.c=a.c some.c=a.c' \
		ends --budget 200k $options
	workers=2
done
# where words are is for each cut to say
keeps 'crlf.c indent.c a.c=crlf.c blanks.c=crlf.c last.c=crlf.c some.c=crlf.c' \
	ends --budget 200k --query v100
# files that differ are two, even if their signatures are the same
keeps 'a.c indent.c blanks.c=a.c crlf.c=a.c last.c=a.c some.c=a.c' \
	ends --budget 200k --compress
end

begin 'files with the same signatures are all there'
mkdir rules
for i in 1 2 3 4; do
	printf 'module.exports = {\n  create(context) {\n    return %s;\n  }\n};\n' \
		"$i$i" >rules/$i.js
	for j in 1 2 3 4 5 6 7 8 9; do
		printf '// rule %s of %s\n' "$j" "$i" >>rules/$i.js
	done
done
for options in --compress '--tiers auto'; do
	# shellcheck disable=SC2086
	run 0 pack rules -q --budget 400 $options -o file
	is [ "$(grep -c 'create(context)' file)" = 4 ]
done
end

begin a file that has a twin has several chunks here
run 0 pack ends -q $plain --budget 200k --report report.json -o file
is [ "$(python3 -c "import json
print(len({i['start_line'] for i in
	json.load(open('report.json'))['selected']}) > 5)")" = True ]
end

begin what counts is for --dedup-normalize to say
keeps 'a.c blanks.c=a.c crlf.c=a.c indent.c=a.c last.c=a.c some.c=a.c' \
	ends --budget 200k --dedup-normalize whitespace
keeps 'a.c blanks.c crlf.c indent.c last.c some.c' \
	ends --budget 200k --dedup-normalize none
keeps 'a.c blanks.c crlf.c indent.c last.c some.c' \
	ends --budget 200k --no-dedup
end

begin everything is everything: only the same bytes are told as such
cp ends/a.c ends/z.c
keeps 'a.c blanks.c crlf.c indent.c last.c some.c z.c=a.c' ends --budget all
run 0 preview ends -q $plain --budget all --report report.json
is [ "$(told)" = 'a.c blanks.c crlf.c indent.c last.c some.c z.c=a.c' ]
run 0 unpack file.2 --directory back
is diff -r ends back/ends
end

begin long lines and large files have twins as well
mkdir large
code 60000 >large/a.c
sed 's/$/\r/' large/a.c >large/b.c
awk 'BEGIN { for (i = 0; i < 30000; i++) printf "word%d ", i; print "" }' \
	>large/long.txt
sed 's/$/ \r/' large/long.txt >large/longer.txt
keeps 'a.c long.txt b.c=a.c longer.txt=long.txt' large --budget 20M
run 0 unpack file.2 --directory back
same large/a.c back/large/a.c
same large/long.txt back/large/long.txt
end

begin the best rank is kept, not the first path
workers='1 2 8'
mkdir -p rank/a_tests rank/src rank/vendor
code 300 >rank/src/main.c
cp -p rank/src/main.c rank/a_tests/test_all.c
sed 's/$/\r/' rank/src/main.c >rank/vendor/copy.c
for budget in 100k 3000; do
	keeps 'main.c copy.c=main.c test_all.c=main.c' rank --budget $budget
done
keeps 'main.c copy.c=main.c test_all.c=main.c' rank --budget 3000 \
	--query 'function v7'
keeps 'copy.c main.c=copy.c test_all.c=copy.c' rank --budget 100k \
	--query 'the vendor copy'
end

begin the header of the one that is kept names the others
# as old: a newer copy would rank first
cp -p rank/src/main.c 'rank/src/z(a, b).c'
for format in markdown xml json jsonl plain; do
	case $format in
	xml) want='also="a_tests/test_all.c, &quot;src/z(a, b).c&quot;, vendor/copy.c"' ;;
	json*) want='"also":["a_tests/test_all.c","src/z(a, b).c","vendor/copy.c"]' ;;
	*) want=', also a_tests/test_all.c, "src/z(a, b).c", vendor/copy.c)' ;;
	esac
	run 0 pack rank -q --no-history --paths root --budget 100k \
		--format $format -o named --report named.json
	is [ "$(grep -cF "$want" named)" = 1 ]
	is grep -q '.also. names files of the same text' named
	run 0 verify named --against named.json
	run 0 unpack named --directory named.d
	is [ "$(cd named.d && find . -type f)" = ./src/main.c ]
	rm -r named.d
	# in part, or by signatures
	run 0 pack rank -q --no-history --paths root --budget 2000 \
		--format $format -o named
	is grep -qF "$want" named
done
# as many as a header has room for
for i in $(seq 20); do cp -p rank/src/main.c rank/vendor/copy$i.c; done
run 0 pack rank -q --no-history --budget 100k -o named
is [ "$(grep -c ' and others)$' named)" = 1 ]
rm rank/vendor/copy?*.c 'rank/src/z(a, b).c'
end

begin what is asked for is kept
echo 'rank/a_tests/test_all.c:100:int v' >hits
keeps 'copy.c main.c=copy.c test_all.c=copy.c' rank --budget 100k \
	--pin '**/copy.c'
keeps 'test_all.c copy.c=test_all.c main.c=test_all.c' rank --budget 100k \
	--open rank/a_tests/test_all.c
keeps 'test_all.c copy.c=test_all.c main.c=test_all.c' rank --budget 4000 \
	--search hits
end

begin of files that are asked for each has its lines
keeps 'copy.c test_all.c' --budget 100k \
	--reference rank/a_tests/test_all.c:10-20 \
	--reference rank/vendor/copy.c:100-110
keeps 'copy.c test_all.c main.c=test_all.c' rank --budget 100k \
	--reference rank/a_tests/test_all.c:10-20 \
	--reference rank/vendor/copy.c:100-110
end

finish
