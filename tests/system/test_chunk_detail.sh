#!/bin/bash
# SPDX-License-Identifier: MIT
#
# What the report says of a packed range: the names that are defined there,
# what its file imports, what is left to do.

BALE=${BALE:-$PWD/${BUILD:-build}/${MODE:-release}/bale}
# shellcheck source=tests/system/lib.sh
. tests/system/lib.sh

mkdir tree
cat >tree/a.py <<'END'
import os
from .b import helper


class Shape:
    # TODO: more of them
    def area(self):
        return 1


def _hidden():
    return helper("def no(): pass")
END
{
	echo '#include "list.h"'
	for i in $(seq 400); do
		printf 'int f%d(void)\n{\n\treturn g(%d);\n}\n\n' "$i" "$i"
	done
} >tree/many.c

begin 'names of a range are those that its lines define'
run 0 pack tree -q --budget 20000 --report report.json -o out.md --no-last
is python3 - report.json <<'END'
import json, re, sys
seen = []
for x in json.load(open(sys.argv[1]))["selected"]:
    lines = open(x["path"]).read().split("\n")
    for d in x.get("defines", []):
        assert x["start_line"] <= d["line"] <= x["end_line"], d
        assert d["name"] in lines[d["line"] - 1], d
    names = [(d["kind"], d["name"], d["exported"]) for d in x.get("defines", [])]
    if x["path"].endswith("a.py"):
        assert names == [("class", "Shape", True), ("method", "area", True),
            ("function", "_hidden", False)], names
        assert x["imports"] == ["os", ".b"], x["imports"]
        assert x["markers"] == [{"name": "TODO", "line": 6}], x["markers"]
    else:
        assert ("imports" in x) == (x["start_line"] == 1)
        seen += [n for kind, n, exported in names]
        text = "\n".join(lines[x["start_line"] - 1:x["end_line"]])
        assert [n for k, n, e in names] == re.findall(r"^int (f\d+)", text, re.M)[:64]
assert len(seen) > 200 and len(seen) == len(set(seen)), len(seen)
END
end

begin 'complexity and calls, the same for any number of workers'
mkdir code
cat >code/a.py <<'END'
# if this and that
def area(xs):
    for x in xs:
        if x and ok(x):
            print("if (x) or y", x)
    return [y for y in xs if y]
END
{
	for i in $(seq 300); do
		printf 'int f%d(int a)\n{\n\tif (a && b) // for (;;)\n' "$i"
		printf '\t\treturn call%d("if (a)");\n\treturn 0;\n}\n\n' "$i"
	done
} >code/many.c
for n in 1 2 8; do
	run 0 pack code -q --budget 20000 --workers $n --report code$n.json \
		-o out.md --no-last
done
is python3 - code1.json code2.json code8.json <<'END'
import json, re, sys
all = [json.load(open(name))["selected"] for name in sys.argv[1:]]
assert all[0] == all[1] == all[2]
total = 0
for x in all[0]:
    if x["path"].endswith("a.py"):
        assert x["complexity"] == 5 and x["calls"] == ["ok", "print"], x
        continue
    total += x["complexity"]
    lines = open(x["path"]).read().split("\n")
    text = "\n".join(lines[x["start_line"] - 1:x["end_line"]])
    assert x["complexity"] == 2 * len(re.findall(r"\bif \(a &&", text)), x
    assert set(x["calls"]) <= set(re.findall(r"return (call\d+)", text))
    assert len(x["calls"]) > 5
assert total == 600, total
END
end

begin 'bale report --chunk-detail shows them'
run 0 report report.json --chunk-detail
is grep -q 'class Shape, method area, function _hidden' out
is grep -q 'function f1, .*\.\.\.' out
run 0 report code1.json --chunk-detail
is grep -q '│ *5 │ function area' out
end

finish
