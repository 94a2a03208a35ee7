#!/bin/bash
# SPDX-License-Identifier: MIT
#
# `bale bench --query`: the past commits and what packs had of them are what git
# and the reports of bale pack say, one by one.

# shellcheck source=tests/support/lib.sh
. tests/support/lib.sh
command -v python3 >/dev/null || skip_all python3 is not installed
command -v git >/dev/null || skip_all git is not installed
check=$PWD/tests/support/bench_query.py
cd "$dir" || exit 1
export XDG_STATE_HOME=$dir/state
"$check" make repo
before=$(find repo -type f -newer repo/README.md | wc -l)

"$BALE" bench repo --query --no-config --budget 1500 --json >one.json 2>err
is "$? $(cat err)" "0 " "it runs"
is "$("$check" check repo "$BALE" one.json 1500)" "26 tasks" \
	"tasks by git, figures by reports of pack"
"$BALE" bench repo --query --no-config --budget 1500 --json --workers 3 >two.json
cmp one.json two.json
is "$?" 0 "the same with more workers"
is "$(find repo -type f -newer repo/README.md | wc -l)" "$before" \
	"the tree is left as it is"
"$BALE" bench repo --query --no-config --commits 5 --budget 1500 --json >five.json
is "$(python3 -c 'import json
one, five = (json.load(open(x))["tasks"] for x in ("one.json", "five.json"))
print(len(five), one[:5] == five)')" "5 True" "the last five"
"$BALE" bench repo --query --no-config --commits 3 >text
is "$(head -1 text | cut -d';' -f1)" "3 past commits" "a table for people"
is "$(grep -c '│ *[0-9,]* │ *[0-9.]* % │' text)" 3 "with three budgets"
is "$(ls "$XDG_STATE_HOME" 2>/dev/null)" "" "no report is kept"

# Ended in the middle, it leaves nobody behind.
"$BALE" bench repo --query --no-config >out 2>err &
bench=$!
until pgrep -P $bench >/dev/null || ! kill -0 $bench; do :; done
kill -TERM $bench
wait $bench
is "$?" 143 "ended by a signal"
is "$(pgrep -s 0 -f 'bale.* bench repo --query --no-config$' | wc -l)" 0 \
	"with all its processes"
done_testing
