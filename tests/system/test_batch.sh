#!/bin/bash
# SPDX-License-Identifier: MIT
#
# `bale batch`: its outputs are those of `bale pack`, its manifest says what
# they are, and whatever ends it, the next one does what is left.
#
# KILLS (8, with LONG=1 12): how often a batch is killed at a random moment

# shellcheck source=tests/support/lib.sh
. tests/support/lib.sh
command -v git >/dev/null || skip_all git is not installed
tree=${BALE%/*}/tests/support/tool_tree
export HOME=$dir GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b
export GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b
cd "$dir" || exit 1
kills=${KILLS:-$((8 + 4 * ${LONG:-0}))}

for i in $(seq 24); do
	mkdir "t$i"
	"$tree" many "t$i" $((10 + i)) "$i"
	[ "$i" -le 4 ] || rm "t$i/d00/f00000.c" # the one of up to 300 KB
	echo "t$i"
done >list
git init -q t1 && git -C t1 add -A && git -C t1 commit -q -m one
echo 'int later;' >t1/later.c
git clone -q --bare t1 bare.git
mkdir empty
cat >>list <<'END'
{"path": "bare.git", "rev": "HEAD", "budget": "2k", "output": "sub/bare.md"}
{"path": "t2", "include": ["*7*", "*8*"], "exclude": "*1*", "output": "some.md"}
empty
nowhere
END
lines=$(wc -l <list)

# field NAME: of each line of the manifest
field() {
	python3 -c 'import json, sys
for line in open(sys.argv[1]): print(json.loads(line).get(sys.argv[2]))' \
		"${2:-out}/manifest.jsonl" "$1"
}

"$BALE" batch list -d out --budget 9000 >o 2>err
is "$? $(wc -c <o)" "3 0" "two lines fail, the others do not"
is "$(field class | sort | uniq -c | xargs)" "26 done 2 failed" "their classes"
is "$(field path | xargs)" \
	"$(seq -f 't%g' 24 | xargs) bare.git t2 empty nowhere" \
	"the manifest has the order of the list"
is "$(field exit_code | tail -n 2 | xargs) $(field code | tail -n 2 | xargs)" \
	"9 2 BALE-CTX-004 None" "why two have failed"
is "$(tail -n 1 err)" \
	"lines       28: 26 done, 0 degraded, 2 failed, 0 to try again" \
	"the summary"

# What a warning comes before has failed for another reason.
echo '{"path": "t2", "include": "*.none"}' >warned
"$BALE" batch warned -d warned.out -q 2>/dev/null
is "$(field code warned.out) $(field message warned.out | cut -c1-29)" \
	'BALE-CTX-004 BALE-CTX-004: nothing to pack' \
	'the message of a line is its error, not the warning before it'

# What was mended since is tried again where the manifest does not have it.
printf '%s\n' t2 mended gone >again
"$BALE" batch again -d again.out -q 2>/dev/null
cp -r t3 mended
"$BALE" batch again -d again.out -q 2>err
is "$? $(cat err)" "3 bale: warning: lines that failed before are not tried \
again: remove them from again.out/manifest.jsonl" 'what has failed stays so'
sed -i '/"class":"failed"/d' again.out/manifest.jsonl
"$BALE" batch again -d again.out -q 2>err
is "$? $(field class again.out | xargs) $(grep -c 'failed before' err)" \
	'3 done done failed 0' 'unless it is removed from the manifest'
mkdir again.out/lock
mv again.out/manifest.jsonl again.out/lock
mkdir again.out/manifest.jsonl
"$BALE" batch again -d again.out -q 2>err
is "$? $(grep -c 'cannot write again.out/manifest.jsonl: ' err)" '4 1' \
	'a manifest that cannot be written is named with DIR'

# Within a tree that it packs: whatever has been written there by then.
cp -r t3 within
mkdir within/part
cp t4/*/*.c within/part
"$BALE" pack within --budget all -q >want
printf '%s\n' within/part within >pair
for i in 1 2; do
	rm -f within/packed/within-*
	"$BALE" batch pair -d within/packed --budget all -q
	is "$? $(cmp want within/packed/within-*.md 2>&1)" '0 ' \
		"DIR is no part of a tree, time $i"
done
rm -r within/packed/completions
"$BALE" preview within --budget all -q >o
is "$(grep within/packed o | cut -f2 | uniq -c | xargs)" '4 earlier-output' \
	'nor is what a batch has written, later'

# Whoever wants JSON on stderr gets nothing else, and the manifest is the same.
manifest_of() {
	python3 -c 'import json, sys
for line in open(sys.argv[1] + "/manifest.jsonl"):
    record = json.loads(line)
    print(record["id"], record["code"], record["message"])' "$1"
}
printf '%s\n' empty nowhere '{"path": "t1", "budget": 1}' t2 >wrong
"$BALE" batch wrong -d plain --budget 900 -q 2>/dev/null
"$BALE" batch wrong -d json --budget 900 --log-json 2>err
is "$(manifest_of json)" "$(manifest_of plain)" \
	"--log-json: the manifest has codes and sentences all the same"
is "$(python3 -c 'import json, sys
lines = [json.loads(line)["message"] for line in sys.stdin]
print(len(lines), sum("{" in line for line in lines))' <err)" "3 0" \
	"and stderr has a line of JSON for each line that fails, and no summary"
rm -rf plain json

# Names that a batch needs for itself are refused, and no others.
for name in logs-a.md statsd/a.md manifestation.md stats.json.md .x/a.md \
	manifest.jsonl manifests/a.md stats.json logs/a a/../b.md; do
	printf '{"path": "t2", "output": "%s"}\n' "$name"
done >names
"$BALE" batch names -d names.out --budget 900 -q 2>err
is "$? $(field class names.out | xargs)" \
	"3 $(yes done | head -n 4 | xargs) $(yes failed | head -n 6 | xargs)" \
	"outputs may have all names but those of the batch and hidden ones"
is "$(grep -c 'no output can be called [a-z]*.*: the batch writes that itself' err) \
$(grep -c 'below DIR without hidden names' err)" "4 2" "each says why"
rm -rf names.out

# The same bytes as bale pack, and what the manifest says of them.
lost=
for i in $(seq 24); do
	"$BALE" pack "t$i" -q --budget 9000 -o want
	cmp -s want "$(echo out/t"$i"-????????.md)" || lost+=" t$i"
done
is "$lost" "" "each output is that of bale pack"
"$BALE" pack bare.git --rev HEAD -q --budget 2k -o want
is "$(cmp want out/sub/bare.md 2>&1)" "" "of a bare repository"
is "$(field revision | sed -n 25p)" "$(git -C bare.git rev-parse HEAD)" \
	"its revision"
(cd out && paste -d ' ' <(field sha256 .) <(field output .) |
	grep -v None | sed 's/ /  /' | sha256sum -c --quiet >../o 2>&1)
is "$? $(cat o)" "0 " "the SHA-256 of each output"
is "$(field tokens | grep -v None | awk '{ n += $1 } END { print n }')" \
	"$("$BALE" count out/*.md out/sub/*.md | awk 'END { print $1 }')" \
	"the tokens of all"

# hashes DIR: of all that is there but times and memory
hashes() {
	(cd "$1" && sed 's/,"peak_bytes".*//; s/,"seconds".*//' manifest.jsonl &&
		find . -name '*.md' -print0 | sort -z | xargs -0 sha256sum) |
		sha256sum
}
# sums DIR: those of stats.json that are the same each time
sums() {
	python3 -c '
import json, sys
step, = json.load(open(sys.argv[1] + "/stats.json"))
del step["time_stats"], step["stats"]["peak_bytes"]
print(step)' "$1"
}
want=$(hashes out)

# Again: nothing is packed; with other options, all of it.
touch -d 2001-01-01 out/*.md out/sub/*.md
"$BALE" batch list -d out --budget 9000 -q 2>err
is "$? $(hashes out) $(find out -name '*.md' -newermt 2002-01-01)" \
	"3 $want " "again: nothing is left to do"
"$BALE" batch list -d out --budget 9000 --jobs 1 --memory 48M -q 2>err
is "$? $(find out -name '*.md' -newermt 2002-01-01)" "3 " \
	"nor with other memory"
rm "$(echo out/t3-*.md)"
echo more >>"$(echo out/t4-*.md)"
"$BALE" batch list -d out --budget 9000 -q 2>err
is "$? $(hashes out) $(find out -name '*.md' -newermt 2002-01-01 | wc -l)" \
	"3 $want 2" "an output that is gone or changed is made again"
"$BALE" batch list -d out --budget 5000 -q 2>err
is "$(find out -name 't*.md' -newermt 2002-01-01 | wc -l)" 24 \
	"with another budget all are made again"
"$BALE" batch list -d out --budget 9000 -q 2>err
is "$(hashes out)" "$want" "and back"
"$BALE" batch <(tac list) -d out --budget 9000 -q 2>err
is "$(field path | head -n 2 | xargs)" "nowhere empty" "a list in another order"

# What a line says for itself: a query and a budget, a sub-directory.
mkdir t5/sub
"$tree" many t5/sub 20 99
cat >own <<'END'
{"path": "t3", "query": "the size of a queue", "budget": 3000}
{"path": "t5/sub", "budget": "all"}
END
"$BALE" batch own -d own.out --budget 9000 -q 2>err
is "$?" 0 "lines with settings of their own"
"$BALE" pack t3 -q --query 'the size of a queue' --budget 3000 -o want
is "$(cmp want own.out/t3-*.md 2>&1)" "" "a query and a budget"
"$BALE" pack t5/sub -q --budget all -o want
is "$(cmp want own.out/sub-*.md 2>&1)" "" "a sub-directory, all of it"
rm -r t5/sub

# So many failures end it; run again without a limit, it goes on.
{
	printf 'nowhere%d\n' 1 2 3
	sed -n 1,9p list
} >fails
"$BALE" batch fails -d few --budget 9000 --jobs 1 --max-failures 2 2>err
is "$? $(field class few | sort | uniq -c | xargs)" "3 2 failed" \
	"--max-failures: the second failure ends the batch"
is "$(ls few/completions 2>/dev/null)" "" "which is not complete"
"$BALE" batch fails -d few --budget 9000 2>err
is "$? $(field class few | sort | uniq -c | xargs)" "3 9 done 3 failed" \
	"without it, it goes on"
"$BALE" batch fails -d few --max-failures 2 --keep-going 2>err
is "$? $(grep -c BALE-CLI-005 err)" "2 1" "both at once are a mistake"

# Compressed, and with all that --keep-going says.
if command -v zstd >/dev/null; then
	"$BALE" batch list -d small --budget 9000 -q --zstd --keep-going 2>err
	lost=
	for i in $(seq 24); do
		zstd -dcq small/t"$i"-????????.md.zst |
			cmp -s - "$(echo out/t"$i"-????????.md)" || lost+=" t$i"
	done
	is "$lost" "" "--zstd: the same outputs, compressed"
	(cd small && paste -d ' ' <(field sha256 .) <(field output .) |
		grep -v None | sed 's/ /  /' | sha256sum -c --quiet >../o 2>&1)
	is "$? $(cat o)" "0 " "the manifest has the hashes of the files"
fi

# Killed at random moments.
start=$(date +%s%N)
"$BALE" batch list -d timed --budget 9000 -q 2>/dev/null
whole=$((($(date +%s%N) - start) / 1000))
bad=
for i in $(seq "$kills"); do
	"$BALE" batch list -d killed --budget 9000 -q 2>/dev/null &
	pid=$!
	us=$(((RANDOM * 32768 + RANDOM) % (whole + whole / 8)))
	sleep "$(printf '0.%06d' $((us % 1000000)))"
	kill -"$((i % 3 == 0 ? 15 : 9))" $pid 2>/dev/null
	wait $pid 2>/dev/null
	# what is in the manifest is true, but for a last line that is torn
	[ ! -d killed ] || (cd killed && python3 - <<'END'
import hashlib, json, os
try: lines = open('manifest.jsonl').read().split('\n')[:-1]
except OSError: lines = []
ids = set()
for line in lines:
    record = json.loads(line)
    assert record['id'] not in ids
    ids.add(record['id'])
    if record['output']:
        data = open(record['output'], 'rb').read()
        assert hashlib.sha256(data).hexdigest() == record['sha256']
END
	) || bad+=" kill $i: a line is not true;"
	[ $((i % 4)) = 0 ] || continue
	"$BALE" batch list -d killed --budget 9000 -q 2>err
	code=$?
	[ "$code $(hashes killed)" = "3 $want" ] ||
		bad+=" kill $i: exit $code, $(tr '\n' ' ' <err);"
	left=$(find killed -mindepth 1 -name '.*')
	[ -z "$left" ] || bad+=" kill $i: left $left;"
	rm -r killed
done
is "$bad" "" "$kills kills: nothing is lost, doubled or torn"

# In parts, in any order, one of them twice: the same.
for part in 2 0 2; do "$BALE" batch list -d parts --budget 9000 -q \
	--shard "$part/4" 2>/dev/null; done
SLURM_ARRAY_TASK_ID=11 SLURM_ARRAY_TASK_COUNT=4 SLURM_ARRAY_TASK_MIN=10 \
	"$BALE" batch list -d parts --budget 9000 -q 2>/dev/null
is "$(ls parts/completions | xargs) $(ls parts | grep -c json)" \
	"00000 00001 00002 0" "three of four parts"
JOB_COMPLETION_INDEX=3 "$BALE" batch list -d parts --budget 9000 -q \
	--shards 4 2>/dev/null
is "$(hashes parts)" "$want" "four parts have made what one has"
is "$(sums parts)" "$(sums out)" "and the same sums"
is "$(cat parts/manifests/* | wc -l)" "$lines" "each line is in one part"
rm "$(echo parts/t7-*.md)"
for part in 0 1 2 3; do BALE_SHARD=$part/4 "$BALE" batch list -d parts \
	--budget 9000 -q 2>/dev/null; done
is "$(hashes parts)" "$want" "what is lost is made again, by its part"

# A part of other options: there is no manifest of all that would be wrong.
"$BALE" batch list -d parts --budget 4000 --shard 0/4 2>err
is "$? $(grep -c 'all 4 parts are complete, but some are of other options' err) \
$(ls parts/manifest.jsonl 2>/dev/null)" "0 1 " "a part of other options is told of"
for part in 1 2 3 0; do "$BALE" batch list -d parts --budget 9000 -q \
	--shard $part/4 2>/dev/null; done
is "$(hashes parts)" "$want" "until all are of the same again"

# Two at a time.
mkfifo fifo
"$BALE" batch list -d busy -q 2>/dev/null &
pid=$!
until [ -s busy/manifest.jsonl ] || ! kill -0 $pid 2>/dev/null; do
	sleep 0.02
done
kill -STOP $pid
# a stopped batch keeps its lock for ever
"$within" 60 "$BALE" batch list -d busy -q 2>err
is "$? $(grep -c 'another bale batch is writing to busy' err)" "5 1" \
	"another batch in the same directory"
kill -CONT $pid
wait $pid

# The disk is full: to be tried again.
printf '{"path": "t1", "output": "%s.md"}\n' a b c >three
if mkdir tiny && mount -t tmpfs -o size=64k none tiny 2>/dev/null; then
	# one at a time, or the manifest may find no room beside them
	"$BALE" batch three -d tiny -q --jobs 1 --budget 12000 2>err
	is "$? $(field class tiny | xargs)" '5 done retry retry' \
		'no room on the disk'
	umount tiny
fi
done_testing
