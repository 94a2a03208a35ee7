#!/bin/bash
# SPDX-License-Identifier: MIT
#
# A set of parts has a manifest: it says what is there, to other programs and to
# verify and unpack, which tell of a part that is missing or is not the one.

BALE=${BALE:-$PWD/${BUILD:-build}/${MODE:-release}/bale}
# shellcheck source=tests/system/lib.sh
. tests/system/lib.sh

mkdir tree
"$tools/tool_tree" many tree 20 5
all=(-q --no-last --budget all)

begin 'the manifest names what is there, by other programs'
rm -rf made && mkdir made
run 0 pack tree "${all[@]}" --split 2000 -o made/o.md
is [ "$(grep -c '"file"' made/o.md.manifest.json)" = "$(ls made/o-* | wc -l)" ]
sed -n 's/.*"file":"\([^"]*\)".*"sha256":"\([^"]*\)".*/\2  \1/p' \
	made/o.md.manifest.json >sums
is [ -s sums ]
(cd made && sha256sum -c --quiet ../sums) >sha.out 2>&1 ||
	complain "$(cat sha.out)"
while IFS= read -r line; do
	file=$(sed 's/.*"file":"\([^"]*\)".*/\1/' <<<"$line")
	bytes=$(sed 's/.*"bytes":\([0-9]*\).*/\1/' <<<"$line")
	tokens=$(sed 's/.*"tokens":\([0-9]*\).*/\1/' <<<"$line")
	is [ "$bytes" = "$(stat -c %s "made/$file")" ]
	read -r counted _ < <("$BALE" count "made/$file")
	is [ "$tokens" = "$counted" ]
done < <(grep '"file"' made/o.md.manifest.json)
end

begin 'the same parts have the same manifest'
mkdir again
run 0 pack tree "${all[@]}" --split 2000 -o again/o.md --workers 3
same made/o.md.manifest.json again/o.md.manifest.json
rm -rf again
end

begin 'a manifest stands for its parts'
run 0 verify made/o.md.manifest.json
is [ "$(grep -c 'tokens' out)" = "$(ls made/o-* | wc -l)" ]
is [ "$(grep -c 'manifest   matches' out)" = "$(ls made/o-* | wc -l)" ]
run 0 verify made/*
is [ "$(grep -c 'tokens' out)" = "$(ls made/o-* | wc -l)" ]
run 0 unpack made/o.md.manifest.json -C back1
is diff -r tree back1/tree
run 0 unpack made/* -C back2
is diff -r tree back2/tree
(cd made && "$BALE" unpack ./o.md.manifest.json o-*.md -q -C ../back3) ||
	complain "exit code $?"
is diff -r tree back3/tree
rm -rf back?
end

begin 'a manifest that another program has written stands for its parts'
cp made/o.md.manifest.json ours
for form in '-c .' '.' '--tab -S .'; do
	# shellcheck disable=SC2086  # words are wanted
	jq $form ours >made/o.md.manifest.json
	run 0 verify made/o.md.manifest.json
	is [ "$(grep -c 'manifest   matches' out)" = \
		"$(ls made/o-* | wc -l)" ]
	run 0 unpack made/o.md.manifest.json -C back1
	is diff -r tree back1/tree
	rm -rf back1
done
cp ours made/o.md.manifest.json
end

begin 'a part that was changed, or is from another run, is told of'
sed -i '20s/^/x/' made/o-002.md
run 3 verify made/o.md.manifest.json
is grep -q 'manifest   does not match this file' out
run 3 unpack made/o-*.md -C back1
says 'made/o-002.md does not match its manifest'
run 3 verify made/o-002.md
run 0 verify made/o-001.md
cp made/o-001.md made/o-077.md
run 3 verify made/o-077.md
rm -rf back1 made/o-077.md
end

begin 'a part that is missing is told of'
rm made/o-002.md
run 3 verify made/o.md.manifest.json
says 'made/o-002.md: No such file or directory, and its manifest names it'
run 3 unpack made/o.md.manifest.json -C back1
says 'made/o-002.md: No such file'
says 'missing parts: .*, the first is part 2'
rm -rf back1
end

begin 'what only has the name of a manifest is none, and that is told'
for broken in '{}' '' 'not JSON' "$(head -c 300 ours)"; do
	printf '%s' "$broken" >made/o.md.manifest.json
	run 3 verify made/o-001.md
	is grep -q 'manifest   cannot be read' out
	says 'made/o.md.manifest.json: it has the name of a manifest and is none'
	run 3 verify made/o-001.md made/o-003.md
	is [ "$(grep -c 'is none' err)" = 1 ]
	run 3 unpack made/o-001.md -C back1
	says 'made/o.md.manifest.json: it has the name of a manifest and is none'
	rm -rf back1
	# nothing of it is counted, and none of its parts are taken as whole
	for command in verify unpack; do
		run 2 $command made/o.md.manifest.json made/o-001.md
		says 'made/o.md.manifest.json: it has the name of a manifest'
		is [ ! -s out ]
	done
done
run 2 verify made/none.md.manifest.json
says 'made/none.md.manifest.json: No such file or directory'
mkdir made/none.md.manifest.json
cp made/o-001.md made/none-001.md
run 3 verify made/none-001.md
end

begin 'a manifest of JSON parts'
rm -rf back1 made && mkdir made
run 0 pack tree "${all[@]}" --split 2000 --format json -o made/o.json
run 0 unpack made/o-*.json -C back1
is diff -r tree back1/tree
run 0 unpack made/*.json -C back2
is diff -r tree back2/tree
rm -rf back?
end

begin 'compressed parts: of the files as they lie'
rm -rf made && mkdir made
run 0 pack tree "${all[@]}" --split 2000 -o made/o.md.zst
sed -n 's/.*"file":"\([^"]*\)".*"sha256":"\([^"]*\)".*/\2  \1/p' \
	made/o.md.zst.manifest.json >sums
(cd made && sha256sum -c --quiet ../sums) >sha.out 2>&1 ||
	complain "$(cat sha.out)"
run 0 verify made/o.md.zst.manifest.json
run 0 unpack made/o.md.zst.manifest.json -C back1
is diff -r tree back1/tree
rm -rf back1
end

begin 'a directory of that name is somebody else'\''s'
rm -rf made && mkdir -p made/.o.md.parts.tmp
echo mine >made/.o.md.parts.tmp/thesis
"$BALE" pack tree "${all[@]}" --split 2000 -o made/o.md 2>err ||
	complain "exit code $?: $(cat err)"
is [ "$(cat made/.o.md.parts.tmp/thesis)" = mine ]
rm -rf made
mkdir made
ln -s .. made/.o.md.parts.tmp
"$BALE" pack tree "${all[@]}" --split 2000 -o made/o.md 2>err
is [ $? = 4 ]
says 'cannot write made/o.md: .*move it away'
is [ -z "$(ls made)" ]
rm -rf made
if is_root; then
	mkdir -p made/.o.md.parts.tmp
	chown 12345 made/.o.md.parts.tmp
	"$BALE" pack tree "${all[@]}" --split 2000 -o made/o.md 2>err
	is [ $? = 4 ]
	says "is not bale's; move it away"
	rm -rf made
fi
end
finish
