#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Whatever bytes a tree has, what is packed is UTF-8: each mistake is U+FFFD, as
# Python's errors="replace" has it, wherever the file is cut while it is read;
# or, with --invalid-utf8 keep, the bytes that there were. Either way it is
# counted to the token, and nothing that was repaired is said to be whole.

# shellcheck source=tests/support/lib.sh
. tests/support/lib.sh
command -v python3 >/dev/null || skip_all python3 is not installed
oracle=$PWD/tests/support/invalid_utf8.py
packed=${BALE%/*}/tests/support/tool_pack
cd "$dir" || exit 1
export TMPDIR=$dir/tmp
mkdir tmp
python3 "$oracle" make tree "${SEED:-1}" || exit 1

# pack OUT ARGS...: counted again, with its report; what is wrong.
pack() {
	local out=$1 code
	shift

	"$BALE" pack --no-config --no-last -q -o "$out" --report r.json "$@" \
		2>err
	code=$?
	[ $code = 0 ] || echo "exit $code: $(head -c 300 err)"
	"$BALE" verify "$out" --budget 100M --against r.json >verified 2>&1 ||
		cat verified
}

# right KIND OUT: by the oracle
right() {
	python3 "$oracle" "$@" 2>&1 | head -20
}

echo '{{%escape json}}[{{#files}}{{^is_first}},{{/is_first}}
{"path":"{{path}}",{{#same_as}}"same":"{{same_as}}",{{/same_as}}"text":"{{content}}"}{{/files}}]' >template

# all FORMAT TREE: everything of it, with 1 and with 3 workers
all() {
	pack "one.$1" "$2" --budget all --format "$1" --workers 1
	pack "out.$1" "$2" --budget all --format "$1" --workers 3
	cmp "one.$1" "out.$1" 2>&1
	right report r.json
	right text "out.$1"
}

is "$(all json tree/many; right json out.json)" "" \
	"mistakes at the borders of parts: all is what Python says"
is "$(all markdown tree/many)" "" "in Markdown: exact, marked"
is "$("$packed" check all out.markdown tree/many | cut -d ' ' -f 1,2)" \
	"files $(find tree/many -type f -printf x | wc -c)" \
	"all is what the standard says"
for format in json jsonl xml markdown plain; do
	is "$(all $format tree/few)" "" "$format: exact, UTF-8, marked"
done
for format in json jsonl xml; do
	is "$(right $format out.$format)" "" "$format: all is what Python says"
done
is "$("$packed" check all out.markdown tree/few | cut -d ' ' -f 1,2)" \
	"files $(find tree/few -type f -printf x | wc -c)" \
	"Markdown: all is what the standard says"
is "$(pack out.template tree/few --budget all --template template
	right template out.template)" "" "by a template: all is what Python says"
is "$(grep -c '^```python' out.markdown)" 1 \
	"a script with a mistake tells its language"

for budget in 50000 1M; do
	is "$(pack p1 tree --budget $budget --order path --workers 1
		pack p3 tree --budget $budget --order path --workers 3
		cmp p1 p3
		right text p1
		right report r.json
		"$packed" check budget p1 tree >said || cat said)" "" \
		"of $budget tokens each line is one of what the files become"
done
is "$("$BALE" pack tree/few --no-config --no-last -q --budget all --split 30000 \
	-o s.md 2>&1; right text s-*.md
	"$BALE" verify s-*.md --budget 30000 >said 2>&1 || tail -3 said)" "" \
	"in parts: each is UTF-8, and holds its budget"

# What cannot be given back is not, and what can be is.
for format in markdown json xml; do
	rm -rf back
	"$BALE" unpack "out.$format" -C back -q 2>err
	is "$? $(diff -rq tree/few back/tree/few |
		grep -v '^Only in tree/few: ')" "3 " \
		"$format: unpack writes nothing that is not whole"
	is "$(cd back/tree/few && printf '%s\n' * | LC_ALL=C sort | xargs)" \
		"same_text.txt valid.txt valid_again.txt" \
		"$format: it writes what is"
	is "$(grep -c 'bytes that are no UTF-8 were replaced' err)" \
		"$(find tree/few -type f | grep -vcE '/(same_text|valid.*).txt$')" \
		"$format: and names the rest"
done
for format in markdown json jsonl xml plain; do
	rm -rf back
	is "$(pack kept tree/few --budget all --format $format \
		--invalid-utf8 keep
		"$BALE" unpack kept -C back -q 2>&1
		diff -r tree/few back/tree/few
		grep -c 'invalid UTF-8' kept)" 0 \
		"$format: with keep each byte comes back"
done

# Every other way to say it, and what stands around the files.
echo 'context: {formatting: {invalid_utf8: keep}}' >keep.yml
"$BALE" pack tree/few -q --no-last --budget all --config keep.yml -o by_config
BALE_INVALID_UTF8=keep "$BALE" pack tree/few -q --no-last --no-config \
	--budget all -o by_environment
pack kept tree/few --budget all --invalid-utf8 keep
is "$(cmp kept by_config 2>&1; cmp kept by_environment 2>&1)" "" \
	"the configuration and the environment say it as well"
printf 'begin \342\202\n' >header
printf 'end \377\303\251\377' >instructions
mkdir one
printf '\303\251 \303\251 \303\251 \303\251 \303\251 \377\n' >one/a.txt
is "$(pack out one --budget all --header @header --instructions instructions
	grep -cE '^(begin �|end �é�)$' out)" 2 "header and instructions are repaired"
is "$(pack out one --budget all --header @header --instructions instructions \
	--invalid-utf8 keep
	LC_ALL=C grep -acE "^(begin $(printf '\342\202')|end $(printf '\377\303\251\377'))$" \
		out)" 2 "or kept"
printf '\377{{#files}}{{content}}{{/files}}' >template
is "$(pack out one --budget all --template template; cat out)" \
	"�é é é é é �" "a template, too"
printf 'caf\303\251 \303\251\303\251\303\251\303\251 \377.c:1: error\n' >log
is "$(pack out one --budget 10000 --tool log; right text out
	grep -c 'caf.*�.c:1: error' out)" 1 "a log"

# Half a pair of surrogates is no character of UTF-16.
mkdir half
printf '\377\376a\0\075\330b\0\n\0' >half/a.txt
printf '\377\376a\0b\0\n\0' >half/c.txt
is "$(pack out half --budget all --hashes off
	sed -n 's/^## File: half\/\(.\).txt (lines 1-1, //p; /�/p' out)" \
	"from invalid UTF-16LE)
a�b
from UTF-16LE)" "what is no character of UTF-16 is said, too"
rm -rf back
"$BALE" unpack out -C back -q 2>err
is "$? $(cd back/half && echo *)" "3 c.txt" "and is not unpacked"

# A commit is read by another way.
if command -v git >/dev/null; then
	export HOME=$dir GIT_CONFIG_NOSYSTEM=1
	(cd tree && git init -q . && git -c core.autocrlf=false add -A &&
		git -c user.name=a -c user.email=a@b commit -qm all)
	is "$(pack rev.json tree/few --rev HEAD --budget all --format json
		right json rev.json)" "" "--rev: all is what Python says"
fi
is "$(ls tmp)" "" "nothing is left"
done_testing
