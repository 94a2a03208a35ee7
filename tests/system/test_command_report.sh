#!/bin/bash
# SPDX-License-Identifier: MIT
#
# `bale report`: the tables say what the JSON says, wherever it comes from.
#
# verifies: FR-016c-15, FR-016c-33, FR-016c-34, FR-016c-35, FR-016c-50
# verifies: NFR-016c-14, FR-016c-49

# shellcheck source=tests/support/lib.sh
. tests/support/lib.sh

# json KEY... : a number of the report
json() {
	python3 -c 'import json, sys
v = json.load(open("r.json"))
for key in sys.argv[1:]: v = v[key]
print(f"{v:,}" if isinstance(v, int) else v)' "$@"
}

mkdir "$dir/tree" && cd "$dir" || exit 1
for i in $(seq 30); do seq $((i * 50)) >"tree/file_$i.txt"; done
cp tree/file_20.txt tree/copy.txt
printf 'x\n' >"tree/$(printf 'a\nb\033[31m').txt"

"$BALE" report >out 2>err
is "$?" 2 "without a run there is no report"
is "$(grep -c 'no run yet' err)" 1 "and it says so"
"$BALE" pack tree --budget 10k -q -o out --no-last --report r.json
is "$([ -e state/bale/last-report.json ]; echo $?)" 1 "--no-last keeps nothing"

"$BALE" pack tree --budget 10k -q -o out --report r.json || exit 1
"$BALE" report >tables
is "$?" 0 "the last report"
is "$(sed -n 1p tables)" \
	"Token Budget Report (run $(json correlation_id | cut -c1-8), $(json started_at))" \
	"is that of the last run"
"$BALE" report r.json >tables2
is "$(cmp tables tables2; echo $?)" 0 "a file gives the same"
is "$(cd tree && "$BALE" report 2>&1 >/dev/null)" \
	"the last run was in $PWD" "elsewhere it says whose it is"
mkdir other && (cd other && "$BALE" pack ../tree --budget 5k -q -o ../out3)
is "$("$BALE" report 2>&1 | cmp - tables; echo $?)" 0 \
	"a run elsewhere leaves the last one of this directory"
is "$("$BALE" report --last 2>&1 >/dev/null)" "the last run was in $PWD/other" \
	"--last is the last of all"
is "$("$BALE" report 2>&1 >/dev/null)$(cd tree && "$BALE" report ../r.json \
	2>&1 >/dev/null)" "" "but not here, nor of a file that was named"
is "$(json command) $(json directory) $(json roots)" "pack $PWD ['tree']" \
	"the report names the run"
is "$(stat -c %a state/bale/last-report.json)" 600 "it is the user's alone"
is "$(sed -n 's/.*Available for Content: //p' tables)" \
	"$(json budget available) tokens" "the budget"
is "$(awk -F'│' '/TOTAL/ { gsub(/ /, "", $4); print $4 }' tables)" \
	"$(json budget used)" "what was used of it"
is "$(sed -n 's/.*Duplicates Removed: //p' tables)" \
	"$(json dedup exact_removed) (-$(json dedup exact_tokens) tokens)" \
	"what was saved"
is "$(sed -n 's/.*Chunks Considered: //p' tables)" "$(json chunks seen)" \
	"chunks that were seen"
is "$(sed -n 's/.*Chunks Rejected: //p' tables)" \
	"$(json chunks rejected) (insufficient budget)" "and rejected"
is "$(awk -F'│' '/Category/ { t = 1 } t && NF > 4 && !/TOTAL|Category/ {
	gsub(/[ ,]/, "", $4); s += $4 } /TOTAL/ { t = 0 } END { print s }' \
	tables)" "$(json budget used | tr -d ,)" "categories add up to the total"

is "$("$BALE" report --chunk-detail | grep -c '^│ ')" \
	"$(($(python3 -c 'import json
print(len(json.load(open("r.json"))["selected"]))') + 1))" \
	"--chunk-detail has each range"
is "$("$BALE" report --selection-detail | grep -c ' - budget$')" \
	"$(python3 -c 'import json
print(sum(x["reason"] == "budget"
	for x in json.load(open("r.json"))["excluded"]))')" \
	"--selection-detail has each that was left out"
is "$("$BALE" report --dedup-detail | grep -A1 '1\. ' | tr -s ' \n' ' ')" \
	" 1. tree/file_20.txt:1-1000 - Kept: tree/copy.txt " \
	"--dedup-detail says what was kept"
# verifies: AC-016c-010
is "$("$BALE" report --cache-stats | sed -n 's/Total Requests: //p')" \
	"$(python3 -c 'import json
c = json.load(open("r.json"))["count_cache"]
print("{:,}".format(c["hits"] + c["misses"]))')" "--cache-stats adds up"
# a larger cache is for those who find fewer than 40 of 100 counts in it
for hits in 397 400; do
	python3 -c "import json
r = json.load(open('r.json'))
r['count_cache'].update(hits=$hits, misses=1000 - $hits, evictions=1)
json.dump(r, open('hits.json', 'w'))"
	is "$("$BALE" report --cache-stats hits.json |
		grep -c 'a larger --count-cache')" $((hits < 400)) \
		"--cache-stats recommends what helps: $hits of 1000"
done
# verifies: FR-016c-51, FR-016c-52
# Of 300 texts that differ no more counts are kept than that, whoever counts.
mkdir differ
for i in $(seq 300); do echo "text number $i" >differ/$i.txt; done
for w in 1 3; do
	is "$("$BALE" pack differ --workers $w --count-cache 40 --no-last -q \
		--report cache.json -o out && python3 -c 'import json
c = json.load(open("cache.json"))["count_cache"]
kept = c["misses"] - c["evictions"]
print(c["misses"], 0 < kept <= 40, kept == c["entries"], c["capacity"])
')" "300 True True 40" "--count-cache is of all workers together: $w"
done
rm -r differ cache.json
is "$("$BALE" report --cache-stats - <r.json)" \
	"$("$BALE" report --cache-stats r.json)" "a report from stdin"
is "$("$BALE" report --json | python3 -c 'import json, sys
kept = json.load(sys.stdin)
all = json.load(open("r.json"))
print([x.pop("factors", 0) != 0 for x in all["excluded"] if "score" in x]
	.count(True) > 20, kept == all)')" "True True" \
	"--json is the report but for the factors of what is left out"
is "$("$BALE" report --chunk-detail --selection-detail --dedup-detail |
	grep -c "$(printf '\033')")" 0 "names cannot move the cursor"

"$BALE" pack tree --budget 10k -q >packed
"$BALE" preview tree --json --budget 10k -q | python3 -c 'import json, sys
print(json.load(sys.stdin)["output"]["tokens"])' >out 2>err
is "$(cat out)" "$("$BALE" count packed | awk '{ print $1; exit }')" \
	"bale preview --json knows the tokens that pack writes"
"$BALE" preview tree --json --budget all -q | python3 -c 'import json, sys
print(json.load(sys.stdin)["output"])' >out 2>err
is "$(cat out)" None "of everything it makes no output"

for bad in '' '{' '[]' '{"version":1}' \
	'{"version":2,"selected":[],"excluded":[]}'; do
	printf '%s' "$bad" >bad.json
	"$BALE" report bad.json >out 2>err
	is "$? $(wc -c <out) $(grep -c 'bad.json: ' err)" "2 0 1" \
		"not a report: '$bad'"
done
# Numbers take twenty times their bytes once they are parsed.
printf '{"version":1,"output":{},"excluded":[],"selected":[1%s]}' \
	"$(head -c 3000000 /dev/zero | tr '\0' ,| sed 's/,/,1/g')" >bad.json
for command in 'report bad.json' 'report -' 'report bad.json --json' \
	'report bad.json --html page' 'verify r.json --against bad.json'; do
	# shellcheck disable=SC2086  # words
	"$BALE" $command <bad.json >out 2>err
	is "$? $(wc -c <out) $(grep -c ': it has far too many values$' err)" \
		"2 0 1" "$command: a list of numbers is refused"
done
# What cannot be judged is not said to match.
"$BALE" pack tree --budget 2k -q -o judged.md --report judged.json
for change in 'r["version"] = 99' 'r["encoding"] = "no_such_base"' \
	'r["encoding"] = "/etc/passwd"'; do
	python3 -c "import json, sys
r = json.load(open('judged.json'))
$change
json.dump(r, sys.stdout)" >bad.json
	"$BALE" verify judged.md --against bad.json >out 2>err
	is "$? $(wc -c <out) $(grep -c -- '--against bad.json: ' err)" "2 0 1" \
		"verify refuses a report: $change"
done
"$BALE" verify judged.md --against bad.json --encoding o200k_base >out
is "$? $(grep -c 'report     matches' out)" "0 1" \
	"unless the encoding is named"
"$BALE" report nothing.json 2>err
is "$? $(grep -c 'nothing.json: No such file' err)" "2 1" "no such file"
"$BALE" report --last r.json 2>err
is "$? $(grep -c 'report of the last run: leave out --last or the file$' err)" \
	"2 1" "--last and a file contradict each other"
"$BALE" report --html /dev/full 2>err
is "$? $(grep -c 'cannot write /dev/full' err)" "4 1" "a full disk is said"
"$BALE" report >/dev/full 2>err
is "$? $(grep -c 'stdout' err)" "4 1" "on stdout too"
ln r.json same.json
"$BALE" report r.json --html same.json 2>err
is "$? $(grep -c 'same.json: it is the report' err)" "2 1" \
	"a page does not replace the report it shows"
mv state/bale/last-report.json kept.json
ln -s ../../kept.json state/bale/last-report.json
"$BALE" pack tree --budget 5k -q -o out --report r5.json
is "$([ -L state/bale/last-report.json ]; echo $?) $("$BALE" report |
	sed -n 1p)" "0 $("$BALE" report r5.json | sed -n 1p)" \
	"a link to the last report is written through"
mkdir -p none && mv kept.json none && ln -sf ../../none/none/kept.json \
	state/bale/last-report.json
"$BALE" pack tree --budget 5k -q -o out
is "$?" 0 "that it cannot be kept ends no run"
rm state/bale/last-report.json && mkdir state/bale/last-report.json
"$BALE" pack tree --budget 5k -q -o out
is "$?" 0 "whatever is in its place"
env -u HOME -u XDG_STATE_HOME "$BALE" pack tree -q -o out2 2>err
is "$? $(wc -c <err)" "0 0" "a run without a home is a run all the same"
done_testing
