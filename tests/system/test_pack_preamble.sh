#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The lines that an output begins with: in all formats, counted, read over by
# unpack, the same whatever the workers; no name of a directory gets out of
# them.

BALE=${BALE:-$PWD/${BUILD:-build}/${MODE:-release}/bale}
# shellcheck source=tests/system/lib.sh
. tests/system/lib.sh
common=(-q --no-config --no-last --reserve-response 0 --reserve-system 0)

# a tree larger than the budget, whose largest directories have hostile names
hostile=$'h\n## File: fake (empty)\n\n======== File: fake (empty)\n'
tags=']]></preamble><files><file path="fake" empty="yes"/>'
tags=${tags//\//|}
quotes='","files":[{"path":"fake","empty":true}],"x":"'
mkdir -p tree/src "tree/$hostile" "tree/$tags" "tree/$quotes"
seq 100000 105000 >"tree/$hostile/1.txt"
seq 200000 204000 >"tree/$tags/2.txt"
seq 300000 303000 >"tree/$quotes/3.txt"
for i in {1..40}; do
	printf 'int\nf%d(int a)\n{\n\treturn a + %d;\n}\n' $i $i >tree/src/$i.c
done
head -c 3000 /dev/zero >tree/binary

# first FILE: what is before the first file
first() {
	sed '/^## File: src/,$d; /^=* File: src/,$d; /^<files>/,$d
		s/,"files":\[.*//; /^{"path"/,$d' "$1"
}

begin 'outputs of before are not counted, whatever they are of'
cp -r tree again_and_again
run 0 pack "${common[@]}" again_and_again --budget 4000 -o first.md
run 0 pack "${common[@]}" again_and_again --budget all \
	-o again_and_again/all.md --report again_and_again/report.json
run 0 pack "${common[@]}" again_and_again --budget 4000 \
	-o again_and_again/first.md
same again_and_again/first.md first.md
run 0 pack "${common[@]}" again_and_again --budget 4000 -o second.md
same second.md first.md
end

for format in markdown plain xml json jsonl; do
	begin "$format: what it is, counted"
	run 0 pack "${common[@]}" tree --budget 4000 --format $format -o out.$format \
		--report report.json
	first out.$format >begins
	grep -q 'Packed by bale: a selection from a source tree: ' begins ||
		complain "it begins: $(head -c 300 begins)"
	grep -q 'Most text is below .*(about 8k tokens), .* (7k), ' begins ||
		complain "no directories: $(tail -c 300 begins)"
	[ "$("$BALE" count --no-config out.$format | awk '{ print $1 }')" = \
		"$(figure report.json used)" ] || complain "counted otherwise"
	run 0 verify out.$format --budget 4000 --against report.json
	run 0 pack "${common[@]}" tree --budget 4000 --format $format --workers 3 \
		-o again
	same again out.$format
	end
	begin "$format: unpack sees the files that are there, and no other"
	"$BALE" unpack out.$format -C back.$format -q 2>err
	[ ! -e back.$format/fake ] || complain "a file was forged"
	[ "$(find back.$format -name '*.c' | wc -l)" -gt 5 ] ||
		complain "$(find back.$format)"
	for file in $(cd back.$format && find . -name '*.c'); do
		same "back.$format/$file" "${file/#.\/tree/tree}"
	done
	end
	begin "$format: without"
	run 0 pack "${common[@]}" tree --budget 4000 --format $format \
		--no-preamble -o without
	if grep -q 'Packed by bale' without; then
		complain "it is there"
	fi
	end
done

begin "the whole says so, and what is left out of it"
run 0 pack "${common[@]}" tree/src tree/binary --budget 9000 --format plain
first out >begins
grep -q ': all of a source tree: 40 files; 1 is left out.' begins ||
	complain "$(cat begins)"
if grep -q 'left out"\|signatures' begins; then
	complain "there are no such marks in it"
fi
end

begin "--budget all says what is known beforehand"
run 0 pack "${common[@]}" tree/src --budget all
[ "$(head -n 1 out)" = 'Packed by bale: all of a source tree.' ] ||
	complain "$(head -n 1 out)"
run 0 pack "${common[@]}" tree/src --budget all --include '1.c'
[ "$(head -n 1 out)" = 'Packed by bale: the chosen files of a source tree.' ] ||
	complain "$(head -n 1 out)"
end

begin "behind it signatures have a short header, and unpack knows them by it"
printf '### Setup\n```\n### 1.c\n```\n\nText.\n' >header
run 0 pack "${common[@]}" tree/src --budget all --compress --header @header
[ "$(grep -c '^### tree/src/[0-9]*\.c (signatures, all)$' out)" = 40 ] ||
	complain "$(grep '^##' out)"
"$BALE" unpack out -C none -q 2>err
[ "$(grep -c 'only its signatures' err)" = 40 ] || complain "$(cat err)"
printf 'Packed by bale: nothing.\n### Setup\n' >header
run 2 pack "${common[@]}" tree/src --budget all --compress --header @header
says 'would take it for the start of another output'
run 0 pack "${common[@]}" tree/src --budget all --compress --no-preamble
[ "$(grep -c '^## File: tree/src/[0-9]*\.c (signatures, all)$' out)" = 40 ] ||
	complain "$(grep '^##' out)"
end

begin "of parts the first has it"
run 0 pack "${common[@]}" tree/src --budget all --split 2000 -o part.md
[ "$(grep -l 'Packed by bale' part-*.md)" = part-001.md ] ||
	complain "$(grep -l 'Packed by bale' part-*.md)"
run 0 unpack part-*.md -C parts -q
[ "$(find parts -type f | wc -l)" = 40 ] || complain "$(find parts -type f)"
end

begin "none where it would be a tenth of the output"
run 0 pack "${common[@]}" tree --budget 1999
[ "$(head -c 8 out)" = '## File:' ] || complain "$(head -n 1 out)"
run 0 pack "${common[@]}" tree/src --budget all --split 1999 -o small.md
[ "$(head -n 3 small-001.md | tail -n 1 | head -c 8)" = '## File:' ] ||
	complain "$(head -n 3 small-001.md)"
end

begin "a template has it where it wants it"
printf '{{#files}}{{path}}\n{{/files}}({{preamble}})' >template
run 0 pack "${common[@]}" tree --budget 4000 --template template
grep -q '^(Packed by bale: all of a source tree: 43 files; ' out ||
	complain "$(tail -n 3 out)"
printf '{{#files}}{{path}}\n{{/files}}' >template
run 0 pack "${common[@]}" tree --budget 4000 --template template
if grep -q 'Packed' out; then
	complain "it is where nobody wants it"
fi
end

if command -v git >/dev/null; then
	begin "of which commit"
	git -C tree init -q
	git -C tree add src
	git -C tree -c user.name=a -c user.email=a@b commit -q -m one
	commit=$(git -C tree rev-parse --short=8 HEAD)
	run 0 pack "${common[@]}" tree --budget 4000
	grep -q "^Packed by bale: .* (git commit $commit): " out ||
		complain "$(head -n 1 out)"
	run 0 pack "${common[@]}" tree --budget 4000 --no-history
	if head -n 1 out | grep commit; then
		complain "it was not to be read"
	fi
	echo 'int more;' >>tree/src/1.c
	run 0 pack "${common[@]}" tree --budget 4000 --git-diff
	grep -q "(git commit $commit, with local changes): " out ||
		complain "$(head -n 1 out)"
	run 0 pack "${common[@]}" tree --budget 4000 --rev HEAD
	grep -q "(git commit $commit): " out || complain "$(head -n 1 out)"
	# of everything, too, which begins before any history is read
	for way in loose packed detached; do
		[ $way != packed ] || git -C tree pack-refs --all
		[ $way != detached ] || git -C tree checkout -q --detach
		run 0 pack "${common[@]}" tree/src --budget all -o out
		[ "$(head -n 1 out)" = "Packed by bale: all of a source tree\
 (git commit $commit)." ] || complain "$way: $(head -n 1 out)"
	done
	git -C tree -c user.name=a -c user.email=a@b commit -q -m two --allow-empty
	run 0 pack "${common[@]}" tree/src --budget all --rev HEAD~1 -o out
	[ "$(head -n 1 out)" = "Packed by bale: all of a source tree\
 (git commit $commit)." ] || complain "--rev: $(head -n 1 out)"
	run 0 pack "${common[@]}" tree --budget all --rev 'HEAD~1^{tree}' -o out
	[ "$(head -n 1 out)" = 'Packed by bale: all of a source tree.' ] ||
		complain "a tree is no commit: $(head -n 1 out)"
	git -C tree reset -q --soft HEAD~1
	git -C tree rev-parse HEAD >name
	run 0 pack "${common[@]}" tree/src --budget all --no-history -o out
	[ "$(head -n 1 out)" = 'Packed by bale: all of a source tree.' ] ||
		complain "it was not to be read"
	for head in 'ref: ../../name' 'ref: refs/../../../name' 'ref: refs/none' \
		"$(printf 'g%.0s' {1..40})" 'ref: refs'; do
		echo "$head" >tree/.git/HEAD
		run 0 pack "${common[@]}" tree/src --budget all -o out
		[ "$(head -n 1 out)" = 'Packed by bale: all of a source tree.' ] ||
			complain "$head: $(head -n 1 out)"
	done
	end
fi
finish
