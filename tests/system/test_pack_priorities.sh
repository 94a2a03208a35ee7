#!/bin/bash
# SPDX-License-Identifier: MIT
#
# What a source counts for in the ranking is configurable.
#
# verifies: FR-016-62, AC-016-004

BALE=${BALE:-$PWD/${BUILD:-build}/${MODE:-release}/bale}
# shellcheck source=tests/system/lib.sh
. tests/system/lib.sh

# jq is not everywhere: what python3 makes of the report.
ask() {
	python3 -c "import json; r = json.load(open('report.json')); print($1)"
}

for name in open hit; do
	awk -v name=$name 'BEGIN {
		for (i = 1; i <= 60; i++)
			printf "%s has %d words of text, line %d\n", name,
				i * 7919 % 1000, i
	}' >$name.txt
done
touch -d 2026-01-01 -- *.txt
for i in $(seq 1 60); do echo "hit.txt:$i:x"; done >hits

# wins FILE ARGS...: the one of the two that there is room for in full; the same from
# 1, 2 and 8 workers.
wins() {
	local w want=$1

	shift
	for w in 1 2 8; do
		run 0 pack --open open.txt --search hits --categories none \
			--budget 1000 --reserve-response 0 --reserve-system 0 \
			--no-history --tiers off --explain --workers $w \
			-o file.$w --report report.json "$@"
		same file.$w file.1
	done
	is [ "$(ask "{x['path'] for x in r['selected'] if 'parted' not in x}")" = "{'$want'}" ]
}

begin 'as they are: an open file, 0.96, before a search result, 0.92'
wins open.txt --no-config
is [ "$(ask "{(round(x['score'], 3), x['factors']['source']) for x in r['selected'] if 'parted' not in x}")" = '{(0.96, 0.8)}' ]
end

begin 'an open file of priority 30 has 0.86 and comes behind it'
wins hit.txt --no-config --source-priority open_files=30
is [ "$(ask "{(round(x['score'], 3), x['factors']['source']) for x in r['selected'] if 'parted' not in x}")" = '{(0.92, 0.6)}' ]
wins open.txt --no-config --source-priority search_results=20,open_files=30
is [ "$(ask "{(round(x['score'], 3), x['factors']['source']) for x in r['selected'] if 'parted' not in x}")" = '{(0.86, 0.3)}' ]
says '^ 0\.860 1\.000 1\.000 0\.300 .*open\.txt'
end

begin 'the configuration says the same; the command line beats it, by name'
mkdir .agent
printf 'context:\n  source_priority:\n    open_files: 30\n' >.agent/config.yml
wins hit.txt
wins open.txt --source-priority open_files=70
wins open.txt --source-priority search_results=20
is [ "$(ask "{x['factors']['source'] for x in r['selected'] if 'parted' not in x}")" = '{0.3}' ]
printf 'context:\n  source_priority:\n    open_files: 101\n' >.agent/config.yml
run 2 pack --open open.txt
says 'BALE-CFG-003'
rm -r .agent
end

begin 'on the same lines the category that counts for more is said'
for w in 1 2 8; do
	run 0 pack --open hit.txt --search hits --no-config --workers $w \
		-q -o file --report report.json
	is [ "$(ask "{x['category'] for x in r['selected']}")" = "{'open_files'}" ]
	run 0 pack --open hit.txt --search hits --no-config --workers $w \
		--source-priority open_files=10 -q -o file --report report.json
	is [ "$(ask "{x['category'] for x in r['selected']}")" = \
		"{'search_results'}" ]
done
end

# verifies: AC-016c-048
begin 'of equal scores the source decides, then the path'
for f in a m z zz; do seq -f "$f %g of this" 40 >$f.tie; done
touch -d 2026-01-01 -- *.tie
cat >ties <<'END'
{"type":"reference","path":"a.tie","timestamp":1767225600}
{"type":"search_result","path":"m.tie","lines":[1,40],"timestamp":1767225600}
{"type":"open_file","path":"zz.tie","timestamp":1767225600}
{"type":"open_file","path":"z.tie","timestamp":1767225600}
{"type":"tool_result","name":"y","content":"it says\n","timestamp":1767225600}
END
equal=(--no-config --sources ties --order rank --report report.json -q
	--source-priority
	tool_results=50,open_files=50,search_results=50,references=50)
run 0 preview "${equal[@]}"
cut -f 3 <out >got
printf '%s\n' y:1-1 z.tie:1-40 zz.tie:1-40 m.tie:1-40 a.tie:1-40 >want
same got want
run 0 pack "${equal[@]}" -o file
sed -n 's/^## File: \([a-z.]*\).*/\1/p' file >got
sed 's/:.*//' want >names
same got names
# there is room for two of them
run 0 pack "${equal[@]}" --categories none --tiers off --budget 560 \
	--reserve-response 0 --reserve-system 0 -o file
is [ "$(ask "sorted(x['path'] for x in r['selected'] if 'parted' not in x)")" = "['y', 'z.tie', 'zz.tie']" ]
end

begin 'the tree has a priority, too'
run 0 pack . --no-config --source-priority tree=100 -q -o file \
	--report report.json
is [ "$(ask "{x['factors']['source'] for x in r['selected'] if 'parted' not in x}")" = '{1.0}' ]
end

begin 'names and numbers that are none'
for wrong in open=3 open_files open_files=101 open_files=-1 \
	open_files=, =3 open_files=1,,; do
	run 2 pack . --no-config --source-priority $wrong
	says 'BALE-CLI-002 --source-priority'
done
end

finish
