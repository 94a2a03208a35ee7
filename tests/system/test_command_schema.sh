#!/bin/bash
# SPDX-License-Identifier: MIT
#
# What is printed as JSON has the form that the schemas in docs/ say, by a
# validator of others; a key that no schema names is a fault.

# shellcheck source=tests/support/lib.sh
. tests/support/lib.sh

for p in python3 /usr/bin/python3 ''; do
	[ -z "$p" ] && skip_all python3-jsonschema is missing
	"$p" -c 'from jsonschema import Draft202012Validator' 2>/dev/null &&
		break
done
command -v git >/dev/null || skip_all git is not installed
export HOME=$dir GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b
export GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b
docs=$PWD/docs
tests=$PWD/tests
cd "$dir" || exit 1

# fits SCHEMA NAME [TYPE]: stdin does; it is checked at the end, all in one
names=()
mkdir cases
fits() {
	cat >"cases/${#names[@]}.${3:-json}"
	echo "$1 cases/${#names[@]}.${3:-json}" >>list
	names+=("$2")
}

mkdir -p tree/.git/x tree/sub
rm -r tree/.git
git init -q tree
for i in 1 2 3 4 5 6; do
	for k in $(seq 30); do
		printf 'export function f%d_%d(x: number) {\n' $i "$k"
		printf '\t// TODO: needle\n\treturn x * %d\n}\n' "$k"
	done >tree/part$i.ts
done
sed -i '1i import { f1_1 } from "./part1"' tree/part2.ts
cp tree/part1.ts tree/sub/same.ts
printf 'a\0b' >tree/binary
: >tree/empty
printf 'int \033[31m; // \342\200\256 <|endoftext|>\n' >tree/odd.c
echo '{"lockfileVersion": 3}' >tree/package-lock.json
printf 'caf\351 caf\351 caf\351\n' >tree/latin.txt
printf 'name \377\n' >"$(printf 'tree/n\377.txt')"
ln -s part1.ts tree/link
(cd tree && git add -A && git commit -q -m 'first: <|im_start|>')
echo '// more' >>tree/part6.ts
printf 'tree/part3.ts:2:5: error: bad\n/etc/passwd:1: outside\n' >build.log
printf '{{#files}}{{path}}\n{{#content}}{{{content}}}{{/content}}{{/files}}' \
	>template

# report NAME ARGS...: of such a run
report() {
	rm -f r.json part-*
	"$BALE" pack tree -q --no-config --report r.json "${@:2}" >out 2>err
	case $? in
	0 | 3) fits report "report: $1" <r.json ;;
	*) is "$(cat err)" "" "report: $1" ;;
	esac
}

small=(--budget 4000 --reserve-response 0 --reserve-system 0)
report plain
report "all of it" --budget all
report "by a query" --query needle "${small[@]}"
report "in tiers" --tiers on "${small[@]}"
report signatures --compress
report "no comments" --strip-comments
report sources --open tree/part2.ts --tool build.log --open missing \
	--budget 9000 --reserve-response 0 --reserve-system 0
report parts --split 2000 -o part.md
fits manifest 'the manifest of parts' <part.md.manifest.json
report "by a template" --template template
report "log and changes" --git-log 3 --git-diff
report "a commit" --rev HEAD
report estimated --model claude-sonnet-4-5
report "chunks of lines" --chunk lines:7 --min-chunk-tokens 16 "${small[@]}"
report "no history" --no-history --max-file-size 2K --exclude '*.c'
report "one worker" --workers 1 --memory 64M

for budget in 4000 all; do
	"$BALE" preview tree --no-config --json --budget $budget \
		--reserve-response 0 --reserve-system 0 >r.json 2>err
	fits report "preview --json, $budget" <r.json
done
"$BALE" find "f1_1 of part2" tree --no-config --json >r.json 2>err
fits report.found "find --json" <r.json
"$BALE" report --last --json >r.json
fits report "report --last --json" <r.json

for more in '' '--header h --tree --instructions i --git-log 2 --git-diff' \
	'--compress' '--line-numbers --unicode escape' '--unicode strip' \
	'--strip-comments' '--query needle --budget 14000'; do
	echo some >h
	cp h i
	for format in json jsonl documents; do
		case $format in
		json) schema=format ;;
		jsonl) schema=format.line ;;
		documents) schema=format.document ;;
		esac
		# shellcheck disable=SC2086
		"$BALE" pack tree -q --no-config --format $format $more \
			>out 2>err
		fits $schema "$format ${more:-plain}" \
			${format/documents/jsonl} <out
	done
done
"$BALE" pack tree -q --no-config --format json --split 3000 -o part.json
for part in part-*.json; do
	fits format "$part" <"$part"
done

echo '[{"path":"a","lines":"1-2","rank":2,"content":"x\ny\n"},
{"path":"b","lines":"1-2","rank":1,"content":"x\ny\n","source":"references"},
{"path":"c","lines":"1-20","rank":1},{"path":"c","lines":"2-20","rank":1}]' |
	"$BALE" dedup - --json >out
fits dedup "dedup --json" <out

mkdir .agent
printf 'context:\n  budget:\n    total_tokens: 90000\n  pin: ["a/*"]\n' \
	>.agent/config.yml
BALE_FORMAT=xml "$BALE" config show --json --tiers on >out
fits config "config show --json" <out
"$BALE" config show --no-config --json --model gpt-4o >out
fits config "config show --json, by a model" <out
"$BALE" config validate --json >out
fits config "config validate --json" <out
echo 'contexts: {budget: [' >.agent/config.yml
"$BALE" config validate --json >out
fits config "config validate --json of no YAML" <out
echo 'context: {budgets: 1, budget: {total_tokens: x}}' >.agent/config.yml
"$BALE" config validate --json >out
fits config "config validate --json of what is wrong" <out
rm .agent/config.yml

rm -f audit.jsonl
for more in '' '--query needle --budget 3000' '--budget all'; do
	# shellcheck disable=SC2086
	"$BALE" pack tree -q --no-config $more --reserve-response 0 \
		--reserve-system 0 --audit-log audit.jsonl --log-json \
		--log-level debug >out 2>log
	fits log "--log-json ${more:-plain}" jsonl <log
done
fits audit "--audit-log of three runs" jsonl <audit.jsonl
printf '%s\n' tree '{"path": "tree", "rev": "HEAD"}' nowhere '{bad' tree/empty \
	"$(printf 'n\377')" | "$BALE" batch - -d batch -q --no-config 2>err
fits batch "the manifest of a batch" jsonl <batch/manifest.jsonl

"$BALE" bench tree --no-config --runs 1 --json >out 2>err
fits bench "bench --json" <out
"$BALE" bench tree --no-config --runs 1 --workers 1 --compare out --json >o2
fits bench "bench --compare --json" <o2
(cd tree && sed -i 's/return x \* 7/return 7/' part1.ts && git commit -qam \
	'return the number seven, not as many times what is given')
"$BALE" bench tree --query --no-config --commits 3 --json >out 2>err
fits bench-query "bench --query --json" <out

for more in '' --ids '--model claude-sonnet-4-5'; do
	# shellcheck disable=SC2086
	"$BALE" count --json $more tree/*.ts "$(printf 'tree/n\377.txt')" \
		missing >out 2>err
	is "$? $(tail -n 1 err)" "3 bale: missing: No such file or directory" \
		"count --json $more names what it cannot read"
	fits count "count --json $more" <out
done
"$BALE" count --json --ids <tree/latin.txt >out
fits count "count --json of stdin" <out
"$BALE" tree tree --json >out
fits tree "tree --json" <out
"$BALE" tree tree tree/sub --json --depth 1 --model claude-sonnet-4-5 >out 2>err
fits tree "tree --json, estimated" <out
"$BALE" models --json >out
fits models "models --json" <out

printf '%s\n' '{"type":"user_message","role":"user","content":"hello"}' \
	'{"type":"other","content":"be","pinned":true,"metadata":{"a":1}}' |
	"$BALE" window w.json add --jsonl >out
fits window "the file of a window" <w.json
"$BALE" window w.json snapshot >out
fits window "window snapshot" <out
for action in list stats build compact; do
	"$BALE" window w.json $action --json >out
	fits window.$action "window $action --json" <out
done

"$BALE" window w.json add --type user_message --content "$(seq 400)" \
	--events events.jsonl >out
"$BALE" window v.json add --type user_message --content "$(seq 300)" \
	--max-tokens 2000 --events events.jsonl >out
for i in 1 2 3; do
	"$BALE" window v.json add --type tool_result --content "$(seq 300)" \
		--events events.jsonl >out
done
"$BALE" window w.json clear --events events.jsonl >out
"$BALE" window w.json build --events events.jsonl >out
for action in 'build' 'add --content x' 'clear' 'add --tokens 2M --content x'; do
	# shellcheck disable=SC2086
	"$BALE" window v.json $action --log-level debug --log-json >out 2>>window.log
done
fits log "the log of a window" jsonl <window.log
is "$(grep -o '"event":"[a-z_]*"' events.jsonl | sort -u | tr '\n' ' ')" \
	"$(printf '"event":"%s" ' built cleared compacted item_added item_removed)" \
	"each event of a window"
fits window.event "the events of a window" jsonl <events.jsonl

"$BALE" pack tree -q --no-config |
	"$BALE" window p.json add --pack >out
fits window.pack "window add --pack" <out

# A tree whose name is no UTF-8, a survey that is damaged, one of another build.
mkdir "$(printf 'root\377')"
cp tree/part1.ts "$(printf 'root\377')"
for root in tree tree/sub "$(printf 'root\377')"; do
	"$BALE" pack "$root" -q --no-config --cache on >out
done
for action in list size check; do
	"$BALE" cache $action --json >out
	fits cache "cache $action --json" <out
done
printf 'xxxx' | tee "$XDG_CACHE_HOME"/bale/surveys/* >out
"$BALE" cache check --json >out
fits cache "cache check --json of what is damaged" <out

for i in $(seq 40); do
	printf '{"role":"user","content":"%s"},' "$(seq 100 | tr '\n' ' ')"
	printf '{"role":"assistant","content":"%s"},' "$i"
done | sed 's/^/[/; s/,$/]/' >chat.json
"$BALE" compact --check --model gpt-4o <chat.json >out
fits compact "compact --check" <out
"$BALE" compact --limit 4000 --record record.jsonl <chat.json >out 2>err
fits compact.record "compact --record" jsonl <record.jsonl

echo '{"round":2,"modules":["a"],"findings":[],"open_questions":["why"]}' |
	"$BALE" rounds compress --max-tokens 100 --json >out 2>err
fits rounds "rounds compress --json" <out
"$BALE" rounds usage u.json record --round 1 --input 9 --output 3 --budget 20
"$BALE" rounds usage u.json report --json >out
fits rounds "rounds usage report" <out

# The lists of words are those of the program.
words() {
	sed -nE "s/^$1\([A-Z_]+, ($2)?\"([^\"]+)\".*/\2/p" "$docs/../catalogue/$3" |
		sort | tr '\n' ' '
}
listed() {
	"$p" -c 'import json, sys
at = json.load(open(sys.argv[1]))
for key in sys.argv[2].split():
    at = at[key]
print(" ".join(sorted(at["enum"])), end=" ")' \
		"$docs/${2:-report}.schema.json" "$1"
}
is "$(listed '$defs reason' | sed 's/empty //')" \
	"$(words REASON '' reason.def | sed 's/none //')" "all reasons"
is "$(listed '$defs excluded properties reason' audit)" \
	"$(listed '$defs reason')" "the same in the audit log"
is "$(listed '$defs selected properties defines items properties kind')" \
	"$(words KIND "'.', " def_kind.def)" "all kinds of definitions"

# It can fail: a key too many, a word that is none.
"$BALE" preview tree -q --no-config --json | sed 's/"all_full"/"all_new"/
	s/"tier":"full"/"tier":"none"/' >wrong.json
echo "report wrong.json" >>list

"$p" "$tests/support/json_schema.py" "$docs" <list >results 2>err
is "$(cat err)" "" "the validator has checked all"
for i in "${!names[@]}"; do
	is "$(sed -n $((i + 1))p results)" fits "${names[$i]}"
done
is "$(tail -n 1 results | grep -c "all_new.*'none' is not one of")" 1 \
	"what does not fit is found"
done_testing
