#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Names that would like to act: on a terminal, in a log, in JSON, in metrics, in
# a page. Whatever names a file does so on one line, without a byte that acts,
# and an error is one line that names what it is about.

# shellcheck source=tests/support/lib.sh
. tests/support/lib.sh

cd "$dir" || exit 1
evil=$(printf 'n\nw\033[31m\xe2\x80\xae\xe2\x80\x8b"`|</script>\xff')
shown='n\\nw\\033\[31m\\342\\200\\256\\342\\200\\213\\"`|</script>\\377'

# Bytes that no output may have: controls, the bidirectional override, the
# space without width, what is no UTF-8.
acting=$(printf '[\001-\010\013-\037\177\377]|\342\200[\213\256]')
acts() {
	LC_ALL=C grep -aEc "$acting" "$@" | sed 's/.*://' |
		awk '{ sum += $1 } END { print sum }'
}

mkdir in
flat=${evil//\//_}
for name in "$flat.c" '<script>alert(1)<' 'a|b.c' ' lead.c' '$(id).c' '-rf' \
	"$(printf '%0250d' 7)" "$(printf 'tag\xf3\xa0\x81\x81.c')" '%s%n.c'; do
	printf 'int x; // <|endoftext|>\n%s\n' "${#name}" >"in/$name"
done
cp "in/$flat.c" "in/same$flat.c"
printf 'a\0b' >"in/bin$flat"
echo key >"in/$flat.pem"
ln -s /etc/passwd "in/link$flat"
mkfifo "in/fifo$flat"
files=$(find in -mindepth 1 -printf x | wc -c)

for format in markdown xml json jsonl plain; do
	"$BALE" pack in --no-config --budget all --format $format --tree \
		-o out --report r.json --metrics m.prom --audit-log a.$format \
		--log-json --log-level debug 2>log
	is "$? $(acts r.json m.prom a.$format log)" "0 0" "$format: nothing acts"
	is "$(python3 - r.json a.$format log "$files" 2>&1 <<'END'
import json, sys
report = json.load(open(sys.argv[1]))
paths = {x["path"] for x in report["selected"] + report["excluded"]}
told = [json.loads(line) for line in open(sys.argv[2])]
assert len(paths) == int(sys.argv[4]), paths
assert {x["path"] for x in told if "path" in x} == paths
for line in open(sys.argv[3]):
    json.loads(line)
END
	)" "" "$format: each line is what it should be"
	LC_ALL=C grep -avE '^int x|^[0-9]+$' out |
		LC_ALL=C sed 's/<|endoftext|>//g' >frame
	[ $format = json ] || [ $format = jsonl ] || is "$(acts frame)" 0 \
		"$format: no name acts in the output"
done
is "$(grep -avcE '^(# (HELP|TYPE|UNIT|EOF)|bale_[a-z_]+(\{[^}]*\})? ([0-9.e+-]+|[+]Inf)$)' \
	m.prom)" 0 "metrics have their lines and no other"
"$BALE" report r.json --chunk-detail --selection-detail --dedup-detail \
	--special-tokens >tables
is "$? $(acts tables) $(grep -c 'n.nw.033' tables)" "0 0 10" \
	"tables are quoted"
"$BALE" report r.json --html page.html
is "$? $(acts page.html) $(grep -c '</script>' page.html)" "0 0 2" \
	"a page has its own scripts alone"
"$BALE" pack in --no-config --budget 2000 --explain --progress always \
	-o out 2>err >/dev/null
is "$? $(tr '\r' '\n' <err | sed 's/\x1b\[K//g' >clean; acts clean)" "0 0" \
	"progress, --explain and the summary"
"$BALE" preview in --no-config -q >out
"$BALE" tree in --no-config >>out
"$BALE" count in/*.c >>out
is "$(acts out)" 0 "preview, tree and count"

# told ARGUMENT...: it fails, and says so in one line that quotes the name
bad=
told() {
	local code

	"$BALE" "$@" >out 2>err </dev/null
	code=$?
	[ $code -ge 2 ] && [ $code -le 9 ] && [ "$(acts out err)" = 0 ] &&
		[ "$(grep -vc '^files' err)" = 1 ] && grep -q "$shown" err ||
		bad+="$code $*: $(head -c 300 err)"$'\n'
}
echo hi >hi
for command in pack preview tree count report unpack verify dedup config help \
	"$evil" rounds; do
	told "$command" "$evil"
done
for option in --format --budget --encoding --model --header=@ --instructions \
	--template --files-from --categories --source-priority --chunk \
	--config --tool --search --sources --query=@ --unicode --memory \
	--max-file-size --io --order --log-level; do
	case $option in
	*@) told pack in -q "$option$evil" ;;
	*) told pack in -q "$option=$evil" ;;
	esac
done
for option in --output --report --metrics --audit-log; do
	told pack in -q -o "$dir/o" "$option" "$evil/x"
done
told pack in "--$evil"
told unpack hi -C "hi/$evil"
told verify hi --against "$evil"
told report r.json --html "$evil/x"
told window "$evil" list
told window w.json "$evil"
told window w.json add --content x --type "$evil"
told window w.json add --content x --events "$evil/x"
told compact "--$evil"
told compact --in-place "$evil"
told rounds usage "$evil" report
told rounds usage "$evil/x" record --round 1 --input 1 --output 1 --budget 9
is "$bad" "" "every error is one line that quotes what it is about"
cp hi "$flat"
shown=${shown/\//_}
told window "$flat" list
told compact --in-place "$flat"
told rounds usage "$flat" report
told dedup "$flat"
told report "$flat"
is "$bad" "" "so is one about what a file holds"
done_testing
