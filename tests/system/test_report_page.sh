#!/bin/bash
# SPDX-License-Identifier: MIT
#
# `bale report --html`, looked at in a real browser, with names that would
# like to be HTML or script.

set -u
BALE=${BALE:-build/release/bale}
tests=$PWD/tests
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
command -v python3 >/dev/null || {
	echo "ok 1 # SKIP python3 is missing"
	exit 0
}

mkdir -p "$dir/tree/src/deep" "$dir/tree/docs" || exit 1
cd "$dir/tree" || exit 1
for i in $(seq 40); do
	seq $((i * 20)) | sed "s/^/int value_$i = /" >"src/file_$i.c"
done
seq 3000 >docs/numbers.txt
cp src/file_30.c src/deep/copy.c
for i in $(seq 12); do # signatures of all, text of some
	for j in $(seq $((i * 45))); do
		printf 'int f%d_%d(int x)\n{\n\treturn x + %d;\n}\n\n' \
			"$i" "$j" "$i$j"
	done >"src/code_$i.c"
done
printf 'key\n' >secret.pem
name=$(printf '<img src=x onerror=window.hacked=1>\n\033[31m')
mkdir "$name" && echo 'int x;' >"$name/a.c"
echo 'int y;' >'<script>window.hacked=1<'
mkdir '<' && echo 'int z;' >'</script>' # ends a script, if it is let
cd .. || exit 1
"$BALE" pack tree --budget 20k -q -o out --report report.json --no-last ||
	exit 1
# no file ends a worker here: one of the report's is said to have
python3 - <<'END' || exit 1
import json
report = json.load(open("report.json"))
one = next(r for r in report["excluded"] if r["reason"] == "budget")
one.update(reason="poison", tokens=0)
json.dump(report, open("report.json", "w"))
END
"$BALE" report report.json --html page.html || exit 1
if ! "$BALE" report - --html - <report.json | cmp - page.html; then
	echo "not ok 1 - the page of what comes by stdin is another"
	exit 1
fi
python3 "$tests/support/report_page.py" page.html report.json
