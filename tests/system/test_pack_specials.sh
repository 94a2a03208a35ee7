#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Text that looks like a special token is in the report: where, which, and how
# often, as grep finds it in the files; and it is counted as the text it is.

BALE=${BALE:-$PWD/${BUILD:-build}/${MODE:-release}/bale}
# shellcheck source=tests/system/lib.sh
. tests/system/lib.sh

mkdir tree
"$tools/tool_tree" many tree 10 2
printf 'one\n<|endoftext|> and <|endoftext|>\n<|im_start|>user\n' >tree/a.txt
{ yes '// a line of code' | head -n 30000; echo '// <|fim_prefix|> <|not that|> <||> <|x|'; } >tree/b.c
cp tree/a.txt tree/same.txt
printf '<|endoftext|>\0' >tree/binary

# listed: what the report has, a line each.
listed() {
	python3 - <<'END'
import json
for one in json.load(open("report.json"))["special_tokens"]:
    print(one["path"], one["line"], one["token"], one["count"])
END
}

for budget in all 500000; do
	for format in markdown json; do
		begin "special tokens of $format, budget $budget"
		run 0 pack tree --budget $budget --order path --format $format -q \
			-o out.file --report report.json
		listed >got
		is diff - got <<'END'
tree/a.txt 2 <|endoftext|> 2
tree/a.txt 3 <|im_start|> 1
tree/b.c 30001 <|fim_prefix|> 1
END
		is "$BALE" verify out.file --against report.json --budget 1M
		end
	done
done

begin 'a preview lists them, too'
run 0 preview tree --budget 500000 --json
mv out report.json
listed >got
is [ "$(wc -l <got)" = 3 ]
end

if command -v git >/dev/null; then
	begin 'what stands beside the files is looked at, too'
	mkdir repo
	export HOME=$PWD GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b
	export GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b
	git init -q repo
	echo one >'repo/<|fim_prefix|>.c'
	git -C repo add .
	git -C repo commit -q -m 'first <|endofprompt|>, <|endofprompt|> <|x|>'
	echo '<|endoftext|>' >>'repo/<|fim_prefix|>.c'
	echo 'Do it. <|im_end|>' >task
	for encoding in o200k_base cl100k_base; do
		run 0 pack repo --budget all --encoding $encoding -q \
			-o out.file --git-log 3 --git-diff \
			--header 'a <|im_start|>' --instructions task \
			--report report.json
		python3 - >got <<'END'
import json
for one in json.load(open("report.json"))["special_tokens"]:
    print(one["in"], one["line"], one["token"], one["count"],
          one["in_encoding"])
END
		has=False
		[ $encoding = o200k_base ] || has=True
		is diff - got <<END
file 2 <|endoftext|> 1 True
name None <|fim_prefix|> 1 $has
header 1 <|im_start|> 1 False
git-log 2 <|endofprompt|> 2 True
git-log 2 <|x|> 1 False
git-log 3 <|fim_prefix|> 1 $has
git-diff 1 <|fim_prefix|> 4 $has
git-diff 7 <|endoftext|> 1 True
instructions 1 <|im_end|> 1 False
END
		run 0 report report.json --special-tokens
		is [ "$(grep -c '<|' out)" = 9 ]
		is [ "$(grep -c 'yes' out)" = "$(grep -c True got)" ]
		run 0 report report.json
		is grep -q "Text Like Special Tokens: 9 ($(grep -c True got)" out
	done
	end
fi

begin 'none where there are none'
run 0 pack tree --exclude '*.txt' --exclude b.c --budget all -q -o out.file \
	--report report.json
is [ -z "$(listed)" ]
is grep -q '"special_tokens":\[\]' report.json
end

begin 'very many of them are bounded, and counted'
python3 - <<'END'
with open("tree/many.txt", "w") as file:
    for i in range(200000):
        file.write(f"<|t{i}|>\n")
END
run 0 pack tree --budget all -q -o out.file --report report.json
is [ "$(listed | wc -l)" -le 4096 ]
is [ "$(($(figure report.json special_tokens_left_out) + \
	$(listed | wc -l)))" = 200003 ]
end

if grep -aq BALE_FAULT "$BALE"; then
	begin 'the same after deaths'
	listed >want
	for point in format:step_written:1 format:committed:3 format:told:1; do
		export BALE_FAULT=$point:kill
		run 0 pack tree --budget all -q -o out.file \
			--report report.json --log-level error
		unset BALE_FAULT
		listed >got
		same got want
	done
	end
fi
finish
