#!/bin/bash
# SPDX-License-Identifier: MIT
#
# What a configuration file is to `bale window` and `bale compact`: policy
# tiers, limits, thresholds.
#
# verifies: WIN-05, WIN-07, CMP-04

# shellcheck source=tests/support/lib.sh
. tests/support/lib.sh

cd "$dir" || exit 1
mkdir .agent
config=.agent/config.yml

items() {
	rm -f w.json
	for i in $(seq 12); do
		"$BALE" window w.json add --type tool_result --priority "$i" \
			--content "item $i: $(seq -s ' ' 40)" "$@" >/dev/null ||
			return 1
	done
}

# Each strategy under each tier, from the file: exit code and error code.
for tier in unrestricted core writerpro teams enterprise plain all; do
	echo "policy: {tier: $tier}" >$config
	case $tier in
	core | writerpro | plain) no="2 BALE-WIN-010" ;;
	*) no="0 " ;;
	esac
	for strategy in remove_oldest remove_low_priority summarize selective; do
		case $strategy in
		summarize) want=$no more=(--summarizer 'echo short') ;;
		selective) want=$no more=(--query 'item 3') ;;
		*) want="0 " more=() ;;
		esac
		items && cp w.json before.json
		"$BALE" window w.json compact --strategy $strategy \
			--target 1 "${more[@]}" >/dev/null 2>err
		is "$? $(grep -o 'BALE-WIN-010' err)" "$want" \
			"$tier, $strategy"
		[ "$want" = "0 " ] || is "$(cmp w.json before.json 2>&1)" "" \
			"$tier, $strategy: the file is as it was"
	done
done
echo "policy: {tier: core}" >$config
items
"$BALE" window w.json compact --strategy selective --query x 2>err
is "$(cat err)" "bale: BALE-WIN-010 the policy tier \"core\" does not allow the \
strategy selective; remove_oldest and remove_low_priority work, or use the tier \
all" "the error says what would work"
BALE_TIER=teams "$BALE" window w.json compact --strategy selective --query x \
	>/dev/null
is "$?" 0 "the environment beats the file"
BALE_TIER=core "$BALE" window w.json compact --strategy selective --query x \
	--tier teams >/dev/null
is "$?" 0 "and the command line the environment"
"$BALE" window w.json compact --no-config --strategy selective --query x \
	>/dev/null
is "$?" 0 "--no-config"
# An add that would summarise gives way, and says so.
rm -f w.json
for i in $(seq 20); do
	"$BALE" window w.json add --max-tokens 1000 --strategy summarize \
		--summarizer 'echo short' --events events \
		--content "item $i: $(seq -s ' ' 40)" >/dev/null 2>>err ||
		break
done
is "$i $(grep '"compacted"' events | grep -c '"fell_back":true')" \
	"20 $(grep -c '"compacted"' events)" \
	"an add under core removes what is of low priority instead"

is "$(grep -c 'BALE-WIN-020 no room .* could not be carried out' err)" \
	"$(grep -c '"compacted"' events)" "and warns each time"

# A conversation: no summary, and that is an error; pruning works.
messages() {
	printf '[{"role":"user","content":"%s"}' "$(seq -s ' ' 3000)"
	for i in $(seq 20); do
		printf ',{"role":"assistant","content":"%s %s"}' "$i" \
			"$(seq -s ' ' 300)"
		printf ',{"role":"user","content":"and %s?"}' "$i"
	done
	printf ']\n'
}
messages >in.json
"$BALE" compact --limit 20000 --summarizer 'echo short' <in.json >out.json \
	2>err
is "$? $(wc -c <out.json) $(grep -o 'BALE-CMP-015.*' err)" "2 0 BALE-CMP-015 \
the policy tier \"core\" does not allow a summary; without --summarizer old \
results are pruned and the oldest messages left out, or use the tier \
all" "core has no summary of a conversation"
"$BALE" compact --limit 20000 --quiet <in.json >out.json
is "$? $(grep -c 'was left out to make room' out.json)" "0 1" \
	"but it can be made shorter"
"$BALE" compact --limit 20000 --check --summarizer 'echo short' <in.json \
	>/dev/null
is "$?" 11 "--check summarises nothing"

# Limits of a new window; of one that is there, its own.
printf 'window: {max_tokens: 500, compaction_threshold: 60,
  strategy: remove_oldest}\n' >$config
limits() {
	"$BALE" window w.json snapshot | python3 -c 'import json, sys
w = json.load(sys.stdin)
print(w["max_tokens"], w["threshold"], w["strategy"])'
}
rm -f w.json && "$BALE" window w.json add --content x >/dev/null
is "$(limits)" "500 60.0 remove_oldest" "a new window has the limits of the file"
"$BALE" window w.json limits --max-tokens 700
is "$(limits)" "700 60.0 remove_oldest" "limits changes what it is told to"
rm -f w.json && "$BALE" window w.json add --content x --model gpt-4 >/dev/null
is "$(limits)" "8192 60.0 remove_oldest" "a model that is given beats it"
rm -f w.json && "$BALE" window w.json add --content x --max-tokens 9 >/dev/null
is "$(limits)" "9 60.0 remove_oldest" "so does a limit"
printf 'window: {max_tokens: 5000}\n' >$config
"$BALE" window w.json add --content y >/dev/null
is "$(limits)" "9 60.0 remove_oldest" "a window that is there keeps its own"

# Thresholds of a conversation.
due() {
	"$BALE" compact --limit 100000 --check "$@" <in.json >/dev/null
	echo $?
}
rm -f $config
is "$(due)" 0 "not due by default"
printf 'compaction: {threshold: 0.1, preserve: 0.05}\n' >$config
is "$(due) $(due --threshold 0.8) $(BALE_THRESHOLD=0.8 due)" "10 0 0" \
	"due over the threshold of the file, which the others beat"
printf 'compaction: {threshold: 0.1, critical: 0.12, preserve: 0.05}\n' >$config
is "$(due)" 11 "critical too"
printf 'compaction: {summarizer: "touch pwned", hook_pre: "touch pwned"}\n' \
	>$config
"$BALE" compact --limit 20000 <in.json >out.json 2>err
is "$? $(wc -c <out.json) $(ls pwned 2>/dev/null) \
$(grep -c 'BALE-CFG-004 .agent/config.yml:1:26: .*cannot name a command' err)" \
	"2 0  1" "a file cannot name a command"
"$BALE" compact --help | grep -q -- '--no-config' &&
	"$BALE" rounds --help | grep -qv -- '--no-config'
is "$?" 0 "help has --no-config where it does something"
done_testing
