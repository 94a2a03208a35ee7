#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Outputs by a template: what stands in them is the files, read back by Python
# alone; counted exactly, the same for any number of workers, and after deaths.

BALE=${BALE:-$PWD/${BUILD:-build}/${MODE:-release}/bale}
# shellcheck source=tests/system/lib.sh
. tests/system/lib.sh

mkdir tree
"$tools/tool_tree" many tree 30 5
"$tools/tool_tree" text tree/large.c 400000
printf 'a<b>&amp; "quoted" it'"'"'s\n```\n\\u0041\tx' >tree/odd
cp tree/odd tree/same
: >tree/empty

cat >json.mustache <<'END'
{{%escape json}}
{{! one document }}
{"about":"{{header}}","files":[{{#files}}{{^is_first}},{{/is_first}}
{"path":"{{path}}","lines":[{{line_first}},{{line_last}}]{{#same_as}},"same":"{{same_as}}"{{/same_as}},
"chunks":[{{#chunks}}{{^is_first_chunk}},{{/is_first_chunk}}[{{line}},"{{content}}"]{{/chunks}}]}{{/files}}],
"tree":"{{tree}}","then":"{{instructions}}"}
END
cat >xml.mustache <<'END'
<all>{{#files}}<f path="{{path}}"{{#same_as}} same="{{same_as}}"{{/same_as}}>{{content}}</f>
{{/files}}</all>
END
cat >text.mustache <<'END'
{{#files}}
== {{{path}}}{{#is_empty}} (empty){{/is_empty}}
{{#content}}
{{{fence}}}{{language}}
{{{content}}}
{{{fence}}}
{{/content}}
{{/files}}
{{{tree}}}
END

# counted: the output is what the report and a recount say.
counted() {
	is "$BALE" verify out.file --budget 10M --against report.json
}

begin 'a dot is what the section is of'
printf '{{#files}}{{#path}}<{{.}}>{{/path}}{{content}}{{/files}}' >dot
run 0 pack tree/odd --budget all --template dot -q -o out.file
is [ "$(head -c 10 out.file)" = '<tree/odd>' ]
end

# verifies: FR-016-139, FR-016-135, FR-016-138
begin 'JSON by a template has all files, byte for byte'
run 0 pack tree --budget all --template json.mustache -q -o out.file \
	--header 'a "header"' --instructions tree/odd --report report.json
counted
is python3 - <<'END'
import json
got = json.load(open("out.file", encoding="utf-8"))
assert got["about"] == 'a "header"', got["about"]
assert got["then"].encode() == open("tree/odd", "rb").read() + b"\n"
assert got["tree"].startswith("tree/\n"), got["tree"][:40]
assert len(got["files"]) == 34, len(got["files"])
for file in got["files"]:
    want = open(file.get("same", file["path"]), "rb").read()
    assert open(file["path"], "rb").read() == want
    text = "".join(part[1] for part in file["chunks"])
    if "same" not in file:
        assert text.encode("utf-8", "surrogateescape") == want, file["path"]
END
end

begin 'chunks and gaps of a part of the files'
run 0 pack --budget 20000 --template json.mustache -q -o out.file \
	--reference tree/large.c:100-110 --reference tree/large.c:4000-4010 \
	--report report.json
counted
is python3 - <<'END'
import json
gaps = 0
for file in json.load(open("out.file", encoding="utf-8"))["files"]:
    lines = open(file["path"], encoding="utf-8", newline="\n").read().split("\n")
    gaps += max(0, len(file["chunks"]) - 1)
    for line, text in file["chunks"]:
        part = text.removesuffix("\n").split("\n")
        assert lines[line - 1:line - 1 + len(part)] == part, file["path"]
assert gaps > 0
END
end

begin 'XML by a template is what a parser reads'
run 0 pack tree --budget all --template xml.mustache -q -o out.file \
	--report report.json
counted
is python3 - <<'END'
import xml.etree.ElementTree as tree
files = tree.parse("out.file").getroot()
assert len(files) == 34
for file in files:
    want = open(file.get("path"), "rb").read()
    if file.get("same") is None:
        assert (file.text or "").encode() == want, file.get("path")
END
end

begin 'text by a template'
run 0 pack tree --budget all --template text.mustache -q -o out.file \
	--report report.json
counted
is grep -qx '== tree/empty (empty)' out.file
is [ "$(grep -c '^== ' out.file)" = 34 ]
is grep -qx '````' out.file
end

begin 'a template without content'
printf '{{#files}}\n{{{path}}}\n{{/files}}\n' >list.mustache
run 0 pack tree --budget all --template list.mustache -q -o out.file
is diff <(find tree -type f | LC_ALL=C sort) <(LC_ALL=C sort out.file)
end

begin 'with line numbers; the same with any number of workers'
run 0 pack tree --budget all --template text.mustache -q -o out.file \
	--line-numbers --workers 1 --report report.json
counted
is grep -qx '1: a<b>&amp; "quoted" it.s' out.file
run 0 pack tree --budget all --template text.mustache -q -o other.file \
	--line-numbers --workers 8
same out.file other.file
end

begin 'a template without a file to fill it with'
mkdir nothing
for which in json xml text list; do
	for budget in all 30000; do
		run 9 pack nothing --budget $budget --template $which.mustache
		says 'nothing to pack'
		is [ "$(grep -c 'ended by' err)" = 0 ]
	done
done
end

begin 'what a template cannot be, or be given with'
printf 'one\n\n{{#files}}{{nobody}}{{/files}}' >bad.mustache
run 2 pack tree --template bad.mustache
says 'BALE-TPL-001: bad.mustache:3: no such name: nobody'
run 2 pack tree --template nowhere.mustache
says 'nowhere.mustache: No such file'
run 2 pack tree --template list.mustache --tree
says 'BALE-TPL-002: --tree: list.mustache has no \{\{tree\}\}'
run 2 pack tree --template list.mustache --format xml
says 'a template is a format'
run 2 pack tree --template list.mustache --split 1000 -o out.file
says 'cannot be given with --split'
run 2 unpack other.file -C back
says 'what --template wrote cannot be read back'
end

if grep -aq BALE_FAULT "$BALE"; then
	for budget in all 30000; do
		begin "killed while it writes a template, budget $budget"
		run 0 pack tree --budget $budget --template json.mustache -q \
			-o want.file
		for point in format:step_written:1 format:committed:2 \
			format:written:3 count.0:counted:2 format:told:2; do
			export BALE_FAULT=$point:kill
			run 0 pack tree --budget $budget -q -o out.file \
				--template json.mustache --log-level error
			unset BALE_FAULT
			same out.file want.file
		done
		end
	done
fi
finish
