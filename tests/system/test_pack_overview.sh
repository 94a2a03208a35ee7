#!/bin/bash
# SPDX-License-Identifier: MIT
#
# An overview: a pack of a repository that nothing says what it is for. README
# and manifest, signatures of the code that is worked on, tests and examples
# last.

BALE=${BALE:-$PWD/${BUILD:-build}/${MODE:-release}/bale}
# shellcheck source=tests/system/lib.sh
. tests/system/lib.sh

command -v git >/dev/null || skip_all 'no git'

plain='--no-config --no-preamble --reserve-response 0 --reserve-system 0'

# code NAME FUNCTIONS: C, each function with ten lines of its own
code() {
	awk -v name="$1" -v nr="$2" 'BEGIN {
		for (i = 1; i <= nr; i++) {
			printf "int %s_%d(int x)\n{\n", name, i
			for (k = 1; k <= 10; k++)
				printf "\tx = x * %d + %d; /* %s %d */\n",
					k * 7919 % 1000, i, name, k
			print "\treturn x;\n}\n"
		}
	}'
}

commit() {
	git -C repo add -A
	git -C repo -c user.name=a -c user.email=a@b commit -qm "$1"
}

git init -q repo
mkdir -p repo/src repo/tests repo/examples repo/vendor
for i in $(seq 16); do
	code "part$i" 24 >repo/src/part$i.c
	code "test$i" 40 >repo/tests/test_part$i.c
	code "example$i" 40 >repo/examples/example$i.c
	code "other$i" 40 >repo/vendor/other$i.c
done
{
	echo '# The project'
	seq 1 400 | sed 's/$/ words of what it is about./'
} >repo/README.md
printf 'all:\n\tcc -o all src/*.c\n' >repo/Makefile
printf '# Changes\n\n- none\n' >repo/CHANGELOG.md
commit first
# what is worked on: one file, and in it one function
for i in 1 2 3 4 5 6; do
	sed -i "s/^int part7_13(.*/int part7_13(int x$i)/" repo/src/part7.c
	sed -i "s/^\tx = .*part7 $i .*/\tx = $i;/" repo/src/part7.c
	sed -i "s/^int test1_3(.*/int test1_3(int x$i)/" repo/tests/test_part1.c
	commit "work $i"
done

begin 'README, manifest, signatures of what is worked on; the same everywhere'
for w in 1 2 8; do
	# shellcheck disable=SC2086
	run 0 pack repo -q $plain --budget 16000 --workers $w -o file.$w \
		--report report.json
	same file.$w file.1
done
is grep -q '^# The project$' file.1
is grep -qE '^## File: (repo/)?README.md \(lines 1-[0-9]+ of 401\)' file.1
is grep -q 'cc -o all' file.1
for i in $(seq 16); do
	[ "$i" = 7 ] ||
		is grep -qE "^## File: (repo/)?src/part$i.c \\(signatures" \
			file.1
done
is grep -qE '^## File: (repo/)?src/part7.c ' file.1
is grep -qF 'int part7_13(int x6)' file.1
is [ "$(grep -cE '^## File: .*(tests|examples|vendor|CHANGELOG)' file.1)" = 0 ]
end

# paths FILE: those of its sections, in order, each once
paths() {
	grep -aoE '(^## File: |^=+ File: |<file path="|,?\{"path":")(repo/)?[^" ]+' \
		"$1" | sed -E 's/.*(: |")//; s/^repo\///' | uniq
}

for format in markdown xml json jsonl plain; do
	begin "$format: README, manifest, then by rank; or as in the tree"
	# shellcheck disable=SC2086
	run 0 pack repo -q $plain --budget 16000 --format $format -o file
	is [ "$(paths file | head -3 | xargs)" = \
		'README.md Makefile src/part7.c' ]
	# shellcheck disable=SC2086
	run 0 pack repo -q $plain --budget 16000 --format $format \
		--order path -o path
	is [ "$(paths path)" = "$(paths file | LC_ALL=C sort)" ]
	end
done

begin 'a preview lists its files as they are written'
# shellcheck disable=SC2086
run 0 preview repo -q $plain --budget 16000 -o list
awk -F'\t' '$2 ~ /^(packed|signatures)$/ { sub(/:[0-9-]*$/, "", $3); print $3 }' \
	list | uniq >listed
sed -n 's/^## File: \(.*\) (.*/\1/p' file.1 | uniq >written
same listed written
is grep -qE "^(repo/)?README.md\$" <(head -n 1 listed)
# shellcheck disable=SC2086
run 0 preview repo -q $plain --budget 16000 --order path -o paths
sort list >list.s && sort paths >paths.s
same list.s paths.s
end

begin 'it is full, and no file has more than a sixth'
python3 - <<'END' >got
import json
r = json.load(open('report.json'))
files = {}
for x in r['selected']:
    files[x['path']] = files.get(x['path'], 0) + x['tokens']
print(max(files.values()) <= 2933, r['output']['tokens'] <= 16000,
      r['output']['tokens'] >= 15920)
END
echo 'True True True' >want
same got want
# what is there in part is counted one by one
is [ "$("$BALE" count file.1 | awk '{ print $1 }')" = \
	"$(python3 -c "import json; print(json.load(open('report.json'))['output']['tokens'])")" ]
end

begin 'the points are told; a boosted file comes first'
# shellcheck disable=SC2086
run 0 pack repo -q $plain --budget 16000 --explain -o file
is grep -qE 'src/part7.c' err
# shellcheck disable=SC2086
run 0 pack repo -q $plain --budget 16000 --pin 'tests/test_part2.c' -o file
is grep -qE '^## File: (repo/)?tests/test_part2.c \(lines 1-' file
end

begin 'without a history it is broad as well'
rm -rf repo/.git
# shellcheck disable=SC2086
run 0 pack repo -q $plain --budget 16000 -o file
for i in $(seq 16); do
	is grep -qE "^## File: (repo/)?src/part$i.c \\(signatures" file
done
is [ "$(grep -cE '^## File: .*(tests|examples|vendor)' file)" = 0 ]
end

finish
