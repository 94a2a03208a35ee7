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
run 0 pack tree -q --budget 30000 --report report.json -o out.md --no-last
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

begin 'bale report --chunk-detail shows them'
run 0 report report.json --chunk-detail
is grep -q 'class Shape, method area, function _hidden' out
is grep -q 'function f1, .*\.\.\.' out
end

finish
