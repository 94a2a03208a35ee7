#!/bin/bash
# SPDX-License-Identifier: MIT
#
# --order rank: the files stand by the best score of what is taken of them, as
# the report has it; it is the same selection, whatever the order.

BALE=${BALE:-$PWD/${BUILD:-build}/${MODE:-release}/bale}
# shellcheck source=tests/system/lib.sh
. tests/system/lib.sh

mkdir tree
"$tools/tool_tree" many tree 60 9
"$tools/tool_tree" text tree/large.c 900000
for i in 1 2 3 4; do
	printf 'int seek_%s(void)\n{\n\treturn find_needle(%s);\n}\n' $i $i \
		>"tree/z$i.c"
	echo "a needle in $i" >>"tree/z$i.c"
done
common=(tree --budget 30000 -q --query needle)

# ranked FILE: its files are those of report.json, by score, then by path.
ranked() {
	python3 - "$1" <<'END'
import json, re, sys
report = json.load(open("report.json"))
best = {}
for part in report["selected"]:
    best[part["path"]] = max(best.get(part["path"], 0), part["score"])
text = open(sys.argv[1], errors="replace").read()
got = re.findall(r'(?m)^(?:## File: |### |=+ File: |<file path="|,?\{"path":")'
                 r'(tree/[^"\s]+)', text)
# the pieces of a file that is cut stand side by side
got = [path for i, path in enumerate(got) if got[i - 1:i] != [path]]
want = sorted(best, key=lambda path: -best[path])
assert len(got) == len(set(got)) == len(want), (len(got), len(want))
assert [best[path] for path in got] == [best[path] for path in want], got[:9]
for one, next in zip(got, got[1:]):
    assert best[one] > best[next] or one < next, (one, next)
END
}

# verifies: FR-016-137, AC-016c-041, AC-016c-048
for format in markdown xml json jsonl plain; do
	begin "$format by rank, with any number of workers"
	run 0 pack "${common[@]}" --order rank --format $format -o one.md \
		--workers 1 --report report.json
	is ranked one.md
	is "$BALE" verify one.md --against report.json
	for workers in 2 8; do
		run 0 pack "${common[@]}" --order rank --format $format \
			-o other.md --workers $workers
		same one.md other.md
	done
	end
done

begin 'path is what it is without the option'
run 0 pack "${common[@]}" -o auto.md
run 0 pack "${common[@]}" -o path.md --order path
same auto.md path.md
end

begin 'signatures, a tree and parts by rank'
run 0 pack "${common[@]}" --order rank --compress -o one.md \
	--report report.json
is ranked one.md
run 0 pack "${common[@]}" --order rank --tree --split 9000 -o part.md \
	--report report.json
is "$BALE" verify part-*.md --against report.json --budget 9000
cat part-*.md >all.md
is ranked all.md
end

begin 'what fits as a whole is ranked too'
run 0 pack "${common[@]}" --budget 4M --order rank -o one.md \
	--report report.json
is ranked one.md
end

# tiers FILE: each file by its signatures, some with lines among them.
tiers() {
	python3 - "$1" <<'END'
import json, re, sys
tiers = {}
for part in json.load(open("report.json"))["selected"]:
    tiers.setdefault(part["path"], set()).add(part["tier"])
both = {path for path in tiers if len(tiers[path]) == 2}
assert both and len(both) < len(tiers), tiers
heads = re.findall(r"(?m)^(## File: |### )(tree/[^\s]+)", open(sys.argv[1]).read())
for path in both:
    at = [i for i, head in enumerate(heads) if head[1] == path]
    assert len(at) == 1, (path, at)
    assert heads[at[0]][0] == "### ", heads[at[0]]
END
}

begin 'tiers by rank: signatures of a file, and lines among them'
for i in 1 2 3 4 5 6; do
	for k in $(seq 90); do
		printf 'function f%d_%d(x: number) {\n' $i "$k"
		printf '\tx += %d // of %d\n' $((k * 7919 % 1000)) $i $k $i
		printf '\treturn x\n}\n'
	done >tree/part$i.ts
done
both=(tree -q --tiers on --include '*.ts' --budget 11000 --no-config
	--reserve-response 0 --reserve-system 0)
run 0 pack "${both[@]}" --order rank -o one.md --workers 1 --report report.json
is ranked one.md
is tiers one.md
is "$BALE" verify one.md --against report.json --budget 11000
for workers in 2 8; do
	run 0 pack "${both[@]}" --order rank -o other.md --workers $workers
	same one.md other.md
done
run 0 pack "${both[@]}" --order path -o path.md --report path.json
is python3 -c 'import json
a, b = ([(x["path"], x["start_line"], x["tier"]) for x in json.load(open(f))
         ["selected"]] for f in ("report.json", "path.json"))
assert a == b'
end

begin 'without a budget there is no rank'
run 2 pack tree --budget all --order rank
says 'nothing is ranked'
end

if grep -aq BALE_FAULT "$BALE"; then
	begin 'by rank, killed at each stage'
	run 0 pack "${common[@]}" --order rank -o want.md
	for point in collect:gather:3 collect:committed:40 select:planned:1 \
		dedup:deduped:30 format:step_written:3 chunk.0:turn:200; do
		export BALE_FAULT=$point:kill
		run 0 pack "${common[@]}" --order rank -o one.md \
			--log-level error
		unset BALE_FAULT
		same one.md want.md
	done
	run 0 pack "${both[@]}" --order rank -o want.md
	for point in collect:gather:3 collect:committed:9 collect:committed:12 \
		select:planned:1 dedup:deduped:5 dedup:deduped:9 \
		dedup:committed:8 dedup:committed:12 format:step_written:2 \
		format:committed:6; do
		export BALE_FAULT=$point:kill
		run 0 pack "${both[@]}" --order rank -o one.md \
			--log-level error
		unset BALE_FAULT
		same one.md want.md
	done
	end
fi
finish
