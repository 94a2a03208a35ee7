#!/bin/bash
# SPDX-License-Identifier: MIT
#
# bale window, bale compact, bale rounds from outside: what they print, what
# they end with, what they leave of files when something goes wrong.
#
#   UPDATE=1 tests/system/test_window_cli.sh    writes the expected conversations anew
#
# verifies: WIN-03, WIN-05, WIN-06, WIN-07, WIN-08, WIN-09, WIN-10, WIN-11,
# verifies: WIN-12, WIN-14, CMP-02, CMP-04, CMP-07, CMP-08, CMP-09, CTX-04.4

set -u
bale=${BALE:-$PWD/build/release/bale}
fixtures=$PWD/tests/fixtures/window
strict=$PWD/tests/support/strict_chat.py
scratch=$(mktemp -d "${TMPDIR:-/tmp}/window.XXXXXX") || exit 1
trap 'rm -rf "$scratch"' EXIT
n=0 failed=0

# check NAME COMMAND...: the command has to succeed.
check() {
	local name=$1
	shift
	n=$((n + 1))
	if "$@" >"$scratch/said" 2>&1; then
		echo "ok $n - $name"
	else
		failed=1
		echo "not ok $n - $name"
		head -c 1000 "$scratch/said" | sed 's/^/# /'
		head -c 1000 "$scratch/err" 2>/dev/null | sed 's/^/# err: /'
	fi
}

# ends CODE WORDS COMMAND...: ends with this code and says this on stderr.
ends() {
	local want=$1 words=$2 code
	shift 2
	"$@" >"$scratch/out" 2>"$scratch/err"
	code=$?
	[ $code = "$want" ] &&
		{ [ -z "$words" ] || grep -qF -- "$words" "$scratch/err"; } &&
		return
	echo "exit $code, want $want; want on stderr: $words"
	return 1
}

same() {
	[ "$1" = "$2" ] && return
	printf 'got:  %s\nwant: %s\n' "$1" "$2"
	return 1
}

w=$scratch/w.json
cd "$scratch" || exit 1

# --- bale window ---------------------------------------------------------

window() {
	"$bale" window "$w" "$@"
}

# A pack in a window: its files are the same items, whatever its format.
items_of() {
	rm -f k.json
	"$bale" pack --quiet --no-last --no-config --budget=all --format="$1" \
		packed | "$bale" window k.json add --pack >k.said &&
		"$bale" window k.json list --json | sed 's/"added_ms":[0-9]*//g'
}
mkdir packed && printf 'int a;\n' >packed/a.c && : >packed/empty &&
	printf '```\n## File: x\n' >packed/b.md && cp packed/a.c packed/c.c
items_of markdown >k.markdown
check "a pack: an item a file" grep -q '"source_ref":"b.md"' k.markdown
check "a pack: what is counted" grep -q '^{"kept":0,"changed":0,"new":4,' k.said
for format in xml json jsonl plain; do
	items_of $format >k.other
	check "a pack as $format" cmp k.markdown k.other
done
printf 'int b;\n' >packed/a.c
"$bale" pack --quiet --no-last --no-config --budget=all packed |
	"$bale" window k.json add --pack >k.said
check "a pack: the next one" grep -q \
	'^{"kept":2,"changed":2,"new":0,"removed":0,' k.said
"$bale" pack --quiet --no-last --no-config --budget=all packed -o packed.md
"$bale" window named.json add --pack packed.md >k.said
check "a pack: of a file that is named" grep -q '^{"kept":0,"changed":0,"new":4,' \
	k.said
"$bale" window named.json snapshot >k.snapshot
"$bale" window restored.json restore k.snapshot
check "a snapshot: of a file that is named" same \
	"$("$bale" window named.json list | cut -f 3-)" \
	"$("$bale" window restored.json list | cut -f 3-)"
check "an item: of a file that is not there" ends 2 'BALE-WIN-019 none.md: No such' \
	"$bale" window named.json add none.md
check "an item: of a directory" ends 2 'BALE-WIN-019 . cannot be read: Is a dir' \
	"$bale" window named.json add .
check "an item: of a file and an option" ends 2 'an item has one text' \
	"$bale" window named.json add packed.md --content x
check "an item: of two files" ends 2 'add takes no more than 1 argument' \
	"$bale" window named.json add packed.md packed.md
check "an item: of a file, without a sandbox" same "$("$bale" window off.json add \
	packed.md --id x --sandbox off </dev/null)$("$bale" window off.json \
	build --sandbox off | head -c 15)" "xPacked by bale:"
check "an item: of - is of stdin" same "$("$bale" window one.json add - --id x \
	<packed/a.c)" x
check "a pack: and lines" ends 2 "--jsonl, --pack or" "$bale" window k.json \
	add --pack --jsonl <packed/a.c
"$bale" pack packed -q --budget all -o packed.md.zst
check "a pack: compressed" ends 2 'it is compressed; give what zstd -dc' \
	"$bale" window k.json add --pack packed.md.zst
check "a pack: nothing" ends 2 'no output of bale pack: it has no file' \
	"$bale" window k.json add --pack /dev/null
check "a pack: none" ends 2 BALE-WIN-022 "$bale" window k.json add --pack \
	<packed/a.c

sys=$(window add --type system_prompt --content 'Be brief.' --pin)
check 'add prints an id' grep -qE '^[0-9a-f-]{36}$' <<<"$sys"
check 'add takes stdin' same "$(printf 'Hi there' |
	window add --type user_message --role user --id hi)" hi
check 'list has what was added' same \
	"$(window list | cut -f 2,3,5,6)" \
	$'system_prompt\t50\tpinned\tBe brief.\nuser_message\t50\t-\tHi there'
check 'build prints the context' same "$(window build)" \
	$'Be brief.\n\n---\n\n[user]: Hi there'
check 'build --json has the figures' same "$(window build --json |
	grep -oE '"(total_tokens|was_compacted)":[^,]*')" \
	$'"total_tokens":8\n"was_compacted":false'

# Times are of all adds and builds of a file, whatever process they were in.
# verifies: WIN-15
timed() {
	local from to

	from=$(date +%s%N)
	seq 200000 | "$bale" window t.json add --max-tokens 2M --id big
	for i in 1 2; do
		"$bale" window t.json add --content "item $i"
	done
	printf '%s\n' '{"type":"other","content":"a"}' |
		"$bale" window t.json add --jsonl
	for i in 1 2 3; do
		"$bale" window t.json build --events t.events >/dev/null
	done
	to=$(date +%s%N)
	"$bale" window t.json snapshot | "$bale" window copy.json restore
	"$bale" window copy.json stats --openmetrics >t.prom
	python3 - $((to - from)) <<'END'
import json, sys
prom = dict(line.rsplit(" ", 1) for line in open("t.prom")
            if line.startswith("bale_window_"))
kinds = ("add", "build")
nr = [int(prom[f"bale_window_{k}_seconds_count"]) for k in kinds]
took = [float(prom[f"bale_window_{k}_seconds_sum"]) for k in kinds]
told = sum(json.loads(line)["build_ms"] for line in open("t.events")
           if '"built"' in line) / 1000
# adding 1.3 MB takes more than a millisecond; nothing more than there was
print(nr, took[0] > 1e-3, sum(took) < int(sys.argv[1]) / 1e9,
      told * .5 < took[1] <= told)
END
}
check 'stats have the times of adds and builds' same \
	"$(timed | tail -1)" '[4, 3] True True True'
check 'stats --json and stats say them, too' eval '
	"$bale" window t.json stats --json |
		grep -qE "\"add_latency\":\{\"count\":4,\"mean_us\":[0-9.]+,\"p95_us\":[1-9]" &&
	"$bale" window t.json stats | grep -qE "^builds +3, on average [0-9.]+ us"'
check 'times that are no histogram are no window' ends 2 BALE-WIN-014 \
	"$bale" window t2.json restore <<<'{"version":1,"items":[],
"add_latency":{"sum_ns":1,"buckets":[1]}}'
# The lines of a log: all that happens, by its level, and nothing of content.
says() {
	"$bale" window l.json "$@" --log-json 2>&1 >/dev/null | sed -E \
		's/^\{"level":"([a-z]+)","run":"[0-9a-f]{32}","from":"bale","message":"(.*)"\}$/\1: \2/'
}
check 'debug: what is added' same "$(says add --id one --tokens 75 --priority 1 \
	--max-tokens 100 --content secretive --log-level debug)" \
	'info: window: 0 items, 0 of 100 tokens, compacted beyond 85 % by remove_low_priority
debug: added item one: other, 75 tokens'
check 'warning, info, debug: what makes room' same "$(says add --id two \
	--tokens 20 --content x --log-level debug)" \
	'info: window: 1 items, 75 of 100 tokens, compacted beyond 85 % by remove_low_priority
warning: BALE-WIN-020 no room below the threshold: 1 item (75 tokens) removed by remove_low_priority: usage was 75.0%, is 0.0%
debug: removed item one: other, 75 tokens, by compaction
info: compacted by remove_low_priority: 1 items, 75 tokens freed, usage from 75.0% to 0.0%
debug: added item two: other, 20 tokens'
check 'info: no more than that' same "$(says clear --log-level info)" \
	'info: window: 1 items, 20 of 100 tokens, compacted beyond 85 % by remove_low_priority
info: cleared: 1 items, 20 tokens'
check 'error: what does not fit' same "$(says add --tokens 150 --content x \
	--log-level error | cut -c 1-20)" 'error: BALE-WIN-004 '
says add --id two --content x >/dev/null
check 'debug: what is built' same "$(BALE_LOG_LEVEL=debug says build \
	--reserve-response 1 | tail -1)" \
	'debug: built the context: 1 items, 1 tokens; 0 left out'
check 'debug: what is removed' same "$(says remove two --log-level debug |
	tail -1)" 'debug: removed item two: other, 1 tokens, by manual'
check 'warning: nothing of that by default' same "$(says add --content x)" ''

chmod a-w t.json
mkdir ro && cp t.json ro && chmod a-w ro
check 'a build of what cannot be written is no error' eval '
	[ "$("$bale" window ro/t.json build 2>&1 | sha256sum)" = \
		"$("$bale" window t.json build | sha256sum)" ]'
chmod u+w ro
check 'priority, pin, unpin' eval 'window priority hi 90 &&
	window pin hi && window list --pinned | grep -q "90.*pinned" &&
	window unpin hi && [ "$(window list --pinned | wc -l)" = 1 ]'
check 'stats' grep -q '"items":2,"pinned":1' <(window stats --json)
check 'stats as OpenMetrics' grep -q '^bale_window_items 2$' \
	<(window stats --openmetrics)
window snapshot >snap.json
check 'clear keeps what is pinned' eval 'window clear &&
	[ "$(window list | wc -l)" = 1 ]'
check 'restore brings it back' eval 'window restore <snap.json &&
	[ "$(window list | wc -l)" = 2 ]'
check 'a snapshot is a window' eval '"$bale" window snap.json list |
	grep -q hi'
check 'many at once, one of them bad' ends 3 'line 2: BALE-WIN-003' \
	eval 'printf "%s\n" "{\"type\":\"other\",\"content\":\"a\"}" \
		"{\"type\":\"dream\",\"content\":\"b\"}" |
		window add --jsonl'
check 'that says how many' same "$(cat out)" 1
before=$(sha256sum "$w")
check 'or none with --strict' ends 2 'so none was' \
	eval 'printf "%s\n" "{\"type\":\"other\",\"content\":\"a\"}" \
		"{}" | window add --jsonl --strict'
check 'then the file is as it was' same "$(sha256sum "$w")" "$before"

refused() { # NAME CODE WORDS ARGUMENTS...
	local name=$1 code=$2 words=$3
	shift 3
	before=$(sha256sum "$w")
	check "$name" ends "$code" "$words" window "$@" </dev/null
	check "$name: the file is as it was" same "$(sha256sum "$w")" "$before"
}
refused 'empty content' 2 BALE-WIN-001 add
refused 'no priority' 2 BALE-WIN-002 add --content x --priority 101
refused 'no type' 2 BALE-WIN-003 add --content x --type dream
# A file that cannot be written is no budget that is too small.
full() {
	(
		trap '' XFSZ
		ulimit -f 1
		"$bale" window "$w" add --content "$(seq 4000)"
	)
}
before=$(sha256sum "$w")
check 'no room for the file' ends 4 'File too large' full
check 'no room for the file: it is as it was' same "$(sha256sum "$w")" "$before"
mkdir "$scratch/small"
in_small() { # OPTION COMMAND
	# shellcheck disable=SC2016  # for the inner shell
	unshare -m bash -c 'mount -t tmpfs -o "$1" none "$0" || exit 99
		cd "$0" && shift && exec "$@"' "$scratch/small" "$@"
}
if [ "$(id -u)" = 0 ] && unshare -m true 2>/dev/null; then
	check 'a full disk' ends 4 'No space left' in_small nr_inodes=1 \
		"$bale" window new add --content x
	check 'a full disk: no usage is kept' ends 4 'No space left' \
		in_small nr_inodes=1 "$bale" rounds usage new record \
		--round 1 --input 10 --budget 100
else
	n=$((n + 1))
	echo "ok $n - a full disk # SKIP no mounts here"
fi
refused 'too much' 8 'BALE-WIN-004 the window is full: 6 of 128000' add \
	--content x --tokens 130000
refused 'no such item' 2 BALE-WIN-006 remove nobody
refused 'id twice' 2 BALE-WIN-007 add --content x --id hi
refused 'core has no summarize' 2 BALE-WIN-010 compact --strategy summarize \
	--tier core
refused 'writerpro has no selective' 2 'remove_oldest' compact \
	--strategy selective --query x --tier writerpro
refused 'no summariser' 2 BALE-WIN-011 compact --strategy summarize
refused 'no query' 2 BALE-WIN-011 compact --strategy selective
refused 'a summariser that fails' 2 'BALE-WIN-012' compact --target 0 \
	--strategy summarize --summarizer 'exit 1'
refused 'an embedder that fails' 2 'BALE-WIN-012' compact --target 0 \
	--strategy selective --query x --embedder 'echo {}'
refused 'a snapshot that is none' 2 BALE-WIN-014 restore
refused 'an unknown option' 2 'did you mean --content?' add --contnet x
refused 'an option of another action' 2 'not an option of window list' list \
	--content x
refused 'an unknown action' 2 'did you mean list?' lits
refused 'a number that is none' 2 'BALE-CLI-002' add --content x --tokens 1x
check 'no file' ends 2 BALE-WIN-015 "$bale" window none list
check 'and none is made' [ ! -e none ]
check 'a failed add makes none' ends 2 BALE-WIN-001 "$bale" window none add \
	--content ''
check 'nothing is left of it' same "$(ls)" "$(ls | grep -v none)"
head -c 300 "$w" >torn.json
check 'a torn file' ends 2 'BALE-WIN-014 torn.json: this is not JSON' \
	"$bale" window torn.json add --content x

check 'compact with a summary' eval '
	printf "%s" "$(yes word | head -n 400)" | "$bale" window c.json add \
		--max-tokens 1000 --priority 10 >/dev/null &&
	freed=$("$bale" window c.json compact --target 10 --strategy summarize \
		--summarizer "cat >prompt; echo It said word.") &&
	[ "$freed" -gt 300 ] && grep -q "^word" prompt &&
	"$bale" window c.json list | grep -q "working_memory.*It said word"'
check 'selective by an embedder' eval '
	for i in a b c; do "$bale" window e.json add --id $i --content "$i" \
		--max-tokens 3 --threshold 100 >/dev/null; done
	"$bale" window e.json compact --strategy selective --query q \
		--target 40 --embedder "cat >/dev/null; echo \
		{\\\"embeddings\\\":[[1,0],[0,1],[1,0.1],[0.2,1]]}" >/dev/null &&
	[ "$("$bale" window e.json list | cut -f 1)" = b ]'
check 'events are lines of JSON' eval '
	"$bale" window v.json add --content x --events ev >/dev/null &&
	"$bale" window v.json clear --events ev &&
	[ "$(sed -E "s/.*\"event\":\"([a-z_]+)\".*/\1/" ev | tr "\n" " ")" = \
		"item_added item_removed cleared " ]'

for i in 1 2 3 4 5 6 7 8; do
	(for k in 1 2 3 4 5; do
		"$bale" window p.json add --content "$i $k" --events pev \
			>/dev/null || echo failed
	done) >>p.out &
done
wait
check 'eight processes at once' same \
	"$(cat p.out)$(wc -l <pev) $("$bale" window p.json list | wc -l)" '40 40'

# --- bale compact --------------------------------------------------------

options=(--limit 4000 --reserve-response 400 --prune-over 400 --keep-recent 0
	--threshold 0.8 --preserve 0.6 --quiet --session s1
	--summarizer "cat >/dev/null; cat '$fixtures/summary.txt'")
for format in openai-chat openai-responses anthropic; do
	given=$fixtures/$format.before.json want=$fixtures/$format.after.json
	"$bale" compact "${options[@]}" --trigger manual --record rec.$format \
		<"$given" >after.json 2>err
	code=$?
	if [ -n "${UPDATE:-}" ]; then
		cp after.json "$want"
	fi
	check "$format: as expected" cmp after.json "$want"
	check "$format: exit 0" same "$code" 0
	check "$format: it is found out" grep -q "\"format\":\"$format\"" \
		<("$bale" compact --check --limit 9000 <"$given")
	check "$format: what comes out can go in" eval \
		'"$bale" compact --check --limit 9000 <after.json | grep -q \
		"\"format\":\"$format\""'
	check "$format: one record" grep -q \
		'"subtype":"compact_boundary".*"trigger":"manual","pre_tokens":[1-9]' \
		rec.$format
	check "$format: it got shorter" [ "$(wc -c <after.json)" -lt \
		"$(($(wc -c <"$given") / 2))" ]
done

chat=$fixtures/openai-chat.before.json
check '--check: not due' ends 0 '' "$bale" compact --check <"$chat"
check '--check: due' ends 10 '' "$bale" compact --check --limit 6500 \
	--reserve-response 400 <"$chat"
check '--check: critical' ends 11 '' "$bale" compact --check --limit 4000 <"$chat"
check '--check: the model ran out' ends 11 '' "$bale" compact --check \
	--stop-reason length <"$chat"
check '--check: a beta' grep -q '"context_limit":1000000' \
	<("$bale" compact --check --beta context-1m-2025-08-07 \
		<"$fixtures/anthropic.before.json")
check 'not due: every byte is given back' cmp <("$bale" compact <"$chat") "$chat"
check 'a summariser that fails: exit 3, and truncated' ends 3 BALE-WIN-012 \
	"$bale" compact --limit 3000 --summarizer 'exit 1' --prune-over 9999 \
	<"$chat"
check 'with a note in its place' grep -q 'left out to make room' out
check 'with --strict nothing is written' ends 3 BALE-CMP-013 \
	"$bale" compact --limit 3000 --summarizer 'exit 1' --prune-over 9999 \
	--strict <"$chat"
check 'nothing at all' [ ! -s out ]
check 'one that hangs' ends 3 'longer than 1000 ms' "$bale" compact \
	--limit 3000 --prune-over 9999 --summarizer 'sleep infinity' --time-limit 1 \
	<"$chat"
"$bale" compact --limit 3000 --prune-over 9999 <"$chat" >out 2>err \
	--summarizer 'sleep infinity & echo $! >sleeper; wait' &
pid=$!
until [ -s sleeper ] || ! kill -0 $pid; do
	sleep 0.02
done
kill -TERM $pid
wait $pid
check 'SIGTERM ends it' same $? 143
check 'and the summariser' eval \
	'while grep -q "^State:.[^Z]" "/proc/$(cat sleeper)/status"; do
		sleep 0.02
	done'
check 'and nothing is written' [ ! -s out ]
check 'hooks get JSON' eval '"$bale" compact --limit 3000 --quiet \
	--hook-pre "cat >pre" --hook-post "cat >post" <"$chat" >/dev/null &&
	grep -q "\"hook_event_name\":\"PreCompact\"" pre &&
	grep -q "\"source\":\"compact\"" post'

cp "$chat" in.json
check '--in-place replaces the file' eval '"$bale" compact --in-place in.json \
	--limit 3000 --quiet && [ "$(wc -c <in.json)" -lt "$(wc -c <"$chat")" ]'
cp "$chat" in.json
check 'no room: exit 8' ends 8 BALE-CMP-008 "$bale" compact --in-place in.json \
	--limit 30
check 'and the file is as it was' cmp in.json "$chat"
head -c 1000 "$chat" >in.json
cp in.json was.json
check 'torn: exit 2' ends 2 BALE-CMP-001 "$bale" compact --in-place in.json
check 'and left alone' cmp in.json was.json

check 'nothing' ends 2 BALE-CMP-001 "$bale" compact </dev/null
check 'no JSON' ends 2 'BALE-CMP-001 stdin: this is not JSON: line 1' "$bale" compact \
	<<<hello
check 'invalid UTF-8' ends 2 BALE-CMP-001 "$bale" compact \
	< <(printf '[{"role":"user","content":"\377"}]')
check 'unknown role' ends 2 'BALE-CMP-002 stdin: message 0' "$bale" compact \
	<<<'[{"role":"wizard","content":"x"}]'
check 'a result without its call' ends 2 'BALE-CMP-003 stdin: message 0' "$bale" \
	compact <<<'[{"role":"tool","tool_call_id":"c","content":"x"}]'
# 1 GB would be read until the limit is passed, not longer
check '1 GB of messages' ends 2 'BALE-CMP-006 stdin: more than 64 MiB' "$bale" compact \
	< <(head -c 1000000000 /dev/zero)
check '1 GB of round' ends 2 'BALE-RND-003' "$bale" rounds compress \
	< <(head -c 1000000000 /dev/zero)
check 'millions of values' ends 2 BALE-CMP-006 "$bale" compact \
	< <(echo '['; yes '{},' | head -n 2000000; echo '{}]')
deep=$(printf '%*s' 100000 '' | tr ' ' '[')
check 'deep nesting' ends 2 'BALE-CMP-001' "$bale" compact <<<"$deep"
check 'wrong thresholds' ends 2 BALE-CMP-004 "$bale" compact --threshold 0.99 \
	<"$chat"
check 'an argument too many' ends 2 BALE-CLI-004 "$bale" compact x <"$chat"

for format in openai-chat anthropic; do
	check "100 conversations, shortened, are valid for $format" same \
		"$(python3 "$strict" "$bale" $format 100 2>&1)" ok
done

check '25 windows, built as requests, are valid' same \
	"$(python3 "${strict%/*}/strict_window.py" "$bale" 25 2>&1)" ok
# Whatever went in as messages comes out for each interface, and of its own as
# it was, but for the layout.
for format in openai-chat openai-responses anthropic; do
	given=$fixtures/$format.before.json
	rm -f m.json
	check "$format: messages of a window" ends 0 '' "$bale" window m.json \
		add --messages <"$given"
	for to in openai-chat openai-responses anthropic; do
		"$bale" window m.json build --format $to --history 1000 >built
		check "$format as $to" grep -q "\"format\":\"$to\"" \
			<("$bale" compact --check --format $to <built)
	done
	"$bale" window m.json build --format $format --history 1000 >built
	check "$format: as it was" same "$(python3 - "$given" built <<'END'
import json, sys
def texts(message):
    content = message.get("content")
    if isinstance(content, str):
        message["content"] = [{"type": "text", "text": content}]
    return message
given, built = (json.load(open(name)) for name in sys.argv[1:])
key = "input" if "input" in built else "messages"
given = given[key] if isinstance(given, dict) else given
given, built = (list(map(texts, all)) for all in (given, built[key]))
given = [m for m in given if m.get("role") not in ("system", "developer")]
built = [m for m in built if m.get("role") != "system"]
print("same" if given == built else f"{given}\n{built}")
END
)" same
done

# --- bale rounds ---------------------------------------------------------

round='{"round":1,"modules":["a","b"],"findings":["x is slow"],
	"relationships":[{"from":"a","to":"b","type":"calls"}],
	"openQuestions":["why?"]}'
check 'rounds compress' same "$("$bale" rounds compress <<<"$round")" \
	$'Modules: a, b\n- x is slow\nRelationships: a -> b (calls)\nOpen questions: why?'
check 'rounds compress --json' grep -q '"left_out":{"modules":0,"findings":1' \
	<("$bale" rounds compress --max-tokens 6 --json <<<"$round")
# Each reads what the others write.
"$bale" rounds compress --json <<<"$round" >block.json
check 'a block of rounds is memory' eval '"$bale" window r.json add --jsonl \
	<block.json && [ "$("$bale" window r.json list | cut -f 2)" = \
	working_memory ]'
block=$("$bale" rounds compress <<<"$round")
check 'a block of rounds is a message' same "$("$bale" compact <block.json |
	python3 -c 'import json, sys
print(json.load(sys.stdin)["messages"][0]["content"])')" "$block"
ROUND=$round python3 >answer.json -c 'import json, os
print(json.dumps([{"role": "user", "content": "Go on"},
    {"role": "assistant", "content": "Here:\n```json\n" + os.environ["ROUND"] + "\n```"}]))'
check 'a round in an answer' same "$("$bale" rounds compress <answer.json)" "$block"
"$bale" window r.json add --messages <answer.json >/dev/null
check 'a round in a window' same "$("$bale" rounds compress <r.json)" "$block"
check 'a round in no answer' ends 2 BALE-RND-007 "$bale" rounds compress \
	<<<'[{"role":"user","content":"{\"modules\":[]}"}]'
check 'a window as messages' grep -q '"format":"anthropic".*"messages":2}' \
	<("$bale" compact --check --format anthropic <r.json)
check 'a window in its place stays' ends 2 BALE-CMP-016 "$bale" compact \
	--in-place r.json
"$bale" window r.json snapshot >s.json
check 'a window, compacted, is a window again' eval '
	"$bale" compact --limit 200 --reserve-response 0 --quiet --trigger manual \
		--preserve 0.1 <m.json >small.json
	"$bale" window z.json add --messages <small.json'
check 'a round near its limit' ends 0 'BALE-RND-005 round 1: 87%' "$bale" rounds \
	usage u.json record --round 1 --input 174000 --budget 200k
check 'a round that is not' same "$("$bale" rounds usage u.json record \
	--round 2 --input 10 --output 5 --budget 100 2>&1)" ''
check 'the sums' grep -q '"input_tokens": 174010' \
	<("$bale" rounds usage u.json report --json)
# as some editors and shells write text
mark() {
	printf '\xef\xbb\xbf%s' "$1"
}
said='{"messages":[{"role":"user","content":"hi"}]}'
check 'a byte order mark before messages' same \
	"$(mark "$said" | "$bale" compact)" "$said"
check 'the same in place' same "$(mark "$said" >mark.json &&
	"$bale" compact --in-place mark.json && "$bale" compact <mark.json)" "$said"
check 'the same before what a window adds, or is restored from' same "$({
	mark "$said" | "$bale" window mark.w add --messages
	mark '{"type":"other","content":"y"}' | "$bale" window mark.w add --jsonl
	mark z | "$bale" window mark.w add
	mark "$("$bale" window mark.w snapshot)" | "$bale" window mark2.w restore
} >/dev/null && "$bale" window mark2.w build | tr -d '\n-')" 'yz[user]: hi'
check 'no round' ends 2 BALE-RND-001 "$bale" rounds compress <<<'[]'

for c in window compact rounds; do
	check "bale $c --help" eval '"$bale" '$c' --help | grep -q "^Usage: bale '$c'"'
	check "bale help knows $c" grep -q "^  $c " <("$bale" help)
done

echo "1..$n"
exit $failed
