#!/bin/bash
# SPDX-License-Identifier: MIT
#
# `bale models` and --model: encoding, window, and honest estimates.
#
# verifies: FR-016-74, NFR-016-22, FR-016c-01, CTX-01.6, CTX-01.7

# shellcheck source=tests/support/lib.sh
. tests/support/lib.sh

for i in $(seq 3000); do echo "line $i: some words, some_identifiers(int x);"
done >"$dir/a.txt"
cd "$dir" || exit 1

is "$("$BALE" models | awk '$1 == "gpt-4o" { print $2, $3, $4 }')" \
	"o200k_base 128000 exact" "a model is listed with what it means"
is "$("$BALE" count --model gpt-4o <a.txt)" "$("$BALE" count <a.txt)" \
	"a model gives its encoding"
is "$("$BALE" count --model gpt-4 <a.txt)" \
	"$("$BALE" count --encoding cl100k_base <a.txt)" \
	"so does an older one"
plain=$("$BALE" count --encoding cl100k_base <a.txt)
is "$("$BALE" count --model claude-opus-4-1 <a.txt 2>err)" \
	"$(((plain * 135 + 99) / 100))" "an estimate has its margin"
is "$(grep -c 'estimated with cl100k_base' err)" 1 "and says so"

"$BALE" pack a.txt --model gpt-4 --reserve-response 1000 --reserve-system 0 \
	-q -o out --report report
is "$?" 0 "a model gives the window"
is "$(grep -o '"total":[0-9]*' report | head -n 1)" '"total":8192' \
	"which is the budget of the report"
is "$(grep -o '"available":[0-9]*' report | head -n 1)" '"available":7192' \
	"from which the reserves are taken first"
is "$(grep -o '"estimated":[a-z]*' report)" '"estimated":false' \
	"an exact count is no estimate"

"$BALE" pack a.txt --model claude-sonnet-4 --budget 20k --reserve-system 0 \
	--reserve-response 0 -q -o out --report report 2>err
is "$?" 0 "a model without a public tokenizer can be packed for"
is "$(grep -o '"estimated":[a-z]*' report)" '"estimated":true' \
	"its count is an estimate"
counted=$("$BALE" count --encoding cl100k_base <out)
is "$((counted * 135 <= 20000 * 100 && counted > 13000))" 1 \
	"the margin is taken off the budget"
is "$(grep -o '"used":[0-9]*' report | head -n 1)" \
	"\"used\":$(((counted * 135 + 99) / 100))" "and stands in the report"

"$BALE" count --model qwen3 a.txt >out 2>err
is "$(grep -c 'estimated with cl100k_base.*tokenizer.json' err)" 1 \
	"a published tokenizer that is not built in is asked for"
"$BALE" pack a.txt --model claude-sonnet-4 --budget 20k -q -o out \
	--report report 2>/dev/null
is "$(grep -c '"warnings":."claude-sonnet-4 has no public' report)" 1 \
	"the report has the warning"
mkdir one && cp a.txt one
is "$("$BALE" tree one --model claude-3 2>/dev/null |
	awk '/total/ { gsub(",", ""); print $1 }')" \
	"$("$BALE" count --model claude-3 <a.txt 2>/dev/null)" \
	"tree and count have the same margin"

"$BALE" pack a.txt --model gpt-99-nonsense -o none 2>err
is "$? $(grep -c 'bale models' err)" "2 1" "a model that is not known"
done_testing
