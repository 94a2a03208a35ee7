#!/bin/bash
# SPDX-License-Identifier: MIT
#
# bale dedup: the documents' examples of chunks that are there twice, and of
# ranges that overlap.
#
# verifies: FR-016-91, FR-016-92, FR-016-93, FR-016-98, FR-016-104
# verifies: FR-016c-22, FR-016c-23, FR-016c-24, FR-016c-34, AC-016c-023
# verifies: AC-016c-024, AC-016c-025, AC-016c-026, AC-016c-027, AC-016c-028
# verifies: AC-016c-032, AC-016c-036, AC-016c-037, NFR-016-38

set -u
BALE=${BALE:-build/release/bale}
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
n=0

# is GOT WANT NAME
is() {
	n=$((n + 1))
	if [ "$1" = "$2" ]; then
		echo "ok $n - $3"
	else
		echo "not ok $n - $3"
		printf '%s\n' "got: $1" "want: $2" | sed 's/^/# /'
	fi
}

# dedup JSON [OPTIONS]: "kept exact exact_tokens overlaps"
dedup() {
	printf '%s' "$1" | "$BALE" dedup - --json "${@:2}" 2>"$dir/err" |
		tr -d ' \n' | sed -E 's/.*"chunks":\[(.*)\],"dedup":\{"exact_removed":([0-9]*),"exact_tokens":([0-9]*),"overlaps_merged":([0-9]*),.*/\1|\2 \3 \4/; s/\{"path":"([^"]*)","start_line":([0-9]*),"end_line":([0-9]*),"rank":([0-9]*)[^}]*\}/\1:\2-\3@\4/g'
}

two='[{"path":"User.cs","lines":"1-50","rank":100,"source":"tool_results"},
{"path":"User.cs","lines":"40-80","rank":85,"source":"search_results"}]'
is "$(dedup "$two" --threshold 0.8)" \
	"User.cs:1-50@100,User.cs:40-80@85|0 0 0" "below the threshold"
is "$(dedup "$two" --threshold 0.25)" "User.cs:1-80@100|0 0 1" \
	"above it: all lines, the best rank"
is "$(dedup "$two" --threshold 0.25 --no-merge)" "User.cs:1-50@100|0 0 1" \
	"without merging the better one stays"

user='"content":"public class User { }","lines":"1-1","tokens":10'
is "$(dedup "[{\"path\":\"User.cs\",\"rank\":100,$user},
{\"path\":\"User.cs\",\"rank\":50,\"source\":\"search_results\",$user}]")" \
	"User.cs:1-1@100|1 10 0" "a duplicate: the better rank is kept"
is "$(dedup '[{"path":"low","lines":"1-1","rank":10,"content":"Test content"},
{"path":"high","lines":"1-1","rank":100,"content":"Test content"}]')" \
	"high:1-1@100|1 2 0" "whatever the order, and from another file"
is "$(dedup '[{"path":"1","lines":"1-1","rank":100,"content":"Content A"},
{"path":"2","lines":"1-1","rank":90,"content":"Content B"},
{"path":"3","lines":"1-1","rank":80,"content":"Content C"}]')" \
	"1:1-1@100,2:1-1@90,3:1-1@80|0 0 0" "none"
same='"lines":"1-1","content":"Same","tokens":10'
is "$(dedup "[{\"path\":\"1\",\"rank\":100,$same},
{\"path\":\"2\",\"rank\":90,$same},{\"path\":\"3\",\"rank\":80,$same}]")" \
	"1:1-1@100|2 20 0" "all of them"
is "$(dedup '[{"path":"a","lines":"1-50","rank":9},
{"path":"b","lines":"1-50","rank":8}]')" "a:1-50@9,b:1-50@8|0 0 0" \
	"ranges of different files are never merged"
crlf='[{"path":"a","lines":"1-2","rank":2,"content":"x\ny\n"},
{"path":"b","lines":"1-2","rank":1,"content":"x  \r\ny\r\n"}]'
is "$(dedup "$crlf") $(dedup "$crlf" --dedup-normalize none)" \
	"a:1-2@2|1 4 0 a:1-2@2,b:1-2@1|0 0 0" "line ends and trailing blanks"
is "$(dedup '[]') $(dedup '{"chunks":[]}')" "|0 0 0 |0 0 0" "an empty list"
for bad in '[{"path":"c"}]' '[{"lines":"1-2"}]' 'x' '{}' \
	'[{"path":"a","lines":"5-1"}]' '[{"path":"a","lines":"1-2","tokens":-1}]' \
	'[{"path":"a","lines":"1-2","rank":"x"}]' '[7]'; do
	printf '%s' "$bad" | "$BALE" dedup - >"$dir/out" 2>"$dir/err"
	is "$? $(grep -c 'BALE-BUD-004' "$dir/err") $(wc -c <"$dir/out")" \
		"2 1 0" "$bad is refused"
done
echo "1..$n"
